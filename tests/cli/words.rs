//! What a person reads: summaries without zeros, texts that stand alone, options that other tools call otherwise.

use crate::common::{Done, GONE, SAFE, Tree, done};

/// A call of a helper of ours.
const BALLOT: &str =
    "__global__ void k(unsigned *p) { p[0] = __ballot_sync(__activemask(), 1); }\n";

fn with_input(tree: &Tree, arguments: &[&str]) -> Done {
    done(tree.command().args(arguments).write_stdin(BALLOT))
}

#[test]
fn a_text_that_goes_to_standard_output_needs_no_header() {
    let tree = Tree::new(&[("k.cu", BALLOT)]);
    let from_stdin = with_input(&tree, &["-"]);
    for done in [from_stdin, tree.run(&["k.cu", "-o", "-"])] {
        assert_eq!(done.code, 0, "{}", done.err);
        assert!(!done.out.contains("cass_hip_compat.hpp"), "{}", done.out);
        assert!(
            done.out.contains("unsigned cass_ballot32(int"),
            "{}",
            done.out
        );
        assert!(done.err.contains("helpers: "), "{}", done.err);
    }
    let asked = with_input(&tree, &["--compat", "header", "-"]);
    assert!(asked.out.contains("#include \"cass_hip_compat.hpp\""));
    assert!(asked.err.contains("cass_hip_compat.hpp"), "{}", asked.err);
}

#[test]
fn a_run_names_the_header_that_it_writes() {
    let tree = Tree::new(&[("src/k.cu", BALLOT), ("plain/a.cu", SAFE)]);
    for arguments in [["src", "out"], ["src/k.cu", "--output=one/k.hip"]] {
        let done = tree.run(&arguments);
        assert!(
            done.out.contains("helpers: cass_hip_compat.hpp is beside"),
            "{}",
            done.out
        );
    }
    assert!(tree.path("out/cass_hip_compat.hpp").exists());
    assert!(tree.path("one/cass_hip_compat.hpp").exists());
    assert!(!tree.run(&["plain", "port"]).out.contains("helpers: "));
}

#[test]
fn a_summary_has_no_rows_of_zeros() {
    let tree = Tree::new(&[("src/a.cu", SAFE), ("none/a.cpp", "int f();\n")]);
    std::fs::create_dir(tree.path("empty")).expect("writable");
    let clean = tree.run(&["check", "src"]);
    assert_eq!(clean.code, 0);
    assert!(
        clean.err.contains("ready without manual changes: 1 of 1"),
        "{}",
        clean.err
    );
    assert!(clean.err.contains("findings: none"), "{}", clean.err);
    for arguments in [["check", "src"], ["check", "none"], ["check", "empty"]] {
        let text = tree.run(&arguments).err;
        let words: Vec<&str> = text.split_whitespace().collect();
        let zero = words.iter().position(|word| *word == "0");
        assert_eq!(zero, None, "{text}");
    }
    let without = tree.run(&["check", "none"]);
    assert!(without.err.contains("none with CUDA"), "{}", without.err);
    let empty = tree.run(&["check", "empty"]);
    assert!(
        empty.err.contains("no source file was found"),
        "{}",
        empty.err
    );
}

#[test]
fn what_was_chosen_is_said() {
    let setup = "from setuptools import setup\nfrom torch.utils.cpp_extension import BuildExtension, CUDAExtension\n\
                 setup(name='x', ext_modules=[CUDAExtension('x', ['k.cu'])], cmdclass={'build_ext': BuildExtension})\n";
    let kernel = format!("#include <torch/extension.h>\n{SAFE}");
    let lists = "project(p LANGUAGES CXX CUDA)\nadd_executable(p a.cu)\n";
    let tree = Tree::new(&[
        ("torch/setup.py", setup),
        ("torch/k.cu", &kernel),
        ("lists/CMakeLists.txt", lists),
        ("lists/a.cu", SAFE),
        ("plain/a.cu", SAFE),
        ("beside/ext/setup.py", setup),
        ("beside/ext/k.cu", &kernel),
        ("beside/tool/a.cu", SAFE),
    ]);
    let said = |folder: &str| tree.run(&["check", folder]).err;
    assert!(
        said("beside").contains("vendors: tool/a.cu for AMD alone"),
        "{}",
        said("beside")
    );
    assert!(!said("torch").contains("vendors:"), "{}", said("torch"));
    assert!(
        said("torch").starts_with("PyTorch extension, 1 file in dialect torch"),
        "{}",
        said("torch")
    );
    assert!(
        said("lists").contains("vendors: build files for AMD alone"),
        "{}",
        said("lists")
    );
    let plain = said("plain");
    assert!(
        !plain.contains("dialect") && !plain.contains("vendors:"),
        "{plain}"
    );
    assert!(
        !tree
            .run(&["check", "torch", "--dialect", "torch"])
            .err
            .contains("PyTorch extension")
    );
}

