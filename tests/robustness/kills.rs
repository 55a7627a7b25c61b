//! `kill -9` at any time, in every mode that writes: nothing is lost, nothing is half, and the next run ends as an undisturbed one.
//!
//! `CASS_KILLS=300 cargo test --test robustness kills` kills that often; without it the count is small. When a kill comes is random by a
//! fixed seed, in steps of the time that an undisturbed run takes.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::common::{GONE, SAFE, Tree};
use crate::{files, start};

type Files = BTreeMap<PathBuf, Vec<u8>>;

/// A way to write, and what it changes.
struct Mode {
    arguments: &'static [&'static str],
    /// The folder that is written to.
    folder: &'static str,
}

const MODES: &[Mode] = &[
    Mode {
        arguments: &["src", "out", "--quiet"],
        folder: "out",
    },
    Mode {
        arguments: &["src", "--in-place", "--quiet"],
        folder: "src",
    },
    Mode {
        arguments: &["src", "--in-place", "--quiet", "--backup"],
        folder: "src",
    },
    Mode {
        arguments: &["check", "src", "--add-suppressions", "known"],
        folder: "src",
    },
    Mode {
        arguments: &[
            "check",
            "src",
            "--update-baseline",
            "--baseline",
            "src/known.json",
        ],
        folder: "src",
    },
];

const SHUFFLE: &str = "__global__ void k(int *p) { p[0] = __shfl_sync(0xffffffff, p[1], 0); }\n";
const MATCH: &str = "__global__ void m(int *p) { p[0] = __match_any_sync(0xffffffff, p[1]); }\n";
const MAKEFILE: &str = "all:\n\tnvcc -arch=sm_70 a.cu -lcudart\n";

fn sources() -> Tree {
    let tree = Tree::new(&[("src/Makefile", MAKEFILE), ("src/data.bin", "\0\0")]);
    for number in 0..40 {
        let special = [GONE, SHUFFLE, MATCH, SAFE][number % 4];
        let text = format!("{}{special}", SAFE.repeat(20));
        tree.write(&format!("src/{}/f{number}.cu", number % 5), text.as_bytes());
    }
    tree
}

/// The files of a folder, without what a killed run may leave and the next takes away.
fn settled(tree: &Tree, folder: &str) -> Files {
    let mut found = files(&tree.path(folder));
    found.retain(|path, _| {
        !path.to_string_lossy().contains("/.cass-")
            && !path.starts_with(".cass")
            && !path.to_string_lossy().starts_with(".cass-")
    });
    found
}

#[test]
#[expect(
    clippy::print_stdout,
    reason = "how many kills there were is the figure of a full run"
)]
fn a_killed_run_loses_nothing_and_the_next_one_ends_it() {
    let kills: usize = std::env::var("CASS_KILLS")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(20);
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    let mut in_the_middle = 0;
    for (number, mode) in MODES.iter().enumerate() {
        let whole = sources();
        let before = settled(&whole, "src");
        let clock = Instant::now();
        assert!(whole.run(mode.arguments).code < 2);
        let takes = clock.elapsed();
        let expected = settled(&whole, mode.folder);
        for kill in (0..kills).filter(|kill| kill % MODES.len() == number) {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            let after = takes.mul_f64((random % 1000) as f64 / 900.0);
            in_the_middle += usize::from(one(mode, after, &before, &expected, kill));
        }
    }
    println!("{kills} kills, {in_the_middle} of them in the middle of writing");
}

/// Kills one run and finishes it. Whether the kill came while it wrote.
fn one(mode: &Mode, after: Duration, before: &Files, expected: &Files, kill: usize) -> bool {
    let tree = sources();
    let mut child = start(&tree, mode.arguments);
    sleep(after);
    child.kill().expect("it may have ended");
    child.wait().expect("it ends");
    let what = format!("kill {kill} after {after:?} of {:?}", mode.arguments);
    let found = if tree.path(mode.folder).exists() {
        settled(&tree, mode.folder)
    } else {
        Files::new()
    };
    for (path, bytes) in &found {
        let is_old = mode.folder == "src" && before.get(path) == Some(bytes);
        // Header and report grow during a run; they are whole all the same.
        let grows = path.ends_with("cass_hip_compat.hpp") || path.ends_with("cass-report.json");
        let is_backup = path
            .to_string_lossy()
            .strip_suffix(".cuda-orig")
            .is_some_and(|original| before.get(&PathBuf::from(original)) == Some(bytes));
        assert!(
            is_old || grows || is_backup || expected.get(path) == Some(bytes),
            "{what}: {} is neither the old nor the new file",
            path.display()
        );
    }
    if mode.folder == "src" {
        let lost = before.keys().find(|path| !found.contains_key(*path));
        assert_eq!(lost, None, "{what}: lost");
    } else {
        assert_eq!(
            &settled(&tree, "src"),
            before,
            "{what}: the sources changed"
        );
    }
    let done = tree.run(mode.arguments);
    assert!(done.code < 2, "{what}: the next run says {}", done.err);
    let finished = files(&tree.path(mode.folder));
    let scrap = finished.keys().find(|path| {
        path.file_name()
            .is_some_and(|name| name.to_string_lossy().starts_with(".cass-"))
    });
    assert_eq!(scrap, None, "{what}: a temporary file stays");
    let finished = settled(&tree, mode.folder);
    for path in expected.keys().chain(finished.keys()) {
        let (is, wanted) = (finished.get(path), expected.get(path));
        // The report tells what its run wrote, which is less the second time.
        let is_report = path.ends_with("cass-report.json");
        assert!(
            is == wanted || is_report && is.is_some() == wanted.is_some(),
            "{what}: {} differs from an undisturbed run",
            path.display()
        );
    }
    !found.is_empty() && &found != before && &found != expected
}

#[test]
fn a_run_killed_in_front_of_its_first_record_does_not_stop_the_next() {
    let tree = sources();
    tree.write("out/.cass/.cass-4711", b"half a rec");
    let done = tree.run(&["src", "out"]);
    assert!(done.code < 2, "{}", done.err);
    assert!(
        tree.path("out/.cass/manifest.json").exists(),
        "{}",
        done.err
    );
}
