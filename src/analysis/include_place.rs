//! Where a file's new includes go: once, before its first include, behind its guard and licence comment, never inside `extern "C"`.

use crate::edit::{Edit, EditSet, Fix};
use crate::syntax::{
    Directive, DirectiveKind, Document, Include, Token, TokenIndex, TokenKind, flags,
};
use crate::text::TextRange;

/// Byte offset of the line in front of which includes are inserted.
pub(crate) fn insertion_point(document: &Document<'_>) -> u32 {
    insertion_point_before(document, u32::MAX)
}

/// The same for an include that something at `limit` needs: code may stand in front of a file's first include.
pub(crate) fn insertion_point_before(document: &Document<'_>, limit: u32) -> u32 {
    let guard = include_guard_end(document);
    let depth_limit = usize::from(guard.is_some_and(|(_, is_group)| is_group));
    let first_include = document
        .includes
        .iter()
        .take_while(|include| include.directive.start < limit)
        .find(|include| {
            let at = include.directive.start;
            document.branches.around(at).count() <= depth_limit && !is_in_braces(document, at)
        })
        .filter(|include| !is_in_statement(document, include))
        .map(|include| include.directive.start);
    let first_code = document
        .tokens
        .iter()
        .find(|token| guard.is_none_or(|(end, _)| token.start >= end))
        .map(|token| token.start);
    match (first_include, first_code) {
        (Some(include), _) => line_start(document, include),
        (None, Some(code)) => {
            let behind = guard.map(|(end, _)| end).or_else(|| fragment(document));
            behind.map_or_else(
                || above_its_comment(document, line_start(document, code)),
                |end| next_line(document, end),
            )
        }
        (None, None) => 0,
    }
}

/// The end of the `module;` that opens the part of a module which has its includes; nothing but comments stands in front.
fn fragment(document: &Document<'_>) -> Option<u32> {
    let opens = document.tokens.len() > 1 && document.is(0, "module") && document.is(1, ";");
    opens.then(|| document.tokens[1].end())
}

/// The empty line between the first includes of a file and the code that they are put in front of, as one more fix.
pub(crate) fn separator(document: &Document<'_>, edits: &EditSet) -> Option<Fix> {
    let is_include = |edit: &&Edit| edit.range.is_empty() && edit.content.starts_with("#include");
    let point = edits.iter().find(is_include)?.range.start;
    // What stands there may go.
    let gone = edits.iter().find(|edit| {
        edit.range.start == point && edit.range.end > point && edit.content.is_empty()
    });
    let rest = gone.map_or(point, |edit| edit.range.end);
    let mut line = document.source.bytes[rest as usize..].iter();
    let first = line.find(|byte| !matches!(byte, b' ' | b'\t'));
    let is_apart = matches!(first, None | Some(b'\n' | b'\r' | b'#'));
    (!is_apart).then(|| Fix::safe(vec![Edit::insert(point, document.newline())]))
}

/// Whether an include stands in the middle of a statement, as far as the text tells: what is inserted there would end that statement,
/// and what is taken out there would join it to another.
pub(crate) fn is_in_statement(document: &Document<'_>, include: &Include) -> bool {
    let front = code_in_front(document, include.token);
    front.is_some_and(|at| !matches!(document.bytes(at), b";" | b"{" | b"}"))
}

/// Whether a branch opens in the middle of a statement: `template <class T>` in front of `#ifdef A`. Macros on lines of their own need
/// no semicolon: `BEGIN(a)`.
pub(super) fn opens_in_statement(document: &Document<'_>, branch: TextRange) -> bool {
    let opener = document.token_at(branch.start).checked_sub(1);
    let Some(front) = opener.and_then(|opener| code_in_front(document, opener)) else {
        return false;
    };
    let name = match document
        .matching_bracket(front)
        .filter(|&open| open < front)
    {
        Some(open) => document.prev(open).unwrap_or(front),
        None => front,
    };
    let is_capital = |byte: &u8| byte.is_ascii_uppercase() || matches!(byte, b'_' | b'0'..=b'9');
    let is_macro = document.is_ident(name)
        && document.tokens[name].has(flags::LINE_START)
        && document.bytes(name).iter().all(is_capital);
    !is_macro && !matches!(document.bytes(front), b";" | b"{" | b"}")
}

/// The last token in front of the directive that holds a token, of those that are of none.
fn code_in_front(document: &Document<'_>, token: TokenIndex) -> Option<TokenIndex> {
    /// For each directive.
    struct InFront(Vec<Option<TokenIndex>>);
    let in_front = document.fact(|document| {
        let mut last = None;
        let before = document.directives.iter().map(|directive| {
            let prev = directive.tokens.start.checked_sub(1);
            last = prev
                .filter(|&at| !document.tokens[at].has(flags::DIRECTIVE))
                .or(last);
            last
        });
        InFront(before.collect())
    });
    let directive = document.directive_of(token);
    directive.and_then(|at| in_front.0[at])
}

