//! Findings in modules of Python that are never loaded on AMD: they are told, and fail nothing.

use crate::diagnostic::{Judged, Reason, Severity};
use crate::engine::route::Reading;
use crate::engine::session::FileSession;

/// Makes findings information where all scripts that import the module do so for NVIDIA alone, or go on without it.
pub(super) fn lower(reading: &Reading<'_>, session: &FileSession<'_>, findings: &mut [Judged]) {
    let path = reading.source.path.as_str();
    if !session.project.builds.scripts.is_never_on_amd(path) {
        return;
    }
    let is_loud = |it: &&mut Judged| it.severity() > Severity::Info;
    for judged in findings.iter_mut().filter(is_loud) {
        judged.verdict.severity = Severity::Info;
        judged.verdict.reasons.push(Reason::NotLoaded);
    }
}
