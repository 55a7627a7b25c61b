//! The shape of the sources: who may use whom, what a rule file looks like, and what must not stand in the program.

mod circles;
mod documents;
mod emulator;
mod homes;
mod modules;
mod rooms;
mod rule_files;
mod rule_names;
mod visibility;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Every source file of the program by its path below `src/`, without its tests; the build script is another program.
pub(crate) fn sources() -> BTreeMap<String, String> {
    sources_below("src")
}

/// The same of a folder of the repository.
pub(crate) fn sources_below(folder: &str) -> BTreeMap<String, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let (mut found, mut folders) = (BTreeMap::new(), vec![root.clone()]);
    let mut for_tests = Vec::new();
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
                folders.extend((name != "build_script").then_some(path));
            } else if name.ends_with(".rs") && !name.ends_with("/tests.rs") {
                let text = fs::read_to_string(&path).expect("sources are UTF-8");
                let folder = name.rsplit_once('/').map_or("", |(folder, _)| folder);
                let modules = test_modules(&text).into_iter();
                for_tests.extend(modules.map(|module| format!("{folder}/{module}.rs")));
                found.insert(name, without_tests(&text));
            }
        }
    }
    found.retain(|name, _| !for_tests.contains(name));
    assert!(found.len() > 50, "there are sources");
    found
}

/// The modules of a source that are there for its tests and have files of their own.
fn test_modules(text: &str) -> Vec<&str> {
    let lines: Vec<&str> = text.lines().collect();
    let modules = lines
        .windows(2)
        .filter(|two| two[0].trim() == "#[cfg(test)]");
    let named = modules.filter_map(|two| two[1].strip_suffix(';')?.split_once("mod "));
    named.map(|(_, name)| name).collect()
}

/// A source without what is there for its tests alone.
fn without_tests(text: &str) -> String {
    let (mut kept, mut lines) = (String::new(), text.lines());
    while let Some(line) = lines.next() {
        if line.trim() != "#[cfg(test)]" {
            kept.push_str(line);
            kept.push('\n');
            continue;
        }
        let indent = line.len() - line.trim_start().len();
        let ends = |line: &str| {
            let is_outside = line.len() - line.trim_start().len() <= indent;
            is_outside && line.trim_end().ends_with([';', '}'])
        };
        lines.by_ref().find(|line| ends(line));
    }
    kept
}

#[test]
fn modules_of_tests_are_named() {
    let text =
        "mod a;\n#[cfg(test)]\npub(crate) mod probe;\n#[cfg(test)]\nmod tests {\n}\nmod b;\n";
    assert_eq!(test_modules(text), ["probe"]);
}

#[test]
fn what_stands_behind_tests_is_read() {
    let text = "#[cfg(test)]\nmod work;\npub use a::b;\n#[cfg(test)]\nmod tests {\n    use x;\n}\nfn f() {}\n";
    assert_eq!(without_tests(text), "pub use a::b;\nfn f() {}\n");
}

/// Code without comments, line by line.
pub(crate) fn code_lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines()
        .map(|line| line.split("//").next().unwrap_or_default())
}
