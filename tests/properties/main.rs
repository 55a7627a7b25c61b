//! What must hold for any input: random sequences of tokens and of bytes, and the fixtures with pieces cut, doubled and swapped.
//!
//! A run has the inputs of one seed, so that it fails for what was changed and not by the day. `PROPTEST_RNG_SEED` gives other ones,
//! `PROPTEST_CASES=10000` more; what fails then goes to `recorded/`, whose inputs every run looks at. `CASS_PROPERTY_SOURCES=FOLDER` mutates
//! the sources of a folder in place of the fixtures.

mod builds;
mod input;
mod laws;
mod many;
mod pieces;

use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};

use cass_transpile::edit::{Applicability, Edit, EditSet, Fix, apply};
use cass_transpile::syntax::{Document, lex};
use cass_transpile::text::{SourceFile, TextRange};

use input::{RandomSource, TONGUES, Tongue, input};
use laws::{Case, Law, SETTINGS, naive};

fn config(cases: u32) -> Config {
    let default = Config::default();
    // 256 is the default of `PROPTEST_CASES`.
    let cases = cases * default.cases.max(1) / 256;
    let rng_seed = match default.rng_seed {
        RngSeed::Random => RngSeed::Fixed(1),
        given @ RngSeed::Fixed(_) => given,
    };
    // A failing input is printed; nothing is written beside the sources.
    Config {
        cases,
        rng_seed,
        failure_persistence: None,
        // What a law says nothing about does not count and does not end a long run.
        max_global_rejects: cases,
        ..default
    }
}

/// Most inputs are for the default settings.
fn setting() -> impl Strategy<Value = usize> {
    prop_oneof![3 => Just(0), 2 => 1..SETTINGS]
}

fn holds(law: Law, bytes: &[u8], setting: usize) -> Result<(), TestCaseError> {
    law(&Case::new(TONGUES[0].file, bytes, setting)).map_err(TestCaseError::fail)
}

proptest! {
    #![proptest_config(config(400))]

    #[test]
    fn tokens_tile_the_input(RandomSource(bytes) in input()) {
        let mut at = 0;
        for token in lex(&bytes) {
            prop_assert_eq!(token.start, at);
            prop_assert!(token.size() > 0);
            at = token.end();
        }
        prop_assert_eq!(at as usize, bytes.len());
    }

    #[test]
    fn documents_can_be_asked_anything(RandomSource(bytes) in input()) {
        let source = SourceFile::new("random.cu", bytes);
        let document = Document::new(&source);
        for index in 0..document.tokens.len() {
            let token = document.tokens[index];
            document.vendor_at(token.start);
            document.call(index);
            document.scopes().may_be_device(&document, index);
            for other in [document.next(index), document.prev(index), document.matching_bracket(index)].into_iter().flatten() {
                prop_assert!(other < document.tokens.len() && other != index);
            }
        }
    }

    #[test]
    fn chosen_edits_do_not_depend_on_the_order_of_findings(
        text in "[d-z(),]{40}",
        fixes in proptest::collection::vec((0u8..3, proptest::collection::vec((0u32..40, 0u32..6, "[a-c\n]{0,3}"), 1..3)), 0..12),
        moves in proptest::collection::vec((0u8..3, 0u32..30, 1u32..10, 0u32..40), 0..5),
        seed in any::<u64>(),
    ) {
        let bytes = text.as_bytes();
        let fix = |edits: &Vec<(u32, u32, String)>| {
            let edit = |(start, len, text): &(u32, u32, String)| Edit::replace(TextRange::new(*start, (start + len).min(40)), text.clone());
            Fix::safe(edits.iter().map(edit).collect())
        };
        let moved = |start: u32, len: u32, to: u32| {
            let from = TextRange::new(start, start + len);
            let carries = Edit::insert(to, text[from.as_usize()].to_owned()).moving(0, from);
            // Half of them move their code, the others let it go.
            let edits = [Edit::delete(from).without(from), carries];
            Fix::safe(edits[..1 + (to % 2) as usize].to_vec())
        };
        let moves = moves.iter().map(|&(priority, start, len, to)| (priority, moved(start, len, to)));
        let fixes: Vec<(u8, Fix)> = fixes.iter().map(|(priority, edits)| (*priority, fix(edits))).chain(moves).collect();
        let chosen = |order: &[usize]| {
            let list: Vec<(u8, Option<&Fix>)> = order.iter().map(|&at| (fixes[at].0, Some(&fixes[at].1))).collect();
            EditSet::resolve(&list, Applicability::Safe).edits
        };
        let straight: Vec<usize> = (0..fixes.len()).collect();
        let mut shuffled = straight.clone();
        shuffled.sort_by_key(|&at| (at as u64 + 1).wrapping_mul(seed | 1));
        let first = chosen(&straight);
        let second = chosen(&shuffled);
        prop_assert_eq!(first.iter().collect::<Vec<_>>(), second.iter().collect::<Vec<_>>());
        let edits: Vec<Edit> = first.iter().cloned().collect();
        for pair in edits.windows(2) {
            prop_assert!(pair[0].range.end <= pair[1].range.start);
        }
        prop_assert_eq!(apply(bytes, &first), naive(bytes, &edits));
        prop_assert_eq!(first.output_len(bytes.len()), apply(bytes, &first).len());
    }
}

