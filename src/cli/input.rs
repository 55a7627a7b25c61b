//! What every command does first: threads, interruption, names for people.

use std::io::Read as _;
use std::path::{Path, PathBuf};
#[cfg(unix)]
use std::sync::Arc;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context as _, Result, bail};

use super::args::FileArgs;
use super::output;
use crate::pipeline::{Entry, EntryKind, Interrupted, PlannedFile};

/// Threads per core that `-j` is held to: with slow disks some more than cores may pay, thousands never do.
const MOST_PER_CORE: usize = 8;

/// Sets the number of threads; the first command of a process decides.
pub(super) fn set_threads(files: &FileArgs) {
    set_jobs(files.jobs);
}

/// The same where there are no options about files.
pub(super) fn set_jobs(jobs: Option<usize>) {
    if let Some(jobs) = jobs {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        // Fails only when the pool exists already, which then has the right size.
        let _ = rayon::ThreadPoolBuilder::new()
            .num_threads(threads(jobs, cores))
            .build_global();
    }
}

/// How many threads there are.
pub(super) fn threads_in_use() -> usize {
    rayon::current_num_threads()
}

/// How many threads are started where so many are asked for: more only wait for each other, each with a stack and tables of its own.
fn threads(jobs: usize, cores: usize) -> usize {
    jobs.min(cores * MOST_PER_CORE)
}

/// How long the work under way may take to end once a person or a service wants it. Only one signal comes from `timeout`, a CI runner or
/// a container's end, and some work never ends: a pipe on which nothing comes, a file that takes minutes.
const GRACE: Duration = Duration::from_secs(5);

/// The flag that Ctrl-C and the end of a service set. The process ends with the work under way, after [`GRACE`], or at a second signal;
/// nothing is half then either, since a file gets its place only when it is whole.
pub(super) fn interrupted() -> &'static Interrupted {
    static FLAG: OnceLock<AtomicBool> = OnceLock::new();
    FLAG.get_or_init(|| {
        let _ = ctrlc::set_handler(|| {
            if FLAG
                .get()
                .is_some_and(|flag| flag.swap(true, Ordering::Relaxed))
            {
                std::process::exit(130);
            }
            std::thread::spawn(|| {
                std::thread::sleep(GRACE);
                output::complain("interrupted; the work under way did not end and is left");
                std::process::exit(130);
            });
        });
        AtomicBool::new(false)
    })
}

/// Lets a write behind the limit on the size of files (`ulimit -f`) fail with an error that names the file: the signal that comes with it
/// ends a program that does not take it. A program that is started from here has its own again.
#[cfg(unix)]
pub(super) fn outlive_size_limits() {
    use signal_hook::consts::signal::SIGXFSZ;
    // Where it cannot be taken, the run ends as it did before.
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::default());
}

/// Whether a person wants the run to end.
pub(super) fn was_interrupted() -> bool {
    interrupted().load(Ordering::Relaxed)
}

/// Bytes that standard input may have: it may be a device that never ends, and one source has less.
const LARGEST: u64 = 512 << 20;

/// Everything that standard input holds.
///
/// # Errors
/// When it cannot be read.
pub(super) fn read_all() -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let input = std::io::stdin().lock();
    input
        .take(LARGEST + 1)
        .read_to_end(&mut bytes)
        .context("standard input cannot be read")?;
    if bytes.len() as u64 > LARGEST {
        bail!("standard input is larger than {} MiB", LARGEST >> 20);
    }
    Ok(bytes)
}

/// The file that standard input stands for.
pub(super) fn stand_in(name: &str) -> PlannedFile {
    let name = PathBuf::from(name);
    PlannedFile {
        entry: Entry {
            path: name.clone(),
            relative: name.clone(),
            kind: EntryKind::File,
        },
        output: name,
        has_made: false,
    }
}

/// The way from the current folder to that of a root; nothing where it lies elsewhere.
pub(super) fn from_here(root: &Path) -> PathBuf {
    let here = Path::new(".").canonicalize();
    let folder = match root.is_dir() {
        true => Some(root),
        false => root.parent(),
    };
    let folder = folder.filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new(".")).canonicalize();
    let way = here.ok().zip(folder.ok());
    let way = way.and_then(|(here, folder)| Some(folder.strip_prefix(here).ok()?.to_path_buf()));
    way.unwrap_or_default()
}

/// A resolved folder as it is called from the current one, `.` and `src`, so that names stay short; one that lies elsewhere keeps its path.
pub(super) fn named_from_here(folder: PathBuf) -> PathBuf {
    let here = Path::new(".").canonicalize().ok();
    let below_here = here.and_then(|here| folder.strip_prefix(here).ok().map(Path::to_path_buf));
    match below_here {
        Some(path) if path.as_os_str().is_empty() => PathBuf::from("."),
        Some(path) => path,
        None => folder,
    }
}

/// What goes before the names of a root's files to make them paths that a shell understands.
pub(super) fn prefix(path: &Path) -> String {
    let folder = if path.is_dir() {
        Some(path)
    } else {
        path.parent()
            .filter(|parent| !parent.as_os_str().is_empty())
    };
    match folder {
        // `src/k.cu` is how people and other tools name a file of the current folder.
        None => String::new(),
        Some(folder) if folder == Path::new(".") => String::new(),
        Some(folder) => format!("{}/", shown(folder).trim_end_matches('/')),
    }
}

/// A path's folder-relative name as people read it.
pub(super) fn shown(path: &Path) -> String {
    path.display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_are_held_to_a_few_for_each_core() {
        assert_eq!([1, 8, 20_000].map(|jobs| threads(jobs, 2)), [1, 8, 16]);
    }
}
