//! The shape of the sources: who may use whom, what a rule file looks like, and what must not stand in the program.

mod words;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use cass_transpile::rules;

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
    ("options", &["edit", "mapping"]),
    ("cpp", CPP),
    ("project", PROJECT),
    ("analysis", ANALYSIS),
    ("rules", RULES),
    ("engine", ENGINE),
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
    ("survey", &["mapping", "rules", "syntax", "text"]),
    (
        "pipeline",
        &["engine", "mapping", "project", "syntax", "text"],
    ),
    (
        "report",
        &[
            "diagnostic",
            "edit",
            "engine",
            "mapping",
            "options",
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
        &["diagnostic", "edit", "engine", "mapping", "syntax", "text"],
    ),
    ("cli", CLI),
];

const CPP: &[&str] = &["diagnostic", "edit", "mapping", "syntax", "text"];
const PROJECT: &[&str] = &["compat", "cpp", "mapping", "syntax", "text"];
const ANALYSIS: &[&str] = &[
    "compat",
    "cpp",
    "diagnostic",
    "edit",
    "mapping",
    "options",
    "project",
    "ptx",
    "syntax",
    "text",
];
const RULES: &[&str] = &[
    "analysis",
    "compat",
    "cpp",
    "diagnostic",
    "edit",
    "mapping",
    "options",
    "project",
    "ptx",
    "syntax",
    "text",
];
const ENGINE: &[&str] = &[
    "analysis",
    "compat",
    "cpp",
    "diagnostic",
    "edit",
    "mapping",
    "options",
    "project",
    "rules",
    "syntax",
    "text",
];
const CLI: &[&str] = &[
    "compat",
    "config",
    "cpp",
    "diagnostic",
    "edit",
    "emit",
    "engine",
    "lsp",
    "mapping",
    "options",
    "pairs",
    "pipeline",
    "port",
    "project",
    "report",
    "rules",
    "shim",
    "survey",
    "syntax",
    "text",
    "verify",
];

/// What only some places may do, and where: folders or files below `src/`.
const RESERVED: &[(&str, &[&str])] = &[
    ("rayon::", &["pipeline/", "cli/input.rs"]),
    // A command that runs is looked at from time to time.
    ("std::thread", &["pipeline/", "cli/", "verify/execute.rs"]),
    // Facts about chips are rows of mappings/chips.toml; one chip may be a default.
    (
        "\"gfx",
        &[
            "mapping/chip.rs",
            "mapping/chip_table.rs",
            "cli/args/pairs.rs",
            "verify/",
        ],
    ),
    // Literals of C++ have one reader; PTX, hashes, escapes and addresses have others.
    (
        "from_str_radix",
        &["text/number.rs", "ptx/", "lsp/", "pairs/", "port/"],
    ),
    ("println!(", &[]),
    ("process::exit", &["cli/"]),
    ("std::env::", &["cli/", "main.rs"]),
    ("fs::write(", &["emit/"]),
    ("File::create(", &["emit/"]),
    ("use clap::{Args", &["cli/"]),
    ("clap::Parser", &["cli/"]),
    (
        "anyhow",
        &[
            "cli/",
            "config/",
            "emit/",
            "pipeline/walk.rs",
            "pipeline/changed.rs",
            "pipeline/git.rs",
            "port/memory.rs",
            "mapping/overlay.rs",
            "lsp/",
            "pairs/compile.rs",
            "verify/",
        ],
    ),
];

/// Every source file of the program by its path below `src/`, without its tests; the build script is another program.
fn sources() -> BTreeMap<String, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (mut found, mut folders) = (BTreeMap::new(), vec![root.clone()]);
    while let Some(folder) = folders.pop() {
        let items = fs::read_dir(folder).expect("sources are readable");
        let paths: Vec<PathBuf> = items.map(|item| item.expect("readable").path()).collect();
        for path in paths {
            let name = path
                .strip_prefix(&root)
                .expect("it lies below")
                .to_string_lossy()
                .replace('\\', "/");
            if path.is_dir() {
                folders.extend((name != "build").then_some(path));
            } else if name.ends_with(".rs") && !name.ends_with("/tests.rs") {
                let text = fs::read_to_string(&path).expect("sources are UTF-8");
                let code = text
                    .split("#[cfg(test)]")
                    .next()
                    .unwrap_or_default()
                    .to_owned();
                found.insert(name, code);
            }
        }
    }
    assert!(found.len() > 50, "there are sources");
    found
}

/// Code without comments, line by line.
fn code_lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines()
        .map(|line| line.split("//").next().unwrap_or_default())
}

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

