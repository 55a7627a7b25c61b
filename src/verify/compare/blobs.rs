//! Binary files, binary standard output, and buffers that the device copied back.

use anyhow::Result;

use super::bench::Bench;
use super::numbers::Verdict;
use crate::verify::digest::{Digest, NumberType};
use crate::verify::finding::{Difference, Kind};
use crate::verify::manifest::Judgement;
use crate::verify::record::{CaseIndex, Entry, Record};

/// Compares the binary files of a case.
pub(super) fn files<'j>(
    want: &CaseIndex,
    got: &CaseIndex,
    judgement: &'j Judgement,
) -> Vec<Bench<'j>> {
    let mut benches = Vec::new();
    for (name, digest) in &want.blobs {
        let mut bench = Bench::new(name, judgement, want.head.runs);
        match got.blobs.iter().find(|(other, _)| other == name) {
            Some((_, other)) => {
                digests(&mut bench, (digest, other), Kind::FileDiffers, name);
            }
            None => {
                let message = format!("the port does not write `{name}` as binary data");
                bench.found(Difference::new(Kind::FileMissing, name, message));
            }
        }
        benches.push(bench);
    }
    for (name, _) in &got.blobs {
        let is_known = want.blobs.iter().any(|(other, _)| other == name)
            || want.texts.iter().any(|(other, _)| other == name);
        if !is_known {
            let mut bench = Bench::new(name, judgement, want.head.runs);
            let message = format!("only the port writes `{name}`");
            bench.found(Difference::new(Kind::FileExtra, name, message));
            benches.push(bench);
        }
    }
    benches
}

/// Compares what the device copied back, in order.
pub(super) fn buffers<'j>(
    (record, want): (&Record, &CaseIndex),
    (run, got): (&Record, &CaseIndex),
    judgement: &'j Judgement,
) -> Result<Option<Bench<'j>>> {
    let (Some(_), Some(_)) = (want.end.device.first(), got.end.device.first()) else {
        return Ok(None);
    };
    let mut bench = Bench::new("buffers", judgement, want.head.runs);
    let mut wanted = copies(record, want)?;
    let mut gotten = copies(run, got)?;
    let mut number = 0;
    loop {
        let (a, b) = (wanted.next().transpose()?, gotten.next().transpose()?);
        number += 1;
        let (a, b) = match (a, b) {
            (None, None) => break,
            (Some(a), Some(b)) if a.0.bytes == b.0.bytes => (a, b),
            (a, b) => {
                let size = |copy: Option<(Digest, bool)>| {
                    copy.map_or("nothing more".to_owned(), |c| {
                        format!("{} bytes", c.0.bytes)
                    })
                };
                let message = format!("copy {number}: {} in place of {}", size(b), size(a));
                bench.found(Difference::new(Kind::CopiesDiffer, "buffers", message));
                break;
            }
        };
        if a.1 {
            let name = format!("copy {number}");
            digests(&mut bench, (&a.0, &b.0), Kind::BufferDiffers, &name);
        } else {
            bench.left_out("copies that differ between runs of the original");
        }
    }
    Ok(Some(bench))
}

fn copies(
    record: &Record,
    case: &CaseIndex,
) -> Result<impl Iterator<Item = Result<(Digest, bool)>> + use<>> {
    let (at, count) = case.copies;
    let entries = record.entries(at)?.take(count);
    Ok(entries.map(|entry| match entry? {
        Entry::Copy { digest, stable } => Ok((digest, stable)),
        _ => anyhow::bail!("a copy was expected"),
    }))
}

fn digests(bench: &mut Bench<'_>, (want, got): (&Digest, &Digest), kind: Kind, name: &str) {
    bench.compared.items += 1;
    if want.bytes != got.bytes {
        let message = format!("{name}: {} bytes in place of {}", got.bytes, want.bytes);
        bench.found(Difference::new(kind, &bench.place, message));
        return;
    }
    let judgement = bench.judgement;
    let number = judgement.number.unwrap_or_else(|| want.looks_like());
    let pairs: Vec<(f64, f64)> = want
        .values(number)
        .into_iter()
        .zip(got.values(number))
        .collect();
    let bits = if number == NumberType::F64 { 53 } else { 24 };
    let (mut outside, mut first) = (0_usize, None);
    for (a, b) in &pairs {
        bench.numbers.fits.add_value(*a, *b, bits);
        let verdict = bench
            .numbers
            .value(*a, *b, judgement.tolerance, &mut bench.compared);
        if verdict == Verdict::Outside {
            outside += 1;
            first.get_or_insert((*a, *b));
        }
    }
    if want.hash == got.hash {
        bench.numbers.exact += u64::from(number == NumberType::Exact);
        return;
    }
    let message = if let Some((a, b)) = first {
        format!(
            "{name}: {outside} of {} numbers outside of the tolerance, the first is {b:e} in place of {a:e}",
            pairs.len()
        )
    } else if number == NumberType::Exact {
        bench.numbers.exact += 1;
        format!("{name}: {} bytes differ from the original's", want.bytes)
    } else if let Some(block) = sums(want, got, number, judgement) {
        format!("{name}: the sum over block {block} is outside of the tolerance")
    } else {
        return;
    };
    bench.found(Difference::new(kind, &bench.place, message));
}

/// The first block whose sum differs by more than its numbers may.
fn sums(want: &Digest, got: &Digest, number: NumberType, judgement: &Judgement) -> Option<usize> {
    let width = if number == NumberType::F64 { 8.0 } else { 4.0 };
    let tolerance = judgement.tolerance;
    let (a, b) = (want.block_sums(number), got.block_sums(number));
    let count = want.bytes as f64 / width / a.len().max(1) as f64;
    // One value of single precision is up to 1.2e-7 of a number.
    let rel = tolerance.rel.max(f64::from(tolerance.ulp) * 1.2e-7);
    let differs = |((a, size), (b, _)): &((f64, f64), (f64, f64))| {
        (a - b).abs() > rel * size + count * tolerance.abs
    };
    let mut blocks = a.into_iter().zip(b);
    blocks.position(|block| differs(&block))
}
