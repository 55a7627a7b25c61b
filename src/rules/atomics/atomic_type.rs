//! An atomic on a type for which HIP has none: half, bfloat16, their pairs, 16-bit compare and swap.
//!
//! ## Why on AMD
//! `atomicAdd` of HIP takes 32-bit and 64-bit numbers; `atomicCAS` on 16 bits comes with ROCm 7. The helpers do the same by compare
//! and swap on the 32-bit word that holds the value, and leave other types to HIP.
//!
//! ## Example
//! ```cuda
//! __half2 *sums; …
//! atomicAdd(&sums[i], value);
//! ```
//! becomes
//! ```hip
//! cass_atomicAdd(&sums[i], value);
//! ```
//!
//! So is a template's own type in a file that names a short type, and one that is not in sight where the chip is asked for 7.0, from which
//! on CUDA has the sums of halves: the helper costs others nothing. A template that a file calls in PyTorch's `AT_DISPATCH_FLOATING_TYPES`
//! alone has `float` and `double`, and keeps its atomics.
//!
//! ## When to ignore
//! Where speed counts: on gfx90a and later `unsafeAtomicAdd` adds pairs of halves in hardware, on ordinary device memory.
//!
//! ## Source
//! `hip/amd_detail/amd_hip_atomic.h` and `amd_hip_unsafe_atomics.h` of ROCm 6.4.

use std::ops::Range;

use crate::cpp::calls::trusted_call;
use crate::cpp::declarations;
use crate::cpp::dispatched::takes_no_short_type;
use crate::cpp::guarding::conditions;
use crate::cpp::names::is_members_name;
use crate::cpp::short_floats::short_float;
use crate::cpp::template_parameters::is_type_parameter;
use crate::options::CompatMode;
use crate::rules::prelude::*;

/// Replaces atomics on short types.
pub static RULE: Rule = Rule {
    code: "CASS223",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 40,
    facts: &[],
    checks: &[Check::Idents(&["atomicAdd", "atomicCAS"], check)],
};

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    if is_members_name(cx.doc, index) || !is_short(cx, index) {
        return;
    }
    let name = cx.text(index).into_owned();
    let helper = if name == "atomicAdd" {
        "cass_atomicAdd"
    } else {
        "cass_atomicCAS"
    };
    let finding = RULE.finding(
        cx.range(index),
        format!("HIP has no `{name}` for this type"),
    );
    let finding = if cx.options().compat == CompatMode::None {
        finding
            .severity(Severity::Error)
            .help("use unsafeAtomicAdd on pairs of halves, or compare and swap the 32-bit word that holds the value")
    } else {
        finding
            .helper(helper)
            .fix(Fix::safe(vec![Edit::replace(cx.range(index), helper)]))
    };
    cx.report(finding);
}

fn is_short(cx: &Context<'_, '_>, index: TokenIndex) -> bool {
    let call = trusted_call(cx.doc, index);
    let words = call.as_ref().and_then(|call| {
        let address = call.arguments.first()?;
        declarations::pointee(cx.doc, address.clone())
    });
    let Some(words) = words else {
        // `atomicAdd(view.at(i), h)`: what is added tells as much as the address.
        let value = call.as_ref().and_then(|call| call.arguments.get(1));
        return cx.doc.is(index, "atomicAdd")
            && value.is_some_and(|value| {
                is_short_value(cx.doc, value.clone())
                    || is_unknown(cx.doc, value) && is_where_halves_are(cx.doc, index)
            });
    };
    if cx.doc.is(index, "atomicCAS") {
        let is_unsigned_short =
            words.contains(&b"unsigned".as_slice()) && words.contains(&b"short".as_slice());
        return is_unsigned_short || words.contains(&b"uint16_t".as_slice());
    }
    words.iter().any(|word| {
        // A template in a file about short types is there to be used with them, unless all that calls it gives it other types.
        let is_parameter = || is_type_parameter(cx.doc, index, word);
        let may_be_short = || is_parameter() && !takes_no_short_type(cx.doc, index);
        short_float(word).is_some() || cx.doc.fact(NamesShortTypes::new).0 && may_be_short()
    })
}

/// Whether nothing in sight says what a value is: `value.h`, no number and no variable.
fn is_unknown(doc: &Document<'_>, value: &Range<TokenIndex>) -> bool {
    let has_number = value
        .clone()
        .any(|at| doc.tokens[at].kind == TokenKind::Number);
    !has_number && declarations::of_value(doc, value.clone()).is_none()
}

/// Whether a place is behind a condition that asks for a chip from which on CUDA has sums of halves or bfloat16, in a file that names them.
fn is_where_halves_are(doc: &Document<'_>, index: TokenIndex) -> bool {
    const CHIPS: &[&str] = &["700", "750", "800", "900"];
    let asks = |condition: &String| {
        let asks_for_one = CHIPS.iter().any(|chip| condition.contains(chip));
        condition.contains("__CUDA_ARCH__") && asks_for_one
    };
    doc.fact(NamesShortTypes::new).0 && conditions(doc, doc.tokens[index].start).iter().any(asks)
}

/// Whether the code of a file names a short type.
struct NamesShortTypes(bool);

impl NamesShortTypes {
    fn new(doc: &Document<'_>) -> Self {
        Self(doc.has_word(|word| short_float(word).is_some()))
    }
}

/// Whether a value is a variable of a short type, or what a conversion to one gives.
fn is_short_value(doc: &Document<'_>, value: Range<TokenIndex>) -> bool {
    const CONVERSIONS: &[&[u8]] = &[
        b"__float2half",
        b"__float2half_rn",
        b"__float2half2_rn",
        b"__floats2half2_rn",
        b"__float2bfloat16",
        b"__float2bfloat162_rn",
        b"__floats2bfloat162_rn",
        b"__halves2half2",
        b"make_half2",
    ];
    let is_conversion =
        CONVERSIONS.contains(&doc.bytes(value.start)) && doc.is(value.start + 1, "(");
    let declared = declarations::of_value(doc, value);
    is_conversion
        || declared.is_some_and(|it| it.words.iter().any(|word| short_float(word).is_some()))
}
