//! The classes of which code for the device makes objects.

use std::collections::BTreeMap;
use std::ops::Range;

use rustc_hash::FxHashSet;

use crate::cpp::constructors::body_of;
use crate::cpp::declarations::{Declared, declaration, declared};
use crate::cpp::spaces::Head;
use crate::syntax::{Document, Space, TokenIndex, flags, split_arguments};
use crate::text::keywords::{is_behind_parameters, is_class_key, is_keyword};

/// An object that a function for the device makes.
pub(crate) struct Made {
    /// The name of its class.
    pub(crate) at: TokenIndex,
    /// With how many arguments, if that shows: a value that a function gives is taken as it is.
    pub(crate) arguments: Option<usize>,
    /// Whether it is a variable that something is assigned to below.
    pub(crate) is_assigned: bool,
}

/// The objects of these classes that functions for the device make, or for host and device.
pub(crate) fn made_on_device(doc: &Document<'_>, is_class: &dyn Fn(&[u8]) -> bool) -> Vec<Made> {
    let mut found = Vec::new();
    for (at, end) in device_tokens(doc) {
        if !is_class(doc.bytes(at)) {
            continue;
        }
        let Some(place) = place_of(doc, at) else {
            continue;
        };
        let (arguments, variable) = match place {
            Place::Variable(name) => (initial(doc, name, doc.bytes(at)), Some(name)),
            Place::Value(open) => (counted(doc, open, doc.bytes(at)), None),
        };
        found.push(Made {
            at,
            arguments,
            is_assigned: variable.is_some_and(|name| is_assigned(doc, name, end)),
        });
    }
    found
}

/// The types of the variables of functions for the device, as far as a name tells them.
pub(crate) fn names_made_on_device(doc: &Document<'_>) -> FxHashSet<Box<[u8]>> {
    let all = device_tokens(doc).map(|(at, _)| at);
    all.filter(|&at| matches!(place_of(doc, at), Some(Place::Variable(_))))
        .map(|at| doc.bytes(at).into())
        .collect()
}

/// The tokens of functions for the device, each with the end of its function.
fn device_tokens(doc: &Document<'_>) -> impl Iterator<Item = (TokenIndex, TokenIndex)> {
    let functions = doc.scopes().iter().filter(|it| it.space != Space::Host);
    let mut done = 0;
    functions.flat_map(move |function| {
        let start = function.body.start.max(done);
        let end = function.body.end;
        done = done.max(end);
        (start..end).map(move |at| (at, end))
    })
}

/// What an object is, and the token where that shows.
enum Place {
    /// The name of the variable.
    Variable(TokenIndex),
    /// What stands behind the class.
    Value(TokenIndex),
}

fn place_of(doc: &Document<'_>, at: TokenIndex) -> Option<Place> {
    let is_name = |at: TokenIndex| doc.is_ident(at) && !is_keyword(doc.bytes(at));
    let is_other = |before: TokenIndex| {
        matches!(doc.bytes(before), b"." | b"->" | b"~" | b"throw")
            || is_class_key(doc.bytes(before))
    };
    if !is_name(at) || doc.tokens[at].has(flags::DIRECTIVE) || doc.prev(at).is_some_and(is_other) {
        return None;
    }
    let mut next = doc.next(at)?;
    if doc.is(next, "<") {
        next = doc.next(doc.template_close(next)?)?;
    }
    if is_name(next) {
        let behind = doc.next(next)?;
        let is_variable = matches!(doc.bytes(behind), b";" | b"," | b"[" | b"(" | b"{" | b"=");
        return is_variable.then_some(Place::Variable(next));
    }
    let is_value = matches!(doc.bytes(next), b"(" | b"{") || doc.is_before(at, "new");
    is_value.then_some(Place::Value(next))
}

/// With how many arguments a variable is made.
fn initial(doc: &Document<'_>, name: TokenIndex, class: &[u8]) -> Option<usize> {
    let behind = doc.next(name)?;
    if !doc.is(behind, "=") {
        return counted(doc, behind, class);
    }
    let value = doc.next(behind)?;
    if doc.is(value, "{") {
        return counted(doc, value, class);
    }
    let is_alone = doc.is_ident(value) && doc.next_is(value, ";");
    (is_alone && !is_object(doc, value..value + 1, class)).then_some(1)
}

fn counted(doc: &Document<'_>, open: TokenIndex, class: &[u8]) -> Option<usize> {
    if !matches!(doc.bytes(open), b"(" | b"{") {
        return Some(0);
    }
    let close = doc.matching_bracket(open)?;
    let arguments = split_arguments(doc, open + 1..close);
    let is_copy = arguments.len() == 1 && is_object(doc, open + 1..close, class);
    (!is_copy).then_some(arguments.len())
}

/// Whether a value is another object of the class, of which a copy is made, or may be: `*this`, a variable of it, what a function gives.
fn is_object(doc: &Document<'_>, value: Range<TokenIndex>, class: &[u8]) -> bool {
    let is_of_class = |found: Declared<'_>| found.words.contains(&class);
    match value.len() {
        1 => declared(doc, value.start).is_some_and(is_of_class),
        _ => value
            .into_iter()
            .any(|at| doc.is(at, "this") || doc.bytes(at) == class),
    }
}

/// Whether something is assigned to a variable as a whole, up to a token.
fn is_assigned(doc: &Document<'_>, name: TokenIndex, end: TokenIndex) -> bool {
    let mut uses = doc.occurrences(doc.bytes(name), name + 1..end);
    uses.any(|at| {
        let starts = doc
            .prev(at)
            .is_some_and(|before| matches!(doc.bytes(before), b";" | b"{" | b"}" | b")"));
        starts && doc.next_is(at, "=")
    })
}

