//! CUDA C++ in the strings of a Python file, and kernels in those of a C++ file that NVRTC compiles: each text is a unit of its own,
//! translated as its reader needs it, and its edits are written back into the bytes of the literals.

use std::borrow::Cow;
use std::cell::LazyCell;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::analysis::unit::Switches;
use crate::analysis::wavefront::{is_hip_source, lies_in_hip};
use crate::cpp::kernel_strings::{KernelString, KernelStrings};
use crate::diagnostic::{FixState, Judged, Reason, Severity};
use crate::edit::{Applicability, Edit, EditSet, Fix};
use crate::engine::route::{Reading, cpp_within};
use crate::engine::session::FileSession;
use crate::engine::suppression::Suppressions;
use crate::engine::{FileOutcome, RuleSettings, Session, both_vendors};
use crate::options::{CompatMode, Dialect};
use crate::project::owner::Owner;
use crate::python::{
    Embedded, Node, PyFile, Reader, Script, Strings, embedded, may_embed, parents, replaced,
};
use crate::rules::{Fact, codes_with};
use crate::text::quoted::Quoted;
use crate::text::{LineIndex, TextRange};

/// What the strings of a file came to.
#[derive(Debug, Default)]
pub(super) struct Inner {
    /// Their findings, at bytes of the file.
    pub(super) findings: Vec<Judged>,
    /// Uses of HIP that they have already.
    pub(super) already: usize,
    /// Uses of CUDA under guards.
    pub(super) guarded: usize,
}

/// What translates a unit.
pub(super) type TranslateUnit = fn(Reading<'_>, &FileSession<'_>, &RuleSettings) -> FileOutcome;

/// What to do where a literal cannot hold the result.
pub(super) const UNWRITTEN: &str =
    "write the text as a raw string in three quotes, or in a file of its own, and translate that";

/// What to do about a text that PyCUDA alone compiles.
const BOUND: &str = "PyCUDA binds the text's textures, or has its headers: write it anew with texture objects, and without these headers, where the program moves";

/// A text and who compiles it.
struct Part {
    reader: Reader,
    text: Quoted,
    /// Words of it that the program puts others in the place of.
    replaced: Arc<[String]>,
    /// Headers that its reader includes in front.
    included_before: &'static [&'static str],
    /// It goes into a file behind headers that another text includes.
    is_behind_headers: bool,
}

/// What `load_inline` writes in front of its texts, of those for the host as of those for the GPU at least that: it brings the containers and
/// streams of the standard library.
const OF_LOAD_INLINE: &[&str] = &["torch/types.h"];

/// The headers that the reader of a text includes in front.
fn included_before(script: &Script<'_>, text: &Embedded<'_>) -> &'static [&'static str] {
    let is_bare = || {
        script
            .file()
            .argument(text.call, usize::MAX, "no_implicit_headers")
            .is_some()
    };
    match text.reader {
        Reader::Torch if !is_bare() => OF_LOAD_INLINE,
        _ => &[],
    }
}

/// The texts of a file.
fn parts(reading: &Reading<'_>, session: &FileSession<'_>) -> Vec<Part> {
    match reading {
        Reading::Python(script) if !may_embed(&script.source.bytes) => Vec::new(),
        Reading::Python(script) => {
            let strings = Strings::new(script.file());
            let sources = embedded(&strings).sources.into_iter();
            let sources = sources.filter(|it| !it.fails);
            let replaced: Arc<[String]> = replaced(&strings).into();
            let writes_heads = LazyCell::new(|| writes_heads(script.file()));
            let starts = LazyCell::new(|| starts_of_files(&strings));
            let lacks_includes = |text: &[u8]| memchr::memmem::find(text, b"#include").is_none();
            let part = |it: Embedded<'_>| Part {
                is_behind_headers: it.reader == Reader::File
                    && lacks_includes(it.text.quoted.text())
                    && (*writes_heads || !starts.contains(&it.call.number())),
                reader: it.reader,
                included_before: included_before(script, &it),
                text: it.text.quoted,
                replaced: Arc::clone(&replaced),
            };
            sources.map(part).collect()
        }
        Reading::Cpp(document) => {
            let strings = document.fact(KernelStrings::new);
            if strings.units.is_empty() || !session.project.compiles_at_run_time(document) {
                return Vec::new();
            }
            let part = |it: &KernelString| Part {
                reader: Reader::Nvrtc,
                text: it.text.clone(),
                replaced: Arc::default(),
                included_before: &[],
                is_behind_headers: false,
            };
            strings.units.iter().map(part).collect()
        }
        Reading::Build(_) => Vec::new(),
    }
}

