//! What a rule is: what is true of it, what it looks at, and what it does there.

use super::check::Check;
use crate::diagnostic::RuleId;
use crate::diagnostic::{Finding, Severity};
use crate::edit::Applicability;
use crate::text::TextRange;

/// A rule: its code, what is true of it, and what it looks at.
pub struct Rule {
    /// Stable code, never reused: `CASS001`.
    pub code: &'static str,
    /// How much its findings matter unless they say otherwise.
    pub severity: Severity,
    /// The surest fix it ever offers; `None` when it only reports.
    pub fix: Option<Applicability>,
    /// Which fix wins where two touch the same bytes: the smaller number. Names are 50, whole calls 30, whole statements 10.
    pub priority: u8,
    /// What is true of it, whatever it finds.
    pub facts: &'static [Fact],
    /// What it looks at, and what it does there.
    pub checks: &'static [Check],
}

/// What is true of a rule: the engine asks for it, and knows no rule by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fact {
    /// What its fixes write is plain C++ that nvcc reads as it read the source (casts, keywords, terms about macros that CUDA never has):
    /// where one source serves both vendors, no guard parts the two forms.
    NvccReadsResult,
    /// It is about a choice that a port has made: where the tree builds for AMD already, its maintainers know.
    DecidedByPort,
    /// It works in either direction: it knows nothing but the tables. Back from HIP to CUDA no other rule runs.
    Reversible,
    /// It is about what PyTorch's build does itself, or about the program that hipcc would build alone: it is off for what PyTorch builds.
    DoneByTorch,
    /// It is about a program that hipcc builds: it is off for text that hiprtc compiles, which has the runtime's declarations without a
    /// header.
    NotForRtc,
    /// Its fixes put AMD's name in the place of CUDA's and do nothing else: a definition at the head of the file can do the same.
    PutsNames,
    /// The same for namespaces.
    PutsNamespaces,
    /// Where it is off, references to textures stay as they are, and with them what is declared for objects.
    ReplacesTextureReferences,
    /// It is about a build that serves AMD already, whose files are left alone otherwise.
    ForServedBuild,
    /// What its fixes do, a shim of macros and forwarding headers does as well.
    DoneByShim,
    /// The same, where the shim has a line for the function at hand.
    DoneByShimLine,
    /// It is about the comments that speak to the tool: one that names no rules does not speak of itself, or none would ever be useless.
    AboutComments,
    /// It is about commands to nvcc, also those that stand within a file of another language.
    ReadsCommands,
    /// It says what a build for AMD lacks, where other words about the file are for another build.
    ForTorchBuild,
    /// It is about the machine that a command runs on, whoever builds: no choice of a dialect makes an end of it.
    AboutMachine,
    /// It brings the headers that fixes need: where it is off, they stand elsewhere.
    BringsHeaders,
    /// What it is about has to be compiled as C++.
    WantsCpp,
    /// Scripts of Python with one of these texts have to do with GPUs; it looks closer at all that do.
    ReadsScriptsWith(&'static [&'static str]),
    /// It does what rules of these codes and names did, so that choices, comments and baselines that say them go on to hold.
    TookOver(&'static [(&'static str, &'static str)]),
}

impl Rule {
    /// Its code and severity, for what speaks for it.
    pub const fn id(&self) -> RuleId {
        RuleId {
            code: self.code,
            severity: self.severity,
        }
    }

    /// Whether something is true of it.
    pub fn has(&self, fact: Fact) -> bool {
        self.facts.contains(&fact)
    }

    /// The codes and names of the rules that it took the place of.
    pub(crate) fn former(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let former = |fact: &'static Fact| match fact {
            Fact::TookOver(former) => *former,
            _ => &[],
        };
        self.facts.iter().flat_map(former).copied()
    }

    /// Whether a word is a code or the name of a rule that it took the place of, in any case.
    pub fn was(&self, word: &str) -> bool {
        self.former()
            .any(|(code, name)| [code, name].iter().any(|it| it.eq_ignore_ascii_case(word)))
    }

    /// Whether it does all there is to do about an identifier, so that no table entry of that name is applied.
    pub fn claims(&self, name: &str) -> bool {
        let mut claims = self.checks.iter().filter(|check| check.claims());
        claims.any(|check| check.names().any(|claimed| claimed == name))
    }

    /// Whether it looks at an identifier, whatever the tables know of it.
    pub fn watches(&self, name: &str) -> bool {
        self.names().any(|watched| watched == name)
    }

    /// The identifiers that it names as those it looks at.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.checks.iter().flat_map(Check::names)
    }

    /// Whether it looks at nothing but build files and build scripts, of which no compiler reads the result.
    pub fn is_about_builds(&self) -> bool {
        let of_build = |check: &Check| {
            matches!(
                check,
                Check::BuildFile(_) | Check::OtherBuildFile(_) | Check::Extension(_)
            )
        };
        !self.checks.is_empty() && self.checks.iter().all(of_build)
    }

    /// A finding of this rule.
    pub fn finding(
        &self,
        range: TextRange,
        message: impl Into<std::borrow::Cow<'static, str>>,
    ) -> Finding {
        Finding::new(self.code, self.severity, range, message)
    }
}
