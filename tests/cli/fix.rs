//! `check --fix`: translation in place, then what is left.

use crate::common::{GONE, SAFE, Tree};

/// What [`SAFE`] becomes.
const PORTED: &str = "#include <hip/hip_runtime.h>\nint f(void *p) { return hipFree(p); }\n";

#[test]
fn what_converts_is_changed_and_the_rest_is_reported() {
    let both = format!("{SAFE}{GONE}");
    let tree = Tree::new(&[("src/a.cu", SAFE), ("src/b.cu", &both), ("c.cu", SAFE)]);
    let done = tree.run(&["check", "--fix", "src", "--output-format", "concise"]);
    assert_eq!(tree.read("src/a.cu"), PORTED);
    assert_eq!(tree.read("src/b.cu"), format!("{PORTED}{GONE}"));
    assert_eq!(tree.read("c.cu"), SAFE);
    assert_eq!(done.code, 1);
    assert!(
        done.err.contains("fixed: 4 lines in 2 files"),
        "{}",
        done.err
    );
    let findings: Vec<&str> = done
        .out
        .lines()
        .filter(|line| line.contains("[CASS"))
        .collect();
    assert!(
        matches!(findings.as_slice(), [one] if one.starts_with("src/b.cu:3:") && one.contains("CASS003")),
        "{}",
        done.out
    );
    let again = tree.run(&["check", "--fix", "src"]);
    assert_eq!(
        (again.code, tree.read("src/b.cu")),
        (1, format!("{PORTED}{GONE}"))
    );
    assert!(
        again.err.contains("fixed: 0 lines in 0 files"),
        "{}",
        again.err
    );
}

#[test]
fn files_of_a_hook_are_changed_unless_they_are_excluded() {
    let tree = Tree::new(&[("src/a.cu", SAFE), ("lib/b.cu", SAFE), ("lib/c.cu", SAFE)]);
    tree.write("cass.toml", b"[files]\nexclude = [\"lib/c.cu\"]\n");
    let done = tree.run(&[
        "check",
        "--fix",
        "--force-exclude",
        "src/a.cu",
        "lib/b.cu",
        "lib/c.cu",
    ]);
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    assert_eq!(
        (tree.read("src/a.cu"), tree.read("lib/b.cu")),
        (PORTED.to_owned(), PORTED.to_owned())
    );
    assert_eq!(tree.read("lib/c.cu"), SAFE);
}

#[test]
fn only_changed_files_are_fixed_where_git_is_asked() {
    let tree = Tree::new(&[("repo/old.cu", SAFE), ("repo/edited.cu", "int a;\n")]);
    let git = |arguments: &[&str]| tree.git(&[&["-C", "repo"], arguments].concat());
    git(&["init", "-q"]);
    git(&["add", "."]);
    git(&["commit", "-qm", "one"]);
    tree.write("repo/edited.cu", SAFE.as_bytes());
    let done = tree.run(&["check", "--fix", "--changed", "repo"]);
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    assert_eq!(
        (tree.read("repo/edited.cu"), tree.read("repo/old.cu")),
        (PORTED.to_owned(), SAFE.to_owned())
    );
}

#[test]
fn reports_for_programs_hold_nothing_else() {
    let tree = Tree::new(&[("a.cu", SAFE)]);
    let done = tree.run(&["check", "--fix", "a.cu", "--output-format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&done.out).expect("JSON alone");
    assert_eq!(report["totals"]["counts"]["errors"], 0, "{report}");
    assert_eq!(tree.read("a.cu"), PORTED);
}
