//! Standard output and text files, line by line.

use std::cell::Cell;

use anyhow::Result;
use regex::RegexSet;

use super::bench::Bench;
use super::numbers::Verdict;
use crate::verify::align::{Align, Shaped, Step};
use crate::verify::finding::{Difference, Kind};
use crate::verify::line::{Line, Number, Token, Volatile};
use crate::verify::manifest::Judgement;
use crate::verify::record::{CaseIndex, Known, Record};
use crate::verify::tolerance::relative;

/// Lines that can be sorted in memory, where their order does not count.
const MOST_SORTED: usize = 2_000_000;
/// A number with a unit of time that comes out the same in every run, with so many digits, is computed and not measured.
const MEASURED_DIGITS: u32 = 4;

/// Compares standard output and all text files of a case.
pub(super) fn all<'j>(
    (record, want): (&Record, &CaseIndex),
    (run, got): (&Record, &CaseIndex),
    judgement: &'j Judgement,
) -> Result<Vec<Bench<'j>>> {
    let ignore = RegexSet::new(&judgement.ignore)?;
    let mut benches = Vec::new();
    for (name, at) in &want.texts {
        let mut bench = Bench::new(name, judgement, want.head.runs);
        let Some((_, other)) = got.texts.iter().find(|(other, _)| other == name) else {
            missing(&mut bench, got);
            benches.push(bench);
            continue;
        };
        let ignored = Cell::new(0);
        let wanted = stream(record, *at, &ignore, &ignored)?;
        let gotten = stream(run, *other, &ignore, &ignored)?;
        if judgement.unordered {
            walk(
                &mut bench,
                sorted(wanted)?.into_iter(),
                sorted(gotten)?.into_iter(),
            )?;
        } else {
            walk(&mut bench, wanted, gotten)?;
        }
        if ignored.get() > 0 {
            let reason = "lines that `ignore` matches".to_owned();
            bench.compared.left_out.insert(reason, ignored.get());
        }
        benches.push(bench);
    }
    for (name, _) in &got.texts {
        let is_known = want.texts.iter().any(|(other, _)| other == name)
            || want.blobs.iter().any(|(other, _)| other == name);
        if !is_known {
            let mut bench = Bench::new(name, judgement, want.head.runs);
            let message = format!("only the port writes `{name}`");
            bench.found(Difference::new(Kind::FileExtra, name, message));
            benches.push(bench);
        }
    }
    Ok(benches)
}

fn missing(bench: &mut Bench<'_>, got: &CaseIndex) {
    let name = bench.place.clone();
    let difference = if got.blobs.iter().any(|(other, _)| *other == name) {
        let message = format!("`{name}` is text from the original and binary from the port");
        Difference::new(Kind::FileDiffers, &name, message)
    } else {
        Difference::new(
            Kind::FileMissing,
            &name,
            format!("the port does not write `{name}`"),
        )
    };
    bench.found(difference);
}

/// A line with its number in the output.
struct Numbered {
    known: Known,
    number: u64,
}

impl Shaped for Numbered {
    fn shape(&self) -> u64 {
        self.known.line.shape
    }
}

fn stream<'r>(
    record: &Record,
    at: u64,
    ignore: &'r RegexSet,
    ignored: &'r Cell<u64>,
) -> Result<impl Iterator<Item = Result<Numbered>> + 'r> {
    let lines = record.lines(at)?.enumerate();
    Ok(lines.filter_map(move |(number, known)| {
        let known = match known {
            Ok(known) => known,
            Err(error) => return Some(Err(error)),
        };
        if ignore.is_match(&known.line.text) {
            ignored.set(ignored.get() + 1);
            return None;
        }
        let number = number as u64 + 1;
        Some(Ok(Numbered { known, number }))
    }))
}

fn sorted(lines: impl Iterator<Item = Result<Numbered>>) -> Result<Vec<Result<Numbered>>> {
    let mut all = Vec::new();
    for line in lines {
        all.push(line?);
        if all.len() > MOST_SORTED {
            anyhow::bail!(
                "`unordered` takes up to {MOST_SORTED} lines; print less, or sort the output"
            );
        }
    }
    let key = |line: &Numbered| {
        let numbers = line.known.line.numbers().map(|(_, number)| number.value);
        (line.known.line.shape, numbers.collect::<Vec<f64>>())
    };
    all.sort_by(|a, b| {
        let ((a_shape, a), (b_shape, b)) = (key(a), key(b));
        let by_number = || {
            let pairs = a.iter().zip(&b).map(|(a, b)| a.total_cmp(b));
            pairs.fold(std::cmp::Ordering::Equal, std::cmp::Ordering::then)
        };
        a_shape.cmp(&b_shape).then_with(by_number)
    });
    Ok(all.into_iter().map(Ok).collect())
}

fn walk(
    bench: &mut Bench<'_>,
    want: impl Iterator<Item = Result<Numbered>>,
    got: impl Iterator<Item = Result<Numbered>>,
) -> Result<()> {
    let mut align = Align::new(want, got);
    while let Some(step) = align.step()? {
        match step {
            Step::Both(want, got) => both(bench, &want, &got),
            Step::Gap(wants, gots) => gap(bench, wants, gots),
        }
    }
    Ok(())
}

/// Two lines of the same shape.
fn both(bench: &mut Bench<'_>, want: &Numbered, got: &Numbered) {
    if want.known.unstable {
        bench.left_out("lines that differ between runs of the original");
        return;
    }
    bench.compared.items += 1;
    for token in &want.known.line.tokens {
        match token {
            Token::Volatile(kind) => bench.left_out(reason(*kind)),
            Token::Word(_) => bench.numbers.exact += 1,
            Token::Number(_) => {}
        }
    }
    if let Some(pair) = first_outside(bench, want, got) {
        report_numbers(bench, want, got, pair);
    }
}

