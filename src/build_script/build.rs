//! Build script: validates `mappings/*.toml`, packs them into `OUT_DIR`, lists the rules, their groups and the helpers, and
//! builds the library that `verify` preloads.

mod helpers;
mod libraries;
mod rules;
mod tables;
mod watch;

// Shared with the library, and public here as there: the script uses a part of each.
#[path = "../mapping/chip_table.rs"]
pub mod chip_table;
/// What is known about a name.
#[path = "../mapping/entry.rs"]
pub mod entry;
#[path = "../mapping/schema.rs"]
pub mod schema;
#[path = "../mapping/validate.rs"]
pub mod validate;
/// Releases and spans of them.
#[path = "../mapping/version.rs"]
pub mod version;

use std::path::{Path, PathBuf};
use std::{env, fs, process};

fn main() {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    for folder in [
        "src/build_script",
        "mappings",
        "src/rules",
        "src/compat",
        "src/mapping",
        "src/verify/watch",
    ] {
        println!("cargo::rerun-if-changed={folder}");
    }
    let packed = tables::PACKED.map(|name| out.join(name));
    if !are_newer(&packed, &root.join("mappings")) {
        tables::pack(&root.join("mappings"), &out);
    }
    rules::list(&root.join("src/rules"), &out);
    let library = out.join("watch.so");
    if !are_newer(
        std::slice::from_ref(&library),
        &root.join("src/verify/watch"),
    ) {
        watch::build(&root.join("src/verify/watch/watch.c"), &library);
    }
    helpers::list(&root.join("src/compat"), &out.join("helpers.rs"));
}

/// Files of a folder and its sub-folders with an extension, sorted.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for item in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = item.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|found| found == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Whether all results are newer than this script, the folder (in which names come and go) and what lies in it: who changes a rule need
/// not wait for the tables.
fn are_newer(results: &[PathBuf], folder: &Path) -> bool {
    let changed = |path: &Path| fs::metadata(path).and_then(|found| found.modified()).ok();
    let (Ok(script), Ok(items)) = (env::current_exe(), fs::read_dir(folder)) else {
        return false;
    };
    let mut inputs = vec![script, folder.to_path_buf()];
    inputs.extend(items.flatten().map(|item| item.path()));
    let newest = inputs.iter().map(|path| changed(path)).max().flatten();
    let oldest = results.iter().map(|path| changed(path)).min().flatten();
    // A time that cannot be read is `None`, which is less than any.
    oldest.is_some() && oldest > newest
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| fail(&[format!("{}: {error}", path.display())]))
}

fn fail(problems: &[String]) -> ! {
    for problem in problems {
        println!("cargo::error={problem}");
    }
    process::exit(1)
}
