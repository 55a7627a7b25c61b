use std::collections::BTreeSet;
use std::fs::Permissions;
use std::path::Path;

use anyhow::Result;

use super::{Stand, Theirs, helpers_called};
use crate::emit::{self, OutputTree};
use crate::port::{Content, Decision, Kind, Mark, Port, State, Write, path_of};

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
        let path = path_of(key);
        let is_plain = theirs.content.mark.kind != Kind::Link && theirs.content.bytes.is_some();
        // Most files of a first run go where nothing can be: there nothing has to be looked at.
        let vacant = path.filter(|path| is_plain && self.tree.is_vacant(path));
        if let Some(path) = vacant
            && let Some(kept) = self.keep_new(key, &path, theirs)?
        {
            return Ok(kept);
        }
        let found = self.port.found(key)?;
        let there = found.as_ref().map(|found| found.mark);
        let decision = self.decide(key, theirs, found)?;
        let stand = Stand::new(self.port, key.to_owned(), &decision);
        if !self.dry_run {
            self.remember(key, &decision, there, theirs)?;
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

    /// Does what is to be done with a file where nothing is; `None` where something is after all, or more than to write it.
    fn keep_new(&self, key: &str, path: &Path, theirs: &Theirs) -> Result<Option<Kept>> {
        let decision = self.decide(key, theirs, None)?;
        let (Write::Theirs, Some(bytes)) = (&decision.write, &theirs.content.bytes) else {
            return Ok(None);
        };
        if !self.dry_run {
            self.remember(key, &decision, None, theirs)?;
            let created = self.tree.create(path, bytes, theirs.permissions.clone());
            if !created.as_ref().is_ok_and(|created| *created) {
                self.port.forget(key);
            }
            if !created? {
                return Ok(None);
            }
        }
        Ok(Some(Kept {
            stand: Stand::new(self.port, key.to_owned(), &decision),
            decision,
            called: BTreeSet::new(),
        }))
    }

    fn decide(&self, key: &str, theirs: &Theirs, found: Option<Content>) -> Result<Decision> {
        let source = &theirs.source;
        self.port
            .decide(key, source, found, &theirs.content, self.force)
    }

    fn remember(
        &self,
        key: &str,
        decision: &Decision,
        there: Option<Mark>,
        theirs: &Theirs,
    ) -> Result<()> {
        let text = theirs.content.text();
        match &decision.record {
            Some(record) => self.port.remember(self.tree, key, record, there, text),
            None => Ok(()),
        }
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
                let permissions = theirs.permissions.clone();
                let written = self.tree.write(&path, bytes, permissions.clone())?;
                self.permit(&path, written, permissions)?;
            }
            (Write::Theirs, None) => drop(self.tree.copy(source, &path)?),
            (Write::Bytes(kind, bytes), _) => {
                let there = emit::permissions(&self.tree.root().join(&path));
                let permissions = there.or_else(|| emit::permissions(source));
                let permissions = permissions.map(|now| kind.permissions(now));
                let lasting = self.tree.write_lasting(&path, bytes, permissions.clone())?;
                self.permit(&path, lasting, permissions)?;
            }
        }
        Ok(())
    }

    /// A file whose bytes are right may have the wrong permissions.
    fn permit(
        &self,
        path: &Path,
        written: emit::Written,
        permissions: Option<Permissions>,
    ) -> Result<()> {
        match permissions {
            Some(permissions) if written == emit::Written::Unchanged => {
                self.tree.set_permissions(path, permissions)
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::port::{Conflict, Hash, Source};

    fn theirs(text: &str) -> Theirs {
        Theirs {
            content: Content::new(Kind::File, text.as_bytes().to_vec()),
            source: Source {
                path: "a.py".to_owned(),
                hash: Hash::of(text.as_bytes()),
            },
            permissions: None,
        }
    }

    #[test]
    fn what_somebody_puts_into_a_new_folder_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let tree = &OutputTree::new(folder.path());
        let mut port = Port::open(folder.path());
        port.begin(tree).expect("writable");
        let keeper = Keeper {
            tree,
            port: &port,
            force: false,
            dry_run: false,
        };
        let keep = |key: &str| {
            let kept = keeper.keep(key, &theirs("new\n"), Path::new(""));
            kept.expect("readable").stand.state
        };
        assert_eq!(keep("sub/a.py"), State::New);
        // So does another name for the same file, where names differ in case alone.
        let other = folder.path().join("sub/b.py");
        std::fs::write(&other, "by hand\n").expect("writable");
        assert!(tree.is_vacant(Path::new("sub/b.py")));
        assert_eq!(keep("sub/b.py"), State::Conflict(Conflict::Foreign));
        let read = |path: &Path| std::fs::read_to_string(path).expect("readable");
        assert_eq!(read(&other), "by hand\n");
        assert_eq!(read(&folder.path().join("sub/a.py")), "new\n");
        assert_eq!(keep("sub/a.py"), State::InSync);
    }
}
