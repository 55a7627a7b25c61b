//! `try`: how units are found, what stops them, what is said of it. A script plays the compiler, so that no ROCm is needed; what a real
//! one says is in `tests/proofs/trial.rs`.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::process::{Command, Output};

use crate::common::{GONE, Tree};

/// Does what comments of the source say: prints, ends, hangs, floods, dies; lists the source as its dependency.
const COMPILER: &str = r#"#!/bin/sh
case "$*" in *--version*) echo "fake clang version 19"; exit 0;; esac
echo "$@" >> "$LOG"
for last; do :; done
prev=; for word; do [ "$prev" = -MF ] && list=$word; prev=$word; done
printf 'x: %s\n' "$(printf %s "$last" | sed 's/ /\\ /g')" > "$list"
sed -n 's|^//say ||p' "$last" | sed "s|FILE|$last|" >&2
grep -q '^//hang' "$last" && exec sleep 100
grep -q '^//flood' "$last" && exec yes "$last:1:1: error: flood" >&2
grep -q '^//die' "$last" && kill -SEGV $$
grep -q '^//quiet' "$last" && exit 3
grep -q '^//say.*error' "$last" && exit 1
exit 0
"#;

/// A tree with a compiler and headers beside it.
fn lab(files: &[(&str, &str)]) -> Tree {
    let tree = Tree::new(files);
    tree.write("rocm/include/hip/hip_runtime.h", b"");
    tree.write("rocm/llvm/bin/clang++", COMPILER.as_bytes());
    let program = tree.path("rocm/llvm/bin/clang++");
    fs::set_permissions(program, fs::Permissions::from_mode(0o755)).unwrap();
    tree
}

fn command(tree: &Tree, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cass-transpile"));
    command
        .current_dir(tree.folder.path())
        .env("CASS_TRY_CACHE", tree.path("cache"))
        .env("LOG", tree.path("log"))
        .env("PATH", "/usr/bin:/bin")
        .args(["try", "out", "--rocm-path", "rocm"])
        .args(arguments);
    command
}

fn tried(tree: &Tree, arguments: &[&str]) -> (i32, String, String) {
    told(&command(tree, arguments).output().unwrap())
}

fn told(output: &Output) -> (i32, String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (
        output.status.code().unwrap(),
        text(&output.stdout),
        text(&output.stderr),
    )
}

fn json(tree: &Tree, arguments: &[&str]) -> (i32, serde_json::Value) {
    let (code, out, err) = tried(tree, &[&["--output-format", "json"], arguments].concat());
    (
        code,
        serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}: {out}{err}")),
    )
}

/// Units of the log without those of the probe.
fn compiled(tree: &Tree) -> usize {
    let text = fs::read_to_string(tree.path("log")).unwrap_or_default();
    text.lines()
        .filter(|line| !line.ends_with("probe.hip"))
        .count()
}

#[test]
fn units_are_grouped_by_cause_and_silence_is_said() {
    let gone = format!(
        "#include <cuda_runtime.h>\n//say FILE:3:2: error: use of undeclared identifier 'flush'\n{GONE}"
    );
    let quiet = "#include <cuda_runtime.h>\n//say FILE:3:1: error: no type named 'own'\nint a = cudaSuccess;\n";
    let tree = lab(&[
        ("src/a.cu", &gone),
        ("src/b.cu", quiet),
        ("src/c d.cu", quiet),
        (
            "src/good.cu",
            "#include <cuda_runtime.h>\nint a = cudaSuccess;\n",
        ),
    ]);
    tree.run(&["src", "out"]);
    let (code, found) = json(&tree, &[]);
    assert_eq!(code, 1, "{found}");
    let totals = &found["totals"];
    assert_eq!(
        (&totals["units"], &totals["compile"], &totals["fail"]),
        (&4.into(), &1.into(), &3.into())
    );
    assert_eq!(totals["silent"], 2);
    let causes = found["causes"].as_array().unwrap();
    assert_eq!(causes.len(), 2);
    assert_eq!(
        (&causes[0]["name"], &causes[0]["count"]),
        (&"own".into(), &2.into())
    );
    assert_eq!(causes[0]["places"][1]["file"], "c d.cu");
    assert_eq!(causes[0]["places"][1]["silent"], true);
    assert_eq!(
        causes[1]["places"][0]["findings"][0]["code"], "CASS003",
        "{}",
        causes[1]
    );
    assert_eq!(causes[1]["places"][0]["source"][0], "a.cu");
    let (_, text, _) = tried(&tree, &[]);
    for expected in [
        "error: no type named 'own': stops 2 of 4 units\n  --> out/b.cu:3:1 (SRC b.cu:3)",
        "silent: the translation said nothing of this place",
        "error[CASS003]: ",
        "1 of 4 units compile for gfx90a; 3 fail by 2 causes, 2 silent\n",
    ] {
        assert!(text.contains(expected), "no {expected:?} in {text}");
    }
}