proptest! {
    #![proptest_config(config(250))]

    #[test]
    fn bytes_outside_edits_stay_and_a_second_run_edits_nothing(RandomSource(bytes) in input(), setting in setting()) {
        holds(laws::edits_are_all_that_changes, &bytes, setting)?;
    }

    #[test]
    fn no_fix_is_lost_in_silence(RandomSource(bytes) in input(), setting in setting()) {
        holds(laws::no_fix_is_lost_in_silence, &bytes, setting)?;
    }

    #[test]
    fn line_ends_do_not_matter(RandomSource(bytes) in input(), setting in setting()) {
        holds(laws::line_ends_do_not_matter, &bytes, setting)?;
    }

    #[test]
    fn annotations_add_lines_of_their_own_and_never_pile_up(RandomSource(bytes) in input(), setting in setting()) {
        holds(laws::annotations_never_pile_up, &bytes, setting)?;
    }

    // At the start nothing is open yet that could hide the call.
    #[test]
    fn suppressed_findings_are_gone(RandomSource(bytes) in input(), setting in setting()) {
        let bytes = [b"void gone(int t) { cudaDeviceFlushGPUDirectRDMAWrites(t, 0); }\n", &bytes[..]].concat();
        let case = Case::new(TONGUES[0].file, &bytes, setting);
        prop_assume!(!case.loud().is_empty());
        laws::suppressed_findings_are_gone(&case).map_err(TestCaseError::fail)?;
    }
}

/// Inputs that broke a law once, under all settings.
#[test]
fn recorded_inputs_keep_the_laws() {
    let laws: [(&str, Law); 5] = [
        (
            "edits are all that changes",
            laws::edits_are_all_that_changes,
        ),
        ("no fix is lost in silence", laws::no_fix_is_lost_in_silence),
        ("line ends do not matter", laws::line_ends_do_not_matter),
        ("annotations never pile up", laws::annotations_never_pile_up),
        (
            "suppressed findings are gone",
            laws::suppressed_findings_are_gone,
        ),
    ];
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/properties/recorded");
    let items = std::fs::read_dir(folder).expect("a folder of inputs");
    let paths: Vec<_> = items.map(|item| item.expect("readable").path()).collect();
    assert!(!paths.is_empty(), "there are inputs");
    for path in paths {
        let bytes = std::fs::read(&path).expect("readable");
        let tongue = Tongue::of(&path).expect("it ends as one language does");
        for setting in 0..SETTINGS {
            let case = Case::new(tongue.file, &bytes, setting);
            for (name, law) in laws {
                let kept = law(&case);
                assert_eq!(
                    kept,
                    Ok(()),
                    "{}: {name} with setting {setting}",
                    path.display()
                );
            }
        }
    }
}
