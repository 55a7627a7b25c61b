//! Instructions whose C++ depends on more than their types: comparisons, conversions, truth tables, shuffles, barriers, packing.

use std::sync::LazyLock;

use super::split::{Instruction, Operand, integer};
use super::translate::{Attempt, Translator, advice, no_helpers};
use super::types::Type;
use super::value::bare;

/// `setp.CmpOp{.BoolOp}{.ftz}.type p{|q}, a, b{, c}`
pub(super) fn setp(tr: &mut Translator<'_>, instruction: &Instruction) -> Attempt<bool> {
    let segments: Vec<&str> = modifiers(instruction);
    let [to, a, b, rest @ ..] = instruction.operands.as_slice() else {
        return Err(advice(&instruction.opcode));
    };
    let (first, second) = match to {
        Operand::Pair(first, second) => (first.as_ref(), Some(second.as_ref())),
        one => (one, None),
    };
    let compared = comparison(tr, &segments, a, b)?;
    let joiner = segments.iter().find_map(|name| match *name {
        "and" => Some("&&"),
        "or" => Some("||"),
        "xor" => Some("!="),
        _ => None,
    });
    let other = match (joiner, rest) {
        (Some(joiner), [other]) => Some((joiner, tr.read(other, Type::Predicate)?)),
        (None, []) => None,
        _ => return Err(advice(&instruction.opcode)),
    };
    let joined = |text: String| match &other {
        Some((joiner, other)) => format!("({text}) {joiner} {other}"),
        None => text,
    };
    if let Some(second) = second {
        // The second result is computed first: it may read what the first one overwrites.
        let inverse = joined(format!("!({compared})"));
        let kept = tr.define("const bool", "compared", &joined(compared));
        tr.assign(second, Type::Predicate, &inverse)?;
        tr.assign(first, Type::Predicate, &kept)?;
    } else {
        tr.assign(first, Type::Predicate, &joined(compared))?;
    }
    Ok(true)
}

/// `set.CmpOp.dtype.stype d, a, b`
pub(super) fn set(tr: &mut Translator<'_>, instruction: &Instruction) -> Attempt<bool> {
    let segments = modifiers(instruction);
    let ([to, a, b], [.., result, _]) = (instruction.operands.as_slice(), segments.as_slice())
    else {
        return Err(advice(&instruction.opcode));
    };
    let text = comparison(tr, &segments, a, b)?;
    match Type::parse(result) {
        Some(Type::Float(32)) => {
            tr.assign(to, Type::Float(32), &format!("{text} ? 1.0f : 0.0f"))?;
        }
        Some(ty) if ty.bits() == 32 => {
            tr.assign(
                to,
                Type::Unsigned(32),
                &format!("{text} ? 0xffffffffu : 0u"),
            )?;
        }
        _ => return Err(advice(&instruction.opcode)),
    }
    Ok(true)
}

fn comparison(
    tr: &mut Translator<'_>,
    segments: &[&str],
    a: &Operand,
    b: &Operand,
) -> Attempt<String> {
    let unknown = || "This comparison has no known translation: write it in C++.".to_owned();
    let [name, .., last] = segments else {
        return Err(unknown());
    };
    if matches!(*last, "f16" | "bf16" | "f16x2" | "bf16x2") {
        return Err("Compare halves with `__hlt`, `__heq` and their like.".to_owned());
    }
    let ty = Type::parse(last).ok_or_else(unknown)?;
    let (a, b) = (tr.read(a, ty)?, tr.read(b, ty)?);
    let float = matches!(ty, Type::Float(_));
    let text = match *name {
        "eq" => format!("{a} == {b}"),
        // Ordered in PTX: false when either is no number, which C++'s `!=` is not.
        "ne" if float => format!("{a} < {b} || {a} > {b}"),
        "ne" | "neu" => format!("{a} != {b}"),
        "lt" | "lo" => format!("{a} < {b}"),
        "le" | "ls" => format!("{a} <= {b}"),
        "gt" | "hi" => format!("{a} > {b}"),
        "ge" | "hs" => format!("{a} >= {b}"),
        "equ" => format!("!({a} < {b} || {a} > {b})"),
        "ltu" => format!("!({a} >= {b})"),
        "leu" => format!("!({a} > {b})"),
        "gtu" => format!("!({a} <= {b})"),
        "geu" => format!("!({a} < {b})"),
        "num" => format!("!isnan({}) && !isnan({})", bare(&a), bare(&b)),
        "nan" => format!("isnan({}) || isnan({})", bare(&a), bare(&b)),
        _ => return Err(unknown()),
    };
    Ok(text)
}

