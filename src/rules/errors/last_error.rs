//! An error of a launch that is asked for only after another call.
//!
//! ## Why on AMD
//! `cudaGetLastError` gives the last error since it was asked before. Before ROCm 7.0 `hipGetLastError` gave the result of the last
//! call, whatever that was: a `hipDeviceSynchronize` or `hipFree` that succeeds in between wipes out the error of the launch, and
//! the program goes on with results that no kernel computed.
//!
//! ## Example
//! ```cuda
//! scale<<<blocks, 256>>>(x);
//! cudaDeviceSynchronize();
//! check(cudaGetLastError());   // success, even if the launch failed
//! ```
//!
//! ## When to ignore
//! When the program runs with ROCm 7.0 or later; `--rocm 7.0` says so to this tool. Only the first place of a file is reported.
//!
//! ## Source
//! HIP 7.0 changes: `hipGetLastError` returns the last error, `hipExtGetLastError` what it returned before.

use crate::rules::prelude::*;

/// Reports the first such check of a file.
pub static RULE: Rule = Rule {
    code: "CASS609",
    severity: Severity::Warning,
    fix: None,
    priority: 50,
    facts: &[],
    checks: &[Check::Source(check)],
};

const CHECKS: &[&str] = &["cudaGetLastError", "cudaPeekAtLastError"];

/// The release in which HIP took CUDA's meaning.
const FIXED: Version = Version::new(7, 0);

fn check(cx: &mut Context<'_, '_>) {
    if cx.options().rocm >= FIXED {
        return;
    }
    let doc = cx.doc;
    let late = doc
        .all_of(CHECKS)
        .into_iter()
        .filter(|&at| !doc.tokens[at].has(flags::DIRECTIVE))
        .find_map(|at| Some((at, call_between(cx, at)?)));
    let Some((at, between)) = late else { return };
    let message = format!(
        "before ROCm 7.0 `{}` resets the last error, so the launch error is lost here",
        cx.text(between)
    );
    let finding = RULE.finding(cx.range(at), message).help(
        "call hipGetLastError right after the launch as well; only the first such place of a file is reported",
    );
    cx.report(finding);
}

fn is_check(doc: &Document<'_>, at: TokenIndex) -> bool {
    CHECKS.iter().any(|name| doc.is(at, name))
}

/// The call of the runtime between the nearest launch above, in the same block, and the check; `None` when there is no such
/// launch, or when its error was asked for in between.
fn call_between(cx: &Context<'_, '_>, check: TokenIndex) -> Option<TokenIndex> {
    let doc = cx.doc;
    let (mut at, mut found) = (check, None);
    loop {
        at = doc.prev(at)?;
        match doc.bytes(at) {
            // A call in a branch or loop may not run.
            b"}" => at = doc.matching_bracket(at)?,
            b"{" => return None,
            _ if is_check(doc, at) => return None,
            _ if doc.tokens[at].has(flags::DIRECTIVE) => {}
            _ if is_launch(cx, at) => return found,
            word if doc.is_ident(at)
                && word.starts_with(b"cuda")
                && cx.table().get(word).is_some()
                && doc.call(at).is_some_and(|call| call.close < check) =>
            {
                found = found.or(Some(at));
            }
            _ => {}
        }
    }
}

/// Whether a launch ends at this token.
fn is_launch(cx: &Context<'_, '_>, at: TokenIndex) -> bool {
    let ends =
        |site: &LaunchSite| site.parens.is_some_and(|(_, close)| close == at) && !site.in_macro;
    // The list of all launches is asked only where one may well end.
    let open = cx.doc.matching_bracket(at).filter(|_| cx.doc.is(at, ")"));
    open.is_some_and(|open| cx.doc.prev_is(open, ">")) && cx.doc.launches.iter().any(ends)
}
