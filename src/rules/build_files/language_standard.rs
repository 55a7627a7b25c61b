//! A standard of C++ that is older than AMD's headers take.
//!
//! ## Why on AMD
//! nvcc compiles with the host compiler's headers and Thrust, which took C++11 until CUDA 13. HIP's headers need C++11, and rocPRIM, of
//! which rocThrust and hipCUB are made, ends with an error below C++14, from ROCm 7.0 on below C++17. A language of CMake without a
//! standard of its own takes that of C++: `CMAKE_CXX_STANDARD` counts for HIP as it did for CUDA. nvcc takes `-std` and its argument as
//! two words as well, and clang does not. PyTorch's headers need C++17 since its release 2.1, and those built for ROCm are newer: a script
//! that gives its extensions an older standard gives AMD's that one.
//!
//! ## Example
//! ```make
//! NVCCFLAGS = -O3 -std=c++11
//! ```
//! becomes in a tree that uses Thrust
//! ```make
//! NVCCFLAGS = -O3 -std=c++14
//! ```
//!
//! ## When to ignore
//! When nothing that includes HIP's headers, Thrust or CUB is compiled with it.
//!
//! ## Source
//! `rocprim/config.hpp` of ROCm 6.4 and 7.0; HIP 6.4 and clang 19; CMake 3.21, `CXX_STANDARD`.

use crate::analysis::build_unit::BuildUnit;
use crate::build::cmake::enables_cuda;
use crate::build::command::{Command, is_called};
use crate::build::nvcc_line::is_for_nvcc;
use crate::build::words::{argument, fix, indent, is_in_prose, line_of, range_of, words};
use crate::python::{Literal, Node, PyFile};
use crate::rules::prelude::*;
use crate::text::standard::{dialect, year};

/// Writes the oldest standard that AMD's headers take.
pub static RULE: Rule = Rule {
    code: "CASS697",
    severity: Severity::Warning,
    fix: Some(Applicability::Safe),
    priority: 55,
    facts: &[],
    checks: &[Check::BuildFile(check), Check::Extension(of_extension)],
};

/// The oldest standard that PyTorch's headers take, since release 2.1; its build adds it where a script names none.
const OF_TORCH: u8 = 17;

/// The oldest standard that the headers of a tree take, and whose headers they are.
struct Oldest {
    year: u8,
    whose: &'static str,
}

impl Oldest {
    fn of(cx: &BuildUnit<'_, '_>) -> Self {
        let year = match Version::new(7, 0) <= cx.options().rocm {
            true => 17,
            false => 14,
        };
        match cx.project.includes_rocprim() {
            true => Self {
                year,
                whose: "rocPRIM, which rocThrust and hipCUB are made of, needs",
            },
            false => Self {
                year: 11,
                whose: "HIP's headers need",
            },
        }
    }
}

fn check(cx: &mut BuildContext<'_, '_>) {
    let oldest = Oldest::of(cx);
    let found: Vec<TokenIndex> = words(cx.doc)
        .filter(|&at| !is_in_prose(cx.doc, at))
        .collect();
    for at in found {
        let finding = of_option(cx, at, &oldest).or_else(|| of_variable(cx, at, &oldest));
        if let Some(finding) = finding {
            cx.report(finding);
        }
    }
    if cx.doc.tool == BuildTool::CMake
        && let Some(finding) = of_host(cx, &oldest)
    {
        cx.report(finding);
    }
}

