//! What the program holds as opaque pointers: streams, events, graphs, modules. A handle is the address of the object, and only handles
//! that were given out and not destroyed are looked up, so a wrong one is an error code and never a crash.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, PoisonError, RwLock};

use super::error::{Code, Outcome};
use super::raw::Ptr;

/// The objects of one kind that live.
pub struct Handles<T>(LazyLock<RwLock<HashMap<usize, Arc<T>>>>);

impl<T> Default for Handles<T> {
    fn default() -> Self {
        Handles::new()
    }
}

impl<T> Handles<T> {
    /// None yet.
    pub const fn new() -> Self {
        Handles(LazyLock::new(RwLock::default))
    }

    /// Takes an object in; its handle.
    pub fn insert(&self, object: Arc<T>) -> Ptr {
        let handle = Arc::as_ptr(&object) as usize;
        self.0
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(handle, object);
        handle as Ptr
    }

    /// The object of a handle, or `hipErrorInvalidHandle`.
    pub fn get(&self, handle: Ptr) -> Outcome<Arc<T>> {
        let table = self.0.read().unwrap_or_else(PoisonError::into_inner);
        table
            .get(&(handle as usize))
            .cloned()
            .ok_or(Code::INVALID_HANDLE)
    }

    /// Forgets a handle; the object lives until nobody uses it.
    pub fn remove(&self, handle: Ptr) -> Outcome<Arc<T>> {
        let mut table = self.0.write().unwrap_or_else(PoisonError::into_inner);
        table.remove(&(handle as usize)).ok_or(Code::INVALID_HANDLE)
    }

    /// All objects that live.
    pub fn all(&self) -> Vec<Arc<T>> {
        self.0
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .values()
            .cloned()
            .collect()
    }
}
