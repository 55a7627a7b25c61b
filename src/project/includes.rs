//! Which headers a file comes by, directly, through the tree, or from the files that include it.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;

use crate::compat;
use crate::cpp::guarding::is_for_host_compilers;
use crate::cpp::libcu::{FileUse, LibcuUse, libcu_use, standard_header};
use crate::cpp::names::names_wmma;
use crate::mapping::{ApiTable, name_lists};
use crate::project::file::FileIndex;
use crate::project::graph::{Meaning, Number};
use crate::project::index::ProjectIndex;
use crate::project::paths::file_name;
use crate::syntax::Document;

/// The include paths that a file comes by.
#[derive(Debug)]
pub struct Reached<'p> {
    project: &'p ProjectIndex,
    /// Paths as the file itself writes them.
    own: BTreeSet<String>,
    /// The files of the tree where all else begins.
    starts: Vec<Number>,
    /// Every path is a file of the tree or in angle brackets and known, so that no unknown header can bring anything more.
    pub complete: bool,
}

impl Reached<'_> {
    /// Whether a path of some kind is among them; `key` stands for the kind.
    pub(crate) fn brings(&self, key: &str, is_wanted: impl Fn(&str) -> bool) -> bool {
        if self.own.iter().any(|path| is_wanted(path)) {
            return true;
        }
        if self.starts.is_empty() {
            return false;
        }
        let (project, graph) = (self.project, self.project.graph());
        let holds = |path: &String| {
            let file = &project.files[path];
            let mut includes = file.includes.iter();
            includes.any(|include| is_wanted(include) && !file.for_host.contains(include))
        };
        let reach = graph.files_that_reach(&format!("brings {key}"), || {
            let files = graph.paths().iter().zip(0..);
            files
                .filter(|(path, _)| holds(path))
                .map(|(_, at)| at)
                .collect()
        });
        self.starts.iter().any(|start| reach.contains(start))
    }
}

