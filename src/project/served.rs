//! Files that need no include of the runtime header: headers that come behind it wherever the tree includes them, and files that include
//! one which gets it.

use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

use crate::mapping::ApiTable;
use crate::project::file::{FileIndex, becomes_runtime};
use crate::project::graph::Number;
use crate::project::inclusions::Inclusions;
use crate::project::paths::file_name;
use crate::project::tree::Tree;
use crate::project::tree_names::TreeNames;

/// Which files of a tree have the runtime header, by what a translation makes of them one by one: in a tree that is half translated they
/// are others.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct RuntimeFacts {
    /// The files that bring the header in every build for AMD.
    with_runtime: FxHashSet<String>,
    /// The headers that have the runtime header after translation and do not bring it today; with `true` those that it is put into.
    getting: FxHashMap<String, bool>,
    /// Headers that come behind the runtime header wherever the tree includes them.
    served: FxHashSet<String>,
}

impl RuntimeFacts {
    /// Works it out for a tree as it is.
    pub(super) fn new(tellers: Tellers<'_>) -> Self {
        let asked = Asked {
            with_runtime: files_with_runtime(tellers.tree),
            defines_words: defines_words(tellers.names),
            tellers,
        };
        let served = asked.served();
        let getting = asked.getting(&served);
        Self {
            with_runtime: asked.with_runtime,
            getting,
            served,
        }
    }

    /// Whether a file brings the header in every build for AMD.
    pub(crate) fn brings(&self, path: &str) -> bool {
        self.with_runtime.contains(path)
    }

    /// Whether files of the tree alone include this one, and bring the header themselves: a fragment by its name, `k.inl`, or a header
    /// beside or below its includers. Others include what a library offers.
    pub(crate) fn is_served(&self, path: &str) -> bool {
        self.served.contains(path)
    }

    /// Whether a header comes by the runtime header because a file that it surely includes gets that in every build. A `.cu` file gets its
    /// own, and of a circle of headers one does.
    pub(super) fn gives(&self, from: &str, file: &str) -> bool {
        self.getting.get(from) == Some(&false) && self.getting.contains_key(file)
    }
}

/// Who tells what one has to know of a tree to say that.
pub(super) struct Tellers<'p> {
    pub(super) tree: Tree<'p>,
    pub(super) table: &'p ApiTable,
    pub(super) names: &'p TreeNames,
    pub(super) inclusions: &'p Inclusions,
    /// Whether PyTorch's build translates a file.
    pub(super) is_torch: &'p dyn Fn(&str) -> bool,
}

/// The same with what they told of the whole tree.
struct Asked<'p> {
    tellers: Tellers<'p>,
    with_runtime: FxHashSet<String>,
    /// The tree says itself what words of kernels mean, so that they do not ask for the header.
    defines_words: bool,
}

