//! Which reader a file has by its language.

use std::ops::Deref;

use crate::build::BuildFile;
use crate::project::build_mark::includes_torch;
use crate::syntax::{Document, Lexed, VendorMacros};
use crate::text::{Language, SourceFile};

/// A file as its language is read: what every step of the engine asks for are its tokens, comments and words ([`Lexed`]).
pub(crate) enum Reading<'s> {
    /// C++, or a script of Python.
    Cpp(Document<'s>),
    /// A CMake list, a Makefile, a script of a shell, an image, a job of CI, a preset.
    Build(BuildFile<'s>),
}

impl<'s> Deref for Reading<'s> {
    type Target = Lexed<'s>;

    fn deref(&self) -> &Lexed<'s> {
        match self {
            Self::Cpp(document) => document,
            Self::Build(file) => file,
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
            _ => Self::Cpp(Document::with_macros(source, macros)),
        }
    }

    /// The file as C++, or as a script of Python.
    pub(super) fn code(&self) -> Option<&Document<'s>> {
        match self {
            Self::Cpp(document) => Some(document),
            Self::Build(_) => None,
        }
    }

    /// The file as C++, if it is that.
    pub(crate) fn cpp(&self) -> Option<&Document<'s>> {
        match self {
            Self::Cpp(document) if self.source.language == Language::CFamily => Some(document),
            _ => None,
        }
    }

    /// The file as one that says how something is built, if it is that.
    pub(super) fn build(&self) -> Option<&BuildFile<'s>> {
        match self {
            Self::Build(file) => Some(file),
            Self::Cpp(_) => None,
        }
    }

    /// Whether it is compiled with the headers of PyTorch.
    pub(super) fn includes_torch(&self) -> bool {
        self.cpp().is_some_and(includes_torch)
    }
}
