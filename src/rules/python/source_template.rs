//! CUDA source in a Python string that the program completes: an f-string, `%`, `.format`, `.replace`, a template.
//!
//! ## Why on AMD
//! The parts around the holes are translated; what fills them is not seen. A type, a name or a number needs nothing; code of CUDA in a
//! hole reaches AMD's compiler as it is, and a text that `.replace` looks for may be called otherwise now.
//!
//! ## Example
//! ```python
//! code = "__global__ void scale(%(type)s *x) { x[threadIdx.x] *= 2; }" % {"type": name}
//! ```
//!
//! ## When to ignore
//! Once it is known what fills the holes.
//!
//! ## Source
//! Python documentation, `str.format` and printf-style formatting.

use crate::python::{embedded, may_embed};
use crate::rules::prelude::*;

/// Reports sources with holes.
pub static RULE: Rule = Rule {
    code: "CASS661",
    severity: Severity::Warning,
    fix: None,
    priority: 50,
    facts: &[],
    checks: &[Check::Python(&[], check)],
};

fn check(cx: &mut PythonContext<'_, '_>) {
    if !may_embed(&cx.source.bytes) {
        return;
    }
    let strings = cx.strings();
    let table = cx.table();
    let mut findings: Vec<Finding> = Vec::new();
    for source in embedded(strings).sources {
        let quoted = &source.text.quoted;
        if source.text.is_template && table.may_occur_in(quoted.text()) {
            let start = quoted.extent().start;
            let finding = RULE
                .finding(TextRange::at(start), "this CUDA source is completed at run time: its parts are translated, what fills them is not")
                .help("check what fills the placeholders; a type, a name or a number needs nothing");
            findings.push(finding);
        }
    }
    findings.dedup_by_key(|finding| finding.range);
    findings.into_iter().for_each(|finding| cx.report(finding));
}
