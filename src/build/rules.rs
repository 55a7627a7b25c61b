//! The rules: one file each.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use crate::{files, read};

/// Writes a module per file of `src/rules/{group}/` and the list of their `RULE`s, with the docs of each file's `//!` comment.
pub(super) fn list(folder: &Path, out: &Path) {
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
