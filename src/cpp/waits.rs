//! Loops that do nothing but wait for what another thread writes.

use std::cell::LazyCell;
use std::ops::Range;

use rustc_hash::FxHashSet;

use crate::cpp::lanes::{names_lane, names_size};
use crate::cpp::names::name_words;
use crate::syntax::{Document, FunctionScope, TokenIndex, TokenKind};
use crate::text::keywords::{is_jump, takes_condition};

/// A loop that reads memory until somebody changes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wait {
    /// `while`, `do` or `for`.
    pub at: TokenIndex,
    /// What is asked again and again.
    pub condition: Range<TokenIndex>,
    /// What is read in the body, for the condition to ask about.
    pub body: Range<TokenIndex>,
}

impl Wait {
    /// The tokens that are evaluated each time.
    pub(crate) fn tokens(&self) -> impl Iterator<Item = TokenIndex> + use<> {
        self.condition.clone().chain(self.body.clone())
    }
}

/// The atomic by which a loop takes a lock: one that writes the same value each time. One that writes what was read before it,
/// `atomicCAS(p, seen, f(seen))`, updates a value and needs no lock; `atomicOr(p, 0)` reads.
pub(crate) fn lock_taken(doc: &Document<'_>, wait: &Wait) -> Option<TokenIndex> {
    const TAKERS: [&[u8]; 3] = [b"atomicCAS", b"atomicExch", b"atomicOr"];
    let set: Vec<&[u8]> = wait
        .tokens()
        .filter(|&at| is_set(doc, at))
        .map(|at| doc.bytes(at))
        .collect();
    let is_fixed = |mut written: Range<TokenIndex>| {
        !written.any(|at| doc.is_ident(at) && set.contains(&doc.bytes(at)))
    };
    wait.tokens().find(|&at| {
        TAKERS.iter().any(|taker| doc.bytes(at).starts_with(taker))
            && written(doc, at).is_some_and(|written| {
                let reads = written.len() == 1 && doc.is(written.start, "0");
                is_fixed(written) && !(reads && doc.bytes(at).starts_with(b"atomicOr"))
            })
    })
}

/// The arguments of a call behind the first.
fn written(doc: &Document<'_>, call: TokenIndex) -> Option<Range<TokenIndex>> {
    let open = doc.next(call).filter(|&open| doc.is(open, "("))?;
    let close = doc.matching_bracket(open)?;
    let mut at = open + 1;
    while at < close && !doc.is(at, ",") {
        at = doc
            .matching_bracket(at)
            .filter(|&end| end > at)
            .unwrap_or(at)
            + 1;
    }
    (at < close).then_some(at + 1..close)
}

/// The waiting loops of a file, in order.
pub(crate) fn waits(doc: &Document<'_>) -> Vec<Wait> {
    let whiles = doc.all("while").filter_map(|at| of_while(doc, at));
    let fors = doc.all("for").filter_map(|at| of_for(doc, at));
    let mut found: Vec<Wait> = whiles.chain(fors).collect();
    found.sort_by_key(|wait| wait.at);
    found
}

/// `while (c) ;`, `do … while (c);`, `while (true) { if (c) break; }`.
fn of_while(doc: &Document<'_>, at: TokenIndex) -> Option<Wait> {
    let open = doc.next(at).filter(|&open| doc.is(open, "("))?;
    let close = doc.matching_bracket(open)?;
    let behind = doc.next(close)?;
    let condition = open + 1..close;
    if doc.is(behind, ";")
        && let Some(end) = doc.prev(at).filter(|&end| doc.is(end, "}"))
        && let Some(begin) = doc.matching_bracket(end)
        && doc.is_before(begin, "do")
    {
        return waiting(doc, begin - 1, condition, begin + 1..end);
    }
    let body = body_at(doc, behind)?;
    match condition.len() == 1 && matches!(doc.bytes(condition.start), b"true" | b"1") {
        true => waiting_for_break(doc, at, body),
        false => waiting(doc, at, condition, body),
    }
}