/// Translates the strings of a file and adds their edits.
///
/// What both vendors' compilers read stays, but for the texts that PyTorch's build hands on: their edits serve both.
pub(super) fn translate(
    reading: &Reading<'_>,
    session: &FileSession<'_>,
    owner: Owner,
    switches: &Suppressions,
    edits: &mut EditSet,
    unit: TranslateUnit,
) -> Inner {
    let mut inner = Inner::default();
    let parts = match session.options.reverse {
        true => Vec::new(),
        false => parts(reading, session),
    };
    if parts.is_empty() {
        return inner;
    }
    let mut fixes: Vec<Fix> = vec![Fix::safe(edits.iter().cloned().collect())];
    for part in parts {
        if !session.table.may_occur_in(part.text.text()) {
            continue;
        }
        let mut outcome = of_part(reading, &part, session, unit);
        // The findings of what is switched off are hidden later, so that its comment counts as used.
        let start = part.text.extent().start;
        if codes_with(Fact::PutsNames).any(|code| switches.is_off(start, code)) {
            outcome.edits = EditSet::default();
            let findings = outcome.findings.iter_mut();
            findings.for_each(|it| it.withhold(Reason::SwitchedOff));
        }
        let is_shared = owner == Owner::Shared
            || part.reader != Reader::File && session.project.builds.scripts.serve_both_by_cupy();
        if is_shared && part.reader != Reader::Torch {
            keep(&mut outcome, session);
        }
        inner.already += outcome.already;
        inner.guarded += outcome.guarded;
        let (fix, findings) = written_back(&part, outcome, &reading.source.bytes);
        fixes.extend(fix.map(|fix| with_line_ends(fix, reading.newline())));
        inner.findings.extend(findings);
    }
    let key = |it: &Judged| (it.range(), it.code(), it.message());
    inner.findings.sort_by_key(key);
    inner.findings.dedup_by(|a, b| key(a) == key(b));
    *edits = written_together(&fixes, &mut inner.findings);
    inner
}

/// A fix whose lines end as those of the file. A text of one line does not show how they do.
fn with_line_ends(mut fix: Fix, newline: &str) -> Fix {
    for edit in fix.edits.iter_mut().filter(|_| newline != "\n") {
        let lines = edit.content.replace("\r\n", "\n");
        edit.content = lines.replace('\n', newline).into();
    }
    fix
}

/// Leaves a text as it is: what a fix would make of it, a person writes so that NVIDIA's compiler reads it as well.
fn keep(outcome: &mut FileOutcome, session: &FileSession<'_>) {
    outcome.edits = EditSet::default();
    let (reason, is_loud) = match session.dialect {
        Dialect::Torch => (Reason::ReadByBoth, true),
        _ => (Reason::ServesAmd, false),
    };
    for judged in outcome.findings.iter_mut().filter(|it| it.fix().is_some()) {
        judged.withhold(reason.clone());
        if is_loud {
            judged.raise(Severity::Warning);
        }
    }
}

/// The edits of a file and of what stands in it, each a fix, the file's first. Findings of those that exclude each other are raised.
pub(super) fn written_together(fixes: &[Fix], findings: &mut [Judged]) -> EditSet {
    let list: Vec<(u8, Option<&Fix>)> = fixes.iter().map(|fix| (0, Some(fix))).collect();
    let resolution = EditSet::resolve(&list, Applicability::Manual);
    for &lost in &resolution.conflicts {
        unwritten(&fixes[lost], findings);
    }
    resolution.edits
}

