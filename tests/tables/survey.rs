//! `query` and `mappings` as people call them, the tables against headers, and the documents that show their figures.

use std::fs;
use std::path::PathBuf;

use assert_cmd::Command;
use cass_transpile::mapping::{
    ApiEntry, ApiTable, RawTable, Version, import_custom_map, json_schema, validate,
};
use cass_transpile::survey::{Names, ProblemKind, Releases, coverage, replace_table, scan, verify};

use crate::common::rocm::required_folder;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn run(arguments: &[&str]) -> (i32, String, String) {
    let output = Command::cargo_bin("cass-transpile")
        .expect("it is built")
        .current_dir(root())
        .args(arguments)
        .output()
        .expect("it runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (
        output.status.code().expect("it ends by itself"),
        text(output.stdout),
        text(output.stderr),
    )
}

fn json(arguments: &[&str]) -> serde_json::Value {
    serde_json::from_str(&run(arguments).1).expect("JSON")
}

#[test]
fn query_answers_in_both_directions() {
    let forward = json(&["query", "cudaHostAlloc", "--output-format", "json"]);
    assert_eq!(forward[0]["hip"], "hipHostAlloc");
    let backward = json(&["query", "hipMemcpyAsync", "--output-format", "json"]);
    assert!(
        backward
            .as_array()
            .expect("a list")
            .iter()
            .any(|answer| answer["cuda"] == "cudaMemcpyAsync"),
        "{backward}"
    );
    let roc = json(&["query", "rocblas_sgemm", "--output-format", "json"]);
    assert!(roc.to_string().contains("cublasSgemm"), "{roc}");
}

#[test]
fn query_answers_as_the_translator_does_and_knows_build_words() {
    for (name, answer) in [
        ("__shfl_down_sync", "becomes    __shfl_down(x, 1, 32)"),
        ("__ballot_sync", "becomes    cass_ballot"),
        ("__syncwarp", "becomes    cass_syncwarp()"),
        ("nvcc", "becomes    hipcc"),
        ("-lcudart", "becomes    -lamdhip64"),
        ("--use_fast_math", "becomes    -ffast-math"),
        ("CUDA::cudart", "becomes    hip::host"),
        ("enable_language", "becomes    enable_language(HIP)"),
    ] {
        let (code, text, _) = run(&["query", "--", name]);
        assert!(code == 0 && text.contains(answer), "{name}: {text}");
        assert!(!text.contains("does not have it"), "{name}: {text}");
    }
    let (_, _, complaint) = run(&["query", "__HIP_PLATFORM_AMD__"]);
    assert!(complaint.contains("is a macro of HIP"), "{complaint}");
}

#[test]
fn query_takes_prefixes_globs_headers_and_unknown_names() {
    let (code, text, _) = run(&["query", "cudaGraphAddMemcpy"]);
    assert!(
        code == 0 && text.matches("\n  becomes").count() >= 4,
        "{text}"
    );
    let (code, text, _) = run(&["query", "cudaStream*Capture"]);
    assert!(
        code == 0 && text.contains("cudaStreamBeginCapture (function"),
        "{text}"
    );
    let (code, text, _) = run(&["query", "cublas_v2.h"]);
    assert!(code == 0 && text.contains("hipblas/hipblas.h"), "{text}");
    let (code, _, complaint) = run(&["query", "cudaNoSuchThing"]);
    assert!(
        code == 1 && complaint.contains("cudaNoSuchThing"),
        "{complaint}"
    );
    for (name, answer) in [
        ("cudaDeviceProp.name", "hipDeviceProp_t"),
        ("sm_80", "nv::target::sm_80 (namespace"),
        ("cuda::std::span", "cuda::std (namespace"),
        ("cooperative_groups::this_cluster", "this_cluster (function"),
        ("PATCH_LEVEL", "libraryPropertyType.PATCH_LEVEL (field"),
        ("CUDA_VERSION", "cass_CUDA_VERSION"),
    ] {
        let (code, text, _) = run(&["query", name]);
        assert!(code == 0 && text.contains(answer), "{name}: {text}");
    }
    for (name, why) in [
        (
            "__CUDACC_VER_MAJOR__",
            "cuda-version-condition looks after it",
        ),
        ("__internal_float2half", "reserved for CUDA's own headers"),
        ("nvcuda::wmma::fragment", "matrix-fragment looks after it"),
        ("operator+=", "an operator"),
        ("__DEVICE_TYPES_H__", "an include guard"),
    ] {
        let (code, text, complaint) = run(&["query", name]);
        assert!(
            code == 0 && text.is_empty() && complaint.contains(why),
            "{name}: {complaint}"
        );
    }
}