/// `cvt` between integers, and between integers and floats; the table has those of halves.
pub(super) fn convert(tr: &mut Translator<'_>, instruction: &Instruction) -> Attempt<bool> {
    let segments = modifiers(instruction);
    let ([to, from], [.., result, source]) = (instruction.operands.as_slice(), segments.as_slice())
    else {
        return Ok(false);
    };
    let small = |name: &str| name.contains("16x") || name.ends_with("f16") || name.starts_with('e');
    let (Some(result_type), Some(source_type)) = (Type::parse(result), Type::parse(source)) else {
        return Ok(false);
    };
    if small(result) || small(source) || *result == "tf32" {
        return Ok(false);
    }
    let rounding = segments.first().copied().unwrap_or_default();
    let saturates = segments.contains(&"sat");
    let text = match (result_type, source_type) {
        (Type::Float(bits), Type::Float(wide)) => {
            float_to_float(tr, from, (bits, wide), rounding, saturates)?
        }
        (Type::Float(bits), integer) if integer.is_integer() => {
            let exact = bits == 64 && integer.bits() <= 32;
            (rounding == "rn" || exact)
                .then(|| tr.read(from, integer))
                .transpose()?
                .map(|text| format!("static_cast<{}>({})", result_type.name(), bare(&text)))
        }
        (integer, Type::Float(bits)) if integer.is_integer() => {
            float_to_integer(tr, from, integer, bits, rounding)?
        }
        (wanted, given) if wanted.is_integer() && given.is_integer() => {
            let text = tr.read(from, given)?;
            integer_to_integer(&text, wanted, given, saturates)
        }
        _ => None,
    };
    match text {
        Some(text) => tr.assign(to, result_type, &text).map(|()| true),
        None => Ok(false),
    }
}

fn float_to_float(
    tr: &mut Translator<'_>,
    from: &Operand,
    (bits, wide): (u8, u8),
    rounding: &str,
    saturates: bool,
) -> Attempt<Option<String>> {
    let text = tr.read(from, Type::Float(wide))?;
    let text = bare(&text);
    let suffix = if bits == 32 { "f" } else { "" };
    let converted = match (bits, wide, rounding) {
        (32, 32, "rni") | (64, 64, "rni") => format!("rint{suffix}({text})"),
        (32, 32, "rzi") | (64, 64, "rzi") => format!("trunc{suffix}({text})"),
        (32, 32, "rmi") | (64, 64, "rmi") => format!("floor{suffix}({text})"),
        (32, 32, "rpi") | (64, 64, "rpi") => format!("ceil{suffix}({text})"),
        (32, 64, "rn") => format!("static_cast<float>({text})"),
        (64, 32, _) => format!("static_cast<double>({text})"),
        (32, 32, "sat" | "ftz") => text.to_owned(),
        _ => return Ok(None),
    };
    Ok(Some(if saturates && bits == 32 {
        format!("fminf(fmaxf({converted}, 0.0f), 1.0f)")
    } else {
        converted
    }))
}

/// PTX clamps to the range of the result, as the instructions of AMD behind these functions do.
fn float_to_integer(
    tr: &mut Translator<'_>,
    from: &Operand,
    result: Type,
    bits: u8,
    rounding: &str,
) -> Attempt<Option<String>> {
    let mode = match rounding {
        "rni" => "rn",
        "rzi" => "rz",
        "rmi" => "rd",
        "rpi" => "ru",
        _ => return Ok(None),
    };
    let text = tr.read(from, Type::Float(bits))?;
    let stem = if bits == 32 { "__float2" } else { "__double2" };
    let signed = matches!(result, Type::Signed(_));
    let whole = match (result.bits(), signed) {
        (64, true) => "ll",
        (64, false) => "ull",
        (_, true) => "int",
        (_, false) => "uint",
    };
    let call = |text: &str| format!("{stem}{whole}_{mode}({text})");
    Ok(Some(match result.bits() {
        32 | 64 => call(bare(&text)),
        narrow => {
            let (low, high) = limits(narrow, signed);
            let clamped = if bits == 32 {
                format!("fminf(fmaxf({}, {low}.0f), {high}.0f)", bare(&text))
            } else {
                format!("fmin(fmax({}, {low}.0), {high}.0)", bare(&text))
            };
            format!("static_cast<{}>({})", result.name(), call(&clamped))
        }
    }))
}

