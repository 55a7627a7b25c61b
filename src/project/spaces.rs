//! Where functions run whose declarations stand in other files.

use std::collections::BTreeMap;

use crate::cpp::spaces::Placed;
use crate::project::graph::{IncludeGraph, Meaning, Number};
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
        let mut around: Vec<_> = neighbours(graph, here).collect();
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

    /// Whether a file, one that includes it, or one that it includes declares functions which say where they run and are defined apart.
    /// A source that the host's compiler alone reads is right as it is.
    pub(crate) fn declares_for_device_around(&self, path: &str) -> bool {
        let graph = self.graph();
        let Some(here) = graph.number(path) else {
            return false;
        };
        if is_source_of_host(path) && graph.includers(here).is_empty() {
            return false;
        }
        let declares = |file: Number| {
            let other = &self.files[graph.paths()[file as usize].as_str()];
            other.placed.iter().any(|it| !it.has_body)
        };
        neighbours(graph, here).chain([here]).any(declares)
    }
}

/// Whether a file is what the host's compiler is given, by its name.
pub(crate) fn is_source_of_host(path: &str) -> bool {
    let end = path.rsplit_once('.').map_or("", |(_, end)| end);
    matches!(end, "c" | "cc" | "cpp" | "cxx" | "c++" | "C")
}

/// The files that include a file, and those that it includes.
fn neighbours(graph: &IncludeGraph, file: Number) -> impl Iterator<Item = Number> {
    let included = graph.meanings(file).iter().filter_map(|it| match it {
        Meaning::File(file) => Some(*file),
        _ => None,
    });
    graph.includers(file).iter().copied().chain(included)
}
