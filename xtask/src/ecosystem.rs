//! What a change does to real code: trees translated by two builds of the program, and the difference of their outputs and findings.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, ensure};
use similar::TextDiff;

/// Files that say when and by which version something was written; they differ for no reason of interest.
const OWN_FILES: &[&str] = &["cass-report.json", ".cass"];

/// Prints, for each tree, how many files and findings differ, and a unified diff of each.
///
/// # Errors
/// When a program cannot be run or a tree cannot be read.
pub fn compare(before: &Path, after: &Path, trees: &[PathBuf]) -> Result<()> {
    let mut all = (0, 0);
    for tree in trees {
        let found = compare_tree(before, after, tree)?;
        all = (all.0 + found.0, all.1 + found.1);
    }
    println!(
        "{} files and {} findings differ in {} trees",
        all.0,
        all.1,
        trees.len()
    );
    Ok(())
}

fn compare_tree(before: &Path, after: &Path, tree: &Path) -> Result<(usize, usize)> {
    let work = tempfile::tempdir()?;
    let outputs = [work.path().join("before"), work.path().join("after")];
    let mut findings = Vec::new();
    for (program, output) in [before, after].into_iter().zip(&outputs) {
        translate(program, tree, output)?;
        findings.push(check(program, tree)?);
    }
    println!("# {}", tree.display());
    let files = differing_files(&outputs)?;
    for file in &files {
        print_diff(&outputs, file)?;
    }
    let lost = findings[0].difference(&findings[1]);
    lost.clone().for_each(|line| println!("- {line}"));
    let new = findings[1].difference(&findings[0]);
    new.clone().for_each(|line| println!("+ {line}"));
    Ok((files.len(), lost.count() + new.count()))
}

fn translate(program: &Path, tree: &Path, output: &Path) -> Result<()> {
    let status = Command::new(program)
        .arg(tree)
        .arg(output)
        .arg("-q")
        .stdout(Stdio::null())
        .status()
        .with_context(|| format!("{} cannot be started", program.display()))?;
    // 1 and 2 say that something was found or a file was left; a signal is a crash.
    ensure!(status.code().is_some(), "{}: {status}", program.display());
    Ok(())
}

/// One line per finding, without what depends on where the tree lies.
fn check(program: &Path, tree: &Path) -> Result<BTreeSet<String>> {
    let output = Command::new(program)
        .args(["check", "--output-format", "concise", "--show", "info"])
        .arg(".")
        .current_dir(tree)
        .output()
        .with_context(|| format!("{} cannot be started", program.display()))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok(text.lines().map(str::to_owned).collect())
}

/// Paths below the outputs whose bytes are not the same, or that one of them lacks.
fn differing_files(outputs: &[PathBuf; 2]) -> Result<BTreeSet<PathBuf>> {
    let mut found = BTreeSet::new();
    for output in outputs {
        for item in walkdir::WalkDir::new(output).sort_by_file_name() {
            let item = item?;
            let path = item.path().strip_prefix(output)?;
            let is_own = path
                .iter()
                .any(|part| OWN_FILES.iter().any(|own| part == *own));
            if item.file_type().is_file() && !is_own && !are_equal(outputs, path) {
                found.insert(path.to_path_buf());
            }
        }
    }
    Ok(found)
}

fn are_equal(outputs: &[PathBuf; 2], path: &Path) -> bool {
    let read = |output: &PathBuf| fs::read(output.join(path)).ok();
    read(&outputs[0]) == read(&outputs[1])
}

fn print_diff(outputs: &[PathBuf; 2], path: &Path) -> Result<()> {
    let read = |output: &PathBuf| fs::read(output.join(path)).unwrap_or_default();
    let (old, new) = (read(&outputs[0]), read(&outputs[1]));
    let name = path.to_string_lossy();
    let diff = TextDiff::from_lines(&old, &new);
    let mut text = Vec::new();
    diff.unified_diff()
        .context_radius(2)
        .header(&format!("before/{name}"), &format!("after/{name}"))
        .to_writer(&mut text)?;
    print!("{}", String::from_utf8_lossy(&text));
    Ok(())
}
