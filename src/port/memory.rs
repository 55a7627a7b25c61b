//! The memory of an output while a run is under way.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::{Context as _, Result};
use rustc_hash::FxHashSet;

use super::decide::{Case, Decision, Known, State, Write};
use super::journal::{self, Before, Intent, Journal};
use super::manifest::{Manifest, Record, Unreadable};
use super::now::Now;
use super::pack::{self, Texts};
use super::renames::{self, Candidate};
use super::{Content, Hash, Mark, path_of};
use crate::emit::{OutputTree, failed};
use crate::pipeline::{MANIFEST_NAME, RECORD_FOLDER, give_back, read_regular};

/// The file with the texts of the last run.
const PACK_NAME: &str = "base.pack";
/// Bytes that a manifest may have: a line for each of 800,000 files, ten times those of Linux.
const LARGEST_MANIFEST: u64 = 256 << 20;

/// What an output remembers of earlier runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Memory {
    /// It was empty or not there.
    New,
    /// Everything.
    Whole,
    /// Nothing: it was made before manifests were, or by something else.
    None,
    /// Nothing, because its manifest cannot be read: why.
    Damaged(String),
    /// What a newer version of the tool wrote: why it cannot be read.
    Newer(String),
}

/// The source of a file.
#[derive(Clone, Debug)]
pub struct Source {
    /// Its path below SRC; empty when there is none.
    pub path: String,
    /// Its hash.
    pub hash: Hash,
}

/// A file that a run no longer makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gone {
    /// Its key.
    pub key: String,
    /// Somebody changed it.
    pub is_edited: bool,
    /// What it is called now; work by hand on it went there.
    pub renamed: Option<String>,
}

/// An output and what is known of it.
#[derive(Debug)]
pub struct Port {
    root: PathBuf,
    /// What earlier runs left.
    pub memory: Memory,
    /// What of it is no file that can be read, and why.
    pub unread: Vec<String>,
    /// The manifest of the last run that came to its end.
    pub known: Manifest,
    /// What runs were about to write that came to no end, the latest last.
    unfinished: BTreeMap<String, Vec<Intent>>,
    journals: Vec<PathBuf>,
    stored: Texts,
    carried: BTreeMap<String, String>,
    /// One for each thread: a journal that all write makes them wait for each other.
    now: Vec<Mutex<Now>>,
}

impl Port {
    /// Reads what is known of an output. Fails on nothing: what cannot be read is said by [`Port::memory`].
    pub fn open(root: &Path) -> Self {
        let folder = root.join(RECORD_FOLDER);
        let (memory, known) = manifest_of(root, &folder.join(MANIFEST_NAME));
        let mut unread = Vec::new();
        let mut say = |path: &Path, error: io::Error| {
            if !super::content::is_absence(&error) {
                unread.push(format!("{}: is not read: {error}", path.display()));
            }
        };
        let pack = folder.join(PACK_NAME);
        let mut stored = pack::index(&pack).unwrap_or_else(|error| {
            say(&pack, error);
            Texts::new()
        });
        let journals = journals(&folder);
        let mut unfinished = BTreeMap::<String, Vec<Intent>>::new();
        for path in &journals {
            match journal::read(path, &mut stored) {
                Ok(found) => found
                    .into_iter()
                    .for_each(|(key, intent)| unfinished.entry(key).or_default().push(intent)),
                Err(error) => say(path, error),
            }
        }
        let threads = 0..rayon::current_num_threads();
        Self {
            root: root.to_path_buf(),
            memory,
            unread,
            known,
            unfinished,
            journals,
            stored,
            carried: BTreeMap::new(),
            now: threads
                .clone()
                .map(|_| Mutex::new(Now::new(threads.len())))
                .collect(),
        }
    }

