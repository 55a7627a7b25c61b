//! The variables of CMake that presets set: `"CMAKE_CUDA_FLAGS": "-lineinfo"`.

use crate::build::BuildFile;
use crate::build::amd_tools::serves_amd;
use crate::build::words::words;
use crate::mapping::BuildTable;
use crate::syntax::TokenIndex;
use crate::text::TextRange;

/// A variable and what it is set to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The name, between its quotes.
    pub name: TokenIndex,
    /// The text between the quotes of its value; none for what is no text, or has escapes.
    pub value: Option<TextRange>,
}

impl Entry {
    /// Whether the language HIP has such a variable, and a preset for it is set in the same way: a compiler of CUDA is none of HIP.
    pub(crate) fn is_of_hip_too(&self, doc: &BuildFile<'_>) -> bool {
        let name = doc.source.text(doc.tokens[self.name].range());
        BuildTable::builtin().hip_variable(&name).is_some()
    }
}

/// What the presets of a file set of CMake's variables about CUDA, in order; none where others of them are for AMD.
pub(crate) fn entries(doc: &BuildFile<'_>) -> Vec<Entry> {
    if !doc.source.path.ends_with("Presets.json") || serves_amd(doc) {
        return Vec::new();
    }
    let is_key = |at: &TokenIndex| {
        doc.bytes(*at).starts_with(b"CMAKE_CUDA_")
            && doc.is_before(*at, "\"")
            && doc.is(at + 1, "\"")
            && doc.is(at + 2, ":")
    };
    let entry = |name: TokenIndex| Entry {
        name,
        value: value(doc, name + 3),
    };
    words(doc).filter(is_key).map(entry).collect()
}

/// The values that are options for the compiler of CUDA, with the names in front of them, which say whose options they are.
pub(crate) fn flags(doc: &BuildFile<'_>) -> Vec<TextRange> {
    let is_flags = |entry: &Entry| doc.bytes(entry.name).starts_with(b"CMAKE_CUDA_FLAGS");
    let all = entries(doc).into_iter().filter(is_flags);
    let range = |entry: Entry| Some(doc.tokens[entry.name].range().cover(entry.value?));
    all.filter_map(range).collect()
}

/// The text between two quotes, the first of which is a token.
fn value(doc: &BuildFile<'_>, open: TokenIndex) -> Option<TextRange> {
    if !doc.is(open, "\"") {
        return None;
    }
    let start = doc.tokens[open].end();
    let rest = &doc.source.bytes[start as usize..];
    let len = rest
        .iter()
        .position(|byte| matches!(byte, b'"' | b'\\' | b'\n'))?;
    (rest[len] == b'"').then(|| TextRange::new(start, start + len as u32))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::SourceFile;

    #[test]
    fn variables_have_the_text_between_their_quotes() {
        let text = r#"{ "cacheVariables": {
            "CMAKE_CUDA_FLAGS": "-lineinfo -O3",
            "CMAKE_CUDA_STANDARD": 17,
            "CMAKE_CUDA_FLAGS_DEBUG" : "",
            "CMAKE_CUDA_FLAGS_RELEASE": "-DX=\"a\"",
            "CMAKE_CUDA_COMPILER": "nvcc",
            "OTHER": "CMAKE_CUDA_FLAGS" } }"#;
        let source = SourceFile::new("CMakePresets.json", text.as_bytes().to_vec());
        let doc = BuildFile::new(&source);
        let found = entries(&doc).into_iter().map(|entry| {
            let name = source.text(doc.tokens[entry.name].range()).into_owned();
            let value = entry.value.map(|range| source.text(range).into_owned());
            (name, value, entry.is_of_hip_too(&doc))
        });
        let found: Vec<(String, Option<String>, bool)> = found.collect();
        let expected = [
            ("CMAKE_CUDA_FLAGS", Some("-lineinfo -O3"), true),
            ("CMAKE_CUDA_STANDARD", None, true),
            ("CMAKE_CUDA_FLAGS_DEBUG", Some(""), true),
            ("CMAKE_CUDA_FLAGS_RELEASE", None, true),
            ("CMAKE_CUDA_COMPILER", Some("nvcc"), false),
        ];
        let expected: Vec<(String, Option<String>, bool)> = expected
            .map(|(name, value, is_of_hip)| (name.to_owned(), value.map(str::to_owned), is_of_hip))
            .to_vec();
        assert_eq!(found, expected);
        let flags: Vec<String> = flags(&doc)
            .into_iter()
            .map(|range| source.text(range).into_owned())
            .collect();
        let expected = [
            "CMAKE_CUDA_FLAGS\": \"-lineinfo -O3",
            "CMAKE_CUDA_FLAGS_DEBUG\" : \"",
        ];
        assert_eq!(flags, expected);
        let both = text.replace("OTHER", "CMAKE_HIP_FLAGS");
        let both = SourceFile::new("CMakePresets.json", both.into_bytes());
        assert!(entries(&BuildFile::new(&both)).is_empty());
        let elsewhere = SourceFile::new("package.json", text.as_bytes().to_vec());
        assert!(entries(&BuildFile::new(&elsewhere)).is_empty());
    }
}
