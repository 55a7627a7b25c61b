//! Sentences of ours as markup.

use maud::{Markup, html};

/// A sentence of ours: what stands between backticks is code.
pub(super) fn prose(text: &str) -> Markup {
    let pieces: Vec<&str> = text.split('`').collect();
    let is_balanced = pieces.len() % 2 == 1;
    html! {
        @if !is_balanced { (text) }
        @else {
            @for (at, piece) in pieces.iter().enumerate() {
                @if at % 2 == 1 { (code(piece)) } @else { (piece) }
            }
        }
    }
}

/// Code within a sentence. Its lines break at blanks: a browser would break behind the `-` of an option as well.
fn code(text: &str) -> Markup {
    html! {
        code {
            @for (at, word) in text.split(' ').enumerate() {
                @if at > 0 { " " }
                @if word.starts_with('-') { span { (word) } } @else { (word) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backticks_are_code_and_nothing_is_markup() {
        let shown = |text| prose(text).into_string();
        assert_eq!(shown("a `b<c>` & d"), "a <code>b&lt;c&gt;</code> &amp; d");
        let options = "<code>a <span>-b</span> c-d</code>";
        assert_eq!(shown("`a -b c-d`"), options);
        assert_eq!(shown("one ` only <b>"), "one ` only &lt;b&gt;");
    }
}
