//! The ending of a run into a folder that people work in: what belongs to it as a whole.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::Result;

use super::writer::Done;
use crate::cli::args::ConvertArgs;
use crate::cli::port::{Keeper, Stand, Theirs, Vanished, changed_options, header, options};
use crate::emit::OutputTree;
use crate::engine::Session;
use crate::pipeline::{Naming, Plan};
use crate::port::{Manifest, Memory, Notes, Port, State, key_of};
use crate::project::CalledHelpers;
use crate::report::PortReport;

/// An output that is being written.
pub(super) struct Ending<'a> {
    pub(super) args: &'a ConvertArgs,
    pub(super) tree: &'a OutputTree,
    pub(super) plan: &'a Plan,
    pub(super) empty_folders: &'a [PathBuf],
    pub(super) session: &'a Session,
    pub(super) naming: Naming,
    /// Not all files were looked at: what is gone cannot be said.
    pub(super) interrupted: bool,
}

impl Ending<'_> {
    /// Writes the helper header, removes what is gone, and ends the manifest. The report is `None` for an output that is new.
    ///
    /// # Errors
    /// When something cannot be read or written.
    pub(super) fn end(
        &self,
        port: Port,
        done: &mut [Done],
        helpers: &CalledHelpers,
    ) -> Result<(Option<PortReport>, bool)> {
        let mut stands: Vec<Stand> = done
            .iter_mut()
            .filter_map(|done| done.stand.take())
            .collect();
        // What the sources have of their own stays where nothing calls helpers.
        let of_sources = done.iter_mut().filter_map(|done| done.header.take());
        let mut headers: BTreeMap<String, Theirs> = of_sources.collect();
        let compat = self.session.options.compat;
        let made = helpers
            .headers()
            .filter_map(|(path, helpers)| Some((path.to_owned(), header(helpers, compat)?)));
        headers.extend(made);
        for (path, theirs) in &headers {
            stands.push(self.keep_header(&port, path, theirs)?);
        }
        let others: Vec<&str> = headers.keys().map(String::as_str).collect();
        let vanished = self.vanished(&port, &others)?;
        let has_conflict = stands
            .iter()
            .any(|stand| matches!(stand.state, State::Conflict(_)));
        let options = options(&self.session.options, self.naming);
        let files = stands.iter().map(Stand::report);
        let files = files.chain(vanished.report(self.args.prune)).collect();
        let changed = changed_options(&port.known.options, &options);
        let report = PortReport::new(files, self.args.dry_run, changed);
        let is_known = port.memory != Memory::New;
        let report = Some(report).filter(|report| is_known && !report.is_quiet());
        if !self.args.dry_run {
            let mut manifest = Manifest::new(options);
            manifest.folders = self.make_folders(&port)?;
            // First: a run that is killed behind it does all of it again.
            let mut notes = Notes::read(self.tree.root());
            notes.forget(&vanished.dropped);
            for (key, of_file) in done.iter_mut().filter_map(|done| done.notes.take()) {
                notes.put(key, of_file);
            }
            notes.write(self.tree)?;
            port.finish(self.tree, manifest, &vanished.dropped)?;
        }
        Ok((report, has_conflict))
    }

    fn keep_header(&self, port: &Port, path: &str, theirs: &Theirs) -> Result<Stand> {
        let keeper = Keeper {
            tree: self.tree,
            port,
            force: self.args.force,
            dry_run: self.args.dry_run,
        };
        let kept = keeper.keep(path, theirs, Path::new(""))?;
        Ok(kept.stand)
    }

    fn vanished(&self, port: &Port, others: &[&str]) -> Result<Vanished> {
        if self.interrupted {
            return Ok(Vanished::default());
        }
        let mut vanished = Vanished::new(port, &self.args.src, &self.plan.files, others)?;
        if !self.args.dry_run {
            vanished.remember_carried(port, self.tree)?;
            if self.args.prune {
                vanished.prune(self.tree)?;
            }
        }
        Ok(vanished)
    }

    /// Folders in which there is nothing arrive as well: builds write into them. One that somebody removed stays away.
    fn make_folders(&self, port: &Port) -> Result<BTreeSet<String>> {
        let mut folders = BTreeSet::new();
        for folder in self.empty_folders {
            let key = key_of(folder);
            if !port.known.folders.contains(&key) {
                self.tree.folder(folder)?;
            }
            folders.insert(key);
        }
        Ok(folders)
    }
}