#[test]
fn query_says_how_arguments_change_and_which_release_is_needed() {
    let (_, text, _) = run(&["query", "cudaFuncSetAttribute", "cudaMemPrefetchAsync_v2"]);
    assert!(text.contains("argument 0 is cast to const void*"), "{text}");
    assert!(text.contains("ROCm 6.4 does not have it"), "{text}");
    let (_, text, _) = run(&["query", "cudaMemPrefetchAsync_v2", "--rocm", "7.2"]);
    assert!(!text.contains("does not have it"), "{text}");
}

#[test]
fn lists_know_their_libraries() {
    let (code, text, _) = run(&["mappings", "list", "--library", "fft"]);
    assert!(
        code == 0 && text.contains("cufftExecC2C\thipfftExecC2C\tfft\tfull\n"),
        "{text}"
    );
    assert!(!text.contains("cudaMalloc"));
    let (code, _, complaint) = run(&["mappings", "list", "--library", "nosuch"]);
    assert!(code == 2 && complaint.contains("runtime"), "{complaint}");
}

/// The figures in the documents are those of the tables; `mappings coverage --update FILE` writes them.
#[test]
fn documents_show_the_figures_of_the_tables() {
    let table = coverage(&ApiTable::builtin(), None).markdown();
    let page = root().join("docs/howto/names.md");
    let text = fs::read_to_string(&page).expect("the document is there");
    let fresh = replace_table(&text, &table).expect("the page has the markers");
    if std::env::var_os("INSTA_UPDATE").is_some_and(|value| value == "always") {
        fs::write(&page, &fresh).expect("writable");
    } else {
        assert!(
            fresh == text,
            "docs/howto/names.md is stale: run `cass-transpile mappings coverage --update docs/howto/names.md`"
        );
    }
}

#[test]
fn coverage_names_what_nothing_covers() {
    let folder = tempfile::tempdir().expect("a folder");
    let list = folder.path().join("names.txt");
    fs::write(
        &list,
        "# names\ncudaMalloc\nruntime\tx.h\tfunction\tcudaNoSuchCall\nnppiSomething_8u_C1R\n__internal_float2half\n",
    )
    .expect("writable");
    let list = list.to_str().expect("UTF-8");
    let (code, text, _) = run(&["mappings", "coverage", "--cuda-names", list]);
    assert_eq!(code, 1, "{text}");
    assert!(
        text.contains(
            "4 names: 1 by an entry, 1 by a pattern, 1 not public, 1 unknown\n- `cudaNoSuchCall`"
        ),
        "{text}"
    );
}

fn names(files: &[(&str, &str)]) -> Names {
    let mut names = Names::default();
    for (path, text) in files {
        names.read(path, text.as_bytes().to_vec());
    }
    names
}

/// A table of a library of its own, so that built-in entries do not stand in the way.
fn own_table(text: &str) -> ApiTable {
    ApiTable::builtin()
        .overlay("own.toml", text, 0)
        .expect("a valid overlay")
}

#[test]
fn verify_finds_each_kind_of_contradiction() {
    let table = own_table(
        "library = \"own\"\n[functions]\n\
         cuownGone = { hip = \"ownGone\" }\n\
         cuownKind = { hip = \"ownValue\" }\n\
         cuownLong = { hip = \"ownShort\" }\n\
         cuownShort = { hip = \"ownShort\", args = [{ at = 1, drop = true }] }\n\
         cuownSoon = { hip = \"ownSoon\", rocm = \"9.0\" }\n",
    );
    let hip = names(&[(
        "own.h",
        "enum own_type { ownValue };\nint ownShort(int a);\nint ownSoon(void);\nint own1(int); int own2(int);",
    )]);
    let cuda = names(&[(
        "cuown.h",
        "int cuownGone(void);\nint cuownKind(int);\nint cuownLong(int a, int b);\nint cuownShort(int a, int b);\nint cuownNew(int);\n",
    )]);
    let verified = verify(&table, &releases(&[]), &hip, &cuda);
    let of = |kind| -> Vec<&str> {
        verified
            .problems
            .iter()
            .filter(|problem| {
                problem.kind == kind && (problem.library == "own" || problem.library == "cuown.h")
            })
            .map(|problem| problem.cuda.as_str())
            .collect()
    };
    assert_eq!(of(ProblemKind::Missing), ["cuownGone"]);
    assert_eq!(of(ProblemKind::WrongKind), ["cuownKind"]);
    assert_eq!(of(ProblemKind::ArgumentCount), ["cuownLong"]);
    assert_eq!(of(ProblemKind::WrongRelease), ["cuownSoon"]);
    assert_eq!(of(ProblemKind::NoEntry), ["cuownNew"]);
    assert!(!verified.is_clean());
}

