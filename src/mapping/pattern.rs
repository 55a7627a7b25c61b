//! Globs over names. A name that no pattern covers, as nearly all are, costs one look-up.

use std::sync::OnceLock;

use globset::{Glob, GlobMatcher};
use rustc_hash::FxHashMap;

/// Patterns are found by their first bytes. Shorter heads than this are refused.
const HEAD: usize = 2;

/// Patterns by the literal bytes they start with; longer patterns come last, so that they win.
#[derive(Default)]
pub(super) struct Patterns {
    heads: FxHashMap<[u8; HEAD], Vec<(Pattern, u32)>>,
    /// A bit for each first byte that a pattern has.
    first: [u64; 4],
}

impl Patterns {
    /// Patterns with the indices of their entries.
    pub(super) fn new(mut patterns: Vec<(&'static str, u32)>) -> Self {
        let mut found = Self::default();
        patterns.sort_by_key(|(pattern, index)| (pattern.len(), *index));
        for (pattern, index) in patterns {
            if let Some(head) = pattern.as_bytes().first_chunk::<HEAD>() {
                let same = found.heads.entry(*head).or_default();
                same.push((Pattern::new(pattern), index));
                found.first[usize::from(head[0] / 64)] |= 1 << (head[0] % 64);
            }
        }
        found
    }

    /// The index of the longest pattern that covers the name, among those of which `counts` holds.
    pub(super) fn find(&self, name: &[u8], counts: impl Fn(u32) -> bool) -> Option<u32> {
        let head = name.get(..HEAD)?;
        if self.first[usize::from(head[0] / 64)] & (1 << (head[0] % 64)) == 0 {
            return None;
        }
        let candidates = self.heads.get(head)?;
        let fits = |(pattern, index): &&(Pattern, u32)| pattern.covers(name) && counts(*index);
        candidates.iter().rfind(fits).map(|(_, index)| *index)
    }
}

/// A glob between literal text. It is compiled when a name has that text: compiling all of them took half of the start-up.
struct Pattern {
    text: &'static str,
    head: &'static [u8],
    tail: &'static [u8],
    /// There is one star between head and tail, and nothing else.
    is_star: bool,
    matcher: OnceLock<Option<GlobMatcher>>,
}

impl Pattern {
    fn new(text: &'static str) -> Self {
        let special = ['*', '?', '[', ']', '{', '}', '\\'];
        let first = text.find(special).unwrap_or(text.len());
        let behind_last = text.rfind(special).map_or(text.len(), |at| at + 1);
        Self {
            text,
            head: &text.as_bytes()[..first],
            tail: &text.as_bytes()[behind_last..],
            is_star: text[first..behind_last] == *"*",
            matcher: OnceLock::new(),
        }
    }

    fn covers(&self, name: &[u8]) -> bool {
        name.len() >= self.head.len() + self.tail.len()
            && name.starts_with(self.head)
            && name.ends_with(self.tail)
            && std::str::from_utf8(name).is_ok_and(|name| self.is_star || self.is_match(name))
    }

    fn is_match(&self, name: &str) -> bool {
        let compiled = || {
            let glob = Glob::new(self.text).ok()?;
            Some(glob.compile_matcher())
        };
        let matcher = self.matcher.get_or_init(compiled).as_ref();
        matcher.is_some_and(|matcher| matcher.is_match(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_pattern_wins_and_text_around_the_stars_counts() {
        let patterns = Patterns::new(vec![("cud*", 0), ("cu[A-Z]*_params", 1), ("cudnn*_v?", 2)]);
        let find = |name: &str| patterns.find(name.as_bytes(), |_| true);
        assert_eq!(find("cudaX"), Some(0));
        assert_eq!(find("cudnnX_v9"), Some(2));
        assert_eq!(find("cudnnX_v"), Some(0));
        assert_eq!(find("cuMemcpy_params"), Some(1));
        assert_eq!(find("cumemcpy_params"), None);
        assert_eq!(patterns.find(b"cudaX", |index| index != 0), None);
    }
}
