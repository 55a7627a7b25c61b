//! The functions that a file declares, with the execution space that each of their declarations names.

use rustc_hash::FxHashSet;

use crate::cpp::definitions::class_name;
use crate::cpp::signature::{name_start, types_of_parameters};
use crate::cpp::space_macros::{Said, SpaceMacros, WORDS, Worded};
use crate::cpp::template_parameters::head_of_template;
use crate::syntax::{Document, TokenIndex, Vendor, flags};
use crate::text::keywords::{is_access, is_attribute, is_behind_parameters, is_jump};

/// What a declaration has to do with a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// It is none, or a member of a class.
    Plain,
    /// `template <class T> …`
    Template,
    /// `template <> …`
    Specialisation,
    /// `template …`
    Instantiation,
}

/// A declaration of a function, with a body or without.
#[derive(Debug)]
pub(crate) struct Head {
    /// Where the words go that it lacks, if it has none: behind `template <…>` and `friend`.
    pub start: TokenIndex,
    /// What it has to do with a template.
    pub form: Form,
    /// Its name; `operator` where it is one.
    pub name: TokenIndex,
    /// The words in front of its name that say where it runs.
    pub words: Vec<TokenIndex>,
    /// The macros in front of its name that do.
    pub macros: Vec<TokenIndex>,
    /// Whether it is a definition.
    pub has_body: bool,
    /// Whether it is a member of a class.
    pub is_member: bool,
    /// Class or namespaces, the name, the number of parameters.
    pub key: String,
    /// The types of its parameters.
    pub types: String,
}

/// What a macro says, if it stands for words of a declaration.
pub(crate) type Macros<'a> = &'a dyn Fn(&[u8]) -> Option<Said>;

/// A declaration of a function that says where that runs, as other files know it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Placed {
    /// Its name.
    pub(crate) name: Box<[u8]>,
    /// [`Head::key`].
    pub(crate) key: String,
    /// [`Head::types`].
    pub(crate) types: String,
    /// It is a template and no member.
    pub(crate) is_template: bool,
    /// It is a definition.
    pub(crate) has_body: bool,
    /// The words that say it and the macros that may, as written.
    pub(crate) words: Vec<Box<[u8]>>,
}

/// The declarations of a file that say where their functions run; not those in front of which another macro stands.
pub(crate) fn placed(
    doc: &Document<'_>,
    worded: &Worded,
    is_out: &dyn Fn(u32) -> bool,
) -> Vec<Placed> {
    let own = SpaceMacros::new(worded.iter());
    let macros = |word: &[u8]| own.said(word);
    let is_seen = |head: &Head| {
        let at = doc.tokens[head.name].start;
        let is_plain = matches!(head.form, Form::Plain | Form::Template);
        is_plain && doc.vendor_at(at) == Vendor::Any && !is_out(at)
    };
    let words = |head: &Head| {
        let is_one = |word: &[u8]| says_space(&macros, word) || is_like_macro(word);
        let all = (head.start..head.name).filter(|&at| doc.is_ident(at));
        all.map(|at| doc.bytes(at))
            .filter(|word| is_one(word))
            .map(Box::from)
            .collect()
    };
    let heads = heads(doc, &macros, &|_| false);
    let heads = heads.into_iter().filter(|head| is_seen(head));
    heads
        .map(|head| Placed {
            name: doc.bytes(head.name).into(),
            words: words(&head),
            is_template: !head.is_member && head.form == Form::Template,
            has_body: head.has_body,
            key: head.key,
            types: head.types,
        })
        .filter(|it| !it.words.is_empty())
        .collect()
}

/// Whether a word has the form of macros, of which one may say where a function runs.
pub(crate) fn is_like_macro(word: &[u8]) -> bool {
    word == b"constexpr"
        || word.len() > 1 && word[0] != b'_' && !word.iter().any(u8::is_ascii_lowercase)
}

/// The declarations of all functions of which one names a space, in order.
///
/// Functions of which `elsewhere` knows the name are looked at as well.
pub(crate) fn heads(
    doc: &Document<'_>,
    macros: Macros<'_>,
    elsewhere: &dyn Fn(&[u8]) -> bool,
) -> Vec<Head> {
    let attributes = doc.all_that(|word| says_space(macros, word));
    let names: FxHashSet<&[u8]> = attributes
        .into_iter()
        .filter(|&at| !doc.tokens[at].has(flags::DIRECTIVE))
        .filter_map(|at| name_behind(doc, at))
        .map(|name| doc.bytes(name))
        .collect();
    let all = doc
        .all_that(|word| names.contains(word) || elsewhere(word))
        .into_iter();
    all.filter_map(|name| head(doc, macros, name)).collect()
}