/// `for (; c;) ;`, also with a counter or a time that says nothing about what is waited for: `for (int ns = 8; c; ns *= 2)`.
fn of_for(doc: &Document<'_>, at: TokenIndex) -> Option<Wait> {
    let open = doc.next(at).filter(|&open| doc.is(open, "("))?;
    let close = doc.matching_bracket(open)?;
    let first = semicolon_within(doc, open + 1..close)?;
    let last = semicolon_within(doc, first + 1..close)?;
    let body = body_at(doc, doc.next(close)?)?;
    let wait = match first + 1 == last {
        true => waiting_for_break(doc, at, body),
        false => waiting(doc, at, first + 1..last, body),
    }?;
    let keeps_pace = |mut part: Range<TokenIndex>| {
        part.all(|at| is_pause(doc, at) || is_pace(doc, at, &wait.condition))
    };
    // What is read by a number that counts is another thing each time.
    let is_still = last + 1 == close || keeps_pace(wait.body.clone());
    let is_wait = is_still && keeps_pace(open + 1..first) && keeps_pace(last + 1..close);
    is_wait.then_some(wait)
}

/// The first `;` of a range that stands in no bracket of it.
fn semicolon_within(doc: &Document<'_>, tokens: Range<TokenIndex>) -> Option<TokenIndex> {
    let mut at = tokens.start;
    while at < tokens.end && !doc.is(at, ";") {
        let end = doc.matching_bracket(at).filter(|&end| end > at);
        at = end.unwrap_or(at) + 1;
    }
    (at < tokens.end).then_some(at)
}

/// The loop at `at`, if its body waits for its condition.
fn waiting(
    doc: &Document<'_>,
    at: TokenIndex,
    condition: Range<TokenIndex>,
    body: Range<TokenIndex>,
) -> Option<Wait> {
    is_waiting_body(doc, body.clone(), &condition).then_some(Wait {
        at,
        condition,
        body,
    })
}

/// The endless loop at `at`, if its body does no more than wait for the condition of its `break`.
fn waiting_for_break(doc: &Document<'_>, at: TokenIndex, body: Range<TokenIndex>) -> Option<Wait> {
    breaking(doc, body).map(|condition| Wait {
        at,
        body: condition.end..condition.end,
        condition,
    })
}

fn body_at(doc: &Document<'_>, first: TokenIndex) -> Option<Range<TokenIndex>> {
    match doc.bytes(first) {
        b";" => Some(first..first),
        b"{" => doc.matching_bracket(first).map(|close| first + 1..close),
        _ => {
            let most = (first + MOST_WITHOUT_BRACES).min(doc.tokens.len());
            semicolon_within(doc, first..most).map(|end| first..end)
        }
    }
}

/// How many tokens of a body without braces are looked at: whiles within whiles have theirs in common.
const MOST_WITHOUT_BRACES: usize = 32;

/// The condition of `if (c) break;` with nothing but pauses around it, and how long they are to be.
fn breaking(doc: &Document<'_>, body: Range<TokenIndex>) -> Option<Range<TokenIndex>> {
    let mut ifs = body.clone().filter(|&at| doc.is(at, "if"));
    let (at, condition, leave) = ifs.find_map(|at| {
        let open = doc.next(at).filter(|&open| doc.is(open, "("))?;
        let close = doc.matching_bracket(open)?;
        let mut leave = doc.next(close)?;
        if doc.is(leave, "{") {
            leave = doc.next(leave)?;
        }
        let leaves = doc.is(leave, "break");
        leaves.then_some((at, open + 1..close, leave))
    })?;
    let is_rest = (body.start..at)
        .chain(leave + 1..body.end)
        .all(|at| is_pause(doc, at) || is_pace(doc, at, &condition));
    is_rest.then_some(condition)
}

