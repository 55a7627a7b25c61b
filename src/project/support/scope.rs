//! One project of a tree that supports AMD: what its headers, its code and its build say of it.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::compat;
use crate::project::index::ProjectIndex;
use crate::project::macro_names::{
    counterparts, is_about_library, is_about_profiler, is_called_after_cuda,
};
use crate::project::taken::package;
use crate::project::twins::Twins;
use crate::project::vendors::FOR_AMD;

/// One project of a tree that supports AMD.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    /// Its folder: empty or with `/` at its end.
    pub root: String,
    /// The files that it is about, where not all below the folder.
    pub only: Option<FxHashSet<String>>,
    /// The files below the folder that are written for CUDA alone: nothing for AMD reaches them.
    pub alone: FxHashSet<String>,
    /// Headers that map names of CUDA to HIP's, and how many they map.
    pub mappings: Vec<(String, usize)>,
    /// Headers with names of the project's own for both vendors.
    pub layers: Vec<Layer>,
    /// What they map.
    pub covers: FxHashSet<Box<[u8]>>,
    /// Macros by which the code chooses.
    pub switches: BTreeSet<String>,
    /// Macros with parameters that are called after HIP.
    pub(super) calls: BTreeSet<String>,
    /// Options of the build that switch it on.
    pub options: BTreeSet<String>,
    /// By build file, what it does for AMD.
    pub signs: BTreeMap<String, BTreeSet<String>>,
    /// The build rewrites the sources with AMD's hipify.
    pub hipifies: bool,
    /// The build has a condition with a branch for each vendor.
    pub chooses: bool,
    /// The sources that such conditions list for CUDA.
    pub(super) of_nvidia: BTreeSet<String>,
    /// Files with code for AMD alone.
    pub branches: usize,
    /// Code of its own has something for AMD, not only what it took from others.
    has_own_code: bool,
    /// All of the code is HIP's: there was no CUDA, or a port is done.
    pub(crate) is_hips: bool,
}

/// A header with names of a project's own for both vendors: `gpuFree` for `cudaFree` and `hipFree`.
#[derive(Clone, Debug)]
pub struct Layer {
    /// Its path.
    pub header: String,
    /// Those names, by the name of CUDA that each stands for.
    pub names: FxHashMap<Box<[u8]>, Box<[u8]>>,
}

impl Scope {
    pub(super) fn new(root: String, project: &ProjectIndex) -> Self {
        let mut scope = Self {
            root,
            ..Self::default()
        };
        scope.add_sources(project);
        scope.is_hips = scope.is_written_in_hip(project);
        let builds = project.builds.facts.iter();
        for (path, facts) in builds.filter(|(path, _)| path.starts_with(&scope.root)) {
            scope.options.extend(facts.options.iter().cloned());
            scope.hipifies |= facts.hipifies;
            scope.chooses |= facts.alternatives.are_chosen;
            let listed = facts.alternatives.of_nvidia.iter();
            scope.of_nvidia.extend(listed.cloned());
            if !facts.signs.is_empty() {
                scope.signs.insert(path.clone(), facts.signs.clone());
            }
        }
        scope
    }

    /// Without a build file the files that see a mapping header are known to serve AMD, and headers that only such files include. A
    /// header that no file includes is what the build names behind `-include`: where others have code for AMD, it is for all of them.
    pub(super) fn of_mappings(project: &ProjectIndex) -> Option<Self> {
        /// Files with code for AMD, the header among them.
        const BRANCHES: usize = 3;
        let mut scope = Self::default();
        scope.add_sources(project);
        if scope.mappings.is_empty() {
            return None;
        }
        let graph = project.graph();
        let is_included = |path: &str| {
            let file = graph.number(path);
            file.is_none_or(|file| !graph.includers(file).is_empty()) || !scope.is_own(path)
        };
        let is_forced = scope.mappings.iter().any(|(path, _)| !is_included(path));
        if !is_forced || scope.branches < BRANCHES {
            scope.only = Some(served_files(project));
        }
        Some(scope)
    }

