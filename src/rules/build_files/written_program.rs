//! A program with names of CUDA in the text of a build file, which writes it into a file and compiles that.
//!
//! ## Why on AMD
//! Lists of CMake and scripts of a shell ask the GPU for its compute capability by a program of a few lines. What compiles it is hipcc
//! on AMD, which does not know `cudaGetDeviceCount`, and `prop.major` is a version of AMD's chip there.
//!
//! ## Example
//! ```cmake
//! file(WRITE ${file} "#include <cuda_runtime.h>\n"
//!   "int main() { int n; return cudaGetDeviceCount(&n); }\n")
//! ```
//! becomes
//! ```cmake
//! file(WRITE ${file} "#include <hip/hip_runtime.h>\n"
//!   "int main() { int n; return hipGetDeviceCount(&n); }\n")
//! ```
//!
//! ## When to ignore
//! Where the program is compiled for NVIDIA alone.
//!
//! ## Source
//! CMake 3.21, `file(WRITE)`, `try_run`; POSIX shell, here-documents; the tables in `mappings/`.

use crate::analysis::build_names::Counterpart;
use crate::build::programs::{Named, Program, programs};
use crate::build::words::fix;
use crate::project::file::brings_runtime;
use crate::rules::prelude::*;

/// Writes what AMD has in its place.
pub static RULE: Rule = Rule {
    code: "CASS750",
    severity: Severity::Warning,
    fix: Some(Applicability::Safe),
    priority: 50,
    facts: &[],
    checks: &[Check::BuildFile(check)],
};

fn check(cx: &mut BuildContext<'_, '_>) {
    for program in programs(cx.doc) {
        check_program(cx, &program);
    }
}

/// What a program names, and what that is on AMD.
struct Found {
    range: TextRange,
    counterpart: Counterpart,
}

fn check_program(cx: &mut BuildContext<'_, '_>, program: &Program) {
    let named = program.names(&cx.doc.source.bytes);
    let names = named.iter().filter_map(|it| match *it {
        Named::Name(range) => {
            let counterpart = Counterpart::of_name(&cx.unit, &cx.text_of(range))?;
            Some(Found { range, counterpart })
        }
        _ => None,
    });
    let names: Vec<Found> = names.collect();
    let headers = named.iter().filter_map(|it| match *it {
        Named::Header(range) => {
            let counterpart = Counterpart::of_header(&cx.unit, &cx.text_of(range))?;
            Some(Found { range, counterpart })
        }
        _ => None,
    });
    let headers: Vec<Found> = headers.collect();
    // nvcc brings the runtime's header by itself, hipcc does not.
    let has_runtime = named.iter().any(|it| match *it {
        Named::Header(range) => brings_runtime(&cx.text_of(range), cx.table()),
        _ => false,
    });
    let needs_runtime = !has_runtime && !names.is_empty();
    let mut top = needs_runtime.then_some(program);
    for found in headers.iter().chain(&names) {
        // The first that is written brings the header along.
        let top = top.take_if(|_| found.counterpart.target.is_some());
        let finding = finding(cx, found, top);
        cx.report(finding);
    }
    let is_cudas = !names.is_empty() || !headers.is_empty();
    let capability = named.iter().find_map(|it| match *it {
        Named::Member(range) if is_cudas && cx.text_of(range) == "major" => Some(range),
        _ => None,
    });
    if let Some(range) = capability {
        cx.report(of_capability(range));
    }
}

/// What is said of a name or header; the first writes the runtime's header at the `top` of a program that has none.
fn finding(cx: &BuildContext<'_, '_>, found: &Found, top: Option<&Program>) -> Finding {
    const INCLUDE: &str = "#include <hip/hip_runtime.h>";
    let Counterpart { note, is_full, .. } = found.counterpart;
    let word = cx.text_of(found.range).into_owned();
    let Some(target) = &found.counterpart.target else {
        let message =
            format!("`{word}` of a program that is written here has no counterpart on AMD");
        return RULE.finding(found.range, message).help(match note {
            "" => "leave the program out on AMD",
            note => note,
        });
    };
    let mut edits = vec![Edit::replace(found.range, target.clone())];
    let bytes = &cx.doc.source.bytes;
    let line_end = top.and_then(|program| Some((program, program.line_end_at_top(bytes)?)));
    edits.extend(
        line_end.map(|(program, end)| Edit::insert(program.top(bytes), format!("{INCLUDE}{end}"))),
    );
    // A program of one line has no place for a directive.
    let lacks_header = top.is_some() && line_end.is_none();
    let message = format!("`{word}` becomes `{target}` in the program that is written here");
    let finding = RULE.finding(found.range, message).help(match lacks_header {
        true => "hipcc needs `#include <hip/hip_runtime.h>` in a line of its own in front of the program",
        false => note,
    });
    match fix(cx.doc, found.counterpart.applicability(), edits) {
        Some(fix) if is_full && !lacks_header => finding.fix(fix).severity(Severity::Info),
        Some(fix) => finding.fix(fix),
        None => finding,
    }
}

/// What is said where the program asks for a compute capability.
fn of_capability(range: TextRange) -> Finding {
    let message = "this asks for a compute capability of NVIDIA's: on AMD `major` and `minor` are parts of the chip's version";
    let help = "nvcc's `-gencode` is made of it; AMD's chips have names, for CMAKE_HIP_ARCHITECTURES or --offload-arch: gfx90a, or `native` for \
                those of this machine, which rocm_agent_enumerator lists";
    RULE.finding(range, message).help(help)
}
