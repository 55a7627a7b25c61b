//! The names of the tree that one file sees: its own, and those of what it includes, directly or not.

use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};
use std::collections::BTreeSet;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::cpp::namespaces::Inner;
use crate::cpp::value;
use crate::mapping::ApiTable;
use crate::project::definers::{ByName, Definers, Worth};
use crate::project::file::FileIndex;
use crate::project::graph::{FileSet, Number};
use crate::project::index::ProjectIndex;
use crate::project::tree_names::loads_functions;
use crate::syntax::{Document, lex};

/// Names visible in one file. Nothing is gathered: each question follows the includes back from the files that define the name.
#[derive(Clone, Debug)]
pub(crate) struct OwnNames<'p> {
    project: &'p ProjectIndex,
    path: String,
    own: Cow<'p, FileIndex>,
    /// The files that its includes mean.
    ways: OnceCell<Vec<Number>>,
    /// What expressions are worth that somebody asked for.
    values: RefCell<FxHashMap<Box<[u8]>, Option<u64>>>,
}

impl ProjectIndex {
    /// Names that are visible in a file.
    pub(crate) fn visible<'p>(&'p self, document: &Document<'_>, table: &ApiTable) -> OwnNames<'p> {
        let own = match self.files.get(&document.source.path) {
            Some(own) => Cow::Borrowed(own),
            None => Cow::Owned(FileIndex::new(document, table, &|_| false)),
        };
        self.seen_from(document, own)
    }

    /// Names that are visible in a file of no tree which defines these itself.
    pub(crate) fn visible_from(&self, document: &Document<'_>, own: FileIndex) -> OwnNames<'_> {
        self.seen_from(document, Cow::Owned(own))
    }

    fn seen_from<'p>(&'p self, document: &Document<'_>, own: Cow<'p, FileIndex>) -> OwnNames<'p> {
        OwnNames {
            project: self,
            path: document.source.path.clone(),
            own,
            ways: OnceCell::new(),
            values: RefCell::default(),
        }
    }

    #[expect(
        clippy::iter_over_hash_type,
        reason = "which files define a name depends on the order of files alone"
    )]
    fn definers(&self) -> &Definers {
        self.definers.get_or_init(|| {
            let mut definers = Definers::default();
            for (path, number) in self.graph().paths().iter().zip(0..) {
                let file = &self.files[path];
                definers.add(file, number);
                if self.inclusions().is_stand_in(path) {
                    continue;
                }
                for name in &file.names {
                    definers.add_name(name, number);
                }
                self.add_listed(&mut definers, number);
                // Functions that a file declares and the tree defines: definition, declaration and all uses keep their name.
                for name in file
                    .declared
                    .iter()
                    .filter(|name| self.names().declares(name))
                {
                    definers.add_name(name, number);
                }
            }
            definers
        })
    }
}

impl ProjectIndex {
    /// Adds what the lists of macros that a file includes declare, where the file says itself what CUDA's types are: it loads the functions.
    fn add_listed(&self, definers: &mut Definers, file: Number) {
        let graph = self.graph();
        let of = |number: Number| &self.files[&graph.paths()[number as usize]];
        if !of(file).makes_types {
            return;
        }
        let meant = graph.meanings(file).iter().filter_map(|it| it.file());
        let mut lists: Vec<Number> = meant.chain([file]).collect();
        lists.sort_unstable();
        lists.dedup();
        for name in lists.into_iter().flat_map(|list| &of(list).listed) {
            definers.add_name(name, file);
        }
    }
}

