//! An access to memory as its opcode says it: type, space, order, scope, cache.

use crate::ptx::request::{Attempt, advice, no_helpers};
use crate::ptx::split::{Instruction, Operand};
use crate::ptx::translator::Translator;
use crate::ptx::types::Type;
use crate::ptx::value::bare;

/// Modifiers of an access, whatever their order.
pub(super) struct Access<'i> {
    pub(super) order: Option<&'i str>,
    pub(super) scope: Option<&'i str>,
    pub(super) space: Space,
    pub(super) cache: Option<&'i str>,
    pub(super) policy: bool,
    pub(super) volatile: bool,
    /// Nobody else writes it: constant memory, memory of the thread, read through the path for constants.
    pub(super) unshared: bool,
    pub(super) count: usize,
    pub(super) ty: Type,
    pub(super) operation: Option<&'i str>,
    /// The type, where its numbers have 16 bits of floating point: `f16x2`.
    pub(super) halves: Option<&'i str>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::ptx) enum Space {
    Generic,
    Shared,
    /// Parameters of functions and calls, which only modules have.
    Parameter,
}

impl<'i> Access<'i> {
    /// An access whose numbers C++ moves as they are.
    pub(super) fn read(instruction: &'i Instruction) -> Attempt<Self> {
        let access = Self::of(instruction)?;
        match access.halves {
            Some(_) => Err(advice(&instruction.opcode)),
            None => Ok(access),
        }
    }

    pub(super) fn of(instruction: &'i Instruction) -> Attempt<Self> {
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
            halves: None,
        };
        let mut segments: Vec<&str> = instruction.opcode.split('.').skip(1).collect();
        let last = segments.pop().ok_or_else(|| advice(&instruction.opcode))?;
        let unknown = || advice(&instruction.opcode);
        access.ty = Type::parse(last)
            .filter(|_| last != "tf32")
            .ok_or_else(unknown)?;
        access.halves = last.contains("f16").then_some(last);
        for segment in segments {
            match segment {
                "relaxed" | "acquire" | "release" | "acq_rel" => access.order = Some(segment),
                "cta" | "gpu" | "sys" => access.scope = Some(segment),
                "const" | "nc" | "local" => access.unshared = true,
                "global" | "weak" | "ca" | "wb" => {}
                "param" | "param::entry" | "param::func" => access.space = Space::Parameter,
                "shared" | "shared::cta" => access.space = Space::Shared,
                "volatile" => access.volatile = true,
                "noftz" if access.halves.is_some() => {}
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
    pub(super) fn atomic(&self, tr: &Translator<'_>, loads: bool) -> Option<(&'i str, &'i str)> {
        if let Some(order) = self.order {
            // Without a scope PTX means the whole device.
            return Some((order, self.scope.unwrap_or("gpu")));
        }
        let request = tr.request();
        // A hint to the caches keeps nobody from polling; stores are left to it.
        let is_hint = matches!(self.cache, Some("cs" | "lu" | "L1::no_allocate")) && loads;
        let is_plain = (is_hint || self.cache.is_none()) && !self.volatile && !self.unshared;
        let is_kept = is_plain && self.count == 1 && request.volatile;
        match (self.space, self.cache) {
            (_, Some("cg")) if self.count == 1 && !request.helpers => Some(("relaxed", "gpu")),
            (Space::Generic, None) if is_kept => Some(("relaxed", "gpu")),
            (Space::Generic, Some(_)) if is_kept && is_hint => Some(("relaxed", "gpu")),
            (Space::Shared, None) if is_kept && request.clobbers_memory => Some(("relaxed", "cta")),
            _ => None,
        }
    }

    /// Operands without the cache policy, which is a hint.
    pub(super) fn operands<'o>(&self, instruction: &'o Instruction) -> &'o [Operand] {
        let all = instruction.operands.as_slice();
        if self.policy && !all.is_empty() {
            &all[..all.len() - 1]
        } else {
            all
        }
    }

    pub(super) fn name(&self) -> Attempt<String> {
        if self.count == 1 {
            return Ok(self.ty.name().to_owned());
        }
        self.ty.vector(self.count).ok_or_else(|| {
            "HIP has no vector of this type: access the parts one by one.".to_owned()
        })
    }
}

/// The address as a pointer to `name`, fit to stand behind `*`.
pub(in crate::ptx) fn pointer(
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
    if space == Space::Parameter && tr.request().module.is_none() {
        return Err(advice("ld.param"));
    }
    let name = &in_module(tr, name);
    if let Operand::Name(base) = base.as_ref()
        && let Some(symbol) = tr.symbol(base)
    {
        let address = symbol.address();
        return Ok(match *offset {
            0 => format!("({name}*){address}"),
            _ => format!("({name}*){}", plus(format!("(const char*){address}"))),
        });
    }
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

/// A type as a module's memory is read and written: any instruction may name any type for the same bytes, which C++ forbids its own types.
pub(super) fn in_module(tr: &Translator<'_>, name: &str) -> String {
    if tr.request().module.is_none() {
        return name.to_owned();
    }
    let stem = name.trim_start_matches("const ");
    let is_constant = stem.len() < name.len();
    let (is_volatile, stem) = match stem.strip_prefix("volatile ") {
        Some(stem) => (true, stem),
        None => (false, stem),
    };
    let any = ANY.iter().find(|(_, ty)| *ty == stem);
    let mut text = String::new();
    if is_constant {
        text.push_str("const ");
    }
    if is_volatile {
        text.push_str("volatile ");
    }
    text + any.map_or(stem, |(any, _)| any)
}

/// Types of C++ under names that may stand for any memory; those of one byte may do so as they are.
pub(in crate::ptx) const ANY: &[(&str, &str)] = &[
    ("any_u16", "unsigned short"),
    ("any_s16", "short"),
    ("any_u32", "unsigned"),
    ("any_s32", "int"),
    ("any_u64", "unsigned long long"),
    ("any_s64", "long long"),
    ("any_f32", "float"),
    ("any_f64", "double"),
];
