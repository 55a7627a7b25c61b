//! A finding as it was admitted, and the verdict on it.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::{ApiUse, Finding, Label, Severity};
use crate::edit::Fix;
use crate::text::TextRange;

/// A finding and the verdict on it. The finding stays what its rule said; what is decided about it stands in the verdict.
#[derive(Clone, Debug)]
pub struct Judged {
    finding: Finding,
    /// What was decided.
    pub(crate) verdict: Verdict,
}

/// What was decided about a finding.
#[derive(Clone, Debug)]
pub(crate) struct Verdict {
    /// How much it matters.
    pub(crate) severity: Severity,
    /// Why it is not shown, if it is not.
    pub(crate) hidden: Option<Hidden>,
    /// What becomes of its fix.
    pub(crate) fix: FixState,
    /// What was decided otherwise than its rule said, in the order of the decisions.
    pub(crate) reasons: Vec<Reason>,
    /// Findings that are told with it.
    pub(crate) told_with: Vec<Label>,
    /// The reference that it counts as, where its rule named none.
    pub(crate) counted: Option<ApiUse>,
}

/// What becomes of a fix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FixState {
    /// There is none.
    None,
    /// It is offered and not made: a proposal, one below the level that a person chose, or one that yielded to another.
    Offered,
    /// It is made.
    Made,
    /// It is neither made nor offered: a reason says why.
    Withheld,
}

/// Why a finding is not shown. It still counts as a use of its API, unless no build for AMD has its code: silence does not make a program
/// more portable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hidden {
    /// A comment in the source says so.
    Comment,
    /// A person chose other rules.
    Selection,
    /// Another finding is about the call it is part of.
    SameProblem,
    /// The file belongs to another build: one finding says so for all of them.
    OtherBuild,
}

/// Why something was decided otherwise than the rule of a finding said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    /// The project supports AMD there by itself: nothing is edited.
    ServesAmd,
    /// The file is a submodule's, which is another repository.
    Submodule,
    /// A comment of the file switches the place off.
    SwitchedOff,
    /// A port has decided it: the tree builds for AMD.
    DecidedByPort,
    /// The script goes on building for NVIDIA: `--vendors both`.
    NvidiasScript,
    /// The text is compiled for NVIDIA as well, by the program that runs.
    ReadByBoth,
    /// Lines of a condition stand within the code of the fix, which no guard can hold.
    PartsCondition,
    /// Another fix changes the same code.
    Yielded,
    /// `--fix-level` leaves it.
    BelowLevel,
    /// The file belongs to another build than the one for AMD.
    OtherBuild,
    /// The build compiles the code nowhere.
    NotCompiled,
    /// All that import the module do so for NVIDIA alone, or go on without it.
    NotLoaded,
    /// The script belongs to what is kept of a past run.
    PastRun,
    /// The code is for a release of a library that the chosen ROCm does not have.
    OlderLibrary,
    /// The literal around the text cannot hold the result; with what to do about it.
    Unwritable(Cow<'static, str>),
}

impl Reason {
    /// Its name for machines.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::ServesAmd => "serves-amd",
            Self::Submodule => "submodule",
            Self::SwitchedOff => "switched-off",
            Self::DecidedByPort => "decided-by-port",
            Self::NvidiasScript => "nvidias-script",
            Self::ReadByBoth => "read-by-both",
            Self::PartsCondition => "parts-condition",
            Self::Yielded => "another-fix",
            Self::BelowLevel => "below-fix-level",
            Self::OtherBuild => "build-of-others",
            Self::NotCompiled => "in-no-build",
            Self::NotLoaded => "not-loaded",
            Self::PastRun => "past-run",
            Self::OlderLibrary => "older-library",
            Self::Unwritable(_) => "unwritable",
        }
    }

    /// What it adds to the message.
    fn message(&self) -> &'static str {
        match self {
            Self::Yielded => ", but another fix changes the same code",
            Self::NotCompiled => ", in code that the build does not compile",
            Self::NotLoaded => ", in a module that nothing here loads on AMD",
            Self::PastRun => ", in what is kept of a past run",
            Self::OlderLibrary => ", in code for a newer release of the library than this ROCm has",
            _ => "",
        }
    }

    /// What to do about it, and whether the advice of the rule holds as well.
    fn help(&self) -> Option<(&str, bool)> {
        match self {
            Self::NvidiasScript => Some((
                "the script goes on building for NVIDIA: beside it, one for AMD configures with -DUSE_HIP=ON or calls make USE_HIP=1",
                false,
            )),
            Self::Submodule => Some((
                "the folder is a submodule: send the change to its project, or name a fork in .gitmodules that has it",
                true,
            )),
            Self::ReadByBoth => Some((
                "the program compiles this text for NVIDIA as well: write the form for AMD under `#ifdef __HIP__` and keep this one under `#else`",
                false,
            )),
            Self::PartsCondition => Some((
                "write the form for AMD under `#ifdef USE_ROCM` and keep this one under `#else`",
                false,
            )),
            Self::Yielded => Some(("change it by hand, or translate the result once more", true)),
            Self::BelowLevel => {
                Some(("`--fix-level review` converts this; check the result", true))
            }
            Self::Unwritable(help) => Some((help, false)),
            _ => None,
        }
    }
}