/// Helpers and headers come behind the last of the leading includes, so that they see what the file includes itself, and before `limit`,
/// the first place that needs them: code may stand in front of a file's first include.
pub(crate) fn helper_point(document: &Document<'_>, limit: u32) -> u32 {
    let start = insertion_point_before(document, limit);
    let limit = usize::from(include_guard_end(document).is_some_and(|(_, is_group)| is_group));
    let before_code = |at: u32| {
        let code = document
            .tokens
            .iter()
            .find(|token| token.start >= start && !token.has(flags::DIRECTIVE));
        code.is_none_or(|token| at < token.start)
    };
    let last = document
        .includes
        .iter()
        .map(|include| include.directive)
        .rfind(|range| {
            document.branches.around(range.start).count() <= limit && before_code(range.start)
        });
    last.map_or(start, |range| next_line(document, range.end))
}

/// End of `#pragma once` or of the `#define` of an include guard (with `true`), if the file starts with one.
pub(super) fn include_guard_end(document: &Document<'_>) -> Option<(u32, bool)> {
    let first = document.directives.first()?;
    if first.tokens.start > 0 {
        return None;
    }
    if first.is_pragma(document, "once") {
        return Some((first.range.end, false));
    }
    document.include_guard(0).filter(|_| wraps_file(document))?;
    Some((document.directives[1].range.end, true))
}

/// Whether the group of the first directive ends with the file: what stands in it can be taken away by an option of the compiler
/// (`-DBLOCK=128` before `#ifndef BLOCK`) otherwise.
fn wraps_file(document: &Document<'_>) -> bool {
    let branches = &document.branches;
    let last_branch = branches.group(branches.branch(0).group).branches.last();
    let last = document.directives.last();
    let is_its_end = |last: &Directive| {
        last.kind == DirectiveKind::Endif
            && last.tokens.end == document.tokens.len()
            && last_branch.is_some_and(|&it| branches.branch(it).body.end == last.range.start)
    };
    last.is_some_and(is_its_end)
}

/// For each opening brace, how far it and those before it reach; one without a partner reaches all.
struct Reach(Vec<(TokenIndex, TokenIndex)>);

impl Reach {
    fn new(document: &Document<'_>) -> Self {
        let reach = document.open_braces().scan(0, |furthest, open| {
            *furthest = document
                .matching_bracket(open)
                .unwrap_or(usize::MAX)
                .max(*furthest);
            Some((open, *furthest))
        });
        Self(reach.collect())
    }
}

/// Whether a brace is open at `offset`: an include in there would put the new one inside `extern "C"` or a namespace.
pub(crate) fn is_in_braces(document: &Document<'_>, offset: u32) -> bool {
    let before = document.token_at(offset);
    let reach = document.fact(Reach::new);
    let opened = reach.0.partition_point(|(open, _)| *open < before);
    opened > 0 && reach.0[opened - 1].1 >= before
}

/// The start of the comment that stands directly in front of a line of code and speaks of it; one about the whole file does not.
fn above_its_comment(document: &Document<'_>, line: u32) -> u32 {
    let bytes = &document.source.bytes;
    let before = document
        .comments
        .partition_point(|comment| comment.end() <= line);
    let mut start = line;
    for comment in document.comments[..before].iter().rev() {
        // A comment of more bytes than a token has comes in pieces: one may end within the blanks of a line.
        let gap = bytes.get(comment.end() as usize..start as usize);
        let gap = gap.unwrap_or_default();
        let own_line = start_of_line(document, comment.start);
        let indent = &bytes[own_line as usize..comment.start as usize];
        let is_attached = memchr::memchr_iter(b'\n', gap).count() <= 1
            && gap.iter().chain(indent).all(u8::is_ascii_whitespace);
        if !is_attached {
            break;
        }
        if is_about_file(document.source.slice(comment.range())) {
            return line;
        }
        start = own_line;
    }
    start
}

/// Whether a comment is a licence or says that it describes the file.
fn is_about_file(comment: &[u8]) -> bool {
    let text = String::from_utf8_lossy(comment).to_lowercase();
    ["copyright", "licen", "spdx", "author", "@file", "\\file"]
        .iter()
        .any(|word| text.contains(word))
}

fn line_start(document: &Document<'_>, offset: u32) -> u32 {
    outside_comments(document, start_of_line(document, offset))
}

