use std::ffi::OsString;

use clap::Args;

#[derive(Debug, Args)]
#[command(disable_help_flag = true)]
pub(in crate::cli) struct NvccArgs {
    /// nvcc's command line; `--help` says more
    #[arg(
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "ARGUMENT"
    )]
    pub(in crate::cli) arguments: Vec<OsString>,
}
