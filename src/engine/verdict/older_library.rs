//! Findings under a condition that a library of the chosen ROCm does not meet: what they speak of is not compiled there.

use crate::cpp::conditions::nccl_release::branches_above;
use crate::diagnostic::{Judged, Reason, Severity};
use crate::engine::session::FileSession;
use crate::mapping::chip::nccl_release;
use crate::syntax::Document;
use crate::text::RangeSet;

/// Makes findings information where the RCCL of the chosen ROCm is older than the branch around them asks for.
pub(super) fn lower(document: &Document<'_>, session: &FileSession<'_>, findings: &mut [Judged]) {
    let Some(release) = nccl_release(session.options.rocm) else {
        return;
    };
    if session.options.reverse {
        return;
    }
    let ranges: RangeSet = branches_above(document, release).into_iter().collect();
    let is_out =
        |it: &&mut Judged| it.severity() > Severity::Info && ranges.contains(it.range().start);
    for judged in findings.iter_mut().filter(is_out) {
        judged.verdict.severity = Severity::Info;
        judged.verdict.reasons.push(Reason::OlderLibrary);
    }
}
