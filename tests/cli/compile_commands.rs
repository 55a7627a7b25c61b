//! `-p`: what a compilation database says of the files of a tree.

use crate::common::{GONE, Tree};

/// A database whose commands run in the tree; each item is a file and its arguments.
fn database(tree: &Tree, commands: &[(&str, &[&str])]) -> String {
    let root = tree.folder.path().canonicalize().expect("it is there");
    let items = commands.iter().map(|(file, arguments)| {
        let all = [&["nvcc"], *arguments, &["-c", *file]].concat();
        serde_json::json!({
            "directory": root.to_str().expect("UTF-8"),
            "file": file,
            "arguments": all,
        })
    });
    serde_json::to_string(&items.collect::<Vec<_>>()).expect("plain data")
}

fn with(files: &[(&str, &str)], commands: &[(&str, &[&str])]) -> Tree {
    let tree = Tree::new(files);
    let text = database(&tree, commands);
    tree.write("build/compile_commands.json", text.as_bytes());
    tree
}

#[test]
fn files_outside_the_build_are_translated_and_told_and_fail_nothing() {
    let files = [
        (
            "src/main.cu",
            "#include \"used.cuh\"\nvoid m() { cudaDeviceSynchronize(); }\n",
        ),
        ("src/used.cuh", GONE),
        ("src/dead.cu", GONE),
    ];
    let tree = with(&files, &[("src/main.cu", &[])]);
    let plain = tree.run(&["check", "src", "--output-format", "concise"]);
    assert_eq!(plain.out.matches("CASS003").count(), 2, "{}", plain.out);
    // The folder of the build and the file itself are the same.
    for given in ["build", "build/compile_commands.json"] {
        let found = tree.run(&["check", "src", "-p", given, "--output-format", "concise"]);
        assert_eq!(found.code, 1);
        assert!(
            found.out.contains("used.cuh:1:24: error[CASS003]"),
            "{}",
            found.out
        );
        assert!(!found.out.contains("dead.cu"), "{}", found.out);
    }
    let all = [
        "check",
        "src",
        "-p",
        "build",
        "--show",
        "info",
        "--output-format",
        "concise",
    ];
    let found = tree.run(&all).out;
    assert!(found.contains("dead.cu:1:1: info[CASS634]"), "{found}");
    assert!(
        found.contains("in code that the build does not compile"),
        "{found}"
    );
    assert_eq!(
        tree.run(&["src/dead.cu", "-o", "alone.hip", "-p", "build"])
            .code,
        0
    );
    assert_eq!(tree.run(&["src", "out", "-p", "build"]).code, 0);
    assert!(tree.read("out/main.cu").contains("hipDeviceSynchronize"));
    assert_eq!(tree.read("out/dead.cu"), tree.read("out/used.cuh"));
}

#[test]
fn macros_of_the_commands_decide_conditions() {
    let guarded = format!("#ifdef NEW_PATH\n#else\n{GONE}#endif\n");
    let files = [("a.cu", guarded.as_str()), ("b.cu", guarded.as_str())];
    let codes = |commands: &[(&str, &[&str])]| {
        let tree = with(&files, commands);
        let found = tree.run(&["check", ".", "-p", "build", "--output-format", "concise"]);
        (found.out.contains("a.cu:3"), found.out.contains("b.cu:3"))
    };
    // Defined for both, for one, for none that asks: only what the build knows of is decided.
    assert_eq!(
        codes(&[("a.cu", &["-DNEW_PATH"]), ("b.cu", &["-DNEW_PATH=1"])]),
        (false, false)
    );
    assert_eq!(
        codes(&[("a.cu", &["-DNEW_PATH"]), ("b.cu", &[])]),
        (false, true)
    );
    assert_eq!(codes(&[("a.cu", &[]), ("b.cu", &[])]), (true, true));
    // Compiled twice, with and without it.
    assert_eq!(
        codes(&[
            ("a.cu", &["-DNEW_PATH"]),
            ("a.cu", &[]),
            ("b.cu", &["-DNEW_PATH", "-UNEW_PATH"])
        ]),
        (true, true)
    );
}

