//! The type of an argument, spelled as C++ does: what chooses between overloads.

use std::borrow::Cow;
use std::ops::Range;

use crate::cpp::arithmetic::{Number, element, leaves_type, value};
use crate::cpp::declarations::{declared, pointee};
use crate::cpp::short_floats::{Format, short_float};
use crate::syntax::{Document, TokenIndex};

/// The type of an argument whose parts are all in sight, as arithmetic leaves it: `int`, `unsigned long long`, `half2`, `float *`. Types
/// with several names have one here, and an argument of a narrow integer is an `int`.
pub(crate) fn argument_type(doc: &Document<'_>, argument: Range<TokenIndex>) -> Option<String> {
    if let Some(value) = value(doc, argument.clone()) {
        return Some(value.ty.promoted().name().to_owned());
    }
    let first = argument.start;
    if argument.len() == 4 && doc.is(first, "&") && doc.is(first + 2, ".") {
        let vector = declared(doc, first + 1).filter(|found| found.pointers == 0)?;
        let (_, name) = vector.words.iter().find_map(|word| element(word))?;
        return Some(format!("{name} *"));
    }
    if let Some(words) = pointee(doc, argument.clone()) {
        return Some(format!("{} *", spelled(&words)?));
    }
    let found = declared(doc, first).filter(|found| argument.len() == 1 && found.pointers == 0)?;
    Some(spelled(&found.words)?.into_owned())
}

/// One name for a type that the words of a declaration name in any way.
fn spelled<'w>(words: &[&'w [u8]]) -> Option<Cow<'w, str>> {
    if let Some(number) = Number::of_words(words) {
        return Some(number.name().into());
    }
    let short = words.iter().find_map(|word| short_float(word));
    if let Some(short) = short {
        return Some(
            match (short.format, short.lanes) {
                (Format::Half, 1) => "half",
                (Format::Half, _) => "half2",
                (Format::Bfloat16, 1) => "bfloat16",
                (Format::Bfloat16, _) => "bfloat162",
            }
            .into(),
        );
    }
    let last = words.iter().rfind(|word| !leaves_type(word))?;
    Some(String::from_utf8_lossy(last))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::SourceFile;

    #[test]
    fn arguments_have_the_type_that_chooses_the_overload() {
        let text = "void f(short s, size_t n, long long l, const __half2 *h, nv_bfloat16 b, float2 v, int *p, Own o) {
            g(s, n, l + 1, l & n, h, h + 1, b, &v.x, &p[1], p[0], o, (unsigned)(l + 1), q);
        }";
        let source = SourceFile::new("a.cu", text.as_bytes().to_vec());
        let doc = Document::new(&source);
        let at = (0..doc.tokens.len()).find(|&at| doc.is(at, "g"));
        let call = at.and_then(|at| doc.call(at)).expect("g is called");
        let found = call
            .arguments
            .iter()
            .map(|it| argument_type(&doc, it.clone()));
        let found: Vec<String> = found.map(Option::unwrap_or_default).collect();
        let expected = [
            "int",
            "unsigned long",
            "long long",
            "unsigned long long",
            "half2 *",
            "half2 *",
            "bfloat16",
            "float *",
            "int *",
            "int",
            "Own",
            "unsigned int",
            "",
        ];
        assert_eq!(found, expected);
    }
}
