//! What every command does first: threads, interruption, names for people.

use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use super::args::FileArgs;
use crate::pipeline::Interrupted;

/// Sets the number of threads; the first command of a process decides.
pub(super) fn set_threads(files: &FileArgs) {
    if let Some(jobs) = files.jobs {
        // Fails only when the pool exists already, which then has the right size.
        let _ = rayon::ThreadPoolBuilder::new()
            .num_threads(jobs)
            .build_global();
    }
}

/// The flag that Ctrl-C sets; a second Ctrl-C ends the process.
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
        });
        AtomicBool::new(false)
    })
}

/// A path's folder-relative name as people read it.
pub(super) fn shown(path: &Path) -> String {
    path.display().to_string()
}
