//! Comparisons: `setp` and `set`.

use super::request::{Attempt, advice};
use super::split::{Instruction, Operand};
use super::translator::Translator;
use super::types::Type;
use super::value::bare;

/// `setp.CmpOp{.BoolOp}{.ftz}.type p{|q}, a, b{, c}`
pub(super) fn setp(tr: &mut Translator<'_>, instruction: &Instruction) -> Attempt<bool> {
    let segments: Vec<&str> = instruction.modifiers();
    let [to, a, b, rest @ ..] = instruction.operands.as_slice() else {
        return Err(advice(&instruction.opcode));
    };
    let (first, second) = match to {
        Operand::Pair(first, second) => (first.as_ref(), Some(second.as_ref())),
        one => (one, None),
    };
    let compared = comparison(tr, &segments, a, b)?;
    let other = other_condition(tr, &segments, rest).ok_or_else(|| advice(&instruction.opcode))?;
    let joined = |text: String| joined(text, other.as_ref());
    if let Some(second) = second {
        // The second result is computed first: it may read what the first one overwrites.
        let inverse = joined(format!("!({compared})"));
        let kept = tr.define("const bool", "compared", &joined(compared));
        tr.assign(second, Type::Predicate, &inverse)?;
        tr.assign(first, Type::Predicate, &kept)?;
    } else {
        tr.assign(first, Type::Predicate, &joined(compared))?;
    }
    Ok(true)
}

/// `set.CmpOp{.BoolOp}{.ftz}.dtype.stype d, a, b{, c}`
pub(super) fn set(tr: &mut Translator<'_>, instruction: &Instruction) -> Attempt<bool> {
    let segments = instruction.modifiers();
    let ([to, a, b, rest @ ..], [.., result, _]) =
        (instruction.operands.as_slice(), segments.as_slice())
    else {
        return Err(advice(&instruction.opcode));
    };
    let compared = comparison(tr, &segments, a, b)?;
    let other = other_condition(tr, &segments, rest).ok_or_else(|| advice(&instruction.opcode))?;
    let text = joined(compared, other.as_ref());
    match Type::parse(result) {
        Some(Type::Float(32)) => {
            tr.assign(to, Type::Float(32), &format!("{text} ? 1.0f : 0.0f"))?;
        }
        Some(ty) if ty.bits() == 32 => {
            tr.assign(
                to,
                Type::Unsigned(32),
                &format!("{text} ? 0xffffffffu : 0u"),
            )?;
        }
        _ => return Err(advice(&instruction.opcode)),
    }
    Ok(true)
}

/// What `.BoolOp` joins to a comparison, the operator of C++ and the predicate behind the operands; no answer where one of both lacks.
fn other_condition(
    tr: &mut Translator<'_>,
    segments: &[&str],
    rest: &[Operand],
) -> Option<Option<(&'static str, String)>> {
    let joiner = segments.iter().find_map(|name| match *name {
        "and" => Some("&&"),
        "or" => Some("||"),
        "xor" => Some("!="),
        _ => None,
    });
    match (joiner, rest) {
        (Some(joiner), [other]) => Some(Some((joiner, tr.read(other, Type::Predicate).ok()?))),
        (None, []) => Some(None),
        _ => None,
    }
}

fn joined(comparison: String, other: Option<&(&str, String)>) -> String {
    match other {
        Some((joiner, other)) => format!("({comparison}) {joiner} {other}"),
        None => comparison,
    }
}

fn comparison(
    tr: &mut Translator<'_>,
    segments: &[&str],
    a: &Operand,
    b: &Operand,
) -> Attempt<String> {
    let unknown = || "This comparison has no known translation: write it in C++.".to_owned();
    let [name, .., last] = segments else {
        return Err(unknown());
    };
    let is_half = matches!(*last, "f16" | "bf16");
    if matches!(*last, "f16x2" | "bf16x2") || is_half && !tr.request().helpers {
        return Err("Compare halves with `__hlt`, `__heq` and their like.".to_owned());
    }
    let ty = Type::parse(last).ok_or_else(unknown)?;
    let (mut a, mut b) = (tr.read(a, ty)?, tr.read(b, ty)?);
    if is_half {
        (a, b) = (widened(last, &a), widened(last, &b));
    }
    let float = is_half || matches!(ty, Type::Float(_));
    let text = match *name {
        "eq" => format!("{a} == {b}"),
        // Ordered in PTX: false when either is no number, which C++'s `!=` is not.
        "ne" if float => format!("{a} < {b} || {a} > {b}"),
        "ne" | "neu" => format!("{a} != {b}"),
        "lt" | "lo" => format!("{a} < {b}"),
        "le" | "ls" => format!("{a} <= {b}"),
        "gt" | "hi" => format!("{a} > {b}"),
        "ge" | "hs" => format!("{a} >= {b}"),
        "equ" => format!("!({a} < {b} || {a} > {b})"),
        "ltu" => format!("!({a} >= {b})"),
        "leu" => format!("!({a} > {b})"),
        "gtu" => format!("!({a} <= {b})"),
        "geu" => format!("!({a} < {b})"),
        "num" => format!("!isnan({}) && !isnan({})", bare(&a), bare(&b)),
        "nan" => format!("isnan({}) || isnan({})", bare(&a), bare(&b)),
        _ => return Err(unknown()),
    };
    Ok(text)
}

/// The bits of a half as the float of the same value.
fn widened(ty: &str, bits: &str) -> String {
    match ty {
        "bf16" => format!(
            "__uint_as_float(static_cast<unsigned>({}) << 16)",
            bare(bits)
        ),
        _ => format!("cass_f16_to_f32({})", bare(bits)),
    }
}
