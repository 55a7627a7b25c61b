//! Definitions of a file whose types are CUDA's: those of other files may become the same on AMD.

use crate::cpp::signature::Signature;
use crate::mapping::ApiTable;
use crate::syntax::{Document, FunctionScope, Vendor};
use crate::text::TextRange;

/// A definition that every build for AMD compiles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Overload {
    /// The words in front of the braces around it.
    pub scope: Box<str>,
    /// What it declares, as [`Signature::spelling`] has it.
    pub spelling: Box<str>,
    /// The first token of its name.
    pub name: TextRange,
    /// Its line, counted from 1.
    pub line: u32,
}

/// Those of a file.
pub(super) fn overloads(document: &Document<'_>, table: &ApiTable) -> Vec<Overload> {
    let names_type = |function: &&FunctionScope| {
        let mut head = function.head.clone();
        head.any(|at| document.is_ident(at) && table.is_type(document.bytes(at)))
    };
    let overload = |function: &FunctionScope| {
        let signature = Signature::of_function(document, function)?;
        let start = document.tokens[signature.first].start;
        let is_sure = document.is_sure_on_hip(start) && document.vendor_at(start) == Vendor::Any;
        let mut words = signature.spelling.split(' ');
        let has_type = words.any(|word| table.is_type(word.as_bytes()));
        (is_sure && has_type).then(|| Overload {
            scope: signature.scope.into(),
            spelling: signature.spelling.into(),
            name: document.tokens[signature.name].range(),
            line: document.source.line_col(start).line,
        })
    };
    if !document.has_word(|word| table.is_type(word)) {
        return Vec::new();
    }
    let functions = document.scopes().iter().filter(names_type);
    functions.filter_map(overload).collect()
}

#[cfg(test)]
mod tests {
    use crate::project::file::probe::index;

    #[test]
    fn definitions_with_types_of_cuda_are_kept() {
        for (text, expected) in [
            (
                "#pragma once\n\nvoid f(CUresult a) {}\n",
                Some(("f CUresult , ", 3)),
            ),
            (
                "#ifndef A_H\n#define A_H\nvoid f(CUresult a) {}\n#endif\n",
                Some(("f CUresult , ", 3)),
            ),
            ("void f(CUresult a);\n", None),
            ("cudaError_t f(int a) { cudaError_t b; }\n", None),
            ("#ifdef A\nvoid f(CUresult a) {}\n#endif\n", None),
        ] {
            let index = index(text);
            let found = index.overloads.first();
            let found = found.map(|it| (&*it.spelling, it.line));
            assert_eq!(found, expected, "{text}");
        }
    }
}
