//! Classes whose constructors are all for the device, and the objects of them that the host makes.

use std::collections::BTreeMap;

use crate::cpp::definitions::class_name;
use crate::cpp::functions::named_function;
use crate::cpp::spaces::{Head, Macros};
use crate::syntax::{Document, Space, TokenIndex, flags};
use crate::text::keywords::{is_access, is_class_key, is_storage, takes_condition};

/// A class that only the device can make objects of.
pub(crate) struct DeviceClass<'d, 'h> {
    /// What it is called.
    pub(crate) name: &'d [u8],
    /// All its constructors, those of its specialisations among them.
    pub(crate) constructors: Vec<&'h Head>,
}

/// The classes of a file all of whose constructors, as far as it declares them, are for the device alone.
pub(crate) fn device_classes<'d, 'h>(
    doc: &'d Document<'_>,
    heads: &'h [Head],
    macros: Macros<'_>,
) -> Vec<DeviceClass<'d, 'h>> {
    let mut all = BTreeMap::<&[u8], Vec<&Head>>::new();
    for head in heads.iter().filter(|head| is_constructor(doc, head)) {
        all.entry(doc.bytes(head.name)).or_default().push(head);
    }
    let is_of_device = |head: &&Head| head.is_for_device_alone(doc, macros);
    all.into_iter()
        .filter(|(_, constructors)| constructors.iter().all(is_of_device))
        .map(|(name, constructors)| DeviceClass { name, constructors })
        .collect()
}

/// Whether a declaration is a constructor, within its class or outside.
fn is_constructor(doc: &Document<'_>, head: &Head) -> bool {
    let name = String::from_utf8_lossy(doc.bytes(head.name));
    head.is_member && head.key.starts_with(&format!("{name}::{name} "))
}

/// Where the host makes an object of a class: a variable of a function or of the file, a value, a member of a class whose own constructor is
/// the host's. Each by the name of the class, the last by that of the constructor.
pub(crate) fn made_by_host(doc: &Document<'_>, class: &[u8]) -> Vec<TokenIndex> {
    let aliases = doc
        .occurrences(class, 0..doc.tokens.len())
        .filter_map(|at| alias(doc, at));
    let mut names: Vec<&[u8]> = aliases.map(|at| doc.bytes(at)).collect();
    names.push(class);
    let all = doc.all_called(names).into_iter();
    all.filter(|&at| !doc.tokens[at].has(flags::DIRECTIVE))
        .filter_map(|at| made_at(doc, at))
        .collect()
}

/// The other name that a class gets: `using A = C<T>;`, `typedef C<T> A;`.
fn alias(doc: &Document<'_>, class: TokenIndex) -> Option<TokenIndex> {
    let before = doc.prev(class)?;
    if doc.is(before, "=") {
        let name = doc.prev(before)?;
        return doc.is_before(name, "using").then_some(name);
    }
    let next = doc.next(class)?;
    let behind = match doc.is(next, "<") {
        true => doc.next(doc.template_close(next)?)?,
        false => next,
    };
    (doc.is(before, "typedef") && doc.is_ident(behind)).then_some(behind)
}

fn made_at(doc: &Document<'_>, at: TokenIndex) -> Option<TokenIndex> {
    let mut next = doc.next(at)?;
    if doc.is(next, "<") {
        next = doc.next(doc.template_close(next)?)?;
    }
    if let Some(value) = returned_by_host(doc, next) {
        return Some(value);
    }
    let is_value = matches!(doc.bytes(next), b"(" | b"{") && !doc.is(next + 1, "*");
    let is_variable = doc.is_ident(next)
        && doc
            .next(next)
            .is_some_and(|behind| matches!(doc.bytes(behind), b";" | b"(" | b"{" | b"["));
    let Some(brace) = doc.braces_around(at).next() else {
        return (is_variable && is_plain_variable(doc, at)).then_some(at);
    };
    if let Some(function) = named_function(doc, at) {
        let is_of_host = function.space == Space::Host
            && doc.scopes().around(at).all(|it| it.space == Space::Host);
        let is_made = is_variable || is_value && !is_other(doc, at);
        return (is_of_host && is_made).then_some(at);
    }
    match class_name(doc, brace) {
        Some(outer) if outer != doc.bytes(at) => {
            let is_member = is_variable
                && doc
                    .next(next)
                    .is_some_and(|it| matches!(doc.bytes(it), b";" | b"["));
            (is_member && is_plain_variable(doc, at))
                .then(|| host_constructor(doc, brace, outer, doc.bytes(next)))
                .flatten()
        }
        Some(_) => None,
        None => (is_variable && doc.is(next + 1, ";") && is_plain_variable(doc, at)).then_some(at),
    }
}

