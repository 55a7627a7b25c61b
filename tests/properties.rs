//! What must hold for any input: soups of tokens and of bytes, and the fixtures with pieces cut, doubled and swapped.

use std::path::Path;
use std::sync::LazyLock;

use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::Config;

use cass_transpile::diagnostic::{Finding, Group, Severity};
use cass_transpile::edit::{Applicability, Edit, EditSet, Fix, apply};
use cass_transpile::mapping::ApiTable;
use cass_transpile::rules::{
    self, FileOutcome, Options, Session, annotated, suppressing, translate, without_annotations,
};
use cass_transpile::syntax::{Document, lex};
use cass_transpile::text::{SourceFile, TextRange};

/// Pieces of CUDA, of C++ and of what is neither.
const PIECES: &[&[u8]] = &[
    b"cudaMalloc",
    b"cudaFree",
    b"cudaMemcpyAsync",
    b"cudaStream_t",
    b"cudaSuccess",
    b"cudaGetErrorString",
    b"cublasSgemm",
    b"cufftHandle",
    b"cudaDeviceFlushGPUDirectRDMAWrites",
    b"cudaFuncSetAttribute",
    b"cudaLaunchKernel",
    b"curand_uniform",
    b"cudnnCreate",
    b"ncclComm_t",
    b"__shfl_sync",
    b"__ballot_sync(",
    b"0xffffffff",
    b"__syncwarp()",
    b"atomicAdd",
    b"__ldg(&p[i])",
    b"warpSize",
    b"__reduce_add_sync",
    b"__global__",
    b"__device__",
    b"__shared__",
    b"__launch_bounds__(256, 2)",
    b"__CUDA_ARCH__",
    b"__CUDACC__",
    b"CUDA_VERSION",
    b"cooperative_groups",
    b"cg::",
    b"cub::",
    b"thrust::",
    b"cuda::std::",
    b"nvcuda::wmma",
    b"namespace cg = cooperative_groups;",
    b"k<<<1, 2>>>(x);",
    b"k<t<1>>",
    b"<<<",
    b">>>",
    b"<<<dim3(1,2), n, 0, s>>>",
    b"(*kp)<<<g, b>>>(",
    b"<",
    b">",
    b">>",
    b"::",
    b"asm volatile(\"mov.u32 %0, %%laneid;\" : \"=r\"(x));",
    b"asm(\"",
    b"int",
    b"void",
    b"f",
    b"x",
    b"p",
    b"32",
    b"1'000",
    b"0x1F",
    b"1e5f",
    b"(",
    b")",
    b"{",
    b"}",
    b"[",
    b"]",
    b";",
    b",",
    b"=",
    b"==",
    b"*",
    b"&",
    b"->",
    b".",
    b"...",
    b"+",
    b"-",
    b"?",
    b":",
    b"!",
    b"#",
    b"##",
    b"\n#include <cuda_runtime.h>\n",
    b"\n#include \"cublas_v2.h\"\n",
    b"\n#include <cub/cub.cuh>\n",
    b"\n#include <hip/hip_runtime.h>\n",
    b"\n#define M(x) cudaFree(x)\n",
    b"\n#define W 32\n",
    b"\n# define L \\\n cudaFree(p); \\\n k<<<1,1>>>()\n",
    b"\n#undef M\n",
    b"\n#pragma once\n",
    b"\n#if 0\n",
    b"\n#ifdef USE_ROCM\n",
    b"\n#ifndef __HIP_PLATFORM_AMD__\n",
    b"\n#if CUDA_VERSION >= 11000\n",
    b"\n#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700\n",
    b"\n#elif X\n",
    b"\n#else\n",
    b"\n#endif\n",
    b"// cudaFree\n",
    b"/* cudaFree */",
    b"/*",
    b"*/",
    b"//",
    b"\"cudaFree\"",
    b"\"",
    b"'",
    b"'x'",
    b"R\"(cudaFree)\"",
    b"R\"x(",
    b")x\"",
    b"u8R\"(\n)\"",
    b"\\\n",
    b"\\\r\n",
    b"\\",
    b"\n",
    b"\n",
    b"\r\n",
    b"\r",
    b" ",
    b"\t",
    b"\0",
    b"\xff",
    b"\xef\xbb\xbf",
    b"\xe9",
    b"// cass: ignore\n",
    b"// cass: ignore[CASS003] why\n",
    b"// cass: ignore-next-line[api]\n",
    b"// cass: off\n",
    b"// cass: on\n",
    b"/* cass: off[CASS001] */",
    b"// cass: ignor[\n",
    b"// CASS003: a note\n",
    b"typedef",
    b"struct S { cudaStream_t s; };",
    b"template <int N>",
    b"extern \"C\" {",
    b"using namespace",
    b"return",
    b"if (",
    b"for (;;)",
];

static SESSION: LazyLock<Session> =
    LazyLock::new(|| Session::new(Options::default(), ApiTable::builtin()));

