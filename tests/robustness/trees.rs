//! Trees of odd things and of many.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use crate::common::{SAFE, Tree};
use crate::files;

// `tests/large.sh` does the same with 100,000 files and 100 MB, which takes a release build.
#[test]
fn a_tree_of_many_files_and_a_large_file_are_translated_as_a_whole() {
    let tree = Tree::new(&[]);
    for number in 0..2000 {
        tree.write(&format!("src/{}/f{number}.h", number % 40), b"int plain;\n");
    }
    // Two megabytes in one file, with one line that is half of it.
    let calls = SAFE.repeat(30_000);
    let large = format!("{calls}const char *s = \"{}\";\n", "x".repeat(2_000_000));
    tree.write("src/large.cu", large.as_bytes());
    assert_eq!(tree.run(&["src", "out", "--quiet"]).code, 0);
    assert_eq!(files(&tree.path("out")).len(), 2001);
    let text = tree.read("out/large.cu");
    assert_eq!(text.matches("hipFree").count(), 30_000);
    assert!(!text.contains("cuda"));
}

#[test]
fn what_is_no_file_is_passed_over_and_what_is_too_large_fails_alone() {
    let tree = Tree::new(&[("src/a.cu", SAFE)]);
    let made = Command::new("mkfifo")
        .arg(tree.path("src/pipe.cu"))
        .status()
        .expect("there is a mkfifo");
    assert!(made.success());
    // Sparse: it takes no room.
    let large = fs::File::create(tree.path("src/large.cu")).expect("writable");
    large
        .set_len(5 << 30)
        .expect("the file system has sparse files");
    let done = tree.run(&["check", "src", "--output-format", "json-lines"]);
    assert_eq!(done.code, 2);
    assert!(
        done.err.contains("large.cu: 4 GiB or larger"),
        "{}",
        done.err
    );
    // Nor does a program that reads the lines take silence for success.
    let line: serde_json::Value = serde_json::from_str(&done.out).expect("one line");
    assert_eq!(line["path"], "src/large.cu");
    assert!(
        line["problem"]
            .as_str()
            .is_some_and(|text| text.contains("4 GiB")),
        "{line}"
    );
}

#[test]
fn links_stay_links() {
    let tree = Tree::new(&[("src/real.cu", SAFE), ("outside.cu", SAFE)]);
    let link = |to: &str, name: &str| symlink(to, tree.path(name)).expect("links are allowed");
    link("real.cu", "src/inside.cu");
    link("../outside.cu", "src/outside.cu");
    link("nowhere.cu", "src/dangling.cu");
    link(".", "src/loop");
    for _ in 0..2 {
        let done = tree.run(&["src", "out"]);
        assert_eq!(done.code, 0, "{}", done.err);
    }
    let found = files(&tree.path("out"));
    for (name, to) in [
        ("inside.cu", "real.cu"),
        ("outside.cu", "../outside.cu"),
        ("dangling.cu", "nowhere.cu"),
        ("loop", "."),
    ] {
        assert_eq!(
            found.get(Path::new(name)).map(Vec::as_slice),
            Some(to.as_bytes()),
            "{name}"
        );
    }
    assert_eq!(tree.read("outside.cu"), SAFE);
    // In place, a link is not replaced by a file and what lies outside is not touched.
    assert_eq!(tree.run(&["--in-place", "src"]).code, 0);
    assert!(tree.path("src/outside.cu").is_symlink() && tree.path("src/inside.cu").is_symlink());
    assert_eq!(tree.read("outside.cu"), SAFE);
}

#[test]
fn a_root_that_is_a_link_is_the_folder_it_points_to() {
    let tree = Tree::new(&[("real/a.cu", SAFE)]);
    symlink("real", tree.path("src")).expect("links are allowed");
    let done = tree.run(&["src", "out"]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(tree.read("out/a.cu").contains("hipFree"));
    assert!(!tree.path("out").is_symlink());
}

#[test]
fn ignored_and_excluded_files_take_no_part() {
    let tree = Tree::new(&[
        ("src/.gitignore", "build/\n"),
        ("src/build/gen.cu", SAFE),
        ("src/third_party/x.cu", SAFE),
        ("src/a.cu", SAFE),
        ("src/a.txt", ""),
        ("src/.hidden/h.cu", SAFE),
    ]);
    tree.git(&["-C", "src", "init", "-q"]);
    let run = |out: &str, more: &[&str]| {
        assert_eq!(tree.run(&[&["src", out], more].concat()).code, 0);
        let names = files(&tree.path(out)).into_keys();
        names
            .map(|name| name.display().to_string())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        run("o1", &[]),
        [
            ".gitignore",
            ".hidden/h.cu",
            "a.cu",
            "a.txt",
            "third_party/x.cu"
        ]
    );
    assert_eq!(
        run(
            "o2",
            &[
                "--no-ignore",
                "--exclude",
                "third_party",
                "--exclude",
                "*.txt"
            ]
        ),
        [".gitignore", ".hidden/h.cu", "a.cu", "build/gen.cu"]
    );
    assert_eq!(
        run("o3", &["--include", "*.cu", "--exclude", ".hidden/**"]),
        ["a.cu", "third_party/x.cu"]
    );
    assert_eq!(tree.run(&["src", "o4", "--include", "[bad"]).code, 2);
}
