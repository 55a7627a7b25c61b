//! What every command does first: tables, session, files, threads.

use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context as _, Result};

use super::args::{FileArgs, TranslateArgs};
use crate::mapping::ApiTable;
use crate::pipeline::{Interrupted, Plan, index_project};
use crate::rules::Session;

/// The built-in tables with the overlays of the command line.
pub(super) fn table(args: &TranslateArgs) -> Result<ApiTable> {
    let mut table = ApiTable::builtin();
    for (number, path) in args.mappings.iter().enumerate() {
        let text = std::fs::read_to_string(path)
            .with_context(|| format!("{}: cannot be read as a mapping table", path.display()))?;
        table = table.overlay(&path.display().to_string(), &text, number as u8)?;
    }
    Ok(table)
}

/// A session over the files of a plan.
pub(super) fn session(args: &TranslateArgs, plan: &Plan) -> Result<Session> {
    let mut session = Session::new(args.options(), table(args)?);
    session.project = index_project(&plan.files, &session.table, plan.renames.clone());
    Ok(session)
}

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
