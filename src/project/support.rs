//! Who owns the code of a tree: what serves AMD already, by whose doing, and what is left to translate.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::compat;
use crate::project::index::ProjectIndex;
use crate::project::owner::Owner;
use crate::project::twins::Twins;
use crate::project::vendors::{FOR_AMD, FOR_ANY, counterparts, derived, is_about_library};
use crate::syntax::VendorMacros;
use crate::text::Language;

/// The support for AMD that a tree has.
#[derive(Clone, Debug, Default)]
pub struct Support {
    /// The projects of the tree that have it.
    pub scopes: Vec<Scope>,
    /// Folders and files for NVIDIA that have a counterpart for AMD.
    pub twins: Twins,
    /// Macros that one vendor's build alone defines.
    pub macros: VendorMacros,
    /// The same in projects that support AMD, where more is known.
    pub macros_of_scopes: VendorMacros,
    /// Code with CUDA beside these projects; none where there is more of it than of theirs.
    pub beside: Option<Vec<String>>,
}

/// One project of a tree that supports AMD.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    /// Its folder: empty or with `/` at its end.
    pub root: String,
    /// The files that it is about, where not all below the folder.
    pub only: Option<FxHashSet<String>>,
    /// Headers that map names of CUDA to HIP's, and how many they map.
    pub mappings: Vec<(String, usize)>,
    /// Headers with names of the project's own for both vendors.
    pub layers: Vec<Layer>,
    /// What they map.
    pub covers: FxHashSet<Box<[u8]>>,
    /// Macros by which the code chooses.
    pub switches: BTreeSet<String>,
    /// Options of the build that switch it on.
    pub options: BTreeSet<String>,
    /// By build file, what it does for AMD.
    pub signs: BTreeMap<String, BTreeSet<String>>,
    /// The build rewrites the sources with AMD's hipify.
    pub hipifies: bool,
    /// Files with code for AMD alone.
    pub branches: usize,
}

/// A header with names of a project's own for both vendors: `gpuFree` for `cudaFree` and `hipFree`.
#[derive(Clone, Debug)]
pub struct Layer {
    /// Its path.
    pub header: String,
    /// Those names, by the name of CUDA that each stands for.
    pub names: FxHashMap<Box<[u8]>, Box<[u8]>>,
}

impl Support {
    /// Works it out from what the files show.
    pub fn new(project: &ProjectIndex) -> Self {
        let twins = Twins::new(project);
        let mut scopes: Vec<Scope> = roots(project)
            .into_iter()
            .map(|root| Scope::new(root, project))
            .filter(|scope| scope.is_supported(&twins))
            .collect();
        if scopes.is_empty() {
            scopes.extend(Scope::of_mappings(project));
        }
        scopes.retain(|scope| !scope.is_begun(project, &twins));
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
        Self {
            beside: (theirs.len() > beside.len()).then_some(beside),
            scopes,
            twins,
            macros,
            macros_of_scopes,
        }
    }

    /// Who owns a file.
    pub fn owner(&self, path: &str) -> Owner {
        if let Some(owner) = self.twins.owner(path) {
            return owner;
        }
        match self.scope(path) {
            Some(_) => Owner::Shared,
            None if self.is_about_scopes(path) => Owner::Shared,
            None => Owner::Ours,
        }
    }

    /// Whether a build file beside the projects is about them: a script without other code in its folder, a list with none below.
    fn is_about_scopes(&self, path: &str) -> bool {
        let is_script = matches!(Language::of_path(path), Language::Build(_));
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

    /// Whether there is any.
    pub fn is_empty(&self) -> bool {
        self.scopes.is_empty() && self.twins.is_empty()
    }
}

impl Scope {
    fn new(root: String, project: &ProjectIndex) -> Self {
        let mut scope = Self {
            root,
            ..Self::default()
        };
        scope.add_sources(project);
        let builds = project.build_facts.iter();
        for (path, facts) in builds.filter(|(path, _)| path.starts_with(&scope.root)) {
            scope.options.extend(facts.options.iter().cloned());
            scope.hipifies |= facts.hipifies;
            if !facts.signs.is_empty() {
                scope.signs.insert(path.clone(), facts.signs.clone());
            }
        }
        scope
    }

