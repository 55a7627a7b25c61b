//! What clang has to find in both of its passes: it reads kernels in the host's pass as well, where nvcc has dropped their bodies.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::cpp::conditions::cuda_macros::Family;
use crate::cpp::conditions::expression::Expr;
use crate::cpp::conditions::groups::{Branch, Group, groups};
use crate::cpp::definitions::class_name;
use crate::syntax::{Document, FunctionScope, Space, TokenIndex, flags};
use crate::text::TextRange;
use crate::text::keywords::{is_access, is_class_key};

/// Whether a branch for device code has to be there in the host's pass too: it stands alone and outside of functions, and defines types or
/// functions for the device that kernels of the file name.
pub(crate) fn is_needed_in_both(doc: &Document<'_>, branch: &Branch) -> bool {
    let groups = groups(doc);
    let is_alone = |group: &Group| {
        group.branches.len() == 1 && group.branches[0].directive.range == branch.directive.range
    };
    let mut around = groups.around(doc, branch.body.start);
    around.any(|(group, _)| is_alone(group))
        && defines_for_kernels(doc, branch.body)
        && !doc.fact(HasHostsHalf::new).0
}

/// Whether a file has something for the host's pass alone outside of functions, which may be the other half of such a branch.
struct HasHostsHalf(bool);

impl HasHostsHalf {
    fn new(doc: &Document<'_>) -> Self {
        let is_it = |group: &Group| {
            let first = &group.branches[0];
            let is_not = matches!(first.condition, Some(Expr::Not(_)));
            group.family() == Some(Family::Arch)
                && (first.directive.kind.is_negative() || is_not)
                && place(doc, first.body) != Place::Function
        };
        Self(groups(doc).iter().any(is_it))
    }
}

/// Whether a branch defines what code names that is for the host's pass as well, and nothing that could mean something else to the host: a
/// macro, a function for it, or the specialisation of a template that stands elsewhere, which to the host may be a function of other words.
/// In a class it may hold functions alone, since the host lays the class out too.
fn defines_for_kernels(doc: &Document<'_>, body: TextRange) -> bool {
    let tokens = doc.token_at(body.start)..doc.token_at(body.end);
    let functions = || {
        let all = doc.scopes().within(tokens.clone());
        all.filter(|function| function.name.is_some())
    };
    let is_for_host = |it: &FunctionScope| matches!(it.space, Space::Host | Space::HostDevice);
    if doc.macros_within(body).next().is_some() || functions().any(is_for_host) {
        return false;
    }
    let specialises = |it: &FunctionScope| is_specialisation(doc, it);
    let is_template_of = |special: &FunctionScope| {
        let of = special.name.map(|name| doc.bytes(name));
        functions().any(|it| it.name.map(|name| doc.bytes(name)) == of && !specialises(it))
    };
    if functions().any(|it| specialises(it) && !is_template_of(it)) {
        return false;
    }
    let mut names = functions().filter_map(|function| function.name);
    let mut types = tokens.clone().filter_map(|at| type_named_by(doc, at));
    let is_used = |name: TokenIndex| is_used_in_both(doc, name);
    match place(doc, body) {
        Place::Outermost => names.any(is_used) || types.any(is_used),
        Place::Class => holds_functions_alone(doc, &tokens) && names.any(is_used),
        Place::Function => false,
    }
}

/// Whether a function is the specialisation of a template: `template <> __device__ float f(int i)`.
fn is_specialisation(doc: &Document<'_>, function: &FunctionScope) -> bool {
    let words = function.head.clone().take(3).map(|at| doc.bytes(at));
    words.eq([&b"template"[..], b"<", b">"])
}

/// The name of the type that a word begins to define: `struct Hit`, `using Wide =`, `typedef float2 Ray;`.
fn type_named_by(doc: &Document<'_>, at: TokenIndex) -> Option<TokenIndex> {
    // A type with more words than this nobody writes in one line.
    const LONGEST: usize = 60;
    match doc.bytes(at) {
        b"typedef" => {
            let end = (at..doc.tokens.len())
                .take(LONGEST)
                .find(|&at| doc.is(at, ";"))?;
            doc.prev(end).filter(|&name| doc.is_ident(name))
        }
        b"using" => doc.next(at).filter(|&name| doc.next_is(name, "=")),
        word if is_class_key(word) => doc.next(at).filter(|&name| doc.is_ident(name)),
        _ => None,
    }
}

