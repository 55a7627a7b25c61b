//! The translation of every program in `fixtures/corpus` compiles for an AMD GPU: host code, and device code down to a linked
//! code object.
//!
//! The environment variable `CASS_ROCM` names the folder that `tests/rocm/setup.sh` filled. `CASS_ROCM_ARCH` chooses another chip than
//! gfx90a.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::rocm::{Compiler, entries, in_parallel, root, text_of};

/// Errors shown of each file that fails.
const ERRORS_SHOWN: usize = 5;
/// What a program's own build defines for AMD: half-ported is a library whose ROCm build sets its own switch, and the CUDA side of
/// that switch stays CUDA on purpose; host-stub has a build without a GPU.
const BUILD_FLAGS: &[(&str, &str)] = &[("half-ported", "-DUSE_ROCM"), ("host-stub", "-DUSE_GPU")];
/// The corpus must not shrink unnoticed.
const FEWEST_PROGRAMS: usize = 40;

#[test]
#[ignore = "needs AMD's headers and clang: tests/rocm/setup.sh DIR, CASS_ROCM=DIR"]
fn every_translated_program_compiles() {
    let precompiled = tempfile::tempdir().expect("a temporary folder can be made");
    let compiler = Compiler {
        precompiled: Some(precompiled.path().to_owned()),
        ..Compiler::required()
    };
    let programs = programs();
    assert!(
        programs.len() >= FEWEST_PROGRAMS,
        "only {} programs in the corpus",
        programs.len()
    );

    let out = tempfile::tempdir().expect("a temporary folder can be made");
    let mut failures: Vec<String> = in_parallel(&programs, |program| {
        translate_and_compile(&compiler, program, out.path()).err()
    });
    failures.sort();
    assert!(
        failures.is_empty(),
        "{} of {} programs do not compile for {}:\n\n{}",
        failures.len(),
        programs.len(),
        compiler.arch,
        failures.join("\n")
    );
}

#[test]
#[ignore = "needs AMD's headers and clang: tests/rocm/setup.sh DIR, CASS_ROCM=DIR"]
fn an_untranslated_program_fails() {
    let compiler = Compiler::required();
    let source = corpus().join("warp-reduce/reduce.cu");
    let result = compiler.compile(&[], &[source]);
    assert!(
        !result.ok && result.output.contains("cuda_runtime.h"),
        "CUDA headers were found, or CUDA compiles as it is:\n{}",
        result.output
    );
}

#[test]
#[ignore = "needs AMD's headers and clang: tests/rocm/setup.sh DIR, CASS_ROCM=DIR"]
fn a_correct_kernel_compiles() {
    let compiler = Compiler::required();
    let result = compiler.compile_text(&kernel(
        "asm volatile(\"v_mov_b32 %0, 5\" : \"=v\"(x));",
        "twice(x)",
    ));
    assert!(result.ok, "{}", result.output);
}

#[test]
#[ignore = "needs AMD's headers and clang: tests/rocm/setup.sh DIR, CASS_ROCM=DIR"]
fn a_ptx_mnemonic_fails_in_the_device_pass() {
    let compiler = Compiler::required();
    let result = compiler.compile_text(&kernel(
        "asm volatile(\"mov.u32 %0, 5;\" : \"=v\"(x));",
        "twice(x)",
    ));
    assert!(
        !result.ok && compiler.device_pass_failed(&result),
        "{}",
        result.output
    );
    assert!(
        result.output.contains("invalid instruction"),
        "{}",
        result.output
    );
}

#[test]
#[ignore = "needs AMD's headers and clang: tests/rocm/setup.sh DIR, CASS_ROCM=DIR"]
fn an_undefined_device_function_fails_in_the_device_pass() {
    let compiler = Compiler::required();
    let result = compiler.compile_text(&kernel("", "defined_nowhere(x)"));
    assert!(
        !result.ok && compiler.device_pass_failed(&result),
        "{}",
        result.output
    );
    assert!(
        result.output.contains("undefined") && result.output.contains("defined_nowhere"),
        "{}",
        result.output
    );
}

