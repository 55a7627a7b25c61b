//! The header with the helpers, which is there before the files that call them: a run that is killed leaves a tree that compiles.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use anyhow::Result;

use super::target::Target;
use crate::compat;

/// The helpers that the header on disk holds by now.
pub(super) struct HelperHeader<'t> {
    target: &'t Target,
    /// Where it lies, from the root.
    path: &'t str,
    held: Mutex<BTreeSet<&'static str>>,
}

impl<'t> HelperHeader<'t> {
    /// A header that already has what files translated earlier call.
    pub(super) fn new(target: &'t Target, path: &'t str, earlier: BTreeSet<&'static str>) -> Self {
        Self {
            target,
            path,
            held: Mutex::new(earlier),
        }
    }

    /// Sees to it that the header holds these helpers before somebody writes a file that calls them.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(super) fn hold(&self, helpers: &BTreeSet<&'static str>) -> Result<()> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        if helpers.is_subset(&held) {
            return Ok(());
        }
        let all: BTreeSet<_> = held.union(helpers).copied().collect();
        self.target.write_beside(self.path, &compat::header(&all))?;
        *held = all;
        Ok(())
    }
}
