//! What a contributor adds, added to a copy of the tree: which files it touches, and that the skeletons hold as they are.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, ensure};
use walkdir::WalkDir;

use crate::scaffold;
use crate::skeletons::About;
use crate::steps::{root, run_in};

/// Something that is added, and the files that are touched by it: its own, and the lists of its folder and of the catalogue.
struct Case {
    what: &'static str,
    add: fn(&Path) -> Result<()>,
    touches: &'static [&'static str],
}

/// The tests that show that what was added is whole; snapshots of the new fixtures are written.
const TESTS: &[&str] = &[
    "test",
    "--locked",
    "--quiet",
    "--no-fail-fast",
    "--test",
    "fixtures",
    "--test",
    "tidy",
    "--test",
    "tables",
];

const CASES: &[Case] = &[
    Case {
        what: "a rule about C++",
        add: |root| scaffold::rule(root, "launch", "rehearsed-call", None),
        touches: &[
            "fixtures/catalogue.toml",
            "fixtures/rules/rehearsed-call/invalid-basic.cu",
            "fixtures/rules/rehearsed-call/valid-basic.cu",
            "src/rules/launch/mod.rs",
            "src/rules/launch/rehearsed_call.rs",
        ],
    },
    Case {
        what: "a rule about CMake lists",
        add: |root| scaffold::rule(root, "build-files", "rehearsed-list", None),
        touches: &[
            "fixtures/catalogue.toml",
            "fixtures/rules/rehearsed-list/invalid-basic.cmake",
            "fixtures/rules/rehearsed-list/valid-basic.cmake",
            "src/rules/build_files/mod.rs",
            "src/rules/build_files/rehearsed_list.rs",
        ],
    },
    Case {
        what: "a rule about Makefiles",
        add: |root| scaffold::rule(root, "build-files", "rehearsed-make", Some(About::Make)),
        touches: &[
            "fixtures/catalogue.toml",
            "fixtures/rules/rehearsed-make/invalid-basic.mk",
            "fixtures/rules/rehearsed-make/valid-basic.mk",
            "src/rules/build_files/mod.rs",
            "src/rules/build_files/rehearsed_make.rs",
        ],
    },
    Case {
        what: "a rule about scripts",
        add: |root| scaffold::rule(root, "build-files", "rehearsed-script", Some(About::Shell)),
        touches: &[
            "fixtures/catalogue.toml",
            "fixtures/rules/rehearsed-script/invalid-basic.sh",
            "fixtures/rules/rehearsed-script/valid-basic.sh",
            "src/rules/build_files/mod.rs",
            "src/rules/build_files/rehearsed_script.rs",
        ],
    },
    Case {
        what: "a rule about Python",
        add: |root| scaffold::rule(root, "python", "rehearsed-program", None),
        touches: &[
            "fixtures/catalogue.toml",
            "fixtures/rules/rehearsed-program/invalid-basic.py",
            "fixtures/rules/rehearsed-program/valid-basic.py",
            "src/rules/python/mod.rs",
            "src/rules/python/rehearsed_program.rs",
        ],
    },
    Case {
        what: "a group of rules",
        add: |root| scaffold::group(root, "rehearsed-group", "What is rehearsed."),
        touches: &["src/rules/mod.rs", "src/rules/rehearsed_group/mod.rs"],
    },
    Case {
        what: "a rule in a new group",
        add: |root| scaffold::rule(root, "rehearsed-group", "rehearsed-first", None),
        touches: &[
            "fixtures/catalogue.toml",
            "fixtures/rules/rehearsed-first/invalid-basic.cu",
            "fixtures/rules/rehearsed-first/valid-basic.cu",
            "src/rules/rehearsed_group/mod.rs",
            "src/rules/rehearsed_group/rehearsed_first.rs",
        ],
    },
    Case {
        what: "a table of an API",
        add: |root| scaffold::table(root, "rehearsed", "Rehearsed"),
        touches: &["mappings/rehearsed.toml"],
    },
];

/// Adds one of each kind to a copy of the tree, prints what each touches, and runs the tests of the copy.
///
/// # Errors
/// When more is touched than belongs to it, or a test fails.
pub fn rehearse() -> Result<()> {
    let copy = tempfile::tempdir()?;
    for path in files_of_tree()? {
        let target = copy.path().join(&path);
        fs::create_dir_all(target.parent().context("a file lies in a folder")?)?;
        fs::copy(root().join(&path), target)?;
    }
    add_all(copy.path())?;
    // The copy's program would take the place of the tree's, which tests run.
    let target = root().join("target/rehearsal");
    let mut tests = Command::new("cargo");
    tests.args(TESTS).env("CARGO_TARGET_DIR", target);
    tests.env("INSTA_UPDATE", "always");
    tests.env("INSTA_GLOB_FILTER", "**/rehearsed-*/*");
    run_in(copy.path(), &mut tests)
}

/// Adds one of each kind below a root; an error names what touches other files than its own.
fn add_all(root: &Path) -> Result<()> {
    for case in CASES {
        let before = contents(root)?;
        (case.add)(root)?;
        let after = contents(root)?;
        let is_touched = |path: &&PathBuf| before.get(*path) != after.get(*path);
        let touched: Vec<&str> = after
            .keys()
            .filter(is_touched)
            .filter_map(|path| path.to_str())
            .collect();
        println!("{}: {} files", case.what, touched.len());
        ensure!(
            touched == case.touches,
            "{} touches {touched:?}, not {:?}",
            case.what,
            case.touches
        );
    }
    Ok(())
}

/// What is below a root, by path.
fn contents(root: &Path) -> Result<BTreeMap<PathBuf, Vec<u8>>> {
    let mut found = BTreeMap::new();
    for item in WalkDir::new(root) {
        let item = item?;
        if item.file_type().is_file() {
            let path = item.path().strip_prefix(root)?.to_path_buf();
            found.insert(path, fs::read(item.path())?);
        }
    }
    Ok(found)
}

/// The files that git knows, and those that it does not ignore.
fn files_of_tree() -> Result<Vec<PathBuf>> {
    let output = Command::new("git")
        .args([
            "ls-files",
            "-z",
            "--cached",
            "--others",
            "--exclude-standard",
        ])
        .current_dir(root())
        .output()
        .context("git cannot be started")?;
    ensure!(output.status.success(), "git ls-files failed");
    let paths = String::from_utf8(output.stdout)?;
    let paths = paths.split_terminator('\0').map(PathBuf::from);
    Ok(paths.filter(|path| root().join(path).is_file()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_added_touches_its_own_files_and_lists() {
        let copy = tempfile::tempdir().expect("a folder");
        let is_needed = |path: &&PathBuf| {
            path.starts_with("src/rules")
                || path.starts_with("src/engine")
                || path.starts_with("fixtures/catalogue.toml")
        };
        let files = files_of_tree().expect("git lists them");
        for path in files.iter().filter(is_needed) {
            let target = copy.path().join(path);
            fs::create_dir_all(target.parent().expect("a folder")).expect("writable");
            fs::copy(root().join(path), target).expect("copied");
        }
        add_all(copy.path()).expect("each touches what it says");
        let taken = scaffold::rule(copy.path(), "launch", "rehearsed-call", None);
        assert!(taken.is_err(), "a rule is written over");
    }
}
