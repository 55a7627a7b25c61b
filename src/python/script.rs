use std::cell::OnceCell;
use std::ops::Deref;
use std::sync::Arc;

use super::{PyFile, Questions};
use crate::syntax::{Lexed, word_lexer};
use crate::text::SourceFile;

/// A script of Python as rules see it: its tree, and beside it the words and comments that a file of any language has.
pub(crate) struct Script<'s> {
    lexed: Lexed<'s>,
    file: OnceCell<PyFile<'s>>,
    questions: Arc<Questions>,
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
            questions: Arc::default(),
        }
    }

    /// The script among others of its tree that answer questions for it.
    pub(crate) fn set_questions(&mut self, questions: &Arc<Questions>) {
        self.questions = Arc::clone(questions);
    }

    /// What others of its tree answer.
    pub(crate) fn questions(&self) -> &Questions {
        &self.questions
    }

    /// Its tree, parsed when first asked for.
    pub(crate) fn file(&self) -> &PyFile<'s> {
        self.file.get_or_init(|| {
            let questions = Arc::clone(&self.questions);
            PyFile::new(&self.lexed.source.bytes).with_questions(questions)
        })
    }
}
