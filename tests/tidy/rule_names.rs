//! What is true of a rule stands in its file: nothing outside `src/rules` knows a rule by its name, its code or its path.

use std::collections::BTreeSet;

use cass_transpile::rules;

use crate::sources;

/// Words of other languages that are names of rules as well: options of nvcc.
const OTHER_WORDS: &[(&str, &str)] = &[
    ("nvcc/invocation.rs", "gpu-architecture"),
    ("nvcc/invocation.rs", "device-link"),
    ("analysis/extension_options.rs", "gpu-architecture"),
];

#[test]
fn no_rule_is_known_outside_of_the_rules() {
    let all = rules::all().iter().map(|(rule, _)| *rule);
    let mut words = BTreeSet::new();
    let mut paths = BTreeSet::new();
    for rule in all {
        words.extend([format!("\"{}\"", rule.name), format!("\"{}\"", rule.code)]);
        let [group, name] = [rule.group.name(), rule.name].map(|part| part.replace('-', "_"));
        paths.insert(format!("rules::{group}::{name}"));
    }
    let mut known = Vec::new();
    for (file, text) in sources() {
        if file.starts_with("rules/") {
            continue;
        }
        let code = text
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"));
        for line in code {
            let is_other = |word: &str| {
                OTHER_WORDS
                    .iter()
                    .any(|(path, other)| *path == file && word == format!("\"{other}\""))
            };
            let named = words
                .iter()
                .filter(|word| line.contains(word.as_str()) && !is_other(word));
            let imported = paths.iter().filter(|path| line.contains(path.as_str()));
            known.extend(
                named
                    .chain(imported)
                    .map(|word| format!("src/{file}: {word}")),
            );
        }
    }
    assert!(
        known.is_empty(),
        "a fact of the rule, or an event: {known:#?}"
    );
}
