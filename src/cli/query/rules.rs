//! The rules that act on a name.

use crate::mapping::ApiEntry;
use crate::rules::{all, rule_of};

/// The rule that handles a name for which no table has an entry.
pub(super) fn watcher(name: &str) -> Option<String> {
    let watching = all()
        .iter()
        .find(|(rule, _)| name.split("::").any(|part| rule.watches(part)))?;
    Some(format!("{} {}", watching.0.code, watching.0.name))
}

/// The rules that act on a name: those that own or watch it, or the one of the tables.
pub(super) fn rules(entry: &ApiEntry) -> Vec<String> {
    let mut found = Vec::new();
    let mut owned = false;
    for (rule, _) in all() {
        if rule.watches(entry.cuda) {
            owned |= rule.claims(entry.cuda);
            found.push(format!("{} {}", rule.code, rule.name));
        }
    }
    if !owned && let Some((rule, _)) = crate::rules::find(rule_of(entry).code) {
        found.insert(0, format!("{} {}", rule.code, rule.name));
    }
    found
}
