//! The types that PyTorch's macros give to templates: `AT_DISPATCH_FLOATING_TYPES` runs its code with `float` and `double`.

use rustc_hash::FxHashSet;

use crate::cpp::functions::{declared_with, named_function};
use crate::cpp::short_floats::short_float;
use crate::syntax::{Document, TokenIndex};

/// The macros that give their code types of 32 and 64 bits alone.
const WIDE: &[&[u8]] = &[
    b"AT_DISPATCH_FLOATING_TYPES",
    b"AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES",
];

/// Whether the template around a place never gets a float of 16 bits: the source calls it within those macros alone, or in templates that
/// it calls so. A header may be called from elsewhere.
pub(crate) fn takes_no_short_type(doc: &Document<'_>, at: TokenIndex) -> bool {
    // Templates that lead to one another: no file has more.
    const MOST: usize = 20;
    let mut places = vec![at];
    let mut known: FxHashSet<&[u8]> = FxHashSet::default();
    while let Some(place) = places.pop() {
        let Some(name) = template_around(doc, place) else {
            return false;
        };
        if !known.insert(doc.bytes(name)) {
            continue;
        }
        let Some(calls) = calls(doc, name).filter(|_| known.len() <= MOST) else {
            return false;
        };
        places.extend(calls.into_iter().filter(|&call| !is_dispatched(doc, call)));
    }
    doc.source.path.ends_with(".cu")
}

/// The name of the function template around a place; `None` where it names a short type itself.
fn template_around(doc: &Document<'_>, place: TokenIndex) -> Option<TokenIndex> {
    let function = named_function(doc, place)?;
    let mut words = function.head.start..function.body.end;
    let is_plain = words.all(|at| short_float(doc.bytes(at)).is_none() && !is_torchs(doc, at));
    let is_template = doc.occurrences(b"template", function.head.clone()).next();
    function.name.filter(|_| is_plain && is_template.is_some())
}

/// Whether a token is one of PyTorch's own short types: `at::Half`.
fn is_torchs(doc: &Document<'_>, at: TokenIndex) -> bool {
    matches!(doc.bytes(at), b"Half" | b"BFloat16")
}

/// The places that name a function but where it is declared; `None` where there is none, or one gives it a short type.
fn calls(doc: &Document<'_>, name: TokenIndex) -> Option<Vec<TokenIndex>> {
    let all = doc.occurrences(doc.bytes(name), 0..doc.tokens.len());
    let is_declared = |at: TokenIndex| {
        let parameter = doc.next(at).filter(|&open| doc.is(open, "("));
        parameter.is_some_and(|open| declared_with(doc, open + 1) == Some(at))
    };
    let calls: Vec<TokenIndex> = all.filter(|&at| !is_declared(at)).collect();
    (!calls.is_empty()).then_some(calls)
}

/// Whether a call stands in such a macro, and gets no short type there.
fn is_dispatched(doc: &Document<'_>, call: TokenIndex) -> bool {
    let before = |word: &&[u8]| doc.occurrences(word, 0..call).next_back();
    let Some(name) = WIDE.iter().filter_map(before).max() else {
        return false;
    };
    let open = doc.next(name).filter(|&open| doc.is(open, "("));
    let Some((open, close)) = open.and_then(|open| Some((open, doc.matching_bracket(open)?)))
    else {
        return false;
    };
    let is_wide = |at: TokenIndex| {
        let word = doc.bytes(at);
        short_float(word).is_none() && !is_torchs(doc, at) && !word.starts_with(b"AT_DISPATCH_")
    };
    call < close && (open..close).all(is_wide)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::SourceFile;

    #[test]
    fn a_template_has_the_types_of_the_macros_that_call_it() {
        let kernel = "template <typename T> __global__ void k(T *p);\nvoid run(Tensor x) { CALL }\ntemplate <typename T> __global__ void k(T *p) { add(p, T(1)); }\n";
        let floats = "AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), \"k\", ([&] { k<<<1, 32>>>(x.data_ptr<scalar_t>()); }));";
        let halves = floats.replace("_TYPES", "_TYPES_AND_HALF");
        let given = floats.replace("k<<<", "k<at::Half><<<");
        let by_another = "AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), \"k\", ([&] { all<scalar_t>(x); })); } template <class T> void all(Tensor x) { k<T><<<1, 32>>>(x); ";
        let alone = "k<<<1, 32>>>(x.data_ptr<float>());";
        for (path, call, expected) in [
            ("a.cu", floats, true),
            ("a.cuh", floats, false),
            ("a.cu", &halves, false),
            ("a.cu", &given, false),
            ("a.cu", by_another, true),
            ("a.cu", alone, false),
            ("a.cu", "", false),
            ("a.cu", &format!("{floats} {alone}"), false),
        ] {
            let text = kernel.replace("CALL", call);
            let source = SourceFile::new(path, text.into_bytes());
            let doc = Document::new(&source);
            let at = doc.all("add").next().expect("it is there");
            assert_eq!(takes_no_short_type(&doc, at), expected, "{path}: {call}");
        }
    }
}