/// `"-std=c++14"` among the options of an extension of PyTorch. A script that names a newer standard as well chooses by the release.
fn of_extension(cx: &mut PythonContext<'_, '_>) {
    let file = cx.file();
    let strings = file.all(&["string"]).into_iter();
    let options: Vec<(Node<'_>, Literal)> = strings
        .filter_map(|node| Some((node, Literal::new(file, node)?)))
        .collect();
    let years = options.iter().filter_map(|(_, it)| standard(&it.text));
    if years.clone().any(|(_, year)| year >= OF_TORCH) {
        return;
    }
    let old = options
        .iter()
        .filter(|(node, it)| standard(&it.text).is_some() && is_added(file, *node));
    let found: Vec<Finding> = old
        .filter(|(node, _)| file.side(*node).is_none() && !file.is_expected(*node))
        .filter_map(|(node, literal)| of_literal(file, *node, literal))
        .collect();
    found.into_iter().for_each(|finding| cx.report(finding));
}

/// The standard that a text of options names, and its option: `-std=c++14` and 14.
fn standard(text: &str) -> Option<(&str, u8)> {
    let mut words = text.split_whitespace().filter(|_| text.starts_with('-'));
    words.find_map(|word| {
        let name = word.trim_start_matches('-').strip_prefix("std=")?;
        Some((word, dialect(name)?.1))
    })
}

/// Whether a text stands where options are given: in a list, in `flags.append(…)`, as the value of a name.
fn is_added(file: &PyFile<'_>, node: Node<'_>) -> bool {
    let Some(parent) = node.parent() else {
        return false;
    };
    match parent.kind() {
        "list" | "keyword_argument" | "pair" | "assignment" => true,
        "argument_list" => {
            let call = parent.parent().and_then(|call| file.callee(call));
            call.is_some_and(|name| name == "append")
        }
        _ => false,
    }
}

/// The finding of an old standard, which stays that of NVIDIA's build.
fn of_literal(file: &PyFile<'_>, node: Node<'_>, literal: &Literal) -> Option<Finding> {
    let (option, _) = standard(&literal.text)?;
    let newer = option.replace(option.rsplit('+').next()?, &OF_TORCH.to_string());
    let message =
        format!("PyTorch's headers need C++{OF_TORCH} since release 2.1: `{option}` is older");
    let finding = RULE.finding(file.range(node), message);
    let Some(question) = file.question(node) else {
        return Some(finding.help(format!(
            "write `{newer}` for AMD, whose builds of PyTorch are newer"
        )));
    };
    let text = literal.quoted(&literal.text.replace(option, &newer));
    let condition = format!("{text} if {} else ", question.text);
    let mut edits = vec![Edit::insert(file.range(node).start, condition)];
    if let Some((at, line)) = question.import {
        edits.push(Edit::insert(at, line));
    }
    Some(finding.severity(Severity::Info).fix(Fix::safe(edits)))
}

/// `-std=c++11` of nvcc, or `-std c++17`.
fn of_option(cx: &BuildContext<'_, '_>, at: TokenIndex, oldest: &Oldest) -> Option<Finding> {
    let doc = cx.doc;
    let is_named = matches!(doc.bytes(at), b"-std" | b"--std");
    // What `-Xcompiler` gives to the host's compiler is an option of its own once that is gone.
    let is_option = is_named && is_for_nvcc(doc, at) && !is_passed_on(doc, at);
    let value = argument(doc, at).filter(|_| is_option)?;
    let text = cx.text_of(range_of(doc, &value)).into_owned();
    let (dialect, year) = dialect(&text)?;
    let range = doc.range(at, value.end - 1);
    if year < oldest.year {
        let edit = Edit::replace(range, format!("-std={dialect}{}", oldest.year));
        return Some(finding(cx, range, year, oldest, vec![edit]));
    }
    let is_apart = doc.is(at, "-std") && !doc.is(at + 1, "=");
    is_apart.then(|| {
        let becomes = format!("-std={text}");
        let message = format!("`-std {text}` is one word for clang");
        let finding = RULE
            .finding(range, message)
            .help(format!("write {becomes}"));
        let edit = Edit::replace(range, becomes);
        match fix(doc, Applicability::Safe, vec![edit]) {
            Some(fix) => finding.fix(fix).severity(Severity::Info),
            None => finding,
        }
    })
}

/// Whether a word is part of the argument of `-Xcompiler` or of a list of such.
fn is_passed_on(doc: &BuildFile<'_>, at: TokenIndex) -> bool {
    let passes = |it: TokenIndex| matches!(doc.bytes(it), b"-Xcompiler" | b"--compiler-options");
    let last = (line_of(doc, at)..at).rev().find(|it| passes(*it));
    last.and_then(|it| argument(doc, it))
        .is_some_and(|range| range.contains(&at))
}

/// `CMAKE_CUDA_STANDARD 11`, `CUDA_STANDARD 11` and `-DCMAKE_CUDA_STANDARD=11`.
fn of_variable(cx: &BuildContext<'_, '_>, at: TokenIndex, oldest: &Oldest) -> Option<Finding> {
    let doc = cx.doc;
    let is_named = match doc.bytes(at) {
        b"CMAKE_CUDA_STANDARD" | b"CUDA_STANDARD" => doc.tool == BuildTool::CMake,
        b"-DCMAKE_CUDA_STANDARD" => doc.is(at + 1, "="),
        _ => false,
    };
    let mut value = at + 1;
    while is_named && (doc.is(value, "=") || doc.is(value, "\"")) {
        value += 1;
    }
    doc.tokens.get(value).filter(|_| is_named)?;
    let year = year(&cx.text(value)).filter(|it| *it < oldest.year)?;
    let edit = Edit::replace(cx.range(value), oldest.year.to_string());
    Some(finding(cx, cx.range(value), year, oldest, vec![edit]))
}

/// `CMAKE_CXX_STANDARD 11` of a list that enables CUDA and says no other standard for it: the language HIP gets its own.
fn of_host(cx: &BuildUnit<'_, '_>, oldest: &Oldest) -> Option<Finding> {
    const OWN: &[&[u8]] = &[b"CMAKE_CUDA_STANDARD", b"CMAKE_HIP_STANDARD"];
    let (doc, all) = (cx.doc, cx.doc.commands());
    // FindCUDA's nvcc took no standard from there.
    let is_language = |it: &Command| enables_cuda(doc, it) && !is_called(doc, it, "find_package");
    if !all.iter().any(is_language) || words(doc).any(|at| OWN.contains(&doc.bytes(at))) {
        return None;
    }
    let sets =
        |it: &&Command| is_called(doc, it, "set") && doc.is(it.open + 1, "CMAKE_CXX_STANDARD");
    let command = all.iter().find(sets)?;
    let value = command.open + 2;
    let year = year(&cx.text(value)).filter(|it| *it < oldest.year)?;
    let blanks = indent(doc, command.name)?;
    let close = doc.tokens.get(command.close)?;
    let line = format!(
        "{}{blanks}set(CMAKE_HIP_STANDARD {})",
        doc.newline(),
        oldest.year
    );
    let edit = Edit::insert(close.end(), line);
    Some(finding(cx, cx.range(value), year, oldest, vec![edit]))
}

/// Says that a standard is too old, with the edits that write another.
fn finding(
    cx: &BuildUnit<'_, '_>,
    range: TextRange,
    year: u8,
    oldest: &Oldest,
    edits: Vec<Edit>,
) -> Finding {
    let Oldest { year: least, whose } = oldest;
    let message = format!("{whose} C++{least}: `{}` is older", cx.text_of(range));
    let finding = RULE.finding(range, message);
    let fix = match (year, least) {
        // Almost nothing that compiles means something else.
        (11, 14) => fix(cx.doc, Applicability::Safe, edits),
        _ => fix(cx.doc, Applicability::Review, edits),
    };
    match fix {
        Some(fix) if fix.applicability == Applicability::Safe => {
            finding.fix(fix).severity(Severity::Info)
        }
        Some(fix) => finding
            .help("code of older standards may need a hand: `register`, `auto_ptr`, `throw(…)`, narrowing in braces")
            .fix(fix),
        None => finding.help(format!("compile for AMD with -std=c++{least}")),
    }
}

#[cfg(test)]
mod tests {
    use crate::engine::probe::of_build;
    use crate::mapping::Version;
    use crate::options::{Options, Vendors};

    use super::*;

    /// The oldest standard for a tree of one source beside a list.
    fn oldest(include: &str, rocm: Version) -> u8 {
        let source = format!("#include <{include}>\n");
        let files = [("CMakeLists.txt", "project(a CUDA)\n"), ("a.cu", &source)];
        let options = Options {
            rocm,
            vendors: Vendors::Amd,
            ..Options::default()
        };
        of_build(&files, options, |cx| Oldest::of(cx).year)
    }

    #[test]
    fn the_hosts_standard_counts_for_a_language_without_its_own() {
        for (list, expected) in [
            ("project(a CUDA)\nset(CMAKE_CXX_STANDARD 98)\n", true),
            ("project(a CUDA)\nset(CMAKE_CXX_STANDARD 11)\n", false),
            (
                "project(a CUDA)\nset(CMAKE_CXX_STANDARD 98)\nset(CMAKE_CUDA_STANDARD 14)\n",
                false,
            ),
            ("find_package(CUDA)\nset(CMAKE_CXX_STANDARD 98)\n", false),
            ("project(a CXX)\nset(CMAKE_CXX_STANDARD 98)\n", false),
        ] {
            let found = of_build(&[("CMakeLists.txt", list)], Options::default(), |cx| {
                of_host(cx, &Oldest::of(cx)).is_some()
            });
            assert_eq!(found, expected, "{list}");
        }
    }

    #[test]
    fn what_sources_include_says_how_old_a_standard_may_be() {
        for (include, rocm, expected) in [
            ("thrust/sort.h", Version::new(6, 4), 14),
            ("cub/cub.cuh", Version::new(6, 4), 14),
            ("thrust/sort.h", Version::new(7, 0), 17),
            ("cublas_v2.h", Version::new(7, 0), 11),
            ("curand_kernel.h", Version::new(6, 4), 11),
        ] {
            assert_eq!(oldest(include, rocm), expected, "{include} {rocm}");
        }
    }
}
