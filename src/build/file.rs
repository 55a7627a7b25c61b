use std::any::Any;
use std::cell::OnceCell;
use std::ops::Deref;
use std::rc::Rc;

use super::command::{Command, commands};
use crate::syntax::{Lexed, word_lexer};
use crate::text::{BuildTool, SourceFile};

/// A file that says how something is built, as rules see it: its words, and the commands of CMake among them.
pub struct BuildFile<'s> {
    lexed: Lexed<'s>,
    /// What it is written for.
    pub tool: BuildTool,
    commands: OnceCell<Vec<Command>>,
}

impl<'s> Deref for BuildFile<'s> {
    type Target = Lexed<'s>;

    fn deref(&self) -> &Lexed<'s> {
        &self.lexed
    }
}

impl<'s> BuildFile<'s> {
    /// Reads a file. A script of Python that builds something is read as well, as a file of no tool that this program writes for.
    pub fn new(source: &'s SourceFile) -> Self {
        let bytes = &source.bytes;
        let lexed = match source.language.build_tool() {
            Some(BuildTool::CMake) => Lexed::new(source, word_lexer::lex_cmake(bytes)),
            Some(_) => Lexed::new(source, word_lexer::lex(bytes)),
            None => Lexed::new(source, word_lexer::lex_python(bytes)),
        };
        let tool = source.language.build_tool().unwrap_or(BuildTool::Other);
        Self {
            lexed,
            tool,
            commands: OnceCell::new(),
        }
    }

    /// The commands of a CMake list, in order: whatever looks like `name(…)`.
    pub(crate) fn commands(&self) -> &[Command] {
        self.commands.get_or_init(|| commands(self))
    }

    /// What a reader of the whole file works out of it, found when first asked for: one fact for each type.
    pub(crate) fn fact<T: Any>(&self, work_out: impl FnOnce(&Self) -> T) -> Rc<T> {
        self.lexed.facts.get(|| work_out(self))
    }
}
