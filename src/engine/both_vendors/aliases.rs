//! Names that AMD has under another one: a definition at the head of the file gives them their meaning.

use std::collections::{BTreeMap, BTreeSet};

use super::guards::SWITCH;
use crate::diagnostic::Finding;
use crate::rules::{Fact, find};
use crate::syntax::Document;
use crate::text::TextRange;

/// The names of a file that AMD has under another one, and the edits of the file without their renames.
pub(super) struct Aliases {
    pub(super) names: BTreeMap<String, String>,
    pub(super) namespaces: BTreeMap<String, String>,
    pub(super) ranges: BTreeSet<TextRange>,
}

impl Aliases {
    /// Collects plain renames of names and namespaces that PyTorch does not know.
    pub(super) fn new<'f>(
        document: &Document<'_>,
        findings: impl Iterator<Item = &'f Finding>,
    ) -> Self {
        let mut aliases = Self {
            names: BTreeMap::new(),
            namespaces: BTreeMap::new(),
            ranges: BTreeSet::new(),
        };
        for finding in findings {
            let Some([edit]) = finding.fix.as_ref().map(|fix| &fix.edits[..]) else {
                continue;
            };
            let is_name = |text: &str| {
                !text.is_empty()
                    && text
                        .bytes()
                        .all(|byte| byte.is_ascii_alphanumeric() || b"_:".contains(&byte))
            };
            // What unsets or sets a macro has to name AMD's own.
            let place = document.token_at(edit.range.start);
            let directive = document.directive_of(place);
            if directive.is_some_and(|it| document.directives[it].changed_macro() == Some(place)) {
                continue;
            }
            let name = document.source.text(finding.range);
            // A word that goes takes the blanks behind it along, `CUDART_CB`: for AMD it stands for nothing.
            let is_gone = edit.content.is_empty() && edit.range.start == finding.range.start;
            let is_renamed = edit.range == finding.range && is_name(&edit.content);
            if !is_name(&name) || !is_gone && !is_renamed {
                continue;
            }
            let puts = |fact| find(finding.code).is_some_and(|(rule, _)| rule.has(fact));
            let kind = match name.contains(':') {
                _ if puts(Fact::PutsNames) => &mut aliases.names,
                false if puts(Fact::PutsNamespaces) && !is_gone => &mut aliases.namespaces,
                _ => continue,
            };
            kind.insert(name.into_owned(), edit.content.to_string());
            aliases.ranges.insert(edit.range);
        }
        aliases
    }

    pub(super) fn is_empty(&self) -> bool {
        self.names.is_empty() && self.namespaces.is_empty()
    }

    /// The lines that give the names their meaning for AMD, but those that the file has already; they stand at byte `point`.
    pub(super) fn text(&self, document: &Document<'_>, point: u32) -> String {
        let newline = document.newline();
        let names = self
            .names
            .iter()
            .map(|(name, target)| defined(name, target, newline));
        let spaces = self
            .namespaces
            .iter()
            .map(|(name, target)| (name, target, format!("namespace {name} = {target};")))
            .map(|(name, target, line)| {
                match document.source.mentions(&line) || is_brought(document, name, point) {
                    true => line,
                    // A header under a condition may come behind, or not at all.
                    false => format!("{}{newline}{line}", opened(target)),
                }
            });
        let lines: String = names
            .chain(spaces)
            .filter(|line| !document.source.mentions(line))
            .map(|line| line + newline)
            .collect();
        match lines.is_empty() {
            true => lines,
            false => format!("#ifdef {SWITCH}{newline}{lines}#endif{newline}"),
        }
    }
}

/// The definition of a name. What says that a header was read, `CURAND_H_`, or is asked for to know that, `CUSPARSEAPI`, is there where
/// AMD's header was read.
fn defined(name: &str, target: &str, newline: &str) -> String {
    let line = format!("#define {name} {target}").trim_end().to_owned();
    let is_of_header = target.trim_end_matches('_').ends_with("_H") || target.ends_with("_EXPORT");
    match is_of_header {
        true => format!("#ifdef {target}{newline}{line}{newline}#endif"),
        false => line,
    }
}

/// Whether a header of a namespace's folder is read in front of a place on every way to it.
fn is_brought(document: &Document<'_>, namespace: &str, point: u32) -> bool {
    let folder = format!("{namespace}/");
    document.includes.iter().any(|include| {
        let start = include.directive.start;
        start < point
            && document.source.text(include.path).starts_with(&folder)
            && document.branches.dominates(start, point)
    })
}

/// A namespace that is declared: `namespace a { namespace b {} }` for `a::b`.
fn opened(namespace: &str) -> String {
    let parts: Vec<&str> = namespace.split("::").filter(|it| !it.is_empty()).collect();
    let (inner, outer) = parts.split_last().unwrap_or((&"", &[]));
    let heads: String = outer
        .iter()
        .map(|it| format!("namespace {it} {{ "))
        .collect();
    format!("{heads}namespace {inner} {{}}{}", " }".repeat(outer.len()))
}
