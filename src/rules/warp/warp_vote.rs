//! A ballot, vote, match or reduction over a warp.
//!
//! ## Why on AMD
//! The forms with a mask exist from ROCm 7.0 (6.2 behind a macro) and take and return 64-bit masks: a 32-bit mask does not compile, a
//! 32-bit variable loses the upper lanes without a word from the compiler, and all of them look at 64 lanes on CDNA.
//! `__reduce_add_sync` and the like are new in 7.0, `__uni_sync` does not exist. Helpers of the same arguments work on the 32
//! lanes that the program means and return 32 bits, so the code around them stays right on all chips.
//!
//! ## Example
//! ```cuda
//! unsigned votes = __ballot_sync(0xffffffff, x > 0);
//! if (__any_sync(mask, done)) n = __popc(votes);
//! ```
//! becomes
//! ```hip
//! unsigned votes = cass_ballot_sync(0xffffffff, x > 0);
//! if (cass_any_sync(mask, done)) n = __popc(votes);
//! ```
//! With `--compat none` a call with a whole mask becomes an expression, `(unsigned)(__ballot(x > 0) >> (__lane_id() & 32))`; what
//! has none is reported. With `--warp native` it becomes the 64-lane form, `__ballot(x > 0)`, and is reported; a call with a mask of
//! 64 bits stays, and is an error below ROCm 7.0.
//!
//! ## When to ignore
//! With `--warp native`: when the variables that take the result have 64 bits and nothing counts on 32 lanes.
//!
//! ## Source
//! `hip/amd_detail/amd_warp_functions.h` and `amd_warp_sync_functions.h` of ROCm 6.4; CUDA C++ Programming Guide, warp vote, match
//! and reduce functions.

use crate::analysis::lane_mask::{self, Mask};
use crate::analysis::shuffle_mask::drops_mask;
use crate::analysis::warp_size;
use crate::analysis::wavefront::{has_wavefront_twin, means_wavefront};
use crate::cpp::calls::trusted_call;
use crate::cpp::declarations;
use crate::cpp::expressions::{holds_comment, is_pure};
use crate::cpp::lanes::has_mask_for_amd;
use crate::cpp::names::is_for_preprocessor;
use crate::cpp::names::is_members_name;
use crate::options::CompatMode;
use crate::options::WarpMode;
use crate::rules::prelude::*;

/// Replaces warp votes by helpers or by expressions.
pub static RULE: Rule = Rule {
    code: "CASS201",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 40,
    facts: &[Fact::DoneByShimLine],
    checks: &[Check::Claimed(
        &[
            "__ballot_sync",
            "__any_sync",
            "__all_sync",
            "__uni_sync",
            "__activemask",
            "__match_any_sync",
            "__match_all_sync",
            "__reduce_add_sync",
            "__reduce_min_sync",
            "__reduce_max_sync",
            "__reduce_and_sync",
            "__reduce_or_sync",
            "__reduce_xor_sync",
            "__ballot",
            "__any",
            "__all",
        ],
        check,
    )],
};

/// What a name becomes.
struct Vote {
    cuda: &'static str,
    /// Function of the helper header with the same arguments.
    helper: &'static str,
    /// What the helper takes in front of the arguments.
    first: &'static str,
    /// Text around the predicate that gives the 32-lane meaning without helper.
    inline: Option<(&'static str, &'static str)>,
    /// The form that works on the whole wavefront, without mask.
    native: Option<&'static str>,
}

const fn vote(
    cuda: &'static str,
    helper: &'static str,
    inline: Option<(&'static str, &'static str)>,
    native: Option<&'static str>,
) -> Vote {
    Vote {
        cuda,
        helper,
        first: "",
        inline,
        native,
    }
}

const BALLOT: Option<(&str, &str)> = Some(("(unsigned)(__ballot(", ") >> (__lane_id() & 32))"));
const ANY: Option<(&str, &str)> = Some(("((unsigned)(__ballot(", ") >> (__lane_id() & 32)) != 0)"));
const ALL: Option<(&str, &str)> =
    Some(("((unsigned)(__ballot(!(", ")) >> (__lane_id() & 32)) == 0)"));

static VOTES: &[Vote] = &[
    vote(
        "__ballot_sync",
        "cass_ballot_sync",
        BALLOT,
        Some("__ballot"),
    ),
    vote("__any_sync", "cass_any_sync", ANY, Some("__any")),
    vote("__all_sync", "cass_all_sync", ALL, Some("__all")),
    vote("__uni_sync", "cass_uni_sync", None, None),
    vote("__activemask", "cass_activemask", BALLOT, Some("__ballot")),
    vote("__match_any_sync", "cass_match_any_sync", None, None),
    vote("__match_all_sync", "cass_match_all_sync", None, None),
    vote("__reduce_add_sync", "cass_reduce_add_sync", None, None),
    vote("__reduce_min_sync", "cass_reduce_min_sync", None, None),
    vote("__reduce_max_sync", "cass_reduce_max_sync", None, None),
    vote("__reduce_and_sync", "cass_reduce_and_sync", None, None),
    vote("__reduce_or_sync", "cass_reduce_or_sync", None, None),
    vote("__reduce_xor_sync", "cass_reduce_xor_sync", None, None),
    vote("__ballot", "cass_ballot32", BALLOT, Some("__ballot")),
    Vote {
        cuda: "__any",
        helper: "cass_any_sync",
        first: "0xffffffffu, ",
        inline: ANY,
        native: Some("__any"),
    },
    Vote {
        cuda: "__all",
        helper: "cass_all_sync",
        first: "0xffffffffu, ",
        inline: ALL,
        native: Some("__all"),
    },
];