/// Whether a word says where a function runs, itself or as a macro.
fn says_space(macros: Macros<'_>, word: &[u8]) -> bool {
    let is_one = || WORDS.iter().any(|it| it.as_bytes() == word);
    is_one() || macros(word).is_some_and(|said| !said.names_none())
}

/// The name of the function that a word of space belongs to.
fn name_behind(doc: &Document<'_>, word: TokenIndex) -> Option<TokenIndex> {
    const LONGEST: usize = 60;
    let mut at = word;
    for _ in 0..LONGEST {
        at = doc.next(at)?;
        match doc.bytes(at) {
            b"operator" => return Some(at),
            b";" | b"{" | b"}" | b"=" => return None,
            b"(" => {
                let before = doc.prev(at)?;
                if is_attribute(doc.bytes(before)) {
                    at = doc.matching_bracket(at)?;
                    continue;
                }
                let name = match doc.is(before, ">") {
                    true => angle_open(doc, before, word)?.checked_sub(1)?,
                    false => before,
                };
                return doc.is_ident(name).then_some(name);
            }
            _ => {}
        }
    }
    None
}

/// The `<` of the `>`, not in front of `from`.
fn angle_open(doc: &Document<'_>, close: TokenIndex, from: TokenIndex) -> Option<TokenIndex> {
    if doc.is_before(close, "<") {
        return Some(close - 1);
    }
    let mut before = from..close;
    before.rfind(|&open| {
        let is_head = open.checked_sub(1).is_some_and(|at| {
            doc.is(at, "template") && head_of_template(doc, at).is_some_and(|it| it.1 == close)
        });
        doc.is(open, "<") && (is_head || doc.template_close(open) == Some(close))
    })
}

/// The declaration that a token is the name of.
fn head(doc: &Document<'_>, macros: Macros<'_>, name: TokenIndex) -> Option<Head> {
    if doc.tokens[name].has(flags::DIRECTIVE) || is_in_body(doc, name) {
        return None;
    }
    let open = parameters_open(doc, name)?;
    let close = doc.matching_bracket(open)?;
    let (has_body, is_const) = ending(doc, close)?;
    let first = first_of(doc, name)?;
    let form = form(doc, first);
    let start = behind_template(doc, first, form)?;
    let qualified = name_start(doc, open, first).filter(|&at| at >= start)?;
    let is_friend = (start..qualified).any(|at| doc.is(at, "friend"));
    let class = class_of(doc, name, qualified, is_friend);
    let is_made = class.is_some_and(|class| class == doc.bytes(name)) || doc.is_before(name, "~");
    let has_type =
        (start..qualified).any(|at| doc.is_ident(at) && !says_space(macros, doc.bytes(at)));
    if !has_type && !is_made && form == Form::Plain {
        return None;
    }
    let (types, count) = types_of_parameters(doc, open + 1..close)?;
    let scope = match class {
        Some(class) => format!("{}::", String::from_utf8_lossy(class)),
        None => namespaces(doc, name),
    };
    let sign: String = (name..open)
        .map_while(|at| sign_of(doc, name, at))
        .collect();
    let says = |is_one: &dyn Fn(&[u8]) -> bool| {
        let all = first..qualified;
        all.filter(|&at| is_one(doc.bytes(at))).collect()
    };
    let behind = if is_const { " const" } else { "" };
    Some(Head {
        start: behind_friend(doc, start, qualified),
        form,
        name,
        words: says(&|it| WORDS.iter().any(|word| word.as_bytes() == it)),
        macros: says(&|it| macros(it).is_some_and(|said| !said.names_none())),
        has_body,
        is_member: class.is_some(),
        key: format!("{scope}{sign} {count}{behind}"),
        types,
    })
}

fn word(doc: &Document<'_>, at: TokenIndex) -> String {
    String::from_utf8_lossy(doc.bytes(at)).into_owned()
}

/// The words of a name: those of an operator, or the one word.
fn sign_of(doc: &Document<'_>, name: TokenIndex, at: TokenIndex) -> Option<String> {
    let is_named = at == name || doc.is(name, "operator");
    let tilde = if at == name && doc.is_before(name, "~") {
        "~"
    } else {
        ""
    };
    is_named.then(|| format!("{tilde}{}", word(doc, at)))
}

/// Whether a token stands in the body of a function.
fn is_in_body(doc: &Document<'_>, at: TokenIndex) -> bool {
    doc.scopes()
        .around(at)
        .any(|function| function.body.contains(&at))
}

