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
//! is an error that says which, and a pointer that AMD's function takes with other qualifiers becomes whatever pointer that is. The `case`
//! of a status that AMD has not goes or becomes another one, as `case CUBLAS_STATUS_LICENSE_ERROR:` does:
//! ```cuda
//! #define STATUS(name) case CUBLAS_STATUS_##name: return #name
//! STATUS(ALLOC_FAILED);
//! STATUS(LICENSE_ERROR);
//! ```
//! becomes
//! ```hip
//! #define STATUS(name) case HIPBLAS_STATUS_##name: return #name
//! STATUS(ALLOC_FAILED);
//! STATUS(UNKNOWN);
//! ```
//!
//! So is each name that macros of the file make in another way: `JOIN(cuda, Free)` of `#define JOIN(a, b) a##b`, where the prefix is an
//! argument, becomes `JOIN(hip, Free)`, and `__shfl_##kind##_sync`, whose calls have to change on AMD, is an error.
//!
//! ## When to ignore
//! When every name that the macro makes is known to keep its second half.
//!
//! ## Source
//! The tables of `mappings/`: hipBLAS, hipFFT, hipRAND, hipSPARSE, hipSOLVER and the HIP runtime follow CUDA's names behind the prefix.

use std::collections::{BTreeMap, BTreeSet};

use crate::analysis::error_case::target_of;
use crate::cpp::deletion::delete_lines;
use crate::cpp::pasted_words::{PastedWord, pasted_words};
use crate::mapping::Verb;
use crate::options::{CompatMode, Vendors};
use crate::rules::prelude::*;

/// Renames prefixes that are pasted to a parameter.
pub static RULE: Rule = Rule {
    code: "CASS011",
    severity: Severity::Warning,
    fix: Some(Applicability::Review),
    priority: 50,
    facts: &[],
    checks: &[Check::Source(check), Check::Source(check_made)],
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
        if !cx.doc.is(index + 1, "##") || cx.doc.is_before(index, "##") {
            continue;
        }
        match cx.options().vendors {
            Vendors::Both => report_unlisted(cx, index),
            _ => report(cx, index),
        }
    }
}

/// With `--vendors both` each name that a source holds, or pastes together, gets a line in the header of names: what a macro makes in
/// other files has none.
fn report_unlisted(cx: &mut Context<'_, '_>, index: TokenIndex) {
    let part = cx.text(index).into_owned();
    if target(cx, &part).is_some() && given(cx, index).is_empty() {
        cx.report(unlisted(cx.range(index), &part));
    }
}

fn unlisted(range: TextRange, part: &str) -> Finding {
    let message = format!("the preprocessor pastes names on `{part}`");
    RULE.finding(range, message).help(
        "the header of names for AMD has those alone that a file shows whole; write them out where the macro is used",
    )
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
    let given = given(cx, index);
    let target = target.or_else(|| shared_target(cx, &given, &part));
    let made = Made::of(cx, index, &given);
    if let (Some(target), None) = (&target, &made) {
        report_each(cx, index, &given, target);
    }
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
                renamed_prefix(finding, &target).fix(Fix::review(edits))
            }
        },
        None => finding.severity(Severity::Error).help(WRITE_OUT),
    };
    cx.report(finding);
}

/// What the first part of names becomes, if anything does. `None` where it begins no name of CUDA's: `cublasD` begins `cublasDdot`, which
/// is `hipblasDdot`.
fn target(cx: &Context<'_, '_>, part: &str) -> Option<Option<String>> {
    let (prefix, counterpart) = prefix(part.as_bytes())?;
    let target = format!("{counterpart}{}", &part[prefix.len()..]);
    let is_counterpart = !counterpart.is_empty();
    if part == prefix {
        return Some(is_counterpart.then_some(target));
    }
    let begun = cx.table().iter().map(|hit| hit.entry);
    let is_begun =
        |entry: &&ApiEntry| entry.cuda.len() > part.len() && entry.cuda.starts_with(part);
    let mut begun = begun.filter(is_begun).peekable();
    if begun.peek().is_none() {
        let whole = cx.table().get(part.as_bytes())?;
        return Some(target_of(cx, whole.entry).map(str::to_owned));
    }
    let keeps = |entry: &ApiEntry| {
        let rest = entry.hip.and_then(|hip| hip.strip_prefix(&*target));
        rest == Some(&entry.cuda[part.len()..])
    };
    let is_kept = is_counterpart && begun.any(keeps);
    Some(is_kept.then_some(target))
}

