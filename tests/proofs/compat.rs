//! The helper header: its snippets say what they are, compile for AMD GPUs, and mean what CUDA's functions mean.
//!
//! The meaning is tested without a GPU. Each program of `tests/compat/*.cpp` names the snippets it tests (`// helpers: …`), is built
//! by the system's g++ with stand-ins for the HIP headers, and run. `golden.inc` holds what CUDA's own functions answered on an
//! NVIDIA GPU (`golden.cu` recorded it), and `wave.hpp` runs the lanes of a wavefront in step.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use cass_transpile::compat::{Helper, find, helpers, snippets};

use crate::common::rocm::required_folder;

/// Snippets whose instructions only an AMD GPU has; they are compiled for it, and nothing of them can run here.
const DEVICE_ONLY: &[(&str, &str)] = &[
    ("cass_address_space", "asks the hardware for an aperture"),
    (
        "cass_bfloat16_overloads",
        "keeps templates of clang's headers out, which g++ has not",
    ),
    ("cass_cp_async", "writes to an LDS address"),
    ("cass_cvta", "converts between address spaces"),
    ("cass_f16_bits", "vectors of halves, which g++ 12 lacks"),
    (
        "cass_grid_constant",
        "a word of a kernel's parameter, which is nothing on AMD",
    ),
    (
        "cass_half_overloads",
        "keeps templates of clang's headers out, which g++ has not",
    ),
];
/// Snippets whose meaning `tests/miopen` shows: whole programs run with them on the emulator's MIOpen.
const WITH_MIOPEN: &[&str] = &["cass_cudnn_", "cass_dnn_"];
/// Snippets that whole programs of `tests/emulated` run with, and where.
const IN_PROGRAMS: &[(&str, &str)] = &[
    ("cass_atomic", "tests/emulated/libcu.cu"),
    ("cass_atomic_add_bits", "tests/emulated/half_sums.cu"),
    ("cass_carry_flag", "tests/emulated/carries.cu"),
    ("cass_compute_type", "fixtures/corpus/blas-power/power.cu"),
    ("cass_float8", "tests/emulated/float8.cu"),
    ("cass_fragment", "tests/emulated/matrix.cu"),
    ("cass_host_min_max", "tests/emulated/host_overloads.cu"),
    ("cass_ldmatrix", "tests/emulated/matrix.cu"),
    ("cass_matinv", "tests/emulated/matrix_inverse.cu"),
    ("cass_mma", "tests/emulated/matrix.cu"),
    ("cass_module_text", "tests/emulated/module_string.cu"),
    ("cass_movmatrix", "tests/emulated/matrix.cu"),
    ("cass_stmatrix", "tests/emulated/matrix.cu"),
    ("cass_strict_convert", "tests/emulated/strict.cu"),
    ("cass_strict_fast", "tests/emulated/strict.cu"),
    ("cass_strict_half", "tests/emulated/strict.cu"),
    ("cass_strict_half2int", "tests/emulated/strict.cu"),
    ("cass_strict_minmax", "tests/emulated/strict.cu"),
    ("cass_strict_round", "tests/emulated/strict.cu"),
    ("cass_strict_saturated", "tests/emulated/strict.cu"),
    ("cass_to", "tests/emulated/strict.cu"),
    ("cass_vector_base", "tests/emulated/derived_vector.cu"),
];
/// Keys of a snippet's first lines.
const KEYS: &[&str] = &[
    "name", "provides", "replaces", "strict", "requires", "includes", "summary", "limit", "source",
    "nvidia",
];
/// Warnings about the language of the device, which g++ does not know.
const QUIET: &[&str] = &[
    "-Wno-unknown-pragmas",
    "-Wno-attributes",
    "-Wno-ignored-attributes",
    "-Wno-psabi",
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/compat")
}

fn programs() -> Vec<PathBuf> {
    let mut programs: Vec<PathBuf> = std::fs::read_dir(folder())
        .expect("the test programs are there")
        .map(|item| item.expect("readable").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "cpp"))
        .collect();
    programs.sort();
    programs
}

