//! Which files of a tree PyTorch's build translates: those that use its headers or are used by such, and those beside a build script
//! that makes extensions.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;

use crate::project::build_mark::{Mark, is_torch_header};
use crate::project::file::FileIndex;
use crate::project::graph::Number;
use crate::project::index::ProjectIndex;
use crate::project::listed_sources::Sources;
use crate::text::build_tool;

/// Files that compilers are given.
const UNITS: &[&str] = &["cu", "cpp", "cc", "cxx", "c"];

impl ProjectIndex {
    /// Adds what the build scripts of folders make: folder (empty for the root) and mark.
    #[must_use]
    pub(crate) fn with_marks(mut self, marks: impl IntoIterator<Item = (String, Mark)>) -> Self {
        for (folder, mark) in marks {
            let known = self.marks.entry(folder).or_insert(mark);
            // Who keeps a setup.py beside a Makefile builds the extension with the first.
            *known = mark.max(*known);
        }
        for folder in self.folders_of_parts() {
            let mark = match self.uses_torch_below(&folder) {
                true => Mark::Torch,
                false => Mark::Cuda,
            };
            self.marks.insert(folder, mark);
        }
        for folder in self.lent_folders() {
            self.marks.remove(&folder);
        }
        self
    }

    /// Folders with a list that is a part of one which finds PyTorch.
    fn folders_of_parts(&self) -> Vec<String> {
        let parts = self.marks.iter().filter(|(_, mark)| **mark == Mark::Part);
        parts.map(|(folder, _)| folder.clone()).collect()
    }

    /// Whether a file of a folder includes a header of PyTorch; a library beside it may be built with CUDA alone.
    fn uses_torch_below(&self, folder: &str) -> bool {
        self.files.iter().any(|(path, file)| {
            let rest = path.strip_prefix(folder);
            rest.is_some_and(|rest| rest.starts_with('/'))
                && file.includes.iter().any(|include| is_torch_header(include))
        })
    }