impl ProjectIndex {
    /// The include paths that a file comes by: its own and those of headers of the tree. With `included` also those of the files
    /// that include it, which may have included something before.
    pub fn reached(
        &self,
        document: &Document<'_>,
        table: &ApiTable,
        included: bool,
    ) -> Reached<'_> {
        let path = document.source.path.as_str();
        let graph = self.graph();
        let own: BTreeSet<String> = document
            .includes
            .iter()
            .filter(|include| !is_for_host_compilers(document, include.directive.start))
            .map(|include| document.source.text(include.path).replace('\\', "/"))
            .chain(
                document
                    .source
                    .included_before
                    .iter()
                    .map(|it| (*it).to_owned()),
            )
            .collect();
        let (mut starts, mut complete) = (Vec::new(), true);
        for include in &own {
            match self
                .paths
                .resolve(path, include)
                .map(|file| graph.number(file))
            {
                Some(Some(file)) => starts.push(file),
                Some(None) => complete = false,
                None => complete &= is_well_known(include, table),
            }
        }
        if let Some(file) = graph.number(path).filter(|_| included) {
            starts.extend(graph.includers(file));
        }
        let key = format!("gaps of {:?}", table.id());
        let gaps = graph.files_that_reach(&key, || self.with_gaps(table));
        complete &= !starts.iter().any(|start| gaps.contains(start));
        Reached {
            project: self,
            own,
            starts,
            complete,
        }
    }

    /// Files with an include of which nobody knows what it brings.
    fn with_gaps(&self, table: &ApiTable) -> Vec<Number> {
        let graph = self.graph();
        let has_gap = |path: &String, file: Number| {
            let includes = self.files[path].includes.iter();
            let mut pairs = includes.zip(graph.meanings(file));
            pairs.any(|(include, meaning)| match meaning {
                Meaning::File(_) => false,
                Meaning::Unread => true,
                Meaning::Outside => !is_well_known(include, table),
            })
        };
        let files = graph.paths().iter().zip(0..);
        files
            .filter(|(path, file)| has_gap(path, *file))
            .map(|(_, file)| file)
            .collect()
    }

    /// The C files that come to a file by their includes, the file itself if it is one, and to no header of C++: in order.
    pub(crate) fn c_files(&self, path: &str) -> Vec<&str> {
        let graph = self.graph();
        let reach = graph.files_that_reach("headers of C++", || {
            let files = graph.paths().iter().zip(0..);
            let has_cpp = |path: &String| {
                is_cpp(path)
                    || self.files[path]
                        .includes
                        .iter()
                        .any(|include| is_cpp(include))
            };
            files
                .filter(|(path, _)| has_cpp(path))
                .map(|(_, at)| at)
                .collect()
        });
        let is_c =
            |file: &Number| graph.paths()[*file as usize].ends_with(".c") && !reach.contains(file);
        self.readers(path, is_c)
    }

    /// The files that PyTorch's build or CMake gives to the compiler of the host and that come to a file by their includes, in order.
    pub(crate) fn host_units(&self, path: &str) -> Vec<&str> {
        let graph = self.graph();
        let is_unit = |file: &Number| {
            let path = graph.paths()[*file as usize].as_str();
            is_for_host(path) && (self.is_torch(path) || self.builds.lists.may_build(path))
        };
        self.readers(path, is_unit)
    }

    /// Whether a file, or a unit that comes to it, has names of libcu++ that stay such, so that it needs the headers. Atomics do where a
    /// file of the tree needs more than these, or where nothing stands for them, and orders of memory without them. A unit that includes
    /// what it needs itself asks nothing of a file that has no more of libcu++ than values of traits.
    pub(crate) fn needs_libcu(
        &self,
        document: &Document<'_>,
        table: &ApiTable,
        has_helpers: bool,
    ) -> bool {
        let of = |all: FileUse| all.of(self.names().libcu_tree);
        let here = of(libcu_use(document, table));
        let is_free = has_helpers && here.max(of(self.names().libcu)) == LibcuUse::Atomics;
        let stays = |it: LibcuUse| match it {
            LibcuUse::Nothing | LibcuUse::Values | LibcuUse::Standard => false,
            LibcuUse::Orders | LibcuUse::Atomics => !is_free,
            LibcuUse::More => true,
        };
        let bring_more = document.includes.iter().any(|it| {
            let path = document.source.text(it.path);
            is_libcu_alone(&path)
        });
        if here == LibcuUse::Values && !bring_more {
            // Nobody sees the change who has the headers himself.
            let needs_it = |it: &FileIndex| stays(of(it.libcu)) && !includes_libcu(it);
            return self.has_reader(document, "names of libcu++ without its headers", needs_it);
        }
        stays(here) || self.has_reader(document, "names of libcu++", |it| stays(of(it.libcu)))
    }

    /// Whether a unit that comes to a file says `nvcuda` or `wmma` anywhere, so that `<mma.h>` there may be what it needs.
    pub(crate) fn needs_wmma(&self, document: &Document<'_>) -> bool {
        names_wmma(document) || self.has_reader(document, "names of wmma", |it| it.names_wmma)
    }

    /// Whether a unit that comes to a file has names of NPP anywhere, so that a header of NPP there may be one that it needs.
    pub(crate) fn needs_npp(&self, document: &Document<'_>) -> bool {
        self.has_reader(document, "names of NPP", |it| it.names_npp)
    }

    /// Whether a unit that comes to a file has names of a header without a counterpart anywhere, so that it may be one that it needs; `row`
    /// is its place in the table.
    pub(crate) fn needs_lone_header(&self, document: &Document<'_>, row: usize) -> bool {
        let header = &name_lists().lone_headers[row];
        document.has_word(|word| header.declares(word))
            || self.has_reader(document, &header.header, |it| {
                it.lone_headers.contains(&row)
            })
    }

    /// Whether a unit that comes to a file has cooperative groups, from a header that the file need not know of.
    pub(crate) fn is_read_with_groups(&self, document: &Document<'_>) -> bool {
        let graph = self.graph();
        let naming = graph.files_that_reach("cooperative groups", || {
            let has = |path: &String| {
                let mut includes = self.files[path].includes.iter();
                includes.any(|include| include.contains("cooperative_groups"))
            };
            let files = graph.paths().iter().zip(0..);
            files
                .filter(|(path, _)| has(path))
                .map(|(_, at)| at)
                .collect()
        });
        let path = &*document.source.path;
        !self.readers(path, |file| naming.contains(file)).is_empty()
    }

    /// Whether a unit that comes to a file has something anywhere, as far as one can know.
    fn has_reader(
        &self,
        document: &Document<'_>,
        what: &'static str,
        has: impl Fn(&FileIndex) -> bool,
    ) -> bool {
        let (graph, path) = (self.graph(), &*document.source.path);
        let naming = graph.files_that_reach(what, || {
            let files = graph.paths().iter().zip(0..);
            files
                .filter(|(path, _)| has(&self.files[*path]))
                .map(|(_, at)| at)
                .collect()
        });
        let is_unit = is_for_host(path) || path.ends_with(".cu");
        // Of a header that nobody here includes nobody knows what it is for, nor what others bring to a file that comes alone.
        let is_known = match graph.number(path) {
            Some(file) => is_unit || !graph.includers(file).is_empty(),
            None => is_unit && document.includes.iter().all(|it| it.angled),
        };
        !is_known || !self.readers(path, |file| naming.contains(file)).is_empty()
    }

    /// How many sources come to a file by their includes, itself not counted.
    pub(crate) fn sources_that_reach(&self, path: &str) -> usize {
        let graph = self.graph();
        let is_source = |file: &Number| {
            let reader = graph.paths()[*file as usize].as_str();
            let ends = [".cu", ".hip", ".c", ".cpp", ".cc", ".cxx"];
            reader != path && ends.iter().any(|end| reader.ends_with(end))
        };
        self.readers(path, is_source).len()
    }

    /// The files that come to one of some files by their includes, these among them.
    pub(crate) fn files_that_reach(&self, ends: &[&str]) -> BTreeSet<&str> {
        let graph = self.graph();
        let ends = ends.iter().filter_map(|path| graph.number(path)).collect();
        let reach = graph.back_from(ends);
        reach
            .into_iter()
            .map(|file| graph.paths()[file as usize].as_str())
            .collect()
    }

    /// The files of a kind that come to a file by their includes, itself if it is one, in order.
    fn readers(&self, path: &str, is_wanted: impl Fn(&Number) -> bool) -> Vec<&str> {
        let graph = self.graph();
        let (mut seen, mut queue) = (BTreeSet::new(), Vec::new());
        queue.extend(graph.number(path));
        while let Some(file) = queue.pop() {
            if seen.insert(file) {
                queue.extend(graph.includers(file));
            }
        }
        let mut found: Vec<&str> = seen
            .iter()
            .filter(|file| is_wanted(file))
            .map(|file| graph.paths()[*file as usize].as_str())
            .collect();
        found.sort_unstable();
        found
    }

    /// The file of the tree that a build makes the header from which an include means: `config.cuh.in` becomes `config.cuh`. It may stand
    /// elsewhere: `configure_file(cmake/Version.h.in include/lib/Version.h)`.
    pub(crate) fn resolve_template(&self, from: &str, include: &str) -> Option<&str> {
        let name = include.rsplit('/').next().unwrap_or(include);
        [include, name].iter().find_map(|written| {
            let names = [".in", ".cmake"].map(|ending| format!("{written}{ending}"));
            names.iter().find_map(|name| self.paths.resolve(from, name))
        })
    }

    /// A file, those that include it, and all that these include: where what it declares can be used.
    pub(crate) fn family<'p>(&'p self, path: &'p str) -> FxHashSet<&'p str> {
        let mut found = FxHashSet::from_iter([path]);
        let mut queue = vec![path];
        while let Some(file) = queue.pop() {
            queue.extend(self.includers(file).filter(|from| found.insert(from)));
        }
        queue.extend(found.iter());
        while let Some(file) = queue.pop() {
            let graph = self.graph();
            let meanings = graph.number(file).map_or(&[][..], |at| graph.meanings(at));
            let files = meanings.iter().filter_map(|it| it.file());
            let files = files.map(|at| graph.paths()[at as usize].as_str());
            queue.extend(files.filter(|file| found.insert(file)));
        }
        found
    }

    /// The files that include one.
    pub(crate) fn includers<'p>(&'p self, path: &str) -> impl Iterator<Item = &'p str> {
        let graph = self.graph();
        let files = graph
            .number(path)
            .map_or(&[][..], |file| graph.includers(file));
        files
            .iter()
            .map(|file| graph.paths()[*file as usize].as_str())
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

