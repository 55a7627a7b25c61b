//! Findings that people know of: suppressions in the sources, and baselines.

use crate::common::{GONE, SAFE, Tree};

#[test]
fn suppressions_are_added_where_the_findings_are() {
    let text = format!(
        "{}#define M(t, o) \\\n  cudaDeviceFlushGPUDirectRDMAWrites(t, o)\n",
        GONE.replace('\n', "\r\n")
    );
    let tree = Tree::new(&[("a.cu", &text), ("safe.cu", SAFE)]);
    let added = tree.run(&["check", ".", "--add-suppressions", "known since 2024"]);
    assert_eq!(
        (added.code, added.out.lines().next()),
        (
            0,
            Some("suppressed 2 findings in 1 file; look at the changes before you commit them")
        )
    );
    let comment = "// cass: ignore-next-line[CASS003] known since 2024";
    assert_eq!(
        tree.read("a.cu"),
        format!(
            "{comment}\r\n{}{comment}\n#define M(t, o) \\\n  cudaDeviceFlushGPUDirectRDMAWrites(t, o)\n",
            GONE.replace('\n', "\r\n")
        )
    );
    assert_eq!(tree.read("safe.cu"), SAFE);
    let clean = tree.run(&["check", "."]);
    assert_eq!(clean.code, 0, "{}", clean.out);
}

#[test]
fn a_suppression_behind_a_byte_order_mark_is_read() {
    let text = "\u{feff}set(CMAKE_CUDA_ARCHITECTURES 70)\n";
    let tree = Tree::new(&[("CMakeLists.txt", text)]);
    let add = || {
        tree.run(&["check", ".", "--add-suppressions", "known"])
            .code
    };
    assert_eq!((add(), add()), (0, 0));
    let comment = "\u{feff}# cass: ignore-next-line[CASS628] known\n";
    assert_eq!(
        tree.read("CMakeLists.txt"),
        format!("{comment}set(CMAKE_CUDA_ARCHITECTURES 70)\n")
    );
}

/// The rule of the finding was CASS683 when the baseline and the comment were written.
#[test]
fn baselines_and_comments_with_an_older_code_go_on_to_hold() {
    let kernel = |comment: &str| {
        format!(
            "import triton\nimport triton.language as tl\n@triton.jit\ndef k(a, b):\n{comment}    tl.dot(a, b, input_precision=\"tf32x3\")\n"
        )
    };
    let tree = Tree::new(&[("src/k.py", &kernel(""))]);
    let known = r#"{"version": 1, "findings": [{"path": "k.py", "fingerprint": "8323ab87bddbe46d:1", "code": "CASS683", "message": ""}]}"#;
    tree.write("known.json", known.as_bytes());
    let check = |more: &[&str]| tree.run(&[&["check", "src"], more].concat());
    assert_eq!(check(&[]).code, 1, "it is an error");
    let clean = check(&["--baseline", "known.json"]);
    assert_eq!((clean.code, clean.out.as_str()), (0, ""), "{}", clean.err);
    tree.write(
        "src/k.py",
        kernel("    # cass: ignore-next-line[CASS683]\n").as_bytes(),
    );
    assert_eq!(check(&[]).code, 0);
    tree.write("src/k.py", kernel("").as_bytes());
    assert_eq!(check(&["--ignore", "triton-dot-precision"]).code, 0);
}

