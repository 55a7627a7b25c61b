//! Loads, stores, atomics and asynchronous copies.

use super::request::{Attempt, advice, no_helpers};
use super::split::{Instruction, Operand};
use super::table::TABLE;
use super::translator::Translator;
use super::types::Type;
use super::value::bare;

/// Modifiers of an access, whatever their order.
struct Access<'i> {
    order: Option<&'i str>,
    scope: Option<&'i str>,
    space: Space,
    cache: Option<&'i str>,
    policy: bool,
    volatile: bool,
    /// Nobody else writes it: constant memory, memory of the thread, read through the path for constants.
    unshared: bool,
    count: usize,
    ty: Type,
    operation: Option<&'i str>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Space {
    Generic,
    Shared,
}

impl<'i> Access<'i> {
    fn read(instruction: &'i Instruction) -> Attempt<Self> {
        let mut access = Self {
            order: None,
            scope: None,
            space: Space::Generic,
            cache: None,
            policy: false,
            volatile: false,
            unshared: false,
            count: 1,
            ty: Type::Bits(32),
            operation: None,
        };
        let mut segments: Vec<&str> = instruction.opcode.split('.').skip(1).collect();
        let last = segments.pop().ok_or_else(|| advice(&instruction.opcode))?;
        let unknown = || {
            let advice = advice(&instruction.opcode);
            if matches!(last, "f16" | "bf16" | "f16x2" | "bf16x2") {
                "Use `unsafeAtomicAdd` or a compare-and-swap loop on the half type.".to_owned()
            } else {
                advice
            }
        };
        access.ty = Type::parse(last)
            .filter(|_| !last.contains("f16") && last != "tf32")
            .ok_or_else(unknown)?;
        for segment in segments {
            match segment {
                "relaxed" | "acquire" | "release" | "acq_rel" => access.order = Some(segment),
                "cta" | "gpu" | "sys" => access.scope = Some(segment),
                "const" | "nc" | "local" => access.unshared = true,
                "global" | "weak" | "ca" | "wb" => {}
                "shared" | "shared::cta" => access.space = Space::Shared,
                "volatile" => access.volatile = true,
                "v2" => access.count = 2,
                "v4" => access.count = 4,
                "L2::cache_hint" => access.policy = true,
                "L1::no_allocate" | "cg" | "cs" | "lu" | "cv" | "wt" => {
                    access.cache = Some(segment);
                }
                "add" | "min" | "max" | "and" | "or" | "xor" | "exch" | "cas" | "inc" | "dec" => {
                    access.operation = Some(segment);
                }
                hint if hint.starts_with("L1::") || hint.starts_with("L2::") => {}
                _ => return Err(unknown()),
            }
        }
        Ok(access)
    }

    /// Order and scope of an access that is no plain one: as written, or those that keep the promises of `asm volatile`, which a thread
    /// may poll with, and of the L2 cache, which has what other blocks wrote. Values of several parts stay plain unless they say more:
    /// kernels that tile matrices load so by the dozen, and none polls.
    fn atomic(&self, tr: &Translator<'_>) -> Option<(&'i str, &'i str)> {
        if let Some(order) = self.order {
            // Without a scope PTX means the whole device.
            return Some((order, self.scope.unwrap_or("gpu")));
        }
        let request = tr.request();
        let is_plain = self.cache.is_none() && !self.volatile && !self.unshared;
        let is_kept = is_plain && self.count == 1 && request.volatile;
        match (self.space, self.cache) {
            (_, Some("cg")) if self.count == 1 && !request.helpers => Some(("relaxed", "gpu")),
            (Space::Generic, None) if is_kept => Some(("relaxed", "gpu")),
            (Space::Shared, None) if is_kept && request.clobbers_memory => Some(("relaxed", "cta")),
            _ => None,
        }
    }

    /// Operands without the cache policy, which is a hint.
    fn operands<'o>(&self, instruction: &'o Instruction) -> &'o [Operand] {
        let all = instruction.operands.as_slice();
        if self.policy && !all.is_empty() {
            &all[..all.len() - 1]
        } else {
            all
        }
    }

    fn name(&self) -> Attempt<String> {
        if self.count == 1 {
            return Ok(self.ty.name().to_owned());
        }
        self.ty.vector(self.count).ok_or_else(|| {
            "HIP has no vector of this type: access the parts one by one.".to_owned()
        })
    }
}

