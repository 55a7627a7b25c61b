//! As many inputs as one has time for, all laws on one translation of each: `CASS_INPUTS=10000000 cargo test --release --test properties
//! many -- --nocapture`.
//!
//! `PROPTEST_RNG_SEED` gives other inputs, `CASS_LANGUAGE=Makefile` those of one language (the names are those of `input::TONGUES`); else
//! every other block is C++ and the rest takes the other languages in turn. Inputs come in blocks with a seed each, so that `CASS_THREADS` changes nothing but the time. A
//! run goes on behind a failure; each input that fails is made small and printed, one for each thing that is wrong.

#![expect(
    clippy::print_stdout,
    reason = "a long run says what it found and how far it is"
)]

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, Once};
use std::time::{Duration, Instant};

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use cass_transpile::syntax::Document;
use cass_transpile::text::SourceFile;

use crate::input::{RandomSource, TONGUES, Tongue, short_input};
use crate::laws::{self, Case, Law};
use crate::setting;

/// Inputs of a block.
const BLOCK: u64 = 200;
/// What a run without wishes looks at: a block of each language and as many of C++.
const FEW: u64 = 3200;
/// Attempts to make an input that fails smaller.
const SHRINKS: usize = 3000;
/// An input takes a millisecond. One that takes this long does not end.
const HANG: Duration = Duration::from_secs(60);

/// Laws that every input is held against, and those of which each input gets one.
const ALWAYS: [(&str, Law); 2] = [
    (
        "edits are all that changes",
        laws::edits_are_all_that_changes,
    ),
    ("no fix is lost in silence", laws::no_fix_is_lost_in_silence),
];
const IN_TURN: [(&str, Law); 3] = [
    ("line ends do not matter", laws::line_ends_do_not_matter),
    ("annotations never pile up", laws::annotations_never_pile_up),
    (
        "suppressed findings are gone",
        laws::suppressed_findings_are_gone,
    ),
];

/// When a thread began with an input, its file, the input, and its setting.
type UnderWay = (Instant, &'static str, Vec<u8>, usize);

/// What a run found and how far it is.
#[derive(Default)]
struct Run {
    seed: u64,
    /// The language that was asked for.
    only: Option<&'static Tongue>,
    next_block: AtomicU64,
    inputs: AtomicU64,
    bytes: AtomicU64,
    failed: AtomicUsize,
    /// Those among them in code that no compiler reads: what a rule takes for a declaration there may be another one in the result.
    broken: AtomicUsize,
    /// The smallest input of each kind of failure.
    failures: Mutex<BTreeMap<String, (Vec<u8>, String)>>,
    /// How many inputs fail in each kind.
    counts: Mutex<BTreeMap<String, usize>>,
    /// What threads look at now, and since when.
    under_way: Mutex<BTreeMap<usize, UnderWay>>,
}

#[test]
fn many_inputs_keep_all_laws() {
    let blocks = number("CASS_INPUTS").unwrap_or(FEW).div_ceil(BLOCK);
    let threads = number("CASS_THREADS").unwrap_or(1) as usize;
    let run = Run {
        seed: number("PROPTEST_RNG_SEED").unwrap_or(1),
        only: chosen_tongue(),
        ..Run::default()
    };
    let began = Instant::now();
    let left = AtomicUsize::new(threads);
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let (run, left) = (&run, &left);
            scope.spawn(move || {
                run.blocks(thread, blocks);
                left.fetch_sub(1, Ordering::Relaxed);
            });
        }
        while left.load(Ordering::Relaxed) > 0 {
            std::thread::sleep(Duration::from_millis(50));
            run.end_if_hung();
        }
    });
    run.print_counts();
    let inputs = run.inputs.load(Ordering::Relaxed);
    let failed = run.failed.load(Ordering::Relaxed);
    println!(
        "{inputs} inputs, {} bytes, seed {}, {:.0} s: {failed} failed, {} of them in code that does not parse",
        run.bytes.load(Ordering::Relaxed),
        run.seed,
        began.elapsed().as_secs_f64(),
        run.broken.load(Ordering::Relaxed),
    );
    assert_eq!(failed, 0, "inputs that break a law are printed above");
}