    /// Without a build file the files that see a mapping header are known to serve AMD, and no others.
    fn of_mappings(project: &ProjectIndex) -> Option<Self> {
        let mut scope = Self::default();
        scope.add_sources(project);
        if scope.mappings.is_empty() {
            return None;
        }
        let paths = project.files.keys();
        scope.only = Some(
            paths
                .filter(|path| project.sees_mapping(path))
                .cloned()
                .collect(),
        );
        Some(scope)
    }

    fn add_sources(&mut self, project: &ProjectIndex) {
        let files = project.files.iter();
        let inside = files.filter(|(path, _)| path.starts_with(&self.root) && !is_helpers(path));
        let mut mappings = Vec::new();
        for (path, file) in inside {
            let facts = &file.vendors;
            self.switches.extend(facts.switches.iter().cloned());
            self.covers.extend(facts.covers.iter().cloned());
            self.branches += usize::from(facts.has_branches);
            if facts.is_layer() {
                self.layers.push(Layer {
                    header: path.clone(),
                    names: facts.layer.clone(),
                });
            }
            if facts.is_mapping() {
                self.covers.extend(file.names.iter().cloned());
                let names = facts.covers.union(&file.names).count();
                mappings.push((path.clone(), names));
            }
        }
        mappings.sort();
        self.mappings = mappings;
        self.layers.sort_by(|a, b| a.header.cmp(&b.header));
    }

    /// A build that speaks of HIP and code that does: either alone may be a plan.
    fn is_supported(&self, twins: &Twins) -> bool {
        !self.mappings.is_empty()
            || self.branches > 0
            || self.hipifies
            || !self.layers.is_empty()
            || twins.is_below(&self.root)
    }

    /// The project's own name for one of CUDA's, and the header that has it.
    pub(crate) fn own_name(&self, word: &[u8]) -> Option<(String, &str)> {
        self.layers.iter().find_map(|layer| {
            let name = String::from_utf8_lossy(layer.names.get(word)?).into_owned();
            Some((name, &*layer.header))
        })
    }

    /// Whether a file belongs to it.
    pub fn holds(&self, path: &str) -> bool {
        path.starts_with(&self.root) && self.only.as_ref().is_none_or(|only| only.contains(path))
    }

    /// Whether the support is no more than a beginning: without cover there are more names of CUDA in code for both vendors than names
    /// that serve AMD. Who asks for a translation of such a tree wants all of it. A header with names for both vendors is no beginning:
    /// its project means both builds, and what does not go through it is a gap.
    fn is_begun(&self, project: &ProjectIndex, twins: &Twins) -> bool {
        if self.hipifies || !self.layers.is_empty() {
            return false;
        }
        let nvidias: FxHashSet<Box<[u8]>> = self.apart(project).into_iter().collect();
        let (mut served, mut open) = (0, 0);
        let files = project.files.iter();
        for (path, file) in files.filter(|(path, _)| self.holds(path) && !is_helpers(path)) {
            if twins.owner(path).is_some() {
                // What NVIDIA's side of a pair names, AMD's side answers.
                served += file.vendors.open.iter().map(|it| it.uses).sum::<usize>();
                continue;
            }
            served += file.vendors.served;
            for name in &file.vendors.open {
                let is_nvidias = name.macros.iter().any(|it| nvidias.contains(it));
                match self.covers.contains(&name.word) {
                    true => served += name.uses,
                    false if is_nvidias || file.names.contains(&name.word) => {}
                    false => open += name.uses,
                }
            }
        }
        open > served
    }

    /// Whether a macro is about a library of CUDA, where nothing turns its names into those of AMD's.
    fn lacks_library(&self, name: &[u8]) -> bool {
        self.mappings.is_empty() && !self.hipifies && is_about_library(name)
    }

