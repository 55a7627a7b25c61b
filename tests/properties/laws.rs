//! What holds for one input: each law gives the reason why it does not.

use std::sync::LazyLock;

use cass_transpile::diagnostic::{Finding, Group, Severity};
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

pub(crate) type Law = fn(&[u8], usize) -> Result<(), String>;

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

/// The bytes outside of edits stay, findings lie in the file, and the result needs no edit.
pub(crate) fn edits_are_all_that_changes(bytes: &[u8], setting: usize) -> Result<(), String> {
    let (source, outcome) = translated(bytes, setting);
    let result = output(&source, &outcome);
    let edits: Vec<Edit> = outcome.edits.iter().cloned().collect();
    if result != naive(bytes, &edits) {
        return Err(format!("the output is more than the edits {edits:?}"));
    }
    let outside = |finding: &&Finding| finding.range.end as usize > bytes.len();
    if let Some(finding) = outcome.findings.iter().find(outside) {
        return Err(format!("{} lies behind the end", finding.code));
    }
    let (_, again) = translated(&result, setting);
    let edits: Vec<&Edit> = again.edits.iter().collect();
    if edits.is_empty() {
        return Ok(());
    }
    let makers = again.findings.iter().filter(|finding| finding.applied);
    let codes: Vec<&str> = makers.map(|finding| finding.code).collect();
    Err(format!("again {codes:?} {edits:?} in\n{}", text(&result)))
}

/// A fix that was wanted is in the output, or what it is about is gone, or its finding says that it is not.
pub(crate) fn no_fix_is_lost_in_silence(bytes: &[u8], setting: usize) -> Result<(), String> {
    let (_, outcome) = translated(bytes, setting);
    let policy = SESSIONS[setting % SETTINGS].options.fix_level;
    let is_gone = |edit: &Edit| outcome.edits.iter().any(|it| it.range.contains(edit.range));
    let is_lost = |finding: &&Finding| {
        let fix = finding
            .fix
            .as_ref()
            .filter(|fix| fix.applicability >= policy);
        !finding.applied
            && finding.severity == Severity::Info
            && fix.is_some_and(|fix| !fix.edits.iter().all(is_gone))
    };
    match outcome.findings.iter().find(is_lost) {
        Some(finding) => Err(format!("{}: {}", finding.code, finding.message)),
        None => Ok(()),
    }
}

/// A file with the line ends of Windows becomes what the same file without them becomes.
pub(crate) fn line_ends_do_not_matter(bytes: &[u8], setting: usize) -> Result<(), String> {
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
    let (source, outcome) = translated(&unix, setting);
    let (crlf_source, crlf_outcome) = translated(&with_returns(&unix), setting);
    let result = output(&crlf_source, &crlf_outcome);
    let expected = with_returns(&output(&source, &outcome));
    same(&result, &expected)
}

/// Annotations go as they came. Annotating twice need not be annotating once: some rules find nothing in code that is HIP already.
pub(crate) fn annotations_never_pile_up(bytes: &[u8], setting: usize) -> Result<(), String> {
    let (source, outcome) = translated(bytes, setting);
    let once = annotated(&source, &outcome);
    let plain = without_annotations(&source, &outcome);
    let (source, outcome) = translated(&once, setting);
    if !outcome.edits.is_empty() {
        return Err(format!("again {:?} in\n{}", outcome.edits, text(&once)));
    }
    same(&without_annotations(&source, &outcome), &plain)?;
    let notes = |bytes: &[u8]| text(bytes).matches("// CASS").count();
    // A finding that a comment hides in the source may be another one in the result, which the comment does not name.
    let has_marks = bytes.windows(5).any(|window| window == b"cass:");
    let twice = annotated(&source, &outcome);
    if has_marks || notes(&twice) <= notes(&once) {
        return Ok(());
    }
    Err(format!("more notes in\n{}", text(&twice)))
}

/// Comments that suppress every finding leave none.
pub(crate) fn suppressed_findings_are_gone(bytes: &[u8], setting: usize) -> Result<(), String> {
    let (source, outcome) = translated(bytes, setting);
    let Some(quiet) = suppressing(&source, &loud(&outcome), "a reason") else {
        return Ok(());
    };
    let (_, outcome) = translated(&quiet, setting);
    let left: Vec<_> = loud(&outcome)
        .iter()
        .map(|finding| (finding.code, finding.message.clone()))
        .collect();
    if left.is_empty() {
        return Ok(());
    }
    Err(format!("{left:?} in\n{}", text(&quiet)))
}

/// What a person sees of a file, apart from what is wrong with comments for the tool itself.
pub(crate) fn loud(outcome: &FileOutcome) -> Vec<&Finding> {
    let is_about_comments = |code: &str| {
        rules::find(code).is_some_and(|(rule, _)| {
            rule.group == Group::Comments || rule.name == "parse-regression"
        })
    };
    let findings = outcome
        .visible()
        .filter(|finding| finding.severity > Severity::Info);
    findings
        .filter(|finding| !is_about_comments(finding.code))
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

pub(crate) fn translated(bytes: &[u8], setting: usize) -> (SourceFile, FileOutcome) {
    let source = SourceFile::new("random.cu", bytes.to_vec());
    let outcome = translate(&source, &SESSIONS[setting % SETTINGS]);
    (source, outcome)
}

fn output(source: &SourceFile, outcome: &FileOutcome) -> Vec<u8> {
    let output = outcome.output.clone();
    output.unwrap_or_else(|| source.bytes.clone())
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
