//! cuDNN on MIOpen: 63 idioms (`idioms/`), each translated and compiled against MIOpen's header, with the state that `docs/howto/cudnn.md`
//! gives it; and whole programs (`programs/`) that compute every layer and train networks on the emulator's MIOpen, some of which were run
//! on an NVIDIA card too (`card/`).
//!
//! `CASS_ROCM` names the headers (`tests/rocm/setup.sh`); `HIP_EMULATOR` what `emulator/tools/install.sh` laid out, else the emulator
//! is built here.

#[path = "../common/mod.rs"]
mod common;
#[path = "../emulated/emulator.rs"]
mod emulator;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use cass_transpile::diagnostic::Severity;
use cass_transpile::engine::{Session, translate};
use cass_transpile::mapping::ApiTable;
use cass_transpile::options::{CompatMode, Options};
use cass_transpile::text::SourceFile;

use common::Tree;
use common::rocm::{Compiler, entries, root, text_of};
use emulator::{CHIPS, Emulator, SCHEDULES};

/// How many idioms there are; one that goes is a promise that goes.
const IDIOMS: usize = 63;

/// A file of `idioms/`: its name, its state, what it does, and its text.
struct Idiom {
    name: String,
    state: String,
    says: String,
    text: String,
}

fn folder() -> PathBuf {
    root().join("tests/miopen")
}

fn idioms() -> Vec<Idiom> {
    let read = |path: &PathBuf| {
        let text = std::fs::read_to_string(path).expect("idioms are UTF-8");
        let head = text
            .lines()
            .next()
            .and_then(|line| line.strip_prefix("// "));
        let (state, says) = head
            .and_then(|head| head.split_once(": "))
            .expect("the first line says the state");
        let name = path
            .file_stem()
            .expect("a file")
            .to_string_lossy()
            .into_owned();
        let (state, says) = (state.to_owned(), says.to_owned());
        Idiom {
            name,
            state,
            says,
            text,
        }
    };
    entries(&folder().join("idioms")).iter().map(read).collect()
}

/// An idiom as translation leaves it.
struct Outcome {
    text: String,
    /// The messages of its errors, each with its help.
    errors: Vec<(String, String)>,
    is_helped: bool,
}

fn outcome(idiom: &Idiom, compat: CompatMode) -> Outcome {
    let options = Options {
        compat,
        ..Options::default()
    };
    let session = Session::new(options, ApiTable::builtin());
    let source = SourceFile::new(
        format!("{}.cu", idiom.name),
        idiom.text.clone().into_bytes(),
    );
    let outcome = translate(&source, &session);
    let errors = outcome
        .visible()
        .filter(|it| it.severity() == Severity::Error);
    let errors = errors
        .map(|it| (it.message().into_owned(), it.help().into_owned()))
        .collect();
    let is_helped = !outcome.helpers.is_empty();
    let text = outcome.output.unwrap_or_else(|| source.bytes.clone());
    Outcome {
        text: String::from_utf8_lossy(&text).into_owned(),
        errors,
        is_helped,
    }
}

#[test]
fn each_idiom_is_in_the_state_that_it_says() {
    let all = idioms();
    assert_eq!(all.len(), IDIOMS);
    for idiom in &all {
        let Outcome {
            text,
            errors,
            is_helped,
        } = outcome(idiom, CompatMode::Header);
        let state = match (errors.is_empty(), is_helped) {
            (false, _) => "error",
            (true, true) => "helper",
            (true, false) => "exact",
        };
        assert_eq!(state, idiom.state, "{}: {errors:?}\n{text}", idiom.name);
    }
}

#[test]
fn without_helpers_each_call_that_needs_one_is_an_error_with_the_lines_to_write() {
    for idiom in idioms().iter().filter(|idiom| idiom.state == "helper") {
        let Outcome { text, errors, .. } = outcome(idiom, CompatMode::None);
        assert!(
            !errors.is_empty() && !text.contains("cass_"),
            "{}:\n{text}",
            idiom.name
        );
        for (error, help) in &errors {
            assert!(help.len() > 20, "{}: {error}: {help}", idiom.name);
        }
    }
}

