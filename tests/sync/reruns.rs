//! A second run over a port loses nothing that a person did.

use crate::common::{SAFE, Tree};

/// Eight lines of which translation changes the second and the seventh.
const LONG: &str = "// one\nint a() { return cudaFree(0); }\n// three\n// four\n// five\n// six\nint b() { return cudaFree(0); }\n// eight\n";

fn port(files: &[(&str, &str)]) -> Tree {
    let tree = Tree::new(files);
    let done = tree.run(&["src", "out"]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(!done.out.contains("port:"), "{}", done.out);
    tree
}

fn replace(tree: &Tree, name: &str, old: &str, new: &str) {
    let text = tree.read(name);
    assert!(text.contains(old), "{name} has no {old}: {text}");
    tree.write(name, text.replacen(old, new, 1).as_bytes());
}

/// Runs again; the code is what is expected.
fn again(tree: &Tree, code: i32, more: &[&str]) -> String {
    let done = tree.run(&[&["src", "out"], more].concat());
    assert_eq!(done.code, code, "{}{}", done.out, done.err);
    done.out
}

#[test]
fn work_by_hand_is_merged_with_what_the_sources_change() {
    let tree = port(&[("src/a.cu", LONG), ("src/b.cu", SAFE)]);
    replace(&tree, "out/a.cu", "// eight", "my_fence(); // by hand");
    replace(&tree, "src/a.cu", "// one", "// one more");
    let out = again(&tree, 0, &[]);
    let text = tree.read("out/a.cu");
    assert!(
        text.contains("my_fence(); // by hand") && text.contains("// one more"),
        "{text}"
    );
    assert!(out.contains("1 merged with work by hand: a.cu"), "{out}");
    let out = again(&tree, 0, &[]);
    assert!(out.contains("1 changed by hand, kept: a.cu"), "{out}");
    assert_eq!(tree.read("out/a.cu"), text);
}

#[test]
fn a_conflict_keeps_both_sides_and_is_a_finding() {
    let tree = port(&[("src/a.cu", LONG)]);
    replace(&tree, "out/a.cu", "hipFree", "mine");
    replace(&tree, "src/a.cu", "cudaFree(0)", "cudaFree(p)");
    let dry = again(&tree, 1, &["--dry-run"]);
    assert!(
        dry.contains("1 in conflict, choose one by hand: a.cu"),
        "{dry}"
    );
    let quiet = tree.run(&["src", "out", "--dry-run", "--quiet"]);
    assert_eq!(quiet.code, 1);
    assert!(quiet.err.contains("1 in conflict"), "{}", quiet.err);
    assert!(!tree.read("out/a.cu").contains("<<<"));
    again(&tree, 1, &[]);
    let text = tree.read("out/a.cu");
    let both = "<<<<<<< by hand\nint a() { return mine(0); }\n=======\nint a() { return hipFree(p); }\n>>>>>>> new translation\n";
    assert!(text.contains(both), "{text}");
    let report: serde_json::Value =
        serde_json::from_str(&tree.read("out/cass-report.json")).expect("JSON");
    let finding = &report["files"][0]["findings"][0];
    assert_eq!(
        (&finding["code"], &finding["line"]),
        (&"CASS710".into(), &2.into())
    );
    // It stays one until somebody chooses, and is not merged once more.
    replace(&tree, "src/a.cu", "// five", "// FIVE");
    again(&tree, 1, &[]);
    assert_eq!(tree.read("out/a.cu"), text);
    tree.write(
        "out/a.cu",
        text.replace(both, "int a() { return mine(p); }\n")
            .as_bytes(),
    );
    again(&tree, 0, &[]);
    let text = tree.read("out/a.cu");
    assert!(
        text.contains("mine(p)") && text.contains("// FIVE"),
        "{text}"
    );
}

#[test]
fn other_line_ends_and_encodings_are_merged() {
    let tree = Tree::new(&[]);
    tree.write(
        "src/a.cu",
        [b"// \xE9\n", LONG.as_bytes()].concat().as_slice(),
    );
    tree.run(&["src", "out"]);
    let text = std::fs::read(tree.path("out/a.cu")).expect("it arrived");
    let windows: Vec<u8> = text
        .iter()
        .flat_map(|byte| {
            if *byte == b'\n' {
                vec![13, 10]
            } else {
                vec![*byte]
            }
        })
        .collect();
    tree.write("out/a.cu", &windows);
    replace_bytes(&tree, "src/a.cu", b"// one", b"// ONE");
    again(&tree, 0, &[]);
    let merged = std::fs::read(tree.path("out/a.cu")).expect("it is there");
    let first = b"// \xE9\r\n// ONE\r\n";
    assert!(
        merged.windows(first.len()).any(|part| part == first),
        "{merged:?}"
    );
    assert_eq!(merged.len(), windows.len());
}

fn replace_bytes(tree: &Tree, name: &str, old: &[u8], new: &[u8]) {
    let bytes = std::fs::read(tree.path(name)).expect("it is there");
    let at = bytes
        .windows(old.len())
        .position(|part| part == old)
        .expect("it holds that");
    tree.write(
        name,
        &[&bytes[..at], new, &bytes[at + old.len()..]].concat(),
    );
}

#[test]
fn files_without_lines_stay_as_somebody_made_them() {
    let tree = Tree::new(&[("src/a.cu", SAFE)]);
    tree.write("src/data.bin", b"\0one");
    tree.run(&["src", "out"]);
    tree.write("out/data.bin", b"\0mine");
    again(&tree, 0, &[]);
    tree.write("src/data.bin", b"\0two");
    let out = again(&tree, 1, &["--output-format", "concise"]);
    assert!(out.contains("src/data.bin:1:1: error[CASS710]"), "{out}");
    assert_eq!(tree.read("out/data.bin"), "\0mine");
    again(&tree, 1, &[]);
    again(&tree, 0, &["--force"]);
    assert_eq!(tree.read("out/data.bin"), "\0two");
}

#[test]
fn what_somebody_added_or_deleted_stays_so() {
    let tree = port(&[("src/a.cu", LONG), ("src/b.cu", SAFE)]);
    tree.write("out/own.cu", b"// mine\n");
    std::fs::remove_file(tree.path("out/b.cu")).expect("it is there");
    replace(&tree, "src/b.cu", "int f", "int g");
    let out = again(&tree, 0, &[]);
    assert!(out.contains("1 deleted by hand, left out: b.cu"), "{out}");
    assert!(!tree.path("out/b.cu").exists());
    assert_eq!(tree.read("out/own.cu"), "// mine\n");
    // The sources get a file of that name as well: nobody can say which is right.
    tree.write("src/own.cu", SAFE.as_bytes());
    again(&tree, 1, &[]);
    assert_eq!(tree.read("out/own.cu"), "// mine\n");
}

#[test]
fn files_that_are_gone_are_named_and_pruned_when_nobody_touched_them() {
    let tree = port(&[
        ("src/a.cu", LONG),
        ("src/sub/b.cu", SAFE),
        ("src/c.cu", "int c() { return cudaFree(0); }\n"),
    ]);
    replace(&tree, "out/c.cu", "int c", "int my_c");
    std::fs::remove_dir_all(tree.path("src/sub")).expect("it is there");
    std::fs::remove_file(tree.path("src/c.cu")).expect("it is there");
    let out = again(&tree, 0, &[]);
    assert!(
        out.contains("1 gone from the sources, --prune removes it here: sub/b.cu"),
        "{out}"
    );
    assert!(
        out.contains("1 gone from the sources, changed by hand, kept: c.cu"),
        "{out}"
    );
    let dry = again(&tree, 0, &["--prune", "--dry-run"]);
    assert!(
        dry.contains("1 gone from the sources, would be removed: sub/b.cu"),
        "{dry}"
    );
    assert!(tree.path("out/sub/b.cu").exists());
    again(&tree, 0, &["--prune"]);
    assert!(!tree.path("out/sub").exists() && tree.path("out/c.cu").exists());
    // A run over a part of the sources says nothing of the rest.
    let part = again(&tree, 0, &["--include", "nothing"]);
    assert!(!part.contains("gone from the sources, --prune"), "{part}");
}

#[test]
fn work_by_hand_follows_a_file_to_its_new_name() {
    let tree = port(&[("src/old.cu", LONG), ("src/same.cu", SAFE)]);
    replace(&tree, "out/old.cu", "// eight", "// by hand");
    std::fs::rename(tree.path("src/old.cu"), tree.path("src/new.cu")).expect("it is there");
    replace(&tree, "src/new.cu", "// one", "// ONE");
    let out = again(&tree, 0, &[]);
    assert!(
        out.contains("merged with work by hand: new.cu (was old.cu)"),
        "{out}"
    );
    let text = tree.read("out/new.cu");
    assert!(
        text.contains("// by hand") && text.contains("// ONE"),
        "{text}"
    );
    assert!(
        out.contains("removes it here: old.cu (now new.cu)"),
        "{out}"
    );
    again(&tree, 0, &["--prune"]);
    assert!(!tree.path("out/old.cu").exists());
    // Another naming is a rename as well.
    replace(&tree, "out/same.cu", "int f", "int mine");
    again(&tree, 0, &["--naming", "hip", "--prune"]);
    assert!(tree.read("out/same.hip").contains("int mine"));
    assert!(!tree.path("out/same.cu").exists());
}

#[cfg(unix)]
#[test]
fn permissions_of_both_sides_are_kept() {
    use std::os::unix::fs::PermissionsExt as _;
    let tree = port(&[("src/run.sh", "echo one\n"), ("src/tool.sh", "echo one\n")]);
    let set = |name: &str, mode| {
        let mode = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(tree.path(name), mode).expect("it is ours");
    };
    let mode = |name: &str| {
        let metadata = std::fs::metadata(tree.path(name)).expect("it is there");
        metadata.permissions().mode() & 0o777
    };
    set("out/run.sh", 0o755);
    set("src/tool.sh", 0o755);
    tree.write("src/run.sh", b"echo two\n");
    again(&tree, 0, &[]);
    assert_eq!((mode("out/run.sh"), mode("out/tool.sh")), (0o755, 0o755));
    assert_eq!(tree.read("out/run.sh"), "echo two\n");
}

#[test]
fn helpers_that_only_work_by_hand_calls_stay_in_the_header() {
    let vote = "__global__ void k(int *p) { p[0] = __ballot_sync(0xffffffff, p[1]); }\n";
    let lines = "// one\n// two\n// three\n// four\n";
    let tree = port(&[("src/a.cu", &format!("{vote}{lines}")), ("src/b.cu", LONG)]);
    assert!(
        tree.read("out/cass_hip_compat.hpp")
            .contains("cass_ballot_sync")
    );
    replace(&tree, "out/a.cu", "p[0] =", "p[7] =");
    replace(&tree, "src/a.cu", "// four", "// FOUR");
    again(&tree, 0, &[]);
    replace(
        &tree,
        "out/cass_hip_compat.hpp",
        "// Helper functions",
        "// Our helper functions",
    );
    let out = again(&tree, 0, &[]);
    assert!(
        out.contains("2 changed by hand, kept: a.cu, cass_hip_compat.hpp"),
        "{out}"
    );
}

#[test]
fn a_run_without_changes_writes_nothing() {
    let tree = port(&[("src/a.cu", LONG), ("src/b.txt", "text\n")]);
    let list = |tree: &Tree| {
        let mut found = Vec::new();
        let mut folders = vec![tree.path("out")];
        while let Some(folder) = folders.pop() {
            for item in std::fs::read_dir(folder).expect("readable").flatten() {
                let metadata = item.metadata().expect("readable");
                if metadata.is_dir() {
                    folders.push(item.path());
                } else {
                    found.push((item.path(), metadata.modified().expect("a time")));
                }
            }
        }
        found.sort();
        found
    };
    let before = list(&tree);
    let names: Vec<String> = before
        .iter()
        .map(|(path, _)| {
            path.file_name()
                .expect("a name")
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    assert_eq!(
        names,
        [
            "base.pack",
            "findings.json",
            "manifest.json",
            "a.cu",
            "b.txt",
            "cass-report.json"
        ]
    );
    again(&tree, 0, &[]);
    let mut after = list(&tree);
    // The report of the second run has a line on the port.
    after.retain(|(path, _)| !path.ends_with("cass-report.json"));
    let before: Vec<_> = before
        .into_iter()
        .filter(|(path, _)| !path.ends_with("cass-report.json"))
        .collect();
    assert_eq!(after, before);
}