/// Whether a name stands anywhere that no condition about the device's pass keeps from the host's.
fn is_used_in_both(doc: &Document<'_>, name: TokenIndex) -> bool {
    let groups = groups(doc);
    let is_open = |at: TokenIndex| {
        let mut around = groups.around(doc, doc.tokens[at].start);
        !doc.tokens[at].has(flags::DIRECTIVE)
            && around.all(|(group, _)| group.family() != Some(Family::Arch))
    };
    // A file may have thousands of branches with functions of one name.
    !doc.noted("names in both passes", doc.bytes(name), is_open)
        .is_empty()
}

/// Whether all of some tokens are those of functions with bodies, or name who may call them.
fn holds_functions_alone(doc: &Document<'_>, tokens: &Range<TokenIndex>) -> bool {
    let mut at = tokens.start;
    for function in doc.scopes().within(tokens.clone()) {
        if function.head.start < at {
            continue;
        }
        if !(at..function.head.start).all(|at| is_between(doc.bytes(at))) {
            return false;
        }
        at = function.body.end;
    }
    (at..tokens.end).all(|at| is_between(doc.bytes(at)))
}

/// Whether a word says who may call what follows, or ends a definition.
fn is_between(word: &[u8]) -> bool {
    is_access(word) || matches!(word, b":" | b";")
}

/// Of a branch that only says by macros where functions run, and has other words of theirs for the host, `#define INLINE __device__ inline`
/// and `#define INLINE inline`: the `__device__` of each that lacks `__host__`. clang has to find functions of both kinds in both passes.
pub(crate) fn spaces_of_macros(doc: &Document<'_>, branch: &Branch) -> Option<Vec<TokenIndex>> {
    let groups = groups(doc);
    let group = groups.that_begins(doc, branch)?;
    let [own, other] = &group.branches[..] else {
        return None;
    };
    let (macros, others) = (macros_alone(doc, own.body)?, macros_alone(doc, other.body)?);
    let names = |macros: &[Macro]| -> BTreeSet<&[u8]> {
        macros.iter().map(|(name, _)| doc.bytes(*name)).collect()
    };
    let is_choice = other.condition.is_none()
        && names(&macros) == names(&others)
        && others
            .iter()
            .all(|(_, words)| device_in(doc, words).is_none());
    let mut devices = Vec::new();
    for (_, words) in &macros {
        match device_in(doc, words) {
            Some(at) => devices.push((at, words)),
            None if is_of_host(doc, words) => {}
            None => return None,
        }
    }
    let lacks_host = |(at, words): (TokenIndex, &Range<TokenIndex>)| {
        let has_host = words.clone().any(|at| doc.is(at, "__host__"));
        (!has_host).then_some(at)
    };
    (is_choice && !devices.is_empty()).then(|| devices.into_iter().filter_map(lacks_host).collect())
}

/// Of a branch for the device's pass that holds other things too: its macros that say where functions run, each as its name and its words
/// with `__host__` beside `__device__`. For the host's pass another branch or file has other words of theirs.
pub(crate) fn spaces_among_others(doc: &Document<'_>, branch: &Branch) -> Vec<(String, String)> {
    let is_for_functions = |(name, words): &Macro| {
        device_in(doc, words).is_some()
            && words.clone().all(|at| is_of_function(doc, at))
            && !is_of_variables(doc, *name)
    };
    let macros = doc.macros_within(branch.body);
    let macros = macros.filter_map(|name| words_of(doc, name));
    let written = |(name, words): Macro| {
        let text = doc.source.text(doc.range(words.start, words.end - 1));
        let has_host = words.clone().any(|at| doc.is(at, "__host__"));
        let text = match has_host {
            true => text.into_owned(),
            false => text.replacen("__device__", "__host__ __device__", 1),
        };
        (doc.source.text(doc.range(name, name)).into_owned(), text)
    };
    macros.filter(is_for_functions).map(written).collect()
}

