//! The rows of the catalogue that the tool changes or leaves as right compile for AMD GPUs, of both widths and for the host.
//!
//! `CASS_ROCM` names the headers, as for `compile_proof`.

use std::fs;

use crate::common::rocm::{Compiler, in_parallel, root};
use cass_transpile::cli::parse_options;
use cass_transpile::compat;
use cass_transpile::engine::{Session, translate};
use cass_transpile::mapping::ApiTable;
use cass_transpile::text::SourceFile;
use serde::Deserialize;

/// Rows must not get lost unnoticed.
const FEWEST_ROWS: usize = 120;
/// A chip with wavefronts of 64 lanes and one with 32.
const CHIPS: &str = "gfx90a,gfx1100";
/// Rows whose lines need what AMD's headers have not.
const NOT_COMPILED: &[(&str, &str)] = &[
    (
        "306",
        "PyTorch's headers, and its build renames what is left",
    ),
    ("434", "PyTorch's build renames what is left"),
    ("444", "C10_WARP_SIZE is PyTorch's"),
    ("461", "PyTorch's build renames what is left"),
    ("463", "PyTorch's headers"),
    ("487", "PyTorch's build renames what is left"),
];

#[derive(Deserialize)]
struct Catalogue {
    item: Vec<Item>,
}

/// What `tests/fixtures/catalogue.rs` explains, as far as it is asked for here.
#[derive(Deserialize)]
struct Item {
    number: String,
    answer: String,
    #[serde(default)]
    options: Vec<String>,
    #[serde(default)]
    code: String,
    #[serde(default)]
    file: String,
}

#[test]
#[ignore = "needs AMD's headers and clang: tests/rocm/setup.sh DIR, CASS_ROCM=DIR"]
fn rows_that_are_changed_or_right_compile() {
    let precompiled = tempfile::tempdir().expect("a temporary folder can be made");
    let compiler = Compiler {
        arch: CHIPS.to_owned(),
        precompiled: Some(precompiled.path().to_owned()),
        ..Compiler::required()
    };
    let text = fs::read_to_string(root().join("fixtures/catalogue.toml")).expect("it is there");
    let Catalogue { mut item } = toml::from_str(&text).expect("the catalogue is valid");
    item.retain(|item| {
        matches!(item.answer.as_str(), "fine" | "fix")
            && item.file.is_empty()
            && !item.code.is_empty()
    });
    assert!(item.len() >= FEWEST_ROWS, "only {} rows", item.len());
    let mut wrong = in_parallel(&item, |item| item.judge(&compiler).err());
    wrong.sort();
    assert!(
        wrong.is_empty(),
        "{} of {} rows:\n\n{}",
        wrong.len(),
        item.len(),
        wrong.join("\n")
    );
}

impl Item {
    /// Compiles the translation; an error says what the compiler says.
    fn judge(&self, compiler: &Compiler) -> Result<(), String> {
        let options: Vec<&str> = self.options.iter().map(String::as_str).collect();
        let options = parse_options(&options).expect("options of the catalogue are valid");
        let source = SourceFile::new("item.cu", self.code.clone().into_bytes());
        let outcome = translate(&source, &Session::new(options, ApiTable::builtin()));
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let file = folder.path().join("item.cu");
        fs::write(&file, outcome.output.as_ref().unwrap_or(&source.bytes)).expect("writable");
        let header = compat::header(&outcome.helpers);
        fs::write(folder.path().join(compat::HEADER_NAME), header).expect("writable");
        let compiled = compiler.compile(&["-fsyntax-only".to_owned()], &[file]);
        let excused = NOT_COMPILED
            .iter()
            .find(|(number, _)| *number == self.number);
        let lines = compiled
            .output
            .lines()
            .filter(|line| line.contains("error:"));
        match (compiled.ok, excused) {
            (true, None) | (false, Some(_)) => Ok(()),
            (true, Some(_)) => Err(format!(
                "{}: compiles, though it is said not to",
                self.number
            )),
            (false, None) => Err(format!(
                "{}: does not compile\n{}",
                self.number,
                lines
                    .take(3)
                    .map(|line| format!("    {line}\n"))
                    .collect::<String>()
            )),
        }
    }
}