/// Whether a body only pauses, and reads the same place again: `v = *flag;`, or one lane by an atomic, `if (lane == 0) v = atomicOr(…);`,
/// which hands the value to the others: `v = __shfl_sync(mask, v, 0);`. One that moves on, `v = next[v];`, `v = p[i++];`, waits for nobody.
fn is_waiting_body(
    doc: &Document<'_>,
    body: Range<TokenIndex>,
    condition: &Range<TokenIndex>,
) -> bool {
    let all = || body.clone().chain(condition.clone());
    // Most loops compute, which their first statements tell: what takes all of a body is found for the few that are left.
    let set = LazyCell::new(|| {
        let changed = all().filter(|&at| is_set(doc, at) || is_stepped(doc, at));
        changed.map(|at| doc.bytes(at)).collect::<Vec<_>>()
    });
    let reads_set = |mut value: Range<TokenIndex>| {
        value.any(|at| doc.is_ident(at) && set.contains(&doc.bytes(at)))
    };
    let mut at = body.start;
    while at < body.end {
        if is_pause(doc, at) {
            at += 1;
            continue;
        }
        if let Some(end) = counter(doc, at).or_else(|| way_out(doc, at)) {
            at = end;
            continue;
        }
        // What the condition asks for is read again.
        let first = by_one_lane(doc, at).unwrap_or(at);
        let reads_again = is_set(doc, first) && names(doc, condition, first);
        let mut behind = first..if reads_again { body.end } else { first };
        let end = behind.find(|&end| doc.is(end, ";"));
        let reads_anew = |end: TokenIndex| match first == at {
            true => is_exchange(doc, at + 2) || !reads_set(at + 2..end),
            false => (first..end).any(|at| doc.bytes(at).starts_with(b"atomic")),
        };
        match end.filter(|&end| reads_anew(end)) {
            Some(end) => at = end,
            None if is_pace(doc, at, condition) => at += 1,
            None => return false,
        }
    }
    let of_condition = condition.clone().find(|&at| is_set(doc, at));
    let indices = LazyCell::new(|| index_names(doc, &body));
    let moves_on = |at: TokenIndex| moves_on(doc, at, &body, condition, &indices);
    !all().any(moves_on) && !of_condition.is_some_and(|at| reads_set(at + 2..condition.end))
}

/// The first token of the branch of `if (c) v = …;` or `if (c) { v = …; }`.
fn by_one_lane(doc: &Document<'_>, at: TokenIndex) -> Option<TokenIndex> {
    let open = doc
        .next(at)
        .filter(|&open| doc.is(at, "if") && doc.is(open, "("))?;
    let branch = doc.next(doc.matching_bracket(open)?)?;
    match doc.is(branch, "{") {
        true => doc.next(branch),
        false => Some(branch),
    }
}

/// Whether a value is what lanes of a warp tell each other.
fn is_exchange(doc: &Document<'_>, at: TokenIndex) -> bool {
    const EXCHANGES: [&[u8]; 4] = [b"__shfl", b"__any", b"__all", b"__ballot"];
    let begins = |word: &[u8]| EXCHANGES.iter().any(|start| word.starts_with(start));
    doc.tokens.get(at).is_some() && begins(doc.bytes(at))
}

/// Whether a variable is assigned at `at`.
fn is_set(doc: &Document<'_>, at: TokenIndex) -> bool {
    doc.is_ident(at) && doc.next_is(at, "=")
}

/// Whether a variable is counted, scaled or shifted at `at`.
fn is_stepped(doc: &Document<'_>, at: TokenIndex) -> bool {
    let counts = |at: TokenIndex| matches!(doc.bytes(at), b"++" | b"--");
    let changes = |at: TokenIndex| counts(at) || is_compound(doc, at);
    doc.is_ident(at) && (doc.next(at).is_some_and(changes) || doc.prev(at).is_some_and(counts))
}

/// Whether `+=`, `<<=` or one like it begins at a token.
fn is_compound(doc: &Document<'_>, at: TokenIndex) -> bool {
    match doc.bytes(at) {
        b"+=" | b"-=" | b"*=" | b"/=" | b"%=" | b"&=" | b"|=" | b"^=" => true,
        b"<" => doc.is(at + 1, "<="),
        b">" => doc.is(at + 1, ">="),
        _ => false,
    }
}

/// Whether one of the tokens reads as that at `at` does.
fn names(doc: &Document<'_>, tokens: &Range<TokenIndex>, at: TokenIndex) -> bool {
    tokens
        .clone()
        .any(|other| doc.bytes(other) == doc.bytes(at))
}

