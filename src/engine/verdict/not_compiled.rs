//! Findings in code that the build compiles nowhere: they are told, and fail nothing.

use crate::diagnostic::{Judged, Reason, Severity};
use crate::engine::route::Reading;
use crate::engine::session::FileSession;
use crate::text::RangeSet;

/// Makes findings information where a compilation database says that their code is not compiled.
pub(super) fn lower(reading: &Reading<'_>, session: &FileSession<'_>, findings: &mut [Judged]) {
    let ranges: RangeSet = session.not_compiled(reading).into_iter().collect();
    let is_out =
        |it: &&mut Judged| it.severity() > Severity::Info && ranges.contains(it.range().start);
    for judged in findings.iter_mut().filter(is_out) {
        judged.verdict.severity = Severity::Info;
        judged.verdict.reasons.push(Reason::NotCompiled);
    }
}
