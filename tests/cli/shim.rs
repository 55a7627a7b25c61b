//! Shim headers: generated for what a tree uses, checked against it, and compiled where AMD's headers are.

use std::path::Path;
use std::process::Command;

use crate::common::rocm::Compiler;
use crate::common::{GONE, Tree};

const USER: &str = "__global__ void k(float *p) { p[threadIdx.x] = 1; }\n\
int main() {\n  float *p;\n  cudaMallocHost((void **)&p, 64);\n  cudaStream_t s;\n  cudaStreamCreate(&s);\n  k<<<1, 64, 0, s>>>(p);\n  \
cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024);\n  return cudaDeviceSynchronize() != cudaSuccess;\n}\n\
cublasComputeType_t precision() { return CUBLAS_COMPUTE_32F; }\n";

fn tool() -> Command {
    Command::new(env!("CARGO_BIN_EXE_cass-transpile"))
}

fn generated(folder: &Path) -> String {
    std::fs::write(folder.join("user.cu"), USER).expect("the folder is writable");
    let output = tool()
        .args(["shim", "generate"])
        .arg(folder.join("user.cu"))
        .output()
        .expect("the program runs");
    assert!(output.status.success());
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn a_generated_shim_covers_its_tree_and_a_hole_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = generated(folder.path());
    let shim = folder.path().join("hip.h");
    std::fs::write(&shim, &text).expect("the folder is writable");
    let check = || {
        tool()
            .args(["check", "--shim"])
            .arg(&shim)
            .arg(folder.path().join("user.cu"))
            .output()
            .expect("the program runs")
    };
    assert_eq!(check().status.code(), Some(0));

    let with_hole: String = text
        .lines()
        .filter(|line| !line.contains("cudaStreamCreate"))
        .map(|line| format!("{line}\n"))
        .collect();
    std::fs::write(&shim, with_hole).expect("the folder is writable");
    let output = check();
    assert_eq!(output.status.code(), Some(1));
    let printed = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(
        printed.contains("#define cudaStreamCreate hipStreamCreate")
            && printed.contains("user.cu:6:3"),
        "{printed}"
    );
}

/// Names that ROCm spelt differently once, for whoever builds with either release.
#[test]
fn a_spelling_that_changed_is_a_fork() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = generated(folder.path());
    let fork = "#if HIP_VERSION >= 60000000\n#define cublasComputeType_t hipblasComputeType_t\n#else\n\
                #define cublasComputeType_t hipblasDatatype_t\n#endif\n";
    assert!(text.contains(fork), "{text}");
    assert!(text.contains("#include <hipblas/hipblas.h>"), "{text}");
}

/// A hole is a finding as any other: in every format, with a code that is explained, once for a name, silenced by comments.
#[test]
fn holes_are_findings() {
    let tree = Tree::new(&[
        ("hip.h", "#define cudaFree hipFree\n"),
        (
            "src/a.cu",
            "void f() { cudaMalloc(0, 1); cudaFree(0); cudaMalloc(0, 2); }\n",
        ),
        ("src/b.cu", "void g() { cudaMalloc(0, 3); }\n"),
        ("src/c.cu", GONE),
        (
            "src/d.cu",
            "void h() { cudaMemset(0, 0, 1); } // cass: ignore[CASS001] in a wrapper\n",
        ),
    ]);
    let check = |more: &[&str]| tree.run(&[&["check", "src", "--shim", "hip.h"], more].concat());
    let concise = check(&["--output-format", "concise"]);
    let lines: Vec<&str> = concise.out.lines().collect();
    assert_eq!(concise.code, 1);
    assert!(
        lines.len() == 2
            && lines[0]
                .starts_with("src/a.cu:1:12: error[CASS001]: `cudaMalloc` is not covered by hip.h")
            && lines[1].starts_with("src/c.cu:1:24: error[CASS003]: "),
        "{}",
        concise.out
    );
    assert_eq!(
        check(&["--ignore", "CASS001", "--output-format", "concise"])
            .out
            .lines()
            .count(),
        1
    );
    let full = check(&[]);
    assert!(
        full.out
            .contains("add to hip.h: #define cudaMalloc hipMalloc"),
        "{}",
        full.out
    );
    assert_eq!(
        full.err,
        "2 names of CUDA that hip.h does not cover, in 4 files\n"
    );
    let github = check(&["--output-format", "github"]).out;
    assert_eq!(github.matches("::error file=src/").count(), 2, "{github}");
    assert_eq!(
        check(&["--baseline", "known.json", "--update-baseline"]).code,
        0
    );
    assert_eq!(check(&["--baseline", "known.json"]).code, 0);
    assert_eq!(
        tree.run(&["shim", "check", "src", "--shim", "hip.h"]).out,
        full.out
    );
}

