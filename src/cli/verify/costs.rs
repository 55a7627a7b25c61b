//! What the kernels of cases cost: printed, or written as lines of JSON.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use serde::Serialize;

use crate::cli::args::VerifyRunArgs;
use crate::cli::output;
use crate::emit;
use crate::report::Format;
use crate::verify::costs::{self, Cost};

/// What is known so far.
pub(super) struct Costs {
    /// What the emulator writes while a case runs.
    written: PathBuf,
    /// Where all goes in the end; printed without it.
    target: Option<PathBuf>,
    told: String,
}

#[derive(Serialize)]
struct Line<'a> {
    case: &'a str,
    #[serde(flatten)]
    cost: &'a Cost,
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
        for cost in &costs {
            self.told += &match self.target {
                Some(_) => serde_json::to_string(&Line { case, cost })? + "\n",
                None => format!("{case}: {}", cost.text()),
            };
        }
        Ok(())
    }

    /// Prints or writes all.
    pub(super) fn tell(self) -> Result<()> {
        match self.target {
            Some(path) => emit::write(&path, self.told.as_bytes(), None).map(drop),
            None if self.told.is_empty() => Ok(()),
            None => output::print(&format!(
                "{}costs are counts of an emulated run; no time follows from them\n",
                self.told
            )),
        }
    }
}
