//! What the tree itself defines: a project's own `__shfl_sync` shim or `cudaCheck` macro is not CUDA's.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::OnceLock;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::cpp::value;
use crate::mapping::ApiTable;
use crate::project::file::FileIndex;
use crate::project::warps::Warps;
use crate::syntax::{Document, lex};

/// Names visible in one file.
#[derive(Clone, Debug, Default)]
pub(crate) struct OwnNames {
    names: FxHashSet<Box<[u8]>>,
    constants: FxHashMap<Box<[u8]>, u64>,
    expressions: FxHashMap<Box<[u8]>, Box<[u8]>>,
    /// What expressions are worth that somebody asked for.
    values: RefCell<FxHashMap<Box<[u8]>, Option<u64>>>,
    lists: FxHashSet<Box<[u8]>>,
    /// For AMD the file, or one that it includes, says that warps have 64 lanes.
    pub(crate) says_64: bool,
}

/// The files of a tree by path, and who includes whom.
#[derive(Debug, Default)]
pub struct ProjectIndex {
    pub(crate) files: FxHashMap<String, FileIndex>,
    /// Paths of all files of the tree by their last part.
    by_name: FxHashMap<String, Vec<String>>,
    /// Files that change their name, old to new.
    renames: FxHashMap<String, String>,
    /// What is worked out when it is first asked for, once for all files.
    pub(crate) includers: OnceLock<FxHashMap<String, Vec<String>>>,
    agreed: OnceLock<FxHashMap<Box<[u8]>, Option<u64>>>,
    names: OnceLock<FxHashSet<Box<[u8]>>>,
    coined: OnceLock<FxHashSet<Box<[u8]>>>,
    warps: OnceLock<Warps>,
    pub(crate) with_runtime: OnceLock<FxHashSet<String>>,
}

impl OwnNames {
    /// Whether the name is defined by the tree.
    pub(crate) fn contains(&self, name: &[u8]) -> bool {
        self.names.contains(name)
    }

    /// Whether a macro of the tree stands for several arguments.
    pub(crate) fn is_list(&self, name: &[u8]) -> bool {
        self.lists.contains(name)
    }

    /// The number that a macro or constant stands for.
    pub(crate) fn constant(&self, name: &[u8]) -> Option<u64> {
        if let Some(&value) = self.constants.get(name) {
            return Some(value);
        }
        let text = self.expressions.get(name)?;
        if let Some(&known) = self.values.borrow().get(name) {
            return known;
        }
        // One that asks for itself finds nothing.
        self.values.borrow_mut().insert(name.into(), None);
        let tokens = lex(text).filter(|token| token.is_significant());
        let words: Vec<&[u8]> = tokens
            .map(|token| &text[token.range().as_usize()])
            .collect();
        let value = value::count(&words, &|name| self.constant(name));
        self.values.borrow_mut().insert(name.into(), value);
        value
    }
}

impl OwnNames {
    /// Functions that a file declares and the tree defines: a definition, its declaration and all uses keep their name.
    fn add_declared(&mut self, project: &ProjectIndex, file: &FileIndex) {
        let declared = file.declared.iter();
        let own = declared.filter(|name| project.declares(name));
        self.names.extend(own.cloned());
    }
}

impl ProjectIndex {
    /// Puts the index together. `paths` are all files of the tree, also those that are not read.
    pub fn new(
        files: impl IntoIterator<Item = (String, FileIndex)>,
        paths: impl IntoIterator<Item = String>,
    ) -> Self {
        let mut by_name = FxHashMap::<String, Vec<String>>::default();
        for path in paths {
            by_name
                .entry(file_name(&path).to_owned())
                .or_default()
                .push(path);
        }
        by_name.values_mut().for_each(|paths| paths.sort());
        Self {
            files: files.into_iter().collect(),
            by_name,
            ..Self::default()
        }
    }

    /// Adds the files that change their name in the output.
    #[must_use]
    pub fn with_renames(mut self, renames: impl IntoIterator<Item = (String, String)>) -> Self {
        self.renames.extend(renames);
        self
    }

    /// The number that all files of the tree which define a constant agree on: sources that are included by others see what those
    /// included before.
    pub(crate) fn constant(&self, name: &[u8]) -> Option<u64> {
        let agreed = self.agreed.get_or_init(|| {
            let mut agreed = FxHashMap::<Box<[u8]>, Option<u64>>::default();
            for (name, value) in self.files.values().flat_map(|file| &file.constants) {
                let known = agreed.entry(name.clone()).or_insert(Some(*value));
                *known = known.filter(|known| known == value);
            }
            agreed
        });
        agreed.get(name).copied().flatten()
    }

    /// Whether any file of the tree declares the name: a header may rely on what its includers include before it. Asked of names
    /// that only a pattern knows, since those are likelier the project's.
    pub(crate) fn declares(&self, name: &[u8]) -> bool {
        let names = self.names.get_or_init(|| {
            let all = self.files.values().flat_map(|file| &file.names);
            all.cloned().collect()
        });
        names.contains(name)
    }

    /// Whether any file of the tree defines or declares a name of CUDA's form that no table knows.
    pub(crate) fn coins(&self, name: &[u8]) -> bool {
        let coined = self.coined.get_or_init(|| {
            let all = self.files.values().flat_map(|file| &file.coined);
            all.cloned().collect()
        });
        coined.contains(name)
    }

    /// What the functions of the tree do with warps.
    pub(crate) fn warps(&self) -> &Warps {
        self.warps.get_or_init(|| {
            let files = self.files.iter();
            Warps::new(files.map(|(path, file)| (path.as_str(), &file.warps)))
        })
    }

