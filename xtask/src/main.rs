//! What whoever works on cass-transpile does often: `cargo xtask --help`.

mod ecosystem;
mod rehearsal;
mod review;
mod scaffold;
mod skeletons;
mod steps;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

use crate::skeletons::About;

#[derive(Parser)]
#[command(about)]
struct Args {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Formats the sources.
    Fmt,
    /// Runs clippy, warnings being errors.
    Lint,
    /// Runs the tests that most changes break: units, the shape of the sources, the fixtures of the rules.
    TestQuick,
    /// Writes a rule, its fixtures and its item of the catalogue, to be filled in.
    NewRule {
        /// Folder below src/rules/.
        group: String,
        /// Name in kebab case: `register-keyword`.
        name: String,
        /// What it looks at; what most rules of the group do, unless it is said.
        #[arg(long)]
        about: Option<About>,
    },
    /// Writes the folder of a group of rules.
    NewGroup {
        /// Name in kebab case: `build-files`.
        name: String,
        /// What its rules are about, as a sentence.
        what: String,
    },
    /// Writes a table for the names of a library, to be filled in.
    NewTable {
        /// What the library is called in files and options: `fft`.
        key: String,
        /// What NVIDIA calls it: `cuFFT`.
        title: String,
    },
    /// Adds one of each kind to a copy of the tree: each touches its own files alone, and holds as it is.
    Rehearse,
    /// Writes a helper snippet, to be filled in.
    NewHelper {
        /// Folder below src/compat/.
        subject: String,
        /// The CUDA function that it stands for: `__dp4a`.
        function: String,
    },
    /// Lists what is worth a second look in a review: long functions, named closures, private words.
    Review,
    /// Writes the documentation site and checks its links.
    Docs {
        /// Folder for it.
        #[arg(default_value = "target/site")]
        out: PathBuf,
    },
    /// Translates trees with two builds of the program, and prints where outputs and findings differ.
    Ecosystem {
        /// The program before the change.
        before: PathBuf,
        /// The program with the change.
        after: PathBuf,
        /// Checkouts to translate.
        #[arg(required = true)]
        trees: Vec<PathBuf>,
    },
}

fn main() -> ExitCode {
    match run(Args::parse().task) {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever works here reads what is wrong with a name or a file; a trace of xtask says nothing of that.
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(task: Task) -> Result<()> {
    match task {
        Task::Fmt => steps::run("cargo", &["fmt", "--all"]),
        Task::Lint => steps::lint(),
        Task::TestQuick => steps::test_quick(),
        Task::NewRule { group, name, about } => {
            scaffold::rule(&steps::root(), &group, &name, about)
        }
        Task::NewGroup { name, what } => scaffold::group(&steps::root(), &name, &what),
        Task::NewTable { key, title } => scaffold::table(&steps::root(), &key, &title),
        Task::Rehearse => rehearsal::rehearse(),
        Task::NewHelper { subject, function } => {
            scaffold::helper(&steps::root(), &subject, &function)
        }
        Task::Review => review::list(),
        Task::Docs { out } => steps::docs(&out),
        Task::Ecosystem {
            before,
            after,
            trees,
        } => ecosystem::compare(&before, &after, &trees),
    }
}
