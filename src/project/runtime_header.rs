//! Which files of a tree bring the runtime header to whoever includes them.

use rustc_hash::FxHashSet;

use crate::mapping::ApiTable;
use crate::project::brought::Brought;
use crate::project::file::{becomes_runtime, brings_runtime, first_clashing_macro};
use crate::project::graph::{Meaning, Number};
use crate::project::index::ProjectIndex;
use crate::project::per_table::Kept;
use crate::syntax::{Document, Include, Vendor};
use crate::text::TextRange;

impl ProjectIndex {
    /// The directive by which a file comes to a macro called `max`, `min` or `swap` before it comes to the runtime header, whose C++
    /// headers use these names. nvcc has read CUDA's before anything else.
    pub(crate) fn macro_before_runtime(
        &self,
        document: &Document<'_>,
        table: &ApiTable,
    ) -> Option<TextRange> {
        let path = document.source.path.as_str();
        let own = first_clashing_macro(document);
        let (mut brought, mut found) = (Brought::default(), None);
        let graph = self.graph();
        for include in &document.includes {
            let directive = include.directive;
            if document.vendor_at(directive.start) == Vendor::NotHip {
                continue;
            }
            found = found.or(own.filter(|own| own.start < directive.start));
            brought.has_macro |= found.is_some();
            let name = document.source.text(include.path).replace('\\', "/");
            brought.has_runtime |= becomes_runtime(&name, table);
            let file = self
                .paths
                .resolve(path, &name)
                .and_then(|file| graph.number(file));
            if let Some(file) = file.filter(|_| !brought.has_runtime) {
                brought.go_on(self.brought_by(table)[file as usize]);
            }
            found = found.or(brought.has_macro.then_some(directive));
            if brought.has_runtime {
                return found;
            }
        }
        None
    }

    /// The directive by which a `.cu` file comes to CUDA's vector types before it comes to the runtime header: a header that is without
    /// CUDA otherwise, and includes nothing that has them. nvcc has read CUDA's before anything else.
    pub(crate) fn vectors_before_runtime(
        &self,
        document: &Document<'_>,
        table: &ApiTable,
    ) -> Option<TextRange> {
        let path = document.source.path.as_str();
        let graph = self.graph();
        let read =
            |include: &&Include| document.vendor_at(include.directive.start) != Vendor::NotHip;
        for include in document.includes.iter().filter(read) {
            let name = document.source.text(include.path).replace('\\', "/");
            let file = self.paths.resolve(path, &name);
            let number = file.and_then(|file| graph.number(file));
            let brought = number.map(|file| self.brought_by(table)[file as usize]);
            let brought = brought.unwrap_or_default();
            if brought.lacks_vectors {
                return Some(include.directive);
            }
            if brought.has_vectors || brings_runtime(&name, table) {
                return None;
            }
        }
        None
    }

    /// Whether a compiler of the host comes to HIP's runtime header in a file of the tree, in some build for AMD.
    pub(crate) fn reaches_runtime(&self, path: &str, table: &ApiTable) -> bool {
        let number = self.graph().number(path);
        number.is_some_and(|file| self.brought_by(table)[file as usize].has_runtime_on_host)
    }

    /// Whether a compiler of the host or for the device comes to HIP's runtime header in a file of the tree, in some build for AMD.
    pub(crate) fn may_bring_runtime(&self, path: &str, table: &ApiTable) -> bool {
        let number = self.graph().number(path);
        number.is_some_and(|file| self.brought_by(table)[file as usize].has_runtime)
    }

    /// Whether a source for the host's compiler reads a file and comes to no header of CUDA or HIP: one more would break it where that
    /// is not installed.
    pub(crate) fn is_read_without_runtime(&self, path: &str, table: &ApiTable) -> bool {
        const OF_HOST: &[&str] = &["c", "cc", "cpp", "cxx", "C"];
        let graph = self.graph();
        let Some(file) = graph.number(path) else {
            return false;
        };
        let readers = graph.files_that_reach(path, || vec![file]);
        readers.iter().any(|&reader| {
            let path = &graph.paths()[reader as usize];
            let ending = path.rsplit('.').next();
            ending.is_some_and(|it| OF_HOST.contains(&it)) && !self.reaches_runtime(path, table)
        })
    }

    /// Whether a unit that reads a file comes to the runtime header: by an include, or before its first line, as nvcc does for a `.cu`.
    pub(crate) fn is_read_with_runtime(&self, path: &str, table: &ApiTable) -> bool {
        let graph = self.graph();
        let brought = |number: Number| self.brought_by(table)[number as usize];
        let comes = |path: &str| {
            let number = graph.number(path);
            path.ends_with(".cu") || number.is_some_and(|it| brought(it).has_runtime)
        };
        let Some(file) = graph.number(path) else {
            return comes(path);
        };
        let readers = graph.files_that_reach(path, || vec![file]);
        readers
            .iter()
            .any(|&reader| comes(&graph.paths()[reader as usize]))
    }