fn integer_to_integer(text: &str, wanted: Type, given: Type, saturates: bool) -> Option<String> {
    if !saturates {
        return Some(format!("static_cast<{}>({})", wanted.name(), bare(text)));
    }
    let (low, high) = limits(wanted.bits(), matches!(wanted, Type::Signed(_)));
    (wanted.bits() < given.bits() && given == Type::Signed(32)).then(|| {
        format!(
            "static_cast<{}>(min(max({}, {low}), {high}))",
            wanted.name(),
            bare(text)
        )
    })
}

fn limits(bits: u8, signed: bool) -> (i64, i64) {
    if signed {
        (-(1 << (bits - 1)), (1 << (bits - 1)) - 1)
    } else {
        (0, (1 << bits) - 1)
    }
}

/// `lop3.b32 d, a, b, c, table`
pub(super) fn lop3(tr: &mut Translator<'_>, instruction: &Instruction) -> Attempt<bool> {
    let ("lop3.b32", [to, a, b, c, table]) =
        (instruction.opcode.as_str(), instruction.operands.as_slice())
    else {
        return Err("Write the logic operation in C++.".to_owned());
    };
    let bits = Type::Bits(32);
    let text = match constant(tr, table) {
        Some(table) => {
            let names = [tr.read(a, bits)?, tr.read(b, bits)?, tr.read(c, bits)?];
            LOGIC[(table & 0xff) as usize].write(&names, false)
        }
        None if tr.request.helpers => {
            let wide = Type::Unsigned(32);
            let [a, b, c] = [a, b, c].map(|operand| tr.read(operand, wide));
            let (a, b, c) = (a?, b?, c?);
            let table = tr.literal_or_constant(table)?;
            format!(
                "cass_lop3<{table}>({}, {}, {})",
                bare(&a),
                bare(&b),
                bare(&c)
            )
        }
        None => return Err(no_helpers()),
    };
    tr.assign(to, bits, bare(&text))?;
    Ok(true)
}

/// The value of a literal, or of an operand of the statement that is one.
fn constant(tr: &Translator<'_>, operand: &Operand) -> Option<i64> {
    match operand {
        Operand::Number(text) => integer(text),
        Operand::Asm(position) => integer(tr.request.operands.get(*position)?.value.text.trim()),
        _ => None,
    }
}

/// A logic expression of three operands.
#[derive(Clone, Debug)]
enum Logic {
    Constant(bool),
    Input(usize),
    Not(Box<Logic>),
    Join(char, Box<Logic>, Box<Logic>),
}

impl Logic {
    fn write(&self, names: &[String; 3], nested: bool) -> String {
        match self {
            Self::Constant(value) => if *value { "0xffffffffu" } else { "0u" }.to_owned(),
            Self::Input(position) => names[*position].clone(),
            Self::Not(inner) => format!("~{}", inner.write(names, true)),
            Self::Join(operator, left, right) => {
                // Chains of one associative operator need no inner parentheses.
                let part = |side: &Self| {
                    let same = matches!(side, Self::Join(other, ..) if other == operator);
                    side.write(names, !same)
                };
                let text = format!("{} {operator} {}", part(left), part(right));
                if nested { format!("({text})") } else { text }
            }
        }
    }
}

/// The shortest expression for each of the 256 truth tables; bit `4a + 2b + c` of a table is its value for that input.
static LOGIC: LazyLock<Vec<Logic>> = LazyLock::new(|| {
    let mut best: Vec<Option<(usize, Logic)>> = vec![None; 256];
    best[0] = Some((0, Logic::Constant(false)));
    best[255] = Some((0, Logic::Constant(true)));
    for (position, table) in [0xf0usize, 0xcc, 0xaa].into_iter().enumerate() {
        best[table] = Some((1, Logic::Input(position)));
    }
    let mut cost = 1;
    // No function of three inputs needs more than this many operands and operators.
    while cost < 16 && best.iter().any(Option::is_none) {
        cost += 1;
        // From the last table down: `a` comes before `b` and `c`, as somebody would write it.
        let known: Vec<(usize, usize)> = best
            .iter()
            .enumerate()
            .rev()
            .filter_map(|(table, entry)| entry.as_ref().map(|(cost, _)| (table, *cost)))
            .collect();
        for &(table, spent) in &known {
            if spent + 1 == cost && best[255 ^ table].is_none() {
                let inner = best[table].as_ref().expect("it is known").1.clone();
                best[255 ^ table] = Some((cost, Logic::Not(Box::new(inner))));
            }
        }
        for &(left, left_cost) in &known {
            for &(right, right_cost) in &known {
                if left_cost + right_cost + 1 != cost || left_cost == 0 || right_cost == 0 {
                    continue;
                }
                for (operator, table) in [
                    ('&', left & right),
                    ('|', left | right),
                    ('^', left ^ right),
                ] {
                    if best[table].is_none() {
                        let side = |table: usize| {
                            Box::new(best[table].as_ref().expect("it is known").1.clone())
                        };
                        best[table] = Some((cost, Logic::Join(operator, side(left), side(right))));
                    }
                }
            }
        }
    }
    best.into_iter()
        .map(|entry| entry.expect("three inputs need at most 15").1)
        .collect()
});

