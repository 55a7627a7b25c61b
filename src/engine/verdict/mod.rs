//! What is decided about findings, in this order. A finding stays what its rule said ([`Judged`](crate::diagnostic::Judged)); each step
//! adds to the verdict beside it, and says why.
//!
//! 1. `judge`: findings are admitted. Rules that are off and chips that nobody asked for keep theirs; a person's severities, comments of the
//!    file and the selection are noted.
//! 2. `leave`: what belongs to another build, to those who ported the tree, or to a person is left to them.
//! 3. `resolve`: of the fixes that are left, those are made that exclude no better one; findings in code that a fix takes from AMD go.
//! 4. `lost`: findings whose fix was wanted and is not made are raised; a person's severities and comments hold for them as well.
//! 5. `same_problem`: one call is one finding.
//! 6. `references`: which finding counts as the use of which name.
//! 7. `older_library`: what a test of a library's release keeps from AMD is information.
//! 8. `not_compiled`: so is what no build compiles.
//! 9. `not_loaded`: and what stands in a module of Python that AMD never loads.

pub(super) mod judge;
pub(super) mod leave;
mod lost;
mod not_compiled;
mod not_loaded;
mod older_library;
pub(super) mod references;
pub(super) mod resolve;
mod same_problem;

use crate::diagnostic::Judged;
use crate::engine::route::Reading;
use crate::engine::session::FileSession;

/// The last decisions about the findings of a file, and their order: that of their places.
pub(super) fn finish(reading: &Reading<'_>, session: &FileSession<'_>, findings: &mut [Judged]) {
    if let Some(document) = reading.cpp() {
        same_problem::merge(document, findings);
        references::count(document, session, findings);
        older_library::lower(document, session, findings);
    }
    not_compiled::lower(reading, session, findings);
    not_loaded::lower(reading, session, findings);
    sort(findings);
}

/// Sorts findings by place and rule.
pub(super) fn sort(findings: &mut [Judged]) {
    findings.sort_by_key(|it| (it.range(), it.code()));
}