#[test]
fn a_place_is_known_again_after_work_by_hand() {
    let gone = format!(
        "#include <cuda_runtime.h>\n//say FILE:5:2: error: use of undeclared identifier 'flush'\n{GONE}"
    );
    let tree = lab(&[("src/a.cu", &gone)]);
    tree.run(&["src", "out"]);
    let written = tree.read("out/a.cu");
    // A line comes in above; the compiler complains of the line below.
    tree.write("out/a.cu", format!("// by hand\n{written}").as_bytes());
    let line = 1 + tree
        .read("out/a.cu")
        .lines()
        .position(|line| line.contains("(t, o)"))
        .unwrap();
    tree.write(
        "out/a.cu",
        tree.read("out/a.cu")
            .replace("FILE:5", &format!("FILE:{line}"))
            .as_bytes(),
    );
    let (_, found) = json(&tree, &[]);
    let place = &found["causes"][0]["places"][0];
    assert_eq!(place["findings"][0]["code"], "CASS003", "{place}");
    assert_eq!(place["source"][1], serde_json::Value::Null);
}

#[test]
fn answers_are_kept_until_a_file_changes() {
    let tree = lab(&[("out/a.cu", ""), ("out/b.cu", "//say FILE:1:1: error: x\n")]);
    let targets = ["--target", "gfx90a,gfx1100"];
    assert_eq!(tried(&tree, &targets).0, 1);
    // Host and two chips; what fails for the host is not tried for chips.
    assert_eq!(compiled(&tree), 4);
    assert_eq!(tried(&tree, &targets).0, 1);
    assert_eq!(compiled(&tree), 4);
    tree.write("out/b.cu", b"\n");
    let (code, text, _) = tried(&tree, &targets);
    assert_eq!(code, 0, "{text}");
    assert!(
        !text.contains("silent") && !text.contains("cause"),
        "{text}"
    );
    assert_eq!(compiled(&tree), 7);
    assert_eq!(tried(&tree, &["--no-cache"]).0, 0);
    assert_eq!(compiled(&tree), 11);
}

#[test]
fn a_database_says_how_units_are_compiled() {
    let mut entries: Vec<String> = (0..3000)
        .map(|at| format!("{{\"directory\": \"/gone\", \"file\": \"{at}.cc\", \"command\": \"g++ -c {at}.cc\"}}"))
        .collect();
    entries.push("{\"directory\": \"../out\", \"file\": \"a b.cu\", \"command\": \"hipcc @x.rsp -c 'a b.cu'\"}".to_owned());
    let tree = lab(&[
        ("out/a b.cu", ""),
        ("out/left.cu", ""),
        ("out/x.rsp", "-DFROM_RESPONSE -I inc"),
        (
            "build/compile_commands.json",
            &format!("[{}]", entries.join(",")),
        ),
    ]);
    let (code, found) = json(&tree, &["-p", "build"]);
    assert_eq!(code, 0, "{found}");
    assert_eq!(found["without_unit"][0], "left.cu");
    assert!(
        found["notes"]
            .to_string()
            .contains("3000 of its sources are not in the port"),
        "{found}"
    );
    assert!(tree.read("log").contains("-DFROM_RESPONSE -I inc"));
    let (code, _, err) = tried(&tree, &["-p", "nowhere"]);
    assert!(
        code == 2 && err.contains("nowhere: cannot be read") && err.lines().count() == 1,
        "{err}"
    );
}

#[test]
fn makefiles_are_asked_for_their_commands() {
    let make = "all: k.o\nk.o:\n\thipcc -DBY_MAKE -c k.cu -o k.o\n";
    let tree = lab(&[
        ("out/p/Makefile", make),
        ("out/p/k.cu", ""),
        ("out/p/sub/Makefile", "all:\n\thipcc -c deep.cu\n"),
        ("out/p/sub/deep.cu", ""),
        ("out/q/Makefile", "all:\n\techo nothing\n"),
        ("out/r/makefile", "all:\n\tnvcc -DCUDA -c r.cu\n"),
        ("out/r/makefile.hip", "all:\n\thipcc -DHIP -c r.cu\n"),
        ("out/r/r.cu", ""),
    ]);
    let (code, found) = json(&tree, &[]);
    assert_eq!((code, &found["totals"]["units"]), (0, &3.into()), "{found}");
    assert_eq!(found["found_by"], "make -n of 4 Makefiles");
    assert!(
        found["notes"]
            .to_string()
            .contains("it prints no command that compiles"),
        "{found}"
    );
    let log = tree.read("log");
    assert!(
        log.contains("-DBY_MAKE")
            && log.contains("deep.cu")
            && log.contains("-DHIP")
            && !log.contains("-DCUDA"),
        "{log}"
    );
    assert!(!tree.path("out/p/k.o").exists());
}

