//! The tables of `mappings/`, checked and packed.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::entry::Entry;
use crate::{chip_table, fail, files, libraries, read, schema, validate};

/// What `pack` writes.
pub(super) const PACKED: [&str; 6] = [
    "tables.index",
    "tables.entries",
    "tables.targets",
    "libraries.rs",
    "library_prefixes.rs",
    "stems.rs",
];

/// Writes `tables.index`, the kind and length of every entry, `tables.entries`, the entries one behind the other, `tables.targets`, the
/// names that they become, and what the tables say of their libraries. An entry begins with its name, so a start of the program reads
/// names and leaves the rest until somebody asks for it.
pub(super) fn pack(folder: &Path, out: &Path) {
    let texts: Vec<(PathBuf, String)> = files(folder, "toml")
        .into_iter()
        .map(|path| (path.clone(), read(&path)))
        .filter(|(_, text)| schema::RawTable::is_of_api(text))
        .collect();
    let mut problems = Vec::new();
    let chips = folder.join("chips.toml");
    if let Err(found) = chip_table::ChipTable::parse(&read(&chips)) {
        problems.extend(found.iter().map(|it| format!("{}: {it}", chips.display())));
    }
    let mut tables = Vec::new();
    for (path, text) in &texts {
        match toml::from_str::<schema::RawTable>(text) {
            Ok(table) => tables.push((path, text, table)),
            Err(error) => problems.push(format!("{}: {error}", path.display())),
        }
    }
    let mut entries = Vec::new();
    let mut libraries = Vec::new();
    for (path, text, table) in &tables {
        match libraries::library(table) {
            Ok(library) => libraries.push(library),
            Err(problem) => problems.push(format!("{}: {problem}", path.display())),
        }
        match validate::validate(table) {
            Ok(valid) => entries.extend(valid),
            Err(found) => problems.extend(found.iter().map(|problem| located(path, text, problem))),
        }
    }
    problems.extend(twice(&entries));
    if !problems.is_empty() {
        fail(&problems);
    }
    write(&entries, out);
    libraries::list(&libraries, out);
}

/// The names that stand in two tables.
fn twice(entries: &[Entry<'_>]) -> Vec<String> {
    let mut owners = BTreeMap::new();
    let other = entries.iter().filter_map(|entry| {
        let other = owners.insert(entry.cuda, entry.library)?;
        Some(format!(
            "`{}` stands in the tables {other} and {}",
            entry.cuda, entry.library
        ))
    });
    other.collect()
}

fn write(entries: &[Entry<'_>], out: &Path) {
    let (mut index, mut packed) = (Vec::new(), Vec::new());
    for entry in entries {
        let start = packed.len();
        packed = postcard::to_extend(entry, packed).expect("entries are plain data");
        index.push((entry.kind, packed.len() - start));
    }
    let index = postcard::to_stdvec(&index).expect("the index is plain data");
    let targets: BTreeSet<&str> = entries.iter().flat_map(Entry::results).collect();
    let targets = postcard::to_stdvec(&targets).expect("names are plain data");
    for (name, bytes) in [("index", index), ("entries", packed), ("targets", targets)] {
        fs::write(out.join(format!("tables.{name}")), bytes).expect("OUT_DIR is writable");
    }
}

fn located(path: &Path, text: &str, problem: &validate::Problem) -> String {
    let line = text[..problem.span.start.min(text.len())]
        .matches('\n')
        .count()
        + 1;
    format!("{}:{line}: {}", path.display(), problem.message)
}
