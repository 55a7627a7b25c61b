//! `verify`: runs the original and the port and compares what they did.

mod beside;
mod costs;
mod judge;
mod page;
mod report;
mod take;

use anyhow::Result;

use super::Exit;
use super::args::{VerifyArgs, VerifyCommand, VerifyCompareArgs};
use crate::verify::{Manifest, Record, Role};
use beside::Beside;
use judge::judged;
pub(super) use judge::over;
pub(super) use take::emulator;

/// Runs one of the three steps.
pub(super) fn run(args: &VerifyArgs) -> Result<Exit> {
    match &args.command {
        VerifyCommand::Record(args) => take::record(args),
        VerifyCommand::Run(args) => take::run(args),
        VerifyCommand::Compare(args) => compare_files(args),
        VerifyCommand::Costs(args) => costs::shown(args),
    }
}

fn compare_files(args: &VerifyCompareArgs) -> Result<Exit> {
    let record = Record::open(&args.record)?;
    let run = Record::open(&args.run)?;
    if record.head.role == Role::Run && run.head.role == Role::Record {
        anyhow::bail!("the record of the original comes first: `verify compare RECORD RUN`");
    }
    let manifest = args.manifest.as_deref().map(Manifest::read).transpose()?;
    judged(
        &record,
        &run,
        manifest.as_ref(),
        &args.tolerance,
        &args.reports,
        &Beside::default(),
    )
}
