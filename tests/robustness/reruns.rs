//! A run that was killed, and the next: nothing is lost, and the second ends as an undisturbed one does.

use std::fs;

use crate::common::{SAFE, Tree};
use crate::{files, shell};

const MATCH: &str = "__global__ void k(int *p) { p[0] = __match_any_sync(0xffffffff, p[1]); }\n";
const BALLOT: &str = "__global__ void k2(int *p) { p[0] = __ballot_sync(0xffffffff, p[1]); }\n";
const HEADER: &str = "src/cass_hip_compat.hpp";

#[test]
fn the_helper_header_holds_what_files_translated_earlier_call() {
    let tree = Tree::new(&[("src/a.cu", MATCH), ("src/sub/b.cu", BALLOT)]);
    assert_eq!(tree.run(&["src", "--in-place", "--quiet"]).code, 0);
    let whole = files(&tree.path("src"));
    // As after a kill between the two files.
    fs::remove_file(tree.path(HEADER)).expect("it was written");
    tree.write("src/sub/b.cu", BALLOT.as_bytes());
    assert_eq!(tree.run(&["src", "--in-place", "--quiet"]).code, 0);
    assert_eq!(files(&tree.path("src")), whole);
    // Also where nothing is left to translate.
    fs::remove_file(tree.path(HEADER)).expect("it was written");
    assert_eq!(tree.run(&["src", "--in-place", "--quiet"]).code, 0);
    assert_eq!(files(&tree.path("src")), whole);
}

#[test]
fn the_helper_header_is_there_before_the_files_that_need_it() {
    let tree = Tree::new(&[("src/a.cu", MATCH)]);
    tree.write("src/cass_hip_compat.hpp/in the way", b"");
    // The header cannot be written: then nor is the file that needs it.
    assert_eq!(tree.run(&["src", "--in-place", "--quiet"]).code, 2);
    assert_eq!(tree.read("src/a.cu"), MATCH);
}

#[test]
fn backups_are_no_sources_and_are_not_written_over() {
    let makefile = "CC=nvcc\nall:\n\tnvcc main.cu -lcudart\n";
    let tree = Tree::new(&[("src/Makefile", makefile), ("src/a.cu", SAFE)]);
    let run = |arguments: &[&str]| {
        let done = tree.run(&[&["src", "--in-place", "--quiet"], arguments].concat());
        assert_eq!(done.code, 0, "{}", done.err);
    };
    run(&["--backup"]);
    run(&["--backup"]);
    run(&[]);
    assert_eq!(tree.read("src/Makefile.cuda-orig"), makefile);
    assert!(!tree.path("src/Makefile.cuda-orig.cuda-orig").exists());
    // Somebody adds CUDA to the translated file.
    let later = tree.read("src/a.cu") + "void g(void **p) { cudaMalloc(p, 1); }\n";
    tree.write("src/a.cu", later.as_bytes());
    run(&["--backup"]);
    assert_eq!(tree.read("src/a.cu.cuda-orig"), SAFE);
    assert_eq!(tree.read("src/a.cu.cuda-orig.2"), later);
    run(&["--backup"]);
    let before = files(&tree.path("src"));
    run(&["--backup"]);
    assert_eq!(
        files(&tree.path("src")),
        before,
        "a run without changes keeps nothing"
    );
    // A person's own file of that name.
    tree.write("src/b.cu", SAFE.as_bytes());
    tree.write("src/b.cu.orig", b"mine\n");
    run(&["--backup=.orig"]);
    assert_eq!(tree.read("src/b.cu.orig"), "mine\n");
    assert_eq!(tree.read("src/b.cu.orig.2"), SAFE);
    for suffix in ["", ".cu", "/x", ".mk"] {
        let refused = tree.run(&["src", "--in-place", &format!("--backup={suffix}")]);
        assert_eq!(refused.code, 2, "{suffix}");
        assert!(refused.err.contains("--backup: `"), "{}", refused.err);
    }
}

#[test]
fn temporary_files_of_killed_runs_go_and_are_never_copied() {
    let tree = Tree::new(&[("src/a.cu", SAFE)]);
    let dead = format!(".cass-{}-a1B2c3", u32::MAX);
    tree.write(&format!("src/{dead}"), b"half");
    assert_eq!(tree.run(&["src", "out", "--quiet"]).code, 0);
    assert!(!tree.path(&format!("out/{dead}")).exists());
    tree.write(&format!("out/{dead}"), b"half");
    fs::remove_file(tree.path("out/a.cu")).expect("it was written");
    assert_eq!(tree.run(&["src", "out", "--quiet"]).code, 0);
    assert!(!tree.path(&format!("out/{dead}")).exists());
    assert_eq!(tree.run(&["src", "--in-place", "--quiet"]).code, 0);
    assert!(!tree.path(&format!("src/{dead}")).exists());
}

#[test]
fn a_link_that_is_named_means_the_file_behind_it() {
    let tree = Tree::new(&[("real/a.cu", SAFE), ("real/b.cu", crate::common::GONE)]);
    for name in ["a.cu", "b.cu"] {
        let link = tree.path(&format!("link-{name}"));
        std::os::unix::fs::symlink(format!("real/{name}"), link).expect("a link");
    }
    assert_eq!(tree.run(&["link-a.cu", "--in-place", "--quiet"]).code, 0);
    assert!(tree.read("real/a.cu").contains("hipFree"));
    assert!(tree.path("link-a.cu").is_symlink());
    tree.run(&["check", "link-b.cu", "--add-suppressions", "known"]);
    assert!(
        tree.read("real/b.cu").contains("cass"),
        "{}",
        tree.read("real/b.cu")
    );
    assert!(tree.path("link-b.cu").is_symlink());
}

