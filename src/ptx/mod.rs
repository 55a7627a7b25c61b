//! PTX as C++: the text of an `asm` template in, statements or obstacles out; a module in, functions out. Knows no file and no rule.

mod blocks;
mod compare;
mod convert;
mod lanes;
mod logic;
mod matrix;
mod memory;
mod module;
mod pack;
mod request;
mod split;
mod steps;
mod symbol;
mod table;
mod textures;
mod translate;
mod translator;
mod types;
mod value;

pub use module::{Function, Reading, Translated};
pub(crate) use module::{is_module, translate_module};
pub(crate) use request::ModuleOptions;
pub use request::{AsmValue, Obstacle, Request};
pub use split::{Instruction, Item, Operand, split};
pub use steps::Layout;
pub use symbol::{Symbol, Symbols};
pub use table::TABLE;
use table::by_prefix;
pub use translate::{Translation, translate};
pub use types::{Holds, Type, declared};
pub(crate) use value::FIRST_MARK;
pub use value::Value;

/// Names of helpers that a text calls.
pub(crate) fn helper_names(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_')
        .filter(|word| word.starts_with("cass_"))
}

/// Whether a word is an instruction of PTX, whole or its beginning, or a special register: one with modifiers or a `%`, since `add` alone is
/// anybody's.
pub(crate) fn is_word_of_ptx(word: &str) -> bool {
    if let Some(register) = word.strip_prefix('%') {
        return TABLE.registers.contains_key(register);
    }
    let mnemonic = word.split('.').next().unwrap_or_default();
    word.contains('.')
        && (word.starts_with("cp.async")
            || table::has_mnemonic(mnemonic)
            || by_prefix(&TABLE.dropped, word).is_some()
            || by_prefix(&TABLE.manual, word).is_some()
            || translate::is_built(mnemonic))
}

/// Instructions that nothing is made of and that no other assembly has: in a macro they are PTX as well.
const NAMED_BY_PTX_ALONE: &[&str] = &[
    "bmsk", "istypep", "suq", "szext", "txq", "vmad", "vset", "vset2", "vset4", "vshl", "vshr",
];

/// Whether an instruction is one of PTX, wherever it stands: known to the table, or spelled with modifiers as only PTX has them.
pub(crate) fn is_ptx(instruction: &Instruction) -> bool {
    let opcode = instruction.opcode.as_str();
    let dotted = opcode.contains('.');
    let alone = matches!(opcode, "trap" | "exit" | "brkpt") && instruction.operands.is_empty();
    alone
        || (dotted
            && (table::find(opcode).is_some()
                || opcode.starts_with("cp.async")
                || NAMED_BY_PTX_ALONE.contains(&instruction.mnemonic())
                || by_prefix(&TABLE.dropped, opcode).is_some()
                || by_prefix(&TABLE.manual, opcode).is_some()
                || translate::is_built(instruction.mnemonic())
                || ends_in_type(opcode)))
}

/// Whether the name of an instruction ends in a type, `madc.hi.s64`. NEON alone writes that as well, in names that begin with `v`.
fn ends_in_type(opcode: &str) -> bool {
    let last = opcode.rsplit('.').next().unwrap_or_default();
    let is_type = Type::parse(last).is_some() || matches!(last, "b128" | "f32x2");
    is_type && !opcode.starts_with('v')
}
