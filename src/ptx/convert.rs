//! Conversions: `cvt` with its rounding and saturation.

use super::request::Attempt;
use super::split::{Instruction, Operand};
use super::translator::Translator;
use super::types::Type;
use super::value::bare;

/// `cvt` between integers, and between integers and floats; the table has those of halves.
pub(super) fn convert(tr: &mut Translator<'_>, instruction: &Instruction) -> Attempt<bool> {
    let segments = instruction.modifiers();
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
        // Clamped as an integer: a NaN is 0 in PTX, which `fmaxf` would make the lower limit.
        narrow => {
            let (low, high) = limits(narrow, signed);
            let whole = format!("{stem}int_{mode}({})", bare(&text));
            let clamped = format!("min(max({whole}, {low}), {high})");
            format!("static_cast<{}>({clamped})", result.name())
        }
    }))
}

fn integer_to_integer(text: &str, wanted: Type, given: Type, saturates: bool) -> Option<String> {
    if !saturates {
        return Some(format!("static_cast<{}>({})", wanted.name(), bare(text)));
    }
    let (text, name) = (bare(text), wanted.name());
    let (from, to) = (given.bits(), wanted.bits());
    let signed = (
        matches!(given, Type::Signed(_)),
        matches!(wanted, Type::Signed(_)),
    );
    // The largest value of both, and what a limit of the source's type is written with.
    let (suffix, wide) = match given {
        Type::Signed(64) => ("ll", "long long"),
        Type::Signed(_) => ("", "int"),
        _ if from == 64 => ("ull", "unsigned long long"),
        _ => ("u", "unsigned"),
    };
    let value = format!("static_cast<{wide}>({text})");
    let value = if from < 32 { &value } else { text };
    // No value of the source lies above what the result holds, or none below.
    let fits_above = to > from || to == from && (signed.0 || !signed.1);
    let fits_below = !signed.0 || signed.1 && to >= from;
    let most = match (to, signed.1) {
        (64, true) => i64::MAX as u64,
        (64, false) => u64::MAX,
        (bits, true) => (1 << (bits - 1)) - 1,
        (bits, false) => (1 << bits) - 1,
    };
    let least = match (signed.1, to) {
        (false, _) => format!("0{suffix}"),
        // The number itself is out of the type's range in front of its sign.
        (true, 32) if from == 64 => "-2147483648ll".to_owned(),
        (true, bits) => format!("-{}{suffix}", 1_u64 << (bits - 1)),
    };
    let above = if fits_below {
        value.to_owned()
    } else {
        format!("max({value}, {least})")
    };
    let both = if fits_above {
        above
    } else {
        format!("min({above}, {most}{suffix})")
    };
    Some(format!("static_cast<{name}>({})", bare(&both)))
}

fn limits(bits: u8, signed: bool) -> (i64, i64) {
    if signed {
        (-(1 << (bits - 1)), (1 << (bits - 1)) - 1)
    } else {
        (0, (1 << bits) - 1)
    }
}