const TWIN_HELP: &str = "it covers 32 lanes now, and code of this file for AMD alone exchanges values over the wavefront: make both \
                         mean the same lanes, the shuffles by a width of 32";
const WAVE_HELP: &str = "it speaks of 32 lanes, and lanes are counted here by the size of the wave, such as `C10_WARP_SIZE`: count by 32, or keep the vote of the \
                         wave in 64 bits (`__ballot`, `__popcll`, `__ffsll`)";
const NATIVE_HELP: &str = "it now covers the whole wavefront, 64 lanes on CDNA: keep the result in unsigned long long, count \
                           with __popcll and __ffsll, and shift 1ull";

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    let word = cx.doc.bytes(index);
    let Some(vote) = VOTES.iter().find(|vote| vote.cuda.as_bytes() == word) else {
        return;
    };
    let old = is_old(vote);
    if is_members_name(cx.doc, index)
        || is_for_preprocessor(cx.doc, index)
        || is_in_dropped_mask(cx, index)
        || (old && (means_wavefront(cx) || cx.doc.call(index).is_none()))
        || is_ours(cx.doc, index)
    {
        return;
    }
    let call = trusted_call(cx.doc, index);
    let is_amds = |call: &Call| !old && has_mask_for_amd(cx.doc, call);
    if call.as_ref().is_some_and(is_amds) {
        return;
    }
    let finding = match cx.warp() {
        WarpMode::Native => native(cx, index, vote, call.as_ref()),
        WarpMode::Logical32 if cx.options().compat == CompatMode::None => {
            inline(cx, index, vote, call.as_ref())
        }
        WarpMode::Logical32 => helper(cx, index, vote, call.as_ref()),
    };
    if cx.warp() == WarpMode::Logical32 && warp_size::around(cx, index).wave {
        cx.report(finding.severity(Severity::Error).help(WAVE_HELP));
        return;
    }
    let is_decided = finding.severity > Severity::Info || !has_wavefront_twin(cx);
    cx.report(if is_decided || cx.warp() == WarpMode::Native {
        finding
    } else {
        finding.severity(Severity::Warning).help(TWIN_HELP)
    });
}

/// Forms of CUDA before 9, which vote over the active lanes.
fn is_old(vote: &Vote) -> bool {
    matches!(vote.cuda, "__ballot" | "__any" | "__all")
}

/// `__ballot(…) >> (__lane_id() …`: what an earlier run wrote.
fn is_ours(doc: &Document<'_>, index: TokenIndex) -> bool {
    const BEHIND: [&str; 4] = [">", ">", "(", "__lane_id"];
    let is_shifted = |call: Call| {
        let behind = std::iter::successors(doc.next(call.close), |&at| doc.next(at));
        BEHIND
            .iter()
            .zip(behind)
            .filter(|(text, at)| doc.is(*at, text))
            .count()
            == BEHIND.len()
    };
    doc.is(index, "__ballot") && doc.call(index).is_some_and(is_shifted)
}

/// `__shfl_sync(__activemask(), …)`: the mask goes as a whole.
fn is_in_dropped_mask(cx: &Context<'_, '_>, index: TokenIndex) -> bool {
    cx.doc
        .prev(index)
        .filter(|&open| cx.doc.is(open, "("))
        .and_then(|open| cx.doc.prev(open))
        .is_some_and(|name| cx.doc.is_ident(name) && drops_mask(cx, name))
}

fn helper(
    cx: &Context<'_, '_>,
    index: TokenIndex,
    vote: &'static Vote,
    call: Option<&Call>,
) -> Finding {
    let mut edits = vec![Edit::replace(cx.range(index), vote.helper)];
    if let Some(call) = call.filter(|_| !vote.first.is_empty()) {
        edits.push(Edit::insert(cx.range(call.open).end, vote.first));
    }
    becomes(cx, index, vote, vote.helper)
        .helper(vote.helper)
        .fix(Fix::safe(edits))
}

/// Without helper header: an expression over the predicate, where the mask selects nothing.
fn inline(
    cx: &Context<'_, '_>,
    index: TokenIndex,
    vote: &'static Vote,
    call: Option<&Call>,
) -> Finding {
    let whole = call.filter(|call| is_for_all_lanes(cx, vote, call));
    match (vote.inline, whole) {
        (Some((open, close)), Some(call)) => {
            becomes(cx, index, vote, "an expression over `__ballot`")
                .fix(Fix::safe(around(cx, vote, call, open, close)))
        }
        _ => manual(cx, index, vote),
    }
}

