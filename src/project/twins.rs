//! Code for AMD that people wrote beside that for NVIDIA: a folder `hip/` beside `cuda/`, `solver_hip.cpp` beside `solver_cuda.cu`.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use crate::project::index::ProjectIndex;
use crate::project::owner::Owner;
use crate::text::Language;

/// Pairs of folders and files of a tree.
#[derive(Clone, Debug, Default)]
pub struct Twins {
    /// Folders for NVIDIA, each with the one for AMD; with `/` at their ends.
    pub folders: BTreeMap<String, String>,
    /// Files for NVIDIA, each with the one for AMD.
    pub files: BTreeMap<String, String>,
    /// By file or folder, who owns it.
    owners: FxHashMap<String, Owner>,
}

impl Twins {
    /// Finds them among the paths of a tree. The one for AMD must hold code for AMD.
    pub(crate) fn new(project: &ProjectIndex) -> Self {
        let mut sources: Vec<&str> = project
            .paths()
            .filter(|path| Language::of_path(path) == Language::CFamily || path.ends_with(".hip"))
            .collect();
        sources.sort_unstable();
        let mut twins = Self::default();
        twins.find_folders(project, &sources);
        twins.find_files(project, &sources);
        for (of, owner) in [(0, Owner::Nvidia), (1, Owner::Amd)] {
            let pairs = twins.folders.iter().chain(&twins.files);
            let sides = pairs.map(|(nvidia, amd)| [nvidia, amd][of].clone());
            twins.owners.extend(sides.map(|side| (side, owner)));
        }
        twins
    }

    fn find_folders(&mut self, project: &ProjectIndex, sources: &[&str]) {
        let mut folders = BTreeSet::new();
        for path in sources {
            let ends = path.match_indices('/').map(|(at, _)| at + 1);
            folders.extend(ends.map(|end| &path[..end]));
        }
        let of_hip = |folder: &str| {
            let first = sources.partition_point(|path| **path < *folder);
            let mut inside = sources[first..]
                .iter()
                .take_while(|path| path.starts_with(folder));
            inside.any(|path| is_for_amd(project, path))
        };
        for folder in &folders {
            let above = &folder[..folder[..folder.len() - 1].rfind('/').map_or(0, |at| at + 1)];
            let name = &folder[above.len()..folder.len() - 1];
            let others: &[&str] = match name {
                "cuda" => &["hip", "rocm"],
                "CUDA" => &["HIP", "ROCM", "ROCm", "hip"],
                "Cuda" => &["Hip", "HIP", "ROCm"],
                _ => continue,
            };
            let beside = others.iter().map(|other| format!("{above}{other}/"));
            let twin = beside
                .filter(|other| folders.contains(other.as_str()))
                .find(|other| of_hip(other));
            if let Some(twin) = twin {
                self.folders.insert((*folder).to_owned(), twin);
            }
        }
    }

    fn find_files(&mut self, project: &ProjectIndex, sources: &[&str]) {
        let by_stem: BTreeMap<&str, &str> =
            sources.iter().map(|path| (stem(path), *path)).collect();
        for path in sources {
            let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
            let name = stem(name);
            let Some(other) = hip_name(name) else {
                continue;
            };
            let other = if folder.is_empty() {
                other
            } else {
                format!("{folder}/{other}")
            };
            let twin = by_stem
                .get(&*other)
                .filter(|twin| is_for_amd(project, twin));
            if let Some(twin) = twin {
                self.files.insert((*path).to_owned(), (*twin).to_owned());
            }
        }
    }

    /// Who owns a file, if it is one of a pair.
    pub(crate) fn owner(&self, path: &str) -> Option<Owner> {
        if self.owners.is_empty() {
            return None;
        }
        let ends = path.match_indices('/').map(|(at, _)| at + 1);
        let mut names = std::iter::once(path.len()).chain(ends.rev());
        names.find_map(|end| self.owners.get(&path[..end]).copied())
    }

    /// Whether there are any below a folder.
    pub(crate) fn is_below(&self, root: &str) -> bool {
        let mut all = self.folders.keys().chain(self.files.keys());
        all.any(|path| path.starts_with(root))
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.owners.is_empty()
    }
}

/// Whether a file holds code for AMD, as far as its words tell.
fn is_for_amd(project: &ProjectIndex, path: &str) -> bool {
    let file = project.files.get(path);
    path.ends_with(".hip") || file.is_some_and(|file| file.vendors.has_hip || file.names_hip)
}

/// The path without what follows the first dot of its name.
fn stem(path: &str) -> &str {
    let name = path.rfind('/').map_or(0, |at| at + 1);
    let end = path[name..].find('.').map_or(path.len(), |at| name + at);
    &path[..end]
}

/// What a file for AMD is called beside one for NVIDIA: `nvector_hip` for `nvector_cuda`.
fn hip_name(name: &str) -> Option<String> {
    let words: Vec<&str> = name.split('_').collect();
    let at = words
        .iter()
        .position(|word| matches!(*word, "cuda" | "Cuda" | "CUDA"))?;
    let hip = match words[at] {
        "cuda" => "hip",
        "Cuda" => "Hip",
        _ => "HIP",
    };
    let mut words = words;
    words[at] = hip;
    Some(words.join("_"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_for_amd_are_called_as_those_for_nvidia() {
        for (name, expected) in [
            ("nvector_cuda", Some("nvector_hip")),
            ("CUDA_solver", Some("HIP_solver")),
            ("Cuda_Space", Some("Hip_Space")),
            ("cudasolver", None),
            ("solver", None),
        ] {
            assert_eq!(hip_name(name).as_deref(), expected, "{name}");
        }
    }

    #[test]
    fn a_stem_ends_at_the_first_dot_of_the_name() {
        for (path, expected) in [
            ("a/b.hip.cpp", "a/b"),
            ("a.b/c.cu", "a.b/c"),
            ("a.b/c", "a.b/c"),
            ("c.cu", "c"),
        ] {
            assert_eq!(stem(path), expected, "{path}");
        }
    }
}