impl OwnNames<'_> {
    /// Whether the name is defined by the tree.
    pub(crate) fn contains(&self, name: &[u8]) -> bool {
        let declares = || self.own.declared.contains(name) && self.project.names().declares(name);
        let is_stand_in = || self.project.inclusions().is_stand_in(&self.path);
        self.own.names.contains(name) && !is_stand_in()
            || declares()
            || self.sees(self.definers_of(|all| &all.names, name))
            || self.is_given(self.definers_of(|all| &all.names, name))
    }

    /// Whether the file includes nothing, so that it is read with what stands above it, and all files that include it come to one of
    /// some files before.
    fn is_given(&self, files: &[Number]) -> bool {
        let graph = self.project.graph();
        if files.is_empty() || !self.own.includes.is_empty() {
            return false;
        }
        let Some(file) = graph.number(&self.path) else {
            return false;
        };
        let mut includers = graph.includers(file).iter().peekable();
        if includers.peek().is_none() {
            return false;
        }
        let reach = self.reach(files);
        includers.all(|from| {
            let meant = graph.meanings(*from).iter().filter_map(|it| it.file());
            let mut before = meant.take_while(|it| *it != file);
            files.contains(from) || before.any(|it| files.contains(&it) || reach.contains(&it))
        })
    }

    /// Whether a macro of the tree may make a member of what begins an argument.
    pub(crate) fn has_member_macros(&self) -> bool {
        !self.own.member_macros.is_empty() || !self.project.definers().member_macros.is_empty()
    }

    /// Whether a macro that the file comes to by its includes makes a member of what begins its argument at a position.
    pub(crate) fn takes_member(&self, name: &[u8], position: usize) -> bool {
        let own = self.own.member_macros.get(name);
        let known = self.project.definers().member_macros.get(name);
        let seen = known.into_iter().flatten();
        let files: Vec<Number> = seen
            .filter(|(at, _)| *at == position)
            .map(|(_, file)| *file)
            .collect();
        own.is_some_and(|it| it.contains(&position)) || self.sees(&files)
    }

    /// Whether the file or the tree has CUDA's functions from a table that a header of NVIDIA's loads.
    pub(crate) fn loads_functions(&self) -> bool {
        let mut includes = self.own.includes.iter();
        includes.any(|it| loads_functions(it)) || self.project.names().loads_functions()
    }

    /// What the file itself defines.
    pub(crate) fn file(&self) -> &FileIndex {
        &self.own
    }

    /// The namespaces of this name that the file or the tree has inside one of that name.
    pub(crate) fn inner_namespaces(
        &self,
        outer: &[u8],
        name: &[u8],
    ) -> impl Iterator<Item = &Inner> {
        let own = self.own.inner_namespaces.iter();
        let all = own.chain(self.project.names().inner_namespaces());
        all.filter(move |it| *it.outer == *outer && *it.name == *name)
    }

    /// Whether a macro of the tree stands for several arguments.
    pub(crate) fn is_list(&self, name: &[u8]) -> bool {
        self.own.lists.contains(name) || self.sees(self.definers_of(|all| &all.lists, name))
    }

    /// Whether a header that the file comes by sets a macro where AMD compiles it, so that no build has to.
    pub(crate) fn sets_for_amd(&self, name: &[u8]) -> bool {
        self.sees(self.definers_of(|all| &all.set_for_amd, name))
    }

    /// The number that a macro or constant stands for: that of the file itself, else the one that all files it includes agree on.
    /// What the command line of a build says goes first: `#ifndef SIZE` guards the definition of a file.
    pub(crate) fn constant(&self, name: &[u8]) -> Option<u64> {
        if let Some(value) = self.project.given_number(&self.path, name) {
            return Some(value);
        }
        if let Some(value) = self.own.constants.get(name) {
            return Some(*value);
        }
        if let Some(value) = self.seen(&self.project.definers().constants, name).ok()? {
            return Some(*value);
        }
        if let Some(&known) = self.values.borrow().get(name) {
            return known;
        }
        // One that asks for itself finds nothing.
        self.values.borrow_mut().insert(name.into(), None);
        let value = self.expression(name).and_then(|text| {
            let tokens = lex(text).filter(|token| token.is_significant());
            let words: Vec<&[u8]> = tokens
                .map(|token| &text[token.range().as_usize()])
                .collect();
            value::count(&words, &|name| self.constant(name))
        });
        self.values.borrow_mut().insert(name.into(), value);
        value
    }

    /// The text of a constant, where the file and all that it includes have the same.
    fn expression(&self, name: &[u8]) -> Option<&[u8]> {
        let own = self.own.expressions.get(name);
        let seen = self.seen(&self.project.definers().expressions, name).ok()?;
        match (own, seen) {
            (Some(own), Some(seen)) if own != seen => None,
            (own, seen) => own.or(seen).map(|text| &**text),
        }
    }

    /// What the files that this one includes agree on; an error where they do not.
    fn seen<'w, T: Ord>(&self, worth: &'w Worth<T>, name: &[u8]) -> Result<Option<&'w T>, ()> {
        let Some(known) = worth.get(name) else {
            return Ok(None);
        };
        let values: BTreeSet<&T> = known.iter().map(|(value, _)| value).collect();
        let files = |wanted: &T| {
            let of_value = known.iter().filter(|(value, _)| value == wanted);
            of_value.map(|(_, file)| *file).collect::<Vec<_>>()
        };
        let mut seen = values.into_iter().filter(|value| self.sees(&files(value)));
        let value = seen.next();
        if seen.next().is_some() {
            Err(())
        } else {
            Ok(value)
        }
    }

    /// For AMD the file, or one that it includes, says that warps have 64 lanes.
    pub(crate) fn says_wavefront(&self) -> bool {
        self.own.warps.says_wavefront || self.sees(&self.project.definers().say_wavefront)
    }

    fn definers_of(&self, map: fn(&Definers) -> &ByName, name: &[u8]) -> &[Number] {
        let files = map(self.project.definers()).get(name);
        files.map_or(&[][..], Vec::as_slice)
    }

    /// Whether the file comes to one of some files by its includes.
    fn sees(&self, files: &[Number]) -> bool {
        if files.is_empty() {
            return false;
        }
        let ways = self.ways.get_or_init(|| {
            let meanings = self.project.meanings(&self.path, &self.own);
            meanings.into_iter().filter_map(|it| it.file()).collect()
        });
        if ways.is_empty() || ways.iter().any(|way| files.contains(way)) {
            return !ways.is_empty();
        }
        let reach = self.reach(files);
        ways.iter().any(|way| reach.contains(way))
    }

    /// The files that come to one of some files by their includes.
    fn reach(&self, files: &[Number]) -> Arc<FileSet> {
        let key: Vec<String> = files.iter().map(Number::to_string).collect();
        let graph = self.project.graph();
        graph.files_that_reach(&key.join(","), || files.to_vec())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::probe::of_tree;
    use crate::options::Options;

    /// Asks what the first of some files sees.
    fn seen<T>(files: &[(&str, &str)], ask: impl FnOnce(&OwnNames<'_>) -> T) -> T {
        of_tree(files, Options::default(), |cx| ask(cx.own))
    }

    #[test]
    fn a_list_of_macros_is_of_who_says_what_the_types_are() {
        for (header, expected) in [
            ("typedef int CUresult;\n#include \"list.inc\"\n", true),
            ("#include <cuda.h>\n#include \"list.inc\"\n", false),
        ] {
            let list = ("list.inc", "DEF(cuInit, (int flags));\n");
            let user = ("a.c", "#include \"h.h\"\n");
            let files = [user, ("h.h", header), list];
            assert_eq!(
                seen(&files, |own| own.contains(b"cuInit")),
                expected,
                "{header}"
            );
            let files = [list, user, ("h.h", header)];
            assert_eq!(
                seen(&files, |own| own.contains(b"cuInit")),
                expected,
                "{header}"
            );
        }
    }

    #[test]
    fn names_are_seen_by_way_of_includes() {
        let defines = "void cudaFree(int) {}\n#define PAIR a, b\n";
        for (files, expected) in [
            (&[("a.cu", defines)][..], true),
            (&[("a.cu", "#include \"h.h\"\n"), ("h.h", defines)], true),
            (
                &[
                    ("a.cu", "#include \"g.h\"\n"),
                    ("g.h", "#include \"h.h\"\n"),
                    ("h.h", defines),
                ],
                true,
            ),
            // Files that include each other.
            (
                &[
                    ("a.cu", "#include \"g.h\"\n"),
                    ("g.h", "#include \"h.h\"\n"),
                    (
                        "h.h",
                        "#include \"g.h\"\nvoid cudaFree(int) {}\n#define PAIR a, b\n",
                    ),
                ],
                true,
            ),
            (&[("a.cu", "int a;\n"), ("h.h", defines)], false),
            (
                &[("a.cu", "// #include \"h.h\"\n"), ("h.h", defines)],
                false,
            ),
            (
                &[("a.cu", "#include \"absent.h\"\n"), ("h.h", defines)],
                false,
            ),
            (
                &[
                    (
                        "a.cu",
                        "#ifdef __HIP_PLATFORM_NVIDIA__\n#include \"h.h\"\n#endif\n",
                    ),
                    ("h.h", defines),
                ],
                false,
            ),
        ] {
            let found = seen(files, |own| {
                (own.contains(b"cudaFree"), own.is_list(b"PAIR"))
            });
            assert_eq!(found, (expected, expected), "{files:?}");
        }
    }

    #[test]
    fn a_file_without_includes_has_what_stands_above_it_everywhere() {
        let part = ("part.cuh", "void f() { __stcg(0, 1); }\n");
        let compat = ("compat.h", "#define __stcg(to, from) *to = from\n");
        let given = |includers: &[(&str, &str)]| {
            let files = [&[part, compat], includers].concat();
            seen(&files, |own| own.contains(b"__stcg"))
        };
        let behind = "#include \"compat.h\"\n#include \"part.cuh\"\n";
        let before = "#include \"part.cuh\"\n#include \"compat.h\"\n";
        let own = "#define __stcg(to, from) *to = from\n#include \"part.cuh\"\n";
        assert!(given(&[("a.cu", behind)]) && given(&[("a.cu", behind), ("b.cu", own)]));
        assert!(!given(&[("a.cu", behind), ("b.cu", before)]));
        assert!(!given(&[("a.cu", "#include \"compat.h\"\n")]));
        let includes = (
            "part.cuh",
            "#include \"other.h\"\nvoid f() { __stcg(0, 1); }\n",
        );
        assert!(!seen(&[includes, compat, ("a.cu", behind)], |own| own
            .contains(b"__stcg")));
    }

    #[test]
    fn a_declaration_counts_where_the_tree_defines_the_name() {
        let declares = ("a.cu", "cudaError_t cudaFree(int);\nint b = cudaFree(1);\n");
        let defines = ("b.cpp", "cudaError_t cudaFree(int) { return 0; }\n");
        assert!(seen(&[declares, defines], |own| own.contains(b"cudaFree")));
        assert!(!seen(&[declares], |own| own.contains(b"cudaFree")));
    }

    #[test]
    fn a_constant_is_what_all_that_is_seen_agree_on() {
        let with = |a: &str, b: &str, c: &str| {
            let text = format!("#include \"b.h\"\n#include \"c.h\"\n{a}");
            seen(&[("a.cu", &text), ("b.h", b), ("c.h", c)], |own| {
                own.constant(b"N")
            })
        };
        for (a, b, c, expected) in [
            ("#define N 32\n", "", "", Some(32)),
            ("", "#define N 32\n", "", Some(32)),
            ("", "#define N 32\n", "#define N 32\n", Some(32)),
            ("", "#define N 32\n", "#define N 64\n", None),
            // The file's own says it.
            (
                "#define N 16\n",
                "#define N 32\n",
                "#define N 64\n",
                Some(16),
            ),
            ("", "#define N (M / 2)\n", "#define M 64\n", Some(32)),
            ("", "#define N M\n", "#define M N\n", None),
            ("", "constexpr int N = 4 * 8;\n", "", Some(32)),
            ("", "#define N unknown\n", "", None),
            ("", "", "", None),
        ] {
            assert_eq!(with(a, b, c), expected, "{a}|{b}|{c}");
        }
    }

    #[test]
    fn the_width_that_a_header_says_holds_for_its_includers() {
        let header = (
            "h.h",
            "#ifdef __HIP_PLATFORM_AMD__\n#define WARP_SIZE 64\n#endif\n",
        );
        let says = |text: &str| seen(&[("a.cu", text), header], |own| own.says_wavefront());
        assert!(says("#include \"h.h\"\n"));
        assert!(!says("int a;\n"));
    }
}