impl Judged {
    /// A finding that was just admitted: it is shown, and its fix is offered.
    pub(crate) fn new(finding: Finding) -> Self {
        let verdict = Verdict {
            severity: finding.severity,
            hidden: None,
            fix: match finding.fix {
                Some(_) => FixState::Offered,
                None => FixState::None,
            },
            reasons: Vec::new(),
            told_with: Vec::new(),
            counted: None,
        };
        Self { finding, verdict }
    }

    /// Whether it says of another place what another one has said, and changes nothing there.
    pub(crate) fn only_repeats(&self, told: &Self) -> bool {
        let (own, other) = (&self.finding, &told.finding);
        self.verdict.fix == FixState::None
            && self.verdict.severity <= told.verdict.severity
            && (own.code, &own.message) == (other.code, &other.message)
    }

    /// The finding as its rule said it.
    pub fn finding(&self) -> &Finding {
        &self.finding
    }

    /// Code of its rule.
    pub fn code(&self) -> &'static str {
        self.finding.code
    }

    /// Bytes of the file.
    pub fn range(&self) -> TextRange {
        self.finding.range
    }

    /// How much it matters, by what was decided.
    pub fn severity(&self) -> Severity {
        self.verdict.severity
    }

    /// Whether a person sees it.
    pub(crate) fn is_shown(&self) -> bool {
        self.verdict.hidden.is_none()
    }

    /// Why it is not shown, if it is not.
    pub fn hidden(&self) -> Option<Hidden> {
        self.verdict.hidden
    }

    /// Whether its fix is in the output.
    pub fn is_applied(&self) -> bool {
        self.verdict.fix == FixState::Made
    }

    /// The change that is made or offered.
    pub fn fix(&self) -> Option<&Fix> {
        let fix = self.finding.fix.as_ref();
        fix.filter(|_| self.verdict.fix != FixState::Withheld)
    }

    /// The reference that it counts as.
    pub fn api(&self) -> Option<ApiUse> {
        self.finding.api.or(self.verdict.counted)
    }

    /// What is the matter, with what was decided about it.
    pub fn message(&self) -> Cow<'static, str> {
        let added: String = self.verdict.reasons.iter().map(Reason::message).collect();
        match &*added {
            "" => self.finding.message.clone(),
            added => format!("{}{added}", self.finding.message).into(),
        }
    }

    /// What to do about it, with what was decided.
    pub fn help(&self) -> Cow<'static, str> {
        let mut help = self.finding.help.clone();
        for (advice, with_rules) in self.verdict.reasons.iter().filter_map(Reason::help) {
            help = match &*help {
                rules if with_rules && !rules.is_empty() => format!("{advice}; {rules}").into(),
                _ => advice.to_owned().into(),
            };
        }
        help
    }

    /// Other places: those that its rule pointed at, and what is told with it.
    pub fn labels(&self) -> impl Iterator<Item = &Label> {
        self.finding.labels.iter().chain(&self.verdict.told_with)
    }

    /// What was decided otherwise than its rule said, for machines.
    pub(crate) fn reasons(&self) -> impl Iterator<Item = &'static str> {
        self.verdict.reasons.iter().map(Reason::name)
    }

    /// Raises it to a severity at least.
    pub(crate) fn raise(&mut self, least: Severity) {
        self.verdict.severity = self.verdict.severity.max(least);
    }

    /// Neither makes nor offers its fix.
    pub(crate) fn withhold(&mut self, reason: Reason) {
        if self.finding.fix.is_some() && self.verdict.fix != FixState::Withheld {
            self.verdict.fix = FixState::Withheld;
            self.verdict.reasons.push(reason);
        }
    }

    /// The same with the numbers of lines in its message, `the branch of line 8`, in terms of a file that holds the text.
    #[must_use]
    pub(crate) fn with_lines(mut self, line_there: impl Fn(u32) -> Option<u32>) -> Self {
        static LINE: LazyLock<Regex> =
            LazyLock::new(|| Regex::new(r"\bline (\d+)").expect("the expression is valid"));
        let moved = LINE.replace_all(&self.finding.message, |found: &Captures<'_>| {
            let line = found[1].parse().ok().and_then(&line_there);
            line.map_or_else(|| found[0].to_owned(), |line| format!("line {line}"))
        });
        self.finding.message = moved.into_owned().into();
        self
    }

    /// The same finding in terms of another text that holds this one's: `place` gives its ranges, `rewrite` its fix.
    #[must_use]
    pub(crate) fn moved(
        mut self,
        place: impl Fn(TextRange) -> TextRange,
        rewrite: impl FnOnce(Fix) -> Option<Fix>,
    ) -> Self {
        let finding = &mut self.finding;
        finding.range = place(finding.range);
        let labels = finding.labels.iter_mut();
        for label in labels.chain(&mut self.verdict.told_with) {
            label.range = place(label.range);
        }
        finding.hides = finding.hides.map(place);
        finding.fix = finding.fix.take().and_then(rewrite);
        if finding.fix.is_none() && self.verdict.fix == FixState::Offered {
            self.verdict.fix = FixState::None;
        }
        self
    }
}
