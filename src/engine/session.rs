//! Everything that is the same for all files of a run.

use std::borrow::Cow;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use crate::analysis::unit::Switches;
use crate::cpp::conditions::groups::never_reached;
use crate::engine::RulePolicy;
use crate::engine::dialect_choice::DialectChoice;
use crate::engine::dispatch::Dispatch;
use crate::engine::route::{self, Reading};
use crate::engine::suppression::Suppressions;
use crate::mapping::ApiTable;
use crate::options::{Dialect, HipSupport, Options, RuntimeHeader, Vendors};
use crate::project::FileIndex;
use crate::project::ProjectIndex;
use crate::project::file::{defines_apart, specialises};
use crate::project::spaces::is_source_of_host;
use crate::project::standing::Standing;
use crate::project::support::Support;
use crate::syntax::{Document, NoMacros, inactive_ranges, never_compiled};
use crate::text::{TextRange, is_cpp};
use std::collections::{BTreeMap, BTreeSet};

/// Everything that is the same for all files of a run.
pub struct Session {
    /// What a person chose.
    pub options: Options,
    /// The tables, overlays included.
    pub table: ApiTable,
    /// What the tree itself defines.
    pub project: Arc<ProjectIndex>,
    /// Which rules run.
    pub rules: RulePolicy,
    /// Sessions of folders with settings of their own, by the folder's path with `/` at its end; the deepest come last.
    pub nested: Vec<(String, Session)>,
    /// The dialects of some paths.
    pub dialects: DialectChoice,
    pub(crate) dispatch: Dispatch,
    /// The support for AMD that the tree has already.
    pub support: Arc<Support>,
    /// By fragment that files include inside a namespace or class, the helpers that it calls: its includers bring them.
    pub(crate) fragments: BTreeMap<String, BTreeSet<&'static str>>,
    /// Tables and rules for what PyTorch builds, once a file asks for them.
    torch: OnceLock<Box<(ApiTable, Dispatch)>>,
    /// The same for one source for both vendors.
    both: OnceLock<Box<(ApiTable, Dispatch)>>,
}

/// A session as one file sees it, with the tables and rules of its dialect.
pub(super) struct FileSession<'s> {
    session: &'s Session,
    /// What a person chose, with what the file's own reader asks for.
    pub(crate) options: Cow<'s, Options>,
    /// `Cuda` or `Torch`.
    pub(crate) dialect: Dialect,
    /// The tables.
    pub(crate) table: &'s ApiTable,
    /// The rules of each word and place.
    pub(crate) dispatch: &'s Dispatch,
    /// It runs where there is no GPU to ask for its chip: in an image, in a job of CI.
    pub(crate) without_gpu: bool,
}

impl Deref for FileSession<'_> {
    type Target = Session;

    fn deref(&self) -> &Session {
        self.session
    }
}

impl FileSession<'_> {
    /// The parts of a file that are left alone: what a person asked for, and in an extension of PyTorch what stands under `#if 0` or
    /// in a branch that no pass for AMD reads, where an edit would only make the owner's patch longer.
    pub(crate) fn inactive(&self, document: &Document<'_>) -> Vec<TextRange> {
        match self.dialect == Dialect::Torch && !self.options.skip_inactive {
            true => [never_compiled(document), never_reached(document)].concat(),
            false => self.session.inactive(document),
        }
    }

    /// Whether a file is a source that scripts which serve AMD give to PyTorch for NVIDIA alone.
    pub(super) fn is_nvidias_source(&self, path: &str) -> bool {
        self.dialect == Dialect::Torch
            && self.options.hip_support != HipSupport::Ignore
            && self.project.is_for_nvidia(path)
    }
}

impl Session {
    /// The session that a file is translated in: that of the deepest folder around it with settings of its own, or this one.
    pub fn of(&self, path: &str) -> &Self {
        let around = self.nested.iter().rev();
        let mut around = around.filter(|(folder, _)| path.starts_with(folder.as_str()));
        around.next().map_or(self, |(_, session)| session)
    }

