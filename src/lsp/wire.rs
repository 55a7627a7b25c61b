//! Messages as they come over a stream. What an editor gets wrong in one message is told it and costs nothing but that message.

use std::io::{self, BufRead, Read as _};

use lsp_server::Message;

use crate::text::number::hex;

/// Bytes of the longest message that is read: a document of 100 MB, escaped.
const LONGEST: u64 = 512 << 20;

/// What came over the wire.
#[derive(Debug)]
pub enum Received {
    /// A message.
    Message(Message),
    /// Something that is none; says why.
    Unreadable(String),
    /// The editor closed the stream.
    End,
}

/// Reads the next message.
///
/// # Errors
/// When the stream breaks off, or nobody can tell where its next message begins.
pub fn read(input: &mut impl BufRead) -> io::Result<Received> {
    let Some(length) = read_length(input)? else {
        return Ok(Received::End);
    };
    if length > LONGEST {
        let message = format!("a message of {length} bytes is more than the server takes");
        return Err(io::Error::other(message));
    }
    // Room is taken as the bytes come, not as the header promises.
    let mut bytes = Vec::new();
    if input.take(length).read_to_end(&mut bytes)? as u64 != length {
        return Ok(Received::End);
    }
    let text = String::from_utf8_lossy(&bytes);
    let parsed = serde_json::from_str(&text)
        .or_else(|_| serde_json::from_str(&without_lone_surrogates(&text)));
    Ok(match parsed {
        Ok(message) => Received::Message(message),
        Err(error) => Received::Unreadable(error.to_string()),
    })
}

/// The length that the headers of a message give; `None` at the end of the stream.
fn read_length(input: &mut impl BufRead) -> io::Result<Option<u64>> {
    let mut length = None;
    loop {
        let mut line = Vec::new();
        // Two short headers are all that the protocol knows.
        if input.take(4096).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        let line = String::from_utf8_lossy(&line);
        if line.trim_end().is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("Content-Length")
        {
            length = value.trim().parse().ok();
        }
    }
    length
        .map(Some)
        .ok_or_else(|| io::Error::other("a message without a Content-Length"))
}

/// The text with `\ufffd` for each half of a surrogate pair that stands alone: JavaScript writes them so, and JSON has no text for them.
fn without_lone_surrogates(text: &str) -> String {
    let (mut fixed, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(at) = rest.find('\\') {
        let escape = &rest[at..];
        fixed.push_str(&rest[..at]);
        let (length, replacement) = match (unit(escape), escape.get(6..).and_then(unit)) {
            (Some(0xd800..0xdc00), Some(0xdc00..0xe000)) => (12, None),
            (Some(0xd800..0xe000), _) => (6, Some("\\ufffd")),
            (Some(_), _) => (6, None),
            // A backslash and what it escapes.
            (None, _) => (
                1 + escape[1..].chars().next().map_or(0, char::len_utf8),
                None,
            ),
        };
        fixed.push_str(replacement.unwrap_or(&escape[..length]));
        rest = &escape[length..];
    }
    fixed + rest
}

/// The code unit of an escape `\uXXXX` at the start of a text.
fn unit(text: &str) -> Option<u16> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    hex(digits).and_then(|value| u16::try_from(value).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn received(bytes: &[u8]) -> io::Result<Received> {
        read(&mut io::BufReader::new(bytes))
    }

    fn framed(text: &str) -> Vec<u8> {
        format!("Content-Length: {}\r\n\r\n{text}", text.len()).into_bytes()
    }

    #[test]
    fn half_a_surrogate_pair_is_no_end() {
        let text = r#"{"method":"a","params":"\ud800 \\ud800 \ud83d\ude00 \udc00\n"}"#;
        let Ok(Received::Message(Message::Notification(note))) = received(&framed(text)) else {
            panic!("it is a notification");
        };
        assert_eq!(note.params, "\u{fffd} \\ud800 \u{1f600} \u{fffd}\n");
    }

    #[test]
    fn a_message_that_is_none_is_told_and_a_length_without_bytes_takes_no_room() {
        for text in ["{", "[]", "\\", "\"\\ud800", "{\"id\":1.5}"] {
            let got = received(&framed(text));
            assert!(
                matches!(got, Ok(Received::Unreadable(_))),
                "{text}: {got:?}"
            );
        }
        assert!(received(b"Content-Length: 99999999999999\r\n\r\n{}").is_err());
        let cut = received(b"Content-Length: 500000000\r\n\r\n{}");
        assert!(matches!(cut, Ok(Received::End)), "{cut:?}");
        assert!(received(b"Length: 2\r\n\r\n{}").is_err());
        assert!(matches!(received(b""), Ok(Received::End)));
    }
}