/// Whether a call asks all lanes: it has no mask, or one that selects nothing.
fn is_for_all_lanes(cx: &Context<'_, '_>, vote: &Vote, call: &Call) -> bool {
    is_old(vote) && !call.arguments.is_empty() || drops_mask_argument(cx, vote, call)
}

fn native(
    cx: &Context<'_, '_>,
    index: TokenIndex,
    vote: &'static Vote,
    call: Option<&Call>,
) -> Finding {
    let whole = call.filter(|call| is_for_all_lanes(cx, vote, call));
    let Some((name, call)) = vote.native.zip(whole) else {
        let wide = call.and_then(|call| as_it_is(cx, index, vote, call));
        return wide.unwrap_or_else(|| manual(cx, index, vote));
    };
    let finding = becomes(cx, index, vote, name)
        .severity(Severity::Warning)
        .help(NATIVE_HELP);
    if is_old(vote) {
        return finding;
    }
    let open = format!("{name}(");
    finding.fix(Fix::review(around(cx, vote, call, &open, ")")))
}

/// A call whose mask has 64 bits already is HIP's from ROCm 7.0 on.
fn as_it_is(
    cx: &Context<'_, '_>,
    index: TokenIndex,
    vote: &'static Vote,
    call: &Call,
) -> Option<Finding> {
    let entry = cx.table().get(vote.cuda.as_bytes())?.entry;
    let since = entry.rocm.since.filter(|_| has_64_bits(cx.doc, call))?;
    let rocm = cx.options().rocm;
    let finding = |text: String| RULE.finding(cx.range(index), text);
    let finding = if since <= rocm {
        finding(format!("`{}` now covers the whole wavefront", vote.cuda))
            .severity(Severity::Warning)
            .help(NATIVE_HELP)
    } else {
        finding(format!(
            "`{}` with a 64-bit mask needs ROCm {since}; the target is ROCm {rocm}",
            vote.cuda
        ))
        .severity(Severity::Error)
        .help(entry.note.unwrap_or_default())
    };
    Some(finding.api(cx.api_use(entry, Some(vote.cuda))))
}

/// Whether the mask is a number or a variable of 64 bits.
fn has_64_bits(doc: &Document<'_>, call: &Call) -> bool {
    let mask = call.arguments.first().filter(|mask| mask.len() == 1);
    mask.is_some_and(|mask| {
        let word = doc.bytes(mask.start).to_ascii_lowercase();
        let number = word.ends_with(b"ull") || word.ends_with(b"llu");
        let variable = declarations::declared(doc, mask.start).filter(|_| doc.is_ident(mask.start));
        let long = |words: &[&[u8]]| words.iter().filter(|word| **word == b"long").count() == 2;
        number
            || variable.is_some_and(|found| {
                found.pointers == 0
                    && (long(&found.words) || found.is_any(&["uint64_t", "int64_t"]))
            })
    })
}

/// Whether the first argument is a mask that selects nothing, and can go.
fn drops_mask_argument(cx: &Context<'_, '_>, vote: &Vote, call: &Call) -> bool {
    if vote.cuda == "__activemask" {
        return call.arguments.is_empty();
    }
    call.arguments.len() == 2
        && lane_mask::mask(cx, call.arguments[0].clone()) == Mask::Whole
        && is_pure(cx.doc, call.arguments[0].clone())
        && !holds_comment(
            cx.doc,
            cx.range(call.open).end,
            cx.range(call.arguments[1].start).start,
        )
}

/// Replaces everything in front of the predicate and the closing parenthesis.
fn around(
    cx: &Context<'_, '_>,
    vote: &Vote,
    call: &Call,
    open: &str,
    close: &'static str,
) -> Vec<Edit> {
    let name = cx.range(call.name).start;
    let last = cx.range(call.close);
    if vote.cuda == "__activemask" {
        return vec![Edit::replace(
            TextRange::new(name, last.end),
            format!("{open}1{close}"),
        )];
    }
    let predicate = &call.arguments[call.arguments.len() - 1];
    let start = cx.range(predicate.start).start;
    let mut edits = vec![Edit::replace(TextRange::new(name, start), open.to_owned())];
    if close != ")" {
        edits.push(Edit::replace(last, close));
    }
    edits
}

fn becomes(cx: &Context<'_, '_>, index: TokenIndex, vote: &Vote, what: &str) -> Finding {
    let what = if what.starts_with("an ") {
        what.to_owned()
    } else {
        format!("`{what}`")
    };
    RULE.finding(cx.range(index), format!("`{}` becomes {what}", vote.cuda))
}

fn manual(cx: &Context<'_, '_>, index: TokenIndex, vote: &Vote) -> Finding {
    let message = format!(
        "`{}` is called with a 32-bit mask, which HIP rejects",
        vote.cuda
    );
    RULE.finding(cx.range(index), message)
        .severity(Severity::Error)
        .help(format!(
            "allow the helper header for `{}`, or write it with `__ballot`, which returns 64 bits, and shuffles of width 32",
            vote.helper
        ))
}
