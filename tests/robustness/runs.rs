//! Runs that are interrupted, run at once or in many threads, and files that go away under them.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use cass_transpile::engine::{FileOutcome, Session};
use cass_transpile::mapping::ApiTable;
use cass_transpile::options::Options;
use cass_transpile::pipeline::{
    Filter, Interrupted, Naming, Plan, Processed, Stage, Watcher, index_project, run, walk,
};

use crate::common::{GONE, SAFE, Tree};
use crate::{files, many, shell, start};

/// Ends a test that waits for something that never comes; nothing is said of how long things take.
const HANG: Duration = Duration::from_secs(60);

fn wait_for(what: &str, is_so: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < HANG, "{what} never came");
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn signal(name: &str, child: &Child) {
    let sent = Command::new("kill")
        .args([name, &child.id().to_string()])
        .status();
    assert!(sent.expect("there is a kill").success());
}

#[test]
fn an_interrupted_run_leaves_whole_files_and_can_be_finished() {
    let tree = many(700);
    assert_eq!(tree.run(&["src", "whole", "--quiet"]).code, 0);
    let child = start(&tree, &["src", "out", "--jobs", "2"]);
    wait_for("output", || tree.path("out").exists());
    signal("-INT", &child);
    let ended = child.wait_with_output().expect("it ends");
    let (status, said) = (ended.status, String::from_utf8_lossy(&ended.stdout));
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
    assert!(
        said.starts_with("interrupted; of the files so far:\n"),
        "{said}"
    );
    assert!(!said.contains("written to"), "{said}");
    let report = Path::new("cass-report.json");
    assert!(!partial.contains_key(report), "a part passes for the whole");
    for (name, bytes) in &partial {
        assert_eq!(whole.get(name), Some(bytes), "{}", name.display());
    }
    assert_eq!(tree.run(&["src", "out", "--quiet"]).code, 0);
    assert_eq!(files(&tree.path("out")), whole);
}

/// Services and `timeout` send one signal; here nothing else would ever end the run.
#[test]
fn one_signal_ends_a_run_that_waits_for_input() {
    let tree = Tree::new(&[]);
    let mut child = Command::new(env!("CARGO_BIN_EXE_cass-transpile"))
        .args(["jsonl", "--field", "code"])
        .current_dir(tree.path("."))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = child.stdin.take().expect("it is a pipe");
    writeln!(input, "{{\"code\":\"int a;\"}}").expect("it reads");
    let mut record = String::new();
    let output = child.stdout.take().expect("it is a pipe");
    let read = BufReader::new(output).read_line(&mut record);
    assert!(read.is_ok() && record.contains("int a;"), "{record}");
    signal("-TERM", &child);
    let begun = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().expect("it can be asked") {
            break status;
        }
        if begun.elapsed() >= HANG {
            child.kill().expect("it runs");
            panic!("it did not end");
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    assert_eq!(status.code(), Some(130));
}

/// A part of the findings, or of a patch, must not pass for all of them.
#[cfg(target_os = "linux")]
#[test]
fn interrupted_checks_and_patches_say_nothing_of_a_part() {
    let tree = many(700);
    tree.write("src/0/gone.cu", GONE.as_bytes());
    for arguments in [
        "check src --jobs 1",
        "check src --jobs 1 --report json=r.json",
        "check src --jobs 1 --baseline r.json --update-baseline",
        "check src --jobs 1 --shim src/0/gone.cu",
        "diff src --jobs 1",
        "diff src --jobs 1 --patch r.json",
    ] {
        let done = shell(&tree, &format!("{INTERRUPT} $CASS {arguments}"));
        assert_eq!(done.code, 130, "{arguments}: {}", done.err);
        assert_eq!(done.out, "", "{arguments} printed a part");
        assert!(!tree.path("r.json").exists(), "{arguments} wrote a part");
    }
}

/// Runs a command and sends it SIGINT once it listens: the second bit of the signals it catches. Before that the signal would end
/// it as it ends any program. It runs in short slices until then; where a busy machine lets it come to its end all the same, it must have
/// printed what an undisturbed run prints, and is run again.
#[cfg(target_os = "linux")]
const INTERRUPT: &str = r#"
listens() {
    while read -r key mask; do
        # One that has ended is waited for.
        case $key$mask in SigCgt:*[2367abef] | State:Z*) return 0 ;; esac
    done <"/proc/$1/status"
    return 1
}
interrupted() {
    for attempt in 1 2 3 4 5 6 7 8 9 10; do
        rm -f r.json
        "$@" >printed & run=$!
        kill -STOP $run
        until listens $run; do
            kill -CONT $run; sleep 0.003; kill -STOP $run
        done
        kill -INT $run; kill -CONT $run
        wait $run; code=$?
        [ $code -le 1 ] || break
        rm -f r.json
        "$@" >whole 2>/dev/null
        cmp -s printed whole || break
    done
    cat printed
    return $code
}
interrupted"#;

