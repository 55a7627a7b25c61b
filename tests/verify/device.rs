//! `--buffers`: what a preloaded library sees of launches, copies and waiting, and the cheats that only it can find.
#![cfg(target_os = "linux")]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use super::common::{Done, Tree};

/// The folder with the programs, compiled once: `port` on a runtime with HIP's names, `original` on a driver with CUDA's.
fn programs() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("verify-programs");
        std::fs::create_dir_all(&folder).expect("the folder can be made");
        compile(
            &folder,
            "runtime.c",
            "libamdhip64.so",
            &["-shared", "-fPIC"],
        );
        compile(
            &folder,
            "driver.c",
            "libcuda.so.1",
            &["-shared", "-fPIC", "-Wl,-Bsymbolic"],
        );
        let runtime = folder.join("libamdhip64.so").display().to_string();
        compile(&folder, "port.c", "port", &[&runtime]);
        compile(&folder, "original.c", "original", &["-ldl"]);
        folder
    })
}

fn compile(folder: &Path, source: &str, target: &str, options: &[&str]) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/verify/programs")
        .join(source);
    let compiler = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
    let done = Command::new(compiler)
        .args(["-O1", "-w", "-o"])
        .arg(folder.join(target))
        .arg(source)
        .args(options)
        .output()
        .expect("a C compiler is there: the build needs one");
    assert!(
        done.status.success(),
        "{}",
        String::from_utf8_lossy(&done.stderr)
    );
}

/// Runs a step in a tree with the libraries of the programs on the search path.
fn step(tree: &Tree, words: &[&str], program: &str, how: &str) -> Done {
    let mut command = tree.command();
    command.env("LD_LIBRARY_PATH", programs());
    let program = programs().join(program);
    super::common::done(
        command
            .args(words)
            .arg("--")
            .arg(program)
            .args(how.split_whitespace()),
    )
}

fn against(original: &str, how: &str, options: &[&str]) -> Done {
    let tree = Tree::new(&[]);
    let record = ["verify", "record", "--buffers", "-o", "g"];
    let done = match original {
        "original" => step(&tree, &record, "original", ""),
        how => step(&tree, &record, "port", how),
    };
    assert_eq!(done.code, 0, "{}", done.err);
    let words = [&["verify", "run", "--buffers", "--against", "g"], options].concat();
    step(&tree, &words, "port", how)
}

fn found(how: &str, kind: &str) {
    let done = against("honest", how, &[]);
    assert!(
        done.out.contains(&format!("[{kind}]")),
        "{how}: {}{}",
        done.out,
        done.err
    );
}

#[test]
fn an_honest_port_passes_with_its_launches_and_copies_counted() {
    for how in ["honest", "async", "block128"] {
        let done = against("honest", how, &[]);
        assert_eq!(done.code, 0, "{how}: {}{}", done.out, done.err);
        assert!(
            done.out.contains("10 of the original, 10 of the port"),
            "{how}: {}",
            done.out
        );
        assert!(
            done.out
                .contains("buffers    1 copies, 128 numbers: 128 equal"),
            "{how}: {}",
            done.out
        );
        assert!(!done.out.contains("warning"), "{how}: {}", done.out);
    }
}

#[test]
fn cuda_with_a_static_runtime_is_seen_through_its_driver() {
    let done = against("original", "honest", &[]);
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    assert!(
        done.out.contains("10 of the original, 10 of the port"),
        "{}",
        done.out
    );
    assert!(
        done.out
            .contains("buffers    1 copies, 128 numbers: 128 equal"),
        "{}",
        done.out
    );
    // Kernels are known by the same names on both sides.
    assert!(!done.out.contains("kernel-missing"), "{}", done.out);
}

#[test]
fn waiting_for_the_device_is_seen_in_cuda_as_well() {
    let tree = Tree::new(&[]);
    let record = ["verify", "record", "--buffers", "-o", "g"];
    assert_eq!(step(&tree, &record, "original", "").code, 0);
    let text = tree.read("g");
    assert!(text.contains("\"launches\":10"), "{text}");
    assert!(text.contains("\"unsynchronised\":0"), "{text}");
}

#[test]
fn a_port_that_computes_on_the_host_is_found() {
    found("cpu", "no-launch");
    let tree = Tree::new(&[]);
    step(
        &tree,
        &["verify", "record", "--buffers", "-o", "g"],
        "port",
        "honest",
    );
    let words = [
        "verify",
        "run",
        "--buffers",
        "--against",
        "g",
        "--env",
        "NO_DEVICE=1",
    ];
    let done = step(&tree, &words, "port", "honest");
    assert!(
        done.out.contains("error[no-launch]") && done.out.contains("error[fallback]"),
        "{}",
        done.out
    );
}

#[test]
fn launches_that_fail_are_found() {
    found("failed", "launch-failed");
}

#[test]
fn work_that_is_left_out_is_found() {
    let done = against("honest", "skipped", &[]);
    assert!(
        done.out
            .contains("`_Z5twicePf` is launched 9 times in place of 10"),
        "{}",
        done.out
    );
    assert_eq!(done.code, 1);
}

#[test]
fn results_kept_for_the_next_run_are_found() {
    let done = against("honest", "cached", &["--runs", "2"]);
    assert!(done.out.contains("error[inputs-cached]"), "{}", done.out);
}

#[test]
fn clocks_that_wait_for_nothing_are_found() {
    found("unsynchronised", "timing-unsynchronised");
    found("hidden", "timing-unsynchronised");
}

#[test]
fn a_copy_that_nothing_waits_for_is_found() {
    found("unwaited", "copy-unwaited");
}

#[test]
fn a_wrong_buffer_is_found_although_the_output_agrees() {
    // One number of 4096 that is no sample: the sum of its block tells.
    let done = against("wrong-text", "wrong", &["--ignore", "sum|done"]);
    assert!(done.out.contains("error[buffer-differs]"), "{}", done.out);
}

#[test]
fn a_buffer_of_lower_precision_is_found_within_a_wide_tolerance() {
    let done = against("honest", "half", &["--ignore", "sum|done", "--rel", "1e-3"]);
    assert!(
        done.out.contains("error[precision-lowered]"),
        "{}",
        done.out
    );
    assert!(!done.out.contains("buffer-differs"), "{}", done.out);
}

#[test]
fn one_side_without_a_look_at_the_device_is_said() {
    let tree = Tree::new(&[]);
    step(&tree, &["verify", "record", "-o", "g"], "port", "honest");
    let done = step(
        &tree,
        &["verify", "run", "--buffers", "--against", "g"],
        "port",
        "honest",
    );
    assert!(done.out.contains("warning[not-watched]"), "{}", done.out);
}
