//! `bench`: programs through all stages. Scripts play the compiler, and what they make are scripts; the emulator is a library that is only
//! preloaded, so an empty one serves. What real ones do is in the last test.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;

use serde_json::Value;

use crate::common::Tree;
use crate::common::rocm::{Compiler, required_folder};

/// Makes of a source the script that its comments hold, or fails as they say, or where a header that it needs is in no folder of `-I`.
const HIPCC: &str = r#"#!/bin/sh
out=a.o
for word; do case $word in *.cu|*.hip) file=$word;; -c) kind=object;; esac; [ "$prev" = -o ] && out=$word; prev=$word; done
for needed in $(sed -n 's|^//needs ||p' "$file"); do
  found=; for word; do case $word in -I*) [ -f "${word#-I}/$needed" ] && found=1;; esac; done
  [ "$found" ] || { echo "$file:1:1: fatal error: '$needed' file not found" >&2; exit 1; }
done
grep -q cudaFree "$file" && { echo "$file:3:1: error: use of undeclared identifier 'cudaFree'" >&2; exit 1; }
sed -n 's|^//say ||p' "$file" | sed "s|FILE|$file|" >&2
grep -q '^//say.*error' "$file" && exit 1
[ "$kind" = object ] && exit 0
{ echo '#!/bin/sh'; sed -n 's|^//run ||p' "$file"; } > "$out"
chmod +x "$out"
"#;

fn lab(files: &[(&str, &str)]) -> Tree {
    let tree = Tree::new(files);
    tree.write("rocm/include/hip/hip_runtime.h", b"");
    tree.write("rocm/bin/hipcc", HIPCC.as_bytes());
    let program = tree.path("rocm/bin/hipcc");
    fs::set_permissions(program, fs::Permissions::from_mode(0o755)).unwrap();
    let empty = tree.path("empty.c");
    fs::write(&empty, "").unwrap();
    fs::create_dir_all(tree.path("emulator/lib")).unwrap();
    let made = Command::new("cc")
        .args(["-shared", "-o"])
        .arg(tree.path("emulator/lib/libamdhip64.so"))
        .arg(&empty)
        .status()
        .unwrap();
    assert!(made.success());
    tree
}

fn benched(tree: &Tree, arguments: &[&str]) -> (i32, Value, String) {
    let all: &[&str] = &[
        "bench",
        "programs",
        "--rocm-path",
        "rocm",
        "--output-format",
        "json",
    ];
    let done = tree.run(&[all, arguments].concat());
    let found = serde_json::from_str(&done.out).unwrap_or(Value::Null);
    (done.code, found, done.err)
}

/// Passed, failed, not tried by stage, of a translator.
fn figures(found: &Value, translator: &str) -> Vec<[u64; 3]> {
    let tallies = found["tallies"].as_array().unwrap();
    let own = tallies
        .iter()
        .find(|tally| tally["translator"] == translator && tally["category"].is_null());
    let stages = own.unwrap()["stages"].as_array().unwrap();
    let figure = |count: &Value, name: &str| count[name].as_u64().unwrap();
    stages
        .iter()
        .map(|count| ["passed", "failed", "not_tried"].map(|name| figure(count, name)))
        .collect()
}

fn program(run: &str, more: &str) -> String {
    format!("#include <cuda_runtime.h>\n{more}\n//run {run}\nint main() {{ cudaFree(0); }}\n")
}

#[test]
fn each_stage_counts_what_passes_fails_and_cannot_be_tried() {
    let tree = lab(&[
        ("programs/good.cu", &program("echo sum 1.25 of 3", "")),
        ("programs/good.expected", "sum 1.25 of 3\n"),
        ("programs/other.cu", &program("echo sum 1.25 of 3", "")),
        ("programs/other.expected", "sum 2.25 of 3\n"),
        (
            "programs/alone.cu",
            &program("echo sum ${#HIP_EMULATOR_ARCH}", ""),
        ),
        ("programs/dies.cu", &program("exit 3", "")),
        (
            "programs/broken.cu",
            &program("", "//say FILE:3:1: error: no member named 'x'"),
        ),
        (
            "programs/link.cu",
            &program("", "//say ld.lld: error: undefined symbol: f"),
        ),
        (
            "programs/kernel.cu",
            "__global__ void k(int *a) { *a = 1; }\n",
        ),
    ]);
    let (code, found, err) = benched(&tree, &["--emulate", "emulator"]);
    assert_eq!(code, 1, "{err}");
    assert_eq!(
        figures(&found, "cass-transpile"),
        [[7, 0, 0], [6, 1, 0], [4, 2, 1], [3, 3, 1], [1, 4, 2]],
        "{found:#}"
    );
    let causes: Vec<(String, String)> = found["causes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|cause| {
            let text = |name: &str| cause[name].as_str().unwrap().to_owned();
            (text("stage"), text("why"))
        })
        .collect();
    for (stage, why) in [
        ("compiled", "no member named 'x'"),
        ("linked", "undefined symbol: f"),
        ("ran", "exit code 3"),
        ("equal", "number-differs on gfx90a"),
        ("equal", "no result is given to compare with"),
        ("linked", "it has no `main`"),
    ] {
        let is_it = |(s, w): &(String, String)| s == stage && w == why;
        assert!(causes.iter().any(is_it), "{stage} {why}: {causes:?}");
    }
    let rows = found["programs"].as_array().unwrap();
    let alone = rows.iter().find(|row| row["program"] == "alone").unwrap();
    assert_eq!(alone["widths_agree"], false, "{alone}");
}

