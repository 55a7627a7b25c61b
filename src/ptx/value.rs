//! C++ expressions for operands: read as a type, or assigned to.

use super::split::integer;
use super::types::{Holds, Type};

/// A place or a value in C++.
#[derive(Clone, Debug)]
pub struct Value {
    /// The expression.
    pub text: String,
    /// The same as it is to stand in the translation: the caller may have put marks around code that it carries there.
    pub written: String,
    /// What stands there in the end may bind looser than what is read here.
    pub is_loose: bool,
    /// What it holds.
    pub holds: Holds,
}

impl Value {
    /// An expression without marks.
    pub fn plain(text: String, holds: Holds) -> Self {
        let written = text.clone();
        Self {
            text,
            written,
            is_loose: false,
            holds,
        }
    }

    /// The expression, fit to stand beside any operator.
    pub(super) fn atom(&self) -> String {
        match is_atom(&self.text) && !self.is_loose {
            true => self.written.clone(),
            false => format!("({})", self.written),
        }
    }

    /// The expression read as `ty`, fit to stand beside any operator.
    pub fn read(&self, ty: Type) -> String {
        let raw = || self.atom();
        match (self.holds, ty) {
            (Holds::Exactly(held), wanted) if held == wanted => raw(),
            (_, Type::Predicate) => format!("({} != 0)", raw()),
            (Holds::Exactly(Type::Float(32)), wanted) if wanted.is_integer() => {
                let signed = matches!(wanted, Type::Signed(_));
                format!(
                    "__float_as_{}({})",
                    if signed { "int" } else { "uint" },
                    self.written
                )
            }
            (Holds::Exactly(Type::Float(64)), wanted) if wanted.is_integer() => cast(
                wanted,
                &format!("__double_as_longlong({})", self.written),
                Some(Type::Signed(64)),
            ),
            (_, Type::Float(32)) => {
                format!("__uint_as_float({})", bare(&self.read(Type::Unsigned(32))))
            }
            (_, Type::Float(_)) => format!(
                "__longlong_as_double({})",
                bare(&self.read(Type::Signed(64)))
            ),
            (held, Type::Bits(bits)) if held.bits() == bits && held != Holds::Pointer => raw(),
            (Holds::Pointer, wanted) => {
                let number = format!("reinterpret_cast<unsigned long long>({})", self.written);
                cast(wanted, &number, Some(Type::Unsigned(64)))
            }
            // A C cast takes a pointer as well as a number.
            (Holds::Integer(64), Type::Unsigned(64) | Type::Signed(64)) => {
                format!("(({}){})", ty.name(), raw())
            }
            _ => format!("static_cast<{}>({})", ty.name(), self.written),
        }
    }

    /// The right-hand side that stores an expression of type `ty` here.
    pub fn stored(&self, ty: Type, expression: &str) -> String {
        match (self.holds, ty) {
            (Holds::Exactly(Type::Float(32)), ty) if ty.is_integer() => {
                format!("__uint_as_float({expression})")
            }
            (Holds::Exactly(Type::Float(64)), ty) if ty.is_integer() => {
                format!("__longlong_as_double({expression})")
            }
            (Holds::Exactly(Type::Float(_)), _) => expression.to_owned(),
            (_, Type::Float(32)) => format!("__float_as_uint({expression})"),
            (_, Type::Float(_)) => format!("__double_as_longlong({expression})"),
            (Holds::Pointer, _) => {
                format!("reinterpret_cast<decltype({})>({expression})", self.written)
            }
            _ => expression.to_owned(),
        }
    }

    /// The left-hand side of an assignment.
    pub fn place(&self) -> String {
        match self.text.starts_with('*') {
            true => self.written.clone(),
            false => self.atom(),
        }
    }
}

/// A literal of PTX as a literal of C++.
pub(super) fn literal(text: &str, ty: Type) -> Option<String> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    if let Some(hex) = digits.strip_prefix("0f").or(digits.strip_prefix("0F")) {
        let bits = u32::from_str_radix(hex, 16).ok()?;
        return single(f32::from_bits(bits), bits, ty);
    }
    if let Some(hex) = digits.strip_prefix("0d").or(digits.strip_prefix("0D")) {
        let bits = u64::from_str_radix(hex, 16).ok()?;
        let value = f64::from_bits(bits);
        return (ty == Type::Float(64)).then(|| {
            if value.is_finite() {
                format!("{value:?}")
            } else {
                format!("__longlong_as_double({bits:#x})")
            }
        });
    }
    if let Type::Float(bits) = ty {
        let suffix = if bits == 32 { "f" } else { "" };
        let decimal = if text.contains('.') {
            text.to_owned()
        } else {
            format!("{text}.0")
        };
        return decimal
            .parse::<f64>()
            .is_ok()
            .then(|| format!("{decimal}{suffix}"));
    }
    let value = integer(text)?;
    let hex = digits.starts_with("0x") || digits.starts_with("0X");
    Some(match ty {
        Type::Predicate => (value != 0).to_string(),
        Type::Unsigned(64) | Type::Bits(64) if hex => format!("{:#x}ull", value as u64),
        Type::Unsigned(64) | Type::Bits(64) => format!("{}ull", value as u64),
        Type::Signed(64) => format!("{value}ll"),
        Type::Signed(_) => (value as i32).to_string(),
        _ if hex || value as u32 > i32::MAX as u32 => format!("{:#x}u", value as u32),
        _ => format!("{}u", value as u32),
    })
}

