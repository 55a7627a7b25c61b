//! Temporary files: how they are called, and how those of a run that was killed go.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::pipeline::{SCRAP_PREFIX, scrap_owner};

/// What the names of this run's temporary files begin with.
pub(super) fn prefix() -> String {
    format!("{SCRAP_PREFIX}{}-", std::process::id())
}

/// Removes a temporary file if the run that made it is no more. Nobody is told when that fails: the file harms nobody.
fn sweep(path: &Path) {
    let is_orphan = |owner: u32| {
        owner != std::process::id() && is_known() && !Path::new(&format!("/proc/{owner}")).exists()
    };
    if path
        .file_name()
        .and_then(scrap_owner)
        .is_some_and(is_orphan)
    {
        let _ = fs::remove_file(path);
    }
}

/// Removes what killed runs left in a folder, when this process writes there for the first time.
pub(super) fn sweep_once(folder: &Path) {
    static SWEPT: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    let mut swept = SWEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if swept.insert(folder.to_path_buf()) {
        drop(swept);
        sweep_folder(folder);
    }
}

fn sweep_folder(folder: &Path) {
    let Ok(items) = fs::read_dir(folder) else {
        return;
    };
    let scrap = items
        .flatten()
        .filter(|item| scrap_owner(&item.file_name()).is_some());
    scrap.for_each(|item| sweep(&item.path()));
}

/// Whether the system tells which processes run, as Linux does.
fn is_known() -> bool {
    Path::new("/proc/self").exists()
}

#[cfg(test)]
mod tests {
    use std::fs::File;

    use super::*;

    #[test]
    fn what_a_running_process_writes_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let here = folder.path().join(format!("{}a1B2c3", prefix()));
        let dead = folder
            .path()
            .join(format!("{SCRAP_PREFIX}{}-a1B2c3", u32::MAX));
        for path in [&here, &dead] {
            File::create(path).expect("writable");
        }
        sweep_folder(folder.path());
        assert_eq!((here.exists(), dead.exists()), (true, !is_known()));
    }
}
