//! Every lane of a warp stores its own value to one address, behind a tree of `__shfl_down`.
//!
//! ## Why on AMD
//! After the tree lane 0 alone has the whole sum; the others have parts of it. Where all lanes store to the same address, one of them
//! wins, and neither CUDA nor HIP says which: on NVIDIA it is mostly lane 0, on AMD another one, so that a partial sum stays in memory.
//!
//! ## Example
//! ```cuda
//! for (int d = 16; d > 0; d /= 2)
//!     sum += __shfl_down_sync(0xffffffff, sum, d);
//! y[row] = sum;
//! ```
//! To be written as
//! ```hip
//! if (lane == 0)
//!     y[row] = sum;
//! ```
//!
//! ## When to ignore
//! When the address differs from lane to lane after all, or a macro or a caller lets one lane through.
//!
//! ## Source
//! CUDA C++ Programming Guide, SIMT architecture ("which thread performs the final write is undefined").

use std::ops::Range;

use crate::cpp::lanes::{names_lane, speaks_of_lanes};
use crate::rules::prelude::*;
use crate::syntax::FunctionScope;

/// How many tokens behind a tree its result is stored at most.
const REACH: usize = 400;

/// Reports stores of a tree's result by all lanes.
pub static RULE: Rule = Rule {
    code: "CASS213",
    severity: Severity::Warning,
    fix: None,
    priority: 50,
    facts: &[],
    checks: &[Check::Idents(&["__shfl_down_sync", "__shfl_down"], check)],
};

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    let doc = cx.doc;
    if doc.tokens[index].has(flags::DIRECTIVE) {
        return;
    }
    let Some(function) = doc.scopes().enclosing(index) else {
        return;
    };
    let Some(sum) = accumulated(doc, index) else {
        return;
    };
    let mut trees = vec![(function, index, doc.bytes(sum))];
    // The tree may be a function of its own, whose callers store the result.
    trees.extend(callers(doc, function, sum));
    for (function, behind, sum) in trees {
        let stores = stores(doc, function, behind, sum);
        for store in stores {
            cx.report(
                RULE.finding(
                    doc.range(store.place.start, store.place.end - 1),
                    "each lane stores its own part of the sum here, and one of them wins",
                )
                .help("let lane 0 store, which has the whole: `if (threadIdx.x % 32 == 0)`"),
            );
        }
    }
}

/// `sum` of `sum += __shfl_down(sum, …)`, `sum = max(sum, __shfl_down(sum, …))`: the variable that the exchange at `index` adds to itself.
fn accumulated(doc: &Document<'_>, index: TokenIndex) -> Option<TokenIndex> {
    let before = std::iter::successors(doc.prev(index), |&at| doc.prev(at));
    let mut before = before.take_while(|&at| !matches!(doc.bytes(at), b";" | b"{" | b"}"));
    let sign = before.find(|&at| matches!(doc.bytes(at), b"=" | b"+="))?;
    let name = doc.prev(sign).filter(|&name| doc.is_ident(name))?;
    let is_alone = doc
        .prev(name)
        .is_some_and(|at| matches!(doc.bytes(at), b";" | b"{" | b"}" | b")"));
    let call = doc.call(index)?;
    let reads = doc
        .occurrences(doc.bytes(name), call.open..call.close)
        .next()
        .is_some();
    (is_alone && reads).then_some(name)
}

/// Where functions of this file keep what a function returns that ends with the tree: the caller, the call, the variable.
fn callers<'d, 's>(
    doc: &'d Document<'s>,
    tree: &FunctionScope,
    sum: TokenIndex,
) -> Vec<(&'d FunctionScope, TokenIndex, &'s [u8])> {
    // A tree alone is a small function.
    let Some(name) = tree.name.filter(|_| tree.body.len() <= REACH) else {
        return Vec::new();
    };
    let mut returned = doc.occurrences(b"return", tree.body.clone());
    let shares = tree.body.clone().any(|at| is_shared_with_all(doc, at));
    let has_one_result = returned.next_back().is_some_and(|at| {
        doc.next(at)
            .is_some_and(|value| doc.bytes(value) == doc.bytes(sum))
    });
    if !has_one_result || shares {
        return Vec::new();
    }
    let calls = doc.occurrences(doc.bytes(name), tree.body.end..doc.tokens.len());
    let kept = calls.filter_map(|call| {
        let sign = doc.prev(call).filter(|&sign| doc.is(sign, "="))?;
        let variable = doc.prev(sign).filter(|&variable| doc.is_ident(variable))?;
        Some((doc.scopes().enclosing(call)?, call, doc.bytes(variable)))
    });
    kept.collect()
}

/// Exchanges after which every lane has the sum.
fn is_shared_with_all(doc: &Document<'_>, at: TokenIndex) -> bool {
    matches!(
        doc.bytes(at),
        b"__shfl_sync" | b"__shfl" | b"__shfl_xor_sync" | b"__shfl_xor"
    )
}

/// A store of a variable.
struct Store {
    place: Range<TokenIndex>,
}

