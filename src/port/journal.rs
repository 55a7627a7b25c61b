//! What a run has written so far. Each entry is on the disk before the file that it speaks of, so that a run that is killed leaves
//! nothing of which the next one would think that a person wrote it.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::pack::{self, Place, Texts};
use super::{Hash, Mark, Record};
use crate::emit::fault;

/// How the names of journals begin.
pub(super) const PREFIX: &str = "journal-";
/// Length and check of an entry.
const HEAD: usize = 12;

/// What was at a place when a run noted what it was about to write there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Before {
    /// Neither file nor link.
    Nothing,
    /// This.
    Found(Mark),
}

impl Before {
    /// What is there, as an entry says it.
    pub(super) fn of(found: Option<Mark>) -> Self {
        found.map_or(Self::Nothing, Self::Found)
    }
}

/// What a run was about to write when it noted it: whether it came to do so has to be told from what is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Intent {
    /// What holds once it is written.
    pub(super) record: Record,
    /// What was there; the first journals did not say.
    pub(super) before: Option<Before>,
}

/// One entry: the record of a file, and where its text lies behind it.
#[derive(Debug, PartialEq, Deserialize)]
struct Entry {
    path: String,
    record: Record,
    #[serde(default)]
    before: Option<Before>,
}

/// The journal of a run that is under way.
#[derive(Debug)]
pub(super) struct Journal {
    pub(super) path: PathBuf,
    file: File,
    length: u64,
}

impl Journal {
    pub(super) fn new(path: PathBuf, file: File) -> Self {
        Self {
            path,
            file,
            length: 0,
        }
    }

    /// Adds an entry; says where its text lies. Of one that does not fit on the disk nothing stays: what is added later would stand
    /// behind the half of it, where nobody finds it.
    pub(super) fn add(&mut self, entry: &Packed) -> io::Result<Place> {
        let written = fault::growth().and_then(|()| self.file.write_all(&entry.bytes));
        if let Err(error) = written {
            self.file.set_len(self.length)?;
            self.file.seek(SeekFrom::Start(self.length))?;
            return Err(error);
        }
        let offset = self.length + entry.text as u64;
        self.length += entry.bytes.len() as u64;
        Ok(Place {
            file: self.path.clone(),
            offset,
            length: (entry.bytes.len() - entry.text) as u32,
        })
    }
}

/// An entry as it stands in a journal: made by the threads of a run side by side, added one after the other.
pub(super) struct Packed {
    pub(super) bytes: Vec<u8>,
    /// Where its text begins.
    pub(super) text: usize,
}

impl Packed {
    /// The record of a file with its text, where there is one.
    pub(super) fn new(path: &str, intent: &Intent, text: Option<&[u8]>) -> io::Result<Self> {
        match text {
            Some(text) => {
                pack::with_compressed(text, |packed| Self::with_text(path, intent, packed))
            }
            None => Self::with_text(path, intent, &[]),
        }
    }

    /// The text is checked by its own hash, so the check of the entry is that of the record alone.
    fn with_text(path: &str, intent: &Intent, packed: &[u8]) -> io::Result<Self> {
        #[derive(Serialize)]
        struct Entry<'e> {
            path: &'e str,
            record: &'e Record,
            before: Option<Before>,
        }
        let Intent { record, before } = intent;
        let before = *before;
        let json = serde_json::to_vec(&Entry {
            path,
            record,
            before,
        })?;
        let text = HEAD + 4 + json.len();
        let mut bytes = Vec::with_capacity(text + packed.len());
        bytes.resize(HEAD, 0);
        bytes.extend_from_slice(&(json.len() as u32).to_le_bytes());
        bytes.extend_from_slice(&json);
        bytes.extend_from_slice(packed);
        let length = ((bytes.len() - HEAD) as u32).to_le_bytes();
        let check = Hash::of(&bytes[HEAD..text]);
        bytes[..4].copy_from_slice(&length);
        bytes[4..HEAD].copy_from_slice(&check.0[..HEAD - 4]);
        Ok(Self { bytes, text })
    }
}

