use std::collections::BTreeSet;
use std::path::Path;

use anyhow::Result;

use super::renames::is_there;
use crate::emit::OutputTree;
use crate::pipeline::PlannedFile;
use crate::port::{Gone, Port, Record, key_of, path_of};
use crate::report::{PortFile, PortState};

/// The files of an output that no source stands behind any more, and records of such that are not there either.
#[derive(Debug, Default)]
pub(in crate::cli) struct Vanished {
    pub(in crate::cli) files: Vec<Gone>,
    /// Keys of which nothing has to be remembered.
    pub(in crate::cli) dropped: BTreeSet<String>,
}

impl Vanished {
    /// Looks for them; `others` are made without a source of their own. A run over one file says nothing of the others.
    ///
    /// # Errors
    /// When one cannot be read.
    pub(in crate::cli) fn new(
        port: &Port,
        root: &Path,
        files: &[PlannedFile],
        others: &[&str],
    ) -> Result<Self> {
        let mut vanished = Self::default();
        if !port.knows_files() || !root.is_dir() {
            return Ok(vanished);
        }
        let mut made: BTreeSet<String> = files.iter().map(|file| key_of(&file.output)).collect();
        made.extend(others.iter().map(|key| (*key).to_owned()));
        let sources: BTreeSet<String> = files
            .iter()
            .map(|file| key_of(&file.entry.relative))
            .collect();
        let is_left_out = |source: &str| !sources.contains(source) && is_there(root, source);
        for (key, record) in port.vanished(&made, is_left_out) {
            let found = port.found(key)?;
            let record = port.record(key, found.as_ref()).unwrap_or(record);
            match found {
                None => drop(vanished.dropped.insert(key.clone())),
                Some(now) => {
                    let new = port.renames().iter().find(|(_, old)| *old == key);
                    vanished.files.push(Gone {
                        key: key.clone(),
                        // What was done by hand is in the file under its new name.
                        is_edited: now.mark != record.base && new.is_none(),
                        renamed: new.map(|(new, _)| new.clone()),
                    });
                }
            }
        }
        Ok(vanished)
    }

    /// Removes what nobody touched.
    ///
    /// # Errors
    /// When one cannot be removed.
    pub(in crate::cli) fn prune(&mut self, tree: &OutputTree) -> Result<()> {
        for gone in self.files.iter().filter(|gone| !gone.is_edited) {
            if let Some(path) = path_of(&gone.key) {
                tree.remove(&path)?;
                self.dropped.insert(gone.key.clone());
            }
        }
        Ok(())
    }

    /// Notes of files whose work by hand went to another name that they are untouched, as they are now.
    ///
    /// # Errors
    /// When one cannot be read, or the journal cannot be written.
    pub(in crate::cli) fn remember_carried(&self, port: &Port, tree: &OutputTree) -> Result<()> {
        for gone in self.files.iter().filter(|gone| gone.renamed.is_some()) {
            let found = port.found(&gone.key)?;
            let known = port.record(&gone.key, found.as_ref()).cloned();
            if let (Some(known), Some(now)) = (known, found) {
                let record = Record::new(known.source, known.source_hash, now.mark);
                port.remember(tree, &gone.key, &record, Some(now.mark), None)?;
            }
        }
        Ok(())
    }

    /// What a report says of them; `prune` says that those that nobody touched are removed.
    pub(in crate::cli) fn report(&self, prune: bool) -> impl Iterator<Item = PortFile> {
        self.files.iter().map(move |gone| PortFile {
            path: gone.key.clone(),
            state: match (gone.is_edited, prune) {
                (true, _) => PortState::GoneEdited,
                (false, false) => PortState::Gone,
                (false, true) => PortState::Pruned,
            },
            accepted: false,
            renamed: gone.renamed.clone(),
        })
    }
}
