//! One home for each thing, and what stands nowhere.

use crate::{code_lines, sources};

/// What only some places may do, and where: folders or files below `src/`.
const RESERVED: &[(&str, &[&str])] = &[
    ("rayon::", &["pipeline/", "cli/input.rs"]),
    // A command that runs is looked at from time to time.
    ("std::thread", &["pipeline/", "cli/", "verify/execute.rs"]),
    // Facts about chips are rows of mappings/chips.toml; one chip may be a default.
    (
        "\"gfx",
        &[
            "mapping/chip.rs",
            "mapping/chip_table.rs",
            "cli/args/pairs.rs",
            "verify/",
        ],
    ),
    // Literals of C++ have one reader; PTX, hashes, escapes and addresses have others.
    (
        "from_str_radix",
        &["text/number.rs", "ptx/", "lsp/", "pairs/", "port/"],
    ),
    ("println!(", &[]),
    ("process::exit", &["cli/"]),
    ("std::env::", &["cli/", "main.rs"]),
    ("fs::write(", &["emit/"]),
    ("File::create(", &["emit/"]),
    ("use clap::{Args", &["cli/"]),
    ("clap::Parser", &["cli/"]),
    (
        "anyhow",
        &[
            "cli/",
            "config/",
            "emit/",
            "pipeline/walk.rs",
            "pipeline/changed.rs",
            "pipeline/git.rs",
            "port/memory.rs",
            "mapping/overlay.rs",
            "nvcc/cache.rs",
            "nvcc/toolkit.rs",
            "lsp/",
            "pairs/compile.rs",
            "verify/",
        ],
    ),
];

#[test]
fn some_things_are_done_in_one_place() {
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        for (what, places) in RESERVED {
            let is_there = code_lines(&text).any(|line| line.contains(what));
            if is_there && !places.iter().any(|place| path.starts_with(place)) {
                wrong.push(format!(
                    "src/{path} has `{what}`, which belongs to {places:?}"
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn nothing_is_unwrapped_or_left_undone() {
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        for what in [".unwrap()", "todo!(", "unimplemented!(", "dbg!("] {
            if code_lines(&text).any(|line| line.contains(what)) {
                wrong.push(format!("src/{path} has `{what}`"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
