//! How long files and functions may be: what does not fit on a few screens holds more than one job.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::sources;

/// Lines of a file without its tests.
const FILE: usize = 400;
/// Files that are longer today. None is added.
const LONG_FILES: &[&str] = &[];
/// Lines of a test program's file, whose cases are lists.
const TEST_FILE: usize = 520;
/// Lines of a function.
const FUNCTION: usize = 50;

/// Name and length of each function, as rustfmt lays it out: it ends with a brace below its first letter.
fn functions(text: &str) -> Vec<(String, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let code = line.trim_start();
        let indent = line.len() - code.len();
        let Some(name) = code
            .split("fn ")
            .nth(1)
            .filter(|_| is_head(code))
            .map(|rest| rest.split(['(', '<']).next().unwrap_or_default())
        else {
            continue;
        };
        let ends = |line: &&str| **line == format!("{}}}", " ".repeat(indent));
        let is_short = line.ends_with(';') || line.ends_with('}');
        let len = match is_short {
            true => 1,
            false => lines[at..].iter().take_while(|line| !ends(line)).count() + 1,
        };
        found.push((name.to_owned(), len));
    }
    found
}

/// Whether a function begins here: words in front of `fn` are of its kind alone.
fn is_head(code: &str) -> bool {
    let before = code.split("fn ").next().unwrap_or_default();
    let is_kind = |word: &str| {
        matches!(word, "const" | "async" | "unsafe" | "pub" | "extern" | "in")
            || word.starts_with("pub(")
            || word.ends_with(')')
            || word.starts_with('"')
    };
    code.contains("fn ") && before.split_whitespace().all(is_kind)
}

/// The files of the test programs, by path from the root.
fn tests() -> BTreeMap<String, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut found, mut folders) = (
        BTreeMap::new(),
        vec![root.join("tests"), root.join("xtask/src")],
    );
    while let Some(folder) = folders.pop() {
        let items = fs::read_dir(folder).expect("folders are readable");
        for path in items.map(|item| item.expect("readable").path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let relative: PathBuf = path.strip_prefix(root).expect("it lies below").into();
                let text = fs::read_to_string(&path).expect("sources are UTF-8");
                found.insert(relative.to_string_lossy().replace('\\', "/"), text);
            }
        }
    }
    found
}

#[test]
fn files_hold_one_job() {
    let long = |all: BTreeMap<String, String>, most: usize| {
        let lines = all
            .into_iter()
            .map(|(file, text)| (file, text.lines().count()));
        lines
            .filter(move |(_, lines)| *lines > most)
            .collect::<Vec<_>>()
    };
    let mut all = [long(sources(), FILE), long(tests(), TEST_FILE)].concat();
    let mut known = LONG_FILES.to_vec();
    all.retain(|(file, _)| !known.contains(&file.as_str()));
    assert!(all.is_empty(), "split by job: {all:?}");
    known.retain(|file| sources()[*file].lines().count() <= FILE);
    assert!(
        known.is_empty(),
        "split, and no exception any more: {known:?}"
    );
}

#[test]
fn functions_are_read_at_a_glance() {
    let mut long = Vec::new();
    for (file, text) in sources() {
        let functions = functions(&text).into_iter();
        let of_file = functions.filter(|(_, lines)| *lines > FUNCTION);
        long.extend(of_file.map(|(name, lines)| format!("src/{file}: {name}, {lines} lines")));
    }
    assert!(long.is_empty(), "split by job: {long:#?}");
}

#[test]
fn lengths_are_counted_as_rustfmt_lays_them_out() {
    let text = "fn short() {}\nimpl A {\n    pub(crate) const fn long<T>(\n        x: T,\n    ) -> T {\n        x\n    }\n}\n// about fn words() {\ntype F = fn (u8);\n";
    assert_eq!(
        functions(text),
        [("short".to_owned(), 1), ("long".to_owned(), 5)]
    );
}
