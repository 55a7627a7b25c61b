//! Cargo's commands, with the arguments that this project wants.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, ensure};

/// The root of the repository.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent()
        .expect("xtask lies in the repository")
        .to_path_buf()
}

/// Runs a program in the root of the repository.
///
/// # Errors
/// When it cannot be started or fails.
pub fn run(program: &str, arguments: &[&str]) -> Result<()> {
    run_in(&root(), Command::new(program).args(arguments))
}

/// Runs a command in a folder.
///
/// # Errors
/// When it cannot be started or fails.
pub fn run_in(folder: &Path, command: &mut Command) -> Result<()> {
    let status = command
        .current_dir(folder)
        .status()
        .with_context(|| format!("{command:?} cannot be started"))?;
    ensure!(status.success(), "{command:?} failed ({status})");
    Ok(())
}

/// Writes the documentation site; a program of its own, because it is made of the program that it documents.
///
/// # Errors
/// When a page or a link is wrong.
pub fn docs(out: &Path) -> Result<()> {
    let out = std::path::absolute(out)?;
    let out = out
        .to_str()
        .context("the folder has a name that cargo takes")?;
    run(
        "cargo",
        &["run", "--locked", "--quiet", "--package", "site", "--", out],
    )
}

/// # Errors
/// When clippy has something to say.
pub fn lint() -> Result<()> {
    run(
        "cargo",
        &[
            "clippy",
            "--locked",
            "--workspace",
            "--all-targets",
            "--",
            "-D",
            "warnings",
        ],
    )
}

/// # Errors
/// When a test fails.
pub fn test_quick() -> Result<()> {
    run(
        "cargo",
        &[
            "test", "--locked", "--lib", "--test", "tidy", "--test", "fixtures",
        ],
    )
}