/// Reports the names that macros of the file make otherwise than with a prefix in front of a `##`.
fn check_made(cx: &mut Context<'_, '_>) {
    let mut by_first = BTreeMap::<TokenIndex, Vec<PastedWord>>::new();
    for word in pasted_words(cx.doc) {
        let first = word.parts[0];
        let is_pasted_prefix = cx.doc.is(first + 1, "##") && prefix(cx.doc.bytes(first)).is_some();
        if !is_pasted_prefix && !word.parameters.contains(&first) {
            by_first.entry(first).or_default().push(word);
        }
    }
    for (first, words) in by_first {
        report_made(cx, first, &words);
    }
}

/// Reports the names of CUDA's among words that begin with the same token: the token changes where it is a prefix that all of them keep
/// the rest behind.
fn report_made(cx: &mut Context<'_, '_>, first: TokenIndex, words: &[PastedWord]) {
    let part = cx.text(first).into_owned();
    let (open, whole): (Vec<_>, Vec<_>) = words.iter().partition(|word| word.is_open());
    let made = whole.iter().filter_map(|word| {
        let entry = changed_name(cx, &word.text(cx.doc))?;
        (!is_renamed_with(cx, &part, entry)).then_some((word.at, entry))
    });
    let mut made: Vec<(TokenIndex, &ApiEntry)> = made.collect();
    made.dedup_by_key(|(at, entry)| (*at, entry.cuda));
    let is_prefix = PREFIXES.iter().any(|(prefix, _)| part == *prefix);
    if cx.options().vendors == Vendors::Both {
        let like = open.iter().any(|word| name_like(cx, word).is_some());
        if like || is_prefix && !open.is_empty() {
            cx.report(unlisted(cx.range(first), &part));
        }
        return;
    }
    if is_prefix && !(made.is_empty() && open.is_empty()) {
        let entries = made.iter().map(|(_, entry)| *entry);
        let finding = RULE.finding(
            cx.range(first),
            format!("the preprocessor pastes names on `{part}`"),
        );
        return cx.report(match shared_prefix(cx, entries, &part) {
            Some(target) => {
                let edit = Edit::replace(cx.range(first), target.clone());
                renamed_prefix(finding, &target).fix(Fix::review(vec![edit]))
            }
            None => finding.severity(Severity::Error).help(WRITE_OUT),
        });
    }
    for (at, entry) in made {
        let message = format!("the preprocessor pastes `{}` together here", entry.cuda);
        cx.report(unwritten(cx.range(at), message, entry));
    }
    let like = open.iter().find_map(|word| name_like(cx, word));
    if let Some(entry) = like {
        let message = format!(
            "the preprocessor pastes names together here, such as `{}`",
            entry.cuda
        );
        cx.report(unwritten(cx.range(first), message, entry));
    }
}

/// Advice where no edit makes the names.
const WRITE_OUT: &str = "write out the names that the macro makes, so that each can be translated";

/// A name of CUDA's that stands nowhere.
fn unwritten(range: TextRange, message: String, entry: &ApiEntry) -> Finding {
    let api = ApiUse {
        name: entry.cuda,
        library: entry.library,
        target: None,
        rocm_since: None,
    };
    let finding = RULE.finding(range, message).severity(Severity::Error);
    finding.help(WRITE_OUT).api(api)
}

