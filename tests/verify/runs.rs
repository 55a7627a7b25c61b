//! Commands that hang, flood, are missing or are interrupted; records that are missing, damaged or large.

use std::time::{Duration, Instant};

use super::common::Tree;
use super::compared;

#[test]
fn a_command_that_hangs_is_ended_with_what_it_started() {
    let tree = Tree::new(&[]);
    let start = Instant::now();
    let done = tree.run(&[
        "verify",
        "record",
        "-o",
        "g",
        "--timeout",
        "0.3",
        "--",
        "sh",
        "-c",
        "echo 1; sleep 97 & sleep 98",
    ]);
    assert!(
        start.elapsed() < Duration::from_secs(60),
        "it was waited for"
    );
    assert!(done.err.contains("out of time"), "{}", done.err);
    let left = std::process::Command::new("pgrep")
        .args(["-f", "sleep 9[78]$"])
        .output();
    if let Ok(left) = left {
        assert!(left.stdout.is_empty(), "a child runs on");
    }
    let done = compared("echo 1", "echo 1; sleep 99", &["--timeout", "0.3"]);
    assert!(done.out.contains("error[timed-out]"), "{}", done.out);
}

#[test]
fn a_child_that_stays_behind_holds_nobody_up() {
    let start = Instant::now();
    let done = compared("echo 1", "echo 1; (sleep 20 &)", &[]);
    assert_eq!(done.code, 0, "{}", done.out);
    assert!(start.elapsed() < Duration::from_secs(15));
}

#[test]
fn a_flood_of_output_is_ended() {
    let tree = Tree::new(&[]);
    let done = tree.run(&[
        "verify",
        "record",
        "-o",
        "g",
        "--max-output",
        "1",
        "--",
        "yes",
    ]);
    assert!(
        done.err.contains("more output than allowed"),
        "{}",
        done.err
    );
}

#[test]
fn what_is_missing_is_named_with_its_remedy() {
    let tree = Tree::new(&[("bad", "hello\n"), ("cut", "")]);
    let cases: &[(&[&str], &str)] = &[
        (
            &["verify", "record", "-o", "g", "--", "./nothing"],
            "cannot be started",
        ),
        (
            &["verify", "record", "-o", "g"],
            "no command and no verify.toml",
        ),
        (&["verify", "record", "--", "true"], "-o FILE"),
        (&["verify", "run", "--", "true"], "--against"),
        (&["verify", "compare", "none", "bad"], "verify record -o"),
        (&["verify", "compare", "bad", "bad"], "is no record"),
        (&["verify", "compare", "cut", "bad"], "is no record"),
        (
            &[
                "verify",
                "run",
                "--emulate=/nowhere",
                "-o",
                "r",
                "--",
                "true",
            ],
            "no emulator in /nowhere",
        ),
        (
            &["verify", "run", "--costs", "-o", "r", "--", "true"],
            "--emulate",
        ),
        (
            &[
                "verify", "record", "-o", "g", "--stdin", "none", "--", "true",
            ],
            "none: cannot be read",
        ),
        (&["verify", "record", "-o", "no/such\0", "--", "true"], ""),
    ];
    for (arguments, message) in cases {
        if arguments.iter().any(|word| word.contains('\0')) {
            continue;
        }
        let done = tree.run(arguments);
        assert_eq!(done.code, 2, "{arguments:?}: {}", done.out);
        assert!(done.err.contains(message), "{arguments:?}: {}", done.err);
    }
    assert!(!tree.path("g").exists(), "no record of a run that was none");
}

#[test]
fn a_record_that_was_cut_off_is_no_record() {
    let tree = Tree::new(&[("a/prog", "echo 1; echo 2")]);
    tree.recorded();
    let text = tree.read("gold.jsonl");
    let end = text.find("{\"end\"").expect("it has an end");
    tree.write("cut.jsonl", &text.as_bytes()[..end]);
    let done = tree.run(&["verify", "compare", "gold.jsonl", "cut.jsonl"]);
    assert_eq!(done.code, 2);
    assert!(done.err.contains("cut off"), "{}", done.err);
}

#[test]
fn cases_of_a_manifest_are_all_run_and_missing_ones_are_named() {
    let manifest = "[defaults]\nrun = 'sh b.sh'\n[[case]]\nname = 'one'\nrecord = 'sh a.sh 1'\nargs = '1'\n[[case]]\nname = 'two'\nrecord = 'sh a.sh'\nargs = '2'\n";
    let tree = Tree::new(&[
        ("p/verify.toml", manifest),
        ("p/a.sh", "echo value 1.5"),
        ("p/b.sh", "echo value 1.5"),
    ]);
    let manifest = ["--manifest", "p/verify.toml"];
    let step = |words: &[&str]| tree.run(&[words, &manifest].concat());
    assert_eq!(step(&["verify", "record", "-o", "g"]).code, 0);
    let done = step(&["verify", "run", "--against", "g", "-o", "r"]);
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    assert!(done.out.contains("2 of 2 cases"), "{}", done.out);
    let done = step(&["verify", "run", "--against", "g", "--case", "two"]);
    assert!(done.out.contains("error[case-missing]"), "{}", done.out);
}

#[test]
fn a_large_output_is_compared_line_by_line() {
    let loud = |last: &str| format!("seq -f 'line %.0f value 1.25' 1 200000; echo last {last}");
    let same = compared(&loud("1.5"), &loud("1.5"), &[]);
    assert_eq!(same.code, 0, "{}", same.out);
    assert!(same.out.contains("200001 lines"), "{}", same.out);
    let other = compared(&loud("1.5"), &loud("1.6"), &[]);
    assert!(other.out.contains("main/stdout:200001"), "{}", other.out);
}

#[test]
fn an_interrupted_record_leaves_nothing_behind() {
    let tree = Tree::new(&[]);
    let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin("cass-transpile"))
        .current_dir(tree.folder.path())
        .args(["verify", "record", "-o", "g", "--", "sleep", "96"])
        .stderr(std::process::Stdio::null())
        .spawn()
        .expect("it starts");
    std::thread::sleep(Duration::from_millis(700));
    let status = std::process::Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(status.expect("kill runs").success());
    let status = child.wait().expect("it ends");
    assert_eq!(status.code(), Some(130));
    assert!(!tree.path("g").exists());
    let left = std::fs::read_dir(tree.folder.path())
        .expect("readable")
        .count();
    assert_eq!(left, 0, "a temporary file is left");
}

#[test]
fn the_emulator_is_looked_for_beside_the_program_where_no_folder_is_named() {
    let tree = Tree::new(&[]);
    let command = ["verify", "run", "--emulate", "-o", "r", "--", "true"];
    let beside = assert_cmd::cargo::cargo_bin("cass-transpile");
    let beside = beside.parent().expect("it lies in a folder");
    let done = tree.run(&command);
    // A build of the whole workspace has laid it there.
    if done.code != 0 {
        let place = beside.display().to_string();
        assert!(done.err.contains("no emulator in "), "{}", done.err);
        assert!(done.err.contains(&place), "{}", done.err);
    }
}
