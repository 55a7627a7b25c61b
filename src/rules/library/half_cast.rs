//! A cast to a type parameter, in a file that uses half or bfloat16.
//!
//! ## Why on AMD
//! CUDA's bfloat16 and half convert to each other by way of float. HIP's bfloat16 converts to float and to other types, of which half
//! could take several: `static_cast<T>(x)` is ambiguous as soon as a template is made for both.
//!
//! ## Example
//! ```cuda
//! #include <cuda_bf16.h>
//! #include <cuda_fp16.h>
//! template <typename T, typename S> __device__ T as(S value) { return static_cast<T>(value); }
//! template __device__ half as<half, __nv_bfloat16>(__nv_bfloat16);
//! ```
//! becomes
//! ```hip
//! #include <hip/hip_bf16.h>
//! #include <hip/hip_fp16.h>
//! #include "cass_hip_compat.hpp"
//! template <typename T, typename S> __device__ T as(S value) { return cass_cast<T>(value); }
//! template __device__ half as<half, __hip_bfloat16>(__hip_bfloat16);
//! ```
//!
//! ## When to ignore
//! When the template is never made for one of the two from the other: the helper then does what `static_cast` does.
//!
//! ## Source
//! `hip/amd_detail/amd_hip_bf16.h` of ROCm 6.4, compiled with clang 19.

use crate::cpp::short_floats::{Format, short_float};
use crate::cpp::template_parameters::is_type_parameter;
use crate::options::CompatMode;
use crate::rules::prelude::*;

/// Calls the helper that goes by way of float.
pub static RULE: Rule = Rule {
    code: "CASS515",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 50,
    facts: &[],
    checks: &[Check::Idents(&["static_cast"], check)],
};

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    let doc = cx.doc;
    let to_parameter = doc.is(index + 1, "<")
        && doc.is(index + 3, ">")
        && doc.is_ident(index + 2)
        && is_type_parameter(doc, index, doc.bytes(index + 2));
    let knows = |format: Format| {
        doc.has_word(|word| {
            short_float(word).is_some_and(|ty| ty.format == format && ty.lanes == 1 && !ty.is_hips)
        })
    };
    let is_wanted = cx.options().compat != CompatMode::None;
    if !is_wanted || !to_parameter || !knows(Format::Half) || !knows(Format::Bfloat16) {
        return;
    }
    let range = cx.range(index);
    let finding = RULE
        .finding(
            range,
            "this cast between bfloat16 and half is ambiguous in HIP",
        )
        .helper("cass_cast")
        .fix(Fix::safe(vec![Edit::replace(range, "cass_cast")]));
    cx.report(finding);
}
