//! `bench`: programs are translated, built, run on the emulated GPU and compared; a table says how many came how far.

mod find;
mod hand;
mod journal;
mod text;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Result, bail};

use super::args::{BenchArgs, BenchFormat};
use super::progress::Progress;
use super::{Exit, input, output};
use crate::bench::{
    Bench, Judge, OWN, Program, References, Row, Side, Toolchain, Totals, Translator, Wishes,
    causes, tallies,
};
use crate::pipeline::{Stage, Watcher as _};
use crate::trial::Limits;
use journal::Journal;

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
    let journal = Journal::new(args, &work.join("whole"))?;
    let all = All {
        args,
        tools: hand.tools.as_ref().map_err(String::as_str),
        judge: judge.as_ref().map_err(String::as_str),
        work: &work,
        others: &others,
        journal: &journal,
        twins: &found.twins,
    };
    let rows = all.rows(&found.programs)?;
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

/// Programs that a journal gets at once, for each thread: what a broken run loses.
const CHUNK: usize = 2;

/// Who translated a tree, where it lies, and the files that could not be, with the reason.
type Translation<'a> = (&'a str, PathBuf, BTreeMap<String, String>);

/// All that programs are taken through the stages with.
struct All<'a> {
    args: &'a BenchArgs,
    tools: Result<&'a Toolchain, &'a str>,
    judge: Result<&'a Judge<'a>, &'a str>,
    work: &'a Path,
    others: &'a [Translator],
    journal: &'a Journal,
    /// What people ported by hand, of all programs.
    twins: &'a BTreeSet<String>,
}

impl All<'_> {
    /// The rows of this program, of ports by hand, and of all others.
    fn rows(&self, programs: &[Program]) -> Result<Vec<Row>> {
        let known = programs
            .iter()
            .map(|it| (it.clone(), self.journal.known(it)));
        let known: Vec<(Program, Option<Vec<Row>>)> = known.collect();
        let open = known.iter().filter(|(_, rows)| rows.is_none());
        let open: Vec<Program> = open.map(|(program, _)| program.clone()).collect();
        if open.len() < programs.len() {
            let count = programs.len() - open.len();
            let all = programs.len();
            output::note(&format!(
                "{count} of {all} programs are known from an earlier run\n"
            ));
        }
        let mut rows: Vec<Row> = known
            .into_iter()
            .filter_map(|(_, rows)| rows)
            .flatten()
            .collect();
        if !open.is_empty() {
            rows.extend(self.made(&open)?);
        }
        // By translator as they were named, ports by hand behind this one; then by program.
        let rank = |row: &Row| {
            let named = |other: &Translator| matches!(other, Translator::Source { name, .. } if *name == row.translator);
            match self.others.iter().position(named) {
                Some(at) => at + 2,
                None => usize::from(row.translator == TWINS),
            }
        };
        let names = programs.iter().zip(0_usize..);
        let places: BTreeMap<&str, usize> = names.map(|(it, at)| (it.name.as_str(), at)).collect();
        rows.sort_by_key(|row| (rank(row), places.get(row.program.as_str()).copied()));
        Ok(rows)
    }

    /// The rows of programs that are not known yet.
    fn made(&self, programs: &[Program]) -> Result<Vec<Row>> {
        let whole = self.work.join("whole");
        let twins = programs.iter().filter(|program| program.has_twin()).count();
        let mut source = whole.clone();
        if !self.twins.is_empty() {
            source = self.work.join("source");
            crate::bench::copy(&whole, &source, self.twins).map_err(anyhow::Error::msg)?;
        }
        let sides = self.sides(&source)?;
        let includes = |root: &Path| match self.tools {
            Ok(tools) => crate::bench::includes(programs, root, tools).map_err(anyhow::Error::msg),
            Err(_) => Ok(BTreeMap::new()),
        };
        let of_whole = includes(&whole)?;
        let of_sides = sides.iter().map(|(_, root, _)| includes(root));
        let of_sides = of_sides.collect::<Result<Vec<_>>>()?;
        let progress = Progress::new();
        progress.begin(Stage::Running, Some(programs.len() * sides.len() + twins));
        let mut rows = Vec::new();
        for (number, chunk) in programs.chunks(CHUNK * input::threads_in_use()).enumerate() {
            let bench = Bench {
                programs: chunk,
                tools: self.tools,
                judge: self.judge,
                wishes: Wishes {
                    build_timeout: Duration::from_secs(u64::from(self.args.build_timeout)),
                    interrupted: input::interrupted(),
                },
                scratch: &self.work.join("runs").join(number.to_string()),
            };
            let by_hand = Side {
                translator: TWINS,
                root: &whole,
                failed: BTreeMap::new(),
                includes: &of_whole,
                is_twins: true,
            };
            let step = || progress.step();
            let (mut made, references) = bench.run(&by_hand, &References::new(), &step);
            for ((name, root, failed), includes) in sides.iter().zip(&of_sides) {
                let side = Side {
                    translator: name,
                    root,
                    failed: failed.clone(),
                    includes,
                    is_twins: false,
                };
                made.extend(bench.run(&side, &references, &step).0);
            }
            if !input::was_interrupted() {
                for program in chunk {
                    let is_own = |row: &&Row| {
                        (&row.program, &row.category) == (&program.name, &program.category)
                    };
                    let own = made.iter().filter(is_own);
                    self.journal.keep(program, own.cloned().collect())?;
                }
            }
            rows.extend(made);
        }
        Ok(rows)
    }

    /// The translated trees: who translated each, where it lies, and the files that could not be.
    fn sides(&self, source: &Path) -> Result<Vec<Translation<'_>>> {
        // Builds leave files in their trees, and others take the build files as they were written.
        let built = self.work.join("translated");
        let own = Translator::Tree(own_words(self.args)?);
        let translators = std::iter::once(&own).chain(self.others);
        let mut sides = Vec::new();
        for (number, translator) in translators.enumerate() {
            let name = match number.checked_sub(1).map(|at| &self.others[at]) {
                Some(Translator::Source { name, .. }) => name,
                _ => OWN,
            };
            let root = self.work.join(format!("by-{number}"));
            let failed = translated(self.args, translator, source, &built, &root)?;
            sides.push((name, root, failed));
        }
        Ok(sides)
    }
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
