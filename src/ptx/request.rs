//! What is to be translated, and what stands in the way.

use super::symbol::Symbols;
use super::table::{TABLE, by_prefix};
use super::value::Value;

/// An operand of the statement.
#[derive(Clone, Debug)]
pub struct AsmValue {
    /// Expression and what it holds.
    pub value: Value,
    /// `=` or `+`.
    pub is_output: bool,
}

/// What is to be translated.
#[derive(Clone, Debug)]
pub struct Request<'r> {
    /// The template.
    pub text: &'r str,
    /// Its operands in the template's order.
    pub operands: Vec<AsmValue>,
    /// `--warp native`.
    pub native: bool,
    /// Helpers of the compatibility header may be called.
    pub helpers: bool,
    /// `asm volatile`: accesses may not be moved, merged or left out.
    pub volatile: bool,
    /// Memory is among the clobbers.
    pub clobbers_memory: bool,
    /// The statement stands in the body of a kernel itself, which it can return from.
    pub in_kernel: bool,
    /// The names of the module that the text is of; `None` for a template within C++.
    pub module: Option<&'r Symbols>,
}

/// What decides how a module is written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ModuleOptions {
    /// `--warp native`.
    pub(crate) native: bool,
    /// Helpers of the compatibility header may be called.
    pub(crate) helpers: bool,
}

/// An instruction that has no translation.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Obstacle {
    /// Its opcode, or the text that could not be read.
    pub instruction: String,
    /// What to do.
    pub advice: String,
}

impl Obstacle {
    pub(super) fn new(instruction: &str, advice: String) -> Self {
        Self {
            instruction: instruction.to_owned(),
            advice,
        }
    }
}

/// A step of a translation, or advice where there is none.
pub(super) type Attempt<T> = Result<T, String>;

/// Advice for an opcode without translation.
pub(super) fn advice(opcode: &str) -> String {
    by_prefix(&TABLE.manual, opcode).map_or_else(
        || "No translation of this form is known: write what it does in C++.".to_owned(),
        str::to_owned,
    )
}

pub(super) fn no_helpers() -> String {
    "The translation calls the helper header: allow it with `--compat header` or `inline`."
        .to_owned()
}
