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

/// What `ptxas -v` says of the same kernel, and of one that nobody launched.
const PTXAS: &str = "\
ptxas info    : Compiling entry function '_Z1kPf' for 'sm_90'
ptxas info    : Function properties for _Z1kPf
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 168 registers, used 1 barriers, 4096 bytes smem, 360 bytes cmem[0]
ptxas info    : Compiling entry function '_Z4leftPf' for 'sm_90'
ptxas info    : Used 8 registers, 360 bytes cmem[0]
";

#[test]
fn both_widths_and_cudas_compiler_stand_side_by_side() {
    let line = |text: &str| text.replacen('{', "{\"case\":\"main\",", 1) + "\n";
    let full = COSTLY.replace("\"threads\":32", "\"threads\":256");
    let narrow = full
        .replace("gfx90a", "gfx1030")
        .replace("\"wavefront\":64", "\"wavefront\":32")
        .replace("\"lanes_on\":2240", "\"lanes_on\":4480");
    let tree = Tree::new(&[
        ("narrow.jsonl", &line(&narrow)),
        ("wide.jsonl", &line(&full)),
        ("ptxas.log", PTXAS),
        ("empty", ""),
        ("bad", "{}\n"),
    ]);
    let shown = |arguments: &[&str]| tree.run(&[&["verify", "costs"], arguments].concat());
    let both = ["narrow.jsonl", "wide.jsonl", "--ptxas", "ptxas.log"];
    let done = shown(&[&both[..], &["--report", "html=costs.html"]].concat());
    assert_eq!(done.code, 0, "{}", done.err);
    for expected in [
        "main: k(float*)\n",
        "  gfx90a, waves of 64   128 vector, 40 scalar  12 vector, 0 scalar       4096 + 1024 LDS, 48 scratch\n",
        "  sm_90, by ptxas       168 a thread           0 bytes stored, 0 loaded  4096 shared, 0 stack\n",
        "note[idle-half]: 50.0 % of the lanes are at work on waves of 64, 100.0 % on waves of 32, with 0 exchanges",
        "note[spills]: 12 vector registers go through scratch: 128 are in use of the 256",
        "`__launch_bounds__(256)`; CUDA's compiler spills none of it, with 168 registers for sm_90\n",
        "told by ptxas and not counted: left(float*)\n",
        "no time follows from them\n",
    ] {
        assert!(done.out.contains(expected), "{expected}: {}", done.out);
    }
    let page = tree.read("costs.html");
    for expected in [
        "<h3><code>main: k(float*)</code></h3>",
        "<td>sm_90, by ptxas</td><td>168 a thread</td>",
        "<strong>idle-half</strong>: 50.0 %",
        "Kernels of CUDA's compiler that no run of the port launched: left(float*).",
        "default-src 'none'",
    ] {
        assert!(page.contains(expected), "{expected}: {page}");
    }
    let json: serde_json::Value =
        serde_json::from_str(&shown(&[&both[..], &["--output-format", "json"]].concat()).out)
            .expect("it is JSON");
    assert_eq!(json[0]["rows"][2]["side"], "sm_90, by ptxas");
    for (arguments, expected) in [
        (&["empty"][..], "no costs of a kernel are there"),
        (&["bad"], "bad: line 1: is none that"),
        (
            &["wide.jsonl", "--ptxas", "wide.jsonl"],
            "tells of no kernel",
        ),
        (
            &["wide.jsonl", "--output-format", "junit"],
            "printed as full, json or html",
        ),
    ] {
        let done = shown(arguments);
        assert!(
            done.code == 2 && done.err.contains(expected),
            "{}",
            done.err
        );
    }
}

#[test]
fn a_run_has_a_page_with_its_costs() {
    let (tree, done) = taken(COSTLY, &["--costs", "--report", "html=page.html"]);
    assert_eq!(done.code, 0, "{}", done.err);
    let page = tree.read("page.html");
    assert!(
        page.contains("What kernels cost") && page.contains("main: k(float*)"),
        "{page}"
    );
    let record = [
        "verify",
        "run",
        "--emulate=emulator",
        "--against",
        "run.jsonl",
        "--costs=c",
        "--report",
        "html=both.html",
        "--",
        "sh",
        "prog",
    ];
    let done = tree.run(&record);
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    let page = tree.read("both.html");
    assert!(
        page.contains("Original and port: the same") && page.contains("<h2>Costs of kernels</h2>"),
        "{page}"
    );
    // Without a comparison there is nothing for other formats to tell.
    let (_, done) = taken(COSTLY, &["--costs", "--report", "junit=x"]);
    assert!(
        done.code == 2 && done.err.contains("without --against"),
        "{}",
        done.err
    );
}
