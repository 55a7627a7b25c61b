//! Lane masks as far as the tokens of one file show them: shared by the rules of warps and atomics.

use crate::cpp::declarations;
use crate::text::TextRange;
use std::ops::Range;

use crate::analysis::unit::Unit;
use crate::cpp::declarations::is_statement_word;
use crate::options::WarpMode;
use crate::syntax::{Call, DirectiveKind, Document, Include, Space, TokenIndex, Vendor, flags};
use crate::text::number::integer;

/// The mask of all 32 lanes of a warp of CUDA.
const ALL_LANES: u64 = 0xffff_ffff;

/// What an argument is known to be as a lane mask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mask {
    /// All lanes, or the lanes that are active here: the call means the same without it.
    Whole,
    /// What the caller of a function gives: where lanes part is to be seen there.
    Callers,
    /// Some lanes, or not known.
    Other,
}

/// What the tokens of a mask argument say.
pub fn mask(cx: &Unit<'_, '_>, tokens: Range<TokenIndex>) -> Mask {
    if is_whole(cx, tokens.clone(), 0) {
        Mask::Whole
    } else if is_parameter(cx.doc, without_casts(cx.doc, tokens)) {
        Mask::Callers
    } else {
        Mask::Other
    }
}

/// Whether the tokens are the name of a parameter that the function around them passes on as it is.
fn is_parameter(doc: &Document<'_>, tokens: Range<TokenIndex>) -> bool {
    let Some(function) = doc
        .scopes()
        .enclosing(tokens.start)
        .filter(|_| tokens.len() == 1)
    else {
        return false;
    };
    let name = doc.bytes(tokens.start);
    let mut head = doc.occurrences(name, function.head.clone());
    let is_set = || {
        values_in(doc, name, function.body.clone(), Some(tokens.start))
            .iter()
            .any(|_| true)
    };
    doc.is_ident(tokens.start)
        && function.space == Space::Device
        && head.any(|at| is_declared_here(doc, at))
        && !is_set()
}

fn is_whole(cx: &Unit<'_, '_>, tokens: Range<TokenIndex>, depth: usize) -> bool {
    let tokens = without_casts(cx.doc, tokens);
    let texts: Vec<&[u8]> = tokens.clone().map(|at| cx.doc.bytes(at)).collect();
    match texts[..] {
        [b"~", zero] | [b"~", b"(", zero, b")"] => integer(zero) == Some(0),
        [b"-", one] => integer(one) == Some(1),
        [b"UINT_MAX" | b"UINT32_MAX" | b"ULONG_MAX" | b"UINT64_MAX"] => true,
        [b"__activemask", b"(", b")"] => true,
        [b"__ballot_sync", b"(", ..] => cx.doc.partner(tokens.start + 1) == Some(tokens.end - 1),
        [b"0", b"-", one] => integer(one) == Some(1),
        [one] if cx.doc.is_ident(tokens.start) => is_whole_name(cx, one, tokens.start, depth),
        [one] => integer(one).is_some_and(|value| value & ALL_LANES == ALL_LANES),
        _ => false,
    }
}

/// A macro, constant or variable all of whose values in sight are whole masks.
fn is_whole_name(cx: &Unit<'_, '_>, name: &[u8], at: TokenIndex, depth: usize) -> bool {
    // Three steps follow `mask` to `FULL_MASK` to `(unsigned)~0`; deeper chains were not seen.
    if depth > 3 {
        return false;
    }
    let values = values_of(cx.doc, name, at);
    if values.is_empty() {
        return cx
            .constant(name)
            .or_else(|| cx.project.constant(name))
            .is_some_and(|value| value & ALL_LANES == ALL_LANES);
    }
    values
        .into_iter()
        .all(|value| value.is_some_and(|tokens| is_whole(cx, tokens, depth + 1)))
}

