//! What the tree itself defines: a project's own `__shfl_sync` shim or `cudaCheck` macro is not CUDA's.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::compat;
use crate::cpp::namespaces::Inner;
use crate::project::brought::Brought;
use crate::project::build_facts::BuildFacts;
use crate::project::build_mark::Mark;
use crate::project::builds::Builds;
use crate::project::compiled::Compiled;
use crate::project::copies::Copies;
use crate::project::definers::{Apart, Definers};
use crate::project::file::FileIndex;
use crate::project::graph::{IncludeGraph, Meaning, Number};
use crate::project::links::Links;
use crate::project::missing::Missing;
use crate::project::vendors;
use crate::project::warps::Warps;
use crate::syntax::Document;
use crate::text::Language;

/// The files of a tree by path, and who includes whom.
#[derive(Debug, Default)]
pub struct ProjectIndex {
    pub(crate) files: FxHashMap<String, FileIndex>,
    /// Paths of all files of the tree by their last part.
    by_name: FxHashMap<String, Vec<String>>,
    /// Files that change their name, old to new.
    renames: FxHashMap<String, String>,
    /// What is worked out when it is first asked for, once for all files.
    graph: OnceLock<IncludeGraph>,
    /// Its CMake lists.
    pub(crate) builds: Builds,
    /// Links of the tree to its files.
    pub(crate) links: Links,
    /// Files that no name tells to be sources and that others include.
    included: BTreeSet<String>,
    pub(crate) definers: OnceLock<Definers>,
    pub(crate) brought_by: OnceLock<Vec<Brought>>,
    agreed: OnceLock<FxHashMap<Box<[u8]>, Option<u64>>>,
    names: OnceLock<FxHashSet<Box<[u8]>>>,
    coined: OnceLock<FxHashSet<Box<[u8]>>>,
    members: OnceLock<FxHashSet<Box<[u8]>>>,
    inner_namespaces: OnceLock<BTreeSet<Inner>>,
    warps: OnceLock<Warps>,
    missing: OnceLock<Missing>,
    pub(crate) with_runtime: OnceLock<FxHashSet<String>>,
    pub(crate) served: OnceLock<FxHashSet<String>>,
    pub(crate) apart: OnceLock<Apart>,
    pub(crate) getting: OnceLock<FxHashMap<String, bool>>,
    /// The sizes of scripts of Python and of build files without a word of GPUs.
    plain: FxHashMap<String, u64>,
    /// What the build scripts of folders make.
    pub(crate) marks: FxHashMap<String, Mark>,
    /// Sources that scripts hand to PyTorch's build.
    pub(crate) extension_sources: FxHashSet<String>,
    /// Those that scripts which serve AMD hand to it for NVIDIA alone.
    pub(crate) nvidia_sources: FxHashSet<String>,
    pub(crate) for_nvidia: OnceLock<FxHashSet<String>>,
    /// A setup.py makes extensions of PyTorch.
    pub(crate) has_setup_script: bool,
    pub(crate) helper_header: OnceLock<String>,
    /// The shuffles of CUDA that files add overloads to.
    shuffles: OnceLock<Vec<Box<[u8]>>>,
    /// The folders of submodules, each with `/` at its end.
    pub(crate) submodules: Vec<String>,
    /// Files of the tree that have the helper header's name and are something else.
    taken_headers: FxHashSet<String>,
    /// A build script asks for AMD.
    pub(crate) ported: bool,
    /// Files that come by headers of PyTorch.
    pub(crate) torch: OnceLock<FxHashSet<String>>,
    /// Build files that speak of HIP.
    pub(crate) build_facts: FxHashMap<String, BuildFacts>,
    fragments: OnceLock<FxHashSet<String>>,
    /// What a build compiles of it, where somebody said.
    pub(crate) compiled: Option<Box<Compiled>>,
    compiles_at_run_time: OnceLock<bool>,
    pub(crate) stand_ins: OnceLock<FxHashSet<String>>,
    copies: OnceLock<Copies>,
    /// Definitions that differ in CUDA's types alone, as the number of the file and the place in it.
    pub(crate) rivals: OnceLock<FxHashMap<String, Vec<(Number, usize)>>>,
}