#[test]
fn the_page_has_each_idiom_in_its_state() {
    let page =
        std::fs::read_to_string(root().join("docs/howto/cudnn.md")).expect("the page is there");
    let row = |line: &str| {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let state = cells
            .get(2)
            .filter(|state| ["exact", "helper", "error"].contains(state))?;
        let name = cells.first()?.strip_prefix('`')?.strip_suffix('`')?;
        Some((name.to_owned(), format!("{}: {}", state, cells.get(1)?)))
    };
    let said: BTreeMap<String, String> = page.lines().filter_map(row).collect();
    let are: BTreeMap<String, String> = idioms()
        .into_iter()
        .map(|it| (it.name, format!("{}: {}", it.state, it.says)))
        .collect();
    assert_eq!(said, are);
}

/// What `query` says of a name's state and limit.
fn said_of(answer: &serde_json::Value) -> &'static str {
    let has = |key: &str| answer[key].as_str().is_some_and(|text| !text.is_empty());
    match answer["support"].as_str() {
        _ if has("helper") => "helper",
        Some("full") if has("hip") => "exact",
        Some("review") if has("hip") && has("note") => "exact but for its note",
        Some("unsupported") if has("note") => "not",
        other => panic!("{}: {other:?}", answer["cuda"]),
    }
}

/// Each function of cuDNN, from its first release to 9: by its own name, by a helper, or not, and what translation does with a call agrees.
#[test]
fn query_says_of_each_function_how_it_is_there() {
    let table = ApiTable::builtin();
    let is_function = |entry: &cass_transpile::mapping::ApiEntry| {
        entry.library == "dnn" && entry.kind == cass_transpile::mapping::Kind::Function
    };
    let names: Vec<&str> = table
        .iter()
        .map(|hit| hit.entry)
        .filter(|entry| is_function(entry))
        .map(|entry| entry.cuda)
        .collect();
    let mut words = vec!["query", "--output-format", "json"];
    words.extend(&names);
    let done = Tree::new(&[]).run(&words);
    let answers: serde_json::Value = serde_json::from_str(&done.out).expect("query prints JSON");
    let answers = answers.as_array().expect("one answer for each name");
    let mut states = BTreeMap::<&str, usize>::new();
    for name in &names {
        let answer = answers.iter().find(|answer| answer["cuda"] == **name);
        let answer = answer.unwrap_or_else(|| panic!("query knows nothing of {name}"));
        let state = said_of(answer);
        *states.entry(state).or_default() += 1;
        let helper = cass_transpile::compat::helpers().find(|it| it.replaces.contains(name));
        let helper = helper.filter(|_| state == "helper");
        let limit = helper.map_or("", |helper| helper.limit);
        assert_eq!(
            answer["limit"].as_str().unwrap_or_default(),
            limit,
            "{name}"
        );
        let idiom = Idiom {
            name: "call".to_owned(),
            state: state.to_owned(),
            says: String::new(),
            text: format!("#include <cudnn.h>\nauto f = &{name};\n"),
        };
        let outcome = outcome(&idiom, CompatMode::Header);
        // A function that is handed on goes by a helper where its arguments cannot be edited.
        let is_so = outcome.is_helped || state != "helper";
        assert!(is_so, "{name}: {}", outcome.text);
        if state == "not" {
            assert!(!outcome.errors.is_empty(), "{name}: {}", outcome.text);
        }
    }
    let counted: usize = states.values().sum();
    assert_eq!(counted, names.len());
    assert!(states.len() == 4 && counted >= 300, "{states:?}");
}

/// The files of a folder translated into another, with the helper header.
fn translated(from: &str) -> Tree {
    let tree = Tree::new(&[]);
    let done = tree.run(&[&folder().join(from).display().to_string(), "out", "--quiet"]);
    assert!(done.code < 2, "{}", done.err);
    tree
}

/// All idioms in one file, as C++ for the host: most of the time goes into reading AMD's headers.
#[test]
#[ignore = "needs AMD's headers and clang: tests/rocm/setup.sh DIR, CASS_ROCM=DIR"]
fn idioms_compile_against_the_header_of_miopen() {
    let compiler = Compiler::required();
    let tree = translated("idioms");
    let compiled = |names: &[&str]| {
        let lines: String = names
            .iter()
            .map(|name| format!("#include \"{name}.cu\"\n"))
            .collect();
        tree.write("out/all.cpp", lines.as_bytes());
        let done = Command::new("g++")
            .args([
                "-std=c++17",
                "-fsyntax-only",
                "-w",
                "-D__HIP_PLATFORM_AMD__",
                "-x",
                "c++",
                "-isystem",
            ])
            .arg(compiler.rocm.join("usr/include"))
            .arg("all.cpp")
            .current_dir(tree.path("out"))
            .output()
            .expect("g++ is there");
        (done.status.success(), text_of(&done))
    };
    let all = idioms();
    let right: Vec<&str> = all
        .iter()
        .filter(|it| it.state != "error")
        .map(|it| it.name.as_str())
        .collect();
    let (is_right, log) = compiled(&right);
    assert!(is_right, "{log}");
    // A name of cuDNN that stays is refused, or the proof above is none.
    let (is_right, _) = compiled(&["true_convolution"]);
    assert!(
        !is_right,
        "true_convolution compiles, and its state is an error"
    );
}

