//! `atom` and `red`.

use super::access::{Access, pointer};
use crate::ptx::request::{Attempt, advice};
use crate::ptx::split::{Instruction, Operand};
use crate::ptx::table::TABLE;
use crate::ptx::translator::Translator;
use crate::ptx::types::Type;
use crate::ptx::value::bare;

/// `atom{.order}{.scope}{.space}.op.type d, [a], b{, c}` and `red` without result.
pub(in crate::ptx) fn atomic(tr: &mut Translator<'_>, instruction: &Instruction) -> Attempt<bool> {
    let access = Access::read(instruction)?;
    let operands = access.operands(instruction);
    let (to, rest) = if instruction.mnemonic() == "atom" {
        let (to, rest) = operands
            .split_first()
            .ok_or_else(|| advice(&instruction.opcode))?;
        (Some(to).filter(|to| **to != Operand::Sink), rest)
    } else {
        (None, operands)
    };
    let (Some(operation), [address, value, more @ ..], 1) = (access.operation, rest, access.count)
    else {
        return Err(advice(&instruction.opcode));
    };
    tr.stores();
    let order = &TABLE.orders[access.order.unwrap_or("relaxed")];
    let scope = scope(&access);
    let ty = match access.ty {
        Type::Bits(bits) => Type::Unsigned(bits),
        other => other,
    };
    let pointer = pointer(tr, address, access.space, ty.name())?;
    let value = bare(&tr.read(value, ty)?).to_owned();
    let text = match (operation, more) {
        ("cas", [new]) => {
            let new = bare(&tr.read(new, ty)?).to_owned();
            let seen = tr.define(ty.name(), "seen", &value);
            // A failed exchange may not release.
            let failure = match access.order {
                Some("acquire" | "acq_rel") => &TABLE.orders["acquire"],
                _ => &TABLE.orders["relaxed"],
            };
            tr.plain(format!(
                "__hip_atomic_compare_exchange_strong({pointer}, &{seen}, {new}, {order}, {failure}, {scope})"
            ));
            if let Some(to) = to {
                tr.assign(to, ty, &seen)?;
            }
            return Ok(true);
        }
        ("inc" | "dec", [])
            if access.order.is_none_or(|order| order == "relaxed") && ty == Type::Unsigned(32) =>
        {
            let name = if operation == "inc" {
                "atomicInc"
            } else {
                "atomicDec"
            };
            format!("{name}({pointer}, {value})")
        }
        (_, []) => match TABLE.atomics.get(operation) {
            Some(function) => format!("{function}({pointer}, {value}, {order}, {scope})"),
            None => return Err(advice(&instruction.opcode)),
        },
        _ => return Err(advice(&instruction.opcode)),
    };
    match to {
        Some(to) => tr.assign(to, ty, &text)?,
        None => tr.plain(text),
    }
    Ok(true)
}

fn scope(access: &Access<'_>) -> &'static str {
    // Without a scope PTX means the whole device.
    TABLE.scopes[access.scope.unwrap_or("gpu")].as_str()
}
