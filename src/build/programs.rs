//! Programs of C++ in the text of a build file, which it writes and compiles while it runs: `file(WRITE x.cu "…")` of CMake, a
//! here-document of a shell, a word in quotes.

use std::cell::LazyCell;
use std::ops::Range;

use memchr::memmem;

use crate::build::BuildFile;
use crate::build::command::{Command, is_called};
use crate::build::here_documents::here_documents;
use crate::build::probes::{LooksFor, looks_for};
use crate::text::{BuildTool, TextRange, line_start, next_line};

/// A program of C++ that a build file has as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Program {
    pub(crate) text: TextRange,
    /// It stands between `"` and `"`, so that its own quotes have a backslash in front.
    is_quoted: bool,
    /// What ends a line of it: nothing where it is all in one.
    line_end: Option<&'static str>,
}

/// What a program names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Named {
    /// A header that it includes.
    Header(TextRange),
    /// A member behind `.` or `->`.
    Member(TextRange),
    /// Anything else that is called something.
    Name(TextRange),
}

/// The programs of a build file, in order. What CMake's own checks compile is none of them.
pub(crate) fn programs(doc: &BuildFile<'_>) -> Vec<Program> {
    let bytes = &doc.source.bytes;
    let documents = LazyCell::new(|| here_documents(bytes));
    let mut found: Vec<Program> = Vec::new();
    for main in memmem::find_iter(bytes, b"main").filter(|&at| is_main(bytes, at)) {
        let is_known = found.last().is_some_and(|it| (main as u32) < it.text.end);
        if !is_known {
            found.extend(match doc.tool {
                BuildTool::CMake => in_command(doc, main),
                _ => here_document(&documents, main).or_else(|| in_quotes(bytes, main)),
            });
        }
    }
    found
}

impl Program {
    /// Where its first line begins that includes something; its `main` otherwise.
    pub(crate) fn top(&self, bytes: &[u8]) -> u32 {
        let text = &bytes[self.text.start as usize..self.text.end as usize];
        let first = memmem::find(text, b"#include").or_else(|| {
            let mains = memmem::find_iter(text, b"main").find(|&at| is_main(text, at))?;
            memmem::rfind(&text[..mains], b"int")
        });
        self.text.start + first.unwrap_or(0) as u32
    }

    /// What ends a line that is put in front of its first.
    pub(crate) fn line_end_at_top(&self, bytes: &[u8]) -> Option<&'static str> {
        let before = self.top(bytes).checked_sub(1)?;
        match bytes[before as usize] {
            b'\n' => Some("\n"),
            _ => self.line_end,
        }
    }

    /// What it names outside of comments and literals, in order.
    pub(crate) fn names(&self, bytes: &[u8]) -> Vec<Named> {
        let end = self.text.end as usize;
        let (mut at, mut found, mut in_literal) = (self.text.start as usize, Vec::new(), false);
        while at < end {
            let rest = &bytes[at..end];
            match rest {
                [b'\\', b'"', ..] if self.is_quoted => {
                    in_literal ^= true;
                    at += 2;
                }
                [b'\\', ..] => at += 2,
                [b'"', ..] => {
                    // Between two words of a list in quotes there is no literal.
                    in_literal = !in_literal && !self.is_quoted;
                    at += 1;
                }
                [b'/', b'/', ..] if !in_literal => at += comment_len(rest),
                [first, ..] if is_word(*first) => {
                    let (named, len) = word_at(&bytes[..end], at);
                    // A header stands in quotes of its own.
                    let is_seen = !in_literal || matches!(named, Named::Header(_));
                    found.extend(is_seen.then_some(named));
                    at += len;
                }
                _ => at += 1,
            }
        }
        found
    }
}

