//! From HIP back to CUDA: programs of one-to-one names come back as they were, and what is lost is named.

use cass_transpile::diagnostic::Severity;
use cass_transpile::engine::Session;
use cass_transpile::engine::translate;
use cass_transpile::mapping::{ApiEntry, ApiTable, Kind, Support};
use cass_transpile::options::Options;
use cass_transpile::rules::Trigger;
use cass_transpile::rules::all;
use cass_transpile::text::SourceFile;
use proptest::prelude::*;

fn forward() -> Session {
    Session::new(Options::default(), ApiTable::builtin())
}

fn backward() -> Session {
    let options = Options {
        reverse: true,
        ..Options::default()
    };
    Session::new(options, ApiTable::builtin().reversed())
}

fn run(session: &Session, text: &str) -> (String, Vec<(Severity, String)>) {
    let source = SourceFile::new("a.cu", text.as_bytes().to_vec());
    let outcome = translate(&source, session);
    let output = outcome.output.unwrap_or_else(|| text.as_bytes().to_vec());
    let findings = outcome
        .findings
        .into_iter()
        .map(|finding| (finding.severity, finding.message.into_owned()))
        .collect();
    (String::from_utf8(output).expect("UTF-8"), findings)
}

/// Names that convert safely, alone become their target, and are handled by the tables alone.
fn one_to_one() -> Vec<&'static str> {
    let table: &'static ApiTable = Box::leak(Box::new(ApiTable::builtin()));
    let back = ApiTable::builtin().reversed();
    let release = Options::default().rocm;
    let by_tables = |entry: &ApiEntry| {
        let watched = |trigger: &Trigger| match trigger {
            Trigger::Owned(names) | Trigger::Idents(names) => names.contains(&entry.cuda),
            _ => false,
        };
        !all()
            .iter()
            .any(|(rule, _)| rule.triggers.iter().any(watched))
    };
    let plain = |entry: &ApiEntry| {
        matches!(entry.kind, Kind::Function | Kind::Type | Kind::Enumerator)
            && entry.support == Support::Full
            && entry.args.is_empty()
            && entry.forms.is_empty()
            && entry.include.is_none()
            && !entry.context
            && entry.rocm.contains(release)
    };
    let returns = |entry: &ApiEntry| {
        let hit = entry.hip.and_then(|hip| back.get(hip.as_bytes()));
        hit.is_some_and(|hit| {
            hit.entry.hip == Some(entry.cuda) && hit.entry.support == Support::Full
        })
    };
    table
        .iter()
        .map(|hit| hit.entry)
        .filter(|entry| plain(entry) && by_tables(entry) && returns(entry))
        .map(|entry| entry.cuda)
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn there_and_back_is_where_it_was(picks in proptest::collection::vec((any::<prop::sample::Index>(), 0..4u8), 1..40)) {
        thread_local! {
            static NAMES: Vec<&'static str> = one_to_one();
            static SESSIONS: (Session, Session) = (forward(), backward());
        }
        let mut text = String::from("#include <cuda_runtime.h>\n\nvoid f() {\n");
        NAMES.with(|names| {
            assert!(names.len() > 2_000, "only {} names go back", names.len());
            for (pick, shape) in &picks {
                let name = pick.get(names);
                text.push_str(&match shape {
                    0 => format!("    use({name});\n"),
                    1 => format!("    {name}; // {name} in a comment\n"),
                    2 => format!("    a[i] = b + {name}\t;\n"),
                    _ => format!("    print(\"{name}\", {name});\n"),
                });
            }
        });
        text.push_str("}\n");
        SESSIONS.with(|(forward, backward)| {
            let (hip, _) = run(forward, &text);
            prop_assert_ne!(&hip, &text);
            let (cuda, _) = run(backward, &hip);
            prop_assert_eq!(&cuda, &text);
            Ok(())
        })?;
    }
}

#[test]
fn a_program_goes_back() {
    let hip = "#include <hip/hip_runtime.h>\n#include <hipcub/hipcub.hpp>\n\n\
               void f(float *x, hipStream_t s) {\n    hipError_t e = hipStreamSynchronize(s);\n    hipcub::BlockReduce<int, 64> r;\n    if (e != hipSuccess) abort();\n}\n";
    let (cuda, findings) = run(&backward(), hip);
    assert_eq!(
        cuda,
        "#include <cuda_runtime.h>\n#include <cub/cub.cuh>\n\n\
         void f(float *x, cudaStream_t s) {\n    cudaError_t e = cudaStreamSynchronize(s);\n    cub::BlockReduce<int, 64> r;\n    if (e != cudaSuccess) abort();\n}\n",
        "{findings:?}"
    );
}

/// What several CUDA names become goes back for review; what none becomes stays and is an error.
#[test]
fn losses_are_named() {
    let hip = "#include <hip/hip_runtime.h>\nvoid f() {\n    hipMemcpyToSymbol(h, p, n);\n    hipExtLaunchKernel(k);\n    hipFree(p);\n}\n";
    let (cuda, findings) = run(&backward(), hip);
    assert!(
        cuda.contains("cudaMemcpyToSymbol(h, p, n)") && cuda.contains("hipExtLaunchKernel(k)"),
        "{cuda}"
    );
    let about = |severity: Severity, word: &str| {
        findings
            .iter()
            .any(|(found, message)| *found == severity && message.contains(word))
    };
    assert!(
        about(Severity::Warning, "hipMemcpyToSymbol"),
        "{findings:?}"
    );
    assert!(about(Severity::Error, "hipExtLaunchKernel"), "{findings:?}");
}
