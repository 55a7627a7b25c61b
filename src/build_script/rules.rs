//! The documentation of the rules: the `//!` comment of each file.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::{files, read};

/// Writes the docs of each file of `src/rules/{group}/` by the rule's name, sorted.
pub(super) fn list(folder: &Path, out: &Path) {
    let mut docs: Vec<(String, String)> = files(folder, "rs")
        .iter()
        .filter(|path| path.parent() != Some(folder) && !path.ends_with("mod.rs"))
        .map(|path| (rule_name(path), documentation(&read(path))))
        .collect();
    docs.sort();
    let mut text = String::from("static DOCS: &[(&str, &str)] = &[\n");
    for (name, docs) in docs {
        writeln!(text, "    ({name:?}, {docs:?}),").expect("strings take text");
    }
    fs::write(out, text + "];\n").expect("OUT_DIR is writable");
}

/// A rule's name: that of its file with `-` for `_`.
fn rule_name(path: &Path) -> String {
    let stem = path.file_stem().and_then(|stem| stem.to_str());
    stem.expect("rule files have names").replace('_', "-")
}

fn documentation(source: &str) -> String {
    let lines = source.lines().map_while(|line| {
        line.strip_prefix("//!")
            .map(|text| text.strip_prefix(' ').unwrap_or(text))
    });
    lines.collect::<Vec<_>>().join("\n")
}
