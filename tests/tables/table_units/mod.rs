//! One program per library uses everything that the tables write for the release of Debian's headers, and a compiler reads it with
//! them: no name is unknown. What is a macro only has to be defined; members are looked up in their structures, namespaces get another
//! name; everything else is named by a using-declaration, which finds functions with all their overloads, types, templates, enumerators
//! and variables, and nothing that does not exist. What later releases have is proven by `newest_rocm.rs`.
//!
//! `CASS_ROCM` names the folder that `tests/rocm/setup.sh` filled; without it nothing is proven, loudly.

mod headers;
mod names;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::rocm::required_folder;
use headers::{GONE, HEADERS, NOT_PACKAGED};
use names::{Use, Uses, uses};

#[test]
#[ignore = "needs AMD's headers and clang: tests/rocm/setup.sh DIR, CASS_ROCM=DIR"]
fn every_target_is_known_to_the_compiler() {
    let rocm = required_folder("CASS_ROCM", "tests/rocm/setup.sh");
    let scratch = tempfile::tempdir().expect("a temporary folder");
    let (now, later) = uses();
    let (mut failures, mut named, mut unpackaged) = (Vec::new(), 0, Vec::new());
    for library in now.keys().chain(later.keys()).collect::<BTreeSet<_>>() {
        let of = |uses: &Uses| uses.get(library).cloned().unwrap_or_default();
        let (uses, after) = (of(&now), of(&later));
        let Some((_, headers)) = HEADERS.iter().find(|(key, _)| key == library) else {
            unpackaged.push((*library, uses.len() + after.len()));
            let names: Vec<String> = uses.union(&after).map(Use::label).collect();
            say(&format!("no header of {library}: {}", names.join(" ")));
            continue;
        };
        named += uses.len();
        let file = scratch.path().join(format!("{library}.hip"));
        std::fs::write(&file, program(headers, &uses)).expect("writable");
        let found = unknown(&rocm, &file);
        failures.extend(found.into_iter().map(|line| format!("{library}: {line}")));
    }
    assert!(
        failures.is_empty(),
        "{} problems:\n{}",
        failures.len(),
        failures.join("\n")
    );
    let listed: Vec<(&str, usize)> = NOT_PACKAGED
        .iter()
        .map(|(key, count, _)| (*key, *count))
        .collect();
    assert_eq!(unpackaged, listed, "libraries without headers");
    assert!(named > 6_000, "only {named} names");
    say(&format!(
        "{named} targets compile; {} are of later releases (newest_rocm.rs); not packaged: {NOT_PACKAGED:?}; gone: {GONE:?}",
        later.values().map(BTreeSet::len).sum::<usize>()
    ));
}

/// The proof can fail: a name, a namespace and a member that nobody declares are named.
#[test]
#[ignore = "needs AMD's headers and clang: tests/rocm/setup.sh DIR, CASS_ROCM=DIR"]
fn what_is_unknown_is_found() {
    let rocm = required_folder("CASS_ROCM", "tests/rocm/setup.sh");
    let scratch = tempfile::tempdir().expect("a temporary folder");
    let file = scratch.path().join("unknown.hip");
    let uses = [
        Use::Name("hipNoSuchFunction".to_owned()),
        Use::Name("HIP_NO_SUCH_MACRO".to_owned()),
        Use::Name("hipMalloc".to_owned()),
        Use::Namespace("hip_no_such_namespace"),
        Use::Member("hipDeviceProp_t", "noSuchMember"),
        Use::Member("hipDeviceProp_t", "major"),
    ];
    std::fs::write(&file, program(&[], &uses.into_iter().collect())).expect("writable");
    let found: Vec<String> = unknown(&rocm, &file).into_iter().collect();
    assert_eq!(found.len(), 4, "{found:?}");
}

/// Past the test harness, which keeps what a passing test prints.
fn say(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

fn program(headers: &[&str], uses: &BTreeSet<Use>) -> String {
    let mut text = String::from("#include <hip/hip_runtime.h>\n#include <utility>\n");
    for header in headers {
        writeln!(text, "#include <{header}>").expect("strings take text");
    }
    text.push_str("namespace every_name {\n");
    for (number, used) in uses.iter().enumerate() {
        let line = match used {
            Use::Name(name) => {
                let first = name.split("::").next().unwrap_or(name);
                format!("#ifndef {first}\nusing ::{name};\n#endif")
            }
            Use::Namespace(name) => format!("namespace n{number} = ::{name};"),
            Use::Member(structure, member) => {
                format!("using m{number} = decltype(std::declval<::{structure} &>().{member});")
            }
        };
        writeln!(text, "{line}").expect("strings take text");
    }
    text.push_str("}\n");
    text
}

/// The compiler's errors, device pass and host pass.
fn unknown(rocm: &Path, file: &Path) -> BTreeSet<String> {
    let script = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/rocm/compile.sh");
    let output = Command::new("bash")
        .arg(script)
        .arg(rocm)
        .args(["gfx90a", "-ferror-limit=0"])
        .args(["-DHIPBLAS_V2", "-DHIPBLAS_USE_HIP_HALF"])
        .arg("-DHIP_ENABLE_WARP_SYNC_BUILTINS")
        .arg(file)
        .output()
        .expect("bash runs");
    if output.status.success() {
        return BTreeSet::new();
    }
    String::from_utf8_lossy(&output.stdout)
        .lines()
        .filter_map(|line| line.split("error: ").nth(1))
        .map(str::to_owned)
        .collect()
}
