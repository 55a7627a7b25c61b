//! What compilers said earlier, by content: an answer holds as long as every file that the compiler read for it has the same bytes.
//! What a folder that comes earlier in the search for headers would bring anew is not seen; `--no-cache` asks again.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::emit;

/// What nobody asked for in this time goes.
const KEPT: Duration = Duration::from_secs(30 * 24 * 3600);
/// How often that is looked at.
const SWEPT: Duration = Duration::from_secs(24 * 3600);

/// A folder of answers.
#[derive(Debug, Default)]
pub(crate) struct Store {
    folder: Option<PathBuf>,
    /// Hashes of files in this run; none for what cannot be read.
    hashes: Mutex<FxHashMap<PathBuf, Option<String>>>,
}

/// An answer of a compiler.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Answer {
    /// Files that it read, with their hashes.
    pub(super) files: Vec<(PathBuf, String)>,
    /// It had no error.
    pub(super) is_good: bool,
    /// What it printed.
    pub(super) log: String,
}

impl Store {
    /// The answers in a folder, which need not exist. Without one nothing is remembered, nor in one that others can write to.
    pub(crate) fn new(folder: Option<PathBuf>) -> Self {
        let folder = folder.filter(|folder| emit::private_folder(folder).is_ok());
        Self {
            folder,
            hashes: Mutex::default(),
        }
    }

    /// Files are read anew: somebody changed some.
    pub(crate) fn look_again(&self) {
        let mut hashes = self.hashes.lock().unwrap_or_else(PoisonError::into_inner);
        hashes.clear();
    }

    /// The key of a question.
    pub(super) fn key(parts: &[&str]) -> String {
        let mut hash = Sha256::new();
        for part in parts {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
        hex(&hash.finalize()[..20])
    }

    /// The answer to a question, if it still holds.
    pub(super) fn find(&self, key: &str) -> Option<Answer> {
        let path = self.path(key)?;
        let answer: Answer = serde_json::from_slice(&fs::read(&path).ok()?).ok()?;
        let holds = answer
            .files
            .iter()
            .all(|(file, hash)| self.hash(file).as_ref() == Some(hash));
        if holds && age(&path).is_some_and(|age| age > SWEPT) {
            let file = fs::File::options().append(true).open(&path);
            let _ = file.and_then(|file| file.set_modified(SystemTime::now()));
        }
        holds.then_some(answer)
    }

    /// Keeps an answer; one that cannot be kept is asked for again.
    pub(super) fn keep(&self, key: &str, files: Vec<PathBuf>, is_good: bool, log: &str) {
        let Some(path) = self.path(key) else {
            return;
        };
        let hashed = files.into_iter().map(|file| {
            let hash = self.hash(&file)?;
            Some((file, hash))
        });
        let Some(files) = hashed.collect::<Option<Vec<_>>>() else {
            return;
        };
        let answer = Answer {
            files,
            is_good,
            log: log.to_owned(),
        };
        if let Ok(text) = serde_json::to_vec(&answer) {
            let _ = emit::write(&path, &text, None);
        }
    }

    fn path(&self, key: &str) -> Option<PathBuf> {
        let folder = self.folder.as_ref()?;
        Some(folder.join(&key[..2]).join(format!("{}.json", &key[2..])))
    }

    fn hash(&self, path: &Path) -> Option<String> {
        let known = || self.hashes.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(hash) = known().get(path) {
            return hash.clone();
        }
        let hash = fs::read(path).ok().map(|bytes| hex(&Sha256::digest(bytes)));
        known().insert(path.to_path_buf(), hash.clone());
        hash
    }

    /// Removes what was not used for long, once a day.
    pub(super) fn sweep(&self) {
        let Some(folder) = &self.folder else {
            return;
        };
        let stamp = folder.join("swept");
        if age(&stamp).is_some_and(|age| age < SWEPT)
            || emit::write(&stamp, &nanos(), None).is_err()
        {
            return;
        }
        for shard in folder.read_dir().into_iter().flatten().flatten() {
            for item in shard.path().read_dir().into_iter().flatten().flatten() {
                if age(&item.path()).is_some_and(|age| age > KEPT) {
                    let _ = fs::remove_file(item.path());
                }
            }
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn nanos() -> Vec<u8> {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    now.unwrap_or_default().as_nanos().to_string().into_bytes()
}

fn age(path: &Path) -> Option<Duration> {
    fs::metadata(path).ok()?.modified().ok()?.elapsed().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_holds_until_a_file_changes() {
        let folder = tempfile::tempdir().unwrap();
        let (cache, file) = (folder.path().join("cache"), folder.path().join("a.h"));
        fs::write(&file, "int a;").unwrap();
        let key = Store::key(&["a", "b"]);
        assert_ne!(key, Store::key(&["ab", ""]));
        let store = || Store::new(Some(cache.clone()));
        store().keep(&key, vec![file.clone()], true, "log");
        assert!(
            store()
                .find(&key)
                .is_some_and(|answer| answer.is_good && answer.log == "log")
        );
        fs::write(&file, "int b;").unwrap();
        assert_eq!(store().find(&key), None);
        // One that names a file which cannot be read is none.
        store().keep(&key, vec![folder.path().join("gone")], true, "");
        assert_eq!(store().find(&key), None);
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_that_others_can_write_is_not_trusted() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.h");
        fs::write(&file, "").unwrap();
        let cache = folder.path().join("cache");
        fs::create_dir(&cache).unwrap();
        fs::set_permissions(&cache, fs::Permissions::from_mode(0o777)).unwrap();
        let key = Store::key(&["k"]);
        let store = Store::new(Some(cache.clone()));
        store.keep(&key, vec![file], true, "");
        assert!(store.find(&key).is_none() && cache.read_dir().unwrap().next().is_none());
    }
}
