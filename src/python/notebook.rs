//! Jupyter notebooks: where the strings of the code cells lie in the JSON file, and what they are written in.

use crate::text::TextRange;
use crate::text::json::Json;
use crate::text::number;
use crate::text::quoted::{Kind, Quoted, Style};

/// What a notebook holds.
#[derive(Debug, PartialEq)]
pub(crate) struct Cells {
    /// The code cells as one Python text, each byte with its place in the file. What only IPython reads (`%matplotlib`) is left out, so
    /// that the rest is Python.
    pub(crate) program: Quoted,
    /// Cells and lines that are files of other languages, by a name such a file has: `%%cu`, `%%writefile k.cu`, `%%bash`, `!nvcc …`.
    pub(crate) files: Vec<(String, Quoted)>,
}

/// The cells of a notebook; `None` where the file is none.
pub(crate) fn notebook(bytes: &[u8]) -> Option<Cells> {
    let mut json = Json::new(bytes);
    let mut cells = Cells {
        program: Quoted::new(),
        files: Vec::new(),
    };
    let mut has_cells = false;
    json.members(|json, key| {
        if key != "cells" {
            return json.skip();
        }
        has_cells = true;
        json.items(|json| cell(json, &mut cells))
    })?;
    has_cells.then_some(cells)
}

/// A line of a cell, and where it lies in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CellLine {
    /// The cell, counted from 1, with those that hold no code: as editors number them.
    pub(crate) cell: u32,
    /// The line of its source, from 1.
    pub(crate) line: u32,
    /// Bytes of the file.
    pub(crate) range: TextRange,
}

/// All lines of all cells in the order of the file; none where the file is no notebook.
pub(crate) fn cell_lines(bytes: &[u8]) -> Vec<CellLine> {
    let (mut json, mut found, mut cell) = (Json::new(bytes), Vec::new(), 0);
    // What cannot be read to its end tells the lines before it.
    let _ = json.members(|json, key| {
        if key != "cells" {
            return json.skip();
        }
        json.items(|json| {
            cell += 1;
            let sources = sources(json)?;
            let all = sources.iter().flat_map(|source| lines(bytes, *source));
            found.extend(
                (1..)
                    .zip(all)
                    .map(|(line, range)| CellLine { cell, line, range }),
            );
            Some(())
        })
    });
    found
}

/// The strings of a cell's source.
fn sources(json: &mut Json<'_>) -> Option<Vec<TextRange>> {
    let mut parts = Vec::new();
    json.members(|json, key| match key {
        "source" => source(json, &mut parts),
        _ => json.skip(),
    })?;
    Some(parts)
}

/// Adds the strings of a source: one, or a list of them.
fn source(json: &mut Json<'_>, parts: &mut Vec<TextRange>) -> Option<()> {
    if json.peek()? != b'[' {
        parts.push(json.string()?);
        return Some(());
    }
    json.items(|json| {
        parts.push(json.string()?);
        Some(())
    })
}

/// Adds a cell if it is of code.
fn cell(json: &mut Json<'_>, cells: &mut Cells) -> Option<()> {
    let (mut is_code, mut parts) = (false, Vec::new());
    json.members(|json, key| match key {
        "cell_type" => {
            let range = json.string()?;
            is_code = &json.bytes()[range.as_usize()] == b"code";
            Some(())
        }
        "source" => source(json, &mut parts),
        _ => json.skip(),
    })?;
    if !is_code {
        return Some(());
    }
    let bytes = json.bytes();
    let lines: Vec<TextRange> = parts.iter().flat_map(|it| lines(bytes, *it)).collect();
    let written = |line: &TextRange| &bytes[line.as_usize()];
    match lines.split_first() {
        Some((first, rest)) if written(first).starts_with(b"%%") => {
            comment(bytes, *first, cells);
            if let Some(name) = written_file(written(first)) {
                cells.files.push((name, quoted(bytes, rest)));
            }
        }
        _ => code(bytes, &lines, cells),
    }
    if let Some(last) = parts.last() {
        cells.program.joint(b"\n", last.end);
    }
    Some(())
}

/// Adds the lines of a cell: Python, and commands behind `!`.
fn code(bytes: &[u8], lines: &[TextRange], cells: &mut Cells) {
    for line in lines {
        let written = &bytes[line.as_usize()];
        let start = written.trim_ascii_start();
        let command = start.strip_prefix(b"!");
        if let Some(command) = command {
            let range = TextRange::new(line.end - command.len() as u32, line.end);
            cells
                .files
                .push(("command.sh".to_owned(), quoted(bytes, &[range])));
        } else if start.starts_with(b"%") {
            comment(bytes, *line, cells);
        } else {
            cells.program.begin(Style::new(Kind::Json));
            cells.program.written(bytes, *line, escape);
        }
    }
}

/// Adds a line with a command of `nvcc4jupyter` as a comment, `#%cuda -n k`, for the rule about it.
fn comment(bytes: &[u8], line: TextRange, cells: &mut Cells) {
    let written = bytes[line.as_usize()].trim_ascii_start();
    let has = |word: &str| memchr::memmem::find(written, word.as_bytes()).is_some();
    let is_magic = written.starts_with(b"%%") && is_nvcc(written)
        || has("load_ext") && (has("nvcc4jupyter") || has("nvcc_plugin"));
    if is_magic {
        let as_comment = |bytes: &[u8]| match bytes[0] {
            b'%' if bytes[1..].starts_with(b"%") || bytes[1..].starts_with(b"load") => {
                Some((1, b"#".to_vec()))
            }
            _ => escape(bytes),
        };
        cells.program.begin(Style::new(Kind::Json));
        cells.program.written(bytes, line, as_comment);
    }
}

