//! Who may use whom.

use std::collections::{BTreeMap, BTreeSet};

use crate::{code_lines, sources};

/// Modules and what each may use of the others. A module may always use itself.
const LAYERS: &[(&str, &[&str])] = &[
    ("text", &[]),
    ("edit", &["text"]),
    ("mapping", &["text"]),
    // A finding names the ROCm release of its API, and versions belong to the tables.
    ("diagnostic", &["edit", "mapping", "text"]),
    ("compat", &[]),
    ("syntax", &["text"]),
    ("ptx", &["edit", "syntax", "text"]),
    ("python", &["syntax", "text"]),
    ("options", &["edit", "mapping"]),
    ("build", BUILD),
    ("cpp", CPP),
    ("project", PROJECT),
    ("analysis", ANALYSIS),
    ("rules", RULES),
    ("engine", ENGINE),
    // A drop-in nvcc translates units and writes what clang shall see of them; commands are run elsewhere.
    (
        "nvcc",
        &[
            "compat",
            "diagnostic",
            "edit",
            "emit",
            "engine",
            "mapping",
            "options",
            "pipeline",
            "shim",
            "syntax",
            "text",
        ],
    ),
    // A shim header is made of the tables and of what rules find; no file is written here.
    (
        "shim",
        &[
            "analysis",
            "compat",
            "cpp",
            "diagnostic",
            "mapping",
            "options",
            "syntax",
            "text",
        ],
    ),
    // A table that is read as it is.
    ("symptom", &[]),
    ("survey", &["mapping", "rules", "syntax", "text"]),
    (
        "pipeline",
        &["build", "engine", "mapping", "project", "syntax", "text"],
    ),
    (
        "report",
        &[
            "diagnostic",
            "edit",
            "engine",
            "mapping",
            "options",
            // Where a finding stands in a notebook.
            "python",
            "rules",
            "text",
        ],
    ),
    // The settings are options of the rules and names of files.
    (
        "config",
        &[
            "diagnostic",
            "edit",
            "engine",
            "mapping",
            "options",
            "pipeline",
            "text",
        ],
    ),
    // What other programs use: settings and a text in, plain data out.
    (
        "translator",
        &[
            "compat",
            "config",
            "diagnostic",
            "engine",
            "mapping",
            "pipeline",
            "report",
            "rules",
            "text",
        ],
    ),
    // How temporary files are called.
    ("emit", &["pipeline"]),
    // It runs commands and knows nothing of their sources.
    ("verify", &["emit"]),
    // A record holds what a translation says of itself; proof comes from compilers, run as commands.
    (
        "pairs",
        &[
            "diagnostic",
            "emit",
            "engine",
            "options",
            "report",
            "syntax",
            "text",
            "verify",
        ],
    ),
    // A port reads and marks an output; how the mark is called is known where sources are walked.
    ("port", &["emit", "pipeline"]),
    (
        "lsp",
        &[
            "diagnostic",
            "edit",
            "engine",
            "mapping",
            "rules",
            "syntax",
            "text",
        ],
    ),
    // Units are found as the drop-in nvcc reads commands and includes, and compiled as `verify` runs commands.
    (
        "trial",
        &[
            "emit", "mapping", "nvcc", "pipeline", "project", "symptom", "text", "verify",
        ],
    ),
    // Programs are found as text, translated by commands, built as `trial` runs compilers, run and compared as `verify` does.
    (
        "bench",
        &[
            "emit", "pairs", "pipeline", "symptom", "syntax", "text", "trial", "verify",
        ],
    ),
    ("cli", CLI),
];

const BUILD: &[&str] = &["edit", "mapping", "syntax", "text"];
const CPP: &[&str] = &["diagnostic", "edit", "mapping", "syntax", "text"];
// What a setup.py makes is asked of Python.
const PROJECT: &[&str] = &[
    "build", "compat", "cpp", "mapping", "ptx", "python", "syntax", "text",
];
const ANALYSIS: &[&str] = &[
    "build",
    "compat",
    "cpp",
    "diagnostic",
    "edit",
    "mapping",
    "options",
    "project",
    "ptx",
    "python",
    "syntax",
    "text",
];
const RULES: &[&str] = &[
    "analysis",
    "build",
    "compat",
    "cpp",
    "diagnostic",
    "edit",
    "mapping",
    "options",
    "project",
    "ptx",
    "python",
    "syntax",
    "text",
];
const ENGINE: &[&str] = &[
    "analysis",
    "build",
    "compat",
    "cpp",
    "diagnostic",
    "edit",
    "mapping",
    "options",
    "project",
    "rules",
    "ptx",
    "python",
    "syntax",
    "text",
];
const CLI: &[&str] = &[
    "bench",
    "build",
    "compat",
    "config",
    "cpp",
    "diagnostic",
    "edit",
    "emit",
    "engine",
    "lsp",
    "mapping",
    "nvcc",
    "options",
    "pairs",
    "pipeline",
    "port",
    "project",
    "python",
    "report",
    "rules",
    "shim",
    "survey",
    "symptom",
    "syntax",
    "text",
    "trial",
    "verify",
];

/// The modules that a file uses: `crate::x`, `crate::{x, y}`.
fn used(text: &str) -> BTreeSet<String> {
    let code: String = code_lines(text).collect::<Vec<_>>().join(" ");
    let mut found = BTreeSet::new();
    for rest in code.split("crate::").skip(1) {
        let names = match rest.strip_prefix('{') {
            Some(list) => list
                .split('}')
                .next()
                .unwrap_or_default()
                .split(',')
                .collect(),
            None => vec![rest],
        };
        for name in names {
            let word: String = name
                .trim()
                .chars()
                .take_while(|c| c.is_ascii_alphanumeric() || *c == '_')
                .collect();
            found.insert(word);
        }
    }
    found
}

#[test]
fn modules_use_only_what_lies_below_them() {
    let layers: BTreeMap<&str, &[&str]> = LAYERS.iter().copied().collect();
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        let module = path.split(['/', '.']).next().unwrap_or_default();
        if matches!(module, "lib" | "main") {
            continue;
        }
        let allowed = layers
            .get(module)
            .unwrap_or_else(|| panic!("src/{module} has no layer in tests/tidy/main.rs"));
        let modules = used(&text)
            .into_iter()
            .filter(|name| layers.contains_key(name.as_str()));
        wrong.extend(
            modules
                .filter(|name| name != module && !allowed.contains(&name.as_str()))
                .map(|name| format!("src/{path} uses crate::{name}")),
        );
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn no_rule_names_another_rule() {
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        let parts: Vec<&str> = path.split('/').collect();
        if let ["rules", _, file] = parts[..]
            && file != "mod.rs"
        {
            let named = code_lines(&text).filter(|line| {
                let behind = line.split("crate::rules::").skip(1);
                let mut paths = behind.chain(line.split("super::").skip(1));
                paths.any(|path| path.split("::").nth(1).is_some() && !path.starts_with("prelude"))
            });
            wrong.extend(named.map(|line| format!("src/{path}: {}", line.trim())));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
