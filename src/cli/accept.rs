//! Work by hand that is wanted so, and outputs that were made before there were manifests.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use super::args::AcceptArgs;
use super::port::{Asked, Looked, Overview};
use super::{Exit, output};
use crate::emit::OutputTree;
use crate::port::{Conflict, Manifest, Memory, Port, Record, State, key_of};
use crate::report::plural;

/// Notes the differences between an output and its translation as wanted.
pub(super) fn run(args: &AcceptArgs) -> Result<Exit> {
    if !args.out.is_dir() {
        bail!(
            "{}: is no folder; give the one that a run wrote into",
            args.out.display()
        );
    }
    let asked = Asked {
        source: &args.src,
        out: &args.out,
        naming: args.naming,
        settings: &args.settings,
    };
    let Some(mut overview) = Overview::new(&asked)? else {
        output::complain("interrupted; nothing is accepted");
        return Ok(Exit::Interrupted);
    };
    let chosen = chosen(&args.files, &args.out, &overview)?;
    let tree = OutputTree::new(&args.out);
    overview.port.begin(&tree)?;
    let noted = note(&mut overview, &tree, chosen.as_ref())?;
    let manifest = manifest(&overview);
    overview.port.finish(&tree, manifest, &BTreeSet::new())?;
    noted.tell(&overview.problems)
}

/// What was noted of the files.
#[derive(Default)]
struct Noted {
    /// How many hold work by hand that is wanted.
    accepted: usize,
    /// How many are as the translation makes them.
    adopted: usize,
    /// Files with conflict markers, of which nothing is noted.
    unresolved: Vec<String>,
}

impl Noted {
    fn tell(&self, problems: &[String]) -> Result<Exit> {
        output::print(&format!(
            "accepted work by hand in {} {}; {} {} as the translation makes them\n",
            self.accepted,
            plural(self.accepted, "file"),
            self.adopted,
            if self.adopted == 1 { "is" } else { "are" }
        ))?;
        for key in &self.unresolved {
            output::complain(&format!(
                "{key}: still has conflict markers; take them out first"
            ));
        }
        problems
            .iter()
            .for_each(|problem| output::complain(problem));
        Ok(if self.unresolved.is_empty() && problems.is_empty() {
            Exit::Clean
        } else {
            Exit::Trouble
        })
    }
}

/// Notes the chosen files, or all, in the output's memory.
fn note(
    overview: &mut Overview,
    tree: &OutputTree,
    chosen: Option<&BTreeSet<String>>,
) -> Result<Noted> {
    let mut noted = Noted::default();
    for file in &overview.files {
        let is_chosen = chosen.is_none_or(|chosen| chosen.contains(&file.stand.key));
        if is_chosen && file.stand.state == State::Conflict(Conflict::Unresolved) {
            noted.unresolved.push(file.stand.key.clone());
            continue;
        }
        let Some(record) = record(&overview.port, file, is_chosen)? else {
            continue;
        };
        match record.accepted {
            true => noted.accepted += 1,
            false => noted.adopted += 1,
        }
        let text = file.theirs.content.text();
        let there = overview.port.found(&file.stand.key)?;
        let there = there.map(|there| there.mark);
        overview
            .port
            .remember(tree, &file.stand.key, &record, there, text)?;
    }
    Ok(noted)
}

fn manifest(overview: &Overview) -> Manifest {
    let known = &overview.port.known;
    let mut manifest = Manifest::new(overview.options.clone());
    if overview.port.memory == Memory::Whole {
        // The last run decides what the next one is held against; nothing was written here.
        manifest.options = known.options.clone();
        manifest.tool.clone_from(&known.tool);
    }
    manifest.folders.clone_from(&known.folders);
    manifest
}

/// The keys that a person named, as paths below the output or from here; `None` for all.
fn chosen(files: &[PathBuf], out: &Path, overview: &Overview) -> Result<Option<BTreeSet<String>>> {
    if files.is_empty() {
        return Ok(None);
    }
    let known = |key: &str| overview.files.iter().any(|file| file.stand.key == key);
    let mut chosen = BTreeSet::new();
    for file in files {
        let below = file.strip_prefix(out).unwrap_or(file);
        let key = key_of(below);
        if !known(&key) {
            bail!(
                "{}: the sources make no such file; name it as it is called below {}",
                file.display(),
                out.display()
            );
        }
        chosen.insert(key);
    }
    Ok(Some(chosen))
}

/// What to remember of a file; `None` when nothing changes.
fn record(port: &Port, file: &Looked, is_chosen: bool) -> Result<Option<Record>> {
    let fresh = || {
        Record::new(
            file.theirs.source.path.clone(),
            file.theirs.source.hash,
            file.theirs.content.mark,
        )
    };
    let there = port.found(&file.stand.key)?;
    let known = port.record(&file.stand.key, there.as_ref()).cloned();
    let base = match (file.stand.state, known) {
        // What was known stays so: it is the base on which somebody worked.
        (State::Edited | State::Merged | State::Deleted, Some(known)) => known,
        (State::Conflict(Conflict::Lines), Some(known)) => known,
        (State::Conflict(_), _) => fresh(),
        (State::InSync, None) => return Ok(Some(fresh())),
        _ => return Ok(None),
    };
    if !is_chosen {
        return Ok(None);
    }
    let found = there.map(|there| there.mark);
    Ok(Some(Record {
        found,
        accepted: true,
        conflict: false,
        ..base
    }))
}
