//! Markdown of the program as mdBook wants it: what looks like HTML is shown, not obeyed, comments go, and code has a language that is
//! highlighted.

use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser};

/// The text with its `<T>` escaped, and without the comments that tools of the repository find their places by.
pub(crate) fn shown(text: &str) -> String {
    let text = &without_comments(text);
    let places: Vec<usize> = html(text)
        .flat_map(|(_, range)| {
            let start = range.start;
            let marks = text[range].match_indices('<');
            marks.map(move |(at, _)| start + at).collect::<Vec<_>>()
        })
        .collect();
    let mut shown = text.to_owned();
    for at in places.into_iter().rev() {
        shown.insert(at, '\\');
    }
    highlighted(&shown)
}

/// Where a text has HTML.
fn html(text: &str) -> impl Iterator<Item = (Event<'_>, Range<usize>)> {
    let events = Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter();
    events.filter(|(event, _)| matches!(event, Event::Html(_) | Event::InlineHtml(_)))
}

fn without_comments(text: &str) -> String {
    let (mut kept, mut from) = (String::new(), 0);
    for (_, range) in html(text) {
        // One of several lines is an event for each of them.
        if range.start < from || !text[range.clone()].trim_start().starts_with("<!--") {
            continue;
        }
        let Some(end) = text[range.start..].find("-->") else {
            continue;
        };
        kept.push_str(&text[from..range.start]);
        from = range.start + end + "-->".len();
    }
    kept + &text[from..]
}

/// Fences with languages of this project's pages under the names that the highlighter knows.
fn highlighted(text: &str) -> String {
    let lines = text.split_inclusive('\n').map(|line| {
        let (space, rest) = line.split_at(line.len() - line.trim_start().len());
        match rest.trim_end() {
            "```cuda" | "```hip" => format!("{space}```cpp\n"),
            "```make" => format!("{space}```makefile\n"),
            _ => line.to_owned(),
        }
    });
    lines.collect()
}

/// A text as a cell of a table.
pub(crate) fn cell(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    shown(&line).trim_end().replace('|', "\\|")
}

/// Code as it is, in a line of text or a cell of a table; it can be found by its address where that is wanted.
pub(crate) fn code(text: &str, id: Option<&str>) -> String {
    let id = id.map_or_else(String::new, |id| format!(" id=\"{}\"", escaped(id)));
    format!(
        "<code{id}>{}</code>",
        breakable(text)
            .map(escaped)
            .collect::<Vec<_>>()
            .join("<wbr>")
    )
}

/// Characters of a name that a column has room for.
const COLUMN: usize = 32;

/// The words of a name that is too long for a column, each of which stays in one piece.
fn breakable(text: &str) -> impl Iterator<Item = &str> {
    let is_long = text.len() > COLUMN;
    let mut before = ' ';
    let mut ends: Vec<usize> = Vec::new();
    for (at, letter) in text.char_indices().filter(|_| is_long) {
        if before == '_' && letter != '_' || before.is_lowercase() && letter.is_uppercase() {
            ends.push(at);
        }
        before = letter;
    }
    let starts = [0].into_iter().chain(ends.clone());
    let words = starts.zip(ends.into_iter().chain([text.len()]));
    words.map(|(start, end)| &text[start..end])
}

fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    let text = text.replace('"', "&quot;").replace('|', "&#124;");
    // Two stars or underscores are emphasis to Markdown between tags as well.
    text.replace('*', "&#42;").replace('_', "&#95;")
}

/// A block of text in fixed letters.
pub(crate) fn block(language: &str, text: &str) -> String {
    format!("```{language}\n{}\n```\n\n", text.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_looks_like_html_is_text_and_code_stays() {
        assert_eq!(
            shown("of `vector<T>` a <T> b\n"),
            "of `vector<T>` a \\<T> b\n"
        );
        assert_eq!(
            shown("```cuda\nk<<<1, 2>>>();\n```\n"),
            "```cpp\nk<<<1, 2>>>();\n```\n"
        );
        assert_eq!(
            shown(
                "a\n\n<!-- one\ntwo -->\n\n| b |\n|:--|\n| c |\n<!-- end -->\n\nd <!-- e --> <T>\n"
            ),
            "a\n\n\n\n| b |\n|:--|\n| c |\n\n\nd  \\<T>\n"
        );
        assert_eq!(shown("`<!-- a -->`\n"), "`<!-- a -->`\n");
        assert_eq!(cell("a|b\n<script>"), "a\\|b \\<script>");
        assert_eq!(code("a_<|>*", None), "<code>a&#95;&lt;&#124;>&#42;</code>");
        let long = code("cudaDevAttrHostNumaMemoryPools_SUPPORTED", None);
        assert!(
            long.contains("Memory<wbr>Pools&#95;<wbr>SUPPORTED<"),
            "{long}"
        );
    }
}
