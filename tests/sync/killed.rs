//! A run that ends in front of any of its changes to the disk, or that finds the disk full from one on: the next run comes to what an
//! undisturbed one makes. Nothing that the sources changed and nothing that a person did is lost.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::common::{Done, Tree};

/// A file of ten functions; `changed` says what becomes of the lines.
fn text(changed: impl Fn(usize, &str) -> Option<String>) -> String {
    let line = |number| {
        let line = format!("int f{number}(void *p) {{ return cudaFree(p) + {number}; }}\n");
        changed(number, &line)
    };
    (0..10).filter_map(line).collect()
}

/// The sources in the first place and after they moved, by name; `None` where there is no such file.
fn sources() -> Vec<(&'static str, Option<String>, Option<String>)> {
    let old = || Some(text(|_, line| Some(line.to_owned())));
    let new = "int added(void **p) { return cudaMalloc(p, 1); }\n";
    let at = |place: usize| {
        text(move |number, line| match number == place {
            true => Some(format!("{new}{line}")),
            false => Some(line.to_owned()),
        })
    };
    let others = |place: usize, becomes: Option<&'static str>| {
        Some(text(move |number, line| match number == place {
            true => becomes.map(str::to_owned),
            false => Some(line.to_owned()),
        }))
    };
    let shuffle = "__global__ void k(int *p) { p[0] = __shfl_sync(0xffffffff, p[1], 0); }\n";
    vec![
        ("add-first.cu", old(), Some(at(0))),
        ("add-middle.cu", old(), Some(at(4))),
        ("add-last.cu", old(), old().map(|text| text + new)),
        ("delete.cu", old(), others(4, None)),
        (
            "replace.cu",
            old(),
            others(4, Some("int other(void *p) { return cudaFree(p); }\n")),
        ),
        (
            "conflict.cu",
            old(),
            others(2, Some("int other(void *p) { return cudaFree(p); }\n")),
        ),
        ("same.cu", old(), others(2, Some("int by_hand;\n"))),
        ("untouched.cu", old(), Some(at(7))),
        ("still.cu", old(), old()),
        ("gone.cu", old(), None),
        ("new/new.cu", None, old()),
        ("moved.cu", old(), None),
        ("lib/moved.cu", None, others(8, Some(new))),
        ("renamed.cu", others(1, Some("int renamed;\n")), None),
        ("lib/called.cu", None, others(1, Some("int renamed;\n"))),
        (
            "plain.txt",
            Some("plain\n".to_owned()),
            Some("plain\nmore\n".to_owned()),
        ),
        ("helper.cu", None, Some(shuffle.to_owned())),
    ]
}

/// What a person does to a file of the output: another line in place of `f2`, which an include and an empty line are in front of.
fn by_hand(text: &str) -> String {
    let lines = text.split_inclusive('\n').enumerate();
    let lines = lines.map(|(at, line)| if at == 4 { "int by_hand;\n" } else { line });
    lines.collect()
}

const EDITED: &[&str] = &[
    "add-first.cu",
    "add-middle.cu",
    "add-last.cu",
    "delete.cu",
    "replace.cu",
    "conflict.cu",
    "same.cu",
    "still.cu",
    "moved.cu",
    "renamed.cu",
];

/// An output with work by hand, and sources that moved since.
fn prepared() -> Tree {
    let tree = Tree::new(&[]);
    let all = sources();
    for (name, old, _) in &all {
        if let Some(old) = old {
            tree.write(&format!("src/{name}"), old.as_bytes());
        }
    }
    assert_eq!(tree.run(&["src", "out", "--quiet"]).code, 0);
    for name in EDITED {
        let path = format!("out/{name}");
        tree.write(&path, by_hand(&tree.read(&path)).as_bytes());
    }
    for (name, _, new) in &all {
        match new {
            Some(new) => tree.write(&format!("src/{name}"), new.as_bytes()),
            None => fs::remove_file(tree.path(&format!("src/{name}"))).expect("it is there"),
        }
    }
    tree
}

/// A copy of a tree.
fn copy(tree: &Tree) -> Tree {
    let new = Tree::new(&[]);
    for (name, bytes) in files(tree.folder.path()) {
        new.write(&name, &bytes);
    }
    new
}

