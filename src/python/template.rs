//! The pieces of a string literal: plain bytes, escapes, doubled signs, and the holes of `%` and `.format`.

use super::escape::escape;
use crate::text::TextRange;
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
    out.written(bytes, range, |rest| match rest[0] {
        b'\\' if !raw => escape(rest),
        _ => doubled(rest, template).map(|len| (len, rest[..1].to_vec())),
    });
}
