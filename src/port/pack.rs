//! `base.pack`: the text of each file as it was written last, compressed one by one and ordered by hash, so that equal runs write equal
//! packs and git finds what two packs share.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::{self, BufReader, Read, Write};
use std::path::Path;
use std::sync::Arc;

use flate2::read::DeflateDecoder;
use lz4_flex::block::{self, CompressTable};

use super::Hash;
use super::content::LARGEST_TEXT;
use super::held::Held;
use super::source::Source;
use crate::pipeline::open_regular;

/// The first line; the number grows when the form changes.
const HEAD: &[u8] = b"cass-base 2\n";
/// The first line of packs whose texts are all in deflate.
const OLD_HEAD: &[u8] = b"cass-base 1\n";
/// What a text in LZ4 begins with. No text in deflate does: these bits announce a block of the kind that is reserved (RFC 1951, 3.2.3).
const LZ4: u8 = 0b110;
/// That byte and the length of the text, in four bytes.
const LZ4_HEAD: usize = 5;

/// Where a compressed text lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) file: Arc<Source>,
    pub(super) offset: u64,
    pub(super) length: u32,
}

/// Texts by their hash.
pub(super) type Texts = BTreeMap<Hash, Place>;

/// Hands over a text as it is stored. LZ4 takes a third of the time of the fastest deflate for a quarter more bytes.
pub(super) fn with_compressed<T>(text: &[u8], take: impl FnOnce(&[u8]) -> T) -> T {
    // To make the table and the room anew takes a sixth of the time for a file of ordinary size.
    thread_local! {
        // A small table finds other repetitions: a pack must not depend on what its thread packed before.
        static WORK: RefCell<(CompressTable, Vec<u8>)> = RefCell::new((CompressTable::large(), Vec::new()));
    }
    WORK.with_borrow_mut(|(table, room)| {
        let size = LZ4_HEAD + block::get_maximum_output_size(text.len());
        room.resize(size.max(room.len()), 0);
        room[0] = LZ4;
        room[1..LZ4_HEAD].copy_from_slice(&(text.len() as u32).to_le_bytes());
        let packed = block::compress_into_with_table(text, &mut room[LZ4_HEAD..], table);
        let length = packed.expect("there is room for the worst case");
        take(&room[..LZ4_HEAD + length])
    })
}

/// The text of a hash; `None` when it is not there or not what it was.
pub(super) fn text(texts: &Texts, hash: Hash) -> Option<Vec<u8>> {
    let place = texts.get(&hash)?;
    unpacked(&stored(place).ok()?, hash)
}

/// The text that is stored as these bytes; `None` when its hash is another.
pub(super) fn unpacked(packed: &[u8], hash: Hash) -> Option<Vec<u8>> {
    let text = match packed.split_first()? {
        (&LZ4, packed) => {
            let (size, packed) = block::uncompressed_size(packed).ok()?;
            let is_possible = size as u64 <= LARGEST_TEXT;
            is_possible.then(|| block::decompress(packed, size).ok())??
        }
        _ => inflated(packed)?,
    };
    (Hash::of(&text) == hash).then_some(text)
}

fn inflated(packed: &[u8]) -> Option<Vec<u8>> {
    let mut text = Vec::new();
    let mut decoder = DeflateDecoder::new(packed).take(LARGEST_TEXT);
    decoder.read_to_end(&mut text).ok()?;
    Some(text)
}

fn stored(place: &Place) -> io::Result<Vec<u8>> {
    place.file.read(place.offset, place.length)
}

/// Where the texts of a pack lie: of one that is cut or damaged, those in front of the damage.
///
/// # Errors
/// When it cannot be opened or is no regular file.
pub(super) fn index(file: &Path) -> io::Result<Texts> {
    let mut texts = Texts::new();
    let (opened, _) = open_regular(file)?;
    // One for all texts: a pack may say that it has millions.
    let source = Source::of(file, &opened);
    let (mut reader, mut head) = (BufReader::new(opened), [0; HEAD.len()]);
    let is_known = |head: &[u8]| head == HEAD || head == OLD_HEAD;
    if reader.read_exact(&mut head).is_err() || !is_known(&head) {
        return Ok(texts);
    }
    let mut offset = HEAD.len() as u64;
    let (mut hash, mut length) = ([0; 32], [0; 4]);
    while reader.read_exact(&mut hash).is_ok() && reader.read_exact(&mut length).is_ok() {
        let length = u32::from_le_bytes(length);
        offset += 36;
        let place = Place {
            file: Arc::clone(&source),
            offset,
            length,
        };
        texts.insert(Hash(hash), place);
        offset += u64::from(length);
        if reader.seek_relative(i64::from(length)).is_err() {
            break;
        }
    }
    Ok(texts)
}

/// Writes a pack of these texts; `held` are those that are in memory.
///
/// # Errors
/// When one cannot be read or the pack cannot be written.
pub(super) fn write(texts: &Texts, held: &Held, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(HEAD)?;
    for (hash, place) in texts {
        let read;
        let packed = match held.get(hash) {
            Some(packed) => packed,
            None => {
                read = stored(place)?;
                &read
            }
        };
        out.write_all(&hash.0)?;
        out.write_all(&(packed.len() as u32).to_le_bytes())?;
        out.write_all(packed)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use flate2::Compression;
    use flate2::write::DeflateEncoder;
    use std::path::PathBuf;

    use super::*;

    fn index(file: &Path) -> Texts {
        super::index(file).unwrap()
    }

    fn packed(folder: &Path, texts: &[&[u8]]) -> PathBuf {
        let mut places = Texts::new();
        for (number, text) in texts.iter().enumerate() {
            let file = folder.join(number.to_string());
            let bytes = with_compressed(text, <[u8]>::to_vec);
            std::fs::write(&file, &bytes).unwrap();
            let length = bytes.len() as u32;
            let offset = 0;
            places.insert(
                Hash::of(text),
                Place {
                    file: Source::at(&file),
                    offset,
                    length,
                },
            );
        }
        let mut bytes = Vec::new();
        write(&places, &Held::new(1), &mut bytes).unwrap();
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

    /// What the first versions wrote: deflate, one text behind the other.
    fn old_pack(texts: &[&[u8]]) -> Vec<u8> {
        let mut pack = OLD_HEAD.to_vec();
        for text in texts {
            let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
            encoder.write_all(text).unwrap();
            let packed = encoder.finish().unwrap();
            pack.extend_from_slice(&Hash::of(text).0);
            pack.extend_from_slice(&(packed.len() as u32).to_le_bytes());
            pack.extend_from_slice(&packed);
        }
        pack
    }

    #[test]
    fn packs_of_the_first_versions_are_read_and_their_texts_go_along() {
        let folder = tempfile::tempdir().unwrap();
        let all: [&[u8]; 3] = [b"", b"a\n", &[b'x'; 100_000]];
        let old = folder.path().join("old");
        std::fs::write(&old, old_pack(&all)).unwrap();
        let mut texts = index(&old);
        let read =
            |texts: &Texts| all.map(|one| text(texts, Hash::of(one)).is_some_and(|it| it == one));
        assert_eq!(read(&texts), [true; 3]);
        texts.extend(index(&packed(folder.path(), &[b"new\n"])));
        let mut bytes = Vec::new();
        write(&texts, &Held::new(1), &mut bytes).unwrap();
        let both = folder.path().join("both");
        std::fs::write(&both, bytes).unwrap();
        assert_eq!(read(&index(&both)), [true; 3]);
        assert!(text(&index(&both), Hash::of(b"new\n")).is_some());
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
