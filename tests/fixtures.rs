//! Every file of `fixtures/rules/<rule>/` is translated; a snapshot beside it shows findings and diff, and the invariants that hold
//! for any input are checked on it.
//!
//! `invalid-*` must yield a finding of the rule its folder is named after, `valid-*` must yield none above info and no edit. A first
//! line `// options: …` gives translation options, `// rules-off: CODE` switches rules off; in build files it begins with `#`.

#[path = "fixtures/catalogue.rs"]
mod catalogue;
mod common;
#[path = "fixtures/overlays.rs"]
mod overlays;
#[path = "fixtures/reverse.rs"]
mod reverse;
#[path = "fixtures/versions.rs"]
mod versions;

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::path::PathBuf;

use cass_transpile::diagnostic::Severity;
use cass_transpile::edit::Edit;
use cass_transpile::engine::FileOutcome;
use cass_transpile::engine::Session;
use cass_transpile::engine::translate;
use cass_transpile::report::diff::unified;
use cass_transpile::rules;
use cass_transpile::syntax::Document;
use cass_transpile::text::{Language, SourceFile};
use common::fixture;

#[test]
fn rule_fixtures() {
    // Whatever its extension, a fixture is read.
    insta::glob!("../fixtures/rules", "*/*", |path| {
        // A `.snap.new` is what an earlier run got, and goes when its fixture is as it was.
        let extension = path.extension().and_then(OsStr::to_str);
        if matches!(extension, Some("snap" | "new")) {
            return;
        }
        let rule = path
            .parent()
            .and_then(Path::file_name)
            .and_then(|name| name.to_str())
            .expect("fixtures lie in folders of rules")
            .to_owned();
        let name = path
            .file_name()
            .and_then(|name| name.to_str())
            .expect("fixtures have names")
            .to_owned();
        let source = SourceFile::new(
            fixture::path(&name),
            std::fs::read(path).expect("fixtures are readable"),
        );
        let session = fixture::session(&source, &[]);
        let outcome = translate(&source, &session);
        check_invariants(&source, &outcome, &session);
        check_expectation(&rule, &name, &outcome);
        insta::with_settings!({ snapshot_path => path.parent().expect("it has a folder"), prepend_module_to_snapshot => false, snapshot_suffix => "", omit_expression => true }, {
            insta::assert_snapshot!(name.as_str(), shown(&source, &outcome));
        });
    });
}

#[test]
fn folders_are_rules_and_rules_have_fixtures() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("fixtures/rules");
    let folders: Vec<String> = std::fs::read_dir(&folder)
        .expect("there are fixtures")
        .map(|item| {
            item.expect("readable")
                .file_name()
                .into_string()
                .expect("UTF-8")
        })
        .collect();
    for name in &folders {
        assert!(
            rules::find(name).is_some(),
            "fixtures/rules/{name} is named after no rule"
        );
    }
    let without: Vec<&str> = rules::all()
        .iter()
        .map(|(rule, _)| rule.name)
        .filter(|name| !folders.iter().any(|folder| folder == name))
        .collect();
    assert!(without.is_empty(), "rules without fixtures: {without:?}");
}

fn check_invariants(source: &SourceFile, outcome: &FileOutcome, session: &Session) {
    let output = outcome
        .output
        .clone()
        .unwrap_or_else(|| source.bytes.clone());
    check_edits(source, outcome, &output);
    check_trees(source, &output);
    check_lost_fixes(source, outcome, session);
    let again = translate(&SourceFile::new(source.path.clone(), output), session);
    assert!(
        again.edits.is_empty(),
        "{}: a second run edits again: {:?}",
        source.path,
        again.edits
    );
    for finding in &outcome.findings {
        let rule = rules::find(finding.code())
            .expect("findings carry codes of rules")
            .0;
        let sureness = finding.fix().as_ref().map(|fix| fix.applicability);
        assert!(
            sureness <= rule.fix,
            "{}: {} offers a {sureness:?} fix, its rule promises {:?}",
            source.path,
            finding.code(),
            rule.fix
        );
        assert!(finding.range().end as usize <= source.bytes.len());
        assert!(
            finding.severity() == Severity::Info || !finding.help().is_empty(),
            "{}: {} gives no advice: {}",
            source.path,
            finding.code(),
            finding.message()
        );
        assert!(
            !finding.message().ends_with('.'),
            "{}: messages end without a full stop: {}",
            source.path,
            finding.message()
        );
    }
}

