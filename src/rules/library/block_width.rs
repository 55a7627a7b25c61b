//! A CUB block load or store by transposing warps, for a block that is no multiple of the wavefront.
//!
//! ## Why on AMD
//! `BLOCK_LOAD_WARP_TRANSPOSE` lets each warp move its own part of the tile, so the number of threads has to be a multiple of the
//! warp. hipCUB means the wavefront, 64 threads on gfx90a and gfx942, and a block of 32 or 96 threads does not compile there.
//! `BLOCK_LOAD_TRANSPOSE` takes any number, gives the same arrangement, and lets the whole block move the tile.
//!
//! ## Example
//! ```cuda
//! typedef cub::BlockLoad<int, 32, 4, cub::BLOCK_LOAD_WARP_TRANSPOSE> Load;
//! ```
//! becomes
//! ```hip
//! typedef hipcub::BlockLoad<int, 32, 4, hipcub::BLOCK_LOAD_TRANSPOSE> Load;
//! ```
//!
//! ## When to ignore
//! When the program is built for chips with wavefronts of 32 lanes only; `--target gfx1100` says so to this tool.
//!
//! ## Source
//! `rocprim/block/block_load.hpp` of ROCm 6.4: "BlockSize must be a multiple of hardware warpsize".

use std::ops::Range;

use crate::cpp::calls::template_arguments;
use crate::cpp::template_parameters::head_of_template;
use crate::mapping::chip;
use crate::rules::prelude::*;

/// Takes the transposition by blocks where the size does not divide.
pub static RULE: Rule = Rule {
    code: "CASS514",
    severity: Severity::Warning,
    fix: Some(Applicability::Review),
    priority: 50,
    facts: &[Fact::PutsNames],
    checks: &[Check::Idents(
        &[
            "BLOCK_LOAD_WARP_TRANSPOSE",
            "BLOCK_STORE_WARP_TRANSPOSE",
            "BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED",
            "BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED",
        ],
        check,
    )],
};

/// Lanes of the wavefronts of the chips that this is about.
const LANES: u64 = 64;

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    // A macro of the file's says what AMD takes for it.
    if cx.is_own(cx.doc.bytes(index)) {
        return;
    }
    let Some(threads) = load_or_store_around(cx.doc, index).and_then(|list| list.get(1).cloned())
    else {
        return;
    };
    let Some(size) = sizes(cx, threads, 0)
        .into_iter()
        .find(|size| size % LANES != 0)
    else {
        return;
    };
    let message =
        format!("a block of {size} threads is not a multiple of the wavefront size {LANES}");
    let finding = RULE
        .finding(cx.range(index), message)
        .help("use `BLOCK_LOAD_TRANSPOSE` or `BLOCK_STORE_TRANSPOSE`, which take any block size")
        .fix(Fix::review(vec![Edit::replace(
            cx.range(index),
            by_block(&cx.text(index)),
        )]))
        .targets(chip::with_wave64());
    cx.report(finding);
}

/// The algorithm that moves the tile as one block: `BLOCK_LOAD_TRANSPOSE`.
fn by_block(algorithm: &str) -> &'static str {
    if algorithm.starts_with("BLOCK_LOAD") {
        "BLOCK_LOAD_TRANSPOSE"
    } else {
        "BLOCK_STORE_TRANSPOSE"
    }
}

/// The template arguments of the load or store of a block among which a token stands.
fn load_or_store_around(doc: &Document<'_>, index: TokenIndex) -> Option<Vec<Range<TokenIndex>>> {
    // The list of a block primitive is shorter than 40 tokens.
    let before = (index.saturating_sub(40)..index).rev();
    let mut lists = before.filter_map(|name| Some((name, template_arguments(doc, name)?)));
    let (name, (list, _)) = lists.find(|(_, (_, close))| *close > index)?;
    // Policies of agents have the threads elsewhere: `AgentScanPolicy<512, 23, …>` is 512 threads with 23 items each.
    matches!(doc.bytes(name), b"BlockLoad" | b"BlockStore").then_some(list)
}

