//! `jsonl`: records of a data set.

use clap::{Args, ValueEnum};

use super::SettingsArgs;

const EXAMPLES: &str = "\
Examples:
  cass-transpile jsonl --field custom_code < rows.jsonl > ported.jsonl
  cass-transpile jsonl --field code --language cuda < kernels.jsonl | jq -c 'select(.cass.verdict == \"manual\")'
  split -n l/8 --filter 'cass-transpile jsonl --field code' rows.jsonl > ported.jsonl

Each record comes out as it went in, with the field translated and a member `cass` behind the others: verdict, changed, findings.
Verdicts: none (no CUDA, or no text), ported, review (warnings), manual (errors), error (the line is no record, and comes out as it is
under `cass.line`). One record is held at a time, so memory does not grow with the data. .github/examples has this under PySpark and
Ray Data.

Exit codes: 0 done, 1 some lines are no records, 2 usage or tool error (130 interrupted).";

#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(in crate::cli) struct JsonlArgs {
    /// Member of each record that holds source code
    #[arg(long, value_name = "NAME")]
    pub(in crate::cli) field: String,
    /// What the code is written in
    #[arg(long, value_enum, default_value_t, value_name = "LANGUAGE")]
    pub(in crate::cli) language: CodeLanguage,
    /// Leave the field as it is, and only add what was found
    #[arg(long)]
    pub(in crate::cli) check: bool,
    #[command(flatten)]
    pub(in crate::cli) settings: SettingsArgs,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum CodeLanguage {
    /// Python where the text reads as Python, else CUDA C++
    #[default]
    Auto,
    /// CUDA C++
    Cuda,
    /// Python
    Python,
}
