//! Every file of the source tree arrives, and what does not is named.

use crate::common::{GONE, SAFE, Tree};

/// A repository whose `.gitignore` names files that git tracks all the same.
fn repository() -> Tree {
    let tree = Tree::new(&[
        ("src/.gitignore", "*.cuh\ngen/\nbuild/\n"),
        ("src/y.cuh", GONE),
        (
            "src/m.cu",
            "#include \"y.cuh\"\nint g() { return cudaFree(0); }\n",
        ),
        ("src/gen/b.cu", SAFE),
        ("src/gen/note.txt", "by hand\n"),
    ]);
    tree.git(&["-C", "src", "init", "-q"]);
    tree.git(&["-C", "src", "add", "-Af"]);
    tree.git(&["-C", "src", "commit", "-qm", "one"]);
    tree.write("src/build/a.o", b"\0");
    tree.write("src/build/b.o", b"\0");
    tree.write("src/gen/made.cu", GONE.as_bytes());
    tree
}

#[test]
fn tracked_files_arrive_whatever_gitignore_says() {
    let tree = repository();
    let done = tree.run(&["src", "out"]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(tree.read("out/gen/b.cu").contains("hipFree"));
    assert_eq!(tree.read("out/gen/note.txt"), "by hand\n");
    assert!(tree.path("out/y.cuh").exists());
    assert!(!tree.path("out/build").exists() && !tree.path("out/gen/made.cu").exists());
    let says = "left out: 2 ignored by .gitignore and not tracked (build/, gen/made.cu); --no-ignore takes them";
    assert!(done.out.contains(says), "{}", done.out);
    let checked = tree.run(&["check", "src"]);
    assert_eq!(checked.code, 1, "{}", checked.out);
    assert!(checked.out.contains("src/y.cuh:1:"), "{}", checked.out);
    assert!(tree.run(&["diff", "src"]).out.contains("a/src/gen/b.cu"));
}

#[test]
fn below_the_root_of_a_repository_the_index_counts_too() {
    let tree = repository();
    let done = tree.run(&["src/gen", "out"]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(tree.read("out/b.cu").contains("hipFree"), "{}", done.out);
}

/// An unpacked release holds what its repository tracks, files that its `.gitignore` names among them.
#[test]
fn without_a_repository_gitignore_leaves_nothing_out() {
    let tree = Tree::new(&[
        ("src/.gitignore", "tmp.*\n"),
        ("src/a.cu", "#include \"tmp.h\"\n"),
        ("src/tmp.h", SAFE),
    ]);
    let done = tree.run(&["src", "out"]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(tree.read("out/tmp.h").contains("hipFree"), "{}", done.out);
    assert!(!done.out.contains("left out"), "{}", done.out);
}

#[test]
fn what_a_repository_names_as_its_monitor_is_not_run() {
    let tree = repository();
    tree.git(&[
        "-C",
        "src",
        "config",
        "core.fsmonitor",
        "touch ../ran; false",
    ]);
    tree.git(&["-C", "src", "config", "filter.x.clean", "touch ../ran; cat"]);
    tree.write("src/.gitattributes", b"*.cu filter=x\n");
    tree.write("src/m.cu", b"int g() { return cudaFree(1); }\n");
    let _ = std::fs::remove_file(tree.path("ran"));
    assert_eq!(tree.run(&["src", "out"]).code, 0);
    assert_eq!(tree.run(&["check", "src", "--changed"]).code, 0);
    assert!(!tree.path("ran").exists());
}

#[test]
fn a_repository_that_git_cannot_read_is_said() {
    let tree = Tree::new(&[
        ("src/.gitignore", "gen/\n"),
        ("src/.git", "gitdir: nowhere\n"),
        ("src/a.cu", SAFE),
        ("src/gen/b.cu", SAFE),
    ]);
    let done = tree.run(&["src", "out"]);
    assert_eq!(done.code, 0, "{}", done.err);
    let says = "git could not say whether it tracks them";
    assert!(done.out.contains(says), "{}", done.out);
    // The file `.git` of a work tree would make the output a work tree of the same repository.
    assert!(!tree.path("out/.git").exists());
}

#[test]
fn what_is_left_out_is_in_the_report() {
    let tree = repository();
    let done = tree.run(&["src", "out", "--exclude", "m.cu", "--output-format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&done.out).expect("JSON");
    let left: Vec<(&str, u64)> = report["left_out"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|left| {
            let count = left["count"].as_u64().expect("a number");
            (left["reason"].as_str().expect("a word"), count)
        })
        .collect();
    assert_eq!(left, [("ignored", 2), ("filtered", 1)]);
}

#[cfg(unix)]
#[test]
fn a_pipe_in_the_tree_is_named() {
    let tree = Tree::new(&[("src/a.cu", SAFE)]);
    let made = std::process::Command::new("mkfifo")
        .arg(tree.path("src/pipe"))
        .status();
    assert!(made.expect("mkfifo is there").success());
    let done = tree.run(&["src", "out"]);
    assert_eq!(done.code, 0);
    let says = "left out: 1 neither file nor folder nor link (pipe)";
    assert!(done.out.contains(says), "{}", done.out);
}

#[test]
fn empty_folders_arrive() {
    let tree = Tree::new(&[("src/a.cu", SAFE)]);
    std::fs::create_dir_all(tree.path("src/obj/deep")).expect("folders");
    assert_eq!(tree.run(&["src", "out", "--dry-run"]).code, 0);
    assert!(!tree.path("out").exists());
    assert_eq!(tree.run(&["src", "out"]).code, 0);
    assert!(tree.path("out/obj/deep").is_dir());
}

#[test]
fn a_source_in_utf16_is_a_finding_and_arrives_as_it_is() {
    let tree = Tree::new(&[("src/a.cu", SAFE)]);
    let utf16: Vec<u8> = format!("\u{FEFF}{SAFE}")
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    tree.write("src/wide.cu", &utf16);
    let checked = tree.run(&["check", "src"]);
    assert_eq!(checked.code, 1, "{}", checked.out);
    assert!(
        checked.out.contains("src/wide.cu:1:1: error[CASS130]"),
        "{}",
        checked.out
    );
    tree.run(&["src", "out"]);
    assert_eq!(
        std::fs::read(tree.path("out/wide.cu")).expect("it arrived"),
        utf16
    );
}

#[test]
fn a_source_in_utf32_is_such_a_finding_as_well() {
    let tree = Tree::new(&[("src/a.cu", SAFE)]);
    let text = format!("\u{FEFF}{SAFE}");
    let utf32: Vec<u8> = text
        .chars()
        .flat_map(|c| (c as u32).to_be_bytes())
        .collect();
    tree.write("src/wide.cu", &utf32);
    let checked = tree.run(&["check", "src"]);
    let says = "src/wide.cu:1:1: error[CASS130]: the file is UTF-32";
    assert!(checked.out.contains(says), "{}", checked.out);
}

#[test]
fn a_folder_takes_a_name_as_a_file_does() {
    let tree = Tree::new(&[("src/b.cu", SAFE), ("src/b.hip/note.txt", "by hand\n")]);
    let done = tree.run(&["src", "out", "--naming", "hip"]);
    let says = "b.cu is not renamed: b.hip is taken";
    assert!(done.out.contains(says), "{}", done.out);
    assert!(tree.read("out/b.cu").contains("hipFree"));
    assert_eq!(tree.read("out/b.hip/note.txt"), "by hand\n");
}

#[test]
fn the_report_of_a_port_is_no_file_of_it() {
    let tree = Tree::new(&[
        ("src/a.cu", SAFE),
        ("own/a.cu", SAFE),
        ("own/cass-report.json", "{}"),
    ]);
    tree.run(&["src", "out"]);
    assert!(tree.path("out/cass-report.json").exists());
    for (folder, says) in [("out", "1 file, "), ("own", "2 files, ")] {
        let checked = tree.run(&["check", folder]);
        assert!(checked.err.contains(says), "{folder}: {}", checked.err);
    }
}

#[test]
fn an_output_in_the_sources_is_no_source() {
    let tree = Tree::new(&[
        ("src/a.cu", SAFE),
        ("src/port/.cass/manifest.json", "{}"),
        ("src/port/a.cu", GONE),
    ]);
    for arguments in [
        &["check", "src"][..],
        &["diff", "src"],
        &["src", "--in-place"],
        &["src", "out"],
    ] {
        let done = tree.run(arguments);
        assert_eq!(done.code, 0, "{arguments:?}: {}", done.err);
        assert_eq!(tree.read("src/port/a.cu"), GONE, "{arguments:?}");
    }
    assert!(!tree.path("out/port").exists());
    let says = "left out: src/port/: output of an earlier run, not read as source";
    let checked = tree.run(&["check", "src"]);
    assert!(checked.err.contains(says), "{}", checked.err);
}
