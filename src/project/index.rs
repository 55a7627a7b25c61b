//! What the tree itself defines: a project's own `__shfl_sync` shim or `cudaCheck` macro is not CUDA's.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use crate::mapping::ApiTable;
use crate::project::brought::Brought;
use crate::project::builds::BuildIndex;
use crate::project::copies::Copies;
use crate::project::definers::Definers;
use crate::project::file::{FileIndex, Files};
use crate::project::graph::{IncludeGraph, Meaning, Number};
use crate::project::helper_headers::HelperHeaders;
use crate::project::inclusions::Inclusions;
use crate::project::links::Links;
use crate::project::missing::Missing;
use crate::project::paths::{Paths, file_name};
use crate::project::per_table::{Kept, PerTable};
use crate::project::served::{RuntimeFacts, Tellers};
use crate::project::torch_files::TorchFiles;
use crate::project::tree::Tree;
use crate::project::tree_names::TreeNames;
use crate::project::vendors;
use crate::project::warps::Warps;
use crate::syntax::Document;
use crate::text::Language;

/// The files of a tree by path, and who includes whom.
#[derive(Debug, Default)]
pub struct ProjectIndex {
    pub(crate) files: Files,
    /// All its files by path, and which of them an include means.
    pub(crate) paths: Paths,
    /// What is worked out when it is first asked for, once for all files.
    graph: OnceLock<IncludeGraph>,
    /// Its build files.
    pub(crate) builds: BuildIndex,
    pub(crate) definers: OnceLock<Definers>,
    pub(crate) brought_by: PerTable<Vec<Brought>>,
    names: OnceLock<TreeNames>,
    functions: OnceLock<(Warps, Missing)>,
    runtime: PerTable<RuntimeFacts>,
    /// What was so before a run that came to no end.
    remembered: OnceLock<RuntimeFacts>,
    pub(super) helper_headers: OnceLock<HelperHeaders>,
    torch: OnceLock<TorchFiles>,
    inclusions: OnceLock<Inclusions>,
    compiles_at_run_time: OnceLock<bool>,
    copies: OnceLock<Copies>,
    rocprim: OnceLock<bool>,
    /// Definitions that differ in CUDA's types alone, as the number of the file and the place in it.
    pub(crate) rivals: PerTable<FxHashMap<String, Vec<(Number, usize)>>>,
}

impl ProjectIndex {
    /// Puts the index together. `paths` are all files of the tree, also those that are not read.
    pub fn new(
        files: impl IntoIterator<Item = (String, FileIndex)>,
        paths: impl IntoIterator<Item = String>,
    ) -> Self {
        Self {
            files: files.into_iter().collect(),
            paths: Paths::new(paths),
            ..Self::default()
        }
    }

    /// Adds the files that change their name in the output.
    #[must_use]
    pub fn with_renames(mut self, renames: impl IntoIterator<Item = (String, String)>) -> Self {
        self.paths.renames.extend(renames);
        self
    }

    /// Adds the folders of submodules, as `.gitmodules` names them.
    #[must_use]
    pub(crate) fn with_submodules(mut self, folders: impl IntoIterator<Item = String>) -> Self {
        self.paths.submodules.extend(folders);
        self
    }

    /// Says whether the tree is what an earlier run wrote.
    #[must_use]
    pub(crate) fn with_output(mut self, is_output: bool) -> Self {
        self.paths.is_output = is_output;
        self
    }

    /// Adds files that have the helper header's name and are the project's own.
    #[must_use]
    pub(crate) fn with_taken_headers(mut self, paths: impl IntoIterator<Item = String>) -> Self {
        self.paths.taken_headers.extend(paths);
        self
    }

    /// Adds the scripts of Python and the build files without a word of GPUs, with their sizes.
    #[must_use]
    pub(crate) fn with_plain(mut self, files: Vec<(String, u64)>) -> Self {
        self.paths.plain.extend(files);
        self
    }

    /// Adds the links to files.
    #[must_use]
    pub(crate) fn with_links(mut self, links: Links) -> Self {
        self.paths.links = links;
        self
    }

    /// Adds what the build files say.
    #[must_use]
    pub(crate) fn with_builds(mut self, builds: BuildIndex) -> Self {
        self.builds = builds;
        self
    }