/// Translates one text as a unit of its own.
fn of_part(
    reading: &Reading<'_>,
    part: &Part,
    session: &FileSession<'_>,
    unit: TranslateUnit,
) -> FileOutcome {
    let source = reading.source;
    let mut text = cpp_within(format!("{}.cu", source.path), part.text.text().to_vec());
    text.in_hip = match reading.cpp() {
        Some(document) => is_hip_source(document),
        None => lies_in_hip(source),
    };
    text.included_before = part.included_before;
    text.replaced = Arc::clone(&part.replaced);
    let dialect = match part.reader {
        Reader::Torch => Dialect::Torch,
        _ => Dialect::Cuda,
    };
    let outer: &Session = session;
    let mut inner = outer.in_dialect(dialect, session.options.vendors);
    let mut options = session.options.clone().into_owned();
    // No header lies beside a string.
    options.compat = match (part.reader, options.compat) {
        (Reader::CupyPart, _) | (_, CompatMode::None) => CompatMode::None,
        _ => CompatMode::Inline,
    };
    inner.options = Cow::Owned(options);
    let mut settings = both_vendors::settings(&inner, &source.path).into_owned();
    // What PyCUDA compiles can only move to CuPy, or to hip-python, and so to hiprtc.
    let is_for_rtc = matches!(
        part.reader,
        Reader::Cupy | Reader::CupyPart | Reader::Nvrtc | Reader::PyCuda
    );
    if is_for_rtc {
        settings.off.extend(codes_with(Fact::NotForRtc));
    }
    if part.is_behind_headers {
        settings.off.extend(codes_with(Fact::BringsHeaders));
    }
    unit(Reading::new(&text), &inner, &settings)
}

/// The calls, by number, that a file is begun with: the first `write` to each object of a function or a `with`, and each `write_text`. What is
/// written next stands further down, and an include there would stand in a namespace, or once for each turn of a loop.
fn starts_of_files(strings: &Strings<'_>) -> FxHashSet<u32> {
    let file = strings.file();
    let whole = ["write_text", "write_bytes"].into_iter();
    let whole = whole.flat_map(|name| strings.calls(name));
    let mut starts: FxHashSet<u32> = whole.map(|it| it.number()).collect();
    let mut begun = FxHashSet::default();
    let mut pieces = strings.calls("write").to_vec();
    pieces.sort_by_key(Node::start_byte);
    for call in pieces {
        let callee = call.child_by_field_name("function");
        let object = callee.and_then(|it| it.child_by_field_name("object"));
        let object = object.map_or_else(String::new, |it| file.squeezed(it));
        // Each `with open(…) as f:` has a file of its own.
        let is_scope =
            |it: &Node<'_>| matches!(it.kind(), "with_statement" | "function_definition");
        let scope = parents(call).find(is_scope).map(|it| it.number());
        if begun.insert((scope, object)) {
            starts.insert(call.number());
        }
    }
    starts
}

/// Whether a script writes the head of a file, `#include <cuda_runtime.h>` and no kernel, and the kernels one behind the other as texts of
/// their own: these need no header.
fn writes_heads(file: &PyFile<'_>) -> bool {
    const HEADERS: &[&str] = &[
        "#include <cuda_runtime.h>",
        "#include <cuda.h>",
        "#include <hip/hip_runtime.h>",
    ];
    const KERNELS: &[&str] = &["__global__", "__device__"];
    let texts = file.all(&["string"]).into_iter();
    texts.map(|it| file.text(it)).any(|text| {
        let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
        has(HEADERS) && !has(KERNELS)
    })
}

/// The findings and the edits of a text in terms of the file; no edits where a literal cannot hold one of them.
fn written_back(part: &Part, outcome: FileOutcome, file: &[u8]) -> (Option<Fix>, Vec<Judged>) {
    let quoted = &part.text;
    let in_statement =
        |edit: &Edit| part.reader == Reader::CupyPart && edit.content.trim_start().starts_with('#');
    let edits: Option<Vec<Edit>> = outcome
        .edits
        .iter()
        .map(|edit| {
            if in_statement(edit) {
                None
            } else {
                rewritten(quoted, edit)
            }
        })
        .collect::<Option<Vec<_>>>()
        .map(|edits| edits.into_iter().flatten().collect());
    let is_bound = part.reader == Reader::PyCuda && is_bound_by_pycuda(quoted.text());
    let edits = edits.filter(|edits| !is_bound || edits.is_empty());
    let is_written = edits.is_some();
    let header = outcome.edits.iter().find(|edit| in_statement(edit));
    let advice = match header.map(|edit| edit.content.trim()) {
        Some(header) => {
            format!("write the new name here, and give the kernel `preamble=\"{header}\"`").into()
        }
        None if is_bound => Cow::Borrowed(BOUND),
        None => Cow::Borrowed(UNWRITTEN),
    };
    let lines = LazyCell::new(|| (LineIndex::new(quoted.text()), LineIndex::new(file)));
    let line_of_file = |line: u32| {
        let (of_text, of_file) = &*lines;
        let place = quoted.origin_of(TextRange::at(of_text.line_start(line)?));
        Some(of_file.line_col(place.start).line)
    };
    let findings = outcome.findings.into_iter();
    let findings = findings.map(|judged| match judged.message().contains("line ") {
        true => judged.with_lines(line_of_file),
        false => judged,
    });
    let findings = findings.map(|judged| match is_written {
        true => moved(quoted, judged),
        false => moved_unwritten(quoted, judged, advice.clone()),
    });
    let findings = findings.collect();
    let fix = edits.filter(|edits| !edits.is_empty()).map(Fix::safe);
    (fix, findings)
}

