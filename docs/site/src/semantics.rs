//! What a port needs beyond new names, and what the tool does about it: `fixtures/catalogue.toml`, which a test holds against the tool.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};
use cass_transpile::rules;
use serde::Deserialize;

use super::markdown::cell;
use super::pages::Page;

#[derive(Deserialize)]
struct Catalogue {
    item: Vec<Item>,
}

/// Something that a port meets; `tests/fixtures/catalogue.rs` says what the keys mean.
#[derive(Deserialize)]
struct Item {
    number: String,
    title: String,
    effect: String,
    answer: String,
    #[serde(default)]
    rules: Vec<String>,
    #[serde(default)]
    why: String,
    #[serde(default)]
    held: Vec<String>,
}

/// Effects of code on AMD as it stands, worst first.
const EFFECTS: &[(&str, &str)] = &[
    ("W", "Compiles, and computes something else"),
    ("R", "Compiles, and fails when it runs"),
    ("E", "Does not compile"),
    ("P", "Slower"),
    ("F", "The same"),
];

/// The page, from the catalogue of a checkout.
///
/// # Errors
/// When the catalogue cannot be read, or an item is of no kind that the page tells of.
pub(crate) fn page(root: &Path) -> Result<Page> {
    let path = root.join("fixtures/catalogue.toml");
    let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let catalogue: Catalogue = toml::from_str(&text)?;
    let mut text = "What CUDA code meets on AMD beyond new names, and what the tool does about it. Each row is an item of \
`fixtures/catalogue.toml` with its code; `cargo test --test fixtures catalogue` translates every one and holds what comes of it against \
this list: where it warns, reports or leaves, that is what holds the row. What it changes in order to compile is held by the fixtures of \
the rules as well, which `cargo test --test proofs fix_proof` compiles with the rule and without it; what is right or keeps its meaning by the \
tests that the row names, programs of `fixtures/corpus` among them (`cargo test --test emulated`).\n\n"
        .to_owned();
    for (effect, title) in EFFECTS {
        text.push_str(&format!(
            "## {title}\n\n| CUDA | The tool | Rules | Held by |\n|---|---|---|---|\n"
        ));
        for item in catalogue.item.iter().filter(|item| item.effect == *effect) {
            text.push_str(&row(item)?);
        }
        text.push('\n');
    }
    Ok(Page::new(
        0,
        "semantics.md",
        "Semantics: what changes, warns, stays",
        &text,
    ))
}

fn row(item: &Item) -> Result<String> {
    let answer = match item.answer.as_str() {
        "fix" => "changes it, with the same meaning",
        "review" => "warns",
        "manual" => "reports an error with advice",
        "fine" => "leaves it: it is right",
        "unseen" => "leaves it",
        other => anyhow::bail!("item {}: {other} is no answer", item.number),
    };
    let why = match item.why.as_str() {
        "" => String::new(),
        why => format!(": {}", cell(why)),
    };
    let links = item.rules.iter().filter_map(|code| rules::find(code));
    let links: Vec<String> = links
        .map(|(rule, _)| format!("[{}](rules/{}.md)", rule.code, rule.code))
        .collect();
    Ok(format!(
        "| {} | {answer}{why} | {} | {} |\n",
        cell(&item.title),
        links.join(", "),
        held(item)
    ))
}

/// The tests that hold an item.
fn held(item: &Item) -> String {
    let of_all = match (item.answer.as_str(), item.effect.as_str()) {
        _ if !item.held.is_empty() => None,
        ("fix", "E") => Some("`fixtures catalogue`, `proofs fix_proof`"),
        _ => Some("`fixtures catalogue`"),
    };
    let named = item.held.iter().map(|test| format!("`{}`", cell(test)));
    of_all
        .map(str::to_owned)
        .into_iter()
        .chain(named)
        .collect::<Vec<_>>()
        .join(", ")
}
