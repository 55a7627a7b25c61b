//! What a run has written so far. Each entry is on the disk before the file that it speaks of, so that a run that is killed leaves
//! nothing of which the next one would think that a person wrote it.

use std::fs::File;
use std::io::{self, BufReader, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::content::LARGEST_TEXT;
use super::pack::{self, Place, Texts};
use super::source::Source;
use super::{Hash, Mark, Record};
use crate::emit::fault;
use crate::pipeline::open_regular;

/// How the names of journals begin.
pub(super) const PREFIX: &str = "journal-";
/// Length and check of an entry.
const HEAD: usize = 12;
/// Bytes that the rest of an entry may have: a text that does not get smaller, and the record with a path that is as long as any.
const LARGEST: usize = LARGEST_TEXT as usize + (1 << 20);

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
    /// Where its texts are read again.
    source: Arc<Source>,
    length: u64,
}

impl Journal {
    pub(super) fn new(path: PathBuf, file: File) -> Self {
        let source = Source::at(&path);
        Self {
            path,
            file,
            source,
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
            file: Arc::clone(&self.source),
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
///
/// # Errors
/// When it cannot be opened or is no regular file.
pub(super) fn read(path: &Path, texts: &mut Texts) -> io::Result<Vec<(String, Intent)>> {
    let opened = open_regular(path)?.0;
    let file = Source::of(path, &opened);
    let mut reader = BufReader::new(opened);
    let (mut found, mut head, mut payload) = (Vec::new(), [0; HEAD], Vec::new());
    let mut at = HEAD as u64;
    while reader.read_exact(&mut head).is_ok() {
        let length = number(&head).unwrap_or_default();
        payload.resize(length.min(LARGEST), 0);
        if length > LARGEST || reader.read_exact(&mut payload).is_err() {
            break;
        }
        let Some((entry, text)) = entry(&head, &payload) else {
            break;
        };
        let hash = entry.record.base.hash;
        if pack::unpacked(&payload[text..], hash).is_some() {
            let place = Place {
                file: Arc::clone(&file),
                offset: at + text as u64,
                length: (length - text) as u32,
            };
            texts.insert(hash, place);
        }
        let Entry {
            path,
            record,
            before,
        } = entry;
        found.push((path, Intent { record, before }));
        at += (length + HEAD) as u64;
    }
    Ok(found)
}

fn number(bytes: &[u8]) -> Option<usize> {
    let bytes = bytes.first_chunk()?;
    Some(u32::from_le_bytes(*bytes) as usize)
}

/// The entry that a head and what follows it hold, and where its text begins.
fn entry(head: &[u8; HEAD], payload: &[u8]) -> Option<(Entry, usize)> {
    let text = number(payload)?.checked_add(4)?;
    let record = payload.get(..text)?;
    let is_check = |bytes: &[u8]| Hash::of(bytes).0[..HEAD - 4] == head[4..];
    // The first journals had the text in the check.
    if !is_check(record) && !is_check(payload) {
        return None;
    }
    Some((serde_json::from_slice(&record[4..]).ok()?, text))
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
            let found = read(&path, &mut texts).unwrap();
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
        let found = read(&path, &mut texts).unwrap();
        assert_eq!(found, [("a.cu".to_owned(), intent)]);
        assert!(texts.is_empty());
    }

    #[test]
    fn the_first_journals_did_not_say_what_was_there() {
        let record = serde_json::to_value(&intent("a.cu", Hash::of(b"t")).record).unwrap();
        let old = serde_json::json!({ "path": "a.cu", "record": record }).to_string();
        let json = old.as_bytes();
        let payload = [&(json.len() as u32).to_le_bytes(), json].concat();
        let mut head = [0; HEAD];
        head[4..].copy_from_slice(&Hash::of(&payload).0[..8]);
        let (entry, _) = entry(&head, &payload).expect("it is whole");
        assert_eq!((entry.path.as_str(), entry.before), ("a.cu", None));
    }
}