/// What is named by the word at `at`, and how many bytes that takes.
fn word_at(bytes: &[u8], at: usize) -> (Named, usize) {
    let rest = &bytes[at..];
    let len = rest.iter().take_while(|&&byte| is_word(byte)).count();
    if let Some(header) = header_behind(bytes, at, len) {
        let end = header.end as usize;
        let escape = usize::from(bytes.get(end) == Some(&b'\\'));
        return (Named::Header(header), end + escape + 1 - at);
    }
    let name = TextRange::new(at as u32, (at + len) as u32);
    let before = bytes[..at].trim_ascii_end();
    let named = match before.ends_with(b".") || before.ends_with(b"->") {
        true => Named::Member(name),
        false => Named::Name(name),
    };
    (named, len)
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Whether `main` at `at` is defined there: `int main(`.
fn is_main(bytes: &[u8], at: usize) -> bool {
    let before = &bytes[..at];
    let spaces = before.len() - before.trim_ascii_end().len();
    let is_typed = before.trim_ascii_end().ends_with(b"int");
    spaces > 0 && is_typed && bytes[at + 4..].trim_ascii_start().starts_with(b"(")
}

/// The length of a comment up to the end of its line.
fn comment_len(rest: &[u8]) -> usize {
    let line = next_line(rest, 0).map_or(rest.len(), |next| next as usize);
    memmem::find(&rest[..line], b"\\n").unwrap_or(line)
}

/// The path behind a word that is the `include` of a directive.
fn header_behind(bytes: &[u8], at: usize, len: usize) -> Option<TextRange> {
    let is_include =
        &bytes[at..at + len] == b"include" && bytes[..at].trim_ascii_end().ends_with(b"#");
    let rest = is_include.then(|| &bytes[at + len..])?;
    let open = rest.iter().position(|byte| matches!(byte, b'<' | b'"'))?;
    let is_near = rest[..open]
        .iter()
        .all(|&byte| matches!(byte, b' ' | b'\t' | b'\\'));
    let path = is_near.then(|| &rest[open + 1..])?;
    let path_len = path
        .iter()
        .position(|byte| matches!(byte, b'>' | b'"' | b'\\' | b'\n'))?;
    let start = (at + len + open + 1) as u32;
    Some(TextRange::new(start, start + path_len as u32))
}

/// The arguments of the command of CMake around a `main`: one that writes a file, or gives a variable a text.
fn in_command(doc: &BuildFile<'_>, main: usize) -> Option<Program> {
    const WRITERS: [&str; 6] = [
        "file",
        "set",
        "string",
        "write_file",
        "try_compile",
        "try_run",
    ];
    let main = main as u32;
    let start = |command: &Command| doc.tokens[command.open].range().end;
    let all = doc.commands();
    let command = &all[all.partition_point(|it| start(it) <= main).checked_sub(1)?];
    let end = match doc.tokens.get(command.close) {
        Some(close) => close.range().start,
        None => doc.source.bytes.len() as u32,
    };
    let is_writer = WRITERS.iter().any(|name| is_called(doc, command, name));
    let is_code = looks_for(doc, command) == Some(LooksFor::Code);
    if main >= end || !is_writer || is_code {
        return None;
    }
    let before = &doc.source.bytes[start(command) as usize..main as usize];
    // What stands in brackets, `[[ … ]]`, has no escapes.
    let is_bracket = memmem::find(before, b"[[").is_some() || memmem::find(before, b"[=").is_some();
    Some(Program {
        text: TextRange::new(start(command), end),
        is_quoted: !is_bracket,
        line_end: Some(if is_bracket { "\n" } else { "\\n" }),
    })
}

/// The here-document around a `main`.
fn here_document(all: &[TextRange], main: usize) -> Option<Program> {
    let at = all.partition_point(|it| it.end as usize <= main);
    let text = *all.get(at).filter(|it| it.start as usize <= main)?;
    Some(Program {
        text,
        is_quoted: false,
        line_end: Some("\n"),
    })
}

/// How many bytes in front of its `main` a program in quotes may begin.
const LONGEST_TOP: usize = 4096;

/// How many bytes behind its `main` it may end.
const LONGEST_REST: usize = 1 << 14;

/// The word in quotes around a `main`: `echo 'int main() { … }' > x.cu`.
fn in_quotes(bytes: &[u8], main: usize) -> Option<Program> {
    let from = main.saturating_sub(LONGEST_TOP);
    let line = line_start(bytes, main as u32) as usize;
    // A word of several lines is one in single quotes: what stands in double ones needs too many signs in front of others.
    let open = open_quote(bytes, line.max(from)..main)
        .or_else(|| Some(from + memchr::memrchr(b'\'', &bytes[from..line.max(from)])?))?;
    let quote = bytes[open];
    let last = bytes.len().min(main + LONGEST_REST);
    let mut ends = memchr::memchr_iter(quote, &bytes[main..last]).map(|at| main + at);
    let end = ends.find(|&at| quote == b'\'' || bytes[at - 1] != b'\\')?;
    let text = &bytes[open + 1..end];
    let line_end = if text.contains(&b'\n') {
        Some("\n")
    } else {
        memmem::find(text, b"\\n").map(|_| "\\n")
    };
    let first_line = line_start(bytes, open as u32) as usize;
    let is_comment = bytes[first_line..].trim_ascii_start().starts_with(b"#");
    (!is_comment).then(|| Program {
        text: TextRange::new((open + 1) as u32, end as u32),
        is_quoted: quote == b'"',
        line_end,
    })
}

/// Where the quote begins that is open at the end of a part of a line.
fn open_quote(bytes: &[u8], part: Range<usize>) -> Option<usize> {
    let mut open: Option<usize> = None;
    let mut at = part.start;
    while at < part.end {
        match bytes[at] {
            b'\\' if open.is_none_or(|open| bytes[open] == b'"') => at += 1,
            quote @ (b'"' | b'\'') => match open {
                Some(first) if bytes[first] == quote => open = None,
                None => open = Some(at),
                Some(_) => {}
            },
            _ => {}
        }
        at += 1;
    }
    open
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::SourceFile;

    #[test]
    fn programs_are_found_with_what_they_name() {
        for (path, text, expected) in [
            (
                "CMakeLists.txt",
                "file(WRITE ${f} \"\"\n \"#include <a.h>\\n\"\n \"int main() { puts(\\\"no\\\"); p.m; } // c\\n\")\n",
                "\\n a.h int main puts p .m",
            ),
            (
                "CMakeLists.txt",
                "set(T [[\nint main() { puts(\"no\"); }\n]])\n",
                "\n int main puts",
            ),
            (
                "CMakeLists.txt",
                "check_cxx_source_compiles(\"int main() {}\" HAVE)\nmessage(\"int main()\")\n",
                "",
            ),
            (
                "b.sh",
                "cat <<'EOF' > x.cu\n#include \"b.h\"\nvoid p() { c << e;\n}\nint main() { f(p->x); }\nEOF\nint after\n",
                "\n b.h void p c e int main f p .x",
            ),
            (
                "b.sh",
                "echo 'int main() { f(); }' > x.cu\n",
                "- int main f",
            ),
            (
                "b.sh",
                "echo 'x'; printf \"#include <a.h>\\nint main() { f(\\\"no\\\"); }\" > x.cu\n",
                "\\n a.h int main f",
            ),
            ("b.sh", "# 'int main() {}'\n", ""),
            ("b.sh", "domain(x)\n", ""),
        ] {
            let source = SourceFile::new(path, text.as_bytes().to_vec());
            let doc = BuildFile::new(&source);
            let show = |named: Named| match named {
                Named::Header(it) | Named::Name(it) => source.text(it).into_owned(),
                Named::Member(it) => format!(".{}", source.text(it)),
            };
            let programs = programs(&doc);
            let found = programs.iter().map(|it| {
                let names = it.names(&source.bytes).into_iter().map(show);
                let end = it.line_end.unwrap_or("-").to_owned();
                let all = std::iter::once(end).chain(
                    names.filter(|it| !["WRITE", "f", "T"].contains(&&**it) || path == "b.sh"),
                );
                all.collect::<Vec<_>>().join(" ")
            });
            assert_eq!(found.collect::<Vec<_>>().join("|"), expected, "{text}");
        }
    }
}