#[test]
fn what_is_no_file_is_no_success() {
    let tree = Tree::new(&[("a.cu", crate::common::GONE)]);
    for line in [
        "cat a.cu | $CASS check /dev/stdin",
        "mkfifo p; cat a.cu > p & $CASS check p; code=$?; cat p > /dev/null; exit $code",
    ] {
        let done = shell(&tree, line);
        let was_read = done.out.contains("CASS003");
        let said = done.code == 2 && done.err.contains("neither a file nor a folder");
        assert!(
            was_read || said,
            "{line}: {} {} {}",
            done.code,
            done.out,
            done.err
        );
    }
}

#[test]
fn new_files_are_as_readable_as_the_mask_says() {
    use std::os::unix::fs::PermissionsExt as _;
    let tree = Tree::new(&[("src/a.cu", MATCH)]);
    assert_eq!(shell(&tree, "umask 077; $CASS src out --quiet").code, 0);
    for name in ["out/cass-report.json", "out/cass_hip_compat.hpp"] {
        let mode = fs::metadata(tree.path(name))
            .expect("it is there")
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o600, "{name}");
    }
}

#[test]
fn a_file_is_not_its_own_result() {
    let tree = Tree::new(&[("a.cu", SAFE)]);
    let done = tree.run(&["a.cu", "-o", "./a.cu"]);
    assert_eq!((done.code, tree.read("a.cu").as_str()), (2, SAFE));
    assert!(done.err.contains("use --in-place"), "{}", done.err);
}

#[test]
fn nothing_is_said_to_be_written_that_was_not() {
    let tree = Tree::new(&[("src/a.cu", SAFE)]);
    tree.write("out/cass-report.json", b"{}");
    fs::remove_file(tree.path("out/cass-report.json")).expect("there");
    tree.write("out/cass-report.json/in the way", b"");
    let done = tree.run(&["src", "out", "--force"]);
    assert_eq!(done.code, 2);
    assert!(!done.out.contains("written to out"), "{}", done.out);
}

/// A tree that is half translated builds for AMD and has code for it, as one that supports AMD by its own doing.
#[test]
fn what_a_run_in_place_has_written_is_no_support_of_the_project() {
    let makefile = "all:\n\tnvcc -arch=sm_70 a.cu b.cu -lcudart\n";
    let many = format!("{MATCH}{}", SAFE.repeat(20));
    for arguments in [&["--compat", "inline"][..], &[]] {
        let tree = Tree::new(&[
            ("src/Makefile", makefile),
            ("src/a.cu", &many),
            ("src/b.cu", SAFE),
        ]);
        let run = || {
            let done = tree.run(&[&["src", "--in-place", "--quiet"], arguments].concat());
            assert_eq!(done.code, 0, "{}", done.err);
            files(&tree.path("src"))
        };
        let whole = run();
        // As after a kill in front of the last file.
        tree.write("src/b.cu", SAFE.as_bytes());
        tree.write("src/.cass/in-place", br#"{"supported": []}"#);
        assert_eq!(run(), whole, "{arguments:?}");
    }
}

#[test]
fn support_that_the_project_has_is_known_after_a_kill() {
    let support = "#ifdef USE_HIP\n#include <hip/hip_runtime.h>\n#define gpuFree hipFree\n#else\n#include <cuda_runtime.h>\n#define gpuFree cudaFree\n#endif\n";
    let user = "#include \"gpu.h\"\nvoid f(void *p) { gpuFree(p); }\n";
    let makefile = "ifdef USE_HIP\nall:\n\thipcc -DUSE_HIP a.cu\nendif\n";
    let tree = Tree::new(&[
        ("src/Makefile", makefile),
        ("src/gpu.h", support),
        ("src/a.cu", user),
    ]);
    let before = files(&tree.path("src"));
    tree.write("src/.cass/in-place", br#"{"supported": [""]}"#);
    assert_eq!(tree.run(&["src", "--in-place", "--quiet"]).code, 0);
    assert_eq!(files(&tree.path("src")), before);
}

const OWN: &str = "#pragma once\nint of_the_project;\n";

#[test]
fn a_header_of_the_project_with_the_name_of_the_helper_header_stays() {
    let including = format!("#include \"cass_hip_compat.hpp\"\n{MATCH}");
    let files = [
        ("src/a.cu", MATCH),
        ("src/sub/b.cu", including.as_str()),
        (HEADER, OWN),
    ];
    let call = "cass_match_any_sync";
    for arguments in [
        &["src", "out", "--quiet"][..],
        &["src", "--in-place", "--quiet", "--backup"],
    ] {
        let tree = Tree::new(&files);
        let folder = if arguments.contains(&"out") {
            "out"
        } else {
            "src"
        };
        for _ in 0..2 {
            let done = tree.run(arguments);
            assert_eq!(done.code, 0, "{}", done.err);
            assert_eq!(tree.read(&format!("{folder}/cass_hip_compat.hpp")), OWN);
            assert!(
                tree.read(&format!("{folder}/cass/cass_hip_compat.hpp"))
                    .contains(call)
            );
            let [a, b] = ["a.cu", "sub/b.cu"].map(|name| tree.read(&format!("{folder}/{name}")));
            assert!(
                a.contains("#include \"cass/cass_hip_compat.hpp\"") && a.contains(call),
                "{a}"
            );
            assert!(
                b.contains("#include \"../cass/cass_hip_compat.hpp\""),
                "{b}"
            );
        }
    }
    // Beside a file that is given by itself.
    let tree = Tree::new(&files);
    assert_eq!(tree.run(&["src/a.cu", "--in-place", "--quiet"]).code, 0);
    assert_eq!(tree.read(HEADER), OWN);
    assert!(tree.read("src/cass/cass_hip_compat.hpp").contains(call));
}
