//! The texture references of one file: which it declares, and which it uses for more than fetches from linear memory.

use std::ops::Range;

use rustc_hash::FxHashSet;

use super::declared::{declaration, declared};
use super::places::enclosing_call;
use super::suppress::Suppressions;
use super::texture_reference;
use crate::syntax::{
    Directive, DirectiveKind, Document, TokenIndex, TokenKind, Vendor, flags, split_arguments,
};

/// The template of CUDA, and that of the helper header which stands for it.
const TEMPLATES: &[&str] = &["texture", "cass_texture"];
/// Functions that the helper header has for linear memory, and which of their arguments is the texture.
pub(super) const LINEAR: &[(&str, usize)] = &[
    ("tex1Dfetch", 0),
    ("cudaBindTexture", 1),
    ("cudaUnbindTexture", 0),
    ("cudaGetTextureAlignmentOffset", 1),
    ("hipBindTexture", 1),
    ("hipUnbindTexture", 0),
    ("hipGetTextureAlignmentOffset", 1),
];
/// Functions that need a texture, and which of their arguments it is.
const HARDWARE: &[(&str, usize)] = &[
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
/// Members that the structure has as well, for programs that set them.
const MEMBERS: &[&[u8]] = &[b"normalized", b"filterMode", b"addressMode", b"channelDesc"];

pub(super) type Name = Box<[u8]>;

/// The texture references of one file.
#[derive(Clone, Debug, Default)]
pub struct TextureNames {
    /// Those declared such that a structure with a pointer can stand for them, by declaration.
    pub(super) declared: Vec<Vec<Name>>,
    /// Names that are declared or used as only a texture can be.
    barred: FxHashSet<Name>,
    /// A macro puts such a name together, so that it can be any.
    bars_all: bool,
}

/// `static texture<float, 1, cudaReadModeElementType> a, b;`
#[derive(Debug)]
pub struct Declaration {
    /// The declared names.
    pub names: Vec<TokenIndex>,
    /// Whether `static` stands in front.
    pub is_static: bool,
}

impl TextureNames {
    /// Collects what a file shows. Code for one vendor is left alone and does not count.
    pub fn new(doc: &Document<'_>) -> Self {
        let mut found = Self::default();
        let declarators = found.add_declarations(doc);
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

    /// Whether the file uses a name as only a texture can be used.
    pub(super) fn bars(&self, name: &[u8]) -> bool {
        self.bars_all || self.barred.contains(name)
    }

    /// Returns where the names stand that are declared as a structure can be.
    fn add_declarations(&mut self, doc: &Document<'_>) -> FxHashSet<TokenIndex> {
        let mut declarators = FxHashSet::default();
        let words = doc.all_of(TEMPLATES);
        if words.is_empty() {
            return declarators;
        }
        let suppressions = Suppressions::new(doc);
        let text = |at: &TokenIndex| Name::from(doc.bytes(*at));
        for word in words
            .into_iter()
            .filter(|&word| is_for_everybody(doc, word))
        {
            let is_off = suppressions.is_off(doc.tokens[word].start, texture_reference::RULE.code);
            match linear_declaration(doc, word).filter(|_| !is_off) {
                Some(Declaration { names, .. }) => {
                    self.declared.push(names.iter().map(text).collect());
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
        let first = argument.start;
        if let Some(name) = named(doc, &argument) {
            let is_another = means_another(doc, name);
            self.barred
                .extend((!is_another).then(|| doc.bytes(name).into()));
        } else if doc.tokens[first].kind == TokenKind::Str {
            // `cudaGetTextureReference(&reference, "name")`
            let quoted = doc.bytes(first);
            self.barred
                .insert(quoted[1..quoted.len().max(2) - 1].into());
        }
        self.bars_all |= argument.into_iter().any(|at| doc.is(at, "##"));
    }
}

/// The declaration of references to one-dimensional textures whose template is named at `word`, if it stands in a file or a namespace.
pub fn linear_declaration(doc: &Document<'_>, word: TokenIndex) -> Option<Declaration> {
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

/// The name of an argument that consists of one: `name`, `&name`, `space::name`.
pub(super) fn named(doc: &Document<'_>, argument: &Range<TokenIndex>) -> Option<TokenIndex> {
    let name = argument.end.checked_sub(1).filter(|&at| doc.is_ident(at))?;
    let mut rest = argument.start + usize::from(doc.is(argument.start, "&"))..name;
    let is_qualifier =
        |at: TokenIndex| doc.is(at, "::") || doc.is_ident(at) && doc.is(at + 1, "::");
    rest.all(is_qualifier).then_some(name)
}

/// The argument of a call that is a texture.
pub(super) fn texture_argument(
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
fn uses<'d>(
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
fn is_plain_use(doc: &Document<'_>, at: TokenIndex, depth: usize) -> bool {
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
    let behind = match doc.partner(at + 3).filter(|_| doc.is(at + 3, "[")) {
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
    let is_called = |directive: &&Directive| {
        let name = directive.operands().next();
        directive.kind == DirectiveKind::Define
            && name.is_some_and(|name| doc.bytes(name) == doc.bytes(call.name))
    };
    let mut macros = doc.directives.iter().filter(is_called).peekable();
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

/// The parameters of a macro.
fn parameters(doc: &Document<'_>, directive: &Directive) -> Vec<TokenIndex> {
    let open = directive
        .operands()
        .nth(1)
        .filter(|&open| doc.is(open, "("));
    let Some((open, close)) = open.and_then(|open| Some((open, doc.partner(open)?))) else {
        return Vec::new();
    };
    let arguments = split_arguments(doc, open + 1..close).into_iter();
    arguments.map(|argument| argument.start).collect()
}

/// Whether the name at `at` is that of a member, a macro's parameter or another variable, or stands in code for one vendor.
pub(super) fn means_another(doc: &Document<'_>, at: TokenIndex) -> bool {
    let is_member = doc.is_before(at, ".") || doc.is_before(at, "->");
    let is_qualified = doc.is_before(at, "::");
    let found = declaration(doc, at).filter(|_| !is_qualified);
    let found = found.or_else(|| declared(doc, at));
    is_member
        || !is_for_everybody(doc, at)
        || found.is_some_and(|found| !found.is_any(TEMPLATES))
        || is_parameter(doc, at)
}

fn is_parameter(doc: &Document<'_>, at: TokenIndex) -> bool {
    let in_macro = doc.tokens[at].has(flags::DIRECTIVE);
    let before = doc.directives.partition_point(|it| it.tokens.start <= at);
    let directive = before.checked_sub(1).map(|last| &doc.directives[last]);
    let directive = directive.filter(|it| in_macro && it.kind == DirectiveKind::Define);
    directive.is_some_and(|directive| {
        let mut names = parameters(doc, directive).into_iter();
        names.any(|name| doc.bytes(name) == doc.bytes(at))
    })
}

fn is_for_everybody(doc: &Document<'_>, at: TokenIndex) -> bool {
    doc.vendor_at(doc.tokens[at].start) == Vendor::Any
}

fn template_arguments(
    doc: &Document<'_>,
    word: TokenIndex,
) -> Option<(Vec<Range<TokenIndex>>, TokenIndex)> {
    let open = doc.next(word)?;
    let close = doc.template_close(open)?;
    Some((split_arguments(doc, open + 1..close), close))
}

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

/// Whether a declaration begins at `word`, or with `static` or what this tool writes in front of it.
fn starts_statement(doc: &Document<'_>, word: TokenIndex) -> bool {
    let mut before = doc.prev(word);
    while let Some(at) = before.filter(|&at| doc.is(at, "static") || doc.is(at, "__constant__")) {
        before = doc.prev(at);
    }
    !doc.tokens[word].has(flags::DIRECTIVE)
        && before.is_none_or(|at| matches!(doc.bytes(at), b";" | b"{" | b"}"))
}

/// Whether no braces are open but those of namespaces and `extern "C"`.
fn is_in_file(doc: &Document<'_>, word: TokenIndex) -> bool {
    doc.braces_around(word).all(|brace| {
        let mut at = brace;
        while let Some(before) = doc
            .prev(at)
            .filter(|&at| doc.is_ident(at) || doc.is(at, "::"))
        {
            if doc.is(before, "namespace") {
                return true;
            }
            at = before;
        }
        let language = doc.prev(at).filter(|_| at == brace);
        language
            .is_some_and(|at| doc.tokens[at].kind == TokenKind::Str && doc.prev_is(at, "extern"))
    })
}