/// The `(` of the parameters behind a name.
fn parameters_open(doc: &Document<'_>, name: TokenIndex) -> Option<TokenIndex> {
    if doc.is(name, "operator") {
        let is_call = doc.is(name + 1, "(") && doc.is(name + 2, ")");
        let from = name + if is_call { 3 } else { 1 };
        return (from..(from + 4).min(doc.tokens.len())).find(|&at| doc.is(at, "("));
    }
    let next = doc.next(name)?;
    let open = match (doc.is(next, "<"), doc.template_close(next)) {
        (true, Some(close)) => doc.next(close)?,
        (true, None) => doc
            .next(next)
            .filter(|&at| doc.is(at, ">"))
            .and_then(|at| doc.next(at))?,
        (false, _) => next,
    };
    doc.is(open, "(").then_some(open)
}

/// Whether a body stands behind the parameters, and whether the function is a constant member.
fn ending(doc: &Document<'_>, close: TokenIndex) -> Option<(bool, bool)> {
    const LONGEST: usize = 12;
    let (mut at, mut is_const) = (close, false);
    for _ in 0..LONGEST {
        at = doc.next(at)?;
        match doc.bytes(at) {
            b"{" | b":" => return Some((true, is_const)),
            b";" => return Some((false, is_const)),
            b"const" => is_const = true,
            b"&" | b"&&" => {}
            word if is_behind_parameters(word) => {}
            b"(" => at = doc.matching_bracket(at)?,
            _ => return None,
        }
    }
    None
}

/// The first token of a declaration, from its name.
fn first_of(doc: &Document<'_>, name: TokenIndex) -> Option<TokenIndex> {
    let mut at = name;
    loop {
        let Some(prev) = doc.prev(at) else {
            return Some(at);
        };
        at = match doc.bytes(prev) {
            b";" | b"{" | b"}" => return Some(at),
            b":" if doc.prev(prev).is_some_and(|it| is_access(doc.bytes(it))) => return Some(at),
            b">" => angle_open(doc, prev, name.saturating_sub(200))?,
            b")" => {
                let open = doc.matching_bracket(prev)?;
                doc.prev(open).filter(|&it| is_attribute(doc.bytes(it)))?
            }
            b"]" => doc.matching_bracket(prev)?,
            b"=" | b"(" | b"," | b":" | b"using" | b"typedef" | b"." | b"->" => return None,
            word if is_jump(word) => return None,
            _ => prev,
        };
    }
}

fn form(doc: &Document<'_>, first: TokenIndex) -> Form {
    let template = first + usize::from(doc.is(first, "extern"));
    match (
        doc.is(template, "template"),
        doc.is(template + 1, "<"),
        doc.is(template + 2, ">"),
    ) {
        (false, ..) => Form::Plain,
        (true, false, _) => Form::Instantiation,
        (true, true, true) => Form::Specialisation,
        (true, true, false) => Form::Template,
    }
}

/// The token behind `template <…>`; `None` where several stand there.
fn behind_template(doc: &Document<'_>, first: TokenIndex, form: Form) -> Option<TokenIndex> {
    let template = first + usize::from(doc.is(first, "extern") && form == Form::Instantiation);
    let behind = match form {
        Form::Plain => return Some(first),
        Form::Instantiation => template + 1,
        Form::Specialisation => template + 3,
        Form::Template => head_of_template(doc, template)?.1 + 1,
    };
    (!doc.is(behind, "template")).then_some(behind)
}

fn behind_friend(doc: &Document<'_>, start: TokenIndex, name: TokenIndex) -> TokenIndex {
    let friend = (start..name).find(|&at| doc.is(at, "friend"));
    friend.map_or(start, |friend| friend + 1)
}

/// The class that a function is a member of: `X` of `X<T>::f`, or the one around it.
fn class_of<'d>(
    doc: &'d Document<'_>,
    name: TokenIndex,
    qualified: TokenIndex,
    is_friend: bool,
) -> Option<&'d [u8]> {
    let tilde = usize::from(doc.is_before(name, "~"));
    let colons = (qualified < name)
        .then(|| name.checked_sub(1 + tilde))
        .flatten();
    if let Some(colons) = colons.filter(|&at| doc.is(at, "::")) {
        let last = doc.prev(colons)?;
        let class = match doc.is(last, ">") {
            true => angle_open(doc, last, qualified)?.checked_sub(1)?,
            false => last,
        };
        return Some(doc.bytes(class));
    }
    let brace = doc.braces_around(name).next()?;
    class_name(doc, brace).filter(|_| !is_friend)
}

/// The namespaces around a token, without the classes.
fn namespaces(doc: &Document<'_>, at: TokenIndex) -> String {
    let braces = doc
        .braces_around(at)
        .filter(|&brace| class_name(doc, brace).is_none());
    let names = braces
        .filter_map(|brace| doc.prev(brace))
        .filter(|&it| doc.is_ident(it));
    names.map(|it| format!("{} ", word(doc, it))).collect()
}
