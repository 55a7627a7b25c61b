//! `status`, `diff` and `accept`: how a port stands to its sources.

use serde_json::Value;

use crate::common::{GONE, SAFE, Tree};

/// A port with a file of each kind of state; `up.cu` and `both.cu` moved upstream, `hand.cu` and `both.cu` were changed by hand.
fn mixed() -> Tree {
    let long = "// one\n// two\n// three\n// four\nint a() { return cudaFree(0); }\n";
    let tree = Tree::new(&[
        ("src/same.cu", SAFE),
        ("src/up.cu", long),
        ("src/hand.cu", long),
        ("src/both.cu", long),
        ("src/clash.cu", long),
        ("src/away.cu", SAFE),
        ("src/old.cu", SAFE),
        ("src/todo.cu", &format!("{GONE}// line\n{GONE}")),
    ]);
    assert_eq!(tree.run(&["src", "out"]).code, 0);
    let edit = |name: &str, old: &str, new: &str| {
        let text = tree.read(name);
        assert!(text.contains(old), "{name}: {text}");
        tree.write(name, text.replacen(old, new, 1).as_bytes());
    };
    edit("src/up.cu", "// one", "// ONE");
    edit("out/hand.cu", "// one", "// by hand");
    edit("src/both.cu", "// one", "// ONE");
    edit("out/both.cu", "hipFree(0)", "mine(0)");
    edit("src/clash.cu", "// one", "// ONE");
    edit("out/clash.cu", "// one", "// by hand");
    edit(
        "out/todo.cu",
        "cudaDeviceFlushGPUDirectRDMAWrites(t, o);",
        "my_fence();",
    );
    std::fs::remove_file(tree.path("out/away.cu")).expect("it is there");
    std::fs::remove_file(tree.path("src/old.cu")).expect("it is there");
    tree.write(
        "src/new.cu",
        b"int n() { return cudaFree(0); }\n// only here\n",
    );
    tree
}

#[test]
fn the_state_fits_on_a_screen() {
    let tree = mixed();
    let done = tree.run(&["status", "src", "out"]);
    assert_eq!(done.code, 0, "{}", done.err);
    let expected = "  1 in sync
  1 behind: the next run updates them: up.cu
  1 new: the next run adds them: new.cu
  1 behind and changed by hand: the next run merges both: both.cu
  1 in conflict: choose one by hand: clash.cu
  2 changed by hand: hand.cu, todo.cu
  1 deleted by hand: away.cu
  1 gone from the sources: --prune removes them: old.cu
findings: 1 error, 0 warnings open; 1 resolved by hand
last run: cass-transpile 0.1.0
";
    assert_eq!(done.out, expected);
    let json: Value = serde_json::from_str(
        &tree
            .run(&["status", "src", "out", "--output-format", "json"])
            .out,
    )
    .expect("JSON");
    assert_eq!(json["port"]["counts"]["edited"], 2);
    assert_eq!(json["findings"]["by_hand"], 1);
    // Nothing was written by looking.
    assert_eq!(tree.run(&["status", "src", "out"]).out, expected);
}

#[test]
fn drift_is_told_from_work_by_hand() {
    let tree = mixed();
    let drift = tree.run(&["diff", "src", "out"]);
    assert_eq!(drift.code, 1, "{}", drift.err);
    for name in ["up.cu", "both.cu", "clash.cu", "new.cu", "old.cu"] {
        assert!(
            drift.out.contains(&format!("diff --git a/{name}")),
            "{name}: {}",
            drift.out
        );
    }
    for name in ["hand.cu", "same.cu", "away.cu", "todo.cu"] {
        assert!(!drift.out.contains(name), "{name}: {}", drift.out);
    }
    let note = "5 files changed by hand, 0 of them accepted";
    assert!(drift.err.contains(note), "{}", drift.err);
    // The patch does what the next run would do.
    tree.write("drift.patch", drift.out.as_bytes());
    tree.git(&["init", "-q", "."]);
    tree.git(&["apply", "--directory=out", "drift.patch"]);
    let after: Vec<String> = ["up.cu", "both.cu", "clash.cu", "new.cu"]
        .map(|name| tree.read(&format!("out/{name}")))
        .into();
    assert!(
        after[1].contains("// ONE") && after[1].contains("mine(0)"),
        "{}",
        after[1]
    );
    assert!(!tree.path("out/old.cu").exists());
}

#[test]
fn work_by_hand_is_shown_as_a_patch() {
    let tree = mixed();
    let hand = tree.run(&["diff", "src", "out", "--by-hand"]);
    assert_eq!(hand.code, 1, "{}", hand.err);
    for part in [
        "a/hand.cu",
        "-// one\n+// by hand",
        "+int a() { return mine(0); }",
        "deleted file mode 100644",
        "a/away.cu",
    ] {
        assert!(hand.out.contains(part), "{part}: {}", hand.out);
    }
    assert!(!hand.out.contains("ONE"), "{}", hand.out);
}

