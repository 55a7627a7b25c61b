//! `bench`: programs are translated, built, run on the emulated GPU and compared; a table says how many came how far.

mod find;
mod hand;
mod text;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Result, bail};

use super::args::{BenchArgs, BenchFormat};
use super::progress::Progress;
use super::{Exit, input, output};
use crate::bench::{Bench, References, Row, Side, Totals, Translator, Wishes, causes, tallies};
use crate::pipeline::{Stage, Watcher as _};
use crate::trial::Limits;

/// What this program is called in the table.
const OWN: &str = "cass-transpile";
/// What ports by hand are called.
const TWINS: &str = "by hand";
/// A tree takes longer only where something hangs.
const TREE_TIMEOUT: Duration = Duration::from_secs(3600);

/// The JSON schema of the result.
pub(super) fn schema() -> String {
    let schema = schemars::schema_for!(Totals);
    serde_json::to_string_pretty(&schema).expect("a schema is plain data") + "\n"
}

/// Takes all programs as far as they come.
pub(super) fn run(args: &BenchArgs) -> Result<Exit> {
    input::set_jobs(args.jobs);
    let others = others(&args.others)?;
    let temporary = tempfile::tempdir()?;
    let work = match &args.keep {
        Some(folder) => kept(folder)?,
        None => temporary.path().to_path_buf(),
    };
    let found = find::find(args, &work.join("whole"))?;
    let hand = hand::at_hand(args, &work)?;
    let judge = hand.judge(args, input::interrupted())?;
    let bench = Bench {
        programs: &found,
        tools: hand.tools.as_ref().map_err(String::as_str),
        judge: judge.as_ref().map_err(String::as_str),
        wishes: Wishes {
            build_timeout: Duration::from_secs(u64::from(args.build_timeout)),
            interrupted: input::interrupted(),
        },
        scratch: &work.join("runs"),
    };
    let rows = all(args, &bench, &work, &others)?;
    let totals = Totals {
        tallies: tallies(&rows),
        causes: causes(&rows),
        programs: rows,
    };
    tell(args, &totals)?;
    let fails = totals.programs.iter().any(|row| row.failed.is_some());
    Ok(match fails {
        _ if input::was_interrupted() => Exit::Interrupted,
        true => Exit::Findings,
        false => Exit::Clean,
    })
}

/// The rows of this program, of ports by hand, and of all others.
fn all(
    args: &BenchArgs,
    bench: &Bench<'_>,
    work: &Path,
    others: &[Translator],
) -> Result<Vec<Row>> {
    let whole = work.join("whole");
    let twins = bench.programs.iter().filter(|program| program.has_twin());
    let twins = twins.count();
    let progress = Progress::new();
    let count = bench.programs.len() * (1 + others.len()) + twins;
    progress.begin(Stage::Running, Some(count));
    let run =
        |side: &Side<'_>, references: &References| bench.run(side, references, &|| progress.step());
    let (mut by_hand, mut references) = (Vec::new(), References::new());
    let mut source = whole.clone();
    if twins > 0 {
        source = work.join("source");
        let without = crate::bench::twins(bench.programs);
        crate::bench::copy(&whole, &source, &without).map_err(anyhow::Error::msg)?;
        let side = Side {
            translator: TWINS,
            root: &whole,
            failed: BTreeMap::new(),
            is_twins: true,
        };
        (by_hand, references) = run(&side, &References::new());
    }
    let mut rows = Vec::new();
    // Builds leave files in their trees, and others take the build files as they were written.
    let built = work.join("translated");
    let own = Translator::Tree(own_words(args)?);
    let translators = std::iter::once(&own).chain(others);
    for (number, translator) in translators.enumerate() {
        let name = match translator {
            Translator::Tree(_) => OWN,
            Translator::Source { name, .. } => name,
        };
        let root = work.join(format!("by-{number}"));
        let failed = translated(args, translator, &source, &built, &root)?;
        let side = Side {
            translator: name,
            root: &root,
            failed,
            is_twins: false,
        };
        rows.extend(run(&side, &references).0);
        if number == 0 {
            rows.append(&mut by_hand);
        }
    }
    Ok(rows)
}

/// Translates the tree; the files that could not be.
fn translated(
    args: &BenchArgs,
    translator: &Translator,
    source: &Path,
    built: &Path,
    root: &Path,
) -> Result<BTreeMap<String, String>> {
    if input::was_interrupted() {
        return Ok(BTreeMap::new());
    }
    let limits = |timeout| Limits {
        timeout,
        interrupted: input::interrupted(),
    };
    let is_own = matches!(translator, Translator::Tree(_));
    let done = match is_own {
        true => {
            let done = translator.translate(source, built, built, limits(TREE_TIMEOUT));
            done.and_then(|failed| {
                crate::bench::copy(built, root, &BTreeSet::new()).map(|_| failed)
            })
        }
        false => {
            let timeout = Duration::from_secs(u64::from(args.build_timeout));
            translator.translate(source, built, root, limits(timeout))
        }
    };
    match done {
        Err(_) if input::was_interrupted() => Ok(BTreeMap::new()),
        done => done.map_err(anyhow::Error::msg),
    }
}

/// This program as a command.
fn own_words(args: &BenchArgs) -> Result<Vec<String>> {
    let program = std::env::current_exe()?.display().to_string();
    let words = [program, "--quiet".to_owned()];
    Ok(words
        .into_iter()
        .chain(args.options.iter().cloned())
        .collect())
}

/// The commands of `--with`.
fn others(given: &[String]) -> Result<Vec<Translator>> {
    let mut found: Vec<Translator> = Vec::new();
    for text in given {
        let named = text
            .split_once('=')
            .filter(|(name, _)| !name.is_empty() && !name.contains(['/', ' ']));
        let Some((name, command)) = named else {
            bail!("--with `{text}`: write NAME=COMMAND, such as `hipify-perl=hipify-perl {{src}}`");
        };
        let words = crate::text::split_command(command);
        if words.is_empty() {
            bail!("--with `{text}`: has no command behind the name");
        }
        let is_known = |other: &Translator| matches!(other, Translator::Source { name: known, .. } if known == name);
        if [OWN, TWINS].contains(&name) || found.iter().any(is_known) {
            bail!("--with `{text}`: there is a `{name}` already; give it another name");
        }
        found.push(Translator::Source {
            name: name.to_owned(),
            words,
        });
    }
    Ok(found)
}

/// The folder that a person wants to keep.
fn kept(folder: &Path) -> Result<PathBuf> {
    if folder
        .read_dir()
        .is_ok_and(|mut items| items.next().is_some())
    {
        bail!(
            "--keep {}: is not empty; name a new folder",
            folder.display()
        );
    }
    crate::emit::folder(folder)?;
    Ok(folder.canonicalize()?)
}

fn tell(args: &BenchArgs, totals: &Totals) -> Result<()> {
    let text = match args.output_format {
        BenchFormat::Full => text::full(totals, &args.target),
        BenchFormat::Markdown => text::markdown(totals, &args.target),
        BenchFormat::Json => serde_json::to_string_pretty(totals)? + "\n",
    };
    match &args.output_file {
        Some(path) => {
            let plain = anstream::adapter::strip_str(&text).to_string();
            crate::emit::write(path, plain.as_bytes(), None)?;
            Ok(())
        }
        None => output::print(&text),
    }
}
