//! `findings.json`: what the translation said of each file, and how its lines lie to those of the source. A finding stays until its line
//! is another one, whatever a second look at the file would say.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::emit::OutputTree;
use crate::pipeline::{RECORD_FOLDER, read_regular};

/// The file in the folder of records.
const NAME: &str = "findings.json";
/// Bytes that it may have: as many as a manifest.
const LARGEST: u64 = 256 << 20;

/// A finding that asked for a person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Noted {
    /// Code of the rule.
    pub(crate) code: String,
    /// `error` or `warning`.
    pub(crate) severity: String,
    /// What is the matter.
    pub(crate) message: String,
    /// What to do.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) help: String,
    /// Its line in the source, from 1.
    pub(crate) source_line: u32,
    /// Its first line in the output as it was written, from 1; 0 for one about the whole file.
    pub(crate) line: u32,
    /// How many lines it goes on.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) more_lines: u32,
    /// The first of them without its indentation.
    pub(crate) text: String,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// What is known of a file of the output.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FileNotes {
    /// Where lines were added or removed: from a line of the output on, how many more there are than in the source.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) shifts: Vec<(u32, i64)>,
    /// The findings by their lines.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) findings: Vec<Noted>,
}

impl FileNotes {
    /// Whether there is nothing to remember.
    pub(crate) fn is_empty(&self) -> bool {
        self.shifts.is_empty() && self.findings.is_empty()
    }

    /// The line of the source from which a line of the output came, as it was written.
    pub(crate) fn source_line(&self, line: u32) -> u32 {
        let before = self.shifts.iter().rev().find(|(from, _)| *from <= line);
        let shift = before.map_or(0, |(_, shift)| *shift);
        let source = i64::from(line) - shift;
        u32::try_from(source.max(1)).unwrap_or(line)
    }

    /// The findings whose line is still as it was written, each with the place of that line now, from 1; 0 for those about the whole
    /// file.
    pub(crate) fn open(&self, text: &[u8]) -> Vec<(u32, &Noted)> {
        let mut lines = BTreeMap::<&[u8], Vec<u32>>::new();
        for (line, number) in text.split(|byte| *byte == b'\n').zip(1..) {
            lines.entry(line.trim_ascii()).or_default().push(number);
        }
        let mut found = Vec::new();
        // By line as it was written, the line that it is now; several findings share one.
        let mut now = BTreeMap::<u32, Option<u32>>::new();
        for noted in &self.findings {
            if noted.line == 0 {
                found.extend((!text.is_empty()).then_some((0, noted)));
                continue;
            }
            let place = *now.entry(noted.line).or_insert_with(|| {
                let alike = lines.get_mut(noted.text.as_bytes())?;
                let nearest = alike
                    .iter()
                    .enumerate()
                    .min_by_key(|(_, line)| line.abs_diff(noted.line));
                let at = nearest.map(|(at, _)| at)?;
                Some(alike.remove(at))
            });
            found.extend(place.map(|line| (line, noted)));
        }
        found
    }
}

/// What is known of an output, by the keys of its files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Notes {
    files: BTreeMap<String, FileNotes>,
}

impl Notes {
    /// What an earlier run left in an output; nothing where there is none or where it cannot be read.
    pub(crate) fn read(root: &Path) -> Self {
        let text = read_regular(&root.join(RECORD_FOLDER).join(NAME), LARGEST);
        let files = text
            .ok()
            .and_then(|text| serde_json::from_slice(&text).ok());
        Self {
            files: files.unwrap_or_default(),
        }
    }

    /// Whether there is a file of them below a root.
    pub(crate) fn are_kept(root: &Path) -> bool {
        root.join(RECORD_FOLDER).join(NAME).is_file()
    }

    /// What is known of a file.
    pub(crate) fn of(&self, key: &str) -> Option<&FileNotes> {
        self.files.get(key)
    }

    /// Whether nothing is known.
    pub(crate) fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Takes over what a run says of a file.
    pub(crate) fn put(&mut self, key: String, notes: FileNotes) {
        match notes.is_empty() {
            true => drop(self.files.remove(&key)),
            false => drop(self.files.insert(key, notes)),
        }
    }

    /// Forgets files that are no more.
    pub(crate) fn forget(&mut self, keys: &BTreeSet<String>) {
        self.files.retain(|key, _| !keys.contains(key));
    }

    /// Writes it; a file on each line, so that reviews and merges go by file. Nothing is written where nothing was and nothing is.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn write(&self, tree: &OutputTree) -> anyhow::Result<()> {
        let path = Path::new(RECORD_FOLDER).join(NAME);
        if self.files.is_empty() && !tree.root().join(&path).exists() {
            return Ok(());
        }
        let line = |(key, notes): (&String, &FileNotes)| {
            let notes = serde_json::to_string(notes).expect("its keys are strings");
            format!("{}: {notes}", serde_json::Value::from(key.as_str()))
        };
        let lines: Vec<String> = self.files.iter().map(line).collect();
        let text = format!("{{\n{}\n}}\n", lines.join(",\n"));
        tree.write(&path, text.as_bytes(), None)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noted(line: u32, text: &str) -> Noted {
        Noted {
            code: "CASS003".to_owned(),
            severity: "error".to_owned(),
            message: String::new(),
            help: String::new(),
            source_line: line,
            line,
            more_lines: 0,
            text: text.to_owned(),
        }
    }

    #[test]
    fn a_finding_stays_until_its_line_changes() {
        let notes = FileNotes {
            shifts: vec![(2, 1), (5, -1)],
            findings: vec![
                noted(0, ""),
                noted(2, "f(a);"),
                noted(2, "f(a);"),
                noted(4, "f(a);"),
                noted(5, "g();"),
            ],
        };
        let open = |text: &str| -> Vec<u32> {
            notes
                .open(text.as_bytes())
                .iter()
                .map(|(line, _)| *line)
                .collect()
        };
        assert_eq!(open("x\n  f(a);\ny\nf(a);\r\ng();\n"), [0, 2, 2, 4, 5]);
        // Moved, one of two alike changed, one gone.
        assert_eq!(open("x\nnew\nnew\nf(a);\ny\n"), [0, 4, 4]);
        assert_eq!(open(""), [0; 0]);
        assert_eq!(
            [1, 2, 4, 5].map(|line| notes.source_line(line)),
            [1, 1, 3, 6]
        );
    }

    #[test]
    fn notes_come_back_as_they_were() {
        let folder = tempfile::tempdir().unwrap();
        let tree = OutputTree::new(folder.path());
        let mut notes = Notes::default();
        notes.write(&tree).unwrap();
        assert!(folder.path().read_dir().unwrap().next().is_none());
        notes.put(
            "a \"b\".cu".to_owned(),
            FileNotes {
                shifts: Vec::new(),
                findings: vec![noted(3, "é")],
            },
        );
        notes.put("b.cu".to_owned(), FileNotes::default());
        notes.write(&tree).unwrap();
        assert_eq!(Notes::read(folder.path()), notes);
        notes.forget(&["a \"b\".cu".to_owned()].into());
        notes.write(&tree).unwrap();
        assert!(Notes::read(folder.path()).is_empty());
    }
}
