//! `cp.async`.

use crate::ptx::request::{Attempt, advice, no_helpers};
use crate::ptx::split::{Instruction, Operand};
use crate::ptx::translator::Translator;
use crate::ptx::types::Type;
use crate::ptx::value::bare;

/// How many bytes of the source are read: the number that is given, or none of `size` where a predicate says to ignore it.
fn bytes_read(tr: &mut Translator<'_>, given: &Operand, size: &str) -> Attempt<String> {
    match given {
        Operand::Name(name) if tr.is_predicate(name) => {
            let ignore = tr.read(given, Type::Predicate)?;
            Ok(format!("{ignore} ? 0u : {size}u"))
        }
        _ => tr.read(given, Type::Unsigned(32)),
    }
}

/// `cp.async.{ca|cg}.shared.global [d], [s], size{, source-size | ignore}{, policy}`
pub(in crate::ptx) fn async_copy(
    tr: &mut Translator<'_>,
    instruction: &Instruction,
) -> Attempt<bool> {
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
        [given] => Some(bytes_read(tr, given, &size)?),
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
