//! A program that is run for what it prints.

use std::ffi::OsString;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::verify::{End, Task};

/// What a program did.
pub(crate) struct Ran {
    /// How it ended.
    pub(crate) end: End,
    /// What it printed.
    pub(crate) stdout: String,
    /// What it printed as messages.
    pub(crate) stderr: String,
}

/// Limits of a run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits<'a> {
    /// When it is ended.
    pub(crate) timeout: Duration,
    /// Set when a person wants it to end.
    pub(crate) interrupted: &'a AtomicBool,
}

/// More than this nobody reads: a compiler that goes on and on is ended.
const MOST_OUTPUT: u64 = 16 << 20;

/// Runs a program to its end, or ends it.
///
/// # Errors
/// When it cannot be started; the message names it.
pub(crate) fn run(
    command: &[String],
    folder: &Path,
    environment: &[(OsString, OsString)],
    limits: Limits<'_>,
) -> Result<Ran, String> {
    fed(command, folder, environment, None, limits)
}

/// The same with a file as its standard input.
///
/// # Errors
/// When it cannot be started, or the file cannot be read; the message names it.
pub(crate) fn fed(
    command: &[String],
    folder: &Path,
    environment: &[(OsString, OsString)],
    stdin: Option<&Path>,
    limits: Limits<'_>,
) -> Result<Ran, String> {
    let scratch =
        tempfile::tempdir().map_err(|error| format!("no temporary folder can be made: {error}"))?;
    let [stdout, stderr] = ["stdout", "stderr"].map(|name| scratch.path().join(name));
    let task = Task {
        command,
        folder,
        environment,
        stdin,
        timeout: limits.timeout,
        most_output: MOST_OUTPUT,
        interrupted: limits.interrupted,
    };
    let outcome = task
        .run(&stdout, &stderr)
        .map_err(|error| format!("{error:#}"))?;
    let text = |path: &Path| {
        let mut bytes = std::fs::read(path).unwrap_or_default();
        bytes.truncate(MOST_OUTPUT as usize);
        String::from_utf8_lossy(&bytes).into_owned()
    };
    Ok(Ran {
        end: outcome.end,
        stdout: text(&stdout),
        stderr: text(&stderr),
    })
}
