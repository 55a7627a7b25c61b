//! Code that already knows both vendors: how much of it there is, and what it asks the build for.

use std::collections::BTreeSet;

use crate::engine::Session;
use crate::syntax::{DirectiveKind, Document, TokenIndex, Vendor, is_hip_macro};

/// How many names of the tables stand in code that is guarded for one vendor.
pub(crate) fn guarded_names(
    document: &Document<'_>,
    session: &Session,
    names: &[TokenIndex],
) -> usize {
    let is_guarded =
        |name: &TokenIndex| document.vendor_at(document.tokens[*name].start) != Vendor::Any;
    let changes = |name: &&TokenIndex| {
        let hit = session.table.get(document.bytes(**name));
        hit.is_some_and(|hit| !hit.entry.is_unchanged())
    };
    let guarded = names.iter().filter(|name| is_guarded(name));
    guarded.filter(changes).count()
}

/// The macros of a build for AMD by which the file chooses its code. Those with an underscore in front are the compiler's, and versions
/// are those of HIP's headers.
pub(crate) fn switches(document: &Document<'_>) -> BTreeSet<String> {
    let is_switch = |name: &[u8]| {
        is_hip_macro(name) && !name.starts_with(b"_") && !name.starts_with(b"HIP_VERSION")
    };
    let name = |at: TokenIndex| {
        document
            .source
            .text(document.tokens[at].range())
            .into_owned()
    };
    let of_kind = |define: bool| {
        let directives = document.directives.iter();
        directives.filter(move |it| (it.kind == DirectiveKind::Define) == define)
    };
    let defined: BTreeSet<String> = of_kind(true)
        .filter_map(|directive| directive.operands().next())
        .map(name)
        .collect();
    of_kind(false)
        .filter(|directive| directive.kind.is_condition())
        .flat_map(|directive| directive.operands())
        .filter(|&at| is_switch(document.bytes(at)))
        .map(name)
        .filter(|name| !defined.contains(name))
        .collect()
}
