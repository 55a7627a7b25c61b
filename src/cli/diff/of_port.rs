//! `diff SRC OUT` of an output with a manifest: what moved is told from what somebody did.

use std::path::Path;

use anyhow::Result;

use super::outlet::{Outlet, Rendered, path_bytes};
use crate::cli::args::DiffArgs;
use crate::cli::port::{Asked, Looked, Overview, result};
use crate::cli::{Exit, output};
use crate::port::{Content, Gone, Kind, Port, State, path_of};
use crate::report::diff::{FilePatch, Mode};
use crate::report::plural;

/// Prints what a run would change, or what was changed by hand.
pub(super) fn run(args: &DiffArgs, out: &Path) -> Result<Exit> {
    let asked = Asked {
        source: &args.src,
        out,
        naming: args.naming,
        settings: &args.settings,
    };
    let Some(overview) = Overview::new(&asked)? else {
        output::complain("interrupted; a patch of a part would be none");
        return Ok(Exit::Interrupted);
    };
    let mut outlet = Outlet::new(args);
    for file in &overview.files {
        let patch = match args.by_hand {
            true => by_hand(&overview.port, file)?,
            false => difference(&overview.port, file)?,
        };
        if patch.as_ref().is_some_and(FilePatch::is_empty) {
            output::note(&format!("{}: differs in its permissions\n", file.stand.key));
            outlet.differs = true;
        }
        outlet.take(patch.as_ref().map_or(Rendered::Nothing, Rendered::new))?;
    }
    for gone in &overview.vanished.files {
        outlet.take(vanished(args.by_hand, &overview.port, gone)?)?;
    }
    overview
        .problems
        .iter()
        .for_each(|problem| outlet.complain(problem));
    let open = open_work(&overview);
    if !args.by_hand && !open.is_empty() {
        output::note(&note(&open, &args.src, out));
        outlet.differs |= open.iter().any(|(_, accepted)| !accepted);
    }
    outlet.finish()
}

/// Files that somebody changed, and whether that is accepted.
fn open_work(overview: &Overview) -> Vec<(&str, bool)> {
    let files = overview.files.iter().map(|file| &file.stand);
    let is_by_hand = |state: State| !matches!(state, State::New | State::InSync | State::Behind);
    files
        .filter(|stand| is_by_hand(stand.state))
        .map(|stand| (stand.key.as_str(), stand.accepted))
        .collect()
}

fn note(open: &[(&str, bool)], source: &Path, out: &Path) -> String {
    let accepted = open.iter().filter(|(_, accepted)| *accepted).count();
    let (source, out) = (source.display(), out.display());
    let count = open.len();
    let mut text = format!(
        "{count} {} changed by hand, {accepted} of them accepted; `cass-transpile diff {source} {out} --by-hand` shows how",
        plural(count, "file")
    );
    if accepted < count {
        text.push_str(&format!(
            ", `cass-transpile accept {source} {out}` accepts it"
        ));
    }
    text + "\n"
}

/// What a run would change.
fn difference(port: &Port, file: &Looked) -> Result<Option<FilePatch>> {
    let now = port.found(&file.stand.key)?;
    let next = result(port, file)?;
    patch(&file.stand.key, now, next)
}

/// What somebody changed since this tool wrote the file.
fn by_hand(port: &Port, file: &Looked) -> Result<Option<FilePatch>> {
    if matches!(file.stand.state, State::New | State::InSync | State::Behind) {
        return Ok(None);
    }
    let key = &file.stand.key;
    let place = file.stand.was.as_ref().unwrap_or(key);
    let now = port.found(place)?;
    let Some(record) = port.record(place, now.as_ref()) else {
        output::note(&format!("{key}: was not written by this tool\n"));
        return Ok(None);
    };
    let Some(text) = port.text(record.base.hash) else {
        output::note(&format!(
            "{key}: changed by hand; what was written there last is no text, or lost\n"
        ));
        return Ok(None);
    };
    let base = Content::new(record.base.kind, text);
    patch(key, Some(base), now)
}

/// A file that the sources make no more goes with the next run that prunes.
fn vanished(by_hand: bool, port: &Port, gone: &Gone) -> Result<Rendered> {
    let patch = match by_hand == gone.is_edited && !by_hand {
        true => patch(&gone.key, port.found(&gone.key)?, None)?,
        false => None,
    };
    Ok(patch.as_ref().map_or(Rendered::Nothing, Rendered::new))
}

fn patch(key: &str, before: Option<Content>, after: Option<Content>) -> Result<Option<FilePatch>> {
    if before == after {
        return Ok(None);
    }
    let Some(path) = path_of(key) else {
        return Ok(None);
    };
    let path = path_bytes(&path);
    let kind = after
        .as_ref()
        .or(before.as_ref())
        .map_or(Kind::File, |one| one.mark.kind);
    // Too large to be held is too large for a patch: a zero byte says that it is no text.
    let bytes = |content: Content| content.bytes.unwrap_or_else(|| vec![0]);
    Ok(Some(FilePatch {
        old: before.map(|before| (path.clone(), bytes(before))),
        is_deleted: after.is_none(),
        bytes: after.map(bytes).unwrap_or_default(),
        path,
        mode: match kind {
            Kind::File => Mode::File,
            Kind::Executable => Mode::Executable,
            Kind::Link => Mode::Link,
        },
        edits: None,
    }))
}
