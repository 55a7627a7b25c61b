//! What is known while a build file is read: the file, the tree, the tables and what a person chose.

use std::borrow::Cow;

use crate::build::BuildFile;
use crate::mapping::{ApiTable, name_lists};
use crate::options::{Dialect, Options, Vendors};
use crate::project::ProjectIndex;
use crate::syntax::TokenIndex;
use crate::text::TextRange;

/// A build file with everything that says what its words mean.
pub struct BuildUnit<'d, 's> {
    /// The file.
    pub doc: &'d BuildFile<'s>,
    /// The tree.
    pub project: &'d ProjectIndex,
    pub(crate) options: &'d Options,
    pub(crate) dialect: Dialect,
    /// The file is a command that runs where there is no GPU to ask for its chip: in an image, in a job of CI.
    pub(crate) without_gpu: bool,
    pub(crate) table: &'d ApiTable,
}

impl<'d, 's> BuildUnit<'d, 's> {
    /// What a person chose.
    pub fn options(&self) -> &'d Options {
        self.options
    }

    /// The tables.
    pub fn table(&self) -> &'d ApiTable {
        self.table
    }

    /// Whether PyTorch's build translates the sources, so that they stay CUDA's and serve both vendors.
    pub(crate) fn is_torch(&self) -> bool {
        self.dialect == Dialect::Torch
    }

    /// Whether the image of NVIDIA's that a container starts from stays: one source is built for both vendors, the tree has scripts alone,
    /// which serve both as well, a job of CI runs on NVIDIA's machines, `options: --gpus all`, or a library of NVIDIA's that nothing on AMD
    /// takes the place of is put in.
    pub(crate) fn keeps_image(&self) -> bool {
        let path = &self.doc.source.path;
        let is_job = path.ends_with(".yml") || path.ends_with(".yaml");
        let has_gpus = || self.doc.has_word(|word| word == b"--gpus");
        self.options.vendors == Vendors::Both
            || self.is_torch()
            || self.project.is_of_scripts()
            || is_job && has_gpus()
            || self.doc.has_word(is_lone_library)
    }

    /// Text of a token; invalid UTF-8 is replaced.
    pub fn text(&self, index: TokenIndex) -> Cow<'s, str> {
        String::from_utf8_lossy(self.doc.bytes(index))
    }

    /// Text of some bytes; invalid UTF-8 is replaced.
    pub fn text_of(&self, range: TextRange) -> Cow<'_, str> {
        self.doc.source.text(range)
    }

    /// Bytes of a token.
    pub fn range(&self, index: TokenIndex) -> TextRange {
        self.doc.tokens[index].range()
    }
}

/// Whether a word names a library of NVIDIA's that nothing on AMD takes the place of: `TensorRT.tar.gz`.
fn is_lone_library(word: &[u8]) -> bool {
    let word = word.to_ascii_lowercase();
    let has = |part: &&str| memchr::memmem::find(&word, part.as_bytes()).is_some();
    name_lists().lone_libraries.iter().any(has)
}