    /// Whether some source comes to a file before it comes to the runtime header: macros that this header sets are not yet there.
    pub(crate) fn is_read_before_runtime(&self, path: &str, table: &ApiTable) -> bool {
        let graph = self.graph();
        let Some(file) = graph.number(path) else {
            return true;
        };
        let brought_by = self.brought_by(table);
        let brings = |(include, meaning): (&String, &Meaning)| {
            let by_file = || meaning.file().map(|it| brought_by[it as usize].has_runtime);
            becomes_runtime(include, table) || by_file().unwrap_or(false)
        };
        let (mut seen, mut open) = (FxHashSet::from_iter([file]), vec![file]);
        while let Some(file) = open.pop() {
            let includers = graph.includers(file);
            if includers.is_empty() {
                return true;
            }
            for &from in includers {
                let index = &self.files[&graph.paths()[from as usize]];
                let all = index.includes.iter().zip(graph.meanings(from));
                let mut before = all.take_while(|(_, meaning)| meaning.file() != Some(file));
                if !before.any(brings) && seen.insert(from) {
                    open.push(from);
                }
            }
        }
        false
    }

    /// What each file brings, by number; each file is walked once, those that it includes before it.
    fn brought_by(&self, table: &ApiTable) -> Kept<Vec<Brought>> {
        self.brought_by.of(table, || {
            let graph = self.graph();
            let mut brought_by = vec![Brought::default(); graph.paths().len()];
            let own = self.files.values().flat_map(|file| &file.vectors.own);
            let own: FxHashSet<&[u8]> = own.map(|name| &**name).collect();
            for file in graph.leaves_first() {
                let vectors = self.vectors_of(file, &own, &brought_by, table);
                brought_by[file as usize] = Brought {
                    lacks_vectors: vectors.lacks_vectors,
                    has_vectors: vectors.has_vectors,
                    ..self.brings(file, &brought_by, table)
                };
            }
            brought_by
        })
    }

    /// Goes through a file when it is known what its includes bring. In a circle of includes, which guards cut, the one that closes it
    /// brings nothing.
    fn brings(&self, file: Number, brought_by: &[Brought], table: &ApiTable) -> Brought {
        let graph = self.graph();
        let index = &self.files[&graph.paths()[file as usize]];
        let before_macro = index.includes_before_macro.unwrap_or(usize::MAX);
        let mut brought = Brought::default();
        for (at, (include, meaning)) in index.includes.iter().zip(graph.meanings(file)).enumerate()
        {
            let mut next = meaning.file().map(|file| brought_by[file as usize]);
            if becomes_runtime(include, table) {
                next = Some(Brought::RUNTIME);
            }
            let mut next = next.unwrap_or_default();
            next.has_runtime_on_host &= !index.for_device.contains(include);
            let has_runtime = brought.has_runtime;
            brought.has_macro |= !has_runtime && (before_macro <= at || next.has_macro);
            brought.has_runtime |= next.has_runtime;
            brought.has_runtime_on_host |= next.has_runtime_on_host;
            if brought.has_runtime_on_host {
                return brought;
            }
        }
        brought.has_macro |= !brought.has_runtime && index.includes_before_macro.is_some();
        brought
    }

    /// The same of CUDA's vector types alone; `own` are those that the tree gives a meaning of its own.
    fn vectors_of(
        &self,
        file: Number,
        own: &FxHashSet<&[u8]>,
        brought_by: &[Brought],
        table: &ApiTable,
    ) -> Brought {
        let graph = self.graph();
        let index = &self.files[&graph.paths()[file as usize]];
        let mut brought = Brought::default();
        for (include, meaning) in index.includes.iter().zip(graph.meanings(file)) {
            let next = meaning.file().map(|file| brought_by[file as usize]);
            brought.go_on(next.unwrap_or_default());
            brought.has_vectors |= brings_runtime(include, table);
        }
        // It gets the runtime header in front of all includes.
        if index.asks_for_runtime && !brought.has_vectors {
            return Brought::RUNTIME;
        }
        let is_lacking = |name: &[u8]| !own.contains(name) && !self.names().declares(name);
        let mut used = index.vectors.used.iter();
        brought.lacks_vectors |= !brought.has_vectors && used.any(|name| is_lacking(name));
        brought
    }

    /// Whether an include of the file `from` brings the runtime header in every build for AMD, by a file of the tree.
    pub(crate) fn brings_runtime(&self, from: &str, include: &str, table: &ApiTable) -> bool {
        let file = self.paths.resolve_surely(from, include);
        file.is_some_and(|file| self.runtime(table).brings(file))
    }

