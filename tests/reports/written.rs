//! Reports from the command line: what goes where, with which paths and colours.

use std::path::Path;

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

pub(crate) const SOURCE: &str =
    "#include <cuda_runtime.h>\nvoid f() { cudaDeviceFlushGPUDirectRDMAWrites(); }\n";

/// A repository with one file in `gpu/src`.
fn repository() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::create_dir_all(folder.path().join(".git")).expect("a folder");
    std::fs::create_dir_all(folder.path().join("gpu/src")).expect("a folder");
    std::fs::write(folder.path().join("gpu/src/a.cu"), SOURCE).expect("a file");
    folder
}

pub(crate) fn cass(folder: &Path) -> Command {
    let mut command = Command::cargo_bin("cass-transpile").expect("the program is built");
    command.current_dir(folder);
    for name in ["NO_COLOR", "CLICOLOR_FORCE", "CLICOLOR"] {
        command.env_remove(name);
    }
    command
}

pub(crate) fn stdout(command: &mut Command) -> String {
    let output = command.output().expect("it runs");
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn formats_for_programs_have_standard_output_for_themselves() {
    let folder = repository();
    let written = |format: &str| {
        let asked = [
            "check",
            "gpu",
            "--color",
            "always",
            "--output-format",
            format,
        ];
        stdout(cass(folder.path()).args(asked))
    };
    for format in ["json", "sarif", "gitlab", "rdjson"] {
        let text = written(format);
        serde_json::from_str::<Value>(&text).unwrap_or_else(|error| panic!("{format}: {error}"));
    }
    for format in ["junit", "checkstyle"] {
        let text = written(format);
        roxmltree::Document::parse(&text).unwrap_or_else(|error| panic!("{format}: {error}"));
    }
    let lines = stdout(cass(folder.path()).args(["check", "gpu", "--output-format", "json-lines"]));
    assert!(
        lines.lines().count() == 1 && serde_json::from_str::<Value>(&lines).is_ok(),
        "{lines}"
    );
}

#[test]
fn continuous_integration_gets_paths_from_the_root_of_the_repository() {
    let folder = repository();
    let sub = folder.path().join("gpu");
    let output = |folder: &Path, path: &str| {
        stdout(cass(folder).args(["check", path, "--output-format", "github"]))
    };
    let expected = "::error file=gpu/src/a.cu,line=2,";
    assert!(output(folder.path(), "gpu").starts_with(expected));
    assert!(output(&sub, "src").starts_with(expected));
    assert!(output(&sub, "src/a.cu").starts_with(expected));
    assert!(output(&sub, ".").starts_with(expected));
    assert!(output(Path::new("/"), sub.to_str().expect("UTF-8")).starts_with(expected));
}

#[test]
fn people_get_paths_as_they_wrote_them() {
    let folder = repository();
    let text = stdout(cass(&folder.path().join("gpu")).args([
        "check",
        "src",
        "--output-format",
        "concise",
    ]));
    assert!(text.starts_with("src/a.cu:2:12: error[CASS003]"), "{text}");
}

#[test]
fn several_reports_are_written_in_one_run_of_either_command() {
    let folder = repository();
    let reports = [
        "--report",
        "sarif=a/r.sarif",
        "--report",
        "markdown=r.md",
        "--report",
        "full=r.txt",
    ];
    let commands: [&[&str]; 3] = [
        &["check", "gpu"],
        &["gpu", "out"],
        &["gpu", "out2", "--dry-run"],
    ];
    for command in commands {
        cass(folder.path())
            .args(command)
            .args(reports)
            .args(["--color", "always"])
            .output()
            .expect("it runs");
        let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).expect(name);
        let log: Value = serde_json::from_str(&read("a/r.sarif")).expect("JSON");
        let place = &log["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
        assert_eq!(
            place["artifactLocation"]["uri"], "gpu/src/a.cu",
            "{command:?}"
        );
        assert!(
            read("r.md").starts_with("## CUDA to HIP: 1 place to change"),
            "{command:?}"
        );
        let text = read("r.txt");
        assert!(
            text.contains("50.0 % are in HIP") && !text.contains('\u{1b}'),
            "{text}"
        );
        for name in ["a/r.sarif", "r.md", "r.txt"] {
            std::fs::remove_file(folder.path().join(name)).expect("it was written");
        }
    }
    assert!(
        !folder.path().join("out2").exists(),
        "a dry run wrote its result"
    );
}

#[test]
fn a_translation_prints_what_a_check_would() {
    let folder = repository();
    for format in [
        "concise",
        "github",
        "gitlab",
        "junit",
        "checkstyle",
        "rdjson",
    ] {
        let printed = |command: &[&str]| {
            let arguments = [command, &["--output-format", format]].concat();
            stdout(cass(folder.path()).args(arguments))
        };
        let translated = printed(&["gpu", format, "--quiet"]);
        assert!(
            translated.contains("gpu/src/a.cu"),
            "{format}: {translated}"
        );
        assert_eq!(translated, printed(&["check", "gpu/src"]), "{format}");
    }
    let written = std::fs::read_to_string(folder.path().join("concise/cass-report.json"));
    let report: Value = serde_json::from_str(&written.expect("it is written")).expect("JSON");
    assert_eq!(report["files"][0]["path"], "src/a.cu", "names below SRC");
    for to_stdout in [&["gpu/src/a.cu", "-o", "-"][..], &["-"]] {
        let arguments = [to_stdout, &["--output-format", "json"]].concat();
        let output = cass(folder.path())
            .args(arguments)
            .output()
            .expect("it runs");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2));
        assert!(errors.contains("--report FORMAT=FILE"), "{errors}");
    }
}

