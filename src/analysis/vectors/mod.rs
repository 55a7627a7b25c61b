//! Lists in braces that make CUDA's vectors. CUDA's are plain structures: elements may lack, and the braces of one within another list
//! may go. HIP's are classes with constructors, which take all elements in braces of their own.

pub(crate) mod complete;
mod fill;
mod place;
mod shape;

pub(crate) use fill::{VectorValue, list_values};

use crate::syntax::Document;

/// The vectors in the lists of a file that lack elements or braces: those of one outermost list together. Lists behind the name of a
/// vector's type (`float4 v = {1}`) are not among them.
pub(crate) fn vectors_in_lists(doc: &Document<'_>) -> Vec<Vec<VectorValue>> {
    let (mut found, mut behind) = (Vec::new(), 0);
    for open in doc.open_braces() {
        let Some(close) = doc.matching_bracket(open).filter(|_| open >= behind) else {
            continue;
        };
        let Some(place) = place::place(doc, open) else {
            continue;
        };
        // With statements inside it is a body.
        if (open..close).any(|at| doc.is(at, ";")) {
            continue;
        }
        behind = close;
        let values = fill::vectors(doc, open, &place);
        if !values.is_empty() {
            found.push(values);
        }
    }
    found
}

#[cfg(test)]
mod probe {
    use std::ops::Range;

    use super::*;
    use crate::syntax::TokenIndex;
    use crate::text::SourceFile;

    /// The vectors of a file that lack something: type and elements, `bare` without braces, `named` where braces alone would not do.
    fn found(text: &str) -> Vec<String> {
        let source = SourceFile::new("a.cu", text.as_bytes().to_vec());
        let doc = Document::new(&source);
        let text =
            |it: &Range<TokenIndex>| source.text(doc.range(it.start, it.end - 1)).into_owned();
        let one = |value: VectorValue| {
            let kind = match (value.open, value.needs_name) {
                (Some(_), _) => "",
                (None, false) => "bare ",
                (None, true) => "named ",
            };
            let elements: Vec<String> = value.elements.iter().map(text).collect();
            let ty = String::from_utf8_lossy(doc.bytes(value.ty)).into_owned();
            format!("{kind}{ty} {}", elements.join(" "))
        };
        vectors_in_lists(&doc)
            .into_iter()
            .flatten()
            .map(one)
            .collect()
    }

    /// Holds the vectors of some texts behind a head against what is expected.
    pub(super) fn assert_found(head: &str, cases: &[(&str, &[&str])]) {
        for (text, expected) in cases {
            assert_eq!(found(&format!("{head} {text}")), *expected, "{text}");
        }
    }
}
