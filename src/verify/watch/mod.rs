//! The library that is loaded into a HIP or CUDA program to see what it does with the device. It is C, built with this program and
//! part of it, so that whoever uses it needs no compiler; it is linked against nothing, so that it fits any glibc.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use super::digest::Digest;
use super::record::{Device, Kernel};
use crate::emit;

/// The library; empty where the system has no preloading as Linux has it.
const LIBRARY: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/watch.so"));

// The layout of `watch.c`.
const NAME: usize = 240;
const COUNTERS: usize = 8;
const SAMPLES: usize = 64;
const BLOCKS: usize = 16;
const COPY: usize = (5 + SAMPLES + 1 + 4 * BLOCKS) * 8;

/// What was seen of one run.
#[derive(Debug, Default)]
pub(super) struct Seen {
    pub(super) device: Device,
    pub(super) kernels: Vec<Kernel>,
    pub(super) copies: Vec<Digest>,
}

/// Puts the library into a folder.
pub(super) fn install(folder: &Path) -> Result<PathBuf> {
    if LIBRARY.is_empty() {
        bail!("--buffers looks into programs on Linux only");
    }
    let path = folder.join("libcass-watch.so");
    emit::write(&path, LIBRARY, None)?;
    Ok(path)
}

/// The variable that tells the library where to write.
pub(super) fn variable(folder: &Path) -> (OsString, OsString) {
    (OsString::from("CASS_VERIFY_WATCH"), folder.into())
}

/// Reads what the library wrote: the processes of a run together.
pub(super) fn read(folder: &Path) -> Result<Seen> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)?
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<_>>()?;
    let number = |path: &PathBuf| -> u64 {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        stem.parse().unwrap_or(u64::MAX)
    };
    files.sort_by_key(number);
    let mut seen = Seen::default();
    for path in files {
        let bytes =
            std::fs::read(&path).with_context(|| format!("{}: cannot be read", path.display()))?;
        match path.extension().and_then(|ending| ending.to_str()) {
            Some("counts") => counts(&bytes, &mut seen),
            Some("copies") => seen.copies.extend(bytes.chunks_exact(COPY).map(copy)),
            _ => {}
        }
    }
    Ok(seen)
}

fn word(bytes: &[u8], at: usize) -> u64 {
    let word = bytes.get(8 * at..8 * at + 8);
    word.map_or(0, |word| {
        u64::from_le_bytes(word.try_into().expect("8 bytes"))
    })
}

fn counts(bytes: &[u8], seen: &mut Seen) {
    let device = &mut seen.device;
    for (at, count) in [
        &mut device.launches,
        &mut device.failed_launches,
        &mut device.copies,
        &mut device.unwaited,
        &mut device.unsynchronised,
        &mut device.hidden_streams,
        &mut device.no_device,
    ]
    .into_iter()
    .enumerate()
    {
        *count += word(bytes, at);
    }
    let kernels = word(bytes, COUNTERS - 1) as usize;
    let entries = bytes.get(8 * COUNTERS..).unwrap_or_default();
    for entry in entries.chunks_exact(NAME + 16).take(kernels) {
        let name = entry[..NAME].split(|byte| *byte == 0).next();
        let name = String::from_utf8_lossy(name.unwrap_or_default()).into_owned();
        let (launches, threads) = (word(entry, NAME / 8), word(entry, NAME / 8 + 1));
        match seen.kernels.iter_mut().find(|kernel| kernel.name == name) {
            Some(kernel) => {
                kernel.launches += launches;
                kernel.threads += threads;
            }
            None => seen.kernels.push(Kernel {
                name,
                launches,
                threads,
            }),
        }
    }
}

fn copy(bytes: &[u8]) -> Digest {
    let samples = (word(bytes, 4) as usize).min(SAMPLES);
    let blocks = (word(bytes, 5 + SAMPLES) as usize).min(BLOCKS);
    let sum = |at: usize| f64::from_bits(word(bytes, 6 + SAMPLES + at));
    Digest {
        bytes: word(bytes, 0),
        hash: format!("{:016x}{:016x}", word(bytes, 1), word(bytes, 2)),
        constant: word(bytes, 3) != 0,
        samples: (0..samples).map(|at| word(bytes, 5 + at)).collect(),
        sums: (0..blocks)
            .map(|block| std::array::from_fn(|part| sum(4 * block + part)))
            .collect(),
    }
}
