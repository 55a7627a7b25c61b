//! Commands of Makefiles and shell scripts: which compiler is called, and what it is told, variables of the file read.

use rustc_hash::FxHashMap;

use crate::cpp::build_file::{line_of, words};
use crate::syntax::{Document, TokenIndex, flags};

/// What asks nvcc to link device code in a step of its own.
pub(crate) const DEVICE_LINK: &[&[u8]] = &[b"-dlink", b"--device-link"];

/// Whether a word calls the device compiler, before the translation or after: `nvcc`, `hipcc`, `$(NVCC)`.
pub(crate) fn is_device_compiler(doc: &Document<'_>, at: TokenIndex) -> bool {
    let word = doc.bytes(at);
    let is_program = word == b"nvcc" || word == b"hipcc" || word.ends_with(b"/nvcc");
    is_program || word == b"NVCC" && is_read(doc, at)
}

/// The words of a command behind its program: to the end of the line, joined lines included, or to what ends a command in a shell.
pub(crate) fn arguments(doc: &Document<'_>, program: TokenIndex) -> Vec<TokenIndex> {
    let goes_on = |at: &TokenIndex| {
        let is_end = matches!(doc.bytes(*at), b";" | b"&" | b"|" | b"`");
        !is_end && !doc.tokens[*at].has(flags::LINE_START)
    };
    (program + 1..doc.tokens.len())
        .take_while(goes_on)
        .collect()
}

/// Whether one of some words is told, by itself or by a variable of the file.
pub(crate) fn is_told(
    doc: &Document<'_>,
    told: &[TokenIndex],
    is_meant: &dyn Fn(TokenIndex) -> bool,
) -> bool {
    let variables = doc.fact(Variables::new);
    let mut open: Vec<TokenIndex> = told.to_vec();
    let mut seen: Vec<&[u8]> = Vec::new();
    while let Some(at) = open.pop() {
        if is_meant(at) {
            return true;
        }
        let name = doc.bytes(at);
        if is_read(doc, at) && !seen.contains(&name) {
            seen.push(name);
            open.extend(variables.0.get(name).into_iter().flatten().copied());
        }
    }
    false
}

/// The words that the rule of a recipe's line makes its targets of: what stands behind the colon, from which `$^` is taken.
pub(crate) fn prerequisites(doc: &Document<'_>, at: TokenIndex) -> Vec<TokenIndex> {
    let bytes = &doc.source.bytes;
    let is_recipe = |line: TokenIndex| {
        let start = doc.tokens[line].start as usize;
        start > 0 && bytes[start - 1] == b'\t' || bytes[..start].ends_with(b"\t@")
    };
    let starts = (0..line_of(doc, at)).rev();
    let mut lines = starts.filter(|&line| doc.tokens[line].has(flags::LINE_START));
    let Some(rule) = lines.find(|&line| !is_recipe(line)) else {
        return Vec::new();
    };
    let line = arguments(doc, rule);
    let colon = line.iter().position(|&at| doc.is(at, ":"));
    colon.map_or_else(Vec::new, |colon| line[colon + 1..].to_vec())
}

/// Whether the word is a variable that is read: `$(NAME)`, `${NAME}`.
pub(crate) fn is_read(doc: &Document<'_>, at: TokenIndex) -> bool {
    at > 1 && (doc.is(at - 1, "(") || doc.is(at - 1, "{")) && doc.is(at - 2, "$")
}

/// By the name of a variable, the words of all values that the file gives it.
struct Variables(FxHashMap<Box<[u8]>, Vec<TokenIndex>>);

impl Variables {
    fn new(doc: &Document<'_>) -> Self {
        let mut found: FxHashMap<Box<[u8]>, Vec<TokenIndex>> = FxHashMap::default();
        let starts = words(doc).filter(|&at| doc.tokens[at].has(flags::LINE_START));
        for name in starts {
            let signs = name + 1..(name + 4).min(doc.tokens.len());
            let Some(equals) = signs.into_iter().find(|&at| doc.is(at, "=")) else {
                continue;
            };
            let is_sign = |at: TokenIndex| matches!(doc.bytes(at), b":" | b"?" | b"+");
            if !(name + 1..equals).all(is_sign) || line_of(doc, equals) != name {
                continue;
            }
            let word = doc.bytes(name);
            let word = word.strip_suffix(b"+").unwrap_or(word);
            let starts_line = |at: &TokenIndex| doc.tokens[*at].has(flags::LINE_START);
            let value = (equals + 1..doc.tokens.len()).take_while(|at| !starts_line(at));
            found.entry(word.into()).or_default().extend(value);
        }
        Self(found)
    }
}
