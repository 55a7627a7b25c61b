//! What people type who know other linters: no path, a misspelt command, `-`, several sources, `--watch`.

use std::io::{BufRead as _, BufReader};
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::common::{Done, GONE, SAFE, Tree, done};

fn with_input(tree: &Tree, arguments: &[&str], input: &str) -> Done {
    done(tree.command().args(arguments).write_stdin(input))
}

#[test]
fn the_current_folder_is_the_default() {
    let tree = Tree::new(&[("a/gone.cu", GONE)]);
    let checked = tree.run(&["check"]);
    assert_eq!(checked.code, 1);
    // Named as people and editors name a file of this folder.
    assert!(
        checked.out.starts_with("a/gone.cu:1:24: error[CASS003]"),
        "{}",
        checked.out
    );
    tree.write("a/safe.cu", SAFE.as_bytes());
    assert!(tree.run(&["diff"]).out.contains("--- a/a/safe.cu"));
    let bare = tree.run(&[]);
    assert!(
        bare.code == 2
            && bare.err.contains("cass-transpile check")
            && bare.err.lines().count() < 10
    );
}

#[test]
fn misspelt_commands_are_named() {
    let tree = Tree::new(&[("src/a.cu", SAFE)]);
    for (typed, meant) in [
        (vec!["chekc", "src"], "`cass-transpile check`"),
        (vec!["chekc", "src", "out"], "`cass-transpile check`"),
        (
            vec!["chekc", "--fail-on", "error"],
            "`cass-transpile check`",
        ),
        (vec!["version"], "`cass-transpile --version`"),
        (vec!["difff"], "`cass-transpile diff`"),
        (vec!["check", "explian"], "`cass-transpile explain`"),
    ] {
        let done = tree.run(&typed);
        assert!(
            done.code == 2 && done.err.contains(meant),
            "{typed:?}: {}",
            done.err
        );
    }
    // A file of that name is a file.
    let unknown = tree.run(&["check", "src", "--bogus"]);
    assert_eq!(unknown.code, 2);
    let says = unknown.err.contains("unexpected argument '--bogus'");
    assert!(
        says && unknown.err.contains("cass-transpile check"),
        "{}",
        unknown.err
    );
    tree.write("chekc", b"");
    assert_eq!(tree.run(&["chekc", "src", "out"]).code, 0);
}

#[test]
fn standard_input_is_checked_and_shown_as_a_patch() {
    let tree = Tree::new(&[]);
    let checked = with_input(&tree, &["check", "-", "--stdin-filename", "x/k.cu"], GONE);
    assert_eq!(checked.code, 1);
    assert!(
        checked.out.starts_with("x/k.cu:1:24: error[CASS003]"),
        "{}",
        checked.out
    );
    let patch = with_input(&tree, &["diff", "-", "--exit-code"], SAFE);
    assert!(
        patch.code == 1 && patch.out.contains("--- a/stdin.cu"),
        "{}",
        patch.out
    );
    assert_eq!(
        with_input(&tree, &["check", "-", "--changed"], GONE).code,
        2
    );
    assert_eq!(with_input(&tree, &["diff", "-", "out"], GONE).code, 2);
}

#[test]
fn standard_input_follows_the_settings_of_the_file_it_stands_for() {
    let tree = Tree::new(&[]);
    tree.write("quiet/cass.toml", b"[rules]\nignore = [\"all\"]\n");
    let named =
        |name: &str| with_input(&tree, &["check", "-", "--stdin-filename", name], GONE).code;
    assert_eq!((named("quiet/k.cu"), named("k.cu")), (0, 1));
}

