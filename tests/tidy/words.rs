//! Messages are in the field's terms: what clang, HIP or CUDA's guide would say, so that people find them by searching. Words that only
//! this project used are kept out.

use std::fs;
use std::path::Path;

/// What a message must not say, and what to say in its place.
const PRIVATE: &[(&str, &str)] = &[
    ("see that ", "check that"),
    ("see whether ", "check whether"),
    ("look whether ", "check whether"),
    (" wants ", "requires, takes"),
    ("lets no ", "rejects"),
    ("counted with", "arithmetic on"),
    ("count on a", "rely on"),
    ("keeps its name", "exists in HIP"),
    ("none are wanted", "is switched off"),
    ("in a text ", "in a string literal"),
    ("nothing to do on", "has no effect on"),
    ("does without", "does not need"),
    ("gives its ", "returns its"),
    ("of one's own", "your own"),
    ("nobody", "nothing, no caller"),
    ("somebody", "the passive voice"),
    ("speaks of", "is about"),
    ("says nothing to", "has no effect on"),
    ("a number, HIP's", "an integer"),
];

/// Where the text of comments is read by users as well: pages of rules, helps of options.
const PAGES: &[&str] = &["src/rules/", "src/cli/args/", "src/options.rs"];

/// The sources and the tables, by path.
fn texts() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut found, mut folders) = (Vec::new(), vec![root.join("src"), root.join("mappings")]);
    while let Some(folder) = folders.pop() {
        for item in fs::read_dir(folder).expect("sources are readable") {
            let path = item.expect("readable").path();
            let relative = path.strip_prefix(root).expect("it lies below");
            let name = relative.to_string_lossy().replace('\\', "/");
            if path.is_dir() {
                folders.push(path);
            } else if name.ends_with(".rs") || name.ends_with(".toml") {
                let text = fs::read_to_string(&path).expect("sources are UTF-8");
                found.push((name, text));
            }
        }
    }
    assert!(found.len() > 600, "there are sources");
    found.sort();
    found
}

/// What users read of a file: its string literals outside comments and tests, as far as lines tell, and the comments of pages.
fn read<'t>(path: &'t str, text: &'t str) -> impl Iterator<Item = &'t str> {
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    let is_page = PAGES.iter().any(|start| path.starts_with(start));
    let comment = if path.ends_with(".toml") { "#" } else { "//" };
    code.lines().flat_map(move |line| {
        let (line, doc) = (line.trim_start(), ["//!", "///"]);
        let shown = is_page && doc.iter().any(|start| line.starts_with(start));
        let strings = line
            .split('"')
            .skip(1)
            .step_by(2)
            .filter(move |_| !line.starts_with(comment));
        strings.chain(Some(line).filter(move |_| shown))
    })
}

#[test]
fn messages_use_the_terms_of_the_field() {
    let mut wrong = Vec::new();
    for (path, text) in texts() {
        for string in read(&path, &text) {
            let private = PRIVATE.iter().filter(|(word, _)| string.contains(word));
            wrong.extend(
                private.map(|(word, better)| {
                    format!("{path}: `{word}` in {string:?}; say `{better}`")
                }),
            );
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_private_word_is_found() {
    let text = "//! It wants more.\nfn f() { g(\"see that it holds\"); }\n// \"see that\"\n";
    let found = |path| read(path, text).collect::<Vec<&str>>();
    assert_eq!(
        found("src/rules/api/a.rs"),
        ["//! It wants more.", "see that it holds"]
    );
    assert_eq!(found("src/edit/a.rs"), ["see that it holds"]);
}

/// Names of functions that only this project understood, or that said nothing of what comes out.
const PRIVATE_NAMES: &[&str] = &[
    "bars",
    "coins",
    "concerns",
    "drift",
    "fate",
    "ggl",
    "gone",
    "grown",
    "hands_on",
    "look",
    "obstacle",
    "partner",
    "passes_over",
    "past",
    "prologue",
    "settle",
    "runs of lines",
    "told",
    "wide",
];

/// The heads of the functions of a source, each up to its body.
fn heads(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.split("fn ").skip(1).filter_map(|rest| {
        let head = rest.split(['{', ';']).next()?;
        let name = head.split(['(', '<']).next()?;
        let is_name = !name.is_empty()
            && name
                .bytes()
                .all(|byte| byte == b'_' || byte.is_ascii_alphanumeric());
        (is_name && head.contains('(')).then_some((name, head))
    })
}

#[test]
fn functions_say_what_they_return() {
    let mut wrong = Vec::new();
    for (path, text) in crate::sources() {
        for (name, head) in heads(&text) {
            let result = head.rsplit("->").next().unwrap_or_default();
            let asks = ["is_", "has_", "are_"]
                .iter()
                .any(|start| name.starts_with(start));
            if asks && !result.contains("bool") {
                wrong.push(format!("src/{path}: `{name}` answers no question"));
            }
            if PRIVATE_NAMES.contains(&name) {
                wrong.push(format!("src/{path}: `{name}` is a private word"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Words that stood in names of types, variants and files, and what the field says.
const PRIVATE_TERMS: &[(&str, &str)] = &[
    ("Stretch", "ChangedLines"),
    ("Partner", "Brackets, matching_bracket"),
    ("Wake", "Dispatch"),
    ("wake", "dispatch"),
    ("woken", "called for"),
    ("enum At", "Site"),
    ("At::", "Site"),
    ("Trigger::Owned", "Claimed"),
    ("Verdict::Turns", "Flip"),
    ("World::Today", "AsWritten"),
    ("Slot", "LazyEntry"),
    ("prologue", "include insertion"),
    ("soup", "random input"),
];

#[test]
fn names_are_terms_of_the_field() {
    let is_letter = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_lowercase);
    let has = |text: &str, term: &str| {
        text.match_indices(term).any(|(at, _)| {
            let before = text.as_bytes()[..at].last();
            let joined = before.is_some_and(u8::is_ascii_alphanumeric);
            !joined && !is_letter(text.as_bytes().get(at + term.len()))
        })
    };
    assert!(has("struct Slot {", "Slot") && !has("Slotted", "Slot") && !has("asleep", "sleep"));
    let mut wrong = Vec::new();
    for (path, text) in crate::sources() {
        let code: Vec<&str> = text
            .lines()
            .filter(|line| !line.trim_start().starts_with("//!"))
            .collect();
        let code = code.join("\n");
        let found = PRIVATE_TERMS.iter().filter(|(term, _)| has(&code, term));
        wrong.extend(found.map(|(term, better)| format!("src/{path}: `{term}`, say {better}")));
        let stem = path.rsplit('/').next().unwrap_or_default();
        if ["stretch.rs", "reached.rs", "own.rs", "places.rs", "slot.rs"].contains(&stem) {
            wrong.push(format!("src/{path}: a private word"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn heads_of_functions_are_read() {
    let text = "// a fn of words\nfn is_a(x: &[u8]) -> bool {\n    true\n}\nfn b<T>(\n    x: T,\n) -> Option<T>\nwhere\n    T: Copy,\n{\n}\ntype F = fn(u8);\n";
    let found: Vec<&str> = heads(text).map(|(name, _)| name).collect();
    assert_eq!(found, ["is_a", "b"]);
}