/// `shfl.sync.mode.b32 d{|p}, a, b, c, mask`
pub(super) fn shuffle(tr: &mut Translator<'_>, instruction: &Instruction) -> Attempt<bool> {
    let segments = modifiers(instruction);
    let synced = segments.contains(&"sync");
    let mode = segments.iter().find_map(|name| match *name {
        "idx" => Some(("idx", "cass_shfl_sync", "__shfl")),
        "up" => Some(("up", "cass_shfl_up_sync", "__shfl_up")),
        "down" => Some(("down", "cass_shfl_down_sync", "__shfl_down")),
        "bfly" => Some(("bfly", "cass_shfl_xor_sync", "__shfl_xor")),
        _ => None,
    });
    let (Some((mode, helper, native)), [to, a, b, c, rest @ ..]) =
        (mode, instruction.operands.as_slice())
    else {
        return Err(advice(&instruction.opcode));
    };
    let clamp = constant(tr, c).ok_or(
        "The clamp operand is no constant, so the width is unknown: use `__shfl*` with a width.",
    )?;
    let (segment, last) = ((clamp >> 8) & 0x1f, clamp & 0x1f);
    let width = 32 - segment;
    let regular = last == if mode == "up" { 0 } else { 0x1f };
    if !regular || width & (width - 1) != 0 {
        return Err("The clamp operand names no segment of a power of two lanes: use `__shfl*` with a width.".to_owned());
    }
    let (to, predicate) = match to {
        Operand::Pair(value, predicate) => (value.as_ref(), Some(predicate.as_ref())),
        one => (one, None),
    };
    let ty = tr.as_held(to, Type::Bits(32));
    let (a, b) = (tr.read(a, ty)?, tr.read(b, Type::Bits(32))?);
    let (a, b) = (bare(&a).to_owned(), bare(&b).to_owned());
    let mask = match rest.first() {
        Some(mask) => tr.read(mask, Type::Bits(32))?,
        None if synced => return Err(advice(&instruction.opcode)),
        None => "0xffffffffu".to_owned(),
    };
    let text = if tr.request.native || !tr.request.helpers {
        if tr.request.native {
            tr.review("Check the width: the shuffle keeps segments of at most 32 lanes within a wavefront of 64.");
        }
        format!("{native}({a}, {b}, {width})")
    } else if width == 32 {
        format!("{helper}({}, {a}, {b})", bare(&mask))
    } else {
        format!("{helper}({}, {a}, {b}, {width})", bare(&mask))
    };
    if let Some(predicate) = predicate {
        let rank = format!("(__lane_id() & {}u)", width - 1);
        let reach = match mode {
            "up" => format!("{rank} >= {}", tr_unsigned(&b)),
            "down" => format!("{rank} + {} < {width}u", tr_unsigned(&b)),
            "idx" if width == 32 => "true".to_owned(),
            "bfly" if width == 32 => "true".to_owned(),
            _ => return Err("The predicate of this shuffle has no known translation.".to_owned()),
        };
        // Both are computed from the old values.
        let name = tr.define("const bool", "in_range", &reach);
        tr.assign(to, ty, &text)?;
        tr.assign(predicate, Type::Predicate, &name)?;
        return Ok(true);
    }
    tr.assign(to, ty, &text)?;
    Ok(true)
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
    if !tr.request.helpers || tr.request.native {
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
    let segments: Vec<&str> = modifiers(instruction)
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

/// `mov.b64 d, {lo, hi}` and `mov.b64 {lo, hi}, a`; other moves are the table's.
pub(super) fn pack(tr: &mut Translator<'_>, instruction: &Instruction) -> Attempt<bool> {
    let segments = modifiers(instruction);
    let bits = match segments.as_slice() {
        ["b32" | "u32" | "s32"] => 32u8,
        ["b64" | "u64" | "s64" | "f64"] => 64,
        _ => return Ok(false),
    };
    match instruction.operands.as_slice() {
        [to, Operand::Vector(parts)] => {
            let part_bits = part_bits(parts, bits)?;
            let whole = Type::Unsigned(bits);
            let mut texts = Vec::new();
            for (position, part) in parts.iter().enumerate() {
                let text = tr.read(part, Type::Unsigned(part_bits))?;
                let wide = if part_bits == 32 || bits == 64 {
                    format!("static_cast<{}>({})", whole.name(), bare(&text))
                } else {
                    format!("static_cast<unsigned>({})", bare(&text))
                };
                texts.push(match position {
                    0 => text,
                    _ => format!("{wide} << {}", usize::from(part_bits) * position),
                });
            }
            tr.assign(to, whole, &texts.join(" | "))?;
            Ok(true)
        }
        [Operand::Vector(parts), from] => {
            let part_bits = part_bits(parts, bits)?;
            let part = Type::Unsigned(part_bits);
            let text = tr.read(from, Type::Unsigned(bits))?;
            // The source is read once: an output may be the variable it comes from.
            let text = if is_name(&text) && parts.iter().all(|to| !tr.writes(to, &text)) {
                text
            } else {
                tr.define(
                    &format!("const {}", Type::Unsigned(bits).name()),
                    "packed",
                    bare(&text),
                )
            };
            for (position, to) in parts.iter().enumerate() {
                let shift = usize::from(part_bits) * position;
                let piece = if shift == 0 {
                    format!("static_cast<{}>({text})", part.name())
                } else {
                    format!("static_cast<{}>({text} >> {shift})", part.name())
                };
                tr.assign(to, part, &piece)?;
            }
            Ok(true)
        }
        _ => Ok(false),
    }
}

fn part_bits(parts: &[Operand], bits: u8) -> Attempt<u8> {
    match parts.len() {
        2 => Ok(bits / 2),
        4 => Ok(bits / 4),
        _ => Err("Pack the parts with shifts in C++.".to_owned()),
    }
}

fn is_name(text: &str) -> bool {
    text.chars()
        .all(|letter| letter.is_alphanumeric() || letter == '_')
}

/// Shorter forms of `bfe`, `bfi`, `prmt` and shifts whose positions are literals.
pub(super) fn constants(tr: &mut Translator<'_>, instruction: &Instruction) -> Attempt<bool> {
    let number = |position: usize| {
        instruction
            .operands
            .get(position)
            .and_then(|operand| constant(tr, operand))
    };
    let wide = Type::Unsigned(32);
    match instruction.opcode.as_str() {
        "bfe.u32" => {
            let (Some(start @ 0..=31), Some(length @ 1..=31)) = (number(2), number(3)) else {
                return Ok(false);
            };
            let text = tr.read(&instruction.operands[1], wide)?;
            let mask = (1u64 << length) - 1;
            let text = match start {
                0 => format!("{text} & {mask:#x}u"),
                _ if start + length >= 32 => format!("{text} >> {start}"),
                _ => format!("({text} >> {start}) & {mask:#x}u"),
            };
            tr.assign(&instruction.operands[0], wide, &text)?;
            Ok(true)
        }
        "prmt.b32" => {
            let Some(selector) = number(3) else {
                return Ok(false);
            };
            // Bit 3 of a selector repeats the sign of the byte, which `__byte_perm` does not do.
            if selector & 0x8888 != 0 {
                return Ok(false);
            }
            let (a, b) = (
                tr.read(&instruction.operands[1], wide)?,
                tr.read(&instruction.operands[2], wide)?,
            );
            let text = format!(
                "__byte_perm({}, {}, {:#06x})",
                bare(&a),
                bare(&b),
                selector & 0xffff
            );
            tr.assign(&instruction.operands[0], wide, &text)?;
            Ok(true)
        }
        "shl.b32" | "shr.u32" | "shr.b32" | "shr.s32" | "shl.b64" | "shr.u64" | "shr.b64"
        | "shr.s64" => shift(tr, instruction, number(2)),
        _ => Ok(false),
    }
}

fn shift(tr: &mut Translator<'_>, instruction: &Instruction, by: Option<i64>) -> Attempt<bool> {
    let name = modifiers(instruction)[0];
    let ty = match Type::parse(name) {
        Some(Type::Bits(bits)) => Type::Unsigned(bits),
        Some(ty) => ty,
        None => return Ok(false),
    };
    let Some(by) = by.filter(|by| (0..i64::from(ty.bits())).contains(by)) else {
        return Ok(false);
    };
    let text = tr.read(&instruction.operands[1], ty)?;
    let operator = if instruction.mnemonic() == "shl" {
        "<<"
    } else {
        ">>"
    };
    tr.assign(
        &instruction.operands[0],
        ty,
        &format!("{text} {operator} {by}"),
    )?;
    Ok(true)
}

fn modifiers(instruction: &Instruction) -> Vec<&str> {
    instruction.opcode.split('.').skip(1).collect()
}
