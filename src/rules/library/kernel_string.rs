//! Source text of a kernel in a string, for compilation at run time.
//!
//! ## Why on AMD
//! hiprtc compiles HIP, not CUDA, and the text in a string literal is not translated: CUDA's names, inline PTX and headers in it
//! must be changed, and the options (`--gpu-architecture=compute_80`) become `--offload-arch=gfx90a`. What comes out is a code
//! object, never PTX.
//!
//! ## Example
//! ```cuda
//! const char *source = "extern \"C\" __global__ void k(float *x) { x[threadIdx.x] *= 2; }";
//! ```
//!
//! ## When to ignore
//! When the text holds nothing but what HIP reads as well; kernels of plain arithmetic do not change.
//!
//! ## Source
//! HIP documentation, runtime compilation; `hip/hiprtc.h` of ROCm 6.4.

use crate::rules::prelude::*;

/// Points at each string that holds a kernel.
pub static RULE: Rule = Rule {
    code: "CASS508",
    severity: Severity::Warning,
    fix: None,
    priority: 50,
    triggers: &[Trigger::File],
    check,
};

fn check(_: At<'_>, cx: &mut Context<'_, '_>) {
    let mut last = None;
    for (index, token) in cx.doc.tokens.iter().enumerate() {
        let is_string = matches!(token.kind, TokenKind::Str | TokenKind::RawStr);
        if !is_string || memchr::memmem::find(cx.doc.bytes(index), b"__global__").is_none() {
            continue;
        }
        // A text of several adjacent literals is one text.
        let is_continued = last == Some(index.wrapping_sub(1));
        last = Some(index);
        if !is_continued {
            let finding = RULE
                .finding(cx.range(index), "this string holds kernel source, which is not translated")
                .help("translate the text as a file of its own, and give hiprtc `--offload-arch=gfx...` instead of the options for NVIDIA GPUs");
            cx.report(finding);
        }
    }
}
