//! How much of CUDA the tables cover, by library.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use schemars::JsonSchema;
use serde::Serialize;

use super::public::{is_public, not_public};
use super::scan::Names;
use crate::mapping::{ApiTable, Kind, Support, library};

/// One library of the table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Row {
    /// Key of the library.
    pub library: String,
    /// What NVIDIA calls it.
    pub title: String,
    /// Names that convert without a look.
    pub mapped: usize,
    /// Names that convert and want a look.
    pub review: usize,
    /// Names without counterpart, each with advice.
    pub unsupported: usize,
    /// Patterns that give advice for whole families of names.
    pub patterns: usize,
}

/// The table, and what a list of names adds to it.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct Coverage {
    /// By library, in the order of their titles.
    pub rows: Vec<Row>,
    /// Names asked about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asked: Option<usize>,
    /// Those of them that an entry of their own, of their structure, or a rule covers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by_entry: Option<usize>,
    /// Those that a pattern covers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by_pattern: Option<usize>,
    /// Those that are none of a program's business: operators, include guards, names reserved for the headers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_public: Option<usize>,
    /// Those that nothing covers.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unknown: Vec<String>,
}

/// Counts the entries; with names, also looks each of them up.
pub fn coverage(table: &ApiTable, names: Option<&BTreeSet<String>>) -> Coverage {
    let mut rows = BTreeMap::<&str, Row>::new();
    for hit in table.iter() {
        let entry = hit.entry;
        let row = rows.entry(entry.library).or_insert_with(|| Row {
            library: entry.library.to_owned(),
            title: library::title(entry.library).to_owned(),
            ..Row::default()
        });
        let is_glob =
            entry.kind == Kind::Pattern || (entry.kind == Kind::Header && entry.cuda.contains('*'));
        match entry.support {
            _ if is_glob => row.patterns += 1,
            Support::Full => row.mapped += 1,
            Support::Review => row.review += 1,
            Support::Unsupported => row.unsupported += 1,
        }
    }
    let mut rows: Vec<Row> = rows.into_values().collect();
    rows.sort_by_key(|row| row.title.to_lowercase());
    let mut coverage = Coverage {
        rows,
        ..Coverage::default()
    };
    if let Some(names) = names {
        look_up(table, names, &mut coverage);
    }
    coverage
}

/// How a name is covered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cover {
    Entry,
    Pattern,
    NotPublic,
    Unknown,
}

/// Looks names up as a program's identifiers, headers' members and rules' names alike.
pub(super) struct Looker<'t> {
    table: &'t ApiTable,
    owned: BTreeSet<&'static str>,
}

impl<'t> Looker<'t> {
    pub(super) fn new(table: &'t ApiTable) -> Self {
        Self {
            table,
            owned: owned_by_rules(),
        }
    }

    pub(super) fn cover(&self, name: &str) -> Cover {
        // A member is as well known as its structure: what differs has an entry of its own, the rest is the same in HIP.
        let whole = name.split('.').next().unwrap_or(name);
        let member = || self.table.ending(whole.as_bytes()).next();
        if self.table.get(whole.as_bytes()).is_some()
            || self.table.header(name.as_bytes()).is_some()
            || self.owned.contains(whole)
            || member().is_some()
        {
            Cover::Entry
        } else if self.table.get_or_pattern(whole.as_bytes()).is_some() {
            Cover::Pattern
        } else if not_public(name).is_some() {
            Cover::NotPublic
        } else {
            Cover::Unknown
        }
    }
}

fn look_up(table: &ApiTable, names: &BTreeSet<String>, coverage: &mut Coverage) {
    let looker = Looker::new(table);
    let (mut by_entry, mut by_pattern, mut private) = (0, 0, 0);
    for name in names {
        match looker.cover(name) {
            Cover::Entry => by_entry += 1,
            Cover::Pattern => by_pattern += 1,
            Cover::NotPublic => private += 1,
            Cover::Unknown => coverage.unknown.push(name.clone()),
        }
    }
    coverage.asked = Some(names.len());
    coverage.by_entry = Some(by_entry);
    coverage.by_pattern = Some(by_pattern);
    coverage.not_public = Some(private);
}

/// Names that rules handle without any entry: version macros, built-in values.
fn owned_by_rules() -> BTreeSet<&'static str> {
    crate::rules::all()
        .iter()
        .flat_map(|(rule, _)| rule.rule().names())
        .collect()
}

/// The names of a list: one per line, or the last column of tab-separated lines; `#` starts a comment.
pub(crate) fn names_of_list(text: &str) -> BTreeSet<String> {
    text.lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.rsplit('\t').next())
        .map(str::trim)
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .collect()
}

impl Names {
    /// The names that a program of CUDA may use.
    pub fn public(&self) -> BTreeSet<String> {
        self.sorted()
            .into_iter()
            .filter(|(name, declared)| is_public(name, declared))
            .map(|(name, _)| name.to_owned())
            .collect()
    }
}

const BEGIN: &str = "<!-- coverage:begin (cass-transpile mappings coverage --update FILE) -->";
const END: &str = "<!-- coverage:end -->";

/// A document with the table between its markers replaced, or `None` when it has no markers.
pub fn replace_table(document: &str, table: &str) -> Option<String> {
    let start = document.find(BEGIN)? + BEGIN.len();
    let end = start + document[start..].find(END)?;
    Some(format!(
        "{}\n{table}{}",
        &document[..start],
        &document[end..]
    ))
}

impl Coverage {
    /// The table as Markdown.
    pub fn markdown(&self) -> String {
        let mut text = String::from(
            "| CUDA library | names | convert | convert, to be reviewed | no counterpart, with advice | patterns |\n|---|--:|--:|--:|--:|--:|\n",
        );
        let total = self.rows.iter().fold(Row::default(), |sum, row| Row {
            mapped: sum.mapped + row.mapped,
            review: sum.review + row.review,
            unsupported: sum.unsupported + row.unsupported,
            patterns: sum.patterns + row.patterns,
            ..sum
        });
        for row in &self.rows {
            line(&mut text, &row.title, row);
        }
        line(&mut text, "**all**", &total);
        text
    }

    /// What the list of names adds, as text; empty without a list.
    pub fn answer(&self) -> String {
        let (Some(asked), Some(entry), Some(pattern), Some(private)) =
            (self.asked, self.by_entry, self.by_pattern, self.not_public)
        else {
            return String::new();
        };
        let mut text = format!(
            "\n{asked} names: {entry} by an entry, {pattern} by a pattern, {private} not public, {} unknown\n",
            self.unknown.len()
        );
        for name in &self.unknown {
            writeln!(text, "- `{name}`").expect("strings take text");
        }
        text
    }
}

fn line(text: &mut String, title: &str, row: &Row) {
    writeln!(
        text,
        "| {title} | {} | {} | {} | {} | {} |",
        row.mapped + row.review + row.unsupported,
        row.mapped,
        row.review,
        row.unsupported,
        row.patterns
    )
    .expect("strings take text");
}
