//! What is done to a texture: bound to linear memory and fetched from, or something that only texture hardware does.

use std::ops::Range;

use crate::cpp::calls::enclosing_call;
use crate::cpp::declarations::{declaration, declared};
use crate::cpp::macro_parameters::{is_parameter, parameters};
use crate::syntax::{Directive, Document, TokenIndex, Vendor};

/// The template of CUDA, and that of the helper header which stands for it.
pub(crate) const TEMPLATES: &[&str] = &["texture", "cass_texture"];
/// Functions that the helper header has for linear memory, and which of their arguments is the texture.
pub(crate) const LINEAR: &[(&str, usize)] = &[
    ("tex1Dfetch", 0),
    ("cudaBindTexture", 1),
    ("cudaUnbindTexture", 0),
    ("cudaGetTextureAlignmentOffset", 1),
    ("hipBindTexture", 1),
    ("hipUnbindTexture", 0),
    ("hipGetTextureAlignmentOffset", 1),
];
/// Functions that need a texture, and which of their arguments it is.
pub(crate) const HARDWARE: &[(&str, usize)] = &[
    ("tex1D", 0),
    ("tex1DLod", 0),
    ("tex1DGrad", 0),
    ("tex1DLayered", 0),
    ("tex2D", 0),
    ("tex2DLod", 0),
    ("tex2DGrad", 0),
    ("tex2DLayered", 0),
    ("tex2Dgather", 0),
    ("tex3D", 0),
    ("tex3DLod", 0),
    ("tex3DGrad", 0),
    ("texCubemap", 0),
    ("texCubemapLod", 0),
    ("texCubemapLayered", 0),
    ("cudaBindTexture2D", 1),
    ("cudaBindTextureToArray", 0),
    ("cudaBindTextureToMipmappedArray", 0),
    ("cudaGetTextureReference", 1),
    ("hipBindTexture2D", 1),
    ("hipBindTextureToArray", 0),
    ("hipBindTextureToMipmappedArray", 0),
    ("hipGetTextureReference", 1),
];
/// Functions that find a texture in a module by its name, and which of their arguments the name is.
pub(crate) const MODULE: &[(&str, usize)] = &[("cuModuleGetTexRef", 2), ("hipModuleGetTexRef", 2)];
/// Members that the structure has as well, for programs that set them.
const MEMBERS: &[&[u8]] = &[b"normalized", b"filterMode", b"addressMode", b"channelDesc"];

/// The name of an argument that consists of one: `name`, `&name`, `space::name`.
pub(crate) fn named(doc: &Document<'_>, argument: &Range<TokenIndex>) -> Option<TokenIndex> {
    let name = argument.end.checked_sub(1).filter(|&at| doc.is_ident(at))?;
    let mut rest = argument.start + usize::from(doc.is(argument.start, "&"))..name;
    let is_qualifier =
        |at: TokenIndex| doc.is(at, "::") || doc.is_ident(at) && doc.is(at + 1, "::");
    rest.all(is_qualifier).then_some(name)
}

/// The argument of a call that is a texture.
pub(crate) fn texture_argument(
    doc: &Document<'_>,
    name: TokenIndex,
    functions: &[(&str, usize)],
) -> Option<Range<TokenIndex>> {
    let place = functions
        .iter()
        .find(|(function, _)| doc.is(name, function))?
        .1;
    let argument = doc.call(name)?.arguments.get(place)?.clone();
    (!argument.is_empty()).then_some(argument)
}

/// The texture arguments of all calls of some functions.
pub(crate) fn uses<'d>(
    doc: &'d Document<'_>,
    functions: &'static [(&'static str, usize)],
) -> impl Iterator<Item = Range<TokenIndex>> + 'd {
    let names = functions.iter().flat_map(|(name, _)| doc.all(name));
    // Objects come with the type of their elements.
    names
        .filter(|&at| is_for_everybody(doc, at) && !doc.next_is(at, "<"))
        .filter_map(|at| texture_argument(doc, at, functions))
}

/// Whether the structure can be used as the texture is at `at`: fetched from, bound, or set up.
pub(crate) fn is_plain_use(doc: &Document<'_>, at: TokenIndex, depth: usize) -> bool {
    let Some(call) = enclosing_call(doc, at) else {
        return sets_member(doc, at);
    };
    match texture_argument(doc, call, LINEAR) {
        Some(argument) => argument.contains(&at) && named(doc, &argument) == Some(at),
        None => is_plain_in_macro(doc, call, at, depth),
    }
}

/// `name.addressMode[0] = …`
fn sets_member(doc: &Document<'_>, at: TokenIndex) -> bool {
    let is_member = doc.is(at + 1, ".") && MEMBERS.contains(&doc.bytes(at + 2));
    let behind = match doc.matching_bracket(at + 3).filter(|_| doc.is(at + 3, "[")) {
        Some(close) => close + 1,
        None => at + 3,
    };
    is_member && doc.is(behind, "=")
}

/// Whether all that the macros of a name do with the argument at `at` is plain.
fn is_plain_in_macro(doc: &Document<'_>, call: TokenIndex, at: TokenIndex, depth: usize) -> bool {
    let call = doc.call(call);
    let place = call.as_ref().and_then(|call| {
        let mut arguments = call.arguments.iter();
        arguments.position(|argument| *argument == (at..at + 1))
    });
    let (Some(call), Some(place)) = (call, place) else {
        return false;
    };
    let mut macros = doc.macros_called(doc.bytes(call.name)).peekable();
    let is_plain = |directive: &Directive| {
        let Some(&parameter) = parameters(doc, directive).get(place) else {
            return false;
        };
        let mut body = doc.occurrences(doc.bytes(parameter), directive.tokens.clone());
        // Macros in macros in macros were not seen.
        depth < 3 && body.all(|at| at == parameter || is_plain_use(doc, at, depth + 1))
    };
    macros.peek().is_some() && macros.all(is_plain)
}

