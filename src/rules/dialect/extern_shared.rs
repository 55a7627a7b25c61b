//! An `extern __shared__` variable that has a size.
//!
//! ## Why on AMD
//! nvcc treats it as a definition (warning 20044-D): the variable has the size that it says, and the bytes that a launch asks for are others.
//! clang has `extern` for arrays without a size alone: "`__shared__` variable 's' cannot be 'extern'".
//!
//! ## Example
//! ```cuda
//! extern __shared__ float sums[4][32];
//! ```
//! becomes
//! ```hip
//! __shared__ float sums[4][32];
//! ```
//!
//! ## When to ignore
//! Never.
//!
//! ## Source
//! PTX of nvcc 12.4: `.shared .align 4 .b8 s[512]`, where an array without a size is `.extern .shared`; clang 19.

use crate::rules::prelude::*;
use crate::text::keywords::is_attribute;

/// Takes `extern` away.
pub static RULE: Rule = Rule {
    code: "CASS696",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 50,
    facts: &[Fact::NvccReadsResult],
    checks: &[Check::Idents(&["__shared__"], check)],
};

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    let doc = cx.doc;
    let Some(word) = word_before(doc, index).or_else(|| word_behind(doc, index)) else {
        return;
    };
    let Some(sizes) = sizes(doc, index) else {
        return;
    };
    if !sizes.contains(&true) {
        return;
    }
    let message = "a `__shared__` variable with a size is no `extern` one: nvcc defines it";
    let finding = RULE.finding(cx.range(word), message);
    let (start, end) = (doc.tokens[word].start, doc.tokens[word].end());
    let behind = doc.next(word).map_or(end, |next| doc.tokens[next].start);
    let is_blank = doc
        .source
        .slice(TextRange::new(end, behind))
        .trim_ascii()
        .is_empty();
    let range = TextRange::new(start, if is_blank { behind } else { end });
    cx.report(if sizes.contains(&false) {
        finding
            .severity(Severity::Error)
            .help("declare it apart from the array without a size, and without `extern`")
    } else {
        finding.fix(Fix::safe(vec![Edit::delete(range)]))
    });
}

/// `extern` in front of `__shared__`, among the words of the declaration.
fn word_before(doc: &Document<'_>, shared: TokenIndex) -> Option<TokenIndex> {
    let words = std::iter::successors(doc.prev(shared), |&at| doc.prev(at));
    let mut words = words.take_while(|&at| doc.is_ident(at));
    words.find(|&at| doc.is(at, "extern"))
}

/// `extern` right behind `__shared__`.
fn word_behind(doc: &Document<'_>, shared: TokenIndex) -> Option<TokenIndex> {
    doc.next(shared).filter(|&at| doc.is(at, "extern"))
}

/// Whether each variable of a declaration has a size; none where it is no declaration of variables.
fn sizes(doc: &Document<'_>, shared: TokenIndex) -> Option<Vec<bool>> {
    // A declaration of shared memory is never longer.
    const LONGEST: usize = 80;
    let (mut at, mut all, mut is_sized) = (shared, Vec::new(), true);
    while let Some(next) = doc.next(at).filter(|&next| next < shared + LONGEST) {
        at = match doc.bytes(next) {
            b";" => {
                all.push(is_sized);
                return Some(all);
            }
            b"," => {
                all.push(is_sized);
                is_sized = true;
                next
            }
            b"[" => {
                let close = doc.matching_bracket(next)?;
                is_sized &= close != next + 1;
                close
            }
            b"<" => doc.template_close(next)?,
            b"(" if is_attribute(doc.bytes(at)) => doc.matching_bracket(next)?,
            // A pointer to an array, a function, a value: none that `extern` could be left out of unread.
            b"(" | b"=" | b"{" | b"}" => return None,
            _ => next,
        };
    }
    None
}
