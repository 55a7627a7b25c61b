//! The helper snippets of `src/compat/`, with the keys of their first lines read.

use std::fs;
use std::path::Path;

use crate::{files, read};

/// Writes the list of snippets as the items of an array of `Helper`, by name.
pub(super) fn list(folder: &Path, out: &Path) {
    let mut items: Vec<(String, String)> = files(folder, "hpp")
        .iter()
        .map(|path| item(path, &read(path)))
        .collect();
    items.sort();
    let list: String = items.into_iter().map(|(_, item)| item).collect();
    fs::write(out, format!("&[\n{list}]\n")).expect("OUT_DIR is writable");
}

fn item(path: &Path, text: &str) -> (String, String) {
    let key = |name: &str| {
        text.lines()
            .find_map(|line| {
                line.strip_prefix("// ")?
                    .strip_prefix(name)?
                    .strip_prefix(':')
            })
            .map_or("", str::trim)
    };
    let list = |name: &str| {
        key(name)
            .split(',')
            .map(str::trim)
            .filter(|item| !item.is_empty())
            .collect::<Vec<_>>()
    };
    let name = key("name");
    let item = format!(
        "    Helper {{ name: {name:?}, provides: &{:?}, requires: &{:?}, includes: &{:?}, replaces: &{:?}, strict: &{:?}, summary: {:?}, limit: {:?}, text: include_str!({path:?}) }},\n",
        list("provides"),
        list("requires"),
        list("includes"),
        list("replaces"),
        list("strict"),
        key("summary"),
        key("limit"),
    );
    (name.to_owned(), item)
}
