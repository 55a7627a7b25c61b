//! `try`: the units of a port are compiled, and what stops them is told by cause. `mend` begins with the same.

mod find;
mod fix;
mod fold;
pub(super) mod place;
mod text;

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Result, anyhow};

use super::args::{TryArgs, TryFormat, UnitArgs};
use super::progress::Progress;
use super::{Exit, input, output};
use crate::pipeline::{Stage, Watcher as _, globs};
use crate::trial::{Attempt, Compiler, Store, Trial, Units, Way, Wishes, hosts};
use fix::{Fixed, fixed};

pub(super) use find::Place;
pub(super) use fix::told_apart;
pub(super) use fold::{Asked, Mending, Outcome, schema};

/// Compiles the units of a port.
pub(super) fn run(args: &TryArgs) -> Result<Exit> {
    let ready = Ready::new(&args.units, kept_answers(&args.units))?;
    let mut attempts = ready.attempts()?;
    let fixed = match args.fix {
        true => fixed(
            &ready.port,
            &ready.trial(),
            &ready.units.units,
            &mut attempts,
        )?,
        false => Fixed::default(),
    };
    tell(&args.units, &ready.outcome(&attempts).with(fixed))
}

/// A port with its units and all that compiles them.
pub(super) struct Ready {
    pub(super) port: Place,
    pub(super) compiler: Compiler,
    store: Store,
    pub(super) units: Units,
    without: Vec<String>,
    timeout: Duration,
}

impl Ready {
    /// Finds the units, and the compiler, which is tried. `answers` is where what compilers said is kept.
    ///
    /// # Errors
    /// When there is no compiler or no unit.
    pub(super) fn new(args: &UnitArgs, answers: Option<PathBuf>) -> Result<Self> {
        input::set_jobs(args.jobs);
        let port = Place::new(&args.out)?;
        let compiler = compiler(args)?;
        let mut ready = Self {
            store: Store::new(answers),
            units: Units::new(Way::Includes, Vec::new(), Vec::new()),
            without: Vec::new(),
            timeout: Duration::from_secs(u64::from(args.timeout)),
            port,
            compiler,
        };
        ready.probe()?;
        let (mut units, failed) = ready.port.units(args, &ready.compiler)?;
        failed
            .iter()
            .for_each(|why| output::note(&format!("note: {why}\n")));
        let without = ready.port.without_unit(&units);
        ready.without = without.into_iter().map(str::to_owned).collect();
        ready.port.define(&mut units);
        select(args, &ready.port, &mut units)?;
        ready.compiler.hosts = hosts(&units.units, place::program);
        ready.units = units;
        Ok(ready)
    }

    /// Whether the compiler reads a HIP source at all.
    fn probe(&self) -> Result<()> {
        // A folder that stays, so that the answer of the probe can; one of its own where that cannot be written.
        let scratch = tempfile::tempdir()?;
        let kept = place::cache("probe");
        let probe = match crate::emit::folder(&kept) {
            Ok(()) => kept.as_path(),
            Err(_) => scratch.path(),
        };
        self.trial().probe(probe).map_err(anyhow::Error::msg)
    }

    /// What compiles units.
    pub(super) fn trial(&self) -> Trial<'_> {
        Trial {
            compiler: &self.compiler,
            store: &self.store,
            wishes: Wishes {
                timeout: self.timeout,
                interrupted: input::interrupted(),
            },
        }
    }

    /// What became of the units, each compiled as it is now.
    ///
    /// # Errors
    /// When a compiler cannot be started.
    pub(super) fn attempts(&self) -> Result<Vec<Attempt>> {
        let progress = Progress::new();
        progress.begin(Stage::Compiling, Some(self.units.units.len()));
        let attempts = self.trial().run(&self.units.units, &|| progress.step());
        attempts.map_err(anyhow::Error::msg)
    }

    /// Files are read anew: somebody changed some.
    pub(super) fn look_again(&self) {
        self.store.look_again();
    }

    /// What is told of attempts.
    pub(super) fn outcome(&self, attempts: &[Attempt]) -> Outcome {
        let without = self.without.clone();
        Outcome::new(&self.port, &self.compiler, &self.units, attempts, without)
    }
}

/// Prints what a run came to.
pub(super) fn tell(args: &UnitArgs, outcome: &Outcome) -> Result<Exit> {
    match args.output_format {
        TryFormat::Full => output::print(&text::full(outcome, &input::prefix(&args.out)))?,
        TryFormat::Json => output::print(&(serde_json::to_string_pretty(outcome)? + "\n"))?,
    }
    Ok(match outcome.totals {
        _ if input::was_interrupted() => Exit::Interrupted,
        totals if totals.fail > 0 => Exit::Findings,
        _ => Exit::Clean,
    })
}

/// Where answers of compilers are kept, unless a person does not want that.
fn kept_answers(args: &UnitArgs) -> Option<PathBuf> {
    (!args.no_cache).then(|| place::cache("answers"))
}

/// The compiler that is here.
fn compiler(args: &UnitArgs) -> Result<Compiler> {
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
fn select(args: &UnitArgs, port: &Place, units: &mut Units) -> Result<()> {
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