#[test]
fn a_report_on_standard_input_is_written_too() {
    let folder = repository();
    let text = stdout(
        cass(folder.path())
            .args(["-", "--report", "json=r.json"])
            .write_stdin(SOURCE),
    );
    assert!(text.contains("hip/hip_runtime.h"), "{text}");
    let report = std::fs::read_to_string(folder.path().join("r.json")).expect("it was written");
    assert!(report.contains("CASS003"));
}

#[test]
fn the_summary_counts_the_files_of_the_hosts_compiler() {
    let folder = TempDir::new().expect("a temporary folder can be made");
    let source = folder.path().join("src");
    std::fs::create_dir(&source).expect("writable");
    let text = "#include <cuda_runtime.h>\nint f(void *p) { return cudaFree(p); }\n";
    for name in ["a.cpp", "b.c", "k.cu", "h.h"] {
        std::fs::write(source.join(name), text).expect("writable");
    }
    // Most come to it by a header of the project, often behind a switch of the build.
    let more = [
        ("plain.cpp", "int g();\n"),
        ("by_header.c", "int g();\n#include \"h.h\"\n"),
        (
            "switched.h",
            "#ifdef GPU\n#include \"cuda_runtime.h\"\n#endif\n",
        ),
        ("twice.h", "#include \"switched.h\"\n"),
        ("by_two.cc", "#include \"twice.h\"\n"),
    ];
    for (name, text) in more {
        std::fs::write(source.join(name), text).expect("writable");
    }
    let output = cass(folder.path()).args(["src", "out"]).output();
    let output = output.expect("it runs");
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    let line = "4 files for the host's compiler include HIP's headers";
    assert!(said.contains(line), "{said}");
}

