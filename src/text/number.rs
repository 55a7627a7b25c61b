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
        let text = std::str::from_utf8(text).ok()?.to_ascii_lowercase();
        let (base, text) = match text.as_bytes() {
            [b'0', b'x', ..] => (16, &text[2..]),
            [b'0', b'b', ..] => (2, &text[2..]),
            [b'0', _, ..] => (8, &text[..]),
            _ => (10, &text[..]),
        };
        let digits = text.trim_end_matches(['u', 'l', 'z']);
        let (is_unsigned, longs) = suffix(&text[digits.len()..])?;
        let is_separated = !digits.starts_with('\'') && !digits.ends_with('\'');
        let digits = digits.replace('\'', "");
        let has_sign = digits.starts_with('+');
        let value = u64::from_str_radix(&digits, base).ok()?;
        (is_separated && !has_sign).then_some(Self {
            value,
            is_unsigned,
            longs,
        })
    }
}

/// Whether a suffix says `u`, and how many `l`.
fn suffix(text: &str) -> Option<(bool, u8)> {
    Some(match text {
        "" => (false, 0),
        "u" => (true, 0),
        "l" | "z" => (false, 1),
        "ul" | "lu" | "uz" | "zu" => (true, 1),
        "ll" => (false, 2),
        "ull" | "llu" => (true, 2),
        _ => return None,
    })
}

/// The value of an integer literal.
pub fn integer(text: &[u8]) -> Option<u64> {
    Integer::parse(text).map(|literal| literal.value)
}

/// The value of hexadecimal digits, and nothing but those: of an escape.
pub fn hex(digits: &str) -> Option<u64> {
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