/// Builds a program of the host and runs it on the emulator's MIOpen; whether it is content, and what it said.
fn run(emulator: &Emulator, folder: &Path, name: &str) -> (bool, String) {
    let lib = emulator.home.join("lib");
    let (compiler, standard, language) = match name.ends_with(".c") {
        true => ("gcc", "-std=gnu11", "c"),
        false => ("g++", "-std=c++17", "c++"),
    };
    let built = Command::new(compiler)
        .args([standard, "-O1", "-w", "-D__HIP_PLATFORM_AMD__", "-isystem"])
        .arg(emulator.rocm.join("usr/include"))
        .args(["-x", language, name, "-x", "none", "-L"])
        .arg(&lib)
        .args(["-lMIOpen", "-lamdhip64", "-lm", "-o", "program"])
        .current_dir(folder)
        .output()
        .expect("a compiler of the host is there");
    assert!(built.status.success(), "{name}:\n{}", text_of(&built));
    let program = folder.join("program");
    let ran = emulator.run(&program, &[], CHIPS[0], SCHEDULES[0]);
    (ran.status.success(), text_of(&ran))
}

/// Programs that compare each result with its formula.
#[test]
#[ignore = "needs AMD's headers and clang: tests/rocm/setup.sh DIR, CASS_ROCM=DIR"]
fn programs_compute_and_train() {
    let emulator = Emulator::required();
    let tree = translated("programs");
    for name in [
        "layers.cu",
        "tensors.cu",
        "recurrent.cu",
        "sequences.cu",
        "more.cu",
        "train.cu",
        "bricks.cu",
        "yard.c",
    ] {
        let (is_right, said) = run(&emulator, &tree.path("out"), name);
        assert!(is_right, "{name}:\n{said}");
    }
}

/// Where two texts differ by more than a number's last digits: of `2e-5` and as much of the number. A card sums in another order, and the
/// texts have six digits.
fn difference(found: &str, wanted: &str) -> Option<String> {
    let is_near = |one: &str, other: &str| {
        let number = |word: &str| word.trim_end_matches(',').parse::<f64>();
        let (Ok(one), Ok(other)) = (number(one), number(other)) else {
            return one == other;
        };
        (one - other).abs() <= 2e-5 * (1.0 + other.abs())
    };
    let (found_lines, wanted_lines) = (found.lines(), wanted.lines());
    if found_lines.clone().count() != wanted_lines.clone().count() {
        return Some(found.to_owned());
    }
    let differs = |(found, wanted): &(&str, &str)| {
        let (one, other) = (found.split_whitespace(), wanted.split_whitespace());
        one.clone().count() != other.clone().count()
            || !one.zip(other).all(|(one, other)| is_near(one, other))
    };
    let mut lines = found_lines.zip(wanted_lines);
    lines
        .find(differs)
        .map(|(found, wanted)| format!("{found}\nand on a card\n{wanted}"))
}

/// What the programs printed on an NVIDIA card, with TF32 off, is what their translations print.
#[test]
#[ignore = "needs AMD's headers and clang: tests/rocm/setup.sh DIR, CASS_ROCM=DIR"]
fn programs_give_what_a_card_gave() {
    let emulator = Emulator::required();
    let tree = translated("programs");
    for (name, of_card) in [
        ("grid.cu", include_str!("card/grid.txt")),
        ("bricks.cu", include_str!("card/bricks.txt")),
        ("yard.c", include_str!("card/yard.txt")),
    ] {
        let (is_right, said) = run(&emulator, &tree.path("out"), name);
        assert!(is_right, "{name}:\n{said}");
        let found = difference(&said, of_card);
        assert_eq!(found, None, "{name}");
    }
}

#[test]
fn numbers_that_differ_are_seen() {
    assert_eq!(difference("sum: 1.00001 2\n", "sum: 1.00002 2\n"), None);
    for wrong in ["sum: 1.0001 2\n", "mean: 1.00002 2\n", "sum: 1.00002\n", ""] {
        assert!(difference(wrong, "sum: 1.00002 2\n").is_some(), "{wrong}");
    }
}

