//! Which files of a tree PyTorch's build has by their includes, and which of them scripts leave to NVIDIA.

use rustc_hash::{FxHashMap, FxHashSet};

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
    /// Those that PyTorch's build has and a unit which a list builds with CUDA itself includes as well, each with such a unit.
    shared: FxHashMap<String, String>,
}

impl TorchFiles {
    /// Works it out from the includes of a tree and what its scripts name.
    pub(super) fn new(tree: Tree<'_>, scripts: &BuildScripts) -> Self {
        let (by_headers, shared) = by_torch_headers(tree, scripts);
        Self {
            by_headers,
            for_nvidia: for_nvidia(tree, scripts),
            shared,
        }
    }

    /// The unit that a list builds with CUDA itself and that includes a file which PyTorch's build has as well.
    pub(super) fn includer_of_another_build(&self, path: &str) -> Option<&str> {
        self.shared.get(path).map(String::as_str)
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

fn by_torch_headers(
    tree: Tree<'_>,
    scripts: &BuildScripts,
) -> (FxHashSet<String>, FxHashMap<String, String>) {
    let graph = tree.graph;
    let paths = graph.paths();
    let files_that = |uses: &dyn Fn(&String) -> bool| -> Vec<Number> {
        let files = paths.iter().zip(0..);
        let files = files.filter(|(path, _)| uses(path));
        files.map(|(_, at)| at).collect()
    };
    let uses = |path: &String| {
        let mut includes = tree.files[path].includes.iter();
        includes.any(|include| is_torch_header(include))
    };
    let of_headers = graph.files_that_reach("headers of PyTorch", || files_that(&uses));
    let is_handed = |path: &String| scripts.hand_to_torch_alone(path);
    let of_sources = graph.files_that_reach("sources of PyTorch", || files_that(&is_handed));
    // Another build may include a source of PyTorch's as well: that makes its own unit none, and the source stays PyTorch's.
    let is_anothers = |at: &Number| {
        let path = &paths[*at as usize];
        is_unit(path) && !is_handed(path) && scripts.mark_above(path) == Some(Mark::Cuda)
    };
    let others = of_sources.iter().copied().filter(is_anothers);
    let others: FxHashSet<Number> = others.collect();
    let of_sources = of_sources.iter().filter(|at| !others.contains(at));
    let users: FxHashSet<Number> = of_headers.iter().chain(of_sources).copied().collect();
    let mut found = FxHashSet::default();
    with_included(graph, users.iter().copied().collect(), &mut found);
    // A unit beside them that includes what they include is of the same library, unless it is a program of its own.
    let folders: FxHashSet<&str> = users
        .iter()
        .map(|at| folder(&paths[*at as usize]))
        .collect();
    let shared = found.iter().filter(|at| !users.contains(*at)).copied();
    let near = graph.files_that_reach("headers of sources of PyTorch", || shared.collect());
    // What a script of a shell compiles is linked into the extension as it comes.
    let is_compiled = |path: &str| {
        let list = scripts.list_of(path);
        list.is_some_and(|it| it.ends_with(".sh") && scripts.mark_above(it) != Some(Mark::Torch))
    };
    let is_beside = |at: &Number| {
        let path = &paths[*at as usize];
        is_unit(path)
            && folders.contains(folder(path))
            && !tree.files[path].is_program
            && !is_compiled(path)
    };
    let beside: FxHashSet<Number> = near.iter().copied().filter(is_beside).collect();
    with_included(graph, beside.iter().copied().collect(), &mut found);
    // What programs without PyTorch include as well is nothing that PyTorch's build alone translates.
    let is_theirs = |at: &Number| users.contains(at) || beside.contains(at);
    let is_plain = |&(path, at): &(&String, Number)| {
        is_unit(path)
            && !is_theirs(&at)
            && !others.contains(&at)
            && scripts.mark_above(path) != Some(Mark::Torch)
    };
    let units = paths.iter().zip(0..).filter(is_plain);
    let units: Vec<Number> = units.map(|(_, at)| at).collect();
    let is_listed = |at: &Number| scripts.mark_above(&paths[*at as usize]) == Some(Mark::Cuda);
    let listed = units.iter().chain(&others).copied().filter(is_listed);
    let shared = included_by(graph, listed, &found);
    let mut plain = FxHashSet::default();
    with_included(graph, units, &mut plain);
    let by_headers = found
        .into_iter()
        .filter(|at| is_theirs(at) || !plain.contains(at))
        .map(|at| paths[at as usize].clone())
        .collect();
    (by_headers, shared)
}

/// Of some files those that units include, each with the first that does.
fn included_by(
    graph: &IncludeGraph,
    units: impl Iterator<Item = Number>,
    files: &FxHashSet<Number>,
) -> FxHashMap<String, String> {
    let paths = graph.paths();
    let (mut seen, mut shared) = (FxHashSet::default(), FxHashMap::default());
    for unit in units {
        let mut queue = vec![unit];
        while let Some(file) = queue.pop() {
            let meant = graph.meanings(file).iter().filter_map(|it| it.file());
            for next in meant.filter(|next| seen.insert(*next)) {
                queue.push(next);
                if files.contains(&next) {
                    let of = |at: Number| paths[at as usize].clone();
                    shared.insert(of(next), of(unit));
                }
            }
        }
    }
    shared
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
