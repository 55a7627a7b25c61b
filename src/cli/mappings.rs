//! `mappings`: the tables listed, counted, held against headers, and made from other tools' files.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use clap::{Args, Subcommand, ValueEnum};
use serde::Serialize;

use super::args::AnswerArgs;
use super::{Exit, output};
use crate::emit;
use crate::mapping::{ApiEntry, ApiTable, Support, Version, import_custom_map, library};
use crate::survey::{self, Names, Releases, What};

#[derive(Debug, Args)]
pub(super) struct MappingsArgs {
    #[command(subcommand)]
    command: MappingsCommand,
}

#[derive(Debug, Subcommand)]
enum MappingsCommand {
    /// List entries: CUDA name, target, library, support
    List(ListArgs),
    /// Count entries by library; with names of CUDA, also say which of them nothing covers
    Coverage(CoverageArgs),
    /// Check the tables against installed headers; exit code 1 if they disagree
    Verify(VerifyArgs),
    /// Print a table made from a custom mapping of hipify_torch
    Import(ImportArgs),
}

/// Which tables.
#[derive(Debug, Args)]
pub(super) struct TableArgs {
    /// Table of your own on top of the built-in ones (TOML, repeatable)
    #[arg(long, value_name = "FILE")]
    mappings: Vec<PathBuf>,
}

impl TableArgs {
    /// The built-in tables with the overlays.
    pub(super) fn table(&self) -> Result<ApiTable> {
        let mut table = ApiTable::builtin();
        for (number, path) in self.mappings.iter().enumerate() {
            let text = read(path)?;
            table = table.overlay(&path.display().to_string(), &text, number as u8)?;
        }
        Ok(table)
    }
}

#[derive(Debug, Args)]
struct ListArgs {
    /// Only this library (repeatable): runtime, blas, dnn …
    #[arg(long, value_name = "LIBRARY")]
    library: Vec<String>,
    #[command(flatten)]
    answer: AnswerArgs,
    #[command(flatten)]
    table: TableArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum CoverageFormat {
    Markdown,
    Json,
}

#[derive(Debug, Args)]
struct CoverageArgs {
    /// Names to look up: one per line, or the last column of tab-separated lines
    #[arg(long, value_name = "FILE")]
    cuda_names: Vec<PathBuf>,
    /// CUDA headers whose public names are looked up (repeatable)
    #[arg(long, value_name = "DIR")]
    cuda_include: Vec<PathBuf>,
    /// How the table is printed
    #[arg(
        long,
        alias = "format",
        value_enum,
        value_name = "FORMAT",
        default_value = "markdown"
    )]
    output_format: CoverageFormat,
    /// Write the table between the markers of a Markdown file instead
    #[arg(long, value_name = "FILE")]
    update: Option<PathBuf>,
    #[command(flatten)]
    table: TableArgs,
}

#[derive(Debug, Args)]
struct VerifyArgs {
    /// ROCm's include folder (repeatable; a compiler's own headers may be given too)
    #[arg(long, value_name = "DIR", required = true)]
    rocm_include: Vec<PathBuf>,
    /// CUDA headers: arguments are counted, and their names must have entries (repeatable)
    #[arg(long, value_name = "DIR")]
    cuda_include: Vec<PathBuf>,
    /// Release of those headers; default: what `hip/hip_version.h` says
    #[arg(long, value_name = "X.Y")]
    rocm: Option<Version>,
    /// Release of one library's headers where it is another one: nccl=5.4 (repeatable)
    #[arg(long, value_name = "LIBRARY=X.Y", value_parser = library_release)]
    library_rocm: Vec<(String, Version)>,
    #[command(flatten)]
    answer: AnswerArgs,
    #[command(flatten)]
    table: TableArgs,
}

#[derive(Debug, Args)]
struct ImportArgs {
    /// JSON with a `custom_map`
    file: PathBuf,
}

/// Runs a subcommand of `mappings`.
pub(super) fn run(args: &MappingsArgs) -> Result<Exit> {
    match &args.command {
        MappingsCommand::List(args) => list(args),
        MappingsCommand::Coverage(args) => coverage(args),
        MappingsCommand::Verify(args) => verify(args),
        MappingsCommand::Import(args) => import(args),
    }
}

fn read(path: &Path) -> Result<String> {
    std::fs::read_to_string(path)
        .with_context(|| format!("{}: cannot be read as a mapping table", path.display()))
}

#[derive(Serialize)]
struct Listed<'e> {
    cuda: &'e str,
    hip: Option<&'e str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    roc: Option<&'e str>,
    library: &'e str,
    support: Support,
}

