//! `try --fix`: what the compiler proves is mended, until nothing changes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use schemars::JsonSchema;
use serde::Serialize;

use super::find::Place;
use crate::cli::input;
use crate::pipeline::slashed;
use crate::port::{Hash, Port};
use crate::report::diff::{unchanged_lines, unified};
use crate::trial::{Attempt, Mended, MendedText, Mender, Trial, Unit, Verdict};

/// How often all units are looked at.
const MOST_ROUNDS: usize = 20;

/// What was mended.
#[derive(Debug, Default, JsonSchema, Serialize)]
pub(super) struct Fixed {
    /// The mends in their order.
    pub(super) mends: Vec<Mend>,
    /// All of them as a unified diff.
    pub(super) diff: String,
}

/// A mend.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct Mend {
    pub(super) file: String,
    /// The line as it was when it was mended.
    pub(super) line: u32,
    /// What the compiler said of it.
    pub(super) message: String,
}

impl Fixed {
    pub(super) fn is_empty(&self) -> bool {
        self.mends.is_empty()
    }
}

/// Files and their texts before they were mended.
type Texts = BTreeMap<PathBuf, Vec<u8>>;

/// Mends a port: unit by unit, then all units are compiled again, and a round by which one fails that did not is taken back.
///
/// # Errors
/// When nobody knows which lines were written by hand, a file cannot be written or the compiler cannot be started.
pub(super) fn fixed(
    port: &Place,
    trial: &Trial<'_>,
    units: &[Unit],
    attempts: &mut Vec<Attempt>,
) -> Result<Fixed> {
    let records = Port::open(&port.out);
    if records.known.files.is_empty() {
        bail!(
            "{}: has no records of a translation in .cass, by which a line written by hand is told: nothing is mended; translate into it, or `cass-transpile accept SRC OUT`",
            port.out.display()
        );
    }
    let open = |file: &Path| opened(&records, &port.out, file);
    let mut mender = Mender::new(trial, &port.out, &open);
    let (mut mends, mut before) = (Vec::new(), Texts::new());
    for _ in 0..MOST_ROUNDS {
        let (mended, originals) = round(&mut mender, units, attempts)?;
        if mended.is_empty() {
            break;
        }
        trial.store.look_again();
        let again = trial.run(units, &|| ()).map_err(anyhow::Error::msg)?;
        let is_worse = |(old, new): (&Attempt, &Attempt)| {
            old.verdict == Verdict::Compiles && new.verdict == Verdict::Fails
        };
        if attempts.iter().zip(&again).any(is_worse) {
            take_back(&mut mender, &mended, originals, &open)?;
            trial.store.look_again();
            continue;
        }
        *attempts = again;
        mends.extend(mended);
        originals.into_iter().for_each(|(file, text)| {
            before.entry(file).or_insert(text);
        });
        if input::was_interrupted() {
            break;
        }
    }
    Ok(told(port, &mends, &before))
}

/// Mends what fails, each place once, and writes it.
fn round(
    mender: &mut Mender<'_>,
    units: &[Unit],
    attempts: &[Attempt],
) -> Result<(Vec<Mended>, Texts)> {
    let (mut mended, mut originals) = (Vec::new(), Texts::new());
    let mut seen = Vec::new();
    for (unit, attempt) in units.iter().zip(attempts) {
        let first = attempt
            .errors
            .first()
            .map(|error| (&error.site, &error.text));
        if attempt.verdict != Verdict::Fails || seen.contains(&first) || input::was_interrupted() {
            continue;
        }
        seen.push(first);
        let (found, texts) = mender.unit(unit, attempt).map_err(anyhow::Error::msg)?;
        for (file, text) in &texts {
            let (now, permissions) = (std::fs::read(file)?, std::fs::metadata(file)?.permissions());
            crate::emit::write(file, &text.bytes(), Some(permissions))?;
            originals.entry(file.clone()).or_insert(now);
        }
        mender.take(texts);
        mended.extend(found);
    }
    Ok((mended, originals))
}

/// Writes files as they were before a round.
fn take_back(
    mender: &mut Mender<'_>,
    mended: &[Mended],
    originals: Texts,
    open: &dyn Fn(&Path) -> Option<MendedText>,
) -> Result<()> {
    for (file, text) in &originals {
        let permissions = std::fs::metadata(file)?.permissions();
        crate::emit::write(file, text, Some(permissions))?;
    }
    let texts = originals
        .into_keys()
        .filter_map(|file| Some((file.clone(), open(&file)?)));
    mender.refuse(mended, texts.collect());
    Ok(())
}

/// A file of the port; none where it is not known what the translation wrote.
fn opened(records: &Port, out: &Path, file: &Path) -> Option<MendedText> {
    told_apart(records, out, file, &std::fs::read(file).ok()?)
}

/// A text of a file of the port, with what the translation wrote of it; none where that is not known.
pub(in crate::cli) fn told_apart(
    records: &Port,
    out: &Path,
    file: &Path,
    text: &[u8],
) -> Option<MendedText> {
    let name = slashed(file.strip_prefix(out).ok()?);
    let base = records.known.files.get(&name)?.base.hash;
    let base = match Hash::of(text) == base {
        true => text.to_vec(),
        false => records.text(base)?,
    };
    Some(MendedText::new(text, unchanged_lines(text, &base)))
}

fn told(port: &Place, mends: &[Mended], before: &Texts) -> Fixed {
    let name = |file: &Path| slashed(file.strip_prefix(&port.out).unwrap_or(file));
    let mut diff = Vec::new();
    for (file, text) in before {
        let now = std::fs::read(file).unwrap_or_default();
        diff.extend(unified(&name(file), &name(file), text, &now));
    }
    let mend = |mended: &Mended| Mend {
        file: name(&mended.file),
        line: mended.line,
        message: mended.why.clone(),
    };
    Fixed {
        mends: mends.iter().map(mend).collect(),
        diff: String::from_utf8_lossy(&diff).into_owned(),
    }
}