#[test]
fn other_translators_stand_beside_this_one() {
    let tree = lab(&[
        ("programs/a.cu", &program("echo 7", "")),
        ("programs/a.expected", "7\n"),
        ("programs/b.cu", &program("echo 8", "")),
        ("programs/b.expected", "8\n"),
    ]);
    let (code, found, err) = benched(
        &tree,
        &[
            "--emulate",
            "emulator",
            "--with",
            "leaves=cat",
            "--with",
            "halves=sh -c 'grep -q 8 {src} && exit 9; sed s/cudaFree/hipFree/ {src} > {out}'",
            "--with",
            "silent=true",
        ],
    );
    assert_eq!(code, 1, "{err}");
    assert_eq!(figures(&found, "cass-transpile")[4], [2, 0, 0], "{found:#}");
    assert_eq!(
        figures(&found, "leaves"),
        [[2, 0, 0], [0, 2, 0], [0, 2, 0], [0, 2, 0], [0, 2, 0]]
    );
    assert_eq!(figures(&found, "halves"), [[1, 1, 0]; 5]);
    assert_eq!(figures(&found, "silent")[0], [0, 2, 0]);
    let done = tree.run(&[
        "bench",
        "programs",
        "--rocm-path",
        "rocm",
        "--emulate",
        "emulator",
        "--with",
        "leaves=cat",
    ]);
    for line in [
        "cass-transpile         2           2         2       2    2      2\n",
        "2 programs not compiled: use of undeclared identifier 'cudaFree'\n    a, b\n",
        "cass-transpile: 2 of 2 translated, compiled, linked, ran, equal (gfx90a and gfx1030, emulated)\n",
        "leaves: 0 of 2 translated",
    ] {
        assert!(done.out.contains(line), "no {line:?} in {}", done.out);
    }
}

#[test]
fn a_twin_in_hip_says_what_is_expected() {
    let make = |file: &str| {
        format!("run: main\n\t./main 5\nmain: {file}\n\t$(CC) {file} -o main\nCC = hipcc\n")
    };
    let hip = |run: &str| format!("#include <hip/hip_runtime.h>\n//run {run}\nint main() {{}}\n");
    let tree = lab(&[
        ("programs/one-cuda/Makefile", &make("main.cu")),
        (
            "programs/one-cuda/main.cu",
            &program("echo got $1 of 2.5", ""),
        ),
        ("programs/one-hip/Makefile", &make("main.cu")),
        ("programs/one-hip/main.cu", &hip("echo got $1 of 2.5")),
        ("programs/two-cuda/Makefile", &make("main.cu")),
        (
            "programs/two-cuda/main.cu",
            &program("echo got 4 of 2.5", ""),
        ),
        ("programs/two-hip/Makefile", &make("main.cu")),
        ("programs/two-hip/main.cu", &hip("echo got 5 of 2.5")),
    ]);
    let (code, found, err) = benched(&tree, &["--emulate", "emulator"]);
    assert_eq!(code, 1, "{err}");
    assert_eq!(
        figures(&found, "cass-transpile")[3..],
        [[2, 0, 0], [1, 1, 0]],
        "{found:#}"
    );
    assert_eq!(figures(&found, "by hand")[3..], [[2, 0, 0], [0, 0, 2]]);
    let rows = found["programs"].as_array().unwrap();
    assert_eq!(rows[0]["program"], "one");
    assert_eq!(rows[0]["command"], serde_json::json!(["./main", "5"]));
    // The tree of the person is as it was.
    assert!(!tree.path("programs/one-cuda/main").exists());
}

