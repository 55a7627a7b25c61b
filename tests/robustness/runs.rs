//! Runs that are interrupted, run at once or in many threads, and files that go away under them.

use std::fs;
use std::path::Path;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use crate::common::{SAFE, Tree};
use crate::{files, many, start};

#[test]
fn an_interrupted_run_leaves_whole_files_and_can_be_finished() {
    let tree = many(700);
    assert_eq!(tree.run(&["src", "whole", "--quiet"]).code, 0);
    let mut child = start(&tree, &["src", "out", "--jobs", "2"]);
    let begun = Instant::now();
    while !tree.path("out").exists() && begun.elapsed() < Duration::from_secs(20) {
        std::thread::sleep(Duration::from_millis(2));
    }
    let sent = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .expect("there is a kill");
    assert!(sent.success());
    let status = child.wait().expect("it ends");
    let whole = files(&tree.path("whole"));
    let partial = files(&tree.path("out"));
    assert_eq!(
        status.code(),
        Some(130),
        "{} of {} files were written",
        partial.len(),
        whole.len()
    );
    assert!(partial.len() < whole.len(), "it was stopped before its end");
    for (name, bytes) in &partial {
        assert_eq!(whole.get(name), Some(bytes), "{}", name.display());
    }
    assert_eq!(tree.run(&["src", "out", "--quiet"]).code, 0);
    assert_eq!(files(&tree.path("out")), whole);
}

#[test]
fn two_runs_at_once_write_the_same_output() {
    let tree = many(150);
    assert_eq!(tree.run(&["src", "alone", "--quiet"]).code, 0);
    tree.write("out/cass-report.json", b"{}");
    let runs: Vec<Child> = (0..3)
        .map(|_| start(&tree, &["src", "out", "--quiet"]))
        .collect();
    for run in runs {
        let output = run.wait_with_output().expect("it ends");
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
    assert_eq!(files(&tree.path("out")), files(&tree.path("alone")));
    serde_json::from_str::<serde_json::Value>(&tree.read("out/cass-report.json"))
        .expect("a whole report");
}

#[test]
fn threads_do_not_change_a_byte() {
    let tree = Tree::new(&[]);
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/corpus");
    let corpus = corpus.to_str().expect("UTF-8");
    for (jobs, out) in [("1", "one"), ("8", "eight")] {
        assert_eq!(tree.run(&[corpus, out, "--jobs", jobs, "--quiet"]).code, 0);
    }
    assert_eq!(files(&tree.path("one")), files(&tree.path("eight")));
    assert_eq!(
        tree.read("one/cass-report.json"),
        tree.read("eight/cass-report.json")
    );
    let check = |jobs| {
        tree.run(&["check", corpus, "--jobs", jobs, "--output-format", "json"])
            .out
    };
    assert_eq!(check("1"), check("8"));
}

#[test]
fn a_file_that_goes_away_fails_alone() {
    use cass_transpile::mapping::ApiTable;
    use cass_transpile::pipeline::{Filter, Interrupted, Naming, Plan, Processed, run, walk};
    use cass_transpile::rules::{Options, Session};
    let tree = Tree::new(&[("src/a.cu", SAFE), ("src/b.cu", SAFE)]);
    let (entries, _) = walk(&tree.path("src"), &Filter::default()).expect("it is there");
    let plan = Plan::new(entries, Naming::Keep);
    let session = Session::new(Options::default(), ApiTable::builtin());
    fs::remove_file(tree.path("src/a.cu")).expect("it was there");
    let failed = run(
        &plan.files,
        &session,
        &Interrupted::new(false),
        |_, processed| matches!(processed, Processed::Failed { .. }),
    );
    assert_eq!(failed, [true, false]);
}
