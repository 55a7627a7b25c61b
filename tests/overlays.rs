//! Tables of one's own: what a good one does, and how a bad one is refused, with the place of every problem.

use std::path::PathBuf;

use cass_transpile::engine::Session;
use cass_transpile::engine::translate;
use cass_transpile::mapping::{ApiTable, json_schema};
use cass_transpile::options::Options;
use cass_transpile::text::SourceFile;

fn fixture(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("fixtures/mappings")
        .join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn a_good_overlay_decides() {
    let table = ApiTable::builtin()
        .overlay("project.toml", &fixture("good/project.toml"), 0)
        .expect("it is valid");
    let session = Session::new(Options::default(), table);
    let source = SourceFile::new(
        "a.cu",
        b"#include <cuda_runtime.h>\n#include \"acme/cuda_blur.h\"\n\
          void f(acmeCudaHandle_t h, float *x, int n) {\n\
          acmeCudaBlur(x, n);\nacmeCudaPlan(h, x, n);\nacmeCudaSort(x, n);\nacmeCudaSort(x, n, 3);\n\
          acmeCudaTrace(h);\ncudaThreadSynchronize();\n}\n"
            .to_vec(),
    );
    let outcome = translate(&source, &session);
    let output = String::from_utf8(outcome.output.expect("it changes")).expect("ASCII");
    for expected in [
        "#include \"acme/hip_blur.h\"",
        "void f(acmeHipHandle_t h",
        "acmeHipBlur(x, n);",
        "acmeHipPlan(reinterpret_cast<void*>(h), x, ACME_DEFAULT);",
        "acmeHipSortAll(x, x, n);",
        "acmeHipSort(x, n, 3);",
        "acmeCudaTrace(h);",
        "acmeSynchronize();",
    ] {
        assert!(
            output.contains(expected),
            "{expected} is missing:\n{output}"
        );
    }
    assert!(
        outcome
            .findings
            .iter()
            .any(|finding| finding.help.contains("tracer has no HIP build"))
    );
}

/// Every bad table is refused, each problem with file, line and column.
#[test]
fn bad_overlays_are_refused_with_their_place() {
    for (name, place, words) in [
        ("builtin", "4:1", "`cudaMalloc` is built in"),
        ("no-note", "5:1", "needs a `note`"),
        ("no-target", "4:1", "has no target"),
        ("not-toml", "3:", ""),
        ("two-verbs", "4:1", "exactly one of cast"),
        ("unknown-key", "4:39", "unknown field `nots`"),
        ("unsorted", "4:1", "not in order"),
        ("version", "4:1", "`six` is not a version"),
    ] {
        let file = format!("bad/{name}.toml");
        let error = ApiTable::builtin()
            .overlay(&file, &fixture(&file), 0)
            .err()
            .unwrap_or_else(|| panic!("{name} is accepted"));
        let text = error.to_string();
        assert!(
            text.starts_with(&format!("{file}:{place}")),
            "{name}: {text}"
        );
        assert!(text.contains(words), "{name}: {text}");
    }
}

/// An editor that knows the schema takes what the program takes: the built-in tables and a good one of one's own.
#[test]
fn the_schema_takes_good_tables_and_no_unknown_keys() {
    let schema = serde_json::from_str(&json_schema()).expect("JSON");
    let validator = jsonschema::draft202012::new(&schema).expect("the schema is one");
    let problems = |text: &str| -> Vec<String> {
        let value: toml::Value = toml::from_str(text).expect("TOML");
        let value = serde_json::to_value(value).expect("JSON");
        let errors = validator.iter_errors(&value);
        errors
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect()
    };
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let tables = std::fs::read_dir(root.join("mappings")).expect("a folder");
    let mut paths: Vec<PathBuf> = tables.map(|table| table.expect("a table").path()).collect();
    // Instructions of PTX, words of build files and chips are tables of other kinds.
    let others = ["ptx.toml", "build.toml", "chips.toml"];
    paths.retain(|path| !others.iter().any(|other| path.ends_with(other)));
    paths.push(root.join("fixtures/mappings/good/project.toml"));
    assert!(paths.len() > 20, "{paths:?}");
    for path in paths {
        let found = problems(&std::fs::read_to_string(&path).expect("readable"));
        assert!(found.is_empty(), "{}: {found:#?}", path.display());
    }
    for bad in ["bad/unknown-key.toml", "bad/two-verbs.toml"] {
        assert!(!problems(&fixture(bad)).is_empty(), "{bad} is taken");
    }
}

#[test]
fn later_overlays_win() {
    let first = "library = \"a\"\n[functions]\nacmeCudaRun = { hip = \"first\" }\n";
    let second = "library = \"a\"\n[functions]\nacmeCudaRun = { hip = \"second\" }\n";
    let table = ApiTable::builtin()
        .overlay("1.toml", first, 0)
        .and_then(|table| table.overlay("2.toml", second, 1))
        .expect("both are valid");
    let hit = table.get(b"acmeCudaRun").expect("it is known");
    assert_eq!(hit.entry.hip, Some("second"));
}

#[test]
fn a_shared_note_is_resolved_and_held_to_be_used() {
    let overlay = |text: &str| ApiTable::builtin().overlay("notes.toml", text, 0);
    let good = overlay(
        "library = \"acme\"\n[notes]\nblur = \"Blur by hand.\"\n[functions]\nacmeCudaBlur = { support = \"unsupported\", note = \"@blur\" }\n",
    );
    let table = good.unwrap_or_else(|error| panic!("{error}"));
    let hit = table.get(b"acmeCudaBlur").expect("it is in the table");
    assert_eq!(hit.entry.note, Some("Blur by hand."));
    let bad = overlay(
        "library = \"acme\"\n[notes]\nblur = \"Blur by hand.\"\n[functions]\nacmeCudaBlur = { support = \"unsupported\", note = \"@blurr\" }\n",
    );
    let problems = bad.err().expect("the note does not exist").to_string();
    assert!(problems.contains("there is no note `blurr`"), "{problems}");
    assert!(
        problems.contains("no entry has the note `@blur`"),
        "{problems}"
    );
}
