//! Every row of argument edits, applied to a call with as many arguments as CUDA's headers declare: the output has the arguments that a
//! plain reading of the verbs gives, in that order, and the compiler takes the call with AMD's headers. Rows of which that cannot be
//! shown are listed by name with the reason; a row that joins or leaves the list fails the test.
//!
//! Needs `CASS_CUDA_INCLUDE` (`tests/cuda/setup.sh`) and `CASS_ROCM` (`tests/rocm/setup.sh`); without them nothing is proven, loudly.

mod compile;
mod rows;

use std::collections::BTreeMap;

use cass_transpile::edit::Applicability;
use cass_transpile::engine::Session;
use cass_transpile::engine::translate;
use cass_transpile::mapping::{ApiTable, Choices, LibraryVendor, Verb, Version};
use cass_transpile::options::Options;
use cass_transpile::survey::{Names, scan};
use cass_transpile::text::SourceFile;

use crate::common::rocm::required_folder;

use compile::{compile, headers};
use rows::{ROCM, Row, rows};

/// What is not proven, by reason.
const UNPROVEN: &[(&str, &[&str])] = &[
    (
        "CUDA 13.0 declares no such call any more",
        &[
            "cuGetProcAddress",
            "cudnnGetRNNDescriptor",
            "cudnnGetRNNDescriptor_v6",
            "cudnnSetRNNDescriptor_v5",
            "cusparseCcsrgemm2",
            "cusparseCcsrmm",
            "cusparseCcsrmv",
            "cusparseCcsrsv2_analysis",
            "cusparseCcsrsv2_solve",
            "cusparseDcsrgemm2",
            "cusparseDcsrmm",
            "cusparseDcsrmv",
            "cusparseDcsrsv2_analysis",
            "cusparseDcsrsv2_solve",
            "cusparseScsrgemm2",
            "cusparseScsrmm",
            "cusparseScsrmv",
            "cusparseScsrsv2_analysis",
            "cusparseScsrsv2_solve",
            "cusparseZcsrgemm2",
            "cusparseZcsrmm",
            "cusparseZcsrmv",
            "cusparseZcsrsv2_analysis",
            "cusparseZcsrsv2_solve",
        ],
    ),
    (
        "a helper takes its arguments",
        &[
            "__isLocal",
            "__isShared",
            "__nanosleep",
            "cudnnBatchNormalizationForwardInference",
            "cudnnBatchNormalizationForwardTraining",
            "cudnnConvolutionBackwardData",
            "cudnnConvolutionBackwardFilter",
            "cudnnConvolutionForward",
            "cudnnDropoutBackward",
            "cudnnDropoutForward",
            "cudnnFindConvolutionBackwardDataAlgorithmEx",
            "cudnnFindConvolutionBackwardFilterAlgorithmEx",
            "cudnnFindConvolutionForwardAlgorithmEx",
            "cudnnGetConvolutionBackwardDataWorkspaceSize",
            "cudnnGetConvolutionBackwardFilterWorkspaceSize",
            "cudnnGetConvolutionForwardWorkspaceSize",
            "cudnnGetTensorNdDescriptor",
            "cudnnLRNCrossChannelBackward",
            "cudnnLRNCrossChannelForward",
            "cudnnPoolingBackward",
            "cudnnPoolingForward",
            "cudnnRNNBackwardData_v8",
            "cudnnRNNBackwardWeights",
            "cudnnRNNBackwardWeights_v8",
            "cudnnRNNForward",
            "cudnnSetActivationDescriptor",
            "cudnnSetFilter4dDescriptor",
            "cudnnSetFilterNdDescriptor",
            "cudnnSetRNNDescriptor",
            "cudnnSetRNNDescriptor_v6",
            "cudnnSetRNNDescriptor_v8",
            "cudnnSetTensor4dDescriptor",
            "cudnnSetTensorNdDescriptorEx",
            "cudnnSoftmaxBackward",
            "cudnnSoftmaxForward",
        ],
    ),
    (
        "a rule of its own writes the call",
        &[
            "cublasGemmBatchedEx",
            "cublasGemmBatchedEx_64",
            "cublasGemmEx",
            "cublasGemmEx_64",
            "cublasGemmStridedBatchedEx",
            "cublasGemmStridedBatchedEx_64",
        ],
    ),
    ("not compiled: a device function", &["__assertfail"]),
    (
        "not compiled: ROCm 6.4 lacks the target",
        &[
            "cuMemcpyBatchAsync",
            "cuMemcpyBatchAsync_v2",
            "cudaLaunchKernelExC",
            "cudaMemcpyBatchAsync",
            "cutensorDestroy",
        ],
    ),
];

#[test]
#[ignore = "needs AMD's and CUDA's headers: tests/rocm/setup.sh DIR, CASS_ROCM=DIR; tests/cuda/setup.sh DIR, CASS_CUDA_INCLUDE=DIR/include"]
fn every_row_gives_the_arguments_it_says_and_they_compile() {
    let include = required_folder("CASS_CUDA_INCLUDE", "tests/cuda/setup.sh");
    let rocm = required_folder("CASS_ROCM", "tests/rocm/setup.sh");
    let mut cuda = Names::default();
    scan(&include, &mut cuda);
    let (rows, mut unproven) = rows(&cuda);
    let mut sessions = BTreeMap::<(bool, Version), Session>::new();
    let mut calls = BTreeMap::<&str, Vec<String>>::new();
    let mut problems = Vec::new();
    for row in &rows {
        let key = (row.roc, row.rocm);
        let output = translated(sessions.entry(key).or_insert_with(|| session(key)), row);
        let wanted = format!("{}({});", row.target, expected(row).join(", "));
        if without_blanks(&output) != without_blanks(&wanted) {
            problems.push(format!("{}: {output}\n    instead of {wanted}", row.cuda));
        } else if row.rocm != ROCM {
            unproven
                .entry("not compiled: ROCm 6.4 lacks the target")
                .or_default()
                .insert(row.cuda.to_owned());
        } else if headers(row.library).is_empty() {
            unproven
                .entry("not compiled: a device function")
                .or_default()
                .insert(row.cuda.to_owned());
        } else {
            calls.entry(row.library).or_default().push(output);
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    for (library, calls) in &calls {
        problems.extend(compile(&rocm, library, headers(library), calls));
    }
    assert!(
        problems.is_empty(),
        "{}:\n{}",
        problems.len(),
        problems.join("\n")
    );
    let listed: BTreeMap<&str, Vec<&str>> = UNPROVEN
        .iter()
        .map(|(why, names)| (*why, names.to_vec()))
        .collect();
    let found: BTreeMap<&str, Vec<&str>> = unproven
        .iter()
        .map(|(why, names)| (*why, names.iter().map(String::as_str).collect()))
        .collect();
    assert_eq!(found, listed, "what is not proven is another list now");
    let wrong = [String::from("hipMemcpy(a0, a1, a2);")];
    assert!(
        !compile(&rocm, "runtime", headers("runtime"), &wrong).is_empty(),
        "a call that lacks an argument compiles"
    );
}

fn session((roc, rocm): (bool, Version)) -> Session {
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
        rocm,
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
            Verb::Replace {
                text, when: None, ..
            } => kept[at] = Some((*text).to_owned()),
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
