//! `base.pack`: the text of each file as it was written last, compressed one by one and ordered by hash, so that equal runs write equal
//! packs and git finds what two packs share.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek as _, SeekFrom, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;

use super::Hash;
use super::content::LARGEST_TEXT;

/// The first line; the number grows when the form changes.
const HEAD: &[u8] = b"cass-base 1\n";

/// Where a compressed text lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) file: PathBuf,
    pub(super) offset: u64,
    pub(super) length: u32,
}

/// Texts by their hash.
pub(super) type Texts = BTreeMap<Hash, Place>;

/// A text as it is stored. The fastest level: it takes half the time of the usual one for a tenth more bytes.
pub(super) fn compressed(text: &[u8]) -> io::Result<Vec<u8>> {
    // Its tables are 300 kB: to make them anew took longer than to compress a file of ordinary size.
    thread_local! {
        static ENCODER: RefCell<DeflateEncoder<Vec<u8>>> =
            RefCell::new(DeflateEncoder::new(Vec::new(), Compression::fast()));
    }
    ENCODER.with_borrow_mut(|encoder| {
        encoder.write_all(text)?;
        encoder.reset(Vec::new())
    })
}

/// The text of a hash; `None` when it is not there or not what it was.
pub(super) fn text(texts: &Texts, hash: Hash) -> Option<Vec<u8>> {
    let packed = stored(texts.get(&hash)?).ok()?;
    let mut text = Vec::new();
    let mut decoder = DeflateDecoder::new(packed.as_slice()).take(LARGEST_TEXT);
    decoder.read_to_end(&mut text).ok()?;
    (Hash::of(&text) == hash).then_some(text)
}

fn stored(place: &Place) -> io::Result<Vec<u8>> {
    let mut file = File::open(&place.file)?;
    file.seek(SeekFrom::Start(place.offset))?;
    let mut packed = Vec::new();
    file.take(u64::from(place.length))
        .read_to_end(&mut packed)?;
    Ok(packed)
}

/// Where the texts of a pack lie: of one that is cut or damaged, those in front of the damage.
pub(super) fn index(file: &Path) -> Texts {
    let mut texts = Texts::new();
    let Ok(opened) = File::open(file) else {
        return texts;
    };
    let (mut reader, mut head) = (BufReader::new(opened), [0; HEAD.len()]);
    if reader.read_exact(&mut head).is_err() || head != HEAD {
        return texts;
    }
    let mut offset = HEAD.len() as u64;
    let (mut hash, mut length) = ([0; 32], [0; 4]);
    while reader.read_exact(&mut hash).is_ok() && reader.read_exact(&mut length).is_ok() {
        let length = u32::from_le_bytes(length);
        offset += 36;
        let place = Place {
            file: file.to_path_buf(),
            offset,
            length,
        };
        texts.insert(Hash(hash), place);
        offset += u64::from(length);
        if reader.seek_relative(i64::from(length)).is_err() {
            break;
        }
    }
    texts
}

/// Writes a pack of these texts.
///
/// # Errors
/// When one cannot be read or the pack cannot be written.
pub(super) fn write(texts: &Texts, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(HEAD)?;
    for (hash, place) in texts {
        let packed = stored(place)?;
        out.write_all(&hash.0)?;
        out.write_all(&(packed.len() as u32).to_le_bytes())?;
        out.write_all(&packed)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packed(folder: &Path, texts: &[&[u8]]) -> PathBuf {
        let mut places = Texts::new();
        for (number, text) in texts.iter().enumerate() {
            let file = folder.join(number.to_string());
            let bytes = compressed(text).unwrap();
            std::fs::write(&file, &bytes).unwrap();
            let length = bytes.len() as u32;
            let offset = 0;
            places.insert(
                Hash::of(text),
                Place {
                    file,
                    offset,
                    length,
                },
            );
        }
        let mut bytes = Vec::new();
        write(&places, &mut bytes).unwrap();
        let pack = folder.join("pack");
        std::fs::write(&pack, bytes).unwrap();
        pack
    }

    #[test]
    fn texts_come_back() {
        let folder = tempfile::tempdir().unwrap();
        let all: [&[u8]; 3] = [b"", b"a\n", &[b'x'; 100_000]];
        let pack = packed(folder.path(), &all);
        let texts = index(&pack);
        for one in all {
            assert_eq!(text(&texts, Hash::of(one)).as_deref(), Some(one));
        }
        assert_eq!(text(&texts, Hash::of(b"other")), None);
    }

    #[test]
    fn damage_costs_the_texts_that_it_hits() {
        let folder = tempfile::tempdir().unwrap();
        let pack = packed(folder.path(), &[b"first\n", b"second\n"]);
        let mut bytes = std::fs::read(&pack).unwrap();
        let last = bytes.len() - 1;
        bytes[last] ^= 0x55;
        std::fs::write(&pack, &bytes).unwrap();
        let hashes = [Hash::of(b"first\n"), Hash::of(b"second\n")];
        let found = hashes.map(|hash| text(&index(&pack), hash).is_some());
        assert_eq!(found.iter().filter(|found| **found).count(), 1);
        std::fs::write(&pack, &bytes[..last / 2]).unwrap();
        assert!(index(&pack).len() <= 2);
        std::fs::write(&pack, b"other").unwrap();
        assert!(index(&pack).is_empty());
    }
}
