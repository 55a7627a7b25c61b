//! Entry point: parse, run, exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    cass_transpile::cli::main(std::env::args_os())
}