#[test]
fn a_macro_that_some_header_defines_decides_nothing() {
    let text = format!("#include \"config.h\"\n#ifdef NEW_PATH\n{GONE}#endif\n");
    let files = [
        ("a.cu", text.as_str()),
        ("b.cu", "void b() { cudaDeviceSynchronize(); }\n"),
    ];
    let commands: &[(&str, &[&str])] = &[("a.cu", &["-Ibuild/gen"]), ("b.cu", &["-DNEW_PATH"])];
    let check = [
        "check",
        "a.cu",
        "b.cu",
        "-p",
        "build",
        "--output-format",
        "concise",
    ];
    let tree = with(&files, commands);
    let tree_wide = ["check", ".", "-p", "build", "--output-format", "concise"];
    assert_eq!(tree.run(&tree_wide).code, 0, "nothing defines it for a.cu");
    tree.write("build/gen/config.h", b"#define NEW_PATH\n");
    let found = tree.run(&tree_wide);
    assert_eq!(
        found.code, 1,
        "the build made a header that does: {}",
        found.out
    );
    assert_ne!(tree.run(&check).code, 2, "files are named one by one");
}

#[test]
fn numbers_of_the_commands_go_over_those_of_the_file() {
    let text = "#ifndef SIZE\n#define SIZE 16\n#endif\n__global__ void k() { __shared__ float all[SIZE]; all[0] = 1; }\n";
    let exceeds = |arguments: &[&str]| {
        let tree = with(&[("a.cu", text)], &[("a.cu", arguments)]);
        let found = tree.run(&["check", "a.cu", "-p", "build"]);
        found.out.contains("CASS404")
    };
    assert!(!exceeds(&[]) && !exceeds(&["-DSIZE=16000"]));
    assert!(exceeds(&["-DSIZE=40000"]));
}

#[test]
fn includes_mean_what_the_folders_of_the_command_say() {
    let files = [
        (
            "app/a.cu",
            "#include \"k.h\"\nvoid a() { cudaDeviceSynchronize(); }\n",
        ),
        ("one/k.h", GONE),
        ("two/k.h", GONE),
    ];
    for (folder, expected) in [("-Ione", "one/k.h:1"), ("-isystemtwo", "two/k.h:1")] {
        let tree = with(&files, &[("app/a.cu", &[folder])]);
        let found = tree.run(&["check", ".", "-p", "build", "--output-format", "concise"]);
        assert_eq!(found.out.matches("CASS003").count(), 1, "{}", found.out);
        assert!(found.out.contains(expected), "{folder}: {}", found.out);
    }
}

#[test]
fn the_configuration_names_it_relative_to_itself() {
    let files = [
        ("src/a.cu", "void a() { cudaDeviceSynchronize(); }\n"),
        ("src/dead.cu", GONE),
    ];
    let tree = with(&files, &[("src/a.cu", &[])]);
    tree.write("cass.toml", b"[files]\ncompile-commands = \"build\"\n");
    assert_eq!(tree.run(&["check", "src"]).code, 0);
    assert_eq!(tree.run(&["check", "src", "--isolated"]).code, 1);
}

#[test]
fn what_is_no_database_of_the_tree_is_an_error_with_the_remedy() {
    let tree = with(
        &[("src/a.cu", GONE), ("src/b.cu", GONE)],
        &[("/elsewhere/a.cu", &[])],
    );
    tree.write("bad.json", b"{\"version\": 3}");
    tree.write("empty.json", b"[]");
    let cases = [
        (
            "missing.json",
            "missing.json",
            "CMAKE_EXPORT_COMPILE_COMMANDS",
        ),
        (
            "src",
            "src/compile_commands.json",
            "CMAKE_EXPORT_COMPILE_COMMANDS",
        ),
        ("bad.json", "bad.json", "no compilation database"),
        ("empty.json", "empty.json", "holds no commands"),
        ("build", "build/compile_commands.json", "/elsewhere/a.cu"),
    ];
    for (given, file, says) in cases {
        for command in [
            vec!["check", "src"],
            vec!["src", "out"],
            vec!["diff", "src"],
        ] {
            let done = tree.run(&[command.as_slice(), &["-p", given]].concat());
            assert_eq!(done.code, 2, "{given}: {}", done.err);
            assert!(
                done.err.contains(file) && done.err.contains(says),
                "{}",
                done.err
            );
        }
    }
    assert!(!tree.path("out").exists(), "nothing was written");
}
