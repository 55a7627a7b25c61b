//! What is known while one file is read: the file, the tree, the tables and what a person chose.

use crate::cpp::coined::gives_own_meaning;
use crate::cpp::value;
use std::cell::{OnceCell, RefCell};
use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use crate::analysis::claims::Claims;
use crate::diagnostic::ApiUse;
use crate::mapping::{ApiEntry, ApiTable};
use crate::options::{CompatMode, Dialect, Options, WarpMode};
use crate::project::ProjectIndex;
use crate::project::missing::Missing;
use crate::project::owner::Owner;
use crate::project::textures::KnownTextures;
use crate::project::visible::OwnNames;
use crate::project::warps::{WarpFacts, Warps};
use crate::syntax::{Call, Document, Facts, TokenIndex};
use crate::text::{RangeSet, TextRange};

/// Where comments of a file switch a rule off: hands off, findings and edits alike.
pub trait Switches {
    /// Whether the rule with this code is off at a byte.
    fn is_off(&self, offset: u32, code: &str) -> bool;

    /// Whether references to textures stay as they are at a byte.
    fn leaves_textures(&self, offset: u32) -> bool;

    /// A place to insert something, moved in front of what is switched off for the rule.
    fn outside(&self, doc: &Document<'_>, offset: u32, code: &str) -> u32;
}

/// One file with everything that says what its words mean.
pub struct Unit<'d, 's> {
    /// The file.
    pub doc: &'d Document<'s>,
    /// The tree.
    pub project: &'d ProjectIndex,
    /// Which words rules speak for.
    pub claims: &'d Claims,
    /// Codes of the rules that are off for this file.
    pub off: &'d BTreeSet<&'static str>,
    /// What comments of the file switch off.
    pub switches: &'d dyn Switches,
    pub(crate) options: &'d Options,
    pub(crate) dialect: Dialect,
    /// The rule that replaces references to textures is off.
    pub(crate) leaves_textures: bool,
    /// Who owns the file in a tree that supports AMD already.
    pub(crate) owner: Owner,
    pub(crate) table: &'d ApiTable,
    pub(crate) own: &'d OwnNames<'d>,
    pub(crate) inactive: RangeSet,
    pub(crate) not_meant: OnceCell<RangeSet>,
    /// By the start of a branch: whether AMD leaves it out.
    pub(crate) left_out: RefCell<FxHashMap<u32, bool>>,
    pub(crate) textures: KnownTextures,
    /// Facts of the file alone, where it is not part of the tree.
    pub(crate) warps: OnceCell<Warps>,
    /// What readers work out of the file with all that this knows of it; what its text alone says are facts of [`Self::doc`].
    pub(crate) facts: Facts,
}

impl<'d, 's> Unit<'d, 's> {
    /// Whether a byte lies in code that a person asked to leave alone because no build compiles it. Macros defined there are settings
    /// that another build turns on, so they count as active.
    pub(crate) fn is_inactive(&self, offset: u32) -> bool {
        let directives = &self.doc.directives;
        let within = directives.partition_point(|directive| directive.range.start <= offset);
        let in_directive = within > 0 && directives[within - 1].range.contains_offset(offset);
        !in_directive && self.inactive.contains(offset)
    }

    /// Whether a byte lies in a branch that conditions about CUDA keep from AMD, as they were meant.
    pub(crate) fn is_not_meant(&self, offset: u32) -> bool {
        self.not_meant
            .get_or_init(|| crate::cpp::conditions::groups::not_meant(self.doc, self.table()))
            .contains(offset)
    }

    /// What a person chose.
    pub fn options(&self) -> &'d Options {
        self.options
    }

    /// Whether PyTorch's build translates the file, so that it stays CUDA's and serves both vendors.
    pub(crate) fn is_torch(&self) -> bool {
        self.dialect == Dialect::Torch
    }

    /// What a warp becomes in this file: the wavefront also where the project counts by 64 for AMD itself.
    pub fn warp(&self) -> WarpMode {
        if self.own.says_wavefront() {
            WarpMode::Native
        } else {
            self.options.warp
        }
    }

    /// What the functions of the tree do with warps; of the file, if it is no part of a tree.
    pub(crate) fn warps(&self) -> &Warps {
        let path = self.doc.source.path.as_str();
        if self.project.holds(path) {
            return self.project.warps();
        }
        self.warps.get_or_init(|| {
            let facts = WarpFacts::new(self.doc);
            Warps::new(std::iter::once((path, &facts)))
        })
    }

