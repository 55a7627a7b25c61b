//! Which headers a file comes by, directly, through the tree, or from the files that include it.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::compat;
use crate::mapping::ApiTable;
use crate::project::index::{ProjectIndex, file_name};
use crate::syntax::Document;

/// The include paths that a file comes by.
#[derive(Debug)]
pub struct Reached {
    /// Paths as written, of the file itself, of the files of the tree that it includes, and of those that include it.
    pub paths: std::collections::BTreeSet<String>,
    /// Every path is a file of the tree or in angle brackets and known, so that no unknown header can bring anything more.
    pub complete: bool,
}

impl ProjectIndex {
    /// The include paths that a file comes by: its own and those of headers of the tree. With `included` also those of the files
    /// that include it, which may have included something before; that asks every file of the tree.
    pub fn reached(&self, document: &Document<'_>, table: &ApiTable, included: bool) -> Reached {
        let path = document.source.path.as_str();
        let mut paths: std::collections::BTreeSet<String> = document
            .includes
            .iter()
            .map(|include| document.source.text(include.path).replace('\\', "/"))
            .collect();
        let (mut seen, mut complete) = (FxHashSet::<&str>::default(), true);
        let mut queue: Vec<&str> = Vec::new();
        for include in &paths {
            self.follow(path, include, table, &mut queue, &mut complete);
        }
        if included {
            queue.extend(self.includers(path));
        }
        while let Some(file) = queue.pop() {
            if file == path || !seen.insert(file) {
                continue;
            }
            let Some(index) = self.files.get(file) else {
                complete = false;
                continue;
            };
            for include in &index.includes {
                self.follow(file, include, table, &mut queue, &mut complete);
            }
            paths.extend(index.includes.iter().cloned());
        }
        Reached { paths, complete }
    }

    /// The files that include one.
    pub(crate) fn includers<'p>(&'p self, path: &'p str) -> impl Iterator<Item = &'p str> {
        let name = file_name(path);
        let candidates = self.includers.get_or_init(|| self.by_included_name());
        let means = move |from: &str, include: &String| {
            file_name(include) == name && self.resolve(from, include) == Some(path)
        };
        candidates
            .get(name)
            .into_iter()
            .flatten()
            .map(String::as_str)
            .filter(move |from| {
                let index = &self.files[*from];
                index.includes.iter().any(|include| means(from, include))
            })
    }

    /// The files that include something of a name, by that name.
    fn by_included_name(&self) -> FxHashMap<String, Vec<String>> {
        let mut found = FxHashMap::<String, Vec<String>>::default();
        let pairs = self.files.iter().flat_map(|(from, index)| {
            let includes = index.includes.iter();
            includes.map(move |include| (file_name(include), from))
        });
        for (name, from) in pairs {
            let files = found.entry(name.to_owned()).or_default();
            if files.last() != Some(from) {
                files.push(from.clone());
            }
        }
        found
    }

    /// Queues the file that an include means; what is neither of the tree nor a well-known header is a gap.
    fn follow<'p>(
        &'p self,
        from: &str,
        include: &str,
        table: &ApiTable,
        queue: &mut Vec<&'p str>,
        complete: &mut bool,
    ) {
        match self.resolve(from, include) {
            Some(file) => queue.push(file),
            None => *complete &= is_well_known(include, table),
        }
    }
}

/// Headers of the C and C++ libraries, of CUDA and of HIP, of which it is known what they bring.
fn is_well_known(include: &str, table: &ApiTable) -> bool {
    const FOLDERS: &[&str] = &[
        "thrust/",
        "cub/",
        "hip",
        "roc",
        "rccl/",
        "miopen/",
        "sys/",
        "cuda/",
        "cooperative_groups/",
    ];
    const C: &[&str] = &[
        "assert", "ctype", "errno", "fenv", "float", "getopt", "inttypes", "limits", "malloc",
        "math", "memory", "omp", "pthread", "signal", "stdarg", "stdbool", "stddef", "stdint",
        "stdio", "stdlib", "string", "strings", "time", "unistd",
    ];
    let file = include.strip_suffix(".h");
    let of_c = file.is_some_and(|name| C.contains(&name));
    let has_counterpart = |path: &str| {
        let hit = table.header(path.as_bytes());
        hit.is_some_and(|hit| hit.entry.hip.is_some())
    };
    let of_cuda = has_counterpart(include)
        || file.is_some_and(|name| name.starts_with("cu") || name.starts_with("nv"));
    let file_name = file_name(include);
    let of_samples = compat::helpers().any(|helper| helper.replaces.contains(&file_name));
    let of_cpp = include
        .bytes()
        .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
    of_c || of_cuda
        || of_samples
        || of_cpp
        || FOLDERS.iter().any(|folder| include.starts_with(folder))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::FileIndex;

    #[test]
    fn a_fragment_comes_by_what_its_includer_has() {
        let plain = |text: &str| FileIndex::of_plain(text.as_bytes());
        let files = [
            ("a/main.cu", plain("#include <vector>\n#include \"k.cu\"\n")),
            ("a/k.cu", plain("#include \"u.h\"\n")),
            ("a/u.h", plain("#include <cfloat>\n")),
        ]
        .map(|(path, index)| (path.to_owned(), index));
        let paths = ["a/main.cu", "a/k.cu", "a/u.h"].map(String::from);
        let project = ProjectIndex::new(files, paths);
        let source = crate::text::SourceFile::new("a/k.cu", b"#include \"u.h\"\n".to_vec());
        let document = Document::new(&source);
        let table = ApiTable::builtin();
        let alone = project.reached(&document, &table, false);
        assert!(alone.complete && alone.paths.contains("cfloat"));
        assert!(!alone.paths.contains("vector"));
        assert!(
            project
                .reached(&document, &table, true)
                .paths
                .contains("vector")
        );
    }
}
