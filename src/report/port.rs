use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::escape::terminal;

/// Names in one line of the summary.
const MOST_NAMES: usize = 10;

/// How the files of an output stand to their sources, where an earlier run wrote it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PortReport {
    /// Nothing was written: states are what the next run would find.
    pub dry_run: bool,
    /// Files by state.
    pub counts: BTreeMap<PortState, usize>,
    /// All files but those in sync, by path.
    pub files: Vec<PortFile>,
    /// Settings that differ from those of the last run.
    pub changed_options: Vec<String>,
}

/// One file of an output.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct PortFile {
    /// Its path in the output.
    pub path: String,
    /// How it stands.
    pub state: PortState,
    /// Whether somebody accepted what was done to it by hand.
    pub accepted: bool,
    /// Of a file that goes by another name: its old path (where it is), or its new one (where it was).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub renamed: Option<String>,
}

/// How a file of an output stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PortState {
    /// As the translation makes it.
    InSync,
    /// Not in the output before.
    New,
    /// The sources, the options or the tool moved, and nobody touched it.
    Behind,
    /// Changed by hand; the translation did not move.
    Edited,
    /// Changed by hand and by the translation; both go together.
    Merged,
    /// Somebody has to choose.
    Conflict,
    /// Deleted by hand; it stays so.
    Deleted,
    /// Its source is gone; nobody touched it.
    Gone,
    /// Its source is gone; somebody changed it.
    GoneEdited,
    /// Its source is gone, and so is it now.
    Pruned,
}

impl PortReport {
    /// A report of these files.
    pub fn new(mut files: Vec<PortFile>, dry_run: bool, changed_options: Vec<String>) -> Self {
        let mut counts = BTreeMap::new();
        for file in &files {
            *counts.entry(file.state).or_default() += 1;
        }
        files.retain(|file| file.state != PortState::InSync);
        files.sort();
        Self {
            dry_run,
            counts,
            files,
            changed_options,
        }
    }

    /// Whether there is nothing to say: all is in sync.
    pub fn is_quiet(&self) -> bool {
        self.files.is_empty() && self.changed_options.is_empty()
    }

    /// Files in a state.
    pub fn count(&self, state: PortState) -> usize {
        self.counts.get(&state).copied().unwrap_or_default()
    }

    /// The lines of the summary.
    pub(super) fn summary(&self) -> String {
        let would = if self.dry_run { "would be " } else { "" };
        let mut text = format!(
            "port: {} in sync, {} {would}updated, {} {would}new\n",
            self.count(PortState::InSync),
            self.count(PortState::Behind),
            self.count(PortState::New)
        );
        let mut line = |state, what: &str| text.push_str(&self.line(state, what));
        line(
            PortState::Merged,
            &format!("{would}merged with work by hand"),
        );
        line(PortState::Conflict, "in conflict, choose one by hand");
        line(PortState::Edited, "changed by hand, kept");
        line(PortState::Deleted, "deleted by hand, left out");
        line(
            PortState::Gone,
            "gone from the sources, --prune removes it here",
        );
        line(
            PortState::GoneEdited,
            "gone from the sources, changed by hand, kept",
        );
        line(
            PortState::Pruned,
            &format!("gone from the sources, {would}removed"),
        );
        if !self.changed_options.is_empty() {
            let names = self.changed_options.join(", ");
            text.push_str(&format!(
                "  options that differ from the last run: {names}\n"
            ));
        }
        text
    }

    /// One line with the files in a state; nothing when there is none.
    pub fn line(&self, state: PortState, what: &str) -> String {
        let files = || self.files.iter().filter(|file| file.state == state);
        let count = files().count();
        if count == 0 {
            return String::new();
        }
        let shown: Vec<String> = files().take(MOST_NAMES).map(shown).collect();
        let more = if count > shown.len() { ", …" } else { "" };
        format!("  {count} {what}: {}{more}\n", shown.join(", "))
    }
}

fn shown(file: &PortFile) -> String {
    let harmless = |text: &str| -> String { text.chars().map(terminal).collect() };
    let path = harmless(&file.path);
    let is_old = matches!(
        file.state,
        PortState::Gone | PortState::GoneEdited | PortState::Pruned
    );
    match &file.renamed {
        Some(new) if is_old => format!("{path} (now {})", harmless(new)),
        Some(old) => format!("{path} (was {})", harmless(old)),
        None if file.accepted => format!("{path} (accepted)"),
        None => path,
    }
}
