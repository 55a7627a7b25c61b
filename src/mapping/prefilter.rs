use std::sync::LazyLock;

use rustc_hash::FxHashMap;

/// Literals of which every text that uses CUDA holds at least one: the `stems` of the tables. Keys of the tables contain one of them or are
/// marked `context`; a test holds the tables to it.
const STEMS: &[&str] = include!(concat!(env!("OUT_DIR"), "/stems.rs"));

/// The literals by their first three bytes. Every start of the program builds this, so it is no automaton, which takes a millisecond.
struct Stems {
    /// A bit for each hash that the first bytes of a literal have.
    hashes: Box<[u64; HASHES / 64]>,
    by_start: FxHashMap<[u8; START], Vec<&'static [u8]>>,
}

const START: usize = 3;
const HASHES: usize = 1 << 16;

static MATCHER: LazyLock<Stems> = LazyLock::new(|| {
    let mut stems = Stems {
        hashes: Box::new([0; HASHES / 64]),
        by_start: FxHashMap::default(),
    };
    for stem in STEMS.iter().map(|stem| stem.as_bytes()) {
        let start = *stem
            .first_chunk()
            .expect("stems have three bytes, the build says so");
        let hash = hash(start);
        stems.hashes[hash / 64] |= 1 << (hash % 64);
        stems.by_start.entry(start).or_default().push(stem);
    }
    stems
});

fn hash(start: [u8; START]) -> usize {
    let [a, b, c] = start;
    (u32::from_le_bytes([a, b, c, 0]).wrapping_mul(0x9e37_79b1) >> 16) as usize
}

impl Stems {
    fn starts(&self, bytes: &[u8]) -> bool {
        let start = bytes
            .first_chunk()
            .and_then(|start| self.by_start.get(start));
        start.is_some_and(|stems| stems.iter().any(|stem| bytes.starts_with(stem)))
    }
}

/// Whether a text can hold anything that concerns CUDA; what does not is copied without being read further.
pub fn mentions_cuda(bytes: &[u8]) -> bool {
    let stems = &*MATCHER;
    bytes.windows(START).enumerate().any(|(at, start)| {
        let hash = hash([start[0], start[1], start[2]]);
        stems.hashes[hash / 64] & (1 << (hash % 64)) != 0 && stems.starts(&bytes[at..])
    })
}

/// The literals of the prefilter.
pub fn stems() -> &'static [&'static str] {
    STEMS
}

/// Literals of which every text that uses HIP holds at least one.
const HIP_STEMS: &[&[u8]] = &[b"hip", b"HIP", b"roc", b"miopen", b"MIOPEN", b"rccl"];

/// Whether a text can hold anything that concerns HIP.
pub(super) fn mentions_hip(bytes: &[u8]) -> bool {
    HIP_STEMS
        .iter()
        .any(|stem| memchr::memmem::find(bytes, stem).is_some())
}
