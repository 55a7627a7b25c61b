//! `printf` of kernels: the device library packs the format and its arguments into words, the host renders them as C does.

use std::ffi::CString;

/// Words and strings of a message, one after another; each begins at a multiple of 8 bytes.
struct Parts<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Parts<'a> {
    fn word(&mut self) -> u64 {
        let word = self
            .bytes
            .get(self.at..self.at + 8)
            .and_then(|bytes| bytes.try_into().ok());
        self.at += 8;
        u64::from_le_bytes(word.unwrap_or_default())
    }

    fn string(&mut self) -> &'a [u8] {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let length = rest
            .iter()
            .position(|&byte| byte == 0)
            .unwrap_or(rest.len());
        self.at += (length + 1).next_multiple_of(8);
        &rest[..length]
    }
}

/// One conversion such as `%-8.3lf`: everything up to the letter, length modifiers apart.
#[derive(Default)]
struct Conversion {
    flags: String,
    is_long: bool,
    half: &'static str,
    letter: u8,
}

/// The text of a message: its format, then its arguments.
pub fn render(bytes: &[u8]) -> Vec<u8> {
    let mut parts = Parts { bytes, at: 0 };
    let format = parts.string();
    let mut text = Vec::new();
    let mut at = 0;
    while at < format.len() {
        if format[at] != b'%' {
            text.push(format[at]);
            at += 1;
        } else if format.get(at + 1) == Some(&b'%') {
            text.push(b'%');
            at += 2;
        } else {
            let (conversion, length) = parse(&format[at + 1..], &mut parts);
            at += 1 + length;
            text.extend(convert(&conversion, &mut parts));
        }
    }
    text
}

/// Reads a conversion; a star takes its number from the arguments.
fn parse(format: &[u8], parts: &mut Parts<'_>) -> (Conversion, usize) {
    let mut conversion = Conversion::default();
    for (at, &byte) in format.iter().enumerate() {
        match byte {
            b'*' => conversion.flags += &(parts.word() as i32).to_string(),
            b'l' | b'z' | b'j' | b't' | b'q' | b'L' => conversion.is_long = true,
            b'h' => {
                conversion.half = if conversion.half.is_empty() {
                    "h"
                } else {
                    "hh"
                }
            }
            b'a'..=b'z' | b'A'..=b'Z' => {
                conversion.letter = byte;
                return (conversion, at + 1);
            }
            _ => conversion.flags.push(char::from(byte)),
        }
    }
    (conversion, format.len())
}

fn convert(conversion: &Conversion, parts: &mut Parts<'_>) -> Vec<u8> {
    let flags = &conversion.flags;
    match conversion.letter {
        b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => {
            print_double(conversion, f64::from_bits(parts.word()))
        }
        b's' => {
            let text = parts.string();
            CString::new(text).map_or_else(|_| text.to_vec(), |text| print_string(flags, &text))
        }
        b'n' => {
            parts.word();
            Vec::new()
        }
        b'p' => print_word(&format!("%{flags}p"), parts.word()),
        0 => Vec::new(),
        letter if conversion.is_long => {
            print_word(&format!("%{flags}ll{}", char::from(letter)), parts.word())
        }
        letter => {
            let half = conversion.half;
            print_int(
                &format!("%{flags}{half}{}", char::from(letter)),
                parts.word() as u32,
            )
        }
    }
}

fn print_double(conversion: &Conversion, value: f64) -> Vec<u8> {
    c_print(
        &format!("%{}{}", conversion.flags, char::from(conversion.letter)),
        |to, room, format| {
            // SAFETY: the format has exactly one conversion, which takes a double; the room is what is given.
            unsafe { libc::snprintf(to, room, format, value) }
        },
    )
}

fn print_string(flags: &str, value: &CString) -> Vec<u8> {
    c_print(&format!("%{flags}s"), |to, room, format| {
        // SAFETY: one conversion, which takes a string that ends in a zero byte.
        unsafe { libc::snprintf(to, room, format, value.as_ptr()) }
    })
}

fn print_word(format: &str, value: u64) -> Vec<u8> {
    c_print(format, |to, room, format| {
        // SAFETY: one conversion, which takes 64 bits.
        unsafe { libc::snprintf(to, room, format, value) }
    })
}

fn print_int(format: &str, value: u32) -> Vec<u8> {
    c_print(format, |to, room, format| {
        // SAFETY: one conversion, which takes an int.
        unsafe { libc::snprintf(to, room, format, value) }
    })
}

/// Asks C's `snprintf` for the length first, then for the text.
fn c_print(
    format: &str,
    print: impl Fn(*mut libc::c_char, usize, *const libc::c_char) -> i32,
) -> Vec<u8> {
    let Ok(format) = CString::new(format) else {
        return Vec::new();
    };
    let length = usize::try_from(print(std::ptr::null_mut(), 0, format.as_ptr())).unwrap_or(0);
    let mut text = vec![0_u8; length + 1];
    print(text.as_mut_ptr().cast(), text.len(), format.as_ptr());
    text.truncate(length);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(format: &str, words: &[u64]) -> Vec<u8> {
        let mut bytes = format.as_bytes().to_vec();
        bytes.resize((bytes.len() + 1).next_multiple_of(8), 0);
        bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        bytes
    }

    #[test]
    fn conversions_read_as_many_bits_as_they_name() {
        let text = render(&message(
            "%d %lu %5.2f|%%",
            &[u64::MAX, u64::MAX, 1.5_f64.to_bits()],
        ));
        assert_eq!(text, b"-1 18446744073709551615  1.50|%");
    }

    #[test]
    fn a_star_takes_its_width_from_the_arguments() {
        assert_eq!(render(&message("[%*d]", &[4, 7])), b"[   7]");
    }

    #[test]
    fn a_message_that_breaks_off_is_rendered_as_far_as_it_goes() {
        assert_eq!(render(&message("a%", &[])), b"a");
        assert_eq!(render(&message("%d", &[])), b"0");
    }
}