    /// The macros about CUDA that a build for AMD does not define: the code has one about HIP in their place, and none of them holds
    /// code for AMD.
    fn apart(&self, project: &ProjectIndex) -> Vec<Box<[u8]>> {
        let facts = || {
            let files = project.files.iter();
            let inside = files.filter(|(path, _)| self.holds(path));
            inside.map(|(_, file)| &file.vendors)
        };
        let asked: BTreeSet<&Box<[u8]>> = facts().flat_map(|facts| &facts.asked).collect();
        let apart: FxHashSet<&Box<[u8]>> = facts().flat_map(|facts| &facts.apart).collect();
        let around: FxHashSet<&Box<[u8]>> = facts().flat_map(|facts| &facts.around).collect();
        let is_for_amd = |name: &[u8]| {
            let mut whom = facts().filter_map(|facts| facts.defined.get(name));
            whom.any(|whom| whom & FOR_AMD != 0)
        };
        let has_counterpart = |name: &[u8]| {
            let mut names = counterparts(name).into_iter();
            names.any(|name| self.switches.contains(&name) || self.options.contains(&name))
        };
        let apart = asked.into_iter().filter(|name| {
            !around.contains(name)
                && (apart.contains(name) || has_counterpart(name) || self.lacks_library(name))
                && !is_for_amd(name)
        });
        // What nvcc defines, hipcc does not; a project that does it by hand means it.
        const OF_NVCC: &[&[u8]] = &[
            b"__CUDACC__",
            b"__NVCC__",
            b"__CUDA_ARCH__",
            b"CUDA_VERSION",
            b"CUDART_VERSION",
        ];
        let by_nvcc = OF_NVCC.iter().filter(|name| !is_for_amd(name));
        apart
            .cloned()
            .chain(by_nvcc.map(|name| Box::from(*name)))
            .collect()
    }
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

/// The folders of the projects whose build files make something for AMD, outermost first; none lies in another.
fn roots(project: &ProjectIndex) -> BTreeSet<String> {
    let builds = &project.build_facts;
    let named: BTreeSet<String> = builds
        .keys()
        .filter(|path| is_project(path))
        .map(|path| folder(path))
        .collect();
    let projects: BTreeSet<String> = project
        .paths()
        .filter(|path| is_project(path))
        .map(folder)
        .collect();
    let signed = builds.iter().filter(|(_, facts)| !facts.signs.is_empty());
    let roots: BTreeSet<String> = signed
        .map(|(path, _)| {
            let own = folder(path);
            // A module tells nothing of where the project begins: whoever reads it does.
            let own = match is_project(path) {
                true => own,
                false => ancestors(&own)
                    .filter(|it| projects.contains(it))
                    .last()
                    .unwrap_or(own),
            };
            let above = ancestors(&own).find(|folder| named.contains(folder));
            above.unwrap_or(own)
        })
        .collect();
    let is_inner = |root: &String| ancestors(root).any(|it| it != *root && roots.contains(&it));
    roots
        .iter()
        .filter(|root| !is_inner(root))
        .cloned()
        .collect()
}

/// Whether a file is the header of this tool: it chooses between vendors, which tells nothing of the project.
fn is_helpers(path: &str) -> bool {
    path.rsplit('/').next() == Some(compat::HEADER_NAME)
}

/// Whether a build file is one that a build begins with.
fn is_project(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.trim_end_matches(".in").trim_end_matches(".am");
    matches!(
        name,
        "CMakeLists.txt" | "meson.build" | "SConstruct" | "configure" | "configure.ac"
    ) || matches!(stem, "Makefile" | "makefile" | "GNUmakefile")
}

/// The folder of a file with `/` at its end; empty for the root.
fn folder(path: &str) -> String {
    path.rfind('/')
        .map_or_else(String::new, |at| path[..=at].to_owned())
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
    use crate::mapping::ApiTable;
    use crate::project::FileIndex;
    use crate::project::build_facts::BuildFacts;
    use crate::syntax::Document;
    use crate::text::SourceFile;

    fn tree(files: &[(&str, &str)]) -> ProjectIndex {
        let table = ApiTable::builtin();
        let (mut sources, mut builds) = (Vec::new(), Vec::new());
        for (path, text) in files {
            if let Some(facts) = BuildFacts::new(path, text.as_bytes()) {
                builds.push(((*path).to_owned(), facts));
            }
            if Language::of_path(path) == Language::CFamily {
                let source = SourceFile::new(*path, text.as_bytes().to_vec());
                let index = match table.concerns(text.as_bytes()) {
                    true => FileIndex::new(&Document::new(&source), &table, &|_| false),
                    false => FileIndex::of_plain(text.as_bytes()),
                };
                sources.push(((*path).to_owned(), index));
            }
        }
        let paths = files.iter().map(|(path, _)| (*path).to_owned());
        ProjectIndex::new(sources, paths).with_build_facts(builds)
    }

    fn owners(files: &[(&str, &str)]) -> Vec<Owner> {
        let project = tree(files);
        let support = Support::new(&project);
        let paths = files.iter().map(|(path, _)| *path);
        paths.map(|path| support.owner(path)).collect()
    }

    const BUILD: (&str, &str) = (
        "CMakeLists.txt",
        "option(A_HIP \"\" OFF)\nenable_language(HIP)\n",
    );
    const BRANCHES: (&str, &str) = (
        "a.h",
        "#ifdef A_HIP\n#include <hip/hip_runtime.h>\n#define gpuFree hipFree\n#else\n#include <cuda_runtime.h>\n#endif\n",
    );
    const PLAIN: (&str, &str) = ("b.cu", "#include \"a.h\"\nint main() { cudaFree(0); }\n");
    const SHIM: (&str, &str) = (
        "shim.h",
        "#define cudaFree hipFree\n#define cudaMalloc hipMalloc\n#define cudaMemcpy hipMemcpy\n",
    );

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
        let expected = [Owner::Shared, Owner::Nvidia, Owner::Amd, Owner::Shared];
        assert_eq!(owners(&files), expected);
    }

