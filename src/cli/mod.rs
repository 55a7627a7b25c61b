//! The command line: the only user of clap and the only place that prints.

mod accept;
mod args;
mod check;
mod chips;
mod convert;
mod diff;
mod exit;
mod explain;
mod input;
mod lsp;
mod mappings;
mod nvcc;
mod output;
mod pairs;
mod port;
mod query;
mod reports;
mod schema;
mod settings;
mod shell;
mod shim;
mod status;
mod verify;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Parser as _;

pub use args::Cli;
use args::Command;
pub use exit::Exit;

/// Runs the program with its arguments and returns its exit code.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    if let Some(exit) = nvcc::by_name(&arguments) {
        return exit;
    }
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => {
            let code = if error.use_stderr() {
                Exit::Trouble
            } else {
                Exit::Clean
            };
            let _ = error.print();
            return code.into();
        }
    };
    match run(&cli) {
        Ok(exit) => exit.into(),
        Err(error) if output::is_broken_pipe(&error) => Exit::Clean.into(),
        Err(error) => {
            output::complain(&format!("{error:#}"));
            Exit::Trouble.into()
        }
    }
}

/// Reads the translation options of a command line: `--warp native --rocm 7.0`.
///
/// # Errors
/// When clap refuses them; its message says why.
pub fn parse_options(arguments: &[&str]) -> Result<crate::options::Options, String> {
    #[derive(clap::Parser)]
    struct Only {
        #[command(flatten)]
        translate: args::TranslateArgs,
    }
    let parsed = Only::try_parse_from(std::iter::once(&"options").chain(arguments))
        .map_err(|error| error.to_string())?;
    parsed.translate.table().options()
}

fn run(cli: &Cli) -> anyhow::Result<Exit> {
    cli.color.set();
    match &cli.command {
        None => convert::run(&cli.convert),
        Some(Command::Check(args)) => check::run(args),
        Some(Command::Diff(args)) => diff::run(args),
        Some(Command::Status(args)) => status::run(args),
        Some(Command::Accept(args)) => accept::run(args),
        Some(Command::Explain(args)) => explain::explain(args),
        Some(Command::Rules(args)) => explain::rules(args),
        Some(Command::Chips(args)) => chips::run(args),
        Some(Command::Schema(args)) => schema::run(args),
        Some(Command::Shim(args)) => shim::run(args),
        // `by_name` has taken it: what is left are options of this program in front of the command.
        Some(Command::Nvcc(args)) => nvcc::run(args),
        Some(Command::Lsp(args)) => lsp::run(args),
        Some(Command::Completions(args)) => shell::completions(args),
        Some(Command::Man(args)) => shell::manual(args),
        Some(Command::Query(args)) => query::run(args),
        Some(Command::Mappings(args)) => mappings::run(args),
        Some(Command::Verify(args)) => verify::run(args),
        Some(Command::Pairs(args)) => pairs::run(args),
    }
}
