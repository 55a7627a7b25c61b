//! Each rule's fix is needed and enough: with it, the rule's fixtures compile for AMD GPUs, and with the rule off they do not.
//!
//! A fixture says itself where that cannot be, in a comment at its end that the test holds it to:
//!
//! - `// compiles before: REASON`: the fix is about meaning or speed, the compiler accepts either form;
//! - `// compiles never: REASON`: something in it stays for a person.
//!
//! A fix that other chips need than the two that all are compiled for names its chips in a comment, `// chips: gfx942`.
//!
//! `CASS_ROCM` names the headers, as for `compile_proof`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use crate::common::fixture;
use crate::common::rocm::{Compiled, Compiler, entries, in_parallel, root};
use cass_transpile::compat;
use cass_transpile::edit::Applicability;
use cass_transpile::engine::FileOutcome;
use cass_transpile::engine::translate;
use cass_transpile::rules;
use cass_transpile::text::{Language, SourceFile};

/// A chip with wavefronts of 64 lanes and one with 32.
const CHIPS: &str = "gfx90a,gfx1100";
/// Fixtures of fixes must not get lost unnoticed.
const FEWEST_FIXTURES: usize = 80;

#[test]
#[ignore = "needs AMD's headers and clang: tests/rocm/setup.sh DIR, CASS_ROCM=DIR"]
fn fixes_make_their_fixtures_compile() {
    let compiler = Compiler::required();
    let precompiled = tempfile::tempdir().expect("a temporary folder can be made");
    // No compiler of AMD's reads Python: tests/triton compiles what its programs hand over.
    let of_cpp = |it: &&Fixture| it.source.language == Language::CFamily;
    let fixtures: Vec<&Fixture> = FIXTURES.iter().filter(of_cpp).collect();
    assert!(
        fixtures.len() >= FEWEST_FIXTURES,
        "only {} fixtures of fixes",
        fixtures.len()
    );
    let mut wrong = in_parallel(&fixtures, |fixture| {
        let compiler = Compiler {
            rocm: compiler.rocm.clone(),
            arch: fixture.chips.clone(),
            precompiled: Some(precompiled.path().to_owned()),
        };
        fixture.judge(&compiler).err()
    });
    wrong.sort();
    assert!(
        wrong.is_empty(),
        "{} of {} fixtures:\n\n{}",
        wrong.len(),
        fixtures.len(),
        wrong.join("\n")
    );
}

#[test]
fn every_fix_has_a_fixture() {
    let shown: BTreeSet<&str> = FIXTURES.iter().map(|fixture| fixture.code).collect();
    let missing: Vec<&str> = rules::all()
        .iter()
        .map(|(rule, _)| *rule)
        .filter(|rule| rule.fix >= Some(Applicability::Review) && !shown.contains(rule.code))
        // Of build files nothing is compiled.
        .filter(|rule| !rule.is_about_builds())
        .map(|rule| rule.name)
        .collect();
    assert!(
        missing.is_empty(),
        "no fixture shows the fix of {missing:?}"
    );
}

/// What a fixture says about the compiler.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Promise {
    /// The fix decides.
    FailsBefore,
    /// `// compiles before:`
    CompilesBefore,
    /// `// compiles never:`
    CompilesNever,
}

/// An input that a rule fixes.
struct Fixture {
    code: &'static str,
    path: PathBuf,
    source: SourceFile,
    fixed: FileOutcome,
    chips: String,
    promise: Promise,
}

/// All of them, translated once.
static FIXTURES: LazyLock<Vec<Fixture>> = LazyLock::new(fixtures);

/// Every `invalid-*` fixture with a fix of the rule that its folder is named after.
fn fixtures() -> Vec<Fixture> {
    entries(&root().join("fixtures/rules"))
        .iter()
        .flat_map(|folder| entries(folder))
        .filter_map(|path| Fixture::read(&path))
        .collect()
}