/// The first place behind the comment that a place lies in, or the place itself: a directive may follow a comment on its line, and a
/// comment of one line may go on, up to the end of an empty one.
fn outside_comments(document: &Document<'_>, offset: u32) -> u32 {
    let is_line = |comment: &Token| comment.kind == TokenKind::LineComment;
    let within = document.comments.iter().find(|comment| {
        comment.start < offset
            && (offset < comment.end() || is_line(comment) && offset == comment.end())
    });
    match within {
        Some(comment) if is_line(comment) => end_of_line(document, comment.end()),
        Some(comment) => comment.end(),
        None => offset,
    }
}

fn start_of_line(document: &Document<'_>, offset: u32) -> u32 {
    let start = crate::text::line_start(&document.source.bytes, offset);
    // A byte order mark stays the first thing in the file.
    if start == 0 && document.source.bytes.starts_with(b"\xef\xbb\xbf") {
        3
    } else {
        start
    }
}

/// The place behind the line that an offset lies in, and behind a comment that goes on there.
pub(crate) fn next_line(document: &Document<'_>, offset: u32) -> u32 {
    outside_comments(document, end_of_line(document, offset))
}

/// The offset behind the next line end that ends a line for the compiler: none that a backslash takes back.
fn end_of_line(document: &Document<'_>, offset: u32) -> u32 {
    let bytes = &document.source.bytes;
    let ends = memchr::memchr2_iter(b'\n', b'\r', &bytes[offset as usize..]);
    let mut ends = ends.map(|at| offset as usize + at);
    // Blanks are looked through on this line only: a line of backslashes would cost its square.
    let is_spliced = |at: &usize| {
        let blanks = bytes[..*at].iter().rev();
        let mut rest = blanks.skip_while(|byte| matches!(byte, b' ' | b'\t' | 0x0b | 0x0c | b'\r'));
        rest.next() == Some(&b'\\')
    };
    // Several carriage returns in front of a line feed end one line.
    let ends_here = |at: &usize| bytes[*at] != b'\r' || !matches!(bytes.get(at + 1), Some(b'\r'));
    let end = ends
        .find(|at| !is_spliced(at) && ends_here(at))
        .unwrap_or(bytes.len());
    let len = match bytes[end..] {
        [b'\r', b'\n', ..] => 2,
        [] => 0,
        _ => 1,
    };
    (end + len) as u32
}