    /// Whether code that AMD compiles calls a function that none of it defines.
    pub(crate) fn is_missing(&self, name: &[u8]) -> bool {
        if self.project.holds(self.doc.source.path.as_str()) {
            return self.project.missing().contains(name);
        }
        let of_file = |doc: &Document<'_>| Missing::new(std::iter::once(&WarpFacts::new(doc)));
        self.doc.fact(of_file).contains(name)
    }

    /// The tables.
    pub fn table(&self) -> &'d ApiTable {
        self.table
    }

    /// Text of a token; invalid UTF-8 is replaced.
    pub fn text(&self, index: TokenIndex) -> std::borrow::Cow<'s, str> {
        String::from_utf8_lossy(self.doc.bytes(index))
    }

    /// Text of some bytes; invalid UTF-8 is replaced.
    pub fn text_of(&self, range: TextRange) -> std::borrow::Cow<'_, str> {
        self.doc.source.text(range)
    }

    /// Text of an argument, trimmed; empty when there is none.
    pub fn argument(&self, call: &Call, position: usize) -> String {
        call.argument(self.doc, position)
            .map_or_else(String::new, |range| self.text_of(range).into_owned())
    }

    /// Bytes of a token.
    pub fn range(&self, index: TokenIndex) -> TextRange {
        self.doc.tokens[index].range()
    }

    /// Whether the tree itself defines this name where the file can see it.
    pub fn is_own(&self, name: &[u8]) -> bool {
        self.own.contains(name)
    }

    /// Whether a name of CUDA means something of the project's where it stands.
    pub(crate) fn is_own_at(&self, index: TokenIndex) -> bool {
        let word = self.doc.bytes(index);
        let is_alone = !self.project.holds(self.doc.source.path.as_str());
        let alone = is_alone.then(|| self.own.file());
        self.is_own(word)
            && !self
                .project
                .names()
                .apart
                .is_outside(self.doc, index, alone)
    }

    /// Whether the project adds an overload for types of its own to a shuffle of CUDA, and leaves CUDA's as it is.
    pub(crate) fn adds_shuffle(&self, name: &[u8]) -> bool {
        let here = self.own.file();
        let here_alone = here.shuffles.contains(name) && !here.replaced_shuffles.contains(name);
        match self.project.holds(self.doc.source.path.as_str()) {
            true => self.project.names().adds_shuffle(name),
            false => here_alone,
        }
    }

    /// Whether a function of CUDA's name is the project's in a namespace of that name, and nowhere outside of all.
    pub(crate) fn has_in_namespace(&self, name: &[u8], namespace: &[u8]) -> bool {
        let here = self.own.file().within.get(name);
        here.is_some_and(|it| **it == *namespace)
            || self.project.names().apart.is_in(name, namespace)
    }

    /// The value of an object-like macro that is one number, as far as the file can see it: `WARP_SIZE` gives `32`.
    pub fn constant(&self, name: &[u8]) -> Option<u64> {
        self.own.constant(name)
    }

    /// The value of a constant expression of integers that is no less than 0, as far as the file can see: `2 * TILE`.
    pub fn count(&self, tokens: std::ops::Range<TokenIndex>) -> Option<u64> {
        let words = value::words(self.doc, tokens);
        value::count(&words, &|name| self.constant(name))
    }

    /// Whether the file needs libcu++ itself, for more than its counterparts have.
    pub(crate) fn needs_libcu(&self) -> bool {
        let has_helpers = self.options().compat != CompatMode::None;
        self.project
            .needs_libcu(self.doc, self.table(), has_helpers)
    }

    /// Whether the token may run on the device.
    pub fn may_be_device(&self, index: TokenIndex) -> bool {
        self.doc.scopes().may_be_device(self.doc, index)
    }

    /// The use of an API for the statistics.
    pub(crate) fn api_use(&self, entry: &'d ApiEntry, target: Option<&'static str>) -> ApiUse {
        ApiUse {
            name: entry.cuda,
            library: entry.library,
            target,
            rocm_since: entry.rocm.since,
        }
    }
}

