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
//! Where the file shows what the macro is given, each name that it makes is looked up: one with another spelling or without a counterpart
//! is an error that says which, and a pointer that AMD's function takes with other qualifiers becomes whatever pointer that is.
//!
//! ## When to ignore
//! When every name that the macro makes is known to keep its second half.
//!
//! ## Source
//! The tables of `mappings/`: hipBLAS, hipFFT, hipRAND, hipSPARSE, hipSOLVER and the HIP runtime follow CUDA's names behind the prefix.

use std::collections::BTreeSet;

use crate::mapping::Verb;
use crate::options::CompatMode;
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
    let made = Made::of(cx, index);
    let finding = match target {
        Some(target) => match made.as_ref().map(|made| made.edits(cx, &target)) {
            Some(Err(problem)) => finding
                .severity(Severity::Error)
                .help(format!(
                    "{problem}; write that call out, so that it can be translated"
                ))
                .fix(Fix::review(vec![Edit::replace(range, target)])),
            wrapped => {
                let mut edits = vec![Edit::replace(range, target.clone())];
                let wrapped = wrapped.and_then(Result::ok).unwrap_or_default();
                let finding = match wrapped.is_empty() {
                    true => finding,
                    false => finding.helper(ANY_POINTER),
                };
                edits.extend(wrapped);
                finding
                    .help(format!("the prefix became `{target}`; look up each name that the macro makes (`cass-transpile query NAME`), since some have another spelling or no counterpart"))
                    .fix(Fix::review(edits))
            }
        },
        None => finding
            .severity(Severity::Error)
            .help("write out the names that the macro makes, so that each can be translated"),
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

/// The helper that becomes any pointer.
const ANY_POINTER: &str = "cass_any_pointer";

/// The names that a macro pastes together, as far as the file shows what it is given, and the call that it makes of each.
struct Made<'d> {
    entries: Vec<&'d ApiEntry>,
    call: Call,
}

impl<'d> Made<'d> {
    /// Of the macro in whose body the part at `index` is pasted to a parameter.
    fn of(cx: &Context<'d, '_>, index: TokenIndex) -> Option<Self> {
        let doc = cx.doc;
        let directive = &doc.directives[doc.directive_of(index)?];
        let name = directive.defined_macro()?;
        let parameter = index + 2;
        let call = doc.call(parameter)?;
        let open = doc.next(name).filter(|&open| doc.is(open, "("))?;
        let close = doc.matching_bracket(open)?;
        let mut parameters = (open + 1..close).filter(|&at| doc.is_ident(at));
        let position = parameters.position(|at| doc.bytes(at) == doc.bytes(parameter))?;
        let given = doc.occurrences(doc.bytes(name), 0..doc.tokens.len());
        let given = given.filter(|&at| !directive.tokens.contains(&at));
        let words = given.filter_map(|at| {
            let arguments = doc.call(at)?.arguments;
            let word = arguments.get(position).filter(|word| word.len() == 1)?;
            Some(word.start)
        });
        let mut entries: Vec<&ApiEntry> = words
            .filter_map(|word| {
                let whole = [doc.bytes(index), doc.bytes(word)].concat();
                cx.table().get(&whole).map(|hit| hit.entry)
            })
            .collect();
        entries.sort_by_key(|entry| entry.cuda);
        entries.dedup_by_key(|entry| entry.cuda);
        (!entries.is_empty()).then_some(Self { entries, call })
    }

    /// What is done to the arguments of the call, the same for all names, or what one of them wants beside that.
    fn edits(&self, cx: &Context<'_, '_>, target: &str) -> Result<Vec<Edit>, String> {
        let mut pointers = BTreeSet::new();
        for entry in &self.entries {
            let Some(hip) = entry.hip.filter(|_| entry.support != Support::Unsupported) else {
                return Err(format!("`{}` has no counterpart", entry.cuda));
            };
            if !hip.starts_with(target) {
                return Err(format!("`{}` is `{hip}`", entry.cuda));
            }
            for edit in &entry.args {
                let is_pointer = match edit.verb {
                    Verb::Cast(ty) => ty.ends_with('*'),
                    Verb::Wrap(with) => with.starts_with('(') && with.ends_with("*)"),
                    _ => false,
                };
                if !is_pointer || usize::from(edit.at) >= self.call.arguments.len() {
                    return Err(format!(
                        "`{hip}` takes other arguments than `{}`",
                        entry.cuda
                    ));
                }
                pointers.insert(usize::from(edit.at));
            }
        }
        if pointers.is_empty() {
            return Ok(Vec::new());
        }
        if cx.options().compat == CompatMode::None || cx.doc.source.path.ends_with(".c") {
            return Err("it takes pointers with other qualifiers".to_owned());
        }
        let ranges = pointers
            .iter()
            .filter_map(|&at| self.call.argument(cx.doc, at));
        Ok(ranges
            .flat_map(|range| {
                [
                    Edit::insert(range.start, format!("{ANY_POINTER}(")),
                    Edit::insert(range.end, ")"),
                ]
            })
            .collect())
    }
}
