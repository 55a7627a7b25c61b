//! The drop-in nvcc: what AMD's compiler is called with, what it sees of the sources, what a person is told. A script plays the
//! compiler, so that no ROCm is needed.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use assert_cmd::Command;

use crate::common;

/// Writes down its arguments and every file of its overlay, makes the outputs, and ends with what FAIL says.
const COMPILER: &str = r#"#!/bin/sh
printf '%s\n' "$@" > "$LOG.$$"; mv "$LOG.$$" "$LOG"
echo "$@" >> "$LOG.all"
while [ $# -gt 0 ]; do
  case $1 in
    -o) shift; echo made > "$1";;
    -ivfsoverlay) shift; cp "$1" "$LOG.vfs";;
  esac
  shift
done
exit ${FAIL:-0}
"#;

pub(super) struct Lab {
    folder: tempfile::TempDir,
}

impl Lab {
    pub(super) fn new(files: &[(&str, &str)]) -> Self {
        let lab = Self {
            folder: tempfile::tempdir().unwrap(),
        };
        lab.write("rocm/llvm/bin/clang++", COMPILER);
        let compiler = lab.path("rocm/llvm/bin/clang++");
        fs::set_permissions(compiler, fs::Permissions::from_mode(0o755)).unwrap();
        files
            .iter()
            .for_each(|(path, text)| lab.write(&format!("src/{path}"), text));
        fs::create_dir_all(lab.path("src")).unwrap();
        lab
    }

    pub(super) fn path(&self, path: &str) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join(path)
    }

    pub(super) fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn command(&self) -> Command {
        let mut command = Command::cargo_bin("cass-transpile").unwrap();
        command
            .current_dir(self.path("src"))
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .env("ROCM_PATH", self.path("rocm"))
            .env("CASS_NVCC_CACHE", self.path("cache"))
            .env("CASS_NVCC_TARGET", "gfx90a")
            .env("LOG", self.path("log"));
        command
    }

    /// Runs a command line and gives what is printed to standard error.
    pub(super) fn nvcc(&self, line: &str) -> String {
        let output = self
            .command()
            .arg("nvcc")
            .args(line.split(' '))
            .assert()
            .success();
        String::from_utf8(output.get_output().stderr.clone()).unwrap()
    }

    /// The words that the compiler was called with last.
    fn words(&self) -> Vec<String> {
        let text = fs::read_to_string(self.path("log")).unwrap();
        text.lines().map(str::to_owned).collect()
    }

    pub(super) fn has(&self, words: &[&str]) -> bool {
        self.words()
            .windows(words.len())
            .any(|window| window == words)
    }

    /// What clang sees at the path of a source, if that changes.
    pub(super) fn seen(&self, path: &str) -> Option<String> {
        let text = fs::read_to_string(self.path("log.vfs")).ok()?;
        let overlay: serde_json::Value = serde_json::from_str(&text).unwrap();
        let name = self.path(&format!("src/{path}")).display().to_string();
        let roots = overlay["roots"].as_array().unwrap();
        let root = roots.iter().find(|root| root["name"] == name.as_str())?;
        fs::read_to_string(root["external-contents"].as_str().unwrap()).ok()
    }
}

const KERNEL: &str = "#include \"k.cuh\"\nint main() {\n    float *d;\n    cudaMalloc(&d, 4);\n    scale<<<1, 1>>>(d);\n    return cudaFree(d);\n}\n";
const HEADER: &str = "#pragma once\n#include <cuda_runtime.h>\n__global__ void scale(float *x) { x[0] *= __reduce_add_sync(~0u, 1); }\n";

#[test]
fn clang_sees_the_translation_at_the_paths_of_the_originals() {
    let lab = Lab::new(&[("main.cu", KERNEL), ("inc/k.cuh", HEADER)]);
    lab.nvcc("-O2 -arch=sm_80 -Iinc -Xcompiler -Wall,-mavx2 -c main.cu -o main.o");
    let seen = lab.seen("main.cu").expect("it changes");
    assert!(
        seen.contains("hipMalloc(&d, 4);") && seen.contains("scale<<<1, 1>>>(d);"),
        "{seen}"
    );
    assert!(
        lab.seen("inc/k.cuh")
            .expect("it changes")
            .contains("hip/hip_runtime.h")
    );
    assert_eq!(fs::read_to_string(lab.path("src/main.cu")).unwrap(), KERNEL);
    assert!(lab.has(&["-x", "hip", "main.cu", "-o", "main.o"]));
    assert!(lab.has(&["-Wall", "-Xarch_host", "-mavx2"]) && lab.has(&["--offload-arch=gfx90a"]));
    assert!(!lab.words().iter().any(|word| word.contains("sm_80")));
}