/// The snippets that a test program names.
fn tested_by(program: &Path) -> BTreeSet<&'static str> {
    let text = std::fs::read_to_string(program).expect("test programs are UTF-8");
    let names = text
        .lines()
        .filter_map(|line| line.strip_prefix("// helpers: "));
    names
        .flat_map(|line| line.split(", "))
        .map(|name| {
            let helper =
                find(name).unwrap_or_else(|| panic!("{program:?} tests no snippet {name}"));
            assert_eq!(helper.name, name, "{program:?} names a function");
            helper.name
        })
        .collect()
}

/// A snippet and all it builds on.
fn with_requirements(name: &'static str, all: &mut BTreeSet<&'static str>) {
    if all.insert(name) {
        let helper = find(name).expect("a snippet requires snippets");
        for required in helper.requires {
            with_requirements(required, all);
        }
    }
}

fn text_of(output: &Output) -> String {
    let bytes = [output.stdout.as_slice(), output.stderr.as_slice()].concat();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Builds a test program at a level of optimization with the helpers as `change` leaves them, and runs it in a folder of its own. Also says what g++ said.
fn run(program: &str, optimization: &str, change: impl Fn(String) -> String) -> (Output, String) {
    let source = folder().join(program);
    let work = tempfile::tempdir().expect("a temporary folder can be made");
    // Headers of ROCm are empty here: the test programs stand in for what they declare.
    for header in helpers()
        .flat_map(|helper| helper.includes)
        .filter(|path| path.contains('/'))
        .chain([&"hip/hip_runtime.h"])
    {
        let header = work.path().join(header);
        let parent = header.parent().expect("the header lies in a folder");
        std::fs::create_dir_all(parent).expect("the folder can be written");
        std::fs::write(&header, "").expect("the folder can be written");
    }
    let text = change(snippets(&tested_by(&source)));
    std::fs::write(work.path().join("helpers.hpp"), text).expect("the folder can be written");
    let built = Command::new("g++")
        .args([
            "-std=c++17",
            optimization,
            "-Wall",
            "-Wextra",
            "-D__HIP_PLATFORM_AMD__",
        ])
        .args(QUIET)
        .arg("-I")
        .arg(folder())
        .args(["-I", ".", "-o", "program"])
        .arg(&source)
        .current_dir(&work)
        .output()
        .expect("g++ is there: the tests of the helpers need it, as the build of tree-sitter does");
    let log = text_of(&built);
    assert!(built.status.success(), "{program} does not compile:\n{log}");
    let ran = Command::new(work.path().join("program"))
        .current_dir(&work)
        .output()
        .expect("a program that was just built runs");
    (ran, log)
}

fn passes(program: &str) {
    let (output, warnings) = run(program, "-O1", |text| text);
    assert_eq!(warnings, "", "{program} compiles with warnings");
    assert!(output.status.success(), "{program}:\n{}", text_of(&output));
}

/// A test for each program, and their names.
macro_rules! programs_that_pass {
    ($($name:ident)+) => {
        const TESTED: &[&str] = &[$(stringify!($name)),+];
        $(
            #[test]
            fn $name() {
                passes(concat!(stringify!($name), ".cpp"));
            }
        )+
    };
}

programs_that_pass! { atomics cub errors float2 golden_check groups half math memory nvtx ptx samples textures warp }

/// The programs above must notice a helper that is wrong, or they prove nothing.
#[test]
fn a_wrong_helper_fails_its_test() {
    let faults = [
        ("warp.cpp", "__lane_id() & 32u", "__lane_id() & 0u"),
        ("groups.cpp", "op(before, value)", "op(value, before)"),
        ("groups.cpp", "delta < size - rank", "delta <= size - rank"),
        ("memory.cpp", "unsigned piece = 16;", "unsigned piece = 8;"),
        ("half.cpp", "first = a >= b", "first = a > b"),
        (
            "math.cpp",
            "::copysign(1.0, r) - r",
            "::copysign(1.0, r) + r",
        ),
        ("math.cpp", "z > 1 && z < 40", "false"),
        ("ptx.cpp", "bits + 1u : bits - 1u", "bits : bits"),
        ("ptx.cpp", "result < sum", "false"),
        (
            "nvtx.cpp",
            "event && event->messageType",
            "event->messageType",
        ),
        ("errors.cpp", "return \"out of memory\"", "return \"\""),
        ("cub.cpp", "std::exit(1)", "(void)0"),
        ("atomics.cpp", "~(0xffffu << shift)", "0"),
        ("golden_check.cpp", "side != direction", "side == direction"),
        ("golden_check.cpp", "(x + y + 1) >> 1", "(x + y) >> 1"),
        ("textures.cpp", "bytes / sizeof(CassT)", "bytes"),
        ("textures.cpp", "elements < INT_MAX", "true"),
        (
            "samples.cpp",
            "getCmdLineArgumentInt(argc, argv, \"device=\")",
            "0",
        ),
    ];
    for (program, right, wrong) in faults {
        // g++ takes most of the time, and less without optimization; what stands for builtins of clang's has to be inlined.
        let optimization = if program == "memory.cpp" {
            "-O1"
        } else {
            "-O0"
        };
        let (output, _) = run(program, optimization, |text| {
            assert!(text.contains(right), "no helper of {program} has {right}");
            text.replace(right, wrong)
        });
        assert!(!output.status.success(), "{program} passes with {wrong}");
    }
}

#[test]
fn every_snippet_is_tested() {
    let named: Vec<String> = programs()
        .iter()
        .map(|path| {
            path.file_stem()
                .expect("a name")
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    assert_eq!(named, TESTED, "a test of this file runs each program");
    let mut tested = BTreeSet::new();
    for name in programs().iter().flat_map(|program| tested_by(program)) {
        with_requirements(name, &mut tested);
    }
    for helper in helpers() {
        let is_of_miopen = WITH_MIOPEN.iter().any(|name| helper.name.starts_with(name));
        let mut elsewhere = DEVICE_ONLY.iter().chain(IN_PROGRAMS);
        let excuse = is_of_miopen || elsewhere.any(|(name, _)| *name == helper.name);
        assert_ne!(
            tested.contains(helper.name),
            excuse,
            "{} is either tested here or said to be shown elsewhere",
            helper.name
        );
    }
}

/// Identifiers of a snippet's code.
fn words(text: &str) -> BTreeSet<&str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .collect()
}

/// The lines of keys, and the code behind them.
fn split(helper: &Helper) -> (Vec<&'static str>, String) {
    let lines: Vec<&str> = helper.text.lines().collect();
    let is_key = |line: &&str| {
        KEYS.iter()
            .any(|key| line.starts_with(&format!("// {key}:")))
    };
    let keys: Vec<&str> = lines.iter().copied().take_while(is_key).collect();
    let code = lines[keys.len()..].join("\n");
    (keys, code)
}

/// Whether a macro that pastes names makes a function, in double and in float, of the word that it is given: `cass_##NAME##f`.
fn is_of_macro(code: &str, function: &str) -> bool {
    let is_given = |word: &str| code.contains(&format!("_FUNCTION({word})"));
    let in_double = code.contains(" cass_##NAME(");
    let in_float = code.contains(" cass_##NAME##f(");
    function.strip_prefix("cass_").is_some_and(|word| {
        in_double && is_given(word) || in_float && word.strip_suffix('f').is_some_and(is_given)
    })
}

#[test]
fn snippets_say_what_they_are() {
    let mut owners: BTreeMap<&str, &str> = BTreeMap::new();
    for helper in helpers() {
        let name = helper.name;
        let (keys, code) = split(helper);
        let found: Vec<&str> = keys
            .iter()
            .filter_map(|line| line["// ".len()..].split(':').next())
            .collect();
        let expected: Vec<&str> = KEYS
            .iter()
            .copied()
            .filter(|key| found.contains(key))
            .collect();
        assert_eq!(found, expected, "{name}: each key once, in this order");
        for key in ["name", "provides", "replaces", "summary", "source"] {
            assert!(found.contains(&key), "{name} has no {key}");
        }
        let folders = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/compat");
        let folders = fs::read_dir(folders).expect("the snippets are readable");
        let file = format!("{name}.hpp");
        let is_there = |folder: fs::DirEntry| folder.path().join(&file).is_file();
        assert!(
            folders.flatten().any(is_there),
            "{name} is named like its file"
        );
        assert!(
            !code.starts_with("//"),
            "{name}: a blank line ends the keys"
        );
        assert!(
            helper.summary.ends_with('.'),
            "{name}: a summary is a sentence"
        );
        assert!(helper.replaces.len() <= helper.provides.len(), "{name}");
        let words = words(&code);
        for function in helper.provides {
            let is_pasted = code.contains("make_##") && function.starts_with("make_");
            assert!(
                is_pasted || words.contains(function) || is_of_macro(&code, function),
                "{name} does not define {function}"
            );
            let ours = function.starts_with("cass_") || function.starts_with("CASS_");
            let own_name = name.starts_with("helper_") || helper.replaces.contains(function);
            assert!(
                ours || own_name,
                "{name}: {function} could clash with other code"
            );
            // Macros that the samples' headers define under a guard, each for itself.
            if !matches!(*function, "MAX" | "EXIT_WAIVED") {
                let other = owners.insert(function, name);
                assert_eq!(other, None, "{function} of {name} is also defined there");
            }
        }
    }
}

/// Whether a line of a snippet begins the definition of a function of that name.
fn defines(code: &str, function: &str) -> bool {
    let heads = code
        .lines()
        .filter(|line| !line.starts_with([' ', '/', '}', '#']));
    let mut heads = heads.filter_map(|line| Some(line.split_once('(')?.0));
    heads.any(|head| head.ends_with(function) && words(head).contains(function))
}

/// A snippet names every other one whose functions it calls, so that the header never lacks one.
#[test]
fn snippets_require_what_they_use() {
    let codes: Vec<_> = helpers().map(|helper| (helper, split(helper).1)).collect();
    let owner = |word: &str| {
        let mut owners = codes
            .iter()
            .filter(|(helper, code)| helper.provides.contains(&word) || defines(code, word));
        let owner = word.starts_with("cass_").then(|| owners.next()).flatten();
        owner.map(|(helper, _)| helper.name)
    };
    for helper in helpers() {
        let (_, code) = split(helper);
        let mut allowed = BTreeSet::new();
        with_requirements(helper.name, &mut allowed);
        for word in words(&code) {
            if let Some(owner) = owner(word) {
                assert!(
                    allowed.contains(owner),
                    "{} uses {word} of {owner}",
                    helper.name
                );
            }
        }
        for required in helper.requires {
            let required = find(required).expect("a snippet requires snippets");
            let uses = words(&code);
            let (_, theirs) = split(required);
            let used = uses
                .iter()
                .any(|word| required.provides.contains(word) || defines(&theirs, word));
            let gathers =
                helper.name == "helper_functions" || required.name == "cass_memory_scopes";
            assert!(
                used || gathers,
                "{} does not use {}",
                helper.name,
                required.name
            );
        }
    }
}

/// The whole header compiles for a wave64 and a wave32 chip (`device_check.sh`). Needs `CASS_ROCM`, as the compile proof does.
#[test]
#[ignore = "needs AMD's headers and clang: tests/rocm/setup.sh DIR, CASS_ROCM=DIR"]
fn every_helper_compiles_for_amd() {
    let rocm = required_folder("CASS_ROCM", "tests/rocm/setup.sh");
    let all: BTreeSet<&'static str> = helpers().map(|helper| helper.name).collect();
    let work = tempfile::tempdir().expect("a temporary folder can be made");
    let header = work.path().join("all.hpp");
    std::fs::write(&header, snippets(&all)).expect("the folder can be written");
    let output = Command::new("bash")
        .arg(folder().join("device_check.sh"))
        .arg(rocm)
        .arg(header)
        .output()
        .expect("bash runs");
    let log = text_of(&output);
    assert!(output.status.success(), "{log}");
    for pass in ["ok host", "ok gfx90a", "ok gfx1100"] {
        assert!(log.contains(pass), "not {pass}:\n{log}");
    }
}
