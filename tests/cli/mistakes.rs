//! What a newcomer gets wrong: each message names what it is about and what to do instead.

use crate::common::{GONE, SAFE, Tree};

#[test]
fn each_mistake_is_named_with_its_remedy() {
    let tree = Tree::new(&[
        ("src/a.cu", GONE),
        ("src/s.cu", SAFE),
        ("afile", ""),
        ("old.json", "{\"version\": 0}"),
        ("bad.json", "not json"),
        ("broken.toml", "x = [\n"),
    ]);
    let cases: &[(&[&str], &[&str])] = &[
        (&["check", "nosuch"], &["nosuch", "existing file or folder"]),
        (&["chekc", "src"], &["`chekc`", "cass-transpile check"]),
        (
            &["help", "chekc"],
            &["`chekc`", "cass-transpile help check"],
        ),
        (&["help", "zzz"], &["zzz"]),
        (&["src"], &["-o FILE", "--in-place"]),
        (&["src", "src"], &["src", "--in-place"]),
        (&["src", "afile"], &["afile", "give a folder"]),
        (&["src/a.cu", "a.hip"], &["-o a.hip", "a.hip/"]),
        (&["src/a.cu", "-o", "src/a.cu"], &["--in-place"]),
        (
            &["--in-place", "src/a.cu", "out"],
            &["out: is not there", "changes files where they are"],
        ),
        (&["check", "src", "--fial-on", "x"], &["--fail-on"]),
        (&["check", "src", "--fail-on", "eror"], &["'error'"]),
        (
            &["check", "src", "--target", "gfx90b"],
            &["`gfx90b`", "MI300X"],
        ),
        (&["check", "src", "--rocm", "99"], &["`99`", "nearest"]),
        (&["check", "src", "--ignore", "CAS003"], &["`CASS003`"]),
        (
            &["check", "src", "--config", "translate.dialect=x"],
            &["`torch`"],
        ),
        (
            &["check", "src", "--changed"],
            &["src", "--changed and --since", "checkout"],
        ),
        (
            &["check", "src", "--since", "main"],
            &["--changed and --since", "checkout"],
        ),
        (
            &["check", "src", "--baseline", "none.json"],
            &["none.json", "--update-baseline"],
        ),
        (
            &["check", "src", "--baseline", "old.json"],
            &["old.json", "--update-baseline"],
        ),
        (
            &["check", "src", "--baseline", "bad.json"],
            &["bad.json", "--update-baseline"],
        ),
        (
            &["check", "src", "--baseline", "src"],
            &["src: is a folder"],
        ),
        (
            &["check", "src", "--mappings", "broken.toml"],
            &["broken.toml:1"],
        ),
        (&["check", "src", "--report", "html"], &["FORMAT=PATH"]),
        (
            &["check", "src", "--report", "sarif=src"],
            &["src: is a folder", "name a file"],
        ),
        (&["check", "src", "--exclude", "["], &["`[`", "src/**/*.cu"]),
        (
            &["check", "src", "-p", "none"],
            &["none", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"],
        ),
        (&["check", "-", "--fix"], &["`cass-transpile -`"]),
        (&["check", "src", "--fail-on", "never"], &["--exit-zero"]),
        (
            &["check", "src", "--fail-on", "sometimes"],
            &["[possible values: info, warning, error]"],
        ),
        (&["accept", "src", "none"], &["none: is no folder"]),
        (&["explain", "CASS999"], &["`CASS999`", "did you mean"]),
        (&["explain", "003"], &["did you mean `CASS003`"]),
        (
            &["explain", "cudaMalloc"],
            &["cass-transpile query cudaMalloc"],
        ),
        (&["mcp", "--root", "none"], &["none: is no folder"]),
        (&["try", "none"], &["none: is no folder"]),
    ];
    for (arguments, words) in cases {
        let done = tree.run(arguments);
        assert_eq!(done.code, 2, "{arguments:?}: {}{}", done.out, done.err);
        for word in *words {
            assert!(
                done.err.contains(word),
                "{arguments:?}, {word}: {}",
                done.err
            );
        }
    }
}

#[test]
fn an_output_that_is_not_there_is_said_to_be_new() {
    let tree = Tree::new(&[("src/s.cu", SAFE)]);
    for command in ["status", "diff"] {
        let done = tree.run(&[command, "src", "prot"]);
        assert!(
            done.err.contains("prot: is not there"),
            "{command}: {}",
            done.err
        );
    }
    assert_eq!(tree.run(&["src", "port"]).code, 0);
    let done = tree.run(&["status", "src", "port"]);
    assert!(!done.err.contains("is not there"), "{}", done.err);
}

#[test]
fn a_commit_that_git_does_not_know_is_named() {
    let tree = Tree::new(&[("a.cu", SAFE)]);
    tree.git(&["init", "-q"]);
    let done = tree.run(&["check", "--since", "nobranch"]);
    assert_eq!(done.code, 2);
    assert!(done.err.contains("no commit `nobranch`"), "{}", done.err);
    assert!(!done.err.trim_end().ends_with(':'), "{}", done.err);
}

#[test]
fn nothing_that_changed_is_said_as_that() {
    let tree = Tree::new(&[
        ("a.cu", SAFE),
        ("b.cu", SAFE),
        ("Makefile", "all:\n\tnvcc a.cu\n"),
    ]);
    tree.git(&["init", "-q"]);
    tree.git(&["add", "."]);
    tree.git(&["commit", "-qm", "x"]);
    let done = tree.run(&["check", "--since", "HEAD"]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert_eq!(
        done.err,
        "nothing to look at\nleft out: 3 files that did not change\n"
    );
}
