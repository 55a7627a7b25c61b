//! Three small trees whose figures were counted by hand, and a second count from the edits and findings of the report.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::common::Tree;

/// What a person counts in a tree, by the definitions of `src/report/figures.rs`.
struct ByHand {
    already: u64,
    safe: u64,
    review: u64,
    manual: u64,
    guarded: u64,
    errors: u64,
    warnings: u64,
    files: u64,
    cuda_files: u64,
    ready_files: u64,
    lines_changed: u64,
    portability: f64,
}

fn checked(tree: &Tree) -> Value {
    let run = tree.run(&["check", "src", "--show", "info", "--output-format", "json"]);
    serde_json::from_str(&run.out).expect("JSON")
}

fn findings(report: &Value) -> Vec<&Value> {
    let files = report["files"].as_array().expect("files");
    let lists = files.iter().map(|file| file["findings"].as_array());
    lists.flatten().flatten().collect()
}

fn assert_figures(files: &[(&str, &str)], hand: &ByHand) {
    let tree = Tree::new(files);
    let report = checked(&tree);
    let (totals, counts) = (&report["totals"], &report["totals"]["counts"]);
    for (name, expected) in [
        ("already", hand.already),
        ("safe", hand.safe),
        ("review", hand.review),
        ("manual", hand.manual),
        ("guarded", hand.guarded),
        ("errors", hand.errors),
        ("warnings", hand.warnings),
    ] {
        assert_eq!(counts[name], expected, "{name}: {report:#}");
    }
    for (name, expected) in [
        ("files", hand.files),
        ("cuda_files", hand.cuda_files),
        ("ready_files", hand.ready_files),
        ("lines_changed", hand.lines_changed),
    ] {
        assert_eq!(totals[name], expected, "{name}: {report:#}");
    }
    assert_eq!(totals["portability"], hand.portability);
    assert_recounted(&tree, &report);
}

/// The same figures from what the report lists and from the files that translation writes.
fn assert_recounted(tree: &Tree, report: &Value) {
    let (totals, counts) = (&report["totals"], &report["totals"]["counts"]);
    let all = findings(report);
    let of = |severity: &str| all.iter().filter(|it| it["severity"] == severity).count() as u64;
    assert_eq!(counts["errors"], of("error"));
    assert_eq!(counts["warnings"], of("warning"));
    // An error's labels are the arguments that do not convert either.
    let is_name = |it: &&&Value| !it["library"].is_null();
    let names = |severity: &str| {
        let found = all
            .iter()
            .filter(|it| it["severity"] == severity)
            .filter(is_name);
        found
            .map(|it| 1 + it["labels"].as_array().map_or(0, Vec::len) as u64)
            .sum::<u64>()
    };
    assert_eq!(counts["manual"], names("error"));
    assert_eq!(counts["review"], names("warning"));
    let figure = |name: &str| counts[name].as_u64().expect("a count");
    let done = figure("already") + figure("safe") + figure("review");
    let share = (done * 1000 / (done + figure("manual"))) as f64 / 10.0;
    assert_eq!(totals["portability"], share);
    // Edits that several findings share are made once.
    let place = |it: &Value| (it["start"].as_u64(), it["end"].as_u64());
    let mut bytes = 0;
    for file in report["files"].as_array().expect("files") {
        let lists = file["findings"].as_array().into_iter().flatten();
        let made = lists.filter(|it| it["fixable"] == true);
        let edits = made.flat_map(|it| it["edits"].as_array().into_iter().flatten());
        let each: BTreeSet<_> = edits
            .map(|it| {
                (
                    place(&it["range"]),
                    it["content"].as_str().unwrap_or_default(),
                )
            })
            .collect();
        for ((start, end), content) in each {
            bytes += end.unwrap_or(0) - start.unwrap_or(0) + content.len() as u64;
        }
    }
    assert_eq!(totals["bytes_changed"], bytes);
    assert_eq!(tree.run(&["src", "out", "--quiet"]).err, "");
    let ready = report["files"].as_array().expect("files").iter();
    let has_cuda = |it: &&Value| it["action"] == "translated" || it["findings"][0].is_object();
    let ready = ready
        .filter(has_cuda)
        .filter(|it| it["counts"]["errors"] == 0);
    assert_eq!(totals["ready_files"], ready.count());
    let changed: usize = report["files"]
        .as_array()
        .expect("files")
        .iter()
        .map(|file| {
            let path = file["path"].as_str().expect("a path");
            let [before, after] =
                [path.to_owned(), path.replacen("src", "out", 1)].map(|it| tree.read(&it));
            differing(&before, &after)
        })
        .sum();
    assert_eq!(totals["lines_changed"], changed);
}