#[test]
fn tasks_are_lines_of_json() {
    let task = |id: &str, run: &str, more: &str| {
        let source = serde_json::to_string(&program(run, "")).unwrap();
        format!("{{\"id\": \"{id}\", \"cuda_source\": {source}, {more}}}\n")
    };
    let tasks = task(
        "sum",
        "read a; echo $a $1",
        "\"domain\": \"x\", \"tests\": [{\"stdin\": \"4\\n\", \"args\": [2], \"output\": \"4 2\"}, {\"stdin\": \"5\\n\", \"output\": \"5\"}]",
    ) + &task(
        "wrong",
        "echo 1",
        "\"domain\": \"y\", \"expected_output\": \"2\"",
    ) + &task(
        "pair",
        "echo 3.5",
        "\"domain\": \"y\", \"hip_source\": \"//run echo 3.5\\nint main() {}\"",
    );
    let tree = lab(&[("programs", &tasks)]);
    let (code, found, err) = benched(&tree, &["--emulate", "emulator"]);
    assert_eq!(code, 1, "{err}");
    assert_eq!(figures(&found, "cass-transpile")[4], [2, 1, 0], "{found:#}");
    let categories: Vec<&Value> = found["tallies"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tally| &tally["category"])
        .collect();
    assert!(categories.contains(&&"x".into()) && categories.contains(&&"y".into()));
}

#[test]
fn recorded_results_come_with_their_arguments() {
    let tree = lab(&[
        (
            "programs/a.cu",
            &program("[ \"$1\" = 9 ] && sleep 9; echo $1", ""),
        ),
        (
            "gold.jsonl",
            "{\"name\": \"a\", \"arguments\": [\"./main\", \"9\"], \"code\": 0, \"out\": \"9\\n\"}\n{\"name\": \"a\", \"arguments\": [\"./main\", \"3\"], \"code\": 0, \"out\": \"3\\n\", \"again\": \"3\\n\"}\n{\"name\": \"b\", \"code\": null}\n",
        ),
    ]);
    let (code, found, err) = benched(
        &tree,
        &[
            "--emulate",
            "emulator",
            "--recorded",
            "gold.jsonl",
            "--timeout",
            "2",
        ],
    );
    assert_eq!(code, 0, "{err} {found:#}");
    // The first arguments do not end in time.
    assert_eq!(found["programs"][0]["command"][1], "3");
    assert_eq!(figures(&found, "cass-transpile")[4], [1, 0, 0]);
}

#[test]
fn what_is_missing_is_said_and_never_passed() {
    let tree = lab(&[("programs/a.cu", &program("echo 1", ""))]);
    let (code, found, err) = benched(&tree, &[]);
    assert_eq!(code, 0, "{err}");
    assert!(
        err.contains("nothing is run: no emulator in ")
            && err.contains("cargo build --release -p hip-emulator"),
        "{err}"
    );
    assert_eq!(
        figures(&found, "cass-transpile")[3..],
        [[0, 0, 1], [0, 0, 1]],
        "{found:#}"
    );
    for (arguments, word) in [
        (&["--emulate", "nowhere"][..], "no emulator in nowhere"),
        (&["--with", "x"], "NAME=COMMAND"),
        (&["--with", "cass-transpile=cat"], "already"),
        (&["--include", "nothing"], "no program"),
        (&["--keep", "programs"], "not empty"),
    ] {
        let (code, _, err) = benched(&tree, arguments);
        assert!(
            code == 2 && err.contains(word),
            "{arguments:?}: {code} {err}"
        );
    }
}

#[test]
#[ignore = "needs AMD's headers and the emulator: tests/rocm/setup.sh, emulator/tools/install.sh"]
fn a_real_program_is_equal_at_both_widths() {
    let source = "#include <cstdio>\n#include <cuda_runtime.h>\n__global__ void sum(const int *in, int *out) {\n  int v = in[threadIdx.x];\n  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);\n  if (threadIdx.x % 32 == 0) atomicAdd(out, v);\n}\nint main() {\n  int host[128], total = 0, *in, *out;\n  for (int i = 0; i < 128; ++i) host[i] = i;\n  cudaMalloc(&in, sizeof host);\n  cudaMalloc(&out, sizeof total);\n  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);\n  cudaMemset(out, 0, sizeof total);\n  sum<<<1, 128>>>(in, out);\n  cudaMemcpy(&total, out, sizeof total, cudaMemcpyDeviceToHost);\n  printf(\"total %d\\n\", total);\n}\n";
    let tree = Tree::new(&[
        ("programs/sum.cu", source),
        ("programs/sum.expected", "total 8128\n"),
    ]);
    let rocm = Compiler::required().rocm;
    let emulator = required_folder("HIP_EMULATOR", "emulator/tools/install.sh");
    let rocm = rocm.display().to_string();
    let done = tree.run(&[
        "bench",
        "programs",
        "--rocm-path",
        &rocm,
        "--emulate",
        &emulator.display().to_string(),
        "--with",
        "none=cat",
    ]);
    assert!(
        done.out.contains("cass-transpile: 1 of 1 translated"),
        "{}{}",
        done.out,
        done.err
    );
    assert!(done.out.contains("none: 0 of 1 translated"), "{}", done.out);
}

