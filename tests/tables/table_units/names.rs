//! What the tables write, as something that a compiler can look up.

use std::collections::{BTreeMap, BTreeSet};

use cass_transpile::mapping::{ApiEntry, ApiTable, Hit, Kind};

use super::headers::{EXCEPTIONS, GONE, release};

/// Namespaces among the targets of qualified names; the others are types and functions.
const NAMESPACES: &[&str] = &[
    "cooperative_groups",
    "hipcub",
    "thrust",
    "thrust::hip",
    "thrust::hip_rocprim",
    "thrust::system::hip",
    "thrust::system::hip_rocprim::errc",
];

/// One thing that AMD's headers must have.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Use {
    /// A name: type, function, enumerator, variable or macro.
    Name(String),
    /// A namespace.
    Namespace(&'static str),
    /// A member of a structure.
    Member(&'static str, &'static str),
}

impl Use {
    /// As people name it.
    pub(crate) fn label(&self) -> String {
        match self {
            Self::Name(name) => name.clone(),
            Self::Namespace(name) => (*name).to_owned(),
            Self::Member(structure, member) => format!("{structure}.{member}"),
        }
    }
}

/// Uses by library.
pub(crate) type Uses = BTreeMap<&'static str, BTreeSet<Use>>;

/// What the tables write under either choice for the release of each library's headers, and what they write for later ones only.
pub(crate) fn uses() -> (Uses, Uses) {
    let table: &'static ApiTable = Box::leak(Box::new(ApiTable::builtin()));
    let (mut now, mut later) = (Uses::new(), Uses::new());
    for Hit { entry, .. } in table.iter() {
        // A name of another project's header (FFTW) is not AMD's to declare.
        let foreign = entry.include == Some("fftw3.h");
        if foreign || matches!(entry.kind, Kind::Header | Kind::Pattern) {
            continue;
        }
        for (target, is_now) in written(entry) {
            if let Some(found) = use_of(table, entry, target) {
                let uses = if is_now { &mut now } else { &mut later };
                uses.entry(entry.library).or_default().insert(found);
            }
        }
    }
    (now, later)
}

/// The targets of an entry, and whether the headers' release has them.
fn written(entry: &'static ApiEntry) -> Vec<(&'static str, bool)> {
    let rocm = release(entry.library);
    let default = entry.hip.map(|hip| (hip, entry.rocm.contains(rocm)));
    let is_chosen = ["blas", "fft", "rand", "solver", "sparse"].contains(&entry.library);
    let roc = entry.roc.iter().filter(|_| is_chosen);
    let roc = roc.map(|roc| (roc.name, roc.rocm.contains(rocm)));
    let forms = entry.forms.iter().filter_map(|form| {
        let target = form.hip.filter(|name| *name != entry.cuda)?;
        Some((target, form.rocm.unwrap_or(entry.rocm).contains(rocm)))
    });
    let older = entry.older.iter().map(|older| older.hip);
    let older = older.filter(|name| !GONE.iter().any(|(known, _)| known == name));
    let all = default.into_iter().chain(roc).chain(forms);
    all.chain(older.map(|name| (name, true))).collect()
}

fn use_of(table: &'static ApiTable, entry: &ApiEntry, target: &'static str) -> Option<Use> {
    let known = !EXCEPTIONS.iter().any(|(known, _)| *known == target);
    match entry.kind {
        Kind::Field => {
            let structure = entry.cuda.split('.').next().unwrap_or_default();
            let structure = table.get(structure.as_bytes())?.entry.hip?;
            Some(Use::Member(structure, target))
        }
        _ if NAMESPACES.contains(&target) => Some(Use::Namespace(target)),
        _ if !is_name(target) || !known => None,
        Kind::Namespace => Some(Use::Name(target.to_owned())),
        _ if entry.library == "cooperative_groups" => {
            Some(Use::Name(format!("cooperative_groups::{target}")))
        }
        _ if entry.library == "thrust" && entry.context => {
            Some(Use::Name(format!("thrust::{target}")))
        }
        _ => Some(Use::Name(target.to_owned())),
    }
}

/// One qualified name: `unsigned int`, expressions and compiler builtins are not declared anywhere.
fn is_name(text: &str) -> bool {
    let identifier = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && part
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    const KEYWORDS: &[&str] = &[
        "char", "int", "bool", "float", "double", "void", "true", "false", "long", "short",
    ];
    text.split("::").all(identifier) && !text.starts_with("__builtin_") && !KEYWORDS.contains(&text)
}