/// The run is held while the last files of each kind go: source, source without CUDA, and what is copied unread.
#[test]
fn files_that_go_away_during_a_run_fail_alone() {
    let tree = many(700);
    for name in ["src/z/last.cu", "src/z/last.txt"] {
        tree.write(name, SAFE.as_bytes());
    }
    tree.write("src/z/plain.h", b"int plain;\n");
    tree.write("src/z/stays.cu", SAFE.as_bytes());
    let child = start(&tree, &["src", "out", "--jobs", "1"]);
    wait_for("output", || tree.path("out").exists());
    signal("-STOP", &child);
    assert!(!tree.path("out/z").exists(), "it was held before its end");
    let gone = ["src/z/last.cu", "src/z/last.txt", "src/z/plain.h"];
    gone.iter()
        .for_each(|name| fs::remove_file(tree.path(name)).expect("it was there"));
    signal("-CONT", &child);
    let output = child.wait_with_output().expect("it ends");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{errors}");
    for name in gone {
        assert!(errors.contains(name), "nothing is said of {name}: {errors}");
    }
    assert_eq!(files(&tree.path("out")).len(), 702);
    assert!(tree.read("out/z/stays.cu").contains("hipFree"));
    let report: serde_json::Value =
        serde_json::from_str(&tree.read("out/cass-report.json")).expect("a whole report");
    assert_eq!(report["totals"]["failed"], 3);
}

#[test]
fn two_runs_at_once_write_the_same_output() {
    const LARGE: u64 = 64 << 20;
    let tree = many(150);
    let large = fs::File::create(tree.path("src/large.bin")).expect("writable");
    large.set_len(LARGE).expect("there is room");
    assert_eq!(tree.run(&["src", "alone", "--quiet"]).code, 0);
    tree.write("out/cass-report.json", b"{}");
    let mut runs: Vec<Child> = (0..3)
        .map(|_| start(&tree, &["src", "out", "--quiet"]))
        .collect();
    // Whoever looks in the meantime, as another run does, sees whole files.
    let size = |name: &str| fs::metadata(tree.path(name)).map(|data| data.len());
    let is_running = |run: &mut Child| run.try_wait().expect("ours").is_none();
    while runs.iter_mut().any(is_running) {
        if let Ok(seen) = size("out/large.bin") {
            assert_eq!(seen, LARGE, "half a file");
        }
    }
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
    let tree = Tree::new(&[("src/a.cu", SAFE), ("src/b.cu", SAFE)]);
    let entries = walk(&tree.path("src"), &Filter::default(), &())
        .expect("it is there")
        .entries;
    let plan = Plan::new(entries, Naming::Keep);
    let session = Session::new(Options::default(), ApiTable::builtin());
    fs::remove_file(tree.path("src/a.cu")).expect("it was there");
    let failed = run(
        &plan.files,
        &session,
        &Interrupted::new(false),
        &(),
        |_, processed| matches!(processed, Processed::Failed { .. }),
    );
    assert_eq!(failed, [true, false]);
}

