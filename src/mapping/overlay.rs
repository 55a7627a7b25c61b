use std::fmt;

use super::entry::ApiEntry;
use super::origin::Origin;
use super::own_rule::OwnRule;
use super::schema::RawTable;
use super::table::ApiTable;
use super::validate::{Problem, validate};

/// Why an overlay was refused: every problem with its place in the file.
#[derive(Debug)]
pub struct OverlayError {
    /// The overlay's path as given.
    pub file: String,
    /// Line and column (both from 1) and message of each problem.
    pub problems: Vec<(usize, usize, String)>,
}

impl fmt::Display for OverlayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<String> = self
            .problems
            .iter()
            .map(|(line, column, message)| format!("{}:{line}:{column}: {message}", self.file))
            .collect();
        f.write_str(&lines.join("\n"))
    }
}

impl std::error::Error for OverlayError {}

impl ApiTable {
    /// Puts a user's table on top; `number` is its position on the command line, `file` its name in messages.
    ///
    /// # Errors
    /// When the text is not a valid table, or replaces a built-in entry without `override = true`.
    pub fn overlay(self, file: &str, text: &str, number: u8) -> Result<Self, OverlayError> {
        // The entries borrow from the text for as long as the program runs; overlays are few and small.
        let text: &'static str = Box::leak(text.to_owned().into_boxed_str());
        let refuse = |problems: Vec<Problem>| OverlayError {
            file: file.to_owned(),
            problems: problems.into_iter().map(|p| located(text, p)).collect(),
        };
        let table: RawTable = toml::from_str(text).map_err(|error| {
            let message = error.message().to_owned();
            refuse(vec![Problem {
                span: error.span().unwrap_or_default(),
                message,
            }])
        })?;
        let table: &'static RawTable = Box::leak(Box::new(table));
        let entries = validate(table).map_err(refuse)?;
        let mut problems = self.clashes(table, &entries);
        // Nothing asks what a library is called that only one project has: what would be said of it must not get lost.
        problems.extend(table.about.iter().map(|about| Problem {
            span: about.span(),
            message: "`about` belongs to the tables of the program: leave it out".to_owned(),
        }));
        let rules = own_rules(table, &mut problems);
        if problems.is_empty() {
            let entries = entries.into_iter();
            let added = entries.map(|entry| (entry, Origin::Overlay(number)));
            Ok(self.with(added.collect()).with_rules(rules))
        } else {
            Err(refuse(problems))
        }
    }

    fn clashes(&self, table: &RawTable, entries: &[ApiEntry]) -> Vec<Problem> {
        let allowed = |name: &str| {
            all_keys(table).any(|(key, raw)| key.get_ref() == name && raw.get_ref().overrides)
        };
        let taken = |entry: &&ApiEntry| {
            let known = self
                .get(entry.cuda.as_bytes())
                .or_else(|| self.header(entry.cuda.as_bytes()));
            known.is_some_and(|hit| hit.origin == Origin::Builtin && hit.entry.cuda == entry.cuda)
                && !allowed(entry.cuda)
        };
        let problem = |entry: &ApiEntry| {
            let span = all_keys(table)
                .find(|(key, _)| key.get_ref() == entry.cuda)
                .map_or(0..0, |(key, _)| key.span());
            Problem {
                span,
                message: format!(
                    "`{}` is built in: write `override = true` to replace it",
                    entry.cuda
                ),
            }
        };
        entries.iter().filter(taken).map(problem).collect()
    }
}

/// The rules of a table; what is wrong with the others is added to the problems.
fn own_rules(table: &'static RawTable, problems: &mut Vec<Problem>) -> Vec<&'static OwnRule> {
    let mut rules: Vec<&'static OwnRule> = Vec::new();
    for raw in &table.rules {
        match OwnRule::new(raw.get_ref()) {
            Ok(rule) => rules.push(Box::leak(Box::new(rule))),
            Err(message) => problems.push(Problem {
                span: raw.span(),
                message,
            }),
        }
    }
    rules
}

fn all_keys(
    table: &RawTable,
) -> impl Iterator<
    Item = (
        &toml::Spanned<String>,
        &toml::Spanned<super::schema::RawEntry>,
    ),
> {
    [
        &table.functions,
        &table.types,
        &table.enumerators,
        &table.macros,
        &table.fields,
        &table.namespaces,
        &table.variables,
        &table.headers,
        &table.patterns,
    ]
    .into_iter()
    .flatten()
}

fn located(text: &str, problem: Problem) -> (usize, usize, String) {
    let before = &text[..problem.span.start.min(text.len())];
    let line = before.matches('\n').count() + 1;
    let column = before.len() - before.rfind('\n').map_or(0, |at| at + 1) + 1;
    (line, column, problem.message)
}
