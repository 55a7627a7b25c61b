//! `shim generate` and `shim check`.

pub(super) mod beyond;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::Result;

use beyond::other_changes;

use super::args::{
    CheckArgs, SettingsArgs, ShimArgs, ShimCheckArgs, ShimCommand, ShimGenerateArgs,
};
use super::progress::Progress;
use super::settings::{Given, Settings};
use super::{Exit, output};
use crate::config::CheckTable;
use crate::emit;
use crate::engine::Session;
use crate::pipeline::{EntryKind, walk};
use crate::project::vendors::switches;
use crate::report::plural;
use crate::shim::{self, Use};
use crate::syntax::Document;
use crate::text::{SourceFile, is_cpp};

/// Runs one of the two.
pub(super) fn run(args: &ShimArgs) -> Result<Exit> {
    match &args.command {
        ShimCommand::Generate(args) => generate(args),
        ShimCommand::Check(args) => check(args),
    }
}

fn generate(args: &ShimGenerateArgs) -> Result<Exit> {
    let (session, settings) = session(&args.settings)?;
    let sources = sources(&args.paths, &settings)?;
    let documents: Vec<Document<'_>> = sources.iter().map(Document::new).collect();
    let mut uses = BTreeMap::<&'static str, Use<'_>>::new();
    for document in &documents {
        let used = shim::used(document, &session.table).into_iter();
        uses.extend(used.map(|(name, (use_, _))| (name, use_)));
    }
    let release = args.settings.translate.rocm;
    let text = shim::header(&uses, &session.options, release);
    let (forwarding, mut left) = shim::headers(documents.iter(), &session.table);
    match (&args.include_dir, &args.output) {
        (Some(folder), _) => {
            emit::write(&folder.join(shim::HEADER_NAME), text.as_bytes(), None)?;
            for (path, text) in &forwarding {
                emit::write(&folder.join(path), text.as_bytes(), None)?;
            }
        }
        (None, Some(path)) => drop(emit::write(path, text.as_bytes(), None)?),
        (None, None) => output::print(&text)?,
    }
    let nameless = uses
        .iter()
        .filter(|(name, use_)| shim::line_of(name, **use_, &session.options, release).is_none());
    left.extend(nameless.map(|(name, _)| (*name).to_owned()));
    let switches: BTreeSet<String> = documents.iter().flat_map(|it| switches(it)).collect();
    output::note(&how_to_use(args, &forwarding, &switches));
    let beyond = sources.iter().map(|source| other_changes(source, &session));
    output::note(&unmapped_names(
        &left,
        &beyond.flatten().collect::<Vec<_>>(),
    ));
    Ok(Exit::Clean)
}

/// How a build takes the shim.
fn how_to_use(
    args: &ShimGenerateArgs,
    forwarding: &BTreeMap<String, String>,
    switches: &BTreeSet<String>,
) -> String {
    // Code that knows both vendors has them choose.
    let defines: String = switches.iter().map(|name| format!(" -D{name}")).collect();
    match (&args.include_dir, &args.output) {
        (Some(folder), _) => {
            let folder = folder.display();
            let name = shim::HEADER_NAME;
            format!(
                "compile with: hipcc -x hip -I {folder} -include {folder}/{name}{defines} FILE\n"
            )
        }
        (None, output) if !forwarding.is_empty() => format!(
            "compile with: hipcc -x hip -include {}{defines} FILE; the sources include {} of CUDA's headers, such as {}, which `--include-dir DIR` writes so that they lead to the shim\n",
            output
                .as_ref()
                .map_or_else(|| "HEADER".into(), |path| path.display().to_string()),
            forwarding.len(),
            forwarding.keys().next().map_or("", String::as_str)
        ),
        _ => String::new(),
    }
}

/// What no macro can stand for, with the places of what translation does by other means.
fn unmapped_names(names: &BTreeSet<String>, beyond: &[String]) -> String {
    const MOST: usize = 20;
    let mut text = String::new();
    if !names.is_empty() {
        let list: Vec<&str> = names.iter().take(MOST).map(String::as_str).collect();
        text.push_str(&format!(
            "{} {} without cover: {}\n",
            names.len(),
            plural(names.len(), "name"),
            list.join(", ")
        ));
    }
    if !beyond.is_empty() {
        text.push_str(&format!(
            "{} {} that the sources have to change for:\n",
            beyond.len(),
            plural(beyond.len(), "place")
        ));
        beyond
            .iter()
            .take(MOST)
            .for_each(|line| text.push_str(&format!("  {line}\n")));
    }
    text
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
        let walked = walk(path, &settings.filter(Vec::new()), &Progress::new())?;
        walked
            .problems
            .iter()
            .for_each(|problem| output::complain(problem));
        for entry in walked
            .entries
            .iter()
            .filter(|entry| entry.kind == EntryKind::File && is_cpp(&entry.name()))
        {
            match std::fs::read(&entry.path) {
                Ok(bytes) => sources.push(SourceFile::new(entry.path.to_string_lossy(), bytes)),
                Err(error) => output::complain(&format!("{}: {error}", entry.path.display())),
            }
        }
    }
    Ok(sources)
}