/// Whether what is waited for is another thing after `at`: `i++`, `p += n`. Tries that are counted beside the wait do not end it, unless
/// they are among `indices`, which say where the body reads: `v = p[i]; i++;`.
fn moves_on<'s>(
    doc: &Document<'s>,
    at: TokenIndex,
    body: &Range<TokenIndex>,
    condition: &Range<TokenIndex>,
    indices: &FxHashSet<&'s [u8]>,
) -> bool {
    let is_of_condition =
        |at: Option<TokenIndex>| at.is_some_and(|at| doc.is_ident(at) && names(doc, condition, at));
    let changes = matches!(doc.bytes(at), b"++" | b"--") || is_compound(doc, at);
    let is_index = || {
        let around = [doc.prev(at), doc.next(at)];
        let changed = around.into_iter().flatten().find(|&at| doc.is_ident(at));
        changed.is_some_and(|changed| indices.contains(doc.bytes(changed)))
    };
    let is_counter = || {
        body.contains(&at)
            && stands_for_itself(doc, at)
            && !doc.is(at - 1, "]")
            && !is_of_condition(doc.prev(at))
            && !is_of_condition(doc.next(at))
            && !is_index()
    };
    changes && !is_counter()
}

/// The names between `[` and `]` of a body.
fn index_names<'s>(doc: &Document<'s>, body: &Range<TokenIndex>) -> FxHashSet<&'s [u8]> {
    let (mut found, mut depth) = (FxHashSet::default(), 0_usize);
    for at in body.clone() {
        match doc.bytes(at) {
            b"[" => depth += 1,
            b"]" => depth = depth.saturating_sub(1),
            name if depth > 0 && doc.is_ident(at) => drop(found.insert(name)),
            _ => {}
        }
    }
    found
}

/// Whether what an operator changes is all of an operand: `tries` in `++tries > 9`, not `i` in `p[i++]` or `p` in `*p++`.
fn stands_for_itself(doc: &Document<'_>, operator: TokenIndex) -> bool {
    let is_step = matches!(doc.bytes(operator), b"++" | b"--");
    let is_prefix = is_step && doc.next(operator).is_some_and(|next| doc.is_ident(next));
    let first = match is_prefix {
        true => Some(operator),
        false => doc.prev(operator),
    };
    let mut before = first.and_then(|first| doc.prev(first));
    // `*failed += 1` changes what the pointer points to.
    while !is_step && before.is_some_and(|at| doc.is(at, "*")) {
        before = before.and_then(|at| doc.prev(at));
    }
    before.is_none_or(|at| matches!(doc.bytes(at), b";" | b"{" | b"}" | b"(" | b")"))
}

/// The end of `++tries;`, `tries += 2;`.
fn counter(doc: &Document<'_>, at: TokenIndex) -> Option<TokenIndex> {
    let signs: [&[u8]; 4] = [b"++", b"--", b"+=", b"-="];
    let is_sign = |at: TokenIndex| signs.contains(&doc.bytes(at));
    let counts = is_sign(at) && doc.is_ident(at + 1) || doc.is_ident(at) && is_sign(at + 1);
    (at..(at + 4).min(doc.tokens.len())).find(|&end| counts && doc.is(end, ";"))
}

/// The end of `if (tries > limit) { … }` whose branch leaves the loop or pauses: what a wait does that may give up.
fn way_out(doc: &Document<'_>, at: TokenIndex) -> Option<TokenIndex> {
    let open = doc
        .next(at)
        .filter(|&open| doc.is(at, "if") && doc.is(open, "("))?;
    let first = doc.next(doc.matching_bracket(open)?)?;
    let end = match doc.is(first, "{") {
        true => doc.matching_bracket(first)?,
        false => (first..doc.tokens.len()).find(|&end| doc.is(end, ";"))?,
    };
    let leaves =
        |at: TokenIndex| is_jump(doc.bytes(at)) && !doc.is(at, "continue") || doc.is(at, "__trap");
    let sets = |at: TokenIndex| doc.is(at, "=") || doc.is(at, "while") || doc.is(at, "for");
    let pauses = (first..end).all(|at| is_pause(doc, at) || doc.is(at, "{"));
    ((first..end).any(leaves) && !(first..end).any(sets) || pauses).then_some(end + 1)
}