#[test]
fn a_baseline_lets_only_new_findings_fail() {
    let tree = Tree::new(&[("src/a.cu", GONE), ("src/b.cu", &GONE.repeat(2))]);
    let check =
        |more: &[&str]| tree.run(&[&["check", "src", "--baseline", "known.json"], more].concat());
    let missing = check(&[]);
    assert!(
        missing.code == 2 && missing.err.contains("--update-baseline"),
        "{}",
        missing.err
    );
    assert_eq!(check(&["--update-baseline"]).code, 0);
    let stored = tree.read("known.json");
    let clean = check(&[]);
    assert_eq!((clean.code, clean.out.as_str()), (0, ""));
    assert!(clean.err.contains("3 known findings"), "{}", clean.err);
    // Lines above, indentation and line ends do not make a finding new; a third of the same line does.
    tree.write(
        "src/a.cu",
        format!("// one\r\n\r\n  {}", GONE.replace('\n', "\r\n")).as_bytes(),
    );
    assert_eq!(check(&[]).code, 0);
    tree.write("src/b.cu", GONE.repeat(3).as_bytes());
    let new = check(&["--output-format", "concise"]);
    assert_eq!((new.code, new.out.lines().count()), (1, 1), "{}", new.out);
    assert!(new.out.starts_with("src/b.cu:3:"), "{}", new.out);
    let sarif = check(&["--output-format", "sarif"]).out;
    assert_eq!(
        (
            sarif.matches("\"unchanged\"").count(),
            sarif.matches("\"new\"").count()
        ),
        (3, 1)
    );
    tree.write("src/b.cu", b"int cuda;\n");
    let less = check(&[]);
    assert!(
        less.code == 0 && less.err.contains("2 findings are gone"),
        "{}",
        less.err
    );
    assert_eq!(tree.read("known.json"), stored, "a check does not write");
    check(&["--update-baseline"]);
    assert!(tree.read("known.json").len() < stored.len());
    tree.write("known.json", b"{\"version\": 2, \"findings\": []}");
    assert_eq!(check(&[]).code, 2);
}

#[cfg(unix)]
#[test]
fn a_baseline_is_written_where_its_link_leads() {
    let tree = Tree::new(&[("src/a.cu", GONE), ("kept/there.json", "")]);
    for (link, target) in [("a.json", "kept/there.json"), ("b.json", "kept/new.json")] {
        std::os::unix::fs::symlink(target, tree.path(link)).expect("linked");
        let done = tree.run(&["check", "src", "--baseline", link, "--update-baseline"]);
        assert_eq!(done.code, 0, "{}", done.err);
        let is_link = std::fs::symlink_metadata(tree.path(link)).is_ok_and(|it| it.is_symlink());
        assert!(is_link && tree.read(target).contains("CASS003"), "{link}");
    }
}

#[test]
fn a_renamed_file_keeps_its_known_findings_and_a_copy_has_none() {
    let tree = Tree::new(&[("src/a.cu", GONE), ("src/c.cu", GONE)]);
    let check = |what: &str, more: &[&str]| {
        tree.run(&[&["check", what, "--baseline", "k.json"], more].concat())
    };
    assert_eq!(check("src", &["--update-baseline"]).code, 0);
    std::fs::rename(tree.path("src/a.cu"), tree.path("src/b.cu")).expect("renamed");
    let renamed = check("src", &[]);
    assert_eq!(renamed.code, 0, "{}", renamed.out);
    assert!(renamed.err.contains("2 known findings"), "{}", renamed.err);
    // Each as often as the file had it.
    tree.write("src/b.cu", GONE.repeat(2).as_bytes());
    let more = check("src", &["--output-format", "concise"]);
    assert_eq!(
        (more.code, more.out.lines().count()),
        (1, 1),
        "{}",
        more.out
    );
    // A file that is there and merely not checked has not been renamed.
    std::fs::rename(tree.path("src/b.cu"), tree.path("src/a.cu")).expect("renamed");
    tree.write("src/d.cu", GONE.as_bytes());
    let copy = check("src/d.cu", &["--output-format", "concise"]);
    assert_eq!(
        (copy.code, copy.out.lines().count()),
        (1, 1),
        "{}",
        copy.out
    );
}

#[test]
fn the_baseline_of_the_configuration_is_found_from_below() {
    let tree = Tree::new(&[
        ("cass.toml", "[check]\nbaseline = \"known.json\"\n"),
        ("src/a.cu", GONE),
        ("src/sub/b.cu", GONE),
    ]);
    tree.git(&["init", "-q"]);
    assert_eq!(tree.run(&["check", ".", "--update-baseline"]).code, 0);
    for path in [".", "src", "src/sub/b.cu"] {
        assert_eq!(tree.run(&["check", path]).code, 0, "{path}");
    }
}
