//! `shim generate` and `shim check`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use rustc_hash::FxHashSet;

use super::args::{SettingsArgs, ShimArgs, ShimCommand, ShimGenerateArgs};
use super::settings::{Given, Settings};
use super::{Exit, output};
use crate::config::CheckTable;
use crate::emit;
use crate::mapping::ApiEntry;
use crate::pipeline::{EntryKind, walk};
use crate::rules::Session;
use crate::shim;
use crate::syntax::Document;
use crate::text::{Language, SourceFile};

/// Runs one of the two.
pub(super) fn run(args: &ShimArgs) -> Result<Exit> {
    match &args.command {
        ShimCommand::Generate(args) => generate(args),
        ShimCommand::Check(args) => check(&args.paths, &args.shim, &args.settings),
    }
}

fn generate(args: &ShimGenerateArgs) -> Result<Exit> {
    let session = session(&args.settings)?;
    let sources = sources(&args.paths, &session.1)?;
    let mut entries = BTreeMap::<&'static str, &ApiEntry>::new();
    for source in &sources {
        let document = Document::new(source);
        entries.extend(
            shim::used(&document, &session.0.table)
                .into_iter()
                .map(|(name, (entry, _))| (name, entry)),
        );
    }
    let text = shim::header(&entries, &session.0.options);
    match &args.output {
        Some(path) => drop(emit::write(path, text.as_bytes(), None)?),
        None => output::print(&text)?,
    }
    Ok(Exit::Clean)
}

/// Prints each name that the shim does not cover, where it is first used and the line to add.
pub(super) fn check(paths: &[PathBuf], shim: &Path, args: &SettingsArgs) -> Result<Exit> {
    let (session, settings) = session(args)?;
    let covered = covered(shim)?;
    let shim_name = shim.display();
    let (mut seen, mut exit) = (FxHashSet::default(), Exit::Clean);
    for source in sources(paths, &settings)? {
        let document = Document::new(&source);
        let mut missing: Vec<_> = shim::used(&document, &session.table)
            .into_values()
            .filter(|(entry, _)| !covered.contains(entry.cuda))
            .collect();
        missing.sort_by_key(|(_, at)| *at);
        for (entry, at) in missing
            .into_iter()
            .filter(|(entry, _)| seen.insert(entry.cuda))
        {
            let place = source.line_col(document.tokens[at].start);
            let help = shim::line(entry, &session.options).map_or_else(
                || {
                    format!(
                        "no macro can stand for it: {}",
                        entry.note.unwrap_or("its arguments differ on AMD")
                    )
                },
                |line| format!("add to {shim_name}: {}", line.replace('\n', "\n  ")),
            );
            output::print(&format!(
                "{}:{}:{}: error[CASS013]: `{}` is not covered by {shim_name}\n  = help: {help}\n",
                source.path, place.line, place.column, entry.cuda
            ))?;
            exit = Exit::Findings;
        }
    }
    Ok(exit)
}

/// The names of the shim and of the files beside it that it includes.
fn covered(shim: &Path) -> Result<FxHashSet<String>> {
    let (mut names, mut queue, mut seen) = (
        FxHashSet::default(),
        vec![shim.to_path_buf()],
        FxHashSet::default(),
    );
    while let Some(path) = queue.pop() {
        let bytes = std::fs::read(&path)
            .with_context(|| format!("{}: cannot be read as a shim header", path.display()))?;
        let source = SourceFile::new(path.to_string_lossy(), bytes);
        let document = Document::new(&source);
        names.extend(shim::covered(&document));
        let folder = path.parent().unwrap_or(Path::new("."));
        let beside = document
            .includes
            .iter()
            .filter(|include| !include.angled)
            .map(|include| folder.join(&*source.text(include.path)));
        queue.extend(beside.filter(|path| path.is_file() && seen.insert(path.clone())));
    }
    Ok(names)
}

fn session(args: &SettingsArgs) -> Result<(Session, Settings)> {
    let given = Given {
        settings: args,
        naming: None,
        check: CheckTable::default(),
    };
    let settings = Settings::new(Path::new("."), &given)?;
    Ok((settings.lone_session()?, settings))
}

/// The C-family files of some paths, with their paths as given.
fn sources(paths: &[PathBuf], settings: &Settings) -> Result<Vec<SourceFile>> {
    let mut sources = Vec::new();
    for path in paths {
        let (entries, problems) = walk(path, &settings.filter(Vec::new()))?;
        problems
            .iter()
            .for_each(|problem| output::complain(problem));
        for entry in entries.iter().filter(|entry| {
            entry.kind == EntryKind::File && Language::of_path(&entry.name()) == Language::CFamily
        }) {
            match std::fs::read(&entry.path) {
                Ok(bytes) => sources.push(SourceFile::new(entry.path.to_string_lossy(), bytes)),
                Err(error) => output::complain(&format!("{}: {error}", entry.path.display())),
            }
        }
    }
    Ok(sources)
}
