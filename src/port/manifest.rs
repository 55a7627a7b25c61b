//! `manifest.json`: for people and reviews a line for each file, for the tool what it wrote.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::{Hash, Kind, Mark};

/// Grows when the meaning of a field changes; a manifest of a later format is refused.
const FORMAT: u32 = 1;

/// What this tool knows of one file of an output.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// Path of the source below SRC; empty for what no source stands behind.
    pub source: String,
    /// Hash of the source that was translated last.
    pub source_hash: Hash,
    /// What the translation was: what was written unless somebody had changed the file.
    #[serde(flatten)]
    pub base: Mark,
    /// What was there after the last run, when it is not that: work by hand is in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found: Option<Mark>,
    /// What was found, or that nothing was, is wanted so.
    #[serde(default, skip_serializing_if = "is_false")]
    pub accepted: bool,
    /// A merge left markers in the file.
    #[serde(default, skip_serializing_if = "is_false")]
    pub conflict: bool,
}

fn is_false(value: &bool) -> bool {
    !value
}

impl Record {
    /// A file that is what the translation made of its source.
    pub fn new(source: String, source_hash: Hash, base: Mark) -> Self {
        Self {
            source,
            source_hash,
            base,
            found: None,
            accepted: false,
            conflict: false,
        }
    }

    /// Whether what is there is what a run left that came to write it, or what it was made from, which somebody may have put back.
    pub(super) fn is_left(&self, now: Option<Mark>) -> bool {
        self.found.or(Some(self.base)) == now || Some(self.base) == now
    }

    /// Whether what is there now is what somebody accepted.
    pub(crate) fn accepts(&self, now: Option<Mark>) -> bool {
        self.accepted && self.found == now
    }
}

/// Everything that was written into an output.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// Version of this format.
    pub format: u32,
    /// Name and version of the tool that ran last.
    pub tool: String,
    /// What the last run was told, as far as it decides the result.
    pub options: serde_json::Value,
    /// Folders without a file that were made.
    #[serde(default)]
    pub folders: BTreeSet<String>,
    /// The files by their path in the output.
    pub files: BTreeMap<String, Record>,
}

/// Why a manifest cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// It is no manifest: where it goes wrong.
    Damaged(String),
    /// This tool wrote it, in a format that is not known here.
    Newer(String),
}

impl Manifest {
    /// A manifest without files.
    pub fn new(options: serde_json::Value) -> Self {
        Self {
            format: FORMAT,
            tool: concat!("cass-transpile ", env!("CARGO_PKG_VERSION")).to_owned(),
            options,
            ..Self::default()
        }
    }

    /// Reads a manifest.
    ///
    /// # Errors
    /// When it is damaged, or of a later format.
    pub fn parse(text: &[u8]) -> Result<Self, Unreadable> {
        #[derive(Deserialize)]
        struct Head {
            format: u32,
            tool: String,
        }
        let damaged = |error: serde_json::Error| Unreadable::Damaged(error.to_string());
        let head: Head = serde_json::from_slice(text).map_err(damaged)?;
        if head.format > FORMAT {
            return Err(Unreadable::Newer(head.tool));
        }
        serde_json::from_slice(text).map_err(damaged)
    }

    /// Its text: one line for each file, so that reviews and merges of the manifest itself go by file.
    pub fn render(&self) -> String {
        let head = Self {
            files: BTreeMap::new(),
            folders: BTreeSet::new(),
            ..self.clone()
        };
        let mut text = String::from("{\n");
        let mut line = |key: &str, value: String| text.push_str(&format!(" \"{key}\": {value},\n"));
        line("format", head.format.to_string());
        line("tool", serde_json::Value::from(head.tool).to_string());
        line("options", head.options.to_string());
        line("folders", serde_json::json!(self.folders).to_string());
        text.push_str(" \"files\": {");
        for (at, (path, record)) in self.files.iter().enumerate() {
            text.push_str(if at == 0 { "\n  " } else { ",\n  " });
            text.push_str(&line_of(path, record));
        }
        text + "\n }\n}\n"
    }
}

/// The line of a file, its fields in the order of their names.
fn line_of(path: &str, record: &Record) -> String {
    #[derive(Serialize)]
    struct Found {
        hash: Hash,
        kind: Kind,
    }
    #[derive(Serialize)]
    struct Line<'r> {
        #[serde(skip_serializing_if = "is_false")]
        accepted: bool,
        #[serde(skip_serializing_if = "is_false")]
        conflict: bool,
        #[serde(skip_serializing_if = "Option::is_none")]
        found: Option<Found>,
        hash: Hash,
        kind: Kind,
        source: &'r str,
        source_hash: Hash,
    }
    let line = Line {
        accepted: record.accepted,
        conflict: record.conflict,
        found: record.found.map(|Mark { kind, hash }| Found { hash, kind }),
        hash: record.base.hash,
        kind: record.base.kind,
        source: &record.source,
        source_hash: record.source_hash,
    };
    let json = serde_json::to_string(&line).expect("its keys are strings");
    format!("{}: {json}", serde_json::Value::from(path))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::port::Kind;

    fn mark(text: &str) -> Mark {
        Mark {
            kind: Kind::File,
            hash: Hash::of(text.as_bytes()),
        }
    }

    #[test]
    fn a_manifest_comes_back_as_it_was() {
        let mut manifest = Manifest::new(serde_json::json!({"rocm": "6.4"}));
        manifest.folders.insert("obj".to_owned());
        let mut record = Record::new("a \"b\".cu".to_owned(), Hash::of(b""), mark("x"));
        manifest.files.insert("plain.cu".to_owned(), record.clone());
        record.found = Some(mark("y"));
        (record.accepted, record.conflict) = (true, true);
        manifest.files.insert("a \"b\".cu".to_owned(), record);
        let text = manifest.render();
        assert_eq!(Manifest::parse(text.as_bytes()), Ok(manifest));
        assert_eq!(text.lines().count(), 10, "{text}");
    }

    #[test]
    fn damage_and_later_formats_are_said() {
        let text = Manifest::new(serde_json::Value::Null).render();
        let cut = Manifest::parse(&text.as_bytes()[..text.len() / 2]);
        assert!(matches!(cut, Err(Unreadable::Damaged(_))));
        let later = text.replace("\"format\": 1", "\"format\": 2");
        let refused = Manifest::parse(later.as_bytes());
        assert!(
            matches!(refused, Err(Unreadable::Newer(tool)) if tool.starts_with("cass-transpile "))
        );
    }
}