/// The stores of `sum` behind a place of a function that all lanes of a warp make to one address.
fn stores(
    doc: &Document<'_>,
    function: &FunctionScope,
    behind: TokenIndex,
    sum: &[u8],
) -> Vec<Store> {
    let rest = behind..function.body.end.min(behind + REACH);
    let changed = doc.occurrences(sum, behind + 1..rest.end).find(|&at| {
        doc.next_is(at, "=") && !doc.next(at).is_some_and(|sign| holds_tree(doc, sign))
    });
    let shared = rest.clone().find(|&at| is_shared_with_all(doc, at));
    let end = [changed, shared]
        .into_iter()
        .flatten()
        .fold(rest.end, usize::min);
    let signs = (behind..end).filter(|&at| doc.is(at, "=") && doc.is_before(at, "]"));
    let stores = signs.filter_map(|sign| {
        let open = doc.matching_bracket(doc.prev(sign)?)?;
        let array = doc.prev(open).filter(|&array| doc.is_ident(array))?;
        let starts = doc
            .prev(array)
            .is_some_and(|at| matches!(doc.bytes(at), b";" | b"{" | b"}" | b")"));
        let value = doc.next(sign)?;
        let stores_sum = doc.bytes(value) == sum && doc.next_is(value, ";");
        (starts && stores_sum).then_some((array, open + 1..sign - 1, sign))
    });
    let by_all = stores.filter(|(_, index, sign)| {
        !varies(doc, function, index.clone(), 0) && !is_for_some_lanes(doc, function, *sign)
    });
    by_all
        .map(|(array, _, sign)| Store { place: array..sign })
        .collect()
}

/// Whether the statement of an assignment is another step of the tree.
fn holds_tree(doc: &Document<'_>, sign: TokenIndex) -> bool {
    let tokens = std::iter::successors(doc.next(sign), |&at| doc.next(at));
    let mut tokens = tokens.take_while(|&at| !doc.is(at, ";"));
    tokens.any(|at| doc.bytes(at).starts_with(b"__shfl_down"))
}

/// Whether an expression differs between the lanes of a warp, as far as the assignments of the function tell.
fn varies(
    doc: &Document<'_>,
    function: &FunctionScope,
    tokens: Range<TokenIndex>,
    depth: u32,
) -> bool {
    let divides = |at: TokenIndex| {
        matches!(doc.bytes(at), b"/" | b">")
            && doc.next(at).is_some_and(|size| {
                matches!(doc.bytes(size), b"32" | b"5" | b"warpSize")
                    || speaks_of_lanes(doc.bytes(size))
            })
    };
    if tokens.clone().any(divides) {
        return false;
    }
    tokens.clone().any(|at| {
        let word = doc.bytes(at);
        match word {
            b"threadIdx" => doc
                .next(at)
                .and_then(|dot| doc.next(dot))
                .is_none_or(|axis| doc.is(axis, "x")),
            b"thread_rank" | b"__lane_id" => true,
            _ if !doc.is_ident(at) || doc.is_before(at, ".") => false,
            _ if names_lane(word) => true,
            _ => {
                depth < 5
                    && value_of(doc, function, at)
                        .is_some_and(|value| varies(doc, function, value, depth + 1))
            }
        }
    })
}

/// What a variable is set to first in a function: the tokens up to the end of the statement.
fn value_of(
    doc: &Document<'_>,
    function: &FunctionScope,
    name: TokenIndex,
) -> Option<Range<TokenIndex>> {
    let mut places = doc.occurrences(doc.bytes(name), function.body.clone());
    let set = places.find(|&at| doc.next_is(at, "=") && !doc.is_before(at, "."))?;
    let start = doc.next(doc.next(set)?)?;
    let end = (start..function.body.end).find(|&at| doc.is(at, ";"))?;
    (!(start..end).contains(&name)).then_some(start..end)
}

/// Whether a condition lets some lanes of a warp through to a place: around it, or one that others left at before.
fn is_for_some_lanes(doc: &Document<'_>, function: &FunctionScope, place: TokenIndex) -> bool {
    let mut ifs = doc.occurrences(
        b"if",
        function.body.start.max(place.saturating_sub(10 * REACH))..place,
    );
    ifs.any(|at| {
        let Some(open) = doc.next(at).filter(|&open| doc.is(open, "(")) else {
            return true;
        };
        let Some(close) = doc.matching_bracket(open) else {
            return true;
        };
        let body = close + 1;
        let end = match doc.next(close) {
            Some(brace) if doc.is(brace, "{") => doc.matching_bracket(brace),
            _ => (body..function.body.end).find(|&at| doc.is(at, ";")),
        };
        let body = body..end.unwrap_or(function.body.end) + 1;
        let leaves = || {
            let mut words = body.clone();
            words.any(|at| matches!(doc.bytes(at), b"return" | b"continue" | b"break"))
        };
        (body.contains(&place) || body.end <= place && leaves())
            && varies(doc, function, open + 1..close, 0)
    })
}
