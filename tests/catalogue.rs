//! The catalogue of what a port needs beyond new names, `fixtures/catalogue.toml`, is what the tool does: each item's code is
//! translated, and what comes of it must be what the item says. `.github/CATALOGUE.md` shows it as a table.

mod common;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;

use cass_transpile::cli::parse_options;
use cass_transpile::diagnostic::{Finding, Severity};
use cass_transpile::engine::Session;
use cass_transpile::engine::translate;
use cass_transpile::mapping::ApiTable;
use cass_transpile::rules;
use cass_transpile::text::SourceFile;
use common::rocm::root;
use serde::Deserialize;

/// The items must not get lost unnoticed.
const FEWEST_ITEMS: usize = 260;
/// Rules that answer to no item: they are about this tool's own work and comments, or (CASS130) about bytes that no item can hold.
const OWN_AFFAIRS: &[&str] = &[
    "CASS010", "CASS012", "CASS013", "CASS130", "CASS627", "CASS701", "CASS702",
];

#[derive(Deserialize)]
struct Catalogue {
    item: Vec<Item>,
}

/// Something that a port meets.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Item {
    number: String,
    title: String,
    /// What it does on AMD as it stands: E does not compile, W is silently wrong, R fails at run time, P is slower, F is fine.
    effect: String,
    answer: Answer,
    /// Rules that speak of it.
    #[serde(default)]
    rules: Vec<String>,
    /// Why no rule does.
    #[serde(default)]
    why: String,
    #[serde(default)]
    options: Vec<String>,
    #[serde(default)]
    code: String,
    /// What the file with the code is called.
    #[serde(default = "of_cuda")]
    file: String,
}

fn of_cuda() -> String {
    "item.cu".to_owned()
}

/// What the tool does about an item.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Answer {
    /// Translated, with the same meaning.
    Fix,
    /// Translated or left, with a finding for a person.
    Review,
    /// An error that says what to do.
    Manual,
    /// Renamed at most: the code is right as it is.
    Fine,
    /// Not seen, and `why`.
    Unseen,
}

#[test]
fn the_tool_does_what_the_catalogue_says() {
    let items = catalogue();
    assert!(items.len() >= FEWEST_ITEMS, "only {} items", items.len());
    let wrong: Vec<String> = items.iter().filter_map(|item| item.judge().err()).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_fails_or_is_wrong_is_answered() {
    let silent: Vec<String> = catalogue()
        .into_iter()
        .filter(|item| matches!(item.effect.as_str(), "E" | "W" | "R"))
        .filter(|item| matches!(item.answer, Answer::Fine | Answer::Unseen) && item.why.is_empty())
        .map(|item| item.number)
        .collect();
    assert!(silent.is_empty(), "no answer and no reason: {silent:?}");
}

#[test]
fn every_rule_answers_to_something() {
    let named: BTreeSet<String> = catalogue()
        .into_iter()
        .flat_map(|item| item.rules)
        .collect();
    let idle: Vec<&str> = rules::all()
        .iter()
        .map(|(rule, _)| rule.code)
        .filter(|code| !named.contains(*code) && !OWN_AFFAIRS.contains(code))
        .collect();
    assert!(idle.is_empty(), "no item of the catalogue needs {idle:?}");
}

#[test]
fn the_table_is_that_of_the_catalogue() {
    let file = root().join(".github/CATALOGUE.md");
    let wanted = table(&catalogue());
    if std::env::var_os("INSTA_UPDATE").is_some_and(|value| value == "always") {
        fs::write(&file, &wanted).expect("writable");
    }
    let found = fs::read_to_string(&file).unwrap_or_default();
    assert!(
        found == wanted,
        "{} is stale; INSTA_UPDATE=always writes it",
        file.display()
    );
}

impl Item {
    /// Translates the code; an error says what came of it instead.
    fn judge(&self) -> Result<(), String> {
        let unknown = self.rules.iter().find(|code| rules::find(code).is_none());
        if let Some(code) = unknown {
            return Err(format!("{}: there is no {code}", self.number));
        }
        if self.code.is_empty() {
            return (!self.why.is_empty())
                .then_some(())
                .ok_or_else(|| format!("{}: neither code nor reason", self.number));
        }
        let options: Vec<&str> = self.options.iter().map(String::as_str).collect();
        let options = parse_options(&options).expect("options of the catalogue are valid");
        let session = Session::new(options, ApiTable::builtin());
        let source = SourceFile::new(self.file.as_str(), self.code.clone().into_bytes());
        let outcome = translate(&source, &session);
        let of_rules: Vec<&Finding> = outcome
            .findings
            .iter()
            .filter(|finding| self.rules.iter().any(|code| code == finding.code))
            .collect();
        let missing = self
            .rules
            .iter()
            .find(|code| of_rules.iter().all(|finding| finding.code != code.as_str()));
        let is_so = match self.answer {
            Answer::Fix => of_rules.iter().any(|finding| finding.applied),
            Answer::Review => of_rules
                .iter()
                .any(|finding| finding.severity == Severity::Warning),
            Answer::Manual => of_rules
                .iter()
                .any(|finding| finding.severity == Severity::Error),
            Answer::Fine | Answer::Unseen => outcome
                .visible()
                .all(|finding| finding.severity == Severity::Info),
        };
        if missing.is_none() && is_so {
            return Ok(());
        }
        let seen: Vec<String> = outcome
            .findings
            .iter()
            .map(|finding| {
                format!(
                    "{} {:?} {}",
                    finding.code, finding.severity, finding.applied
                )
            })
            .collect();
        Err(format!(
            "{} {}: {:?} by {:?}, but {seen:?}",
            self.number, self.title, self.answer, self.rules
        ))
    }
}

fn catalogue() -> Vec<Item> {
    let text = fs::read_to_string(root().join("fixtures/catalogue.toml")).expect("it is there");
    let catalogue: Catalogue = toml::from_str(&text).expect("the catalogue is valid");
    catalogue.item
}

fn table(items: &[Item]) -> String {
    let mut text = "# What a port needs beyond new names\n\n\
        Each row is an item of `fixtures/catalogue.toml`, which holds the code that `tests/catalogue.rs` translates to see that the\n\
        row is true. On AMD as it stands: E does not compile, W is silently wrong, R fails at run time, P is slower, F is fine.\n\
        `fix` is translated with the same meaning, `review` comes with a warning, `manual` is an error that says what to do.\n\
        `cass-transpile explain CODE` tells more of a rule.\n\n\
        | # | what | on AMD | answer | by |\n|---|---|---|---|---|\n"
        .to_owned();
    for item in items {
        let answer = match item.answer {
            Answer::Fix => "fix",
            Answer::Review => "review",
            Answer::Manual => "manual",
            Answer::Fine => "as it is",
            Answer::Unseen => "not seen",
        };
        let by = [item.rules.join(" "), item.why.clone()];
        let by = by
            .into_iter()
            .filter(|part| !part.is_empty())
            .collect::<Vec<_>>()
            .join("; ");
        let (number, title, effect) = (&item.number, &item.title, &item.effect);
        writeln!(text, "| {number} | {title} | {effect} | {answer} | {by} |")
            .expect("strings take text");
    }
    text
}
