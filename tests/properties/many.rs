//! As many inputs as one has time for, all laws on one translation of each: `CASS_INPUTS=10000000 cargo test --release --test properties
//! many -- --nocapture`.
//!
//! `PROPTEST_RNG_SEED` gives other inputs. Inputs come in blocks with a seed each, so that `CASS_THREADS` changes nothing but the time. A
//! run goes on behind a failure; each input that fails is made small and printed, one for each thing that is wrong.

#![expect(
    clippy::print_stdout,
    reason = "a long run says what it found and how far it is"
)]

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use cass_transpile::syntax::Document;
use cass_transpile::text::SourceFile;

use crate::input::{RandomSource, short_input};
use crate::laws::{self, Case, Law};
use crate::setting;

/// Inputs of a block.
const BLOCK: u64 = 1000;
/// What a run without wishes looks at.
const FEW: u64 = 2000;
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

/// When a thread began with an input, the input, and its setting.
type UnderWay = (Instant, Vec<u8>, usize);

/// What a run found and how far it is.
#[derive(Default)]
struct Run {
    seed: u64,
    next_block: AtomicU64,
    inputs: AtomicU64,
    bytes: AtomicU64,
    failed: AtomicUsize,
    /// Those among them in code that no compiler reads: what a rule takes for a declaration there may be another one in the result.
    broken: AtomicUsize,
    /// The smallest input of each kind of failure.
    failures: Mutex<BTreeMap<String, (Vec<u8>, String)>>,
    /// What threads look at now, and since when.
    under_way: Mutex<BTreeMap<usize, UnderWay>>,
}

#[test]
fn many_inputs_keep_all_laws() {
    let blocks = number("CASS_INPUTS").unwrap_or(FEW).div_ceil(BLOCK);
    let threads = number("CASS_THREADS").unwrap_or(1) as usize;
    let run = Run {
        seed: number("PROPTEST_RNG_SEED").unwrap_or(1),
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
            if block % 100 == 99 {
                let failed = self.failed.load(Ordering::Relaxed);
                println!("{} inputs, {failed} failed", (block + 1) * BLOCK);
            }
        }
    }

    fn block(&self, thread: usize, block: u64) {
        let mut seed = [0; 32];
        seed[..8].copy_from_slice(&self.seed.to_le_bytes());
        seed[8..16].copy_from_slice(&block.to_le_bytes());
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
        let mut runner = TestRunner::new_with_rng(Config::default(), rng);
        let inputs = (short_input(), setting());
        for turn in 0..BLOCK as usize {
            let mut tree = inputs
                .new_tree(&mut runner)
                .expect("inputs are never rejected");
            let (RandomSource(bytes), setting) = tree.current();
            self.bytes.fetch_add(bytes.len() as u64, Ordering::Relaxed);
            self.inputs.fetch_add(1, Ordering::Relaxed);
            self.look_at(thread, &bytes, setting);
            if let Err(reason) = verdict(&bytes, setting, turn) {
                self.keep(&mut tree, turn % IN_TURN.len(), reason);
            }
            self.rest(thread);
        }
    }

    /// Makes an input that fails smaller and keeps it, unless a smaller one with the same fault is known.
    fn keep<T: ValueTree<Value = (RandomSource, usize)>>(
        &self,
        tree: &mut T,
        turn: usize,
        reason: String,
    ) {
        self.failed.fetch_add(1, Ordering::Relaxed);
        let is_broken = has_defects(&tree.current().0.0);
        self.broken
            .fetch_add(usize::from(is_broken), Ordering::Relaxed);
        let mut failures = self
            .failures
            .lock()
            .unwrap_or_else(|held| held.into_inner());
        let kind = kind(&reason, is_broken);
        if failures.contains_key(&kind) {
            return;
        }
        let (mut smallest, mut reason) = (tree.current(), reason);
        for _ in 0..SHRINKS {
            let (RandomSource(bytes), setting) = tree.current();
            // What is wrong with code that parses is not shown by code that does not.
            let verdict = match !is_broken && has_defects(&bytes) {
                true => Ok(()),
                false => verdict(&bytes, setting, turn),
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
        let parses = if is_broken { "" } else { "PARSES, " };
        println!(
            "{parses}setting {setting}, turn {turn}: b\"{}\"\n  {reason}\n",
            bytes.escape_ascii()
        );
        failures.insert(kind, (bytes, reason));
    }

    fn look_at(&self, thread: usize, bytes: &[u8], setting: usize) {
        let mut under_way = self
            .under_way
            .lock()
            .unwrap_or_else(|held| held.into_inner());
        under_way.insert(thread, (Instant::now(), bytes.to_vec(), setting));
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
        for (began, bytes, setting) in under_way.values() {
            if began.elapsed() > HANG {
                println!("no end, setting {setting}: b\"{}\"", bytes.escape_ascii());
                std::process::exit(1);
            }
        }
    }
}

/// Whether an input keeps the laws that are its turn.
fn verdict(bytes: &[u8], setting: usize, turn: usize) -> Result<(), String> {
    let held = catch_unwind(AssertUnwindSafe(|| {
        let case = Case::new(bytes, setting);
        let laws = ALWAYS.iter().chain([&IN_TURN[turn % IN_TURN.len()]]);
        for (name, law) in laws {
            law(&case).map_err(|reason| format!("{name}: {reason}"))?;
        }
        Ok(())
    }));
    held.unwrap_or_else(|_| Err("panic".to_owned()))
}

/// Whether the parser stumbles over a text.
fn has_defects(bytes: &[u8]) -> bool {
    let source = SourceFile::new("random.cu", bytes.to_vec());
    !Document::new(&source).tree().defects().is_empty()
}

/// What tells one fault from another: the law, the rules that it names, and whether the code parses.
fn kind(reason: &str, is_broken: bool) -> String {
    let law = reason.split(':').next().unwrap_or_default();
    let line = reason.lines().next().unwrap_or_default();
    let codes: Vec<&str> = line
        .match_indices("CASS")
        .filter_map(|(at, _)| line.get(at..at + 7))
        .collect();
    format!("{law} {codes:?} {is_broken}")
}

fn number(name: &str) -> Option<u64> {
    let value = std::env::var(name).ok()?;
    Some(value.parse().expect("a number"))
}