/// Lines that stand on one side alone, of sources whose changed lines stay in their place and whose new ones are added.
fn differing(before: &str, after: &str) -> usize {
    let [before, after] = [before, after].map(|it| it.lines().collect::<Vec<_>>());
    let kept = before.iter().filter(|line| after.contains(line)).count();
    (before.len() - kept) + (after.len() - before.len())
}

/// One call with two enumerators is one problem and three names; comments and strings count nothing.
#[test]
fn a_program_of_the_runtime() {
    let main = "#include <cuda_runtime.h>\n\
        // cudaMalloc is called below\n\
        int main() {\n\
        \x20 void *p;\n\
        \x20 cudaMalloc(&p, 4);\n\
        \x20 puts(\"cudaFree\");\n\
        \x20 cudaDeviceFlushGPUDirectRDMAWrites(cudaFlushGPUDirectRDMAWritesTargetCurrentDevice, cudaFlushGPUDirectRDMAWritesToOwner);\n\
        \x20 return cudaFree(p) == cudaSuccess;\n\
        }\n";
    let other = "#include <cuda_runtime.h>\nvoid wait() { cudaDeviceSynchronize(); }\n";
    assert_figures(
        &[
            ("src/main.cu", main),
            ("src/other.cu", other),
            ("src/plain.cpp", "int plain() { return 1; }\n"),
        ],
        &ByHand {
            already: 0,
            // Two includes, cudaMalloc, cudaFree, cudaSuccess, cudaDeviceSynchronize.
            safe: 6,
            review: 0,
            // The call and its two enumerators.
            manual: 3,
            guarded: 0,
            errors: 1,
            warnings: 0,
            files: 3,
            cuda_files: 2,
            ready_files: 1,
            // In main.cu the include, the allocation and the return; both lines of other.cu.
            lines_changed: 5,
            // 6 of 9.
            portability: 66.6,
        },
    );
}

/// What a call's conversion drops is converted, and what stands under a condition for CUDA is counted apart.
#[test]
fn libraries_and_conditions() {
    let source = "#include <cublas_v2.h>\n\
        #include <cudnn.h>\n\
        void f(cudnnTensorDescriptor_t d) {\n\
        \x20 cudnnSetTensor4dDescriptor(d, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, 2, 3, 4);\n\
        }\n\
        #ifndef __HIP_PLATFORM_AMD__\n\
        void g(cublasHandle_t h) { cublasDestroy(h); }\n\
        #endif\n\
        void h(cublasHandle_t h) { cublasCreate(&h); }\n";
    assert_figures(
        &[("src/a.cu", source)],
        &ByHand {
            already: 0,
            // cuBLAS's include, the descriptor, the call, two enumerators of which one goes, a handle and its creation.
            safe: 7,
            // cuDNN's include: MIOpen has another interface.
            review: 1,
            manual: 0,
            // The handle and its end that AMD never reads.
            guarded: 2,
            errors: 0,
            warnings: 1,
            files: 1,
            cuda_files: 1,
            ready_files: 1,
            lines_changed: 5,
            portability: 100.0,
        },
    );
}

/// Names of HIP that stand there already count as done.
#[test]
fn a_tree_that_is_half_a_port() {
    let ported = "#include <hip/hip_runtime.h>\nint main() { return hipFree(0); }\n";
    let left = "#include <cuda_runtime.h>\nvoid f() { cudaDeviceReset(); }\nvoid g() { cudaNewThing(); }\n";
    assert_figures(
        &[("src/done.hip", ported), ("src/left.cu", left)],
        &ByHand {
            // The header and hipFree.
            already: 2,
            safe: 2,
            review: 0,
            manual: 1,
            guarded: 0,
            errors: 1,
            warnings: 0,
            files: 2,
            cuda_files: 1,
            ready_files: 0,
            lines_changed: 2,
            portability: 80.0,
        },
    );
}

/// Names that a rule changes together with their arguments are references as those of the tables are.
#[test]
fn names_with_rules_of_their_own() {
    let source = "#include <cuda_runtime.h>\n\
        __global__ void k(int *p) {\n\
        \x20 p[0] = __shfl_sync(0xffffffff, p[0], 0);\n\
        \x20 __nanosleep(100);\n\
        }\n";
    let counts = &checked(&Tree::new(&[("src/a.cu", source)]))["totals"]["counts"];
    // The include, the exchange and the pause.
    assert_eq!(counts["safe"], 3);
    assert_eq!(
        (&counts["manual"], &counts["hazards"]),
        (&0.into(), &0.into())
    );
}
