//! A name of the project that HIP's headers have as a macro: `MASK1`, `MASK2`.
//!
//! ## Why on AMD
//! `amd_device_functions.h` defines a few macros with short names and leaves them defined. A variable, a parameter or a member of that
//! name becomes a number behind HIP's runtime header, and its declaration does not compile. CUDA's headers have none of them.
//!
//! ## Example
//! ```cuda
//! struct node { unsigned MASK1, MASK2; };
//! __global__ void k(node *n) { n->MASK1 = 0; }
//! ```
//! becomes
//! ```hip
//! #undef MASK1
//! #undef MASK2
//! struct node { unsigned MASK1, MASK2; };
//! __global__ void k(node *n) { n->MASK1 = 0; }
//! ```
//!
//! ## When to ignore
//! Where the project has macros of these names itself nothing is said.
//!
//! ## Source
//! `hip/amd_detail/amd_device_functions.h` of ROCm 6.4, by `clang -dM -E` against the macros behind CUDA's runtime header.

use crate::analysis::include_place::helper_point;
use crate::mapping::name_lists;
use crate::rules::prelude::*;
use crate::text::keywords::may_name_type;

/// Takes the macro away in front of the name's first place.
pub static RULE: Rule = Rule {
    code: "CASS136",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 60,
    facts: &[],
    checks: &[Check::Listed(|| &name_lists().hip_macros, check)],
};

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    let doc = cx.doc;
    if places(doc, index).next() != Some(index) || !is_own(cx, index) {
        return;
    }
    let text = cx.text(index).into_owned();
    let point = helper_point(doc, cx.range(index).start);
    let edit = Edit::insert(point, format!("#undef {text}{}", doc.newline()));
    let message = format!("HIP's headers define `{text}` as a macro");
    let finding = RULE.finding(cx.range(index), message);
    cx.report(finding.fix(Fix::safe(vec![edit])));
}

/// The places of a name in code.
fn places<'d>(doc: &'d Document<'_>, index: TokenIndex) -> impl Iterator<Item = TokenIndex> + 'd {
    let all = doc.occurrences(doc.bytes(index), 0..doc.tokens.len());
    all.filter(|&at| !doc.tokens[at].has(flags::DIRECTIVE))
}

/// Whether the file means something of its own by a name, and is read behind HIP's headers.
fn is_own(cx: &Context<'_, '_>, index: TokenIndex) -> bool {
    let doc = cx.doc;
    let is_macro = || {
        let mut changed = doc.directives.iter().filter_map(Directive::changed_macro);
        changed.any(|at| doc.bytes(at) == doc.bytes(index))
    };
    places(doc, index).any(|at| is_own_name(doc, at))
        && !is_macro()
        && cx
            .project
            .is_read_with_runtime(&doc.source.path, cx.table())
}

/// Whether a name is a variable's, a member's or an enumerator's by what stands around it; a macro cannot stand there.
fn is_own_name(doc: &Document<'_>, at: TokenIndex) -> bool {
    let Some(before) = doc.prev(at) else {
        return false;
    };
    match doc.bytes(before) {
        b"." | b"->" | b"::" => true,
        b"{" | b"," => doc.next_is(at, "="),
        word => doc.is_ident(before) && may_name_type(word),
    }
}