/// Whether PyTorch's build gives a unit of that name to the compiler of the host.
pub(crate) fn is_for_host(path: &str) -> bool {
    let ends = [".cpp", ".cc", ".cxx"];
    ends.iter().any(|end| path.ends_with(end))
}

/// Whether an include path is of C++ only: `vector`, `detail/array.hpp`, `thrust/sort.h`.
pub(crate) fn is_cpp(path: &str) -> bool {
    const EXTENSIONS: &[&str] = &["hpp", "hxx", "hh", "cuh", "h++", "inl"];
    const FOLDERS: &[&str] = &[
        "thrust/",
        "cub/",
        "cooperative_groups",
        "hipcub/",
        "rocprim/",
    ];
    let name = file_name(path);
    let extension = name.rsplit_once('.').map(|(_, extension)| extension);
    extension.is_none_or(|extension| EXTENSIONS.contains(&extension))
        || FOLDERS.iter().any(|folder| path.starts_with(folder))
}

/// Whether a file includes a header of libcu++ that stays one.
fn includes_libcu(file: &FileIndex) -> bool {
    file.includes.iter().any(|path| is_libcu_alone(path))
}

/// Whether a header is libcu++'s, and has what no header of `std` has.
fn is_libcu_alone(path: &str) -> bool {
    path.starts_with("cuda/") && standard_header(path).is_none()
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
        let has = |reached: &Reached<'_>, name: &str| reached.brings(name, |path| path == name);
        assert!(alone.complete && has(&alone, "cfloat"));
        assert!(!has(&alone, "vector"));
        assert!(has(&project.reached(&document, &table, true), "vector"));
    }

    #[test]
    fn a_family_is_who_includes_a_file_and_all_that_these_include() {
        let plain = |text: &str| FileIndex::of_plain(text.as_bytes());
        let files = [
            ("main.cu", plain("#include \"t.h\"\n#include \"u.h\"\n")),
            ("t.h", plain("")),
            ("u.h", plain("")),
            ("other.cu", plain("#include \"u.h\"\n")),
        ]
        .map(|(path, index)| (path.to_owned(), index));
        let paths = files.clone().map(|(path, _)| path);
        let project = ProjectIndex::new(files, paths);
        let mut family: Vec<&str> = project.family("t.h").into_iter().collect();
        family.sort_unstable();
        assert_eq!(family, ["main.cu", "t.h", "u.h"]);
    }
}
