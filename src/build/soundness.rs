//! Whether edits leave a build file as sound as it was: quotes, brackets and variables in pairs, no variable of an impossible name.

use crate::build::BuildFile;
use crate::build::in_front::in_front;
use crate::edit::Edit;
use crate::text::BuildTool;

/// Whether what the edits of one fix put in is as balanced as what they take out.
pub(super) fn are_sound(doc: &BuildFile<'_>, edits: &[Edit]) -> bool {
    let (mut before, mut after) = (Vec::new(), Vec::new());
    for edit in edits {
        before.extend_from_slice(doc.source.slice(edit.range));
        after.extend_from_slice(edit.content.as_bytes());
    }
    let is_even = |quote: u8| {
        let (before, after) = (quotes(&before, quote), quotes(&after, quote));
        (0..2).all(|kind| (before[kind] + after[kind]).is_multiple_of(2))
    };
    let is_level = |open: u8, close: u8| depth(&before, open, close) == depth(&after, open, close);
    let names_variable =
        |edit: &Edit| !is_name_of_variable(doc, edit) || is_variable_name(edit.content.as_bytes());
    [b'"', b'\'', b'`'].into_iter().all(is_even)
        && [(b'(', b')'), (b'{', b'}'), (b'[', b']')]
            .into_iter()
            .all(|(open, close)| is_level(open, close))
        && edits.iter().all(names_variable)
        && edits.iter().all(|edit| keeps_call(doc, edit))
}

/// Whether a function of make around an edit has its name and its arguments afterwards: `$(filter-out -x,$(FLAGS))` without `-x` would be
/// a variable called `filter-out,`, and a comma that is put in would begin another argument.
fn keeps_call(doc: &BuildFile<'_>, edit: &Edit) -> bool {
    let range = edit.range.as_usize();
    let (before, behind) = (
        &doc.source.bytes[..range.start],
        &doc.source.bytes[range.end..],
    );
    if doc.tool != BuildTool::Make {
        return true;
    }
    let ends_argument = matches!(behind.trim_ascii_start().first(), Some(b',' | b')' | b'}'));
    let is_emptied = ends_argument && edit.content.trim().is_empty();
    let at = doc
        .tokens
        .partition_point(|token| token.end() <= edit.range.start);
    let commas = |text: &[u8]| count(text, b',');
    let adds_argument = at < doc.tokens.len()
        && in_front(doc, at).parts_arguments
        && commas(edit.content.as_bytes()) > commas(doc.source.slice(edit.range));
    let loses_argument = is_emptied && ends_with_function(before);
    !loses_argument && !adds_argument
}

/// Whether a text ends with `$(` and the name of a function, its first argument being next.
fn ends_with_function(text: &[u8]) -> bool {
    let text = text.trim_ascii_end();
    let is_name = |byte: &&u8| byte.is_ascii_lowercase() || **byte == b'-';
    let name = text.iter().rev().take_while(is_name).count();
    let bracket = &text[..text.len() - name];
    name > 0 && (bracket.ends_with(b"$(") || bracket.ends_with(b"${"))
}

fn count(bytes: &[u8], wanted: u8) -> usize {
    memchr::memchr_iter(wanted, bytes).count()
}

/// How many quotes stand by themselves, and how many behind a backslash, which open nothing.
fn quotes(bytes: &[u8], wanted: u8) -> [usize; 2] {
    let mut counts = [0, 0];
    let mut is_escaped = false;
    for &byte in bytes {
        counts[usize::from(is_escaped)] += usize::from(byte == wanted);
        is_escaped = byte == b'\\' && !is_escaped;
    }
    counts
}

fn depth(bytes: &[u8], open: u8, close: u8) -> i64 {
    count(bytes, open) as i64 - count(bytes, close) as i64
}

/// Whether the edit replaces a name between `${` and `}`.
fn is_name_of_variable(doc: &BuildFile<'_>, edit: &Edit) -> bool {
    let range = edit.range.as_usize();
    let bytes = &doc.source.bytes;
    bytes[..range.start].ends_with(b"${") && bytes[range.end..].starts_with(b"}")
}

fn is_variable_name(text: &[u8]) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-+./$@{}".contains(byte);
    !text.is_empty() && text.iter().all(is_part)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{SourceFile, TextRange};

    #[test]
    fn edits_that_break_a_line_are_found() {
        let text = "set(X \"-Xcompiler \" ${CUDA_LIBRARIES}) $(Q)$(D)/bin/nvcc\n";
        let source = SourceFile::new("a.cmake", text.as_bytes().to_vec());
        let doc = BuildFile::new(&source);
        let sound = |old: &str, new: &'static str| {
            let start = text.find(old).unwrap() as u32;
            let range = TextRange::new(start, start + old.len() as u32);
            are_sound(&doc, &[Edit::replace(range, new)])
        };
        assert!(sound("-Xcompiler ", "") && sound("${CUDA_LIBRARIES}", "hip::host"));
        assert!(sound("CUDA_LIBRARIES", "hip_LIBRARIES") && sound("$(D)/bin/nvcc", "hipcc"));
        assert!(!sound("-Xcompiler \"", "") && !sound("CUDA_LIBRARIES", "hip::host"));
        assert_eq!(quotes(br#""\"a\\""#, b'"'), [2, 1]);
        assert!(!sound("Q)$(D)/bin/nvcc", "hipcc") && !sound("\"-Xcompiler \"", "\""));
    }

    #[test]
    fn functions_of_make_keep_their_arguments() {
        let text = "A = $(filter-out -a,$(B)) $(subst -b,-c,$(B)) $(if $(B),-d,-e)\n";
        let source = SourceFile::new("Makefile", text.as_bytes().to_vec());
        let doc = BuildFile::new(&source);
        let sound = |old: &str, new: &'static str| {
            let start = text.find(old).unwrap() as u32;
            let range = TextRange::new(start, start + old.len() as u32);
            are_sound(&doc, &[Edit::replace(range, new)])
        };
        assert!(sound("-a", "-x") && sound("-d", "") && sound("-e", "-x,y"));
        assert!(!sound(" -a", "") && !sound("-a", "") && !sound("-c", "-Wl,"));
    }
}
