//! The file of records while it grows.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use crate::cli::output;
use crate::emit;
use crate::pairs::{Pair, card};

/// The file of records while it grows: `FILE.part`, which the next run goes on with.
pub(super) struct Records {
    pub(super) part: PathBuf,
    file: fs::File,
    ids: BTreeSet<String>,
    /// The first record of each source.
    keys: BTreeMap<String, String>,
}

impl Records {
    pub(super) fn open(target: &Path) -> Result<Self> {
        let mut name = target.as_os_str().to_owned();
        name.push(".part");
        let part = PathBuf::from(name);
        let (mut ids, mut keys, mut whole) = (BTreeSet::new(), BTreeMap::new(), 0);
        if let Ok(file) = fs::File::open(&part) {
            for line in BufReader::new(file).split(b'\n') {
                let line = line?;
                // A line that was cut off is written again.
                let Ok(value) = serde_json::from_slice::<serde_json::Value>(&line) else {
                    break;
                };
                let field = |name: &str| value[name].as_str().unwrap_or_default().to_owned();
                keys.entry(field("dedup")).or_insert_with(|| field("id"));
                ids.insert(field("id"));
                whole += line.len() as u64 + 1;
            }
        }
        let file = fs::File::options().create(true).append(true).open(&part);
        let file = file.with_context(|| format!("{}: cannot be written", part.display()))?;
        file.set_len(whole.min(file.metadata()?.len()))?;
        if !ids.is_empty() {
            output::note(&format!(
                "going on with {}: {} records are there\n",
                part.display(),
                ids.len()
            ));
        }
        Ok(Self {
            part,
            file,
            ids,
            keys,
        })
    }

    pub(super) fn has(&self, id: &str) -> bool {
        self.ids.contains(id)
    }

    pub(super) fn put(&mut self, mut pair: Pair) -> Result<()> {
        if !self.ids.insert(pair.id.clone()) {
            return Ok(());
        }
        let first = self
            .keys
            .entry(pair.dedup.clone())
            .or_insert_with(|| pair.id.clone());
        pair.duplicate_of = (*first != pair.id).then(|| first.clone());
        let line = serde_json::to_string(&pair)? + "\n";
        self.file.write_all(line.as_bytes()).with_context(|| {
            format!(
                "{}: cannot be written; is the disk full?",
                self.part.display()
            )
        })
    }

    /// Puts the records in their place, and the card beside them.
    pub(super) fn finish(self, target: &Path, made_with: &str) -> Result<()> {
        self.file.sync_all()?;
        drop(self.file);
        let file = fs::File::open(&self.part)?;
        let lines = BufReader::new(file).lines().map_while(Result::ok);
        let lines: Vec<String> = lines.map(|line| without_long_texts(&line)).collect();
        let text = card(lines.iter().map(String::as_str), made_with);
        fs::rename(&self.part, target)
            .with_context(|| format!("{}: cannot be written", target.display()))?;
        emit::write(&target.with_extension("md"), text.as_bytes(), None)?;
        output::print(&text)
    }
}

/// A record without its long texts, for counting.
fn without_long_texts(line: &str) -> String {
    let Ok(mut value) = serde_json::from_str::<serde_json::Value>(line) else {
        return line.to_owned();
    };
    for field in ["source", "result", "edits", "findings", "options"] {
        value.as_object_mut().map(|object| object.remove(field));
    }
    for field in ["amdgcn", "ptx"] {
        if let Some(text) = value["proof"].get_mut(field) {
            *text = serde_json::Value::Bool(true);
        }
    }
    value.to_string()
}