/// A macro: its name and the words that it stands for.
type Macro = (TokenIndex, Range<TokenIndex>);

/// The macros of a branch that holds nothing else.
fn macros_alone(doc: &Document<'_>, body: TextRange) -> Option<Vec<Macro>> {
    let mut tokens = doc.token_at(body.start)..doc.token_at(body.end);
    let are_macros = tokens.all(|at| doc.tokens[at].has(flags::DIRECTIVE));
    let macros = doc.macros_within(body).map(|name| words_of(doc, name));
    are_macros.then(|| macros.collect()).flatten()
}

/// A macro by its name.
fn words_of(doc: &Document<'_>, name: TokenIndex) -> Option<Macro> {
    let words = doc.directives[doc.directive_of(name)?].operands();
    Some((name, name + 1..words.end))
}

/// The `__device__` among some words.
fn device_in(doc: &Document<'_>, words: &Range<TokenIndex>) -> Option<TokenIndex> {
    words.clone().find(|&at| doc.is(at, "__device__"))
}

/// Whether some words are those of functions of the host.
fn is_of_host(doc: &Document<'_>, words: &Range<TokenIndex>) -> bool {
    words.clone().any(|at| doc.is(at, "__host__"))
        && words.clone().all(|at| is_of_function(doc, at))
}

/// Whether a word says where a function runs or how it is called, and nothing else.
fn is_of_function(doc: &Document<'_>, at: TokenIndex) -> bool {
    let word = doc.bytes(at);
    let is_inline = [
        &b"inline"[..],
        b"__inline__",
        b"__inline",
        b"__forceinline__",
        b"static",
    ];
    matches!(word, b"__host__" | b"__device__") || is_inline.contains(&word)
}

/// Whether a file declares a variable by a macro, `DEVICE int table[]`: one for both sides is no variable of HIP's.
fn is_of_variables(doc: &Document<'_>, name: TokenIndex) -> bool {
    // A type with more words than this nobody writes in one line.
    const LONGEST: usize = 12;
    let ends = |at: TokenIndex| matches!(doc.bytes(at), b"(" | b";" | b"=" | b"[" | b"{");
    let is_it = |at: TokenIndex| {
        let behind = (at + 1..doc.tokens.len())
            .take(LONGEST)
            .find(|&at| ends(at));
        !doc.tokens[at].has(flags::DIRECTIVE) && behind.is_some_and(|at| !doc.is(at, "("))
    };
    !doc.noted("variables of macros", doc.bytes(name), is_it)
        .is_empty()
}

/// Where a branch stands.
#[derive(PartialEq, Eq)]
enum Place {
    /// In no function and no class.
    Outermost,
    Class,
    Function,
}