    /// The files that sources include and whose names tell nothing, `proj/config`: those that were not read yet.
    pub(crate) fn unread_includes(&self) -> BTreeSet<String> {
        // What is assembled or loaded is no source.
        const NO_SOURCE: &[&str] = &["s", "S"];
        let is_unclear = |path: &str| {
            let extension = file_name(path)
                .rsplit_once('.')
                .map(|(_, extension)| extension);
            Language::of_path(path) == Language::Other
                && extension.is_none_or(|extension| !NO_SOURCE.contains(&extension))
        };
        let includes = self.files.iter().flat_map(|(from, file)| {
            let unclear = file.includes.iter().filter(|it| is_unclear(it));
            unclear.filter_map(move |include| self.paths.resolve(from, include))
        });
        let unread =
            includes.filter(|path| !self.paths.included.contains(*path) && is_unclear(path));
        unread.map(str::to_owned).collect()
    }

    /// Adds files that sources include: those that were looked for, and what could be read of them.
    pub(crate) fn add_included(
        &mut self,
        paths: BTreeSet<String>,
        files: Vec<(String, FileIndex)>,
    ) {
        self.paths.included.extend(paths);
        self.files.extend(files);
    }

    /// Whether a source includes Thrust or CUB, which on AMD are made of rocPRIM.
    pub(crate) fn includes_rocprim(&self) -> bool {
        const FOLDERS: &[&str] = &["thrust/", "cub/", "hipcub/", "rocprim/"];
        *self.rocprim.get_or_init(|| {
            let mut includes = self.files.values().flat_map(|file| &file.includes);
            includes.any(|it| FOLDERS.iter().any(|folder| it.starts_with(folder)))
        })
    }

    /// Whether a file is a source because others include it.
    pub(crate) fn is_included_source(&self, path: &str) -> bool {
        self.paths.included.contains(path)
    }

    /// Whether a file includes a header, directly or not, that maps names of CUDA to HIP's.
    pub(crate) fn sees_mapping(&self, path: &str) -> bool {
        self.reaches(path, "mapping headers", |_, file| file.vendors.is_mapping())
    }

    /// Whether a file includes a header, directly or not, that includes that of bfloat16.
    pub(crate) fn sees_bfloat16(&self, path: &str) -> bool {
        self.reaches(path, "headers of bfloat16", |_, file| {
            file.includes.iter().any(|it| it.contains("bf16"))
        })
    }

    /// Whether a file or one that it includes, directly or not, names functions of cuBLAS of which hipBLAS has two interfaces.
    pub(crate) fn sees_second_interface(&self, path: &str) -> bool {
        let names = |_: &str, file: &FileIndex| file.names_second_interface;
        self.reaches(path, "second interface", names)
    }

    /// Whether a file is one of some, or comes to one by its includes; the answer for all files is kept by `key`.
    pub(super) fn reaches(
        &self,
        path: &str,
        key: &str,
        is_one: impl Fn(&str, &FileIndex) -> bool,
    ) -> bool {
        let graph = self.graph();
        let reach = graph.files_that_reach(key, || {
            let all = graph.paths().iter().zip(0..);
            let ends = all.filter(|(path, _)| is_one(path, &self.files[*path]));
            ends.map(|(_, number)| number).collect()
        });
        graph.number(path).is_some_and(|it| reach.contains(&it))
    }

    /// In what way files are included.
    pub(crate) fn inclusions(&self) -> &Inclusions {
        self.inclusions
            .get_or_init(|| Inclusions::new(&self.files, &self.paths))
    }