    /// What this thread has done so far.
    fn now(&self) -> MutexGuard<'_, Now> {
        let thread = rayon::current_thread_index().unwrap_or(0);
        let now = self.now[thread % self.now.len()].lock();
        now.unwrap_or_else(PoisonError::into_inner)
    }

    /// What is at a place of the output.
    ///
    /// # Errors
    /// When it cannot be read; the message names it.
    pub fn found(&self, key: &str) -> Result<Option<Content>> {
        let Some(path) = path_of(key) else {
            return Ok(None);
        };
        let path = self.root.join(path);
        Content::read(&path).with_context(|| format!("{}: cannot be read", path.display()))
    }

    /// The text that was written last for a hash.
    pub fn text(&self, hash: Hash) -> Option<Vec<u8>> {
        pack::text(&self.stored, hash)
    }

    /// What is remembered of a place.
    fn remembered(&self, key: &str) -> Known<'_> {
        Known {
            left: self.known.files.get(key),
            intents: self.unfinished.get(key).map_or(&[], Vec::as_slice),
        }
    }

    /// The record that speaks of what is at a place.
    pub fn record(&self, key: &str, found: Option<&Content>) -> Option<&Record> {
        self.remembered(key).record(found, &|hash| self.text(hash))
    }

    /// Whether the last run that came to its end left something at a place, or noted that somebody deleted it.
    pub(crate) fn has_left(&self, key: &str) -> bool {
        self.known.files.contains_key(key)
    }

    /// What to do with a file, given what is at its place and what a translation makes of its source.
    ///
    /// # Errors
    /// When what stood under another name cannot be read.
    pub(crate) fn decide(
        &self,
        key: &str,
        source: &Source,
        ours: Option<Content>,
        theirs: &Content,
        force: bool,
    ) -> Result<Decision> {
        let fresh = Record::new(source.path.clone(), source.hash, theirs.mark);
        // A run that was killed may have noted it under its new name and not have come to write it.
        if !self.has_left(key)
            && ours.is_none()
            && !force
            && let Some(old) = self.carried.get(key)
        {
            return self.carry_edits_over(old, theirs, fresh);
        }
        let text = |hash| self.text(hash);
        let case = Case {
            known: self.remembered(key),
            text: &text,
            ours: ours.as_ref(),
            theirs,
            fresh,
            was_ended: self.journals.is_empty(),
            was_there: self.has_left(key),
            force,
        };
        Ok(case.decide())
    }

    /// What to do with a file that had another name: work by hand on that goes along.
    fn carry_edits_over(&self, old: &str, theirs: &Content, fresh: Record) -> Result<Decision> {
        let ours = self.found(old)?;
        let text = |hash| self.text(hash);
        let case = Case {
            known: self.remembered(old),
            text: &text,
            ours: ours.as_ref(),
            theirs,
            fresh: fresh.clone(),
            was_ended: self.journals.is_empty(),
            was_there: self.has_left(old),
            force: false,
        };
        let mut decision = case.decide();
        decision.write = match (decision.state, decision.write, ours) {
            (State::Edited | State::Merged, Write::Nothing, Some(ours)) => match ours.bytes {
                Some(bytes) => Write::Bytes(ours.mark.kind, bytes),
                None => Write::Theirs,
            },
            (State::Merged | State::Conflict(_), write @ Write::Bytes(..), _) => write,
            _ => Write::Theirs,
        };
        if decision.write == Write::Theirs {
            decision.state = State::New;
            decision.record = Some(fresh);
            decision.accepted = false;
        }
        Ok(decision)
    }

    /// Whether an earlier run wrote anything, as far as that is known.
    pub(crate) fn knows_files(&self) -> bool {
        !self.known.files.is_empty() || !self.unfinished.is_empty()
    }

    /// Records whose file this run does not make; `is_there` says whether a source is still there, so that somebody left it out.
    pub(crate) fn vanished<'a>(
        &'a self,
        made: &'a BTreeSet<String>,
        is_there: impl Fn(&str) -> bool + 'a,
    ) -> impl Iterator<Item = (&'a String, &'a Record)> {
        let known = self.known.files.iter();
        let new = self.unfinished.iter();
        let new = new.filter_map(|(key, intents)| Some((key, &intents.last()?.record)));
        let new = new.filter(|(key, _)| !self.has_left(key));
        known.chain(new).filter(move |(key, record)| {
            let is_made = made.contains(*key);
            // Under another name the same source makes another file.
            !is_made && (record.source.is_empty() || !is_there(&record.source))
        })
    }

    /// Finds out which new files are old ones under another name.
    pub(crate) fn follow_renames(&mut self, gone: &[Candidate], new: &[Candidate]) {
        self.carried = renames::pair(gone, new);
    }

    /// The old keys of files that have another name now, by the new one.
    pub fn renames(&self) -> &BTreeMap<String, String> {
        &self.carried
    }

    /// Marks the output as ours, before anything is written into it.
    ///
    /// # Errors
    /// When the mark cannot be written.
    pub fn begin(&mut self, tree: &OutputTree) -> Result<()> {
        let manifest = Path::new(RECORD_FOLDER).join(MANIFEST_NAME);
        if let Memory::Damaged(_) = self.memory {
            // Somebody may be able to mend it: two branches of a repository may have been merged line by line.
            let damaged = Path::new(RECORD_FOLDER).join("manifest.damaged.json");
            let there = tree.root().join(&manifest);
            let is_one = |data: std::fs::Metadata| data.is_file() && data.len() <= LARGEST_MANIFEST;
            if there.metadata().is_ok_and(is_one) {
                tree.copy(&there, &damaged)?;
            }
        }
        if self.memory != Memory::Whole {
            let options = serde_json::Value::Null;
            let text = Manifest::new(options).render();
            tree.write(&manifest, text.as_bytes(), None)?;
        }
        Ok(())
    }

    /// Remembers what is about to be written: call it before the file is. `found` is what is there, `text` the translation, where it can
    /// be a base.
    ///
    /// # Errors
    /// When the journal cannot be written.
    pub(crate) fn remember(
        &self,
        tree: &OutputTree,
        key: &str,
        record: &Record,
        found: Option<Mark>,
        text: Option<&[u8]>,
    ) -> Result<()> {
        let is_stored = self.stored.contains_key(&record.base.hash);
        let text = text.filter(|_| !is_stored);
        let is_known = self.remembered(key).records().next() == Some(record);
        let is_new = !is_known || text.is_some();
        let intent = || Intent {
            record: record.clone(),
            before: Some(Before::of(found)),
        };
        let entry = is_new.then(|| journal::Packed::new(key, &intent(), text));
        let entry = entry
            .transpose()
            .context("no entry for the journal of the run can be made")?;
        let mut now = self.now();
        if let Some(entry) = entry {
            if now.journal.is_none() {
                let (path, file) = tree.journal(Path::new(RECORD_FOLDER), journal::PREFIX)?;
                now.journal = Some(Journal::new(path, file));
            }
            if let Some(journal) = &mut now.journal {
                let place = journal.add(&entry);
                let place = place.with_context(|| failed(&journal.path))?;
                if text.is_some() {
                    now.texts.insert(record.base.hash, place);
                    now.held.add(record.base.hash, entry.bytes, entry.text);
                }
            }
        }
        now.records.insert(key.to_owned(), record.clone());
        Ok(())
    }

    /// Takes back what was remembered of a file that could not be written then.
    pub(crate) fn forget(&self, key: &str) {
        let mut now = self.now();
        now.records.remove(key);
    }

    /// What holds of the places that runs noted which came to no end, and of which this one notes nothing: they took no part in it, or
    /// could not be written. `None` of those where this tool wrote nothing.
    fn settled(&self, now: &BTreeMap<String, Record>) -> Vec<(String, Option<Record>)> {
        let open = self.unfinished.keys().filter(|key| !now.contains_key(*key));
        let settle = |key: &String| {
            let record = match self.found(key) {
                Ok(found) => self.record(key, found.as_ref()),
                // What cannot be read is what it was.
                Err(_) => self.known.files.get(key),
            };
            (key.clone(), record.cloned())
        };
        open.map(settle).collect()
    }

    /// Writes manifest and texts of a run that came to its end, and removes the journals.
    ///
    /// # Errors
    /// When one cannot be written; the journals are there then.
    pub fn finish(
        self,
        tree: &OutputTree,
        mut manifest: Manifest,
        dropped: &BTreeSet<String>,
    ) -> Result<()> {
        let mut now = Now::new(1);
        let mut journals = self.journals.clone();
        for thread in &self.now {
            let mut thread = thread.lock().unwrap_or_else(PoisonError::into_inner);
            journals.extend(now.add(std::mem::replace(&mut thread, Now::new(1))));
        }
        let settled = self.settled(&now.records);
        let mut files = self.known.files;
        for (key, record) in settled {
            match record {
                Some(record) => drop(files.insert(key, record)),
                None => drop(files.remove(&key)),
            }
        }
        files.append(&mut now.records);
        files.retain(|key, _| !dropped.contains(key));
        let mut texts = self.stored;
        texts.append(&mut now.texts);
        let needed: FxHashSet<Hash> = files.values().map(|record| record.base.hash).collect();
        texts.retain(|hash, _| needed.contains(hash));
        let folder = Path::new(RECORD_FOLDER);
        let pack = folder.join(PACK_NAME);
        let in_pack = pack::index(&tree.root().join(&pack)).unwrap_or_default();
        let in_pack: BTreeSet<Hash> = in_pack.into_keys().collect();
        let is_behind = !in_pack.iter().eq(texts.keys()) || in_pack.is_empty();
        manifest.files = files;
        if !journals.is_empty() {
            tree.settle();
        }
        let write_pack = || match is_behind {
            true => tree.stream(&pack, |out| pack::write(&texts, &now.held, out)),
            false => Ok(()),
        };
        let (written, rendered) = rayon::join(write_pack, || manifest.render());
        written?;
        tree.write_lasting(&folder.join(MANIFEST_NAME), rendered.as_bytes(), None)?;
        if !journals.is_empty() {
            tree.settle_names(folder);
        }
        for name in journals.iter().filter_map(|path| path.file_name()) {
            // One that stays is read once more, and says nothing new.
            let _ = tree.remove(&folder.join(name));
        }
        give_back((manifest, texts, now));
        Ok(())
    }
}