/// A class that a file defines.
pub(crate) struct Class<'d> {
    /// The `{` and the `}` of its body.
    pub(crate) body: (TokenIndex, TokenIndex),
    /// The names of its bases, and of the types of its members.
    pub(crate) parts: Vec<&'d [u8]>,
}

/// The classes that a file defines, by their names; those that it defines more than once are one.
pub(crate) fn classes<'d>(doc: &'d Document<'_>) -> BTreeMap<&'d [u8], Vec<Class<'d>>> {
    let mut all = BTreeMap::<&[u8], Vec<Class<'_>>>::new();
    for key in doc.all_that(is_class_key) {
        let name = doc.next(key).filter(|&name| doc.is_ident(name));
        let open = name.and_then(|name| body_of(doc, name));
        let close = open.and_then(|open| doc.matching_bracket(open));
        let (Some(name), Some(open), Some(close)) = (name, open, close) else {
            continue;
        };
        if doc.is_before(key, "enum") {
            continue;
        }
        let mut parts: Vec<&[u8]> = (name + 1..open)
            .filter(|&at| doc.is_ident(at) && !is_keyword(doc.bytes(at)))
            .map(|at| doc.bytes(at))
            .collect();
        parts.extend(types_of_members(doc, open, close));
        let class = Class {
            body: (open, close),
            parts,
        };
        all.entry(doc.bytes(name)).or_default().push(class);
    }
    all
}

/// The types of the members of a class that are no pointers or references.
fn types_of_members<'d>(
    doc: &'d Document<'_>,
    open: TokenIndex,
    close: TokenIndex,
) -> Vec<&'d [u8]> {
    let mut found = Vec::new();
    let mut at = open + 1;
    while at < close {
        if matches!(doc.bytes(at), b"(" | b"[" | b"{") {
            at = doc.matching_bracket(at).unwrap_or(at);
        } else if doc.is_ident(at) && !is_keyword(doc.bytes(at)) {
            let next = at + 1;
            let next = match doc.is(next, "<") {
                true => doc.template_close(next).map_or(next, |end| end + 1),
                false => next,
            };
            let is_member = doc.is_ident(next)
                && doc
                    .next(next)
                    .is_some_and(|it| matches!(doc.bytes(it), b";" | b"," | b"[" | b"=" | b"{"));
            found.extend(is_member.then(|| doc.bytes(at)));
        }
        at += 1;
    }
    found
}

/// A function of a class, with the bodies of the class by their brackets.
pub(crate) struct Plain<'c, 'd> {
    pub(crate) doc: &'c Document<'d>,
    pub(crate) bodies: Vec<(TokenIndex, TokenIndex)>,
}

impl Plain<'_, '_> {
    /// Whether a function does nothing but give members of its object values, from its parameters and members.
    pub(crate) fn is(&self, head: &Head) -> bool {
        // `template <…>` and macros stand in front.
        const LONGEST: usize = 60;
        let near = head.start.saturating_sub(LONGEST)..head.name + 1;
        let mut around = self.doc.scopes().within(near);
        let function = around.find(|it| it.head.contains(&head.name));
        let is_own = |body: Range<TokenIndex>| {
            let parameters = parameters_from(self.doc, head.name);
            parameters
                .is_some_and(|from| (from..body.end).all(|at| self.is_own(at, from..body.end)))
        };
        head.gives_values(self.doc) && function.is_some_and(|it| is_own(it.body.clone()))
    }

    /// Whether a token is no name, or one of a type, a member, a parameter or a variable of the function.
    fn is_own(&self, at: TokenIndex, function: Range<TokenIndex>) -> bool {
        let doc = self.doc;
        let word = doc.bytes(at);
        let is_word = !doc.is_ident(at) || is_keyword(word) || is_behind_parameters(word);
        let follows = doc
            .prev(at)
            .is_some_and(|before| matches!(doc.bytes(before), b"." | b"->"));
        let is_type = || {
            let behind = doc
                .next(at)
                .filter(|&it| doc.is(it, "&") || doc.is(it, "*"));
            let name = doc.next(behind.unwrap_or(at));
            let ends = |it| name.is_some_and(|name| doc.next_is(name, it));
            name.is_some_and(|name| doc.is_ident(name))
                && (behind.is_none() || [")", ",", "="].into_iter().any(ends))
        };
        let is_declared = |range: Range<TokenIndex>| {
            doc.occurrences(word, range)
                .any(|it| declaration(doc, it).is_some() && !is_static(doc, it))
        };
        is_word
            || follows
            || is_type()
            || is_declared(function.start..at + 1)
            || self.bodies.iter().any(|body| is_declared(body.0..body.1))
    }
}

/// The `(` of the parameters of a function, by its name.
fn parameters_from(doc: &Document<'_>, name: TokenIndex) -> Option<TokenIndex> {
    (name + 1..(name + 6).min(doc.tokens.len())).find(|&at| doc.is(at, "("))
}

/// Whether a member belongs to the class and not to its objects.
fn is_static(doc: &Document<'_>, name: TokenIndex) -> bool {
    let words = std::iter::successors(doc.prev(name), |&at| doc.prev(at));
    let mut words = words.take_while(|&at| doc.is_ident(at));
    words.any(|at| doc.is(at, "static"))
}
