//! A header that only hipcc compiles on AMD, in a file that goes to the compiler of the host.
//!
//! ## Why on AMD
//! PyTorch's build and CMake give `.cu` files to hipcc and `.cpp` files to g++. nvcc's headers of Thrust, bfloat16 and fp8 compile with g++;
//! those of ROCm 6.4 do not: `'cuda/__cccl_config' file not found`, `'__builtin_amdgcn_ds_bpermute' was not declared in this scope`.
//!
//! ## Example
//! ```cuda
//! // binding.cpp
//! #include <torch/extension.h>
//! #include <thrust/host_vector.h>
//! ```
//! The file is named `.cu` in `setup.py`, or the include and what uses it stand under `#if !defined(USE_ROCM) || defined(__HIPCC__)`. In
//! CMake `set_source_files_properties(binding.cpp PROPERTIES LANGUAGE HIP)` gives it to hipcc.
//!
//! ## When to ignore
//! When the build is for a release of ROCm whose headers g++ takes, or its compiler of C++ is hipcc or amdclang++ with `-x hip`.
//!
//! ## Source
//! Each header behind `-D__HIP_PLATFORM_AMD__=1 -DUSE_ROCM=1` with g++ 12, ROCm 6.4; `_is_cuda_file` of PyTorch's `cpp_extension.py`.

use crate::cpp::guarding::conditions;
use crate::project::hipcc_sources::is_for_hipcc;
use crate::project::includes::is_for_host;
use crate::rules::prelude::*;

/// Reports the include, unless a condition around it tells compilers apart.
pub static RULE: Rule = Rule {
    code: "CASS651",
    severity: Severity::Warning,
    fix: None,
    priority: 60,
    facts: &[Fact::DecidedByPort],
    checks: &[Check::Include(check)],
};

/// What a condition asks where its author tells compilers or vendors apart.
const TELLS_APART: &[&str] = &[
    "CC__",
    "HIP",
    "ROCM",
    "__CUDA_ARCH__",
    "CUDACC",
    "__clang__",
];

const IN_PYTORCH: &str = "name the file .cu where the build lists it, or put the include and what uses it under `#if !defined(USE_ROCM) || defined(__HIPCC__)`";

const GIVEN: &str = "the translated list of CMake makes them sources of HIP";

const IN_CMAKE: &str = "give the file to hipcc by `set_source_files_properties(FILE PROPERTIES LANGUAGE HIP)`, or put the include and what uses it under `#ifdef __HIPCC__`";

fn check(include: &Include, cx: &mut Context<'_, '_>) {
    if !reads_header_for_hipcc(cx, include) {
        return;
    }
    let all = conditions(cx.doc, include.directive.start);
    let tells = |text: &String| text == "#" || TELLS_APART.iter().any(|it| text.contains(it));
    if all.iter().any(tells) {
        return;
    }
    let path = &*cx.doc.source.path;
    let units = match cx.project.holds(path) {
        true => cx.project.host_units(path),
        false if is_for_host(path) && cx.is_torch() => vec![path],
        false => return,
    };
    let Some(first) = units.first() else { return };
    let others = match units.len() - 1 {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let message = format!(
        "g++ cannot compile AMD's `{}`, and files for the host's compiler reach this include: {first}{others}",
        cx.text_of(include.path)
    );
    let help = match cx.is_torch() {
        true => IN_PYTORCH,
        false => IN_CMAKE,
    };
    let finding = RULE.finding(include.directive, message);
    let is_given = |unit: &&str| cx.project.becomes_hipcc_source(unit);
    cx.report(match units.iter().all(is_given) {
        true => finding.severity(Severity::Info).help(GIVEN),
        false => finding.help(help),
    });
}

/// Whether an include is that of a header that only hipcc takes, and no file of the tree.
fn reads_header_for_hipcc(cx: &Context<'_, '_>, include: &Include) -> bool {
    let written = cx.text_of(include.path);
    is_for_hipcc(&written)
        && cx
            .project
            .paths
            .resolve(&cx.doc.source.path, &written)
            .is_none()
}
