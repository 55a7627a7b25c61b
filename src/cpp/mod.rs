//! What the tokens of one file tell: declarations, types, constant values, names, statements, conditions.

pub(crate) mod argument_type;
pub(crate) mod arithmetic;
pub(crate) mod blas_interface;
pub(crate) mod calls;
pub(crate) mod coined;
pub(crate) mod conditions;
pub(crate) mod constructors;
pub mod cooperative_groups;
pub(crate) mod coordinates;
pub mod declarations;
pub(crate) mod declaring_headers;
pub mod definitions;
pub(crate) mod deletion;
pub(crate) mod destination;
pub(crate) mod device_classes;
pub(crate) mod dispatched;
pub(crate) mod expressions;
pub mod functions;
pub(crate) mod guarding;
pub(crate) mod kernel_strings;
pub mod lanes;
pub(crate) mod libcu;
pub(crate) mod like_types;
pub(crate) mod literal_texts;
pub(crate) mod macro_parameters;
pub(crate) mod made_on_device;
pub(crate) mod member_macros;
pub mod names;
pub(crate) mod namespaces;
pub(crate) mod nvcc_pragmas;
pub(crate) mod operators;
pub(crate) mod pasted_words;
pub(crate) mod pattern;
pub(crate) mod short_floats;
pub(crate) mod signature;
pub(crate) mod space_macros;
pub(crate) mod spaces;
pub mod statements;
mod status_check;
pub(crate) mod std_names;
pub(crate) mod template_parameters;
pub(crate) mod texture_objects;
pub(crate) mod texture_uses;
pub mod threads;
pub mod value;
pub(crate) mod void_members;
pub(crate) mod waits;
pub(crate) mod windows;

/// Asks about one name of a text, for the tests of these modules.
#[cfg(test)]
pub(crate) mod probe {
    use crate::syntax::{Document, TokenIndex};
    use crate::text::SourceFile;

    fn about<T>(
        text: &str,
        choose: impl FnOnce(&[TokenIndex]) -> TokenIndex,
        ask: impl FnOnce(&Document<'_>, TokenIndex) -> T,
    ) -> T {
        let source = SourceFile::new("a.cu", text.as_bytes().to_vec());
        let doc = Document::new(&source);
        let all: Vec<TokenIndex> = doc.all("x").collect();
        ask(&doc, choose(&all))
    }

    /// Asks about the first `x`.
    pub(crate) fn at_first_x<T>(text: &str, ask: impl FnOnce(&Document<'_>, TokenIndex) -> T) -> T {
        about(text, |all| all[0], ask)
    }

    /// Asks about the last `x`.
    pub(super) fn at_last_x<T>(text: &str, ask: impl FnOnce(&Document<'_>, TokenIndex) -> T) -> T {
        about(text, |all| all[all.len() - 1], ask)
    }
}