/// Names that a helper stands for, headers and spellings of one release.
#[test]
fn masks_headers_and_the_release_are_covered() {
    let source = "#include <cuda_runtime.h>\n#include <cublas_v2.h>\n__global__ void k(float *p) { p[0] = __shfl_down_sync(0xffffffff, p[0], 1) + __ballot_sync(0xffffffff, 1); }\ncublasComputeType_t precision() { return CUBLAS_COMPUTE_32F; }\n";
    let tree = Tree::new(&[
        ("src/a.cu", source),
        (
            "hole.h",
            "#define cublasComputeType_t hipblasComputeType_t\n",
        ),
    ]);
    // What the generator writes covers the tree; a header without the masks, or without headers that lead to it, does not.
    let written = tree.run(&[
        "shim",
        "generate",
        "src",
        "--include-dir",
        "shim",
        "--rocm",
        "6.4",
    ]);
    assert!(
        written
            .err
            .contains("hipcc -x hip -I shim -include shim/cass_cuda_shim.h"),
        "{}",
        written.err
    );
    let header = tree.read("shim/cass_cuda_shim.h");
    assert!(
        header.contains("#define __shfl_down_sync cass_shfl_down_sync"),
        "{header}"
    );
    assert!(!header.contains("#if HIP_VERSION"), "{header}");
    assert!(
        tree.read("shim/cuda_runtime.h")
            .contains("#include \"cass_cuda_shim.h\"")
    );
    assert!(
        tree.read("shim/cublas_v2.h")
            .contains("#include <hipblas/hipblas.h>")
    );
    let check = tree.run(&["shim", "check", "src", "--shim", "shim/cass_cuda_shim.h"]);
    assert_eq!(check.code, 0, "{}{}", check.out, check.err);
    let hole = tree.run(&[
        "check",
        "src",
        "--shim",
        "hole.h",
        "--output-format",
        "concise",
    ]);
    assert_eq!(hole.code, 1);
    for missing in [
        "`__shfl_down_sync` is not covered",
        "`__ballot_sync` is not covered",
        "`cuda_runtime.h` of CUDA does not lead to hole.h",
    ] {
        assert!(hole.out.contains(missing), "{}", hole.out);
    }
}

/// What no macro can do is told when the shim is written and when it is held against sources.
#[test]
fn what_is_beyond_a_shim_is_told() {
    let source = "#include <cuda_runtime.h>\n__device__ unsigned f() { unsigned r; asm(\"mov.u32 %0, %laneid;\" : \"=r\"(r)); return r; }\nvoid g() { cudaDeviceFlushGPUDirectRDMAWrites(a, b); }\nvoid h() { cudaFuncSetAttribute(k<int, 2>, cudaFuncAttributeMaxDynamicSharedMemorySize, 4); }\n";
    let tree = Tree::new(&[("src/a.cu", source)]);
    let written = tree.run(&["shim", "generate", "src", "--include-dir", "shim"]);
    assert!(
        written
            .err
            .contains("1 name without cover: cudaDeviceFlushGPUDirectRDMAWrites"),
        "{}",
        written.err
    );
    assert!(
        written
            .err
            .contains("2 places that the sources have to change for"),
        "{}",
        written.err
    );
    let check = tree.run(&["shim", "check", "src", "--shim", "shim/cass_cuda_shim.h"]);
    assert!(
        check.code == 1 && check.out.contains("a shim cannot do that"),
        "{}",
        check.out
    );
}

/// Programs of the corpus compile to code objects with a generated shim as they are: no source is changed.
#[test]
#[ignore = "needs AMD's headers and clang: tests/rocm/setup.sh DIR, CASS_ROCM=DIR"]
fn programs_compile_with_a_shim_unchanged() {
    const PROGRAMS: &[&str] = &[
        "warp-reduce",
        "allreduce",
        "bfs-frontier",
        "constant-filter",
        "half-axpy",
        "half-ported",
        "heat-stencil",
        "histogram",
        "macro-launch",
        "monte-carlo-pi",
        "peer-copy",
        "stream-overlap",
    ];
    let compiler = Compiler::required();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for program in PROGRAMS {
        let source = root.join("fixtures/corpus").join(program);
        let folder = tempfile::tempdir().expect("a folder");
        let written = tool()
            .args(["shim", "generate", "--include-dir"])
            .args([folder.path(), &source])
            .output()
            .expect("the program runs");
        assert!(written.status.success());
        let mut options = defines(&String::from_utf8_lossy(&written.stderr));
        let headers = folder.path().display();
        options.extend([
            format!("-I{headers}"),
            format!("-include{headers}/cass_cuda_shim.h"),
        ]);
        let compiled = compiler.compile(&options, &cuda_files(&source));
        let is_named = compiled.output.contains("ok: ");
        assert!(compiled.ok && is_named, "{program}\n{}", compiled.output);
    }
}

/// The macros that the shim says are to be defined.
fn defines(said: &str) -> Vec<String> {
    let words = said.split_whitespace();
    words
        .filter(|word| word.starts_with("-D"))
        .map(str::to_owned)
        .collect()
}

/// The sources of a program, which lie in its folder.
fn cuda_files(folder: &Path) -> Vec<std::path::PathBuf> {
    let items = std::fs::read_dir(folder).expect("the corpus is readable");
    let mut files: Vec<_> = items.map(|item| item.expect("readable").path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "cu"));
    files.sort();
    assert!(!files.is_empty(), "{}: no sources", folder.display());
    files
}

#[test]
#[ignore = "needs AMD's headers and clang: tests/rocm/setup.sh DIR, CASS_ROCM=DIR"]
fn a_generated_shim_compiles_for_amd() {
    let compiler = Compiler::required();
    let folder = tempfile::tempdir().expect("a folder");
    let text = generated(folder.path());
    let source = folder.path().join("all.hip");
    std::fs::write(&source, format!("{text}{USER}")).expect("the folder is writable");
    let compiled = compiler.compile(&[], &[source]);
    assert!(compiled.ok, "{}\n{text}", compiled.output);
}
