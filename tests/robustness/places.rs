//! Where results may go, and what of the files there is kept.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};

use crate::common::{SAFE, Tree};
use crate::files;

#[test]
fn output_folders_are_chosen_with_care() {
    let tree = Tree::new(&[("src/a.cu", SAFE), ("full/other", "mine")]);
    let same = tree.run(&["src", "src"]);
    assert!(
        same.code == 2 && same.err.contains("--in-place"),
        "{}",
        same.err
    );
    let dotted = tree.run(&["src", "src/../src/."]);
    assert_eq!(dotted.code, 2, "{}", dotted.err);
    let full = tree.run(&["src", "full"]);
    assert!(
        full.code == 2 && full.err.contains("--force"),
        "{}",
        full.err
    );
    assert_eq!(tree.run(&["src", "full", "--force"]).code, 0);
    assert_eq!(tree.read("full/other"), "mine");
    // A second name of a file is no folder, unless it says so.
    let named = tree.run(&["src/a.cu", "b.hip"]);
    assert!(
        named.code == 2 && named.err.contains("-o b.hip") && !tree.path("b.hip").exists(),
        "{}",
        named.err
    );
    assert_eq!(tree.run(&["src/a.cu", "b.hip/"]).code, 0);
    assert!(tree.path("b.hip/a.cu").is_file());
    // The output within the source is not source.
    for _ in 0..2 {
        assert_eq!(tree.run(&["src", "src/out"]).code, 0);
    }
    assert!(tree.path("src/out/a.cu").is_file() && !tree.path("src/out/out").exists());
    assert_eq!(tree.run(&["src", "src/out", "--dry-run"]).code, 0);
    assert_eq!(tree.read("src/a.cu"), SAFE);
}

#[test]
fn modes_are_kept_and_a_second_run_touches_nothing() {
    let tree = Tree::new(&[
        ("src/tool.cu", SAFE),
        ("src/run.sh", "#!/bin/sh\n"),
        ("src/plain.cu", SAFE),
    ]);
    let set = |name: &str, mode| {
        fs::set_permissions(tree.path(name), fs::Permissions::from_mode(mode)).expect("ours")
    };
    set("src/tool.cu", 0o755);
    set("src/run.sh", 0o750);
    set("src/plain.cu", 0o640);
    let metadata = |name: &str| fs::metadata(tree.path(name)).expect("it is there");
    assert_eq!(tree.run(&["src", "out"]).code, 0);
    let modes =
        ["out/tool.cu", "out/run.sh", "out/plain.cu"].map(|name| metadata(name).mode() & 0o777);
    assert_eq!(modes, [0o755, 0o750, 0o640]);
    let identity = |name: &str| {
        (
            metadata(name).ino(),
            metadata(name).mtime_nsec(),
            metadata(name).mtime(),
        )
    };
    let names = [
        "out/tool.cu",
        "out/run.sh",
        "out/plain.cu",
        "out/cass-report.json",
    ];
    let before = names.map(identity);
    assert_eq!(tree.run(&["src", "out"]).code, 0);
    assert_eq!(names.map(identity), before);
}

#[test]
fn in_place_keeps_what_was_there_on_request() {
    let tree = Tree::new(&[("src/a.cu", SAFE), ("src/plain.h", "int x;\n")]);
    assert_eq!(tree.run(&["--in-place", "--backup", "src"]).code, 0);
    assert_eq!(tree.read("src/a.cu.cuda-orig"), SAFE);
    assert!(tree.read("src/a.cu").contains("hipFree"));
    assert!(!tree.path("src/plain.h.cuda-orig").exists());
    let again = files(&tree.path("src"));
    assert_eq!(tree.run(&["--in-place", "--backup", "src"]).code, 0);
    assert_eq!(
        files(&tree.path("src")),
        again,
        "the second run changes nothing, the backup included"
    );
}

#[test]
fn helpers_of_files_translated_earlier_stay_in_the_header() {
    let one = "__device__ int f(int *p) { return __reduce_add_sync(~0u, *p); }\n";
    let two = "__device__ int g(int *p) { return __reduce_max_sync(~0u, *p); }\n";
    let tree = Tree::new(&[("src/one.cu", one), ("src/two.cu", two)]);
    assert_eq!(tree.run(&["--in-place", "src/one.cu"]).code, 0);
    assert_eq!(tree.run(&["--in-place", "src/two.cu"]).code, 0);
    let header = tree.read("src/cass_hip_compat.hpp");
    assert!(
        header.contains("cass_reduce_add_sync(") && header.contains("cass_reduce_max_sync("),
        "{header}"
    );
}
