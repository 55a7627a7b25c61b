//! The texture references of one file: which it declares, and which it uses for more than fetches from linear memory.

use std::cell::{OnceCell, RefCell};
use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::cpp::calls::template_arguments;
use crate::cpp::namespaces::is_in_file;
use crate::cpp::texture_uses::{
    HARDWARE, LINEAR, MODULE, TEMPLATES, is_for_everybody, is_plain_use, means_another, named, uses,
};
use crate::syntax::{Document, TokenIndex, TokenKind, flags};
use crate::text::keywords::is_reserved_form;

pub(crate) type Name = Box<[u8]>;

/// The texture references of one file.
#[derive(Clone, Debug, Default)]
pub(crate) struct TextureNames {
    /// Those declared such that a structure with a pointer can stand for them, by declaration.
    pub(crate) declared: Vec<Vec<Name>>,
    /// The numbers of these declarations by name.
    declaring: FxHashMap<Name, Vec<usize>>,
    /// Names that are declared or used as only a texture can be.
    barred: FxHashSet<Name>,
    /// A macro puts such a name together, so that it can be any.
    bars_all: bool,
    /// Names that the file asks a module for at run time.
    asked_for: FxHashSet<Name>,
    /// It asks for names that are not in the text.
    asks_for_any: bool,
}

/// `static texture<float, 1, cudaReadModeElementType> a, b;`
#[derive(Debug)]
pub(crate) struct Declaration {
    /// The declared names.
    pub names: Vec<TokenIndex>,
    /// Whether `static` stands in front.
    pub is_static: bool,
}

impl TextureNames {
    /// Collects what a file shows. Code for one vendor is left alone and does not count, nor does what a comment switches off at a byte.
    pub(crate) fn new(doc: &Document<'_>, is_off: &dyn Fn(u32) -> bool) -> Self {
        let mut found = Self::default();
        let declarators = found.add_declarations(doc, is_off);
        let mut used: FxHashSet<&[u8]> = declarators.iter().map(|&at| doc.bytes(at)).collect();
        let names = uses(doc, LINEAR).filter_map(|argument| named(doc, &argument));
        used.extend(
            names
                .filter(|&at| !means_another(doc, at))
                .map(|at| doc.bytes(at)),
        );
        for argument in uses(doc, HARDWARE) {
            found.add_hardware(doc, argument);
        }
        for argument in uses(doc, MODULE) {
            let name = quoted(doc, argument.start);
            found.asks_for_any |= name.is_none();
            found.asked_for.extend(name.map(Name::from));
        }
        let is_plain = |name: &&[u8]| {
            let mut all = doc.occurrences(name, 0..doc.tokens.len());
            all.all(|at| {
                declarators.contains(&at) || is_plain_use(doc, at, 0) || means_another(doc, at)
            })
        };
        let strange = used.into_iter().filter(|name| !is_plain(name));
        found.barred.extend(strange.map(Name::from));
        found
    }

    /// The names of each such declaration that a name is one of.
    pub(crate) fn declared_with(&self, name: &[u8]) -> impl Iterator<Item = &Vec<Name>> {
        let numbers = self.declaring.get(name).into_iter().flatten();
        numbers.map(|number| &self.declared[*number])
    }

    /// Whether the file uses a name as only a texture can be used.
    pub(crate) fn needs_texture_reference(&self, name: &[u8]) -> bool {
        self.bars_all || self.barred.contains(name)
    }

    /// Whether the file asks a module, which may be any file of the tree, for the texture of a name.
    pub(crate) fn asks_for(&self, name: &[u8]) -> bool {
        self.asks_for_any || self.asked_for.contains(name)
    }