impl ProjectIndex {
    /// Puts the index together. `paths` are all files of the tree, also those that are not read.
    pub fn new(
        files: impl IntoIterator<Item = (String, FileIndex)>,
        paths: impl IntoIterator<Item = String>,
    ) -> Self {
        let mut by_name = FxHashMap::<String, Vec<String>>::default();
        for path in paths {
            by_name
                .entry(file_name(&path).to_owned())
                .or_default()
                .push(path);
        }
        by_name.values_mut().for_each(|paths| paths.sort());
        Self {
            files: files.into_iter().collect(),
            by_name,
            ..Self::default()
        }
    }

    /// Adds the files that change their name in the output.
    #[must_use]
    pub fn with_renames(mut self, renames: impl IntoIterator<Item = (String, String)>) -> Self {
        self.renames.extend(renames);
        self
    }

    /// Whether a file adds an overload for types of its own to a shuffle of CUDA.
    pub(crate) fn adds_shuffle(&self, name: &[u8]) -> bool {
        let shuffles = self.shuffles.get_or_init(|| {
            let mut all: Vec<Box<[u8]>> = self
                .files
                .values()
                .flat_map(|file| file.shuffles.iter().cloned())
                .collect();
            all.sort_unstable();
            all
        });
        shuffles
            .binary_search_by(|known| (**known).cmp(name))
            .is_ok()
    }

    /// Adds the folders of submodules, as `.gitmodules` names them.
    #[must_use]
    pub(crate) fn with_submodules(mut self, folders: impl IntoIterator<Item = String>) -> Self {
        self.submodules.extend(folders);
        self
    }

    /// Whether a file belongs to a submodule.
    pub(crate) fn is_in_submodule(&self, path: &str) -> bool {
        self.submodules
            .iter()
            .any(|folder| path.starts_with(folder))
    }

    /// Adds files that have the helper header's name and are the project's own.
    #[must_use]
    pub(crate) fn with_taken_headers(mut self, paths: impl IntoIterator<Item = String>) -> Self {
        self.taken_headers.extend(paths);
        self
    }

    /// Where a file of the helper header's name can go in a folder, whose path ends in a `/`: into it, or into one of ours below.
    pub(super) fn free_header(&self, mut folder: String) -> String {
        loop {
            let path = format!("{folder}{}", compat::HEADER_NAME);
            if !self.taken_headers.contains(&path) {
                return path;
            }
            folder.push_str("cass/");
        }
    }

    /// Adds the scripts of Python and the build files without a word of GPUs, with their sizes.
    #[must_use]
    pub(crate) fn with_plain(mut self, files: Vec<(String, u64)>) -> Self {
        self.plain.extend(files);
        self
    }

    /// Adds the links to files.
    #[must_use]
    pub(crate) fn with_links(mut self, links: Links) -> Self {
        self.links = links;
        self
    }

    /// Adds what the CMake lists say together.
    #[must_use]
    pub(crate) fn with_builds(mut self, builds: Builds) -> Self {
        self.builds = builds;
        self
    }

    /// Adds the build files that speak of HIP.
    #[must_use]
    pub(crate) fn with_build_facts(mut self, facts: Vec<(String, BuildFacts)>) -> Self {
        self.build_facts = facts.into_iter().collect();
        self
    }

    /// The files that sources include and whose names tell nothing, `proj/config`: those that were not read yet.
    pub(crate) fn unread_includes(&self) -> BTreeSet<String> {
        // What is assembled or loaded is no source.
        const NO_SOURCE: &[&str] = &["ptx", "cubin", "fatbin", "s", "S"];
        let is_unclear = |path: &str| {
            let extension = file_name(path)
                .rsplit_once('.')
                .map(|(_, extension)| extension);
            Language::of_path(path) == Language::Other
                && extension.is_none_or(|extension| !NO_SOURCE.contains(&extension))
        };
        let includes = self.files.iter().flat_map(|(from, file)| {
            let unclear = file.includes.iter().filter(|it| is_unclear(it));
            unclear.filter_map(move |include| self.resolve(from, include))
        });
        let unread = includes.filter(|path| !self.included.contains(*path) && is_unclear(path));
        unread.map(str::to_owned).collect()
    }

    /// Adds files that sources include: those that were looked for, and what could be read of them.
    pub(crate) fn add_included(
        &mut self,
        paths: BTreeSet<String>,
        files: Vec<(String, FileIndex)>,
    ) {
        self.included.extend(paths);
        self.files.extend(files);
    }

