//! Who owns the code of a tree: what serves AMD already, by whose doing, and what is left to translate.

mod alone;
mod roots;
mod scope;

use std::collections::BTreeMap;

use crate::project::copies::Copies;
use crate::project::index::ProjectIndex;
use crate::project::owner::Owner;
use crate::project::taken::package;
use crate::project::twins::Twins;
use crate::project::vendors::{FOR_ANY, derived};
use crate::syntax::VendorMacros;
use crate::text::build_tool;

use roots::{folder, is_project, roots, roots_below};
pub use scope::{Layer, Scope};

/// The support for AMD that a tree has.
#[derive(Clone, Debug, Default)]
pub struct Support {
    /// The projects of the tree that have it.
    pub scopes: Vec<Scope>,
    /// Folders and files for NVIDIA that have a counterpart for AMD.
    pub twins: Twins,
    /// Copies of NVIDIA's libraries, which only its build takes.
    pub(crate) copies: Copies,
    /// Macros that one vendor's build alone defines.
    pub macros: VendorMacros,
    /// The same in projects that support AMD, where more is known.
    pub macros_of_scopes: VendorMacros,
    /// By the first file of each folder that such a project has for CUDA alone, how many files that are.
    pub(crate) cuda_folders: BTreeMap<String, usize>,
    /// All code of the tree is HIP's, whatever its build says.
    pub(crate) is_hips: bool,
    /// Code with CUDA beside these projects; none where there is more of it than of theirs.
    pub beside: Option<Vec<String>>,
}

impl Support {
    /// Works it out from what the files show.
    pub fn new(project: &ProjectIndex) -> Self {
        let twins = Twins::new(project);
        let is_hips = Scope::default().is_written_in_hip(project);
        let mut scopes = supported(project, &twins, is_hips);
        let macros = derived(defined(project));
        let mut macros_of_scopes = macros.clone();
        let apart = scopes.iter().flat_map(|scope| scope.apart(project));
        macros_of_scopes.nvidia.extend(apart);
        let code = project.files.iter();
        let code = code.filter(|(path, file)| {
            let is_cuda = path.ends_with(".cu") || path.ends_with(".cuh");
            is_cuda || !file.vendors.open.is_empty() || file.vendors.served > 0
        });
        let (theirs, beside): (Vec<_>, Vec<_>) =
            code.map(|(path, _)| path.clone()).partition(|path| {
                scopes.iter().any(|it| it.holds(path)) || twins.owner(path).is_some()
            });
        // What modules of Python hand on, no file of the tree includes and no build lists.
        if !project.builds.scripts.serve_both_by_cupy() {
            for scope in &mut scopes {
                scope.alone = alone::files(scope, project, &twins);
            }
        }
        let their_own = theirs.iter().filter(|path| package(path).is_none()).count();
        Self {
            cuda_folders: cuda_folders(&scopes),
            beside: (their_own > beside.len()).then_some(beside),
            scopes,
            twins,
            copies: project.copies().clone(),
            is_hips,
            macros,
            macros_of_scopes,
        }
    }

    /// Who owns a file.
    pub fn owner(&self, path: &str) -> Owner {
        if let Some(owner) = self.twins.owner(path) {
            return owner;
        }
        if self.copies.hold(path) {
            return Owner::Nvidia;
        }
        match self.scope(path) {
            Some(_) => Owner::Shared,
            None if self.is_about_scopes(path) => Owner::Shared,
            None => Owner::Ours,
        }
    }

    /// Whether a build file beside the projects is about them: a script without other code in its folder, a list with none below.
    fn is_about_scopes(&self, path: &str) -> bool {
        let is_script = build_tool(path).is_some();
        let own = folder(path);
        let is_near = |code: &String| match is_project(path) {
            true => code.starts_with(&own),
            false => folder(code) == own,
        };
        let beside = self
            .beside
            .as_ref()
            .filter(|_| is_script && !self.scopes.is_empty());
        beside.is_some_and(|code| !code.iter().any(is_near))
    }

    /// What is known of macros in a file of an owner.
    pub(crate) fn macros(&self, owner: Owner) -> &VendorMacros {
        match owner {
            Owner::Ours => &self.macros,
            _ => &self.macros_of_scopes,
        }
    }

