//! Macros that say where a function runs: `#define HOST_DEVICE __host__ __device__`.

use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::syntax::{Document, MacroSpaces, Space, TokenIndex};
use crate::text::keywords::is_attribute;

/// The words that say where a function runs.
pub(crate) const WORDS: &[&str] = &["__host__", "__device__", "__global__"];

/// Macros and the words that each stands for; empty where two definitions differ.
pub(crate) type Worded = FxHashMap<Box<[u8]>, Box<[u8]>>;

/// What a macro puts in front of a declaration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Said {
    /// Which of [`WORDS`] it says, a bit each.
    spaces: u8,
    /// It says something else besides: `inline`.
    pub(crate) says_more: bool,
}

impl Said {
    /// The words of spaces that it says.
    pub(crate) fn spaces(self) -> impl Iterator<Item = &'static str> {
        let says = move |at: &usize| self.spaces & 1 << at != 0;
        (0..WORDS.len()).filter(says).map(|at| WORDS[at])
    }

    /// Where a function runs behind it.
    fn space(self) -> Space {
        let says = |word: &str| self.spaces().any(|it| it == word);
        match (says("__global__"), says("__device__"), says("__host__")) {
            (true, ..) => Space::Kernel,
            (_, true, true) => Space::HostDevice,
            (_, true, false) => Space::Device,
            (_, false, _) => Space::Host,
        }
    }

    /// Whether it names no space.
    pub(crate) fn names_none(self) -> bool {
        self.spaces == 0
    }
}

/// The macros of a tree that stand for nothing but words of declarations.
#[derive(Debug, Default)]
pub(crate) struct SpaceMacros(FxHashMap<Box<[u8]>, Said>);

impl SpaceMacros {
    /// Those among macros and the words that they stand for, as the files have them; where two files differ a macro is none.
    pub(crate) fn new<'f>(files: impl Iterator<Item = (&'f Box<[u8]>, &'f Box<[u8]>)>) -> Self {
        let mut texts = FxHashMap::<&[u8], &[u8]>::default();
        for (name, text) in files {
            let known = texts.entry(name).or_insert(text);
            *known = agreed(known, text);
        }
        let said = |name: &&[u8]| Some(((*name).into(), said(&texts, name, 0)?));
        Self(texts.keys().filter_map(said).collect())
    }

    /// The macros that name the device.
    pub(crate) fn of_device(&self) -> impl Iterator<Item = &[u8]> {
        let names_device = |said: &Said| said.spaces().any(|space| space == "__device__");
        let all = self.0.iter();
        all.filter(move |(_, said)| names_device(said))
            .map(|(name, _)| &**name)
    }

    /// Each macro with the space that functions have behind it.
    pub(crate) fn by_space(&self) -> MacroSpaces {
        let named = self.0.iter().filter(|(_, said)| !said.names_none());
        named
            .map(|(name, said)| (name.clone(), said.space()))
            .collect()
    }

    /// What a macro says; none if it stands for something else, or is no macro.
    pub(crate) fn said(&self, name: &[u8]) -> Option<Said> {
        self.0.get(name).copied()
    }
}

/// The macros of a file that stand for words alone, such as `__host__ __device__`. A definition without a word is for compilers that have
/// none.
pub(crate) fn worded(document: &Document<'_>) -> Worded {
    // Both spaces, what inlines, what links.
    const MOST: usize = 6;
    let mut found = Worded::default();
    for (name, directive) in document.macros() {
        let words = words_alone(document, name + 1..directive.tokens.end);
        let text = words
            .filter(|words| words.len() <= MOST)
            .map(|words| words.join(&b' '));
        if text.as_ref().is_some_and(Vec::is_empty) {
            continue;
        }
        let text = text.unwrap_or_default().into_boxed_slice();
        let known = found.entry(document.bytes(name).into());
        let known = known.or_insert_with(|| text.clone());
        *known = agreed(known, &text).into();
    }
    found
}