    /// Whether a file is a source because others include it.
    pub(crate) fn is_included_source(&self, path: &str) -> bool {
        self.included.contains(path)
    }

    /// Whether a file includes a header, directly or not, that maps names of CUDA to HIP's.
    pub(crate) fn sees_mapping(&self, path: &str) -> bool {
        let graph = self.graph();
        let reach = graph.files_that_reach("mapping headers", || {
            let files = graph.paths().iter().zip(0..);
            let maps = |path: &String| self.files[path].vendors.is_mapping();
            files
                .filter(|(path, _)| maps(path))
                .map(|(_, at)| at)
                .collect()
        });
        graph.number(path).is_some_and(|file| reach.contains(&file))
    }

    /// Whether a file of the tree includes this one inside a namespace, class or function, where no header of HIP may come.
    pub(crate) fn is_fragment(&self, path: &str) -> bool {
        let fragments = self.fragments.get_or_init(|| {
            let files = self.files.iter();
            let braced =
                files.flat_map(|(from, file)| file.braced.iter().map(move |it| (from, it)));
            let meant = braced.filter_map(|(from, include)| self.resolve_surely(from, include));
            meant.map(str::to_owned).collect()
        });
        fragments.contains(path)
    }

    /// The files that one includes so.
    pub(crate) fn fragments_of(&self, path: &str) -> impl Iterator<Item = &str> {
        let file = self.files.get(path);
        let braced = file.into_iter().flat_map(|file| &file.braced);
        braced
            .filter_map(move |include| {
                self.files
                    .get_key_value(self.resolve_surely(path, include)?)
            })
            .map(|(path, _)| path.as_str())
    }

