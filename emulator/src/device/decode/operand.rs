//! Operands: registers and constants.

use super::Context;
use super::text::number;
use crate::device::model::float::f16_bits;
use crate::device::wave::inst::{Inst, Operand, Ty};
use crate::device::wave::{
    EXEC, FLAT_SCRATCH, M0, PRIVATE_HIGH, SHARED_HIGH, TTMP, VCC, XNACK_MASK,
};

/// Scalars with names.
fn named(text: &str) -> Option<Operand> {
    let s = |index: usize| Operand::S(index as u16);
    let aperture = |high: u32, low: u32| Operand::Aperture(u64::from(high) << 32 | u64::from(low));
    Some(match text {
        "vcc" | "vcc_lo" => s(VCC),
        "vcc_hi" => s(VCC + 1),
        "exec" | "exec_lo" => s(EXEC),
        "exec_hi" => s(EXEC + 1),
        "m0" => s(M0),
        "null" => Operand::Null,
        "flat_scratch" | "flat_scratch_lo" => s(FLAT_SCRATCH),
        "flat_scratch_hi" => s(FLAT_SCRATCH + 1),
        "xnack_mask" | "xnack_mask_lo" => s(XNACK_MASK),
        "xnack_mask_hi" => s(XNACK_MASK + 1),
        "scc" | "src_scc" => Operand::Scc,
        "vccz" | "src_vccz" => Operand::Vccz,
        "execz" | "src_execz" => Operand::Execz,
        "src_shared_base" => aperture(SHARED_HIGH, 0),
        "src_shared_limit" => aperture(SHARED_HIGH, u32::MAX),
        "src_private_base" => aperture(PRIVATE_HIGH, 0),
        "src_private_limit" => aperture(PRIVATE_HIGH, u32::MAX),
        "off" => Operand::Off,
        _ => return None,
    })
}

/// The first number of `12` or `[12:15]`.
fn first(text: &str) -> Option<u16> {
    match text.strip_prefix('[') {
        Some(range) => range.strip_suffix(']')?.split(':').next()?.parse().ok(),
        None => text.parse().ok(),
    }
}

/// A register, or what stands for one.
pub(crate) fn register(text: &str, context: Context) -> Option<Operand> {
    if let Some(operand) = named(text) {
        return Some(operand);
    }
    if let Some(rest) = text.strip_prefix("ttmp") {
        return Some(Operand::S(TTMP as u16 + first(rest)?));
    }
    let (class, rest) = text.split_at_checked(1)?;
    match class {
        "v" => Some(Operand::V(first(rest)?)),
        "a" => Some(Operand::V(first(rest)? + context.accumulators)),
        "s" => Some(Operand::S(first(rest)?)),
        _ => None,
    }
}

/// A float constant; LLVM prints 1/2π with as many digits as the type has.
fn float(text: &str) -> Option<f64> {
    let looks =
        text.contains('.') || text.ends_with("inf") || text.contains("e-") || text.contains("e+");
    if !looks {
        return None;
    }
    let value: f64 = text.parse().ok()?;
    let near = (value.abs() - std::f64::consts::FRAC_1_PI / 2.0).abs() < 1e-4;
    Some(if near {
        (std::f64::consts::FRAC_1_PI / 2.0).copysign(value)
    } else {
        value
    })
}

/// The bits that a constant has as an operand of a type.
fn constant(text: &str, ty: Ty) -> Option<Operand> {
    if let Some(value) = float(text) {
        return Some(Operand::Imm(match ty {
            Ty::F64 | Ty::I64 => value.to_bits(),
            Ty::F16 | Ty::P16 | Ty::I16 => f16_bits(value as f32).into(),
            Ty::F32 | Ty::I32 | Ty::P32 | Ty::Mask => (value as f32).to_bits().into(),
        }));
    }
    let value = number(text)?;
    let literal = text.contains("0x");
    Some(Operand::Imm(match ty {
        // A literal is the upper half of a 64-bit float.
        Ty::F64 if literal && value as u64 <= u64::from(u32::MAX) => (value as u64) << 32,
        Ty::F64 | Ty::I64 | Ty::Mask => value as u64,
        _ => (value as u32).into(),
    }))
}

/// A register or a constant.
pub(crate) fn any(text: &str, ty: Ty, context: Context) -> Option<Operand> {
    register(text, context).or_else(|| constant(text, ty))
}

/// Source `k` with negation, absolute value and sign extension.
pub(crate) fn source(
    inst: &mut Inst,
    k: usize,
    text: &str,
    ty: Ty,
    context: Context,
) -> Option<()> {
    let (mut rest, bit) = (text, 1u8 << k);
    loop {
        let wrapped = |prefix: &str| rest.strip_prefix(prefix)?.strip_suffix(')');
        if let Some(inside) = wrapped("neg(") {
            (inst.neg, rest) = (inst.neg | bit, inside);
        } else if let Some(inside) = wrapped("abs(") {
            (inst.abs, rest) = (inst.abs | bit, inside);
        } else if let Some(inside) = wrapped("sext(") {
            (inst.sext, rest) = (inst.sext | bit, inside);
        } else if let Some(inside) = rest.strip_prefix('|').and_then(|r| r.strip_suffix('|')) {
            (inst.abs, rest) = (inst.abs | bit, inside);
        } else if let Some(inside) = rest
            .strip_prefix('-')
            .filter(|r| !r.starts_with(|c: char| c.is_ascii_digit()) && *r != "inf")
        {
            (inst.neg, rest) = (inst.neg | bit, inside);
        } else {
            break;
        }
    }
    *inst.src.get_mut(k)? = any(rest, ty, context)?;
    Some(())
}
