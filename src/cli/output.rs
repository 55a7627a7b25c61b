//! Standard output and error; a closed pipe ends the program without noise.

use std::io::{self, Write as _};

use anyhow::Result;

use crate::report::text::harmless;

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

/// Whether a person looks at standard output.
pub(super) fn is_terminal() -> bool {
    io::IsTerminal::is_terminal(&io::stdout())
}

/// Whether standard output takes colours.
pub(super) fn is_coloured() -> bool {
    anstream::AutoStream::choice(&io::stdout()) != anstream::ColorChoice::Never
}

/// Writes text to standard error; nobody can be told when that fails.
pub(super) fn note(text: &str) {
    let _ = anstream::stderr().lock().write_all(text.as_bytes());
}

/// Writes an error message to standard error, as one line whatever names and texts of others it holds.
pub(super) fn complain(message: &str) {
    note(&format!("cass-transpile: {}\n", harmless(message)));
}

/// Whether an error says that the reader of our output is gone.
pub(super) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause
            .downcast_ref::<io::Error>()
            .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    })
}
