//! Jupyter notebooks: where the strings of the code cells lie in the JSON file.

use crate::text::json::Json;
use crate::text::number;
use crate::text::quoted::{Kind, Quoted, Style};

/// The code cells of a notebook as one Python text, each byte with its place in the file; `None` where the file is no notebook.
/// What only IPython reads (`%matplotlib`, `!nvcc`) is left out, so that the rest is Python.
pub(crate) fn notebook(bytes: &[u8]) -> Option<Quoted> {
    let mut json = Json::new(bytes);
    let mut text = Quoted::new();
    let mut has_cells = false;
    json.members(|json, key| {
        if key != "cells" {
            return json.skip();
        }
        has_cells = true;
        json.items(|json| cell(json, &mut text))
    })?;
    has_cells.then_some(text)
}

/// Adds a cell if it is of code.
fn cell(json: &mut Json<'_>, text: &mut Quoted) -> Option<()> {
    let (mut is_code, mut lines) = (false, Vec::new());
    json.members(|json, key| match key {
        "cell_type" => {
            let range = json.string()?;
            is_code = &json.bytes()[range.as_usize()] == b"code";
            Some(())
        }
        "source" if json.peek()? == b'[' => json.items(|json| {
            lines.push(json.string()?);
            Some(())
        }),
        "source" => {
            lines.push(json.string()?);
            Some(())
        }
        _ => json.skip(),
    })?;
    if !is_code {
        return Some(());
    }
    let is_magic = lines
        .first()
        .is_some_and(|line| json.bytes()[line.as_usize()].starts_with(b"%%"));
    for line in lines.iter().filter(|_| !is_magic) {
        let start = json.bytes()[line.as_usize()].trim_ascii_start();
        if !start.starts_with(b"%") && !start.starts_with(b"!") {
            text.begin(Style::new(Kind::Json));
            text.written(json.bytes(), *line, escape);
        }
    }
    if let Some(last) = lines.last() {
        text.joint(b"\n", last.end);
    }
    Some(())
}

/// The length of the escape that `bytes` begin with, and what it stands for (RFC 8259, section 7).
fn escape(bytes: &[u8]) -> Option<(usize, Vec<u8>)> {
    if bytes[0] != b'\\' {
        return None;
    }
    let unit = |at: usize| {
        let digits = bytes.get(at..at + 4)?;
        u32::try_from(number::hex(std::str::from_utf8(digits).ok()?)?).ok()
    };
    let byte = match bytes.get(1)? {
        b'n' => b'\n',
        b't' => b'\t',
        b'r' => b'\r',
        b'b' => 8,
        b'f' => 12,
        b'u' => {
            let first = unit(2)?;
            let second = bytes
                .get(6..8)
                .filter(|it| *it == b"\\u")
                .and_then(|_| unit(8));
            let (taken, value) = match (first, second) {
                (0xd800..=0xdbff, Some(low @ 0xdc00..=0xdfff)) => {
                    (12, 0x10000 + ((first - 0xd800) << 10) + (low - 0xdc00))
                }
                _ => (6, first),
            };
            let letter = char::from_u32(value).unwrap_or(char::REPLACEMENT_CHARACTER);
            return Some((taken, letter.to_string().into_bytes()));
        }
        other => *other,
    };
    Some((2, vec![byte]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::TextRange;

    #[test]
    fn code_cells_are_one_program() {
        let json = br#"{"metadata": {"x": [1, {"y": null}]}, "cells": [
            {"cell_type": "markdown", "source": ["a = 0"]},
            {"source": ["a = \"\u00e9\"\n", "%time\n", "b"], "cell_type": "code", "outputs": []},
            {"cell_type": "code", "source": "%%bash\nls"},
            {"cell_type": "code", "source": "c"}]}"#;
        let text = notebook(json).expect("a notebook");
        assert_eq!(
            String::from_utf8_lossy(text.text()),
            "a = \"\u{e9}\"\nb\n\nc\n"
        );
        let at = text
            .text()
            .iter()
            .position(|byte| *byte == b'b')
            .expect("b") as u32;
        let range = TextRange::new(at, at + 1);
        let edits = text.rewrite(range, "d\n\"").expect("JSON can say anything");
        let place = json.windows(3).position(|it| it == b"\"b\"").expect("b") as u32 + 1;
        assert_eq!(
            edits,
            [(TextRange::new(place, place + 1), "d\\n\\\"".to_owned())]
        );
        for broken in [
            "",
            "[]",
            "{\"cells\": [",
            "{\"cells\": [{\"source\": 1}]}",
            "{}",
        ] {
            assert_eq!(notebook(broken.as_bytes()), None, "{broken}");
        }
    }
}