/// Whether a token may be of code that says how long a pause is to be, or that passes time: arithmetic of variables that the condition does
/// not ask for, clocks, `if`s and loops of these. It reads and writes no memory.
fn is_pace(doc: &Document<'_>, at: TokenIndex, condition: &Range<TokenIndex>) -> bool {
    const CALLED: &[&str] = &[
        "min",
        "max",
        "umin",
        "umax",
        "clock",
        "clock64",
        "wall_clock64",
    ];
    let token = doc.tokens[at];
    if token.kind == TokenKind::Number {
        return true;
    }
    if doc.is_ident(at) {
        let is_changed = is_set(doc, at) || is_stepped(doc, at);
        let is_alone = doc.next_is(at, ";")
            && doc
                .prev(at)
                .is_some_and(|before| matches!(doc.bytes(before), b";" | b"{" | b"}"));
        let is_called = doc.next_is(at, "(") && !takes_condition(doc.bytes(at));
        let is_harmless = !is_called || CALLED.iter().any(|name| doc.is(at, name));
        let moves_on = is_changed && names(doc, condition, at);
        let stops = is_jump(doc.bytes(at)) || is_alone || moves_on;
        return is_pause(doc, at) || !stops && is_harmless;
    }
    match doc.bytes(at) {
        b"*" | b"&" => is_between_operands(doc, at),
        sign => is_arithmetic(sign),
    }
}

/// Whether a sign between two values is no unary one: `a * b`, `(a) * b`, not `*p`, `if (c) *p`.
fn is_between_operands(doc: &Document<'_>, at: TokenIndex) -> bool {
    let Some(before) = doc.prev(at) else {
        return false;
    };
    let heads = |close: TokenIndex| {
        let word = doc.matching_bracket(close).and_then(|open| doc.prev(open));
        word.is_some_and(|word| takes_condition(doc.bytes(word)))
    };
    doc.tokens[before].kind == TokenKind::Number
        || doc.is_ident(before) && !doc.is(before, "else") && !doc.is(before, "do")
        || doc.is(before, ")") && !heads(before)
}

/// Signs that make a value of values, or put it into a variable, and brackets of statements.
fn is_arithmetic(sign: &[u8]) -> bool {
    let ends = matches!(
        sign,
        b";" | b"," | b"(" | b")" | b"{" | b"}" | b"?" | b":" | b"::"
    );
    let is_of = |all: &[u8]| sign.iter().all(|byte| all.contains(byte));
    ends || sign != b"->" && is_of(b"+-*/%<>=!&|^~")
}

fn is_pause(doc: &Document<'_>, at: TokenIndex) -> bool {
    matches!(
        doc.bytes(at),
        b";" | b"("
            | b")"
            | b"}"
            | b"__nanosleep"
            | b"cass_nanosleep"
            | b"cass_syncwarp"
            | b"__builtin_amdgcn_s_sleep"
            | b"__threadfence"
            | b"__threadfence_block"
            | b"__threadfence_system"
            | b"__syncwarp"
            | b"continue"
    ) || doc.tokens[at].kind == TokenKind::Number
}

/// Among whom one thread waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Alone {
    /// The threads of a warp of 32 lanes: there are two such in a wavefront of CDNA.
    InWarp,
    /// The threads of a block.
    InBlock,
}

/// Whether an `if` around the loop lets one thread in, and among whom: it compares what threads have of their own, or asks for a leader.
pub(crate) fn run_alone(doc: &Document<'_>, while_at: TokenIndex) -> Option<Alone> {
    let function = doc.scopes().enclosing(while_at)?;
    let ifs = (function.body.start..while_at).filter(|&at| doc.is(at, "if"));
    ifs.filter_map(|at| {
        let open = doc.next(at)?;
        let close = doc.matching_bracket(open)?;
        let condition = open + 1..close;
        let is_alone =
            controls(doc, close, while_at) && picks_one(doc, function, condition.clone());
        is_alone.then(|| match counts_in_warps(doc, condition) {
            true => Alone::InWarp,
            false => Alone::InBlock,
        })
    })
    .max()
}

/// Whether an `if` around the loop lets one thread in.
pub(crate) fn is_run_by_one_thread(doc: &Document<'_>, while_at: TokenIndex) -> bool {
    run_alone(doc, while_at).is_some()
}

