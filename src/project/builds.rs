//! What the build files of a tree say: its scripts, what they say of HIP, and the CMake lists together, which of them serve AMD already.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use crate::project::build_facts::BuildFacts;
use crate::project::build_scripts::BuildScripts;
use crate::project::taken::package;

/// What the build files of a tree say.
#[derive(Debug, Default)]
pub(crate) struct BuildIndex {
    /// The CMake lists together.
    pub(crate) lists: Builds,
    /// What scripts make.
    pub(crate) scripts: BuildScripts,
    /// Those that speak of HIP.
    pub(crate) facts: FxHashMap<String, BuildFacts>,
}

/// The CMake lists of a tree.
#[derive(Debug, Default)]
pub(crate) struct Builds {
    /// Folders of the lists named `CMakeLists.txt`; the root of the tree is empty.
    folders: BTreeSet<String>,
    /// The topmost folders of builds that serve AMD, and a list in each that does. A package that a project took from others serves for
    /// itself alone.
    served: BTreeMap<String, String>,
    /// Folders of those that enable CUDA, in which the port says what is a source of HIP.
    enabling: BTreeSet<String>,
    /// The prefixes of targets that lists make, `CUDNN` of `CUDNN::cudnn`.
    prefixes: BTreeSet<String>,
    /// Folders of projects that no list above them names: libraries that a tree carries along and builds by themselves, or not at all.
    apart: BTreeSet<String>,
}

/// What one list says.
#[derive(Debug, Default)]
pub(crate) struct BuildList {
    /// Its path.
    pub(crate) path: String,
    /// It serves AMD by itself.
    pub(crate) serves_amd: bool,
    /// It enables CUDA.
    pub(crate) enables_cuda: bool,
    /// The prefixes of the targets that it makes.
    pub(crate) prefixes: BTreeSet<String>,
    /// It calls `project()`.
    pub(crate) is_project: bool,
    /// The words in it, each part of a path by itself: what may name the folder of another list.
    pub(crate) words: BTreeSet<Box<str>>,
}

impl Builds {
    /// From all lists.
    pub(crate) fn new(lists: &[BuildList]) -> Self {
        let paths = lists.iter().map(|list| &list.path);
        let names = paths.filter(|path| is_list(path));
        let mut builds = Self {
            folders: names.map(|path| folder(path).to_owned()).collect(),
            served: BTreeMap::new(),
            enabling: {
                let enabling = lists.iter().filter(|list| list.enables_cuda);
                let enabling = enabling.filter(|list| is_list(&list.path));
                enabling.map(|list| folder(&list.path).to_owned()).collect()
            },
            prefixes: lists
                .iter()
                .flat_map(|list| list.prefixes.clone())
                .collect(),
            apart: apart(lists),
        };
        for list in lists.iter().filter(|list| list.serves_amd) {
            let top = builds.reach(&list.path);
            let first = builds.served.entry(top);
            first.or_insert_with(|| list.path.clone());
        }
        builds
    }

    /// Whether a list makes targets of this prefix.
    pub(crate) fn makes(&self, prefix: &str) -> bool {
        self.prefixes.contains(prefix)
    }

    /// The list by which the build that a list belongs to serves AMD: that of the package around it, or of the whole project.
    pub(crate) fn that_serves_amd(&self, path: &str) -> Option<&str> {
        let serving = |folder: String| self.served.get(&folder).map(String::as_str);
        serving(self.reach(path)).or_else(|| serving(self.top(path)))
    }

    /// Whether CMake may build a file: a `CMakeLists.txt` stands in its folder or one above.
    pub(super) fn may_build(&self, path: &str) -> bool {
        above(folder(path)).any(|folder| self.folders.contains(folder))
    }

    /// Whether a list in the folder of a file or above enables CUDA, and none of the build serves AMD.
    pub(super) fn enables_cuda_for(&self, path: &str) -> bool {
        let enables = above(folder(path)).any(|folder| self.enabling.contains(folder));
        enables && self.that_serves_amd(path).is_none()
    }

    /// Whether a `CMakeLists.txt` stands in a folder above that of a list.
    pub(crate) fn has_parent(&self, path: &str) -> bool {
        let own = folder(path);
        above(own).any(|folder| folder != own && self.folders.contains(folder))
    }

    /// The folder that a list speaks for: its package, in a folder such as `third_party`, or its build.
    fn reach(&self, path: &str) -> String {
        let top = self.top(path);
        match package(path).map(|it| it.trim_end_matches('/')) {
            Some(package) if package.starts_with(&top) => package.to_owned(),
            _ => top,
        }
    }

    /// The topmost folder above a list with a `CMakeLists.txt`, as far as the project goes that it belongs to; its own where there is none.
    fn top(&self, path: &str) -> String {
        let own = folder(path);
        let mut top = own;
        for folder in above(own).filter(|folder| self.folders.contains(*folder)) {
            top = folder;
            if self.apart.contains(folder) {
                break;
            }
        }
        top.to_owned()
    }
}

