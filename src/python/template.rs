//! The pieces of a string literal: plain bytes, escapes, doubled signs, and the holes of `%` and `.format`.

use crate::text::TextRange;
use crate::text::number;
use crate::text::quoted::{Quoted, Template};

/// The holes of a template in the bytes of a literal that begin at `start`.
pub(super) fn holes(bytes: &[u8], start: u32, template: Template) -> Vec<TextRange> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let len = match template {
            Template::None => return found,
            Template::Percent => conversion(&bytes[at..]),
            Template::Braces => field(&bytes[at..]),
        };
        match len {
            Some(len) => {
                found.push(TextRange::new(start + at as u32, start + (at + len) as u32));
                at += len;
            }
            // A doubled sign stands for itself.
            None => at += doubled(&bytes[at..], template).unwrap_or(1),
        }
    }
    found
}

/// `%s`, `%(name)05d`: a conversion of Python's printf-style formatting.
fn conversion(bytes: &[u8]) -> Option<usize> {
    let mut at = usize::from(*bytes.first()? == b'%');
    if at == 0 || bytes.get(1) == Some(&b'%') {
        return None;
    }
    if bytes.get(at) == Some(&b'(') {
        at += memchr::memchr(b')', &bytes[at..])? + 1;
    }
    let skip = |from: usize, set: &[u8]| {
        from + bytes[from..]
            .iter()
            .take_while(|byte| set.contains(byte))
            .count()
    };
    at = skip(at, b"#0- +");
    at = skip(at, b"*0123456789.");
    at = skip(at, b"hlL");
    b"diouxXeEfFgGcrsa"
        .contains(bytes.get(at)?)
        .then_some(at + 1)
}

/// `{}`, `{name}`, `{0.x!r:>{width}}`: a field of `str.format`.
fn field(bytes: &[u8]) -> Option<usize> {
    if *bytes.first()? != b'{' || bytes.get(1) == Some(&b'{') {
        return None;
    }
    let mut depth = 0;
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' if depth == 1 => return Some(at + 1),
            b'}' => depth -= 1,
            b'\n' => return None,
            _ => {}
        }
    }
    None
}

fn doubled(bytes: &[u8], template: Template) -> Option<usize> {
    let signs: &[&[u8]] = match template {
        Template::None => &[],
        Template::Percent => &[b"%%"],
        Template::Braces => &[b"{{", b"}}"],
    };
    signs
        .iter()
        .any(|sign| bytes.starts_with(sign))
        .then_some(2)
}

/// Reads what lies between two holes.
pub(super) fn pieces(
    bytes: &[u8],
    range: TextRange,
    raw: bool,
    template: Template,
    out: &mut Quoted,
) {
    let end = range.end as usize;
    let (mut at, mut plain) = (range.start as usize, range.start as usize);
    while at < end {
        let rest = &bytes[at..end];
        let escape = match rest[0] {
            b'\\' if !raw => escape(rest),
            _ => doubled(rest, template).map(|len| (len, rest[..1].to_vec())),
        };
        let Some((len, text)) = escape else {
            at += 1;
            continue;
        };
        out.plain(&bytes[plain..at], plain as u32);
        out.escape(&text, TextRange::new(at as u32, (at + len) as u32));
        at += len;
        plain = at;
    }
    if plain < end {
        out.plain(&bytes[plain..end], plain as u32);
    }
}

/// The length of an escape and what it stands for (Python's language reference, 2.4.1.1); an unknown one stands for itself.
fn escape(bytes: &[u8]) -> Option<(usize, Vec<u8>)> {
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
