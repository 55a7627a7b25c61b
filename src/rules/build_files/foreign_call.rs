//! A program in Go, Cython, Fortran, Rust or Julia that calls CUDA's libraries by their names in C.
//!
//! ## Why on AMD
//! The libraries of ROCm have the functions under HIP's names. C and C++ of the tree are translated, programs in other languages stay as
//! they are: they are linked against a library that an AMD machine has not.
//!
//! ## Example
//! ```go
//! C.cuMemAlloc(&p, 64)
//! ```
//! becomes, by hand,
//! ```go
//! C.hipMalloc(&p, 64)
//! ```
//!
//! ## When to ignore
//! In bindings that an AMD build leaves out. A build script that looks for the library first, or asks for a feature, is information.
//!
//! ## Source
//! hipfort 0.5; the crates hip-runtime-sys and cubecl-hip-sys; AMDGPU.jl 1.2; Cython 3.0, C names of declarations; cgo.

use crate::rules::Named;
use crate::rules::prelude::*;
use crate::text::Caller;

/// Reports once a file.
pub static RULE: Rule = Rule {
    code: "CASS679",
    severity: Severity::Warning,
    fix: None,
    priority: 50,
    facts: &[],
    checks: &[Check::Event(check)],
};

fn check(event: &Event<'_>) -> Option<Finding> {
    let Event::ForeignCalls {
        range,
        name,
        calls,
        caller,
        named,
    } = event
    else {
        return None;
    };
    let language = name_of(*caller);
    let places = match calls {
        1 => "in one place".to_owned(),
        calls => format!("in {calls} places"),
    };
    let finding = match named {
        None => {
            let message =
                format!("{language} is not translated: it calls CUDA {places}, `{name}` first");
            RULE.finding(*range, message).help(advice(*caller))
        }
        Some(Named::Library) => {
            let message = format!(
                "{language} is not translated: it is linked with CUDA's `{name}`, and names CUDA {places}"
            );
            RULE.finding(*range, message).help(advice(*caller))
        }
        Some(Named::Text) => {
            let message =
                format!("{language} is not translated: it names CUDA {places}, `{name}` first");
            RULE.finding(*range, message).help(advice(*caller))
        }
        Some(Named::InBuild { asks_first }) => {
            let message = format!(
                "the build script names CUDA {places}, `{name}` first, for the linker or for bindings"
            );
            let severity = match asks_first {
                true => Severity::Info,
                false => RULE.severity,
            };
            let finding = RULE.finding(*range, message).severity(severity);
            finding.help("behind a feature for AMD link amdhip64 and the like from /opt/rocm/lib, and bind HIP's functions")
        }
    };
    Some(finding)
}

fn name_of(caller: Caller) -> &'static str {
    match caller {
        Caller::Go => "Go",
        Caller::Cython => "Cython",
        Caller::Fortran => "Fortran",
        Caller::Rust => "Rust",
        Caller::Julia => "Julia",
    }
}

/// What to write in each language.
fn advice(caller: Caller) -> &'static str {
    match caller {
        Caller::Go => {
            "write HIP's header, -lamdhip64 and HIP's names (`query NAME`) in a file of its own with a build tag for AMD"
        }
        Caller::Cython => {
            "give the declaration HIP's name in C, `int cudaMalloc \"hipMalloc\" (…)`, and HIP's header behind `extern from`"
        }
        Caller::Fortran => {
            "use hipfort's modules, which have HIP's functions; kernels of CUDA Fortran become HIP C++"
        }
        Caller::Rust => {
            "declare HIP's functions, as the crates hip-runtime-sys and cubecl-hip-sys do, behind a feature for AMD"
        }
        Caller::Julia => "call AMDGPU.jl, which has HIP and its libraries",
    }
}
