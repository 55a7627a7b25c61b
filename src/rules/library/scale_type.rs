//! The type of the scales of a cuBLASLt product, which hipBLASLt takes when the description is made.
//!
//! ## Why on AMD
//! `cublasLtMatmulDescCreate` and `hipblasLtMatmulDescCreate` both take the type of the scales. hipBLASLt has no attribute to set it again:
//! "use of undeclared identifier 'CUBLASLT_MATMUL_DESC_SCALE_TYPE'". Where the function that sets it made the description with the same type,
//! the call says nothing new and goes.
//!
//! ## Example
//! ```cuda
//! void describe(cublasLtMatmulDesc_t product) {
//!   cudaDataType_t scale = CUDA_R_32F;
//!   cublasLtMatmulDescCreate(&product, CUBLAS_COMPUTE_32F, CUDA_R_32F);
//!   cublasLtMatmulDescSetAttribute(product, CUBLASLT_MATMUL_DESC_SCALE_TYPE, &scale, sizeof(scale));
//! }
//! ```
//! becomes
//! ```hip
//! void describe(hipblasLtMatmulDesc_t product) {
//!   hipDataType scale = HIP_R_32F;
//!   hipblasLtMatmulDescCreate(&product, HIPBLAS_COMPUTE_32F, HIP_R_32F);
//! }
//! ```
//!
//! ## When to ignore
//! Never. Where the types differ, or the description comes from elsewhere, it is an error: give the type to `hipblasLtMatmulDescCreate`.
//!
//! ## Source
//! `cublasLt.h` of CUDA 13.0 and `hipblaslt.h` of ROCm 6.4.

use std::ops::Range;

use crate::cpp::calls::{enclosing_call, trusted_call};
use crate::cpp::deletion::{call_statement, delete_lines};
use crate::rules::prelude::*;

/// Deletes the call, or says where the type goes.
pub static RULE: Rule = Rule {
    code: "CASS692",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 30,
    facts: &[],
    checks: &[Check::Claimed(&["CUBLASLT_MATMUL_DESC_SCALE_TYPE"], check)],
};

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    let message = "`CUBLASLT_MATMUL_DESC_SCALE_TYPE` has no counterpart on AMD";
    let finding = match repetition(cx.doc, index) {
        Some(statement) => RULE
            .finding(
                cx.range(index),
                format!("{message}; the description was made with this type"),
            )
            .fix(Fix::safe(vec![delete_lines(cx.doc, statement)])),
        None => RULE
            .finding(cx.range(index), message)
            .severity(Severity::Error)
            .help(
                "give the type of the scales to `hipblasLtMatmulDescCreate` and delete this call",
            ),
    };
    cx.report(finding);
}

/// The statement that sets the type with which its function made the description.
fn repetition(doc: &Document<'_>, attribute: TokenIndex) -> Option<TextRange> {
    let name = enclosing_call(doc, attribute)?;
    let sets = doc.is(name, "cublasLtMatmulDescSetAttribute");
    let call = trusted_call(doc, name).filter(|call| sets && call.arguments.len() == 4)?;
    let (description, value) = (&call.arguments[0], &call.arguments[2]);
    let variable = (value.len() == 2 && doc.is(value.start, "&")).then_some(value.start + 1)?;
    let body = doc.scopes().enclosing(name)?.body.clone();
    let given = type_given(doc, body.start..name, description)?;
    let is_same = words(doc, &given) == [doc.bytes(variable)]
        || words(doc, &given) == [doc.bytes(only_value(doc, &body, variable)?)];
    let checked = enclosing_call(doc, name).and_then(|outer| trusted_call(doc, outer));
    let statement = match checked {
        // `check(cublasLtMatmulDescSetAttribute(…));`
        Some(outer) => match outer.arguments.as_slice() {
            [only] if *only == (name..call.close + 1) => outer,
            _ => return None,
        },
        None => call,
    };
    call_statement(doc, &statement).filter(|_| is_same)
}

/// What the last call in front made a description with.
fn type_given(
    doc: &Document<'_>,
    before: Range<TokenIndex>,
    description: &Range<TokenIndex>,
) -> Option<Range<TokenIndex>> {
    let made = doc.occurrences(b"cublasLtMatmulDescCreate", before);
    let call = trusted_call(doc, made.last()?)?;
    let [address, _, scale] = &call.arguments[..] else {
        return None;
    };
    let is_it = doc.is(address.start, "&")
        && words(doc, &(address.start + 1..address.end)) == words(doc, description);
    is_it.then(|| scale.clone())
}

/// The word that a variable of the function begins with, if nothing else is said of it than its address and size.
fn only_value(
    doc: &Document<'_>,
    body: &Range<TokenIndex>,
    variable: TokenIndex,
) -> Option<TokenIndex> {
    let mut value = None;
    for at in doc.occurrences(doc.bytes(variable), body.clone()) {
        let is_begun = doc.is(at + 1, "=") && doc.is_ident(at - 1) && doc.is(at + 3, ";");
        let is_read = at == variable || doc.is_before(at, "(") && doc.is(at - 2, "sizeof");
        match (is_begun, is_read, value) {
            (true, _, None) => value = Some(at + 2),
            (false, true, _) => {}
            _ => return None,
        }
    }
    value
}

fn words<'d>(doc: &'d Document<'_>, tokens: &Range<TokenIndex>) -> Vec<&'d [u8]> {
    tokens.clone().map(|at| doc.bytes(at)).collect()
}
