//! Which files of a tree bring the runtime header to whoever includes them.

use rustc_hash::{FxHashMap, FxHashSet};

use super::own::ProjectIndex;

impl ProjectIndex {
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
    use crate::mapping::ApiTable;
    use crate::rules::FileIndex;
    use crate::syntax::Document;
    use crate::text::SourceFile;

    /// Whether a file that includes `a.h` comes by the runtime header, when `a.h` and others are as given.
    fn is_brought(files: &[(&str, &str)]) -> bool {
        let table = ApiTable::builtin();
        let index = |path: &str, text: &str| {
            let source = SourceFile::new(path, text.as_bytes().to_vec());
            FileIndex::new(&Document::new(&source), &table)
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
    fn headers_hand_it_on_and_a_name_of_two_files_is_no_proof() {
        let runtime = "#include <cuda_runtime.h>\n";
        let through = ("src/a.h", "#include \"b.h\"\n");
        assert!(is_brought(&[through, ("src/b.h", runtime)]));
        assert!(is_brought(&[("include/a.h", runtime)]));
        assert!(!is_brought(&[("x/a.h", runtime), ("y/a.h", "")]));
        let circle = ("src/b.h", "#include \"a.h\"\n");
        assert!(!is_brought(&[through, circle]));
    }
}