/// A run that is broken off loses little: what is known is not built again, and a change anywhere makes all of it unknown.
#[test]
fn a_run_goes_on_from_what_is_known() {
    let tree = lab(&[
        ("programs/a.cu", &program("echo 1.5", "")),
        ("programs/a.expected", "1.5\n"),
        ("programs/b.cu", &program("exit 3", "")),
    ]);
    // Each build leaves a mark.
    let counting = HIPCC.replacen(
        "#!/bin/sh\n",
        &format!("#!/bin/sh\necho x >> {}\n", tree.path("log").display()),
        1,
    );
    tree.write("rocm/bin/hipcc", counting.as_bytes());
    let arguments = ["--emulate", "emulator", "--resume", "known"];
    let builds = || {
        fs::read_to_string(tree.path("log"))
            .unwrap_or_default()
            .len()
    };
    let (_, first, err) = benched(&tree, &[&arguments[..], &["--include", "a"]].concat());
    assert_eq!(first["programs"][0]["reached"], "equal", "{first:#}{err}");
    assert_eq!(
        (
            &first["programs"][0]["path"],
            &first["programs"][0]["compared_with"]
        ),
        (&"a.cu".into(), &"given".into())
    );
    let of_a = builds();
    let (code, both, err) = benched(&tree, &arguments);
    assert!(
        code == 1 && err.contains("1 of 2 programs are known from an earlier run"),
        "{err}"
    );
    assert_eq!(both["programs"][0], first["programs"][0]);
    assert_eq!(
        (both["programs"].as_array().unwrap().len(), builds()),
        (2, 2 * of_a),
        "{both:#}"
    );
    let (_, again, _) = benched(&tree, &arguments);
    assert_eq!((again, builds()), (both.clone(), 2 * of_a));
    tree.write("programs/note.txt", b"new");
    let (_, anew, err) = benched(&tree, &arguments);
    assert!(!err.contains("known from"), "{err}");
    assert_eq!((anew, builds()), (both, 4 * of_a));
}

#[test]
fn a_sample_is_the_same_everywhere_and_part_of_a_larger_one() {
    let names: Vec<String> = (0..12).map(|at| format!("programs/p{at}.cu")).collect();
    let text = program("echo 1", "");
    let files: Vec<(&str, &str)> = names
        .iter()
        .map(|name| (name.as_str(), text.as_str()))
        .collect();
    let tree = Tree::new(&files);
    let chosen = |arguments: &[&str]| -> Vec<String> {
        // Nothing is built: PATH has no compiler.
        let bench = ["bench", "programs", "--output-format", "json"];
        let mut command = tree.command();
        command.env("PATH", "").args(bench).args(arguments);
        let done = crate::common::done(&mut command);
        let found: Value =
            serde_json::from_str(&done.out).unwrap_or_else(|error| panic!("{error}: {}", done.err));
        let rows = found["programs"].as_array().unwrap();
        rows.iter()
            .map(|row| row["program"].as_str().unwrap().to_owned())
            .collect()
    };
    let four = chosen(&["--sample", "4"]);
    assert_eq!(four, ["p0", "p2", "p5", "p7"]);
    let six = chosen(&["--sample", "6"]);
    assert!(
        six.len() == 6 && four.iter().all(|name| six.contains(name)),
        "{six:?}"
    );
    assert_ne!(chosen(&["--sample", "4", "--seed", "2"]), four);
    assert_eq!(chosen(&["--sample", "40"]).len(), 12);
}

/// What is made of a program does not hang on which programs take part: the ports by hand of all others are out of sight too.
#[test]
fn ports_by_hand_of_programs_that_take_no_part_are_out_of_sight() {
    let cuda = program("echo 1", "");
    let hip = cuda
        .replace("cuda_runtime.h", "hip/hip_runtime.h")
        .replace("cudaFree", "hipFree");
    let make = "main: main.cu\n\thipcc main.cu -o main\n";
    let tree = lab(&[
        ("programs/x-cuda/Makefile", make),
        ("programs/x-cuda/main.cu", &cuda),
        ("programs/x-hip/Makefile", make),
        ("programs/x-hip/main.cu", &hip),
        ("programs/y-cuda/Makefile", make),
        ("programs/y-cuda/main.cu", &cuda),
        ("programs/y-hip/Makefile", make),
        ("programs/y-hip/main.cu", &hip),
    ]);
    let (_, found, err) = benched(
        &tree,
        &["--emulate", "emulator", "--include", "x", "--keep", "kept"],
    );
    assert_eq!(
        found["programs"].as_array().unwrap().len(),
        2,
        "{found:#}{err}"
    );
    assert!(tree.path("kept/source/y-cuda").exists() && !tree.path("kept/source/y-hip").exists());
}