/// What a person does where a prefix is renamed.
fn renamed_prefix(finding: Finding, target: &str) -> Finding {
    finding.help(format!("the prefix became `{target}`; look up each name that the macro makes (`cass-transpile query NAME`), since some have another spelling or no counterpart"))
}

/// What the tables know of a name, where AMD does not have it as it is.
fn changed_name<'d>(cx: &Context<'d, '_>, name: &[u8]) -> Option<&'d ApiEntry> {
    let entry = cx.table().get(name)?.entry;
    let is_anybodys = entry.context && !name.starts_with(b"__");
    let changes = !entry.is_unchanged() && !is_anybodys && entry.kind != Kind::Namespace;
    (changes && !cx.is_own(name)).then_some(entry)
}

/// Whether a name becomes AMD's because its first part is a name that is renamed: `JOIN(cudaMemcpy, Async)`.
fn is_renamed_with(cx: &Context<'_, '_>, part: &str, entry: &ApiEntry) -> bool {
    let first = cx.table().get(part.as_bytes());
    let first = first.and_then(|hit| target_of(cx, hit.entry));
    let rest = &entry.cuda[part.len().min(entry.cuda.len())..];
    let hip = target_of(cx, entry);
    first.is_some_and(|first| hip.and_then(|hip| hip.strip_prefix(first)) == Some(rest))
}

/// What a prefix becomes in each of some names, or what it becomes in general where there are none.
fn shared_prefix<'d>(
    cx: &Context<'_, '_>,
    entries: impl Iterator<Item = &'d ApiEntry>,
    part: &str,
) -> Option<String> {
    let mut targets =
        entries.map(|entry| target_of(cx, entry)?.strip_suffix(&entry.cuda[part.len()..]));
    let Some(first) = targets.next() else {
        return target(cx, part).flatten();
    };
    let first = first?;
    targets
        .all(|it| it == Some(first))
        .then(|| first.to_owned())
}

/// One of the names of CUDA that a word with a parameter can be, where each of them changes on AMD: `__shfl_##kind##_sync`.
fn name_like<'d>(cx: &Context<'d, '_>, word: &PastedWord) -> Option<&'d ApiEntry> {
    /// `__##name` can be anything; those of six letters that begin or end no others were looked through.
    const ENOUGH: usize = 6;
    let text = String::from_utf8(word.text(cx.doc)).ok()?;
    let (start, end) = (text.split('*').next()?, text.rsplit('*').next()?);
    let known = start.len() + end.len();
    if known < ENOUGH {
        return None;
    }
    let all = cx.table().iter().map(|hit| hit.entry);
    let mut like = all.filter(|entry| {
        entry.cuda.len() > known && entry.cuda.starts_with(start) && entry.cuda.ends_with(end)
    });
    let first = like.next()?;
    let changes = |entry: &ApiEntry| changed_name(cx, entry.cuda.as_bytes()).is_some();
    (changes(first) && like.all(changes)).then_some(first)
}

/// The helper that becomes any pointer.
const ANY_POINTER: &str = "cass_any_pointer";

/// A use of a macro, and the name that it makes there.
struct Given<'d> {
    /// The word that is pasted.
    word: TokenIndex,
    /// The use of the macro.
    call: Call,
    /// The name that comes of it.
    entry: &'d ApiEntry,
}