    /// Returns where the names stand that are declared as a structure can be.
    fn add_declarations(
        &mut self,
        doc: &Document<'_>,
        is_off: &dyn Fn(u32) -> bool,
    ) -> FxHashSet<TokenIndex> {
        let mut declarators = FxHashSet::default();
        let words = doc.all_of(TEMPLATES);
        if words.is_empty() {
            return declarators;
        }
        let text = |at: &TokenIndex| Name::from(doc.bytes(*at));
        for word in words
            .into_iter()
            .filter(|&word| is_for_everybody(doc, word))
        {
            let is_off = is_off(doc.tokens[word].start);
            match linear_declaration(doc, word).filter(|_| !is_off) {
                Some(Declaration { names, .. }) => {
                    let number = self.declared.len();
                    self.declared.push(names.iter().map(text).collect());
                    for name in &names {
                        self.declaring.entry(text(name)).or_default().push(number);
                    }
                    declarators.extend(names);
                }
                None => self
                    .barred
                    .extend(names_behind(doc, word).map(|at| text(&at))),
            }
        }
        declarators
    }

    fn add_hardware(&mut self, doc: &Document<'_>, argument: Range<TokenIndex>) {
        let name = match named(doc, &argument) {
            Some(name) => (!means_another(doc, name)).then(|| doc.bytes(name)),
            // `cudaGetTextureReference(&reference, "name")`
            None => quoted(doc, argument.start),
        };
        self.barred.extend(name.map(Name::from));
        self.bars_all |= argument.into_iter().any(|at| doc.is(at, "##"));
    }
}

/// The text of a string.
fn quoted<'s>(doc: &Document<'s>, at: TokenIndex) -> Option<&'s [u8]> {
    let is_string = doc.tokens[at].kind == TokenKind::Str;
    let text = doc.bytes(at).strip_prefix(b"\"")?.strip_suffix(b"\"")?;
    is_string.then_some(text)
}

/// The declaration of references to one-dimensional textures whose template is named at `word`, if it stands in a file or a namespace.
pub(crate) fn linear_declaration(doc: &Document<'_>, word: TokenIndex) -> Option<Declaration> {
    let (arguments, close) = template_arguments(doc, word)?;
    let is = |at: usize, texts: &[&str]| {
        let argument = arguments.get(at).filter(|argument| argument.len() == 1);
        argument.is_some_and(|argument| texts.iter().any(|text| doc.is(argument.start, text)))
    };
    let is_linear = match arguments.len() {
        1 => true,
        2 => is(1, DIMENSIONS),
        3 => is(1, DIMENSIONS) && is(2, MODES),
        _ => false,
    };
    let is_type = |at: TokenIndex| doc.is_ident(at) || doc.is(at, "::");
    let has_type = !arguments.first()?.is_empty() && arguments.first()?.clone().all(is_type);
    let mut names = Vec::new();
    let mut at = doc.next(close)?;
    while doc.is_ident(at) {
        names.push(at);
        at = doc.next(at)?;
        if doc.is(at, ";") {
            let is_static = doc.prev_is(word, "static");
            let is_declared = starts_statement(doc, word) && is_in_file(doc, word);
            return (is_linear && has_type && is_declared)
                .then_some(Declaration { names, is_static });
        }
        at = doc.next(at).filter(|_| doc.is(at, ","))?;
    }
    None
}

const DIMENSIONS: &[&str] = &["1", "0x1", "0x01", "cudaTextureType1D", "hipTextureType1D"];
const MODES: &[&str] = &[
    "cudaReadModeElementType",
    "cudaReadModeNormalizedFloat",
    "hipReadModeElementType",
    "hipReadModeNormalizedFloat",
];

/// What a declaration that is not of the plain kind declares.
fn names_behind<'d>(
    doc: &'d Document<'_>,
    word: TokenIndex,
) -> impl Iterator<Item = TokenIndex> + 'd {
    let first = template_arguments(doc, word).and_then(|(_, close)| doc.next(close));
    let tokens = std::iter::successors(first, |&at| doc.next(at));
    tokens
        .take_while(|&at| doc.is_ident(at) || matches!(doc.bytes(at), b"," | b"&" | b"*"))
        .filter(|&at| doc.is_ident(at))
}

/// Whether a declaration begins at `word`, or with specifiers in front of it.
fn starts_statement(doc: &Document<'_>, word: TokenIndex) -> bool {
    let mut before = doc.prev(word);
    let is_specifier = |word: &[u8]| is_reserved_form(word) || word == b"static";
    while let Some(at) = before.filter(|&at| is_specifier(doc.bytes(at))) {
        before = doc.prev(at);
    }
    !doc.tokens[word].has(flags::DIRECTIVE)
        && before.is_none_or(|at| matches!(doc.bytes(at), b";" | b"{" | b"}"))
}

