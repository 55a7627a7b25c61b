//! Files that need no include of the runtime header: headers that come behind it wherever the tree includes them, and files that include
//! one which gets it.

use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

use crate::mapping::ApiTable;
use crate::project::file::{FileIndex, becomes_runtime};
use crate::project::graph::Number;
use crate::project::index::{ProjectIndex, file_name};

/// Which files of a tree have the runtime header, by what a translation makes of them one by one: in a tree that is half translated they
/// are others.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct RuntimeFacts {
    with_runtime: FxHashSet<String>,
    getting: FxHashMap<String, bool>,
    served: FxHashSet<String>,
}

impl ProjectIndex {
    /// Whether files of the tree alone include this one, and bring the header themselves: a fragment by its name, `k.inl`, or a header
    /// beside or below its includers. Others include what a library offers.
    pub(crate) fn is_served(&self, path: &str, table: &ApiTable) -> bool {
        self.is_served_fragment(path)
            || self
                .served
                .get_or_init(|| self.served_headers(table))
                .contains(path)
    }

    /// Whether a header comes by the runtime header because an include of it gets that in every build. A `.cu` file gets its own, and of
    /// a circle of headers one does.
    pub(crate) fn is_given_runtime(&self, from: &str, include: &str, table: &ApiTable) -> bool {
        let getting = self.getting(table);
        let file = self.resolve_surely(from, include);
        getting.get(from) == Some(&false) && file.is_some_and(|file| getting.contains_key(file))
    }

    /// The headers that have the runtime header after translation and do not bring it today; with `true` those that it is put into.
    fn getting(&self, table: &ApiTable) -> &FxHashMap<String, bool> {
        self.getting.get_or_init(|| {
            let graph = self.graph();
            let mut getting = FxHashMap::default();
            // Where HIP is named already, some files are left as they are.
            let names_hip = |file: &FileIndex| file.vendors.has_hip || file.names_hip;
            if self.files.values().any(names_hip) || self.defines_words() {
                return getting;
            }
            for file in graph.leaves_first() {
                let path = &graph.paths()[file as usize];
                let index = &self.files[path];
                let has = |include: &String| {
                    let found = self.resolve_surely(path, include);
                    found.is_some_and(|it| {
                        getting.contains_key(it) || self.with_runtime().contains(it)
                    })
                };
                let is_brought = index.sure_includes.iter().any(has);
                if path.ends_with(".cu") {
                    continue;
                }
                if is_brought || self.asks(path, index, table) {
                    getting.insert(path.clone(), !is_brought);
                }
            }
            getting.retain(|path, _| !self.with_runtime().contains(path));
            getting
        })
    }

    /// Who has the runtime header, gets it or is served with it, as the tree is.
    pub(crate) fn runtime_facts(&self, table: &ApiTable) -> RuntimeFacts {
        let served = self.served.get_or_init(|| self.served_headers(table));
        RuntimeFacts {
            with_runtime: self.with_runtime().clone(),
            getting: self.getting(table).clone(),
            served: served.clone(),
        }
    }

    /// Takes over what was so before a run that came to no end wrote into the tree.
    pub(crate) fn remember(&self, facts: RuntimeFacts) {
        // Who has asked already got the answer of the tree as it is.
        let _ = self.with_runtime.set(facts.with_runtime);
        let _ = self.getting.set(facts.getting);
        let _ = self.served.set(facts.served);
    }

    /// Whether a file has code for the device in every build and nothing that has the runtime header.
    fn asks(&self, path: &str, index: &FileIndex, table: &ApiTable) -> bool {
        let becomes = |include: &String| becomes_runtime(include, table);
        index.asks_for_runtime
            && !self.with_runtime().contains(path)
            && !index.includes.iter().any(becomes)
            && !self.is_fragment(path)
            && !self.is_stand_in(path)
            && !self.is_torch(path)
            && !self.is_served(path, table)
    }

    fn is_served_fragment(&self, path: &str) -> bool {
        const FRAGMENTS: &[&str] = &["inl", "inc", "ipp", "tpp", "tcc", "txx", "impl"];
        let extension = path.rsplit('.').next().unwrap_or_default();
        let stem = path
            .strip_suffix(extension)
            .unwrap_or(path)
            .trim_end_matches('.');
        let mut includers = self.includers(path).peekable();
        (FRAGMENTS.contains(&extension) || stem.ends_with("_impl"))
            && includers.peek().is_some()
            && includers.all(|includer| self.with_runtime().contains(includer))
    }

    /// Goes from the files that have the header, or get it, to what they include behind it. In a circle of headers none is served.
    fn served_headers(&self, table: &ApiTable) -> FxHashSet<String> {
        let graph = self.graph();
        let mut served = FxHashSet::<Number>::default();
        if self.defines_words() {
            return FxHashSet::default();
        }
        let files = 0..graph.paths().len() as Number;
        let mut queue: Vec<Number> = files.filter(|file| self.may_be_served(*file)).collect();
        while let Some(file) = queue.pop() {
            let mut includers = graph.includers(file).iter();
            let is_new = !served.contains(&file)
                && includers.all(|from| served.contains(from) || self.serves(*from, file, table));
            if is_new {
                served.insert(file);
                let next = graph.meanings(file).iter().filter_map(|it| it.file());
                queue.extend(next.filter(|next| self.may_be_served(*next)));
            }
        }
        let paths = graph.paths();
        served
            .into_iter()
            .map(|file| paths[file as usize].clone())
            .collect()
    }

    /// Whether the tree says itself what words of kernels mean, so that they do not ask for the header.
    fn defines_words(&self) -> bool {
        let words: [&[u8]; 4] = [b"__global__", b"__device__", b"__shared__", b"__constant__"];
        words
            .iter()
            .any(|word| self.declares(word) || self.is_macro(word))
    }

    /// Whether a file is a header of a name that no other has, and all its includers lie beside or above it.
    fn may_be_served(&self, file: Number) -> bool {
        const HEADERS: &[&str] = &["h", "hh", "hpp", "hxx", "cuh"];
        let graph = self.graph();
        let path = &graph.paths()[file as usize];
        let folder = |path: &str| path.rfind('/').map_or(0, |at| at + 1);
        let is_above = |from: &Number| {
            let from = &graph.paths()[*from as usize];
            path.starts_with(&from[..folder(from)])
        };
        HEADERS.contains(&path.rsplit('.').next().unwrap_or_default())
            && !path.split('/').any(|part| part == "include")
            && self.files_called(file_name(path)) == 1
            && !graph.includers(file).is_empty()
            && graph.includers(file).iter().all(is_above)
    }

    /// Whether a file comes to the runtime header before it includes another.
    fn serves(&self, from: Number, to: Number, table: &ApiTable) -> bool {
        let graph = self.graph();
        let path = &graph.paths()[from as usize];
        let index = &self.files[path];
        let becomes = |include: &String| becomes_runtime(include, table);
        let lacks = !self.with_runtime().contains(path) && !index.includes.iter().any(becomes);
        // Then it gets the header in front of all includes.
        if path.ends_with(".cu") && index.asks_for_runtime && lacks {
            return true;
        }
        let brings = |include: &str, meaning: Option<Number>| {
            let by_file = meaning
                .is_some_and(|file| self.with_runtime().contains(&graph.paths()[file as usize]));
            index.sure_includes.iter().any(|it| it == include)
                && (by_file || becomes_runtime(include, table))
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
            let is_served = project.is_served("a/h.cuh", &table);
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
