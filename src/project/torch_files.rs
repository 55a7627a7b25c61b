//! Which files of a tree PyTorch's build has by their includes, and which of them scripts leave to NVIDIA.

use rustc_hash::FxHashSet;

use crate::project::build_mark::{Mark, is_torch_header};
use crate::project::build_scripts::BuildScripts;
use crate::project::graph::{IncludeGraph, Number};
use crate::project::tree::Tree;

/// Files that compilers are given.
const UNITS: &[&str] = &["cu", "cpp", "cc", "cxx", "c"];

/// Which files of a tree are PyTorch's by who includes what.
#[derive(Debug)]
pub(super) struct TorchFiles {
    /// The files that come by a header of PyTorch or that a script hands to its build, and all that those include.
    by_headers: FxHashSet<String>,
    /// Those that scripts which serve AMD leave to NVIDIA: a source of a branch for NVIDIA, or a header that only such include.
    for_nvidia: FxHashSet<String>,
}

impl TorchFiles {
    /// Works it out from the includes of a tree and what its scripts name.
    pub(super) fn new(tree: Tree<'_>, scripts: &BuildScripts) -> Self {
        Self {
            by_headers: by_torch_headers(tree, scripts),
            for_nvidia: for_nvidia(tree, scripts),
        }
    }

    /// Whether a file comes by a header of PyTorch, or is of those that such a file includes.
    pub(super) fn come_by_headers(&self, path: &str) -> bool {
        self.by_headers.contains(path)
    }

    /// Whether a file is left to NVIDIA.
    pub(super) fn are_for_nvidia(&self, path: &str) -> bool {
        self.for_nvidia.contains(path)
    }
}

fn for_nvidia(tree: Tree<'_>, scripts: &BuildScripts) -> FxHashSet<String> {
    let mut known = scripts.nvidia_sources.clone();
    let mut queue: Vec<String> = known.iter().cloned().collect();
    while let Some(path) = queue.pop() {
        let included = tree.files.get(&path).into_iter();
        let included = included.flat_map(|file| &file.includes);
        let headers: Vec<String> = included
            .filter_map(|include| tree.paths.resolve(&path, include))
            .filter(|header| tree.includers(header).all(|it| known.contains(it)))
            .map(str::to_owned)
            .collect();
        queue.extend(headers.into_iter().filter(|it| known.insert(it.clone())));
    }
    known
}

fn by_torch_headers(tree: Tree<'_>, scripts: &BuildScripts) -> FxHashSet<String> {
    let graph = tree.graph;
    let uses = |path: &String| {
        let mut includes = tree.files[path].includes.iter();
        includes.any(|include| is_torch_header(include)) || scripts.hand_to_torch_alone(path)
    };
    let users = graph.files_that_reach("headers of PyTorch", || {
        let files = graph.paths().iter().zip(0..);
        files
            .filter(|(path, _)| uses(path))
            .map(|(_, at)| at)
            .collect()
    });
    let paths = graph.paths();
    let mut found = FxHashSet::default();
    with_included(graph, users.iter().copied().collect(), &mut found);
    // A unit beside them that includes what they include is of the same library, unless it is a program of its own.
    let folders: FxHashSet<&str> = users
        .iter()
        .map(|at| folder(&paths[*at as usize]))
        .collect();
    let shared = found.iter().filter(|at| !users.contains(*at)).copied();
    let near = graph.files_that_reach("headers of sources of PyTorch", || shared.collect());
    let is_beside = |at: &Number| {
        let path = &paths[*at as usize];
        is_unit(path) && folders.contains(folder(path)) && !tree.files[path].is_program
    };
    let beside: FxHashSet<Number> = near.iter().copied().filter(is_beside).collect();
    with_included(graph, beside.iter().copied().collect(), &mut found);
    // What programs without PyTorch include as well is nothing that PyTorch's build alone translates.
    let is_theirs = |at: &Number| users.contains(at) || beside.contains(at);
    let is_plain = |&(path, at): &(&String, Number)| {
        is_unit(path) && !is_theirs(&at) && scripts.mark_above(path) != Some(Mark::Torch)
    };
    let units = paths.iter().zip(0..).filter(is_plain);
    let mut plain = FxHashSet::default();
    with_included(graph, units.map(|(_, at)| at).collect(), &mut plain);
    found
        .into_iter()
        .filter(|at| is_theirs(at) || !plain.contains(at))
        .map(|at| paths[at as usize].clone())
        .collect()
}

/// Adds some files to a set, and all that they include.
fn with_included(graph: &IncludeGraph, files: Vec<Number>, found: &mut FxHashSet<Number>) {
    let mut queue = files;
    found.extend(queue.iter().copied());
    while let Some(file) = queue.pop() {
        let meant = graph.meanings(file).iter().filter_map(|it| it.file());
        queue.extend(meant.filter(|next| found.insert(*next)));
    }
}

fn is_unit(path: &str) -> bool {
    path.rsplit_once('.')
        .is_some_and(|(_, it)| UNITS.contains(&it))
}

fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::file::{FileIndex, Files};
    use crate::project::graph::IncludeGraph;
    use crate::project::listed_sources::Sources;
    use crate::project::paths::Paths;

    #[test]
    fn headers_of_sources_for_nvidia_are_so_until_another_includes_them() {
        let plain = |text: &str| FileIndex::of_plain(text.as_bytes());
        let files = Files::from_iter(
            [
                (
                    "ptx.cu",
                    plain("#include \"own.h\"\n#include \"shared.h\"\n"),
                ),
                (
                    "any.cu",
                    plain("#include <ATen/ATen.h>\n#include \"shared.h\"\n#include \"of_any.h\"\n"),
                ),
                ("main.cu", plain("#include \"shared.h\"\nint main() {}\n")),
                ("beside.cu", plain("#include \"of_any.h\"\n")),
                ("lib/other.cu", plain("#include \"../shared.h\"\n")),
                ("own.h", plain("")),
                ("shared.h", plain("")),
                ("of_any.h", plain("")),
            ]
            .map(|(path, file)| (path.to_owned(), file)),
        );
        let paths = Paths::new(files.keys().cloned());
        let named = |files: &[&str]| files.iter().map(|it| (*it).to_owned()).collect();
        let sources = Sources {
            all: named(&["ptx.cu", "any.cu"]),
            for_nvidia: named(&["ptx.cu"]),
        };
        let scripts =
            BuildScripts::default().with_sources(&files, &paths, [("setup.py", &sources)]);
        let graph = IncludeGraph::new(&files, |from, file, at| {
            paths.resolve(from, &file.includes[at])
        });
        let tree = Tree {
            files: &files,
            paths: &paths,
            graph: &graph,
        };
        let torch = TorchFiles::new(tree, &scripts);
        let all = ["ptx.cu", "own.h", "shared.h", "any.cu", "main.cu"];
        let nvidias = all.map(|path| torch.are_for_nvidia(path));
        assert_eq!(nvidias, [true, true, false, false, false]);
        let torchs = all.map(|path| torch.come_by_headers(path));
        assert_eq!(
            torchs,
            [true, true, false, true, false],
            "main.cu is not PyTorch's"
        );
        // What includes a header of PyTorch's sources beside them is of the same library, in another folder it is not.
        let near = ["beside.cu", "of_any.h", "lib/other.cu"];
        let near = near.map(|path| torch.come_by_headers(path));
        assert_eq!(near, [true, true, false]);
    }
}