    /// Whether the header `from` comes by the runtime header because an include of it gets that.
    pub(crate) fn is_given_runtime(&self, from: &str, include: &str, table: &ApiTable) -> bool {
        let file = self.paths.resolve_surely(from, include);
        file.is_some_and(|file| self.runtime(table).gives(from, file))
    }

    /// Whether an include of the file `from` brings it under one of some conditions.
    pub(crate) fn brings_runtime_if(&self, from: &str, include: &str, met: &[String]) -> bool {
        let file = self.paths.resolve_surely(from, include);
        let index = file.and_then(|file| self.files.get(file));
        index.is_some_and(|index| met.iter().any(|it| index.runtime_if.contains(it)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::FileIndex;
    use crate::project::probe::tree;
    use crate::text::SourceFile;

    /// Whether a file that includes `a.h` comes by the runtime header, when `a.h` and others are as given.
    fn is_brought(files: &[(&str, &str)]) -> bool {
        tree(files).brings_runtime("src/main.cu", "a.h", &ApiTable::builtin())
    }

    #[test]
    fn only_what_every_build_reads_counts() {
        let runtime = "#include <cuda_runtime.h>\n";
        let shapes = [
            ("", "", true),
            ("#pragma once\n", "", true),
            ("#ifndef A_H\n#define A_H\n", "#endif\n", true),
            ("#ifdef WITH_GPU\n", "#endif\n", false),
            (
                "#ifndef WITHOUT_GPU\n#include <cstdio>\n",
                "#endif\n",
                false,
            ),
            (
                "#ifdef __HIP_PLATFORM_AMD__\n#include <hip/hip_runtime.h>\n#else\n",
                "#endif\n",
                true,
            ),
            (
                "#if defined(__CUDACC__) && !defined(__HIP__)\n#else\n#include <hip/hip_runtime.h>\n#endif\n#ifdef A\n",
                "#endif\n",
                true,
            ),
            (
                "#ifdef __HIP_PLATFORM_AMD__\n#include <hip/hip_fp16.h>\n#else\n",
                "#endif\n",
                false,
            ),
        ];
        for (before, after, expected) in shapes {
            let text = format!("{before}{runtime}{after}");
            assert_eq!(is_brought(&[("src/a.h", &text)]), expected, "{text}");
        }
        assert!(!is_brought(&[(
            "src/a.h",
            "#include <cuda_runtime_api.h>\n"
        )]));
        let through = ("src/a.h", "#include \"cuda.h\"\n");
        assert!(is_brought(&[through]));
        assert!(!is_brought(&[through, ("src/cuda.h", "int own;\n")]));
    }

    /// In a tree with an extension of PyTorch and with other code files are asked about with two tables, on several threads.
    #[test]
    fn who_asks_first_does_not_decide_for_another_table() {
        let (all, torch) = (ApiTable::builtin(), ApiTable::builtin().for_torch());
        let answers = |tables: [&ApiTable; 2]| {
            let project = tree(&[("a.cpp", "#include <cuda_runtime.h>\n")]);
            tables.map(|table| project.reaches_runtime("a.cpp", table))
        };
        assert_eq!(answers([&all, &torch]), [true, false]);
        assert_eq!(answers([&torch, &all]), [false, true]);
    }

    #[test]
    fn a_header_without_cuda_that_has_it_brings_it() {
        let files = [
            "#pragma once\n#include <hip/hip_runtime.h>\n",
            "#ifdef A\n#include <hip/hip_runtime.h>\n#endif\n#ifdef B\n#endif\n",
        ];
        let brings = files.map(|text| {
            let header = ("src/a.h".to_owned(), FileIndex::of_plain(text.as_bytes()));
            ProjectIndex::new([header], ["src/a.h".to_owned()]).brings_runtime(
                "src/main.cu",
                "a.h",
                &ApiTable::builtin(),
            )
        });
        assert_eq!(brings, [true, false]);
    }

    #[test]
    fn what_nvcc_alone_reads_is_not_for_the_host() {
        let project = tree(&[
            (
                "a.h",
                "#ifdef __CUDACC__\n#include <cuda_runtime.h>\n#endif\n",
            ),
            ("b.h", "#include \"a.h\"\n#include <cuda_runtime.h>\n"),
            ("a.cpp", "#include \"a.h\"\n"),
            ("b.cpp", "#include \"b.h\"\n"),
        ]);
        let table = ApiTable::builtin();
        let found = ["a.cpp", "b.cpp"].map(|path| project.reaches_runtime(path, &table));
        assert_eq!(found, [false, true]);
        assert!(project.is_read_without_runtime("a.h", &table));
        assert!(!project.is_read_without_runtime("b.h", &table));
    }

    #[test]
    fn a_file_is_read_before_the_runtime_by_who_has_not_come_to_it() {
        let runtime = ("r.h", "#include <hip/hip_runtime.h>\n");
        let header = (
            "h.h",
            "#ifdef __HIP_PLATFORM_AMD__\n#include <hip/hip_runtime.h>\n#endif\n",
        );
        for (sources, expected) in [
            (&[("a.cu", "#include \"h.h\"\n")][..], true),
            (
                &[("a.cu", "#include <cuda_runtime.h>\n#include \"h.h\"\n")],
                false,
            ),
            (&[("a.cu", "#include \"r.h\"\n#include \"h.h\"\n")], false),
            (
                &[
                    ("a.cu", "#include \"r.h\"\n#include \"h.h\"\n"),
                    ("b.cu", "#include \"c.h\"\n"),
                    ("c.h", "#include \"h.h\"\n"),
                ],
                true,
            ),
            (
                &[
                    ("a.h", "#include \"h.h\"\n"),
                    ("b.cu", "#include \"r.h\"\n#include \"a.h\"\n"),
                ],
                false,
            ),
            (&[], true),
        ] {
            let project = tree(&[&[runtime, header], sources].concat());
            let found = project.is_read_before_runtime("h.h", &ApiTable::builtin());
            assert_eq!(found, expected, "{sources:?}");
        }
    }

    #[test]
    fn headers_hand_it_on_and_a_name_of_two_files_is_no_proof() {
        let runtime = "#include <cuda_runtime.h>\n";
        let through = ("src/a.h", "#include \"b.h\"\n");
        assert!(is_brought(&[through, ("src/b.h", runtime)]));
        assert!(is_brought(&[("include/a.h", runtime)]));
        assert!(!is_brought(&[("x/a.h", runtime), ("y/a.h", "")]));
        let circle = ("src/b.h", "#include \"a.h\"\n");
        assert!(!is_brought(&[through, circle]));
    }

    #[test]
    fn vector_types_count_where_nothing_has_brought_them() {
        let table = ApiTable::builtin();
        let found = |main: &str, files: &[(&str, &str)]| {
            let project = tree(files);
            let source = SourceFile::new("main.cu", main.as_bytes().to_vec());
            let found = project.vectors_before_runtime(&Document::new(&source), &table)?;
            Some(source.text(found).into_owned())
        };
        let runtime = "#include <cuda_runtime.h>\n";
        let main = format!("#include \"a.h\"\n{runtime}");
        let first = Some("#include \"a.h\"".to_owned());
        let user = ("v.h", "template <> struct A<float4> {};\n");
        let through = ("a.h", "#include \"v.h\"\n");
        assert_eq!(found(&main, &[user, through]), first);
        assert_eq!(
            found(&format!("{runtime}#include \"a.h\"\n"), &[user, through]),
            None
        );
        let by_thrust = "#include <thrust/sort.h>\n#include \"a.h\"\n";
        assert_eq!(found(by_thrust, &[user, through]), None);
        let served = ("a.h", "#include <cuda_runtime.h>\n#include \"v.h\"\n");
        assert_eq!(found(&main, &[user, served]), None);
        let late = ("a.h", "#include \"v.h\"\n#include <cuda_runtime.h>\n");
        assert_eq!(found(&main, &[user, late]), first);
        // It gets the header.
        let device = ("a.h", "#include \"v.h\"\n__device__ int f();\n");
        assert_eq!(found(&main, &[user, device]), None);
        let own = ("b.h", "struct float4 { float x; };\n");
        assert_eq!(found(&main, &[user, through, own]), None);
    }

    /// The include of `src/main.cu` that brings a macro in front of the runtime header.
    fn brings_macro(files: &[(&str, &str)]) -> Option<String> {
        let table = ApiTable::builtin();
        let project = tree(files);
        let main = "#include \"a.h\"\n#include <cuda_runtime.h>\n";
        let source = SourceFile::new("src/main.cu", main.as_bytes().to_vec());
        let document = Document::new(&source);
        let found = project.macro_before_runtime(&document, &table)?;
        Some(source.text(found).into_owned())
    }

    #[test]
    fn a_macro_counts_where_the_runtime_comes_later() {
        let runtime = "#include <cuda_runtime.h>\n";
        let max = "#define max(a, b) ((a) > (b) ? (a) : (b))\n";
        let first = Some("#include \"a.h\"".to_owned());
        assert_eq!(brings_macro(&[("src/a.h", max)]), first);
        let before = format!("{max}{runtime}");
        assert_eq!(brings_macro(&[("src/a.h", &before)]), first);
        let behind = format!("{runtime}{max}");
        assert_eq!(brings_macro(&[("src/a.h", &behind)]), None);
        assert_eq!(brings_macro(&[("src/a.h", "#define MAX(a, b) a\n")]), None);
        let through = ("src/a.h", "#include \"b.h\"\n");
        assert_eq!(brings_macro(&[through, ("src/b.h", max)]), first);
    }
}
