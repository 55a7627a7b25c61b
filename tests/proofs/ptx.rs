//! The meaning of translated PTX: `tests/ptx/kernels.cu` is translated, compiled for the CPU together with its helpers, and run
//! against functions that follow the PTX manual bit by bit.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use cass_transpile::compat;
use cass_transpile::engine::Session;
use cass_transpile::engine::translate;
use cass_transpile::mapping::ApiTable;
use cass_transpile::options::Options;
use cass_transpile::text::SourceFile;

#[test]
fn translated_ptx_means_what_ptx_means() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ptx");
    let kernels = std::fs::read_to_string(folder.join("kernels.cu")).expect("it is readable");
    let program = translated(&format!("{kernels}{}", truth_tables()));
    let work = tempfile::tempdir().expect("a temporary folder can be made");
    std::fs::write(work.path().join("translated.inc"), program).expect("it is writable");
    let binary = work.path().join("check");
    let built = Command::new("g++")
        .args([
            "-std=c++17",
            "-O1",
            "-Wno-unknown-pragmas",
            "-D__HIP_PLATFORM_AMD__",
        ])
        .args([Path::new("-I"), work.path(), Path::new("-I"), &folder])
        .arg(folder.join("reference.cpp"))
        .arg("-o")
        .arg(&binary)
        .output()
        .expect("g++ is there: the build of tree-sitter needs a compiler as well");
    assert!(
        built.status.success(),
        "{}",
        String::from_utf8_lossy(&built.stderr)
    );
    let run = Command::new(&binary).output().expect("it runs");
    assert!(
        run.status.success(),
        "{}",
        String::from_utf8_lossy(&run.stdout)
    );
}

/// The translation with its helpers, without includes.
fn translated(source: &str) -> String {
    let source = SourceFile::new("kernels.cu".to_owned(), source.as_bytes().to_vec());
    let outcome = translate(
        &source,
        &Session::new(Options::default(), ApiTable::builtin()),
    );
    let helpers: BTreeSet<&'static str> = outcome.helpers.clone();
    let output = outcome.output.expect("the file holds PTX");
    let output = String::from_utf8(output).expect("it is UTF-8");
    assert!(!output.contains("asm("), "{output}");
    format!("{}{output}", compat::snippets(&helpers))
        .lines()
        .filter(|line| !line.starts_with("#include"))
        .collect::<Vec<_>>()
        .join("\n")
}

/// `lop3` with each of its 256 tables, as a literal and as an operand.
fn truth_tables() -> String {
    let mut text = String::new();
    for (name, table, operand) in [
        ("logic", "TABLE", ""),
        ("logic_any", "%4", ", \"n\"(TABLE + 0)"),
    ] {
        writeln!(
            text,
            "__device__ unsigned {name}(unsigned table, unsigned a, unsigned b, unsigned c) {{\nunsigned d = 0;\nswitch (table) {{"
        )
        .expect("strings take text");
        for number in 0..256 {
            let line = format!(
                "case TABLE: asm(\"lop3.b32 %0, %1, %2, %3, {table};\" : \"=r\"(d) : \"r\"(a), \"r\"(b), \"r\"(c){operand}); break;"
            );
            writeln!(text, "{}", line.replace("TABLE", &number.to_string()))
                .expect("strings take text");
        }
        text.push_str("}\nreturn d;\n}\n");
    }
    text
}
