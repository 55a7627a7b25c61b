//! Names of the tables: API calls, types, enumerators, headers.
//!
//! The list is written by `cargo xtask rules`: a new rule is a new file.

pub mod amd_branch;
pub mod api_left;
pub mod context_parameters;
pub mod newer_rocm;
pub mod own_rule;
pub mod parse_regression;
pub mod pasted_name;
pub mod rename_api;
pub mod rename_field;
pub mod rename_in_string;
pub mod rename_namespace;
pub mod renamed_include;
pub mod review_api;
pub mod rewrite_include;
pub mod runtime_header;
pub mod symbol_name;
pub mod uncovered_name;
pub mod unknown_api;
pub mod unknown_member;
pub mod unsupported_api;

/// The rules of this folder, by file name.
#[rustfmt::skip]
pub(super) static RULES: &[(&str, &super::Rule)] = &[
    ("amd-branch", &amd_branch::RULE),
    ("api-left", &api_left::RULE),
    ("context-parameters", &context_parameters::RULE),
    ("newer-rocm", &newer_rocm::RULE),
    ("own-rule", &own_rule::RULE),
    ("parse-regression", &parse_regression::RULE),
    ("pasted-name", &pasted_name::RULE),
    ("rename-api", &rename_api::RULE),
    ("rename-field", &rename_field::RULE),
    ("rename-in-string", &rename_in_string::RULE),
    ("rename-namespace", &rename_namespace::RULE),
    ("renamed-include", &renamed_include::RULE),
    ("review-api", &review_api::RULE),
    ("rewrite-include", &rewrite_include::RULE),
    ("runtime-header", &runtime_header::RULE),
    ("symbol-name", &symbol_name::RULE),
    ("uncovered-name", &uncovered_name::RULE),
    ("unknown-api", &unknown_api::RULE),
    ("unknown-member", &unknown_member::RULE),
    ("unsupported-api", &unsupported_api::RULE),
];