    /// All files of the tree, also those that were not read.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &str> {
        self.by_name.values().flatten().map(String::as_str)
    }

    /// Whether this file or another of the tree hands texts to NVRTC or hiprtc, which compile them when the program runs.
    pub(crate) fn compiles_at_run_time(&self, doc: &Document<'_>) -> bool {
        let in_tree = || {
            let known = &self.compiles_at_run_time;
            *known.get_or_init(|| {
                let mut files = self.files.values();
                files.any(|file| file.vendors.compiles_at_run_time)
            })
        };
        vendors::compiles_at_run_time(doc) || in_tree()
    }

    /// The number that all files of the tree which define a constant agree on: sources that are included by others see what those
    /// included before.
    pub(crate) fn constant(&self, name: &[u8]) -> Option<u64> {
        let agreed = self.agreed.get_or_init(|| {
            let mut agreed = FxHashMap::<Box<[u8]>, Option<u64>>::default();
            for (name, value) in self.files.values().flat_map(|file| &file.constants) {
                let known = agreed.entry(name.clone()).or_insert(Some(*value));
                *known = known.filter(|known| known == value);
            }
            agreed
        });
        agreed.get(name).copied().flatten()
    }

    /// Whether any file of the tree declares the name: a header may rely on what its includers include before it. Asked of names
    /// that only a pattern knows, since those are likelier the project's.
    pub(crate) fn declares(&self, name: &[u8]) -> bool {
        let names = self.names.get_or_init(|| {
            let all = self
                .files
                .iter()
                .filter(|(path, _)| !self.is_stand_in(path));
            let all = all.flat_map(|(_, file)| &file.names);
            all.cloned().collect()
        });
        names.contains(name)
    }

    /// Whether any file of the tree defines the name as a macro.
    pub(crate) fn is_macro(&self, name: &[u8]) -> bool {
        self.files.values().any(|file| file.macros.contains(name))
    }

    /// Whether any file of the tree defines or declares a name of CUDA's form that no table knows.
    pub(crate) fn gives_own_meaning(&self, name: &[u8]) -> bool {
        let coined = self.coined.get_or_init(|| {
            let all = self.files.values().flat_map(|file| &file.coined);
            all.cloned().collect()
        });
        coined.contains(name)
    }

    /// Namespaces called like a library of CUDA that files of the tree have inside others.
    pub(crate) fn inner_namespaces(&self) -> &BTreeSet<Inner> {
        self.inner_namespaces.get_or_init(|| {
            let all = self.files.values().flat_map(|file| &file.inner_namespaces);
            all.cloned().collect()
        })
    }

    /// Whether a macro of any file makes a member of a class with the name of CUDA's function.
    pub(crate) fn makes_member(&self, name: &[u8]) -> bool {
        let members = self.members.get_or_init(|| {
            let all = self.files.values().flat_map(|file| &file.members);
            all.cloned().collect()
        });
        members.contains(name)
    }

    /// What the functions of the tree do with warps.
    pub(crate) fn warps(&self) -> &Warps {
        self.warps.get_or_init(|| {
            let files = self.files.iter();
            Warps::new(files.map(|(path, file)| (path.as_str(), &file.warps)))
        })
    }

    /// What code of the tree calls and none defines, as far as AMD compiles it.
    pub(crate) fn missing(&self) -> &Missing {
        let files = self.files.values();
        self.missing
            .get_or_init(|| Missing::new(files.map(|file| &file.warps)))
    }

    /// The copies of NVIDIA's libraries in the tree.
    pub(crate) fn copies(&self) -> &Copies {
        self.copies.get_or_init(|| Copies::new(&self.by_name))
    }

    /// Whether the tree has a file of that path, read or not.
    pub(crate) fn is_in_tree(&self, path: &str) -> bool {
        let paths = self.by_name.get(file_name(path));
        paths.is_some_and(|paths| paths.binary_search_by(|it| (**it).cmp(path)).is_ok())
    }

    /// Whether the file is part of the tree and was read.
    pub(crate) fn holds(&self, path: &str) -> bool {
        self.files.contains_key(path)
    }

    /// The size of a file that does not mention CUDA.
    pub(crate) fn plain_bytes(&self, path: &str) -> Option<u64> {
        match self.files.get(path) {
            Some(file) => file.plain_bytes,
            None => self.plain.get(path).copied(),
        }
    }

    /// Whether any file changes its name, so that includes have to follow.
    pub(crate) fn has_renames(&self) -> bool {
        !self.renames.is_empty()
    }

    /// The new name of a file of the tree, if it changes.
    pub fn renamed(&self, path: &str) -> Option<&str> {
        self.renames.get(path).map(String::as_str)
    }

    /// The file of the tree that an include of `from` means, if it is one: beside the includer, from the root, or a path that ends so.
    pub fn resolve(&self, from: &str, include: &str) -> Option<&str> {
        let candidates = self.by_name.get(file_name(include))?;
        let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
        // Candidates are sorted, and a large tree has thousands of one name.
        let exact = |path: String| candidates.binary_search(&path).ok();
        let beside = exact(normalise(&format!("{folder}/{include}")));
        let from_root = exact(normalise(include));
        let tail = normalise(include.trim_start_matches("../").trim_start_matches("./"));
        let ends = |path: &&String| {
            path.strip_suffix(tail.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
        };
        let nearest = |path: &&String| common_prefix(path, from);
        let said = beside.is_none().then(|| {
            let mut folders = self.compiled.iter().flat_map(|it| it.folders(from));
            folders.find_map(|folder| exact(normalise(&format!("{folder}/{include}"))))
        });
        let found = said.flatten().or(beside.into_iter().chain(from_root).min());
        found
            .map(|at| &candidates[at])
            .or_else(|| candidates.iter().filter(ends).max_by_key(nearest))
            .map(|path| self.links.file(path))
    }

    /// The file that an include means, unless another one could be meant: one that stands beside the includer, or the only one whose
    /// path ends so.
    pub(super) fn resolve_surely(&self, from: &str, include: &str) -> Option<&str> {
        let found = self.resolve(from, include)?;
        let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
        let beside = normalise(&format!("{folder}/{include}"));
        let is_beside = found == self.links.file(&beside);
        let candidates = &self.by_name[file_name(include)];
        (is_beside || candidates.len() == 1).then_some(found)
    }

    /// How many files of the tree have this name, in whatever folders.
    pub(crate) fn files_called(&self, name: &str) -> usize {
        self.by_name.get(name).map_or(0, Vec::len)
    }

    /// The file of the tree that an include of a header means which ROCm covers: only a quoted path that resolves exactly. `<cuda.h>`
    /// is CUDA's, also where a tree has a stub of that name, and becomes HIP's.
    pub(crate) fn resolve_covered(&self, from: &str, path: &str, is_angled: bool) -> Option<&str> {
        let folder = |path: &str| path.rsplit_once('/').map(|(folder, _)| folder.to_owned());
        self.resolve(from, path)
            .filter(|found| !is_angled && (folder(found) == folder(from) || path.contains('/')))
    }

    /// The file of the tree that an include of a library's header means. One that itself includes that name in angle brackets stands in
    /// front of the library's (`own/cudnn.h` with `#include <cudnn.h>`), so that the name in angle brackets is the library's for others too.
    pub(crate) fn resolve_library(&self, from: &str, path: &str, is_angled: bool) -> Option<&str> {
        let is_in_front = |file: &&str| {
            let index = self.files.get(*file);
            index.is_some_and(|index| index.includes.iter().any(|other| other == path))
        };
        self.resolve(from, path)
            .filter(|found| !is_angled || !is_in_front(found))
    }

    /// Who includes whom.
    pub(crate) fn graph(&self) -> &IncludeGraph {
        self.graph.get_or_init(|| {
            IncludeGraph::new(&self.files, |from, index, at| self.meant(from, index, at))
        })
    }

    /// The file of the tree that an include of a file means, by its position among them.
    fn meant(&self, from: &str, index: &FileIndex, at: usize) -> Option<&str> {
        let path = &index.includes[at];
        match index.covered.get(&at) {
            Some(is_angled) => self.resolve_covered(from, path, *is_angled),
            None => self.resolve(from, path),
        }
    }

    /// What the includes of a file mean, which need not be of the tree.
    pub(crate) fn meanings(&self, path: &str, index: &FileIndex) -> Vec<Meaning> {
        let graph = self.graph();
        if let Some(file) = graph.number(path) {
            return graph.meanings(file).to_vec();
        }
        let meaning = |at| match self.meant(path, index, at) {
            Some(file) => graph.number(file).map_or(Meaning::Unread, Meaning::File),
            None => Meaning::Outside,
        };
        (0..index.includes.len()).map(meaning).collect()
    }
}