/// All files below a folder but the report, with its memory.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let (mut found, mut folders) = (BTreeMap::new(), vec![folder.to_path_buf()]);
    while let Some(here) = folders.pop() {
        for item in fs::read_dir(here).expect("a folder") {
            let path = item.expect("an item").path();
            let name = path.strip_prefix(folder).expect("it lies below");
            let name = name.to_string_lossy().replace('\\', "/");
            if path.is_dir() {
                folders.push(path);
            } else if name != "cass-report.json" {
                found.insert(name, fs::read(&path).expect("readable"));
            }
        }
    }
    found
}

fn run(tree: &Tree, arguments: &[&str], fault: Option<String>) -> Done {
    let mut command = tree.command();
    command.args(arguments);
    if let Some(fault) = fault {
        command.env("CASS_FAULT", fault);
    }
    crate::common::done(&mut command)
}

/// The trees that faults of a kind leave, one for each change that a run makes to the disk.
fn disturbed<'t>(
    before: &'t Tree,
    arguments: &'t [&'t str],
    kind: &'t str,
) -> impl Iterator<Item = (usize, Tree)> + 't {
    (1..).map_while(move |at| {
        let tree = copy(before);
        let done = run(&tree, arguments, Some(format!("{kind}:{at}")));
        // A run that came to no end was ended; one that had no room says so.
        let is_hit = match kind {
            "kill" => done.code == -1,
            _ => done.code == 2,
        };
        assert!(
            is_hit || done.code < 2,
            "{kind} {at}: {} {}",
            done.code,
            done.err
        );
        is_hit.then_some((at, tree))
    })
}

fn shown(files: &BTreeMap<String, Vec<u8>>, name: &str) -> String {
    let bytes = files.get(name);
    bytes.map_or_else(
        || "nothing".to_owned(),
        |bytes| String::from_utf8_lossy(bytes).into_owned(),
    )
}

fn assert_same(
    found: &BTreeMap<String, Vec<u8>>,
    expected: &BTreeMap<String, Vec<u8>>,
    what: &str,
) {
    let names = found.keys().chain(expected.keys());
    // The pack is a cache of texts, and of a conflict the first run says where it is, the next that its markers are there.
    let besides = [".cass/base.pack", ".cass/findings.json"];
    for name in names.filter(|name| !besides.contains(&name.as_str())) {
        let (found, expected) = (shown(found, name), shown(expected, name));
        assert_eq!(found, expected, "{what}: {name}");
    }
    let names = |files: &BTreeMap<String, Vec<u8>>| files.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(found), names(expected), "{what}");
}

fn ends_as_undisturbed(kind: &str, arguments: &[&str], least: usize) {
    let before = prepared();
    let whole = copy(&before);
    assert_eq!(
        run(&whole, arguments, None).code,
        1,
        "one file is in conflict"
    );
    let expected = files(&whole.path("out"));
    let mut count = 0;
    for (at, tree) in disturbed(&before, arguments, kind) {
        let again = run(&tree, arguments, None);
        assert!(again.code < 2, "{kind} {at}: {}", again.err);
        assert_same(
            &files(&tree.path("out")),
            &expected,
            &format!("{kind} at change {at}"),
        );
        count = at;
    }
    assert!(count >= least, "only {count} changes were counted");
}

#[test]
#[cfg_attr(
    not(debug_assertions),
    ignore = "changes to the disk are counted in builds with debug assertions"
)]
fn a_run_that_is_killed_at_any_change_is_ended_by_the_next() {
    ends_as_undisturbed(
        "kill",
        &["src", "out", "--quiet", "--jobs", "1", "--prune"],
        40,
    );
}

#[test]
#[cfg_attr(
    not(debug_assertions),
    ignore = "changes to the disk are counted in builds with debug assertions"
)]
fn a_run_that_finds_the_disk_full_at_any_change_is_ended_by_the_next() {
    ends_as_undisturbed("full", &["src", "out", "--quiet", "--jobs", "1"], 40);
}