#[test]
fn a_header_of_others_is_no_silence_of_the_translation() {
    let lacking = "//say FILE:1:10: fatal error: 'boost/x.hpp' file not found\n";
    let own = "//say FILE:1:10: fatal error: 'own/y.h' file not found\n";
    let tree = lab(&[
        ("src/a.cu", lacking),
        ("src/b.cu", own),
        ("src/deep/own/y.h", ""),
    ]);
    tree.run(&["src", "out"]);
    let (code, found) = json(&tree, &[]);
    assert_eq!(
        (
            code,
            &found["totals"]["silent"],
            &found["totals"]["lack_header"]
        ),
        (1, &1.into(), &1.into()),
        "{found}"
    );
    let (_, text, _) = tried(&tree, &[]);
    assert!(
        text.contains("1 silent, 1 lacks a header of others") && text.contains("-- -IDIR"),
        "{text}"
    );
}

#[test]
fn what_a_project_refuses_itself_is_silent_only_where_it_asks_for_cuda() {
    let refusing = |condition: &str| {
        format!(
            "#include <cuda_runtime.h>\n//say FILE:4:2: error: not here\n#if {condition}\n#error not here\n#endif\nint a = cudaSuccess;\n"
        )
    };
    let tree = lab(&[
        ("src/own.cu", &refusing("!defined(WITH_OPTION)")),
        ("src/cuda.cu", &refusing("CUDA_OWN_LEVEL < 3")),
    ]);
    tree.run(&["src", "out"]);
    let (code, found) = json(&tree, &[]);
    let silent = |at: usize| found["causes"][0]["places"][at]["silent"].clone();
    assert_eq!(
        (code, silent(0), silent(1)),
        (1, true.into(), false.into()),
        "{found}"
    );
}

#[test]
fn without_records_nothing_is_mended() {
    let tree = lab(&[("out/a.cu", "//say FILE:1:1: error: x\n")]);
    let (code, out, err) = tried(&tree, &["--fix"]);
    assert!(
        code == 2 && out.is_empty() && err.contains("no records of a translation"),
        "{err}"
    );
}

#[test]
fn without_a_build_folders_come_from_includes() {
    let tree = lab(&[
        ("out/src/k.cu", "#include \"deep.h\"\n"),
        ("out/lib/inc/deep.h", ""),
    ]);
    let (code, found) = json(&tree, &["--", "-DMINE"]);
    assert_eq!(code, 0, "{found}");
    let log = tree.read("log");
    assert!(
        log.contains("/out/lib/inc") && log.contains("-DMINE"),
        "{log}"
    );
}

/// What nobody compiles for AMD as it lies there is no unit, and its errors would be no silence of the translation.
#[test]
fn sources_of_other_builds_are_left_out_and_counted() {
    let open = "#include <cuda_runtime.h>\nint f() { return cudaDeviceSynchronize(); }\n";
    let served = "#include <hip/hip_runtime.h>\nint f() { return hipDeviceSynchronize(); }\n";
    let tree = lab(&[
        ("src/ops/cuda/k.cu", open),
        ("src/ops/hip/k.hip", served),
        ("src/main.cu", open),
    ]);
    tree.run(&["src", "out"]);
    let (_, found) = json(&tree, &["--units", "includes"]);
    let units: Vec<&str> = found["units"]
        .as_array()
        .unwrap()
        .iter()
        .map(|unit| unit["file"].as_str().unwrap())
        .collect();
    assert_eq!(units, ["main.cu", "ops/hip/k.hip"], "{found}");
    assert_eq!(
        found["without_unit"].as_array().unwrap().len(),
        0,
        "{found}"
    );
    let notes = found["notes"].to_string();
    assert!(notes.contains("1 source of NVIDIA's build"), "{notes}");
}

