//! What the escapes of Python's strings stand for (language reference, 2.4.1.1).

use crate::text::escapes::{char_by_digits, char_by_number, shared_escape};

/// The length of the escape that `bytes` begin with, and what it stands for; `None` for an unknown one, which stands for itself.
pub(super) fn escape(bytes: &[u8]) -> Option<(usize, Vec<u8>)> {
    match *bytes.get(1)? {
        b'x' => char_by_digits(bytes, 2),
        b'0'..=b'7' => {
            let digits = bytes[1..].iter().take(3);
            let digits = digits.take_while(|byte| (b'0'..=b'7').contains(byte));
            let len = 1 + digits.clone().count();
            let value = digits.fold(0, |value, digit| value * 8 + u32::from(digit - b'0'));
            char_by_number(len, value)
        }
        _ => shared_escape(bytes),
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