/// What a name is set to: in the function around `at` if it is set there, else anywhere in the file. `None` for a value that
/// cannot be read off, such as that of a parameter or of `name &= …`.
fn values_of(doc: &Document<'_>, name: &[u8], at: TokenIndex) -> Vec<Option<Range<TokenIndex>>> {
    let inner = doc
        .scopes()
        .enclosing(at)
        .filter(|_| !doc.tokens[at].has(flags::DIRECTIVE))
        .map(|function| function.head.start..function.body.end);
    if let Some(inner) = inner {
        let found = values_in(doc, name, inner, Some(at));
        if !found.is_empty() {
            return found;
        }
    }
    let mut found = values_in(doc, name, 0..doc.tokens.len(), None);
    for define in doc
        .directives
        .iter()
        .filter(|directive| directive.kind == DirectiveKind::Define)
    {
        let mut operands = define.operands();
        if operands.next().is_some_and(|at| doc.bytes(at) == name) {
            let first = operands.next();
            found.push(first.map(|first| first..define.tokens.end));
        }
    }
    found
}

fn values_in(
    doc: &Document<'_>,
    name: &[u8],
    tokens: Range<TokenIndex>,
    seen_from: Option<TokenIndex>,
) -> Vec<Option<Range<TokenIndex>>> {
    let mut found = Vec::new();
    let start = tokens.start;
    let changes = doc.noted_of("mask", name, |at| {
        !doc.tokens[at].has(flags::DIRECTIVE) && may_change(doc, at)
    });
    let first = changes.partition_point(|&at| at < tokens.start);
    let inside = changes[first..].iter().copied();
    for at in inside.take_while(|&at| at < tokens.end) {
        if seen_from.is_some_and(|user| is_another(doc, start, at, user)) {
            continue;
        }
        let Some(next) = doc.next(at) else { continue };
        match doc.bytes(next) {
            b"=" => found.push(Some(next + 1..end_of_value(doc, next + 1))),
            b"{" => found.push(doc.partner(next).map(|close| next + 1..close)),
            b"&=" | b"|=" | b"^=" | b"+=" | b"-=" | b"++" | b"--" | b"*=" | b"/=" | b"%=" => {
                found.push(None);
            }
            b"<" | b">" if doc.is(next + 1, "<=") || doc.is(next + 1, ">=") => found.push(None),
            b"," | b")" if is_declared_here(doc, at) => found.push(None),
            _ if doc.prev_is(at, "&") && takes_address(doc, at) => found.push(None),
            _ => {}
        }
    }
    found
}

/// Whether something stands around a name that could give it a value: most uses of a mask only read it.
fn may_change(doc: &Document<'_>, at: TokenIndex) -> bool {
    let writes = doc.next(at).is_some_and(|next| {
        let text = doc.bytes(next);
        matches!(text, b"{" | b"++" | b"--" | b"<" | b">")
            || text.ends_with(b"=") && !matches!(text, b"==" | b"!=" | b"<=" | b">=")
            || matches!(text, b"," | b")") && is_declared_here(doc, at)
    });
    writes || doc.prev_is(at, "&")
}

/// Whether the name at `at` is declared behind `user` or in a block that does not hold it: a variable of the same name, not the same one.
fn is_another(doc: &Document<'_>, start: TokenIndex, at: TokenIndex, user: TokenIndex) -> bool {
    let declares = doc
        .prev(at)
        .is_some_and(|prev| doc.is_ident(prev) && !is_statement_word(doc.bytes(prev)));
    let block = doc
        .braces_around(at)
        .next()
        .filter(|&open| start <= open)
        .and_then(|open| doc.partner(open));
    declares && (at > user || block.is_some_and(|close| user > close))
}

/// `f(…, &name …`: somebody else may set it.
fn takes_address(doc: &Document<'_>, at: TokenIndex) -> bool {
    doc.prev(at)
        .and_then(|amp| doc.prev(amp))
        .is_some_and(|before| matches!(doc.bytes(before), b"(" | b"," | b"="))
}

fn is_declared_here(doc: &Document<'_>, at: TokenIndex) -> bool {
    doc.prev(at).is_some_and(|prev| {
        let word = doc.bytes(prev);
        (doc.is_ident(prev) && !is_statement_word(word)) || word == b"&"
    }) && doc
        .scopes()
        .enclosing(at)
        .is_some_and(|function| at < function.body.start)
}

fn end_of_value(doc: &Document<'_>, start: TokenIndex) -> TokenIndex {
    let mut at = start;
    while at < doc.tokens.len() {
        match doc.bytes(at) {
            b";" | b"," | b")" | b"}" => return at,
            b"(" | b"[" | b"{" => at = doc.partner(at).map_or(at, |close| close),
            _ => {}
        }
        at += 1;
    }
    at
}