/// Compares the numbers of two lines, and returns the first pair that is outside of its tolerance.
fn first_outside(
    bench: &mut Bench<'_>,
    want: &Numbered,
    got: &Numbered,
) -> Option<(Number, Number)> {
    let pairs = want.known.line.numbers().zip(got.known.line.numbers());
    let mut outside: Option<(Number, Number)> = None;
    for ((at, a), (_, b)) in pairs {
        let noise = want.known.noise.iter().find(|(place, _)| *place == at);
        if let Some((_, None)) = noise {
            note_timing(bench, &a, &b);
            bench.left_out("numbers that differ between runs of the original");
            continue;
        }
        let stable = bench.runs > 1 && noise.is_none() && a.digits >= MEASURED_DIGITS;
        if (a.is_timing || b.is_timing) && !stable {
            bench.left_out("timings");
            continue;
        }
        let spread = noise.and_then(|(_, spread)| *spread).unwrap_or(0.0);
        let tolerance = bench.judgement.tolerance.widened(spread);
        let verdict = bench
            .numbers
            .printed((&a, &b), tolerance, &mut bench.compared);
        if verdict == Verdict::Outside {
            outside.get_or_insert((a, b));
        }
    }
    outside
}

fn report_numbers(
    bench: &mut Bench<'_>,
    want: &Numbered,
    got: &Numbered,
    (a, b): (Number, Number),
) {
    let text = |line: &Numbered, n: Number| {
        line.known.line.text[n.start as usize..n.end as usize].to_owned()
    };
    let message = format!(
        "{} in place of {} (relative difference {:.1e})",
        text(got, b),
        text(want, a),
        relative(a.value, b.value)
    );
    let found = Difference::new(Kind::NumberDiffers, &bench.place, message);
    bench.found(
        found
            .at(got.number)
            .sides(&want.known.line.text, &got.known.line.text),
    );
}

/// A measured number that differs between runs of the original cannot come out the same in the port, unless it was copied.
fn note_timing(bench: &mut Bench<'_>, want: &Number, got: &Number) {
    if want.digits >= 4 {
        bench.numbers.timings[0] += 1;
        bench.numbers.timings[1] += u64::from(want.value == got.value && got.digits == want.digits);
    }
}

fn reason(kind: Volatile) -> &'static str {
    match kind {
        Volatile::Clock => "times of day",
        Volatile::Address => "addresses",
        Volatile::Path => "paths",
        Volatile::Device => "lines that name a device",
    }
}

/// Lines between two places where both agree.
fn gap(bench: &mut Bench<'_>, wants: Vec<Numbered>, gots: Vec<Numbered>) {
    let (wants, mut gots, moved) = pair_up(bench, wants, gots);
    if moved.is_some_and(|is_learned| !is_learned) {
        let line = gots.first().map_or(0, |line| line.number);
        let message = "lines come in another order";
        let found = Difference::new(Kind::OrderDiffers, &bench.place, message);
        bench.found(found.at(line));
    }
    // Lines that only some runs of the original have may be others in the port.
    let unstable = wants.iter().filter(|line| line.known.unstable).count();
    (0..unstable).for_each(|_| bench.left_out("lines that differ between runs of the original"));
    let stable = wants.into_iter().filter(|line| !line.known.unstable);
    let stable: Vec<Numbered> = stable.collect();
    let spare = gots.len().saturating_sub(stable.len()).min(unstable);
    gots.drain(..spare);
    let mut gots = gots.into_iter();
    for want in stable {
        bench.compared.items += 1;
        let got = gots.next();
        let (kind, message) = match got {
            Some(_) => (Kind::LineDiffers, "the line differs"),
            None => (Kind::LineMissing, "the line is missing"),
        };
        let number = got.as_ref().map_or(want.number, |line| line.number);
        let text = got
            .as_ref()
            .map_or("", |line| line.known.line.text.as_str());
        let found = Difference::new(kind, &bench.place, message).at(number);
        bench.found(found.sides(&want.known.line.text, text));
    }
    for got in gots {
        let found = Difference::new(Kind::LineExtra, &bench.place, "only the port prints this");
        bench.found(found.at(got.number).sides("", &got.known.line.text));
    }
}

/// Takes out lines that both sides have, in another order, and compares them; says whether any moved, and whether lines of the
/// original are known to.
fn pair_up(
    bench: &mut Bench<'_>,
    wants: Vec<Numbered>,
    mut gots: Vec<Numbered>,
) -> (Vec<Numbered>, Vec<Numbered>, Option<bool>) {
    let (mut left, mut moved) = (Vec::new(), None);
    for mut want in wants {
        let same = |got: &Numbered| is_like(&want.known.line, &got.known.line);
        let Some(at) = gots.iter().position(same) else {
            left.push(want);
            continue;
        };
        let got = gots.remove(at);
        moved = Some(moved.unwrap_or(true) && want.known.unstable);
        want.known.unstable = false;
        both(bench, &want, &got);
    }
    (left, gots, moved)
}

/// The same words and the same integers.
fn is_like(want: &Line, got: &Line) -> bool {
    let integers = want.numbers().zip(got.numbers());
    want.shape == got.shape
        && integers
            .filter(|((_, a), (_, b))| a.is_integer && b.is_integer)
            .all(|((_, a), (_, b))| a.value == b.value)
}
