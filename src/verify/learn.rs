//! What differs between two runs of the same program: learned line by line, so that it is not held against the port.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Read as _};
use std::path::Path;

use anyhow::{Context as _, Result};

use super::align::{Align, Step};
use super::line::Line;
use super::record::{Entry, Known, put};
use super::tolerance::relative;

/// Numbers that differ by more are no rounding.
const MOST_NOISE: f64 = 1e-2;
/// Longest piece that is looked at as one line, in bytes.
const LONGEST: usize = 1 << 16;

/// Whether a file is text: no zero byte where one looks for it.
pub(super) fn is_text(path: &Path) -> Result<bool> {
    let mut start = Vec::new();
    let file = File::open(path).with_context(|| format!("{}: cannot be read", path.display()))?;
    file.take(1 << 16).read_to_end(&mut start)?;
    Ok(!start.contains(&0))
}

/// The lines of a text file: ended by any line end, carriage returns of progress bars included; bytes that are no UTF-8 stand for
/// the characters of Latin-1; lines of many kilobytes come in pieces.
pub(super) fn lines(path: &Path) -> Result<impl Iterator<Item = Result<Line>> + use<>> {
    let file = File::open(path).with_context(|| format!("{}: cannot be read", path.display()))?;
    let mut reader = BufReader::with_capacity(LONGEST, file);
    Ok(std::iter::from_fn(move || {
        loop {
            match piece(&mut reader) {
                Ok(None) => return None,
                // A line of blanks says nothing, and `\r\n` ends one line.
                Ok(Some(bytes)) if bytes.iter().all(u8::is_ascii_whitespace) => {}
                Ok(Some(bytes)) => return Some(Ok(Line::new(text(bytes)))),
                Err(error) => return Some(Err(error.into())),
            }
        }
    }))
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes)
        .unwrap_or_else(|error| error.as_bytes().iter().map(|b| char::from(*b)).collect())
}

fn piece(reader: &mut impl BufRead) -> std::io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    loop {
        let there = reader.fill_buf()?;
        if there.is_empty() {
            return Ok((!bytes.is_empty()).then_some(bytes));
        }
        let room = LONGEST.saturating_sub(bytes.len());
        let is_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
        let end = there.iter().position(is_end);
        // A line that never ends is cut at a blank, so that no number is.
        let cut = (end.is_none() && there.len() >= room).then(|| {
            let blank = there[..room.min(there.len())]
                .iter()
                .rposition(u8::is_ascii_whitespace);
            blank.map_or(there.len(), |at| at + 1)
        });
        let take = end.or(cut).unwrap_or(there.len());
        bytes.extend_from_slice(&there[..take]);
        reader.consume(take + usize::from(end.is_some()));
        if end.is_some() || cut.is_some() {
            return Ok(Some(bytes));
        }
    }
}

/// Writes the lines of a first run.
pub(super) fn first(run: &Path, out: &Path) -> Result<()> {
    let mut writer = writer(out)?;
    for line in lines(run)? {
        let known = Known {
            line: line?,
            noise: Vec::new(),
            unstable: false,
        };
        put(&mut writer, &known.entry())?;
    }
    finish(writer, out)
}

/// Writes what is known after another run.
pub(super) fn another(known: &Path, run: &Path, out: &Path) -> Result<()> {
    let mut writer = writer(out)?;
    let mut align = Align::new(known_lines(known)?, lines(run)?);
    while let Some(step) = align.step()? {
        match step {
            Step::Both(mut known, line) => {
                compare(&mut known, &line);
                put(&mut writer, &known.entry())?;
            }
            Step::Gap(lefts, rights) => {
                let texts: BTreeSet<&str> = lefts.iter().map(|k| k.line.text.as_str()).collect();
                let new = rights.iter().filter(|l| !texts.contains(l.text.as_str()));
                let new: Vec<Line> = new.cloned().collect();
                let unstable = |line| Known {
                    line,
                    noise: Vec::new(),
                    unstable: true,
                };
                let lefts = lefts.into_iter().map(|known| known.line);
                for line in lefts.chain(new) {
                    put(&mut writer, &unstable(line).entry())?;
                }
            }
        }
    }
    finish(writer, out)
}

fn known_lines(path: &Path) -> Result<impl Iterator<Item = Result<Known>> + use<>> {
    let file = File::open(path).with_context(|| format!("{}: cannot be read", path.display()))?;
    let lines = BufReader::new(file).lines();
    Ok(lines.map(|line| {
        let entry: Entry = serde_json::from_str(&line?)?;
        match entry {
            Entry::Line(text) => Ok((text, Vec::new(), false)),
            Entry::Noisy { l, v, u } => Ok((l, v, u)),
            _ => anyhow::bail!("a line was expected"),
        }
        .map(|(text, noise, unstable)| Known {
            line: Line::new(text),
            noise,
            unstable,
        })
    }))
}

fn writer(path: &Path) -> Result<BufWriter<File>> {
    let file = File::options()
        .write(true)
        .create(true)
        .truncate(true)
        .open(path);
    let file = file.with_context(|| format!("{}: cannot be written", path.display()))?;
    Ok(BufWriter::new(file))
}

fn finish(writer: BufWriter<File>, path: &Path) -> Result<()> {
    let flushed = writer
        .into_inner()
        .map_err(std::io::IntoInnerError::into_error);
    flushed.with_context(|| format!("{}: cannot be written", path.display()))?;
    Ok(())
}

fn compare(known: &mut Known, line: &Line) {
    let pairs: Vec<_> = known.line.numbers().zip(line.numbers()).collect();
    for ((at, a), (_, b)) in pairs {
        if a.value == b.value || (a.value.is_nan() && b.value.is_nan()) {
            continue;
        }
        let is_exact = a.is_integer && b.is_integer;
        let is_rounding = !is_exact && !a.is_timing && relative(a.value, b.value) <= MOST_NOISE;
        let spread = is_rounding.then_some((a.value - b.value).abs());
        match known.noise.iter_mut().find(|(place, _)| *place == at) {
            Some((_, old)) => *old = old.zip(spread).map(|(old, new)| old.max(new)),
            None => known.noise.push((at, spread)),
        }
    }
}
