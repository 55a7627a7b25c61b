//! Kernels in the string literals of a C++ file, which NVRTC or hiprtc compiles when the program runs.

use std::ops::Range;

use super::lanes::is_exchange;
use crate::syntax::{Document, Token, TokenIndex, TokenKind, flags};
use crate::text::escapes::cpp_escape;
use crate::text::quoted::{Kind, Quoted, Style};
use crate::text::{TextRange, line_start};

/// The text of neighbouring literals that holds a kernel.
#[derive(Debug)]
pub(crate) struct KernelString {
    /// The first literal.
    pub(crate) first: TokenIndex,
    /// What the literals stand for.
    pub(crate) text: Quoted,
}

/// The strings of a file that hold kernels.
#[derive(Debug)]
pub(crate) struct KernelStrings {
    /// Whole translation units, or parts that can be read as such.
    pub(crate) units: Vec<KernelString>,
    /// The first literals of those that cannot, and why.
    pub(crate) pieces: Vec<(TokenIndex, Unread)>,
}

/// Why strings with a kernel cannot be read as a translation unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unread {
    /// They do not close what they open, or are no kernel with its body: more is put to them when the program runs.
    Parts,
    /// One is longer than a token.
    Long,
    /// One is of wide characters.
    Wide,
}

impl KernelStrings {
    /// Finds them.
    pub(crate) fn new(doc: &Document<'_>) -> Self {
        let mut found = Self {
            units: Vec::new(),
            pieces: Vec::new(),
        };
        for literals in literals_with(doc, "__global__") {
            let first = literals.start;
            let is_long = |at: TokenIndex| doc.tokens[at].range().len() as usize >= Token::LONGEST;
            match text(doc, literals.clone()) {
                _ if literals.clone().any(is_long) => found.pieces.push((first, Unread::Long)),
                None => found.pieces.push((first, Unread::Wide)),
                Some(text) if is_unit(text.text()) => {
                    found.units.push(KernelString { first, text });
                }
                Some(_) => found.pieces.push((first, Unread::Parts)),
            }
        }
        // One finding asks for the text of a file, whatever it is put together from.
        if found.pieces.is_empty() {
            let known: Vec<TokenIndex> = found.units.iter().map(|it| it.first).collect();
            let part = device_parts(doc).find(|first| !known.contains(first));
            found
                .pieces
                .extend(part.map(|first| (first, Unread::Parts)));
        }
        found
    }
}

/// The first literals of texts that are code for the device without being a kernel, such as the functions and macros that a program puts in
/// front of one: a warp's function that is called, or a condition about NVIDIA's chips or its compiler.
fn device_parts(doc: &Document<'_>) -> impl Iterator<Item = TokenIndex> {
    let called = literals_with(doc, "_sync(").into_iter();
    let called = called.filter(|literals| {
        literals.clone().any(|at| {
            let text = doc.bytes(at);
            let mut ends = memchr::memmem::find_iter(text, b"_sync(").map(|at| at + b"_sync".len());
            ends.any(|end| is_exchange(last_word(&text[..end])))
        })
    });
    let asked = ["__CUDA_ARCH__", "__CUDACC_VER_MAJOR__"];
    let asked = asked.into_iter().flat_map(|word| literals_with(doc, word));
    let asked = asked.filter(|literals| {
        let mut texts = literals.clone().map(|at| doc.bytes(at));
        texts.any(|text| {
            ["#if", "#elif"]
                .iter()
                .any(|it| memchr::memmem::find(text, it.as_bytes()).is_some())
        })
    });
    called.chain(asked).map(|literals| literals.start)
}

/// The identifier that a text ends with.
fn last_word(text: &[u8]) -> &[u8] {
    let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
    &text[text.len() - text.iter().rev().take_while(is_part).count()..]
}

/// The neighbouring literals with a word in one of them, each run once.
pub(super) fn literals_with(doc: &Document<'_>, word: &str) -> Vec<Range<TokenIndex>> {
    let is_literal = |at: TokenIndex| {
        let kind = doc.tokens.get(at).map(|token| token.kind);
        matches!(kind, Some(TokenKind::Str | TokenKind::RawStr))
    };
    let mut found = Vec::new();
    let mut behind = 0;
    // Few of the many places with the word stand in a string.
    for offset in memchr::memmem::find_iter(&doc.source.bytes, word.as_bytes()) {
        let inside = doc.token_at(offset as u32 + 1).checked_sub(1);
        let inside = inside.filter(|&at| at >= behind && is_literal(at));
        let Some(inside) = inside.filter(|&at| doc.tokens[at].end() > offset as u32) else {
            continue;
        };
        let before = (behind..inside).rev().take_while(|&at| is_literal(at));
        let first = inside - before.count();
        behind = inside + (inside..).take_while(|&at| is_literal(at)).count();
        found.push(first..behind);
    }
    found
}

