//! What whoever works on cass-transpile does often: `cargo xtask --help`.

mod ecosystem;
mod review;
mod scaffold;
mod steps;

use std::path::PathBuf;

use anyhow::Result;
use clap::{Parser, Subcommand};

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
    /// Writes the list of rules of each folder below src/rules/.
    Rules,
    /// Writes a rule, its fixtures and its item of the catalogue, to be filled in.
    NewRule {
        /// Folder below src/rules/.
        group: String,
        /// Name in kebab case: `register-keyword`.
        name: String,
    },
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

fn main() -> Result<()> {
    match Args::parse().task {
        Task::Fmt => steps::run("cargo", &["fmt", "--all"]),
        Task::Lint => steps::lint(),
        Task::TestQuick => steps::test_quick(),
        Task::Rules => steps::list_rules(),
        Task::NewRule { group, name } => scaffold::rule(&group, &name),
        Task::NewHelper { subject, function } => scaffold::helper(&subject, &function),
        Task::Review => review::list(),
        Task::Docs { out } => steps::docs(&out),
        Task::Ecosystem {
            before,
            after,
            trees,
        } => ecosystem::compare(&before, &after, &trees),
    }
}
