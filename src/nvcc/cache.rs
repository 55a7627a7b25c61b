//! Translations by content: a file lies under the hash of its bytes, a unit under the hash of all that decides it. Whatever is there
//! is whole, since files get their names when they are; two processes that write the same write the same bytes.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::emit;

/// What nobody asked for in this time goes.
const KEPT: Duration = Duration::from_secs(30 * 24 * 3600);
/// How often that is looked at, and how exactly the last use is noted.
const SWEPT: Duration = Duration::from_secs(24 * 3600);

/// A folder of translations.
#[derive(Clone, Debug)]
pub(crate) struct Cache {
    folder: PathBuf,
}

/// What became of a unit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// Files that change, by the path of the original, and the file of the cache that stands for each.
    pub files: Vec<(PathBuf, PathBuf)>,
    /// What to tell, in order.
    pub findings: Vec<Told>,
}

/// A finding for a person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Told {
    /// The file it is about.
    pub path: PathBuf,
    /// Its line, from 1.
    pub line: u32,
    /// Code of the rule.
    pub code: String,
    /// What is the matter.
    pub message: String,
    /// What to do.
    pub help: String,
}

impl Cache {
    /// The cache in a folder, which need not exist.
    pub(crate) fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// The key for the content of some files and what else decides.
    pub(crate) fn key<'b>(parts: impl IntoIterator<Item = &'b [u8]>) -> String {
        let mut hash = Sha256::new();
        for part in parts {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
        hash.finalize()[..20]
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect()
    }

    /// The record of a unit, if it is there with all its files, and these are what was written.
    pub(crate) fn find(&self, key: &str) -> Option<Record> {
        let path = self.unit(key);
        let record: Record = serde_json::from_slice(&fs::read(&path).ok()?).ok()?;
        let own = overlay(&record).ok()?;
        let is_whole = fs::read(self.overlay(key)).is_ok_and(|there| there == own)
            && record.files.iter().all(|(_, file)| self.holds(file));
        if is_whole {
            self.note_use(&path, &record);
        }
        is_whole.then_some(record)
    }

    /// Keeps a unit: its files first, the record last.
    ///
    /// # Errors
    /// When the folder cannot be written.
    pub(crate) fn keep(
        &self,
        key: &str,
        files: impl IntoIterator<Item = (PathBuf, Vec<u8>)>,
        findings: Vec<Told>,
    ) -> Result<Record> {
        let mut record = Record {
            files: Vec::new(),
            findings,
        };
        for (original, bytes) in files {
            let file = self.file(&bytes);
            // It may be there, whole or damaged.
            emit::write(&file, &bytes, None)?;
            record.files.push((original, file));
        }
        emit::write(&self.overlay(key), &overlay(&record)?, None)?;
        let text = serde_json::to_vec(&record).context("a record is plain data")?;
        emit::write(&self.unit(key), &text, None)?;
        self.sweep();
        Ok(record)
    }

    /// Where a content lies.
    fn file(&self, bytes: &[u8]) -> PathBuf {
        let hash = Self::key([bytes]);
        self.folder.join("files").join(&hash[..2]).join(&hash[2..])
    }

    /// Whether a file is one of this cache and has the content that its name says.
    fn holds(&self, file: &Path) -> bool {
        fs::read(file).is_ok_and(|bytes| self.file(&bytes) == file)
    }

    /// The overlay through which clang sees the files of a unit.
    pub(crate) fn overlay(&self, key: &str) -> PathBuf {
        self.folder.join("units").join(format!("{key}.vfs"))
    }

    /// Whether something is told for the first time; the next who asks hears no.
    pub(crate) fn tells_first(&self, what: &[u8]) -> bool {
        let folder = self.folder.join("told");
        let _ = fs::create_dir_all(&folder);
        let path = folder.join(Self::key([what]));
        fs::OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(path)
            .map_or_else(
                |error| error.kind() != std::io::ErrorKind::AlreadyExists,
                |_| true,
            )
    }

    fn unit(&self, key: &str) -> PathBuf {
        self.folder.join("units").join(format!("{key}.json"))
    }

    /// Notes that files are in use, once a day.
    fn note_use(&self, record_path: &Path, record: &Record) {
        if age(record_path).is_none_or(|age| age < SWEPT) {
            return;
        }
        let files = record.files.iter().map(|(_, file)| file.as_path());
        for path in files.chain([record_path, record_path.with_extension("vfs").as_path()]) {
            let now = SystemTime::now();
            let _ = fs::File::options()
                .append(true)
                .open(path)
                .and_then(|file| file.set_modified(now));
        }
    }

    /// Removes what was not used for long, once a day. Whoever finds a record without its files makes it anew.
    fn sweep(&self) {
        let stamp = self.folder.join("swept");
        if age(&stamp).is_some_and(|age| age < SWEPT)
            || emit::write(&stamp, &nanos(), None).is_err()
        {
            return;
        }
        let folders = ["units", "files", "told"].map(|name| self.folder.join(name));
        let mut open: Vec<PathBuf> = folders.into();
        while let Some(folder) = open.pop() {
            for item in folder.read_dir().into_iter().flatten().flatten() {
                let path = item.path();
                if path.is_dir() {
                    open.push(path);
                } else if age(&path).is_some_and(|age| age > KEPT) {
                    let _ = fs::remove_file(path);
                }
            }
        }
    }
}

fn nanos() -> Vec<u8> {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    now.unwrap_or_default().as_nanos().to_string().into_bytes()
}

fn age(path: &Path) -> Option<Duration> {
    fs::metadata(path).ok()?.modified().ok()?.elapsed().ok()
}

/// An overlay in clang's format: the originals' names stand in messages and dependency files (`use-external-names`).
fn overlay(record: &Record) -> Result<Vec<u8>> {
    let root = |(original, file): &(PathBuf, PathBuf)| serde_json::json!({ "name": original, "type": "file", "external-contents": file });
    let roots: Vec<_> = record.files.iter().map(root).collect();
    let text = serde_json::json!({
        "version": 0,
        "case-sensitive": "true",
        "use-external-names": "false",
        "roots": roots,
    });
    serde_json::to_vec(&text)
        .context("a path that is not UTF-8 cannot stand in an overlay of clang's")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_without_its_files_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::new(folder.path().join("cache"));
        assert!(cache.find("key").is_none());
        let kept = cache
            .keep(
                "key",
                [(PathBuf::from("/a.cu"), b"int x;".to_vec())],
                Vec::new(),
            )
            .unwrap();
        assert_eq!(cache.find("key"), Some(kept.clone()));
        // What somebody wrote into a file or an overlay is not what was kept.
        fs::write(&kept.files[0].1, "other").unwrap();
        assert_eq!(cache.find("unit"), None);
        fs::remove_file(&kept.files[0].1).unwrap();
        assert!(cache.find("key").is_none());
        // What a kill leaves of a record is no record.
        fs::write(cache.unit("half"), b"{\"files\":[").unwrap();
        assert!(cache.find("half").is_none());
    }

    #[test]
    fn a_header_is_told_of_once() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::new(folder.path().to_path_buf());
        assert!(cache.tells_first(b"a") && !cache.tells_first(b"a") && cache.tells_first(b"b"));
    }
}
