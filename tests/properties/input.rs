//! What the properties are asked about, in each language: random sequences of pieces, sources with pieces cut, doubled and swapped, and
//! any bytes.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use proptest::prelude::*;
use proptest::sample::{Index, select};

use crate::pieces::{BUILD, CPP, PTX, PYTHON};

/// Bytes of a long input.
const LONG: usize = 5000;

/// Bytes that a failure shows as text.
#[derive(Clone)]
pub(crate) struct RandomSource(pub(crate) Vec<u8>);

impl std::fmt::Debug for RandomSource {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "b\"{}\"", self.0.escape_ascii())
    }
}

/// What an input is written in.
pub(crate) struct Tongue {
    /// Its file, whose name decides who reads it.
    pub(crate) file: &'static str,
    /// How the names of sources end that are written in it.
    endings: &'static [&'static str],
    /// What random inputs are made of.
    pieces: &'static [&'static [u8]],
}

/// Each language that somebody reads; C++ is the first.
pub(crate) const TONGUES: [Tongue; 9] = [
    Tongue {
        file: "random.cu",
        endings: &[".cu", ".cuh", ".c", ".cc", ".cpp", ".h", ".hpp", ".inl"],
        pieces: CPP,
    },
    Tongue {
        file: "random.py",
        endings: &[".py"],
        pieces: PYTHON,
    },
    Tongue {
        file: "CMakeLists.txt",
        endings: &[".cmake", "CMakeLists.txt"],
        pieces: BUILD,
    },
    Tongue {
        file: "Makefile",
        endings: &[".mk", "Makefile"],
        pieces: BUILD,
    },
    Tongue {
        file: "random.sh",
        endings: &[".sh"],
        pieces: BUILD,
    },
    Tongue {
        file: "random.ipynb",
        endings: &[".ipynb"],
        pieces: PYTHON,
    },
    Tongue {
        file: "random.ptx",
        endings: &[".ptx"],
        pieces: PTX,
    },
    Tongue {
        file: "random.go",
        endings: &[".go", ".rs"],
        pieces: CPP,
    },
    Tongue {
        file: "Dockerfile",
        endings: &[".dockerfile", ".bat", ".bzl", ".vcxproj", ".m4"],
        pieces: BUILD,
    },
];

impl Tongue {
    /// The language of a file, by the end of its name.
    pub(crate) fn of(path: &Path) -> Option<&'static Self> {
        Self::place(path).map(|at| &TONGUES[at])
    }

    fn place(path: &Path) -> Option<usize> {
        let name = path.to_string_lossy();
        let is_of = |it: &Self| it.endings.iter().any(|ending| name.ends_with(ending));
        TONGUES.iter().position(is_of)
    }
}

/// Any input of C++.
pub(crate) fn input() -> impl Strategy<Value = RandomSource> {
    any_input(&TONGUES[0]).prop_map(RandomSource)
}

/// Inputs of a few lines, of which a second sees thousands: what is wrong shows between neighbours, and few are needed for it.
pub(crate) fn short_input(tongue: &'static Tongue) -> impl Strategy<Value = RandomSource> {
    let bytes = prop_oneof![10 => random_pieces(tongue, 24), 40 => mutant(tongue, 40..600), 1 => any_input(tongue)];
    bytes.prop_map(RandomSource)
}

fn any_input(tongue: &'static Tongue) -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![3 => random_pieces(tongue, 80), 3 => mutant(tongue, LONG..LONG + 1), 1 => any_bytes()]
}

fn any_bytes() -> impl Strategy<Value = Vec<u8>> {
    proptest::collection::vec(any::<u8>(), 0..200)
}

/// Pieces in any order, with and without blanks between them.
fn random_pieces(tongue: &'static Tongue, most: usize) -> impl Strategy<Value = Vec<u8>> {
    let piece = (select(tongue.pieces), any::<bool>());
    proptest::collection::vec(piece, 0..most).prop_map(|pieces| {
        let mut bytes = Vec::new();
        for (piece, blank) in pieces {
            bytes.extend_from_slice(piece);
            bytes.extend_from_slice(if blank { b" " } else { b"" });
        }
        bytes
    })
}