/// The expression inside casts and parentheses: `(unsigned)(0xffffffff)`, `static_cast<unsigned>(-1)`, `unsigned(-1)`.
pub fn without_casts(doc: &Document<'_>, tokens: Range<TokenIndex>) -> Range<TokenIndex> {
    let mut tokens = tokens;
    while tokens.len() >= 3 {
        let last = tokens.end - 1;
        let close = doc.partner(tokens.start);
        if doc.is(tokens.start, "(") && close == Some(last) {
            tokens = tokens.start + 1..last;
        } else if doc.is(tokens.start, "(")
            && let Some(close) = close
            && close < last
            && are_type_words(doc, tokens.start + 1..close)
        {
            tokens = close + 1..tokens.end;
        } else if (doc.is(tokens.start, "static_cast") || is_type_word(doc, tokens.start))
            && doc.is(last, ")")
            && let Some(open) = doc.partner(last)
            && open > tokens.start
            && (tokens.start + 1..open)
                .all(|at| is_type_word(doc, at) || doc.is(at, "<") || doc.is(at, ">"))
        {
            tokens = open + 1..last;
        } else {
            break;
        }
    }
    tokens
}

fn are_type_words(doc: &Document<'_>, mut tokens: Range<TokenIndex>) -> bool {
    !tokens.is_empty() && tokens.all(|at| is_type_word(doc, at))
}

fn is_type_word(doc: &Document<'_>, at: TokenIndex) -> bool {
    matches!(
        doc.bytes(at),
        b"unsigned"
            | b"int"
            | b"long"
            | b"uint"
            | b"uint32_t"
            | b"uint64_t"
            | b"size_t"
            | b"signed"
            | b"int32_t"
            | b"u32"
            | b"uint32"
            | b"short"
    )
}

/// Whether evaluating the tokens does nothing but give a value, as far as they show.
pub fn is_pure(doc: &Document<'_>, tokens: Range<TokenIndex>) -> bool {
    let acts = |at: TokenIndex| {
        matches!(
            doc.bytes(at),
            b"++" | b"--" | b"=" | b"+=" | b"-=" | b"|=" | b"&=" | b"^=" | b"*=" | b"{"
        )
    };
    let calls =
        |at: TokenIndex| doc.is_ident(at) && doc.next_is(at, "(") && !doc.is(at, "__activemask");
    !tokens.into_iter().any(|at| acts(at) || calls(at))
}

/// Whether a comment stands between two offsets.
pub fn holds_comment(doc: &Document<'_>, from: u32, to: u32) -> bool {
    let next = doc.comments.partition_point(|comment| comment.start < from);
    doc.comments
        .get(next)
        .is_some_and(|comment| comment.start < to)
}

/// Whether the file is written for HIP already: an old form without width then means HIP's.
pub fn is_hip_source(doc: &Document<'_>) -> bool {
    is_in_hip_folder(&doc.source.path)
        || doc.includes.iter().any(|include| {
            doc.source.slice(include.path).starts_with(b"hip/")
                && doc.vendor_at(include.directive.start) == Vendor::Any
        })
}

/// A folder that projects keep beside one for CUDA: `targets/hip/`.
fn is_in_hip_folder(path: &str) -> bool {
    let folders = path.rsplit_once('/').map_or("", |(folders, _)| folders);
    let is_hip = |name: &str| {
        ["hip", "rocm", "amd", "amdgpu"]
            .iter()
            .any(|known| name.eq_ignore_ascii_case(known))
    };
    folders.split('/').any(is_hip)
}

/// Whether the file exchanges values between lanes in code for AMD alone, which there means the whole wavefront.
pub fn has_wavefront_twin(cx: &Unit<'_, '_>) -> bool {
    struct HasTwin(bool);
    let found = cx.doc.fact(|doc| {
        let exchanges = doc.all_that(crate::cpp::lanes::is_exchange);
        let for_amd = |at: &TokenIndex| doc.vendor_at(doc.tokens[*at].start) == Vendor::Hip;
        HasTwin(exchanges.iter().any(for_amd))
    });
    found.0
}

