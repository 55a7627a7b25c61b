//! What holds for one input: each law gives the reason why it does not.

use std::path::Path;
use std::sync::LazyLock;

use cass_transpile::diagnostic::{Group, Judged, Severity};
use cass_transpile::edit::{Applicability, Edit};
use cass_transpile::engine::FileOutcome;
use cass_transpile::engine::Session;
use cass_transpile::engine::annotated;
use cass_transpile::engine::suppressing;
use cass_transpile::engine::translate;
use cass_transpile::engine::without_annotations;
use cass_transpile::mapping::{ApiTable, Version};
use cass_transpile::options::CompatMode;
use cass_transpile::options::LaunchStyle;
use cass_transpile::options::Options;
use cass_transpile::options::WarpMode;
use cass_transpile::rules;
use cass_transpile::text::{SourceFile, from_utf16};

use crate::input::Tongue;
use crate::many::has_defects;

pub(crate) type Law = fn(&Case) -> Result<(), String>;

/// Settings that change what is written; the first are the defaults.
static SESSIONS: LazyLock<Vec<Session>> = LazyLock::new(|| {
    let default = Options::default;
    let settings = [
        default(),
        Options {
            launch: LaunchStyle::Ggl,
            strings: true,
            ..default()
        },
        Options {
            warp: WarpMode::Native,
            compat: CompatMode::Inline,
            ..default()
        },
        Options {
            fix_level: Applicability::Safe,
            compat: CompatMode::None,
            skip_inactive: true,
            ..default()
        },
        Options {
            rocm: Version::new(7, 0),
            targets: vec!["gfx1100".to_owned()],
            ..default()
        },
    ];
    settings
        .into_iter()
        .map(|options| Session::new(options, ApiTable::builtin()))
        .collect()
});

/// Number of the settings.
pub(crate) const SETTINGS: usize = 5;

/// An input and what it becomes, translated once for all laws.
pub(crate) struct Case {
    setting: usize,
    source: SourceFile,
    outcome: FileOutcome,
    result: Vec<u8>,
}

impl Case {
    /// Bytes of a file, which is read as its name says, under a setting.
    pub(crate) fn new(file: &str, bytes: &[u8], setting: usize) -> Self {
        let source = SourceFile::new(file, bytes.to_vec());
        let outcome = translate(&source, &SESSIONS[setting % SETTINGS]);
        let result = outcome.output.clone();
        Self {
            setting,
            result: result.unwrap_or_else(|| source.bytes.clone()),
            source,
            outcome,
        }
    }

    /// Other bytes under the same setting.
    fn like(&self, bytes: &[u8]) -> Self {
        Self::new(&self.source.path, bytes, self.setting)
    }

    /// What a person sees of it.
    pub(crate) fn loud(&self) -> Vec<&Judged> {
        loud(&self.outcome)
    }

    fn annotated(&self) -> Vec<u8> {
        annotated(&self.source, &self.outcome)
    }

    fn without_annotations(&self) -> Vec<u8> {
        without_annotations(&self.source, &self.outcome)
    }
}

/// The bytes outside of edits stay, findings lie in the file and have a rule, and the result needs no edit.
pub(crate) fn edits_are_all_that_changes(case: &Case) -> Result<(), String> {
    let edits: Vec<Edit> = case.outcome.edits.iter().cloned().collect();
    if case.result != naive(&case.source.bytes, &edits) {
        return Err(format!("the output is more than the edits {edits:?}"));
    }
    let len = case.source.bytes.len();
    let is_nowhere =
        |it: &&Judged| it.range().end as usize > len || rules::find(it.code()).is_none();
    if let Some(finding) = case.outcome.findings.iter().find(is_nowhere) {
        return Err(format!(
            "{} lies behind the end, or no rule has that number",
            finding.code()
        ));
    }
    // A result that is its source is known to need no edit.
    if edits.is_empty() {
        return Ok(());
    }
    let again = case.like(&case.result).outcome;
    let edits: Vec<&Edit> = again.edits.iter().collect();
    if edits.is_empty() {
        return Ok(());
    }
    let makers = again.findings.iter().filter(|finding| finding.is_applied());
    let codes: Vec<&str> = makers.map(|finding| finding.code()).collect();
    Err(format!(
        "again {codes:?} {edits:?} in\n{}",
        text(&case.result)
    ))
}

/// A fix that was wanted is in the output, or what it is about is gone, or its finding says that it is not.
pub(crate) fn no_fix_is_lost_in_silence(case: &Case) -> Result<(), String> {
    let outcome = &case.outcome;
    let policy = SESSIONS[case.setting % SETTINGS].options.fix_level;
    let is_gone = |edit: &Edit| outcome.edits.iter().any(|it| it.range.contains(edit.range));
    let is_lost = |finding: &&Judged| {
        let fix = finding.fix().filter(|fix| fix.applicability >= policy);
        !finding.is_applied()
            && finding.severity() == Severity::Info
            && fix.is_some_and(|fix| !fix.edits.iter().all(is_gone))
    };
    match outcome.findings.iter().find(is_lost) {
        Some(finding) => Err(format!("{}: {}", finding.code(), finding.message())),
        None => Ok(()),
    }
}

