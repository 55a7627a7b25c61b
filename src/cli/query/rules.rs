//! The rules that act on a name.

use crate::mapping::{ApiEntry, Kind, Support};
use crate::rules::{Rule, Trigger, all};

/// The rule that handles a name for which no table has an entry.
pub(super) fn watcher(name: &str) -> Option<String> {
    let watching = all()
        .iter()
        .find(|(rule, _)| name.split("::").any(|part| watches(rule, part)))?;
    Some(format!("{} {}", watching.0.code, watching.0.name))
}

/// The rules that act on a name: those that own or watch it, or the one of the tables.
pub(super) fn rules(entry: &ApiEntry) -> Vec<String> {
    let owns = |trigger: &Trigger| matches!(trigger, Trigger::Claimed(names) if names.contains(&entry.cuda));
    let mut found = Vec::new();
    let mut owned = false;
    for (rule, _) in all() {
        if watches(rule, entry.cuda) {
            owned |= rule.triggers.iter().any(owns);
            found.push(format!("{} {}", rule.code, rule.name));
        }
    }
    let name = match (entry.kind, entry.support) {
        (Kind::Header, _) => "rewrite-include",
        (Kind::Field, _) => "rename-field",
        (Kind::Namespace, _) => "rename-namespace",
        (_, Support::Full) => "rename-api",
        (_, Support::Review) => "review-api",
        (_, Support::Unsupported) => "unsupported-api",
    };
    if !owned && let Some((rule, _)) = crate::rules::find(name) {
        found.insert(0, format!("{} {}", rule.code, rule.name));
    }
    found
}

fn watches(rule: &Rule, name: &str) -> bool {
    rule.triggers.iter().any(|trigger| match trigger {
        Trigger::Claimed(names) | Trigger::Idents(names) => names.contains(&name),
        _ => false,
    })
}
