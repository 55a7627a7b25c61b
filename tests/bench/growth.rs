//! How the cost grows with the input: `cargo bench --bench growth [-- WORDS]` prints for each shape of `shapes.rs` the processor time at
//! n, 2n, 4n and 8n and the exponent that fits them. 1 is proportional; what is above 1.2 in the least of three is marked, and counted in
//! the last line. With `--strict` the benchmark fails if there is any.

#![allow(clippy::print_stdout, reason = "a benchmark prints")]

mod shapes;

use std::path::Path;
use std::time::Instant;

use cass_transpile::diagnostic::Severity;
use cass_transpile::engine::{Session, translate};
use cass_transpile::mapping::ApiTable;
use cass_transpile::options::Options;
use cass_transpile::pipeline::{Filter, Naming, Plan, index_project, run, walk};
use cass_transpile::report::{Builder, file_report, text};
use cass_transpile::text::SourceFile;

/// Exponents above this are marked.
const LIMIT: f64 = 1.2;
/// A shape above it is measured as often again.
const AGAIN: usize = 2;
/// Shorter measurements are repeated until they come to this, in seconds.
const LEAST: f64 = 0.04;

fn main() {
    let words: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with("--"))
        .collect();
    let is_wanted =
        |name: &str| words.is_empty() || words.iter().any(|word| name.contains(word.as_str()));
    println!(
        "{:46} {:>7} {:>33} {:>8}",
        "shape", "n", "seconds at n, 2n, 4n, 8n", "exponent"
    );
    let session = Session::new(Options::default(), ApiTable::builtin());
    let mut above = 0;
    for shape in shapes::FILES.iter().filter(|shape| is_wanted(shape.name)) {
        above += show(shape.name, shape.start, |n| {
            let text = (shape.text)(n);
            let bytes = text.len();
            (bytes, seconds(|| whole(&session, shape.path, &text)))
        });
    }
    for shape in shapes::TREES.iter().filter(|shape| is_wanted(shape.name)) {
        above += show(shape.name, shape.start, |n| {
            let files = (shape.files)(n);
            let folder = tempfile::tempdir().expect("a temporary folder");
            let written: usize = files
                .iter()
                .map(|(name, text)| write(folder.path(), name, text))
                .sum();
            (written, seconds(|| tree(folder.path())))
        });
    }
    println!("{above} above {LIMIT}");
    let is_strict = std::env::args().any(|word| word == "--strict");
    std::process::exit(i32::from(is_strict && above > 0));
}

/// Translates one file and makes the report of it.
fn whole(session: &Session, path: &str, text: &str) {
    let source = SourceFile::new(path, text.as_bytes().to_vec());
    let outcome = translate(&source, session);
    let mut builder = Builder::new(Options::default(), Vec::new());
    builder.add(file_report(&source, &outcome, None, Severity::Info));
    std::hint::black_box(text::full(&builder.finish(), 100));
}

fn tree(root: &Path) {
    let plan = Plan::new(
        walk(root, &Filter::default(), &())
            .expect("it is there")
            .entries,
        Naming::Keep,
    );
    let mut session = Session::new(Options::default(), ApiTable::builtin());
    session.project = index_project(&plan.files, &session.table, plan.renames.clone(), &()).into();
    let done = run(
        &plan.files,
        &session,
        &Default::default(),
        &(),
        |_, processed| processed,
    );
    std::hint::black_box(done.len());
}

fn write(root: &Path, name: &str, text: &str) -> usize {
    let path = root.join(name);
    std::fs::create_dir_all(path.parent().expect("it has a folder")).expect("folders");
    std::fs::write(path, text).expect("writable");
    text.len() + name.len()
}

/// Prints the line of one shape; returns 1 if its cost grows faster than it may.
fn show(name: &str, start: usize, measure: impl Fn(usize) -> (usize, f64)) -> usize {
    let mut at: Vec<(usize, f64)> = (0..4).map(|step| measure(start << step)).collect();
    // Other programs of the machine only add to a time, so the least of several is nearest to what the work takes.
    for _ in 0..AGAIN {
        if exponent(&at) <= LIMIT {
            break;
        }
        for (step, (_, least)) in at.iter_mut().enumerate() {
            *least = least.min(measure(start << step).1);
        }
    }
    let exponent = exponent(&at);
    let times: Vec<String> = at.iter().map(|(_, time)| format!("{time:.4}")).collect();
    let mark = if exponent > LIMIT { " !" } else { "" };
    println!(
        "{name:46} {start:>7} {:>33} {exponent:>8.2}{mark}",
        times.join(" ")
    );
    usize::from(exponent > LIMIT)
}

/// The exponent of bytes that fits times best: the slope of the line through their logarithms by least squares. By bytes, since those of
/// some shapes grow faster than the number.
fn exponent(at: &[(usize, f64)]) -> f64 {
    let points = at
        .iter()
        .map(|(bytes, time)| ((*bytes as f64).ln(), time.ln()));
    let count = at.len() as f64;
    let (across, up) = points.clone().fold((0.0, 0.0), |(across, up), (x, y)| {
        (across + x / count, up + y / count)
    });
    let (both, square) = points.fold((0.0, 0.0), |(both, square), (x, y)| {
        (
            both + (x - across) * (y - up),
            square + (x - across).powi(2),
        )
    });
    both / square
}

/// Processor time of one call.
fn seconds(work: impl Fn()) -> f64 {
    let (mut calls, start, clock) = (0, processor_time(), Instant::now());
    loop {
        work();
        calls += 1;
        let taken = match (start, processor_time()) {
            (Some(start), Some(now)) => now - start,
            _ => clock.elapsed().as_secs_f64(),
        };
        if taken >= LEAST {
            return taken / f64::from(calls);
        }
    }
}

/// Processor time of all threads of this process, where the system tells it.
fn processor_time() -> Option<f64> {
    let tasks = std::fs::read_dir("/proc/self/task").ok()?;
    let time = |task: std::fs::DirEntry| {
        let text = std::fs::read_to_string(task.path().join("schedstat")).ok()?;
        text.split(' ').next()?.parse::<f64>().ok()
    };
    Some(tasks.flatten().filter_map(time).sum::<f64>() / 1e9)
}
