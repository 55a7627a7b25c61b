//! What a tree keeps for each of the tables that it is asked with: what an include becomes is another thing in the table of CUDA and in
//! that of PyTorch's build, and who asks first must not decide for the other.

use std::ops::Deref;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rustc_hash::FxHashMap;

use crate::mapping::{ApiTable, TableId};

/// Something of which a tree has one for each table.
#[derive(Debug)]
pub(crate) struct PerTable<T>(Mutex<FxHashMap<TableId, Arc<OnceLock<T>>>>);

/// What is kept for one table.
#[derive(Debug)]
pub(crate) struct Kept<T>(Arc<OnceLock<T>>);

impl<T> PerTable<T> {
    /// What is kept for a table; it is made when it is first asked for.
    pub(crate) fn of(&self, table: &ApiTable, make: impl FnOnce() -> T) -> Kept<T> {
        let slot = {
            let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(known.entry(table.id()).or_default())
        };
        slot.get_or_init(make);
        Kept(slot)
    }
}

impl<T> Default for PerTable<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T> Deref for Kept<T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.0.get().expect("it is made before it is handed out")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_table_has_its_own() {
        let (all, torch) = (ApiTable::builtin(), ApiTable::builtin().for_torch());
        let kept = PerTable::default();
        let header = |table: &ApiTable| {
            let hit = table.header(b"cuda_runtime.h");
            hit.and_then(|hit| hit.entry.hip).map(str::to_owned)
        };
        for _ in 0..2 {
            for table in [&torch, &all] {
                assert_eq!(*kept.of(table, || header(table)), header(table));
            }
        }
        assert_ne!(header(&all), header(&torch));
    }
}
