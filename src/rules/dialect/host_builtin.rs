//! A function of the project's under the name of a builtin of clang's: `__rdtsc`.
//!
//! ## Why on AMD
//! gcc, which compiles the host's part behind nvcc, has `__rdtsc` in a header that a program may leave out. clang knows it without one,
//! with linkage of its own: "static declaration of '__rdtsc' follows non-static declaration".
//!
//! ## Example
//! ```cuda
//! static inline unsigned long long __rdtsc() {
//!   return read_counter();
//! }
//! ```
//! becomes
//! ```hip
//! #ifndef __clang__ // it has this function
//! static inline unsigned long long __rdtsc() {
//!   return read_counter();
//! }
//! #endif
//! ```
//!
//! ## When to ignore
//! When the function does something else than what its name says: then give it another name.
//!
//! ## Source
//! clang 19: `__has_builtin` over the names of its headers of intrinsics.

use crate::analysis::signature::Definition;
use crate::cpp::guarding::conditions;
use crate::mapping::name_lists;
use crate::rules::prelude::*;

/// Hides the definition from clang.
pub static RULE: Rule = Rule {
    code: "CASS655",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 60,
    facts: &[Fact::NvccReadsResult],
    checks: &[Check::Listed(|| &name_lists().host_builtins, check)],
};

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    let doc = cx.doc;
    let mut functions = doc.scopes().iter().filter(|it| it.name == Some(index));
    let definition = functions.find_map(|function| Definition::of_function(cx, function));
    let Some(definition) = definition.filter(|it| is_seen(cx, it)) else {
        return;
    };
    let message = format!(
        "clang has `{}` as a builtin, and a static definition of it is an error",
        cx.text(index)
    );
    let finding = RULE.finding(cx.range(index), message);
    cx.report(match definition.lines(doc) {
        Some((start, end)) => {
            let newline = doc.newline();
            let head = format!("#ifndef __clang__ // it has this function{newline}");
            let edits = vec![
                Edit::insert(start, head),
                Edit::insert(end, format!("#endif{newline}")),
            ];
            finding.fix(Fix::safe(edits))
        }
        None => finding
            .severity(Severity::Error)
            .help("put `#ifndef __clang__` around the definition, or give it another name"),
    });
}

/// Whether clang compiles the definition: it stands in no class or namespace, behind HIP's runtime header, and under no condition that
/// asks for a compiler.
fn is_seen(cx: &Context<'_, '_>, definition: &Definition<'_>) -> bool {
    let doc = cx.doc;
    let start = cx.range(definition.first).start;
    let asks_for_compiler =
        |condition: &String| condition.contains("__clang__") || condition.contains("__has_builtin");
    doc.braces_around(definition.name).next().is_none()
        && !conditions(doc, start).iter().any(asks_for_compiler)
        && doc.vendor_at(start) == Vendor::Any
        && !cx.is_inactive(start)
        && cx
            .project
            .is_read_with_runtime(&doc.source.path, cx.table())
}