    /// Adds what scripts hand to PyTorch's build: the script and the paths as it writes them, from its own folder or from another.
    #[must_use]
    pub(crate) fn with_sources<'s>(
        mut self,
        scripts: impl IntoIterator<Item = (&'s str, &'s Sources)>,
    ) -> Self {
        for (script, sources) in scripts {
            self.has_setup_script |= script == "setup.py" || script.ends_with("/setup.py");
            let is_other = |it: &&String| !sources.for_nvidia.contains(it);
            let others: Vec<String> = sources.all.iter().filter(is_other).cloned().collect();
            let others = self.named_by(script, &others);
            let mut nvidia = self.named_by(script, &sources.for_nvidia);
            nvidia.retain(|it| !others.contains(it));
            self.extension_sources.extend(others);
            self.extension_sources.extend(nvidia.iter().cloned());
            self.nvidia_sources.extend(nvidia);
        }
        self
    }

    /// The files that a script names: by their paths, or by a pattern such as `csrc/*.cu` from its own folder.
    fn named_by(&self, script: &str, sources: &[String]) -> FxHashSet<String> {
        let folder = script.rsplit_once('/').map_or("", |(folder, _)| folder);
        let (patterns, paths): (Vec<&String>, Vec<&String>) =
            sources.iter().partition(|it| it.contains('*'));
        let found = paths.iter().filter_map(|it| self.resolve(script, it));
        let mut found: FxHashSet<String> = found.map(str::to_owned).collect();
        // What stands behind `os.path.join(folder, "*.cu")` is no path.
        for pattern in patterns.iter().filter(|it| it.contains('/')) {
            let Ok(glob) = globset::GlobBuilder::new(pattern)
                .literal_separator(true)
                .build()
            else {
                continue;
            };
            let glob = glob.compile_matcher();
            let below = self.files.keys().filter(|path| {
                let rest = path.strip_prefix(folder);
                rest.is_some_and(|rest| glob.is_match(rest.trim_start_matches('/')))
            });
            found.extend(below.cloned());
        }
        found
    }

    /// Whether scripts that serve AMD leave a file to NVIDIA: a source of a branch for NVIDIA, or a header that only such include.
    pub(crate) fn is_for_nvidia(&self, path: &str) -> bool {
        let known = self.for_nvidia.get_or_init(|| {
            let mut known = self.nvidia_sources.clone();
            let mut queue: Vec<String> = known.iter().cloned().collect();
            while let Some(path) = queue.pop() {
                let included = self.files.get(&path).into_iter();
                let included = included.flat_map(|file| &file.includes);
                let headers: Vec<String> = included
                    .filter_map(|include| self.resolve(&path, include))
                    .filter(|header| self.includers(header).all(|it| known.contains(it)))
                    .map(str::to_owned)
                    .collect();
                queue.extend(headers.into_iter().filter(|it| known.insert(it.clone())));
            }
            known
        });
        known.contains(path)
    }

    /// Says that a build script of the tree knows AMD.
    #[must_use]
    pub(crate) fn with_port(mut self, is_ported: bool) -> Self {
        self.ported = is_ported;
        self
    }

    /// Whether a build script of the tree asks for AMD, so that somebody builds for it.
    pub(crate) fn is_ported(&self) -> bool {
        self.ported
    }

    /// Whether PyTorch's build translates a file. Where no script makes extensions, a list that builds with CUDA itself renames nothing.
    pub(crate) fn is_torch(&self, path: &str) -> bool {
        !self.renames_nothing(path)
            && (self.mark_above(path) == Some(Mark::Torch)
                || self.by_torch_headers().contains(path)
                || self.is_beside_extensions(path))
    }

    /// Whether a file is a list or a script of no folder that builds with CUDA, in a tree with a setup.py at its root that builds nothing
    /// but extensions: they are made in another folder, `op_builder/`, and the list is one for CI.
    fn is_beside_extensions(&self, path: &str) -> bool {
        build_tool(path).is_some()
            && self.mark_above(path).is_none()
            && self.makes_extensions_alone()
    }

    /// Whether a tree has a setup.py at its root, and all its build scripts that use CUDA make extensions of PyTorch.
    fn makes_extensions_alone(&self) -> bool {
        let mut marks = self.marks.values();
        !self.marks.is_empty()
            && self.is_in_tree("setup.py")
            && marks.all(|mark| *mark == Mark::Torch)
    }

    /// Whether a list that builds with CUDA itself is all that builds a file: no script of the tree makes extensions of PyTorch.
    pub(crate) fn renames_nothing(&self, path: &str) -> bool {
        let mut marks = self.marks.values();
        self.mark_above(path) == Some(Mark::Cuda) && !marks.any(|mark| *mark == Mark::Torch)
    }

    /// Whether a setup.py of the tree makes extensions of PyTorch.
    pub(crate) fn has_setup_script(&self) -> bool {
        self.has_setup_script
    }

    /// Where the helper header lies, from the root of the tree: at the root, unless a file of the project's own has its name there, or,
    /// where PyTorch builds all that may call helpers, in the folder that has all of it, which goes into packages with the sources.
    pub(crate) fn helper_header(&self) -> &str {
        self.helper_header.get_or_init(|| {
            let users = self.callers_of_helpers();
            let is_all_torch = !users.is_empty() && users.iter().all(|path| self.is_torch(path));
            let folder = is_all_torch.then(|| shared_folder(&users));
            self.free_header(folder.unwrap_or_default())
        })
    }

    /// The files that may come to call helpers, sorted: of an extension whose sources its script lists, those that are compiled into it,
    /// for a benchmark or a test beside them goes into no package. Where none may, all that use CUDA.
    fn callers_of_helpers(&self) -> Vec<&String> {
        let uses_cuda = |(path, file): &(&String, &FileIndex)| {
            file.plain_bytes.is_none() && !self.is_in_submodule(path)
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
        let is_named = |&(path, _): &(&String, Number)| self.extension_sources.contains(path);
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

    /// The mark of the nearest folder above a file that has one.
    fn mark_above(&self, path: &str) -> Option<Mark> {
        self.marked_above(path).next().map(|(_, mark)| mark)
    }

    /// The folders above a file that have a mark, the nearest first.
    fn marked_above<'p>(&'p self, path: &'p str) -> impl Iterator<Item = (&'p str, Mark)> {
        let above = |path: &&'p str| match path.rsplit_once('/') {
            Some((above, _)) => Some(above),
            None => (!path.is_empty()).then_some(""),
        };
        let folders = std::iter::successors(above(&path), move |folder| above(folder));
        folders.filter_map(|folder| Some((folder, *self.marks.get(folder)?)))
    }

    /// Folders whose Makefile compiles tests with what an extension around them has: as PyTorch's build translates that, and the Makefile
    /// has it as it lies there, both stay CUDA's.
    fn lent_folders(&self) -> BTreeSet<String> {
        let lends = |(path, file): (&String, &FileIndex)| {
            let mut marked = self.marked_above(path);
            let (Some((folder, Mark::Cuda)), Some((_, Mark::Torch))) =
                (marked.next(), marked.next())
            else {
                return None;
            };
            let is_around = |header: &str| !header.starts_with(&format!("{folder}/"));
            let mut headers = file.includes.iter().filter_map(|it| self.resolve(path, it));
            headers.any(is_around).then(|| folder.to_owned())
        };
        self.files.iter().filter_map(lends).collect()
    }

    /// Whether a script hands a file to PyTorch's build and no list beside the file compiles it with CUDA itself: that list is ported, so
    /// that its sources have to be HIP, which PyTorch's build takes as it comes.
    fn is_extensions_alone(&self, path: &str) -> bool {
        self.extension_sources.contains(path) && self.mark_above(path) != Some(Mark::Cuda)
    }

    /// The files that come by a header of PyTorch or that a script hands to its build, and all that those include.
    fn by_torch_headers(&self) -> &FxHashSet<String> {
        self.torch.get_or_init(|| {
            let graph = self.graph();
            let uses = |path: &String| {
                let mut includes = self.files[path].includes.iter();
                includes.any(|include| is_torch_header(include)) || self.is_extensions_alone(path)
            };
            let users = graph.files_that_reach("headers of PyTorch", || {
                let files = graph.paths().iter().zip(0..);
                files
                    .filter(|(path, _)| uses(path))
                    .map(|(_, at)| at)
                    .collect()
            });
            let mut queue: Vec<Number> = users.iter().copied().collect();
            let mut found: FxHashSet<Number> = queue.iter().copied().collect();
            while let Some(file) = queue.pop() {
                let meant = graph.meanings(file).iter().filter_map(|it| it.file());
                queue.extend(meant.filter(|next| found.insert(*next)));
            }
            // What programs without PyTorch include as well is nothing that PyTorch's build alone translates.
            let paths = graph.paths();
            let is_plain = |&(path, at): &(&String, Number)| {
                let is_unit = path
                    .rsplit_once('.')
                    .is_some_and(|(_, it)| UNITS.contains(&it));
                is_unit && !users.contains(&at) && self.mark_above(path) != Some(Mark::Torch)
            };
            let mut queue: Vec<Number> = paths
                .iter()
                .zip(0..)
                .filter(is_plain)
                .map(|(_, at)| at)
                .collect();
            let mut plain: FxHashSet<Number> = queue.iter().copied().collect();
            while let Some(file) = queue.pop() {
                let meant = graph.meanings(file).iter().filter_map(|it| it.file());
                queue.extend(meant.filter(|next| plain.insert(*next)));
            }
            found
                .into_iter()
                .filter(|at| users.contains(at) || !plain.contains(at))
                .map(|at| paths[at as usize].clone())
                .collect()
        })
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
    use crate::project::FileIndex;

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
            let project = ProjectIndex::new(files, paths)
                .with_marks([(String::new(), Mark::Torch)])
                .with_sources([("setup.py", &sources)]);
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
            ("both/main.cu", plain("#include \"both.cuh\"\n")),
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
        let project = ProjectIndex::new(files, paths)
            .with_marks(marks.map(|(folder, mark)| (folder.to_owned(), mark)));
        let torch = |path: &str| project.is_torch(path);
        assert!(torch("csrc/a.cu") && torch("tool/op.cu") && torch("tool/shared.cuh"));
        assert!(!torch("tool/main.cu") && !torch("tool/k.cuh"));
        let alone = ProjectIndex::new(
            [("ops/op.cu".to_owned(), plain("#include <ATen/ATen.h>\n"))],
            ["ops/op.cu".to_owned()],
        );
        assert!(alone.is_torch("ops/op.cu"));
        let by_cmake = alone.with_marks([("ops".to_owned(), Mark::Cuda)]);
        assert!(!by_cmake.is_torch("ops/op.cu"));
        let sources = Sources {
            all: vec!["cuda/k.cu".to_owned()],
            ..Sources::default()
        };
        let named_beside = |marks: &[(&str, Mark)], path: &str| {
            ProjectIndex::new(
                [
                    ("cuda/k.cu".to_owned(), plain("#include \"k.cuh\"\n")),
                    ("cuda/k.cuh".to_owned(), plain("")),
                    ("cuda/other.cu".to_owned(), plain("")),
                ],
                ["cuda/k.cu", "cuda/k.cuh", "cuda/other.cu", "src/model.py"].map(str::to_owned),
            )
            .with_marks(
                marks
                    .iter()
                    .map(|(folder, mark)| ((*folder).to_owned(), *mark)),
            )
            .with_sources([("src/model.py", &sources)])
            .is_torch(path)
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
            ProjectIndex::new(files, paths)
                .with_marks(marks.map(|(folder, mark)| (folder.to_owned(), mark)))
                .is_torch("cuda/tests/Makefile")
        };
        assert!(tests("#include \"../k.cuh\"\n") && !tests("#include \"own.cuh\"\n"));
        // A list elsewhere is CI's where a setup.py at the root makes nothing but extensions.
        let named_from = |setup: &str, marks: &[(&str, Mark)]| {
            let paths = [setup, "build_win.bat", "src/model.py"].map(str::to_owned);
            let marks = marks
                .iter()
                .map(|(folder, mark)| ((*folder).to_owned(), *mark));
            ProjectIndex::new([], paths)
                .with_marks(marks)
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
