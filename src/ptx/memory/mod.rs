//! Loads, stores, atomics and asynchronous copies.

mod access;
mod atomic;
mod copy;

use self::access::{Access, pointer};
use super::request::{Attempt, advice, no_helpers};
use super::split::{Instruction, Operand};
use super::table::TABLE;
use super::translator::Translator;
use super::value::bare;

pub(super) use atomic::atomic;
pub(super) use copy::async_copy;

/// `ld{.order}{.scope}{.space}{.cache}{.vec}.type d, [a]`
pub(super) fn load(tr: &mut Translator<'_>, instruction: &Instruction) -> Attempt<bool> {
    let access = Access::read(instruction)?;
    let [to, address] = access.operands(instruction) else {
        return Err(advice(&instruction.opcode));
    };
    let places = places(to, access.count)?;
    if let Some((order, scope)) = access.atomic(tr, true) {
        let size = i64::from(access.ty.bits() / 8);
        for (position, place) in places.iter().enumerate() {
            let address = moved(address, size * position as i64);
            let pointer = pointer(tr, &address, access.space, access.ty.name())?;
            let text = format!(
                "__hip_atomic_load({pointer}, {}, {})",
                TABLE.orders[order], TABLE.scopes[scope]
            );
            tr.assign(place, access.ty, &text)?;
        }
        return Ok(true);
    }
    let ty = tr.as_held(places[0], access.ty);
    let access = Access { ty, ..access };
    let name = access.name()?;
    let text = if access.volatile {
        let constant = format!("const volatile {name}");
        if access.count == 1 {
            format!("*{}", pointer(tr, address, access.space, &constant)?)
        } else {
            let pointer = pointer(tr, address, access.space, &format!("const {name}"))?;
            called(tr, "cass_volatile_load", &pointer)?
        }
    } else {
        let pointer = pointer(tr, address, access.space, &format!("const {name}"))?;
        match access.cache.and_then(|cache| TABLE.loads.get(cache)) {
            Some(function) if tr.request().helpers || access.cache == Some("cg") => {
                called(tr, function, &pointer)?
            }
            _ => format!("*{pointer}"),
        }
    };
    if access.count == 1 {
        tr.assign(to, access.ty, &text)?;
        return Ok(true);
    }
    let loaded = tr.define(&format!("const {name}"), "loaded", &text);
    for (place, part) in places.iter().zip(["x", "y", "z", "w"]) {
        tr.assign(place, access.ty, &format!("{loaded}.{part}"))?;
    }
    Ok(true)
}

/// `st{.order}{.scope}{.space}{.cache}{.vec}.type [a], b`
pub(super) fn store(tr: &mut Translator<'_>, instruction: &Instruction) -> Attempt<bool> {
    let access = Access::read(instruction)?;
    let [address, from] = access.operands(instruction) else {
        return Err(advice(&instruction.opcode));
    };
    let parts = places(from, access.count)?;
    tr.stores();
    if let Some((order, scope)) = access.atomic(tr, false) {
        let ordered = [&*TABLE.orders[order], &*TABLE.scopes[scope]];
        return atomic_stores(tr, &access, address, &parts, ordered);
    }
    let ty = tr.as_held(parts[0], access.ty);
    let access = Access { ty, ..access };
    let name = access.name()?;
    let mut texts = Vec::new();
    for part in &parts {
        texts.push(bare(&tr.read(part, access.ty)?).to_owned());
    }
    let value = if access.count == 1 {
        texts.remove(0)
    } else {
        format!("make_{name}({})", texts.join(", "))
    };
    let cache = access.cache.and_then(|cache| TABLE.stores.get(cache));
    let text = match (access.volatile, cache) {
        (true, _) if access.count == 1 => {
            let pointer = pointer(tr, address, access.space, &format!("volatile {name}"))?;
            format!("*{pointer} = {value}")
        }
        (true, _) => {
            let pointer = pointer(tr, address, access.space, &name)?;
            stored(tr, "cass_volatile_store", &pointer, &value)?
        }
        (false, Some(function)) if tr.request().helpers || access.cache == Some("cg") => {
            let pointer = pointer(tr, address, access.space, &name)?;
            stored(tr, function, &pointer, &value)?
        }
        _ => format!("*{} = {value}", pointer(tr, address, access.space, &name)?),
    };
    tr.plain(text);
    Ok(true)
}

/// A store with an order and a scope, part by part.
fn atomic_stores(
    tr: &mut Translator<'_>,
    access: &Access<'_>,
    address: &Operand,
    parts: &[&Operand],
    [order, scope]: [&str; 2],
) -> Attempt<bool> {
    let size = i64::from(access.ty.bits() / 8);
    for (position, part) in parts.iter().enumerate() {
        let address = moved(address, size * position as i64);
        let pointer = pointer(tr, &address, access.space, access.ty.name())?;
        let text = tr.read(part, access.ty)?;
        tr.plain(format!(
            "__hip_atomic_store({pointer}, {}, {order}, {scope})",
            bare(&text)
        ));
    }
    Ok(true)
}

fn called(tr: &Translator<'_>, function: &str, pointer: &str) -> Attempt<String> {
    if tr.request().helpers {
        Ok(format!("{function}({pointer})"))
    } else {
        Err(no_helpers())
    }
}

fn stored(tr: &Translator<'_>, function: &str, pointer: &str, value: &str) -> Attempt<String> {
    if tr.request().helpers {
        Ok(format!("{function}({pointer}, {value})"))
    } else {
        Err(no_helpers())
    }
}

fn places(operand: &Operand, count: usize) -> Attempt<Vec<&Operand>> {
    match operand {
        Operand::Vector(parts) if parts.len() == count => Ok(parts.iter().collect()),
        one if count == 1 => Ok(vec![one]),
        _ => Err("The vector has another number of parts than the instruction.".to_owned()),
    }
}

/// The address some bytes further.
fn moved(address: &Operand, by: i64) -> Operand {
    match address {
        Operand::Address(base, offset) => Operand::Address(base.clone(), offset + by),
        other => other.clone(),
    }
}
