//! What is left to a person, to another build, or to those who ported the tree.

use super::guards::parts_directives;
use super::neutral::is_neutral;
use crate::diagnostic::{Finding, Severity};
use crate::engine::session::FileSession;
use crate::options::Dialect;
use crate::rules::extensions::unrenamed_build;
use crate::rules::{Fact, find};
use crate::syntax::Document;
use crate::text::Language;

/// What to do where lines of a condition stand within the code of a fix.
const HELP: &str = "write the form for AMD under `#ifdef USE_ROCM` and keep this one under `#else`";

/// Leaves to a person, to another build or to those who ported the tree what is theirs.
pub(in crate::engine) fn leave_to_others(
    document: &Document<'_>,
    session: &FileSession<'_>,
    findings: &mut Vec<Finding>,
) {
    if session.dialect != Dialect::Torch {
        return;
    }
    if session.is_nvidias_source(document) {
        return keep_note_of_nvidias(findings);
    }
    keep_one_note(document, findings);
    leave_decided(findings, session.project.is_ported());
    if document.source.language == Language::CFamily {
        leave_to_people(document, findings);
    }
}

/// Makes one note of all that is said of a build file which PyTorch's build does not read: a script of the CI, a list for another build.
fn keep_one_note(document: &Document<'_>, findings: &mut Vec<Finding>) {
    if !matches!(document.source.language, Language::Build(_)) || findings.is_empty() {
        return;
    }
    // A list of CMake that is the build is told what it lacks.
    let own = findings.extract_if(.., |finding| finding.code == unrenamed_build::RULE.code);
    let own: Vec<Finding> = own.collect();
    let whose = match own.is_empty() {
        true => "; PyTorch's build of the extension does not read this file",
        false => "",
    };
    let places = findings.len();
    findings.sort_by_key(|finding| finding.range);
    findings.truncate(1);
    findings.extend(own);
    let Some(note) = findings.first_mut().filter(|_| places > 0) else {
        return;
    };
    note.fix = None;
    note.severity = Severity::Info;
    note.message = format!("{} of CUDA's toolkit{whose}", speaking(places)).into();
    note.help = "`--dialect cuda` for its path looks at it as part of a build".into();
    note.labels.clear();
}

/// Makes one note of all that is said of a source which the build for AMD leaves out, and changes nothing in it.
fn keep_note_of_nvidias(findings: &mut Vec<Finding>) {
    let places = findings.len();
    findings.sort_by_key(|finding| finding.range);
    findings.truncate(1);
    let Some(note) = findings.first_mut() else {
        return;
    };
    leave(note);
    let things = match places {
        1 => "1 place is".to_owned(),
        places => format!("{places} places are"),
    };
    note.message =
        format!("{things} for NVIDIA alone; the build for AMD leaves this file out").into();
    note.help = "the build script gives it to PyTorch for NVIDIA alone; `--hip-support ignore` ports it all the same".into();
    note.labels.clear();
}

/// Takes away what a finding would do; it is told in passing.
fn leave(finding: &mut Finding) {
    finding.fix = None;
    finding.helpers.clear();
    finding.headers.clear();
    finding.hides = None;
    finding.severity = Severity::Info;
}

fn speaking(places: usize) -> String {
    match places {
        1 => "1 place speaks".to_owned(),
        places => format!("{places} places speak"),
    }
}

/// Leaves what a port has decided as it is, and says so in passing only: `is_ported` when the tree builds for AMD.
fn leave_decided(findings: &mut [Finding], is_ported: bool) {
    let is_decided = |finding: &Finding| {
        find(finding.code).is_some_and(|(rule, _)| rule.has(Fact::DecidedByPort))
    };
    for finding in findings
        .iter_mut()
        .filter(|finding| is_ported && is_decided(finding))
    {
        leave(finding);
    }
}

/// Turns fixes that no guard can hold into findings for a person: their lines have a part of a condition in them.
fn leave_to_people(document: &Document<'_>, findings: &mut [Finding]) {
    for finding in findings {
        if finding.fix.is_some()
            && !is_neutral(document, finding)
            && parts_directives(document, finding)
        {
            finding.fix = None;
            finding.helpers.clear();
            finding.headers.clear();
            finding.severity = finding.severity.max(Severity::Warning);
            finding.help = HELP.into();
        }
    }
}
