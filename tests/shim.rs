//! Shim headers: generated for what a tree uses, checked against it, and compiled where AMD's headers are.

use std::io::Write as _;
use std::path::Path;
use std::process::Command;

const USER: &str = "__global__ void k(float *p) { p[threadIdx.x] = 1; }\n\
int main() {\n  float *p;\n  cudaMallocHost((void **)&p, 64);\n  cudaStream_t s;\n  cudaStreamCreate(&s);\n  k<<<1, 64, 0, s>>>(p);\n  \
cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024);\n  return cudaDeviceSynchronize() != cudaSuccess;\n}\n";

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

#[test]
fn a_generated_shim_compiles_for_amd() {
    let Some(rocm) = std::env::var_os("CASS_ROCM") else {
        assert!(
            std::env::var_os("CI").is_none(),
            "CASS_ROCM is unset: run tests/rocm/setup.sh first"
        );
        // Past the harness, which hides what passing tests print.
        let _ = writeln!(
            std::io::stderr(),
            "NOT RUN: CASS_ROCM is unset, the shim was not compiled"
        );
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    let text = generated(folder.path());
    let source = folder.path().join("all.hip");
    std::fs::write(&source, format!("{text}{USER}")).expect("the folder is writable");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/rocm/compile.sh");
    let output = Command::new("bash")
        .arg(script)
        .arg(rocm)
        .arg("gfx90a")
        .arg(&source)
        .output()
        .expect("bash runs");
    assert!(
        output.status.success(),
        "{}\n{text}",
        String::from_utf8_lossy(&output.stderr)
    );
}