    /// The session as a file of this dialect sees it, whose result serves these vendors.
    pub(super) fn in_dialect(&self, dialect: Dialect, vendors: Vendors) -> FileSession<'_> {
        let made = |table: ApiTable| {
            let dispatch = Dispatch::new(&table);
            Box::new((table, dispatch))
        };
        let (table, dispatch) = match dialect {
            Dialect::Torch => {
                let of_dialect = match vendors {
                    Vendors::Both => self.both.get_or_init(|| made(self.table.for_macros())),
                    _ => self.torch.get_or_init(|| made(self.table.for_torch())),
                };
                (&of_dialect.0, &of_dialect.1)
            }
            _ => (&self.table, &self.dispatch),
        };
        let mut options = Cow::Borrowed(&self.options);
        if options.vendors != vendors {
            options.to_mut().vendors = vendors;
        }
        FileSession {
            session: self,
            options,
            dialect,
            table,
            dispatch,
            without_gpu: false,
        }
    }

    /// Whether a file has to be read at all, or is copied.
    pub fn reads(&self, path: &str, bytes: &[u8]) -> bool {
        let every_cu = self.options.runtime_header == RuntimeHeader::Always;
        let concerns = route::concerns(path, bytes, &self.table, !self.options.reverse);
        concerns
            || self.project.paths.has_renames()
            || (every_cu && path.ends_with(".cu"))
            || (!self.options.reverse && self.specialises_for_device(path, bytes))
            || (!self.options.reverse && self.defines_for_device(path, bytes))
            || (!self.options.reverse && self.may_come_in_braces(path, bytes))
    }

    /// Whether a source for nvcc without a name of CUDA comes to the runtime header, maybe within `extern "C" {`.
    fn may_come_in_braces(&self, path: &str, bytes: &[u8]) -> bool {
        path.ends_with(".cu")
            && memchr::memmem::find(bytes, b"extern \"C\"").is_some()
            && self.project.may_bring_runtime(path, &self.table)
    }

    /// Whether a file without a name of CUDA specialises templates for the device by a macro of the tree, or declares members so that it
    /// defines apart.
    fn specialises_for_device(&self, path: &str, bytes: &[u8]) -> bool {
        let occurs = |name: &[u8]| memchr::memmem::find(bytes, name).is_some();
        is_cpp(path)
            && (specialises(bytes) || !is_source_of_host(path) && defines_apart(bytes))
            && self.project.names().spaces().of_device().any(occurs)
    }

    /// Whether a file without a name of CUDA defines what another one declares for the device: to clang both have to say so.
    fn defines_for_device(&self, path: &str, bytes: &[u8]) -> bool {
        self.may_define_for_device(path) && self.project.names().defines_placed(bytes)
    }

    /// Whether files around one that code for the device reads hold such declarations.
    fn may_define_for_device(&self, path: &str) -> bool {
        is_cpp(path) && self.project.declares_for_device_around(path)
    }

    /// The size of a file of the tree that is known to have nothing to read.
    pub(crate) fn size_of_unread(&self, path: &str) -> Option<u64> {
        let bytes = self.project.plain_bytes(path)?;
        // One that comes to HIP's header by another file is counted.
        let is_read = self.reads(path, &[])
            || self.may_define_for_device(path)
            || self.project.reaches_runtime(path, &self.table)
            || path.ends_with(".cu") && self.project.may_bring_runtime(path, &self.table);
        (!is_read).then_some(bytes)
    }

    /// The parts of a file that a person asked to leave alone.
    pub(crate) fn inactive(&self, document: &Document<'_>) -> Vec<TextRange> {
        if !self.options.skip_inactive {
            return Vec::new();
        }
        match self.project.given_macros(&document.source.path, true) {
            Some(given) => inactive_ranges(document, &given),
            None => inactive_ranges(document, &NoMacros),
        }
    }

    /// The parts of a file that the build compiles nowhere, as far as a compilation database was given.
    pub(super) fn not_compiled(&self, reading: &Reading<'_>) -> Vec<TextRange> {
        let path = &reading.source.path;
        match self.project.standing(path) {
            Standing::Unknown => Vec::new(),
            Standing::Outside => vec![TextRange::new(0, reading.source.bytes.len() as u32)],
            Standing::Compiled(_) => {
                let given = self.project.given_macros(path, false);
                let read = reading.cpp().zip(given);
                read.map_or_else(Vec::new, |(document, given)| {
                    inactive_ranges(document, &given)
                })
            }
        }
    }

    /// A session without a project: every file stands for itself.
    pub fn new(options: Options, table: ApiTable) -> Self {
        Self {
            dispatch: Dispatch::new(&table),
            fragments: BTreeMap::new(),
            options,
            table,
            project: Arc::default(),
            support: Arc::default(),
            rules: RulePolicy::default(),
            nested: Vec::new(),
            dialects: DialectChoice::default(),
            torch: OnceLock::new(),
            both: OnceLock::new(),
        }
    }

    /// Puts the session into a tree.
    pub fn set_project(&mut self, project: ProjectIndex) {
        self.support = Arc::new(Support::new(&project));
        self.project = Arc::new(project);
    }

    /// Whether a rule does everything for this identifier, so that its entry in the tables does not tell what becomes of it.
    pub(crate) fn claims(&self, name: &[u8]) -> bool {
        self.dispatch.claims.is_claimed(name)
    }
}

/// What a file tells of itself, comments to the tool regarded.
pub fn file_index(document: &Document<'_>, table: &ApiTable) -> FileIndex {
    let switches = Suppressions::new(document);
    let is_off = |at: u32| switches.leaves_textures(at);
    FileIndex::new(document, table, &is_off)
}