#[test]
fn sources_that_pytorch_renames_are_told_of() {
    let setup = "from torch.utils.cpp_extension import BuildExtension, CUDAExtension\nfrom setuptools import setup\nsetup(ext_modules=[CUDAExtension('a', ['a.cu'])], cmdclass={'build_ext': BuildExtension})\n";
    let tree = lab(&[
        ("src/setup.py", setup),
        ("src/a.cu", "#include <cuda_fp16.h>\n__half f();\n"),
    ]);
    tree.run(&["src", "out"]);
    let (code, out, err) = tried(&tree, &["--units", "includes"]);
    assert!(
        code == 2
            && out.is_empty()
            && err.contains("1 source in which PyTorch's build renames CUDA's names"),
        "{out}{err}"
    );
}

#[test]
fn a_compiler_that_misbehaves_is_one_unit_of_many() {
    let tree = lab(&[
        ("out/die.cu", "//die\n"),
        ("out/flood.cu", "//flood\n"),
        ("out/good.cu", ""),
        ("out/hang.cu", "//hang\n"),
        ("out/quiet.cu", "//quiet\n"),
    ]);
    let (code, found) = json(&tree, &["--timeout", "3"]);
    assert_eq!(
        (code, &found["totals"]["compile"]),
        (1, &1.into()),
        "{found}"
    );
    let units = found["units"].as_array().unwrap();
    let errors: Vec<String> = units
        .iter()
        .map(|unit| unit["errors"].to_string())
        .collect();
    assert!(errors[0].contains("signal 11"), "{}", errors[0]);
    assert!(errors[1].contains("flood"), "{:.200}", errors[1]);
    assert!(errors[3].contains("out of time"), "{}", errors[3]);
    assert!(errors[4].contains("exit code 3"), "{}", errors[4]);
}

#[test]
fn without_a_compiler_one_line_says_how_to_get_one() {
    let tree = lab(&[("out/a.cu", "")]);
    fs::remove_file(tree.path("rocm/llvm/bin/clang++")).unwrap();
    let output = command(&tree, &[])
        .env("PATH", tree.path("none"))
        .output()
        .unwrap();
    let (code, out, err) = told(&output);
    assert!(code == 2 && out.is_empty(), "{out}");
    assert!(
        err.lines().count() == 1 && err.contains("--compiler") && err.contains("install"),
        "{err}"
    );
    let (code, _, err) = tried(&tree, &["--rocm-path", "nowhere"]);
    assert!(code == 2, "{err}");
    // What is wrong with the compiler is said once, not of each unit.
    tree.write("bad", b"#!/bin/sh\ncase \"$*\" in *--version*) echo bad 1;; *) echo 'bad: error: no ROCm' >&2; exit 1;; esac\n");
    fs::set_permissions(tree.path("bad"), fs::Permissions::from_mode(0o755)).unwrap();
    let (code, out, err) = tried(&tree, &["--compiler", "./bad"]);
    assert!(
        code == 2
            && out.is_empty()
            && err.contains("does not compile an empty kernel")
            && err.contains("no ROCm"),
        "{err}"
    );
}

#[test]
fn nothing_is_written_into_the_port() {
    let tree = lab(&[("out/a.cu", ""), ("out/Makefile", "all:\n\techo\n")]);
    let list = || {
        let items = fs::read_dir(tree.path("out")).unwrap();
        let mut names: Vec<_> = items.map(|item| item.unwrap().file_name()).collect();
        names.sort();
        names
    };
    let before = list();
    fs::set_permissions(tree.path("out"), fs::Permissions::from_mode(0o555)).unwrap();
    let (code, _, err) = tried(&tree, &[]);
    fs::set_permissions(tree.path("out"), fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!((code, list()), (0, before), "{err}");
    assert!(
        err.contains("note: make -n: it prints no command that compiles"),
        "{err}"
    );
}

#[test]
fn what_is_known_is_told_when_a_person_ends_the_run() {
    let tree = lab(&[
        ("out/a.cu", "//say FILE:1:1: error: first\n"),
        ("out/b.cu", "//hang\n"),
        ("out/c.cu", ""),
    ]);
    let mut run = command(&tree, &["-j", "1"]);
    run.stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped());
    let run = run.spawn().unwrap();
    while !fs::read_to_string(tree.path("log"))
        .unwrap_or_default()
        .contains("b.cu")
    {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let killed = Command::new("kill")
        .args(["-INT", &run.id().to_string()])
        .status()
        .unwrap();
    assert!(killed.success());
    let (code, out, err) = told(&run.wait_with_output().unwrap());
    assert_eq!(code, 130, "{out}{err}");
    assert!(
        out.contains("error: first: stops 1 of 3 units") && out.contains("2 not tried"),
        "{out}{err}"
    );
}
