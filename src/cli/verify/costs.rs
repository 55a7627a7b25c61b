//! What the kernels of cases cost: printed, or written as lines of JSON.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use super::beside::Beside;
use super::page::page;
use crate::cli::args::{VerifyCostsArgs, VerifyRunArgs};
use crate::cli::{Exit, output};
use crate::emit;
use crate::report::Format;
use crate::verify::costs::{self, Line, Ptxas};

/// What is known so far.
pub(super) struct Costs {
    /// What the emulator writes while a case runs.
    written: PathBuf,
    /// Where all goes in the end; printed without it.
    target: Option<PathBuf>,
    told: String,
    lines: Vec<Line>,
}

impl Costs {
    /// What the command line asks for; nothing without `--costs`.
    pub(super) fn wanted(args: &VerifyRunArgs, scratch: &Path) -> Result<Option<Self>> {
        let Some(target) = &args.costs else {
            return Ok(None);
        };
        let target = target.clone();
        let format = args.reports.output_format.unwrap_or(Format::Full);
        if target.is_none() && format != Format::Full {
            bail!(
                "--costs prints text for people: name a file beside --output-format, --costs=FILE"
            );
        }
        Ok(Some(Self {
            written: scratch.join("costs.jsonl"),
            target,
            told: String::new(),
            lines: Vec::new(),
        }))
    }

    /// The file that the emulator is to write.
    pub(super) fn written(&self) -> PathBuf {
        self.written.clone()
    }

    /// Takes what the emulator wrote of a case.
    pub(super) fn add(&mut self, case: &str) -> Result<()> {
        let costs = costs::read(&self.written)?;
        if costs.is_empty() {
            output::note(&format!(
                "{case}: no kernel ran to the end of the program, so no costs\n"
            ));
            return Ok(());
        }
        std::fs::remove_file(&self.written)?;
        for cost in costs {
            let case = case.to_owned();
            let line = Line { case, cost };
            self.told += &match self.target {
                Some(_) => serde_json::to_string(&line)? + "\n",
                None => format!("{}: {}", line.case, costs::text(&line.cost)),
            };
            self.lines.push(line);
        }
        Ok(())
    }

    /// What was counted, beside what CUDA's compiler said.
    pub(super) fn beside(&self, ptxas: Option<&Path>) -> Result<Beside> {
        Ok(Beside::new(self.lines.clone(), read_ptxas(ptxas)?))
    }

    /// Prints or writes all.
    pub(super) fn tell(&self) -> Result<()> {
        match &self.target {
            Some(path) => emit::write(path, self.told.as_bytes(), None).map(drop),
            None if self.told.is_empty() => Ok(()),
            None => output::print(&format!(
                "{}costs are counts of an emulated run; no time follows from them\n",
                self.told
            )),
        }
    }
}

/// What `ptxas -v` printed into a file.
fn read_ptxas(path: Option<&Path>) -> Result<Vec<Ptxas>> {
    let Some(path) = path else {
        return Ok(Vec::new());
    };
    let bytes =
        std::fs::read(path).with_context(|| format!("{}: cannot be read", path.display()))?;
    let found = costs::compiled(&String::from_utf8_lossy(&bytes));
    if found.is_empty() {
        bail!(
            "{}: tells of no kernel; write it by `nvcc -Xptxas -v … 2> FILE`",
            path.display()
        );
    }
    Ok(found)
}

/// Costs that runs wrote, side by side.
pub(super) fn shown(args: &VerifyCostsArgs) -> Result<Exit> {
    let mut lines = Vec::new();
    for path in &args.costs {
        let named = || path.display().to_string();
        let text = std::fs::read_to_string(path)
            .with_context(|| format!("{}: cannot be read", named()))?;
        lines.extend(costs::lines(&text).with_context(named)?);
    }
    if lines.is_empty() {
        bail!("no costs of a kernel are there");
    }
    let beside = Beside::new(lines, read_ptxas(args.ptxas.as_deref())?);
    let render = |format| -> Result<String> {
        Ok(match format {
            Format::Full => beside.text(),
            Format::Html => page(None, &beside),
            Format::Json => serde_json::to_string_pretty(&beside.kernels())? + "\n",
            _ => bail!("costs are printed as full, json or html"),
        })
    };
    for (format, path) in &args.reports.report {
        emit::write(path, render(*format)?.as_bytes(), None)?;
    }
    let format = args.reports.output_format.unwrap_or(Format::Full);
    output::print(&render(format)?)?;
    Ok(Exit::Clean)
}