/// What a number of threads is, as far as the file shows: a number, a constant, or what the templates around it are given.
fn sizes(cx: &Context<'_, '_>, tokens: Range<TokenIndex>, depth: usize) -> Vec<u64> {
    let doc = cx.doc;
    if let Some(value) = cx.count(tokens.clone()) {
        return vec![value];
    }
    // The traits of a kernel, the function that launches it, and one that calls that: no more was seen.
    if depth > 4 {
        return Vec::new();
    }
    if tokens.len() == 3 && doc.is(tokens.start + 1, "/") {
        let divisors = sizes(cx, tokens.start + 2..tokens.end, depth + 1);
        let all = sizes(cx, tokens.start..tokens.start + 1, depth + 1);
        let quotient = |all: u64| divisors.iter().filter_map(move |by| all.checked_div(*by));
        return all.into_iter().flat_map(quotient).collect();
    }
    if tokens.len() != 1 {
        return Vec::new();
    }
    if let Some(value) = member_value(doc, tokens.start) {
        return sizes(cx, value, depth + 1);
    }
    let Some((template, position, default)) = parameter(doc, tokens.start) else {
        return Vec::new();
    };
    doc.occurrences(doc.bytes(template), 0..doc.tokens.len())
        .filter(|&at| at != template)
        .filter_map(|at| {
            let (list, _) = template_arguments(doc, at)?;
            list.get(position).cloned()
        })
        .chain(default)
        .flat_map(|argument| sizes(cx, argument, depth + 1))
        .collect()
}

/// What a constant of the class around is: `static constexpr int threads = Threads;`.
fn member_value(doc: &Document<'_>, name: TokenIndex) -> Option<Range<TokenIndex>> {
    let class = doc.braces_around(name).next()?;
    let is_member =
        |at: &TokenIndex| doc.next_is(*at, "=") && doc.braces_around(*at).next() == Some(class);
    let member = doc
        .occurrences(doc.bytes(name), class..name)
        .find(is_member)?;
    let start = member + 2;
    let end = (start..name).find(|&at| doc.is(at, ";"))?;
    Some(start..end)
}

/// The template of a function or a class that a name is a parameter of, its position among the parameters, and what it is where nobody
/// says.
fn parameter(
    doc: &Document<'_>,
    name: TokenIndex,
) -> Option<(TokenIndex, usize, Option<Range<TokenIndex>>)> {
    let (head, templated) = match doc.scopes().enclosing(name) {
        Some(function) => (function.head.clone(), function.name?),
        None => class_around(doc, name)?,
    };
    let template = head.clone().find(|&at| doc.is(at, "template"))?;
    let (list, _) = head_of_template(doc, template)?;
    let value = |tokens: &Range<TokenIndex>| tokens.clone().find(|&at| doc.is(at, "="));
    let position = list.iter().position(|tokens| {
        let end = value(tokens).unwrap_or(tokens.end);
        end > tokens.start && doc.bytes(end - 1) == doc.bytes(name)
    })?;
    let default = value(&list[position]).map(|sign| sign + 1..list[position].end);
    Some((templated, position, default))
}

/// What stands in front of the braces of the class around a token, and the name of the class.
fn class_around(doc: &Document<'_>, at: TokenIndex) -> Option<(Range<TokenIndex>, TokenIndex)> {
    let brace = doc.braces_around(at).next()?;
    let ends = |at: &TokenIndex| [";", "{", "}"].iter().any(|it| doc.is(*at, it));
    let before = (0..brace).rev().find(ends).map_or(0, |it| it + 1);
    let is_key = |at: &TokenIndex| doc.next_is(*at, "{") || doc.next_is(*at, ":");
    let name = (before..brace).find(|at| doc.is_ident(*at) && is_key(at))?;
    Some((before..brace, name))
}
