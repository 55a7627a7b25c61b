//! `atom` and `red`.

use super::access::{Access, pointer};
use crate::ptx::request::{Attempt, advice, no_helpers};
use crate::ptx::split::{Instruction, Operand};
use crate::ptx::table::TABLE;
use crate::ptx::translator::Translator;
use crate::ptx::types::Type;
use crate::ptx::value::bare;

/// Said of what no helper does with halves.
const OF_HALVES: &str = "Use `unsafeAtomicAdd` or a compare-and-swap loop on the half type.";

/// `atom{.order}{.scope}{.space}.op.type d, [a], b{, c}` and `red` without result.
pub(in crate::ptx) fn atomic(tr: &mut Translator<'_>, instruction: &Instruction) -> Attempt<bool> {
    let access = Access::of(instruction)?;
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
    let ty = match access.ty {
        Type::Bits(bits) => Type::Unsigned(bits),
        other => other,
    };
    let pointer = pointer(tr, address, access.space, ty.name())?;
    let value = bare(&tr.read(value, ty)?).to_owned();
    let text = match (operation, more) {
        (operation, []) if access.halves.is_some() => {
            if !tr.request().helpers {
                return Err(no_helpers());
            }
            added_halves(&access, operation, &pointer, &value)
                .ok_or_else(|| OF_HALVES.to_owned())?
        }
        _ if access.halves.is_some() => return Err(OF_HALVES.to_owned()),
        ("cas", [new]) => {
            let new = bare(&tr.read(new, ty)?).to_owned();
            let seen = tr.define(ty.name(), "seen", &value);
            tr.plain(compare_exchange(&access, &pointer, &seen, &new));
            if let Some(to) = to {
                tr.assign(to, ty, &seen)?;
            }
            return Ok(true);
        }
        (_, []) => read_modify_write(&access, operation, ty, &pointer, &value)
            .ok_or_else(|| advice(&instruction.opcode))?,
        _ => return Err(advice(&instruction.opcode)),
    };
    match to {
        Some(to) => tr.assign(to, ty, &text)?,
        None => tr.plain(text),
    }
    Ok(true)
}

fn compare_exchange(access: &Access<'_>, pointer: &str, seen: &str, new: &str) -> String {
    // A failed exchange may not release.
    let failure = match access.order {
        Some("acquire" | "acq_rel") => &TABLE.orders["acquire"],
        _ => &TABLE.orders["relaxed"],
    };
    let (order, scope) = (order(access), scope(access));
    format!(
        "__hip_atomic_compare_exchange_strong({pointer}, &{seen}, {new}, {order}, {failure}, {scope})"
    )
}

/// The call that adds halves at a pointer, which is no promise to others, and gives what was there.
fn added_halves(
    access: &Access<'_>,
    operation: &str,
    pointer: &str,
    value: &str,
) -> Option<String> {
    let is_plain = access.order.is_none_or(|order| order == "relaxed")
        && access.scope != Some("sys")
        && operation == "add";
    let ty = access.halves.filter(|_| is_plain)?;
    Some(format!("cass_atomic_add_{ty}({pointer}, {value})"))
}

/// The call that changes the number at a pointer and gives its old value.
fn read_modify_write(
    access: &Access<'_>,
    operation: &str,
    ty: Type,
    pointer: &str,
    value: &str,
) -> Option<String> {
    let is_plain = access.order.is_none_or(|order| order == "relaxed") && ty == Type::Unsigned(32);
    match operation {
        "inc" if is_plain => Some(format!("atomicInc({pointer}, {value})")),
        "dec" if is_plain => Some(format!("atomicDec({pointer}, {value})")),
        _ => {
            let function = TABLE.atomics.get(operation)?;
            let (order, scope) = (order(access), scope(access));
            Some(format!("{function}({pointer}, {value}, {order}, {scope})"))
        }
    }
}

fn order(access: &Access<'_>) -> &'static str {
    TABLE.orders[access.order.unwrap_or("relaxed")].as_str()
}

fn scope(access: &Access<'_>) -> &'static str {
    // Without a scope PTX means the whole device.
    TABLE.scopes[access.scope.unwrap_or("gpu")].as_str()
}
