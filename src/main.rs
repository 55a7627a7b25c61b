//! Entry point: parse, run, exit code.

use std::process::ExitCode;

/// A tenth of the time of a run went to the system's allocator: what a file is read into are many small blocks, on all threads at once.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    cass_transpile::cli::main(std::env::args_os())
}