/// What is known of texture references while one file is checked.
#[derive(Debug, Default)]
pub(crate) struct KnownTextures {
    pub(crate) own: OnceCell<TextureNames>,
    pub(crate) linear: RefCell<FxHashMap<Name, bool>>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::SourceFile;

    fn of(text: &str) -> TextureNames {
        let source = SourceFile::new("a.cu", text.as_bytes().to_vec());
        TextureNames::new(&Document::new(&source), &|_| false)
    }

    #[test]
    fn references_to_linear_memory_can_be_structures() {
        for (text, expected) in [
            ("texture<float> t;\n", &["t"][..]),
            ("texture<float, 1> t, u;\n", &["t", "u"]),
            (
                "static texture<float, 1, cudaReadModeElementType> t;\n",
                &["t"],
            ),
            (
                "texture<float, cudaTextureType1D, cudaReadModeNormalizedFloat> t;\n",
                &["t"],
            ),
            ("namespace n { texture<my::T> t; }\n", &["t"]),
            ("extern \"C\" { texture<float> t; }\n", &["t"]),
            ("texture<float, 2> t;\n", &[]),
            ("texture<float, DIM> t;\n", &[]),
            ("texture<float, 1, mode> t;\n", &[]),
            ("texture<float> t[2];\n", &[]),
            ("texture<float> &t = u;\n", &[]),
            ("struct S { texture<float> t; };\n", &[]),
            ("void f() { texture<float> t; }\n", &[]),
            ("extern texture<float> t;\n", &[]),
            ("#define T texture<float> t;\n", &[]),
            ("// texture<float> t;\n", &[]),
            ("texture t;\n", &[]),
        ] {
            let found = of(text).declared.concat();
            let found: Vec<_> = found
                .iter()
                .map(|name| String::from_utf8_lossy(name))
                .collect();
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn what_only_a_texture_can_do_bars_a_name() {
        for (text, expected) in [
            ("texture<float> t;\nvoid f() { tex1Dfetch(t, 1); }\n", false),
            ("texture<float> t;\nvoid f() { tex1D(t, 1); }\n", true),
            ("texture<float, 2> t;\n", true),
            ("texture<float> t;\nvoid f() { g(t); }\n", true),
            (
                "texture<float> t;\nvoid f() { cudaBindTextureToArray(t, a); }\n",
                true,
            ),
            (
                "texture<float> t;\nvoid f() { cudaGetTextureReference(&r, \"t\"); }\n",
                true,
            ),
            (
                "texture<float> t;\nvoid f() { cudaGetTextureReference(&r, \"u\"); }\n",
                false,
            ),
            (
                "#define F(n) tex2D(n##_tex, 1, 2)\ntexture<float> t;\n",
                true,
            ),
            ("texture<float> t;\nvoid f(int t) { g(t); }\n", false),
            ("void f() { g(t); }\n", false),
        ] {
            assert_eq!(of(text).needs_texture_reference(b"t"), expected, "{text}");
        }
    }

    #[test]
    fn modules_are_asked_for_names() {
        for (text, t, u) in [
            (
                "void f() { cuModuleGetTexRef(&r, m, \"t\"); }\n",
                true,
                false,
            ),
            ("void f() { cuModuleGetTexRef(&r, m, name); }\n", true, true),
            (
                "void f() { /* cuModuleGetTexRef(&r, m, name); */ }\n",
                false,
                false,
            ),
        ] {
            let found = of(text);
            assert_eq!(
                (found.asks_for(b"t"), found.asks_for(b"u")),
                (t, u),
                "{text}"
            );
        }
    }

    #[test]
    fn a_comment_keeps_a_reference_as_it_is() {
        let source = SourceFile::new("a.cu", b"texture<float> t;\n".to_vec());
        let found = TextureNames::new(&Document::new(&source), &|_| true);
        assert!(found.declared.is_empty() && found.needs_texture_reference(b"t"));
    }
}
