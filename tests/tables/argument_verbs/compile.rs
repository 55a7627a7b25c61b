//! The compiler's word on calls, with AMD's headers.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The headers that declare what a library's calls become; none where Debian packages none, or where no call is on the host.
pub(crate) fn headers(library: &str) -> &'static [&'static str] {
    match library {
        "blas" => &["hipblas/hipblas.h", "rocblas/rocblas.h"],
        "blaslt" => &["hipblaslt/hipblaslt.h"],
        "dnn" => &["miopen/miopen.h"],
        "fft" => &["hipfft/hipfft.h", "hipfft/hipfftXt.h", "rocfft/rocfft.h"],
        "rand" => &[
            "hiprand/hiprand_kernel.h",
            "hiprand/hiprand_mtgp32_host.h",
            "rocrand/rocrand_kernel.h",
            "rocrand/rocrand_mtgp32_11213.h",
        ],
        "solver" => &["hipsolver/hipsolver.h", "rocsolver/rocsolver.h"],
        "sparse" => &["hipsparse/hipsparse.h", "rocsparse/rocsparse.h"],
        "rtc" => &["hip/hiprtc.h"],
        "runtime" | "driver" => &["hip/hip_gl_interop.h"],
        _ => &[],
    }
}

/// The compiler's errors about calls whose arguments convert to anything: what is counted and typed is what the tables insert.
pub(crate) fn compile(
    rocm: &Path,
    library: &str,
    headers: &[&str],
    calls: &[String],
) -> BTreeSet<String> {
    let mut text = String::from("#include <hip/hip_runtime.h>\n");
    for header in headers {
        writeln!(text, "#include <{header}>").expect("strings take text");
    }
    text.push_str(
        "struct any { template <class T> operator T() const; };\n\
         template <class T> T as(any) { return T(); }\n#define reinterpret_cast as\n",
    );
    // The template beside this function casts what it gets in a way that `any` does not take.
    text.push_str(
        "#define hipLaunchCooperativeKernel(f, ...) \
         hipLaunchCooperativeKernel(static_cast<const void *>(f), __VA_ARGS__)\n",
    );
    for (number, call) in calls.iter().enumerate() {
        let arguments: Vec<String> = (0..40).map(|at| format!("any a{at}")).collect();
        writeln!(
            text,
            "void call{number}({}) {{ {call} }}",
            arguments.join(", ")
        )
        .expect("strings take text");
    }
    let scratch = tempfile::tempdir().expect("a folder");
    let file = scratch.path().join(format!("{library}.hip"));
    std::fs::write(&file, &text).expect("writable");
    let script = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/rocm/compile.sh");
    let output = Command::new("bash")
        .arg(script)
        .arg(rocm)
        .args(["gfx90a", "-ferror-limit=0", "-DHIPBLAS_V2"])
        .arg(&file)
        .output()
        .expect("bash runs");
    if output.status.success() {
        return BTreeSet::new();
    }
    let lines: Vec<&str> = text.lines().collect();
    let place = |line: &str| -> Option<String> {
        let (place, message) = line.split_once(" error: ")?;
        let number: usize = place.rsplit(':').nth(2)?.parse().ok()?;
        let call = lines.get(number - 1)?.split("{ ").nth(1)?;
        Some(format!("{library}: {call} {message}"))
    };
    let output = String::from_utf8_lossy(&output.stdout).into_owned();
    let found: BTreeSet<String> = output.lines().filter_map(place).collect();
    assert!(!found.is_empty(), "{output}");
    found
}
