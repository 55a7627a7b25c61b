//! Where helper headers lie: one for the tree, or one in each package of which a script of PyTorch's builds what calls helpers.

use std::collections::{BTreeMap, BTreeSet};

use crate::project::file::FileIndex;
use crate::project::helper_headers::{CalledHelpers, HelperHeaders};
use crate::project::index::ProjectIndex;

impl ProjectIndex {
    /// Where the helper header of the tree lies, from its root: there, unless a file of the project's own has its name, or, where PyTorch
    /// builds all that may call helpers, in the folder that has all of it, which goes into packages with the sources.
    pub(crate) fn helper_header(&self) -> &str {
        &self.helper_headers().of_tree
    }

    /// Where the helper header lies that a file includes: in the folder of the file's package, where the header of the tree does not.
    pub(crate) fn helper_header_of(&self, path: &str) -> &str {
        let headers = self.helper_headers();
        let package = self.builds.scripts.package_of(path);
        let of_package = package.and_then(|package| headers.of_packages.get(package));
        of_package.unwrap_or(&headers.of_tree)
    }

    /// Whether a helper header may lie at a path.
    pub(crate) fn is_helper_header(&self, path: &str) -> bool {
        let headers = self.helper_headers();
        headers.of_tree == path || headers.of_packages.values().any(|it| it == path)
    }

    /// Helpers that files of the tree call already.
    pub(crate) fn called_helpers(&self) -> CalledHelpers {
        let mut called = CalledHelpers::default();
        for (path, file) in self
            .files
            .iter()
            .filter(|(_, file)| !file.helpers.is_empty())
        {
            let helpers = file.helpers.iter().copied();
            called.add(CalledHelpers::of(self.helper_header_of(path), helpers));
        }
        called
    }

    fn helper_headers(&self) -> &HelperHeaders {
        self.helper_headers.get_or_init(|| {
            let users = self.callers_of_helpers();
            let is_all_torch = !users.is_empty() && users.iter().all(|path| self.is_torch(path));
            let folder = is_all_torch.then(|| folder_for(&users));
            let of_tree = self.paths.free_header(folder.unwrap_or_default());
            let mut packages: BTreeMap<&str, Vec<&String>> = BTreeMap::new();
            for path in users {
                if let Some(package) = self.builds.scripts.package_of(path) {
                    packages.entry(package).or_default().push(path);
                }
            }
            let goes_into = |package: &str| {
                let rest = of_tree.strip_prefix(package);
                package.is_empty() || rest.is_some_and(|rest| rest.starts_with('/'))
            };
            let apart = packages.iter().filter(|(package, _)| !goes_into(package));
            let of_packages = apart
                .map(|(package, users)| {
                    let header = self.paths.free_header(folder_for(users));
                    ((*package).to_owned(), header)
                })
                .collect();
            HelperHeaders {
                of_tree,
                of_packages,
            }
        })
    }

    /// The files that may come to call helpers, sorted: of an extension whose sources its script lists, those that are compiled into it,
    /// for a benchmark or a test beside them goes into no package. Where none may, all that use CUDA.
    fn callers_of_helpers(&self) -> Vec<&String> {
        let uses_cuda = |(path, file): &(&String, &FileIndex)| {
            file.plain_bytes.is_none() && !self.paths.is_in_submodule(path)
        };
        let mut users: Vec<(&String, &FileIndex)> = self.files.iter().filter(uses_cuda).collect();
        if users.iter().any(|(_, file)| file.may_call_helpers) {
            users.retain(|(_, file)| file.may_call_helpers);
        }
        let all_torch = users.iter().all(|(path, _)| self.is_torch(path));
        let built = self.built_by_scripts();
        // A program outside of the packages keeps its say.
        let scripts = &self.builds.scripts;
        let is_built = |path: &str| built.contains(path);
        let of_built = users.iter().filter(|(path, _)| is_built(path));
        // What a Makefile beside it builds as well is of the package around both.
        let packages: BTreeSet<&str> = of_built
            .map(|&(path, _)| scripts.package_of(path).unwrap_or_default())
            .collect();
        let is_inside = |path: &str| {
            let mut folders = packages.iter().map(|folder| path.strip_prefix(folder));
            packages.contains("") || folders.any(|rest| rest.is_some_and(|it| it.starts_with('/')))
        };
        if all_torch {
            users.retain(|(path, _)| is_built(path) || !is_inside(path));
        }
        let mut paths: Vec<&String> = users.into_iter().map(|(path, _)| path).collect();
        paths.sort();
        paths
    }
}

/// The folder for the header of some sorted files: the one that all share, or, where none of them lies right in that, its folder of
/// headers, to which a build has a path: `include/` beside `src/`.
fn folder_for(sorted: &[&String]) -> String {
    let shared = shared_folder(sorted);
    let rests = || sorted.iter().filter_map(|path| path.strip_prefix(&*shared));
    let is_apart = rests().all(|rest| rest.contains('/'));
    let headers = rests().find_map(|rest| {
        let (folder, _) = rest.split_once('/')?;
        matches!(folder, "include" | "inc").then_some(folder)
    });
    match headers.filter(|_| is_apart) {
        Some(headers) => format!("{shared}{headers}/"),
        None => shared,
    }
}

