//! What a shell and `man` want to know of the program, generated from its arguments.

use anyhow::Result;
use clap::CommandFactory as _;

use super::args::{Cli, CompletionsArgs};
use super::{Exit, output};

/// Prints the completions of a shell.
pub(super) fn completions(args: &CompletionsArgs) -> Result<Exit> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "cass-transpile", &mut text);
    // A name with a dash is spelt in two ways within the script for bash, so that no option of a command completes: clap#6421.
    let text = String::from_utf8_lossy(&text).replace("cass__subcmd__transpile", "cass__transpile");
    output::print_bytes(text.as_bytes())?;
    Ok(Exit::Clean)
}

/// Prints the manual page.
pub(super) fn manual() -> Result<Exit> {
    let mut text = Vec::new();
    clap_mangen::Man::new(Cli::command()).render(&mut text)?;
    output::print_bytes(&text)?;
    Ok(Exit::Clean)
}
