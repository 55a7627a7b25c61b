//! What hipcc, clang, linkers and running programs say of a port that is not done yet: which message means what, and what to do.

mod message;

use std::sync::LazyLock;

use regex::{Regex, RegexBuilder};
use serde::{Deserialize, Serialize};

pub(crate) use message::{Level, Message, Site, messages, read_log};

/// One message and what is known of it.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Symptom {
    /// What it is called in a list and in the address of its page: `host-compiler-without-platform`.
    pub name: String,
    /// What a message must contain, as a regular expression; upper and lower case are the same.
    pub pattern: String,
    /// A message as it is seen.
    pub example: String,
    /// Why it comes.
    pub cause: String,
    /// What to do.
    pub remedy: String,
    /// Rules that deal with it or say more.
    #[serde(default)]
    pub rules: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    symptom: Vec<Symptom>,
}

/// All of them, in the order of a build: headers, device code, host code, linking, running.
pub fn all() -> &'static [Symptom] {
    static ALL: LazyLock<Vec<Symptom>> = LazyLock::new(|| {
        let table: Table = toml::from_str(include_str!("errors.toml")).expect("a test reads it");
        table.symptom
    });
    &ALL
}

/// Those that fit a text, in the order of the table: the special ones stand before the general ones.
pub(crate) fn matching(text: &str) -> Vec<&'static Symptom> {
    static PATTERNS: LazyLock<Vec<Regex>> = LazyLock::new(|| all().iter().map(pattern).collect());
    // Compilers quote with either kind, and people copy both.
    let text = text.replace(['‘', '’', '`'], "'");
    let fits = all().iter().zip(PATTERNS.iter());
    let fits = fits.filter(|(_, pattern)| pattern.is_match(&text));
    fits.map(|(symptom, _)| symptom).collect()
}

fn pattern(symptom: &Symptom) -> Regex {
    let mut builder = RegexBuilder::new(&symptom.pattern);
    let built = builder.case_insensitive(true).build();
    built.expect("a test reads it")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_example_is_found_first_by_its_own_pattern() {
        for symptom in all() {
            let found: Vec<&str> = matching(&symptom.example)
                .iter()
                .map(|one| one.name.as_str())
                .collect();
            assert_eq!(
                found.first(),
                Some(&symptom.name.as_str()),
                "{}",
                symptom.example
            );
            assert!(!symptom.cause.is_empty() && !symptom.remedy.is_empty());
        }
        assert!(matching("make: Nothing to be done for 'all'.").is_empty());
    }

    #[test]
    fn names_are_those_of_pages() {
        let mut names: Vec<&str> = all().iter().map(|one| one.name.as_str()).collect();
        let is_plain = |name: &&str| {
            name.chars()
                .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
        };
        assert!(names.iter().all(is_plain));
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all().len());
    }
}