/// Reads what a run left that came to no end, as far as it is whole; texts that are what they were are added to `texts`.
pub(super) fn read(path: &Path, texts: &mut Texts) -> Vec<(String, Intent)> {
    let (mut found, mut bytes) = (Vec::new(), Vec::new());
    let read = File::open(path).and_then(|mut file| file.read_to_end(&mut bytes));
    if read.is_err() {
        return found;
    }
    let mut at = 0;
    while let Some((entry, text, end)) = entry(&bytes, at) {
        let hash = entry.record.base.hash;
        if pack::unpacked(&bytes[text.clone()], hash).is_some() {
            let place = Place {
                file: path.to_path_buf(),
                offset: text.start as u64,
                length: text.len() as u32,
            };
            texts.insert(hash, place);
        }
        let Entry {
            path,
            record,
            before,
        } = entry;
        found.push((path, Intent { record, before }));
        at = end;
    }
    found
}

/// The entry at an offset, where its text lies, and where it ends.
fn entry(bytes: &[u8], at: usize) -> Option<(Entry, std::ops::Range<usize>, usize)> {
    let number = |bytes: &[u8]| Some(u32::from_le_bytes(bytes.try_into().ok()?) as usize);
    let length = number(bytes.get(at..at + 4)?)?;
    let start = at + HEAD;
    let payload = bytes.get(start..start.checked_add(length)?)?;
    let json = number(payload.get(..4)?)?;
    let record = payload.get(..json.checked_add(4)?)?;
    let is_check = |bytes_of: &[u8]| Hash::of(bytes_of).0[..8] == bytes[at + 4..start];
    // The first journals had the text in the check.
    if !is_check(record) && !is_check(payload) {
        return None;
    }
    let entry = serde_json::from_slice(&record[4..]).ok()?;
    let end = start + length;
    Some((entry, start + 4 + json..end, end))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::port::Kind;
    use crate::port::pack::text;

    fn intent(name: &str, hash: Hash) -> Intent {
        let kind = Kind::File;
        Intent {
            record: Record::new(name.to_owned(), hash, Mark { kind, hash }),
            before: Some(Before::Nothing),
        }
    }

    #[test]
    fn a_journal_that_is_cut_anywhere_keeps_its_whole_entries() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal-x");
        let mut journal = Journal::new(path.clone(), File::create(&path).unwrap());
        let mut ends = vec![0];
        for name in ["a.cu", "b.cu"] {
            let hash = Hash::of(name.as_bytes());
            let entry = Packed::new(name, &intent(name, hash), Some(name.as_bytes())).unwrap();
            journal.add(&entry).unwrap();
            ends.push(journal.length);
        }
        let whole = std::fs::read(&path).unwrap();
        assert_eq!(whole.len() as u64, ends[2]);
        for cut in 0..=whole.len() {
            std::fs::write(&path, &whole[..cut]).unwrap();
            let mut texts = Texts::new();
            let found = read(&path, &mut texts);
            let expected = ends[1..].iter().filter(|end| **end <= cut as u64).count();
            assert_eq!(found.len(), expected, "cut at {cut}");
            for (name, intent) in found {
                assert_eq!(
                    text(&texts, intent.record.base.hash).as_deref(),
                    Some(name.as_bytes())
                );
            }
        }
    }

    #[test]
    fn a_text_that_a_journal_lost_is_no_base_and_its_record_counts() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal-x");
        let mut journal = Journal::new(path.clone(), File::create(&path).unwrap());
        let intent = intent("a.cu", Hash::of(b"text of a file"));
        let entry = Packed::new("a.cu", &intent, Some(b"text of a file")).unwrap();
        journal.add(&entry).unwrap();
        let mut bytes = std::fs::read(&path).unwrap();
        bytes[entry.text..].fill(0);
        std::fs::write(&path, bytes).unwrap();
        let mut texts = Texts::new();
        assert_eq!(read(&path, &mut texts), [("a.cu".to_owned(), intent)]);
        assert!(texts.is_empty());
    }

    #[test]
    fn the_first_journals_did_not_say_what_was_there() {
        let record = serde_json::to_value(&intent("a.cu", Hash::of(b"t")).record).unwrap();
        let old = serde_json::json!({ "path": "a.cu", "record": record }).to_string();
        let json = old.as_bytes();
        let payload = [&(json.len() as u32).to_le_bytes(), json].concat();
        let length = (payload.len() as u32).to_le_bytes();
        let bytes = [&length, &Hash::of(&payload).0[..8], &payload].concat();
        let (entry, ..) = entry(&bytes, 0).expect("it is whole");
        assert_eq!((entry.path.as_str(), entry.before), ("a.cu", None));
    }
}
