//! Loads, stores, atomics and asynchronous copies.

mod access;
mod atomic;
mod copy;

pub(super) use self::access::{ANY, Space, pointer};
use self::access::{Access, in_module};
use super::request::{Attempt, advice, no_helpers};
use super::split::{Instruction, Operand};
use super::table::TABLE;
use super::translator::Translator;
use super::types::Holds;
use super::value::{Value, bare};

pub(super) use atomic::atomic;
pub(super) use copy::async_copy;

/// `ld{.order}{.scope}{.space}{.cache}{.vec}.type d, [a]`
pub(super) fn load(tr: &mut Translator<'_>, instruction: &Instruction) -> Attempt<bool> {
    let access = Access::read(instruction)?;
    let [to, address] = access.operands(instruction) else {
        return Err(advice(&instruction.opcode));
    };
    let places = places(to, access.count)?;
    if let Some(value) = whole_parameter(tr, &access, address) {
        let ty = tr.as_held(to, access.ty);
        let text = value.read(ty);
        return tr.assign(to, ty, bare(&text)).map(|()| true);
    }
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
    if tr.request().module.is_some() && access.count > 1 {
        return parts_loaded(tr, &access, address, &places);
    }
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
    if let Some(value) = whole_parameter(tr, &access, address) {
        let ty = tr.as_held(from, access.ty);
        let text = tr.read(from, ty)?;
        tr.plain(format!(
            "{} = {}",
            value.text,
            value.stored(ty, bare(&text))
        ));
        return Ok(true);
    }
    if let Some((order, scope)) = access.atomic(tr, false) {
        let ordered = [&*TABLE.orders[order], &*TABLE.scopes[scope]];
        return atomic_stores(tr, &access, address, &parts, ordered);
    }
    let ty = tr.as_held(parts[0], access.ty);
    let access = Access { ty, ..access };
    if tr.request().module.is_some() && access.count > 1 {
        return parts_stored(tr, &access, address, &parts);
    }
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

/// A parameter that an access is about as a whole.
fn whole_parameter(tr: &Translator<'_>, access: &Access<'_>, address: &Operand) -> Option<Value> {
    let Operand::Address(base, 0) = address else {
        return None;
    };
    let Operand::Name(name) = base.as_ref() else {
        return None;
    };
    if access.space != Space::Parameter || access.count != 1 {
        return None;
    }
    let (name, ty) = tr.symbol(name)?.scalar()?;
    (ty.bits() == access.ty.bits()).then(|| Value::plain(name.to_owned(), Holds::Exactly(ty)))
}

/// Several values from one address, of which PTX promises that it is a multiple of their size.
fn parts_loaded(
    tr: &mut Translator<'_>,
    access: &Access<'_>,
    address: &Operand,
    places: &[&Operand],
) -> Attempt<bool> {
    let volatile = if access.volatile { "volatile " } else { "" };
    let from = aligned(tr, access, address, &format!("const {volatile}"))?;
    for (position, place) in places.iter().enumerate() {
        // The address may be in a register that the load writes: it was read before.
        tr.assign(place, access.ty, &format!("{from}[{position}]"))?;
    }
    Ok(true)
}

fn parts_stored(
    tr: &mut Translator<'_>,
    access: &Access<'_>,
    address: &Operand,
    parts: &[&Operand],
) -> Attempt<bool> {
    let volatile = if access.volatile { "volatile " } else { "" };
    let to = aligned(tr, access, address, volatile)?;
    for (position, part) in parts.iter().enumerate() {
        let text = tr.read(part, access.ty)?;
        tr.plain(format!("{to}[{position}] = {}", bare(&text)));
    }
    Ok(true)
}

/// A pointer to the first of several values, in a variable of its own.
fn aligned(
    tr: &mut Translator<'_>,
    access: &Access<'_>,
    address: &Operand,
    qualifiers: &str,
) -> Attempt<String> {
    let name = format!("{qualifiers}{}", access.ty.name());
    let pointer = pointer(tr, address, access.space, &name)?;
    let size = usize::from(access.ty.bits() / 8) * access.count;
    let text = match access.volatile {
        true => pointer,
        // The function takes no pointer to volatile.
        false => {
            let name = in_module(tr, &name);
            format!("({name}*)__builtin_assume_aligned({pointer}, {size})")
        }
    };
    Ok(tr.define("const auto", "place", &text))
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

/// The registers of an operand, of which the instruction has so many.
pub(super) fn places(operand: &Operand, count: usize) -> Attempt<Vec<&Operand>> {
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
