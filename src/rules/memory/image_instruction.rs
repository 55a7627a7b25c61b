//! Texture or surface fetches, for chips that have no image instructions.
//!
//! ## Why on AMD
//! gfx940, gfx941, gfx942 and gfx950 (MI300, MI350) have no texture units. HIP's headers mark all `tex*` and `surf*` functions as
//! unavailable there: device code that calls one does not compile. gfx90a and the RDNA chips have them.
//!
//! ## Example
//! ```cuda
//! out[i] = tex2D<float>(image, x, y);   // error with --offload-arch=gfx942
//! ```
//!
//! ## When to ignore
//! When the program is never built for these chips; `--target` says so to this tool.
//!
//! ## Source
//! `hip/amd_detail/amd_hip_runtime.h` (`__HIP_NO_IMAGE_SUPPORT`) and `texture_indirect_functions.h` of ROCm 6.4.

use super::arguments::is_members_name;
use super::places::is_first;
use super::prelude::*;

/// Names the chips without image instructions, once per file.
pub static RULE: Rule = Rule {
    code: "CASS401",
    name: "image-instruction",
    group: Group::Memory,
    severity: Severity::Warning,
    fix: None,
    since: "0.1.0",
    priority: 50,
    triggers: &[Trigger::Idents(NAMES)],
    check,
};

const NAMES: &[&str] = &[
    "tex1D",
    "tex1Dfetch",
    "tex1DLod",
    "tex1DGrad",
    "tex1DLayered",
    "tex2D",
    "tex2DLod",
    "tex2DGrad",
    "tex2DLayered",
    "tex2Dgather",
    "tex3D",
    "tex3DLod",
    "tex3DGrad",
    "texCubemap",
    "texCubemapLod",
    "texCubemapLayered",
    "surf1Dread",
    "surf1Dwrite",
    "surf2Dread",
    "surf2Dwrite",
    "surf3Dread",
    "surf3Dwrite",
    "surf2DLayeredread",
    "surf2DLayeredwrite",
    "surfCubemapread",
    "surfCubemapwrite",
];

fn check(at: At<'_>, cx: &mut Context<'_, '_>) {
    let At::Ident(index) = at else { return };
    let is_call = cx.doc.next_is(index, "(") || cx.doc.next_is(index, "<");
    if !is_call || is_members_name(cx.doc, index) || !is_first(cx.doc, index, NAMES) {
        return;
    }
    let message = format!(
        "`{}` does not compile for gfx940, gfx941, gfx942 and gfx950, which have no image instructions",
        cx.text(index)
    );
    let finding = RULE
        .finding(cx.range(index), message)
        .help("for these chips read from linear memory and filter by hand, in a branch on `__HIP_NO_IMAGE_SUPPORT`; at run time ask hipDeviceAttributeImageSupport")
        .targets(&["gfx940", "gfx941", "gfx942", "gfx950"]);
    cx.report(finding);
}
