//! Every row of argument edits, applied to a call with as many arguments as CUDA's headers declare: the output has the arguments that a
//! plain reading of the verbs gives, in that order, and the compiler takes the call with AMD's headers.
//!
//! Needs `CASS_CUDA_INCLUDE` (`tests/cuda/setup.sh`) and `CASS_ROCM` (`tests/rocm/setup.sh`); without them nothing is proven, loudly.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use cass_transpile::compat::helpers;
use cass_transpile::edit::Applicability;
use cass_transpile::mapping::{ApiTable, ArgEdit, Choices, Kind, LibraryVendor, Verb, Version};
use cass_transpile::rules::{Options, Session, Trigger, all, translate};
use cass_transpile::survey::{Names, scan};
use cass_transpile::text::SourceFile;

const ROCM: Version = Version::new(6, 4);

/// One row: a call with `arity` arguments, the edits it gets, and under which choice.
struct Row {
    cuda: &'static str,
    library: &'static str,
    target: &'static str,
    arity: usize,
    edits: &'static [ArgEdit<'static>],
    roc: bool,
}

#[test]
fn every_row_gives_the_arguments_it_says_and_they_compile() {
    let (Some(include), Some(rocm)) = (folder("CASS_CUDA_INCLUDE"), folder("CASS_ROCM")) else {
        return;
    };
    let mut cuda = Names::default();
    scan(&include, &mut cuda);
    let rows = rows(&cuda);
    assert!(rows.len() >= 180, "only {} rows", rows.len());
    let sessions = [false, true].map(session);
    let mut calls = BTreeMap::<&str, Vec<String>>::new();
    let mut problems = Vec::new();
    for row in &rows {
        let output = translated(&sessions[usize::from(row.roc)], row);
        let wanted = format!("{}({});", row.target, expected(row).join(", "));
        if without_blanks(&output) == without_blanks(&wanted) {
            calls.entry(row.library).or_default().push(output);
        } else {
            problems.push(format!("{}: {output}\n    instead of {wanted}", row.cuda));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    for (library, calls) in calls {
        problems.extend(compile(&rocm, library, &calls));
    }
    assert!(
        problems.is_empty(),
        "{}:\n{}",
        problems.len(),
        problems.join("\n")
    );
    let wrong = [String::from("hipMemcpy(a0, a1, a2);")];
    assert!(
        !compile(&rocm, "runtime", &wrong).is_empty(),
        "a call that lacks an argument compiles"
    );
}

fn folder(variable: &str) -> Option<PathBuf> {
    let folder = std::env::var_os(variable).filter(|value| !value.is_empty());
    if folder.is_none() {
        let _ = writeln!(
            std::io::stderr(),
            "NOT RUN: argument_verbs needs {variable}"
        );
        assert!(
            std::env::var_os("CI").is_none(),
            "{variable} is not set in CI"
        );
    }
    folder.map(PathBuf::from)
}

/// The rows of functions that no rule owns, with a number of arguments that CUDA declares.
fn rows(cuda: &Names) -> Vec<Row> {
    let table: &'static ApiTable = Box::leak(Box::new(ApiTable::builtin()));
    let mut rows = Vec::new();
    for entry in table.iter().map(|hit| hit.entry) {
        if entry.kind != Kind::Function || is_owned(entry.cuda) {
            continue;
        }
        let row = |target, arity, edits, roc| Row {
            cuda: entry.cuda,
            library: entry.library,
            target,
            arity,
            edits,
            roc,
        };
        let forms: Vec<usize> = entry.forms.iter().map(|f| usize::from(f.arity)).collect();
        let declared = cuda.get(entry.cuda);
        let arity = declared
            .iter()
            .flat_map(|declared| &declared.arities)
            .map(|&(_, most)| most)
            .find(|most| *most < 40 && !forms.contains(most));
        if let Some(arity) = arity {
            if let Some(hip) = entry.hip.filter(|_| entry.rocm.contains(ROCM)) {
                rows.push(row(hip, arity, &entry.args[..], false));
            }
            if let Some(roc) = entry.roc.as_ref().filter(|roc| roc.rocm.contains(ROCM)) {
                rows.push(row(roc.name, arity, &roc.args[..], true));
            }
        }
        for form in &entry.forms {
            let has = form.rocm.unwrap_or(entry.rocm).contains(ROCM);
            if let Some(hip) = form
                .hip
                .or(entry.hip)
                .filter(|hip| has && *hip != entry.cuda)
            {
                rows.push(row(hip, form.arity.into(), &form.args[..], false));
            }
        }
    }
    let replaced: BTreeSet<&str> = helpers()
        .flat_map(|helper| helper.replaces.iter().copied())
        .collect();
    // A helper of ours takes the arguments as they are.
    rows.retain(|row| !row.edits.is_empty() && !replaced.contains(row.cuda));
    rows
}

fn is_owned(name: &str) -> bool {
    let owns = |trigger: &Trigger| match trigger {
        Trigger::Owned(names) | Trigger::Idents(names) => names.contains(&name),
        _ => false,
    };
    all().iter().any(|(rule, _)| rule.triggers.iter().any(owns))
}

fn session(roc: bool) -> Session {
    let vendor = if roc {
        LibraryVendor::Roc
    } else {
        LibraryVendor::Hip
    };
    let options = Options {
        choices: Choices {
            blas: vendor,
            fft: vendor,
            rand: vendor,
            sparse: vendor,
            solver: vendor,
        },
        fix_level: Applicability::Review,
        ..Options::default()
    };
    Session::new(options, ApiTable::builtin())
}

fn arguments(arity: usize) -> Vec<String> {
    (0..arity).map(|at| format!("a{at}")).collect()
}

/// The call as the tool writes it.
fn translated(session: &Session, row: &Row) -> String {
    let call = format!("{}({});", row.cuda, arguments(row.arity).join(", "));
    let text = format!("#include <cuda_runtime.h>\nvoid f() {{\n{call}\n}}\n");
    let source = SourceFile::new("a.cu", text.into_bytes());
    let output = translate(&source, session).output.unwrap_or_default();
    let output = String::from_utf8(output).expect("ASCII");
    output.lines().rev().nth(1).unwrap_or_default().to_owned()
}

/// The arguments as the verbs read: what comes in front of each position, then the argument if it stays.
fn expected(row: &Row) -> Vec<String> {
    let mut kept: Vec<Option<String>> = arguments(row.arity).into_iter().map(Some).collect();
    let mut front = vec![Vec::new(); row.arity + 1];
    for edit in row.edits {
        let at = usize::from(edit.at);
        let original = |at: u8| format!("a{at}");
        match &edit.verb {
            Verb::Cast(ty) => kept[at] = Some(format!("reinterpret_cast<{ty}>(a{at})")),
            Verb::Wrap(with) => kept[at] = Some(format!("{with}(a{at})")),
            Verb::Drop => kept[at] = None,
            Verb::Insert(text) => front[at].push((*text).to_owned()),
            Verb::Replace { when: Some(_), .. } => {}
            Verb::Replace { text, when: None } => kept[at] = Some((*text).to_owned()),
            Verb::Move(to) => {
                front[usize::from(*to)].push(original(edit.at));
                kept[at] = None;
            }
            Verb::Copy(from) => front[at].push(original(*from)),
        }
    }
    kept.push(None);
    front
        .into_iter()
        .zip(kept)
        .flat_map(|(mut front, kept)| {
            front.extend(kept);
            front
        })
        .collect()
}

fn without_blanks(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

/// The compiler's errors about calls whose arguments convert to anything: what is counted and typed is what the tables insert.
fn compile(rocm: &Path, library: &str, calls: &[String]) -> BTreeSet<String> {
    let headers: &[&str] = match library {
        "blas" => &["hipblas/hipblas.h", "rocblas/rocblas.h"],
        "blaslt" => &["hipblaslt/hipblaslt.h"],
        "dnn" => &["miopen/miopen.h"],
        "fft" => &["hipfft/hipfft.h", "hipfft/hipfftXt.h", "rocfft/rocfft.h"],
        "rand" => &[
            "hiprand/hiprand_kernel.h",
            "hiprand/hiprand_mtgp32_host.h",
            "rocrand/rocrand_kernel.h",
            "rocrand/rocrand_mtgp32_11213.h",
        ],
        "solver" => &["hipsolver/hipsolver.h", "rocsolver/rocsolver.h"],
        "sparse" => &["hipsparse/hipsparse.h", "rocsparse/rocsparse.h"],
        "rtc" => &["hip/hiprtc.h"],
        "runtime" | "driver" => &["hip/hip_gl_interop.h"],
        // Not packaged for Debian, or without functions on the host.
        _ => return BTreeSet::new(),
    };
    let mut text = String::from("#define HIPBLAS_V2\n#include <hip/hip_runtime.h>\n");
    for header in headers {
        writeln!(text, "#include <{header}>").expect("strings take text");
    }
    text.push_str(
        "struct any { template <class T> operator T() const; };\n\
         template <class T> T as(any) { return T(); }\n#define reinterpret_cast as\n",
    );
    for (number, call) in calls.iter().enumerate() {
        let arguments: Vec<String> = (0..40).map(|at| format!("any a{at}")).collect();
        writeln!(
            text,
            "void call{number}({}) {{ {call} }}",
            arguments.join(", ")
        )
        .expect("strings take text");
    }
    let scratch = tempfile::tempdir().expect("a folder");
    let file = scratch.path().join(format!("{library}.hip"));
    std::fs::write(&file, &text).expect("writable");
    let script = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/rocm/compile.sh");
    let output = Command::new("bash")
        .arg(script)
        .arg(rocm)
        .args(["gfx90a", "-ferror-limit=0"])
        .arg(&file)
        .output()
        .expect("bash runs");
    if output.status.success() {
        return BTreeSet::new();
    }
    let lines: Vec<&str> = text.lines().collect();
    let place = |line: &str| -> Option<String> {
        let (place, message) = line.split_once(" error: ")?;
        let number: usize = place.rsplit(':').nth(2)?.parse().ok()?;
        let call = lines.get(number - 1)?.split("{ ").nth(1)?;
        Some(format!("{library}: {call} {message}"))
    };
    let output = String::from_utf8_lossy(&output.stdout).into_owned();
    let found: BTreeSet<String> = output.lines().filter_map(place).collect();
    assert!(!found.is_empty(), "{output}");
    found
}