/// The programs must notice a helper that is wrong, or they prove nothing.
#[test]
#[ignore = "needs AMD's headers and clang: tests/rocm/setup.sh DIR, CASS_ROCM=DIR"]
fn a_wrong_helper_fails_the_programs() {
    let faults = [
        (
            "layers.cu",
            "mode == miopenActivationTANH ? 1.0 : coefficient",
            "coefficient",
        ),
        (
            "layers.cu",
            "type == miopenDouble ? (float)*(const double*)value : ",
            "",
        ),
        (
            "layers.cu",
            "return by == 1.0f ? miopenStatusSuccess :",
            "return by > 0.0f ? miopenStatusSuccess :",
        ),
        (
            "layers.cu",
            "miopenSetPoolingIndexType(pooling, miopenIndexUint32)",
            "miopenStatusSuccess",
        ),
        (
            "layers.cu",
            "format == miopenTensorNCHW ? miopenSet4d",
            "true ? miopenSet4d",
        ),
        (
            "layers.cu",
            "algorithm, space ? bytes : 0);",
            "algorithm, (size_t)-1);",
        ),
        (
            "layers.cu",
            "&one, yDesc, y, dyDesc, dy, yDesc, y, &none",
            "&one, yDesc, y, dyDesc, dy, dyDesc, dy, &none",
        ),
        (
            "recurrent.cu",
            "lstm[4] = {0, 1, 3, 2}",
            "lstm[4] = {0, 1, 2, 3}",
        ),
        ("recurrent.cu", "gru[3] = {1, 0, 2}", "gru[3] = {0, 1, 2}"),
        (
            "recurrent.cu",
            "miopenTensorOpAdd, &one, dwDesc, dw,",
            "miopenTensorOpAdd, &none, dwDesc, dw,",
        ),
        (
            "recurrent.cu",
            "*first = given ? given : none;",
            "*first = given;",
        ),
        ("recurrent.cu", "size == 2 ? dims[1] : 1;", "1;"),
        (
            "sequences.cu",
            "adds ? cass_dnn_rnn_add(handle, network, dw, to, weights) : status",
            "adds ? status : status",
        ),
        (
            "sequences.cu",
            "miopenStatusSuccess && *bytes < needed",
            "miopenStatusSuccess && 0",
        ),
        ("tensors.cu", "seed + 0x9E3779B97F4A7C15ull", "seed"),
        (
            "more.cu",
            "    if (is_plain)\n        return miopenOpTensor(",
            "    if (1)\n        return miopenOpTensor(",
        ),
        ("more.cu", "places ? places : dyDesc", "dyDesc"),
    ];
    let emulator = Emulator::required();
    let tree = translated("programs");
    let right = tree.read("out/cass_hip_compat.hpp");
    for (program, text, wrong) in faults {
        assert!(right.contains(text), "no helper has {text}");
        tree.write(
            "out/cass_hip_compat.hpp",
            right.replace(text, wrong).as_bytes(),
        );
        let (is_right, _) = run(&emulator, &tree.path("out"), program);
        assert!(!is_right, "{program} passes with {wrong} for {text}");
    }
}

/// The same functions from C, where a header of C++ would stop the compiler.
#[test]
#[ignore = "needs AMD's headers and clang: tests/rocm/setup.sh DIR, CASS_ROCM=DIR"]
fn helpers_are_c_as_well() {
    let compiler = Compiler::required();
    let all = cass_transpile::compat::helpers().filter(|helper| is_of_miopen(helper.name));
    let header = cass_transpile::compat::header(&all.map(|helper| helper.name).collect());
    let tree = Tree::new(&[("helpers.h", header.as_str())]);
    let text = "#include \"helpers.h\"\nint main(void) { return 0; }\n";
    tree.write("use.c", text.as_bytes());
    let done = Command::new("gcc")
        .args([
            "-std=gnu11",
            "-fsyntax-only",
            "-Wall",
            "-Wextra",
            "-Werror",
            "-D__HIP_PLATFORM_AMD__",
            "-isystem",
        ])
        .arg(compiler.rocm.join("usr/include"))
        .arg("use.c")
        .current_dir(Path::new(&tree.path("")))
        .output()
        .expect("gcc is there");
    assert!(done.status.success(), "{}", text_of(&done));
}

fn is_of_miopen(name: &str) -> bool {
    name.starts_with("cass_cudnn_") || name.starts_with("cass_dnn_")
}
