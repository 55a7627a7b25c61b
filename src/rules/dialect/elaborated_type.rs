//! `struct`, `class` or `enum` in front of a type that HIP has as an alias, and the structures behind the handles of CUDA's libraries.
//!
//! ## Why on AMD
//! CUDA's headers declare these types by tags, so that `struct float4` and `float4` are one type. HIP's vectors are aliases of templates,
//! and some of its structures are declared without a tag of that name: there the word is an error. The handles of hipBLAS, hipSPARSE and
//! hipSOLVER are `void *`: headers that declare them once more, to do without the library's, declare other types.
//!
//! ## Example
//! ```cuda
//! struct cudaGraphicsResource *pixels;
//! typedef struct cublasContext *cublasHandle_t;
//! ```
//! becomes
//! ```hip
//! hipGraphicsResource *pixels;
//! typedef void *hipblasHandle_t;
//! ```
//!
//! ## When to ignore
//! Never.
//!
//! ## Source
//! Each type of the tables that CUDA 13.0 declares by a tag, compiled with its `struct` or `enum` against the headers of ROCm 6.4.

use crate::cpp::arithmetic::is_vector;
use crate::cpp::deletion::{delete_lines, delete_word};
use crate::mapping::name_lists;
use crate::rules::prelude::*;
use crate::text::keywords::type_keys;

/// Deletes the word, or a declaration of nothing but the type.
pub static RULE: Rule = Rule {
    code: "CASS118",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 50,
    facts: &[Fact::NvccReadsResult],
    checks: &[
        Check::Listed(type_keys, check),
        Check::Listed(|| &name_lists().handle_tags, check_tag),
    ],
};

fn check(word: TokenIndex, cx: &mut Context<'_, '_>) {
    let Some(name) = cx.doc.next(word).filter(|&name| is_alias(cx, name)) else {
        return;
    };
    let message = format!(
        "`{}` is a typedef in HIP: an elaborated type specifier `{}` does not compile",
        cx.text(name),
        cx.text(word)
    );
    let finding = RULE.finding(cx.range(word), message);
    // What stands behind says whether this names the type or declares it once more.
    cx.report(match cx.doc.next(name).map(|next| cx.doc.bytes(next)) {
        Some(b"{" | b":") => return,
        Some(b";") => {
            let all = cx.doc.range(word, name + 1);
            let finding = finding.fix(Fix::safe(vec![delete_lines(cx.doc, all)]));
            match header(cx.doc.bytes(name)) {
                Some(header) => finding.header(header),
                None => finding,
            }
        }
        _ => finding.fix(Fix::safe(vec![delete_word(cx.doc, word)])),
    });
}

/// A structure of CUDA's behind a handle that is a `void *` in HIP.
fn check_tag(name: TokenIndex, cx: &mut Context<'_, '_>) {
    let doc = cx.doc;
    let word = doc.bytes(name);
    let hit = cx.table().get(word);
    let has_target = hit.is_none_or(|hit| {
        let options = cx.options();
        let target = hit.entry.target(&options.choices, options.rocm, None);
        target.is_some()
    });
    if has_target || cx.is_own(word) || doc.tokens[name].has(flags::DIRECTIVE) {
        return;
    }
    let key = doc
        .prev(name)
        .filter(|&key| doc.is(key, "struct") || doc.is(key, "class"));
    let range = doc.range(key.unwrap_or(name), name);
    let message = format!(
        "the structure `{}` stands behind a `void *` in HIP",
        cx.text(name)
    );
    let finding = RULE.finding(cx.range(name), message);
    let edit = match doc.next(name).map(|next| doc.bytes(next)) {
        Some(b"*") => Edit::replace(range, "void").without(range),
        Some(b";") if key.is_some() => {
            let all = doc.range(key.unwrap_or(name), name + 1);
            delete_lines(doc, all).without(range)
        }
        _ => return,
    };
    cx.report(finding.fix(Fix::safe(vec![edit])));
}

/// The header that declares the type, in place of a declaration of the project. What the runtime declares brings its header by itself.
fn header(word: &[u8]) -> Option<&'static str> {
    if word.starts_with(b"cuda") {
        None
    } else if word.starts_with(b"curand") || word.starts_with(b"mtgp32") {
        Some("hiprand/hiprand.h")
    } else {
        Some("hip/hip_vector_types.h")
    }
}

fn is_alias(cx: &Context<'_, '_>, name: TokenIndex) -> bool {
    let word = cx.doc.bytes(name);
    let is_known = is_vector(word) || name_lists().aliases.iter().any(|it| it.as_bytes() == word);
    is_known && cx.doc.is_ident(name) && !cx.is_own(word)
}
