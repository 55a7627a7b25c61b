use std::cell::OnceCell;
use std::ops::Deref;

use super::PyFile;
use crate::syntax::{Lexed, word_lexer};
use crate::text::SourceFile;

/// A script of Python as rules see it: its tree, and beside it the words and comments that a file of any language has.
pub(crate) struct Script<'s> {
    lexed: Lexed<'s>,
    file: OnceCell<PyFile<'s>>,
}

impl<'s> Deref for Script<'s> {
    type Target = Lexed<'s>;

    fn deref(&self) -> &Lexed<'s> {
        &self.lexed
    }
}

impl<'s> Script<'s> {
    /// Reads a script.
    pub(crate) fn new(source: &'s SourceFile) -> Self {
        Self {
            lexed: Lexed::new(source, word_lexer::lex_python(&source.bytes)),
            file: OnceCell::new(),
        }
    }

    /// Its tree, parsed when first asked for.
    pub(crate) fn file(&self) -> &PyFile<'s> {
        self.file
            .get_or_init(|| PyFile::new(&self.lexed.source.bytes))
    }
}