/// What neighbouring literals stand for; `None` for wide characters and what has no end.
pub(super) fn text(doc: &Document<'_>, literals: Range<TokenIndex>) -> Option<Quoted> {
    let mut text = Quoted::new();
    let bytes = &doc.source.bytes;
    for at in literals {
        let token = &doc.tokens[at];
        let (prefix, rest) = split_at(doc.bytes(at), b'"')?;
        let start = token.start + prefix.len() as u32 + 1;
        if token.kind == TokenKind::RawStr {
            let (delimiter, _) = split_at(&rest[1..], b'(')?;
            let end = format!("){}\"", String::from_utf8_lossy(delimiter));
            let last = token.end().checked_sub(end.len() as u32)?;
            // What is no delimiter may end the literal before its `(`.
            let first = start + delimiter.len() as u32 + 1;
            let content = (first <= last).then(|| TextRange::new(first, last))?;
            text.begin(Style::new(Kind::CppRaw(end)));
            text.plain(&bytes[content.as_usize()], content.start);
            continue;
        }
        if !matches!(prefix, b"" | b"u8") || !rest[1..].ends_with(b"\"") {
            return None;
        }
        let in_macro = token.has(flags::DIRECTIVE);
        text.begin(Style::new(match in_macro {
            true => Kind::Cpp,
            false => Kind::CppLines(line_before(doc, token.start)),
        }));
        text.written(bytes, TextRange::new(start, token.end() - 1), cpp_escape);
    }
    Some(text)
}

/// The line end of the file and the blanks that the line of an offset begins with.
fn line_before(doc: &Document<'_>, offset: u32) -> String {
    let bytes = &doc.source.bytes;
    let line = &bytes[line_start(bytes, offset) as usize..offset as usize];
    let blanks = line.iter().take_while(|byte| matches!(byte, b' ' | b'\t'));
    let blanks: String = blanks.map(|&byte| char::from(byte)).collect();
    format!("{}{blanks}", doc.newline())
}

/// What stands in front of a byte, and the rest from it on.
fn split_at(bytes: &[u8], wanted: u8) -> Option<(&[u8], &[u8])> {
    let at = memchr::memchr(wanted, bytes)?;
    Some(bytes.split_at(at))
}

/// Whether a text is a kernel with its body, and closes what it opens.
fn is_unit(text: &[u8]) -> bool {
    let count = |wanted: u8| memchr::memchr_iter(wanted, text).count();
    let pairs = [(b'{', b'}'), (b'(', b')')];
    pairs
        .iter()
        .all(|&(open, close)| count(open) > 0 && count(open) == count(close))
        && text.contains(&b';')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::SourceFile;

    /// The texts of the units of a file, and how many pieces there are beside them.
    fn found(text: &str) -> (Vec<String>, usize) {
        let source = SourceFile::new("a.cpp", text.as_bytes().to_vec());
        let strings = KernelStrings::new(&Document::new(&source));
        let units = strings.units.iter();
        let units = units.map(|it| String::from_utf8_lossy(it.text.text()).into_owned());
        (units.collect(), strings.pieces.len())
    }

    #[test]
    fn kernels_are_told_from_other_strings() {
        for (text, units, pieces) in [
            (
                r#"f("__global__ void k() { a; }");"#,
                &["__global__ void k() { a; }"][..],
                0,
            ),
            (
                r#"f("__global__ void k() {\n" "a; }");"#,
                &["__global__ void k() {\na; }"],
                0,
            ),
            (
                "f(R\"x(__global__ void k() { a(\"b\"); })x\");",
                &["__global__ void k() { a(\"b\"); }"],
                0,
            ),
            (r#"f("__global__ void k(" + type + " x) { a; }");"#, &[], 1),
            (r#"f(L"__global__ void k() { a; }");"#, &[], 1),
            (r#"find("__global__");"#, &[], 1),
            (r#"f("{ a; }");"#, &[], 0),
            (
                r##"s << "#define SHFL(x) __shfl_sync(~0u, x, 0)\n";"##,
                &[],
                1,
            ),
            (
                r##"s << "#if __CUDA_ARCH__ < 350\n" << "#if __CUDACC_VER_MAJOR__ > 8\n";"##,
                &[],
                1,
            ),
            (
                r#"s << "__shfl_sync failed" << "compiled for __CUDA_ARCH__" << "co_sync(a)";"#,
                &[],
                0,
            ),
            ("// \"__global__ void k() { a; }\"\n", &[], 0),
            ("f(\"__global__ void k() { a; }", &[], 1),
        ] {
            let expected: Vec<String> = units.iter().map(ToString::to_string).collect();
            assert_eq!(found(text), (expected, pieces), "{text}");
        }
    }
}
