//! One run at a time changes files where they are: a second one would take what the first has written for the original.

use std::path::Path;

/// Held as long as the run goes on; the system takes it back when the process ends, however that comes.
#[derive(Debug)]
pub(crate) struct Lock {
    #[cfg(unix)]
    _file: std::fs::File,
}

impl Lock {
    /// The lock of a file or folder. Who has to wait for another run is told so by `waits`. `None` where the system has no such locks:
    /// on Windows, and on some network file systems.
    #[cfg(unix)]
    pub(crate) fn new(path: &Path, waits: impl Fn()) -> Option<Self> {
        use rustix::fs::{FlockOperation, flock};
        use rustix::io::Errno;
        use std::os::unix::fs::MetadataExt as _;
        loop {
            let file = std::fs::File::open(path).ok()?;
            match flock(&file, FlockOperation::NonBlockingLockExclusive) {
                Err(Errno::WOULDBLOCK) => {
                    waits();
                    while flock(&file, FlockOperation::LockExclusive) == Err(Errno::INTR) {}
                }
                Err(_) => return None,
                Ok(()) => {}
            }
            // Whoever had it may have put another file in its place.
            let identity = |data: std::fs::Metadata| (data.dev(), data.ino());
            let held = file.metadata().ok().map(identity);
            if held == path.metadata().ok().map(identity) {
                return Some(Self { _file: file });
            }
        }
    }

    #[cfg(not(unix))]
    pub(crate) fn new(_: &Path, _: impl Fn()) -> Option<Self> {
        None
    }
}
