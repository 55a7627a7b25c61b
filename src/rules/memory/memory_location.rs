//! A memory location given as a structure, as from CUDA 13 on.
//!
//! ## Why on AMD
//! `cudaMemAdvise` and `cudaMemPrefetchAsync` take a `cudaMemLocation` where they took the number of a device, and so do `cuMemAdvise` and
//! `cuMemPrefetchAsync` of the driver a `CUmemLocation`. HIP has such functions under names with `_v2`, from ROCm 7.1; its old names go on
//! taking the number, and a structure there does not compile.
//!
//! ## Example
//! ```cuda
//! cudaMemAdvise(p, size, cudaMemAdviseSetPreferredLocation, place);
//! ```
//! becomes, before ROCm 7.1,
//! ```hip
//! hipMemAdvise(p, size, hipMemAdviseSetPreferredLocation, place.type == hipMemLocationTypeDevice ? place.id : hipCpuDeviceId);
//! ```
//!
//! ## When to ignore
//! Never.
//!
//! ## Source
//! `cuda_runtime_api.h` and `cuda.h` of CUDA 13.0; `hip/hip_runtime_api.h` of ROCm 6.4 and 7.1.

use crate::cpp::calls::trusted_call;
use crate::cpp::declarations::declared;
use crate::rules::prelude::*;

/// Passes the number of the device, or takes the function for structures.
pub static RULE: Rule = Rule {
    code: "CASS408",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 30,
    facts: &[],
    checks: &[Check::Claimed(
        &[
            "cudaMemAdvise",
            "cudaMemPrefetchAsync",
            "cuMemAdvise",
            "cuMemPrefetchAsync",
        ],
        check,
    )],
};

/// The first release with functions that take a structure.
const WITH_STRUCTURE: Version = Version::new(7, 1);

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    let finding = location(cx.doc, index).map(|(call, place)| report(cx, index, &call, place));
    match finding {
        Some(finding) => cx.report(finding),
        // Without a structure there is nothing to these functions but their names.
        None => cx.ask_tables(index),
    }
}

/// The structures of the runtime and of the driver.
const STRUCTURES: &[&str] = &["cudaMemLocation", "CUmemLocation"];

/// The call at a name, and the number of its argument that is a structure.
fn location(doc: &Document<'_>, index: TokenIndex) -> Option<(Call, usize)> {
    let place = if doc.bytes(index).ends_with(b"Advise") {
        3
    } else {
        2
    };
    let call = trusted_call(doc, index)?;
    let argument = call.arguments.get(place)?;
    let is_location = STRUCTURES.iter().any(|name| doc.is(argument.start, name))
        || declared(doc, argument.start).is_some_and(|found| {
            argument.len() == 1 && found.pointers == 0 && found.is_any(STRUCTURES)
        });
    is_location.then_some((call, place))
}

fn report(cx: &Context<'_, '_>, index: TokenIndex, call: &Call, place: usize) -> Finding {
    let doc = cx.doc;
    let name = cx.text(index);
    let plain = name.trim_start_matches("cuda").trim_start_matches("cu");
    let old = format!("hip{plain}");
    let message = format!("`{old}` takes a device id, not a structure");
    let finding = RULE.finding(cx.range(index), message);
    if cx.options().rocm >= WITH_STRUCTURE {
        let name = Edit::replace(cx.range(index), format!("{old}_v2"));
        return finding.fix(Fix::safe(vec![name]));
    }
    let argument = &call.arguments[place];
    if argument.len() > 1 {
        return finding
            .severity(Severity::Error)
            .help("pass the device id, or `hipCpuDeviceId` for the host");
    }
    let name = cx.text(argument.start);
    let number = format!("{name}.type == hipMemLocationTypeDevice ? {name}.id : hipCpuDeviceId");
    // Flags, which CUDA wants to be 0, come with the structure.
    let last = call.arguments.get(place + 1).unwrap_or(argument);
    finding.fix(Fix::safe(vec![
        Edit::replace(cx.range(index), old),
        Edit::replace(doc.range(argument.start, last.end - 1), number),
    ]))
}
