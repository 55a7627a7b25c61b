//! The table `mappings/triton.toml`: what Triton has for NVIDIA's GPUs alone.

use std::sync::LazyLock;

use serde::Deserialize;

/// What Triton has for NVIDIA's GPUs alone.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TritonTable {
    only: Vec<TritonOnly>,
}

/// Words that mean the same to a person who ports.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TritonOnly {
    #[serde(default)]
    calls: Vec<String>,
    #[serde(default)]
    arguments: Vec<String>,
    #[serde(default)]
    strings: Vec<String>,
    #[serde(default)]
    keys: Vec<String>,
    /// Nothing runs with it on AMD.
    #[serde(default)]
    pub(crate) breaks: bool,
    message: String,
    /// What to do.
    pub(crate) help: String,
}

/// How a program says a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TritonUse {
    /// It calls a function or a class.
    Call,
    /// A keyword argument asks for it.
    Argument,
    /// It stands in a text.
    Text,
    /// It is a key of the texts that a kernel was compiled to.
    Key,
}

impl TritonTable {
    /// The table that is compiled in.
    pub(crate) fn builtin() -> &'static Self {
        static TABLE: LazyLock<TritonTable> = LazyLock::new(|| {
            toml::from_str(include_str!("../../mappings/triton.toml"))
                .expect("the compiled-in table of Triton is valid, a test reads it")
        });
        &TABLE
    }

    /// The row about a word that is used so.
    pub(crate) fn find(&self, word: &str, used: TritonUse) -> Option<&TritonOnly> {
        let words = |row: &&TritonOnly| {
            let of_use = match used {
                TritonUse::Call => &row.calls,
                TritonUse::Argument => &row.arguments,
                TritonUse::Text => &row.strings,
                TritonUse::Key => &row.keys,
            };
            of_use.iter().any(|it| it == word)
        };
        self.only.iter().find(words)
    }
}

impl TritonOnly {
    /// What is the matter with a word.
    pub(crate) fn message(&self, word: &str) -> String {
        self.message.replace("{}", word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_found_by_its_use() {
        let table = TritonTable::builtin();
        let found = |word, used| table.find(word, used).map(|row| row.message(word));
        for (word, used, expected) in [
            ("async_task", TritonUse::Call, true),
            ("async_task", TritonUse::Argument, false),
            ("warp_specialize", TritonUse::Argument, true),
            ("tf32x3", TritonUse::Text, true),
            ("tf32", TritonUse::Text, false),
            ("ptx", TritonUse::Key, true),
            ("ptx", TritonUse::Text, false),
        ] {
            assert_eq!(found(word, used).is_some(), expected, "{word} {used:?}");
        }
        let message = found("cubin", TritonUse::Key).expect("a row has it");
        assert!(message.contains("`asm[\"cubin\"]`"), "{message}");
    }

    #[test]
    fn each_row_is_about_something_and_says_what_to_do() {
        for row in &TritonTable::builtin().only {
            let lists = [&row.calls, &row.arguments, &row.strings, &row.keys];
            assert!(lists.iter().any(|list| !list.is_empty()), "{row:?}");
            assert!(!row.message.is_empty() && !row.help.is_empty(), "{row:?}");
        }
    }
}
