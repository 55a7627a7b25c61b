//! A file of PTX, a cubin, a fatbin, or a listing of NVIDIA's machine code.
//!
//! ## Why on AMD
//! Programs load such files at run time by cuModuleLoad or cuLibraryLoadFromFile. HIP's hipModuleLoad takes code objects of AMD's chips
//! and nothing else: of PTX it says `hipErrorInvalidImage`. The file stays as it is. Of PTX a conversion writes HIP C++ beside it, each
//! kernel under its own name, which `hipcc --genco` builds into a code object; a cubin or a listing has to be built anew from its source.
//!
//! ## Example
//! ```cuda
//! cuModuleLoad(&module, "kernels.ptx");
//! ```
//! `kernels.ptx` stays; beside it lies `kernels.ptx.hip`, and what it is built into is loaded:
//! ```hip
//! hipModuleLoad(&module, "kernels.hsaco");
//! ```
//!
//! ## When to ignore
//! When the build makes the file itself, or nothing loads it on AMD.
//!
//! ## Source
//! HIP 6.4, hipModuleLoad; PTX ISA 8.7; CUDA binary utilities 12.9.

use crate::rules::prelude::*;

/// Reports each file of the kind.
pub static RULE: Rule = Rule {
    code: "CASS302",
    severity: Severity::Warning,
    fix: None,
    priority: 50,
    facts: &[],
    checks: &[Check::Event(check)],
};

fn check(event: &Event<'_>) -> Option<Finding> {
    let (range, kind, made, chip) = match event {
        Event::DeviceModule {
            range,
            kind,
            made,
            chip,
        } => (*range, *kind, made, *chip),
        Event::ModuleReview { range, note } => {
            let message = "the module does not mean exactly the same on AMD";
            return Some(RULE.finding(*range, message).help((*note).to_owned()));
        }
        _ => return None,
    };
    let what = match kind {
        ModuleKind::Ptx => "PTX is the assembly of NVIDIA's driver",
        ModuleKind::Cubin => "a cubin is machine code of NVIDIA's chips",
        ModuleKind::Fatbin => "a fatbin holds PTX and machine code of NVIDIA's chips",
        ModuleKind::Sass => "SASS is machine code of NVIDIA's chips",
    };
    let message = format!("{what}: hipModuleLoad takes code objects alone");
    let build = format!("hipcc --genco --offload-arch={chip}");
    let help = match (made, kind) {
        (Some(made), _) => {
            let (name, written, kernels) = (&made.name, made.written, made.kernels);
            let object = name.trim_end_matches(".ptx.hip");
            format!(
                "build {name}, which a conversion writes beside it with {written} of {kernels} kernels, by `{build} -o {object}.hsaco {name}`, and load that"
            )
        }
        (None, ModuleKind::Sass) => format!(
            "build its source by `{build}` and load the code object; without the source, convert the PTX that `cuobjdump -ptx` gets out of the program"
        ),
        _ => format!(
            "build its source by `{build}` and load the code object; without the source, convert the PTX that `cuobjdump -ptx` gets out of it"
        ),
    };
    Some(RULE.finding(range, message).help(help))
}
