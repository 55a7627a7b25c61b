//! What `convert`, `diff`, `status` and `accept` share about an output that people work in.

mod conflict;
mod gone;
mod keeper;
mod overview;
mod renames;
mod theirs;

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Result, bail};

use super::output;
use crate::compat;
use crate::options::CompatMode;
use crate::pipeline::{Naming, read_regular};
use crate::port::{Content, Decision, Kind, Memory, Port, Source, State};
use crate::report::{PortFile, PortState};

pub(super) use conflict::add_findings;
pub(super) use gone::Vanished;
pub(super) use keeper::{Keeper, Kept};
pub(super) use overview::{Asked, Findings, Looked, Overview, result};
pub(super) use renames::follow as follow_renames;
pub(super) use theirs::{Theirs, theirs};

/// Name of the report in an output; before there were manifests it was the mark of one.
pub(super) use crate::pipeline::REPORT_NAME;

/// How one file of an output stands.
#[derive(Clone, Debug)]
pub(super) struct Stand {
    /// Its key.
    pub(super) key: String,
    /// How it stands.
    pub(super) state: State,
    /// Work by hand on it is accepted.
    pub(super) accepted: bool,
    /// Its key under an earlier name from which work by hand came.
    pub(super) was: Option<String>,
}

impl Stand {
    pub(super) fn new(port: &Port, key: String, decision: &Decision) -> Self {
        let carried = matches!(
            decision.state,
            State::Edited | State::Merged | State::Conflict(_)
        );
        let was = port.renames().get(&key).filter(|_| carried).cloned();
        Self {
            state: decision.state,
            accepted: decision.accepted,
            was,
            key,
        }
    }

    /// What a report says of it; nothing of a file that is as it should be.
    pub(super) fn report(&self) -> PortFile {
        PortFile {
            path: self.key.clone(),
            state: match self.state {
                State::New => PortState::New,
                State::InSync => PortState::InSync,
                State::Behind => PortState::Behind,
                State::Edited => PortState::Edited,
                State::Merged => PortState::Merged,
                State::Conflict(_) => PortState::Conflict,
                State::Deleted => PortState::Deleted,
            },
            accepted: self.accepted,
            renamed: self.was.clone(),
        }
    }
}

/// What an output remembers; an error where going on could lose something.
///
/// # Errors
/// When a newer version of the tool wrote it.
pub(super) fn open(folder: &Path) -> Result<Port> {
    let port = Port::open(folder);
    if let Memory::Newer(why) = &port.memory {
        bail!("{why}");
    }
    port.unread.iter().for_each(|why| output::complain(why));
    Ok(port)
}

/// What is said of an output that remembers nothing; `None` where nothing is amiss.
pub(super) fn lost_memory(port: &Port, source: &Path, folder: &Path) -> Option<String> {
    let advice = format!(
        "files that differ from the translation stay as they are; `cass-transpile accept {} {}` takes the differences for work by hand",
        source.display(),
        folder.display()
    );
    match &port.memory {
        Memory::None => Some(format!(
            "{}: was made without a manifest; {advice}",
            folder.display()
        )),
        Memory::Damaged(why) => Some(format!("{why}; {advice}")),
        Memory::New | Memory::Whole | Memory::Newer(_) => None,
    }
}

/// Says so where there is no output yet, or its path was mistyped.
pub(super) fn not_there(folder: &Path) -> Option<String> {
    let shown = folder.display();
    (!folder.exists()).then(|| format!("{shown}: is not there; a run of the translation makes it"))
}

/// What decides a translation, as the manifest keeps it.
pub(super) fn options(options: &crate::options::Options, naming: Naming) -> serde_json::Value {
    serde_json::json!({ "translate": options, "naming": naming })
}

/// The names of settings in which two runs differ, for people; empty where nothing is known of the earlier one.
pub(super) fn changed_options(earlier: &serde_json::Value, now: &serde_json::Value) -> Vec<String> {
    let mut changed = BTreeSet::new();
    if !earlier.is_null() && earlier["naming"] != now["naming"] {
        changed.insert("naming".to_owned());
    }
    let tables = [&earlier["translate"], &now["translate"]].map(|value| value.as_object());
    if let [Some(earlier), Some(now)] = tables {
        let keys = earlier.keys().chain(now.keys());
        let differ = keys.filter(|key| earlier.get(*key) != now.get(*key));
        changed.extend(differ.map(|key| key.replace('_', "-")));
    }
    changed.into_iter().collect()
}

/// The helper header that a translation needs, as a file of the output; `None` when it needs none.
pub(super) fn header(helpers: &BTreeSet<&'static str>, compat: CompatMode) -> Option<Theirs> {
    let is_needed = !helpers.is_empty() && compat == CompatMode::Header;
    is_needed.then(|| {
        let content = Content::new(Kind::File, compat::header(helpers).into_bytes());
        let source = Source {
            path: String::new(),
            hash: content.mark.hash,
        };
        Theirs {
            content,
            source,
            permissions: None,
        }
    })
}

/// The helper header that lies in a folder. With all helpers it has 250 KB.
pub(super) fn header_in(folder: &Path, path: &str) -> Option<Vec<u8>> {
    read_regular(&folder.join(path), 1 << 20).ok()
}

/// The helpers that a text calls, whoever wrote the calls.
pub(super) fn helpers_called(text: &[u8]) -> BTreeSet<&'static str> {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let starts = memchr::memmem::find_iter(text, b"cass_");
    let words = starts.filter_map(|start| {
        let rest = &text[start..];
        let end = rest.iter().position(|byte| !is_word(*byte));
        std::str::from_utf8(&rest[..end.unwrap_or(rest.len())]).ok()
    });
    words
        .filter_map(compat::find)
        .map(|helper| helper.name)
        .collect()
}