fn list(args: &ListArgs) -> Result<Exit> {
    if let Some(unknown) = args.library.iter().find(|key| library::find(key).is_none()) {
        let keys: Vec<&str> = library::LIBRARIES
            .iter()
            .map(|library| library.key)
            .collect();
        bail!(
            "there is no library `{unknown}`; there are {}",
            keys.join(", ")
        );
    }
    let table = args.table.table()?;
    let wanted = |entry: &&ApiEntry| {
        args.library.is_empty() || args.library.iter().any(|key| key == entry.library)
    };
    let entries: Vec<Listed<'_>> = table
        .iter()
        .map(|hit| hit.entry)
        .filter(wanted)
        .map(|entry| Listed {
            cuda: entry.cuda,
            hip: entry.hip,
            roc: entry.roc.as_ref().map(|roc| roc.name),
            library: entry.library,
            support: entry.support,
        })
        .collect();
    if args.answer.is_json() {
        output::print(&format!("{}\n", serde_json::to_string_pretty(&entries)?))?;
        return Ok(Exit::Clean);
    }
    let line = |entry: &Listed<'_>| {
        let support = format!("{:?}", entry.support).to_lowercase();
        let hip = entry.hip.unwrap_or("-");
        format!("{}\t{hip}\t{}\t{support}\n", entry.cuda, entry.library)
    };
    output::print(&entries.iter().map(line).collect::<String>())?;
    Ok(Exit::Clean)
}

fn scanned(folders: &[PathBuf]) -> Result<Names> {
    let mut names = Names::default();
    for folder in folders {
        if !folder.is_dir() {
            bail!("{}: is no folder of headers", folder.display());
        }
        survey::scan(folder, &mut names);
    }
    Ok(names)
}

fn coverage(args: &CoverageArgs) -> Result<Exit> {
    let mut names = BTreeSet::new();
    for path in &args.cuda_names {
        names.extend(survey::names_of_list(&read(path)?));
    }
    names.extend(scanned(&args.cuda_include)?.public());
    let asked = !(args.cuda_names.is_empty() && args.cuda_include.is_empty());
    let coverage = survey::coverage(&args.table.table()?, asked.then_some(&names));
    if let Some(path) = &args.update {
        let document = std::fs::read_to_string(path)
            .with_context(|| format!("{}: cannot be read", path.display()))?;
        let Some(updated) = survey::replace_table(&document, &coverage.markdown()) else {
            bail!("{}: has no coverage markers", path.display());
        };
        emit::write(path, updated.as_bytes(), None)?;
        return Ok(Exit::Clean);
    }
    match args.output_format {
        CoverageFormat::Json => {
            output::print(&format!("{}\n", serde_json::to_string_pretty(&coverage)?))?
        }
        CoverageFormat::Markdown => output::print(&(coverage.markdown() + &coverage.answer()))?,
    }
    Ok(if coverage.unknown.is_empty() {
        Exit::Clean
    } else {
        Exit::Findings
    })
}

fn verify(args: &VerifyArgs) -> Result<Exit> {
    let hip = scanned(&args.rocm_include)?;
    if !hip
        .get("hipMalloc")
        .is_some_and(|found| found.what.contains(&What::Function))
    {
        bail!(
            "the folders given with --rocm-include hold no HIP headers: `hipMalloc` is not declared"
        );
    }
    let rocm = match args.rocm {
        Some(rocm) => rocm,
        None => installed_release(&args.rocm_include)?,
    };
    let cuda = scanned(&args.cuda_include)?;
    let releases = Releases {
        rocm,
        libraries: args.library_rocm.clone(),
    };
    let verified = survey::verify(&args.table.table()?, &releases, &hip, &cuda);
    if args.answer.is_json() {
        output::print(&format!("{}\n", serde_json::to_string_pretty(&verified)?))?;
    } else {
        output::print(&verified.text())?;
    }
    Ok(if verified.is_clean() {
        Exit::Clean
    } else {
        Exit::Findings
    })
}

fn library_release(text: &str) -> Result<(String, Version), String> {
    let (library, release) = text
        .split_once('=')
        .ok_or_else(|| format!("`{text}` is not LIBRARY=X.Y"))?;
    if library::find(library).is_none() {
        return Err(format!("there is no library `{library}`"));
    }
    Ok((library.to_owned(), release.parse()?))
}

/// The release that `hip/hip_version.h` names.
fn installed_release(folders: &[PathBuf]) -> Result<Version> {
    let text = folders
        .iter()
        .find_map(|folder| std::fs::read_to_string(folder.join("hip/hip_version.h")).ok());
    let number = |name: &str| {
        text.as_deref()?
            .lines()
            .filter_map(|line| line.trim().strip_prefix("#define "))
            .find_map(|line| line.trim().strip_prefix(name))
            .and_then(|value| value.trim().parse().ok())
    };
    match (number("HIP_VERSION_MAJOR "), number("HIP_VERSION_MINOR ")) {
        (Some(major), Some(minor)) => Ok(Version::new(major, minor)),
        _ => bail!("no hip/hip_version.h says which release these headers are; say so with --rocm"),
    }
}

fn import(args: &ImportArgs) -> Result<Exit> {
    let text = std::fs::read_to_string(&args.file)
        .with_context(|| format!("{}: cannot be read", args.file.display()))?;
    let imported = import_custom_map(&text, &ApiTable::builtin())
        .map_err(|message| anyhow::anyhow!("{}: {message}", args.file.display()))?;
    output::print(&imported.toml)?;
    for (key, why) in &imported.left_out {
        output::complain(&format!("`{key}` is left out: {why}"));
    }
    Ok(if imported.left_out.is_empty() {
        Exit::Clean
    } else {
        Exit::Findings
    })
}