#[test]
fn several_sources_keep_their_places() {
    let tree = Tree::new(&[("p/src/a.cu", SAFE), ("p/lib/b.cu", SAFE), ("p/c.cu", SAFE)]);
    let done = tree.run(&["p/src", "p/lib/b.cu", "out"]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(
        tree.read("out/src/a.cu").contains("hipFree")
            && tree.read("out/lib/b.cu").contains("hipFree")
    );
    assert!(!tree.path("out/c.cu").exists());
    assert_eq!(
        tree.run(&["p/src/a.cu", "p/lib/b.cu", "-o", "x.hip"]).code,
        2
    );
    assert_eq!(tree.run(&["p/src/a.cu", "missing.cu", "out"]).code, 2);
    let dry = tree.run(&["--dry-run", "p"]);
    assert!(
        dry.code == 0 && dry.out.contains("3 would be translated"),
        "{}",
        dry.err
    );
    assert_eq!(tree.run(&["--in-place", "p/src", "p/lib"]).code, 0);
    assert!(
        tree.read("p/lib/b.cu").contains("hipFree") && !tree.read("p/c.cu").contains("hipFree")
    );
}

#[test]
fn quiet_and_verbose_are_taken_everywhere_and_before_the_command() {
    let tree = Tree::new(&[("src/gone.cu", GONE)]);
    for arguments in [["check", "-q", "src"], ["-q", "check", "src"]] {
        let done = tree.run(&arguments);
        assert!(
            done.code == 1 && done.out.contains("CASS003") && done.err.is_empty(),
            "{}",
            done.err
        );
    }
    let done = tree.run(&["src", "out", "-q"]);
    assert!(done.code == 0 && done.out.is_empty() && done.err.is_empty());
    let done = tree.run(&["check", "src", "--verbose"]);
    assert!(
        done.err.contains("no cass.toml") && done.err.contains(" files in "),
        "{}",
        done.err
    );
    for command in ["query", "explain", "rules", "shim", "status", "lsp"] {
        assert!(
            tree.run(&[command, "--help"]).out.contains("--quiet"),
            "{command}"
        );
    }
    let misplaced = tree.run(&["--blas", "roc", "check", "src"]);
    assert!(
        misplaced.code == 2 && misplaced.err.contains("behind `check`"),
        "{}",
        misplaced.err
    );
}

#[test]
fn counts_go_by_rule_name_or_folder() {
    let tree = Tree::new(&[("a/gone.cu", GONE), ("b/gone.cu", GONE)]);
    let counted = |by: &str| tree.run(&["check", by]).out;
    assert!(counted("--statistics").contains("2  CASS003  unsupported-api"));
    assert!(
        counted("--statistics=name").contains("CASS003  cuda"),
        "{}",
        counted("--statistics=name")
    );
    assert_eq!(counted("--statistics=folder").lines().count(), 2);
    assert_eq!(tree.run(&["check", "--statistics=size"]).code, 2);
}

#[test]
fn findings_that_translation_deals_with_are_marked_and_counted() {
    let tree = Tree::new(&[(
        "a.h",
        "#pragma once\n#if CUDA_VERSION >= 11000\nint f();\n#endif\n",
    )]);
    let done = tree.run(&["check"]);
    let marked = done.out.matches("]: [*] ").count();
    let counted = format!("[*] translation makes the change for {marked} of these findings");
    assert!(
        marked == 0 || done.err.contains(&counted),
        "{}{}",
        done.out,
        done.err
    );
    tree.write(
        "b.cu",
        b"__global__ void k(int *p) { p[0] = __shfl_sync(0xff, p[0], 1); }\n",
    );
    let done = tree.run(&["check", "b.cu", "--show", "info"]);
    assert!(done.out.contains("]: [*] "), "{}", done.out);
    assert!(!tree.run(&["b.cu", "-o", "-"]).out.contains("[*]"));
}

#[test]
fn a_watch_checks_again_after_a_change() {
    let tree = Tree::new(&[("src/a.cu", SAFE)]);
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_cass-transpile"))
        .current_dir(tree.folder.path())
        .args(["check", "--watch", "src", "--output-format", "concise"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut notes = BufReader::new(child.stderr.take().expect("piped")).lines();
    let mut ready = || {
        notes
            .by_ref()
            .map_while(Result::ok)
            .any(|line| line.contains("watching"))
    };
    assert!(ready(), "the first run ends");
    tree.write("src/a.cu", GONE.as_bytes());
    let mut lines = BufReader::new(child.stdout.take().expect("piped")).lines();
    let begin = Instant::now();
    let found = lines.next().and_then(Result::ok).unwrap_or_default();
    let waited = begin.elapsed();
    let _ = child.kill();
    let _ = child.wait();
    assert!(found.contains("error[CASS003]"), "{found}");
    assert!(waited < Duration::from_secs(60));
}