/// The folders of projects that none of the lists above them names by its last part: `eigen` beside a program that only includes it.
fn apart(lists: &[BuildList]) -> BTreeSet<String> {
    let named = |list: &BuildList, below: &str| {
        let around = folder(&list.path);
        let is_above = around.is_empty()
            || below
                .strip_prefix(around)
                .is_some_and(|it| it.starts_with('/'));
        let name = below.rsplit('/').next().unwrap_or(below);
        is_above && around != below && list.words.contains(name)
    };
    let projects = lists
        .iter()
        .filter(|list| list.is_project && is_list(&list.path));
    projects
        .map(|list| folder(&list.path))
        .filter(|below| !below.is_empty() && !lists.iter().any(|list| named(list, below)))
        .map(str::to_owned)
        .collect()
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
    use crate::build::cmake::{calls_project, parts_of_words};

    #[test]
    fn a_list_for_amd_stands_for_its_whole_build_and_no_other() {
        let lists = [
            ("a/CMakeLists.txt", false),
            ("a/cmake/gpu.cmake", true),
            ("a/src/CMakeLists.txt", false),
            ("b/CMakeLists.txt", false),
        ];
        let builds = Builds::new(&lists.map(|(path, serves_amd)| BuildList {
            path: path.to_owned(),
            serves_amd,
            enables_cuda: false,
            prefixes: BTreeSet::from([path.to_owned()]),
            ..BuildList::default()
        }));
        assert!(builds.makes("b/CMakeLists.txt") && !builds.makes("b"));
        assert_eq!(
            builds.that_serves_amd("a/src/CMakeLists.txt"),
            Some("a/cmake/gpu.cmake")
        );
        assert_eq!(builds.that_serves_amd("b/CMakeLists.txt"), None);
        assert!(
            builds.has_parent("a/src/CMakeLists.txt") && !builds.has_parent("a/CMakeLists.txt")
        );
    }

    #[test]
    fn a_package_serves_amd_for_itself_alone() {
        let serving = |by: &str, asked: &str| {
            let paths = [
                "CMakeLists.txt",
                "src/CMakeLists.txt",
                "third_party/CMakeLists.txt",
                "third_party/a/CMakeLists.txt",
                "third_party/a/test/CMakeLists.txt",
                "third_party/b/CMakeLists.txt",
            ];
            let builds = Builds::new(&paths.map(|path| BuildList {
                path: path.to_owned(),
                serves_amd: path == by,
                words: parts_of_words(b"add_subdirectory(third_party/a)"),
                ..BuildList::default()
            }));
            builds.that_serves_amd(asked).is_some()
        };
        let by_test = "third_party/a/test/CMakeLists.txt";
        assert!(serving(by_test, "third_party/a/CMakeLists.txt"));
        for other in [
            "CMakeLists.txt",
            "src/CMakeLists.txt",
            "third_party/CMakeLists.txt",
            "third_party/b/CMakeLists.txt",
        ] {
            assert!(!serving(by_test, other), "{other}");
            assert!(serving("CMakeLists.txt", other), "{other}");
            assert!(serving("third_party/CMakeLists.txt", other), "{other}");
        }
        assert!(serving("src/CMakeLists.txt", by_test));
    }

    #[test]
    fn a_project_that_no_list_above_names_is_a_build_of_its_own() {
        let list = |path: &str, text: &str, serves_amd: bool| BuildList {
            path: path.to_owned(),
            serves_amd,
            is_project: calls_project(text.as_bytes()),
            words: parts_of_words(text.as_bytes()),
            ..BuildList::default()
        };
        for (above, expected) in [
            ("project(a)\nadd_subdirectory(src)\n", None),
            (
                "project(a)\nadd_subdirectory(third/lib)\n",
                Some("third/lib/test/CMakeLists.txt"),
            ),
            (
                "project(a)\nforeach(it lib other)\nadd_subdirectory(third/${it})\nendforeach()\n",
                Some("third/lib/test/CMakeLists.txt"),
            ),
        ] {
            let builds = Builds::new(&[
                list("CMakeLists.txt", above, false),
                list("third/lib/CMakeLists.txt", "project( Lib CXX )\n", false),
                list("third/lib/test/CMakeLists.txt", "option(T_HIP)\n", true),
                list("src/CMakeLists.txt", "add_library(b b.cu)\n", false),
            ]);
            assert_eq!(
                builds.that_serves_amd("src/CMakeLists.txt"),
                expected,
                "{above}"
            );
            let own = builds.that_serves_amd("third/lib/CMakeLists.txt");
            assert_eq!(own, Some("third/lib/test/CMakeLists.txt"), "{above}");
        }
    }
}
