//! A texture reference that a program binds to linear memory and reads with `tex1Dfetch`, or a surface reference.
//!
//! ## Why on AMD
//! HIP's texture references are deprecated and do not compile for gfx940, gfx941, gfx942 and gfx950 (MI300, MI350), which have no
//! texture units. A fetch from linear memory needs none: it neither filters nor wraps, and gives zero outside of what is bound. A
//! structure of the helper header stands for the reference, with overloads of the functions that bind and fetch.
//!
//! A bind becomes a copy to the device that waits for the kernels in front of it. CUDA binds without waiting; a kernel that still
//! runs in a non-blocking stream when its texture is bound anew reads what is bound last.
//!
//! ## Example
//! ```cuda
//! texture<float4, 1, cudaReadModeElementType> positions;
//! __global__ void k(float4 *out) { out[threadIdx.x] = tex1Dfetch(positions, threadIdx.x); }
//! void bind(const float4 *p, size_t bytes) { cudaBindTexture(0, positions, p, bytes); }
//! ```
//! becomes
//! ```hip
//! static __constant__ cass_texture<float4, 1, hipReadModeElementType> positions;
//! __global__ void k(float4 *out) { out[threadIdx.x] = tex1Dfetch(positions, threadIdx.x); }
//! void bind(const float4 *p, size_t bytes) { hipBindTexture(0, positions, p, bytes); }
//! ```
//! A reference that something else is done to, `tex1D` or `cudaBindTextureToArray`, stays one.
//!
//! HIP has no surface references, `surface<void, 2> image;`, and CUDA has none since release 12. A surface object of the same array takes
//! the place: `hipCreateSurfaceObject` makes it, the kernels get it as an argument.
//!
//! ## When to ignore
//! Where nothing is bound while a kernel of a non-blocking stream may still read the texture. With `--target gfx90a` or another chip
//! that has texture units, the reference stays.
//!
//! ## Source
//! CUDA C++ Programming Guide 11.8, texture reference API; `hip/texture_types.h` and `texture_fetch_functions.h` of ROCm 6.4.

use crate::analysis::conditions::verdict::is_left_out;
use crate::analysis::rename::renamed;
use crate::analysis::textures::{are_rewritten, includes_imageless, is_linear, is_on_linear};
use crate::cpp::names::{is_members_name, is_qualified};
use crate::options::CompatMode;
use crate::project::textures::linear_declaration;
use crate::rules::prelude::*;

/// Puts a structure in the place of the texture, or says that no helper is wanted.
pub static RULE: Rule = Rule {
    code: "CASS410",
    severity: Severity::Warning,
    fix: Some(Applicability::Review),
    priority: 30,
    facts: &[Fact::ReplacesTextureReferences],
    checks: &[
        Check::Claimed(
            &[
                "texture",
                "cudaBindTexture",
                "cudaUnbindTexture",
                "cudaGetTextureAlignmentOffset",
            ],
            check,
        ),
        Check::Idents(&["surface"], surface),
    ],
};

/// `surface<void, 2> image;`: a surface reference is of `void` always.
fn surface(index: TokenIndex, cx: &mut Context<'_, '_>) {
    let doc = cx.doc;
    let of_void = doc.is(index + 1, "<") && doc.is(index + 2, "void");
    let ends = of_void && (doc.is(index + 3, ",") || doc.is(index + 3, ">"));
    if !ends || is_members_name(doc, index) || is_qualified(doc, index) {
        return;
    }
    let finding = RULE
        .finding(cx.range(index), "HIP has no surface references")
        .help("make a surface object of the array by hipCreateSurfaceObject, give it to the kernels as a hipSurfaceObject_t, and read and write by it: `surf2Dread(&value, object, x, y)`");
    cx.report(if is_left_out(cx, cx.range(index).start) {
        finding.severity(Severity::Info)
    } else {
        finding.severity(Severity::Error)
    });
}

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    let finding = if cx.doc.is(index, "texture") {
        of_declaration(cx, index)
    } else {
        of_call(cx, index)
    };
    match finding {
        Some(finding) => cx.report(finding),
        None => cx.ask_tables(index),
    }
}

fn of_declaration(cx: &Context<'_, '_>, word: TokenIndex) -> Option<Finding> {
    let declaration = linear_declaration(cx.doc, word)?;
    let is_linear = |&name: &TokenIndex| is_linear(cx, cx.doc.bytes(name));
    if !includes_imageless(cx) || !declaration.names.iter().all(is_linear) {
        return None;
    }
    let entry = cx.table().get(b"texture")?.entry;
    let names = quoted(cx, &declaration.names);
    let finding = |message: String| RULE.finding(cx.range(word), message);
    if cx.options().compat == CompatMode::None {
        let message =
            format!("without a helper, {names} cannot be fetched from on chips without textures");
        return Some(
            finding(message)
                .help(NO_HELPER)
                .api(cx.api_use(entry, entry.hip)),
        );
    }
    let text = match declaration.is_static {
        true => "__constant__ cass_texture",
        false => "static __constant__ cass_texture",
    };
    let message =
        format!("`tex1Dfetch` from {names} becomes an ordinary load, which needs no texture");
    let finding = finding(message)
        .help(LOOK_AT_BINDS)
        .fix(Fix::review(vec![Edit::replace(cx.range(word), text)]))
        .api(cx.api_use(entry, Some("cass_texture")))
        .helper("cass_texture");
    are_rewritten(cx).then_some(finding)
}

const LOOK_AT_BINDS: &str = "filter and address modes have no effect on these fetches, as in CUDA; look at where memory is bound: a bind waits for the kernels in front of it, but not for those in non-blocking streams, which would go on with what is bound last";
const NO_HELPER: &str = "for gfx940, gfx941, gfx942 and gfx950 give the kernels the pointer that is bound, and read `pointer[i]` where they call `tex1Dfetch`";

/// A call on references that are rewritten has nothing left for a person to look at.
fn of_call(cx: &Context<'_, '_>, name: TokenIndex) -> Option<Finding> {
    if !are_rewritten(cx) || !is_on_linear(cx, name) {
        return None;
    }
    let entry = cx.table().get(cx.doc.bytes(name))?.entry;
    let finding = renamed(cx, name, entry, rule_of_support(Support::Full).id())?;
    let edits = finding.fix?.edits;
    Some(Finding {
        severity: Severity::Info,
        help: "".into(),
        fix: Some(Fix::safe(edits)),
        ..finding
    })
}

fn quoted(cx: &Context<'_, '_>, names: &[TokenIndex]) -> String {
    let names = names.iter().map(|&name| format!("`{}`", cx.text(name)));
    names.collect::<Vec<_>>().join(", ")
}
