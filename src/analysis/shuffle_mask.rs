//! The mask of a shuffle: whether it can be taken out of the call.

use crate::analysis::unit::Unit;
use crate::cpp::calls::trusted_call;
use crate::cpp::expressions::{holds_comment, is_pure, without_casts};
use crate::cpp::short_floats::is_bfloat16;
use crate::cpp::{declarations, template_parameters};
use crate::syntax::{Call, Document, TokenIndex};
use crate::text::TextRange;

/// The call at a shuffle with mask whose mask argument can be taken out: three or four arguments, a mask without side effects or
/// comments, a value of a type that HIP shuffles. Where the project adds overloads, all calls keep the arguments of CUDA.
pub(crate) fn droppable(cx: &Unit<'_, '_>, index: TokenIndex) -> Option<Call> {
    let keeps_arguments = cx.is_torch() || cx.is_own_at(index);
    let call = trusted_call(cx.doc, index).filter(|_| !keeps_arguments)?;
    let fits = (3..=4).contains(&call.arguments.len())
        && is_pure(cx.doc, call.arguments[0].clone())
        && !needs_helper(cx, &call);
    let gone = fits.then(|| mask_and_comma(cx, &call))?;
    (!holds_comment(cx.doc, gone.start, gone.end)).then_some(call)
}

/// Whether the shuffle at `index` loses its mask, so that what stands in the mask needs no translation.
pub(crate) fn drops_mask(cx: &Unit<'_, '_>, index: TokenIndex) -> bool {
    matches!(
        cx.doc.bytes(index),
        b"__shfl_sync" | b"__shfl_up_sync" | b"__shfl_down_sync" | b"__shfl_xor_sync"
    ) && droppable(cx, index).is_some()
}

pub(crate) fn mask_and_comma(cx: &Unit<'_, '_>, call: &Call) -> TextRange {
    let start = cx.range(call.arguments[0].start).start;
    TextRange::new(start, cx.range(call.arguments[1].start).start)
}

fn needs_helper(cx: &Unit<'_, '_>, call: &Call) -> bool {
    let value = without_casts(cx.doc, call.arguments[1].clone());
    declarations::of_value(cx.doc, value).is_some_and(|found| {
        // A template in a file about bfloat16 is there to be used with it.
        found.is_any(PIECES)
            || found.words.iter().any(|word| is_bfloat16(word))
            || (template_parameters::is_template_parameter(cx.doc, &found)
                && (mentions_bfloat16(cx.doc) || cx.project.sees_bfloat16(&cx.doc.source.path)))
    })
}

/// Whether the file speaks of 16-bit brain floats.
fn mentions_bfloat16(doc: &Document<'_>) -> bool {
    let name = |path: &[u8]| memchr::memmem::find(path, b"bf16").is_some();
    doc.includes
        .iter()
        .any(|include| name(doc.source.slice(include.path)))
        || doc.has_word(|word| memchr::memmem::find(word, b"bfloat16").is_some())
}

/// Types that CUDA shuffles and HIP 6.4 does not, beside bfloat16 by its names in CUDA.
const PIECES: &[&str] = &[
    "bfloat16", "float2", "float3", "float4", "double2", "int2", "int4", "uint2", "uint4",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::probe::{first, of_tree};
    use crate::options::Options;

    /// The first call of `function` in the middle of a device function without mask; `None` where the mask stays.
    fn dropped(path: &str, head: &str, function: &str, call: &str) -> Option<String> {
        let text =
            format!("{head}\n__device__ void f(float v, float4 q, nv_bfloat16 b) {{\n{call}\n}}\n");
        of_tree(&[(path, &text)], Options::default(), |cx| {
            let index = first(cx, function);
            let call = droppable(cx, index)?;
            assert!(drops_mask(cx, index));
            let gone = mask_and_comma(cx, &call);
            let rest = cx
                .text_of(crate::text::TextRange::new(
                    gone.end,
                    cx.range(call.close).end,
                ))
                .into_owned();
            Some(format!("{function}({rest}"))
        })
    }

    #[test]
    fn a_mask_goes_where_nothing_else_goes_with_it() {
        for (call, expected) in [
            ("__shfl_sync(0xffffffff, v, 1);", Some("__shfl_sync(v, 1)")),
            (
                "__shfl_sync(mask, v, 1, 16);",
                Some("__shfl_sync(v, 1, 16)"),
            ),
            (
                "__shfl_sync((1u << n) - 1,\r\n  v, 1);",
                Some("__shfl_sync(v, 1)"),
            ),
            (
                "__shfl_sync(__activemask(), v, 1);",
                Some("__shfl_sync(v, 1)"),
            ),
            // A comment, a side effect, other arguments.
            ("__shfl_sync(mask /* all */, v, 1);", None),
            ("__shfl_sync(mask++, v, 1);", None),
            ("__shfl_sync(next(), v, 1);", None),
            ("__shfl_sync(mask, v);", None),
            (
                "__shfl_sync(mask, v,\n#ifdef X\n1\n#else\n2\n#endif\n);",
                None,
            ),
            // Types that HIP 6.4 does not shuffle.
            ("__shfl_sync(mask, q, 1);", None),
            ("__shfl_sync(mask, b, 1);", None),
        ] {
            let found = dropped("a.cu", "", "__shfl_sync", call);
            assert_eq!(found.as_deref(), expected, "{call}");
        }
    }

    #[test]
    fn a_template_in_a_file_about_bfloat16_is_used_with_it() {
        let body = |head: &str| {
            let text = format!(
                "{head}template <class T> __device__ void f(T t) {{ __shfl_sync(~0, t, 1); }}\n"
            );
            of_tree(&[("a.cu", &text)], Options::default(), |cx| {
                drops_mask(cx, first(cx, "__shfl_sync"))
            })
        };
        assert!(body(""));
        assert!(!body("#include <cuda_bf16.h>\n"));
    }

    #[test]
    fn only_shuffles_of_cuda_lose_a_mask() {
        let drops = |text: &str, word: &str| {
            of_tree(&[("a.cu", text)], Options::default(), |cx| {
                drops_mask(cx, first(cx, word))
            })
        };
        let own = "__device__ int __shfl_sync(unsigned, int, int) { return 1; }\nint g() { return __shfl_sync(1, 2, 3); }\n";
        assert!(!drops(own, "__shfl_sync"));
        assert!(!drops("int a = __ballot_sync(1, 2, 3);\n", "__ballot_sync"));
        assert!(drops(
            "int a = __shfl_xor_sync(1, 2, 3);\n",
            "__shfl_xor_sync"
        ));
    }
}
