//! Operands of memory instructions.

use super::Context;
use super::operand::any;
use super::text::Text;
use crate::device::inst::{Inst, Operand, Segment, Ty};
use crate::device::ops::table::{Def, Form};

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
