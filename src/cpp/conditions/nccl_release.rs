//! Branches for releases of NCCL that RCCL does not follow yet: `#if NCCL_VERSION_CODE >= NCCL_VERSION(2, 28, 0)`. RCCL defines these
//! macros as well, so that the condition holds for what is there, and nothing in it has to change.

use std::ops::Range;

use crate::cpp::conditions::expression::{Atom, AtomKind, Expr, compare};
use crate::cpp::conditions::groups::{constant_of, groups, outcomes};
use crate::cpp::value;
use crate::syntax::{Document, TokenIndex};
use crate::text::TextRange;
use crate::text::number::integer;

/// The branches that a header of RCCL with the interfaces of this release of NCCL leaves out, whatever else their conditions ask.
pub(crate) fn branches_above(doc: &Document<'_>, release: [u32; 3]) -> Vec<TextRange> {
    let mut found = Vec::new();
    if !doc.has_word(|word| number_of(word, release).is_some()) {
        return found;
    }
    for group in groups(doc).iter() {
        let mut is_taken = false;
        for branch in &group.branches {
            let condition = branch.condition.as_ref();
            let holds = condition.map_or(Some(true), |it| truth(doc, it, release));
            if is_taken || holds == Some(false) {
                found.push(branch.body);
            }
            is_taken |= holds == Some(true);
        }
    }
    found
}

/// The value of a condition where it depends on NCCL's release alone, or where that decides it.
fn truth(doc: &Document<'_>, condition: &Expr, release: [u32; 3]) -> Option<bool> {
    let atoms = condition.atoms();
    let truths: Vec<Option<bool>> = atoms.iter().map(|it| of_atom(doc, it, release)).collect();
    constant_of(&outcomes(condition, &truths))
}

fn of_atom(doc: &Document<'_>, atom: &Atom, release: [u32; 3]) -> Option<bool> {
    let mut names = atom.tokens.clone().filter(|&at| doc.is_ident(at));
    if !names.any(|at| number_of(doc.bytes(at), release).is_some()) {
        return None;
    }
    let number = |tokens| number(doc, tokens, release);
    match atom.kind {
        AtomKind::Defined => Some(true),
        AtomKind::Value => Some(number(atom.tokens.clone())? != 0),
        AtomKind::Compare(operator) => {
            let left = number(atom.tokens.start..operator)?;
            let right = number(operator + 1..atom.tokens.end)?;
            Some(compare(doc.bytes(operator), left, right))
        }
    }
}

/// What a macro of NCCL's header is worth in a release.
fn number_of(name: &[u8], release: [u32; 3]) -> Option<u64> {
    match name {
        b"NCCL_VERSION_CODE" => Some(code(release.map(u64::from))),
        b"NCCL_MAJOR" => Some(u64::from(release[0])),
        b"NCCL_MINOR" => Some(u64::from(release[1])),
        b"NCCL_PATCH" => Some(u64::from(release[2])),
        _ => None,
    }
}

/// `NCCL_VERSION(X, Y, Z)`: until 2.8 the minor number had one digit.
fn code([major, minor, patch]: [u64; 3]) -> u64 {
    match (major, minor) {
        (..=2, ..=8) => major * 1_000 + minor * 100 + patch,
        _ => major * 10_000 + minor * 100 + patch,
    }
}

/// The value of a side of a comparison.
fn number(doc: &Document<'_>, tokens: Range<TokenIndex>, release: [u32; 3]) -> Option<i64> {
    let (mut words, mut at) = (Vec::new(), tokens.start);
    while at < tokens.end {
        if doc.is(at, "NCCL_VERSION") {
            let close = doc.matching_bracket(at + 1)?;
            words.push(code(arguments(doc, at + 2..close)?).to_string());
            at = close + 1;
        } else {
            words.push(String::from_utf8(doc.bytes(at).to_vec()).ok()?);
            at += 1;
        }
    }
    let words: Vec<&[u8]> = words.iter().map(String::as_bytes).collect();
    value::value(&words, &|name| number_of(name, release))
}

/// The three numbers between the brackets of `NCCL_VERSION(2, 28, 0)`.
fn arguments(doc: &Document<'_>, tokens: Range<TokenIndex>) -> Option<[u64; 3]> {
    let numbers = tokens.filter(|&at| !doc.is(at, ","));
    let numbers: Option<Vec<u64>> = numbers.map(|at| integer(doc.bytes(at))).collect();
    numbers?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::SourceFile;

    /// The branches that RCCL of 2.22.3 leaves out.
    fn left_out(text: &str) -> Vec<String> {
        let source = SourceFile::new("a.cu", text.as_bytes().to_vec());
        let doc = Document::new(&source);
        let found = branches_above(&doc, [2, 22, 3]).into_iter();
        found.map(|it| source.text(it).trim().to_owned()).collect()
    }

    #[test]
    fn a_branch_for_a_newer_release_is_left_out() {
        for condition in [
            "NCCL_VERSION_CODE >= NCCL_VERSION(2,28,0)",
            "NCCL_VERSION_CODE >= 22304 && defined(MINE)",
            "NCCL_MAJOR > 2 || (NCCL_MAJOR == 2 && NCCL_MINOR >= 23)",
            "!(NCCL_VERSION_CODE < NCCL_VERSION(2, 23, 4))",
            "!defined(NCCL_VERSION_CODE)",
        ] {
            let text = format!("#if {condition}\na\n#else\nb\n#endif\n");
            assert_eq!(left_out(&text), ["a"], "{condition}");
        }
    }

    #[test]
    fn the_others_stay() {
        for condition in [
            "NCCL_VERSION_CODE >= NCCL_VERSION(2,28,0) || defined(MINE)",
            "NCCL_VERSION_CODE >= OWN",
            "MINE >= NCCL_VERSION(2,28,0)",
            "NCCL_VERSION_CODE >= NCCL_VERSION(2, X, 0)",
        ] {
            let text = format!("#if {condition}\na\n#else\nb\n#endif\n");
            assert!(left_out(&text).is_empty(), "{condition}");
        }
    }

    #[test]
    fn what_follows_a_branch_that_is_taken_is_left_out() {
        let text = "#if NCCL_VERSION_CODE >= NCCL_VERSION(2,28,0)\na\n#elif NCCL_VERSION_CODE >= NCCL_VERSION(2,7,0)\nb\n#else\nc\n#endif\n";
        assert_eq!(left_out(text), ["a", "c"]);
    }
}