/// Whether a text has texture references, which the program binds by PyCUDA, or includes headers of PyCUDA's: no other program compiles it.
fn is_bound_by_pycuda(text: &[u8]) -> bool {
    let words: &[&[u8]] = &[b"texture<", b"surface<", b"<pycuda-"];
    words
        .iter()
        .any(|it| memchr::memmem::find(text, it).is_some())
}

pub(super) fn rewritten(quoted: &Quoted, edit: &Edit) -> Option<Vec<Edit>> {
    let parts = quoted.rewrite(edit.range, &edit.content)?;
    Some(
        parts
            .into_iter()
            .map(|(range, content)| Edit::replace(range, content))
            .collect(),
    )
}

/// A finding with its places and its fix in terms of the file.
pub(super) fn moved(quoted: &Quoted, judged: Judged) -> Judged {
    let rewrite = |fix: Fix| {
        let edits = fix.edits.iter().map(|edit| rewritten(quoted, edit));
        let edits: Option<Vec<Vec<Edit>>> = edits.collect();
        edits.map(|edits| Fix {
            edits: edits.into_iter().flatten().collect(),
            applicability: fix.applicability,
        })
    };
    judged.moved(|range| quoted.origin_of(range), rewrite)
}

/// The same where the literals cannot hold what the text became: what was made is not.
pub(super) fn moved_unwritten(
    quoted: &Quoted,
    judged: Judged,
    advice: Cow<'static, str>,
) -> Judged {
    let mut judged = moved(quoted, judged);
    unwrite(&mut judged, advice);
    judged
}

/// Takes a fix back that was made, and leaves it to a person.
fn unwrite(judged: &mut Judged, advice: Cow<'static, str>) {
    if judged.is_applied() {
        judged.verdict.fix = FixState::Withheld;
        judged.verdict.reasons.push(Reason::Unwritable(advice));
        judged.raise(Severity::Warning);
    }
}

/// Raises the findings of a text whose edits another text that shares its literals excludes.
fn unwritten(fix: &Fix, findings: &mut [Judged]) {
    const SHARED: &str = "two kernels share this string and need different translations: split it";
    let edits = fix.edits.iter().map(|edit| edit.range);
    let Some(around) = edits.reduce(TextRange::cover) else {
        return;
    };
    let inside = findings.iter_mut().filter(|it| around.contains(it.range()));
    inside.for_each(|it| unwrite(it, Cow::Borrowed(SHARED)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::RuleId;

    #[test]
    fn what_loses_against_the_file_is_not_said_to_be_written() {
        let rule = RuleId {
            code: "CASS000",
            severity: Severity::Info,
        };
        let finding = |start, end| {
            let finding = rule.finding(TextRange::new(start, end), "it becomes another");
            let mut judged = Judged::new(finding);
            judged.verdict.fix = FixState::Made;
            judged
        };
        let edit = |start, end| Edit::replace(TextRange::new(start, end), "x");
        let fixes = [
            Fix::safe(vec![edit(0, 4)]),
            Fix::safe(vec![edit(2, 6)]),
            Fix::safe(vec![edit(8, 9)]),
        ];
        let mut findings = [finding(2, 6), finding(8, 9)];
        let edits = written_together(&fixes, &mut findings);
        assert_eq!(edits.iter().count(), 2);
        let [lost, written] = findings;
        assert!(!lost.is_applied() && lost.severity() == Severity::Warning);
        assert!(written.is_applied() && written.severity() == Severity::Info);
    }
}