static FIXTURES: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let (mut texts, mut folders) = (Vec::new(), vec![root]);
    while let Some(folder) = folders.pop() {
        let items = std::fs::read_dir(folder).expect("fixtures are readable");
        for path in items.map(|item| item.expect("readable").path()) {
            let is_source = path.extension().is_some_and(|found| {
                ["cu", "cuh", "cpp", "h"]
                    .iter()
                    .any(|known| found == *known)
            });
            if path.is_dir() {
                folders.push(path);
            } else if is_source {
                texts.push(std::fs::read(&path).expect("readable"));
            }
        }
    }
    // The order of a folder is not the same everywhere; failures must be.
    texts.sort();
    assert!(texts.len() > 40, "there are fixtures");
    texts
});

/// Bytes that a failure shows as text.
#[derive(Clone)]
struct Soup(Vec<u8>);

impl std::fmt::Debug for Soup {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "b\"{}\"", self.0.escape_ascii())
    }
}

/// Pieces in any order, with and without blanks between them.
fn soup() -> impl Strategy<Value = Vec<u8>> {
    let piece = (select(PIECES), any::<bool>());
    proptest::collection::vec(piece, 0..80).prop_map(|pieces| {
        let mut bytes = Vec::new();
        for (piece, blank) in pieces {
            bytes.extend_from_slice(piece);
            bytes.extend_from_slice(if blank { b" " } else { b"" });
        }
        bytes
    })
}

/// A fixture in which ranges are cut out, doubled, or overwritten by a piece.
fn mutant() -> impl Strategy<Value = Vec<u8>> {
    let change = (any::<Index>(), 0usize..60, 0u8..3, select(PIECES));
    (any::<Index>(), proptest::collection::vec(change, 1..6)).prop_map(|(which, changes)| {
        let mut bytes = FIXTURES[which.index(FIXTURES.len())].clone();
        // Long files say no more than short ones and take a debug build long.
        bytes.truncate(6000);
        for (at, len, kind, piece) in changes {
            let start = at.index(bytes.len() + 1);
            let end = (start + len).min(bytes.len());
            let new = match kind {
                0 => Vec::new(),
                1 => [&bytes[start..end], &bytes[start..end]].concat(),
                _ => piece.to_vec(),
            };
            bytes.splice(start..end, new);
        }
        bytes
    })
}

fn input() -> impl Strategy<Value = Soup> {
    let bytes = prop_oneof![2 => soup(), 2 => mutant(), 1 => proptest::collection::vec(any::<u8>(), 0..200)];
    bytes.prop_map(Soup)
}

fn config(cases: u32) -> Config {
    let default = Config::default();
    // `PROPTEST_CASES=10000 cargo test --test properties` looks harder; 256 is the default of the variable.
    let cases = cases * default.cases.max(1) / 256;
    // A failing input is printed; nothing is written beside the sources.
    Config {
        cases,
        failure_persistence: None,
        ..default
    }
}

fn translated(bytes: &[u8]) -> (SourceFile, FileOutcome) {
    let source = SourceFile::new("soup.cu", bytes.to_vec());
    let outcome = translate(&source, &SESSION);
    (source, outcome)
}

fn output(source: &SourceFile, outcome: &FileOutcome) -> Vec<u8> {
    outcome
        .output
        .clone()
        .unwrap_or_else(|| source.bytes.clone())
}

/// The edits one by one, last first: slow and plainly right.
fn naive(source: &[u8], edits: &[Edit]) -> Vec<u8> {
    let mut bytes = source.to_vec();
    for edit in edits.iter().rev() {
        bytes.splice(edit.range.as_usize(), edit.content.bytes());
    }
    bytes
}

fn loud(outcome: &FileOutcome) -> Vec<&Finding> {
    let is_about_comments = |code: &str| {
        rules::find(code)
            .is_some_and(|(rule, _)| rule.group == Group::Style || rule.name == "parse-regression")
    };
    let findings = outcome
        .visible()
        .filter(|finding| finding.severity > Severity::Info);
    findings
        .filter(|finding| !is_about_comments(finding.code))
        .collect()
}

