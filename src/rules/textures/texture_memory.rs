//! A texture on plain memory whose pitch or filter AMD's hardware refuses.
//!
//! ## Why on AMD
//! The rows of a texture on pitched memory have to lie `texturePitchAlignment` bytes apart, 256 on AMD GPUs where 32 do on NVIDIA's;
//! a pitch that the program computes itself makes `hipCreateTextureObject` fail. Linear filtering of plain memory, linear or pitched,
//! whose elements are read as they are, is not there on gfx90a: the call fails or the fetch gives the nearest element.
//!
//! ## Example
//! ```cuda
//! resource.resType = cudaResourceTypePitch2D;
//! resource.res.pitch2D.pitchInBytes = width * sizeof(float);
//! ```
//!
//! ## When to ignore
//! About the pitch: when the memory comes from `cudaMallocPitch` in another file, or the width is padded for it.
//!
//! ## Source
//! HIP device properties; issue 276 of ROCm's clr (linear filtering); HeCBench's port of opticalFlow pads rows to 256 bytes.

use crate::rules::prelude::*;

/// Reports the pitch and the filter.
pub static RULE: Rule = Rule {
    code: "CASS405",
    severity: Severity::Warning,
    fix: None,
    priority: 50,
    facts: &[],
    checks: &[Check::Idents(
        &["pitchInBytes", "cudaFilterModeLinear"],
        check,
    )],
};

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    let (message, help) = if cx.doc.is(index, "pitchInBytes") {
        let is_set = cx.doc.prev_is(index, ".") && cx.doc.next_is(index, "=");
        if !is_set || mentions(cx.doc, 0..cx.doc.tokens.len(), ALIGNED) {
            return;
        }
        (
            "the pitch of this texture must be a multiple of 256 bytes on AMD",
            "allocate with `cudaMallocPitch`, or round the pitch up to `texturePitchAlignment` of the device",
        )
    } else {
        let function = cx.doc.scopes().enclosing(index);
        let Some(body) = function.map(|function| function.body.clone()) else {
            return;
        };
        // Bytes that are read as fractions are filtered.
        if !mentions(cx.doc, body.clone(), PLAIN)
            || mentions(cx.doc, body, &["cudaReadModeNormalizedFloat"])
        {
            return;
        }
        (
            "AMD's hardware filters arrays only, not linear or pitched memory",
            "copy the data into an array (`cudaMallocArray`), or interpolate in the kernel",
        )
    };
    cx.report(RULE.finding(cx.range(index), message).help(help));
}

/// What gives a right pitch, in code that is HIP already as well.
const ALIGNED: &[&str] = &[
    "hipMallocPitch",
    "hipMemAllocPitch",
    "hipDeviceAttributeTexturePitchAlignment",
    "hipMalloc3D",
    "cudaMallocPitch",
    "cuMemAllocPitch",
    "texturePitchAlignment",
    "cudaDevAttrTexturePitchAlignment",
    "cudaMalloc3D",
];
/// Kinds of plain memory.
const PLAIN: &[&str] = &["cudaResourceTypePitch2D", "cudaResourceTypeLinear"];

fn mentions(doc: &Document<'_>, tokens: std::ops::Range<TokenIndex>, names: &[&str]) -> bool {
    let mut found = names
        .iter()
        .flat_map(|name| doc.occurrences(name.as_bytes(), tokens.clone()));
    found.next().is_some()
}
