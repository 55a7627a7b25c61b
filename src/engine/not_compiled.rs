//! Findings in code that the build compiles nowhere: they are told, and fail nothing.

use crate::diagnostic::{Finding, Severity};
use crate::engine::session::FileSession;
use crate::syntax::Document;
use crate::text::RangeSet;

/// Makes findings information where a compilation database says that their code is not compiled.
pub(super) fn lower(document: &Document<'_>, session: &FileSession<'_>, findings: &mut [Finding]) {
    let ranges: RangeSet = session.not_compiled(document).into_iter().collect();
    let is_out = |finding: &&mut Finding| {
        finding.severity > Severity::Info && ranges.contains(finding.range.start)
    };
    for finding in findings.iter_mut().filter(is_out) {
        finding.severity = Severity::Info;
        finding.message = format!(
            "{}, in code that the build does not compile",
            finding.message
        )
        .into();
    }
}