/// What a macro stands for that has two definitions: one that only inlines, or that lacks nothing but the words of spaces, is for compilers
/// of the host alone.
fn agreed<'t>(one: &'t [u8], other: &'t [u8]) -> &'t [u8] {
    let words = |text: &'t [u8]| text.split(|byte| *byte == b' ');
    let is_space = |word: &&[u8]| WORDS.iter().any(|space| space.as_bytes() == *word);
    let only_inlines = |text| words(text).all(is_harmless);
    let is_rest_of = |part, whole| words(whole).filter(|word| !is_space(word)).eq(words(part));
    match (only_inlines(one), only_inlines(other)) {
        (_, true) => one,
        (true, false) => other,
        (false, false) if is_rest_of(other, one) => one,
        (false, false) if is_rest_of(one, other) => other,
        (false, false) if one == other => one,
        (false, false) => b"",
    }
}

/// The words that a macro stands for, attributes without what they take; none where it stands for something else.
fn words_alone<'d>(document: &'d Document<'_>, body: Range<TokenIndex>) -> Option<Vec<&'d [u8]>> {
    let mut words = Vec::new();
    let mut at = body.start;
    while at < body.end {
        let word = document.bytes(at);
        if !document.is_ident(at) {
            return None;
        }
        words.push(word);
        at += 1;
        if is_attribute(word) && at < body.end && document.is(at, "(") {
            at = document.matching_bracket(at)? + 1;
        }
    }
    Some(words)
}

fn said(texts: &FxHashMap<&[u8], &[u8]>, name: &[u8], depth: u32) -> Option<Said> {
    // Macros of macros of macros.
    const DEEPEST: u32 = 4;
    let text = texts
        .get(name)
        .filter(|text| !text.is_empty() && depth < DEEPEST)?;
    let mut all = Said::default();
    for word in text.split(|byte| *byte == b' ') {
        if let Some(at) = WORDS.iter().position(|it| it.as_bytes() == word) {
            all.spaces |= 1 << at;
        } else if is_harmless(word) {
            all.says_more = true;
        } else {
            let inner = said(texts, word, depth + 1)?;
            all.spaces |= inner.spaces;
            all.says_more |= inner.says_more;
        }
    }
    Some(all)
}

/// Words that may stand in front of each declaration of a function, whatever stands in front of the others.
fn is_harmless(word: &[u8]) -> bool {
    matches!(
        word,
        b"inline"
            | b"__inline"
            | b"__inline__"
            | b"__forceinline"
            | b"__forceinline__"
            | b"__noinline__"
            | b"__attribute__"
            | b"__declspec"
            | b"__restrict__"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn macros_say_what_their_words_say() {
        type Pair = (Box<[u8]>, Box<[u8]>);
        let files: Vec<Pair> = [
            ("BOTH", "HOST DEVICE"),
            ("HOST", "__host__"),
            ("DEVICE", "__device__"),
            ("INLINE", "inline __attribute__"),
            ("FAST", "INLINE DEVICE"),
            ("TYPE", "float"),
            ("OTHER", "__host__"),
            ("OTHER", "__device__"),
            ("EITHER", "inline"),
            ("EITHER", "__device__ inline"),
            ("HASTE", "INLINE __device__ __host__"),
            ("HASTE", "INLINE"),
            ("ROUND", "ROUND"),
            ("EXPORT", "__declspec"),
            ("SHARED", "EXPORT BOTH"),
        ]
        .map(|(name, text)| (name.as_bytes().into(), text.as_bytes().into()))
        .into();
        let macros = SpaceMacros::new(files.iter().map(|(name, text)| (name, text)));
        for (name, expected) in [
            ("BOTH", Some("__host__ __device__")),
            ("DEVICE", Some("__device__")),
            ("INLINE", Some("+")),
            ("FAST", Some("__device__+")),
            ("EITHER", Some("__device__+")),
            ("HASTE", Some("__host__ __device__+")),
            ("TYPE", None),
            ("OTHER", None),
            ("ROUND", None),
            ("SHARED", Some("__host__ __device__+")),
            ("NONE", None),
        ] {
            let text = macros.said(name.as_bytes()).map(|said| {
                let words: Vec<&str> = said.spaces().collect();
                words.join(" ") + if said.says_more { "+" } else { "" }
            });
            assert_eq!(text.as_deref(), expected, "{name}");
        }
    }
}
