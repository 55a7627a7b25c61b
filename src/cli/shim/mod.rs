//! `shim generate` and `shim check`.

mod cover;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Result;

pub(super) use cover::Cover;

use super::args::{
    CheckArgs, SettingsArgs, ShimArgs, ShimCheckArgs, ShimCommand, ShimGenerateArgs,
};
use super::settings::{Given, Settings};
use super::{Exit, output};
use crate::config::CheckTable;
use crate::emit;
use crate::engine::Session;
use crate::mapping::ApiEntry;
use crate::pipeline::{EntryKind, walk};
use crate::shim;
use crate::syntax::Document;
use crate::text::{Language, SourceFile};

/// Runs one of the two.
pub(super) fn run(args: &ShimArgs) -> Result<Exit> {
    match &args.command {
        ShimCommand::Generate(args) => generate(args),
        ShimCommand::Check(args) => check(args),
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

/// `shim check` is `check --shim` with nothing else.
fn check(args: &ShimCheckArgs) -> Result<Exit> {
    super::check::run(&CheckArgs {
        paths: args.paths.clone(),
        shim: Some(args.shim.clone()),
        settings: args.settings.clone(),
        ..CheckArgs::default()
    })
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
        let walked = walk(path, &settings.filter(Vec::new()))?;
        walked
            .problems
            .iter()
            .for_each(|problem| output::complain(problem));
        for entry in walked.entries.iter().filter(|entry| {
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
