//! Definitions of several files that differ in CUDA's types alone, where one unit may hold them.

use std::collections::BTreeSet;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::mapping::ApiTable;
use crate::project::file::Overload;
use crate::project::graph::{FileSet, Number};
use crate::project::index::ProjectIndex;
use crate::project::per_table::Kept;

/// Definitions, as the number of the file and the place in it, by what they declare without the types of CUDA. What is declared in
/// one way alone, as by the programs of a collection, is left out.
type Rivals = FxHashMap<String, Vec<(Number, usize)>>;

impl ProjectIndex {
    /// The definitions of a file, each with one of another file that a unit may hold beside it and that differs from it in types of
    /// CUDA. Of two files the one that includes the other is asked; where a third includes both, the one whose path comes later.
    pub(crate) fn rivals(&self, path: &str, table: &ApiTable) -> Vec<(&Overload, &str, &Overload)> {
        let (graph, rivals) = (self.graph(), self.rivals_by_shape(table));
        let Some(here) = graph.number(path).filter(|_| !rivals.is_empty()) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        for own in &self.files[path].overloads {
            let same = rivals.get(&shape(own, table));
            for &(file, at) in same.into_iter().flatten() {
                let path = &*graph.paths()[file as usize];
                let other = &self.files[path].overloads[at];
                if file != here && other.spelling != own.spelling && self.share_a_unit(here, file) {
                    found.push((own, path, other));
                }
            }
        }
        found
    }

    fn rivals_by_shape(&self, table: &ApiTable) -> Kept<Rivals> {
        self.rivals.of(table, || {
            let mut rivals = Rivals::default();
            let mut spellings = FxHashMap::<String, BTreeSet<&str>>::default();
            for (path, number) in self.graph().paths().iter().zip(0..) {
                for (at, overload) in self.files[path].overloads.iter().enumerate() {
                    let shape = shape(overload, table);
                    spellings
                        .entry(shape.clone())
                        .or_default()
                        .insert(&overload.spelling);
                    rivals.entry(shape).or_default().push((number, at));
                }
            }
            rivals.retain(|shape, _| spellings[shape].len() > 1);
            rivals
        })
    }

    /// Whether the first of two files is the one to be asked about what both define.
    fn share_a_unit(&self, here: Number, other: Number) -> bool {
        let (to_here, to_other) = (self.files_to(here), self.files_to(other));
        if to_other.contains(&here) {
            return true;
        }
        !to_here.contains(&other) && here > other && !to_here.is_disjoint(&to_other)
    }

    fn files_to(&self, file: Number) -> Arc<FileSet> {
        let key = format!("definitions of {file}");
        self.graph().files_that_reach(&key, || vec![file])
    }
}

/// Scope and spelling, with one sign for every type of CUDA.
fn shape(overload: &Overload, table: &ApiTable) -> String {
    let is_type = |word: &str| table.is_type(word.as_bytes());
    let words = overload.spelling.split(' ');
    let words: Vec<&str> = words
        .map(|word| if is_type(word) { "?" } else { word })
        .collect();
    format!("{}{}", overload.scope, words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::probe::tree;

    /// The files whose definitions meet the one of `path`.
    fn meets(files: &[(&str, &str)], path: &str) -> Vec<String> {
        let table = ApiTable::builtin();
        let project = tree(files);
        let found = project.rivals(path, &table);
        found.iter().map(|found| found.1.to_owned()).collect()
    }

    #[test]
    fn definitions_meet_where_one_unit_holds_both() {
        let (a, b) = (
            ("a.h", "inline void f(CUresult e) {}\n"),
            ("b.h", "inline void f(cudaError_t e) {}\n"),
        );
        let includes = ("b.cu", "#include \"a.h\"\nvoid f(cudaError_t e) {}\n");
        let both = ("c.cu", "#include \"a.h\"\n#include \"b.h\"\n");
        assert_eq!(meets(&[a, includes], "b.cu"), ["a.h"]);
        assert_eq!(meets(&[a, includes], "a.h"), [""; 0]);
        assert_eq!(meets(&[a, b, both], "b.h"), ["a.h"]);
        assert_eq!(meets(&[a, b, both], "a.h"), [""; 0]);
        assert_eq!(meets(&[a, b], "b.h"), [""; 0]);
        let same = ("b.h", a.1);
        assert_eq!(meets(&[a, same, both], "b.h"), [""; 0]);
    }
}
