//! Which files of a tree PyTorch's build translates: those that use its headers or are used by such, and those beside a build script
//! that makes extensions.

use rustc_hash::FxHashSet;

use crate::project::build_mark::Mark;
use crate::project::file::FileIndex;
use crate::project::graph::Number;
use crate::project::index::ProjectIndex;
use crate::text::build_tool;

impl ProjectIndex {
    /// Whether scripts that serve AMD leave a file to NVIDIA.
    pub(crate) fn is_for_nvidia(&self, path: &str) -> bool {
        self.torch().are_for_nvidia(path)
    }

    /// Whether PyTorch's build translates a file. Where no script makes extensions, a list that builds with CUDA itself renames nothing.
    pub(crate) fn is_torch(&self, path: &str) -> bool {
        !self.renames_nothing(path)
            && (self.builds.scripts.mark_above(path) == Some(Mark::Torch)
                || self.torch().come_by_headers(path)
                || self.is_beside_extensions(path))
    }

    /// Whether a file is a list or a script of no folder that builds with CUDA, in a tree with a setup.py at its root that builds nothing
    /// but extensions: they are made in another folder, `op_builder/`, and the list is one for CI.
    fn is_beside_extensions(&self, path: &str) -> bool {
        build_tool(path).is_some()
            && self.builds.scripts.mark_above(path).is_none()
            && self.paths.is_in_tree("setup.py")
            && self.builds.scripts.make_extensions_alone()
    }

    /// Whether a list that builds with CUDA itself is all that builds a file: no script of the tree makes extensions of PyTorch.
    pub(crate) fn renames_nothing(&self, path: &str) -> bool {
        let scripts = &self.builds.scripts;
        scripts.mark_above(path) == Some(Mark::Cuda) && !scripts.make_extensions()
    }

    /// Where the helper header lies, from the root of the tree: at the root, unless a file of the project's own has its name there, or,
    /// where PyTorch builds all that may call helpers, in the folder that has all of it, which goes into packages with the sources.
    pub(crate) fn helper_header(&self) -> &str {
        self.helper_header.get_or_init(|| {
            let users = self.callers_of_helpers();
            let is_all_torch = !users.is_empty() && users.iter().all(|path| self.is_torch(path));
            let folder = is_all_torch.then(|| shared_folder(&users));
            self.paths.free_header(folder.unwrap_or_default())
        })
    }

    /// Whether a list of CMake is a second way to build what a setup.py makes: of the kernels below its folder PyTorch's build has some, or
    /// there are none.
    pub(crate) fn is_second_way(&self, list: &str) -> bool {
        let folder = list.rsplit_once('/').map_or("", |(folder, _)| folder);
        let scripts = &self.builds.scripts;
        let is_below = |path: &&String| {
            let rest = path.strip_prefix(folder);
            let is_inside = rest.is_some_and(|it| folder.is_empty() || it.starts_with('/'));
            is_inside && path.ends_with(".cu")
        };
        let mut kernels = self.files.keys().filter(is_below).peekable();
        scripts.has_setup_script
            && (!scripts.name_sources()
                || kernels.peek().is_none()
                || kernels.any(|path| scripts.hand_to_torch(path)))
    }

    /// Whether a file goes into a package without the helper header: that lies outside of the folder whose script builds the file, for
    /// scripts of several folders build what calls helpers.
    pub(crate) fn is_packed_alone(&self, path: &str) -> bool {
        let Some(package) = self.builds.scripts.package_of(path) else {
            return false;
        };
        let header = self.helper_header().strip_prefix(package);
        !package.is_empty() && header.is_none_or(|rest| !rest.starts_with('/'))
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
        if all_torch && users.iter().any(|(path, _)| built.contains(path.as_str())) {
            users.retain(|(path, _)| built.contains(path.as_str()));
        }
        let mut paths: Vec<&String> = users.into_iter().map(|(path, _)| path).collect();
        paths.sort();
        paths
    }

