//! Which files a tree has, what they will be called, and which of them an include means.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::compat;
use crate::project::compiled::Compiled;
use crate::project::image_names::{
    beginnings_for_amd, folder_with_images_for_amd, is_named_for_amd, subject_of_image,
};
use crate::project::links::Links;

/// Which files a tree has, also those that are not read, and what is known of each by its path.
#[derive(Debug, Default)]
pub(crate) struct Paths {
    /// All of them by their last part.
    by_name: FxHashMap<String, Vec<String>>,
    /// What begins the names of files for AMD, `dockerfile` of `docker/Dockerfile_mi350`, behind their folder and the one above it.
    pub(super) begun_for_amd: FxHashSet<String>,
    /// What images and lists of packages for AMD are about, releases aside.
    pub(super) subjects_for_amd: FxHashSet<String>,
    /// The folders with one for AMD's images directly below.
    pub(super) with_images_for_amd: FxHashSet<String>,
    /// The folders with modules of Python somewhere below.
    of_modules: FxHashSet<String>,
    /// Folders in which scripts of Python stand, with the `/` that ends them.
    with_scripts: FxHashSet<String>,
    /// Files that change their name, old to new.
    pub(super) renames: FxHashMap<String, String>,
    /// Links of the tree to its files.
    pub(crate) links: Links,
    /// Files that no name tells to be sources and that others include.
    pub(super) included: BTreeSet<String>,
    /// The sizes of scripts of Python and of build files without a word of GPUs.
    pub(super) plain: FxHashMap<String, u64>,
    /// Files that have the helper header's name and are something else.
    pub(super) taken_headers: FxHashSet<String>,
    /// It is what an earlier run wrote.
    pub(super) is_output: bool,
    /// The folders of submodules, each with `/` at its end.
    pub(super) submodules: Vec<String>,
    /// What a build compiles of the tree, and where it looks for headers, where somebody said.
    pub(super) compiled: Option<Box<Compiled>>,
}

impl Paths {
    pub(super) fn new(paths: impl IntoIterator<Item = String>) -> Self {
        let mut by_name = FxHashMap::<String, Vec<String>>::default();
        let mut of_modules = FxHashSet::<String>::default();
        let mut with_scripts = FxHashSet::<String>::default();
        let mut begun_for_amd = FxHashSet::<String>::default();
        let mut subjects_for_amd = FxHashSet::<String>::default();
        let mut with_images_for_amd = FxHashSet::<String>::default();
        for path in paths {
            begun_for_amd.extend(beginnings_for_amd(&path).into_iter().flatten());
            with_images_for_amd.extend(folder_with_images_for_amd(&path).map(str::to_owned));
            if is_named_for_amd(&path) {
                subjects_for_amd.extend(subject_of_image(&path));
            }
            if path.ends_with(".py") {
                let folder = &path[..path.len() - file_name(&path).len()];
                if !with_scripts.contains(folder) {
                    with_scripts.insert(folder.to_owned());
                }
                let ends = path.rmatch_indices('/');
                let mut folders = ends.map(|(end, _)| path[..end].to_owned());
                // A folder that is known has those above it beside it.
                while folders.next().is_some_and(|it| of_modules.insert(it)) {}
            }
            by_name
                .entry(file_name(&path).to_owned())
                .or_default()
                .push(path);
        }
        by_name.values_mut().for_each(|paths| paths.sort());
        Self {
            by_name,
            begun_for_amd,
            subjects_for_amd,
            with_images_for_amd,
            of_modules,
            with_scripts,
            ..Self::default()
        }
    }

    /// Whether a folder has modules of Python, however deep.
    pub(super) fn has_modules(&self, folder: &str) -> bool {
        self.of_modules.contains(folder)
    }

    /// Whether the tree is that of a package of Python, by where it stands: `pycuda/__init__.py`, `src/pycuda/__init__.py`; or builds an
    /// extension of that name.
    pub(crate) fn is_package(&self, name: &str) -> bool {
        let module = format!("{}/__init__.py", name.replace('.', "/"));
        // The last are for trees of several packages, `python/cudf/cudf/__init__.py`; below other folders lies what came with something else.
        let of_name = ["", "python/", "src/"].map(|folder| format!("{folder}{name}/"));
        let folders = ["", "src/", "python/"].map(str::to_owned);
        let mut folders = folders.iter().chain(&of_name);
        folders.any(|folder| self.is_in_tree(&format!("{folder}{module}")))
            || self.builds_extension(name)
    }