    #[test]
    fn a_header_with_names_for_both_vendors_is_no_beginning() {
        let names = |vendor: &str, count: usize| -> String {
            let of = [
                "Free",
                "Malloc",
                "Memcpy",
                "Memset",
                "SetDevice",
                "GetDevice",
            ];
            let more = ["Success", "StreamCreate", "StreamDestroy", "EventCreate"];
            let all = of.iter().chain(&more).take(count);
            let lines = all.map(|name| format!("#define gpu{name} {vendor}{name}\n"));
            lines.collect()
        };
        let header = |count: usize| {
            let (hip, cuda) = (names("hip", count), names("cuda", count));
            format!("#ifdef A_HIP\n{hip}#else\n{cuda}#endif\n")
        };
        let many = "cudaFree(0); ".repeat(100);
        let plain = ("b.cu", format!("int main() {{ {many}}}\n"));
        for (count, expected) in [(10, Owner::Shared), (9, Owner::Ours)] {
            let layer = header(count);
            let files = [BUILD, ("gpu.h", &layer), ("b.cu", &plain.1)];
            assert_eq!(owners(&files)[2], expected, "{count} names");
        }
        let layer = header(10);
        let support = Support::new(&tree(&[BUILD, ("gpu.h", &layer)]));
        let own = support.scopes[0].own_name(b"cudaFree");
        assert_eq!(own, Some(("gpuFree".to_owned(), "gpu.h")));
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
        let of = |text: &str| owners(&[BUILD, BRANCHES, ("c.cu", text)])[2];
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

    /// Macros that are NVIDIA's alone in such a project with one more file.
    fn nvidias(text: &str) -> Vec<String> {
        let project = tree(&[BUILD, BRANCHES, ("c.cu", text)]);
        let support = Support::new(&project);
        let macros = support.macros(Owner::Shared);
        let names = macros
            .nvidia
            .iter()
            .map(|name| String::from_utf8_lossy(name).into_owned());
        let mut names: Vec<String> = names.filter(|name| name.starts_with("A_")).collect();
        names.sort();
        names
    }

    #[test]
    fn macros_that_hip_has_its_own_for_are_nvidias() {
        let code = "cudaFree(0);";
        let of = |before: &str, behind: &str| nvidias(&format!("{before}\n{code}\n{behind}\n"));
        assert_eq!(of("#if defined(A_CUDA)", "#endif"), ["A_CUDA"]);
        assert_eq!(
            of("#if defined(A_GPU)", "#elif defined(A_HIP)\n#endif"),
            [""; 0]
        );
        assert_eq!(of("#ifdef A_CUDA\n#ifdef A_HIP\n#endif", "#endif"), [""; 0]);
        assert_eq!(of("#ifdef A_WITH_CUBLAS", "#endif"), ["A_WITH_CUBLAS"]);
        assert_eq!(of("#ifndef A_HIP\n#define A_FAST\n#endif", ""), ["A_FAST"]);
        assert_eq!(
            of(
                "#ifndef A_HIP\n#define A_FAST\n#else\n#define A_FAST\n#endif",
                ""
            ),
            [""; 0]
        );
    }
}
