//! What a result invites to is done at once, so that a second run finds nothing to edit.
//!
//! Code that no compiler reads may read differently once a part of it is translated: a line of garbage goes, and a declaration appears; a
//! test of a script serves both vendors, and what it guards is not NVIDIA's alone any more.
//! Such a result is translated again until nothing changes, as linters do with their fixes.

use rustc_hash::FxHashSet;

use crate::diagnostic::Judged;
use crate::edit::{Edit, EditSet};
use crate::engine::{FileOutcome, verdict};
use crate::text::{SourceFile, TextRange};

/// Rounds at most, should two rules undo each other. Each takes away what the next would find.
const ROUNDS: usize = 8;

/// The outcome of a source with what further rounds of `translate` make of its result.
pub(super) fn settled(
    source: &SourceFile,
    mut outcome: FileOutcome,
    translate: impl Fn(&SourceFile) -> FileOutcome,
) -> FileOutcome {
    if !outcome
        .edits
        .iter()
        .any(|edit| does_more_than_names(source, edit))
    {
        return outcome;
    }
    for _ in 0..ROUNDS {
        let Some(result) = &outcome.output else { break };
        let next = translate(&source.with_bytes(result.clone()));
        if next.edits.is_empty() {
            return outcome;
        }
        if !add(source, &mut outcome, next) {
            break;
        }
    }
    // A rule that goes on and on at one place, or two that undo each other: what they did at first is what they mean.
    translate(source)
}

/// Whether an edit does more than to give a name or a header another name, to add a header, or to drop one that another line reads: only
/// then code may read differently. A helper function is no name for the same thing: other rules look at what it is given.
fn does_more_than_names(source: &SourceFile, edit: &Edit) -> bool {
    let old = source.slice(edit.range);
    let (old, new) = (old.trim_ascii(), edit.content.as_bytes().trim_ascii());
    let is_name = |text: &[u8]| {
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b':');
        !text.is_empty() && text.iter().all(is_part)
    };
    let is_header = |text: &[u8]| {
        let is_path = matches!(text, [b'<', .., b'>'] | [b'"', .., b'"']);
        is_path || text.starts_with(b"#include") && !text.contains(&b'{')
    };
    let names = is_name(old) && is_name(new) && !new.starts_with(b"cass_");
    let is_shown = |byte: &&u8| !byte.is_ascii_whitespace();
    let is_header_or_none = |text: &[u8]| text.is_empty() || is_header(text);
    // A blank in front of a header (`#include<THC/THC.h>`) lets PyTorch's build see it.
    let is_blank = old.iter().filter(is_shown).eq(new.iter().filter(is_shown));
    let headers = is_header_or_none(new) && is_header_or_none(old) && !is_blank;
    !names && !headers
}

/// Adds a round to those before, or says that it cannot: it is no text, or a rule adds again to what it added to before. One that takes
/// away (`-Xcompiler -Xcompiler -G`) comes to an end.
fn add(source: &SourceFile, outcome: &mut FileOutcome, next: FileOutcome) -> bool {
    let Some(edits) = outcome.edits.then(&next.edits, &source.bytes) else {
        return false;
    };
    let made_before = outcome.findings.iter().filter(|old| old.is_applied());
    let made_before: FxHashSet<_> = made_before.map(place).collect();
    let result = outcome.output.as_deref().unwrap_or(&source.bytes);
    let mut new = Vec::new();
    for judged in next.findings.into_iter().filter(Judged::is_applied) {
        let adds = adds_to_text(&judged, result);
        let judged = in_source(judged, &outcome.edits, &edits, source);
        if adds && made_before.contains(&place(&judged)) {
            return false;
        }
        new.push(judged);
    }
    let made: FxHashSet<_> = new.iter().map(place).collect();
    // A fix that had to yield to another one is made now.
    let is_made = |old: &Judged| !old.is_applied() && made.contains(&place(old));
    outcome.findings.retain(|finding| !is_made(finding));
    outcome.findings.extend(new);
    verdict::sort(&mut outcome.findings);
    outcome.helpers.extend(next.helpers);
    (outcome.output, outcome.edits) = (next.output, edits);
    true
}

/// Which rule speaks, and where.
fn place(judged: &Judged) -> (&'static str, u32) {
    (judged.code(), judged.range().start)
}

/// Whether a fix writes, somewhere in a text, all that stands there and more.
fn adds_to_text(judged: &Judged, text: &[u8]) -> bool {
    let mut edits = judged.fix().into_iter().flat_map(|fix| &fix.edits);
    edits.any(|edit| {
        let (old, new) = (&text[edit.range.as_usize()], edit.content.as_bytes());
        new.len() > old.len() && memchr::memmem::find(new, old).is_some()
    })
}