/// A source in which ranges are cut out, doubled, swapped or overwritten, pieces of any kind and of other sources inserted, and what
/// follows a place left out.
fn mutant(tongue: &'static Tongue, size: Range<usize>) -> impl Strategy<Value = Vec<u8>> {
    let at = TONGUES.iter().position(|it| it.file == tongue.file);
    let sources = &SOURCES[at.expect("one of them")];
    let change = (
        any::<Index>(),
        any::<Index>(),
        0usize..60,
        0u8..22,
        select(tongue.pieces),
    );
    let changes = proptest::collection::vec(change, 0..6);
    let place = (any::<Index>(), any::<Index>(), size);
    (place, changes).prop_map(|((which, from, size), changes)| {
        let mut bytes = window(&sources[which.index(sources.len())], from, size).to_vec();
        for (at, other, len, kind, piece) in changes {
            let start = at.index(bytes.len() + 1);
            let mut range = start..(start + len).min(bytes.len());
            if kind >= 16 {
                range = whole_words(&bytes, range);
            }
            let old = &bytes[range.clone()];
            let new = match kind {
                0..3 | 16 | 17 => Vec::new(),
                3..6 | 18 => [old, old].concat(),
                6..9 => piece.to_vec(),
                9..12 | 19 => [piece, old].concat(),
                12..15 => {
                    swap(&mut bytes, range, other);
                    continue;
                }
                15 => {
                    bytes.truncate(start);
                    continue;
                }
                _ => [
                    window(&sources[other.index(sources.len())], at, len * 3),
                    old,
                ]
                .concat(),
            };
            bytes.splice(range, new);
        }
        bytes
    })
}

/// A range that begins and ends between words.
fn whole_words(bytes: &[u8], range: Range<usize>) -> Range<usize> {
    let is_within = |at: usize| {
        let is_word = |at: usize| {
            let byte = bytes.get(at);
            byte.is_some_and(|it| it.is_ascii_alphanumeric() || *it == b'_')
        };
        at > 0 && is_word(at - 1) && is_word(at)
    };
    let edge = |at: usize| (at..bytes.len()).find(|&at| !is_within(at));
    let start = edge(range.start).unwrap_or(bytes.len());
    start..edge(range.end).unwrap_or(bytes.len()).max(start)
}

/// Long files say no more than short ones and take a debug build long: some lines of one.
fn window(bytes: &[u8], from: Index, size: usize) -> &[u8] {
    let start = from.index((bytes.len().saturating_sub(size) + 1).max(1));
    let start = memchr::memrchr(b'\n', &bytes[..start]).map_or(0, |at| at + 1);
    &bytes[start..(start + size).min(bytes.len())]
}

/// Lets a range change places with another of the same length.
fn swap(bytes: &mut [u8], range: Range<usize>, other: Index) {
    let other = other.index(bytes.len() + 1);
    for (left, right) in range.zip(other..) {
        if right < bytes.len() {
            bytes.swap(left, right);
        }
    }
}

/// Of each language the fixtures, or the sources below the folder that `CASS_PROPERTY_SOURCES` names.
static SOURCES: LazyLock<[Vec<Vec<u8>>; TONGUES.len()]> = LazyLock::new(|| {
    let fixtures = || Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let given = std::env::var_os("CASS_PROPERTY_SOURCES");
    let root = given.clone().map_or_else(fixtures, PathBuf::from);
    let mut texts = TONGUES.map(|_| Vec::new());
    for item in walkdir::WalkDir::new(root) {
        let path = item.expect("a folder of sources").into_path();
        if let Some(at) = Tongue::place(&path).filter(|_| path.is_file()) {
            texts[at].push(std::fs::read(&path).expect("readable"));
        }
    }
    for (tongue, texts) in TONGUES.iter().zip(&mut texts) {
        // The order of a folder is not the same everywhere; failures must be.
        texts.sort();
        assert!(
            given.is_some() || texts.len() > 3,
            "sources like {}",
            tongue.file
        );
        // A folder of one language has none of the others.
        if texts.is_empty() {
            texts.push(Vec::new());
        }
    }
    texts
});