/// The folder that all of some sorted paths share, with its `/`; empty for the root.
fn shared_folder(sorted: &[&String]) -> String {
    let (Some(first), Some(last)) = (sorted.first(), sorted.last()) else {
        return String::new();
    };
    // Of sorted paths the first and the last have in common what all have.
    let parts = first.split('/').zip(last.split('/'));
    let shared = parts.take_while(|(one, other)| one == other);
    let folders = first.matches('/').count();
    shared
        .take(folders)
        .map(|(part, _)| format!("{part}/"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::build_mark::Mark;
    use crate::project::dialect::tests::built;
    use crate::project::listed_sources::Sources;

    #[test]
    fn the_helper_header_lies_with_what_may_call_helpers() {
        let file = |may_call_helpers: bool| FileIndex {
            may_call_helpers,
            ..FileIndex::default()
        };
        let place = |files: &[(&str, bool)], sources: &[&str]| {
            let files = files
                .iter()
                .map(|(path, calls)| ((*path).to_owned(), file(*calls)));
            let paths: Vec<String> = files.clone().map(|(path, _)| path).collect();
            let sources = Sources {
                all: sources.iter().map(|it| (*it).to_owned()).collect(),
                ..Sources::default()
            };
            let project = ProjectIndex::new(files, paths);
            let project = built(project, &[("", Mark::Torch)], "setup.py", &sources);
            project.helper_header().to_owned()
        };
        let kernels = [("pkg/cuda/a.cu", true), ("pkg/cuda/b.cu", true)];
        let of_package = "pkg/cuda/cass_hip_compat.hpp";
        assert_eq!(place(&kernels, &[]), of_package);
        // Neither a kernel that needs no helper nor a benchmark that goes into no package moves it.
        let plain = [&kernels[..], &[("profiling/p.cu", false)]].concat();
        assert_eq!(place(&plain, &[]), of_package);
        // Beside sources in a folder of their own it lies with the headers.
        let apart = [("include/u.cuh", true), ("src/a.cu", true)];
        assert_eq!(place(&apart, &[]), "include/cass_hip_compat.hpp");
        let both = [&apart[..], &[("b.cu", true)]].concat();
        assert_eq!(place(&both, &[]), "cass_hip_compat.hpp");
        let bench = [&kernels[..], &[("bench/p.cu", true)]].concat();
        assert_eq!(place(&bench, &[]), "cass_hip_compat.hpp");
        assert_eq!(
            place(&bench, &["pkg/cuda/a.cu", "pkg/cuda/b.cu"]),
            of_package
        );
        assert_eq!(
            place(&[("pkg/a.cu", false)], &[]),
            "pkg/cass_hip_compat.hpp"
        );
    }

    #[test]
    fn a_program_beside_a_package_takes_nothing_out_of_it() {
        let file = FileIndex {
            may_call_helpers: true,
            ..FileIndex::default()
        };
        let paths = ["lib/sdf/k.cu", "renderer/main.cu", "renderer/nv/v.cu"].map(str::to_owned);
        let files = paths.clone().map(|path| (path, file.clone()));
        let project = ProjectIndex::new(files, paths);
        let sources = Sources {
            all: vec!["k.cu".to_owned()],
            ..Sources::default()
        };
        let marks = [("lib/sdf", Mark::Torch), ("", Mark::Torch)];
        let project = built(project, &marks, "lib/sdf/setup.py", &sources);
        let header = |path: &str| project.helper_header_of(path);
        assert_eq!(header("renderer/main.cu"), "cass_hip_compat.hpp");
        assert_eq!(header("lib/sdf/k.cu"), "lib/sdf/cass_hip_compat.hpp");
        // A Makefile in the package and tests beside it move nothing.
        let torch = FileIndex {
            may_call_helpers: true,
            plain_bytes: None,
            ..FileIndex::of_plain(b"#include <ATen/ATen.h>\n")
        };
        let paths = ["pkg/a.cu", "tests/t.cu"].map(str::to_owned);
        let files = paths.clone().map(|path| (path, torch.clone()));
        let sources = Sources {
            all: vec!["pkg/a.cu".to_owned()],
            ..Sources::default()
        };
        let marks = [("", Mark::Torch), ("pkg", Mark::Cuda)];
        let project = built(
            ProjectIndex::new(files, paths),
            &marks,
            "setup.py",
            &sources,
        );
        assert_eq!(project.helper_header(), "pkg/cass_hip_compat.hpp");
    }

    #[test]
    fn packages_beside_each_other_have_headers_of_their_own() {
        let file = FileIndex {
            may_call_helpers: true,
            ..FileIndex::default()
        };
        let paths = ["one/csrc/a.cu", "two/csrc/b.cu", "c.cu"].map(str::to_owned);
        let files = paths.clone().map(|path| (path, file.clone()));
        let marks = [("one", Mark::Torch), ("two", Mark::Torch), ("", Mark::Cuda)];
        let project = ProjectIndex::new(files, paths);
        let project = built(project, &marks, "one/setup.py", &Sources::default());
        assert_eq!(project.helper_header(), "cass_hip_compat.hpp");
        let header = |path: &str| project.helper_header_of(path);
        assert_eq!(header("one/csrc/a.cu"), "one/csrc/cass_hip_compat.hpp");
        assert_eq!(header("two/csrc/b.cu"), "two/csrc/cass_hip_compat.hpp");
        assert_eq!(header("c.cu"), project.helper_header());
        assert!(project.is_helper_header("two/csrc/cass_hip_compat.hpp"));
    }
}
