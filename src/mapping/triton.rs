//! The table `mappings/triton.toml`: what Triton has for NVIDIA's GPUs alone.

use std::sync::LazyLock;

use serde::Deserialize;

/// What Triton has for NVIDIA's GPUs alone.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TritonTable {
    only: Vec<TritonOnly>,
    libdevice: Vec<LibdeviceGap>,
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
    #[serde(default)]
    attributes: Vec<String>,
    #[serde(default)]
    modules: Vec<String>,
    #[serde(default)]
    constants: Vec<String>,
    /// The text of a program that has seen to it.
    #[serde(default)]
    unless: Option<String>,
    /// It is about chips whose warps have 64 lanes.
    #[serde(default)]
    pub(crate) wide_warps: bool,
    /// It is about chips without products of numbers rounded to TF32.
    #[serde(default)]
    pub(crate) without_xf32: bool,
    /// Nothing runs with it on AMD.
    #[serde(default)]
    pub(crate) breaks: bool,
    /// It computes the same, without what it was written for.
    #[serde(default)]
    pub(crate) slower: bool,
    /// All places of a program are one fact.
    #[serde(default)]
    pub(crate) once: bool,
    message: String,
    /// What to do.
    pub(crate) help: String,
}

/// Functions that NVIDIA's libdevice has and AMD's lacks.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LibdeviceGap {
    functions: Vec<String>,
    /// A function that both have and that computes the same.
    #[serde(default)]
    pub(crate) same: Option<String>,
    /// What to write.
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
    /// It is what a module has under that name.
    Attribute,
    /// Names are imported from it.
    Module,
    /// A variable is set to it: `warp_size=32`.
    Constant,
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

    /// The row about a function of libdevice that AMD's lacks.
    pub(crate) fn libdevice_gap(&self, function: &str) -> Option<&LibdeviceGap> {
        let is_about = |row: &&LibdeviceGap| row.functions.iter().any(|it| it == function);
        self.libdevice.iter().find(is_about)
    }

    /// The rows whose words stand in a program that has not seen to them.
    pub(crate) fn open_in(&'static self, program: &[u8]) -> Vec<&'static TritonOnly> {
        let has = |text: &str| memchr::memmem::find(program, text.as_bytes()).is_some();
        let is_seen_to = |row: &&TritonOnly| row.unless.as_deref().is_some_and(has);
        let letters: Vec<u8> = program
            .iter()
            .filter(|byte| **byte != b'_')
            .copied()
            .collect();
        let letters = letters.to_ascii_lowercase();
        let rows = self.only.iter();
        rows.filter(|row| row.may_be_about(has, &letters) && !is_seen_to(row))
            .collect()
    }
}

impl TritonOnly {
    /// Whether a word of the row stands in a program; `has` looks there, `letters` are those of the program as constants are written.
    fn may_be_about(&self, has: impl Fn(&str) -> bool, letters: &[u8]) -> bool {
        let lists = [
            &self.calls,
            &self.arguments,
            &self.strings,
            &self.keys,
            &self.attributes,
            &self.modules,
        ];
        let is_named = |constant: &String| {
            let name = constant
                .split_once('=')
                .map_or(constant.as_str(), |(name, _)| name);
            memchr::memmem::find(letters, name.as_bytes()).is_some()
        };
        // `GPUTarget(cuda)` is a call with that argument, `input_precision=tf32` an argument with that value.
        let is_there = |word: &String| has(word.split(['(', '=']).next().unwrap_or(word));
        lists.into_iter().flatten().any(is_there) || self.constants.iter().any(is_named)
    }

    /// Whether the row is about a word that is used so.
    pub(crate) fn is_about(&self, word: &str, used: TritonUse) -> bool {
        let is_within = |module: &String| {
            let rest = word.strip_prefix(&**module);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        let of_use = match used {
            TritonUse::Module => return self.modules.iter().any(is_within),
            TritonUse::Call => &self.calls,
            TritonUse::Argument => &self.arguments,
            TritonUse::Text => &self.strings,
            TritonUse::Key => &self.keys,
            TritonUse::Attribute => &self.attributes,
            TritonUse::Constant => &self.constants,
        };
        of_use.iter().any(|it| it == word)
    }

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
        let rows = TritonTable::builtin().open_in(
            b"async_task warp_specialize gluon.nvidia tf32x3 ptx cubin float8e4nv WARP_SIZE = 32",
        );
        let found = |word, used| {
            let row = rows.iter().find(|row| row.is_about(word, used));
            row.map(|row| row.message(word))
        };
        for (word, used, expected) in [
            ("async_task", TritonUse::Call, true),
            ("async_task", TritonUse::Argument, false),
            ("warp_specialize", TritonUse::Argument, true),
            ("tf32x3", TritonUse::Text, true),
            ("tf32", TritonUse::Text, false),
            ("ptx", TritonUse::Key, true),
            ("ptx", TritonUse::Text, false),
            ("float8e4nv", TritonUse::Attribute, true),
            ("warpsize=32", TritonUse::Constant, true),
        ] {
            assert_eq!(found(word, used).is_some(), expected, "{word} {used:?}");
        }
        let message = found("cubin", TritonUse::Key).expect("a row has it");
        assert!(message.contains("`asm[\"cubin\"]`"), "{message}");
        assert_eq!(TritonTable::builtin().open_in(b"x = warp").len(), 0);
        let open = TritonTable::builtin().open_in(b"float8e4nv").len();
        let seen_to = TritonTable::builtin()
            .open_in(b"float8e4nv float8e4b8_fnuz")
            .len();
        assert_eq!((open, seen_to), (1, 0));
    }

    #[test]
    fn each_row_is_about_something_and_says_what_to_do() {
        for row in &TritonTable::builtin().only {
            let lists = [
                &row.calls,
                &row.arguments,
                &row.strings,
                &row.keys,
                &row.attributes,
                &row.modules,
                &row.constants,
            ];
            assert!(lists.iter().any(|list| !list.is_empty()), "{row:?}");
            assert!(!row.message.is_empty() && !row.help.is_empty(), "{row:?}");
        }
    }
}
