//! Where the projects of a tree begin.

use std::collections::BTreeSet;

use crate::project::index::ProjectIndex;
use crate::project::taken::package;

/// The folders of the projects whose build files make something for AMD, outermost first; none lies in another.
pub(super) fn roots(project: &ProjectIndex) -> BTreeSet<String> {
    let builds = &project.builds.facts;
    let named: BTreeSet<String> = builds
        .keys()
        .filter(|path| is_project(path))
        .map(|path| folder(path))
        .collect();
    let projects: BTreeSet<String> = project
        .paths
        .all()
        .filter(|path| is_project(path))
        .map(folder)
        .collect();
    let signed = builds.iter().filter(|(_, facts)| !facts.signs.is_empty());
    // A package of Python whose modules ask for either vendor is built by a script of Python.
    let of_modules = project.builds.scripts.serve_both_by_cupy();
    let of_modules = of_modules.then(String::new);
    let roots: BTreeSet<String> = signed
        .map(|(path, _)| {
            let own = folder(path);
            // A module tells nothing of where the project begins: whoever reads it does.
            let own = match is_project(path) {
                true => own,
                false => reach(&own)
                    .filter(|it| projects.contains(it))
                    .last()
                    .unwrap_or(own),
            };
            let above = reach(&own).find(|folder| named.contains(folder));
            above.unwrap_or(own)
        })
        .chain(of_modules)
        .collect();
    outermost(&roots)
}

/// The folders of projects below another whose own build files make something for AMD, outermost first: a library that a tree brings along.
pub(super) fn roots_below(project: &ProjectIndex, outer: &str) -> BTreeSet<String> {
    let projects: BTreeSet<String> = project
        .paths
        .all()
        .filter(|path| is_project(path))
        .map(folder)
        .collect();
    let is_below = |folder: &String| folder.starts_with(outer) && folder != outer;
    let signed = project.builds.facts.iter();
    let signed = signed.filter(|(_, facts)| !facts.signs.is_empty());
    let roots: BTreeSet<String> = signed
        .filter_map(|(path, _)| {
            let own = folder(path);
            reach(&own).find(|it| is_below(it) && projects.contains(it))
        })
        .collect();
    outermost(&roots)
}

/// The folders that lie below no other of them.
fn outermost(folders: &BTreeSet<String>) -> BTreeSet<String> {
    let is_inner = |own: &String| ancestors(own).any(|it| it != *own && folders.contains(&it));
    let outer = folders.iter().filter(|it| !is_inner(it));
    outer.cloned().collect()
}

/// Whether a build file is one that a build begins with.
pub(super) fn is_project(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.trim_end_matches(".in").trim_end_matches(".am");
    matches!(
        name,
        "CMakeLists.txt" | "meson.build" | "SConstruct" | "configure" | "configure.ac"
    ) || matches!(stem, "Makefile" | "makefile" | "GNUmakefile")
}

/// The folder of a file with `/` at its end; empty for the root.
pub(super) fn folder(path: &str) -> String {
    path.rfind('/')
        .map_or_else(String::new, |at| path[..=at].to_owned())
}

/// The folders around a folder that it may speak for: those of its own package, where the project took it from others.
fn reach(folder: &str) -> impl Iterator<Item = String> {
    let package = package(folder).unwrap_or_default();
    ancestors(folder).filter(move |it| it.starts_with(package))
}

/// The folders around a folder, the root first, itself last.
fn ancestors(folder: &str) -> impl Iterator<Item = String> {
    let ends = folder.match_indices('/').map(|(at, _)| at + 1);
    std::iter::once(0)
        .chain(ends)
        .map(|end| folder[..end].to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::build_facts::BuildFacts;
    use crate::project::{BuildIndex, BuildScripts};

    const HIP: &str = "enable_language(HIP)\n";

    /// Paths and texts.
    type Files<'f> = &'f [(&'f str, &'f str)];

    fn found(files: Files<'_>) -> Vec<String> {
        let builds = files.iter().filter_map(|(path, text)| {
            Some(((*path).to_owned(), BuildFacts::new(path, text.as_bytes())?))
        });
        let paths = files.iter().map(|(path, _)| (*path).to_owned());
        let project = ProjectIndex::new(Vec::new(), paths).with_builds(BuildIndex {
            facts: builds.collect(),
            ..BuildIndex::default()
        });
        roots(&project).into_iter().collect()
    }

    #[test]
    fn a_project_begins_at_the_outermost_build_file_that_leads_to_hip() {
        let plain = "project(a)\n";
        let cases: [(Files<'_>, &[&str]); 8] = [
            (&[("CMakeLists.txt", HIP)], &[""]),
            (&[("CMakeLists.txt", plain)], &[]),
            (
                &[("a/CMakeLists.txt", HIP), ("b/CMakeLists.txt", HIP)],
                &["a/", "b/"],
            ),
            (&[("CMakeLists.txt", HIP), ("a/CMakeLists.txt", HIP)], &[""]),
            (
                &[("a/CMakeLists.txt", plain), ("a/cmake/hip.cmake", HIP)],
                &["a/"],
            ),
            (&[("cmake/hip.cmake", HIP)], &["cmake/"]),
            // What a project took from others begins nothing around it.
            (
                &[
                    ("CMakeLists.txt", "message(HIP)\n"),
                    ("deps/a/CMakeLists.txt", plain),
                    ("deps/a/cmake/hip.cmake", HIP),
                ],
                &["deps/a/"],
            ),
            (
                &[("CMakeLists.txt", HIP), ("deps/a/CMakeLists.txt", HIP)],
                &[""],
            ),
        ];
        for (files, expected) in cases {
            assert_eq!(found(files), expected, "{files:?}");
        }
    }

    #[test]
    fn a_package_whose_modules_ask_for_either_vendor_begins_at_the_top() {
        for (asking, expected) in [(2, 0), (3, 1)] {
            let builds = BuildIndex {
                scripts: BuildScripts::default().with_modules(asking),
                ..BuildIndex::default()
            };
            let paths = ["setup.py".to_owned()];
            let project = ProjectIndex::new(Vec::new(), paths).with_builds(builds);
            assert_eq!(roots(&project).len(), expected, "{asking}");
        }
    }

    #[test]
    fn build_files_that_a_build_begins_with() {
        for path in [
            "CMakeLists.txt",
            "a/Makefile.in",
            "GNUmakefile",
            "x/configure.ac",
        ] {
            assert!(is_project(path), "{path}");
        }
        for path in ["a.cmake", "Makefile.inc", "rules.mk", "CMakeLists.txt.bak"] {
            assert!(!is_project(path), "{path}");
        }
    }
}