    /// The sources that scripts hand to PyTorch's build, and what those include.
    fn built_by_scripts(&self) -> FxHashSet<&str> {
        let (graph, paths) = (self.graph(), self.graph().paths());
        let is_named = |&(path, _): &(&String, Number)| self.builds.scripts.hand_to_torch(path);
        let named = paths.iter().zip(0..).filter(is_named);
        let mut queue: Vec<Number> = named.map(|(_, at)| at).collect();
        let mut found: FxHashSet<Number> = queue.iter().copied().collect();
        while let Some(file) = queue.pop() {
            let meant = graph.meanings(file).iter().filter_map(|it| it.file());
            queue.extend(meant.filter(|next| found.insert(*next)));
        }
        found
            .into_iter()
            .map(|at| paths[at as usize].as_str())
            .collect()
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
    use crate::project::listed_sources::Sources;
    use crate::project::{BuildIndex, BuildScripts};

    /// A tree with marks of folders, and with the sources that a script names.
    fn built(
        project: ProjectIndex,
        marks: &[(&str, Mark)],
        script: &str,
        sources: &Sources,
    ) -> ProjectIndex {
        let marks = marks
            .iter()
            .map(|(folder, mark)| ((*folder).to_owned(), *mark));
        let scripts = BuildScripts::default()
            .with_marks(&project.files, &project.paths, marks)
            .with_sources(&project.files, &project.paths, [(script, sources)]);
        project.with_builds(BuildIndex {
            scripts,
            ..BuildIndex::default()
        })
    }

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
    fn packages_beside_each_other_have_no_header_in_common() {
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
        assert!(
            project.is_packed_alone("one/csrc/a.cu") && project.is_packed_alone("two/csrc/b.cu")
        );
        assert!(!project.is_packed_alone("c.cu"));
    }

    #[test]
    fn the_nearest_build_script_counts_and_headers_more() {
        let plain = |text: &str| FileIndex::of_plain(text.as_bytes());
        let files = [
            ("tool/main.cu", plain("#include \"k.cuh\"\n")),
            ("tool/k.cuh", plain("")),
            (
                "tool/op.cu",
                plain("#include <ATen/ATen.h>\n#include \"shared.cuh\"\n"),
            ),
            ("tool/shared.cuh", plain("")),
            ("csrc/a.cu", plain("")),
            (
                "both/op.cu",
                plain("#include <ATen/ATen.h>\n#include \"both.cuh\"\n"),
            ),
            (
                "both/main.cu",
                plain("#include \"both.cuh\"\nint main() {}\n"),
            ),
            ("both/both.cuh", plain("")),
        ]
        .map(|(path, index)| (path.to_owned(), index));
        let paths = files.clone().map(|(path, _)| path);
        let marks = [
            ("", Mark::Torch),
            ("tool", Mark::Cuda),
            ("", Mark::Cuda),
            ("both", Mark::Cuda),
        ];
        let none = Sources::default();
        let project = built(
            ProjectIndex::new(files, paths),
            &marks,
            "src/model.py",
            &none,
        );
        let torch = |path: &str| project.is_torch(path);
        assert!(torch("csrc/a.cu") && torch("tool/op.cu") && torch("tool/shared.cuh"));
        assert!(!torch("tool/main.cu") && !torch("tool/k.cuh"));
        let alone = ProjectIndex::new(
            [("ops/op.cu".to_owned(), plain("#include <ATen/ATen.h>\n"))],
            ["ops/op.cu".to_owned()],
        );
        assert!(alone.is_torch("ops/op.cu"));
        let by_cmake = built(alone, &[("ops", Mark::Cuda)], "src/model.py", &none);
        assert!(!by_cmake.is_torch("ops/op.cu"));
        let sources = Sources {
            all: vec!["cuda/k.cu".to_owned()],
            ..Sources::default()
        };
        let named_beside = |marks: &[(&str, Mark)], path: &str| {
            let project = ProjectIndex::new(
                [
                    ("cuda/k.cu".to_owned(), plain("#include \"k.cuh\"\n")),
                    ("cuda/k.cuh".to_owned(), plain("")),
                    ("cuda/other.cu".to_owned(), plain("")),
                ],
                ["cuda/k.cu", "cuda/k.cuh", "cuda/other.cu", "src/model.py"].map(str::to_owned),
            );
            built(project, marks, "src/model.py", &sources).is_torch(path)
        };
        let named = |path: &str| named_beside(&[("src", Mark::Torch)], path);
        assert!(named("cuda/k.cu") && named("cuda/k.cuh") && !named("cuda/other.cu"));
        // Tests that include what lies around them stay as that does.
        let tests = |include: &str| {
            let files = [
                ("cuda/k.cuh".to_owned(), plain("#include <ATen/ATen.h>\n")),
                ("cuda/tests/k.cu".to_owned(), plain(include)),
                ("cuda/tests/own.cuh".to_owned(), plain("")),
            ];
            let paths = files.clone().map(|(path, _)| path);
            let marks = [("", Mark::Torch), ("cuda/tests", Mark::Cuda)];
            built(
                ProjectIndex::new(files, paths),
                &marks,
                "src/model.py",
                &none,
            )
            .is_torch("cuda/tests/Makefile")
        };
        assert!(tests("#include \"../k.cuh\"\n") && !tests("#include \"own.cuh\"\n"));
        // A list elsewhere is CI's where a setup.py at the root makes nothing but extensions.
        let named_from = |setup: &str, marks: &[(&str, Mark)]| {
            let paths = [setup, "build_win.bat", "src/model.py"].map(str::to_owned);
            built(ProjectIndex::new([], paths), marks, "src/model.py", &none)
                .is_torch("build_win.bat")
        };
        assert!(named_from("setup.py", &[("src", Mark::Torch)]));
        assert!(!named_from("src/setup.py", &[("src", Mark::Torch)]));
        let programs = [("src", Mark::Torch), ("tool", Mark::Cuda)];
        assert!(!named_from("setup.py", &programs) && !named_from("setup.py", &[]));
        // What a list compiles with CUDA itself is HIP for both builds.
        let beside_a_list = [("src", Mark::Torch), ("", Mark::Cuda)];
        assert!(!named_beside(&beside_a_list, "cuda/k.cu"));
        assert!(!named_beside(&beside_a_list, "cuda/k.cuh"));
        assert!(torch("both/op.cu") && !torch("both/main.cu") && !torch("both/both.cuh"));
    }
}
