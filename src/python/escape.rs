//! What the escapes of Python's strings stand for (language reference, 2.4.1.1).

use crate::text::number;

/// The length of the escape that `bytes` begin with, and what it stands for; `None` for an unknown one, which stands for itself.
pub(super) fn escape(bytes: &[u8]) -> Option<(usize, Vec<u8>)> {
    let letter = *bytes.get(1)?;
    let of_char = |len: usize, value: u32| {
        let mut buffer = [0; 4];
        let text = char::from_u32(value)?.encode_utf8(&mut buffer);
        Some((len, text.as_bytes().to_vec()))
    };
    let hex = |digits: usize| {
        let text = std::str::from_utf8(bytes.get(2..2 + digits)?).ok()?;
        of_char(2 + digits, u32::try_from(number::hex(text)?).ok()?)
    };
    let one = |byte: u8| Some((2, vec![byte]));
    match letter {
        b'\n' => Some((2, Vec::new())),
        b'\r' if bytes.get(2) == Some(&b'\n') => Some((3, Vec::new())),
        b'\\' | b'\'' | b'"' => one(letter),
        b'n' => one(b'\n'),
        b't' => one(b'\t'),
        b'r' => one(b'\r'),
        b'a' => one(7),
        b'b' => one(8),
        b'f' => one(12),
        b'v' => one(11),
        b'x' => hex(2),
        b'u' => hex(4),
        b'U' => hex(8),
        b'0'..=b'7' => {
            let len = bytes[1..]
                .iter()
                .take(3)
                .take_while(|byte| (b'0'..=b'7').contains(byte))
                .count();
            let value = bytes[1..=len]
                .iter()
                .fold(0, |value, digit| value * 8 + u32::from(digit - b'0'));
            of_char(1 + len, value)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_stand_for_what_python_says() {
        for (written, wanted) in [
            (r"\n", Some((2, "\n"))),
            (r"\'", Some((2, "'"))),
            (r"\x41f", Some((4, "A"))),
            (r"\xe9", Some((4, "\u{e9}"))),
            (r"\u00e9", Some((6, "\u{e9}"))),
            (r"\U0001f600", Some((10, "\u{1f600}"))),
            (r"\101", Some((4, "A"))),
            (r"\08", Some((2, "\0"))),
            (r"\7777", Some((4, "\u{1ff}"))),
            (r"\a", Some((2, "\u{7}"))),
            ("\\\r\nx", Some((3, ""))),
            ("\\\nx", Some((2, ""))),
            // Python keeps the backslash of these.
            (r"\q", None),
            (r"\x4", None),
            (r"\xzz", None),
            (r"\ud800", None),
            ("\\", None),
        ] {
            let found = escape(written.as_bytes());
            let found = found.map(|(len, text)| (len, String::from_utf8(text).expect("UTF-8")));
            let wanted = wanted.map(|(len, text)| (len, text.to_owned()));
            assert_eq!(found, wanted, "{written:?}");
        }
    }
}
