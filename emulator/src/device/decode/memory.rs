//! Operands of memory instructions.

use super::Context;
use super::operand::any;
use super::text::{Text, number};
use crate::device::ops::table::{Def, Form};
use crate::device::wave::inst::{Inst, Operand, Segment, Ty};

/// Puts the operands where the operations expect them.
pub(crate) fn operands(
    inst: &mut Inst,
    text: &Text<'_>,
    def: &Def,
    context: Context,
) -> Option<()> {
    let operand = |k: usize| any(text.operands.get(k)?, Ty::I32, context);
    let base = |k: usize| operand(k).unwrap_or(Operand::Off);
    match def.form {
        Form::Load if inst.to_lds => (inst.src[0], inst.src[2]) = (operand(0)?, base(1)),
        Form::Load => (inst.dst, inst.src[0], inst.src[2]) = (operand(0)?, operand(1)?, base(2)),
        Form::Store => {
            (inst.src[0], inst.src[1], inst.src[2]) = (operand(0)?, operand(1)?, base(2))
        }
        Form::Atomic => atomic(inst, text, context)?,
        Form::Buffer => {
            inst.returns = text.has("glc") || text.has("sc0");
            inst.dst = operand(0)?;
            inst.src = [operand(1)?, operand(2)?, base(3), Operand::None];
            if inst.to_lds {
                return None;
            }
        }
        Form::Image => image(inst, text, def, context)?,
        Form::LdsResult => {
            inst.dst = operand(0)?;
            for k in 1..text.operands.len().min(5) {
                inst.src[k - 1] = operand(k)?;
            }
        }
        Form::Lds => {
            for k in 0..text.operands.len().min(4) {
                inst.src[k] = operand(k)?;
            }
        }
        Form::ScalarLoad => {
            (inst.dst, inst.src[0]) = (operand(0)?, operand(1)?);
            inst.src[1] = if text.operands.len() > 2 {
                operand(2)?
            } else {
                Operand::Imm(0)
            };
        }
        _ => return None,
    }
    // Global data share is another memory, which HIP programs have not.
    if text.has("gds") { None } else { Some(()) }
}

/// Modifiers of image instructions that say nothing beyond the descriptor, or that change the order of memory alone.
const OF_IMAGES: [&str; 9] = [
    "dmask", "dim", "unorm", "da", "glc", "slc", "dlc", "sc0", "nt",
];

/// `data, addresses, resource[, sampler]`; the mask of channels becomes the parameter.
fn image(inst: &mut Inst, text: &Text<'_>, def: &Def, context: Context) -> Option<()> {
    let known = |word: &str| OF_IMAGES.contains(&word.split(':').next().unwrap_or(word));
    if !text.modifiers.iter().copied().all(known) {
        return None;
    }
    let operand = |k: usize| any(text.operands.get(k)?, Ty::I32, context);
    (inst.dst, inst.src[0]) = (operand(0)?, operand(2)?);
    inst.src[1] = operand(3).unwrap_or(Operand::None);
    inst.rows = Some(rows(text.operands.get(1)?)?.into());
    inst.offset1 = def.param as i32;
    inst.param = text.value("dmask").and_then(number)? as u32;
    Some(())
}

/// Registers that hold coordinates at most: six derivatives, three directions, a layer, a level.
const MOST_ROWS: u16 = 12;

/// The registers of `[v4, v1, v[8:9]]`, or those from `v4` or `v[4:6]` on: how many there are is not in the encoding of gfx9.
fn rows(text: &str) -> Option<Vec<u16>> {
    let Some(list) = text.strip_prefix('[') else {
        let (first, _) = range(text)?;
        return Some((first..first + MOST_ROWS).collect());
    };
    let parts = list.strip_suffix(']')?.split(',');
    let ranges = parts.map(|part| range(part.trim()).map(|(first, last)| first..=last));
    Some(
        ranges
            .collect::<Option<Vec<_>>>()?
            .into_iter()
            .flatten()
            .collect(),
    )
}

/// The first and last register of `v4` or `v[4:6]`.
fn range(text: &str) -> Option<(u16, u16)> {
    let text = text.strip_prefix('v')?;
    match text.strip_prefix('[') {
        None => text.parse().ok().map(|only| (only, only)),
        Some(range) => {
            let (first, last) = range.strip_suffix(']')?.split_once(':')?;
            Some((first.parse().ok()?, last.parse().ok()?))
        }
    }
}

/// With a result where there is one operand more.
fn atomic(inst: &mut Inst, text: &Text<'_>, context: Context) -> Option<()> {
    let operand = |k: usize| any(text.operands.get(k)?, Ty::I32, context);
    let without = if inst.segment == Segment::Global {
        3
    } else {
        2
    };
    let first = usize::from(text.operands.len() > without);
    inst.returns = first == 1;
    if inst.returns {
        inst.dst = operand(0)?;
    }
    inst.src[0] = operand(first)?;
    inst.src[1] = operand(first + 1)?;
    inst.src[2] = operand(first + 2).unwrap_or(Operand::Off);
    Some(())
}

#[cfg(test)]
mod tests {
    use super::rows;

    #[test]
    fn registers_of_coordinates() {
        let list = |text: &str| rows(text).expect("registers");
        assert_eq!(list("[v4, v1, v[8:9]]"), [4, 1, 8, 9]);
        assert_eq!(list("v7")[..3], [7, 8, 9]);
        assert_eq!(list("v[14:15]")[..3], [14, 15, 16]);
        assert_eq!(rows("[v4, s1]"), None);
        assert_eq!(rows("v[4:]"), None);
    }
}
