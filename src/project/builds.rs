//! What the CMake lists of a tree say together: which of them serve AMD already.

use std::collections::{BTreeMap, BTreeSet};

/// The CMake lists of a tree.
#[derive(Debug, Default)]
pub(crate) struct Builds {
    /// Folders of the lists named `CMakeLists.txt`; the root of the tree is empty.
    folders: BTreeSet<String>,
    /// The topmost folders of builds that serve AMD, and a list in each that does.
    served: BTreeMap<String, String>,
}

impl Builds {
    /// From the paths of all lists, each with whether it serves AMD.
    pub(crate) fn new(lists: &[(String, bool)]) -> Self {
        let names = lists.iter().filter(|(path, _)| is_list(path));
        let mut builds = Self {
            folders: names.map(|(path, _)| folder(path).to_owned()).collect(),
            served: BTreeMap::new(),
        };
        for (path, _) in lists.iter().filter(|(_, serves)| *serves) {
            let top = builds.top(path);
            builds.served.entry(top).or_insert_with(|| path.clone());
        }
        builds
    }

    /// The list by which the build that a list belongs to serves AMD.
    pub(crate) fn that_serves_amd(&self, path: &str) -> Option<&str> {
        self.served.get(&self.top(path)).map(String::as_str)
    }

    /// Whether a `CMakeLists.txt` stands in a folder above that of a list.
    pub(crate) fn has_parent(&self, path: &str) -> bool {
        let own = folder(path);
        above(own).any(|folder| folder != own && self.folders.contains(folder))
    }

    /// The topmost folder above a list with a `CMakeLists.txt`; its own where there is none.
    fn top(&self, path: &str) -> String {
        let own = folder(path);
        let with_list = above(own).filter(|folder| self.folders.contains(*folder));
        with_list.last().unwrap_or(own).to_owned()
    }
}

fn is_list(path: &str) -> bool {
    path == "CMakeLists.txt" || path.ends_with("/CMakeLists.txt")
}

fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// A folder and those above it, itself first.
fn above(start: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(start), |folder| {
        (!folder.is_empty()).then(|| folder.rsplit_once('/').map_or("", |(above, _)| above))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_for_amd_stands_for_its_whole_build_and_no_other() {
        let lists = [
            ("a/CMakeLists.txt", false),
            ("a/cmake/gpu.cmake", true),
            ("a/src/CMakeLists.txt", false),
            ("b/CMakeLists.txt", false),
        ];
        let builds = Builds::new(&lists.map(|(path, serves)| (path.to_owned(), serves)));
        assert_eq!(
            builds.that_serves_amd("a/src/CMakeLists.txt"),
            Some("a/cmake/gpu.cmake")
        );
        assert_eq!(builds.that_serves_amd("b/CMakeLists.txt"), None);
        assert!(
            builds.has_parent("a/src/CMakeLists.txt") && !builds.has_parent("a/CMakeLists.txt")
        );
    }
}
