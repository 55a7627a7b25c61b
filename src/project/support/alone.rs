//! Code of a project that supports AMD which the support does not reach: it is written for CUDA alone.

use rustc_hash::FxHashSet;

use super::scope::Scope;
use crate::project::graph::Number;
use crate::project::index::ProjectIndex;
use crate::project::twins::Twins;
use crate::text::Language;

/// The files of a project that AMD's compiler cannot read and that nobody has ported: they use names of CUDA in code for both vendors, and
/// come to nothing for AMD by their own includes. Headers that such files alone include are among them.
pub(super) fn files(scope: &Scope, project: &ProjectIndex, twins: &Twins) -> FxHashSet<String> {
    if scope.hipifies || has_forced_mapping(scope, project) {
        return FxHashSet::default();
    }
    let graph = project.graph();
    let paths = graph.paths();
    let is_inside = |file: Number| {
        let path = &paths[file as usize];
        scope.holds(path) && Language::of_path(path) == Language::CFamily
    };
    let served = served(project);
    let nvidias: FxHashSet<Box<[u8]>> = scope.apart(project).into_iter().collect();
    let mut queue: Vec<Number> = (0..paths.len() as Number)
        // What the host's compiler reads is for tools of NVIDIA's more often than not, and left out by the build: it stays, with a note.
        .filter(|&file| paths[file as usize].ends_with(".cu"))
        .filter(|&file| is_inside(file) && !served.contains(&file))
        .filter(|&file| twins.owner(&paths[file as usize]).is_none())
        .filter(|&file| !scope.of_nvidia.contains(&paths[file as usize]))
        .filter(|&file| is_open(project, &nvidias, &paths[file as usize]))
        .collect();
    let mut alone = FxHashSet::default();
    while let Some(file) = queue.pop() {
        if alone.insert(file) {
            let included = graph.meanings(file).iter().filter_map(|it| it.file());
            queue.extend(included.filter(|&it| is_inside(it) && !served.contains(&it)));
        }
    }
    let owned = alone.into_iter().map(|file| paths[file as usize].clone());
    owned.collect()
}

/// Whether the build puts a mapping header in front of all sources: nobody includes it.
fn has_forced_mapping(scope: &Scope, project: &ProjectIndex) -> bool {
    let graph = project.graph();
    let is_header = |path: &str| Language::of_path(path) == Language::CFamily && !is_unit(path);
    let mut headers = scope.mappings.iter().filter(|(path, _)| is_header(path));
    headers.any(|(path, _)| {
        let file = graph.number(path);
        file.is_some_and(|file| graph.includers(file).is_empty())
    })
}

/// Whether a compiler is given the file itself.
fn is_unit(path: &str) -> bool {
    let end = path.rsplit('.').next().unwrap_or_default();
    matches!(end, "cu" | "c" | "cc" | "cpp" | "cxx" | "C" | "hip")
}

/// Whether a file uses names of CUDA in code that a build for AMD compiles.
fn is_open(project: &ProjectIndex, nvidias: &FxHashSet<Box<[u8]>>, path: &str) -> bool {
    let file = &project.files[path];
    let mut open = file.vendors.open.iter();
    open.any(|name| {
        !file.names.contains(&name.word) && !name.macros.iter().any(|it| nvidias.contains(it))
    })
}

/// The files that have something for AMD, those that come to it by their includes, and what these include.
fn served(project: &ProjectIndex) -> FxHashSet<Number> {
    let graph = project.graph();
    let paths = graph.paths();
    let has_something = |file: &Number| {
        let index = &project.files[&paths[*file as usize]];
        let facts = &index.vendors;
        facts.has_hip
            || facts.has_branches
            || facts.aliases > 0
            || facts.is_layer()
            || !facts.switches.is_empty()
            || index.names_hip
    };
    let knows = graph.files_that_reach("code for AMD", || {
        let files = 0..paths.len() as Number;
        files.filter(has_something).collect()
    });
    let mut served = FxHashSet::default();
    let mut queue: Vec<Number> = knows.iter().copied().collect();
    while let Some(file) = queue.pop() {
        if served.insert(file) {
            queue.extend(graph.meanings(file).iter().filter_map(|it| it.file()));
        }
    }
    served
}

#[cfg(test)]
mod tests {
    use crate::project::owner::Owner::{self, Nvidia, Ours, Shared};
    use crate::project::support::Support;
    use crate::project::support::tests::{BRANCHES, BUILD, tree};

    const OPEN: &str = "void f() { cudaFree(0); }\n";

    /// Code for AMD, more of it than what is open in a test: the support is no beginning.
    const SERVED: (&str, &str) = (
        "served.cpp",
        "#include \"a.h\"\n#ifdef A_HIP\nint a = hipFree(0) + hipFree(1) + hipFree(2) + hipFree(3);\n#else\nint a = cudaFree(0);\n#endif\n",
    );

    fn owners(files: &[(&str, &str)]) -> Vec<Owner> {
        let own = [BUILD, BRANCHES, SERVED];
        let all: Vec<_> = own.iter().chain(files).copied().collect();
        let support = Support::new(&tree(&all));
        let paths = files.iter().map(|(path, _)| *path);
        paths.map(|path| support.owner(path)).collect()
    }

    #[test]
    fn code_that_comes_to_nothing_for_amd_is_left_to_translate() {
        let reaches = ("b.cu", "#include \"a.h\"\nvoid f() { cudaFree(0); }\n");
        let by_header = ("c.cu", "#include \"d.h\"\nvoid f() { cudaFree(0); }\n");
        let header = ("d.h", "#include \"a.h\"\n");
        assert_eq!(owners(&[reaches, by_header, header]), [Shared; 3]);
        assert_eq!(owners(&[("e.cu", OPEN), reaches]), [Ours, Shared]);
        let guarded = ("g.cu", "#ifdef A_CUDA\nvoid f() { cudaFree(0); }\n#endif\n");
        assert_eq!(owners(&[guarded]), [Shared]);
        assert_eq!(owners(&[("h.cpp", "int f() { return 0; }\n")]), [Shared]);
    }

    #[test]
    fn headers_go_with_those_that_include_them() {
        let header = ("k.cuh", "__global__ void k(float *x) { x[0] = 1; }\n");
        let alone = ("e.cu", "#include \"k.cuh\"\nvoid f() { cudaFree(0); }\n");
        let reaches = ("b.cu", "#include \"a.h\"\n#include \"k.cuh\"\n");
        assert_eq!(owners(&[header, alone]), [Ours, Ours]);
        assert_eq!(owners(&[header, alone, reaches]), [Shared, Ours, Shared]);
    }

    #[test]
    fn a_pair_and_what_the_build_maps_stay() {
        let hip = (
            "s_hip.cpp",
            "#include <hip/hip_runtime.h>\nvoid f() { hipFree(0); }\n",
        );
        assert_eq!(owners(&[("s_cuda.cu", OPEN), hip])[0], Nvidia);
        let forced = (
            "map.h",
            "#define cudaFree hipFree\n#define cudaMalloc hipMalloc\n#define cudaMemcpy hipMemcpy\n",
        );
        assert_eq!(owners(&[("e.cu", OPEN), forced])[0], Shared);
    }
}