    /// The project that a file belongs to, if it supports AMD.
    pub fn scope(&self, path: &str) -> Option<&Scope> {
        self.scopes.iter().find(|scope| scope.holds(path))
    }

    /// Whether a file belongs to a project whose build rewrites its sources with hipify and whose code has branches for AMD.
    pub(crate) fn has_hipified(&self, path: &str) -> bool {
        self.scope(path)
            .is_some_and(|scope| scope.hipifies && scope.branches > 0)
    }

    /// Whether a file is written for CUDA alone in a project that supports AMD: a translation deals with it, and the project goes on to
    /// build it for NVIDIA.
    pub(crate) fn is_alone(&self, path: &str) -> bool {
        self.scopes.iter().any(|scope| scope.is_left(path))
    }

    /// Whether there is any.
    pub fn is_empty(&self) -> bool {
        self.scopes.is_empty() && self.twins.is_empty()
    }
}

/// The projects of a tree that support AMD.
fn supported(project: &ProjectIndex, twins: &Twins, is_hips: bool) -> Vec<Scope> {
    let candidates = roots(project)
        .into_iter()
        .map(|root| Scope::new(root, project));
    let (mut scopes, plans): (Vec<Scope>, Vec<Scope>) =
        candidates.partition(|scope| scope.is_supported(twins));
    // A project whose own code has nothing for AMD may bring a library along that has.
    let brought = plans.iter().flat_map(|plan| below(plan, project, twins));
    scopes.extend(brought);
    let is_brought = |scope: &Scope| package(&scope.root).is_some();
    if scopes.iter().all(is_brought) {
        let is_alone = scopes.is_empty();
        let maps = Scope::of_mappings(project);
        scopes.extend(maps.filter(|it| is_alone || it.has_own_mapping()));
    }
    // HIP itself, as AMD's runtime or HIP-CPU: whoever has its header builds for it, whatever the build says.
    if scopes.is_empty() && is_hips && project.paths.files_called("hip_runtime.h") > 0 {
        scopes.push(Scope::new(String::new(), project));
    }
    // A tree whose own code is not ported may bring a library along that is.
    let scopes = scopes.into_iter();
    scopes
        .flat_map(|scope| match scope.is_begun(project, twins) {
            false => vec![scope],
            true => below(&scope, project, twins),
        })
        .collect()
}

/// The projects within one that has no more than a beginning which support AMD themselves.
fn below(outer: &Scope, project: &ProjectIndex, twins: &Twins) -> Vec<Scope> {
    if outer.only.is_some() {
        return Vec::new();
    }
    roots_below(project, &outer.root)
        .into_iter()
        .map(|root| Scope::new(root, project))
        .filter(|scope| scope.is_supported(twins) && !scope.is_begun(project, twins))
        .collect()
}

/// The folders with files for CUDA alone that are left to a translation: the first file of each, and how many there are.
fn cuda_folders(scopes: &[Scope]) -> BTreeMap<String, usize> {
    let left = scopes.iter().flat_map(|scope| {
        let alone = scope.alone.iter();
        alone.filter(|path| scope.is_left(path))
    });
    let mut folders = BTreeMap::<String, Vec<&String>>::new();
    for path in left {
        folders.entry(folder(path)).or_default().push(path);
    }
    let first = |files: Vec<&String>| {
        let first = files.iter().min().map(|path| (*path).clone());
        first.map(|path| (path, files.len()))
    };
    folders.into_values().filter_map(first).collect()
}