    /// The files that one includes inside a namespace, class or function.
    pub(crate) fn fragments_of(&self, path: &str) -> impl Iterator<Item = &str> {
        let file = self.files.get(path);
        let braced = file.into_iter().flat_map(|file| &file.braced);
        braced
            .filter_map(move |include| {
                self.files
                    .get_key_value(self.paths.resolve_surely(path, include)?)
            })
            .map(|(path, _)| path.as_str())
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

    /// The names that the tree gives a meaning of its own.
    pub(crate) fn names(&self) -> &TreeNames {
        self.names.get_or_init(|| {
            TreeNames::new(self.files.iter(), |path| {
                self.inclusions().is_stand_in(path)
            })
        })
    }

    /// Who has the runtime header, gets it or is served with it.
    pub(crate) fn runtime(&self, table: &ApiTable) -> Kept<RuntimeFacts> {
        let is_torch = |path: &str| self.is_torch(path);
        let of_now = || {
            RuntimeFacts::new(Tellers {
                tree: self.tree(),
                table,
                names: self.names(),
                inclusions: self.inclusions(),
                is_torch: &is_torch,
            })
        };
        let of_before = || self.remembered.get().cloned();
        self.runtime
            .of(table, || of_before().unwrap_or_else(of_now))
    }

    /// Takes over what was so before a run that came to no end wrote into the tree.
    pub(crate) fn remember(&self, facts: RuntimeFacts) {
        // Who has asked already got the answer of the tree as it is.
        let _ = self.remembered.set(facts);
    }

    /// Which files PyTorch's build has by their includes.
    pub(super) fn torch(&self) -> &TorchFiles {
        self.torch
            .get_or_init(|| TorchFiles::new(self.tree(), &self.builds.scripts))
    }

    /// What the functions of the tree do with warps.
    pub(crate) fn warps(&self) -> &Warps {
        &self.functions().0
    }

    /// What code of the tree calls and none defines, as far as AMD compiles it.
    pub(crate) fn missing(&self) -> &Missing {
        &self.functions().1
    }

    fn functions(&self) -> &(Warps, Missing) {
        self.functions.get_or_init(|| {
            let files = self.files.iter();
            let warps = files.map(|(path, file)| (path.as_str(), &file.warps));
            (
                Warps::new(warps.clone()),
                Missing::new(warps.map(|(_, facts)| facts)),
            )
        })
    }

    /// The copies of NVIDIA's libraries in the tree.
    pub(crate) fn copies(&self) -> &Copies {
        self.copies
            .get_or_init(|| Copies::new(self.paths.by_name()))
    }

    /// Whether a tree has scripts of Python and no CUDA in C or C++: the scripts serve both vendors, and so has to what they run in. A setup.py
    /// and a recipe of Spack's build something else.
    pub(crate) fn is_of_scripts(&self) -> bool {
        const OF_BUILDS: [&str; 2] = ["setup.py", "package.py"];
        let is_kernel = |path: &str| path.ends_with(".cu") || path.ends_with(".cuh");
        let has_cuda =
            |(path, file): (&String, &FileIndex)| is_kernel(path) || !file.covered.is_empty();
        let is_script = |path: &str| {
            let name = path.rsplit('/').next().unwrap_or(path);
            path.ends_with(".py") && !OF_BUILDS.contains(&name)
        };
        !self.files.iter().any(has_cuda) && self.paths.all().any(is_script)
    }

    /// Whether the file is part of the tree and was read.
    pub(crate) fn holds(&self, path: &str) -> bool {
        self.files.contains_key(path)
    }

    /// The size of a file that does not mention CUDA.
    pub(crate) fn plain_bytes(&self, path: &str) -> Option<u64> {
        match self.files.get(path) {
            Some(file) => file.plain_bytes,
            None => self.paths.plain.get(path).copied(),
        }
    }

    /// The file of the tree that an include of a library's header means. One that itself includes that name in angle brackets stands in
    /// front of the library's (`own/cudnn.h` with `#include <cudnn.h>`), so that the name in angle brackets is the library's for others too.
    pub(crate) fn resolve_library(&self, from: &str, path: &str, is_angled: bool) -> Option<&str> {
        let is_in_front = |file: &&str| {
            let index = self.files.get(*file);
            index.is_some_and(|index| index.includes.iter().any(|other| other == path))
        };
        self.paths
            .resolve(from, path)
            .filter(|found| !is_angled || !is_in_front(found))
    }

    /// The files with what their includes mean.
    fn tree(&self) -> Tree<'_> {
        Tree {
            files: &self.files,
            paths: &self.paths,
            graph: self.graph(),
        }
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
            Some(is_angled) => self.paths.resolve_covered(from, path, *is_angled),
            None => self.paths.resolve(from, path),
        }
    }

    /// What the includes of a file mean, which need not be of the tree.
    pub(super) fn meanings(&self, path: &str, index: &FileIndex) -> Vec<Meaning> {
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

#[cfg(test)]
mod tests {
    use super::*;

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
