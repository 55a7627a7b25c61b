//! The headers with the helpers, which are there before the files that call them: a run that is killed leaves a tree that compiles.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

use anyhow::Result;

use super::target::Target;
use crate::cli::args::ConvertArgs;
use crate::compat;

/// The helpers that the headers on disk hold by now.
pub(super) struct HelperHeader<'t> {
    target: &'t Target,
    args: &'t ConvertArgs,
    /// By the path of each header, from the root.
    held: Mutex<BTreeMap<String, BTreeSet<&'static str>>>,
}

impl<'t> HelperHeader<'t> {
    /// Headers that have what files translated earlier call.
    pub(super) fn new(target: &'t Target, args: &'t ConvertArgs) -> Self {
        Self {
            target,
            args,
            held: Mutex::default(),
        }
    }

    /// Sees to it that the header at a path holds these helpers before somebody writes a file that calls them.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(super) fn hold(&self, path: &str, helpers: &BTreeSet<&'static str>) -> Result<()> {
        let mut headers = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let held = headers
            .entry(path.to_owned())
            .or_insert_with(|| self.target.earlier_helpers(self.args, path));
        if helpers.is_subset(held) {
            return Ok(());
        }
        let all: BTreeSet<_> = held.union(helpers).copied().collect();
        self.target.write_beside(path, &compat::header(&all))?;
        *held = all;
        Ok(())
    }
}
