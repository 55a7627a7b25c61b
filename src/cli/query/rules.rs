//! The rules that act on a name.

use std::collections::BTreeSet;

use crate::mapping::ApiEntry;
use crate::rules::{all, rule_of};

/// The rule that handles a name for which no table has an entry.
pub(super) fn watcher(name: &str) -> Option<String> {
    let watching = all()
        .iter()
        .find(|(rule, _)| name.split("::").any(|part| rule.watches(part)))?;
    Some(format!("{} {}", watching.0.code, watching.0.name))
}

/// The rules that act on a name: those that did in its example, else the one of the tables, unless a rule owns the name; and those that
/// watch it.
pub(super) fn rules(entry: &ApiEntry, of_example: &[&str]) -> Vec<String> {
    let known = of_example
        .iter()
        .filter_map(|code| crate::rules::find(code));
    let mut found: Vec<String> = known
        .map(|(rule, _)| format!("{} {}", rule.code, rule.name))
        .collect();
    let mut owned = !found.is_empty();
    for (rule, _) in all() {
        if rule.watches(entry.cuda) {
            owned |= rule.claims(entry.cuda);
            found.push(format!("{} {}", rule.code, rule.name));
        }
    }
    if !owned && let Some((rule, _)) = crate::rules::find(rule_of(entry).code) {
        found.insert(0, format!("{} {}", rule.code, rule.name));
    }
    let mut seen = BTreeSet::new();
    found.retain(|rule| seen.insert(rule.clone()));
    found
}
