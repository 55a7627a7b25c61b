//! What is known while one file is read: the file, the tree, the tables and what a person chose.

use crate::cpp::coined::coins;
use crate::cpp::value;
use std::cell::{OnceCell, RefCell};
use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use crate::analysis::claims::Claims;
use crate::diagnostic::ApiUse;
use crate::mapping::{ApiEntry, ApiTable};
use crate::options::{Dialect, Options, WarpMode};
use crate::project::ProjectIndex;
use crate::project::missing::Missing;
use crate::project::textures::KnownTextures;
use crate::project::visible::OwnNames;
use crate::project::warps::{WarpFacts, Warps};
use crate::python::PyFile;
use crate::syntax::{Call, Document, TokenIndex};
use crate::text::{Language, RangeSet, TextRange};

/// Where comments of a file switch a rule off: hands off, findings and edits alike.
pub trait Switches {
    /// Whether the rule with this code is off at a byte.
    fn is_off(&self, offset: u32, code: &str) -> bool;

    /// A place to insert something, moved in front of what is switched off for the rule.
    fn outside(&self, doc: &Document<'_>, offset: u32, code: &str) -> u32;
}

/// What the rules would do; asked where one edit hangs on others.
pub trait RuleEdits {
    /// Whether a rule other than the tables would edit the identifier.
    fn edits(&self, unit: &Unit<'_, '_>, index: TokenIndex) -> bool;
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
    /// What the rules would do.
    pub rules: &'d dyn RuleEdits,
    /// What comments of the file switch off.
    pub switches: &'d dyn Switches,
    pub(crate) options: &'d Options,
    pub(crate) dialect: Dialect,
    pub(crate) table: &'d ApiTable,
    pub(crate) own: &'d OwnNames<'d>,
    pub(crate) inactive: RangeSet,
    pub(crate) not_meant: OnceCell<RangeSet>,
    /// By the start of a branch: whether AMD leaves it out.
    pub(crate) left_out: RefCell<FxHashMap<u32, bool>>,
    pub(crate) textures: KnownTextures,
    /// The file as Python reads it.
    pub(crate) python: OnceCell<PyFile<'s>>,
    /// Facts of the file alone, where it is not part of the tree.
    pub(crate) warps: OnceCell<Warps>,
}

impl<'d, 's> Unit<'d, 's> {
    /// The same unit for another look.
    pub(crate) fn again(&self) -> Self {
        Self {
            inactive: self.inactive.clone(),
            not_meant: self.not_meant.clone(),
            left_out: RefCell::default(),
            textures: KnownTextures::default(),
            warps: OnceCell::new(),
            python: OnceCell::new(),
            ..*self
        }
    }

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

    /// The file as Python reads it; `None` for other languages.
    pub fn python(&self) -> Option<&PyFile<'s>> {
        let source = self.doc.source;
        (source.language == Language::Python)
            .then(|| self.python.get_or_init(|| PyFile::new(&source.bytes)))
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

    /// The value of an object-like macro that is one number, as far as the file can see it: `WARP_SIZE` gives `32`.
    pub fn constant(&self, name: &[u8]) -> Option<u64> {
        self.own.constant(name)
    }

    /// The value of a constant expression of integers that is no less than 0, as far as the file can see: `2 * TILE`.
    pub fn count(&self, tokens: std::ops::Range<TokenIndex>) -> Option<u64> {
        let words = value::words(self.doc, tokens);
        value::count(&words, &|name| self.constant(name))
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
    cx.project.coins(word) || here.any(|at| coins(cx.doc, at))
}