impl Run {
    /// Looks at blocks until none is left.
    fn blocks(&self, thread: usize, blocks: u64) {
        loop {
            let block = self.next_block.fetch_add(1, Ordering::Relaxed);
            if block >= blocks {
                return;
            }
            self.block(thread, block);
            if block % 500 == 499 {
                let failed = self.failed.load(Ordering::Relaxed);
                println!("{} inputs, {failed} failed", (block + 1) * BLOCK);
            }
        }
    }

    /// The language of a block: the chosen one, or C++ in every other block.
    fn tongue(&self, block: u64) -> &'static Tongue {
        let others = &TONGUES[1..];
        self.only.unwrap_or(match block % 2 {
            0 => &TONGUES[0],
            _ => &others[block as usize / 2 % others.len()],
        })
    }

    fn block(&self, thread: usize, block: u64) {
        let mut seed = [0; 32];
        seed[..8].copy_from_slice(&self.seed.to_le_bytes());
        seed[8..16].copy_from_slice(&block.to_le_bytes());
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
        let mut runner = TestRunner::new_with_rng(Config::default(), rng);
        let tongue = self.tongue(block);
        let inputs = (short_input(tongue), setting());
        for turn in 0..BLOCK as usize {
            let mut tree = inputs
                .new_tree(&mut runner)
                .expect("inputs are never rejected");
            let (RandomSource(bytes), setting) = tree.current();
            self.bytes.fetch_add(bytes.len() as u64, Ordering::Relaxed);
            self.inputs.fetch_add(1, Ordering::Relaxed);
            self.look_at(thread, tongue, &bytes, setting);
            if let Err(reason) = verdict(tongue, &bytes, setting, turn) {
                self.keep(tongue, &mut tree, turn % IN_TURN.len(), reason);
            }
            self.rest(thread);
        }
    }

    /// Makes an input that fails smaller and keeps it, unless a smaller one with the same fault is known.
    fn keep<T: ValueTree<Value = (RandomSource, usize)>>(
        &self,
        tongue: &Tongue,
        tree: &mut T,
        turn: usize,
        reason: String,
    ) {
        self.failed.fetch_add(1, Ordering::Relaxed);
        let is_broken = has_defects(tongue, &tree.current().0.0);
        self.broken
            .fetch_add(usize::from(is_broken), Ordering::Relaxed);
        let mut failures = self
            .failures
            .lock()
            .unwrap_or_else(|held| held.into_inner());
        let kind = kind(tongue, &reason, is_broken);
        let mut counts = self.counts.lock().unwrap_or_else(|held| held.into_inner());
        *counts.entry(kind.clone()).or_default() += 1;
        drop(counts);
        if failures.contains_key(&kind) {
            return;
        }
        let (mut smallest, mut reason) = (tree.current(), reason);
        for _ in 0..SHRINKS {
            let (RandomSource(bytes), setting) = tree.current();
            // What is wrong with code that parses is not shown by code that does not.
            let verdict = match !is_broken && has_defects(tongue, &bytes) {
                true => Ok(()),
                false => verdict(tongue, &bytes, setting, turn),
            };
            let is_left = match verdict {
                Err(why) => {
                    (smallest, reason) = ((RandomSource(bytes), setting), why);
                    tree.simplify()
                }
                Ok(()) => tree.complicate(),
            };
            if !is_left {
                break;
            }
        }
        let (RandomSource(bytes), setting) = smallest;
        let reason: String = reason.chars().take(500).collect();
        let parses = match has_parser(tongue) && !is_broken {
            true => "PARSES, ",
            false => "",
        };
        println!(
            "{parses}{}, setting {setting}, turn {turn}: b\"{}\"\n  {reason}\n",
            tongue.file,
            bytes.escape_ascii()
        );
        failures.insert(kind, (bytes, reason));
    }

    /// Prints each kind with the inputs that fail so, most first.
    fn print_counts(&self) {
        let counts = self.counts.lock().unwrap_or_else(|held| held.into_inner());
        let mut rows: Vec<(&String, &usize)> = counts.iter().collect();
        rows.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        for (kind, count) in rows {
            println!("{count:>8} {kind}");
        }
    }

    fn look_at(&self, thread: usize, tongue: &Tongue, bytes: &[u8], setting: usize) {
        let mut under_way = self
            .under_way
            .lock()
            .unwrap_or_else(|held| held.into_inner());
        under_way.insert(
            thread,
            (Instant::now(), tongue.file, bytes.to_vec(), setting),
        );
    }

    fn rest(&self, thread: usize) {
        let mut under_way = self
            .under_way
            .lock()
            .unwrap_or_else(|held| held.into_inner());
        under_way.remove(&thread);
    }

    /// A thread that does not end cannot be ended: its input is printed, and the program goes.
    fn end_if_hung(&self) {
        let under_way = self
            .under_way
            .lock()
            .unwrap_or_else(|held| held.into_inner());
        for (began, file, bytes, setting) in under_way.values() {
            if began.elapsed() > HANG {
                println!(
                    "no end, {file}, setting {setting}: b\"{}\"",
                    bytes.escape_ascii()
                );
                std::process::exit(1);
            }
        }
    }
}