#[test]
fn options_of_other_tools_name_what_does_their_work() {
    let tree = Tree::new(&[("a.cu", SAFE)]);
    for (option, instead) in [
        ("--diff", "cass-transpile diff"),
        ("--output-file=x", "--report FORMAT=FILE"),
        ("--staged", "--changed"),
        ("--json", "--output-format json"),
    ] {
        let done = tree.run(&["check", option]);
        assert_eq!(done.code, 2);
        assert!(done.err.contains(instead), "{option}: {}", done.err);
    }
    let asked = tree.run(&["explain", "cudaMalloc"]);
    assert!(
        asked.code == 2 && asked.err.contains("cass-transpile query cudaMalloc"),
        "{}",
        asked.err
    );
    let release = tree.run(&["query", "--rocm", "99", "cudaMalloc"]);
    assert!(
        release.code == 2 && release.err.contains("no ROCm release"),
        "{}",
        release.err
    );
}

/// JSON is asked for in one way, and those of earlier releases still work.
#[test]
fn json_is_asked_for_in_one_way() {
    let tree = Tree::new(&[("src/a.cu", SAFE)]);
    tree.run(&["src", "out"]);
    let commands: &[(&[&str], &str)] = &[
        (&["chips", "gfx90a"], "--json"),
        (&["rules"], "--json"),
        (&["explain", "CASS003"], "--json"),
        (&["status", "src", "out"], "--json"),
        (&["query", "cudaMalloc"], "--format=json"),
        (&["mappings", "list", "--library", "fft"], "--format=json"),
        (&["mappings", "coverage"], "--format=json"),
    ];
    for (command, old) in commands {
        let new = tree.run(&[command, &["--output-format", "json"][..]].concat());
        let parsed = serde_json::from_str::<serde_json::Value>(&new.out);
        assert!(parsed.is_ok(), "{command:?}: {}{}", new.out, new.err);
        assert_eq!(tree.run(&[command, &[*old][..]].concat()).out, new.out);
        let help = tree.run(&[command[0], "--help"]).out;
        assert!(!help.contains("--json"), "{help}");
    }
}

#[test]
fn help_of_a_command_lists_its_own_options() {
    let tree = Tree::new(&[]);
    let whole = tree.run(&["--help"]).out;
    assert!(whole.contains("--blas") && whole.contains("--isolated"));
    for command in ["check", "diff", "status", "pairs"] {
        let help = tree.run(&[command, "--help"]).out;
        assert!(
            !help.contains("--blas") && !help.contains("--isolated"),
            "{help}"
        );
        let words: Vec<&str> = help.split_whitespace().collect();
        let points = words
            .join(" ")
            .contains("`cass-transpile --help` lists them");
        assert!(points, "{help}");
    }
    // They are known all the same.
    assert_eq!(tree.run(&["check", "--blas", "roc", "."]).code, 0);
}

/// Marks beside a place are a few words; what is longer stands below, folded.
#[test]
fn frames_are_no_wider_than_the_page() {
    let call = "void f() {\n    cudaDeviceFlushGPUDirectRDMAWrites(cudaFlushGPUDirectRDMAWritesTargetCurrentDevice,\n\
                \x20       cudaFlushGPUDirectRDMAWritesToOwner);\n}\n";
    let tree = Tree::new(&[("a.cu", call), ("b.cu", GONE)]);
    let done = tree.run(&["check"]);
    let widest = done.out.lines().map(|line| line.chars().count()).max();
    assert!(widest.is_some_and(|columns| columns <= 140), "{}", done.out);
    assert!(done.out.contains("- here too"), "{}", done.out);
    // What an argument lacks is said once.
    assert_eq!(done.out.matches("peer access").count(), 1, "{}", done.out);
}

/// A finding in a notebook is looked for by its cell.
#[test]
fn places_in_a_notebook_are_cells_and_lines() {
    let notebook = "{\"cells\": [{\"cell_type\": \"markdown\", \"source\": [\"x\"]}, {\"cell_type\": \"code\", \"source\": \
                    [\"%%cu\\n\", \"void f(int t, int o) { cudaDeviceFlushGPUDirectRDMAWrites(t, o); }\\n\"]}], \"nbformat\": 4}\n";
    let tree = Tree::new(&[("a.ipynb", notebook)]);
    let out = tree.run(&["check", "a.ipynb"]).out;
    assert!(out.contains("a.ipynb:cell 2:2:24: "), "{out}");
}

#[test]
fn a_query_names_the_rule_that_acts_on_the_name() {
    let tree = Tree::new(&[]);
    let names = [
        "__dp4a",
        "__shfl_sync",
        "cublasSgemm",
        "cudaDeviceSynchronize",
    ];
    let done = tree.run(&[&["query"], &names[..]].concat());
    let rules = done
        .out
        .lines()
        .filter_map(|line| line.strip_prefix("  rule       "));
    assert_eq!(
        rules.collect::<Vec<_>>(),
        [
            "CASS500 helper-function",
            "CASS200 warp-shuffle",
            "CASS001 rename-api",
            "CASS001 rename-api, CASS106 device-side-launch",
        ],
        "{}",
        done.err
    );
}