#[test]
fn verify_refuses_folders_without_hip() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().to_str().expect("UTF-8");
    let (code, _, complaint) = run(&["mappings", "verify", "--rocm-include", path]);
    assert!(code == 2 && complaint.contains("hipMalloc"), "{complaint}");
    let (code, _, complaint) = run(&["mappings", "verify", "--rocm-include", "no/such/folder"]);
    assert!(
        code == 2 && complaint.contains("no/such/folder"),
        "{complaint}"
    );
}

/// Headers of ROCm 6.4, but for the libraries that are named with another release.
fn releases(libraries: &[(&str, &str)]) -> Releases {
    let release = |text: &str| text.parse().expect("a version");
    Releases {
        rocm: release("6.4"),
        libraries: libraries
            .iter()
            .map(|(library, text)| ((*library).to_owned(), release(text)))
            .collect(),
    }
}

/// What Debian's packages hold: librccl-dev is of ROCm 5.4, libhipblaslt-dev of 7.1.
const DEBIAN: &[(&str, &str)] = &[("blaslt", "7.1"), ("nccl", "5.4")];

/// The declarations of Debian's ROCm headers, of clang, and of CUDA.
fn installed() -> (Names, Names) {
    let rocm = required_folder("CASS_ROCM", "tests/rocm/setup.sh");
    let include = required_folder("CASS_CUDA_INCLUDE", "tests/cuda/setup.sh");
    let (mut hip, mut cuda) = (Names::default(), Names::default());
    scan(&rocm.join("usr/include"), &mut hip);
    // Device functions that clang declares by itself.
    let clang = ["19", "18", "20"].map(|version| {
        PathBuf::from(format!(
            "/usr/lib/llvm-{version}/lib/clang/{version}/include"
        ))
    });
    if let Some(folder) = clang.iter().find(|folder| folder.is_dir()) {
        scan(folder, &mut hip);
    }
    scan(&include, &mut cuda);
    (hip, cuda)
}

/// The tables against the headers that the compile proof uses and against those of CUDA 13: nothing is missing, nothing is of another
/// kind, arguments fit, and no public name of CUDA lacks an entry. Beside it, the proof that each of these would be seen: entries that
/// are wrong on purpose, of names that the headers do declare.
#[test]
#[ignore = "needs AMD's and CUDA's headers: tests/rocm/setup.sh DIR, CASS_ROCM=DIR; tests/cuda/setup.sh DIR, CASS_CUDA_INCLUDE=DIR/include"]
fn tables_agree_with_installed_headers() {
    let (hip, cuda) = installed();
    let verified = verify(&ApiTable::builtin(), &releases(DEBIAN), &hip, &cuda);
    assert!(verified.checked > 6_000, "{} targets", verified.checked);
    assert!(verified.counted > 4_000, "{} calls", verified.counted);
    assert!(cuda.public().len() > 15_000, "{}", cuda.public().len());
    let wrong: Vec<String> = verified
        .problems
        .iter()
        .filter(|problem| problem.kind != ProblemKind::WrongRelease)
        .map(|problem| format!("{:?} {}: {}", problem.kind, problem.cuda, problem.detail))
        .collect();
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));

    let builtin = ApiTable::builtin();
    let gone = |entry: &ApiEntry| {
        let until = entry.cuda_versions.until;
        // The table of cuDNN counts cuDNN's own releases.
        entry.library != "dnn" && until.is_some_and(|until| until <= Version::new(13, 0))
    };
    let kept: Vec<&str> = builtin
        .iter()
        .map(|hit| hit.entry)
        .filter(|entry| gone(entry) && cuda.get(entry.cuda).is_some())
        .map(|entry| entry.cuda)
        .collect();
    assert!(kept.is_empty(), "gone, but CUDA 13.0 has them: {kept:?}");

    let table = own_table(
        "library = \"own\"\n[functions]\n\
         cudaFree = { hip = \"hipNoSuchFree\", override = true }\n\
         cudaMemcpy = { hip = \"hipMemcpy\", args = [{ at = 3, drop = true }], override = true }\n\
         [enumerators]\n\
         cudaMemcpyHostToDevice = { hip = \"hipStream_t\", override = true }\n",
    );
    let mut cuda = cuda;
    cuda.read("own.h", b"int cudaNoSuchCall(int);".to_vec());
    let seen: Vec<(ProblemKind, String)> = verify(&table, &releases(DEBIAN), &hip, &cuda)
        .problems
        .into_iter()
        .filter(|problem| problem.kind != ProblemKind::WrongRelease)
        .map(|problem| (problem.kind, problem.cuda))
        .collect();
    let expected = [
        (ProblemKind::Missing, "cudaFree"),
        (ProblemKind::WrongKind, "cudaMemcpyHostToDevice"),
        (ProblemKind::ArgumentCount, "cudaMemcpy"),
        (ProblemKind::NoEntry, "cudaNoSuchCall"),
    ];
    assert_eq!(seen, expected.map(|(kind, name)| (kind, name.to_owned())));
}

