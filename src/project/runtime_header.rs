//! Which files of a tree bring the runtime header to whoever includes them.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::mapping::ApiTable;
use crate::project::file::{becomes_runtime, first_clashing_macro};
use crate::project::index::ProjectIndex;
use crate::syntax::{Document, Vendor};
use crate::text::TextRange;

/// How far one goes through a file and what it includes, in the order of a compiler.
#[derive(Default)]
struct Walk<'p> {
    seen: FxHashSet<&'p str>,
    has_macro: bool,
    has_runtime: bool,
}

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
        let (mut walk, mut found) = (Walk::default(), None);
        for include in &document.includes {
            let directive = include.directive;
            if document.vendor_at(directive.start) == Vendor::NotHip {
                continue;
            }
            found = found.or(own.filter(|own| own.start < directive.start));
            walk.has_macro |= found.is_some();
            let name = document.source.text(include.path).replace('\\', "/");
            self.walk(path, &name, table, &mut walk);
            found = found.or(walk.has_macro.then_some(directive));
            if walk.has_runtime {
                return found;
            }
        }
        None
    }

    /// Goes through what an include of a file brings, up to the runtime header.
    fn walk<'p>(&'p self, from: &str, include: &str, table: &ApiTable, walk: &mut Walk<'p>) {
        walk.has_runtime |= becomes_runtime(include, table);
        let Some(file) = self.resolve(from, include).filter(|_| !walk.has_runtime) else {
            return;
        };
        let Some(index) = self.files.get(file).filter(|_| walk.seen.insert(file)) else {
            return;
        };
        let before_macro = index.includes_before_macro.unwrap_or(usize::MAX);
        for (at, include) in index.includes.iter().enumerate() {
            walk.has_macro |= before_macro <= at;
            self.walk(file, include, table, walk);
            if walk.has_runtime {
                return;
            }
        }
        walk.has_macro |= index.includes_before_macro.is_some();
    }

    /// Whether an include of the file `from` brings the runtime header in every build for AMD, by a file of the tree.
    pub fn brings_runtime(&self, from: &str, include: &str) -> bool {
        let with_runtime = self.with_runtime.get_or_init(|| self.files_with_runtime());
        self.resolve_surely(from, include)
            .is_some_and(|file| with_runtime.contains(file))
    }

    /// Walks from the files that include the header itself to all that include those.
    #[expect(
        clippy::iter_over_hash_type,
        reason = "a set comes of it, whatever the order"
    )]
    fn files_with_runtime(&self) -> FxHashSet<String> {
        let mut includers = FxHashMap::<&str, Vec<&str>>::default();
        let mut queue = Vec::new();
        for (path, index) in &self.files {
            queue.extend(index.has_runtime.then_some(path.as_str()));
            for include in &index.sure_includes {
                if let Some(file) = self.resolve_surely(path, include) {
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::FileIndex;
    use crate::text::SourceFile;

    /// Whether a file that includes `a.h` comes by the runtime header, when `a.h` and others are as given.
    fn is_brought(files: &[(&str, &str)]) -> bool {
        let table = ApiTable::builtin();
        let index = |path: &str, text: &str| {
            let source = SourceFile::new(path, text.as_bytes().to_vec());
            FileIndex::new(&Document::new(&source), &table, &|_| false)
        };
        let indexed = files
            .iter()
            .map(|(path, text)| ((*path).to_owned(), index(path, text)));
        let paths = files.iter().map(|(path, _)| (*path).to_owned());
        ProjectIndex::new(indexed, paths).brings_runtime("src/main.cu", "a.h")
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
    }

    #[test]
    fn a_header_without_cuda_that_has_it_brings_it() {
        let files = [
            "#pragma once\n#include <hip/hip_runtime.h>\n",
            "#ifdef A\n#include <hip/hip_runtime.h>\n#endif\n#ifdef B\n#endif\n",
        ];
        let brings = files.map(|text| {
            let header = ("src/a.h".to_owned(), FileIndex::of_plain(text.as_bytes()));
            ProjectIndex::new([header], ["src/a.h".to_owned()]).brings_runtime("src/main.cu", "a.h")
        });
        assert_eq!(brings, [true, false]);
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

    /// The include of `src/main.cu` that brings a macro in front of the runtime header.
    fn brings_macro(files: &[(&str, &str)]) -> Option<String> {
        let table = ApiTable::builtin();
        let index = |(path, text): &(&str, &str)| {
            let source = SourceFile::new(*path, text.as_bytes().to_vec());
            let index = FileIndex::new(&Document::new(&source), &table, &|_| false);
            ((*path).to_owned(), index)
        };
        let paths = files.iter().map(|(path, _)| (*path).to_owned());
        let project = ProjectIndex::new(files.iter().map(index), paths);
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