#[test]
fn data_that_is_not_there_is_no_failure() {
    let tree = lab(&[
        (
            "programs/data.cu",
            &program("echo Failed to open input/a.txt; exit 1", ""),
        ),
        (
            "programs/port.cu",
            &program("echo failed to load code object a.hsaco >&2; exit 1", ""),
        ),
    ]);
    let (_, found, err) = benched(&tree, &["--emulate", "emulator"]);
    let [data, port] = [0, 1].map(|at| &found["programs"][at]);
    assert_eq!(
        data["not_tried"]["why"], "a file that it reads is not there",
        "{found:#}{err}"
    );
    assert_eq!(
        data["runs"][0]["end"],
        "exit code 1: Failed to open input/a.txt"
    );
    assert_eq!(
        (&data["failed"], &port["failed"]["stage"]),
        (&Value::Null, &"ran".into())
    );
}

#[test]
fn headers_in_folders_beside_and_parts_of_a_source_are_found() {
    let main = format!(
        "#include <steps.h>\n#include \"walk_kernel.cu\"\n//needs steps.h\n{}",
        program("echo walked", "")
    );
    let tree = lab(&[
        ("programs/shared/inc/steps.h", "const int steps = 3;\n"),
        ("programs/samples/easy/walk/main.cu", &main),
        (
            "programs/samples/easy/walk/walk_kernel.cu",
            "//say FILE:1:1: error: no source by itself\n__global__ void k() {}\n",
        ),
    ]);
    let (_, found, err) = benched(&tree, &["--emulate", "emulator"]);
    let row = &found["programs"][0];
    assert_eq!(
        (&row["program"], &row["reached"]),
        (&"samples/easy/walk".into(), &"ran".into()),
        "{found:#}{err}"
    );
}

/// As a well-known suite lies: one folder for each way to write a program, settings and data beside them, and a script that runs it.
#[test]
fn suites_with_settings_data_and_scripts_beside_their_programs_are_read() {
    let makefile = "include ../../common/settings.mk\n\nspread: spread.cu\n\t$(CC) $(FLAGS) spread.cu -o spread\n";
    let tree = lab(&[
        (
            "programs/common/settings.mk",
            "CUDA_DIR = /usr/local/cuda\nCC := $(CUDA_DIR)/bin/nvcc\nFLAGS = -I$(CUDA_DIR)/include -O3\n",
        ),
        ("programs/data/spread/start.txt", "start 1.5\n"),
        ("programs/cuda/Makefile", "all:\n\tmake -C spread\n"),
        ("programs/cuda/spread/Makefile", makefile),
        (
            "programs/cuda/spread/spread.cu",
            &program("cat \"$1\"; echo steps $2", ""),
        ),
        (
            "programs/cuda/spread/run",
            "./spread ../../data/spread/start.txt 4\n",
        ),
        ("programs/cuda/spread/expected.txt", "start 1.5\nsteps 4\n"),
        (
            "programs/openmp/spread/Makefile",
            "spread: spread.c\n\tcc spread.c\n",
        ),
        (
            "programs/openmp/spread/spread.c",
            "int main() { return 0; }\n",
        ),
        (
            "programs/opencl/spread/Makefile",
            "spread: spread.cpp\n\tc++ spread.cpp\n",
        ),
        (
            "programs/opencl/spread/spread.cpp",
            "int main() { return 0; }\n",
        ),
    ]);
    let (code, found, err) = benched(&tree, &["--emulate", "emulator"]);
    let rows = found["programs"].as_array().unwrap();
    let names: Vec<&str> = rows
        .iter()
        .filter_map(|row| row["program"].as_str())
        .collect();
    assert_eq!(
        (code, &names[..]),
        (0, &["cuda/spread"][..]),
        "{found:#}{err}"
    );
    assert_eq!(rows[0]["category"], "cuda");
    assert_eq!(
        rows[0]["command"],
        serde_json::json!(["./spread", "../../data/spread/start.txt", "4"])
    );
    assert_eq!(rows[0]["reached"], "equal", "{found:#}");
}