impl Asked<'_> {
    fn getting(&self, served: &FxHashSet<String>) -> FxHashMap<String, bool> {
        let Tree {
            files,
            paths,
            graph,
        } = self.tellers.tree;
        let mut getting = FxHashMap::default();
        // Where HIP is named already, some files are left as they are.
        let names_hip = |file: &FileIndex| file.vendors.has_hip || file.names_hip;
        if files.values().any(names_hip) || self.defines_words {
            return getting;
        }
        for file in graph.leaves_first() {
            let path = &graph.paths()[file as usize];
            let index = &files[path];
            let has = |include: &String| {
                let found = paths.resolve_surely(path, include);
                found.is_some_and(|it| getting.contains_key(it) || self.with_runtime.contains(it))
            };
            let is_brought = index.sure_includes.iter().any(has);
            if path.ends_with(".cu") {
                continue;
            }
            if is_brought || self.asks(path, index, served) {
                getting.insert(path.clone(), !is_brought);
            }
        }
        getting.retain(|path, _| !self.with_runtime.contains(path));
        getting
    }

    /// Whether a file has code for the device in every build and nothing that has the runtime header.
    fn asks(&self, path: &str, index: &FileIndex, served: &FxHashSet<String>) -> bool {
        let becomes = |include: &String| becomes_runtime(include, self.tellers.table);
        index.asks_for_runtime
            && !self.with_runtime.contains(path)
            && !index.includes.iter().any(becomes)
            && !self.tellers.inclusions.is_fragment(path)
            && !self.tellers.inclusions.is_stand_in(path)
            && !(self.tellers.is_torch)(path)
            && !served.contains(path)
    }

    fn is_served_fragment(&self, path: &str) -> bool {
        const FRAGMENTS: &[&str] = &["inl", "inc", "ipp", "tpp", "tcc", "txx", "impl"];
        let extension = path.rsplit('.').next().unwrap_or_default();
        let stem = path
            .strip_suffix(extension)
            .unwrap_or(path)
            .trim_end_matches('.');
        if !FRAGMENTS.contains(&extension) && !stem.ends_with("_impl") {
            return false;
        }
        let mut includers = self.tellers.tree.includers(path).peekable();
        includers.peek().is_some() && includers.all(|includer| self.with_runtime.contains(includer))
    }

    /// Goes from the files that have the header, or get it, to what they include behind it. In a circle of headers none is served.
    fn served(&self) -> FxHashSet<String> {
        let graph = self.tellers.tree.graph;
        let paths = graph.paths();
        let fragments = paths.iter().filter(|path| self.is_served_fragment(path));
        let mut all: FxHashSet<String> = fragments.cloned().collect();
        if self.defines_words {
            return all;
        }
        let mut served = FxHashSet::<Number>::default();
        let files = 0..paths.len() as Number;
        let mut queue: Vec<Number> = files.filter(|file| self.may_be_served(*file)).collect();
        while let Some(file) = queue.pop() {
            let mut includers = graph.includers(file).iter();
            let is_new = !served.contains(&file)
                && includers.all(|from| served.contains(from) || self.serves(*from, file));
            if is_new {
                served.insert(file);
                let next = graph.meanings(file).iter().filter_map(|it| it.file());
                queue.extend(next.filter(|next| self.may_be_served(*next)));
            }
        }
        all.extend(served.into_iter().map(|file| paths[file as usize].clone()));
        all
    }

    /// Whether a file is a header of a name that no other has, and all its includers lie beside or above it.
    fn may_be_served(&self, file: Number) -> bool {
        const HEADERS: &[&str] = &["h", "hh", "hpp", "hxx", "cuh"];
        let graph = self.tellers.tree.graph;
        let path = &graph.paths()[file as usize];
        let folder = |path: &str| path.rfind('/').map_or(0, |at| at + 1);
        let is_above = |from: &Number| {
            let from = &graph.paths()[*from as usize];
            path.starts_with(&from[..folder(from)])
        };
        HEADERS.contains(&path.rsplit('.').next().unwrap_or_default())
            && !path.split('/').any(|part| part == "include")
            && self.tellers.tree.paths.files_called(file_name(path)) == 1
            && !graph.includers(file).is_empty()
            && graph.includers(file).iter().all(is_above)
    }

    /// Whether a file comes to the runtime header before it includes another.
    fn serves(&self, from: Number, to: Number) -> bool {
        let graph = self.tellers.tree.graph;
        let path = &graph.paths()[from as usize];
        let index = self.tellers.tree.file(from);
        let becomes = |include: &String| becomes_runtime(include, self.tellers.table);
        let lacks = !self.with_runtime.contains(path) && !index.includes.iter().any(becomes);
        // Then it gets the header in front of all includes.
        if path.ends_with(".cu") && index.asks_for_runtime && lacks {
            return true;
        }
        let brings = |include: &str, meaning: Option<Number>| {
            let by_file = meaning
                .is_some_and(|file| self.with_runtime.contains(&graph.paths()[file as usize]));
            index.sure_includes.iter().any(|it| it == include)
                && (by_file || becomes_runtime(include, self.tellers.table))
        };
        for (include, meaning) in index.includes.iter().zip(graph.meanings(from)) {
            let file = meaning.file();
            if file == Some(to) {
                return false;
            }
            if brings(include, file) {
                return true;
            }
        }
        false
    }
}

/// Whether the tree says itself what words of kernels mean.
fn defines_words(names: &TreeNames) -> bool {
    let words: [&[u8]; 4] = [b"__global__", b"__device__", b"__shared__", b"__constant__"];
    words
        .iter()
        .any(|word| names.declares(word) || names.is_macro(word))
}

