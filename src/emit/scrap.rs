//! Temporary files: how they are called, and how those of a run that was killed go.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use rustc_hash::FxHashSet;

use super::folder::Folder;
use crate::pipeline::{SCRAP_PREFIX, scrap_owner};

/// What the names of this run's temporary files begin with.
pub(super) fn prefix() -> &'static str {
    static PREFIX: OnceLock<String> = OnceLock::new();
    PREFIX.get_or_init(|| format!("{SCRAP_PREFIX}{}-", std::process::id()))
}

/// Removes what killed runs left in a folder, when this process writes there for the first time. Nobody is told when that fails: the files
/// harm nobody.
pub(super) fn sweep_once(path: &Path, folder: &Folder) {
    // By hash: to compare paths part by part along an ordered set takes longer than the rest.
    static SWEPT: Mutex<Option<FxHashSet<PathBuf>>> = Mutex::new(None);
    let mut swept = SWEPT.lock().unwrap_or_else(PoisonError::into_inner);
    let swept = swept.get_or_insert_default();
    // Held until the folder is swept: no thread of this process writes there before.
    if !swept.contains(path) {
        swept.insert(path.to_path_buf());
        sweep(folder);
    }
}

fn sweep(folder: &Folder) {
    // What is there before this process writes is not its own, whatever number it has.
    let is_orphan = |owner: u32| is_known() && (owner == std::process::id() || !is_running(owner));
    let names = folder.names().unwrap_or_default().into_iter();
    let orphans = names.filter(|name| scrap_owner(name).is_some_and(is_orphan));
    for orphan in orphans {
        let _ = folder.remove(&orphan);
    }
}

/// Whether a process runs that may write such files: numbers come again, also as those of threads, and soon on a machine that builds.
fn is_running(owner: u32) -> bool {
    let name = |exe: &Path| {
        exe.file_name()
            .map(|name| name.to_string_lossy().replace(" (deleted)", ""))
    };
    let process = PathBuf::from(format!("/proc/{owner}"));
    // Another user's process does not tell what it is.
    let exe = |process: &Path| fs::read_link(process.join("exe"));
    let own = exe(Path::new("/proc/self"));
    let same = |exe: PathBuf| own.map_or(true, |own| name(&exe) == name(&own));
    process.exists() && exe(&process).map_or(true, same)
}

/// Whether the system tells which processes run, as Linux does.
fn is_known() -> bool {
    Path::new("/proc/self").exists()
}

#[cfg(test)]
mod tests {
    use std::fs::File;

    use super::*;

    #[cfg(unix)]
    #[test]
    fn what_is_left_of_processes_that_are_no_more_goes() {
        let folder = tempfile::tempdir().expect("a folder");
        let left_by = |owner: u32| {
            let path = folder.path().join(format!("{SCRAP_PREFIX}{owner}-a1B2c3"));
            File::create(&path).expect("writable");
            path
        };
        // An earlier process may have had the number of this one, or of one that is another program.
        let mut other = std::process::Command::new("sleep");
        let mut other = other.arg("60").spawn().expect("there is a sleep");
        let left = [u32::MAX, other.id(), std::process::id()].map(left_by);
        sweep_once(
            folder.path(),
            &Folder::open(folder.path()).expect("it is there"),
        );
        assert_eq!(left.map(|path| path.exists()), [!is_known(); 3]);
        other.kill().expect("it sleeps");
        other.wait().expect("it ends");
        // From now on what has this number is of this process.
        let own = left_by(std::process::id());
        sweep_once(
            folder.path(),
            &Folder::open(folder.path()).expect("it is there"),
        );
        assert!(own.exists());
    }

    #[test]
    fn a_process_of_this_program_runs_and_one_that_is_another_users_may() {
        assert_eq!(is_running(std::process::id()), is_known());
        assert_eq!(
            is_running(1),
            is_known() && fs::read_link("/proc/1/exe").is_err()
        );
    }
}
