//! What is kept of bytes that are no text: a hash, numbers at fixed places, and sums over blocks, so that two machines can compare
//! arrays by tolerance without carrying them.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// Words of 8 bytes kept of each file.
const SAMPLES: u64 = 256;
/// Blocks with sums of their own.
const BLOCKS: u64 = 32;
/// Larger magnitudes are taken for other types than the one they are read as.
const WILD: f64 = 1e30;

/// What is known of some bytes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Digest {
    /// How many there are.
    pub(super) bytes: u64,
    /// Their hash in hexadecimal: equal hashes mean equal bytes.
    pub(super) hash: String,
    /// Words of 8 bytes, little endian, at places that depend on the size alone.
    pub(super) samples: Vec<u64>,
    /// By block: sum and sum of magnitudes, read as single and as double precision.
    pub(super) sums: Vec<[f64; 4]>,
    /// Every byte is the same as its neighbour 8 bytes on.
    pub(super) constant: bool,
}

/// How bytes are read as numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum NumberType {
    /// Single precision.
    F32,
    /// Double precision.
    F64,
    /// No floating point: equal or different.
    Exact,
}

/// The digest of a file, read once.
pub(super) fn of_file(path: &Path) -> io::Result<Digest> {
    let mut file = File::open(path)?;
    let bytes = file.metadata()?.len();
    let mut taker = Taker::new(bytes);
    let mut buffer = vec![0; 1 << 16];
    let mut kept = 0;
    loop {
        let count = file.read(&mut buffer[kept..])?;
        if count == 0 {
            break;
        }
        taker.hash.update(&buffer[kept..kept + count]);
        let whole = (kept + count) / 8 * 8;
        for word in buffer[..whole].chunks_exact(8) {
            taker.word(u64::from_le_bytes(word.try_into().expect("8 bytes")));
        }
        buffer.copy_within(whole..kept + count, 0);
        kept = kept + count - whole;
    }
    Ok(taker.finish())
}

struct Taker {
    words: u64,
    seen: u64,
    next_sample: u64,
    hash: Sha256,
    digest: Digest,
    first: Option<u64>,
}

impl Taker {
    fn new(bytes: u64) -> Self {
        Self {
            words: bytes / 8,
            seen: 0,
            next_sample: 0,
            hash: Sha256::new(),
            digest: Digest {
                bytes,
                constant: true,
                ..Digest::default()
            },
            first: None,
        }
    }

    fn word(&mut self, word: u64) {
        // A file that grows while it is read has no more places than it had.
        if self.seen >= self.words {
            return;
        }
        let samples = SAMPLES.min(self.words);
        if self.next_sample < samples && self.seen == self.next_sample * self.words / samples {
            self.digest.samples.push(word);
            self.next_sample += 1;
        }
        let block = self.seen * BLOCKS.min(self.words) / self.words;
        if block as usize >= self.digest.sums.len() {
            self.digest.sums.push([0.0; 4]);
        }
        let sums = self.digest.sums.last_mut().expect("a block was begun");
        add(sums, word);
        self.digest.constant &= *self.first.get_or_insert(word) == word;
        self.seen += 1;
    }

    fn finish(mut self) -> Digest {
        let hash = self.hash.finalize();
        self.digest.hash = hash[..16]
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        self.digest
    }
}

fn add(sums: &mut [f64; 4], word: u64) {
    let mut sum = |at: usize, value: f64| {
        if value.abs() < WILD {
            sums[at] += value;
            sums[at + 1] += value.abs();
        }
    };
    let [low, high] = halves(word);
    sum(0, low);
    sum(0, high);
    sum(2, f64::from_bits(word));
}

fn halves(word: u64) -> [f64; 2] {
    [word as u32, (word >> 32) as u32].map(|bits| f64::from(f32::from_bits(bits)))
}

impl Digest {
    /// The samples as numbers of a type.
    pub(super) fn values(&self, number: NumberType) -> Vec<f64> {
        let words = self.samples.iter();
        match number {
            NumberType::F32 => words.flat_map(|word| halves(*word)).collect(),
            NumberType::F64 => words.map(|word| f64::from_bits(*word)).collect(),
            NumberType::Exact => Vec::new(),
        }
    }

    /// Sum and sum of magnitudes by block.
    pub(super) fn block_sums(&self, number: NumberType) -> Vec<(f64, f64)> {
        let at = if number == NumberType::F64 { 2 } else { 0 };
        self.sums.iter().map(|s| (s[at], s[at + 1])).collect()
    }

    /// The type that the samples look like: numbers of a physical size or next to nothing, as the tails of a Gauss curve are, not bits of
    /// something else. Small integers read as floats are denormals, below all of these.
    pub(super) fn looks_like(&self) -> NumberType {
        let looks = |number| {
            let values = self.values(number);
            let is_plain = |value: &&f64| **value == 0.0 || (1e-37..1e18).contains(&value.abs());
            let plain = values.iter().filter(is_plain).count();
            let some = values.iter().any(|value| *value != 0.0);
            some && plain * 10 >= values.len() * 9
        };
        // The low half of a double is zero in whole numbers: as single precision it would be nothing.
        let is_double = self.samples.iter().all(|word| *word as u32 == 0);
        if looks(NumberType::F32) && !(is_double && looks(NumberType::F64)) {
            NumberType::F32
        } else if looks(NumberType::F64) {
            NumberType::F64
        } else {
            NumberType::Exact
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digest(bytes: &[u8]) -> Digest {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x");
        std::fs::write(&path, bytes).unwrap();
        of_file(&path).unwrap()
    }

    #[test]
    fn types_are_recognised() {
        let singles: Vec<u8> = (0..1000)
            .flat_map(|i| (i as f32 * 0.37).to_le_bytes())
            .collect();
        assert_eq!(digest(&singles).looks_like(), NumberType::F32);
        let doubles: Vec<u8> = (0..1000)
            .flat_map(|i| (f64::from(i) * 0.37).to_le_bytes())
            .collect();
        assert_eq!(digest(&doubles).looks_like(), NumberType::F64);
        let wholes: Vec<u8> = (0..1000).flat_map(|i| f64::from(i).to_le_bytes()).collect();
        assert_eq!(digest(&wholes).looks_like(), NumberType::F64);
        let tails: Vec<u8> = (0..1000)
            .flat_map(|i| (-(i as f32 * 0.08)).exp().to_le_bytes())
            .collect();
        assert_eq!(digest(&tails).looks_like(), NumberType::F32);
        let integers: Vec<u8> = (0..1000).flat_map(|i: i32| i.to_le_bytes()).collect();
        assert_eq!(digest(&integers).looks_like(), NumberType::Exact);
    }

    #[test]
    fn all_words_are_in_the_sums_whatever_the_buffer() {
        let bytes: Vec<u8> = (0..100_003)
            .flat_map(|_| 1.0_f32.to_le_bytes())
            .chain([1, 2, 3])
            .collect();
        let digest = digest(&bytes);
        let sum: f64 = digest.block_sums(NumberType::F32).iter().map(|s| s.0).sum();
        assert_eq!(sum, 100_002.0);
        assert_eq!(digest.samples.len(), 256);
        assert!(digest.constant);
    }
}
