//! Checks again whenever a file changes.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use anyhow::{Context as _, Result};
use notify::{Event, EventKind, RecursiveMode, Watcher as _};

use crate::cli::args::CheckArgs;
use crate::cli::{Exit, input, output};

/// How long a person waits at most for Ctrl-C to be noticed.
const PATIENCE: Duration = Duration::from_millis(200);
/// Editors write a file in several steps: the check begins when nothing has happened for so long.
const QUIET: Duration = Duration::from_millis(60);

/// Runs `check` now and after each change below the paths, until a person ends it.
///
/// # Errors
/// When a path cannot be watched. What goes wrong in a run is told and does not end the watch.
pub(super) fn watch(args: &CheckArgs, check: impl Fn() -> Result<Exit>) -> Result<Exit> {
    let (sender, changes) = channel();
    let mut watcher = notify::recommended_watcher(sender)?;
    for path in &args.paths {
        watcher
            .watch(path, RecursiveMode::Recursive)
            .with_context(|| format!("{}: cannot be watched", path.display()))?;
    }
    let written = written(args);
    loop {
        if output::is_terminal() {
            output::print("\x1b[2J\x1b[H")?;
        }
        if let Err(error) = check() {
            output::complain(&format!("{error:#}"));
        }
        output::note("watching for changes; Ctrl-C ends it\n");
        if !next_change(&changes, &written) {
            return Ok(Exit::Interrupted);
        }
    }
}

/// Waits until a source changed and its editor is done with it; `false` when a person ends the program.
fn next_change(changes: &Receiver<notify::Result<Event>>, written: &[PathBuf]) -> bool {
    let mut has_changed = false;
    loop {
        let patience = if has_changed { QUIET } else { PATIENCE };
        match changes.recv_timeout(patience) {
            Ok(Ok(event)) => has_changed |= is_change_of_source(&event, written),
            Ok(Err(error)) => output::complain(&format!("a change may be missed: {error}")),
            Err(RecvTimeoutError::Timeout) if has_changed => return true,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return false,
        }
        if input::was_interrupted() {
            return false;
        }
    }
}

/// Whether an event is about a file that a check reads: neither one that the check itself writes nor git's own.
fn is_change_of_source(event: &Event, written: &[PathBuf]) -> bool {
    let is_change = !matches!(event.kind, EventKind::Access(_));
    let of_git = |path: &Path| path.components().any(|part| part.as_os_str() == ".git");
    let is_ours = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str());
        let is_scrap =
            name.is_some_and(|name| crate::pipeline::scrap_owner(name.as_ref()).is_some());
        is_scrap || written.iter().any(|own| path.ends_with(own))
    };
    let mut paths = event.paths.iter();
    is_change && paths.any(|path| !of_git(path) && !is_ours(path))
}

/// The files that each run writes.
fn written(args: &CheckArgs) -> Vec<PathBuf> {
    let reports = args.reports.report.iter().map(|(_, path)| path);
    let names = reports.filter_map(|path| path.file_name());
    names.map(PathBuf::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(path: &str) -> Event {
        Event::new(EventKind::Any).add_path(PathBuf::from(path))
    }

    #[test]
    fn what_a_check_writes_is_no_change() {
        let written = [PathBuf::from("cass.sarif")];
        assert!(is_change_of_source(&event("/a/src/k.cu"), &written));
        assert!(!is_change_of_source(&event("/a/cass.sarif"), &written));
        assert!(!is_change_of_source(&event("/a/.git/index.lock"), &written));
    }
}