/// Whether old forms of votes and shuffles mean HIP's: the file is written for HIP, or for both vendors where a person wants
/// the whole wavefront, so that an earlier run may have written them.
pub fn means_wavefront(cx: &Unit<'_, '_>) -> bool {
    let for_both = |include: &Include| {
        cx.doc.source.slice(include.path).starts_with(b"hip/")
            && cx.doc.vendor_at(include.directive.start) == Vendor::Hip
    };
    is_hip_source(cx.doc)
        || cx.own.says_64()
        || cx.options().warp == WarpMode::Native && cx.doc.includes.iter().any(for_both)
}

/// Whether the identifier is in a directive but not in the body of a macro: `#ifdef __shfl_sync`.
pub fn is_tested(doc: &Document<'_>, at: TokenIndex) -> bool {
    doc.tokens[at].has(flags::DIRECTIVE) && !doc.tokens[at].has(flags::MACRO_BODY)
}

/// The call at a name whose arguments can be trusted.
pub fn trusted_call(doc: &Document<'_>, at: TokenIndex) -> Option<Call> {
    doc.call(at).filter(|call| {
        !call.split_by_directive
            && call.arguments.iter().all(|tokens| {
                !tokens.is_empty()
                    && tokens
                        .clone()
                        .all(|at| !matches!(doc.bytes(at), b"..." | b"__VA_ARGS__"))
            })
    })
}

/// Whether the file speaks of 16-bit brain floats.
pub fn mentions_bfloat16(doc: &Document<'_>) -> bool {
    let name = |path: &[u8]| memchr::memmem::find(path, b"bf16").is_some();
    doc.includes
        .iter()
        .any(|include| name(doc.source.slice(include.path)))
        || doc.has_word(|word| memchr::memmem::find(word, b"bfloat16").is_some())
}

/// The call at a shuffle with mask whose mask argument can be taken out: three or four arguments, a mask without side effects or
/// comments, a value of a type that HIP shuffles.
pub(crate) fn droppable(cx: &Unit<'_, '_>, index: TokenIndex) -> Option<Call> {
    let call = trusted_call(cx.doc, index).filter(|_| !cx.is_torch())?;
    let fits = (3..=4).contains(&call.arguments.len())
        && is_pure(cx.doc, call.arguments[0].clone())
        && !needs_helper(cx, &call);
    let gone = fits.then(|| mask_and_comma(cx, &call))?;
    (!holds_comment(cx.doc, gone.start, gone.end)).then_some(call)
}

/// Whether the shuffle at `index` loses its mask, so that what stands in the mask needs no translation.
pub fn drops_mask(cx: &Unit<'_, '_>, index: TokenIndex) -> bool {
    matches!(
        cx.doc.bytes(index),
        b"__shfl_sync" | b"__shfl_up_sync" | b"__shfl_down_sync" | b"__shfl_xor_sync"
    ) && !cx.is_own(cx.doc.bytes(index))
        && droppable(cx, index).is_some()
}

pub(crate) fn mask_and_comma(cx: &Unit<'_, '_>, call: &Call) -> TextRange {
    let start = cx.range(call.arguments[0].start).start;
    TextRange::new(start, cx.range(call.arguments[1].start).start)
}

pub(crate) fn needs_helper(cx: &Unit<'_, '_>, call: &Call) -> bool {
    let value = without_casts(cx.doc, call.arguments[1].clone());
    declarations::of_value(cx.doc, value).is_some_and(|found| {
        // A template in a file about bfloat16 is there to be used with it.
        found.is_any(PIECES)
            || (declarations::is_template_parameter(cx.doc, &found) && mentions_bfloat16(cx.doc))
    })
}

/// Types that CUDA shuffles and HIP 6.4 does not, when the declaration is in sight.
pub(crate) const PIECES: &[&str] = &[
    "__nv_bfloat16",
    "nv_bfloat16",
    "__nv_bfloat162",
    "nv_bfloat162",
    "__hip_bfloat16",
    "__hip_bfloat162",
    "bfloat16",
    "float2",
    "float3",
    "float4",
    "double2",
    "int2",
    "int4",
    "uint2",
    "uint4",
];
