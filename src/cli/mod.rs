//! The command line: the only user of clap and the only place that prints.

mod about;
mod accept;
mod args;
mod bench;
mod check;
mod chips;
mod convert;
mod diff;
mod exit;
mod explain;
mod help;
mod init;
mod input;
mod jsonl;
mod lone;
mod lsp;
mod mappings;
mod mcp;
mod mend;
mod nvcc;
mod output;
mod page;
mod pairs;
mod part;
mod port;
mod progress;
mod query;
mod reach;
mod recorded;
mod reports;
mod schema;
mod settings;
mod shell;
mod shim;
mod status;
mod suggest;
mod support;
mod trial;
mod verify;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{ArgMatches, FromArgMatches as _, Parser as _};

pub use args::Cli;
use args::Command;
pub use exit::Exit;
pub use schema::schemas;

/// Runs the program with its arguments and returns its exit code.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    #[cfg(debug_assertions)]
    arm_fault();
    #[cfg(unix)]
    input::outlive_size_limits();
    if let Some(exit) = nvcc::by_name(&arguments) {
        return exit;
    }
    let cli = match parsed(arguments) {
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

/// Lets a change to the disk go wrong, as a test asks for by `CASS_FAULT`: `kill:7` ends the program in front of the seventh, with
/// `full:7` there is no room from then on.
#[cfg(debug_assertions)]
fn arm_fault() {
    use crate::emit::fault::{Fault, arm};
    let asked = std::env::var("CASS_FAULT").unwrap_or_default();
    match asked.split_once(':').map(|(what, at)| (what, at.parse())) {
        Some(("kill", Ok(at))) => arm(Fault::Kill, at),
        Some(("full", Ok(at))) => arm(Fault::Full, at),
        _ => {}
    }
}

/// Reads a command line. Options of the translation are no options of a command, but those that hold for all may stand before it.
fn parsed(arguments: impl IntoIterator<Item = OsString>) -> Result<Cli, clap::Error> {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let mut program = help::program();
    let matches = program
        .try_get_matches_from_mut(&arguments)
        .map_err(|error| suggest::in_place_of(error, &arguments))?;
    if let Some((command, _)) = matches.subcommand()
        && let Some(argument) = of_translation(&program, &matches)
    {
        let message = format!(
            "`{argument}` in front of `{command}` belongs to a translation; write it behind `{command}`, or leave `{command}` out"
        );
        return Err(program.error(ErrorKind::ArgumentConflict, message));
    }
    Cli::from_arg_matches(&matches)
}

/// An argument of the translation that stands on the command line.
fn of_translation(program: &clap::Command, matches: &ArgMatches) -> Option<String> {
    let given = |argument: &&clap::Arg| {
        !argument.is_global_set()
            && matches.value_source(argument.get_id().as_str()) == Some(ValueSource::CommandLine)
    };
    program.get_arguments().find(given).map(ToString::to_string)
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
    output::set_verbosity(cli.quiet, cli.verbose);
    match &cli.command {
        None => convert::run(&cli.convert),
        Some(Command::Check(args)) => check::run(args),
        Some(Command::Diff(args)) => diff::run(args),
        Some(Command::Status(args)) => status::run(args),
        Some(Command::Try(args)) => trial::run(args),
        Some(Command::Mend(args)) => mend::run(args),
        Some(Command::Accept(args)) => accept::run(args),
        Some(Command::Init(args)) => init::run(args),
        Some(Command::Explain(args)) => explain::explain(args),
        Some(Command::Rules(args)) => explain::rules(args),
        Some(Command::Chips(args)) => chips::run(args),
        Some(Command::Schema(args)) => schema::run(args),
        Some(Command::Shim(args)) => shim::run(args),
        // `by_name` has taken it: what is left are options of this program in front of the command.
        Some(Command::Nvcc(args)) => nvcc::run(args),
        Some(Command::Lsp(args)) => lsp::run(args),
        Some(Command::Mcp(args)) => mcp::run(args),
        Some(Command::Completions(args)) => shell::completions(args),
        Some(Command::Man(args)) => shell::manual(args),
        Some(Command::Query(args)) => query::run(args),
        Some(Command::Mappings(args)) => mappings::run(args),
        Some(Command::Verify(args)) => verify::run(args),
        Some(Command::Bench(args)) => bench::run(args),
        Some(Command::Pairs(args)) => pairs::run(args),
        Some(Command::Jsonl(args)) => jsonl::run(args),
    }
}
