use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::walk::slashed;
use super::{Entry, EntryKind};

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
}

/// What a run is going to do.
#[derive(Debug, Default)]
pub struct Plan {
    /// Files in walk order.
    pub files: Vec<PlannedFile>,
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
            plan.files.push(PlannedFile { entry, output });
        }
        plan
    }
}

fn renamed(path: &Path, naming: Naming) -> Option<PathBuf> {
    let is_cuda = path
        .extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("cu"));
    (naming == Naming::Hip && is_cuda).then(|| path.with_extension("hip"))
}
