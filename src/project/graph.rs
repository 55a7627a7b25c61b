//! Who includes whom, resolved once for all files: what a file comes by is asked of every file, and following the includes each time
//! costs the square of a long chain of headers.

use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::project::file::FileIndex;

/// A file of the tree by its place in the order of the paths.
pub(crate) type Number = u32;
/// Some files of a tree.
pub(super) type FileSet = FxHashSet<Number>;

/// What an include means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// A file of the tree that was read.
    File(Number),
    /// A file of the tree that was not read.
    Unread,
    /// Nothing of the tree.
    Outside,
}

/// The includes of a tree, and sets of files that follow from them, each worked out when it is first asked for.
#[derive(Debug, Default)]
pub(crate) struct IncludeGraph {
    numbers: FxHashMap<String, Number>,
    paths: Vec<String>,
    /// By file, its includes in their order.
    meanings: Vec<Vec<Meaning>>,
    includers: Vec<Vec<Number>>,
    reached: Mutex<FxHashMap<String, Arc<FileSet>>>,
}

impl IncludeGraph {
    /// The graph of some files, when `resolve` tells what the include at a position of a file means.
    pub(crate) fn new<'p>(
        files: &'p FxHashMap<String, FileIndex>,
        resolve: impl Fn(&str, &FileIndex, usize) -> Option<&'p str>,
    ) -> Self {
        let mut paths: Vec<String> = files.keys().cloned().collect();
        paths.sort();
        let numbers: FxHashMap<String, Number> = paths.iter().cloned().zip(0..).collect();
        let of_file = |path: &String| {
            let index = &files[path];
            let meaning = |at| match resolve(path, index, at) {
                Some(file) => numbers
                    .get(file)
                    .map_or(Meaning::Unread, |at| Meaning::File(*at)),
                None => Meaning::Outside,
            };
            (0..index.includes.len()).map(meaning).collect()
        };
        let meanings: Vec<Vec<Meaning>> = paths.iter().map(of_file).collect();
        let mut includers = vec![Vec::new(); paths.len()];
        for (from, meanings) in meanings.iter().enumerate() {
            for meaning in meanings {
                if let Meaning::File(to) = meaning
                    && includers[*to as usize].last() != Some(&(from as Number))
                {
                    includers[*to as usize].push(from as Number);
                }
            }
        }
        Self {
            numbers,
            paths,
            meanings,
            includers,
            reached: Mutex::default(),
        }
    }

    /// The number of a file that was read.
    pub(crate) fn number(&self, path: &str) -> Option<Number> {
        self.numbers.get(path).copied()
    }

    /// All files by number.
    pub(crate) fn paths(&self) -> &[String] {
        &self.paths
    }

    /// What the includes of a file mean, in their order.
    pub(super) fn meanings(&self, file: Number) -> &[Meaning] {
        &self.meanings[file as usize]
    }

    /// The files that include one.
    pub(crate) fn includers(&self, file: Number) -> &[Number] {
        &self.includers[file as usize]
    }

    /// The files that come to one of some files by includes, these among them. Sets are kept by `key`.
    pub(super) fn files_that_reach(
        &self,
        key: &str,
        ends: impl FnOnce() -> Vec<Number>,
    ) -> Arc<FileSet> {
        let known = |key| {
            let reached = self.reached.lock().unwrap_or_else(PoisonError::into_inner);
            reached.get(key).cloned()
        };
        if let Some(set) = known(key) {
            return set;
        }
        let set = Arc::new(self.back_from(ends()));
        let mut reached = self.reached.lock().unwrap_or_else(PoisonError::into_inner);
        reached.entry(key.to_owned()).or_insert(set).clone()
    }

    /// All files, each behind those that it includes; of a circle the one with the smallest number comes last.
    pub(super) fn leaves_first(&self) -> Vec<Number> {
        let mut order = Vec::with_capacity(self.paths.len());
        let mut is_seen = vec![false; self.paths.len()];
        for root in 0..self.paths.len() as Number {
            let mut way = vec![(root, 0)];
            if std::mem::replace(&mut is_seen[root as usize], true) {
                continue;
            }
            // By hand and not by recursion: a chain of headers may be longer than the stack.
            while let Some((file, at)) = way.last_mut() {
                let next = self.meanings[*file as usize].get(*at).copied();
                *at += 1;
                match next.map(Meaning::file) {
                    Some(Some(next)) if !std::mem::replace(&mut is_seen[next as usize], true) => {
                        way.push((next, 0));
                    }
                    Some(_) => {}
                    None => {
                        order.push(*file);
                        way.pop();
                    }
                }
            }
        }
        order
    }

    pub(super) fn back_from(&self, mut queue: Vec<Number>) -> FileSet {
        let mut found = FileSet::default();
        while let Some(file) = queue.pop() {
            if found.insert(file) {
                queue.extend(self.includers(file));
            }
        }
        found
    }
}

impl Meaning {
    /// The file, if it was read.
    pub(crate) fn file(self) -> Option<Number> {
        match self {
            Self::File(file) => Some(file),
            Self::Unread | Self::Outside => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The graph of files with their includes, which mean the file of that name.
    fn graph(files: &[(&str, &[&str])]) -> IncludeGraph {
        let index = |includes: &[&str]| FileIndex {
            includes: includes.iter().map(|it| (*it).to_owned()).collect(),
            ..FileIndex::default()
        };
        let files: FxHashMap<String, FileIndex> = files
            .iter()
            .map(|(path, includes)| ((*path).to_owned(), index(includes)))
            .collect();
        let known = |path: &str| files.get_key_value(path).map(|(path, _)| path.as_str());
        IncludeGraph::new(&files, |_, index, at| known(&index.includes[at]))
    }

    #[test]
    fn includes_are_followed_back_to_all_who_reach_a_file() {
        let graph = graph(&[
            ("a.cu", &["b.h"]),
            ("b.h", &["c.h", "vector"]),
            ("c.h", &[]),
            ("d.cu", &["c.h"]),
        ]);
        let number = |path: &str| graph.number(path).expect("it is there");
        let reach = |path: &str| {
            let mut found: Vec<_> = graph
                .files_that_reach(path, || vec![number(path)])
                .iter()
                .copied()
                .collect();
            found.sort_unstable();
            let paths = found
                .into_iter()
                .map(|file| graph.paths()[file as usize].as_str());
            paths.collect::<Vec<_>>()
        };
        assert_eq!(reach("c.h"), ["a.cu", "b.h", "c.h", "d.cu"]);
        assert_eq!(reach("b.h"), ["a.cu", "b.h"]);
        let meanings = graph.meanings(number("b.h"));
        assert_eq!(meanings, [Meaning::File(number("c.h")), Meaning::Outside]);
    }

    #[test]
    fn leaves_come_first_and_circles_end() {
        let order = |files: &[(&str, &[&str])]| {
            let graph = graph(files);
            let order = graph.leaves_first().into_iter();
            let paths = order.map(|file| graph.paths()[file as usize].clone());
            paths.collect::<Vec<_>>()
        };
        assert_eq!(
            order(&[("a", &["b"]), ("b", &["c"]), ("c", &[])]),
            ["c", "b", "a"]
        );
        assert_eq!(order(&[("a", &["b"]), ("b", &["a"])]), ["b", "a"]);
    }
}
