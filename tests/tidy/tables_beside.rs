//! What knows C++, the tree or a unit is tested by tables of its own, beside the code: a fixture of a rule says that something broke, a
//! table says what.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::sources;

const ROOMS: &[&str] = &["cpp/", "project/", "analysis/"];
/// Files without tests of their own that are to get them; a new file has them from the start.
const LACKING: &[&str] = &[
    "analysis/shuffle_mask.rs",
    "cpp/both_builds.rs",
    "cpp/conditions/expression.rs",
    "cpp/hip_sources.rs",
    "cpp/make.rs",
    "cpp/texture_uses.rs",
    "cpp/waits.rs",
    "project/brought.rs",
    "project/definers.rs",
    "project/file/definitions.rs",
    "project/file/includes.rs",
    "project/file/macros.rs",
    "project/owner.rs",
    "project/textures.rs",
    "project/visible.rs",
];

#[test]
fn each_file_has_its_tables() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let knows = |path: &&String| {
        let is_of_room = ROOMS.iter().any(|room| path.starts_with(room));
        is_of_room && !path.ends_with("/mod.rs")
    };
    let is_tested = |path: &&String| {
        let text = fs::read_to_string(root.join(path)).expect("sources are readable");
        text.contains("#[cfg(test)]")
    };
    let all = sources();
    let lacking: BTreeSet<&str> = all
        .keys()
        .filter(knows)
        .filter(|path| !is_tested(path))
        .map(String::as_str)
        .collect();
    assert_eq!(lacking, LACKING.iter().copied().collect());
}
