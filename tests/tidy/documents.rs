//! What the documents for developers name is there.

use std::fs;
use std::path::Path;

const DOCUMENTS: [&str; 4] = ["ARCHITECTURE", "CONTRIBUTING", "MAPPINGS", "SECURITY"];
/// Files of users and of tools, which are called the same in every project.
const OF_OTHERS: &[&str] = &["cass.toml", "setup.py"];
/// Where a path begins that says no more than its end.
const BEGINNINGS: [&str; 5] = ["", "src", "src/cli", "src/report", "tests"];

fn text_of(document: &str) -> String {
    let path = format!(".github/{document}.md");
    fs::read_to_string(path).expect("the document is there")
}

/// The words in backticks that look like a file or a folder.
fn paths(text: &str) -> Vec<&str> {
    let words = text.split('`').skip(1).step_by(2);
    let is_path = |word: &&str| {
        let ends = [".rs", ".toml", ".md", ".sh", ".py"];
        let plain = word
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"/._-<>*".contains(&byte));
        plain && (word.contains('/') || ends.iter().any(|end| word.ends_with(end)))
    };
    words.filter(is_path).collect()
}

/// Whether a path exists. Of one with a name to be filled in, the folder.
fn exists(path: &str) -> bool {
    let end = path.find(['<', '*']).map_or(path.len(), |hole| {
        path[..hole].rfind('/').map_or(0, |slash| slash)
    });
    let known = &path[..end];
    BEGINNINGS.iter().any(|beginning| {
        let path = Path::new(beginning).join(known);
        path.exists() && !known.is_empty() || Path::new(&format!("{}.rs", path.display())).exists()
    })
}

#[test]
fn paths_in_the_documents_exist() {
    let mut missing = Vec::new();
    let mut count = 0;
    for document in DOCUMENTS {
        let text = text_of(document);
        let named = paths(&text);
        count += named.len();
        let named = named.into_iter().filter(|path| !OF_OTHERS.contains(path));
        missing.extend(
            named
                .filter(|path| !exists(path))
                .map(|path| format!("{document}: {path}")),
        );
    }
    assert!(missing.is_empty(), "{missing:#?}");
    assert!(count > 40, "only {count} paths are read");
    assert!(!exists("src/nowhere") && !exists("nowhere/<name>.rs"));
}

/// A newcomer finds each room in the table of rooms.
#[test]
fn every_room_has_its_row() {
    let text = text_of("ARCHITECTURE");
    let rows: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split(" |").next())
        .collect();
    let named: Vec<&str> = rows
        .iter()
        .flat_map(|row| row.split(['`', ',', ' ']))
        .collect();
    let entries = fs::read_dir("src").expect("there are sources");
    let rooms = entries.map(|entry| entry.expect("it is read").file_name());
    let rooms = rooms.map(|name| name.to_string_lossy().trim_end_matches(".rs").to_owned());
    let missing: Vec<String> = rooms
        .filter(|room| !matches!(&**room, "lib" | "main") && !named.contains(&&**room))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}
