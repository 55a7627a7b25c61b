//! The action, and the workflow that tests it.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::common::{Done, GONE, SAFE};
use crate::runner::Runner;
use crate::yaml::{self, Step};

const WARNING: &str = "#pragma once\n#if CUDA_VERSION >= 11000\nint f();\n#endif\n";

fn run(runner: &Runner, inputs: &[(&str, &str)]) -> Done {
    let pairs = inputs
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    runner.action(&pairs.collect())
}

fn results(runner: &Runner, sarif: &str) -> Vec<Value> {
    let log: Value =
        serde_json::from_str(&runner.tree.read(&format!("work/{sarif}"))).expect("JSON");
    log["runs"][0]["results"]
        .as_array()
        .expect("results")
        .clone()
}

#[test]
fn findings_become_annotations_a_log_and_a_failure() {
    let runner = Runner::new(&[("gpu/gone.cu", GONE), ("safe/safe.cu", SAFE)]);
    let done = run(&runner, &[("paths", "gpu safe")]);
    assert_eq!(done.code, 1, "{}", done.err);
    assert!(
        done.out
            .starts_with("::error file=gpu/gone.cu,line=1,col=24,")
            && done
                .out
                .ends_with("\ncass-transpile: 2 files checked, 2 with CUDA: 1 error, 0 warnings\n")
            && done.out.lines().count() == 2,
        "{}",
        done.out
    );
    let found = results(&runner, "cass-transpile.sarif");
    assert_eq!(found.len(), 1);
    let place = &found[0]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "gpu/gone.cu");
}

#[test]
fn every_input_counts() {
    let runner = Runner::new(&[
        ("gone.cu", GONE),
        ("safe/safe.cu", SAFE),
        ("warn/warn.h", WARNING),
    ]);
    assert_eq!(run(&runner, &[("paths", "safe")]).code, 0);
    assert_eq!(run(&runner, &[("paths", "missing")]).code, 2);
    // Without paths it is all of the checkout, the example's errors too.
    let all = run(&runner, &[]);
    assert!(
        all.code == 1
            && all.out.contains("file=gone.cu")
            && all.out.contains("file=fixtures/example"),
        "{}",
        all.out
    );
    let warned = run(&runner, &[("paths", "warn")]);
    assert!(
        warned.code == 1 && warned.out.starts_with("::warning "),
        "{}",
        warned.out
    );
    assert_eq!(
        run(&runner, &[("paths", "warn"), ("fail-on", "error")]).code,
        0
    );
    let arguments = "--ignore CASS003 --rocm 7.0";
    assert_eq!(
        run(&runner, &[("paths", "gone.cu"), ("arguments", arguments)]).code,
        0
    );
    run(
        &runner,
        &[("paths", "gone.cu"), ("sarif", "a folder/log.sarif")],
    );
    assert_eq!(results(&runner, "a folder/log.sarif").len(), 1);
}

#[test]
fn names_have_blanks_and_the_job_a_summary() {
    let runner = Runner::new(&[("my gpu code/gone.cu", GONE), ("safe/safe.cu", SAFE)]);
    let folder = run(&runner, &[("paths", "my gpu code")]);
    assert!(
        folder.code == 1 && folder.out.contains("file=my gpu code/gone.cu"),
        "{} {}",
        folder.out,
        folder.err
    );
    let summary = runner.tree.read("summary.md");
    assert!(
        summary.starts_with("## CUDA to HIP: 1 place to change"),
        "{summary}"
    );
    let lines = run(&runner, &[("paths", "safe\nmy gpu code\n")]);
    assert!(
        lines.code == 1 && lines.out.contains("file=my gpu code/gone.cu"),
        "{} {}",
        lines.out,
        lines.err
    );
    // The shell still finds the files of a pattern.
    assert_eq!(run(&runner, &[("paths", "safe/*.cu")]).code, 0);
    std::fs::remove_file(runner.tree.path("summary.md")).expect("it was written");
    run(&runner, &[("paths", "safe"), ("summary", "false")]);
    assert!(!runner.tree.path("summary.md").exists());
}

#[test]
fn a_pull_request_is_checked_for_what_it_changes() {
    let runner = Runner::new(&[("old.cu", GONE)]);
    let git = "rm -rf .git; git init -q -b main; git config user.name x; git config user.email x@example.org; \
git add -A; git commit -qm one; git update-ref refs/remotes/origin/main HEAD; cp old.cu new.cu; git add -A; git commit -qm two";
    assert_eq!(runner.shell(&Step::of(git), &BTreeMap::new()).code, 0);
    let inputs = BTreeMap::from([("only-changed".to_owned(), "true".to_owned())]);
    let push = runner.action(&inputs);
    assert!(push.out.contains("file=old.cu"), "{}", push.out);
    let request = runner.action_with(&inputs, &[("GITHUB_BASE_REF", "main")]);
    assert!(
        request.code == 1 && !request.out.contains("old.cu") && request.out.contains("file=new.cu"),
        "{} {}",
        request.out,
        request.err
    );
}

#[test]
fn a_release_is_installed_as_a_wheel_and_a_checkout_compiled_only_on_demand() {
    let version = env!("CARGO_PKG_VERSION");
    for chosen in ["", version, &format!("v{version}"), "source"] {
        let runner = Runner::new(&[("safe.cu", SAFE)]);
        let done = run(&runner, &[("version", chosen), ("paths", "safe.cu")]);
        assert_eq!(done.code, 0, "{chosen}: {}", done.err);
    }
    let runner = Runner::new(&[("safe.cu", SAFE)]);
    let other = run(&runner, &[("version", "9.9.9"), ("paths", "safe.cu")]);
    assert!(
        other.code != 0 && other.err.contains("9.9.9"),
        "{}",
        other.err
    );
}

#[test]
fn a_baseline_holds_what_is_known() {
    let runner = Runner::new(&[("gone.cu", GONE)]);
    let known = Step::of("cass-transpile check gone.cu --baseline known.json --update-baseline");
    run(&runner, &[("paths", "gone.cu")]);
    assert_eq!(runner.shell(&known, &BTreeMap::new()).code, 0);
    let inputs = [("paths", "gone.cu"), ("baseline", "known.json")];
    assert_eq!(run(&runner, &inputs).code, 0);
}

/// The steps of `.github/workflows/action.yml` in their order: the action where it is used, and bash for the rest.
#[test]
fn the_workflow_of_the_action_passes() {
    let runner = Runner::new(&[]);
    let mut known = BTreeMap::new();
    let mut uses = 0;
    for step in yaml::steps(&yaml::read(".github/workflows/action.yml")) {
        let done = match step.uses.as_deref() {
            Some("./.github") => {
                uses += 1;
                runner.action(&step.with)
            }
            Some(other) => {
                assert!(other.starts_with("actions/checkout@"), "{other}");
                continue;
            }
            None => runner.shell(&step, &known),
        };
        let outcome = if done.code == 0 { "success" } else { "failure" };
        if let Some(id) = &step.id {
            known.insert(format!("steps.{id}.outcome"), outcome.to_owned());
        }
        assert!(
            done.code == 0 || step.may_fail,
            "{:?}: {} {}",
            step.run,
            done.out,
            done.err
        );
    }
    assert!(uses >= 2, "the workflow does not test the action");
}
