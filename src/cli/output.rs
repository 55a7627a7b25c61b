//! Standard output and error; a closed pipe ends the program without noise.

use std::borrow::Cow;
use std::io::{self, Write as _};
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Mutex, PoisonError};

use anyhow::Result;
use indicatif::ProgressBar;
use terminal_size::{Height, Width};

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
    width(terminal_size::terminal_size_of(io::stdout())).unwrap_or(COLUMNS)
}

/// Columns of the terminal that standard error goes to, or of a page where there is none.
pub(super) fn columns_of_notes() -> usize {
    width(terminal_size::terminal_size_of(io::stderr())).unwrap_or(COLUMNS)
}

/// Columns of a terminal; one that was never told its size has none.
fn width(size: Option<(Width, Height)>) -> Option<usize> {
    size.map(|(width, _)| usize::from(width.0))
        .filter(|columns| *columns > 0)
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

/// Writes a summary to standard error, unless --quiet is given. Lines longer than the terminal go on set in; a log has them whole.
pub(super) fn note_summary(text: &str) {
    note(&fitted(text, terminal_size::terminal_size_of(io::stderr())));
}

/// Writes a summary to standard output, as [`note_summary`] does to standard error.
///
/// # Errors
/// When standard output is closed or full.
pub(super) fn print_summary(text: &str) -> Result<()> {
    print(&fitted(text, terminal_size::terminal_size_of(io::stdout())))
}

/// A text as it goes to a terminal of a size, or to a file.
fn fitted(text: &str, size: Option<(Width, Height)>) -> Cow<'_, str> {
    width(size).map_or(text.into(), |columns| folded(text, columns).into())
}

/// A text whose lines have so many columns at most, where a word is no longer.
fn folded(text: &str, columns: usize) -> String {
    let line = |line: &str| {
        let begin = &line[..line.len() - line.trim_start().len()];
        let further = format!("{begin}  ");
        let options = textwrap::Options::new(columns)
            .initial_indent(begin)
            .subsequent_indent(&further)
            .word_splitter(textwrap::WordSplitter::NoHyphenation)
            .wrap_algorithm(textwrap::WrapAlgorithm::FirstFit)
            .break_words(false);
        textwrap::fill(line.trim_start(), options) + "\n"
    };
    text.lines().map(line).collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_a_summary_go_on_set_in() {
        let text =
            "findings: 1 error\n  a/long/name.cu: 1 error, 2 warnings\n\nshort `--vendors both`\n";
        let expected = "findings: 1 error\n  a/long/name.cu: 1\n    error, 2\n    warnings\n\nshort `--vendors\n  both`\n";
        assert_eq!(folded(text, 20), expected);
        assert_eq!(folded(text, 80), text);
        // A word that is longer than the window stays whole: it may be a path.
        assert_eq!(folded("see a/b/c/d/e/f\n", 8), "see\n  a/b/c/d/e/f\n");
    }
}