/// A fix that was wanted is in the output, or what it is about is gone, or its finding says that it is not.
fn check_lost_fixes(source: &SourceFile, outcome: &FileOutcome, session: &Session) {
    for finding in outcome
        .findings
        .iter()
        .filter(|finding| !finding.is_applied())
    {
        let Some(fix) = &finding.fix() else { continue };
        let is_wanted = fix.applicability >= session.options.fix_level;
        let is_gone = |edit: &Edit| outcome.edits.iter().any(|it| it.range.contains(edit.range));
        assert!(
            !is_wanted || finding.severity() > Severity::Info || fix.edits.iter().all(is_gone),
            "{}: the fix of {} is lost without a word: {}",
            source.path,
            finding.code(),
            finding.message()
        );
    }
}

/// Masking moves nothing, and the output has no syntax error that the source lacks.
fn check_trees(source: &SourceFile, output: &[u8]) {
    if source.language != Language::CFamily {
        return;
    }
    let output = SourceFile::new(source.path.clone(), output.to_vec());
    let (before, after) = (Document::new(source), Document::new(&output));
    assert_eq!(before.tree().masked.len(), source.bytes.len());
    let newlines = |text: &[u8]| {
        text.iter()
            .enumerate()
            .filter(|(_, byte)| **byte == b'\n')
            .map(|(at, _)| at)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        newlines(&before.tree().masked),
        newlines(&source.bytes),
        "{}: masking moved a line",
        source.path
    );
    let (before, after) = (before.tree().defects(), after.tree().defects());
    assert!(
        after.len() <= before.len(),
        "{}: syntax errors {before:?} became {after:?}",
        source.path
    );
}

/// Edits are sorted and disjoint, and the bytes between them are in the output unchanged.
fn check_edits(source: &SourceFile, outcome: &FileOutcome, output: &[u8]) {
    let (mut from, mut to) = (0usize, 0usize);
    for edit in outcome.edits.iter() {
        let start = edit.range.start as usize;
        assert!(from <= start, "{}: edits overlap at {start}", source.path);
        assert_eq!(
            source.bytes[from..start],
            output[to..to + start - from],
            "{}: bytes outside edits changed",
            source.path
        );
        to += start - from;
        assert_eq!(
            edit.content.as_bytes(),
            &output[to..to + edit.content.len()]
        );
        to += edit.content.len();
        from = edit.range.end as usize;
    }
    assert_eq!(
        source.bytes[from..],
        output[to..],
        "{}: bytes behind the last edit changed",
        source.path
    );
}

fn check_expectation(rule: &str, name: &str, outcome: &FileOutcome) {
    let code = rules::find(rule)
        .unwrap_or_else(|| panic!("fixtures/rules/{rule} is named after no rule"))
        .0
        .code;
    if name.starts_with("invalid-") {
        assert!(
            outcome
                .findings
                .iter()
                .any(|finding| finding.code() == code),
            "{rule}/{name}: no finding of {code}"
        );
    } else {
        assert!(
            name.starts_with("valid-"),
            "{rule}/{name}: fixtures are called invalid-* or valid-*"
        );
        let loud: Vec<_> = outcome
            .visible()
            .filter(|finding| finding.code() == code || finding.severity() > Severity::Info)
            .collect();
        assert!(loud.is_empty(), "{rule}/{name}: {loud:?}");
    }
}

fn shown(source: &SourceFile, outcome: &FileOutcome) -> String {
    let mut text = String::new();
    for finding in outcome
        .visible()
        .filter(|finding| finding.severity() > Severity::Info || finding.fix().is_none())
    {
        let at = source.line_col(finding.range().start);
        let fixed = if finding.is_applied() { " [fixed]" } else { "" };
        writeln!(
            text,
            "{}:{} {:?} {}{fixed}: {}",
            at.line,
            at.column,
            finding.severity(),
            finding.code(),
            finding.message()
        )
        .expect("strings take text");
        writeln!(text, "    help: {}", finding.help()).expect("strings take text");
    }
    let output = outcome
        .output
        .clone()
        .unwrap_or_else(|| source.bytes.clone());
    text + &String::from_utf8_lossy(&unified(&source.path, &source.path, &source.bytes, &output))
        .replace('\r', "␍")
}