#[test]
fn lines_of_messages_are_those_of_the_person() {
    // The helper that `__reduce_add_sync` needs is written into the file: the lines behind it must not move.
    let lab = Lab::new(&[("main.cu", KERNEL), ("k.cuh", HEADER)]);
    lab.nvcc("-c main.cu");
    let seen = lab.seen("k.cuh").expect("it changes");
    assert!(seen.lines().count() > 10, "a helper was written in: {seen}");
    let kernel = seen
        .lines()
        .position(|line| line.starts_with("__global__"))
        .unwrap();
    assert_eq!(seen.lines().nth(kernel - 1), Some("#line 3"), "{seen}");
}

#[test]
fn a_second_compilation_takes_what_the_cache_has_and_a_change_does_not() {
    let lab = Lab::new(&[("main.cu", KERNEL), ("k.cuh", HEADER)]);
    let units = || fs::read_dir(lab.path("cache/units")).unwrap().count();
    lab.nvcc("-c main.cu");
    let first = units();
    lab.nvcc("-c main.cu -O1");
    assert_eq!(
        units(),
        first,
        "options of the compiler do not change what a source becomes"
    );
    lab.write("src/k.cuh", &HEADER.replace("*=", "+="));
    lab.nvcc("-c main.cu");
    assert_eq!(units(), 2 * first);
    assert!(lab.seen("k.cuh").unwrap().contains("+="));
    lab.write("src/cass.toml", "[translate]\nwarp = \"native\"\n");
    lab.nvcc("-c main.cu");
    assert_eq!(units(), 3 * first, "the configuration counts");
}

#[test]
fn what_a_killed_build_leaves_is_made_anew() {
    let lab = Lab::new(&[("main.cu", KERNEL), ("k.cuh", HEADER)]);
    lab.nvcc("-c main.cu");
    for item in fs::read_dir(lab.path("cache/units")).unwrap() {
        fs::write(item.unwrap().path(), "{\"files\": [[\"/x").unwrap();
    }
    for folder in fs::read_dir(lab.path("cache/files")).unwrap() {
        fs::remove_dir_all(folder.unwrap().path()).unwrap();
    }
    lab.nvcc("-c main.cu");
    assert!(lab.seen("main.cu").unwrap().contains("hipMalloc"));
}

#[test]
fn findings_are_warnings_in_nvccs_style_and_a_header_is_told_of_once() {
    let unit = format!("#include \"h.cuh\"\n{}", common::GONE);
    let header = "#pragma once\n#include <cuda_runtime.h>\ninline void g(int t, int o) { cudaDeviceFlushGPUDirectRDMAWrites(t, o); }\n";
    let lab = Lab::new(&[("a.cu", &unit), ("h.cuh", header)]);
    let first = lab.nvcc("-c a.cu");
    assert!(first.contains("a.cu(2): warning #CASS003-D: "), "{first}");
    assert!(first.contains("h.cuh(3): warning #CASS003-D: "), "{first}");
    let second = lab.nvcc("-c a.cu");
    assert!(
        second.contains("a.cu(2)") && !second.contains("h.cuh("),
        "{second}"
    );
    assert_eq!(lab.nvcc("-w -c a.cu"), "");
}

#[test]
fn exit_codes_are_the_compilers_and_trouble_is_said() {
    let lab = Lab::new(&[("main.cu", KERNEL), ("k.cuh", HEADER)]);
    lab.command()
        .args(["nvcc", "-c", "main.cu"])
        .env("FAIL", "42")
        .assert()
        .code(42);
    let fails = |line: &str, says: &str| {
        let output = lab
            .command()
            .arg("nvcc")
            .args(line.split(' '))
            .assert()
            .code(1);
        let text = String::from_utf8(output.get_output().stderr.clone()).unwrap();
        assert!(
            text.starts_with("nvcc fatal   : ") && text.contains(says),
            "{text}"
        );
    };
    fails("-ptx main.cu", "CASS_NVCC_MODULES");
    fails("-cubin main.cu", "CASS_NVCC_MODULES");
    fails("-c gone.cu", "gone.cu");
    fails("-O2", "No input files");
    fails("-c a.cu b.cu -o x.o", "single input file");
    fails("--options-file gone.rsp", "gone.rsp");
    let none = lab
        .command()
        .args(["nvcc", "-c", "main.cu"])
        .env("ROCM_PATH", "/nowhere")
        .assert()
        .code(1);
    assert!(String::from_utf8_lossy(&none.get_output().stderr).contains("set ROCM_PATH"));
}

