//! Cooperative groups as the tokens of one file show them: which names mean the namespace, which variables are groups.

use crate::cpp::declarations::Declared;
use crate::cpp::{declarations, template_parameters};
use crate::syntax::{Document, TokenIndex};

/// What a variable is a group of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `thread_block_tile`
    Tile,
    /// `coalesced_group`
    Coalesced,
    /// `thread_block`
    Block,
    /// `grid_group`
    Grid,
    /// `thread_group` or another one.
    Other,
}

/// First token of `cg::name`, when the identifier at `name` is qualified by the namespace or an alias of it.
pub(crate) fn qualified(doc: &Document<'_>, name: TokenIndex) -> Option<TokenIndex> {
    let space = doc
        .prev(name)
        .filter(|&colons| doc.is(colons, "::"))
        .and_then(|colons| doc.prev(colons))?;
    (doc.is_ident(space) && is_namespace(doc, doc.bytes(space))).then_some(space)
}

fn is_namespace(doc: &Document<'_>, name: &[u8]) -> bool {
    // Headers of a project define the alias for its sources; everybody calls it `cg`.
    matches!(name, b"cooperative_groups" | b"cg")
        || aliases(doc).iter().any(|&at| doc.bytes(at - 2) == name)
}

/// The places of the namespace and its aliases; `cg` is one where the file includes a header of cooperative groups, or makes a group by it.
pub(crate) fn spaces(doc: &Document<'_>) -> Vec<TokenIndex> {
    let mut names: Vec<&[u8]> = aliases(doc).iter().map(|&at| doc.bytes(at - 2)).collect();
    names.push(b"cooperative_groups");
    let is_short = includes_header(doc) || makes_group_by_cg(doc);
    names.extend(is_short.then_some(&b"cg"[..]));
    names.sort_unstable();
    names.dedup();
    let places = names.into_iter();
    places
        .flat_map(|name| doc.occurrences(name, 0..doc.tokens.len()))
        .collect()
}

/// Whether the file makes a group by `cg::`: a header of the project has the alias and the include.
fn makes_group_by_cg(doc: &Document<'_>) -> bool {
    doc.all("cg").any(|at| {
        let made = doc.next(at + 1).filter(|_| doc.is(at + 1, "::"));
        made.is_some_and(|made| factory_kind(doc.bytes(made)).is_some())
    })
}

/// The last words of all `namespace name = cooperative_groups`.
fn aliases(doc: &Document<'_>) -> std::rc::Rc<[TokenIndex]> {
    let is_aliased =
        |at: TokenIndex| doc.is_before(at, "=") && at >= 3 && doc.is(at - 3, "namespace");
    doc.noted("aliases", b"cooperative_groups", is_aliased)
}

/// Whether the file says `using namespace cooperative_groups;`.
pub(crate) fn uses_namespace(doc: &Document<'_>) -> bool {
    doc.all("namespace").any(|at| {
        doc.is_before(at, "using") && doc.is_ident(at + 1) && is_namespace(doc, doc.bytes(at + 1))
    })
}

/// Whether the file includes a header of cooperative groups, or names their namespace and so will.
pub(crate) fn is_included(doc: &Document<'_>) -> bool {
    doc.all("cooperative_groups").next().is_some()
        || doc.all("cg").any(|at| doc.is(at + 1, "::"))
        || includes_header(doc)
}

fn includes_header(doc: &Document<'_>) -> bool {
    doc.includes.iter().any(|include| {
        let path = doc.source.slice(include.path);
        memchr::memmem::find(path, b"cooperative_groups").is_some()
    })
}

/// Whether the file puts members of groups into 32-bit masks or computes with `warpSize`.
pub(crate) fn counts_lanes(doc: &Document<'_>) -> bool {
    let mut votes = ["ballot", "match_any", "match_all"].into_iter();
    let is_size = |at: TokenIndex| !doc.prev_is(at, ".") && !doc.prev_is(at, "->");
    votes.any(|vote| doc.all(vote).any(|at| doc.prev_is(at, ".")))
        || doc.all("warpSize").any(is_size)
}

/// The kind of group that the variable at `at` holds, when its declaration is in sight.
pub fn kind(doc: &Document<'_>, at: TokenIndex) -> Option<Kind> {
    if !doc.is_ident(at) {
        return None;
    }
    let found = declared(doc, at)?;
    let named = found.words.iter().find_map(|word| type_kind(word));
    named.or_else(|| {
        found
            .is_any(&["auto"])
            .then(|| made(doc, found.name))
            .flatten()
    })
}

/// The declaration of a variable above its use, or of a member below it.
fn declared<'s>(doc: &Document<'s>, at: TokenIndex) -> Option<Declared<'s>> {
    declarations::declared(doc, at).or_else(|| declarations::declared_below(doc, at))
}