/// Changes the tree when it is told that a stage begins, so that who read before would have read something else.
struct Late<'a> {
    tree: &'a Tree,
    told: std::sync::Mutex<Vec<(Stage, Option<usize>, usize)>>,
}

impl Watcher for Late<'_> {
    fn begin(&self, stage: Stage, files: Option<usize>) {
        self.told
            .lock()
            .expect("no thread panicked")
            .push((stage, files, 0));
        match stage {
            Stage::Listing => self.tree.write("src/late.cuh", b"int plain;\n"),
            Stage::Reading => self.tree.write("src/late.cuh", LATE.as_bytes()),
            Stage::Translating => self.tree.write("src/a.cu", GONE.as_bytes()),
            Stage::Compiling | Stage::Running => {
                unreachable!("a translation compiles and runs nothing")
            }
        }
    }

    fn step(&self) {
        if let Some((_, _, steps)) = self.told.lock().expect("no thread panicked").last_mut() {
            *steps += 1;
        }
    }
}

fn codes(outcome: &FileOutcome) -> Vec<&'static str> {
    outcome.visible().map(|finding| finding.code()).collect()
}

/// Defines a name of CUDA's form: no table need know it.
const LATE: &str = "#include <cuda_runtime.h>\ninline int cudaMine(void *p) { return 0; }\n";

#[test]
fn who_watches_is_told_before_anything_is_read() {
    let user = "#include \"late.cuh\"\nint f(void *p) { return cudaMine(p); }\n";
    let tree = Tree::new(&[("src/a.cu", SAFE), ("src/b.cu", user)]);
    let late = Late {
        tree: &tree,
        told: std::sync::Mutex::default(),
    };
    let walked = walk(&tree.path("src"), &Filter::default(), &late).expect("it is there");
    assert_eq!(walked.entries.len(), 3, "the folder was listed before");
    let plan = Plan::new(walked.entries, Naming::Keep);
    let mut session = Session::new(Options::default(), ApiTable::builtin());
    let project = index_project(&plan.files, &session.table, [], &late);
    session.set_project(project);
    let codes = run(
        &plan.files,
        &session,
        &Interrupted::new(false),
        &late,
        |_, processed| match processed {
            Processed::Source { outcome, .. } => codes(&outcome),
            _ => Vec::new(),
        },
    );
    assert!(codes[0].contains(&"CASS003"), "the file was read before");
    assert!(!codes[1].contains(&"CASS015"), "the header was read before");
    let told = late.told.into_inner().expect("no thread panicked");
    let expected = [
        (Stage::Listing, None, 3),
        (Stage::Reading, Some(3), 3),
        (Stage::Translating, Some(3), 3),
    ];
    assert_eq!(told, expected);
}

#[test]
fn two_runs_at_once_keep_each_original() {
    const BALLOT: &str = "__global__ void k(int *p) { p[0] = __ballot_sync(0xffffffff, p[1]); }\n";
    for _ in 0..3 {
        let tree = Tree::new(&[]);
        for number in 0..200 {
            tree.write(
                &format!("src/{}/k{number}.cu", number % 10),
                BALLOT.as_bytes(),
            );
        }
        let arguments = ["src", "--in-place", "--backup", "--quiet"];
        let runs = [start(&tree, &arguments), start(&tree, &arguments)];
        for run in runs {
            let output = run.wait_with_output().expect("it ends");
            let errors = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{errors}");
        }
        let all = files(&tree.path("src"));
        let backups = all
            .iter()
            .filter(|(path, _)| path.to_string_lossy().contains(".cuda-orig"));
        assert_eq!(backups.clone().count(), 200);
        for (path, bytes) in backups {
            assert_eq!(String::from_utf8_lossy(bytes), BALLOT, "{}", path.display());
        }
    }
}
