//! From bytes to structure: tokens, directives, guards, launches, scopes and, on demand, trees. Knows no API and no rule.

mod asm;
mod asm_text;
mod backends;
mod braces;
mod brackets;
mod call;
mod condition;
mod conditional;
mod directive;
mod document;
mod guard;
mod inactive;
mod launch;
mod lexed;
mod lexer;
mod macros;
mod mask;
mod scope;
mod token;
mod tree;
mod vendor_macros;
pub(crate) mod word_lexer;
mod words;
#[cfg(test)]
pub(crate) mod work;

pub use asm::{AsmOperand, AsmStatement};
pub use call::Call;
pub(crate) use call::split_arguments;
pub(crate) use condition::{Truth, is_hip_macro, is_product_macro, is_too_deep};
pub use conditional::Conditionals;
pub use directive::{Directive, DirectiveKind, Include};
pub use document::Document;
pub use guard::{Guards, Vendor};
pub(crate) use inactive::{
    GivenMacros, NoMacros, inactive_ranges, is_only_for_nvidia_device, never_compiled,
};
pub use launch::LaunchSite;
pub(crate) use lexed::Facts;
pub use lexed::Lexed;
pub use lexer::lex;
pub(crate) use scope::MacroSpaces;
pub use scope::{FunctionScope, Scopes, Space};
pub use token::{Token, TokenKind, flags};
pub use tree::SyntaxTree;
pub use vendor_macros::VendorMacros;

/// Index of a token in `Document::tokens`.
pub type TokenIndex = usize;