fn single(value: f32, bits: u32, ty: Type) -> Option<String> {
    match ty {
        Type::Float(32) if value.is_finite() => Some(format!("{value:?}f")),
        Type::Float(32) => Some(format!("__uint_as_float({bits:#x}u)")),
        Type::Bits(32) | Type::Unsigned(32) => Some(format!("{bits:#x}u")),
        _ => None,
    }
}

fn cast(wanted: Type, expression: &str, held: Option<Type>) -> String {
    if held == Some(wanted) {
        expression.to_owned()
    } else {
        format!("static_cast<{}>({expression})", wanted.name())
    }
}

/// The expression in parentheses, unless it binds tighter than any operator without them.
pub(super) fn atom(text: &str) -> String {
    if is_atom(text) {
        text.to_owned()
    } else {
        format!("({text})")
    }
}

/// The expression without parentheses around all of it.
pub(super) fn bare(text: &str) -> &str {
    text.strip_prefix('(')
        .filter(|_| closes_at(text, 0) == Some(text.len() - 1))
        .map_or(text, |inner| &inner[..inner.len() - 1])
}

/// Names, member accesses, subscripts, calls, literals, or anything in parentheses.
fn is_atom(text: &str) -> bool {
    let bytes = text.as_bytes();
    if bytes.first() == Some(&b'(') {
        return closes_at(text, 0) == Some(text.len() - 1);
    }
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'(' | b'[' => match closes_at(text, at) {
                Some(close) => at = close,
                None => return false,
            },
            b'<' => match ["static_cast", "reinterpret_cast", "const_cast"]
                .iter()
                .any(|name| text[..at].ends_with(name))
                .then(|| text[at..].find(">("))
                .flatten()
            {
                Some(length) => at += length,
                None => return false,
            },
            b'-' if bytes.get(at + 1) == Some(&b'>') => at += 1,
            byte if byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b':') => {}
            byte if byte >= 0x80 => {}
            _ => return false,
        }
        at += 1;
    }
    true
}

/// Where the bracket at `open` closes.
fn closes_at(text: &str, open: usize) -> Option<usize> {
    let mut depth = 0usize;
    for (at, byte) in text.bytes().enumerate().skip(open) {
        match byte {
            b'(' | b'[' => depth += 1,
            b')' | b']' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

/// The first letter that a caller may put around code as a mark: those of the planes for private use, from there on.
pub(crate) const FIRST_MARK: char = '\u{F0000}';

/// Whether a text is one name, with marks or without.
pub(super) fn is_name(text: &str) -> bool {
    text.chars()
        .all(|letter| letter.is_alphanumeric() || letter == '_' || letter >= FIRST_MARK)
}

/// Identifiers of a text.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_')
        .filter(|word| word.starts_with(|first: char| first.is_alphabetic() || first == '_'))
}

/// Whether evaluating the expression twice may differ from evaluating it once: it changes something or calls a function.
pub(super) fn has_effect(text: &str) -> bool {
    let calls = text.match_indices('(').any(|(at, _)| {
        text[..at].ends_with(|before: char| before.is_alphanumeric() || before == '_')
    });
    calls || text.contains("++") || text.contains("--") || text.contains('=')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_binds_tightest_stands_bare() {
        for text in [
            "a",
            "v.x",
            "p->q[i + 1]",
            "f(a, b)",
            "(a + b)",
            "static_cast<unsigned int>(a + b)",
            "ns::x",
        ] {
            assert_eq!(atom(text), text);
        }
        for text in ["a + b", "-a", "*p", "(a) + (b)", "(int)x", "a < b"] {
            assert_eq!(atom(text), format!("({text})"));
        }
    }

    #[test]
    fn literals_take_the_form_of_their_type() {
        assert_eq!(
            literal("0f3F800000", Type::Float(32)).as_deref(),
            Some("1.0f")
        );
        assert_eq!(
            literal("0f7F800000", Type::Float(32)).as_deref(),
            Some("__uint_as_float(0x7f800000u)")
        );
        assert_eq!(
            literal("-1", Type::Unsigned(32)).as_deref(),
            Some("0xffffffffu")
        );
        assert_eq!(literal("0xffU", Type::Bits(32)).as_deref(), Some("0xffu"));
        assert_eq!(literal("2", Type::Float(64)).as_deref(), Some("2.0"));
    }
}
