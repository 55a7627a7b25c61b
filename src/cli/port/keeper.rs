use std::collections::BTreeSet;
use std::fs::Permissions;
use std::path::Path;

use anyhow::Result;

use super::{Stand, Theirs, helpers_called};
use crate::emit::{self, OutputTree};
use crate::port::{Decision, Kind, Port, State, Write, path_of};

/// Writes into an output that people work in.
pub(in crate::cli) struct Keeper<'a> {
    /// Where it writes.
    pub(in crate::cli) tree: &'a OutputTree,
    /// What is known of it.
    pub(in crate::cli) port: &'a Port,
    /// Everything is to be written anew.
    pub(in crate::cli) force: bool,
    /// Nothing is to be written.
    pub(in crate::cli) dry_run: bool,
}

/// What was done with a file.
pub(in crate::cli) struct Kept {
    /// How it stands.
    pub(in crate::cli) stand: Stand,
    /// What was decided.
    pub(in crate::cli) decision: Decision,
    /// Helpers that work by hand in it calls.
    pub(in crate::cli) called: BTreeSet<&'static str>,
}

impl Keeper<'_> {
    /// Does what is to be done with one file; `source` is where it is copied from when it is not held in memory.
    ///
    /// # Errors
    /// When something cannot be read or written; the message names it.
    pub(in crate::cli) fn keep(&self, key: &str, theirs: &Theirs, source: &Path) -> Result<Kept> {
        let decision = self
            .port
            .decide(key, &theirs.source, &theirs.content, self.force)?;
        let stand = Stand::new(self.port, key.to_owned(), &decision);
        if !self.dry_run {
            if let Some(record) = &decision.record {
                self.port
                    .remember(self.tree, key, record, theirs.content.text())?;
            }
            let written = self.write(key, &decision.write, theirs, source);
            if written.is_err() {
                // What is not there was not deleted by hand: the next run writes it.
                self.port.forget(key);
            }
            written?;
        }
        let called = self.called(&stand, &decision)?;
        Ok(Kept {
            stand,
            decision,
            called,
        })
    }

    /// The helpers that work by hand calls, which the header has to go on holding.
    fn called(&self, stand: &Stand, decision: &Decision) -> Result<BTreeSet<&'static str>> {
        let is_by_hand = !matches!(stand.state, State::New | State::InSync | State::Behind);
        match &decision.write {
            Write::Bytes(_, bytes) => Ok(helpers_called(bytes)),
            Write::Nothing if is_by_hand => {
                let found = self.port.found(&stand.key)?;
                let text = found.as_ref().and_then(|found| found.text());
                Ok(text.map(helpers_called).unwrap_or_default())
            }
            _ => Ok(BTreeSet::new()),
        }
    }

    fn write(&self, key: &str, write: &Write, theirs: &Theirs, source: &Path) -> Result<()> {
        let Some(path) = path_of(key) else {
            return Ok(());
        };
        match (write, &theirs.content.bytes) {
            (Write::Nothing, _) => {}
            (Write::Theirs, Some(bytes)) if theirs.content.mark.kind == Kind::Link => {
                self.tree.link(&emit::path_from(bytes), &path)?;
            }
            (Write::Theirs, Some(bytes)) => {
                let permissions = match source.as_os_str().is_empty() {
                    true => None,
                    false => emit::permissions(source),
                };
                self.put(&path, bytes, permissions)?;
            }
            (Write::Theirs, None) => drop(self.tree.copy(source, &path)?),
            (Write::Bytes(kind, bytes), _) => {
                let there = emit::permissions(&self.tree.root().join(&path));
                let permissions = there.or_else(|| emit::permissions(source));
                self.put(&path, bytes, permissions.map(|now| kind.permissions(now)))?;
            }
        }
        Ok(())
    }

    /// A file whose bytes are right may have the wrong permissions.
    fn put(&self, path: &Path, bytes: &[u8], permissions: Option<Permissions>) -> Result<()> {
        let written = self.tree.write(path, bytes, permissions.clone())?;
        match permissions {
            Some(permissions) if written == emit::Written::Unchanged => {
                self.tree.set_permissions(path, permissions)
            }
            _ => Ok(()),
        }
    }
}
