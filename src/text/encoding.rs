//! Encodings that a compiler has to be told of.

/// A file in UTF-16 as UTF-8, by its byte order mark, or by the zero in every second byte of text that is mostly ASCII; `None` for
/// anything else. What is no valid UTF-16 is replaced.
pub fn from_utf16(bytes: &[u8]) -> Option<String> {
    let (is_little, text) = match bytes {
        // As UTF-32 this would begin with the same two bytes.
        [0xFF, 0xFE, 0, 0, ..] => return None,
        [0xFF, 0xFE, text @ ..] => (true, text),
        [0xFE, 0xFF, text @ ..] => (false, text),
        [first, 0, ..] if *first != 0 && is_ascii_in::<2>(bytes, 0) => (true, bytes),
        [0, second, ..] if *second != 0 && is_ascii_in::<2>(bytes, 1) => (false, bytes),
        _ => return None,
    };
    let order = if is_little {
        u16::from_le_bytes
    } else {
        u16::from_be_bytes
    };
    let units = text.chunks_exact(2).map(|pair| order([pair[0], pair[1]]));
    Some(
        char::decode_utf16(units)
            .map(|unit| unit.unwrap_or('\u{FFFD}'))
            .collect(),
    )
}

/// Whether of the first characters of `WIDTH` bytes nearly all have their only byte that is not zero at `place`.
fn is_ascii_in<const WIDTH: usize>(bytes: &[u8], place: usize) -> bool {
    let units = bytes.as_chunks::<WIDTH>().0.iter().take(256);
    let is_ascii = |unit: &[u8; WIDTH]| {
        let mut bytes = unit.iter().enumerate();
        bytes.all(|(at, byte)| (*byte != 0) == (at == place))
    };
    let count = units.len();
    count >= 4 && units.filter(|unit| is_ascii(unit)).count() * 10 >= count * 9
}

/// A file in UTF-32 as UTF-8, by its byte order mark, or by the zeros in text that is mostly ASCII; `None` for anything else.
fn from_utf32(bytes: &[u8]) -> Option<String> {
    let (order, text): (fn([u8; 4]) -> u32, _) = match bytes {
        [0xFF, 0xFE, 0, 0, text @ ..] => (u32::from_le_bytes, text),
        [0, 0, 0xFE, 0xFF, text @ ..] => (u32::from_be_bytes, text),
        [_, 0, 0, 0, ..] if is_ascii_in::<4>(bytes, 0) => (u32::from_le_bytes, bytes),
        [0, 0, 0, _, ..] if is_ascii_in::<4>(bytes, 3) => (u32::from_be_bytes, bytes),
        _ => return None,
    };
    let (units, _) = text.as_chunks();
    let chars = units.iter().map(|unit| char::from_u32(order(*unit)));
    Some(chars.map(|c| c.unwrap_or('\u{FFFD}')).collect())
}

/// A file in UTF-16 or UTF-32 as UTF-8.
pub(crate) fn from_wide(bytes: &[u8]) -> Option<String> {
    from_utf16(bytes).or_else(|| from_utf32(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn utf16(text: &str, order: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(order).collect()
    }

    #[test]
    fn both_orders_are_read_with_and_without_a_mark() {
        for order in [u16::to_le_bytes, u16::to_be_bytes] {
            let plain = utf16("cudaFree(0); // ö", order);
            assert_eq!(from_utf16(&plain).as_deref(), Some("cudaFree(0); // ö"));
            let marked = utf16("\u{FEFF}cudaFree(0);", order);
            assert_eq!(from_utf16(&marked).as_deref(), Some("cudaFree(0);"));
        }
    }

    #[test]
    fn other_bytes_are_no_wide_text() {
        for bytes in [
            &b""[..],
            b"a",
            b"cudaFree(0);",
            b"\xEF\xBB\xBFint",
            b"\0\0\0\0\0\0\0\0",
            b"\x01\0\0\0\x02\0\0\0\0\0\0\0\0\0\0\0\x05\0\0\0",
        ] {
            assert_eq!(from_wide(bytes), None, "{bytes:?}");
        }
    }

    #[test]
    fn utf32_is_read_with_and_without_a_mark() {
        let orders: [fn(u32) -> [u8; 4]; 2] = [u32::to_le_bytes, u32::to_be_bytes];
        for order in orders {
            let text = "\u{FEFF}cudaFree(0); // 😀";
            let bytes: Vec<u8> = text.chars().flat_map(|c| order(c as u32)).collect();
            assert_eq!(from_wide(&bytes).as_deref(), Some("cudaFree(0); // 😀"));
            assert_eq!(from_utf16(&bytes), None);
            assert_eq!(
                from_wide(&bytes[4..]).as_deref(),
                Some("cudaFree(0); // 😀")
            );
            assert_eq!(from_utf16(&bytes[4..]), None);
        }
    }
}