/// Headers that an empty program cannot include first (clang 19 with the headers of ROCm 6.4); CUDA's can stand anywhere.
pub(crate) const AFTER_RUNTIME: &[&str] = &[
    "hip/channel_descriptor.h",
    "hip/driver_types.h",
    "hip/hip_gl_interop.h",
    "hip/hip_texture_types.h",
    "hip/surface_types.h",
    "hip/texture_types.h",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::SourceFile;

    /// The text with an include put where a function says, `I`.
    fn placed(text: &str, place: impl FnOnce(&Document<'_>) -> u32) -> String {
        let source = SourceFile::new("a.cuh", text.as_bytes().to_vec());
        let point = place(&Document::new(&source)) as usize;
        [&text[..point], "I\n", &text[point..]].concat()
    }

    #[test]
    fn a_comment_longer_than_a_token_is_one_comment() {
        // The first piece ends behind the blank that the second line begins with.
        let text = format!("/*{}\n y*/\nint f();\n", "x".repeat(Token::LONGEST - 4));
        let found = placed(&text, insertion_point);
        assert!(found.starts_with("I\n/*x"), "{:?}", &found[..20]);
    }

    #[test]
    fn an_include_goes_before_the_first_and_behind_what_must_come_first() {
        for (text, expected) in [
            ("", "I\n"),
            ("int a;\n", "I\nint a;\n"),
            ("#include <a.h>\nint a;\n", "I\n#include <a.h>\nint a;\n"),
            (
                "// Copyright\n\n#include <a.h>\n",
                "// Copyright\n\nI\n#include <a.h>\n",
            ),
            ("// Copyright\nint a;\n", "// Copyright\nI\nint a;\n"),
            ("// Adds.\nint a;\n", "I\n// Adds.\nint a;\n"),
            (
                "// Copyright\n\n// Adds.\nint a;\n",
                "// Copyright\n\nI\n// Adds.\nint a;\n",
            ),
            ("#pragma once\nint a;\n", "#pragma once\nI\nint a;\n"),
            (
                "#pragma once\r\n#include <a.h>\r\n",
                "#pragma once\r\nI\n#include <a.h>\r\n",
            ),
            // There is nothing that could need it.
            ("#pragma once", "I\n#pragma once"),
            (
                "#ifndef A\n#define A\nint a;\n#endif\n",
                "#ifndef A\n#define A\nI\nint a;\n#endif\n",
            ),
            (
                "#ifndef A\n#define A\n#include <a.h>\n#endif\n",
                "#ifndef A\n#define A\nI\n#include <a.h>\n#endif\n",
            ),
            // No guard: something follows, or another name is defined.
            (
                "#ifndef A\n#define A\n#endif\nint a;\n",
                "I\n#ifndef A\n#define A\n#endif\nint a;\n",
            ),
            (
                "#ifndef A\n#define A\n#endif\nint a;\n#ifdef X\n#endif\n",
                "I\n#ifndef A\n#define A\n#endif\nint a;\n#ifdef X\n#endif\n",
            ),
            (
                "#ifndef A\n#define B\nint a;\n#endif\n",
                "I\n#ifndef A\n#define B\nint a;\n#endif\n",
            ),
            // Not under a condition, in braces, or within a statement.
            (
                "#ifdef X\n#include <x.h>\n#endif\n#include <a.h>\n",
                "#ifdef X\n#include <x.h>\n#endif\nI\n#include <a.h>\n",
            ),
            (
                "extern \"C\" {\n#include <x.h>\n}\n",
                "I\nextern \"C\" {\n#include <x.h>\n}\n",
            ),
            (
                "int a[] =\n#include \"list.inc\"\n;\n",
                "I\nint a[] =\n#include \"list.inc\"\n;\n",
            ),
            (
                "/* why\n*/ #include <a.h>\n",
                "/* why\n*/I\n #include <a.h>\n",
            ),
            ("\u{feff}#include <a.h>\n", "\u{feff}I\n#include <a.h>\n"),
        ] {
            assert_eq!(placed(text, insertion_point), expected, "{text}");
        }
    }

    #[test]
    fn a_helper_goes_behind_the_leading_includes() {
        for (text, expected) in [
            (
                "#include <a.h>\n#include <b.h>\nint a;\n",
                "#include <a.h>\n#include <b.h>\nI\nint a;\n",
            ),
            (
                "#include <a.h> // a\\\nb\nint a;\n",
                "#include <a.h> // a\\\nb\nI\nint a;\n",
            ),
            (
                "#include <a.h>\nint a;\n#include <b.h>\n",
                "#include <a.h>\nI\nint a;\n#include <b.h>\n",
            ),
            (
                "#include <a.h>\n#ifdef X\n#include <b.h>\n#endif\nint a;\n",
                "#include <a.h>\nI\n#ifdef X\n#include <b.h>\n#endif\nint a;\n",
            ),
            (
                "#include <a.h>\r\nint a;\r\n",
                "#include <a.h>\r\nI\nint a;\r\n",
            ),
            (
                "#include <a.h> /* on\n and on */\nint a;\n",
                "#include <a.h> /* on\n and on */I\n\nint a;\n",
            ),
            ("int a;\n", "I\nint a;\n"),
            (
                "// why\nmodule;\nexport module a;\n",
                "// why\nmodule;\nI\nexport module a;\n",
            ),
        ] {
            assert_eq!(
                placed(text, |doc| helper_point(doc, u32::MAX)),
                expected,
                "{text}"
            );
        }
    }

    #[test]
    fn an_include_behind_the_code_that_needs_it_is_no_help() {
        let text = "int a;\n#include <a.h>\n";
        assert_eq!(
            placed(text, |doc| helper_point(doc, 4)),
            "I\nint a;\n#include <a.h>\n"
        );
        assert_eq!(
            placed(text, |doc| insertion_point_before(doc, 4)),
            "I\nint a;\n#include <a.h>\n"
        );
    }

    #[test]
    fn an_empty_line_parts_new_includes_from_code() {
        let separates = |text: &str| {
            let source = SourceFile::new("a.cu", text.as_bytes().to_vec());
            let doc = Document::new(&source);
            let fix = Fix::safe(vec![Edit::insert(
                insertion_point(&doc),
                "#include <h.h>\n",
            )]);
            let edits =
                EditSet::resolve(&[(0, Some(&fix))], crate::edit::Applicability::Safe).edits;
            separator(&doc, &edits).is_some()
        };
        for (text, expected) in [
            ("int a;\n", true),
            ("\nint a;\n", true),
            ("#include <a.h>\nint a;\n", false),
            ("  #define A\n", false),
            ("", false),
        ] {
            assert_eq!(separates(text), expected, "{text}");
        }
    }

    #[test]
    fn braces_are_open_between_their_ends() {
        for (text, expected) in [
            ("x;", false),
            ("namespace n { x; }", true),
            ("namespace n { } x;", false),
            ("namespace n { { } x; }", true),
            // One that nothing closes is open to the end.
            ("namespace n { int a; x;", true),
            ("/* { */ x;", false),
        ] {
            let source = SourceFile::new("a.cu", text.as_bytes().to_vec());
            let doc = Document::new(&source);
            let at = doc.all("x").next().expect("it is there");
            assert_eq!(is_in_braces(&doc, doc.tokens[at].start), expected, "{text}");
        }
    }
}