/// A program with a kernel around one statement and one expression; correct unless they are not.
fn kernel(statement: &str, expression: &str) -> String {
    format!(
        "#include <hip/hip_runtime.h>\n\
         __device__ unsigned defined_nowhere(unsigned);\n\
         __device__ unsigned twice(unsigned x) {{ return 2 * x; }}\n\
         __global__ void probe(unsigned* out) {{\n  unsigned x = threadIdx.x;\n  {statement}\n  out[threadIdx.x] = {expression};\n}}\n\
         int main() {{ probe<<<1, 64>>>(nullptr); return hipDeviceSynchronize() == hipSuccess ? 0 : 1; }}\n"
    )
}

/// Translates a program into a folder of its name under `out` and compiles every source that arrived there.
fn translate_and_compile(compiler: &Compiler, program: &Path, out: &Path) -> Result<(), String> {
    let name = program.file_name().expect("programs have names");
    let target = out.join(name);
    let name = name.to_string_lossy();
    let run = Command::new(env!("CARGO_BIN_EXE_cass-transpile"))
        .args([program, &target])
        .output()
        .expect("the binary runs");
    // 1 only means findings.
    if !matches!(run.status.code(), Some(0 | 1)) {
        return Err(format!(
            "{name}: cass-transpile ended with {}:\n{}",
            run.status,
            text_of(&run)
        ));
    }

    let (_, originals) = folders_and_sources(program);
    let (folders, sources) = folders_and_sources(&target);
    if originals.is_empty() || sources.len() != originals.len() {
        return Err(format!(
            "{name}: {} sources went in, {} came out",
            originals.len(),
            sources.len()
        ));
    }
    let mut options: Vec<String> = folders
        .iter()
        .map(|folder| format!("-I{}", folder.display()))
        .collect();
    options.extend(
        BUILD_FLAGS
            .iter()
            .filter(|(of, _)| *of == name)
            .map(|(_, flag)| (*flag).to_owned()),
    );
    let result = compiler.compile(&options, &sources);
    if result.ok {
        Ok(())
    } else {
        Err(digest(&result.output, out))
    }
}

/// Of the compile script's output: each file that failed, with its first errors.
fn digest(output: &str, out: &Path) -> String {
    let mut text = String::new();
    let mut shown = 0;
    for line in output.lines() {
        if line.starts_with("ok: ") || line.starts_with("FAILED ") {
            shown = 0;
        }
        let is_error = line.contains("error:") && shown < ERRORS_SHOWN;
        if line.starts_with("FAILED ") || is_error {
            shown += usize::from(is_error);
            let indent = if is_error { "    " } else { "" };
            let line = line.replace(&format!("{}/", out.display()), "");
            writeln!(text, "{indent}{line}").expect("strings can be written");
        }
    }
    text
}

/// Every folder below and including `program`, and every file in them that a compiler is given; both sorted.
fn folders_and_sources(program: &Path) -> (Vec<PathBuf>, Vec<PathBuf>) {
    let (mut folders, mut sources) = (vec![program.to_path_buf()], Vec::new());
    let mut at = 0;
    while let Some(folder) = folders.get(at) {
        let items: Vec<PathBuf> = entries(folder);
        at += 1;
        for item in items {
            let extension = item
                .extension()
                .and_then(|extension| extension.to_str())
                .unwrap_or_default();
            if item.is_dir() {
                folders.push(item);
            } else if matches!(extension, "cu" | "hip" | "c" | "cc" | "cpp" | "cxx") {
                sources.push(item);
            }
        }
    }
    (folders, sources)
}

fn programs() -> Vec<PathBuf> {
    entries(&corpus())
        .into_iter()
        .filter(|path| path.is_dir())
        .collect()
}

fn corpus() -> PathBuf {
    root().join("fixtures/corpus")
}
