//! Handles, and what the library says about itself.

use std::collections::HashSet;
use std::ffi::{CStr, c_char};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use super::{Outcome, find, functions, put};
use crate::host::handles::Handles;
use crate::host::raw::Ptr;

/// What a handle stands for.
#[derive(Default)]
pub(super) struct Handle {
    stream: AtomicUsize,
    /// Convolutions that Find was called for.
    found: Mutex<HashSet<Vec<usize>>>,
}

static HANDLES: Handles<Handle> = Handles::new();

impl Handle {
    pub(super) fn stream(&self) -> usize {
        self.stream.load(Relaxed)
    }

    pub(super) fn keep(&self, key: Vec<usize>) {
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        found.insert(key);
    }

    pub(super) fn has_found(&self, key: &[usize]) -> bool {
        let found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        found.contains(key)
    }
}

/// The handle of a pointer.
pub(super) fn of(handle: Ptr) -> Outcome<Arc<Handle>> {
    find(&HANDLES, handle)
}

functions! {
    /// `miopenCreate`
    fn miopenCreate(to: *mut Ptr) { put(to, HANDLES.insert(Arc::default())) }
    /// `miopenCreateWithStream`
    fn miopenCreateWithStream(to: *mut Ptr, stream: Ptr) {
        let handle = Handle::default();
        handle.stream.store(stream as usize, Relaxed);
        put(to, HANDLES.insert(Arc::new(handle)))
    }
    /// `miopenDestroy`: after the work of its stream.
    fn miopenDestroy(handle: Ptr) {
        let gone = of(handle)?;
        let _ = HANDLES.remove(handle);
        if let Ok(stream) = crate::host::stream::find(gone.stream() as Ptr) {
            stream.synchronize();
        }
        Ok(())
    }
    /// `miopenSetStream`
    fn miopenSetStream(handle: Ptr, stream: Ptr) { of(handle).map(|it| it.stream.store(stream as usize, Relaxed)) }
    /// `miopenGetStream`
    fn miopenGetStream(handle: Ptr, to: *mut Ptr) { put(to, of(handle)?.stream() as Ptr) }
    /// `miopenGetVersion`: that of ROCm 6.4.
    fn miopenGetVersion(major: *mut usize, minor: *mut usize, patch: *mut usize) {
        put(major, 3).and_then(|()| put(minor, 4)).and_then(|()| put(patch, 0))
    }
}

/// `miopenGetErrorString`
#[unsafe(no_mangle)]
pub extern "C" fn miopenGetErrorString(status: i32) -> *const c_char {
    const NAMES: [&CStr; 11] = [
        c"miopenStatusSuccess",
        c"miopenStatusNotInitialized",
        c"miopenStatusInvalidValue",
        c"miopenStatusBadParm",
        c"miopenStatusAllocFailed",
        c"miopenStatusInternalError",
        c"miopenStatusNotImplemented",
        c"miopenStatusUnknownError",
        c"miopenStatusUnsupportedOp",
        c"miopenStatusGpuOperationsSkipped",
        c"miopenStatusVersionMismatch",
    ];
    let name = usize::try_from(status).ok().and_then(|at| NAMES.get(at));
    name.copied().unwrap_or(c"Unknown error status").as_ptr()
}