/// The value that a function of the host, whose name stands behind its type, makes of a list: the `{` of `Hit at(int i) { return {x[i], y[i]}; }`.
fn returned_by_host(doc: &Document<'_>, name: TokenIndex) -> Option<TokenIndex> {
    let mut functions = doc.scopes().iter();
    let function = functions.find(|it| it.name == Some(name) && it.space == Space::Host)?;
    let is_list = |at: &TokenIndex| doc.is_before(*at, "return") && doc.is(*at, "{");
    let mut within = function.body.clone().filter(is_list);
    // A lambda returns its own.
    within.find(|&at| doc.scopes().around(at).next().map(|it| it.name) == Some(Some(name)))
}

/// Whether nothing in front of a type says that the variable is the device's, or elsewhere.
fn is_plain_variable(doc: &Document<'_>, at: TokenIndex) -> bool {
    let words = std::iter::successors(doc.prev(at), |&at| doc.prev(at));
    let words = words.take_while(|&at| doc.is_ident(at) && !is_access(doc.bytes(at)));
    let mut words = words.map(|at| doc.bytes(at));
    words.all(is_storage)
}

/// Whether a name in front of a bracket makes no object: a destructor, a class of this name, `new (place) T()`, a name of another scope.
fn is_other(doc: &Document<'_>, at: TokenIndex) -> bool {
    let is_one = |before| {
        matches!(doc.bytes(before), b"~" | b")" | b"::" | b"." | b"->")
            || is_class_key(doc.bytes(before))
    };
    doc.prev(at).is_some_and(is_one)
}

/// The constructor of a class that is the host's, has a body, and does not give the member a value.
fn host_constructor(
    doc: &Document<'_>,
    brace: TokenIndex,
    class: &[u8],
    member: &[u8],
) -> Option<TokenIndex> {
    let close = doc.matching_bracket(brace)?;
    let mut all = doc.scopes().within(brace..close);
    let found = all.find(|function| {
        let is_one = function.name.is_some_and(|name| {
            doc.bytes(name) == class
                && !doc.is_before(name, "~")
                && doc.braces_around(name).next() == Some(brace)
        });
        is_one
            && function.space == Space::Host
            && doc
                .occurrences(member, function.head.clone())
                .next()
                .is_none()
    })?;
    found.name
}

impl Head {
    /// Whether a function is the device's and nobody else's, as far as its words and macros tell.
    fn is_for_device_alone(&self, doc: &Document<'_>, macros: Macros<'_>) -> bool {
        let says = |space: &str| self.says(doc, macros, space);
        says("__device__") && !says("__host__") && !says("__global__")
    }

    /// Whether the words and macros of a declaration name a space.
    pub(crate) fn says(&self, doc: &Document<'_>, macros: Macros<'_>, space: &str) -> bool {
        let said = self.macros.iter().filter_map(|&at| macros(doc.bytes(at)));
        self.words.iter().any(|&at| doc.is(at, space))
            || said.flat_map(|it| it.spaces()).any(|it| it == space)
    }

    /// Whether a constructor does nothing but give its members values that it computes from its parameters.
    pub(crate) fn gives_values(&self, doc: &Document<'_>) -> bool {
        // Longer ones are not read.
        const LONGEST: usize = 200;
        // The sign of an operator stands in front of it.
        let behind = self.name + 1..(self.name + 4).min(doc.tokens.len());
        let open = behind.into_iter().find(|&at| doc.is(at, "("));
        let close = open.and_then(|open| doc.matching_bracket(open));
        let Some(close) = close.filter(|_| self.has_body) else {
            return false;
        };
        let (mut at, mut in_body) = (close, false);
        while let Some(next) = doc.next(at).filter(|&next| next < close + LONGEST) {
            let word = doc.bytes(next);
            let is_call = doc.is_ident(next) && doc.next_is(next, "(") && !takes_condition(word);
            let is_member = doc.is_before(next, ":") || doc.is_before(next, ",");
            match word {
                b"{" if !in_body && doc.prev(next).is_some_and(|it| !doc.is_ident(it))
                    || doc.is(at, "noexcept") =>
                {
                    in_body = true
                }
                b"}" if in_body => {
                    return doc.matching_bracket(next).is_some_and(|open| open > close);
                }
                b"{" | b"asm" | b"__asm__" | b"new" | b"delete" => return false,
                b"threadIdx" | b"blockIdx" | b"blockDim" | b"gridDim" | b"warpSize" => {
                    return false;
                }
                _ if is_call && (in_body || !is_member) => return false,
                _ => {}
            }
            at = next;
        }
        false
    }
}