#[test]
fn some_things_are_done_in_one_place() {
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        for (what, places) in RESERVED {
            let is_there = code_lines(&text).any(|line| line.contains(what));
            if is_there && !places.iter().any(|place| path.starts_with(place)) {
                wrong.push(format!(
                    "src/{path} has `{what}`, which belongs to {places:?}"
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn nothing_is_unwrapped_or_left_undone() {
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        for what in [".unwrap()", "todo!(", "unimplemented!(", "dbg!("] {
            if code_lines(&text).any(|line| line.contains(what)) {
                wrong.push(format!("src/{path} has `{what}`"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn rules_have_codes_names_and_folders_that_agree() {
    let (mut codes, mut names) = (BTreeSet::new(), BTreeSet::new());
    for (rule, _) in rules::all() {
        assert!(codes.insert(rule.code), "{} is taken twice", rule.code);
        assert!(names.insert(rule.name), "{} is taken twice", rule.name);
        let digits = rule.code.strip_prefix("CASS").unwrap_or_default();
        assert!(
            digits.len() == 3 && digits.bytes().all(|byte| byte.is_ascii_digit()),
            "{}",
            rule.code
        );
        let file = format!(
            "{}/{}.rs",
            rule.group.name().replace('-', "_"),
            rule.name.replace('-', "_")
        );
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("src/rules")
            .join(&file);
        let text = fs::read_to_string(&path).unwrap_or_else(|_| {
            panic!("{} {}: there is no src/rules/{file}", rule.code, rule.name)
        });
        assert!(
            text.contains(&format!("\"{}\"", rule.code)),
            "{file} is not {}",
            rule.code
        );
    }
}

#[test]
fn rules_are_documented_in_the_same_way() {
    const SECTIONS: [&str; 4] = [
        "## Why on AMD",
        "## Example",
        "## When to ignore",
        "## Source",
    ];
    let mut wrong = Vec::new();
    for (rule, docs) in rules::all() {
        let headings: Vec<&str> = docs
            .lines()
            .filter(|line| line.starts_with("## "))
            .collect();
        if headings != SECTIONS {
            wrong.push(format!("{}: sections are {headings:?}", rule.name));
        }
        let first = docs.lines().next().unwrap_or_default();
        if !(first.ends_with('.')
            && first
                .chars()
                .next()
                .is_some_and(|c| c.is_uppercase() || c == '`'))
        {
            wrong.push(format!(
                "{}: the first line is no sentence: {first}",
                rule.name
            ));
        }
        if !["```cuda", "```make", "```cmake"]
            .iter()
            .any(|fence| docs.contains(fence))
        {
            wrong.push(format!("{}: shows no input", rule.name));
        }
        let empty = docs
            .split("## ")
            .skip(1)
            .any(|section| section.lines().skip(1).all(|line| line.trim().is_empty()));
        if empty {
            wrong.push(format!("{}: has an empty section", rule.name));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The list of a folder's rules as it stands in its `mod.rs`, below the first lines.
fn rule_list(folder: &Path) -> String {
    let items = fs::read_dir(folder).expect("the folder is readable");
    let mut names: Vec<String> = items
        .filter_map(|item| {
            let name = item.expect("readable").file_name().into_string().ok()?;
            Some(name.strip_suffix(".rs")?.to_owned())
        })
        .filter(|name| name != "mod")
        .collect();
    names.sort();
    let modules: String = names
        .iter()
        .map(|name| format!("pub mod {name};\n"))
        .collect();
    let rules: String = names
        .iter()
        .map(|name| format!("    (\"{}\", &{name}::RULE),\n", name.replace('_', "-")))
        .collect();
    format!(
        "{modules}\n/// The rules of this folder, by file name.\n#[rustfmt::skip]\npub(super) static RULES: &[(&str, &super::Rule)] = &[\n{rules}];\n"
    )
}

#[test]
fn every_folder_of_rules_lists_its_files() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/rules");
    let items = fs::read_dir(root).expect("the rules are readable");
    let folders = items.map(|item| item.expect("readable").path());
    for folder in folders.filter(|path| path.is_dir()) {
        let path = folder.join("mod.rs");
        let text = fs::read_to_string(&path).expect("a folder of rules has a mod.rs");
        let docs: String = text
            .lines()
            .take_while(|line| line.starts_with("//!"))
            .map(|line| format!("{line}\n"))
            .collect();
        let wanted = format!("{docs}\n{}", rule_list(&folder));
        if std::env::var_os("UPDATE").is_some() {
            fs::write(&path, &wanted).expect("the list is writable");
        } else {
            assert_eq!(
                text,
                wanted,
                "{}: `cargo xtask rules` writes the list",
                path.display()
            );
        }
    }
}