#[test]
fn accepted_work_is_no_difference_until_the_sources_move() {
    let tree = Tree::new(&[
        (
            "src/a.cu",
            "// one\n// two\n// three\nint a() { return cudaFree(0); }\n",
        ),
        ("src/b.cu", SAFE),
    ]);
    tree.run(&["src", "out"]);
    tree.write(
        "out/a.cu",
        tree.read("out/a.cu").replace("(0)", "(mine)").as_bytes(),
    );
    assert_eq!(tree.run(&["diff", "src", "out"]).code, 1);
    let done = tree.run(&["accept", "src", "out", "out/a.cu"]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(
        done.out.starts_with("accepted work by hand in 1 file;"),
        "{}",
        done.out
    );
    let none = tree.run(&["diff", "src", "out"]);
    assert_eq!((none.code, none.out.as_str()), (0, ""), "{}", none.err);
    assert!(none.err.contains("1 of them accepted"), "{}", none.err);
    // The sources move: that is drift, and once it is merged the work is accepted still.
    tree.write(
        "src/a.cu",
        tree.read("src/a.cu").replace("// one", "// ONE").as_bytes(),
    );
    assert_eq!(tree.run(&["diff", "src", "out"]).code, 1);
    assert_eq!(tree.run(&["src", "out"]).code, 0);
    assert_eq!(tree.run(&["diff", "src", "out"]).code, 0);
    assert!(tree.read("out/a.cu").contains("// ONE") && tree.read("out/a.cu").contains("(mine)"));
    // More work by hand is not.
    tree.write(
        "out/a.cu",
        tree.read("out/a.cu").replace("// two", "// TWO").as_bytes(),
    );
    assert_eq!(tree.run(&["diff", "src", "out"]).code, 1);
    let wrong = tree.run(&["accept", "src", "out", "nothing.cu"]);
    assert_eq!(wrong.code, 2);
    assert!(
        wrong.err.contains("the sources make no such file"),
        "{}",
        wrong.err
    );
}

#[test]
fn a_port_from_before_manifests_is_adopted() {
    let long = "// one\n// two\n// three\nint a() { return cudaFree(0); }\n";
    let tree = Tree::new(&[("src/a.cu", long), ("src/b.cu", SAFE)]);
    tree.run(&["src", "out"]);
    std::fs::remove_dir_all(tree.path("out/.cass")).expect("it is there");
    tree.write(
        "out/a.cu",
        tree.read("out/a.cu").replace("(0)", "(mine)").as_bytes(),
    );
    assert_eq!(tree.run(&["src", "out"]).code, 1);
    std::fs::remove_dir_all(tree.path("out/.cass")).expect("it is there");
    let done = tree.run(&["adopt", "src", "out"]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert_eq!(tree.run(&["diff", "src", "out"]).code, 0);
    // From now on it is merged as any port.
    tree.write("src/a.cu", long.replace("// one", "// ONE").as_bytes());
    assert_eq!(tree.run(&["src", "out"]).code, 0);
    let text = tree.read("out/a.cu");
    assert!(text.contains("// ONE") && text.contains("(mine)"), "{text}");
}

#[test]
fn what_the_options_change_is_said() {
    let tree = Tree::new(&[
        (
            "src/a.cu",
            "__global__ void k() {}\nvoid f() { k<<<1, 2>>>(); }\n",
        ),
        ("src/b.cu", SAFE),
    ]);
    tree.run(&["src", "out"]);
    let done = tree.run(&["status", "src", "out", "--launch", "ggl"]);
    assert!(
        done.out
            .contains("1 behind: the next run updates them: a.cu"),
        "{}",
        done.out
    );
    assert!(
        done.out
            .contains("options that differ from the last run: launch"),
        "{}",
        done.out
    );
    // A newer version of the tool is such a run: what it does otherwise comes, the rest stays.
    let manifest = tree
        .read("out/.cass/manifest.json")
        .replace("cass-transpile 0.1.0", "cass-transpile 0.0.9");
    tree.write("out/.cass/manifest.json", manifest.as_bytes());
    tree.write(
        "out/b.cu",
        format!("// mine\n{}", tree.read("out/b.cu")).as_bytes(),
    );
    let before = tree.read("out/b.cu");
    assert_eq!(tree.run(&["src", "out", "--launch", "ggl"]).code, 0);
    assert_eq!(tree.read("out/b.cu"), before);
    assert!(tree.read("out/a.cu").contains("hipLaunchKernelGGL"));
    assert!(
        tree.run(&["status", "src", "out", "--launch", "ggl"])
            .out
            .contains("last run: cass-transpile 0.1.0")
    );
}
