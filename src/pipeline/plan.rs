use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::regular::read_regular;
use super::walk::slashed;
use super::{Entry, EntryKind};
use crate::engine::{is_made_into_another, made_name};

/// How files of the output are called.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum Naming {
    /// As in the source: hipcc takes `.cu`, and reviews show the same paths.
    #[default]
    Keep,
    /// `.cu` becomes `.hip`, and includes of renamed files follow.
    Hip,
}

/// A file and where it goes.
#[derive(Clone, Debug)]
pub struct PlannedFile {
    /// The entry of the source tree.
    pub entry: Entry,
    /// Path relative to the output's root.
    pub output: PathBuf,
    /// Another file of the plan is made of it, and it stays as it is.
    pub has_made: bool,
}

impl PlannedFile {
    /// A file that keeps its name.
    fn in_place(entry: Entry) -> Self {
        Self {
            output: entry.relative.clone(),
            entry,
            has_made: false,
        }
    }
}

/// What a run is going to do.
#[derive(Debug, Default)]
pub struct Plan {
    /// Files in walk order.
    pub files: Vec<PlannedFile>,
    /// Files that take no part and decide what those mean, in the same order.
    pub around: Vec<PlannedFile>,
    /// Names (with `/`) of files that change their name, old to new.
    pub renames: BTreeMap<String, String>,
    /// Two files would get the same name; both keep their own.
    pub collisions: Vec<String>,
}

impl Plan {
    /// Decides the output name of every entry.
    pub fn new(entries: Vec<Entry>, naming: Naming) -> Self {
        // Names of the tree, and those that files were given so far.
        let names = entries.iter().filter(|_| naming != Naming::Keep);
        // A folder `b.hip` takes the name from `b.cu` as a file does.
        let names = names.flat_map(|entry| entry.relative.ancestors());
        let mut taken: BTreeSet<PathBuf> = names.map(Path::to_path_buf).collect();
        let mut plan = Self::default();
        for entry in entries {
            let wanted = renamed(&entry.relative, naming).filter(|_| entry.kind == EntryKind::File);
            let output = match wanted {
                Some(wanted) if !taken.insert(wanted.clone()) => {
                    plan.collisions.push(format!(
                        "{} is not renamed: {} is taken",
                        entry.relative.display(),
                        wanted.display()
                    ));
                    entry.relative.clone()
                }
                Some(wanted) => {
                    plan.renames.insert(entry.name(), slashed(&wanted));
                    wanted
                }
                None => entry.relative.clone(),
            };
            plan.files.push(PlannedFile {
                entry,
                output,
                has_made: false,
            });
        }
        plan
    }

    /// Adds what stands around the files and takes no part.
    #[must_use]
    pub(crate) fn with_around(mut self, entries: Vec<Entry>) -> Self {
        let taken = |entry: &Entry| {
            let found = self
                .files
                .binary_search_by(|it| it.entry.relative.cmp(&entry.relative));
            found.is_ok()
        };
        let beside = entries.into_iter().filter(|entry| !taken(entry));
        self.around = beside.map(PlannedFile::in_place).collect();
        self
    }

    /// All files of the tree in walk order: those of the plan and those around them.
    pub(crate) fn known(&self) -> Cow<'_, [PlannedFile]> {
        if self.around.is_empty() {
            return Cow::Borrowed(&self.files);
        }
        let all = self.files.iter().chain(&self.around);
        let mut all: Vec<PlannedFile> = all.cloned().collect();
        all.sort_by(|a, b| a.entry.relative.cmp(&b.entry.relative));
        Cow::Owned(all)
    }

    /// Adds the files that are made of others: HIP C++ of modules of PTX, unless the tree has a file of that name.
    #[must_use]
    pub(crate) fn with_made(mut self) -> Self {
        // Larger files are copied without being read.
        const LARGEST: u64 = u32::MAX as u64;
        let is_ptx = |file: &PlannedFile| {
            let is_named = file.entry.kind == EntryKind::File
                && file
                    .entry
                    .relative
                    .extension()
                    .is_some_and(|it| it == "ptx");
            let path = &file.entry.path;
            is_named
                && read_regular(path, LARGEST).is_ok_and(|text| is_made_into_another(path, &text))
        };
        let modules: Vec<usize> = (0..self.files.len())
            .filter(|&at| is_ptx(&self.files[at]))
            .collect();
        if modules.is_empty() {
            return self;
        }
        let taken: BTreeSet<PathBuf> = self.files.iter().map(|it| it.output.clone()).collect();
        for at in modules {
            let file = &mut self.files[at];
            let relative = made_name(&file.entry.relative);
            if taken.contains(&relative) {
                continue;
            }
            file.has_made = true;
            let entry = Entry {
                path: made_name(&file.entry.path),
                relative: relative.clone(),
                kind: EntryKind::Made(file.entry.path.clone()),
            };
            self.files.push(PlannedFile {
                entry,
                output: relative,
                has_made: false,
            });
        }
        self.files
            .sort_by(|a, b| a.entry.relative.cmp(&b.entry.relative));
        self
    }
}

fn renamed(path: &Path, naming: Naming) -> Option<PathBuf> {
    let is_cuda = path
        .extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("cu"));
    (naming == Naming::Hip && is_cuda).then(|| path.with_extension("hip"))
}