/// The uses in the file of the macro in whose body the part at `index` is pasted to a parameter, as far as the tables know the names.
fn given<'d>(cx: &Context<'d, '_>, index: TokenIndex) -> Vec<Given<'d>> {
    let doc = cx.doc;
    let found = || {
        let directive = &doc.directives[doc.directive_of(index)?];
        let name = directive.defined_macro()?;
        let open = doc.next(name).filter(|&open| doc.is(open, "("))?;
        let close = doc.matching_bracket(open)?;
        let mut parameters = (open + 1..close).filter(|&at| doc.is_ident(at));
        let position = parameters.position(|at| doc.bytes(at) == doc.bytes(index + 2))?;
        let uses = doc.occurrences(doc.bytes(name), directive.tokens.end..doc.tokens.len());
        let is_undefined = |at: TokenIndex| doc.is_before(at, "undef");
        let uses = uses.take_while(|&at| !is_undefined(at));
        let made = uses.filter_map(|at| {
            let call = doc.call(at)?;
            let word = call
                .arguments
                .get(position)
                .filter(|it| it.len() == 1)?
                .start;
            let whole = [doc.bytes(index), doc.bytes(word)].concat();
            let entry = cx.table().get(&whole)?.entry;
            Some(Given { word, call, entry })
        });
        Some(made.collect())
    };
    found().unwrap_or_default()
}

/// What the part becomes in each of the names that are made, where that is one: `HIP_` for `CUDA_##type` of `R_32F` and `R_16F`.
fn shared_target(cx: &Context<'_, '_>, given: &[Given<'_>], part: &str) -> Option<String> {
    let entries = given.iter().map(|it| it.entry);
    (!given.is_empty())
        .then(|| shared_prefix(cx, entries, part))
        .flatten()
}

/// Reports the names that a macro makes and that are not `target` with the word behind it.
fn report_each(cx: &mut Context<'_, '_>, index: TokenIndex, given: &[Given<'_>], target: &str) {
    let is_case = cx.doc.is_before(index, "case");
    for (at, it) in given.iter().enumerate() {
        let hip = target_of(cx, it.entry);
        let rest = hip.and_then(|hip| hip.strip_prefix(target));
        let word = cx.text(it.word).into_owned();
        if rest == Some(&word) {
            continue;
        }
        let name = it.entry.cuda;
        let message = match hip {
            Some(hip) => {
                format!("the macro makes `{target}{word}` of this, and `{name}` is `{hip}`")
            }
            None => format!("the macro makes `{name}` of this, which has no counterpart on AMD"),
        };
        let finding = RULE.finding(cx.range(it.word), message);
        let repeats = is_case
            && given[..at]
                .iter()
                .any(|other| target_of(cx, other.entry) == hip);
        let statement =
            statement(cx.doc, &it.call).filter(|_| is_case && (hip.is_none() || repeats));
        cx.report(match (rest.filter(|_| !repeats), statement) {
            (Some(rest), _) => finding
                .help("the macro gets what AMD's name has there")
                .fix(Fix::review(vec![Edit::replace(cx.range(it.word), rest)])),
            (_, Some(range)) => finding
                .help("the case is deleted: AMD's library returns no such status")
                .fix(Fix::review(vec![delete_lines(cx.doc, range)])),
            _ => finding
                .severity(Severity::Error)
                .help("write the name out, so that it can be translated, or leave it out"),
        });
    }
}

/// The bytes of a macro's use that is a statement of its own, with or without a `;`.
fn statement(doc: &Document<'_>, call: &Call) -> Option<TextRange> {
    let semicolon = doc.next(call.close).filter(|&at| doc.is(at, ";"));
    let before = doc.bytes(doc.prev(call.name)?);
    let begins = matches!(before, b";" | b"{" | b"}" | b")" | b":");
    begins.then(|| doc.range(call.name, semicolon.unwrap_or(call.close)))
}

/// The functions whose names a macro pastes together, as far as the file shows what it is given, and the call that it makes of each.
struct Made<'d> {
    entries: Vec<&'d ApiEntry>,
    call: Call,
}

impl<'d> Made<'d> {
    /// Of the part at `index`, where what is pasted is called.
    fn of(cx: &Context<'d, '_>, index: TokenIndex, given: &[Given<'d>]) -> Option<Self> {
        let call = cx.doc.call(index + 2)?;
        let mut entries: Vec<&ApiEntry> = given.iter().map(|it| it.entry).collect();
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