/// Whether a condition asks for a lane: by its name, or by `% 32`, `& 31`, `% WARP_SIZE`.
fn counts_in_warps(doc: &Document<'_>, mut condition: Range<TokenIndex>) -> bool {
    let is_size = |at: TokenIndex| {
        matches!(doc.bytes(at), b"32" | b"31" | b"warpSize") || names_size(doc.bytes(at))
    };
    let is_part = |at: TokenIndex| {
        let behind = doc.next(at).filter(|&next| doc.is(next, "("));
        behind
            .or(Some(at))
            .and_then(|at| doc.next(at))
            .is_some_and(is_size)
    };
    condition.any(|at| match doc.bytes(at) {
        b"%" | b"&" => is_part(at),
        word => doc.is_ident(at) && names_lane(word),
    })
}

/// Whether the statement behind the condition's `)` holds the loop.
fn controls(doc: &Document<'_>, close: TokenIndex, while_at: TokenIndex) -> bool {
    doc.next(close).is_some_and(|body| {
        body == while_at
            || (doc.is(body, "{") && doc.matching_bracket(body).is_some_and(|end| end > while_at))
    })
}

/// What names call the one thread that does it, or where a thread stands: `is_leader`, `laneId`, `tid`.
const OF_ONE: &[&str] = &[
    "leader", "lane", "elect", "first", "master", "tid", "thread", "rank",
];

/// Whether a condition lets one thread of a warp in: it says so by a name, or compares what threads may have of their own with one value.
fn picks_one(doc: &Document<'_>, function: &FunctionScope, condition: Range<TokenIndex>) -> bool {
    let compares = condition.clone().any(|at| doc.is(at, "=="));
    let mut names = condition.filter(|&at| doc.is_ident(at));
    names.any(|at| {
        let mut words = name_words(doc.bytes(at));
        words.any(|word| OF_ONE.iter().any(|one| word.starts_with(one)))
            || compares && !is_same_for_all(doc, function, at)
    })
}