/// For whom each macro of the tree is defined; in files without CUDA that is for anybody.
fn defined(project: &ProjectIndex) -> impl Iterator<Item = (&[u8], u8)> {
    project.files.values().flat_map(|file| {
        let of_both = file
            .vendors
            .defined
            .iter()
            .map(|(name, whom)| (&**name, *whom));
        let plain = file.plain_bytes.is_some();
        let constants = file.constants.keys().chain(file.expressions.keys());
        let names = constants.chain(&file.flags).filter(move |_| plain);
        of_both.chain(names.map(|name| (&**name, FOR_ANY)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compat;
    pub(super) use crate::project::probe::tree;

    fn owners(files: &[(&str, &str)]) -> Vec<Owner> {
        let project = tree(files);
        let support = Support::new(&project);
        let paths = files.iter().map(|(path, _)| *path);
        paths.map(|path| support.owner(path)).collect()
    }

    pub(super) const BUILD: (&str, &str) = (
        "CMakeLists.txt",
        "option(A_HIP \"\" OFF)\nenable_language(HIP)\n",
    );
    pub(super) const BRANCHES: (&str, &str) = (
        "a.h",
        "#ifdef A_HIP\n#include <hip/hip_runtime.h>\n#define gpuFree hipFree\n#else\n#include <cuda_runtime.h>\n#endif\n",
    );
    const PLAIN: (&str, &str) = ("b.cu", "#include \"a.h\"\nint main() { cudaFree(0); }\n");
    const SHIM: (&str, &str) = (
        "shim.h",
        "#define cudaFree hipFree\n#define cudaMalloc hipMalloc\n#define cudaMemcpy hipMemcpy\n",
    );

    /// A header with so many names of the project's own for both vendors; ten are the most.
    pub(super) fn layer(count: usize) -> String {
        let names = [
            "Free",
            "Malloc",
            "Memcpy",
            "Memset",
            "SetDevice",
            "GetDevice",
            "Success",
            "StreamCreate",
            "StreamDestroy",
            "EventCreate",
        ];
        let of = |vendor: &str| -> String {
            let lines = names.iter().take(count);
            lines
                .map(|name| format!("#define gpu{name} {vendor}{name}\n"))
                .collect()
        };
        format!("#ifdef A_HIP\n{}#else\n{}#endif\n", of("hip"), of("cuda"))
    }

    #[test]
    fn the_header_of_this_tool_is_no_code_for_amd() {
        let header = (compat::HEADER_NAME, BRANCHES.1);
        assert_eq!(owners(&[BUILD, BRANCHES])[1], Owner::Shared);
        assert_eq!(owners(&[BUILD, header])[1], Owner::Ours);
    }

    #[test]
    fn a_build_for_amd_and_code_for_amd_make_a_project_that_supports_it() {
        use Owner::{Ours, Shared};
        assert_eq!(owners(&[BUILD, BRANCHES, PLAIN]), [Shared; 3]);
        assert_eq!(owners(&[BUILD, PLAIN]), [Ours; 2]);
        assert_eq!(owners(&[BRANCHES, PLAIN]), [Ours; 2]);
        let elsewhere = ("other/CMakeLists.txt", BUILD.1);
        assert_eq!(owners(&[elsewhere, BRANCHES, PLAIN]), [Ours; 3]);
    }

    /// Twenty files with three names of HIP each.
    fn written_in_hip() -> Vec<(String, &'static str)> {
        let calls = "__global__ void k();\nvoid f() { hipFree(0); hipFree(0); hipFree(0); }\n";
        (0..20).map(|at| (format!("{at}.cpp"), calls)).collect()
    }

    #[test]
    fn a_project_that_is_written_in_hip_serves_amd() {
        let code = written_in_hip();
        let words = ("device.h", "__device__ void g();\n");
        let one = ("left.cu", "int main() { cudaFree(0); }\n");
        let many = ("left.cu", "int main() { cudaFree(0); cudaFree(0); }\n");
        for (count, left, expected) in [
            (20, one, Owner::Shared),
            (20, many, Owner::Ours),
            (4, words, Owner::Ours),
        ] {
            let files = code[..count].iter().map(|(path, text)| (&**path, *text));
            let files: Vec<(&str, &str)> = files.chain([BUILD, words, left]).collect();
            let found = owners(&files);
            assert_eq!(found[count + 1], expected, "{count} files, {}", left.1);
            // Of what an earlier run wrote, everything is told again.
            let written = Support::new(&tree(&files).with_output(true));
            assert_eq!(written.owner("device.h"), Owner::Ours);
        }
    }

    #[test]
    fn an_implementation_of_hip_serves_amd() {
        let code = written_in_hip();
        let build = ("CMakeLists.txt", "project(runtime CXX)\n");
        let own = ("include/hip/hip_runtime.h", "__device__ void g();\n");
        for (header, expected) in [(own, Owner::Shared), (("hip.h", own.1), Owner::Ours)] {
            let files = code.iter().map(|(path, text)| (&**path, *text));
            let files: Vec<(&str, &str)> = files.chain([build, header]).collect();
            assert_eq!(owners(&files)[0], expected, "{}", header.0);
        }
    }

    #[test]
    fn a_folder_for_amd_serves_it() {
        let files = [
            BUILD,
            ("cuda/a.cpp", "void f() { cudaFree(0); }\n"),
            (
                "hip/a.cpp",
                "#include <hip/hip_runtime.h>\nvoid f() { hipFree(0); }\n",
            ),
            PLAIN,
        ];
        let expected = [Owner::Shared, Owner::Nvidia, Owner::Amd, Owner::Ours];
        assert_eq!(owners(&files), expected);
    }

    #[test]
    fn a_library_that_supports_amd_stays_in_a_tree_that_does_not() {
        let many = "cudaFree(0); ".repeat(100);
        let plain = ("b.cu", format!("int main() {{ {many}}}\n"));
        let list = (
            "CMakeLists.txt",
            "if(A_HIP)\nendif()\nadd_subdirectory(lib)\n",
        );
        let build = ("lib/CMakeLists.txt", BUILD.1);
        let branches = ("lib/a.h", BRANCHES.1);
        let files = [list, ("b.cu", &*plain.1), build, branches];
        let expected = [Owner::Ours, Owner::Ours, Owner::Shared, Owner::Shared];
        assert_eq!(owners(&files), expected);
    }

    #[test]
    fn what_a_project_took_from_others_supports_amd_for_itself_alone() {
        use Owner::{Ours, Shared};
        let code = written_in_hip();
        let taken: Vec<String> = (0..20).map(|at| format!("deps/a/{at}.cpp")).collect();
        let taken = taken
            .iter()
            .zip(&code)
            .map(|(path, (_, text))| (&**path, *text));
        let build = ("deps/a/CMakeLists.txt", BUILD.1);
        let branches = ("deps/a/a.h", BRANCHES.1);
        let script = ("run.sh", "nvcc src/b.cu\n");
        let plain = ("src/b.cu", PLAIN.1);
        for list in ["project(a)\n", "message(HIP)\n", BUILD.1] {
            let own = [("CMakeLists.txt", list), plain, script, branches, build];
            let files: Vec<(&str, &str)> = own.into_iter().chain(taken.clone()).collect();
            let expected = [Ours, Ours, Ours, Shared, Shared];
            assert_eq!(owners(&files)[..5], expected, "{list}");
        }
        // What supports AMD still covers what it took.
        let open = ("deps/a/c.cu", PLAIN.1);
        let own = [BUILD, BRANCHES, ("deps/a/Makefile", "c:\n"), open];
        assert_eq!(owners(&own), [Shared; 4]);
    }

    #[test]
    fn a_header_with_names_for_both_vendors_is_no_beginning() {
        let many = "cudaFree(0); ".repeat(100);
        let plain = ("b.cu", format!("int main() {{ {many}}}\n"));
        for (count, expected) in [(10, Owner::Shared), (9, Owner::Ours)] {
            let layer = layer(count);
            let files = [BUILD, ("gpu.h", &layer), ("b.cu", &plain.1)];
            assert_eq!(owners(&files)[2], expected, "{count} names");
        }
    }

    #[test]
    fn scripts_beside_the_only_project_are_about_it() {
        use Owner::{Ours, Shared};
        let [build, branches, plain] = [BUILD, BRANCHES, PLAIN].map(|(path, text)| {
            let path: &str = match path {
                "CMakeLists.txt" => "src/CMakeLists.txt",
                "a.h" => "src/a.h",
                _ => "src/b.cu",
            };
            (path, text)
        });
        let script = ("tests/run.sh", "cmake -DCMAKE_CUDA_COMPILER=nvcc src\n");
        assert_eq!(owners(&[build, branches, plain, script]), [Shared; 4]);
        let beside = ("other/c.cu", "int main() { cudaFree(0); }\n");
        let list = ("other/Makefile", "a: c.cu\n\tnvcc c.cu\n");
        let all = owners(&[build, branches, plain, script, list, beside]);
        assert_eq!(all, [Shared, Shared, Shared, Shared, Ours, Ours]);
    }

    #[test]
    fn what_was_only_begun_is_translated() {
        use Owner::{Ours, Shared};
        let open = "cudaFree(0); cudaMalloc(0, 4);";
        let of = |text: &str| {
            let text = format!("#include \"a.h\"\n{text}");
            owners(&[BUILD, BRANCHES, ("c.cu", &text)])[2]
        };
        assert_eq!(of("cudaFree(0);"), Shared);
        assert_eq!(of(open), Ours);
        assert_eq!(of(&format!("#ifdef __CUDACC__\n{open}\n#endif")), Shared);
        assert_eq!(of(&format!("#ifdef A_CUDA\n{open}\n#endif")), Shared);
        assert_eq!(of(&format!("#ifdef A_GPU\n{open}\n#endif")), Ours);
        assert_eq!(
            of(&format!("#ifdef A_HIP\nhipFree(0);\n#endif\n{open}")),
            Shared
        );
    }

    /// Code over a library for both vendors names nothing of HIP, and what it calls after CUDA is its side for CUDA.
    #[test]
    fn code_that_chooses_by_a_macro_of_the_build_for_amd_serves_it() {
        let chooses = (
            "sort.hpp",
            "#if defined(LIB_ENABLE_CUDA)\ncudaStream_t s;\n#elif defined(LIB_ENABLE_HIP)\nint s;\n#endif\n",
        );
        let example = "int main() { cudaFree(0); cudaMalloc(0, 4); }\n";
        let of = |name: &str| owners(&[BUILD, chooses, (name, example)]);
        assert_eq!(of("example_cuda.cpp"), [Owner::Shared; 3]);
        assert_eq!(of("example.cpp"), [Owner::Ours; 3]);
    }

    #[test]
    fn a_header_that_maps_names_speaks_for_those_that_see_it() {
        use Owner::{Ours, Shared};
        let sees = (
            "c.cu",
            "#ifdef A_HIP\n#include \"shim.h\"\n#endif\nvoid f() { cudaFree(0); }\n",
        );
        assert_eq!(owners(&[SHIM, sees, PLAIN]), [Shared, Shared, Ours]);
        let two = (
            "shim.h",
            "#define cudaFree hipFree\n#define cudaMalloc hipMalloc\n",
        );
        assert_eq!(owners(&[two, sees]), [Ours; 2]);
    }

    #[test]
    fn a_header_that_only_served_files_include_is_served() {
        use Owner::{Ours, Shared};
        let header = ("d.h", "void f(cudaStream_t);\nvoid g(cudaEvent_t);\n");
        let sees = ("c.cu", "#include \"shim.h\"\n#include \"d.h\"\n");
        let other = ("e.cu", "#include \"d.h\"\nvoid f() { cudaFree(0); }\n");
        assert_eq!(owners(&[SHIM, sees, header]), [Shared; 3]);
        assert_eq!(
            owners(&[SHIM, sees, header, other]),
            [Shared, Shared, Ours, Ours]
        );
        assert_eq!(owners(&[SHIM, sees, header, PLAIN])[2], Shared);
    }

    #[test]
    fn a_mapping_header_that_nobody_includes_is_the_builds() {
        use Owner::{Ours, Shared};
        let branch = "#ifdef __HIPCC__\nint a = hipSuccess;\n#else\nint a = cudaSuccess;\n#endif\n";
        let files = [SHIM, PLAIN, ("x.h", branch), ("y.h", branch)];
        assert_eq!(owners(&files), [Shared, Ours, Ours, Ours]);
        let three = [
            SHIM,
            PLAIN,
            ("x.h", branch),
            ("y.h", branch),
            ("z.h", branch),
        ];
        assert_eq!(owners(&three), [Shared; 5]);
    }

    #[test]
    fn a_folder_or_file_with_a_counterpart_for_amd_is_nvidias() {
        use Owner::{Amd, Nvidia, Ours};
        let cuda = ("x/cuda/a.cu", PLAIN.1);
        let hip = (
            "x/hip/a.cpp",
            "#include <hip/hip_runtime.h>\nint main() { hipFree(0); }\n",
        );
        let empty = ("x/hip/a.cpp", "int main() {}\n");
        assert_eq!(owners(&[cuda, hip, PLAIN]), [Nvidia, Amd, Ours]);
        assert_eq!(owners(&[cuda, empty, PLAIN]), [Ours; 3]);
        let pair = [("solver_cuda.cu", PLAIN.1), ("solver_hip.cpp", hip.1)];
        assert_eq!(owners(&pair), [Nvidia, Amd]);
    }
}