/// `auto tile = cg::tiled_partition<32>(block);`: the kind that the factory behind `=` makes.
fn made(doc: &Document<'_>, name: TokenIndex) -> Option<Kind> {
    let mut at = doc.next(name).filter(|&equals| doc.is(equals, "="))?;
    // `::cg::` and the like; anything else is another expression.
    loop {
        at = doc
            .next(at)
            .filter(|&word| doc.is_ident(word) || doc.is(word, "::"))?;
        if let Some(kind) = factory_kind(doc.bytes(at)) {
            return Some(kind);
        }
        if doc.is_ident(at) && !doc.next_is(at, "::") {
            return None;
        }
    }
}

fn type_kind(word: &[u8]) -> Option<Kind> {
    Some(match word {
        b"thread_block_tile" => Kind::Tile,
        b"coalesced_group" => Kind::Coalesced,
        b"thread_block" => Kind::Block,
        b"grid_group" => Kind::Grid,
        b"thread_group" | b"multi_grid_group" => Kind::Other,
        _ => return None,
    })
}

/// What the functions that make groups make.
pub(super) fn factory_kind(word: &[u8]) -> Option<Kind> {
    Some(match word {
        b"tiled_partition" => Kind::Tile,
        b"coalesced_threads"
        | b"labeled_partition"
        | b"binary_partition"
        | b"cass_cg_coalesced_threads"
        | b"cass_cg_labeled_partition"
        | b"cass_cg_binary_partition" => Kind::Coalesced,
        b"this_thread_block" => Kind::Block,
        b"this_grid" => Kind::Grid,
        _ => return None,
    })
}

/// The object in front of the dot: its first and last token.
pub struct Object {
    pub(crate) start: TokenIndex,
    pub(crate) last: TokenIndex,
    /// What it is a group of, if that is in sight.
    pub kind: Option<Kind>,
}

/// A variable, or the call of a factory: `tile.`, `this->tile.`, `cg::this_grid().`.
pub fn object(doc: &Document<'_>, member: TokenIndex) -> Option<Object> {
    let last = doc.prev(doc.prev(member)?)?;
    if doc.is_ident(last) {
        let this = (doc.prev_is(last, "->"))
            .then(|| doc.prev(doc.prev(last)?))
            .flatten()
            .filter(|&this| doc.is(this, "this"));
        let start = this.unwrap_or(last);
        let kind = (!is_nested(doc, start)).then(|| kind(doc, last)).flatten();
        return Some(Object { start, last, kind });
    }
    let name = doc
        .is(last, ")")
        .then(|| doc.matching_bracket(last))
        .flatten()?;
    let name = doc.prev(name)?;
    let kind = factory_kind(doc.bytes(name))?;
    let start = qualified(doc, name).unwrap_or(name);
    Some(Object {
        start,
        last,
        kind: Some(kind),
    })
}

/// Whether a name is a member of another object or of a class.
fn is_nested(doc: &Document<'_>, name: TokenIndex) -> bool {
    doc.prev(name)
        .is_some_and(|prev| matches!(doc.bytes(prev), b"." | b"->" | b"::"))
}

/// `template <typename Group> f(Group g)`: the type of the object is a parameter of a template.
pub(crate) fn is_of_template_parameter(doc: &Document<'_>, object: &Object) -> bool {
    !is_nested(doc, object.start)
        && declared(doc, object.last).is_some_and(|found| {
            found.pointers == 0 && template_parameters::is_template_parameter(doc, &found)
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpp::probe::at_last_x;

    #[test]
    fn a_group_is_what_its_declaration_or_factory_says() {
        for (text, expected) in [
            ("void f(cg::thread_block x) { x; }", Some(Kind::Block)),
            (
                "void f(cg::thread_block_tile<32> x) { x; }",
                Some(Kind::Tile),
            ),
            (
                "void f() { auto x = cg::tiled_partition<32>(b); x; }",
                Some(Kind::Tile),
            ),
            (
                "void f() { auto x = ::cg::this_grid(); x; }",
                Some(Kind::Grid),
            ),
            (
                "void f() { auto x = cg::coalesced_threads(); x; }",
                Some(Kind::Coalesced),
            ),
            ("void f() { auto x = g(b); x; }", None),
            ("void f(int x) { x; }", None),
        ] {
            assert_eq!(at_last_x(text, kind), expected, "{text}");
        }
    }

    #[test]
    fn the_namespace_goes_by_its_aliases() {
        for (text, expected) in [
            ("cooperative_groups::x", true),
            ("cg::x", true),
            ("namespace groups = cooperative_groups; groups::x", true),
            ("groups::x", false),
            ("x", false),
        ] {
            let found = at_last_x(text, |doc, at| qualified(doc, at).is_some());
            assert_eq!(found, expected, "{text}");
        }
    }
}
