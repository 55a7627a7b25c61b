//! Which files of a tree PyTorch's build translates: those that use its headers or are used by such, and those beside a build script
//! that makes extensions.

use rustc_hash::FxHashSet;

use crate::project::build_mark::Mark;
use crate::project::file::FileIndex;
use crate::project::graph::Number;
use crate::project::index::ProjectIndex;
use crate::text::{BuildTool, build_tool};

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
                || self.is_beside_extensions(path)
                || self.is_makefile_beside(path))
    }

    /// Whether PyTorch's build has a file, rather than a list alone that names it.
    pub(crate) fn is_handed_to_torch(&self, path: &str) -> bool {
        let scripts = &self.builds.scripts;
        scripts.hand_to_torch(path) || scripts.list_of(path).is_none()
    }

    /// Whether sources of PyTorch's include a file that no script hands to its build.
    pub(crate) fn is_included_by_torch(&self, path: &str) -> bool {
        self.torch().come_by_headers(path) && !self.builds.scripts.hand_to_torch(path)
    }

    /// What builds a file with CUDA itself that PyTorch's build has as well: a list that names it, or a unit that includes it and that a
    /// list builds. Where no script makes extensions, that list is the only build.
    pub(crate) fn shared_with(&self, path: &str) -> Option<&str> {
        let scripts = &self.builds.scripts;
        if !scripts.make_extensions() {
            return None;
        }
        let is_torchs = scripts.hand_to_torch(path) || self.torch().come_by_headers(path);
        let list = scripts.list_of(path).filter(|_| is_torchs);
        list.filter(|list| !self.is_torch(list))
            .or_else(|| self.torch().includer_of_another_build(path))
    }

    /// Whether a Makefile is a second way to build what PyTorch's build has: half of the kernels below its folder or more include PyTorch,
    /// and stay CUDA's.
    fn is_makefile_beside(&self, path: &str) -> bool {
        let scripts = &self.builds.scripts;
        let is_made = build_tool(path) == Some(BuildTool::Make)
            && scripts.mark_above(path) == Some(Mark::Cuda)
            && scripts.make_extensions();
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        is_made && !folder.is_empty() && {
            let kernels = || self.kernels_below(folder);
            let torch = kernels().filter(|path| self.torch().come_by_headers(path));
            let torch = torch.count();
            torch > 0 && 2 * torch >= kernels().count()
        }
    }

    /// Whether scripts name sources that they hand to PyTorch's build, and this is none of those.
    pub(crate) fn is_left_by_scripts(&self, path: &str) -> bool {
        let scripts = &self.builds.scripts;
        scripts.name_sources() && !scripts.hand_to_torch(path)
    }

    /// Whether a file is a program with CUDA of its own that lies beside sources of PyTorch's build: that one renames nothing in it.
    pub(crate) fn is_program_beside_torch(&self, path: &str) -> bool {
        let is_program = |file: &FileIndex| file.is_program;
        path.ends_with(".cu")
            && self.files.get(path).is_some_and(is_program)
            && self.is_left_by_scripts(path)
    }

    /// The kernels below a folder.
    fn kernels_below<'p>(&'p self, folder: &'p str) -> impl Iterator<Item = &'p String> {
        self.files.keys().filter(move |path| {
            let rest = path.strip_prefix(folder);
            let is_inside = rest.is_some_and(|it| folder.is_empty() || it.starts_with('/'));
            is_inside && path.ends_with(".cu")
        })
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

    /// Whether a list of CMake is a second way to build what a setup.py makes: of the kernels below its folder PyTorch's build has some, or
    /// there are none.
    pub(crate) fn is_second_way(&self, list: &str) -> bool {
        let folder = list.rsplit_once('/').map_or("", |(folder, _)| folder);
        let scripts = &self.builds.scripts;
        let mut kernels = self.kernels_below(folder).peekable();
        scripts.has_setup_script
            && (!scripts.name_sources()
                || kernels.peek().is_none()
                || kernels.any(|path| scripts.hand_to_torch(path)))
    }

    /// The sources that scripts hand to PyTorch's build, and what those include.
    pub(super) fn built_by_scripts(&self) -> FxHashSet<&str> {
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

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::project::file::FileIndex;
    use crate::project::listed_sources::Sources;
    use crate::project::{BuildIndex, BuildScripts};

    /// A tree with marks of folders, and with the sources that a script names.
    pub(in crate::project) fn built(
        project: ProjectIndex,
        marks: &[(&str, Mark)],
        script: &str,
        sources: &Sources,
    ) -> ProjectIndex {
        let marks = marks
            .iter()
            .map(|(folder, mark)| ((*folder).to_owned(), *mark));
        let scripts = BuildScripts::default()
            .with_sources(&project.files, &project.paths, [(script, sources)])
            .with_marks(&project.files, &project.paths, marks);
        project.with_builds(BuildIndex {
            scripts,
            ..BuildIndex::default()
        })
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
        // A Makefile among kernels that include PyTorch has no others to build.
        let beside = |kernel: &str| {
            let files = [
                ("ext/src/k.cu".to_owned(), plain(kernel)),
                ("ext/src/test.cu".to_owned(), plain("#include \"k.h\"\n")),
            ];
            let paths = files.clone().map(|(path, _)| path);
            let marks = [("ext", Mark::Torch), ("ext/src", Mark::Cuda)];
            let project = ProjectIndex::new(files, paths);
            built(project, &marks, "ext/setup.py", &none).is_torch("ext/src/Makefile")
        };
        assert!(beside("#include <ATen/ATen.h>\n") && !beside("#include \"k.h\"\n"));
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
