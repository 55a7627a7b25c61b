//! `try`: the units of a port are compiled, and what stops them is told by cause.

mod find;
mod fix;
mod fold;
pub(super) mod place;
mod text;

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Result, anyhow};

use super::args::{TryArgs, TryFormat};
use super::progress::Progress;
use super::{Exit, input, output};
use crate::pipeline::{Stage, Watcher as _, globs};
use crate::trial::{Compiler, Store, Trial, Units, Wishes, hosts};
use find::Place;
use fix::{Fixed, fixed};
use fold::Outcome;

pub(super) use fold::schema;

/// Compiles the units of a port.
pub(super) fn run(args: &TryArgs) -> Result<Exit> {
    input::set_jobs(args.jobs);
    let port = Place::new(&args.out)?;
    let mut compiler = compiler(args)?;
    let store = Store::new((!args.no_cache).then(|| place::cache("answers")));
    let wishes = Wishes {
        timeout: Duration::from_secs(u64::from(args.timeout)),
        interrupted: input::interrupted(),
    };
    // A folder that stays, so that the answer of the probe can; one of its own where that cannot be written.
    let scratch = tempfile::tempdir()?;
    let kept = place::cache("probe");
    let probe = match crate::emit::folder(&kept) {
        Ok(()) => kept.as_path(),
        Err(_) => scratch.path(),
    };
    let trial = Trial {
        compiler: &compiler,
        store: &store,
        wishes,
    };
    trial.probe(probe).map_err(anyhow::Error::msg)?;
    let (mut units, failed) = port.units(args, &compiler)?;
    failed
        .iter()
        .for_each(|why| output::note(&format!("note: {why}\n")));
    let without = port
        .without_unit(&units)
        .into_iter()
        .map(str::to_owned)
        .collect();
    port.define(&mut units);
    select(args, &port, &mut units)?;
    compiler.hosts = hosts(&units.units, place::program);
    let trial = Trial {
        compiler: &compiler,
        store: &store,
        wishes,
    };
    let progress = Progress::new();
    progress.begin(Stage::Compiling, Some(units.units.len()));
    let attempts = trial.run(&units.units, &|| progress.step());
    drop(progress);
    let mut attempts = attempts.map_err(anyhow::Error::msg)?;
    let fixed = match args.fix {
        true => fixed(&port, &trial, &units.units, &mut attempts)?,
        false => Fixed::default(),
    };
    let outcome = Outcome::new(&port, &compiler, &units, &attempts, without).with(fixed);
    match args.output_format {
        TryFormat::Full => output::print(&text::full(&outcome, &input::prefix(&args.out)))?,
        TryFormat::Json => output::print(&(serde_json::to_string_pretty(&outcome)? + "\n"))?,
    }
    Ok(match outcome.totals {
        _ if input::was_interrupted() => Exit::Interrupted,
        totals if totals.fail > 0 => Exit::Findings,
        _ => Exit::Clean,
    })
}

/// The compiler that is here.
fn compiler(args: &TryArgs) -> Result<Compiler> {
    let rocm = place::rocm(args.rocm_path.as_deref())?;
    let program: PathBuf = place::compiler(args.compiler.as_deref(), &rocm)?;
    Compiler::new(
        program,
        Some(rocm),
        args.target.clone(),
        input::interrupted(),
    )
    .map_err(|message| anyhow!(message))
}

/// Leaves the units that the arguments name, and gives them the options for all.
fn select(args: &TryArgs, port: &Place, units: &mut Units) -> Result<()> {
    let (include, exclude) = (globs(&args.include)?, globs(&args.exclude)?);
    units.units.retain(|unit| {
        let name = unit.file.strip_prefix(&port.out).unwrap_or(&unit.file);
        (args.include.is_empty() || include.is_match(name)) && !exclude.is_match(name)
    });
    for unit in &mut units.units {
        unit.options.extend(args.options.iter().cloned());
    }
    if units.units.is_empty() {
        return Err(anyhow!("no unit of {} matches", args.out.display()));
    }
    Ok(())
}