impl Fixture {
    fn read(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_str()?;
        if !name.starts_with("invalid-") || name.ends_with(".snap") {
            return None;
        }
        let folder = path.parent()?.file_name()?.to_str()?;
        let code = rules::find(folder)?.0.code;
        let bytes = std::fs::read(path).expect("fixtures are readable");
        let text = String::from_utf8_lossy(&bytes);
        let (promise, chips) = (promise(&text, path), chips(&text));
        let source = SourceFile::new(fixture::path(name), bytes);
        if !matches!(source.language, Language::CFamily | Language::Python) {
            return None;
        }
        let fixed = translate(&source, &fixture::session(&source, &[]));
        let is_fixed = |judged: &cass_transpile::diagnostic::Judged| {
            judged.code() == code && judged.is_applied()
        };
        fixed.findings.iter().any(is_fixed).then(|| Self {
            code,
            path: path.to_owned(),
            source,
            fixed,
            chips,
            promise,
        })
    }

    /// Compiles the fixture with the rule and without it; an error says what was not as promised.
    fn judge(&self, compiler: &Compiler) -> Result<(), String> {
        let path = self
            .path
            .strip_prefix(root())
            .unwrap_or(&self.path)
            .display();
        let after = self.compile(compiler, &self.fixed);
        match (after.ok, self.promise) {
            (false, Promise::CompilesNever) => return Ok(()),
            (true, Promise::CompilesNever) => {
                return Err(format!(
                    "{path}: compiles, though it says that it never does\n"
                ));
            }
            (false, _) => {
                return Err(format!(
                    "{path}: does not compile\n{}",
                    errors(&after.output)
                ));
            }
            (true, _) => {}
        }
        let without = translate(&self.source, &fixture::session(&self.source, &[self.code]));
        let before = self.compile(compiler, &without);
        match (before.ok, self.promise) {
            (true, Promise::FailsBefore) => {
                Err(format!("{path}: compiles without {} as well\n", self.code))
            }
            (false, Promise::CompilesBefore) => Err(format!(
                "{path}: says that it compiles before\n{}",
                errors(&before.output)
            )),
            _ => Ok(()),
        }
    }

    fn compile(&self, compiler: &Compiler, outcome: &FileOutcome) -> Compiled {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let output = outcome.output.as_ref().unwrap_or(&self.source.bytes);
        let file = folder.path().join(&self.source.path);
        let place = file.parent().expect("a file lies in a folder");
        std::fs::create_dir_all(place).expect("folders can be made");
        std::fs::write(&file, output).expect("writable");
        let header = compat::header(&outcome.helpers);
        std::fs::write(folder.path().join(compat::HEADER_NAME), header).expect("writable");
        // Only the assembler looks into inline assembly; what else there is the front end sees.
        let has_assembly = memchr::memmem::find(output, b"asm").is_some();
        let options = if has_assembly {
            vec![]
        } else {
            vec!["-fsyntax-only".to_owned()]
        };
        compiler.compile(&options, &[file])
    }
}

fn chips(text: &str) -> String {
    let mut lines = text.lines();
    let named = lines.find_map(|line| line.strip_prefix("// chips: "));
    named.unwrap_or(CHIPS).to_owned()
}

fn promise(text: &str, path: &Path) -> Promise {
    let of = |mark: &str| {
        let (_, reason) = text.split_once(mark)?;
        let reason = reason.lines().next().unwrap_or_default();
        assert!(reason.len() > 10, "{}: gives no reason", path.display());
        Some(())
    };
    match (of("// compiles before:"), of("// compiles never:")) {
        (None, None) => Promise::FailsBefore,
        (Some(()), None) => Promise::CompilesBefore,
        (None, Some(())) => Promise::CompilesNever,
        (Some(()), Some(())) => panic!("{}: contradicts itself", path.display()),
    }
}

/// The first errors of a compiler's output.
fn errors(output: &str) -> String {
    let lines = output.lines().filter(|line| line.contains("error:"));
    lines.take(6).map(|line| format!("    {line}\n")).collect()
}
