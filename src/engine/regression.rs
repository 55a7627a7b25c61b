//! Whether the output still reads as C++ where fixes replaced more than names.

use crate::diagnostic::{Finding, Judged};
use crate::edit::{Edit, EditSet, apply_within};
use crate::engine::both_vendors::SWITCH;
use crate::engine::changed_lines::output_start;
use crate::rules::{Event, notice};
use crate::syntax::{Document, TokenIndex, TokenKind, flags};
use crate::text::TextRange;

/// A finding when the output has more syntax errors than the source. Declarations in which only names, lines and wrappers changed are
/// not parsed: such edits cannot break the structure, and parsing a file costs more than the rest of its translation.
pub(crate) fn regression(
    document: &Document<'_>,
    edits: &EditSet,
    findings: &[Judged],
) -> Option<Finding> {
    let applied = findings.iter().filter(|it| it.is_applied());
    let mut rewritten: Vec<TextRange> = applied
        .flat_map(|it| it.fix().into_iter().flat_map(|fix| &fix.edits))
        .map(|edit| edit.range)
        .filter(|&range| rewrites_structure(document, range))
        .collect();
    rewritten.sort_unstable_by_key(|range| range.start);
    let new: Vec<TextRange> = declarations(document, &rewritten, edits.as_slice())
        .into_iter()
        .flat_map(|part| new_defects(document, edits, part))
        .collect();
    Some(notice(&Event::SyntaxErrors {
        range: *new.first()?,
        extra: new.len(),
    }))
}

/// An edit that replaces a piece of code, not a name, a whole directive, or the brackets of a launch.
fn rewrites_structure(document: &Document<'_>, range: TextRange) -> bool {
    let old = document.source.slice(range);
    range.len() > 3
        && old.iter().any(|byte| matches!(byte, b'(' | b'{' | b';'))
        && !old.trim_ascii_start().starts_with(b"#")
}

/// Places of the source where the result of a part has syntax errors that the part itself has not, as many as there are more of them.
fn new_defects(document: &Document<'_>, edits: &EditSet, part: TextRange) -> Vec<TextRange> {
    let inside = edits_in(edits.as_slice(), part);
    let mut text = Vec::new();
    apply_within(&document.source.bytes, part, inside, &mut text);
    let after = defects(document, text);
    if after.is_empty() {
        return Vec::new();
    }
    let before = defects(document, document.source.slice(part).to_vec());
    let extra = after.len().saturating_sub(before.len());
    let start = output_start(part.start, inside, edits);
    let known = |at: u32| {
        before
            .iter()
            .any(|defect| (defect + part.start).abs_diff(at) < 2)
    };
    let places = after
        .iter()
        .map(|defect| edits.unmap_offset(defect + start));
    let new = places.filter(|&at| !known(at)).take(extra);
    new.map(|at| TextRange::at(at.min(document.source.bytes.len() as u32)))
        .collect()
}

/// Offsets at which a piece of the file has syntax errors, as the build for AMD reads it.
fn defects(document: &Document<'_>, mut text: Vec<u8>) -> Vec<u32> {
    blank_other_side(&mut text);
    let source = document.source.with_bytes(text);
    let found = Document::new(&source).tree().defects();
    found.into_iter().map(|defect| defect.start).collect()
}

/// Puts blanks in the place of what stands behind the `#else` of `#ifdef USE_ROCM`, and of these lines: both sides may open the same
/// brace, `if (any(x)) {`, which no grammar reads as one.
fn blank_other_side(text: &mut [u8]) {
    let opening = format!("#ifdef {SWITCH}");
    if memchr::memmem::find(text, opening.as_bytes()).is_none() {
        return;
    }
    // How many conditions are open within the guard, and whether its other side has begun.
    let mut guard: Option<(usize, bool)> = None;
    for line in text.split_inclusive_mut(|byte| *byte == b'\n') {
        let written = line.trim_ascii().to_vec();
        let begins = |word: &[u8]| written.starts_with(word);
        let is_own = match &mut guard {
            None if written == opening.as_bytes() => {
                guard = Some((0, false));
                true
            }
            None => false,
            Some((0, _)) if begins(b"#endif") => {
                guard = None;
                true
            }
            Some((0, is_other)) if begins(b"#else") => {
                *is_other = true;
                true
            }
            Some((depth, is_other)) => {
                *depth += usize::from(begins(b"#if"));
                *depth -= usize::from(begins(b"#endif"));
                *is_other
            }
        };
        if is_own {
            let code = line.iter_mut().filter(|byte| !byte.is_ascii_whitespace());
            code.for_each(|byte| *byte = b' ');
        }
    }
}

fn edits_in(edits: &[Edit], part: TextRange) -> &[Edit] {
    let before = |offset: u32| edits.partition_point(|edit| edit.range.start < offset);
    &edits[before(part.start)..before(part.end)]
}

/// The declarations of namespaces that hold one of the ranges. These come in order, as do the edits, of which none reaches over an end.
fn declarations(document: &Document<'_>, ranges: &[TextRange], edits: &[Edit]) -> Vec<TextRange> {
    let reaches_over = |end: u32| {
        let before = edits.partition_point(|edit| edit.range.start < end);
        edits[..before]
            .last()
            .is_some_and(|edit| edit.range.end > end)
    };
    let (mut found, mut rest, mut start) = (Vec::new(), ranges, 0);
    let last = document.source.bytes.len() as u32;
    for end in declaration_ends(document).chain([last]) {
        if rest.is_empty() {
            break;
        }
        let (here, behind) =
            rest.split_at(rest.partition_point(|range| range.start < end || end == last));
        // What reaches over an end joins the declarations on both sides.
        if reaches_over(end) || here.iter().any(|range| range.end > end) {
            continue;
        }
        if !here.is_empty() {
            found.push(TextRange::new(start, end));
        }
        (rest, start) = (behind, end);
    }
    found
}