    /// Whether a module of Python, `nvidia.modelingpreln`, lies beside the script that imports it or in a folder above: Python looks where the
    /// program begins before it looks at what is installed, and takes a folder without an `__init__.py` for a package as well. No program
    /// begins within a package, `kit/cutlass.py` is `kit.cutlass`, nor where no script stands.
    pub(crate) fn is_module_near(&self, script: &str, module: &str) -> bool {
        let inside = module.replace('.', "/");
        let above = script.rmatch_indices('/').map(|(at, _)| &script[..=at]);
        let is_start = |folder: &&str| {
            self.with_scripts.contains(*folder) && !self.is_in_tree(&format!("{folder}__init__.py"))
        };
        let mut folders = above.chain([""]).filter(is_start);
        folders.any(|folder| {
            self.is_in_tree(&format!("{folder}{inside}.py"))
                || self.is_in_tree(&format!("{folder}{inside}/__init__.py"))
        })
    }

    /// Whether the tree builds an extension of that name in a folder of its own: `csrc/rotary_emb/setup.py`.
    fn builds_extension(&self, name: &str) -> bool {
        let script = format!("{name}/setup.py");
        let all = self.by_name.get("setup.py").into_iter().flatten();
        let mut below = all.filter_map(|it| it.strip_suffix(&script));
        below.any(|it| it.is_empty() || it.ends_with('/'))
    }