/// The files that bring the header in every build for AMD: from those that include it themselves to all that include those.
#[expect(
    clippy::iter_over_hash_type,
    reason = "a set comes of it, whatever the order"
)]
fn files_with_runtime(tree: Tree<'_>) -> FxHashSet<String> {
    let mut includers = FxHashMap::<&str, Vec<&str>>::default();
    let mut queue = Vec::new();
    for (path, index) in tree.files {
        let is_cudas = |name: &String| tree.paths.resolve_covered(path, name, false).is_none();
        let has_runtime = index.has_runtime || index.quoted_runtime.iter().any(is_cudas);
        queue.extend(has_runtime.then_some(path.as_str()));
        for include in &index.sure_includes {
            if let Some(file) = tree.paths.resolve_surely(path, include) {
                includers.entry(file).or_default().push(path);
            }
        }
    }
    let mut found = FxHashSet::default();
    while let Some(path) = queue.pop() {
        if found.insert(path.to_owned()) {
            queue.extend(includers.get(path).into_iter().flatten());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::probe::tree;

    #[test]
    fn headers_behind_the_runtime_header_are_served() {
        const KERNEL: &str = "__global__ void k() {}\n";
        let table = ApiTable::builtin();
        // Whether `a/h.cuh` is served by the other files.
        let cases: &[(&[(&str, &str)], bool)] = &[
            (
                &[("a/k.cu", "#include \"h.cuh\"\n__global__ void k() {}\n")],
                true,
            ),
            (
                &[("a/k.cu", "#include <cuda_runtime.h>\n#include \"h.cuh\"\n")],
                true,
            ),
            (
                &[("a/k.cu", "#include \"h.cuh\"\n#include <cuda_runtime.h>\n")],
                false,
            ),
            (
                &[(
                    "a/k.cu",
                    "#ifdef A\n#include <cuda_runtime.h>\n#endif\n#include \"h.cuh\"\n",
                )],
                false,
            ),
            (
                &[(
                    "a/k.cu",
                    "#include \"h.cuh\"\n#ifdef A\n__global__ void k() {}\n#endif\n",
                )],
                false,
            ),
            (&[("a/k.cu", "#include \"h.cuh\"\nint x;\n")], false),
            (
                &[("k.cu", "#include \"a/h.cuh\"\n__global__ void k() {}\n")],
                true,
            ),
            (
                &[(
                    "b/k.cu",
                    "#include \"../a/h.cuh\"\n__global__ void k() {}\n",
                )],
                false,
            ),
            (
                &[
                    ("a/all.cuh", "#include \"h.cuh\"\n"),
                    ("a/k.cu", "#include \"all.cuh\"\n__global__ void k() {}\n"),
                ],
                true,
            ),
            (
                &[
                    ("a/k.cu", "#include \"h.cuh\"\n__global__ void k() {}\n"),
                    ("a/host.cpp", "#include \"h.cuh\"\n"),
                ],
                false,
            ),
            (&[("a/all.cuh", "#include \"h.cuh\"\n")], false),
            (&[("a/k.cu", KERNEL)], false),
            (
                &[
                    (
                        "a/k.cu",
                        "#include \"h.cuh\"\n#include \"late.h\"\n__global__ void k() {}\n",
                    ),
                    ("a/late.h", "#include <cuda_runtime.h>\n"),
                ],
                false,
            ),
        ];
        for (files, expected) in cases {
            let all = files.iter().chain([&("a/h.cuh", "__device__ int f();\n")]);
            let project = tree(&all.copied().collect::<Vec<_>>());
            let is_served = project.runtime(&table).is_served("a/h.cuh");
            assert_eq!(is_served, *expected, "{files:?}");
        }
    }

    #[test]
    fn of_headers_that_include_each_other_one_gets_it() {
        let table = ApiTable::builtin();
        let device = "__device__ int f();\n";
        // Whether `a.cuh` comes by the header because `b.cuh`, which it includes, gets it.
        let cases: &[(&str, &str, bool)] = &[
            ("#include \"b.cuh\"\n", "", true),
            ("#include \"b.cuh\"\n", "#include <cuda_runtime.h>\n", false),
            ("#ifdef X\n#include \"b.cuh\"\n#endif\n", "", false),
            ("#include \"b.cuh\"\n", "#include \"a.cuh\"\n", true),
            ("#include \"b.cuh\"\n", "#define __device__\n", false),
            ("#include \"b.cuh\"\n", "#include <hip/hip_fp16.h>\n", false),
            ("", "#include \"a.cuh\"\n", false),
        ];
        for (a, b, expected) in cases {
            let texts = [("include/a.cuh", a), ("include/b.cuh", b)];
            let texts = texts.map(|(path, text)| (path, format!("{text}{device}")));
            let project = tree(&texts.each_ref().map(|(path, text)| (*path, text.as_str())));
            let given = |from: &str, to: &str| project.is_given_runtime(from, to, &table);
            assert_eq!(given("include/a.cuh", "b.cuh"), *expected, "{a} {b}");
            assert!(!given("include/b.cuh", "a.cuh") || !given("include/a.cuh", "b.cuh"));
        }
    }
}
