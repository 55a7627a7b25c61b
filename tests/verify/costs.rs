//! `verify run --costs`: what the emulator writes of kernels is printed with its notes, or kept. The emulator is a stand-in here: the
//! program writes what a real one would; `emulator/tests/costs.rs` holds the figures.

use crate::common::{Done, Tree};

/// A kernel on groups of 32 threads with waves of 64, with spills, conflicts and scattered loads.
const COSTLY: &str = r#"{"kernel":"_Z1kPf","chip":"gfx90a","wavefront":64,"launches":2,"groups":8,"waves":8,"threads":32,"registers":{"vector":128,"accumulation":0,"scalar":40,"vector_spills":12,"scalar_spills":0},"lds":{"fixed":4096,"dynamic":1024},"scratch":48,"occupancy":{"groups":4,"waves":4,"most":32,"limit":"lds"},"executed":{"instructions":100,"classes":{"vector":70,"wait":30},"lanes_on":2240,"lanes":4480,"divergences":3,"barriers":5,"global_requests":10,"global_lines":160,"global_lines_packed":20,"line_bytes":64,"atomic_lanes":64,"atomics_met":63,"lds_groups":10,"lds_passes":40}}"#;

fn taken(written: &str, options: &[&str]) -> (Tree, Done) {
    let program = format!("echo 1.5\ncat >> \"$HIP_EMULATOR_COSTS\" <<'END'\n{written}\nEND");
    // An empty library: the loader says on standard error that it cannot be preloaded, and the program runs.
    let tree = Tree::new(&[("prog", &program), ("emulator/libamdhip64.so", "")]);
    let mut arguments = vec!["verify", "run", "--emulate=emulator", "-o", "run.jsonl"];
    arguments.extend(options);
    arguments.extend(["--", "sh", "prog"]);
    let done = tree.run(&arguments);
    (tree, done)
}

#[test]
fn figures_are_printed_with_what_a_person_would_look_at() {
    let (_, done) = taken(COSTLY, &["--costs"]);
    assert_eq!(done.code, 0, "{}", done.err);
    for line in [
        "main: k(float*) on gfx90a\n",
        "  launches: 2, 8 groups of at most 32 threads, 8 waves of 64 lanes\n",
        "  registers: 128 vector, 40 scalar; spilled: 12 vector, 0 scalar\n",
        "  memory: 4096 + 1024 bytes of LDS, 48 bytes of scratch a lane\n",
        "  occupancy: 4 of 32 waves of a compute unit: LDS keeps more from it\n",
        "  instructions of waves: 100 = vector 70 + wait 30\n",
        "  lanes at work: 50.0 %; divergences: 3; barriers: 5\n",
        "  global memory: 10 requests of 16.0 lines of 64 bytes, 2.0 if their bytes lay together\n",
        "  LDS: 10 groups of lanes in 40 passes, 30 by conflicts of banks\n",
        "  atomics: 64 of lanes, 63 at an address of another lane\n",
        "note: a group of 32 threads leaves 32 of 64 lanes of its wave empty",
        "note: 12 vector registers go through scratch",
        "note: LDS takes 4.0 passes",
        "note: 8.0 times the lines",
        "note: 4 of 32 waves",
        "note: most atomics meet",
        "no time follows from them\n",
    ] {
        assert!(done.out.contains(line), "{line}: {}", done.out);
    }
}

#[test]
fn a_kernel_without_faults_has_no_notes() {
    let calm = COSTLY
        .replace(r#""threads":32"#, r#""threads":256"#)
        .replace(r#""vector_spills":12"#, r#""vector_spills":0"#)
        .replace(r#""lanes_on":2240"#, r#""lanes_on":4480"#)
        .replace(r#""global_lines":160"#, r#""global_lines":20"#)
        .replace(r#""lds_passes":40"#, r#""lds_passes":10"#)
        .replace(r#""waves":4,"most""#, r#""waves":32,"most""#)
        .replace(r#""atomics_met":63"#, r#""atomics_met":0"#);
    let (_, done) = taken(&calm, &["--costs"]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(!done.out.contains("note:"), "{}", done.out);
}

#[test]
fn a_file_gets_lines_of_json_of_the_first_run_with_the_case() {
    let (tree, done) = taken(COSTLY, &["--costs=costs.jsonl", "--runs", "2"]);
    assert_eq!(done.code, 0, "{}", done.err);
    let text = tree.read("costs.jsonl");
    let lines: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("a line is JSON"))
        .collect();
    assert_eq!(lines.len(), 1, "the second run counts nothing");
    let mut expected: serde_json::Value = serde_json::from_str(COSTLY).expect("JSON");
    expected["case"] = "main".into();
    assert_eq!(lines[0], expected);
}

#[test]
fn what_cannot_be_told_is_said() {
    let (_, done) = taken("{}", &["--costs"]);
    assert_eq!(done.code, 2);
    assert!(
        done.err.contains("build both from one checkout"),
        "{}",
        done.err
    );
    let (_, done) = taken(COSTLY, &["--costs", "--output-format", "json"]);
    assert_eq!(done.code, 2);
    assert!(done.err.contains("--costs=FILE"), "{}", done.err);
    let tree = Tree::new(&[("emulator/libamdhip64.so", "")]);
    let command = [
        "verify",
        "run",
        "--emulate=emulator",
        "-o",
        "r",
        "--costs",
        "--",
        "true",
    ];
    let done = tree.run(&command);
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(done.err.contains("main: no kernel ran"), "{}", done.err);
}
