//! Texture or surface fetches, for chips that have no image instructions.
//!
//! ## Why on AMD
//! gfx940, gfx941, gfx942 and gfx950 (MI300, MI350) have no texture units. HIP's headers mark all `tex*` and `surf*` functions as
//! unavailable there: device code that calls one does not compile. gfx90a and the RDNA chips have them. Fetches through a texture
//! reference on linear memory become loads, of which CASS410 speaks.
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

use crate::analysis::textures::{are_rewritten, is_on_linear};
use crate::cpp::names::is_members_name;
use crate::mapping::chip;
use crate::mapping::name_lists;
use crate::rules::prelude::*;

/// Names the chips without image instructions, once per file.
pub static RULE: Rule = Rule {
    code: "CASS401",
    severity: Severity::Warning,
    fix: None,
    priority: 50,
    facts: &[],
    checks: &[Check::Source(check)],
};

fn check(cx: &mut Context<'_, '_>) {
    let fetches = cx.doc.all_of(&name_lists().image_instructions);
    let Some(index) = fetches.into_iter().find(|&index| needs_image(cx, index)) else {
        return;
    };
    let message = format!(
        "`{}` does not compile for gfx940, gfx941, gfx942 and gfx950, which have no image instructions",
        cx.text(index)
    );
    let finding = RULE
        .finding(cx.range(index), message)
        .help("for these chips read from linear memory and filter by hand, in a branch on `__HIP_NO_IMAGE_SUPPORT`; at run time ask hipDeviceAttributeImageSupport")
        .targets(chip::without_images());
    cx.report(finding);
}

fn needs_image(cx: &Context<'_, '_>, index: TokenIndex) -> bool {
    let doc = cx.doc;
    let is_call = doc.next_is(index, "(") || doc.next_is(index, "<");
    is_call
        && doc.vendor_at(doc.tokens[index].start) == Vendor::Any
        && !cx.is_own(doc.bytes(index))
        && !is_members_name(doc, index)
        && !is_loaded(cx, index)
}

/// Whether the fetch is an ordinary load in the result, or in a file that was translated already.
fn is_loaded(cx: &Context<'_, '_>, index: TokenIndex) -> bool {
    is_on_linear(cx, index) && (are_rewritten(cx) || cx.doc.all("cass_texture").next().is_some())
}