/// Whether the name at `at` is that of a member, a macro's parameter or another variable, or stands in code for one vendor.
pub(crate) fn means_another(doc: &Document<'_>, at: TokenIndex) -> bool {
    let is_member = doc.is_before(at, ".") || doc.is_before(at, "->");
    let is_qualified = doc.is_before(at, "::");
    let found = declaration(doc, at).filter(|_| !is_qualified);
    let found = found.or_else(|| declared(doc, at));
    is_member
        || !is_for_everybody(doc, at)
        || found.is_some_and(|found| !found.is_any(TEMPLATES))
        || is_parameter(doc, at)
}

pub(crate) fn is_for_everybody(doc: &Document<'_>, at: TokenIndex) -> bool {
    doc.vendor_at(doc.tokens[at].start) == Vendor::Any
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpp::probe::{at_first_x, at_last_x};

    #[test]
    fn an_argument_is_named_by_one_name() {
        for (text, expected) in [
            ("f(x);", true),
            ("f(&x);", true),
            ("f(space::x);", true),
            ("f(&a::b::x);", true),
            ("f(x[1]);", false),
            ("f(a + x);", false),
            ("f(*x);", false),
        ] {
            let is_named = at_first_x(text, |doc, x| {
                let call = doc.call(0).expect("it is a call");
                named(doc, &call.arguments[0]) == Some(x)
            });
            assert_eq!(is_named, expected, "{text}");
        }
    }

    #[test]
    fn the_texture_among_the_arguments_is_found() {
        for (text, expected) in [
            ("tex1Dfetch(t, i);", Some("t")),
            ("cudaBindTexture(0, t, p);", Some("t")),
            ("cudaBindTexture(0, &space::t, p);", Some("& space :: t")),
            ("cudaBindTexture(0);", None),
            ("tex1Dfetch();", None),
            ("tex2D(t, i, j);", None),
            ("tex1Dfetch;", None),
        ] {
            let text = format!("{text} x;");
            let found = at_last_x(&text, |doc, _| {
                let argument = texture_argument(doc, 0, LINEAR)?;
                let words = argument.map(|at| String::from_utf8_lossy(doc.bytes(at)).into_owned());
                Some(words.collect::<Vec<_>>().join(" "))
            });
            assert_eq!(found.as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn a_use_is_plain_where_a_structure_can_stand_for_the_texture() {
        for (text, expected) in [
            ("void f() { tex1Dfetch(x, 1); }", true),
            ("void f() { cudaBindTexture(0, &x, p); }", true),
            ("void f() { tex1Dfetch(t, x); }", false),
            ("void f() { tex2D(x, 1, 2); }", false),
            ("void f() { g(x); }", false),
            ("void f() { x.addressMode[0] = a; }", true),
            ("void f() { x.normalized = true; }", true),
            ("void f() { a = x.normalized; }", false),
            ("void f() { x.channel = 1; }", false),
            ("void f() { y = x; }", false),
            // By a macro of the file.
            (
                "#define FETCH(t, i) tex1Dfetch(t, i)\nvoid f() { FETCH(x, 1); }",
                true,
            ),
            (
                "#define FETCH(t, i) tex2D(t, i, 1)\nvoid f() { FETCH(x, 1); }",
                false,
            ),
            ("#define FETCH(t, i) (i)\nvoid f() { FETCH(x, 1); }", true),
            (
                "#define B(t) tex1Dfetch(t, 1)\n#define A(t) B(t)\nvoid f() { A(x); }",
                true,
            ),
        ] {
            assert_eq!(
                at_first_x(text, |doc, x| is_plain_use(doc, x, 0)),
                expected,
                "{text}"
            );
        }
    }

    #[test]
    fn a_name_that_means_something_else_is_no_texture() {
        for (text, expected) in [
            ("texture<float> x; void f() { tex1Dfetch(x, 1); }", false),
            ("void f() { tex1Dfetch(x, 1); }", false),
            ("void f(int x) { g(x); }", true),
            ("void f() { a.x = 1; }", true),
            ("void f() { a->x = 1; }", true),
            ("#define F(x) tex1Dfetch(x, 1)\n", true),
            ("#ifdef __HIP_PLATFORM_AMD__\nint a = g(x);\n#endif\n", true),
            ("/* int x; */ void f() { tex1Dfetch(x, 1); }", false),
        ] {
            assert_eq!(at_last_x(text, means_another), expected, "{text}");
        }
    }

    #[test]
    fn uses_are_those_of_references_for_everybody() {
        for (text, expected) in [
            ("void f() { tex1Dfetch(x, 1); tex1Dfetch(y, 1); }", 2),
            ("void f() { tex1Dfetch<float>(x, 1); }", 0),
            (
                "#ifdef __HIP_PLATFORM_AMD__\nint a = tex1Dfetch(x, 1);\n#endif\n",
                0,
            ),
            ("// tex1Dfetch(x, 1)\nint x;", 0),
        ] {
            let found = crate::text::SourceFile::new("a.cu", text.as_bytes().to_vec());
            assert_eq!(
                uses(&Document::new(&found), LINEAR).count(),
                expected,
                "{text}"
            );
        }
    }
}
