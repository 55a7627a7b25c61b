//! Macros that look at what a call of CUDA returned, by their use.

use crate::cpp::macro_parameters::is_parameter;
use crate::mapping::library_by_form;
use crate::syntax::{Document, TokenIndex};

/// What such macros say in their names.
const WORDS: &[&[u8]] = &[
    b"check", b"chk", b"safe", b"try", b"assert", b"verify", b"throw",
];

/// How names of AMD's interfaces and of helpers begin that CUDA's become.
const OF_AMD: &[&[u8]] = &[b"hip", b"miopen", b"roc", b"rsmi", b"amdsmi", b"cass_"];

/// Whether the word at `at` looks at what a call of CUDA returned, and says so: `cudaSafeCall(cudaFree(p))`. No interface of CUDA is
/// given a status and called so. The header that defines such a macro may lie outside the tree: OpenCV's modules use theirs 645 times.
pub(super) fn checks_status(document: &Document<'_>, at: TokenIndex) -> bool {
    let word = document.bytes(at).to_ascii_lowercase();
    let says = |part: &&[u8]| word.windows(part.len()).any(|it| it == *part);
    document.next_is(at, "(") && WORDS.iter().any(says) && is_given_status(document, at)
}

/// Whether the first argument of a call is a call of CUDA, or all of it the parameter of a macro that passes it on.
fn is_given_status(document: &Document<'_>, at: TokenIndex) -> bool {
    let open = document.next(at);
    let Some(argument) = open.and_then(|open| document.next(open)) else {
        return false;
    };
    // In a port the call is AMD's: a second run says no more than the first.
    let is_amds = |word: &[u8]| OF_AMD.iter().any(|prefix| word.starts_with(prefix));
    let is_call = || {
        let word = document.bytes(argument);
        library_by_form(word).is_some() || is_amds(word)
    };
    document.next_is(argument, "(") && is_call()
        || document.next_is(argument, ")") && is_parameter(document, argument)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::SourceFile;

    fn checks(text: &str) -> bool {
        let source = SourceFile::new("a.cu", text.as_bytes().to_vec());
        let document = Document::new(&source);
        let mut words = document
            .all("cudaNewCheck")
            .chain(document.all("CUDNN_TRY_IT"));
        words.any(|at| checks_status(&document, at))
            || document
                .all("cudaNew")
                .any(|at| checks_status(&document, at))
    }

    #[test]
    fn a_macro_around_calls_of_cuda_is_known_by_its_name_and_argument() {
        for text in [
            "void f() { cudaNewCheck(cudaFree(p)); }",
            "void f() { cudaNewCheck( cudaFree(p), __LINE__ ); }",
            "void f() { cudaNewCheck(hipFree(p)); CUDNN_TRY_IT(miopenCreate(&h)); }",
            "void f() { CUDNN_TRY_IT(cass_cudnnAddTensor(h)); }",
            "#define MY(call) CUDNN_TRY_IT(call)\n",
        ] {
            assert!(checks(text), "{text}");
        }
        for text in [
            "void f() { cudaNewCheck(p); }",
            "void f() { cudaNewCheck(get(p)); }",
            "void f() { cudaNewCheck(cudaSuccess); }",
            "void f() { cudaNew(cudaFree(p)); }",
            "#define MY(call) CUDNN_TRY_IT(other)\n",
        ] {
            assert!(!checks(text), "{text}");
        }
    }
}