    fn add_sources(&mut self, project: &ProjectIndex) {
        let files = project.files.iter();
        let inside = files.filter(|(path, _)| path.starts_with(&self.root) && !is_helpers(path));
        let mut mappings = Vec::new();
        for (path, file) in inside {
            let facts = &file.vendors;
            self.switches.extend(facts.switches.iter().cloned());
            self.calls.extend(facts.calls.iter().cloned());
            self.covers.extend(facts.covers.iter().cloned());
            self.branches += usize::from(facts.has_branches);
            let chooses = facts.has_branches || !facts.switches.is_empty();
            self.has_own_code |= chooses && self.is_own(path);
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

    /// Whether names of HIP stand everywhere, and next to none of CUDA: rocSHMEM has 5 beside 371 in its examples, HIP's tests 49 beside
    /// 46,565. A program that is being ported has more, and of a few files nobody knows. Of what this program has written, a person wants to
    /// be told what is left.
    pub(super) fn is_written_in_hip(&self, project: &ProjectIndex) -> bool {
        const FILES: usize = 5;
        const SHARE: usize = 50;
        if project.paths.is_output || project.paths.files_called(compat::HEADER_NAME) > 0 {
            return false;
        }
        let files = project.files.iter();
        let inside = files.filter(|(path, _)| path.starts_with(&self.root) && self.is_own(path));
        let (mut files, mut served, mut open) = (0, 0, 0);
        for (_, file) in inside {
            // Of a file without words of CUDA it is only known that it names HIP.
            let uses = file.vendors.served.max(usize::from(file.names_hip));
            files += usize::from(uses > 0);
            served += uses;
            let others = file.vendors.open.iter();
            let others = others.filter(|it| !project.names().declares(&it.word));
            open += others.map(|it| it.uses).sum::<usize>();
        }
        files >= FILES && open * SHARE <= served
    }

    /// A build that speaks of HIP and code that does: either alone may be a plan. Code over a library for both vendors, such as Kokkos,
    /// names nothing of HIP: that it chooses by a macro of a build for AMD is enough.
    pub(super) fn is_supported(&self, twins: &Twins) -> bool {
        !self.mappings.is_empty()
            || self.has_own_code
            || self.hipifies
            || !self.layers.is_empty()
            || self.is_hips
            || twins.is_below(&self.root)
    }

    /// The project's own name for one of CUDA's, and the header that has it.
    pub(crate) fn own_name(&self, word: &[u8]) -> Option<(String, &str)> {
        self.layers.iter().find_map(|layer| {
            let name = String::from_utf8_lossy(layer.names.get(word)?).into_owned();
            Some((name, &*layer.header))
        })
    }

    /// Whether a macro with parameters is CUDA's side of a pair, `CHECK_CUDA` beside `CHECK_HIP`: for AMD it does nothing with them.
    pub(crate) fn is_one_side(&self, call: &[u8]) -> bool {
        counterparts(call).iter().any(|it| self.calls.contains(it))
    }

    /// Whether one of its headers that map names is its own.
    pub(super) fn has_own_mapping(&self) -> bool {
        self.mappings.iter().any(|(path, _)| self.is_own(path))
    }

    /// Whether a file below its folder is its own, not one of a package that it took from others: these tell nothing of it.
    fn is_own(&self, path: &str) -> bool {
        let below = path.strip_prefix(&self.root);
        below.is_some_and(|below| package(below).is_none())
    }

    /// Whether its support is about a file.
    pub fn holds(&self, path: &str) -> bool {
        path.starts_with(&self.root)
            && self.only.as_ref().is_none_or(|only| only.contains(path))
            && !self.is_left(path)
    }

    /// Whether a file is written for CUDA alone, and a translation deals with it. Where the project has names of its own for both vendors, a
    /// person writes these.
    pub fn is_left(&self, path: &str) -> bool {
        self.layers.is_empty() && self.alone.contains(path)
    }

    /// Whether the support is no more than a beginning: without cover there are more names of CUDA in code for both vendors than names
    /// that serve AMD. Who asks for a translation of such a tree wants all of it. A header with names for both vendors is no beginning:
    /// its project means both builds, and what does not go through it is a gap. Nor is a build that has a branch for each vendor.
    pub(super) fn is_begun(&self, project: &ProjectIndex, twins: &Twins) -> bool {
        if self.hipifies || self.chooses || !self.layers.is_empty() {
            return false;
        }
        let nvidias: FxHashSet<Box<[u8]>> = self.apart(project).into_iter().collect();
        let (mut served, mut open) = (0, 0);
        let files = project.files.iter();
        let counts = |path: &str| self.holds(path) && self.is_own(path) && !is_helpers(path);
        for (path, file) in files.filter(|(path, _)| counts(path)) {
            if twins.owner(path).is_some() {
                // What NVIDIA's side of a pair names, AMD's side answers.
                served += file.vendors.open.iter().map(|it| it.uses).sum::<usize>();
                continue;
            }
            served += file.vendors.served;
            // `example_cuda.cpp`, or what the build lists for CUDA beside a branch for AMD, is NVIDIA's side.
            if is_called_after_cuda(path) || self.of_nvidia.contains(path) {
                continue;
            }
            for name in &file.vendors.open {
                let is_nvidias = name.macros.iter().any(|it| nvidias.contains(it));
                match self.covers.contains(&name.word) {
                    true => served += name.uses,
                    false if is_nvidias || file.names.contains(&name.word) => {}
                    // `#define cudaMalloc cuplaMalloc`: a layer of the project's, whoever serves it.
                    false if project.names().is_macro(&name.word) => {}
                    false => open += name.uses,
                }
            }
        }
        open > served
    }

    /// Whether a macro is about a library of CUDA, where nothing turns its names into those of AMD's.
    fn lacks_library(&self, name: &[u8]) -> bool {
        let maps_nothing = self.mappings.is_empty() && !self.hipifies;
        (maps_nothing && is_about_library(name)) || is_about_profiler(name)
    }

    /// The macros about CUDA that a build for AMD does not define: the code has one about HIP in their place, and in most files none
    /// of them holds code for AMD.
    pub(super) fn apart(&self, project: &ProjectIndex) -> Vec<Box<[u8]>> {
        let facts = || {
            let files = project.files.iter();
            let inside = files.filter(|(path, _)| self.holds(path));
            inside.map(|(_, file)| &file.vendors)
        };
        let asked: BTreeSet<&Box<[u8]>> = facts().flat_map(|facts| &facts.asked).collect();
        let of = |counts: &FxHashMap<&[u8], usize>, name: &[u8]| {
            counts.get(name).copied().unwrap_or_default()
        };
        let apart = count(facts().flat_map(|facts| &facts.apart));
        let around = count(facts().flat_map(|facts| &facts.around));
        let is_for_amd = |name: &[u8]| {
            let mut whom = facts().filter_map(|facts| facts.defined.get(name));
            whom.any(|whom| whom & FOR_AMD != 0)
        };
        let has_counterpart = |name: &[u8]| {
            let mut names = counterparts(name).into_iter();
            names.any(|name| self.switches.contains(&name) || self.options.contains(&name))
        };
        let apart = asked.into_iter().filter(|name| {
            let (times_apart, times_around) = (of(&apart, name), of(&around, name));
            // Of alpaka's 70 files that ask for its macro one test holds code for AMD below it.
            (times_around == 0 || times_around < times_apart)
                && (times_apart > 0 || has_counterpart(name) || self.lacks_library(name))
                && !is_for_amd(name)
        });
        // What nvcc defines, hipcc does not; a project that does it by hand means it.
        const OF_NVCC: &[&[u8]] = &[
            b"__CUDACC__",
            b"__NVCC__",
            b"__CUDA__",
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

/// In how many files each macro is named so.
fn count<'f>(names: impl Iterator<Item = &'f Box<[u8]>>) -> FxHashMap<&'f [u8], usize> {
    let mut counts = FxHashMap::default();
    for name in names {
        *counts.entry(&**name).or_default() += 1;
    }
    counts
}

/// The files that see a mapping header, and those that files alone include of which each is one of them.
fn served_files(project: &ProjectIndex) -> FxHashSet<String> {
    let graph = project.graph();
    let paths = graph.paths();
    let mut served = vec![false; paths.len()];
    for file in graph.leaves_first().into_iter().rev() {
        let mut includers = graph.includers(file).iter().peekable();
        let is_theirs = includers.peek().is_some() && includers.all(|it| served[*it as usize]);
        served[file as usize] = is_theirs || project.sees_mapping(&paths[file as usize]);
    }
    let served = paths.iter().zip(served).filter(|(_, served)| *served);
    served.map(|(path, _)| path.clone()).collect()
}

/// Whether a file is the header of this tool: it chooses between vendors, which tells nothing of the project.
fn is_helpers(path: &str) -> bool {
    path.rsplit('/').next() == Some(compat::HEADER_NAME)
}

#[cfg(test)]
mod tests {
    use crate::project::owner::Owner;
    use crate::project::support::Support;
    use crate::project::support::tests::{BRANCHES, BUILD, layer, tree};

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

    #[test]
    fn one_file_with_code_for_amd_below_it_does_not_make_a_macro_both_vendors() {
        let chooses = "#if defined(A_CUDA)\ncudaFree(0);\n#endif\n#if defined(A_HIP)\n#endif\n";
        let either = "#if defined(A_CUDA) || defined(A_HIP)\n#endif\n";
        let below = "#ifdef A_CUDA\n#ifdef A_HIP\n#endif\n#endif\n";
        let of = |files: &[&str]| {
            let names: Vec<String> = (0..files.len()).map(|at| format!("{at}.h")).collect();
            let files = names.iter().map(String::as_str).zip(files.iter().copied());
            let project = tree(
                &[BUILD, BRANCHES]
                    .into_iter()
                    .chain(files)
                    .collect::<Vec<_>>(),
            );
            let support = Support::new(&project);
            support
                .macros(Owner::Shared)
                .nvidia
                .contains(&b"A_CUDA"[..])
        };
        assert!(of(&[chooses, either, either, below]));
        assert!(!of(&[chooses, either, below]));
        let choice = "#ifndef A_CUDA\n#define A_CUDA\n#endif\n";
        assert!(of(&[chooses, choice]));
        let of_amd = "#ifdef A_HIP\n#define A_CUDA\n#endif\n";
        assert!(!of(&[chooses, of_amd]));
    }

    #[test]
    fn a_macro_that_has_a_counterpart_for_hip_is_one_side() {
        let calls = "#define CHECK_HIP(statement) statement\n#define CHECK_CUDA(statement)\nint a = cudaSuccess;\n";
        let support = Support::new(&tree(&[BUILD, BRANCHES, ("c.h", calls)]));
        let scope = support.scope("c.h").expect("the project supports AMD");
        assert!(scope.is_one_side(b"CHECK_CUDA"));
        assert!(!scope.is_one_side(b"CHECK_HIP") && !scope.is_one_side(b"CUDA_CHECK"));
    }

    #[test]
    fn a_profiler_of_nvidias_is_its_own_whatever_the_project_maps() {
        let shim = "#define cudaFree hipFree\n#define cudaMalloc hipMalloc\n#define cudaMemcpy hipMemcpy\n";
        let code = "#ifdef A_HAVE_NVTX\ncudaFree(0);\n#endif\n#ifdef A_HAVE_CUBLAS\ncudaFree(0);\n#endif\n";
        let project = tree(&[BUILD, BRANCHES, ("shim.h", shim), ("c.cu", code)]);
        let support = Support::new(&project);
        let nvidias = &support.macros(Owner::Shared).nvidia;
        assert!(nvidias.contains(&b"A_HAVE_NVTX"[..]));
        assert!(!nvidias.contains(&b"A_HAVE_CUBLAS"[..]));
    }

    #[test]
    fn a_name_of_the_projects_own_leads_to_its_header() {
        let layer = layer(10);
        let support = Support::new(&tree(&[BUILD, ("gpu.h", &layer)]));
        let scope = &support.scopes[0];
        let own = scope.own_name(b"cudaFree");
        assert_eq!(own, Some(("gpuFree".to_owned(), "gpu.h")));
        assert_eq!(scope.own_name(b"cudaEventQuery"), None);
    }
}
