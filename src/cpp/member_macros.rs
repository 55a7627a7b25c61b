//! Macros that make a member of what they are given: `#define CHECK(table, call) (table)->call`.

use crate::cpp::macro_parameters::parameters;
use crate::syntax::{Directive, Document};

/// The parameters of a macro, by position, that its text has behind `.` or `->`.
pub(crate) fn member_parameters(doc: &Document<'_>, define: &Directive) -> Vec<usize> {
    let names = parameters(doc, define);
    if names.is_empty() {
        return Vec::new();
    }
    let members = define
        .operands()
        .filter(|&at| doc.is_ident(at))
        .filter(|&at| doc.is_before(at, ".") || doc.is_before(at, "->"));
    let words: Vec<&[u8]> = members.map(|at| doc.bytes(at)).collect();
    let all = names.iter().enumerate();
    let made = all.filter(|(_, name)| words.contains(&doc.bytes(**name)));
    made.map(|(position, _)| position).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::SourceFile;

    #[test]
    fn parameters_behind_an_arrow_or_a_dot_are_members() {
        for (text, expected) in [
            ("#define F(t, call) (t)->call", &[1][..]),
            ("#define F(t, call) do { e = t.call; } while (0)", &[1]),
            ("#define F(call, t, g) if (t->call) goto g", &[0]),
            ("#define F(t, call) call(t->cuInit)", &[]),
            ("#define F t->call", &[]),
            ("#define F(...) g((__VA_ARGS__), 1)", &[]),
            ("#define F(t, ...) t.call(__VA_ARGS__)", &[]),
        ] {
            let source = SourceFile::new("a.h", text.as_bytes().to_vec());
            let doc = Document::new(&source);
            let made = doc
                .macros()
                .map(|(_, define)| member_parameters(&doc, define));
            assert_eq!(made.collect::<Vec<_>>(), [expected], "{text}");
        }
    }
}
