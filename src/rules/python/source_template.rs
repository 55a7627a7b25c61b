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
//! Once it is known what fills the holes. Numbers that the module gives to constants, `f"int SIZE = {SIZE};"` behind `SIZE = 256`, give no
//! finding.
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
                .severity(match is_instantiation(quoted.text()) {
                    true => Severity::Info,
                    false => RULE.severity,
                })
                .help("check what fills the placeholders: a number or a name of the project's own needs nothing, a type or a name of CUDA's is to be HIP's");
            findings.push(finding);
        }
    }
    findings.dedup_by_key(|finding| finding.range);
    findings.into_iter().for_each(|finding| cx.report(finding));
}

/// Whether a text only asks for an instance of a template that is translated where it stands: `extern template void f<{}>(…);`.
fn is_instantiation(text: &[u8]) -> bool {
    let text = text.trim_ascii_start();
    let behind = text
        .strip_prefix(b"extern ")
        .unwrap_or(text)
        .strip_prefix(b"template ");
    behind.is_some_and(|it| !it.trim_ascii_start().starts_with(b"<"))
}
