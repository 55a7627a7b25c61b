//! A name of CUDA that the preprocessor pastes together.
//!
//! ## Why on AMD
//! `cuda##call` never shows the whole name in the text, so no table finds it. Where the first part is the prefix of a library
//! whose names on AMD differ from CUDA's by the prefix alone, the prefix can be renamed; the names made from it need a look, because
//! some of them have other spellings or no counterpart.
//!
//! ## Example
//! ```cuda
//! #define CHECKED(call) check(cuda##call)
//! ```
//! becomes
//! ```hip
//! #define CHECKED(call) check(hip##call)
//! ```
//!
//! ## When to ignore
//! When every name that the macro makes is known to keep its second half.
//!
//! ## Source
//! The tables of `mappings/`: hipBLAS, hipFFT, hipRAND, hipSPARSE, hipSOLVER and the HIP runtime follow CUDA's names behind the prefix.

use crate::rules::prelude::*;

/// Renames prefixes that are pasted to a parameter.
pub static RULE: Rule = Rule {
    code: "CASS011",
    severity: Severity::Warning,
    fix: Some(Applicability::Review),
    priority: 50,
    facts: &[],
    checks: &[Check::Source(check)],
};

/// What names of CUDA begin with, and what their counterparts do; empty where the names differ by more.
const PREFIXES: &[(&str, &str)] = &[
    ("cuda", "hip"),
    ("cublas", "hipblas"),
    ("cufft", "hipfft"),
    ("curand", "hiprand"),
    ("cusparse", "hipsparse"),
    ("cusolver", "hipsolver"),
    ("cudnn", ""),
    ("cu", "hip"),
    ("nvrtc", "hiprtc"),
    ("CUBLAS_", "HIPBLAS_"),
    ("CUFFT_", "HIPFFT_"),
    ("CURAND_", "HIPRAND_"),
    ("CUSPARSE_", "HIPSPARSE_"),
    ("CUSOLVER_", "HIPSOLVER_"),
    ("CUDNN_", ""),
    ("CUDA_", ""),
    ("CU_", ""),
    ("NVRTC_", "HIPRTC_"),
];

fn check(cx: &mut Context<'_, '_>) {
    let parts = cx.doc.all_that(|word| prefix(word).is_some());
    for index in parts {
        if cx.doc.is(index + 1, "##") && !cx.doc.is_before(index, "##") {
            report(cx, index);
        }
    }
}

/// The longest prefix of a word, and its counterpart.
fn prefix(word: &[u8]) -> Option<(&'static str, &'static str)> {
    let begins = |(prefix, _): &&(&str, &str)| word.starts_with(prefix.as_bytes());
    let longest = PREFIXES.iter().filter(begins);
    longest.max_by_key(|(prefix, _)| prefix.len()).copied()
}

fn report(cx: &mut Context<'_, '_>, index: TokenIndex) {
    let part = cx.text(index).into_owned();
    let Some(target) = target(cx, &part) else {
        return;
    };
    let range = cx.range(index);
    let finding = RULE.finding(range, format!("the preprocessor pastes names on `{part}`"));
    let finding = match target {
        Some(target) => finding
            .help(format!("the prefix became `{target}`; look up each name that the macro makes (`cass-transpile query NAME`), since some have another spelling or no counterpart"))
            .fix(Fix::review(vec![Edit::replace(range, target)])),
        None => finding.severity(Severity::Error).help("write out the names that the macro makes, so that each can be translated"),
    };
    cx.report(finding);
}

/// What the first part of names becomes, if anything does. `None` where it begins no name of CUDA's, or is one, which other rules
/// rename: `cublasD` begins `cublasDdot`, which is `hipblasDdot`.
fn target(cx: &Context<'_, '_>, part: &str) -> Option<Option<String>> {
    let (prefix, counterpart) = prefix(part.as_bytes())?;
    let target = format!("{counterpart}{}", &part[prefix.len()..]);
    let is_counterpart = !counterpart.is_empty();
    if part == prefix {
        return Some(is_counterpart.then_some(target));
    }
    if cx.table().get_or_pattern(part.as_bytes()).is_some() {
        return None;
    }
    let begun = cx.table().iter().map(|hit| hit.entry);
    let mut begun = begun
        .filter(|entry| entry.cuda.starts_with(part))
        .peekable();
    begun.peek()?;
    let keeps = |entry: &ApiEntry| {
        let rest = entry.hip.and_then(|hip| hip.strip_prefix(&*target));
        rest == Some(&entry.cuda[part.len()..])
    };
    let is_kept = is_counterpart && begun.any(keeps);
    Some(is_kept.then_some(target))
}