/// Whether the tree, or the file itself where it stands alone, coins a word.
pub(crate) fn is_coined(cx: &Unit<'_, '_>, word: &[u8]) -> bool {
    let mut here = cx.doc.occurrences(word, 0..cx.doc.tokens.len());
    let mut replaced = cx.doc.source.replaced.iter();
    replaced.any(|own| own.as_bytes() == word)
        || cx.project.names().gives_own_meaning(word)
        || here.any(|at| gives_own_meaning(cx.doc, at))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::probe::{first, of_file, of_tree};

    #[test]
    fn code_that_no_build_compiles_is_inactive_when_a_person_says_so() {
        let ask = |text: &str, skip_inactive| {
            let options = Options {
                skip_inactive,
                ..Options::default()
            };
            of_tree(&[("a.cu", text)], options, |cx| {
                cx.is_inactive(cx.range(first(cx, "x")).start)
            })
        };
        for (text, expected) in [
            ("#if 0\nint x;\n#endif\n", true),
            ("#if 0\n#else\nint x;\n#endif\n", false),
            ("#if 0\n#define x 1\n#endif\n", false),
            ("int x;\n", false),
        ] {
            assert_eq!(ask(text, true), expected, "{text}");
            assert!(!ask(text, false), "{text}");
        }
    }

    #[test]
    fn branches_that_conditions_keep_from_amd_are_not_meant() {
        for (text, expected) in [
            ("#if __CUDA_ARCH__ >= 900\nint x;\n#endif\n", true),
            ("#if __CUDA_ARCH__ >= 700\nint x;\n#endif\n", false),
            ("#if CUDART_VERSION < 8000\nint x;\n#endif\n", true),
            ("#if MINE\nint x;\n#endif\n", false),
        ] {
            let found = of_file(text, |cx| cx.is_not_meant(cx.range(first(cx, "x")).start));
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn names_and_numbers_are_those_that_the_file_sees() {
        let files = [
            (
                "a.cu",
                "#include \"a.h\"\n#define TILE 0x10\nint a[2 * TILE + SEEN], b[UNSEEN], c[n];\n",
            ),
            (
                "a.h",
                "#define SEEN 5\nvoid cudaFree(int);\nvoid cudaFree(int) {}\n",
            ),
            ("b.h", "#define UNSEEN 6\nvoid cudaMalloc(int) {}\n"),
        ];
        of_tree(&files, Options::default(), |cx| {
            assert_eq!(cx.constant(b"TILE"), Some(16));
            assert_eq!(cx.constant(b"SEEN"), Some(5));
            assert_eq!(cx.constant(b"UNSEEN"), None);
            assert!(cx.is_own(b"cudaFree") && !cx.is_own(b"cudaMalloc"));
            let size = |name: &str| {
                let open = first(cx, name) + 1;
                cx.count(open + 1..cx.doc.matching_bracket(open).expect("it closes"))
            };
            assert_eq!([size("a"), size("b"), size("c")], [Some(37), None, None]);
        });
    }

    #[test]
    fn a_warp_is_the_wavefront_where_the_project_says_so() {
        let warp = |text: &str, warp| {
            of_tree(
                &[("a.cu", text)],
                Options {
                    warp,
                    ..Options::default()
                },
                |cx| cx.warp(),
            )
        };
        let counts = "#ifdef __HIP_PLATFORM_AMD__\n#define WARP_SIZE 64\n#else\n#define WARP_SIZE 32\n#endif\n";
        for (text, mode, expected) in [
            ("int a;\n", WarpMode::Logical32, WarpMode::Logical32),
            ("int a;\n", WarpMode::Native, WarpMode::Native),
            (
                "#define WARP_SIZE 32\n",
                WarpMode::Logical32,
                WarpMode::Logical32,
            ),
            (counts, WarpMode::Logical32, WarpMode::Native),
        ] {
            assert_eq!(warp(text, mode), expected, "{text}");
        }
    }

    #[test]
    fn texts_are_those_of_the_file() {
        of_file("f(a  + b, /* c */ c, \"d\");\n", |cx| {
            let call = cx.doc.call(first(cx, "f")).expect("it is one");
            let arguments: Vec<String> = (0..4).map(|at| cx.argument(&call, at)).collect();
            assert_eq!(arguments, ["a  + b", "c", "\"d\"", ""]);
            assert_eq!(cx.text(first(cx, "f")), "f");
        });
    }

    #[test]
    fn a_name_is_coined_where_the_file_or_the_tree_declares_it() {
        let ask = |header: &str, text: &str| {
            of_tree(
                &[("a.cu", text), ("a.h", header)],
                Options::default(),
                |cx| is_coined(cx, b"cudaMine"),
            )
        };
        for (header, text, expected) in [
            ("", "cudaMine(1);\n", false),
            ("", "void cudaMine(int) {}\n", true),
            ("void cudaMine(int) {}\n", "cudaMine(1);\n", true),
            ("// void cudaMine(int) {}\n", "cudaMine(1);\n", false),
        ] {
            assert_eq!(ask(header, text), expected, "{header}{text}");
        }
    }
}
