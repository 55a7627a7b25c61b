//! What a shell and `man` want to know of the program, generated from its arguments.

use anyhow::{Result, anyhow};
use clap::CommandFactory as _;

use super::args::{Cli, CompletionsArgs, ManArgs};
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

/// Prints a manual page.
pub(super) fn manual(args: &ManArgs) -> Result<Exit> {
    let mut program = Cli::command();
    // Gives commands the names that their pages refer to each other by.
    program.build();
    let mut command = &program;
    for name in &args.commands {
        let found = command.find_subcommand(name);
        command = found.ok_or_else(|| anyhow!("there is no command `{name}`"))?;
    }
    let mut text = Vec::new();
    clap_mangen::Man::new(command.clone())
        .source(concat!("cass-transpile ", env!("CARGO_PKG_VERSION")))
        .render(&mut text)?;
    output::print_bytes(&text)?;
    Ok(Exit::Clean)
}
