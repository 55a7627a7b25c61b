//! Integer literals.

/// The value of an integer literal, separators and suffixes aside.
pub(crate) fn number(text: &[u8]) -> Option<u64> {
    let text = std::str::from_utf8(text)
        .ok()?
        .replace('\'', "")
        .to_ascii_lowercase();
    let digits = text.trim_end_matches(['u', 'l']);
    match digits.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16).ok(),
        None => digits.parse().ok(),
    }
}