/// Where the lines of a branch stand; a function or class that begins in them is not around them.
fn place(doc: &Document<'_>, body: TextRange) -> Place {
    let first = doc.token_at(body.start);
    let begins_before = |at: TokenIndex| doc.tokens[at].start < body.start;
    let mut functions = doc.scopes().around(first);
    if functions.any(|function| begins_before(function.head.start)) {
        return Place::Function;
    }
    let mut braces = doc
        .braces_around(first)
        .filter(|&brace| begins_before(brace));
    match braces.any(|brace| class_name(doc, brace).is_some()) {
        true => Place::Class,
        false => Place::Outermost,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::SourceFile;

    /// Asks about the first branch of a text.
    fn first<T>(text: &str, ask: impl FnOnce(&Document<'_>, &Branch) -> T) -> T {
        let source = SourceFile::new("a.cu", text.as_bytes().to_vec());
        let doc = Document::new(&source);
        let groups = groups(&doc);
        let group = groups.iter().next().expect("it has one");
        ask(&doc, &group.branches[0])
    }

    #[test]
    fn what_kernels_name_is_there_in_both_passes() {
        let needed = |text: &str| first(text, is_needed_in_both);
        let uses = "__global__ void k() { ray a; wide b; Hit c; twice(1); }\n";
        for (body, expected) in [
            ("typedef float2 ray;\n", true),
            ("using wide = unsigned __int128;\n", true),
            ("struct Hit { float t; };\n", true),
            ("struct Other { float t; };\n", false),
            ("__device__ float twice(float x) { return x + x; }\n", true),
            ("__device__ float other(float x) { return x + x; }\n", false),
            ("float twice(float x) { return x + x; }\n", false),
            ("#define twice(x) (2 * (x))\n", false),
            ("int a;\n", false),
            (
                "template <> __device__ float twice(int x) { return 2.0f * x; }\n",
                false,
            ),
            (
                "template <class T> __device__ float twice(T x) { return x; }\ntemplate <> __device__ float twice(int x) { return 2.0f * x; }\n",
                true,
            ),
            ("typedef float2 ray;\n#else\ntypedef int ray;\n", false),
        ] {
            let text = format!("#ifdef __CUDA_ARCH__\n{body}#endif\n");
            assert_eq!(needed(&format!("{text}{uses}")), expected, "{body}");
            let guarded = format!("{text}#ifdef __CUDA_ARCH__\n{uses}#endif\n");
            assert!(!needed(&guarded), "{guarded}");
            let in_function = format!("void f() {{\n{text}}}\n{uses}");
            assert!(!needed(&in_function), "{in_function}");
            let in_class = format!("struct A {{\n{text}}};\n{uses}");
            let is_function = expected && body.contains("__device__");
            assert_eq!(needed(&in_class), is_function, "{in_class}");
        }
        let other = "#ifdef __CUDA_ARCH__\nstruct A {};\n#endif\n#ifndef __CUDA_ARCH__\nstruct A {};\n#endif\nA a;\n";
        assert!(!needed(other));
    }

    #[test]
    fn words_of_functions_are_those_of_both_passes() {
        for (text, expected) in [
            (
                "#define F __device__ inline\n#else\n#define F inline\n",
                Some(1),
            ),
            ("#define F __host__ __device__\n#else\n#define F\n", Some(0)),
            (
                "#define F __device__\n#define G 1\n#else\n#define F\n#define G 2\n",
                None,
            ),
            (
                "#define H __host__\n#define D __device__\n#else\n#define H\n#define D\n",
                Some(1),
            ),
            (
                "#define H __host__ inline\n#define D __device__\n#else\n#define H inline\n#define D\n",
                Some(1),
            ),
            ("#define H __host__\n#else\n#define H\n", None),
            ("#define F __device__\n#else\n#define G\n", None),
            ("#define F __device__\n", None),
            ("#define F __device__\nint a;\n#else\n#define F\n", None),
        ] {
            let text = format!("#ifdef __CUDA_ARCH__\n{text}#endif\n");
            let found = first(&text, spaces_of_macros);
            assert_eq!(found.map(|it| it.len()), expected, "{text}");
        }
    }

    #[test]
    fn words_of_functions_are_found_among_other_things() {
        let both = |words: &str| Some(("F".to_owned(), words.to_owned()));
        for (body, behind, expected) in [
            (
                "#define F __device__\n#define N 1\n",
                "F int f();",
                both("__host__ __device__"),
            ),
            (
                "#ifndef F\n#define F static __device__ __forceinline__\n#endif\n#define N 1\n",
                "",
                both("static __host__ __device__ __forceinline__"),
            ),
            (
                "#define F __host__ __device__\nint a;\n",
                "",
                both("__host__ __device__"),
            ),
            ("#define F __device__ __constant__\n#define N 1\n", "", None),
            ("#define F(x) __device__ x\n#define N 1\n", "", None),
            (
                "#define F __device__\n#define N 1\n",
                "F int table[2] = {1, 2};",
                None,
            ),
            ("#define N 1\n", "", None),
        ] {
            let text =
                format!("#ifdef __CUDA_ARCH__\n{body}#else\n#define N 2\n#endif\n{behind}\n");
            let found = first(&text, spaces_among_others);
            assert_eq!(found, Vec::from_iter(expected), "{text}");
        }
    }
}
