//! Variables of a module and parameters of its functions in C++.

use std::fmt::Write as _;

use super::parse::Variable;
use crate::ptx::split::integer;
use crate::ptx::symbol::{Space, Symbol, Symbols};
use crate::ptx::types::Type;
use crate::ptx::value::literal;
use crate::text::keywords::is_keyword;

/// A name of PTX as one of C++: clang takes `$` in names.
pub(super) fn plain_name(name: &str) -> String {
    let plain: String = name
        .chars()
        .filter(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '$'))
        .collect();
    match is_keyword(plain.as_bytes()) {
        true => format!("{plain}_"),
        false => plain,
    }
}

/// Functions of CUDA's runtime that calls are made into something else for, so that nothing declares them.
pub(super) fn is_kept(name: &str) -> bool {
    matches!(name, "malloc" | "free" | "__assertfail" | "vprintf")
}

/// The type of one value; `None` where C++ has none.
fn scalar(ty: &str) -> Option<Type> {
    let ty = Type::parse(ty).filter(|ty| *ty != Type::Predicate)?;
    Some(match ty {
        Type::Bits(bits) => Type::Unsigned(bits),
        other => other,
    })
}

/// The type of a parameter or result: as it is written for kernels, which a host calls; bits for device functions, whose callers may
/// name other types for the same bits.
pub(super) fn of_parameter(variable: &Variable<'_>, is_kernel: bool) -> Option<String> {
    let ty = scalar(variable.ty)?;
    match variable.count {
        None if is_kernel => Some(ty.name().to_owned()),
        None => Some(Type::Unsigned(ty.bits()).name().to_owned()),
        Some(count) => Some(bytes_type(variable, ty, count)),
    }
}

fn bytes_type(variable: &Variable<'_>, ty: Type, count: u64) -> String {
    let size = u64::from(ty.bits() / 8);
    let align = variable.align.unwrap_or(size);
    format!("ptx_bytes<{align}, {}>", (size * count).max(1))
}

/// What a variable's name stands for.
pub(super) fn symbol(variable: &Variable<'_>) -> Option<Symbol> {
    let ty = scalar(variable.ty).filter(|_| variable.unknown.is_none())?;
    let is_array = variable.count.is_some();
    Some(Symbol {
        name: plain_name(variable.name),
        space: match variable.space {
            "shared" => Space::Shared,
            _ => Space::Generic,
        },
        scalar: (!is_array).then_some(ty),
        is_address: is_array,
    })
}

/// The same for a parameter or result, whose bytes are a structure.
pub(super) fn parameter_symbol(variable: &Variable<'_>, is_kernel: bool) -> Option<Symbol> {
    let symbol = symbol(variable)?;
    let bits = |ty: Type| match is_kernel {
        true => ty,
        false => Type::Unsigned(ty.bits()),
    };
    Some(Symbol {
        scalar: symbol.scalar.map(bits),
        is_address: false,
        ..symbol
    })
}

/// `__attribute__((aligned(4))) unsigned char name[16]`
fn declarator(variable: &Variable<'_>, symbol: &Symbol) -> Option<String> {
    let ty = scalar(variable.ty)?;
    let align = variable
        .align
        .filter(|align| *align > u64::from(ty.bits() / 8));
    let align = align.map_or_else(String::new, |it| format!("__attribute__((aligned({it}))) "));
    let count = match variable.count {
        None => String::new(),
        Some(0) if variable.is_extern => "[]".to_owned(),
        Some(count) => format!("[{}]", count.max(1)),
    };
    Some(format!("{align}{} {}{count}", ty.name(), symbol.name))
}

/// A variable in LDS.
pub(super) fn shared(variable: &Variable<'_>, symbol: &Symbol) -> Option<String> {
    let storage = if variable.is_extern { "extern " } else { "" };
    let declarator = declarator(variable, symbol)?;
    Some(format!("{storage}__shared__ {declarator};\n"))
}

/// An array of a thread.
pub(super) fn local(variable: &Variable<'_>, symbol: &Symbol) -> Option<String> {
    Some(format!("{};", declarator(variable, symbol)?))
}

/// A variable in device memory: how it is declared, and how it is defined unless others do that. All are visible: the driver of CUDA
/// finds those too that have no `.visible`.
pub(super) fn global(
    variable: &Variable<'_>,
    symbol: &Symbol,
    known: &Symbols,
) -> Option<(String, Option<String>)> {
    let storage = match variable.space {
        "const" => "__constant__",
        "global" => "__device__",
        _ => return None,
    };
    let declarator = declarator(variable, symbol)?;
    let declared = format!("extern {storage} {declarator};\n");
    if variable.is_extern {
        return Some((declared, None));
    }
    let initial = match variable.initial {
        None => String::new(),
        Some(text) => format!(" = {}", initial(text, scalar(variable.ty)?, known)?),
    };
    Some((
        declared,
        Some(format!("{storage} {declarator}{initial};\n")),
    ))
}

/// What a variable begins with; the directions of an array one after the other.
fn initial(text: &str, ty: Type, known: &Symbols) -> Option<String> {
    let is_list = text.starts_with('{');
    let values = text.split(['{', '}', ',']).map(str::trim);
    let values = values.filter(|value| !value.is_empty());
    let values: Option<Vec<String>> = values.map(|value| element(value, ty, known)).collect();
    let values = values?;
    if !is_list {
        return values.into_iter().next();
    }
    if values.len() <= 16 {
        return Some(format!("{{{}}}", values.join(", ")));
    }
    let mut out = "{\n".to_owned();
    for line in values.chunks(16) {
        writeln!(out, "    {},", line.join(", ")).ok()?;
    }
    out.push('}');
    Some(out)
}

fn element(value: &str, ty: Type, known: &Symbols) -> Option<String> {
    if value.starts_with(|first: char| first.is_ascii_digit() || first == '-') {
        // Bits below the type's width: `-1` of 8 bits is 255.
        let narrow = integer(value).filter(|_| ty.is_integer() && ty.bits() < 32);
        return match (narrow, ty) {
            (Some(number), Type::Signed(8)) => Some((number as i8).to_string()),
            (Some(number), Type::Signed(_)) => Some((number as i16).to_string()),
            (Some(number), _) if ty.bits() == 8 => Some((number as u8).to_string()),
            (Some(number), _) => Some((number as u16).to_string()),
            (None, _) => literal(value, ty),
        };
    }
    let inner = value
        .strip_prefix("generic(")
        .map_or(value, |inner| inner.trim_end());
    let (name, offset) = inner.split_once('+').unwrap_or((inner, "0"));
    let offset = offset.trim().trim_end_matches(')');
    let symbol = known.get(name.trim().trim_end_matches(')'))?;
    if ty.bits() != 64 || symbol.space == Space::Shared {
        return None;
    }
    let address = format!("reinterpret_cast<unsigned long long>({})", symbol.address());
    Some(match integer(offset)? {
        0 => address,
        by => format!("{address} + {by}"),
    })
}