/// A finding of a result at its place in the source: its fix is what all rounds do there.
fn in_source(judged: Judged, before: &EditSet, all: &EditSet, source: &SourceFile) -> Judged {
    let len = source.bytes.len() as u32;
    let at = |offset: u32| before.unmap_offset(offset).min(len);
    let place =
        |range: TextRange| TextRange::new(at(range.start), at(range.end).max(at(range.start)));
    let around = |edit: &Edit| {
        let (range, made) = (place(edit.range), all.as_slice());
        let reached = made.partition_point(|it| it.range.start <= range.start);
        let last = reached.checked_sub(1).map(|at| &made[at])?;
        last.range.contains(range).then(|| last.clone())
    };
    judged.moved(place, |mut fix| {
        fix.edits = fix.edits.iter().filter_map(around).collect();
        fix.edits.dedup();
        Some(fix)
    })
}

#[cfg(test)]
mod tests {
    use crate::engine::{FileOutcome, Session, translate};
    use crate::mapping::ApiTable;
    use crate::options::{LaunchStyle, Options};
    use crate::text::{Language, SourceFile};

    fn translated(text: &str) -> FileOutcome {
        translated_as(SourceFile::new("a.cu", text.as_bytes().to_vec()))
    }

    fn translated_as(source: SourceFile) -> FileOutcome {
        let options = Options {
            launch: LaunchStyle::Ggl,
            ..Options::default()
        };
        translate(&source, &Session::new(options, ApiTable::builtin()))
    }

    #[test]
    fn a_fix_that_yielded_to_another_is_made_in_the_next_round() {
        let outcome = translated("asm volatile(\"bar.sync 0;\" ::: \"memory\");k<<<1, 2>>>(x);");
        let output = outcome.output.expect("it has edits");
        let output = String::from_utf8(output).expect("it is text");
        assert!(
            output.contains("hipLaunchKernelGGL(k, dim3(1), dim3(2)"),
            "{output}"
        );
        assert!(
            outcome
                .findings
                .iter()
                .all(|it| it.is_applied() || it.fix().is_none())
        );
    }

    #[test]
    fn a_file_whose_name_says_no_language_is_translated_again() {
        let text = "asm volatile(\"bar.sync 0;\" ::: \"memory\");k<<<1, 2>>>(x);";
        let mut record = SourceFile::new("record", text.as_bytes().to_vec());
        record.language = Language::CFamily;
        let output = translated_as(record).output;
        let output = String::from_utf8(output.expect("it has edits")).expect("it is text");
        assert!(output.contains("hipLaunchKernelGGL(k,"), "{output}");
    }

    #[test]
    fn a_second_run_has_nothing_to_do_in_broken_build_files_and_scripts() {
        let numba = "import numba\nfrom numba import cuda, float32\n\ntry:\n\ndef view(interface:\n    import numba.cuda as nbcuda\n    return nbcuda.from_cuda_array_interface(interface)\n";
        for (path, text) in [
            (
                "Makefile",
                "ARCH = sm_80\nCFLAGS += -O3 -arch=$(ARCH${\nCFLAGS += -O3 -arch=$(ARCH)\n",
            ),
            ("Makefile", "-Xcompiler -Xcompiler ${CUDA_LIBRARIES}\n"),
            (
                "CMakeLists.txt",
                "-Xcompiler $<$<COMPILE_LANGUAGE:CUDA>:--expt-relaxed-constexpr>\n",
            ),
            ("a.py", numba),
        ] {
            let outcome = translated_as(SourceFile::new(path, text.as_bytes().to_vec()));
            let output = outcome.output.expect("it has edits");
            let again = translated_as(SourceFile::new(path, output));
            assert!(again.output.is_none(), "{path}");
        }
    }

    #[test]
    fn a_rule_that_goes_on_and_on_does_what_it_does_at_first() {
        let text = "#if GOOGLE_CUDA\n#include <cuda_runtime.h>\n__global__ void twice(float *x) { x[threadIdx.x] *= 2; }\n#endif\n\n#if defined(GOOGLE_CUDA)x\") && GOOGLE_CUDA\nint devices() { int n; cudaGetDeviceCount(&n); return\nint cpu;\n#endif\n";
        let outcome = translated(text);
        let output = String::from_utf8(outcome.output.expect("it has edits")).expect("text");
        assert_eq!(output.matches("TENSORFLOW_USE_ROCM").count(), 2, "{output}");
    }

    #[test]
    fn places_of_later_rounds_are_those_of_the_source() {
        let text =
            "__device__ void f() {\n  register  register\n  r\n#include <vector>\n = p[0];\n}";
        let outcome = translated(text);
        let places = outcome.findings.iter().filter(|it| it.code() == "CASS101");
        let lines: Vec<usize> = places
            .map(|it| text[..it.range().start as usize].matches('\n').count() + 1)
            .collect();
        assert_eq!(lines, [2, 2]);
    }
}
