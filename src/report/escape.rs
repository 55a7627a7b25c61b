//! Text in other people's syntax: URIs, XML, terminals.

/// A relative path as a URI reference; an absolute one as a `file` URI.
pub(super) fn uri(path: &str) -> String {
    let encoded = percent(path);
    if path.starts_with('/') {
        format!("file://{encoded}")
    } else if is_drive(path) {
        // The colon of the drive stays: `file:///C:/src/a.cu`.
        format!("file:///{}", encoded.replacen("%3A", ":", 1))
    } else {
        encoded
    }
}

/// Whether a path stands on its own, so that no root goes before it.
pub(super) fn is_absolute(path: &str) -> bool {
    path.starts_with('/') || is_drive(path)
}

fn is_drive(path: &str) -> bool {
    matches!(path.as_bytes(), [letter, b':', b'/', ..] if letter.is_ascii_alphabetic())
}

/// Percent-encodes everything but the unreserved characters of RFC 3986 and the slash.
fn percent(path: &str) -> String {
    let mut text = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            text.push(byte as char);
        } else {
            text.push_str(&format!("%{byte:02X}"));
        }
    }
    text
}

/// Text for an XML attribute or element. Characters that XML 1.0 cannot hold even escaped become U+FFFD; tabs and line ends in
/// attributes are escaped, as readers would turn them into blanks.
pub(super) fn xml(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\t' | '\n' | '\r' => escaped.push_str(&format!("&#{};", c as u32)),
            '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            _ => escaped.push(c),
        }
    }
    escaped
}

/// Text for a terminal: control characters become their pictures, so that a source file cannot move the cursor or set colours, and
/// marks that reverse the direction of writing become U+FFFD.
pub(super) fn terminal(c: char) -> char {
    match c {
        '\0'..='\u{1f}' => char::from_u32(0x2400 + c as u32).unwrap_or('\u{fffd}'),
        '\u{7f}' => '\u{2421}',
        '\u{80}'..='\u{9f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '\u{fffd}',
        _ => c,
    }
}

/// Text of the sources in our sentences: names, paths. It can neither move a cursor nor begin a line of its own, which the log of a CI
/// job might obey (`::error::`).
pub(crate) fn harmless(text: &str) -> String {
    text.chars().map(terminal).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uris_are_relative_or_of_the_file_scheme() {
        assert_eq!(uri("src/a b#1.cu"), "src/a%20b%231.cu");
        assert_eq!(uri("x:y.cu"), "x%3Ay.cu");
        assert_eq!(uri("/tmp/ü.cu"), "file:///tmp/%C3%BC.cu");
        assert_eq!(uri("C:/a.cu"), "file:///C:/a.cu");
    }

    #[test]
    fn xml_holds_no_character_that_a_reader_refuses() {
        assert_eq!(
            xml("a<b>&\"\n\u{1b}[0m"),
            "a&lt;b&gt;&amp;&quot;&#10;\u{fffd}[0m"
        );
    }
}