    /// Whether a script belongs to what is kept of a past run, by a date in the name of its folder, `records/2024-10-09_soap/train.py`: another
    /// one of its name is in use, in a folder above, or came later, in a folder beside.
    pub(crate) fn is_of_past_run(&self, path: &str) -> bool {
        let mut starts = std::iter::once(0).chain(path.match_indices('/').map(|(at, _)| at + 1));
        let Some(start) = starts.find(|it| is_dated(&path[*it..])) else {
            return false;
        };
        let (around, dated) = path.split_at(start);
        let name = file_name(path);
        // A file of another folder above, and one of a later folder, are the last of their name.
        let mut others = self.by_name.get(name).into_iter().flatten().rev();
        others.any(|it| {
            let is_above = it
                .strip_suffix(name)
                .is_some_and(|folder| around.starts_with(folder));
            let beside = it.strip_prefix(around);
            is_above || beside.is_some_and(|it| is_dated(it) && folder_of(it) > folder_of(dated))
        })
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

    /// All files of the tree, also those that were not read.
    pub(crate) fn all(&self) -> impl Iterator<Item = &str> {
        self.by_name.values().flatten().map(String::as_str)
    }

    /// Whether a file belongs to a submodule.
    pub(crate) fn is_in_submodule(&self, path: &str) -> bool {
        self.submodules
            .iter()
            .any(|folder| path.starts_with(folder))
    }

    /// All files by their last part.
    pub(super) fn by_name(&self) -> &FxHashMap<String, Vec<String>> {
        &self.by_name
    }

    /// Whether the tree has a file of that path, read or not.
    pub(crate) fn is_in_tree(&self, path: &str) -> bool {
        let paths = self.by_name.get(file_name(path));
        paths.is_some_and(|paths| paths.binary_search_by(|it| (**it).cmp(path)).is_ok())
    }

    /// Whether any file changes its name, so that includes have to follow.
    pub(crate) fn has_renames(&self) -> bool {
        !self.renames.is_empty()
    }

    /// The new name of a file of the tree, if it changes.
    pub(crate) fn renamed(&self, path: &str) -> Option<&str> {
        self.renames.get(path).map(String::as_str)
    }

    /// The file of the tree that an include of `from` means, if it is one: beside the includer, from the root, or a path that ends so.
    pub(crate) fn resolve(&self, from: &str, include: &str) -> Option<&str> {
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

    /// Whether an include means a file that stands beside the includer, or where the path leads to from there.
    pub(crate) fn is_found_beside(&self, from: &str, include: &str, file: &str) -> bool {
        let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
        self.links.file(&normalise(&format!("{folder}/{include}"))) == file
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

    /// The file of the tree that an include of a header means which ROCm covers: only a quoted path that resolves exactly. `<cuda.h>`
    /// is CUDA's, also where a tree has a stub of that name, and becomes HIP's.
    pub(crate) fn resolve_covered(&self, from: &str, path: &str, is_angled: bool) -> Option<&str> {
        let folder = |path: &str| path.rsplit_once('/').map(|(folder, _)| folder.to_owned());
        self.resolve(from, path)
            .filter(|found| !is_angled && (folder(found) == folder(from) || path.contains('/')))
    }

    /// How many files of the tree have this name, in whatever folders.
    pub(crate) fn files_called(&self, name: &str) -> usize {
        self.by_name.get(name).map_or(0, Vec::len)
    }
}

/// Whether a path begins with a folder whose name begins with a date: `2024-10-09_soap/train.py`.
fn is_dated(path: &str) -> bool {
    const DATE: &[u8] = b"dddd-dd-dd";
    let folder = folder_of(path).as_bytes();
    let fits = |(byte, sign): (&u8, &u8)| match sign {
        b'd' => byte.is_ascii_digit(),
        _ => matches!(byte, b'-' | b'_'),
    };
    path.contains('/') && folder.len() >= DATE.len() && folder.iter().zip(DATE).all(fits)
}

/// The outermost folder of a path.
fn folder_of(path: &str) -> &str {
    path.split('/').next().unwrap_or(path)
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
        let tree = Paths::new(paths);
        assert_eq!(tree.resolve("b/main.cu", "util.h"), Some("b/util.h"));
        assert_eq!(tree.resolve("b/main.cu", "../a/util.h"), Some("a/util.h"));
        assert_eq!(
            tree.resolve("src/main.cu", "x/util.h"),
            Some("inc/x/util.h")
        );
        assert_eq!(tree.resolve("src/main.cu", "y/util.h"), None);
    }

    #[test]
    fn a_name_of_two_files_is_sure_beside_one_of_them_alone() {
        let tree = Paths::new(["a/util.h", "b/util.h", "c/one.h"].map(String::from));
        assert_eq!(tree.resolve_surely("b/main.cu", "util.h"), Some("b/util.h"));
        assert_eq!(tree.resolve_surely("main.cu", "util.h"), None);
        assert_eq!(tree.resolve_surely("main.cu", "one.h"), Some("c/one.h"));
        assert_eq!(
            (tree.files_called("util.h"), tree.files_called("x")),
            (2, 0)
        );
        assert!(tree.is_in_tree("c/one.h") && !tree.is_in_tree("one.h"));
    }

    #[test]
    fn modules_are_found_where_a_program_may_begin() {
        let paths = [
            "train/nvidia/modeling.py",
            "train/run.py",
            "kit/__init__.py",
            "kit/cutlass/__init__.py",
            "kit/launch.py",
            "backends/tensorrt/__init__.py",
            "backends/tools/run.py",
            "setup.py",
        ];
        let tree = Paths::new(paths.map(String::from));
        for (script, module, expected) in [
            ("backends/tools/run.py", "tensorrt", false),
            ("train/run.py", "nvidia.modeling", true),
            ("train/parts/layer.py", "nvidia.modeling", true),
            ("train/run.py", "nvidia.dali", false),
            ("run.py", "nvidia.modeling", false),
            ("kit/launch.py", "cutlass", false),
            ("run.py", "kit.cutlass", true),
        ] {
            assert_eq!(tree.is_module_near(script, module), expected, "{script}");
        }
    }

    #[test]
    fn past_runs_are_kept_in_folders_with_dates() {
        let paths = [
            "train.py",
            "records/2024-10-09_soap/train.py",
            "records/2024-10-09_soap/old.py",
            "records/2024-10-10_muon/old.py",
            "records/2024-10-10_muon/alone.py",
            "notes/2024-10-10.py",
        ];
        let tree = Paths::new(paths.map(String::from));
        let kept = paths.map(|it| tree.is_of_past_run(it));
        assert_eq!(kept, [false, true, true, false, false, false]);
    }

    #[test]
    fn an_extension_of_the_tree_is_its_own() {
        let tree = Paths::new(["csrc/rotary_emb/setup.py", "b/setup.py"].map(String::from));
        assert!(tree.is_package("rotary_emb") && tree.is_package("b"));
        assert!(!tree.is_package("emb") && !tree.is_package("a"));
    }

    #[test]
    fn a_tree_is_that_of_a_package_at_its_own_place_alone() {
        let paths = [
            "src/pycuda/__init__.py",
            "third_party/cuda/core/__init__.py",
        ];
        let tree = Paths::new(paths.map(String::from));
        assert!(tree.is_package("pycuda"));
        assert!(!tree.is_package("cuda.core") && !tree.is_package("tensorrt"));
    }

    #[test]
    fn the_helper_header_goes_where_no_other_has_its_name() {
        let name = compat::HEADER_NAME;
        let tree = Paths {
            taken_headers: FxHashSet::from_iter([format!("src/{name}")]),
            ..Paths::default()
        };
        assert_eq!(tree.free_header(String::new()), name);
        assert_eq!(
            tree.free_header("src/".to_owned()),
            format!("src/cass/{name}")
        );
    }
}