#[test]
#[cfg_attr(
    not(debug_assertions),
    ignore = "changes to the disk are counted in builds with debug assertions"
)]
fn work_by_hand_between_a_killed_run_and_the_next_loses_nothing_of_either() {
    let before = prepared();
    let arguments = ["src", "out", "--quiet", "--jobs", "1"];
    for (at, tree) in disturbed(&before, &arguments, "kill") {
        let late = EDITED
            .iter()
            .filter(|name| tree.path(&format!("out/{name}")).exists());
        for name in late.clone() {
            let path = format!("out/{name}");
            let text = tree.read(&path);
            let with = |line: &str| match line.contains("f6(") {
                true => format!("int late;\n{line}"),
                false => line.to_owned(),
            };
            let text: String = text.split_inclusive('\n').map(with).collect();
            tree.write(&path, text.as_bytes());
        }
        let again = run(&tree, &arguments, None);
        assert!(again.code < 2, "kill {at}: {}", again.err);
        for name in late {
            let text = tree.read(&format!("out/{name}"));
            assert_eq!(
                text.matches("int late;").count(),
                1,
                "kill {at}: {name}\n{text}"
            );
            assert!(text.contains("int by_hand;"), "kill {at}: {name}\n{text}");
            let is_added = !name.starts_with("add-") || text.matches("hipMalloc").count() == 1;
            assert!(is_added, "kill {at}: {name}\n{text}");
            let is_replaced = *name != "replace.cu" || text.contains("int other(");
            assert!(is_replaced, "kill {at}: {name}\n{text}");
        }
    }
}

/// What the first versions lost, without a count of changes: the journal of a run has what it was about to write, the file has not.
#[test]
fn a_journal_of_what_was_not_written_takes_nothing_from_the_sources() {
    let before = prepared();
    let tree = copy(&before);
    let old = files(&tree.path("out"));
    // A folder is where the manifest's new version goes, so that the run ends with its journals in place.
    let manifest = tree.read("out/.cass/manifest.json");
    fs::remove_file(tree.path("out/.cass/base.pack")).expect("it is there");
    tree.write("out/.cass/base.pack/in-the-way", b"");
    assert_eq!(run(&tree, &["src", "out", "--quiet"], None).code, 2);
    fs::remove_dir_all(tree.path("out/.cass/base.pack")).expect("it is there");
    for (name, bytes) in &old {
        tree.write(&format!("out/{name}"), bytes);
    }
    tree.write("out/.cass/manifest.json", manifest.as_bytes());
    let whole = copy(&before);
    for one in [&tree, &whole] {
        assert_eq!(run(one, &["src", "out", "--quiet"], None).code, 1);
    }
    let (found, expected) = (tree.path("out"), whole.path("out"));
    for name in EDITED.iter().filter(|name| !name.ends_with("d.cu")) {
        let read = |folder: &Path| fs::read_to_string(folder.join(name)).expect("it is there");
        assert_eq!(read(&found), read(&expected), "{name}");
    }
}

/// Headers that get the runtime header by one another, and who uses them.
const IN_PLACE: &[(&str, &str)] = &[
    (
        "src/a.h",
        "#pragma once\n__device__ inline int one(int x) { return x + threadIdx.x; }\n",
    ),
    (
        "src/b.h",
        "#pragma once\n#include \"a.h\"\n__device__ inline int two(int x) { return one(x) + blockIdx.x; }\n",
    ),
    (
        "src/c.h",
        "#pragma once\n#include \"b.h\"\n__device__ inline int three(int x) { return two(x); }\n",
    ),
    (
        "src/d.cpp",
        "#include \"c.h\"\nint f(void *p) { return cudaFree(p); }\n",
    ),
    (
        "src/e.cu",
        "#include \"c.h\"\n__global__ void k(int *p) { p[0] = __shfl_sync(0xffffffff, p[1], 0); }\n",
    ),
    (
        "src/f.cu",
        "#include <cuda_runtime.h>\nint f(void *p) { return cudaFree(p); }\n",
    ),
];

#[test]
#[cfg_attr(
    not(debug_assertions),
    ignore = "changes to the disk are counted in builds with debug assertions"
)]
fn a_run_in_place_that_is_killed_at_any_change_is_ended_by_the_next() {
    let before = Tree::new(IN_PLACE);
    let arguments = ["src", "--in-place", "--backup", "--quiet", "--jobs", "1"];
    let whole = copy(&before);
    assert_eq!(run(&whole, &arguments, None).code, 0);
    let expected = files(&whole.path("src"));
    let mut count = 0;
    for (at, tree) in disturbed(&before, &arguments, "kill") {
        for (name, text) in IN_PLACE {
            let backup = fs::read_to_string(tree.path(&format!("{name}.cuda-orig")));
            let is_there = tree.read(name) == *text || backup.is_ok_and(|backup| backup == *text);
            assert!(
                is_there,
                "kill at change {at}: the original of {name} is lost"
            );
        }
        assert_eq!(run(&tree, &arguments, None).code, 0);
        assert_same(
            &files(&tree.path("src")),
            &expected,
            &format!("kill at change {at}"),
        );
        count = at;
    }
    assert!(count >= 20, "only {count} changes were counted");
}
