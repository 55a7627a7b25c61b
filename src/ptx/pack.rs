//! Moves that pack and unpack, and shifts and bit fields by constants.

use super::request::Attempt;
use super::split::{Instruction, Operand};
use super::translator::Translator;
use super::types::Type;
use super::value::{bare, is_name};

/// `mov.b64 d, {lo, hi}` and `mov.b64 {lo, hi}, a`; other moves are the table's.
pub(super) fn pack(tr: &mut Translator<'_>, instruction: &Instruction) -> Attempt<bool> {
    let segments = instruction.modifiers();
    let bits = match segments.as_slice() {
        ["b32" | "u32" | "s32"] => 32u8,
        ["b64" | "u64" | "s64" | "f64"] => 64,
        _ => return Ok(false),
    };
    match instruction.operands.as_slice() {
        [to, Operand::Vector(parts)] => joined(tr, to, parts, bits),
        [Operand::Vector(parts), from] => taken_apart(tr, parts, from, bits),
        _ => Ok(false),
    }
}

/// `mov d, {lo, hi}`
fn joined(tr: &mut Translator<'_>, to: &Operand, parts: &[Operand], bits: u8) -> Attempt<bool> {
    let part_bits = part_bits(parts, bits)?;
    let whole = Type::Unsigned(bits);
    let mut texts = Vec::new();
    for (position, part) in parts.iter().enumerate() {
        let text = tr.read(part, Type::Unsigned(part_bits))?;
        let wide = if part_bits == 32 || bits == 64 {
            format!("static_cast<{}>({})", whole.name(), bare(&text))
        } else {
            format!("static_cast<unsigned>({})", bare(&text))
        };
        texts.push(match position {
            0 => text,
            _ => format!("{wide} << {}", usize::from(part_bits) * position),
        });
    }
    tr.assign(to, whole, &texts.join(" | "))?;
    Ok(true)
}

/// `mov {lo, hi}, a`
fn taken_apart(
    tr: &mut Translator<'_>,
    parts: &[Operand],
    from: &Operand,
    bits: u8,
) -> Attempt<bool> {
    let part_bits = part_bits(parts, bits)?;
    let part = Type::Unsigned(part_bits);
    let text = tr.read(from, Type::Unsigned(bits))?;
    // The source is read once: an output may be the variable it comes from.
    let text = if is_name(&text) && parts.iter().all(|to| !tr.writes(to, &text)) {
        text
    } else {
        tr.define(
            &format!("const {}", Type::Unsigned(bits).name()),
            "packed",
            bare(&text),
        )
    };
    for (position, to) in parts.iter().enumerate() {
        let shift = usize::from(part_bits) * position;
        let piece = if shift == 0 {
            format!("static_cast<{}>({text})", part.name())
        } else {
            format!("static_cast<{}>({text} >> {shift})", part.name())
        };
        tr.assign(to, part, &piece)?;
    }
    Ok(true)
}

fn part_bits(parts: &[Operand], bits: u8) -> Attempt<u8> {
    match parts.len() {
        2 => Ok(bits / 2),
        4 => Ok(bits / 4),
        _ => Err("Pack the parts with shifts in C++.".to_owned()),
    }
}

/// Shorter forms of `bfe`, `bfi`, `prmt` and shifts whose positions are literals.
pub(super) fn constants(tr: &mut Translator<'_>, instruction: &Instruction) -> Attempt<bool> {
    let number = |position: usize| {
        instruction
            .operands
            .get(position)
            .and_then(|operand| tr.constant(operand))
    };
    let wide = Type::Unsigned(32);
    match instruction.opcode.as_str() {
        "bfe.u32" => {
            let (Some(start @ 0..=31), Some(length @ 1..=31)) = (number(2), number(3)) else {
                return Ok(false);
            };
            let text = tr.read(&instruction.operands[1], wide)?;
            let mask = (1u64 << length) - 1;
            let text = match start {
                0 => format!("{text} & {mask:#x}u"),
                _ if start + length >= 32 => format!("{text} >> {start}"),
                _ => format!("({text} >> {start}) & {mask:#x}u"),
            };
            tr.assign(&instruction.operands[0], wide, &text)?;
            Ok(true)
        }
        "prmt.b32" => {
            let Some(selector) = number(3) else {
                return Ok(false);
            };
            // Bit 3 of a selector repeats the sign of the byte, which `__byte_perm` does not do.
            if selector & 0x8888 != 0 {
                return Ok(false);
            }
            let (a, b) = (
                tr.read(&instruction.operands[1], wide)?,
                tr.read(&instruction.operands[2], wide)?,
            );
            let text = format!(
                "__byte_perm({}, {}, {:#06x})",
                bare(&a),
                bare(&b),
                selector & 0xffff
            );
            tr.assign(&instruction.operands[0], wide, &text)?;
            Ok(true)
        }
        "shl.b32" | "shr.u32" | "shr.b32" | "shr.s32" | "shl.b64" | "shr.u64" | "shr.b64"
        | "shr.s64" => shift(tr, instruction, number(2)),
        _ => Ok(false),
    }
}

fn shift(tr: &mut Translator<'_>, instruction: &Instruction, by: Option<i64>) -> Attempt<bool> {
    let name = instruction.modifiers()[0];
    let ty = match Type::parse(name) {
        Some(Type::Bits(bits)) => Type::Unsigned(bits),
        Some(ty) => ty,
        None => return Ok(false),
    };
    let Some(by) = by.filter(|by| (0..i64::from(ty.bits())).contains(by)) else {
        return Ok(false);
    };
    let text = tr.read(&instruction.operands[1], ty)?;
    let operator = if instruction.mnemonic() == "shl" {
        "<<"
    } else {
        ">>"
    };
    tr.assign(
        &instruction.operands[0],
        ty,
        &format!("{text} {operator} {by}"),
    )?;
    Ok(true)
}
