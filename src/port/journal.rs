//! What a run has written so far. Each entry is on the disk before the file that it speaks of, so that a run that is killed leaves
//! nothing of which the next one would think that a person wrote it.

use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::pack::{Place, Texts};
use super::{Hash, Record};

/// How the names of journals begin.
pub(super) const PREFIX: &str = "journal-";
/// Length and check of an entry.
const HEAD: usize = 12;

/// One entry: the record of a file, and where its text lies behind it.
#[derive(Debug, PartialEq, Deserialize)]
struct Entry {
    path: String,
    record: Record,
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

    /// Adds an entry; says where its text lies.
    pub(super) fn add(&mut self, entry: &Packed) -> io::Result<Place> {
        self.file.write_all(&entry.bytes)?;
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
    bytes: Vec<u8>,
    /// Where its text begins.
    text: usize,
}

impl Packed {
    /// The record of a file with the compressed text, which may be empty for none.
    pub(super) fn new(path: &str, record: &Record, packed: &[u8]) -> io::Result<Self> {
        #[derive(Serialize)]
        struct Entry<'e> {
            path: &'e str,
            record: &'e Record,
        }
        let json = serde_json::to_vec(&Entry { path, record })?;
        let text = HEAD + 4 + json.len();
        let mut bytes = Vec::with_capacity(text + packed.len());
        bytes.resize(HEAD, 0);
        bytes.extend_from_slice(&(json.len() as u32).to_le_bytes());
        bytes.extend_from_slice(&json);
        bytes.extend_from_slice(packed);
        let length = ((bytes.len() - HEAD) as u32).to_le_bytes();
        let check = Hash::of(&bytes[HEAD..]);
        bytes[..4].copy_from_slice(&length);
        bytes[4..HEAD].copy_from_slice(&check.0[..HEAD - 4]);
        Ok(Self { bytes, text })
    }
}

/// Reads what a run left that came to no end, as far as it is whole; texts are added to `texts`.
pub(super) fn read(path: &Path, texts: &mut Texts) -> Vec<(String, Record)> {
    let (mut found, mut bytes) = (Vec::new(), Vec::new());
    let read = File::open(path).and_then(|mut file| file.read_to_end(&mut bytes));
    if read.is_err() {
        return found;
    }
    let mut at = 0;
    while let Some((entry, text, end)) = entry(&bytes, at) {
        if !text.is_empty() {
            let place = Place {
                file: path.to_path_buf(),
                offset: text.start as u64,
                length: text.len() as u32,
            };
            texts.insert(entry.record.base.hash, place);
        }
        found.push((entry.path, entry.record));
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
    if Hash::of(payload).0[..8] != bytes[at + 4..start] {
        return None;
    }
    let json = number(payload.get(..4)?)?;
    let entry = serde_json::from_slice(payload.get(4..4 + json)?).ok()?;
    let end = start + length;
    Some((entry, start + 4 + json..end, end))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::port::pack::{compressed, text};
    use crate::port::{Kind, Mark};

    #[test]
    fn a_journal_that_is_cut_anywhere_keeps_its_whole_entries() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal-x");
        let mut journal = Journal::new(path.clone(), File::create(&path).unwrap());
        let mut ends = vec![0];
        for name in ["a.cu", "b.cu"] {
            let hash = Hash::of(name.as_bytes());
            let kind = Kind::File;
            let record = Record::new(name.to_owned(), hash, Mark { kind, hash });
            let packed = compressed(name.as_bytes());
            journal
                .add(&Packed::new(name, &record, &packed).unwrap())
                .unwrap();
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
            for (name, record) in found {
                assert_eq!(
                    text(&texts, record.base.hash).as_deref(),
                    Some(name.as_bytes())
                );
            }
        }
    }
}
