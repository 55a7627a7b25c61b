//! Text that shows in Markdown as it is written.

/// Text as a code span that holds whatever it holds, also in a table.
pub(super) fn code(text: &str) -> String {
    let text: String = text
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') {
        " "
    } else {
        ""
    };
    format!("{fence}{pad}{}{pad}{fence}", text.replace('|', "\\|"))
}

/// A sentence of ours: what stands between backticks stays code, everything else shows as it is written and mentions nobody.
pub(super) fn prose(text: &str) -> String {
    let pieces: Vec<&str> = text.split('`').collect();
    let is_balanced = pieces.len() % 2 == 1;
    let piece = |(number, piece): (usize, &&str)| {
        if is_balanced && number % 2 == 1 && !piece.is_empty() {
            code(piece)
        } else {
            plain(piece)
        }
    };
    let separator = if is_balanced { "" } else { "&#96;" };
    pieces
        .iter()
        .enumerate()
        .map(piece)
        .collect::<Vec<_>>()
        .join(separator)
}

pub(super) fn plain(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '@' => escaped.push_str("&#64;"),
            '#' => escaped.push_str("&#35;"),
            '*' | '_' | '[' | ']' | '|' | '\\' | '~' => escaped.extend(['\\', c]),
            c if c.is_control() => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_code_and_the_rest_stays_text() {
        assert_eq!(
            prose("`a|b<c>` is <b> @x"),
            "`a\\|b<c>` is &lt;b&gt; &#64;x"
        );
        assert_eq!(prose("one ` only*"), "one &#96; only\\*");
        assert_eq!(code("a`b"), "``a`b``");
    }
}
