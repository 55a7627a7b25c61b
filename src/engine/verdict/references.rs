//! Names of CUDA that rules of their own change: `__shfl_sync` and its mask. They count as references, as those of the tables do.

use std::collections::BTreeSet;

use crate::diagnostic::{ApiUse, Hidden, Judged, Severity};
use crate::edit::Edit;
use crate::engine::session::FileSession;
use crate::syntax::{Document, Token};

/// Names the API of each finding that changes, or gives up on, a name that the tables know and no other finding counts.
pub(super) fn count(document: &Document<'_>, session: &FileSession<'_>, findings: &mut [Judged]) {
    let counted = findings.iter().filter(|it| it.api().is_some());
    let mut counted: BTreeSet<u32> = counted.map(|it| it.range().start).collect();
    let is_ours = |it: &&mut Judged| it.hidden() != Some(Hidden::OtherBuild);
    for judged in findings.iter_mut().filter(is_ours) {
        let range = judged.range();
        let is_there = |edit: &Edit| (range.start..=range.end).contains(&edit.range.start);
        let mut edits = judged.fix().into_iter().flat_map(|fix| &fix.edits);
        let changes = judged.is_applied() && edits.any(is_there);
        let decides = changes || judged.severity() == Severity::Error;
        if judged.api().is_some() || !decides {
            continue;
        }
        let index = document.token_at(range.start);
        let is_start = |token: &Token| token.start == range.start;
        if !document.tokens.get(index).is_some_and(is_start) || !document.is_ident(index) {
            continue;
        }
        let hit = session.table.get(document.bytes(index));
        if let Some(hit) = hit.filter(|hit| !hit.entry.is_unchanged())
            && counted.insert(range.start)
        {
            judged.verdict.counted = Some(ApiUse {
                name: hit.entry.cuda,
                library: hit.entry.library,
                target: None,
                rocm_since: None,
            });
        }
    }
}
