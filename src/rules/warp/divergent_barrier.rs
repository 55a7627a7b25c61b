//! Block barriers on both sides of a branch that diverges within a wavefront.
//!
//! ## Why on AMD
//! A wavefront runs the sides of a branch one after the other and arrives at a barrier once for each. Where warp 0 and warp 1 of CUDA
//! part they are one wavefront of 64 lanes on CDNA: it arrives twice, at the barriers of both sides, and is ahead of the others by
//! one from then on. What the barrier was to order is not ordered, or the block hangs. CUDA counts arrivals by warp (by thread since
//! Volta), so that both sides meet; its guide asks for a condition that is the same in the whole block.
//!
//! ## Example
//! ```cuda
//! if (threadIdx.x / 32 == 0) {
//!     produce(tile);
//!     __syncthreads();
//! } else {
//!     __syncthreads();
//!     consume(tile);
//! }
//! ```
//! To be written as
//! ```hip
//! if (threadIdx.x / 32 == 0)
//!     produce(tile);
//! __syncthreads();
//! if (threadIdx.x / 32 != 0)
//!     consume(tile);
//! ```
//!
//! ## When to ignore
//! When the condition is the same for each 64 threads in a row.
//!
//! ## Source
//! CUDA C++ Programming Guide, synchronization functions; AMD GPU ISA, S_BARRIER (arrivals are counted by wave).

use std::ops::Range;

use crate::cpp::threads::{ThreadValues, parts_wavefronts_whole};
use crate::rules::prelude::*;

/// Reports barriers on both sides of a branch that threads take by their number.
pub static RULE: Rule = Rule {
    code: "CASS212",
    severity: Severity::Warning,
    fix: None,
    priority: 50,
    facts: &[],
    checks: &[Check::Idents(&["__syncthreads"], check)],
};

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    let doc = cx.doc;
    if doc.tokens[index].has(flags::DIRECTIVE) || !cx.may_be_device(index) {
        return;
    }
    let Some(function) = doc.scopes().enclosing(index) else {
        return;
    };
    let branches = branches_around(doc, index, function.body.start);
    let splits = |branch: &&Branch| {
        let values = ThreadValues::new(doc, function);
        values.is_of_thread(doc, branch.condition.clone())
            && !parts_wavefronts_whole(doc, branch.condition.clone())
            && has_barrier(doc, branch.other(doc, function.body.end))
            && !has_barrier(doc, branch.body.start..index)
    };
    if let Some(branch) = branches.iter().find(splits) {
        let line =
            "the other side of this branch has a barrier too, and lanes of one wavefront take both";
        let finding = RULE.finding(cx.range(index), line).help(format!(
            "put one barrier behind both sides of `if ({})`, and what follows it into a second branch",
            cx.text_of(doc.range(branch.condition.start, branch.condition.end - 1))
        ));
        cx.report(finding);
    }
}

/// A branch of an `if`.
struct Branch {
    condition: Range<TokenIndex>,
    body: Range<TokenIndex>,
}

impl Branch {
    /// What threads run instead: the `else`, or all that follows a branch that leaves the function.
    fn other(&self, doc: &Document<'_>, end: TokenIndex) -> Range<TokenIndex> {
        let behind = self.body.end + 1;
        if doc.next_is(self.body.end, "else") {
            let first = doc.next(behind).unwrap_or(behind);
            let close = doc.matching_bracket(first).filter(|_| doc.is(first, "{"));
            return behind..close.unwrap_or_else(|| statement_end(doc, behind, end));
        }
        let leaves = doc
            .prev(self.body.end)
            .is_some_and(|last| doc.is(last, ";") && doc.is_before(last, "return"));
        if leaves { behind..end } else { behind..behind }
    }
}

/// `else if (…) { … } else …`: up to the end of the chain, roughly its next `}` at this depth.
fn statement_end(doc: &Document<'_>, start: TokenIndex, end: TokenIndex) -> TokenIndex {
    let mut at = start;
    while at < end {
        match doc.bytes(at) {
            b"{" => {
                let close = doc.matching_bracket(at).unwrap_or(end);
                if !doc.next_is(close, "else") {
                    return close;
                }
                at = close;
            }
            b"(" => at = doc.matching_bracket(at).unwrap_or(at),
            b";" => return at,
            _ => {}
        }
        at += 1;
    }
    end
}

/// The branches in braces whose body holds a token, up to the start of the function, innermost first.
fn branches_around(doc: &Document<'_>, index: TokenIndex, start: TokenIndex) -> Vec<Branch> {
    let holds = doc.braces_around(index).take_while(|&open| open > start);
    let branch = |open: TokenIndex| {
        let close = doc.prev(open).filter(|&close| doc.is(close, ")"))?;
        let paren = doc.matching_bracket(close)?;
        doc.is_before(paren, "if").then_some(())?;
        Some(Branch {
            condition: paren + 1..close,
            body: open..doc.matching_bracket(open)?,
        })
    };
    holds.filter_map(branch).collect()
}

fn has_barrier(doc: &Document<'_>, tokens: Range<TokenIndex>) -> bool {
    doc.occurrences(b"__syncthreads", tokens).next().is_some()
}
