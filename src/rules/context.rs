//! What a rule may look at, and where it reports.

use std::cell::{OnceCell, RefCell};

use rustc_hash::FxHashMap;

use crate::diagnostic::{ApiUse, Finding, Severity};
use crate::edit::Edit;
use crate::engine::Session;
use crate::mapping::{ApiEntry, ApiTable};
use crate::options::{Options, WarpMode};
use crate::project::warps::{WarpFacts, Warps};
use crate::rules::At;
use crate::rules::Rule;
use crate::syntax::{Call, Document, TokenIndex, flags};
use crate::text::{RangeSet, TextRange};

/// What a rule may look at while it checks one file, and where it reports.
pub struct Context<'d, 's> {
    /// The file.
    pub doc: &'d Document<'s>,
    /// The run.
    pub session: &'d Session,
    pub(crate) own: &'d crate::project::index::OwnNames,
    pub(crate) suppressions: &'d crate::engine::suppression::Suppressions,
    pub(crate) inactive: RangeSet,
    pub(crate) not_meant: OnceCell<RangeSet>,
    /// By the start of a branch: whether AMD leaves it out.
    pub(crate) left_out: RefCell<FxHashMap<u32, bool>>,
    pub(crate) textures: crate::analysis::textures::Known,
    /// Facts of the file alone, where it is not part of the tree.
    pub(crate) warps: OnceCell<Warps>,
    pub(crate) findings: Vec<Finding>,
}

impl<'d, 's> Context<'d, 's> {
    /// Reports a finding. One in code that is guarded for one vendor is dropped: that code is left alone.
    pub fn report(&mut self, mut finding: Finding) {
        let at = finding.range.start;
        if self.doc.vendor_at(at) == crate::syntax::Vendor::Any && !self.is_inactive(at) {
            self.end_lines(&mut finding);
            self.keep_directives(&mut finding);
            self.findings.push(finding);
        }
    }

    /// Leaves a fix to a person that would take a directive away together with code around it: no rule means that.
    fn keep_directives(&self, finding: &mut Finding) {
        let crosses = |edit: &Edit| {
            let spans_lines = memchr::memchr(b'\n', self.doc.source.slice(edit.range)).is_some();
            spans_lines && {
                let tokens = self.doc.token_at(edit.range.start)..self.doc.token_at(edit.range.end);
                let in_directive =
                    |index: &TokenIndex| self.doc.tokens[*index].has(flags::DIRECTIVE);
                tokens.clone().any(|index| in_directive(&index))
                    && !tokens.clone().all(|index| in_directive(&index))
            }
        };
        if finding
            .fix
            .as_ref()
            .is_some_and(|fix| fix.edits.iter().any(crosses))
        {
            finding.fix = None;
            finding.severity = finding.severity.max(Severity::Warning);
        }
    }

    /// Gives the new lines of a fix the line ends of the file, so that no rule has to think of them.
    fn end_lines(&self, finding: &mut Finding) {
        let edits = finding.fix.iter_mut().flat_map(|fix| &mut fix.edits);
        for edit in edits.filter(|edit| edit.content.contains('\n') && edit.moved().is_empty()) {
            let newline = self.doc.newline();
            if newline != "\n" {
                let unix = edit.content.replace(newline, "\n");
                edit.content = unix.replace('\n', newline).into();
            }
        }
    }

    /// Whether a byte lies in code that a person asked to leave alone because no build compiles it. Macros defined there are settings
    /// that another build turns on, so they count as active.
    pub fn is_inactive(&self, offset: u32) -> bool {
        let directives = &self.doc.directives;
        let within = directives.partition_point(|directive| directive.range.start <= offset);
        let in_directive = within > 0 && directives[within - 1].range.contains_offset(offset);
        !in_directive && self.inactive.contains(offset)
    }

    /// Whether a byte lies in a branch that conditions about CUDA keep from AMD, as they were meant.
    pub fn is_not_meant(&self, offset: u32) -> bool {
        self.not_meant
            .get_or_init(|| crate::cpp::conditions::groups::not_meant(self.doc, self.table()))
            .contains(offset)
    }

    /// The same place without findings, for a look at what another rule would say.
    pub(crate) fn alone(&self) -> Self {
        Context {
            doc: self.doc,
            session: self.session,
            own: self.own,
            suppressions: self.suppressions,
            inactive: self.inactive.clone(),
            not_meant: self.not_meant.clone(),
            left_out: RefCell::default(),
            textures: crate::analysis::textures::Known::default(),
            warps: OnceCell::new(),
            findings: Vec::new(),
        }
    }

    /// Whether a rule is switched off at a byte by a comment: hands off, findings and edits alike.
    pub fn is_off(&self, offset: u32, rule: &Rule) -> bool {
        self.suppressions.is_off(offset, rule.code)
    }

    /// A place to insert something, moved in front of what is switched off for the rule.
    pub fn outside_off(&self, offset: u32, rule: &Rule) -> u32 {
        self.suppressions.outside(self.doc, offset, rule.code)
    }

    /// What a person chose.
    pub fn options(&self) -> &'d Options {
        &self.session.options
    }

    /// What a warp becomes in this file: the wavefront also where the project counts by 64 for AMD itself.
    pub fn warp(&self) -> WarpMode {
        if self.own.says_64 {
            WarpMode::Native
        } else {
            self.options().warp
        }
    }

    /// What the functions of the tree do with warps; of the file, if it is no part of a tree.
    pub fn warps(&self) -> &Warps {
        let (project, path) = (&self.session.project, self.doc.source.path.as_str());
        if project.holds(path) {
            return project.warps();
        }
        self.warps.get_or_init(|| {
            let facts = WarpFacts::new(self.doc);
            Warps::new(std::iter::once((path, &facts)))
        })
    }

    /// The tables.
    pub fn table(&self) -> &'d ApiTable {
        &self.session.table
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

    /// Whether the token may run on the device.
    pub fn may_be_device(&self, index: TokenIndex) -> bool {
        self.doc.scopes().may_be_device(self.doc, index)
    }

    /// Reports what the tables say of the name at a place; for rules that own a name and have nothing to add here.
    pub fn ask_tables(&mut self, at: At<'_>) {
        let rules = &self.session.wake.api;
        rules.iter().for_each(|rule| (rule.check)(at, self));
    }

    /// The use of an API for the statistics.
    pub fn api_use(&self, entry: &'d ApiEntry, target: Option<&'static str>) -> ApiUse {
        ApiUse {
            name: entry.cuda,
            library: entry.library,
            target,
            rocm_since: entry.rocm.since,
        }
    }
}
