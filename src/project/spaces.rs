//! Where functions run whose declarations stand in other files.

use std::collections::BTreeMap;

use crate::cpp::spaces::Placed;
use crate::project::graph::Meaning;
use crate::project::index::ProjectIndex;

impl ProjectIndex {
    /// The declarations that say where their functions run, of the files that a file includes and of those that include it, by their keys;
    /// each with its file.
    pub(crate) fn placed_around(&self, path: &str) -> BTreeMap<&str, Vec<(&str, &Placed)>> {
        let graph = self.graph();
        let mut found = BTreeMap::<&str, Vec<(&str, &Placed)>>::new();
        let Some(here) = graph.number(path) else {
            return found;
        };
        let included = graph.meanings(here).iter().filter_map(|it| match it {
            Meaning::File(file) => Some(*file),
            _ => None,
        });
        let mut around: Vec<_> = graph
            .includers(here)
            .iter()
            .copied()
            .chain(included)
            .collect();
        around.sort_unstable();
        around.dedup();
        for file in around.into_iter().filter(|file| *file != here) {
            let other = graph.paths()[file as usize].as_str();
            for placed in &self.files[other].placed {
                found.entry(&placed.key).or_default().push((other, placed));
            }
        }
        found
    }
}