/// Whether all threads of a block have the same value by that name: a parameter of a kernel, which block it is, a constant.
fn is_same_for_all(doc: &Document<'_>, function: &FunctionScope, at: TokenIndex) -> bool {
    let word = doc.bytes(at);
    let in_head = |word: &[u8]| function.head.clone().any(|at| doc.bytes(at) == word);
    let is_constant = word.len() > 1 && !word.iter().any(u8::is_ascii_lowercase);
    let is_member = doc.prev_is(at, ".") || doc.prev_is(at, "->");
    matches!(word, b"blockIdx" | b"blockDim" | b"gridDim")
        || is_member
        || is_constant
        || in_head(b"__global__") && in_head(word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::SourceFile;

    /// What the waiting loops of a function's body ask, and what they read meanwhile.
    fn found(body: &str) -> Vec<String> {
        let text = format!("__global__ void k(int *p) {{ {body} }}\n");
        let source = SourceFile::new("a.cu", text.into_bytes());
        let doc = Document::new(&source);
        let words = |tokens: Range<TokenIndex>| -> String {
            let words = tokens.map(|at| String::from_utf8_lossy(doc.bytes(at)));
            words.collect::<Vec<_>>().join(" ")
        };
        let show = |wait: &Wait| {
            let at = String::from_utf8_lossy(doc.bytes(wait.at)).into_owned();
            let all = wait.tokens().count();
            assert_eq!(all, wait.condition.len() + wait.body.len());
            format!(
                "{at} ({}) {{{}}}",
                words(wait.condition.clone()),
                words(wait.body.clone())
            )
        };
        waits(&doc).iter().map(show).collect()
    }

    #[test]
    fn loops_that_only_wait_are_found() {
        for (body, expected) in [
            ("while (*p == 0) ;", "while (* p == 0) {}"),
            ("while (*p == 0) { }", "while (* p == 0) {}"),
            (
                "while (atomicCAS(p, 0, 1) != 0) ;",
                "while (atomicCAS ( p , 0 , 1 ) != 0) {}",
            ),
            (
                "while (*p == 0) { __nanosleep(100); __threadfence(); }",
                "while (* p == 0) {__nanosleep ( 100 ) ; __threadfence ( ) ;}",
            ),
            (
                "int v; do { v = *p; } while (v == 0);",
                "do (v == 0) {v = * p ;}",
            ),
            ("while (true) { if (*p) break; }", "while (* p) {}"),
            ("while (1) { if (*p) { break; } }", "while (* p) {}"),
            ("for (; *p == 0; ) ;", "for (* p == 0) {}"),
            ("for (;;) { if (*p) break; }", "for (* p) {}"),
            (
                "while (*p == 0) { ++tries; }",
                "while (* p == 0) {++ tries ;}",
            ),
            (
                "while (*p == 0) { if (tries > 9) { return; } }",
                "while (* p == 0) {if ( tries > 9 ) { return ; }}",
            ),
            ("while (*p == 0) /* wait */ ;\r\n", "while (* p == 0) {}"),
            (
                "while (*p == 0) __nanosleep(9);",
                "while (* p == 0) {__nanosleep ( 9 )}",
            ),
            (
                "while (*p == 0) { __nanosleep(ns); if (ns < 256) ns *= 2; }",
                "while (* p == 0) {__nanosleep ( ns ) ; if ( ns < 256 ) ns *= 2 ;}",
            ),
            (
                "while (*p == 0) { ns = min(ns * 2, 256u); }",
                "while (* p == 0) {ns = min ( ns * 2 , 256u ) ;}",
            ),
            (
                "while (*p == 0) { if (ns < 9) { ns <<= 1; } else ns = 1; }",
                "while (* p == 0) {if ( ns < 9 ) { ns < <= 1 ; } else ns = 1 ;}",
            ),
            (
                "while (*p == 0) { for (int i = 0; i < ns; i++) ; }",
                "while (* p == 0) {for ( int i = 0 ; i < ns ; i ++ ) ;}",
            ),
            (
                "for (unsigned ns = 8; *p == 0; ns *= 2) { __nanosleep(ns); }",
                "for (* p == 0) {__nanosleep ( ns ) ;}",
            ),
            (
                "while (true) { __nanosleep(ns); if (ns < 9) ns *= 2; if (*p) break; }",
                "while (* p) {}",
            ),
            (
                "while (l) { if (lane == 1) l = atomicOr(p, 1); l = __shfl_sync(~0u, l, 1); }",
                "while (l) {if ( lane == 1 ) l = atomicOr ( p , 1 ) ; l = __shfl_sync ( ~ 0u , l , 1 ) ;}",
            ),
        ] {
            assert_eq!(found(body), [expected], "{body}");
        }
    }

    #[test]
    fn loops_that_do_something_are_none() {
        for body in [
            "while (i < n) { i++; }",
            "while (i < n) { i += blockDim.x; }",
            "while (v) { v = next[v]; }",
            "while (v) { v = p[i++]; }",
            "while (v) { if (lane == 0) v = next[v]; v = __shfl_sync(~0u, v, 0); }",
            "while (v) { if (lane == 0) v = atomicAdd(p, 1); q[v] = 0; }",
            "while (v) { v = *q++; }",
            "while (*p++) ;",
            "while (*p == 0) { q[0] = 1; }",
            "while (*p == 0) { work(); }",
            "for (int i = 0; i < n; ) ;",
            "for (; i < n; i++) ;",
            "for (int i = 0; i < n; i = i + 1) ;",
            "for (int i = 0; v == 0; i++) { v = p[i]; }",
            "for (T *q = head; v == 0; q = q->next) ;",
            "while (*q == 0) { ++i; q = p + i; }",
            "while (*q == 0) { i = i * 2 + 1; q = p + i; }",
            "while (*p == 0) { *q = 1; }",
            "while (*p == 0) { if (n < 9) *q = 1; }",
            "while (*p == 0) { WORK; }",
            "while (*p == 0) work();",
            "while (true) { i = i + 1; if (p[i]) break; }",
            "while (p[i] == 0) { i <<= 1; }",
            "while (i >>= 1) ;",
            "while (true) { work(); if (*p) break; }",
            "if (*p == 0) ;",
            "// while (*p == 0) ;\n",
            "while (*p == 0",
        ] {
            assert_eq!(found(body), [""; 0], "{body}");
        }
    }

    #[test]
    fn a_lock_is_taken_by_a_value_that_stays_the_same() {
        for (body, expected) in [
            ("while (atomicCAS(p, 0, 1) != 0) ;", true),
            ("while (atomicExch(p + at(i, 2), 1)) ;", true),
            ("while (atomicOr(p, 0x80000000) & 0x80000000) ;", true),
            (
                "bool l = true; while (l) { l = atomicCAS(p, 0, 1) != 0; }",
                true,
            ),
            ("int l; do { l = atomicExch_block(p, 1); } while (l);", true),
            (
                "while (l) { if (lane == 1) { l = atomicOr(p, 1); } l = __shfl_sync(~0u, l, 1); }",
                true,
            ),
            (
                "int s, o; do { s = o; o = atomicCAS(p, s, s + 1); } while (o != s);",
                false,
            ),
            (
                "int o; do { o = *p; } while (atomicCAS(p, o, o + 1) != o);",
                false,
            ),
            ("while (atomicOr(p, 0) == 0) ;", false),
            ("while (atomicAdd(p, 0) == 0) ;", false),
            ("while (*p == 0) ;", false),
        ] {
            let text = format!("__global__ void k(int *p, int lane) {{ {body} }}\n");
            let source = SourceFile::new("a.cu", text.into_bytes());
            let doc = Document::new(&source);
            let taken = waits(&doc)
                .iter()
                .any(|wait| lock_taken(&doc, wait).is_some());
            assert_eq!(taken, expected, "{body}");
        }
    }

    #[test]
    fn one_thread_is_let_in_by_a_condition() {
        for (body, expected) in [
            ("if (threadIdx.x == 0) while (*p == 0) ;", true),
            ("if (threadIdx.x == 0) { a(); while (*p == 0) ; }", true),
            ("if (is_leader) { while (*p == 0) ; }", true),
            ("if (lane_id) { while (*p == 0) ; }", true),
            ("if (isFirst(i)) { while (*p == 0) ; }", true),
            ("if (i == 0) { while (*p == 0) ; }", true),
            ("if (i < n) { while (*p == 0) ; }", false),
            // What all threads have alike, and names that only hold such a word.
            ("if (mode == 2) { while (*p == 0) ; }", false),
            ("if (blockIdx.x == 0) { while (*p == 0) ; }", false),
            ("if (mode == FAST) { while (*p == 0) ; }", false),
            ("if (plane > 2) { while (*p == 0) ; }", false),
            ("if (selected) { while (*p == 0) ; }", false),
            ("if (threadIdx.x == 0) { a(); } while (*p == 0) ;", false),
            ("while (*p == 0) ;", false),
        ] {
            let text = format!("__global__ void k(int *p, int mode) {{ {body} }}\n");
            let source = SourceFile::new("a.cu", text.into_bytes());
            let doc = Document::new(&source);
            let at = doc.all("while").next().expect("there is a loop");
            assert_eq!(is_run_by_one_thread(&doc, at), expected, "{body}");
        }
    }

    #[test]
    fn one_of_a_warp_is_told_from_one_of_a_block() {
        for (condition, expected) in [
            ("laneId == 0", Alone::InWarp),
            ("lane_id() == leader", Alone::InWarp),
            ("threadIdx.x % 32 == 0", Alone::InWarp),
            ("(threadIdx.x & 31) == 0", Alone::InWarp),
            ("(threadIdx.x & (warpSize - 1)) == 0", Alone::InWarp),
            ("tid % WARP_SIZE == 0", Alone::InWarp),
            ("threadIdx.x == 0", Alone::InBlock),
            ("tid % 64 == 0", Alone::InBlock),
        ] {
            let text = format!(
                "__global__ void k(int *p) {{ if ({condition}) {{ while (*p == 0) ; }} }}\n"
            );
            let source = SourceFile::new("a.cu", text.into_bytes());
            let doc = Document::new(&source);
            let at = doc.all("while").next().expect("there is a loop");
            assert_eq!(run_alone(&doc, at), Some(expected), "{condition}");
        }
        let nested = "__global__ void k(int *p) { if (threadIdx.x == 0) { if (lane == 0) { while (*p == 0) ; } } }";
        let source = SourceFile::new("a.cu", nested.as_bytes().to_vec());
        let doc = Document::new(&source);
        let at = doc.all("while").next().expect("there is a loop");
        assert_eq!(run_alone(&doc, at), Some(Alone::InBlock));
    }
}
