//! Build script: validates `mappings/*.toml`, packs them into `OUT_DIR`, and lists the rules and helpers found in their folders.

// Shared with the library; the script uses a part of each.
#[allow(dead_code, missing_docs, unreachable_pub)]
#[path = "entry.rs"]
mod entry;
#[allow(dead_code, missing_docs, unreachable_pub)]
#[path = "schema.rs"]
mod schema;
#[allow(dead_code, missing_docs, unreachable_pub)]
#[path = "validate.rs"]
mod validate;
#[allow(dead_code, missing_docs, unreachable_pub)]
#[path = "version.rs"]
mod version;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, process};

fn main() {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    for folder in ["mappings", "src/rules", "src/compat", "src/mapping"] {
        println!("cargo::rerun-if-changed={folder}");
    }
    pack_tables(&root.join("mappings"), &out.join("tables.postcard"));
    list_rules(&root.join("src/rules"), &out.join("rules.rs"));
    list_helpers(&root.join("src/compat"), &out.join("helpers.rs"));
}

/// Files of a folder and its sub-folders with an extension, sorted.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for item in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = item.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|found| found == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| fail(&[format!("{}: {error}", path.display())]))
}

fn fail(problems: &[String]) -> ! {
    for problem in problems {
        println!("cargo::error={problem}");
    }
    process::exit(1)
}

fn pack_tables(folder: &Path, out: &Path) {
    // ptx.toml has a schema of its own (src/ptx/table.rs): its keys are instructions, not names of an API.
    let texts: Vec<(PathBuf, String)> = files(folder, "toml")
        .into_iter()
        .filter(|path| !path.ends_with("ptx.toml"))
        .map(|path| (path.clone(), read(&path)))
        .collect();
    let (mut tables, mut problems) = (Vec::new(), Vec::new());
    for (path, text) in &texts {
        match toml::from_str::<schema::RawTable>(text) {
            Ok(table) => tables.push((path, text, table)),
            Err(error) => problems.push(format!("{}: {error}", path.display())),
        }
    }
    let (mut entries, mut owners) = (Vec::new(), BTreeMap::new());
    for (path, text, table) in &tables {
        match validate::validate(table) {
            Ok(valid) => entries.extend(valid),
            Err(found) => problems.extend(found.iter().map(|problem| located(path, text, problem))),
        }
    }
    for entry in &entries {
        if let Some(other) = owners.insert(entry.cuda, entry.library) {
            problems.push(format!(
                "`{}` stands in the tables {other} and {}",
                entry.cuda, entry.library
            ));
        }
    }
    if !problems.is_empty() {
        fail(&problems);
    }
    let bytes = postcard::to_stdvec(&entries).expect("entries are plain data");
    fs::write(out, bytes).expect("OUT_DIR is writable");
}

fn located(path: &Path, text: &str, problem: &validate::Problem) -> String {
    let line = text[..problem.span.start.min(text.len())]
        .matches('\n')
        .count()
        + 1;
    format!("{}:{line}: {}", path.display(), problem.message)
}

/// Writes a module per file of `src/rules/{group}/` and the list of their `RULE`s, with the docs of each file's `//!` comment.
fn list_rules(folder: &Path, out: &Path) {
    let rules: Vec<PathBuf> = files(folder, "rs")
        .into_iter()
        .filter(|path| path.parent() != Some(folder))
        // A folder with a `mod.rs` is a module of the engine; the others are groups of rules.
        .filter(|path| !path.with_file_name("mod.rs").exists())
        .collect();
    let (mut modules, mut list) = (String::new(), String::new());
    for path in &rules {
        let name = path
            .file_stem()
            .and_then(|stem| stem.to_str())
            .expect("rule files have names");
        let docs: Vec<String> = read(path)
            .lines()
            .map_while(|line| {
                line.strip_prefix("//!")
                    .map(|text| text.strip_prefix(' ').unwrap_or(text).to_owned())
            })
            .collect();
        writeln!(modules, "#[path = {path:?}]\npub mod {name};").expect("strings take text");
        writeln!(list, "    (&{name}::RULE, {:?}),", docs.join("\n")).expect("strings take text");
    }
    let text = format!(
        "{modules}\n/// Every rule with its documentation, by file name.\nstatic REGISTRY: &[(&Rule, &str)] = &[\n{list}];\n"
    );
    fs::write(out, text).expect("OUT_DIR is writable");
}

/// Writes the list of helper snippets of `src/compat/`.
fn list_helpers(folder: &Path, out: &Path) {
    let mut list = String::from("&[\n");
    for path in files(folder, "hpp") {
        writeln!(list, "    include_str!({path:?}),").expect("strings take text");
    }
    list.push(']');
    fs::write(out, list).expect("OUT_DIR is writable");
}
