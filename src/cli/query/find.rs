//! The entries of the tables that a word means.

use globset::{Glob, GlobMatcher};

use crate::mapping::{ApiEntry, ApiTable, Hit};

/// The entries that a word means: its own, those whose target it is, the pattern that covers it, or all that start so.
pub(super) fn find<'t>(table: &'t ApiTable, word: &str) -> Vec<Hit<'t>> {
    if let Some(glob) = glob(word) {
        let fits = |hit: &Hit<'_>| sides(hit.entry).any(|side| glob.is_match(side));
        return table.iter().filter(fits).collect();
    }
    let (whole, member) = word.split_once('.').unwrap_or((word, ""));
    let field = table
        .fields(member.as_bytes())
        .find(|hit| hit.entry.cuda == word);
    let own = field
        .or_else(|| table.header(word.as_bytes()))
        // What differs in a structure has an entry of its own; the rest goes with the structure.
        .or_else(|| table.get(whole.as_bytes()));
    let from =
        |hit: &Hit<'_>| hit.entry.cuda != word && sides(hit.entry).skip(1).any(|side| side == word);
    let mut hits: Vec<Hit<'t>> = own.into_iter().chain(table.iter().filter(from)).collect();
    if hits.is_empty() {
        hits.extend(table.get_or_pattern(whole.as_bytes()));
    }
    if hits.is_empty() {
        hits.extend(table.ending(whole.as_bytes()));
    }
    if hits.is_empty() {
        let named = |hit: &Hit<'_>| hit.entry.cuda == word;
        hits.extend(
            table
                .namespaces()
                .find(named)
                .or_else(|| qualified(table, word)),
        );
    }
    if hits.is_empty() {
        let starts = |hit: &Hit<'_>| sides(hit.entry).any(|side| side.starts_with(word));
        hits.extend(table.iter().filter(starts));
    }
    hits
}

/// What is known of `a::b::c` where that has no entry: that of the word itself, or that of the innermost namespace with one.
fn qualified<'t>(table: &'t ApiTable, word: &str) -> Option<Hit<'t>> {
    let (mut outer, last) = word.rsplit_once("::")?;
    let root = word.split("::").next();
    let own = table
        .get(last.as_bytes())
        .filter(|hit| root == Some(hit.entry.library));
    let named = |name: &str| table.namespaces().find(|hit| hit.entry.cuda == name);
    let mut found = own.or_else(|| named(outer));
    while let (None, Some((next, _))) = (found, outer.rsplit_once("::")) {
        outer = next;
        found = named(outer);
    }
    found
}

/// The CUDA name, then the names of AMD's side.
pub(super) fn sides(entry: &ApiEntry) -> impl Iterator<Item = &str> {
    let forms = entry.forms.iter().filter_map(|form| form.hip);
    let older = entry.older.iter().map(|older| older.hip);
    std::iter::once(entry.cuda)
        .chain(entry.hip)
        .chain(entry.roc.iter().map(|roc| roc.name))
        .chain(forms)
        .chain(older)
}

fn glob(word: &str) -> Option<GlobMatcher> {
    word.contains(['*', '?', '['])
        .then(|| Glob::new(word).ok())
        .flatten()
        .map(|glob| glob.compile_matcher())
}
