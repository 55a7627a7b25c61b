//! What is known while a script of Python is read: its tree, the project, the tables and what a person chose.

use std::borrow::Cow;

use crate::mapping::ApiTable;
use crate::mapping::chip;
use crate::options::{Dialect, Options, Vendors};
use crate::project::ProjectIndex;
use crate::project::owner::Owner;
use crate::python::{self, Levels, PyFile, Script};
use crate::text::{SourceFile, TextRange};

/// A script with everything that says what it means.
pub struct PythonUnit<'d, 's> {
    pub(crate) script: &'d Script<'s>,
    /// The file that it stands in.
    pub source: &'s SourceFile,
    /// The tree of files around it.
    pub project: &'d ProjectIndex,
    pub(crate) options: &'d Options,
    pub(crate) dialect: Dialect,
    /// Who owns it in a project that supports AMD already.
    pub(crate) owner: Owner,
    pub(crate) table: &'d ApiTable,
}

impl<'d, 's> PythonUnit<'d, 's> {
    /// The script as a tree. It is parsed when the first rule asks, which takes most of the time that a script takes: a rule that needs a
    /// word asks for that before ([`Self::mentions`]).
    pub fn file(&self) -> &'d PyFile<'s> {
        self.script.file()
    }

    /// Whether one of some texts stands anywhere in the script.
    pub(crate) fn mentions(&self, texts: &[&str]) -> bool {
        let mut texts = texts.iter().map(|text| text.as_bytes());
        texts.any(|text| memchr::memmem::find(&self.source.bytes, text).is_some())
    }

    /// The first place that is nested deeper than anybody reads.
    pub(crate) fn too_deep(&self) -> Option<(TextRange, Levels)> {
        python::too_deep(&self.source.bytes)
    }

    /// Whether the script is one of a project's tests, by its name or by a folder above it: what it decides is which tests run.
    pub(crate) fn is_test(&self) -> bool {
        python::is_test_path(&self.source.path)
    }

    /// Whether the script is for AMD alone by its name, `rocm_flash_attn.py`, lies in a folder that is called after a chip, `ops/gfx950`, or in
    /// a copy of AITER, AMD's kernels: `aiter_kernels/moe/quant_moe.py`. A folder called `hip-port` may hold what is being ported.
    pub(crate) fn is_named_for_amd(&self) -> bool {
        let (folders, name) = self.folders_and_name();
        let is_amds = |folder: &str| {
            let package = folder.split(['_', '-', '.']).next();
            chip::names_chip(folder) || package == Some("aiter")
        };
        chip::names_amd(name) || folders.split('/').any(is_amds)
    }

    /// The folders above the script, and its name without its end.
    fn folders_and_name(&self) -> (&str, &str) {
        let path = self.source.path.as_str();
        let (folders, file) = path.rsplit_once('/').unwrap_or(("", path));
        (
            folders,
            file.rsplit_once('.').map_or(file, |(name, _)| name),
        )
    }

    /// What a person chose.
    pub fn options(&self) -> &'d Options {
        self.options
    }

    /// The tables.
    pub fn table(&self) -> &'d ApiTable {
        self.table
    }

    /// Whether PyTorch's build translates what the script builds, so that it stays CUDA's and serves both vendors.
    pub(crate) fn is_torch(&self) -> bool {
        self.dialect == Dialect::Torch
    }

    /// Whether the script goes on serving NVIDIA: what is changed for AMD stands beside what was there.
    pub(crate) fn serves_both(&self) -> bool {
        // PyTorch builds the extensions of the tree for either vendor, and the scripts beside them run with both.
        let is_beside_extensions = self.options.vendors == Vendors::Auto
            && self.options.dialect == Dialect::Auto
            && self.project.builds.scripts.has_setup_script;
        self.is_torch() || self.is_covered() || is_beside_extensions
    }

    /// Whether it is the script of a project that supports AMD already.
    pub(crate) fn is_covered(&self) -> bool {
        self.owner != Owner::Ours
    }

    /// Text of some bytes; invalid UTF-8 is replaced.
    pub fn text_of(&self, range: TextRange) -> Cow<'_, str> {
        self.source.text(range)
    }
}