pub(crate) fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Takes `.` and `..` out of a relative path.
fn normalise(path: &str) -> String {
    let mut parts = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

fn common_prefix(a: &str, b: &str) -> usize {
    a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn includes_resolve_beside_the_includer_first() {
        let paths = ["a/util.h", "b/util.h", "inc/x/util.h"].map(String::from);
        let project = ProjectIndex::new([], paths);
        assert_eq!(project.resolve("b/main.cu", "util.h"), Some("b/util.h"));
        assert_eq!(
            project.resolve("b/main.cu", "../a/util.h"),
            Some("a/util.h")
        );
        assert_eq!(
            project.resolve("src/main.cu", "x/util.h"),
            Some("inc/x/util.h")
        );
        assert_eq!(project.resolve("src/main.cu", "y/util.h"), None);
    }

    #[test]
    fn a_header_in_front_of_a_librarys_is_not_what_its_name_means() {
        for (inside, is_angled, expected) in [
            ("cudnn.h", true, None),
            ("cudnn.h", false, Some("own/cudnn.h")),
            ("other.h", true, Some("own/cudnn.h")),
        ] {
            let index = FileIndex {
                includes: vec![inside.to_owned()],
                ..FileIndex::default()
            };
            let path = "own/cudnn.h".to_owned();
            let project = ProjectIndex::new([(path.clone(), index)], [path]);
            let found = project.resolve_library("own/use.h", "cudnn.h", is_angled);
            assert_eq!(found, expected, "{inside} {is_angled}");
        }
    }

    #[test]
    fn what_a_source_includes_is_one() {
        let includes = |text: &str| FileIndex::of_plain(text.as_bytes());
        let main =
            "#include <proj/config>\n#include <vector>\n#include \"a.ptx\"\n#include \"b.h\"\n";
        let files = [("main.cu".to_owned(), includes(main))];
        let paths = [
            "main.cu",
            "inc/proj/config",
            "inc/proj/detail",
            "a.ptx",
            "b.h",
            "README",
        ];
        let mut project = ProjectIndex::new(files, paths.map(String::from));
        let config = BTreeSet::from(["inc/proj/config".to_owned()]);
        assert_eq!(project.unread_includes(), config);
        let index = includes("#include \"detail\"\n");
        project.add_included(config, vec![("inc/proj/config".to_owned(), index)]);
        assert!(project.is_included_source("inc/proj/config"));
        let detail = BTreeSet::from(["inc/proj/detail".to_owned()]);
        assert_eq!(project.unread_includes(), detail);
        project.add_included(detail, Vec::new());
        assert!(project.unread_includes().is_empty());
    }
}
