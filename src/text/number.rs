//! Integer literals of C++.

/// An integer literal: `0x8000`, `1'024u`, `0b101ull`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Integer {
    /// What it is worth.
    pub value: u64,
    /// It has the suffix `u`.
    pub is_unsigned: bool,
    /// How many `l` its suffix has; `z`, for `size_t`, counts as one.
    pub longs: u8,
}

impl Integer {
    /// Reads a literal in base 2, 8, 10 or 16, with digit separators and suffixes in any case. `None` for everything else and for
    /// what 64 bits do not hold.
    pub fn parse(text: &[u8]) -> Option<Self> {
        let (base, text) = match text {
            [b'0', b'x' | b'X', rest @ ..] => (16, rest),
            [b'0', b'b' | b'B', rest @ ..] => (2, rest),
            [b'0', _, ..] => (8, text),
            _ => (10, text),
        };
        let is_digit = |byte: &u8| !matches!(byte, b'u' | b'U' | b'l' | b'L' | b'z' | b'Z');
        let (digits, suffix) = text.split_at(text.iter().rposition(is_digit)? + 1);
        let (_, is_unsigned, longs) = SUFFIXES
            .iter()
            .find(|(text, ..)| text.as_bytes().eq_ignore_ascii_case(suffix))?;
        Some(Self {
            value: value(digits, base)?,
            is_unsigned: *is_unsigned,
            longs: *longs,
        })
    }
}

/// What digits are worth, separators between them aside.
fn value(digits: &[u8], base: u32) -> Option<u64> {
    if digits.starts_with(b"'") || digits.ends_with(b"'") {
        return None;
    }
    let mut digits = digits.iter().filter(|&&byte| byte != b'\'');
    digits.try_fold(0u64, |value, &byte| {
        let digit = char::from(byte).to_digit(base)?;
        value
            .checked_mul(u64::from(base))?
            .checked_add(u64::from(digit))
    })
}

/// Suffixes of integers, whether they say `u`, and how many `l` they have.
const SUFFIXES: &[(&str, bool, u8)] = &[
    ("", false, 0),
    ("u", true, 0),
    ("l", false, 1),
    ("ul", true, 1),
    ("lu", true, 1),
    ("ll", false, 2),
    ("ull", true, 2),
    ("llu", true, 2),
    ("z", false, 1),
    ("uz", true, 1),
    ("zu", true, 1),
];

/// The value of an integer literal.
pub fn integer(text: &[u8]) -> Option<u64> {
    Integer::parse(text).map(|literal| literal.value)
}

/// The value of hexadecimal digits, and nothing but those: of an escape.
pub(crate) fn hex(digits: &str) -> Option<u64> {
    let are_digits = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    are_digits
        .then(|| u64::from_str_radix(digits, 16).ok())
        .flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_are_worth_what_cpp_says() {
        for (text, value) in [
            ("0", Some(0)),
            ("7", Some(7)),
            ("010", Some(8)),
            ("0x8000", Some(32768)),
            ("0X8000U", Some(32768)),
            ("0xFFFF'FFFF", Some(0xffff_ffff)),
            ("0b1010", Some(10)),
            ("131'072", Some(131_072)),
            ("131072u", Some(131_072)),
            ("131072UL", Some(131_072)),
            ("131072LU", Some(131_072)),
            ("131072ull", Some(131_072)),
            ("131072LLU", Some(131_072)),
            ("1024uz", Some(1024)),
            ("0u", Some(0)),
            ("0xffffffffffffffff", Some(u64::MAX)),
            ("18446744073709551616", None),
            ("08", None),
            ("1.5", None),
            ("1e3", None),
            ("1f", None),
            ("0x", None),
            ("1uu", None),
            ("1lul", None),
            ("1'", None),
            ("+1", None),
            ("", None),
            ("x", None),
        ] {
            assert_eq!(integer(text.as_bytes()), value, "{text}");
        }
    }

    #[test]
    fn suffixes_say_the_type() {
        let of = |text: &str| Integer::parse(text.as_bytes()).map(|it| (it.is_unsigned, it.longs));
        assert_eq!(of("1"), Some((false, 0)));
        assert_eq!(of("0xfu"), Some((true, 0)));
        assert_eq!(of("1Ul"), Some((true, 1)));
        assert_eq!(of("1LL"), Some((false, 2)));
    }
}
