//! The steps that run commands: `record` and `run`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use super::beside::Beside;
use super::costs::Costs;
use super::judge::judged;
use super::page::page;
use crate::cli::args::{VerifyRunArgs, VerifyTakeArgs};
use crate::cli::reports::ReportArgs;
use crate::cli::{Exit, input, output};
use crate::emit;
use crate::report::Format;
use crate::verify::{
    Case, CaseTable, Emulator, End, FILE_NAME, Manifest, Outcome, Record, Role, Side, Taken, Words,
    begin, take,
};

/// Runs the original.
pub(super) fn record(args: &VerifyTakeArgs) -> Result<Exit> {
    let (cases, _) = cases(args, Side::Original)?;
    let target = args.output.as_deref();
    let target = target.context("name the file that the record goes to: -o FILE")?;
    taken(args, &cases, None, None, (Role::Record, target))
}

/// Runs the port.
pub(super) fn run(args: &VerifyRunArgs) -> Result<Exit> {
    if args.take.output.is_none() && args.against.is_none() {
        bail!(
            "name the file that the run is written to, -o FILE, or compare it at once: --against RECORD"
        );
    }
    let (cases, manifest) = cases(&args.take, Side::Port)?;
    let emulator = args.emulate.as_ref().map(|folder| {
        let folder = folder.as_deref().unwrap_or(Path::new(""));
        emulator(folder, args.chip.clone())
    });
    let emulator = emulator.transpose()?;
    let record = args.against.as_deref().map(Record::open).transpose()?;
    let scratch = tempfile::tempdir()?;
    let beside = scratch.path().join("run.jsonl");
    let target = args.take.output.as_deref().unwrap_or(&beside);
    let mut costs = Costs::wanted(args, scratch.path())?;
    let exit = taken(
        &args.take,
        &cases,
        emulator.as_ref(),
        costs.as_mut(),
        (Role::Run, target),
    )?;
    if exit != Exit::Clean {
        return Ok(exit);
    }
    let mut beside = Beside::default();
    if let Some(costs) = costs {
        costs.tell()?;
        beside = costs.beside(args.ptxas.as_deref())?;
    }
    let Some(record) = record else {
        return alone(&args.reports, &beside);
    };
    let run = Record::open(target)?;
    judged(
        &record,
        &run,
        manifest.as_ref(),
        &args.tolerance,
        &args.reports,
        &beside,
    )
}

/// The reports of a run that is compared with nothing: costs are all that they can tell of.
fn alone(reports: &ReportArgs, beside: &Beside) -> Result<Exit> {
    for (format, path) in &reports.report {
        if *format != Format::Html || beside.is_empty() {
            bail!(
                "--report: without --against there is nothing to report but costs, as html: `--costs --report html=FILE`"
            );
        }
        emit::write(path, page(None, beside).as_bytes(), None)?;
    }
    Ok(Exit::Clean)
}

fn taken(
    args: &VerifyTakeArgs,
    cases: &[Case],
    emulator: Option<&Emulator>,
    mut costs: Option<&mut Costs>,
    (role, target): (Role, &Path),
) -> Result<Exit> {
    let how = Taken {
        emulator,
        most_output: args.max_output.saturating_mul(1 << 20),
        watch: args.buffers,
        costs: costs.as_deref().map(Costs::written),
        preload: std::env::var_os("LD_PRELOAD").unwrap_or_default(),
        interrupted: input::interrupted(),
    };
    // The place is tried before anything runs for hours.
    let mut out = emit::stream(target)?;
    begin(&mut out, role)?;
    let mut failed = 0;
    for case in cases {
        let outcome = take(case, &how, &mut out)?;
        if outcome.end == End::Interrupted {
            output::complain("interrupted; no record was written");
            return Ok(Exit::Interrupted);
        }
        failed += usize::from(outcome.end != End::Exit(0));
        output::note(&outcome_line(case, &outcome));
        if let Some(costs) = costs.as_deref_mut() {
            costs.add(&case.name)?;
        }
    }
    out.finish()?;
    if failed > 0 && role == Role::Record {
        output::complain("an original that fails proves little: is this what it should do?");
    }
    if args.output.is_some() {
        output::note(&format!("written to {}\n", target.display()));
    }
    Ok(Exit::Clean)
}

