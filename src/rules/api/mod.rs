//! Names of the tables: API calls, types, enumerators, headers.

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
