//! Standard output and error; a closed pipe ends the program without noise.

use std::io::{self, Write as _};
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Mutex, PoisonError};

use anyhow::Result;
use indicatif::ProgressBar;

use super::Exit;
use crate::report::COLUMNS;
use crate::report::text::harmless;

/// How much is said beside results: 0 with --quiet, 2 with --verbose.
static LOUDNESS: AtomicU8 = AtomicU8::new(1);

/// The line that says how far a run is, while it is shown.
static LINE: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// What a command line without any word gets.
const SHORT_HELP: &str = "\
Translates CUDA C++ to HIP for AMD GPUs, and says what needs a person.

  cass-transpile check            list what needs a person, in this folder
  cass-transpile diff             show the translation of this folder as a patch
  cass-transpile src/ out/        translate a tree into another folder

`cass-transpile --help` lists commands and options.
";

/// Says once for the process what --quiet and --verbose ask for.
pub(super) fn set_verbosity(quiet: bool, verbose: bool) {
    let loudness = match (quiet, verbose) {
        (true, _) => 0,
        (false, true) => 2,
        (false, false) => 1,
    };
    LOUDNESS.store(loudness, Ordering::Relaxed);
}

/// Whether summaries and notes are left out.
pub(super) fn is_quiet() -> bool {
    LOUDNESS.load(Ordering::Relaxed) == 0
}

/// Says to standard error what only --verbose asks for.
pub(super) fn detail(text: impl FnOnce() -> String) {
    if LOUDNESS.load(Ordering::Relaxed) > 1 {
        write_error(&format!("cass-transpile: {}\n", harmless(&text())));
    }
}

/// Says how to begin.
///
/// # Errors
/// Never; the exit code is that of a usage error.
pub(super) fn short_help() -> Result<Exit> {
    write_error(SHORT_HELP);
    Ok(Exit::Trouble)
}

/// Writes text to standard output, colours only on a terminal.
///
/// # Errors
/// When standard output is closed or full.
pub(super) fn print(text: &str) -> Result<()> {
    let mut out = anstream::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}

/// Writes bytes to standard output as they are.
///
/// # Errors
/// When standard output is closed or full.
pub(super) fn print_bytes(bytes: &[u8]) -> Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(bytes)?;
    out.flush()?;
    Ok(())
}

/// Writes to standard output what comes piece by piece.
///
/// # Errors
/// When standard output is closed or full.
pub(super) fn print_pieces(fill: impl FnOnce(&mut dyn io::Write) -> io::Result<()>) -> Result<()> {
    let mut out = io::BufWriter::with_capacity(1 << 16, io::stdout().lock());
    fill(&mut out)?;
    out.flush()?;
    Ok(())
}

/// Columns of the terminal, or of a page where there is none.
pub(super) fn columns() -> usize {
    let size = terminal_size::terminal_size_of(io::stdout());
    size.map_or(COLUMNS, |(width, _)| usize::from(width.0))
}

/// Whether a person looks at standard output.
pub(super) fn is_terminal() -> bool {
    io::IsTerminal::is_terminal(&io::stdout())
}

/// Whether standard output takes colours.
pub(super) fn is_coloured() -> bool {
    anstream::AutoStream::choice(&io::stdout()) != anstream::ColorChoice::Never
}

/// Writes a summary or a note to standard error, unless --quiet is given.
pub(super) fn note(text: &str) {
    if !is_quiet() {
        write_error(text);
    }
}

/// Messages step around this line from now on; `None` takes it away again.
pub(super) fn set_progress_line(line: Option<ProgressBar>) {
    *LINE.lock().unwrap_or_else(PoisonError::into_inner) = line;
}

/// Nobody can be told when this fails.
fn write_error(text: &str) {
    let write = || {
        let _ = anstream::stderr().lock().write_all(text.as_bytes());
    };
    match &*LINE.lock().unwrap_or_else(PoisonError::into_inner) {
        Some(line) => line.suspend(write),
        None => write(),
    }
}

/// Writes an error message to standard error, as one line whatever names and texts of others it holds.
pub(super) fn complain(message: &str) {
    write_error(&format!("cass-transpile: {}\n", harmless(message)));
}

/// Whether an error says that the reader of our output is gone.
pub(super) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause
            .downcast_ref::<io::Error>()
            .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    })
}