#[test]
fn modules_are_written_where_a_person_says_so() {
    let lab = Lab::new(&[("main.cu", KERNEL), ("k.cuh", HEADER)]);
    let output = lab
        .command()
        .args(["nvcc", "-ptx", "main.cu"])
        .env("CASS_NVCC_MODULES", "1")
        .assert()
        .success();
    let text = String::from_utf8(output.get_output().stderr.clone()).unwrap();
    assert!(
        text.contains("nvcc warning : '--ptx' writes AMD's code object"),
        "{text}"
    );
    assert!(lab.has(&["--cuda-device-only"]) && lab.path("src/main.ptx").is_file());
}

#[test]
fn ignored_error_codes_stay_unsaid_under_wall() {
    let lab = Lab::new(&[("a.cu", "int x;\n")]);
    lab.nvcc("-Xcompiler -Wall,-Werror -c a.cu");
    let words = lab.words();
    let place = |wanted: &str| words.iter().position(|word| word == wanted);
    assert!(place("-Wall") < place("-Wno-unused-result"), "{words:?}");
    lab.nvcc("-Xcompiler -Wunused-result -c a.cu");
    assert!(!lab.has(&["-Wno-unused-result"]));
}

#[test]
fn libraries_and_objects_keep_their_order_and_get_amds_names() {
    let lab = Lab::new(&[
        ("main.cu", KERNEL),
        ("k.cuh", HEADER),
        ("util.c", "int u;\n"),
        ("a.o", ""),
        ("libx.a", ""),
    ]);
    lab.nvcc("-std=c++17 -o x a.o main.cu util.c libx.a -L. -lcublas -lm -lcudadevrt -lcudart -Xlinker -rpath=.");
    let words = lab.words();
    let at = |word: &str| {
        words
            .iter()
            .position(|found| found.ends_with(word))
            .unwrap_or_else(|| panic!("{word}: {words:?}"))
    };
    let order = [
        "a.o",
        "main.o",
        "util.o",
        "libx.a",
        "-lhipblas",
        "-lm",
        "-lamdhip64",
        "-rpath=.",
    ]
    .map(at);
    assert!(order.is_sorted(), "{words:?}");
    assert!(!words.iter().any(|word| word.contains("cudadevrt")));
    let all = fs::read_to_string(lab.path("log.all")).unwrap();
    let of_c = all
        .lines()
        .find(|line| line.contains("-x c util.c"))
        .expect("C is compiled as C");
    assert!(
        !of_c.contains("-std=c++17") && !of_c.contains("--offload-arch"),
        "{of_c}"
    );
}

#[test]
fn dependency_files_are_asked_for_under_the_names_that_make_knows() {
    let lab = Lab::new(&[("main.cu", KERNEL), ("k.cuh", HEADER)]);
    lab.nvcc("-MD -MP -MT out/main.o -c main.cu -o out.o");
    assert!(
        lab.has(&["-MD", "-MP", "-MT", "out/main.o", "-MF", "out.d"]),
        "{:?}",
        lab.words()
    );
    lab.nvcc("-MM -MT x main.cu");
    assert!(
        lab.has(&["--cuda-host-only", "-MM", "-MT", "x"]),
        "{:?}",
        lab.words()
    );
    assert!(!lab.words().contains(&"-o".to_owned()));
}

#[test]
fn a_dry_run_prints_commands_and_makes_nothing() {
    let lab = Lab::new(&[("main.cu", KERNEL), ("k.cuh", HEADER)]);
    let text = lab.nvcc("--dryrun -dc main.cu");
    assert!(
        text.starts_with("#$ ") && text.contains("-fgpu-rdc") && text.contains("-x hip main.cu"),
        "{text}"
    );
    assert!(!lab.path("log").exists());
}

