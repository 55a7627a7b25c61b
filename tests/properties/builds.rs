//! Build files stay as sound as they were: quotes and brackets in pairs, no variable of an impossible name; for AMD and for both vendors.

use proptest::prelude::*;

use cass_transpile::engine::{Session, translate};
use cass_transpile::mapping::ApiTable;
use cass_transpile::options::{Options, Vendors};
use cass_transpile::text::SourceFile;

use crate::pieces::BUILD;

const NAMES: &[&str] = &["Makefile", "CMakeLists.txt", "build.sh"];

fn counts(bytes: &[u8]) -> [i64; 6] {
    let of = |wanted: u8| bytes.iter().filter(|byte| **byte == wanted).count() as i64;
    [
        of(b'"') % 2,
        of(b'\'') % 2,
        of(b'`') % 2,
        of(b'(') - of(b')'),
        of(b'{') - of(b'}'),
        of(b'[') - of(b']'),
    ]
}

/// Whether each `)` has a `(` in front of it: a list in which another line makes up for one that has none is no list of commands.
fn never_closes_too_much(text: &str) -> bool {
    let mut depth = 0_i64;
    text.bytes().all(|byte| {
        depth += i64::from(byte == b'(') - i64::from(byte == b')');
        depth >= 0
    })
}

/// Whether `${a::b}` stands somewhere, which CMake refuses.
fn has_impossible_variable(text: &str) -> bool {
    let names = text
        .split("${")
        .skip(1)
        .filter_map(|rest| rest.split(['}', '$', '\n']).next());
    names.into_iter().any(|name| name.contains("::"))
}

proptest! {
    #![proptest_config(crate::config(512))]
    #[test]
    fn build_files_stay_sound(
        pieces in prop::collection::vec(prop::sample::select(BUILD), 1..24),
        name in prop::sample::select(NAMES),
        has_target in any::<bool>(),
        is_dual in any::<bool>(),
    ) {
        let text = String::from_utf8(pieces.concat()).expect("pieces are ASCII");
        let options = Options {
            targets: if has_target { vec!["gfx90a".to_owned()] } else { Vec::new() },
            vendors: if is_dual { Vendors::Both } else { Vendors::Auto },
            ..Options::default()
        };
        let session = Session::new(options, ApiTable::builtin());
        let source = SourceFile::new(name, text.clone().into_bytes());
        let output = translate(&source, &session).output.unwrap_or_else(|| text.clone().into_bytes());
        let written = String::from_utf8_lossy(&output).into_owned();
        // Lines that stand there twice count twice: where each was level, all stay so. In CMake a text may go over several lines.
        let mut lines = text.lines();
        let by_line = name != "CMakeLists.txt";
        let is_level = match by_line {
            true => lines.all(|line| counts(line.as_bytes()) == [0; 6]),
            false => counts(text.as_bytes()) == [0; 6] && never_closes_too_much(&text),
        };
        if !is_dual || is_level {
            prop_assert_eq!(counts(text.as_bytes()), counts(&output), "{}\n---\n{}", text, written);
        }
        prop_assert!(has_impossible_variable(&text) || !has_impossible_variable(&written), "{}\n---\n{}", text, written);
    }
}