    /// Whether the file is part of the tree.
    pub(crate) fn holds(&self, path: &str) -> bool {
        self.files.contains_key(path)
    }

    /// The size of a file that does not mention CUDA.
    pub(crate) fn plain_bytes(&self, path: &str) -> Option<u64> {
        self.files.get(path)?.plain_bytes
    }

    /// Helpers of the helper header that files of the tree call already.
    pub fn called_helpers(&self) -> BTreeSet<&'static str> {
        let files = self.files.values();
        files
            .flat_map(|file| file.helpers.iter().copied())
            .collect()
    }

    /// Whether any file changes its name, so that includes have to follow.
    pub fn has_renames(&self) -> bool {
        !self.renames.is_empty()
    }

    /// The new name of a file of the tree, if it changes.
    pub fn renamed(&self, path: &str) -> Option<&str> {
        self.renames.get(path).map(String::as_str)
    }

    /// The file of the tree that an include of `from` means, if it is one: beside the includer, from the root, or a path that ends so.
    pub fn resolve(&self, from: &str, include: &str) -> Option<&str> {
        let candidates = self.by_name.get(file_name(include))?;
        let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
        // Candidates are sorted, and a large tree has thousands of one name.
        let exact = |path: String| candidates.binary_search(&path).ok();
        let beside = exact(normalise(&format!("{folder}/{include}")));
        let from_root = exact(normalise(include));
        let tail = normalise(include.trim_start_matches("../").trim_start_matches("./"));
        let ends = |path: &&String| {
            path.strip_suffix(tail.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
        };
        let nearest = |path: &&String| common_prefix(path, from);
        let found = beside.into_iter().chain(from_root).min();
        found
            .map(|at| &candidates[at])
            .or_else(|| candidates.iter().filter(ends).max_by_key(nearest))
            .map(String::as_str)
    }

    /// The file that an include means, unless another one could be meant: one that stands beside the includer, or the only one whose
    /// path ends so.
    pub(crate) fn resolve_surely(&self, from: &str, include: &str) -> Option<&str> {
        let found = self.resolve(from, include)?;
        let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
        let is_beside = found == normalise(&format!("{folder}/{include}"));
        let candidates = &self.by_name[file_name(include)];
        (is_beside || candidates.len() == 1).then_some(found)
    }

    /// Whether a file, or one of the tree that it includes, includes a path of some kind.
    pub fn includes(&self, document: &Document<'_>, is_wanted: impl Fn(&str) -> bool) -> bool {
        let own: Vec<String> = document
            .includes
            .iter()
            .map(|include| document.source.text(include.path).into_owned())
            .collect();
        let mut seen = FxHashSet::<&str>::default();
        let mut queue: Vec<(&str, &[String])> = vec![(&document.source.path, &own)];
        while let Some((path, includes)) = queue.pop() {
            if includes.iter().any(|include| is_wanted(include)) {
                return true;
            }
            let next = includes
                .iter()
                .filter_map(|include| self.resolve(path, include));
            for file in next {
                if seen.insert(file)
                    && let Some(index) = self.files.get(file)
                {
                    queue.push((file, &index.includes));
                }
            }
        }
        false
    }

    /// Names that are visible in a file: its own and those of what it includes, directly or not.
    pub(crate) fn visible(&self, document: &Document<'_>, table: &ApiTable) -> OwnNames {
        let path = document.source.path.as_str();
        let alone;
        let own = match self.files.get(path) {
            Some(own) => own,
            None => {
                alone = FileIndex::new(document, table, &|_| false);
                &alone
            }
        };
        let mut visible = OwnNames {
            names: own.names.clone(),
            constants: own.constants.clone(),
            lists: own.lists.clone(),
            expressions: own.expressions.clone(),
            values: RefCell::default(),
            says_64: own.warps.says_64,
        };
        visible.add_declared(self, own);
        let mut seen = FxHashSet::<&str>::default();
        let mut queue: Vec<&str> = own
            .includes
            .iter()
            .filter_map(|include| self.resolve(path, include))
            .collect();
        while let Some(file) = queue.pop() {
            if file == path || !seen.insert(file) {
                continue;
            }
            let Some(index) = self.files.get(file) else {
                continue;
            };
            visible.says_64 |= index.warps.says_64;
            visible.add_declared(self, index);
            visible.names.extend(index.names.iter().cloned());
            visible.lists.extend(index.lists.iter().cloned());
            for (name, text) in &index.expressions {
                let known = visible.expressions.entry(name.clone());
                let known = known.or_insert_with(|| text.clone());
                if known != text {
                    *known = Box::default();
                }
            }
            visible.constants.extend(
                index
                    .constants
                    .iter()
                    .map(|(name, value)| (name.clone(), *value)),
            );
            queue.extend(
                index
                    .includes
                    .iter()
                    .filter_map(|include| self.resolve(file, include)),
            );
        }
        visible
    }
}

pub(crate) fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Takes `.` and `..` out of a relative path.
fn normalise(path: &str) -> String {
    let mut parts = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

fn common_prefix(a: &str, b: &str) -> usize {
    a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn includes_resolve_beside_the_includer_first() {
        let paths = ["a/util.h", "b/util.h", "inc/x/util.h"].map(String::from);
        let project = ProjectIndex::new([], paths);
        assert_eq!(project.resolve("b/main.cu", "util.h"), Some("b/util.h"));
        assert_eq!(
            project.resolve("b/main.cu", "../a/util.h"),
            Some("a/util.h")
        );
        assert_eq!(
            project.resolve("src/main.cu", "x/util.h"),
            Some("inc/x/util.h")
        );
        assert_eq!(project.resolve("src/main.cu", "y/util.h"), None);
    }
}