thread_local! {
    /// Where a law panicked that this thread looks at; `None` outside of one.
    static PANICKED: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Whether an input keeps the laws that are its turn.
fn verdict(tongue: &Tongue, bytes: &[u8], setting: usize, turn: usize) -> Result<(), String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(note_places_of_panics);
    PANICKED.set(Some(String::new()));
    let held = catch_unwind(AssertUnwindSafe(|| {
        let case = Case::new(tongue.file, bytes, setting);
        let laws = ALWAYS.iter().chain([&IN_TURN[turn % IN_TURN.len()]]);
        for (name, law) in laws {
            law(&case).map_err(|reason| format!("{name}: {reason}"))?;
        }
        Ok(())
    }));
    let place = PANICKED.take().unwrap_or_default();
    held.unwrap_or_else(|_| Err(format!("panic at {place}")))
}

/// Panics of a law say where they are, as one of the reasons; others are shown as ever.
fn note_places_of_panics() {
    let shown = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let place = panic.location().map(ToString::to_string);
        match PANICKED.with_borrow(Option::is_some) {
            true => PANICKED.set(place),
            false => shown(panic),
        }
    }));
}

fn has_parser(tongue: &Tongue) -> bool {
    tongue.file.ends_with(".cu") || tongue.file.ends_with(".py")
}

/// Whether the parser of C++ or Python stumbles over a text; of other languages nobody asks.
pub(crate) fn has_defects(tongue: &Tongue, bytes: &[u8]) -> bool {
    if tongue.file.ends_with(".py") {
        let mut parser = tree_sitter::Parser::new();
        let grammar = tree_sitter_python::LANGUAGE.into();
        parser
            .set_language(&grammar)
            .expect("it is built for this library");
        let tree = parser.parse(bytes, None).expect("nothing stops it");
        return tree.root_node().has_error();
    }
    let source = SourceFile::new(tongue.file, bytes.to_vec());
    has_parser(tongue) && !Document::new(&source).tree().defects().is_empty()
}

/// What tells one fault from another: the language, the law, the rules that it names, and whether the code parses.
fn kind(tongue: &Tongue, reason: &str, is_broken: bool) -> String {
    let law = match reason.starts_with("panic at") {
        true => reason,
        false => reason.split(':').next().unwrap_or_default(),
    };
    let line = reason.lines().next().unwrap_or_default();
    let codes: Vec<&str> = line
        .match_indices("CASS")
        .filter_map(|(at, _)| line.get(at..at + 7))
        .collect();
    let parses = match is_broken {
        true => "does not parse",
        false => "parses",
    };
    format!("{}, {parses}, {law} {codes:?}", tongue.file)
}

fn chosen_tongue() -> Option<&'static Tongue> {
    let name = std::env::var("CASS_LANGUAGE").ok()?;
    let tongue = TONGUES.iter().find(|it| it.file == name);
    Some(
        tongue
            .unwrap_or_else(|| panic!("CASS_LANGUAGE={name}: no language has a file of this name")),
    )
}

fn number(name: &str) -> Option<u64> {
    let value = std::env::var(name).ok()?;
    Some(value.parse().expect("a number"))
}