proptest! {
    #![proptest_config(config(400))]

    #[test]
    fn tokens_tile_the_input(Soup(bytes) in input()) {
        let mut at = 0;
        for token in lex(&bytes) {
            prop_assert_eq!(token.start, at);
            prop_assert!(token.len > 0);
            at = token.end();
        }
        prop_assert_eq!(at as usize, bytes.len());
    }

    #[test]
    fn documents_can_be_asked_anything(Soup(bytes) in input()) {
        let source = SourceFile::new("soup.cu", bytes);
        let document = Document::new(&source);
        for index in 0..document.tokens.len() {
            let token = document.tokens[index];
            document.vendor_at(token.start);
            document.call(index);
            document.scopes().may_be_device(&document, index);
            for other in [document.next(index), document.prev(index), document.partner(index)].into_iter().flatten() {
                prop_assert!(other < document.tokens.len() && other != index);
            }
        }
    }

    #[test]
    fn chosen_edits_do_not_depend_on_the_order_of_findings(
        bytes in proptest::collection::vec(any::<u8>(), 40),
        fixes in proptest::collection::vec((0u8..3, proptest::collection::vec((0u32..40, 0u32..6, "[a-c\n]{0,3}"), 1..3)), 0..12),
        seed in any::<u64>(),
    ) {
        let fix = |edits: &Vec<(u32, u32, String)>| {
            let edit = |(start, len, text): &(u32, u32, String)| Edit::replace(TextRange::new(*start, (start + len).min(40)), text.clone());
            Fix::safe(edits.iter().map(edit).collect())
        };
        let fixes: Vec<(u8, Fix)> = fixes.iter().map(|(priority, edits)| (*priority, fix(edits))).collect();
        let chosen = |order: &[usize]| {
            let list: Vec<(u8, Option<&Fix>)> = order.iter().map(|&at| (fixes[at].0, Some(&fixes[at].1))).collect();
            EditSet::resolve(&list, Applicability::Safe).edits
        };
        let straight: Vec<usize> = (0..fixes.len()).collect();
        let mut shuffled = straight.clone();
        shuffled.sort_by_key(|&at| (at as u64 + 1).wrapping_mul(seed | 1));
        let first = chosen(&straight);
        let second = chosen(&shuffled);
        prop_assert_eq!(first.iter().collect::<Vec<_>>(), second.iter().collect::<Vec<_>>());
        let edits: Vec<Edit> = first.iter().cloned().collect();
        for pair in edits.windows(2) {
            prop_assert!(pair[0].range.end <= pair[1].range.start);
        }
        prop_assert_eq!(apply(&bytes, &first), naive(&bytes, &edits));
        prop_assert_eq!(first.output_len(bytes.len()), apply(&bytes, &first).len());
    }
}

proptest! {
    #![proptest_config(config(250))]

    #[test]
    fn bytes_outside_edits_stay_and_a_second_run_edits_nothing(Soup(bytes) in input()) {
        let (source, outcome) = translated(&bytes);
        let result = output(&source, &outcome);
        let edits: Vec<Edit> = outcome.edits.iter().cloned().collect();
        prop_assert_eq!(&result, &naive(&bytes, &edits));
        for finding in &outcome.findings {
            prop_assert!(finding.range.end as usize <= bytes.len());
        }
        let (_, again) = translated(&result);
        let edits: Vec<&Edit> = again.edits.iter().collect();
        prop_assert!(edits.is_empty(), "{:?} in\n{}", edits, String::from_utf8_lossy(&result));
    }

    #[test]
    fn line_ends_do_not_matter(Soup(bytes) in soup().prop_map(Soup)) {
        let unix: Vec<u8> = bytes.into_iter().filter(|&byte| byte != b'\r').collect();
        let windows = |bytes: &[u8]| bytes.iter().flat_map(|&byte| if byte == b'\n' { vec![b'\r', b'\n'] } else { vec![byte] }).collect::<Vec<u8>>();
        let (source, outcome) = translated(&unix);
        let (crlf_source, crlf_outcome) = translated(&windows(&unix));
        let result = output(&crlf_source, &crlf_outcome);
        // A file without a line end of either kind cannot say which it wants.
        prop_assume!(unix.contains(&b'\n'));
        let expected = windows(&output(&source, &outcome));
        prop_assert_eq!(String::from_utf8_lossy(&result), String::from_utf8_lossy(&expected));
    }

    // Annotating twice need not be annotating once: some rules find nothing in code that is HIP already.
    #[test]
    fn annotations_add_lines_of_their_own_and_never_pile_up(Soup(bytes) in input()) {
        let (source, outcome) = translated(&bytes);
        let once = annotated(&source, &outcome);
        let plain = without_annotations(&source, &outcome);
        let (source, outcome) = translated(&once);
        prop_assert!(outcome.edits.is_empty(), "{:?}", outcome.edits);
        let stripped = without_annotations(&source, &outcome);
        prop_assert_eq!(String::from_utf8_lossy(&stripped), String::from_utf8_lossy(&plain));
        let notes = |bytes: &[u8]| String::from_utf8_lossy(bytes).matches("// CASS").count();
        // A finding that a comment hides in the source may be another one in the result, which the comment does not name.
        let has_marks = bytes.windows(5).any(|window| window == b"cass:");
        prop_assert!(has_marks || notes(&annotated(&source, &outcome)) <= notes(&once));
    }

    #[test]
    fn suppressed_findings_are_gone(Soup(bytes) in input()) {
        let (source, outcome) = translated(&bytes);
        let findings = loud(&outcome);
        prop_assume!(!findings.is_empty());
        let quiet = suppressing(&source, &findings, "a reason").expect("there are findings");
        let (_, outcome) = translated(&quiet);
        let left: Vec<_> = loud(&outcome).iter().map(|finding| (finding.code, finding.message.clone())).collect();
        prop_assert!(left.is_empty(), "{:?} in\n{}", left, String::from_utf8_lossy(&quiet));
    }
}
