//! The same code under another name: a key that blanks and comments do not change.

use sha2::{Digest as _, Sha256};

/// The key of a source: a hash of its text without comments and blanks. Equal keys mean the same code.
pub fn key(source: &[u8]) -> String {
    hash(&without_comments(source))
}

/// A hash of bytes as they are, for identities: the first half of their SHA-256.
pub(crate) fn hash(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    digest[..16]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

fn without_comments(source: &[u8]) -> Vec<u8> {
    let (mut kept, mut at) = (Vec::with_capacity(source.len()), 0);
    while at < source.len() {
        let rest = &source[at..];
        if rest.starts_with(b"//") {
            at += memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        } else if rest.starts_with(b"/*") {
            let end = memchr::memmem::find(&rest[2..], b"*/");
            at += end.map_or(rest.len(), |end| end + 4);
            // A comment parts two words as a blank does.
            kept.push(b' ');
        } else if matches!(rest[0], b'"' | b'\'') {
            let length = literal(rest);
            kept.extend_from_slice(&rest[..length]);
            at += length;
        } else {
            kept.push(rest[0]);
            at += 1;
        }
    }
    let mut words = kept.split(u8::is_ascii_whitespace);
    let mut dense = Vec::with_capacity(kept.len());
    for word in words.by_ref().filter(|word| !word.is_empty()) {
        dense.extend_from_slice(word);
        dense.push(b' ');
    }
    dense
}

/// How far a string or a character reaches; a quote in a number or an unfinished string ends with its line.
fn literal(rest: &[u8]) -> usize {
    let quote = rest[0];
    let mut at = 1;
    while let Some(&byte) = rest.get(at) {
        match byte {
            b'\\' => at += 1,
            b'\n' => return at,
            byte if byte == quote => return at + 1,
            _ => {}
        }
        at += 1;
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::key;

    #[test]
    fn comments_and_blanks_do_not_change_the_key() {
        let plain = key(b"int f(int a) { return a; }");
        assert_eq!(
            key(b"// x\nint f(int a)\n{\treturn a; /* y */ }\r\n"),
            key(b"int f(int a) { return a; }\n")
        );
        assert_ne!(key(b"int f(int b) { return b; }"), plain);
        assert_ne!(key(b"char *s = \"// x\";"), key(b"char *s = \"\";"));
        assert_eq!(key(b"a \" unfinished\nb"), key(b"a \" unfinished\n  b"));
    }
}