#[test]
fn custom_maps_of_hipify_torch_become_overlays() {
    let text = fs::read_to_string(root().join("fixtures/mappings/hipify-torch.json"))
        .expect("the fixture");
    let imported = import_custom_map(&text, &ApiTable::builtin()).expect("it is read");
    let table: RawTable = toml::from_str(&imported.toml).expect("it is TOML");
    validate(&table).expect("it is a table");
    let expected = fs::read_to_string(root().join("fixtures/mappings/hipify-torch.toml"))
        .expect("the fixture");
    assert_eq!(imported.toml, expected);
    let left: Vec<&str> = imported
        .left_out
        .iter()
        .map(|(key, _)| key.as_str())
        .collect();
    assert_eq!(left, ["at::cuda::getCurrentCUDAStream"]);
    ApiTable::builtin()
        .overlay("hipify-torch.toml", &imported.toml, 0)
        .expect("it can be used");
    let (code, out, complaint) =
        run(&["mappings", "import", "fixtures/mappings/hipify-torch.json"]);
    assert!(
        code == 1 && out == expected && complaint.contains("getCurrentCUDAStream"),
        "{complaint}"
    );
    assert!(import_custom_map("{}", &ApiTable::builtin()).is_err());
}

/// Every key that the reader takes is in the schema, and no other.
#[test]
fn the_schema_has_the_keys_of_the_reader() {
    let schema: serde_json::Value = serde_json::from_str(&json_schema()).expect("JSON");
    let (code, printed, _) = run(&["schema", "mappings"]);
    let mut printed: serde_json::Value = serde_json::from_str(&printed).expect("JSON");
    let id = printed
        .as_object_mut()
        .and_then(|members| members.remove("$id"));
    assert!(code == 0 && id.is_some() && printed == schema);
    let keys = |value: &serde_json::Value| -> Vec<String> {
        value["properties"]
            .as_object()
            .expect("an object")
            .keys()
            .cloned()
            .collect()
    };
    let unknown = |text: &str| -> Vec<String> {
        let message = toml::from_str::<RawTable>(text)
            .expect_err("`nosuch` is unknown")
            .to_string();
        let list = message
            .split("expected one of")
            .nth(1)
            .expect("it lists the keys")
            .to_owned();
        let mut keys: Vec<String> = list
            .split('`')
            .skip(1)
            .step_by(2)
            .map(str::to_owned)
            .collect();
        keys.sort();
        keys
    };
    assert_eq!(unknown("library = \"a\"\nnosuch = 1"), keys(&schema));
    assert_eq!(
        unknown("library = \"a\"\n[functions]\ncudaA = { nosuch = 1 }"),
        keys(&schema["$defs"]["Entry"])
    );
    let argument = "library = \"a\"\n[functions]\ncudaA = { args = [{ nosuch = 1 }] }";
    assert_eq!(unknown(argument), keys(&schema["$defs"]["Argument"]));
}
