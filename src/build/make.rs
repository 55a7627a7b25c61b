//! Commands of Makefiles and shell scripts: which compiler is called, and what it is told, variables of the file read.

use rustc_hash::FxHashMap;

use crate::build::BuildFile;
use crate::build::words::{line_of, words};
use crate::syntax::{TokenIndex, flags};

/// What asks nvcc to link device code in a step of its own.
pub(crate) const DEVICE_LINK: &[&[u8]] = &[b"-dlink", b"--device-link"];

/// Whether a word calls the device compiler, before the translation or after: `nvcc`, `hipcc`, `$(NVCC)`.
pub(crate) fn is_device_compiler(doc: &BuildFile<'_>, at: TokenIndex) -> bool {
    let word = doc.bytes(at);
    let is_program = word == b"nvcc" || word == b"hipcc" || word.ends_with(b"/nvcc");
    is_program || word == b"NVCC" && is_read(doc, at)
}

/// The words of a command behind its program: to the end of the line, joined lines included, or to what ends a command in a shell.
pub(crate) fn arguments(doc: &BuildFile<'_>, program: TokenIndex) -> Vec<TokenIndex> {
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
    doc: &BuildFile<'_>,
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
pub(crate) fn prerequisites(doc: &BuildFile<'_>, at: TokenIndex) -> Vec<TokenIndex> {
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
pub(crate) fn is_read(doc: &BuildFile<'_>, at: TokenIndex) -> bool {
    at > 1 && (doc.is(at - 1, "(") || doc.is(at - 1, "{")) && doc.is(at - 2, "$")
}

/// The words of all values that the file gives to variables of some names.
pub(crate) fn values(doc: &BuildFile<'_>, is_meant: &dyn Fn(&[u8]) -> bool) -> Vec<TokenIndex> {
    let variables = doc.fact(Variables::new);
    let meant = variables.0.iter().filter(|(name, _)| is_meant(name));
    let words = meant.flat_map(|(_, words)| words.iter().copied());
    let mut words: Vec<TokenIndex> = words.filter(|&at| doc.is_ident(at)).collect();
    words.sort_unstable();
    words
}

/// By the name of a variable, the words of all values that the file gives it.
struct Variables(FxHashMap<Box<[u8]>, Vec<TokenIndex>>);

impl Variables {
    fn new(doc: &BuildFile<'_>) -> Self {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::SourceFile;

    fn read<T>(text: &str, ask: impl FnOnce(&BuildFile<'_>) -> T) -> T {
        let source = SourceFile::new("Makefile", text.as_bytes().to_vec());
        ask(&BuildFile::new(&source))
    }

    /// The words of some places.
    fn texts(doc: &BuildFile<'_>, places: &[TokenIndex]) -> String {
        let words = places
            .iter()
            .map(|&at| String::from_utf8_lossy(doc.bytes(at)));
        words.collect::<Vec<_>>().join(" ")
    }

    fn first(doc: &BuildFile<'_>, word: &str) -> TokenIndex {
        let mut all = 0..doc.tokens.len();
        all.find(|&at| doc.is(at, word))
            .expect("the word is in the text")
    }

    #[test]
    fn a_compiler_is_called_by_name_path_or_variable() {
        for (text, word, expected) in [
            ("a:\n\tnvcc a.cu\n", "nvcc", true),
            ("a:\n\thipcc a.cu\n", "hipcc", true),
            (
                "a:\n\t/usr/local/cuda/bin/nvcc a.cu\n",
                "/usr/local/cuda/bin/nvcc",
                true,
            ),
            ("a:\n\t$(NVCC) a.cu\n", "NVCC", true),
            ("a:\n\t${NVCC} a.cu\n", "NVCC", true),
            ("NVCC = nvcc\n", "NVCC", false),
            ("a:\n\tg++ a.cpp\n", "g++", false),
        ] {
            let found = read(text, |doc| is_device_compiler(doc, first(doc, word)));
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn a_command_goes_to_the_end_of_its_joined_lines() {
        for (text, expected) in [
            ("a:\n\tnvcc -c a.cu\n\tstrip a\n", "-c a.cu"),
            ("a:\n\tnvcc -c \\\n\t  a.cu\n\tstrip a\n", "-c a.cu"),
            ("a:\n\tnvcc -c \\\r\n\t  a.cu\r\n", "-c a.cu"),
            ("a:\n\tnvcc a.cu && strip a\n", "a.cu"),
            ("a:\n\tnvcc a.cu; strip a\n", "a.cu"),
            ("a:\n\tnvcc a.cu # strip\n", "a.cu"),
            ("a:\n\tnvcc", ""),
        ] {
            let found = read(text, |doc| texts(doc, &arguments(doc, first(doc, "nvcc"))));
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn an_option_is_told_by_itself_or_by_variables() {
        for (text, expected) in [
            ("a:\n\tnvcc -dlink a.o\n", true),
            ("F = -dlink\na:\n\tnvcc $(F) a.o\n", true),
            ("F := -O3\nF += -dlink\na:\n\tnvcc ${F} a.o\n", true),
            ("F = $(G)\nG ?= -dlink\na:\n\tnvcc $(F) a.o\n", true),
            // Values that hold each other end.
            ("F = $(G)\nG = $(F)\na:\n\tnvcc $(F) a.o\n", false),
            ("H = -dlink\na:\n\tnvcc $(F) a.o\n", false),
            ("F = -dlink\na:\n\tnvcc F a.o\n", false),
            ("# F = -dlink\na:\n\tnvcc $(F) a.o\n", false),
        ] {
            let found = read(text, |doc| {
                let told = arguments(doc, doc_last(doc, "nvcc"));
                is_told(doc, &told, &|at| DEVICE_LINK.contains(&doc.bytes(at)))
            });
            assert_eq!(found, expected, "{text}");
        }
    }

    fn doc_last(doc: &BuildFile<'_>, word: &str) -> TokenIndex {
        let mut all = 0..doc.tokens.len();
        all.rfind(|&at| doc.is(at, word))
            .expect("the word is in the text")
    }

    #[test]
    fn prerequisites_stand_behind_the_rules_colon() {
        for (text, expected) in [
            ("a: b.o c.o\n\tnvcc $^\n", "b.o c.o"),
            ("a: b.o \\\n   c.o\n\techo\n\tnvcc $^\n", "b.o c.o"),
            ("a:\n\tnvcc $^\n", ""),
            ("z: y\na: b.o\n\t@nvcc $^\n", "b.o"),
        ] {
            let found = read(text, |doc| {
                texts(doc, &prerequisites(doc, first(doc, "nvcc")))
            });
            assert_eq!(found, expected, "{text}");
        }
    }
}
