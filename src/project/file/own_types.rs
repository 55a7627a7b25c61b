//! Definitions under the name of an atomic or a shuffle of CUDA that take types of the project: overloads, beside which CUDA's own function
//! goes on being called for CUDA's types.

use crate::cpp::definitions::{declares, defines, makes_member};
use crate::mapping::ApiTable;
use crate::syntax::{Document, TokenIndex, flags};
use crate::text::keywords::{is_no_name, is_restrict};

/// Words of a parameter that name types of C, of its library or of CUDA, beside the keywords.
#[rustfmt::skip]
const KNOWN: &[&[u8]] = &[
    b"std", b"uint", b"uchar", b"ushort", b"ulong", b"half", b"half2", b"bfloat16", b"bfloat162", b"nv_bfloat16", b"nv_bfloat162",
];

/// Whether a name of CUDA at a token declares or defines an overload for types of the project: `at::Half atomicAdd(at::Half *, at::Half)`.
pub(super) fn adds_overload(document: &Document<'_>, table: &ApiTable, at: TokenIndex) -> bool {
    let word = document.bytes(at);
    (word.starts_with(b"__shfl") || word.starts_with(b"atomic"))
        && takes_own_type(document, table, at)
}

/// Whether a function that is declared or defined at a token takes a type of the project, and is no member.
pub(super) fn takes_own_type(document: &Document<'_>, table: &ApiTable, at: TokenIndex) -> bool {
    let is_shuffle = document.bytes(at).starts_with(b"__shfl");
    if document.tokens[at].has(flags::DIRECTIVE)
        || !(defines(document, at) || declares(document, at))
        || makes_member(document, at)
    {
        return false;
    }
    let Some(declaration) = document.call(at).filter(|it| !it.split_by_directive) else {
        return false;
    };
    let templates = template_parameters(document, at);
    let is_own = |name: TokenIndex| {
        let word = document.bytes(name);
        document.is_ident(name)
            && !is_no_name(word)
            && !is_restrict(word)
            && !KNOWN.contains(&word)
            && !word.ends_with(b"_t")
            && (!table.is_type(word) || is_shuffle && is_vector(word))
            && !templates.contains(&word)
    };
    declaration.arguments.iter().any(|parameter| {
        // The last word is the parameter's name, but where it is all there is, or follows `::`.
        let end = parameter
            .clone()
            .find(|&at| document.is(at, "="))
            .unwrap_or(parameter.end);
        let words: Vec<TokenIndex> = (parameter.start..end)
            .filter(|&at| document.is_ident(at))
            .collect();
        let types = match &words[..] {
            [types @ .., last] if !types.is_empty() && !document.is_before(*last, "::") => types,
            all => all,
        };
        types.iter().any(|&name| is_own(name))
    })
}

/// Whether a type of CUDA is a vector or a complex number, of which CUDA has no shuffle: `float2`, `cuDoubleComplex`.
fn is_vector(word: &[u8]) -> bool {
    let is_half = word
        .windows(4)
        .any(|part| part == b"half" || part == b"bflo");
    let is_numbered = word.last().is_some_and(|last| (b'1'..=b'4').contains(last));
    is_numbered && !is_half || word.ends_with(b"Complex")
}

/// Whether a shuffle of CUDA is declared or defined for types that CUDA has it for, so that it takes the place of CUDA's.
pub(super) fn replaces_shuffle(document: &Document<'_>, table: &ApiTable, at: TokenIndex) -> bool {
    document.bytes(at).starts_with(b"__shfl")
        && !document.tokens[at].has(flags::DIRECTIVE)
        && (defines(document, at) || declares(document, at))
        && !makes_member(document, at)
        && !adds_overload(document, table, at)
}

/// The parameters of the template that a declaration belongs to.
fn template_parameters<'d>(document: &'d Document<'_>, name: TokenIndex) -> Vec<&'d [u8]> {
    let start = name.saturating_sub(60);
    let ends = |at: &TokenIndex| matches!(document.bytes(*at), b";" | b"}" | b"{");
    let start = (start..name).rev().find(ends).map_or(start, |at| at + 1);
    let head = start..name;
    let names =
        head.filter(|&at| document.is_before(at, "typename") || document.is_before(at, "class"));
    names.map(|at| document.bytes(at)).collect()
}

#[cfg(test)]
mod tests {
    use crate::project::file::probe::index;

    #[test]
    fn an_overload_for_own_types_takes_no_name() {
        for (text, is_own) in [
            (
                "__device__ at::Half atomicAdd(at::Half *p, at::Half v) { return v; }",
                false,
            ),
            (
                "__device__ Complex __shfl_down_sync(unsigned m, Complex v, int d) { return v; }",
                true,
            ),
            ("__device__ Own atomicAdd(Own *, Own);", false),
            (
                "template <class T> __device__ Box<T> __ldg(const Box<T> *p) { return *p; }",
                true,
            ),
            (
                "__device__ double atomicAdd(double *address, double value) { return value; }",
                true,
            ),
            (
                "__device__ half2 atomicAdd(half2 *p, __half2 v) { return v; }",
                true,
            ),
            (
                "template <typename T> __device__ T __ldg(const T *p) { return *p; }",
                true,
            ),
            // What takes another name on AMD stays the project's.
            ("Own *cudaMalloc(Own *p) { return p; }", true),
        ] {
            let index = index(text);
            let word = ["atomicAdd", "__shfl_down_sync", "__ldg", "cudaMalloc"];
            let word = word
                .iter()
                .find(|it| text.contains(**it))
                .expect("one is there");
            assert_eq!(index.names.contains(word.as_bytes()), is_own, "{text}");
        }
    }
}