/// Whether a cell is compiled by `nvcc`.
fn is_nvcc(magic: &[u8]) -> bool {
    let magic = String::from_utf8_lossy(magic);
    let word = magic
        .split(|it: char| it.is_ascii_whitespace() || it == '\\')
        .next();
    word.is_some_and(|word| NVCC.contains(&word))
}

/// What `nvcc4jupyter` reads, in all its releases.
const NVCC: [&str; 6] = [
    "%%cu",
    "%%cuda",
    "%%cuda_run",
    "%%nvcc",
    "%%cuda_group_save",
    "%%cuda_group_run",
];

/// Lines of a file as one text.
fn quoted(bytes: &[u8], lines: &[TextRange]) -> Quoted {
    let mut text = Quoted::new();
    for line in lines {
        text.begin(Style::new(Kind::Json));
        text.written(bytes, *line, escape);
    }
    text
}

/// The lines of a string of JSON, each with the escape that ends it.
fn lines(bytes: &[u8], string: TextRange) -> Vec<TextRange> {
    let mut lines = Vec::new();
    let (mut start, mut at) = (string.start, string.start);
    while at < string.end {
        let pair = &bytes[at as usize..string.end as usize];
        at += if pair[0] == b'\\' { 2 } else { 1 };
        if pair.starts_with(b"\\n") {
            lines.push(TextRange::new(start, at));
            start = at;
        }
    }
    if start < string.end {
        lines.push(TextRange::new(start, string.end));
    }
    lines
}

/// The name of a file such as a cell becomes by its magic: what `nvcc4jupyter` compiles, what IPython writes or hands to a shell.
fn written_file(magic: &[u8]) -> Option<String> {
    let magic = String::from_utf8_lossy(magic);
    let magic = magic.trim_end_matches("\\n").trim_end_matches("\\r");
    let mut words = magic.split_ascii_whitespace();
    let (magic, mut words) = (words.next()?, words.filter(|word| !word.starts_with('-')));
    match magic {
        magic if NVCC.contains(&magic) => Some("cell.cu".to_owned()),
        "%%bash" | "%%sh" | "%%shell" => Some("cell.sh".to_owned()),
        "%%script" => matches!(words.next()?, "bash" | "sh").then(|| "cell.sh".to_owned()),
        "%%writefile" | "%%file" => {
            let path = words.next()?.trim_matches(['"', '\'', '\\']);
            Some(path.rsplit('/').next().unwrap_or(path).to_owned())
        }
        _ => None,
    }
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

    #[test]
    fn a_line_is_found_by_its_cell() {
        let text = br##"{"cells": [{"cell_type": "markdown", "source": ["# a\n", "b"]},
            {"cell_type": "code", "source": "x = 1\ny = 2"}], "nbformat": 4}"##;
        let found = cell_lines(text);
        let told = found.iter().map(|it| {
            let text = String::from_utf8_lossy(&text[it.range.as_usize()]).into_owned();
            (it.cell, it.line, text)
        });
        let lines = [
            (1, 1, r"# a\n"),
            (1, 2, "b"),
            (2, 1, r"x = 1\n"),
            (2, 2, "y = 2"),
        ];
        assert!(told.eq(lines.map(|(cell, line, text)| (cell, line, text.to_owned()))));
        assert!(cell_lines(b"[1, 2").is_empty());
    }

    #[test]
    fn code_cells_are_one_program() {
        let json = br#"{"metadata": {"x": [1, {"y": null}]}, "cells": [
            {"cell_type": "markdown", "source": ["a = 0"]},
            {"source": ["a = \"\u00e9\"\n", "%time\n", "b"], "cell_type": "code", "outputs": []},
            {"cell_type": "code", "source": "%%bash\nls"},
            {"cell_type": "code", "source": "c"}]}"#;
        let cells = notebook(json).expect("a notebook");
        let [(name, shell)] = cells.files.as_slice() else {
            panic!("{cells:?}");
        };
        assert_eq!((name.as_str(), shell.text()), ("cell.sh", &b"ls"[..]));
        let text = cells.program;
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

    #[test]
    fn cells_of_other_languages_are_files() {
        let file = |source: &str| {
            let json = format!(r#"{{"cells": [{{"cell_type": "code", "source": {source}}}]}}"#);
            let cells = notebook(json.as_bytes()).expect("a notebook");
            let texts = cells.files.iter().map(|(name, text)| {
                (
                    name.clone(),
                    String::from_utf8_lossy(text.text()).into_owned(),
                )
            });
            texts.collect::<Vec<_>>()
        };
        let cases = [
            (
                r#"["%%cu\n", "int x;\n", "int y;"]"#,
                "cell.cu",
                "int x;\nint y;",
            ),
            (r#""%%cuda -n k\nint x;""#, "cell.cu", "int x;"),
            (
                r#""%%writefile -a src/k.cuh\r\nchar c = '\\n';""#,
                "k.cuh",
                "char c = '\\n';",
            ),
            (r#"["%%writefile Makefile\n", "a: b"]"#, "Makefile", "a: b"),
            (
                r#"["%%script bash\n", "nvcc a.cu"]"#,
                "cell.sh",
                "nvcc a.cu",
            ),
            (
                r#"["x = 1\n", "  !nvcc a.cu\n", "y = 2"]"#,
                "command.sh",
                "nvcc a.cu\n",
            ),
        ];
        for (source, name, text) in cases {
            assert_eq!(
                file(source),
                [(name.to_owned(), text.to_owned())],
                "{source}"
            );
        }
        for none in [
            "[]",
            r#""%%time\nx""#,
            r#""%%writefile""#,
            r#""%%script perl\nx""#,
        ] {
            assert_eq!(file(none), [], "{none}");
        }
    }
}
