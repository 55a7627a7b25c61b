//! What knows C++, the tree or a unit is tested by tables of its own, beside the code: a fixture of a rule says that something broke, a
//! table says what.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::sources;

const ROOMS: &[&str] = &["cpp/", "project/", "analysis/"];
/// Files that have nothing to ask, and why.
const NOTHING_TO_ASK: &[(&str, &str)] = &[(
    "project/owner.rs",
    "an enumeration; `project/support/` says which owner a file has",
)];

#[test]
fn each_file_has_its_tables() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let knows = |path: &&String| {
        let is_of_room = ROOMS.iter().any(|room| path.starts_with(room));
        is_of_room && !path.ends_with("/mod.rs")
    };
    let is_tested = |path: &&String| {
        let text = fs::read_to_string(root.join(path)).expect("sources are readable");
        text.contains("#[cfg(test)]\nmod tests {") && text.contains("#[test]")
    };
    let all = sources();
    let lacking: BTreeSet<&str> = all
        .keys()
        .filter(knows)
        .filter(|path| !is_tested(path))
        .map(String::as_str)
        .collect();
    let known = NOTHING_TO_ASK.iter().map(|(path, _)| *path);
    assert_eq!(lacking, known.collect());
}
