//! What one thread of a run has done to an output.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::Record;
use super::held::Held;
use super::journal::Journal;
use super::pack::Texts;

/// What a thread of this run has done so far.
#[derive(Debug)]
pub(super) struct Now {
    pub(super) journal: Option<Journal>,
    pub(super) records: BTreeMap<String, Record>,
    pub(super) texts: Texts,
    pub(super) held: Held,
}

impl Now {
    /// Nothing, for one of so many threads.
    pub(super) fn new(threads: usize) -> Self {
        Self {
            journal: None,
            records: BTreeMap::new(),
            texts: Texts::new(),
            held: Held::new(threads),
        }
    }

    /// Adds what another thread has done; returns its journal.
    pub(super) fn add(&mut self, mut other: Self) -> Option<PathBuf> {
        // To add them one by one takes three times as long.
        self.records.append(&mut other.records);
        self.texts.append(&mut other.texts);
        self.held.append(other.held);
        other.journal.map(|journal| journal.path)
    }
}
