//! What the escapes of literals stand for: those of C++ (C++17, 5.13.3), and those that it shares with Python.

use super::number;

/// The length of the escape that `bytes` begin with, and what it stands for; `None` where they begin with none that C++ knows.
pub(crate) fn cpp_escape(bytes: &[u8]) -> Option<(usize, Vec<u8>)> {
    if bytes.first() != Some(&b'\\') {
        return None;
    }
    match *bytes.get(1)? {
        b'?' => Some((2, b"?".to_vec())),
        b'x' => of_byte(bytes, 2, 16),
        b'0'..=b'7' => of_byte(bytes, 1, 8),
        _ => shared_escape(bytes),
    }
}

/// An escape that means the same in C++ and Python, by the letter behind its backslash.
pub(crate) fn shared_escape(bytes: &[u8]) -> Option<(usize, Vec<u8>)> {
    let one = |byte: u8| Some((2, vec![byte]));
    match *bytes.get(1)? {
        // The literal goes on in the next line.
        b'\n' => Some((2, Vec::new())),
        b'\r' if bytes.get(2) == Some(&b'\n') => Some((3, Vec::new())),
        letter @ (b'\\' | b'\'' | b'"') => one(letter),
        b'n' => one(b'\n'),
        b't' => one(b'\t'),
        b'r' => one(b'\r'),
        b'a' => one(7),
        b'b' => one(8),
        b'f' => one(12),
        b'v' => one(11),
        b'u' => char_by_digits(bytes, 4),
        b'U' => char_by_digits(bytes, 8),
        _ => None,
    }
}

/// A byte by its number: three octal digits at most, or all hexadecimal ones that follow.
fn of_byte(bytes: &[u8], start: usize, radix: u32) -> Option<(usize, Vec<u8>)> {
    let most = if radix == 8 { 3 } else { usize::MAX };
    let is_digit = |byte: &&u8| char::from(**byte).is_digit(radix);
    let digits = bytes[start..]
        .iter()
        .take(most)
        .take_while(is_digit)
        .count();
    let digit = |byte: &u8| char::from(*byte).to_digit(radix);
    let add = |value: u32, byte| value.checked_mul(radix)?.checked_add(digit(byte)?);
    let value = bytes[start..start + digits].iter().try_fold(0, add)?;
    let value = u8::try_from(value).ok().filter(|_| digits > 0)?;
    Some((start + digits, vec![value]))
}

/// A character by so many hexadecimal digits.
pub(crate) fn char_by_digits(bytes: &[u8], digits: usize) -> Option<(usize, Vec<u8>)> {
    let text = std::str::from_utf8(bytes.get(2..2 + digits)?).ok()?;
    char_by_number(2 + digits, u32::try_from(number::hex(text)?).ok()?)
}

/// A character by its number, for an escape of a length.
pub(crate) fn char_by_number(len: usize, value: u32) -> Option<(usize, Vec<u8>)> {
    let mut buffer = [0; 4];
    let text = char::from_u32(value)?.encode_utf8(&mut buffer);
    Some((len, text.as_bytes().to_vec()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_stand_for_what_cpp_says() {
        for (written, wanted) in [
            (&br"\n"[..], Some((2, &b"\n"[..]))),
            (br#"\""#, Some((2, b"\""))),
            (br"\?", Some((2, b"?"))),
            (br"\x41", Some((4, b"A"))),
            (br"\x041g", Some((5, b"A"))),
            (br"\101", Some((4, b"A"))),
            (br"\1018", Some((4, b"A"))),
            (br"\0", Some((2, b"\0"))),
            (br"\u00e9", Some((6, "\u{e9}".as_bytes()))),
            (b"\\\nx", Some((2, b""))),
            (b"\\\r\nx", Some((3, b""))),
            (br"\q", None),
            (br"\x", None),
            (br"\xfff", None),
            (b"\\", None),
            (b"n", None),
        ] {
            let wanted = wanted.map(|(len, text)| (len, text.to_vec()));
            assert_eq!(cpp_escape(written), wanted, "{written:?}");
        }
    }
}