#[test]
fn the_toolkit_folder_answers_as_nvccs() {
    let lab = Lab::new(&[]);
    let folder = lab.path("tk");
    lab.command()
        .args(["nvcc", "--install"])
        .arg(&folder)
        .args(["--cuda-version", "11.8"])
        .assert()
        .success();
    for file in [
        "include/cuda_runtime.h",
        "include/cublas_v2.h",
        "lib64/libcudart.so",
        "lib64/libcudart_static.a",
        "version.json",
    ] {
        assert!(folder.join(file).exists(), "{file}");
    }
    let nvcc = |arguments: &[&str]| {
        let mut command = Command::new(folder.join("bin/nvcc"));
        command
            .env_clear()
            .env("ROCM_PATH", lab.path("rocm"))
            .args(arguments);
        let output = command.assert();
        let output = output.get_output();
        String::from_utf8_lossy(&output.stdout).into_owned()
            + &String::from_utf8_lossy(&output.stderr)
    };
    assert!(nvcc(&["--version"]).contains("release 11.8, V11.8.0"));
    assert!(
        nvcc(&["-v", "__cmake_determine_cuda"])
            .contains(&format!("#$ TOP={}/bin/..", folder.display()))
    );
    assert!(nvcc(&["--list-gpu-arch"]).contains("compute_80\n"));
    // A folder of somebody else's is left alone.
    lab.write("other/file", "");
    let refused = lab
        .command()
        .args(["nvcc", "--install"])
        .arg(lab.path("other"))
        .assert()
        .code(1);
    assert!(String::from_utf8_lossy(&refused.get_output().stderr).contains("not empty"));
}

#[test]
fn many_at_once_share_a_cache() {
    let lab = Lab::new(&[("main.cu", KERNEL), ("k.cuh", HEADER)]);
    std::thread::scope(|scope| {
        for number in 0..8 {
            let lab = &lab;
            scope.spawn(move || {
                let log = lab.path(&format!("log{number}"));
                let output = format!("main{number}.o");
                lab.command()
                    .args(["nvcc", "-c", "main.cu", "-o", &output])
                    .env("LOG", log)
                    .assert()
                    .success();
            });
        }
    });
    let whole = |path: &Path| !fs::read(path).unwrap().is_empty();
    for folder in fs::read_dir(lab.path("cache/files")).unwrap() {
        let files = fs::read_dir(folder.unwrap().path()).unwrap();
        assert!(
            files
                .map(|file| file.unwrap().path())
                .all(|path| whole(&path))
        );
    }
}

#[test]
fn what_others_can_write_to_is_no_cache() {
    let lab = Lab::new(&[("main.cu", KERNEL), ("k.cuh", HEADER)]);
    lab.nvcc("-c main.cu");
    fs::set_permissions(lab.path("cache"), fs::Permissions::from_mode(0o777)).unwrap();
    let told = lab.nvcc("-c main.cu");
    assert!(
        told.contains("the cache is not used") && told.contains("others can write to it"),
        "{told}"
    );
    let overlay = fs::read_to_string(lab.path("log.vfs")).unwrap();
    let cache = lab.path("cache").display().to_string();
    assert!(
        overlay.contains("main.cu") && !overlay.contains(&cache),
        "{overlay}"
    );
}

#[test]
fn an_overlay_that_somebody_changed_is_made_anew() {
    let lab = Lab::new(&[("main.cu", KERNEL), ("k.cuh", HEADER)]);
    lab.nvcc("-c main.cu");
    let evil = lab.path("evil.cu").display().to_string();
    lab.write("evil.cu", "int evil;\n");
    for unit in fs::read_dir(lab.path("cache/units")).unwrap() {
        let path = unit.unwrap().path();
        if path.extension().is_some_and(|end| end == "vfs") {
            let mut overlay: serde_json::Value =
                serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
            overlay["roots"][0]["external-contents"] = evil.as_str().into();
            fs::write(path, overlay.to_string()).unwrap();
        }
    }
    lab.nvcc("-c main.cu");
    let overlay = fs::read_to_string(lab.path("log.vfs")).unwrap();
    assert!(!overlay.contains("evil"), "{overlay}");
}

#[test]
fn without_a_home_the_cache_has_the_number_of_the_user() {
    use std::os::unix::fs::MetadataExt as _;
    let lab = Lab::new(&[("main.cu", KERNEL), ("k.cuh", HEADER)]);
    fs::create_dir_all(lab.path("tmp")).unwrap();
    let user = lab.path("tmp").metadata().unwrap().uid();
    let mut command = lab.command();
    command
        .env_remove("CASS_NVCC_CACHE")
        .env("TMPDIR", lab.path("tmp"));
    command.args(["nvcc", "-c", "main.cu"]).assert().success();
    assert!(
        lab.path(&format!("tmp/cass-transpile-{user}/nvcc/units"))
            .is_dir()
    );
}