/// The address as a pointer to `name`, fit to stand behind `*`.
fn pointer(
    tr: &mut Translator<'_>,
    address: &Operand,
    space: Space,
    name: &str,
) -> Attempt<String> {
    let Operand::Address(base, offset) = address else {
        return Err("This address has no C++ counterpart.".to_owned());
    };
    let plus = |text: String| match *offset {
        0 => text,
        by if by < 0 => format!("({text} - {})", -by),
        by => format!("({text} + {by})"),
    };
    if space == Space::Shared {
        if !tr.request().helpers {
            return Err(no_helpers());
        }
        let text = plus(tr.read(base, Type::Unsigned(32))?);
        let call = format!("cass_cvta_shared_to_generic({})", bare(&text));
        return Ok(format!("static_cast<{name}*>({call})"));
    }
    // A C cast takes a pointer as well as a number.
    let raw = tr.raw(base)?;
    Ok(match *offset {
        0 => format!("({name}*){raw}"),
        _ => format!("({name}*){}", plus(format!("(const char*){raw}"))),
    })
}

/// `ld{.order}{.scope}{.space}{.cache}{.vec}.type d, [a]`
pub(super) fn load(tr: &mut Translator<'_>, instruction: &Instruction) -> Attempt<bool> {
    let access = Access::read(instruction)?;
    let [to, address] = access.operands(instruction) else {
        return Err(advice(&instruction.opcode));
    };
    let places = places(to, access.count)?;
    if let Some((order, scope)) = access.atomic(tr) {
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
    if let Some((order, scope)) = access.atomic(tr) {
        let size = i64::from(access.ty.bits() / 8);
        for (position, part) in parts.iter().enumerate() {
            let address = moved(address, size * position as i64);
            let pointer = pointer(tr, &address, access.space, access.ty.name())?;
            let text = tr.read(part, access.ty)?;
            tr.plain(format!(
                "__hip_atomic_store({pointer}, {}, {}, {})",
                bare(&text),
                TABLE.orders[order],
                TABLE.scopes[scope]
            ));
        }
        return Ok(true);
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

/// `atom{.order}{.scope}{.space}.op.type d, [a], b{, c}` and `red` without result.
pub(super) fn atomic(tr: &mut Translator<'_>, instruction: &Instruction) -> Attempt<bool> {
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

/// `cp.async.{ca|cg}.shared.global [d], [s], size{, source-size | ignore}{, policy}`
pub(super) fn async_copy(tr: &mut Translator<'_>, instruction: &Instruction) -> Attempt<bool> {
    let segments: Vec<&str> = instruction.opcode.split('.').skip(1).collect();
    let [
        "async",
        "ca" | "cg",
        "shared" | "shared::cta",
        "global",
        hints @ ..,
    ] = segments.as_slice()
    else {
        return Err(advice(&instruction.opcode));
    };
    if hints.iter().any(|hint| !hint.starts_with("L2::")) {
        return Err(advice(&instruction.opcode));
    }
    let policy = usize::from(hints.contains(&"L2::cache_hint"));
    let operands = &instruction.operands[..instruction.operands.len().saturating_sub(policy)];
    let [
        Operand::Address(to, 0),
        Operand::Address(from, 0),
        size,
        rest @ ..,
    ] = operands
    else {
        return Err("Offsets in the addresses of an asynchronous copy have no translation yet: add them outside.".to_owned());
    };
    if !tr.request().helpers {
        return Err(no_helpers());
    }
    let to = tr.read(to, Type::Unsigned(32))?;
    let from = tr.address(from)?;
    let size = tr.literal_or_constant(size)?;
    let given = match rest {
        [] => None,
        [Operand::Name(name)] if tr.is_predicate(name) => {
            let ignore = tr.read(&rest[0], Type::Predicate)?;
            Some(format!("{ignore} ? 0u : {size}u"))
        }
        [given] => Some(tr.read(given, Type::Unsigned(32))?),
        _ => return Err(advice(&instruction.opcode)),
    };
    tr.review("The copy is synchronous on AMD: the meaning is the same, but copies no longer overlap with arithmetic; keep the barrier behind it.");
    tr.stores();
    let to = bare(&to);
    tr.plain(match given {
        Some(given) => format!("cass_cp_async<{size}>({to}, {from}, {})", bare(&given)),
        None => format!("cass_cp_async<{size}>({to}, {from})"),
    });
    Ok(true)
}

fn scope(access: &Access<'_>) -> &'static str {
    // Without a scope PTX means the whole device.
    TABLE.scopes[access.scope.unwrap_or("gpu")].as_str()
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