/// A file with the line ends of Windows becomes what the same file without them becomes.
pub(crate) fn line_ends_do_not_matter(case: &Case) -> Result<(), String> {
    let bytes = &case.source.bytes;
    let unix: Vec<u8> = bytes
        .iter()
        .copied()
        .filter(|&byte| byte != b'\r')
        .collect();
    // In UTF-16 these bytes are parts of others. A file without a line end of either kind cannot say which it wants.
    let is_utf16 = [bytes, &unix]
        .into_iter()
        .any(|it| from_utf16(it).is_some());
    if is_utf16 || !unix.contains(&b'\n') {
        return Ok(());
    }
    let result = case.like(&with_returns(&unix)).result;
    let expected = match unix == *bytes {
        true => with_returns(&case.result),
        false => with_returns(&case.like(&unix).result),
    };
    same(&result, &expected)
}

/// Annotations go as they came. Annotating twice need not be annotating once: some rules find nothing in code that is HIP already.
pub(crate) fn annotations_never_pile_up(case: &Case) -> Result<(), String> {
    let once = case.annotated();
    let plain = case.without_annotations();
    let second = case.like(&once);
    if !second.outcome.edits.is_empty() {
        let edits = &second.outcome.edits;
        return Err(format!("again {edits:?} in\n{}", text(&once)));
    }
    same(&second.without_annotations(), &plain)?;
    let notes = |bytes: &[u8]| text(bytes).matches("// CASS").count();
    // A finding that a comment hides in the source may be another one in the result, which the comment does not name.
    let has_marks = case.source.bytes.windows(5).any(|it| it == b"cass:");
    // Another error of a statement is a label of its first, and has a note of its own once the result makes a warning of it.
    let labels: usize = case
        .outcome
        .findings
        .iter()
        .map(|it| it.labels().count())
        .sum();
    let twice = second.annotated();
    if has_marks || notes(&twice) <= notes(&once) + labels {
        return Ok(());
    }
    Err(format!("more notes in\n{}", text(&twice)))
}

/// Comments that suppress every finding leave none. In a script that Python cannot read they change what the grammar makes of what stands
/// around, and other findings may come up: none of those that were there is left.
pub(crate) fn suppressed_findings_are_gone(case: &Case) -> Result<(), String> {
    let Some(quiet) = suppressing(&case.source, &case.loud(), "a reason") else {
        return Ok(());
    };
    let said = |case: &Case| -> Vec<_> {
        let loud = case.loud();
        let said = loud.iter().map(|it| (it.code(), it.message().into_owned()));
        said.collect()
    };
    let mut left = said(&case.like(&quiet));
    if is_broken_script(&case.source) {
        let before = said(case);
        left.retain(|it| before.contains(it));
    }
    if left.is_empty() {
        return Ok(());
    }
    Err(format!("{left:?} in\n{}", text(&quiet)))
}

fn is_broken_script(source: &SourceFile) -> bool {
    let tongue = Tongue::of(Path::new(&source.path));
    source.path.ends_with(".py") && tongue.is_some_and(|it| has_defects(it, &source.bytes))
}

/// What a person sees of a file, apart from what is wrong with comments for the tool itself.
fn loud(outcome: &FileOutcome) -> Vec<&Judged> {
    let is_about_comments = |code: &str| {
        rules::find(code).is_some_and(|(rule, _)| {
            rule.group == Group::Comments || rule.name == "parse-regression"
        })
    };
    let findings = outcome
        .visible()
        .filter(|finding| finding.severity() > Severity::Info);
    findings
        .filter(|finding| !is_about_comments(finding.code()))
        .collect()
}

/// The edits one by one, last first: slow and plainly right.
pub(crate) fn naive(source: &[u8], edits: &[Edit]) -> Vec<u8> {
    let mut bytes = source.to_vec();
    for edit in edits.iter().rev() {
        bytes.splice(edit.range.as_usize(), edit.content.bytes());
    }
    bytes
}

fn with_returns(bytes: &[u8]) -> Vec<u8> {
    let windows = bytes
        .split_inclusive(|&byte| byte == b'\n')
        .map(|line| match line {
            [text @ .., b'\n'] => [text, b"\r\n"].concat(),
            _ => line.to_vec(),
        });
    windows.flatten().collect()
}

fn same(found: &[u8], expected: &[u8]) -> Result<(), String> {
    if found == expected {
        return Ok(());
    }
    let lines = |bytes: &[u8]| text(bytes).lines().map(str::to_owned).collect::<Vec<_>>();
    let (found, expected) = (lines(found), lines(expected));
    let at = found
        .iter()
        .zip(&expected)
        .position(|(found, expected)| found != expected);
    let at = at.unwrap_or(found.len().min(expected.len()));
    Err(format!(
        "line {}: {:?} instead of {:?}",
        at + 1,
        found.get(at),
        expected.get(at)
    ))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
