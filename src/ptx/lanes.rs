//! What concerns the lanes of a warp or a whole block: shuffles, elections, barriers; and cache policies.

use super::request::{Attempt, advice};
use super::split::{Instruction, Operand, integer};
use super::translator::Translator;
use super::types::Type;
use super::value::bare;

/// The mode of a shuffle with the helper and the function of HIP that do the same.
type Shuffle = (&'static str, &'static str, &'static str);

fn shuffle_mode(segments: &[&str]) -> Option<Shuffle> {
    segments.iter().find_map(|name| match *name {
        "idx" => Some(("idx", "cass_shfl_sync", "__shfl")),
        "up" => Some(("up", "cass_shfl_up_sync", "__shfl_up")),
        "down" => Some(("down", "cass_shfl_down_sync", "__shfl_down")),
        "bfly" => Some(("bfly", "cass_shfl_xor_sync", "__shfl_xor")),
        _ => None,
    })
}

/// Lanes of the segments that a shuffle exchanges within, from its clamp operand.
fn segment_width(tr: &Translator<'_>, mode: &str, clamp: &Operand) -> Attempt<i64> {
    let clamp = tr.constant(clamp).ok_or(
        "The clamp operand is no constant, so the width is unknown: use `__shfl*` with a width.",
    )?;
    let (segment, last) = ((clamp >> 8) & 0x1f, clamp & 0x1f);
    let width = 32 - segment;
    let regular = last == if mode == "up" { 0 } else { 0x1f };
    if !regular || width & (width - 1) != 0 {
        return Err("The clamp operand names no segment of a power of two lanes: use `__shfl*` with a width.".to_owned());
    }
    Ok(width)
}

/// Whether the lane that is read from lies in the reader's segment.
fn in_range_test(mode: &str, distance: &str, width: i64) -> Attempt<String> {
    let rank = format!("(__lane_id() & {}u)", width - 1);
    match mode {
        "up" => Ok(format!("{rank} >= {}", tr_unsigned(distance))),
        "down" => Ok(format!("{rank} + {} < {width}u", tr_unsigned(distance))),
        "idx" | "bfly" if width == 32 => Ok("true".to_owned()),
        _ => Err("The predicate of this shuffle has no known translation.".to_owned()),
    }
}

/// `shfl.sync.mode.b32 d{|p}, a, b, c, mask`
pub(super) fn shuffle(tr: &mut Translator<'_>, instruction: &Instruction) -> Attempt<bool> {
    let segments = instruction.modifiers();
    let (Some((mode, helper, native)), [to, a, b, clamp, rest @ ..]) =
        (shuffle_mode(&segments), instruction.operands.as_slice())
    else {
        return Err(advice(&instruction.opcode));
    };
    let width = segment_width(tr, mode, clamp);
    let (to, predicate) = match to {
        // nvcc names a predicate for every shuffle.
        Operand::Pair(value, predicate) if tr.is_unread(predicate) => (value.as_ref(), None),
        Operand::Pair(value, predicate) => (value.as_ref(), Some(predicate.as_ref())),
        one => (one, None),
    };
    let ty = tr.as_held(to, Type::Bits(32));
    let (a, b) = (tr.read(a, ty)?, tr.read(b, Type::Bits(32))?);
    let (a, b) = (bare(&a).to_owned(), bare(&b).to_owned());
    let mask = match rest.first() {
        Some(mask) => tr.read(mask, Type::Bits(32))?,
        None if segments.contains(&"sync") => return Err(advice(&instruction.opcode)),
        None => "0xffffffffu".to_owned(),
    };
    let range = predicate.map(|_| in_range_test(mode, &b, *width.as_ref().unwrap_or(&32)));
    let has_helpers = tr.request().helpers && !tr.request().native;
    if has_helpers && (width.is_err() || matches!(range, Some(Err(_)))) {
        let clamp = tr.read(clamp, Type::Unsigned(32))?;
        let from = format!("cass_shfl_{}_lane({b}, {})", name_of(mode), bare(&clamp));
        let lane = tr.define("const unsigned", "lane", &from);
        let mask = bare(&mask).to_owned();
        tr.assign(to, ty, &format!("cass_shfl_sync({mask}, {a}, {lane})"))?;
        if let Some(predicate) = predicate {
            tr.assign(predicate, Type::Predicate, &format!("{lane} < 32u"))?;
        }
        return Ok(true);
    }
    let width = width?;
    let text = if !has_helpers {
        if tr.request().native {
            tr.review("Check the width: the shuffle keeps segments of at most 32 lanes within a wavefront of 64.");
        }
        format!("{native}({a}, {b}, {width})")
    } else if width == 32 {
        format!("{helper}({}, {a}, {b})", bare(&mask))
    } else {
        format!("{helper}({}, {a}, {b}, {width})", bare(&mask))
    };
    // Both results are computed from the old values.
    let reach = match range {
        Some(range) => Some(tr.define("const bool", "in_range", &range?)),
        None => None,
    };
    tr.assign(to, ty, &text)?;
    if let (Some(predicate), Some(reach)) = (predicate, reach) {
        tr.assign(predicate, Type::Predicate, &reach)?;
    }
    Ok(true)
}

/// What a mode is called in C++.
fn name_of(mode: &str) -> &str {
    if mode == "bfly" { "xor" } else { mode }
}

/// A distance is taken modulo 32.
fn tr_unsigned(text: &str) -> String {
    format!("(static_cast<unsigned>({text}) & 31u)")
}

/// `elect.sync d|p, mask`
pub(super) fn elect(tr: &mut Translator<'_>, instruction: &Instruction) -> Attempt<bool> {
    let [Operand::Pair(lane, predicate), mask] = instruction.operands.as_slice() else {
        return Err(advice(&instruction.opcode));
    };
    if !tr.request().helpers || tr.request().native {
        return Err(advice(&instruction.opcode));
    }
    let mask = tr.read(mask, Type::Unsigned(32))?;
    let text = format!("cass_elect({})", bare(&mask));
    if **lane != Operand::Sink {
        let leader = format!("__ffs(cass_activemask() & {mask}) - 1");
        tr.assign(lane, Type::Signed(32), &leader)?;
    }
    tr.assign(predicate, Type::Predicate, &text)?;
    Ok(true)
}

/// `createpolicy.… d, …`: the policy is an operand of hints alone, which are dropped.
pub(super) fn policy(tr: &mut Translator<'_>, instruction: &Instruction) -> Attempt<bool> {
    let [to, ..] = instruction.operands.as_slice() else {
        return Err(advice(&instruction.opcode));
    };
    tr.review("Cache policies are hints that AMD does not take; the value is used by none of the translated accesses.");
    tr.assign(to, Type::Unsigned(64), "0")?;
    Ok(true)
}

/// `bar.sync 0` and its like: the whole block.
pub(super) fn barrier(tr: &mut Translator<'_>, instruction: &Instruction) -> Attempt<bool> {
    let segments: Vec<&str> = instruction
        .modifiers()
        .into_iter()
        .filter(|name| !matches!(*name, "aligned" | "cta"))
        .collect();
    let zero =
        |operand: &Operand| matches!(operand, Operand::Number(text) if integer(text) == Some(0));
    match (segments.as_slice(), instruction.operands.as_slice()) {
        (["sync"], [id]) if zero(id) => {
            tr.plain("__syncthreads()".to_owned());
            tr.stores();
            Ok(true)
        }
        (["red", operation, ty], [to, id, predicate]) if zero(id) => {
            let predicate = tr.read(predicate, Type::Predicate)?;
            let predicate = bare(&predicate).to_owned();
            let (name, result) = match (*operation, *ty) {
                ("popc", "u32") => ("__syncthreads_count", Type::Signed(32)),
                ("and", "pred") => ("__syncthreads_and", Type::Predicate),
                ("or", "pred") => ("__syncthreads_or", Type::Predicate),
                _ => return Err(advice(&instruction.opcode)),
            };
            let text = if result == Type::Predicate {
                format!("{name}({predicate}) != 0")
            } else {
                format!("{name}({predicate})")
            };
            tr.assign(to, result, &text)?;
            tr.stores();
            Ok(true)
        }
        (["warp", "sync"], _) => Ok(false),
        _ => Err(advice(&instruction.opcode)),
    }
}
