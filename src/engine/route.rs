//! Which way a file goes by its language: the one place of the engine that asks what a file is written in.

use std::ops::Deref;

use crate::build::BuildFile;
use crate::build::words::mentions_cuda;
use crate::engine::cuda_fortran;
use crate::engine::module_kind::kind;
use crate::engine::scripts::mentions_gpus;
use crate::mapping::ApiTable;
use crate::options::Dialect;
use crate::project::build_mark::{includes_torch, is_build_script};
use crate::project::file::{may_hold_clashing_names, may_hold_std_constants};
use crate::python::Script;
use crate::syntax::{Document, Lexed, VendorMacros};
use crate::text::{BuildTool, Caller, Language, SourceFile, from_wide, is_cpp};

/// Whether a file is copied whatever it says.
pub(crate) fn is_opaque(path: &str) -> bool {
    Language::of_path(path) == Language::Other
}

/// What becomes of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// It is copied, and nobody looks into it.
    Copied,
    /// Its cells are files of their own.
    Cells,
    /// It is a module of the driver, which stays: what it is and what it becomes is said.
    Module,
    /// It calls functions of C and stays: whether they are CUDA's is said.
    Caller(Caller),
    /// It is translated as one text.
    Whole,
}

impl Way {
    /// The way of a file.
    pub(super) fn of(source: &SourceFile) -> Self {
        match source.language {
            Language::Other => Self::Copied,
            Language::Notebook => Self::Cells,
            Language::Module => Self::Module,
            Language::Caller(caller) => Self::Caller(caller),
            _ => Self::Whole,
        }
    }
}

/// Whether anything in a file can concern a translation, from CUDA or back to it: a quick look at its bytes.
pub(super) fn concerns(path: &str, bytes: &[u8], table: &ApiTable, from_cuda: bool) -> bool {
    match Language::of_file(path, bytes) {
        Language::Build(_) => from_cuda && mentions_cuda(bytes),
        Language::Python => from_cuda && (is_build_script(path, bytes) || mentions_gpus(bytes)),
        Language::Module => from_cuda && kind(path, bytes).is_some(),
        Language::Caller(caller) => {
            let is_fortran = caller == Caller::Fortran;
            from_cuda && (table.may_occur_in(bytes) || is_fortran && cuda_fortran::may_be(bytes))
        }
        Language::Notebook => {
            let has_files = table.may_occur_in(bytes) || mentions_cuda(bytes);
            from_cuda && (has_files || mentions_gpus(bytes))
        }
        _ => {
            let is_device_code = path.ends_with(".cu") || path.ends_with(".cuh");
            table.may_occur_in(bytes)
                || is_wide_with_cuda(bytes, table)
                || is_device_code && from_cuda && may_hold_std_constants(bytes)
                || from_cuda && is_cpp(path) && may_hold_clashing_names(bytes)
        }
    }
}

/// Whether a file says in UTF-16 or UTF-32 what no table finds there.
pub(super) fn is_wide_with_cuda(bytes: &[u8], table: &ApiTable) -> bool {
    from_wide(bytes).is_some_and(|text| table.may_occur_in(text.as_bytes()))
}

/// Whether a source holds a byte of zero, as objects and archives do that are called like one: an edit would be one of no text.
pub(super) fn is_no_text(source: &SourceFile) -> bool {
    source.language == Language::CFamily
        && memchr::memchr(0, &source.bytes).is_some()
        && from_wide(&source.bytes).is_none()
}

/// The dialect of one source for both vendors: the build files have both in their own way.
pub(super) fn dual_dialect(path: &str) -> Dialect {
    match is_cpp(path) || is_module(path) {
        true => Dialect::Torch,
        false => Dialect::Cuda,
    }
}

/// Whether modules of Python are chosen by their names: a file is the one for its vendor, as the text of a string in it is.
pub(super) fn is_module(path: &str) -> bool {
    matches!(
        Language::of_path(path),
        Language::Python | Language::Notebook
    )
}

/// What begins a comment.
pub(super) fn comment_sign(source: &SourceFile) -> &'static str {
    match source.language {
        Language::Build(_) | Language::Python | Language::Notebook => "#",
        Language::Caller(Caller::Cython | Caller::Julia) => "#",
        _ => "//",
    }
}

/// Whether comments of a file are read, and can be written into it: not those of Fortran, a cubin has none, nor has what is no text.
pub(super) fn has_comments(source: &SourceFile) -> bool {
    match source.language {
        Language::CFamily => !is_no_text(source),
        Language::Module => source.path.ends_with(".ptx"),
        language => language != Language::Caller(Caller::Fortran),
    }
}

/// A text of C++ within a file of another name.
pub(super) fn cpp_within(path: String, bytes: Vec<u8>) -> SourceFile {
    within(path, bytes, Language::CFamily)
}

/// A line of a shell within another file.
pub(super) fn shell_within(path: String, bytes: Vec<u8>) -> SourceFile {
    within(path, bytes, Language::Build(BuildTool::Shell))
}

/// The program of a notebook.
pub(super) fn python_within(path: String, bytes: Vec<u8>) -> SourceFile {
    within(path, bytes, Language::Python)
}

fn within(path: String, bytes: Vec<u8>, language: Language) -> SourceFile {
    let mut source = SourceFile::new(path, bytes);
    source.language = language;
    source
}

/// A file as its language is read: what every step of the engine asks for are its tokens, comments and words ([`Lexed`]).
pub(crate) enum Reading<'s> {
    /// C++.
    Cpp(Document<'s>),
    /// A CMake list, a Makefile, a script of a shell, an image, a job of CI, a preset.
    Build(BuildFile<'s>),
    /// A script of Python.
    Python(Script<'s>),
}

impl<'s> Deref for Reading<'s> {
    type Target = Lexed<'s>;

    fn deref(&self) -> &Lexed<'s> {
        match self {
            Self::Cpp(document) => document,
            Self::Build(file) => file,
            Self::Python(script) => script,
        }
    }
}

impl<'s> Reading<'s> {
    /// Reads a file that stands alone.
    pub(crate) fn new(source: &'s SourceFile) -> Self {
        Self::with_macros(source, &VendorMacros::default())
    }

    /// The same where a tree tells more of whom macros belong to than their names do.
    pub(super) fn with_macros(source: &'s SourceFile, macros: &VendorMacros) -> Self {
        match source.language {
            Language::Build(_) => Self::Build(BuildFile::new(source)),
            Language::Python | Language::Notebook => Self::Python(Script::new(source)),
            // Words, and comments behind `#`.
            Language::Caller(Caller::Cython | Caller::Julia) => Self::Build(BuildFile::new(source)),
            _ => Self::Cpp(Document::with_macros(source, macros)),
        }
    }

    /// The file as C++, if it is that.
    pub(crate) fn cpp(&self) -> Option<&Document<'s>> {
        match self {
            Self::Cpp(document) => Some(document),
            _ => None,
        }
    }

    /// The file as one that says how something is built, if it is that.
    pub(super) fn build(&self) -> Option<&BuildFile<'s>> {
        match self {
            Self::Build(file) => Some(file),
            _ => None,
        }
    }

    /// Whether it is compiled with the headers of PyTorch.
    pub(super) fn includes_torch(&self) -> bool {
        self.cpp().is_some_and(includes_torch)
    }
}