#[test]
fn the_summary_names_the_macros_that_code_for_both_vendors_asks_for() {
    let folder = TempDir::new().expect("a temporary folder can be made");
    let source = folder.path().join("src");
    std::fs::create_dir(&source).expect("writable");
    let guarded = |condition: &str| {
        format!(
            "{condition}\n#include <hip/hip_runtime.h>\n#else\n#include <cuda_runtime.h>\nint f(void *p) {{ return cudaFree(p); }}\n#endif\n"
        )
    };
    let files = [
        ("a.cu", guarded("#ifdef USE_ROCM")),
        ("b.cu", guarded("#if defined(__HIP_PLATFORM_AMD__)")),
        ("c.cu", guarded("#define WITH_HIP\n#ifdef WITH_HIP")),
    ];
    for (name, text) in files {
        std::fs::write(source.join(name), text).expect("writable");
    }
    let run = || {
        let output = cass(folder.path()).args(["src", "out"]).output();
        let output = output.expect("it runs");
        let said = [output.stdout, output.stderr].concat();
        String::from_utf8_lossy(&said).into_owned()
    };
    // Of `__HIP_PLATFORM_AMD__` the compiler knows nothing in front of HIP's headers.
    let said = run();
    assert!(
        said.contains("code for both vendors asks for: -DUSE_ROCM -D__HIP_PLATFORM_AMD__\n"),
        "{said}"
    );
    let behind = format!(
        "#include <hip/hip_runtime.h>\n{}",
        guarded("#if defined(__HIP_PLATFORM_AMD__)")
    );
    std::fs::write(source.join("b.cu"), behind).expect("writable");
    let said = run();
    assert!(
        said.contains("code for both vendors asks for: -DUSE_ROCM\n"),
        "{said}"
    );
}

#[test]
fn macros_of_one_program_are_asked_for_there() {
    let folder = tempfile::tempdir().expect("a folder");
    let guarded = |name: &str| {
        format!(
            "#ifdef {name}\n#include <hip/hip_runtime.h>\nint a = hipFree(0);\n#else\n#include <cuda_runtime.h>\nint a = cudaFree(0);\n#endif\n"
        )
    };
    for (program, name) in [("p", "USE_ROCM"), ("q", "HIP_OF_Q"), ("r/deep", "USE_ROCM")] {
        let source = folder.path().join("src").join(program);
        std::fs::create_dir_all(&source).expect("writable");
        std::fs::write(source.join("a.cu"), guarded(name)).expect("writable");
    }
    let output = cass(folder.path()).args(["src", "out"]).output();
    let output = output.expect("it runs");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        said.contains("code for both vendors asks for: -DUSE_ROCM\n")
            && said.contains("code for both vendors in q asks for: -DHIP_OF_Q\n"),
        "{said}"
    );
}

#[test]
fn a_wrong_format_is_named_with_those_there_are() {
    let folder = repository();
    for wrong in ["pdf=x.pdf", "sarif", "sarif="] {
        let output = cass(folder.path())
            .args(["check", "gpu", "--report", wrong])
            .output()
            .expect("it runs");
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(text.contains("json-lines"), "{text}");
    }
}

#[test]
fn colours_follow_the_flag_and_the_environment() {
    let folder = repository();
    let is_coloured = |command: &mut Command| stdout(command).contains('\u{1b}');
    let check = || {
        let mut command = cass(folder.path());
        command.args(["check", "gpu"]);
        command
    };
    assert!(!is_coloured(&mut check()), "a pipe is no terminal");
    assert!(is_coloured(check().args(["--color", "always"])));
    assert!(is_coloured(check().env("CLICOLOR_FORCE", "1")));
    assert!(!is_coloured(
        check()
            .args(["--color", "never"])
            .env("CLICOLOR_FORCE", "1")
    ));
    assert!(!is_coloured(check().env("NO_COLOR", "1")));
}

#[test]
fn statistics_count_by_rule() {
    let folder = repository();
    let text = stdout(cass(folder.path()).args(["check", "gpu", "--statistics"]));
    assert_eq!(text, "1  CASS003  unsupported-api  error\n");
    let json = stdout(cass(folder.path()).args([
        "check",
        "gpu",
        "--statistics",
        "--output-format",
        "json",
    ]));
    let rules: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(rules[0]["count"], 1);
    let output = cass(folder.path())
        .args(["check", "gpu", "--statistics", "--output-format", "sarif"])
        .output()
        .expect("it runs");
    assert_eq!(output.status.code(), Some(2));
}