fn outcome_line(case: &Case, outcome: &Outcome) -> String {
    let times = match case.runs {
        1 => String::new(),
        runs => format!("{runs} runs, "),
    };
    format!(
        "{}: {times}{}, {:.2} s\n",
        case.name,
        outcome.end.text(),
        outcome.seconds
    )
}

/// The cases of a command line: its command, or those of a manifest.
fn cases(args: &VerifyTakeArgs, side: Side) -> Result<(Vec<Case>, Option<Manifest>)> {
    if !args.command.is_empty() {
        return Ok((vec![lone(args, side)?], None));
    }
    let path = args.manifest.clone().unwrap_or_else(|| FILE_NAME.into());
    if args.manifest.is_none() && !path.exists() {
        bail!(
            "no command and no {FILE_NAME}: write the command after `--`, or see `cass-transpile verify --help`"
        );
    }
    let manifest = Manifest::read(&path)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut cases = manifest.cases(side, &std::path::absolute(folder.join("."))?)?;
    if !args.case.is_empty() {
        let is_wanted = |case: &Case| {
            args.case
                .iter()
                .any(|n| *n == case.name || *n == case.group)
        };
        cases.retain(is_wanted);
        if cases.is_empty() {
            bail!(
                "{}: has no case `{}`",
                path.display(),
                args.case.join("`, `")
            );
        }
    }
    for case in &mut cases {
        case.runs = args.runs.unwrap_or(case.runs);
        if let Some(seconds) = args.timeout {
            case.timeout = std::time::Duration::try_from_secs_f64(seconds)?;
        }
    }
    Ok((cases, Some(manifest)))
}

/// The case that a command line describes.
fn lone(args: &VerifyTakeArgs, side: Side) -> Result<Case> {
    let mut env = std::collections::BTreeMap::new();
    for pair in &args.env {
        let Some((key, value)) = pair.split_once('=') else {
            bail!("--env `{pair}`: write KEY=VALUE");
        };
        env.insert(key.to_owned(), value.to_owned());
    }
    let command = Some(Words::List(args.command.clone()));
    let table = CaseTable {
        name: Some("main".to_owned()),
        record: command.clone(),
        run: command,
        cwd: args.cwd.clone(),
        stdin: args.stdin.clone(),
        env: Some(env),
        timeout: args.timeout,
        files: (!args.files.is_empty()).then(|| args.files.clone()),
        inputs: Some(args.input.clone()),
        ..CaseTable::default()
    };
    let manifest = Manifest {
        case: vec![table],
        ..Manifest::default()
    };
    let mut cases = manifest.cases(side, &std::env::current_dir()?)?;
    let mut case = cases.remove(0);
    case.runs = args.runs.unwrap_or(case.runs);
    Ok(case)
}

/// The emulator that the command line asks for: in a folder, or where it usually is.
pub(in crate::cli) fn emulator(folder: &Path, chip: Option<String>) -> Result<Emulator> {
    let variable = |name: &str| std::env::var_os(name).unwrap_or_default();
    let folders = if folder.as_os_str().is_empty() {
        let named = Some(PathBuf::from(variable("CASS_EMULATOR")));
        let named = named.filter(|folder| !folder.as_os_str().is_empty());
        let beside = std::env::current_exe().ok();
        let beside = beside
            .as_deref()
            .and_then(Path::parent)
            .map(Path::to_path_buf);
        let installed = beside.as_deref().map(|folder| folder.join("../lib"));
        named.into_iter().chain(beside).chain(installed).collect()
    } else {
        // As `install.sh` lays it out, the library lies in a folder of it.
        vec![folder.to_path_buf(), folder.join("lib")]
    };
    let search: OsString = variable("LD_LIBRARY_PATH");
    Emulator::find(&folders, chip, search)
}
