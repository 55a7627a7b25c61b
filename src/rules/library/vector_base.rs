//! A class that is derived from a vector type of CUDA and converts to a number.
//!
//! ## Why on AMD
//! CUDA's vector types have no operators, so that `a ^ b` of two such objects is computed with the numbers that they convert to. HIP's have
//! them, and a derived class inherits them: "no viable conversion from 'HIP_vector_type<unsigned int, 2U>'", and where the result fits,
//! as in `n = a * b`, element by element instead of as one number, without a word. HIP's vectors have a base of their own with the same
//! members and layout and without operators; the class is derived from that.
//!
//! ## Example
//! ```cuda
//! struct u64 : public uint2 {
//!   __device__ u64(unsigned low, unsigned high) { uint2::x = low; uint2::y = high; }
//!   __device__ operator unsigned long long() const { return *(unsigned long long *)this; }
//! };
//! ```
//! becomes
//! ```hip
//! struct u64 : public cass_vector_base<uint2> {
//!   __device__ u64(unsigned low, unsigned high) { this->x = low; this->y = high; }
//!   __device__ operator unsigned long long() const { return *(unsigned long long *)this; }
//! };
//! ```
//!
//! ## When to ignore
//! When no operator is used on objects of the class but those that it has itself.
//!
//! ## Source
//! `hip/amd_detail/amd_hip_vector_types.h` of ROCm 6.4; programs compiled with it.

use crate::cpp::arithmetic::{Number, is_vector};
use crate::options::CompatMode;
use crate::rules::prelude::*;
use crate::text::keywords::is_access;

/// Derives the class from members and layout alone.
pub static RULE: Rule = Rule {
    code: "CASS693",
    severity: Severity::Warning,
    fix: Some(Applicability::Review),
    priority: 50,
    facts: &[Fact::NvccReadsResult],
    checks: &[Check::Source(check)],
};

const HELPER: &str = "cass_vector_base";

fn check(cx: &mut Context<'_, '_>) {
    let doc = cx.doc;
    if doc.all("operator").next().is_none() {
        return;
    }
    let classes = doc.all("struct").chain(doc.all("class"));
    let mut found: Vec<Finding> = classes.filter_map(|at| finding(cx, at)).collect();
    found.sort_by_key(|finding| finding.range.start);
    found.into_iter().for_each(|finding| cx.report(finding));
}

fn finding(cx: &Context<'_, '_>, class: TokenIndex) -> Option<Finding> {
    let doc = cx.doc;
    let (base, open) = only_base(doc, class)?;
    let start = doc.tokens[base].start;
    let is_cudas = is_vector(doc.bytes(base)) && !cx.is_own(doc.bytes(base));
    let is_read = doc.vendor_at(start) == Vendor::Any && !cx.is_inactive(start);
    let close = doc.matching_bracket(open)?;
    let mut operators = doc.occurrences(b"operator", open..close);
    if !is_cudas || !is_read || !operators.any(|at| converts_to_number(doc, at)) {
        return None;
    }
    let (name, vector) = (cx.text(class + 1), cx.text(base));
    let message = format!(
        "`{name}` inherits the operators of HIP's `{vector}`, which go before its conversion to a number"
    );
    let finding = RULE.finding(cx.range(base), message);
    let edits = edits(doc, base, open..close).filter(|_| cx.options().compat != CompatMode::None);
    Some(match edits {
        Some(edits) => finding
            .helper(HELPER)
            .help(format!("where an object is needed as a `{vector}`, make one of its members"))
            .fix(Fix::review(edits)),
        None => finding.help(format!(
            "derive it from HIP_vector_base, or keep the `{vector}` as a member: CUDA's vectors have no operators"
        )),
    })
}

/// The base of a class that has one, and the `{` behind it: `struct S : public uint2 {`.
fn only_base(doc: &Document<'_>, class: TokenIndex) -> Option<(TokenIndex, TokenIndex)> {
    let colon = doc.next(class + 1).filter(|&at| doc.is(at, ":"))?;
    let mut base = doc.next(colon)?;
    if is_access(doc.bytes(base)) {
        base = doc.next(base)?;
    }
    let open = doc.next(base).filter(|&at| doc.is(at, "{"))?;
    doc.is_ident(class + 1).then_some((base, open))
}

/// Whether `operator` begins a conversion to a number that nobody has to ask for.
fn converts_to_number(doc: &Document<'_>, operator: TokenIndex) -> bool {
    let words = (operator + 1..doc.tokens.len()).take_while(|&at| doc.is_ident(at));
    let words: Vec<&[u8]> = words.map(|at| doc.bytes(at)).collect();
    let open = operator + 1 + words.len();
    Number::of_words(&words).is_some()
        && doc.is(open, "(")
        && doc.is(open + 1, ")")
        && !doc.is_before(operator, "explicit")
}

/// The other base, and its members without the name of the old one; nothing where the class needs it otherwise.
fn edits(
    doc: &Document<'_>,
    base: TokenIndex,
    body: std::ops::Range<TokenIndex>,
) -> Option<Vec<Edit>> {
    let vector = doc.source.text(doc.tokens[base].range());
    let mut edits = vec![Edit::replace(
        doc.tokens[base].range(),
        format!("{HELPER}<{vector}>"),
    )];
    for at in doc.occurrences(doc.bytes(base), body) {
        let is_member =
            doc.is(at + 1, "::") && matches!(doc.bytes(at + 2), b"x" | b"y" | b"z" | b"w");
        let is_of_object = doc.is_before(at, ".") || doc.is_before(at, "->");
        if !is_member || doc.is_before(at, "&") {
            return None;
        }
        let qualifier = doc.range(at, at + 1);
        edits.push(Edit::replace(
            qualifier,
            if is_of_object { "" } else { "this->" },
        ));
    }
    Some(edits)
}
