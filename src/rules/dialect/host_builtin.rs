//! A function of the project's that clang or HIP's headers have: `__rdtsc`, `make_int4`.
//!
//! ## Why on AMD
//! gcc, which compiles the host's part behind nvcc, has `__rdtsc` in a header that a program may leave out. clang knows it without one,
//! with linkage of its own: "static declaration of '__rdtsc' follows non-static declaration". CUDA's `vector_types.h` and
//! `cuda_runtime_api.h` have the vector types without their `make_` functions, so that sources for the host's compiler bring their own; HIP's
//! have both: "redefinition of 'make_int4'".
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
//! A `make_int4` is kept from AMD in the same way, by `#ifndef __HIP_PLATFORM_AMD__`.
//!
//! ## When to ignore
//! When the function does something else than what its name says: then give it another name.
//!
//! ## Source
//! clang 19: `__has_builtin` over the names of its headers of intrinsics; `vector_types.h` of CUDA 13.0 and `hip/hip_runtime_api.h` of ROCm 6.4.

use crate::analysis::signature::Definition;
use crate::cpp::guarding::conditions;
use crate::mapping::name_lists;
use crate::rules::prelude::*;
use crate::syntax::FunctionScope;

/// Hides the definition from clang, or from AMD.
pub static RULE: Rule = Rule {
    code: "CASS655",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 60,
    facts: &[Fact::NvccReadsResult],
    checks: &[
        Check::Listed(|| &name_lists().host_builtins, check),
        Check::Source(check_makers),
    ],
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
        Some(lines) => finding.fix(hiding(cx, lines, "__clang__ // it has this function")),
        None => finding
            .severity(Severity::Error)
            .help("put `#ifndef __clang__` around the definition, or give it another name"),
    });
}

/// Puts `#ifndef` around some lines.
fn hiding(cx: &Context<'_, '_>, (start, end): (u32, u32), condition: &str) -> Fix {
    let newline = cx.doc.newline();
    Fix::safe(vec![
        Edit::insert(start, format!("#ifndef {condition}{newline}")),
        Edit::insert(end, format!("#endif{newline}")),
    ])
}

/// Hides the functions that make vectors as HIP's do, those that follow each other together.
fn check_makers(cx: &mut Context<'_, '_>) {
    let doc = cx.doc;
    // Where C is compiled HIP's headers have the types alone.
    if doc.source.path.ends_with(".c") {
        return;
    }
    let functions = doc.scopes().iter();
    let found = functions.filter_map(|function| maker(cx, function));
    let mut runs = Vec::<Vec<Definition<'_>>>::new();
    for definition in found {
        match runs.last_mut() {
            Some(run)
                if run
                    .last()
                    .is_some_and(|last| last.last + 1 == definition.first) =>
            {
                run.push(definition);
            }
            _ => runs.push(vec![definition]),
        }
    }
    for run in runs {
        let finding = of_makers(cx, &run);
        cx.report(finding);
    }
}

fn of_makers(cx: &Context<'_, '_>, run: &[Definition<'_>]) -> Finding {
    let (first, last) = (&run[0], &run[run.len() - 1]);
    let names: Vec<String> = run
        .iter()
        .map(|it| format!("`{}`", cx.text(it.name)))
        .collect();
    let message = format!("HIP's headers define {} as well", names.join(", "));
    let finding = RULE.finding(cx.range(first.name), message);
    match first.lines(cx.doc).zip(last.lines(cx.doc)) {
        Some(((start, _), (_, end))) => {
            let condition = "__HIP_PLATFORM_AMD__ // HIP's headers have this";
            let fix = hiding(cx, (start, end), condition);
            finding.fix(fix).hides(TextRange::new(start, end))
        }
        None => finding.severity(Severity::Error).help(
            "put `#ifndef __HIP_PLATFORM_AMD__` around the definition, or delete it: HIP's own does the same",
        ),
    }
}

/// The definition of a function in no class or namespace that makes a vector of CUDA's from its elements.
fn maker<'d>(cx: &Context<'d, '_>, function: &FunctionScope) -> Option<Definition<'d>> {
    let doc = cx.doc;
    let name = doc.bytes(function.name?);
    let vector = name.strip_prefix(b"make_")?;
    let lanes = usize::from(vector.last()?.wrapping_sub(b'0'));
    let is_vector = name_lists()
        .vectors
        .iter()
        .any(|known| known.as_bytes() == vector);
    if !is_vector || cx.is_own(vector) {
        return None;
    }
    let definition = Definition::of_function(cx, function)?;
    let start = cx.range(definition.first).start;
    let element = plain_number(std::str::from_utf8(&vector[..vector.len() - 1]).ok()?);
    let (_, types) = definition.cuda.split_once(' ')?;
    let mut types = types.split_terminator(" , ");
    let is_same = definition.parameters.len() == lanes
        && types.all(|ty| plain_number(ty.trim_end_matches(" &")) == element);
    let is_compiled = doc.braces_around(definition.name).next().is_none()
        && doc.vendor_at(start) == Vendor::Any
        && !cx.is_inactive(start)
        && !cx.is_not_meant(start);
    (is_same && is_compiled).then_some(definition)
}

/// The type of a number in one spelling, `const` left out: that of a plain `char` is the one with a sign, as vectors of it have it.
fn plain_number(ty: &str) -> String {
    let (ty, unsigned) = match ty.strip_prefix('u') {
        Some(rest) if !ty.starts_with("unsigned") => (rest, true),
        _ => (ty, false),
    };
    let ty = ty.replace("longlong", "long long");
    let mut words: Vec<&str> = ty.split_whitespace().collect();
    let is_unsigned = unsigned || words.contains(&"unsigned");
    words.retain(|word| !matches!(*word, "const" | "signed" | "unsigned"));
    if words.len() > 1 || is_unsigned && words.is_empty() {
        words.retain(|word| *word != "int");
    }
    let rest = if words.is_empty() {
        "int".to_owned()
    } else {
        words.join(" ")
    };
    format!("{}{rest}", if is_unsigned { "unsigned " } else { "" })
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
