//! Findings in modules of Python that are never loaded on AMD, or that are kept of a past run: they are told, and fail nothing.

use crate::diagnostic::{Judged, Reason, Severity};
use crate::engine::route::Reading;
use crate::engine::session::FileSession;

/// Makes findings information where all scripts that import the module do so for NVIDIA alone, or go on without it, and where the script was
/// run once and is kept with its results.
pub(super) fn lower(reading: &Reading<'_>, session: &FileSession<'_>, findings: &mut [Judged]) {
    let path = reading.source.path.as_str();
    let project = &session.project;
    let reason = if project.builds.scripts.is_never_on_amd(path) {
        Reason::NotLoaded
    } else if path.ends_with(".py") && project.paths.is_of_past_run(path) {
        Reason::PastRun
    } else {
        return;
    };
    let is_loud = |it: &&mut Judged| it.severity() > Severity::Info;
    for judged in findings.iter_mut().filter(is_loud) {
        judged.verdict.severity = Severity::Info;
        judged.verdict.reasons.push(reason.clone());
    }
}