/// Where declarations that stand in no braces but those of namespaces end.
fn declaration_ends(document: &Document<'_>) -> impl Iterator<Item = u32> {
    let (mut at, mut first) = (0, None);
    std::iter::from_fn(move || {
        while at < document.tokens.len() {
            let here = at;
            let is_code = !document.tokens[here].has(flags::DIRECTIVE);
            let byte = document.source.bytes[document.tokens[here].start as usize];
            if is_code && document.tokens[here].kind == TokenKind::Punct {
                let (last, ends) = end_of_piece(document, here, byte, first);
                at = last + 1;
                if ends {
                    first = None;
                    return Some(document.tokens[last].end());
                }
            } else {
                at += 1;
            }
            first = first.or(is_code.then_some(here));
        }
        None
    })
}

/// The last token of what starts with a piece of punctuation, and whether it ends the declaration that starts with `first`.
fn end_of_piece(
    document: &Document<'_>,
    at: TokenIndex,
    byte: u8,
    first: Option<TokenIndex>,
) -> (TokenIndex, bool) {
    let close = || document.matching_bracket(at).filter(|&close| close > at);
    match byte {
        b'(' | b'[' => (close().unwrap_or(at), false),
        b'{' if first.is_some_and(|first| opens_namespace(document, first)) => (at, true),
        b'{' => match close() {
            Some(close) if document.is(close + 1, ";") => (close + 1, true),
            Some(close) => (close, true),
            None => (at, false),
        },
        b'}' | b';' => (at, true),
        _ => (at, false),
    }
}

fn opens_namespace(document: &Document<'_>, first: TokenIndex) -> bool {
    let is_linkage = document.is(first, "extern")
        && document
            .tokens
            .get(first + 1)
            .is_some_and(|token| token.kind == TokenKind::Str);
    let word = first + usize::from(document.is(first, "inline"));
    is_linkage || document.is(word, "namespace")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_side_of_a_guard_is_read() {
        let read = |text: &str| {
            let mut text = text.as_bytes().to_vec();
            blank_other_side(&mut text);
            let text = String::from_utf8(text).expect("blanks are text");
            text.split_whitespace().collect::<Vec<_>>().join(" ")
        };
        let guarded = "a;\n#ifdef USE_ROCM\nif (b) {\n#else\n#if C\n#endif\nif (c) {\n#endif\n}\n#if D\n#else\ne;\n#endif\n";
        assert_eq!(read(guarded), "a; if (b) { } #if D #else e; #endif");
        assert_eq!(
            read("#ifndef USE_ROCM\na;\n#else\n#endif\n"),
            "#ifndef USE_ROCM a; #else #endif"
        );
    }
    use crate::diagnostic::FixState;
    use crate::edit::{Applicability, Fix};
    use crate::text::SourceFile;

    #[test]
    fn declarations_end_within_namespaces() {
        let source = SourceFile::new(
            "a.cu",
            b"int a;\nnamespace n { void f(int x) { g(x); } struct S { int y; };\n#define E ;\nextern \"C\" { int b[] = {1}; } }\nint c"
                .to_vec(),
        );
        let document = Document::new(&source);
        let mut start = 0;
        let parts: Vec<_> = declaration_ends(&document)
            .map(|end| {
                let part = document.source.text(TextRange::new(start, end));
                start = end;
                part.trim().to_owned()
            })
            .collect();
        assert_eq!(
            parts,
            [
                "int a;",
                "namespace n {",
                "void f(int x) { g(x); }",
                "struct S { int y; };",
                "#define E ;\nextern \"C\" {",
                "int b[] = {1};",
                "}",
                "}"
            ]
        );
    }

    #[test]
    fn a_fix_that_breaks_a_declaration_is_found_where_it_stands() {
        let text = "int a(;\nvoid f(int x) { g(x); }\nvoid h(int x) { g(x); }\n";
        let source = SourceFile::new("a.cu", text.as_bytes().to_vec());
        let document = Document::new(&source);
        let at = text.rfind("g(x)").expect("it is there") as u32;
        let with = |content: &'static str| {
            let fix = Fix::safe(vec![Edit::replace(TextRange::new(at, at + 4), content)]);
            let edits = EditSet::resolve(&[(50, Some(&fix))], Applicability::Safe).edits;
            let range = TextRange::at(at);
            let finding = notice(&Event::SyntaxErrors { range, extra: 1 }).fix(fix);
            let mut judged = Judged::new(finding);
            judged.verdict.fix = FixState::Made;
            regression(&document, &edits, &[judged])
        };
        assert!(with("g(x, x)").is_none());
        let broken = with("g(x").expect("a bracket is missing");
        assert!(broken.range.start.abs_diff(at) < 12, "{:?}", broken.range);
    }

    #[test]
    fn only_declarations_with_rewritten_code_are_parsed() {
        let source = SourceFile::new("a.cu", b"int a; int b; int c; int d;".to_vec());
        let document = Document::new(&source);
        let part = |start, end| TextRange::new(start, end);
        assert_eq!(declarations(&document, &[], &[]), []);
        assert_eq!(declarations(&document, &[part(8, 9)], &[]), [part(6, 13)]);
        assert_eq!(
            declarations(&document, &[part(8, 9), part(10, 11), part(12, 15)], &[]),
            [part(6, 20)]
        );
        assert_eq!(
            declarations(&document, &[part(22, 27)], &[]),
            [part(20, 27)]
        );
        // An edit that no range speaks of joins declarations as well.
        let over = [Edit::delete(part(10, 15))];
        assert_eq!(declarations(&document, &[part(8, 9)], &over), [part(6, 20)]);
    }
}
