//! Changes to the disk, counted, so that a test can end the program in front of any of them, or have the disk full from one on. Only a
//! build with debug assertions counts: in what is released nothing of it is left.

use std::io;

/// What happens at a change.
#[cfg(debug_assertions)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The program ends as if it was killed: nothing is cleaned up.
    Kill,
    /// From here on nothing that needs room on the disk can be written.
    Full,
}

#[cfg(debug_assertions)]
static ARMED: std::sync::OnceLock<(Fault, usize)> = std::sync::OnceLock::new();

/// Lets it happen at the change of this number, the first being 1.
#[cfg(debug_assertions)]
pub(crate) fn arm(fault: Fault, at: usize) {
    // Who arms it twice meant the first.
    let _ = ARMED.set((fault, at));
}

/// Counts a change that needs no room: a name given, moved or removed, permissions set.
pub(crate) fn change() {
    let _ = counted(false);
}

/// Counts a change that needs room: a file or folder made, bytes written.
///
/// # Errors
/// When the disk is full, as far as a test says so.
pub(crate) fn growth() -> io::Result<()> {
    counted(true)
}

#[cfg(debug_assertions)]
fn counted(needs_room: bool) -> io::Result<()> {
    use std::sync::atomic::{AtomicUsize, Ordering};
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let Some((fault, at)) = ARMED.get() else {
        return Ok(());
    };
    let count = COUNT.fetch_add(1, Ordering::Relaxed) + 1;
    match fault {
        Fault::Kill if count == *at => std::process::abort(),
        Fault::Full if count >= *at && needs_room => Err(io::ErrorKind::StorageFull.into()),
        _ => Ok(()),
    }
}

#[cfg(not(debug_assertions))]
#[inline]
fn counted(_: bool) -> io::Result<()> {
    Ok(())
}
