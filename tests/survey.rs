//! `query` and `mappings` as people call them, the tables against headers, and the documents that show their figures.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use cass_transpile::mapping::{ApiTable, RawTable, import_custom_map, json_schema, validate};
use cass_transpile::survey::{Names, ProblemKind, coverage, replace_table, verify};

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
    let forward = json(&["query", "cudaHostAlloc", "--format", "json"]);
    assert_eq!(forward[0]["hip"], "hipHostAlloc");
    let backward = json(&["query", "hipMemcpyAsync", "--format", "json"]);
    assert!(
        backward
            .as_array()
            .expect("a list")
            .iter()
            .any(|answer| answer["cuda"] == "cudaMemcpyAsync"),
        "{backward}"
    );
    let roc = json(&["query", "rocblas_sgemm", "--format", "json"]);
    assert!(roc.to_string().contains("cublasSgemm"), "{roc}");
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
    let text = fs::read_to_string(root().join("README.md")).expect("the document is there");
    let fresh = replace_table(&text, &table).expect("the README has the markers");
    assert!(
        fresh == text,
        "README.md is stale: run `cass-transpile mappings coverage --update README.md`"
    );
}

#[test]
fn coverage_names_what_nothing_covers() {
    let folder = tempfile::tempdir().expect("a folder");
    let list = folder.path().join("names.txt");
    fs::write(
        &list,
        "# names\ncudaMalloc\nruntime\tx.h\tfunction\tcudaNoSuchCall\nnppiSomething_8u_C1R\n",
    )
    .expect("writable");
    let list = list.to_str().expect("UTF-8");
    let (code, text, _) = run(&["mappings", "coverage", "--cuda-names", list]);
    assert_eq!(code, 1, "{text}");
    assert!(
        text.contains("3 names: 1 by an entry, 1 by a pattern, 1 unknown\n- `cudaNoSuchCall`"),
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
    let verified = verify(&table, "6.4".parse().expect("a version"), &hip, &cuda);
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

/// Targets that Debian's packages lack although ROCm 6.4 has them.
const NOT_IN_DEBIAN: &[(&str, &str)] = &[(
    "nccl",
    "librccl-dev is a release of 2022 there, without configurations, registration and memory calls",
)];

/// The tables against the headers that the compile proof uses: nothing is missing, nothing is of another kind, and arguments fit.
#[test]
fn tables_agree_with_installed_headers() {
    let Ok(rocm) = std::env::var("CASS_ROCM") else {
        let _ = writeln!(
            std::io::stderr(),
            "tables_agree_with_installed_headers: NOT RUN, set CASS_ROCM to the folder that tests/rocm/setup.sh filled"
        );
        assert!(
            std::env::var_os("CI").is_none(),
            "CASS_ROCM is not set in CI"
        );
        return;
    };
    let mut hip = Names::default();
    cass_transpile::survey::scan(&Path::new(&rocm).join("usr/include"), &mut hip);
    // Device functions that clang declares by itself.
    for version in ["19", "18", "20"] {
        let builtin = PathBuf::from(format!(
            "/usr/lib/llvm-{version}/lib/clang/{version}/include"
        ));
        if builtin.is_dir() {
            cass_transpile::survey::scan(&builtin, &mut hip);
            break;
        }
    }
    let mut cuda = Names::default();
    if let Some(folder) = std::env::var_os("CASS_CUDA_INCLUDE") {
        cass_transpile::survey::scan(Path::new(&folder), &mut cuda);
    }
    let verified = verify(
        &ApiTable::builtin(),
        "6.4".parse().expect("a version"),
        &hip,
        &cuda,
    );
    assert!(
        verified.checked > 6_000,
        "only {} targets looked up",
        verified.checked
    );
    let wrong: Vec<String> = verified
        .problems
        .iter()
        .filter(|problem| {
            !matches!(
                problem.kind,
                ProblemKind::WrongRelease | ProblemKind::NoEntry
            )
        })
        .filter(|problem| {
            !NOT_IN_DEBIAN
                .iter()
                .any(|(library, _)| problem.library == *library)
        })
        .map(|problem| format!("{:?} {}: {}", problem.kind, problem.cuda, problem.detail))
        .collect();
    assert!(
        wrong.is_empty(),
        "{} problems:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
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
    assert!(code == 0 && printed == json_schema());
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