/// The manifest of an output.
fn manifest_of(root: &Path, manifest: &Path) -> (Memory, Manifest) {
    let is_empty = || {
        root.read_dir()
            .map_or(true, |mut items| items.next().is_none())
    };
    match read_regular(manifest, LARGEST_MANIFEST) {
        Ok(text) => match Manifest::parse(&text) {
            Ok(known) => (Memory::Whole, known),
            Err(why) => (why.memory(manifest), Manifest::default()),
        },
        Err(error) if super::content::is_absence(&error) => {
            let memory = if is_empty() {
                Memory::New
            } else {
                Memory::None
            };
            (memory, Manifest::default())
        }
        Err(error) => (
            Memory::Damaged(format!("{}: {error}", manifest.display())),
            Manifest::default(),
        ),
    }
}

impl Unreadable {
    /// What an output with such a manifest remembers.
    fn memory(self, manifest: &Path) -> Memory {
        let manifest = manifest.display();
        match self {
            Self::Damaged(why) => Memory::Damaged(format!("{manifest}: is damaged ({why})")),
            Self::Newer(tool) => Memory::Newer(format!(
                "{manifest}: was written by {tool}, which is newer than this one; use that"
            )),
        }
    }
}

/// Journals that runs left which came to no end, the oldest first.
fn journals(folder: &Path) -> Vec<PathBuf> {
    let items = folder.read_dir().into_iter().flatten().flatten();
    let named = items.filter(|item| {
        item.file_name()
            .to_string_lossy()
            .starts_with(journal::PREFIX)
    });
    let time = |path: &PathBuf| -> io::Result<_> { path.metadata()?.modified() };
    let mut paths: Vec<PathBuf> = named.map(|item| item.path()).collect();
    paths.sort_by_cached_key(|path| (time(path).ok(), path.clone()));
    paths
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::port::Kind;

    /// A run that is killed behind its record of a file, with or without the file.
    fn killed(tree: &OutputTree, text: &str, is_written: bool) {
        let mut port = Port::open(tree.root());
        port.begin(tree).unwrap();
        let content = Content::new(Kind::File, text.as_bytes().to_vec());
        let record = Record::new("a.cu".to_owned(), Hash::of(b"s"), content.mark);
        let found = port.found("a.cu").unwrap().map(|found| found.mark);
        port.remember(tree, "a.cu", &record, found, Some(text.as_bytes()))
            .unwrap();
        if is_written {
            tree.write(Path::new("a.cu"), text.as_bytes(), None)
                .unwrap();
        }
    }

    #[test]
    fn what_any_killed_run_wrote_is_nobodys_work() {
        let folder = tempfile::tempdir().unwrap();
        let tree = OutputTree::new(folder.path());
        killed(&tree, "first", true);
        killed(&tree, "second", false);
        killed(&tree, "third", false);
        let port = Port::open(tree.root());
        assert_eq!(port.remembered("a.cu").records().count(), 3);
        let source = Source {
            path: "a.cu".to_owned(),
            hash: Hash::of(b"t"),
        };
        let theirs = Content::new(Kind::File, b"fourth".to_vec());
        let found = port.found("a.cu").unwrap();
        let decision = port.decide("a.cu", &source, found, &theirs, false).unwrap();
        assert_eq!(
            (decision.state, decision.write),
            (State::Behind, Write::Theirs)
        );
    }
}
