//! Reports from the command line: what goes where, with which paths and colours.

use std::path::Path;

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

const SOURCE: &str =
    "#include <cuda_runtime.h>\nvoid f() { cudaDeviceFlushGPUDirectRDMAWrites(); }\n";

/// A repository with one file in `gpu/src`.
fn repository() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::create_dir_all(folder.path().join(".git")).expect("a folder");
    std::fs::create_dir_all(folder.path().join("gpu/src")).expect("a folder");
    std::fs::write(folder.path().join("gpu/src/a.cu"), SOURCE).expect("a file");
    folder
}

fn cass(folder: &Path) -> Command {
    let mut command = Command::cargo_bin("cass-transpile").expect("the program is built");
    command.current_dir(folder);
    for name in ["NO_COLOR", "CLICOLOR_FORCE", "CLICOLOR"] {
        command.env_remove(name);
    }
    command
}

fn stdout(command: &mut Command) -> String {
    let output = command.output().expect("it runs");
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn formats_for_programs_have_standard_output_for_themselves() {
    let folder = repository();
    for format in ["json", "sarif", "gitlab", "rdjson"] {
        let text = stdout(cass(folder.path()).args([
            "check",
            "gpu",
            "--color",
            "always",
            "--output-format",
            format,
        ]));
        serde_json::from_str::<Value>(&text).unwrap_or_else(|error| panic!("{format}: {error}"));
    }
    for format in ["junit", "checkstyle"] {
        let text = stdout(cass(folder.path()).args([
            "check",
            "gpu",
            "--color",
            "always",
            "--output-format",
            format,
        ]));
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
            text.contains("portability: 50.0 %") && !text.contains('\u{1b}'),
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
    let output = cass(folder.path()).args(["src", "out"]).output();
    let output = output.expect("it runs");
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said);
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

/// A tree of two folders under git, with one commit.
fn project() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let top = folder.path().join("heat");
    for (name, text) in [
        ("gpu/a.cu", SOURCE),
        ("gpu/b.cu", SOURCE),
        (
            "host/c.cu",
            "#include <cuda_runtime.h>\nvoid g(void *p) { cudaFree(p); }\n",
        ),
    ] {
        let path = top.join(name);
        std::fs::create_dir_all(path.parent().expect("in the tree")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }
    git(&top, &["init", "-q"]);
    git(&top, &["add", "."]);
    git(&top, &["commit", "-q", "-m", "first"]);
    folder
}

fn git(folder: &Path, arguments: &[&str]) -> String {
    let who = ["-c", "user.name=x", "-c", "user.email=x@example.org"];
    let output = std::process::Command::new("git")
        .args(who)
        .arg("-C")
        .arg(folder)
        .args(arguments)
        .output()
        .expect("git runs");
    assert!(output.status.success(), "{output:?}");
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

/// The page of a check with the clock stopped.
fn page(folder: &Path, arguments: &[&str]) -> String {
    let mut command = cass(folder);
    command.env("SOURCE_DATE_EPOCH", "1709251199");
    stdout(
        command
            .arg("check")
            .args(arguments)
            .args(["--output-format", "html"]),
    )
}

#[test]
fn the_page_says_project_commit_day_command_and_options() {
    let folder = project();
    let top = folder.path().join("heat");
    let commit = git(&top, &["rev-parse", "--short=12", "HEAD"]);
    let clean = page(folder.path(), &["heat", "--exclude", "a b*"]);
    for part in [
        "<title>heat: CUDA to HIP</title>",
        "<dt>Date</dt><dd>2024-02-29 23:59 UTC</dd>",
        &format!("<dt>Commit</dt><dd>{commit}</dd>"),
        "<code>cass-transpile check heat --exclude 'a b*' --output-format html</code>",
        "<dt>fix-level</dt><dd><code>review</code></dd>",
    ] {
        assert!(clean.contains(part), "{part}\n{clean}");
    }
    std::fs::write(top.join("host/c.cu"), "int x;\n").expect("a file");
    let changed = page(&top.join("gpu"), &["."]);
    assert!(
        changed.contains("<title>heat/gpu: CUDA to HIP</title>"),
        "{changed}"
    );
    let words = format!("<dt>Commit</dt><dd>{commit}, with changes that are not committed</dd>");
    assert!(changed.contains(&words), "{changed}");
}

#[test]
fn the_same_sources_give_the_same_page() {
    let folder = project();
    let one = page(folder.path(), &["heat"]);
    assert_eq!(one, page(folder.path(), &["heat"]));
    let threads = page(folder.path(), &["heat", "-j", "1"]);
    let same = one.replace("check heat ", "check heat -j 1 ");
    assert_eq!(same, threads);
}

#[test]
fn the_same_advice_in_two_files_is_one_problem() {
    let folder = project();
    let page = page(folder.path(), &["heat"]);
    for part in [
        "<b>2</b> places to change by hand: all of them <b>one</b> problem.",
        "Solve the one problem that stops the build, in 2 places:",
        // 30 + 3 to 240 + 15 minutes.
        "Estimate: 1 to 5 hours of work by hand",
        "<tr><th scope=\"row\">heat/gpu/</th><td>2</td><td>0</td><td>2</td><td>2</td></tr>",
        "<tr><th scope=\"row\">heat/host/</th><td>0</td><td>0</td><td>1</td><td>0</td></tr>",
    ] {
        assert!(page.contains(part), "{part}\n{page}");
    }
}

#[test]
fn a_project_says_what_its_estimate_assumes() {
    let folder = project();
    let own = "[estimate]\nerror = { first = [600, 960], again = [0, 0] }\n";
    std::fs::write(folder.path().join("heat/cass.toml"), own).expect("a file");
    let page = page(folder.path(), &["heat"]);
    assert!(
        page.contains("Estimate: 10 to 16 hours of work by hand"),
        "{page}"
    );
    assert!(page.contains("<td>600–960, 0–0</td>"), "{page}");
}

#[test]
fn what_the_summary_notes_the_page_notes() {
    let folder = project();
    let top = folder.path().join("heat");
    std::fs::write(top.join(".gitignore"), "gen/\n").expect("a file");
    std::fs::create_dir_all(top.join("gen")).expect("a folder");
    std::fs::write(top.join("gen/x.cu"), SOURCE).expect("a file");
    let both = "#ifdef USE_ROCM\n#include <hip/hip_runtime.h>\n#else\n#include <cuda_runtime.h>\n#endif\nint main() { return cudaFree(0); }\n";
    std::fs::write(top.join("host/both.cc"), both).expect("a file");
    let host = "#include <cuda_runtime.h>\nvoid h(void *p) { cudaFree(p); }\n";
    std::fs::write(top.join("host/h.cc"), host).expect("a file");
    let page = page(folder.path(), &["heat"]);
    let text = cass(folder.path())
        .args(["check", "heat"])
        .output()
        .expect("it runs");
    let text = [text.stdout, text.stderr].concat();
    let text = String::from_utf8(text).expect("UTF-8");
    for (said, shown) in [
        ("asks for: -DUSE_ROCM", "<span>-DUSE_ROCM</span>"),
        ("for the host's compiler", "for the host's compiler"),
        (
            "left out: 1 ignored by .gitignore",
            "left out: 1 ignored by .gitignore",
        ),
    ] {
        assert!(text.contains(said), "{said}\n{text}");
        assert!(page.contains(shown), "{shown}\n{page}");
    }
}

#[test]
fn a_check_calls_nothing_applied() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let text = "#include <cudnn.h>\nvoid f(void *p) { cudaFree(p); }\n__global__ void k() {}\n";
    std::fs::write(folder.path().join("a.cu"), text).expect("a file");
    for format in [
        "json",
        "json-lines",
        "sarif",
        "html",
        "markdown",
        "rdjson",
        "full",
    ] {
        let arguments = ["check", "a.cu", "--show", "info", "--output-format", format];
        let text = stdout(cass(folder.path()).args(arguments));
        // The property says no; the page's script knows the word.
        let text = text
            .replace("\"applied\": false", "")
            .replace("\"applied\":false", "");
        let text = text
            .replace("finding.applied", "")
            .replace("fix, applied", "");
        assert!(!text.contains("applied"), "{format}: {text}");
    }
    let wrote =
        stdout(cass(folder.path()).args(["a.cu", "-o", "b.hip", "--report", "json=r.json"]));
    let report = std::fs::read_to_string(folder.path().join("r.json")).expect(&wrote);
    assert!(report.contains("\"applied\": true"), "{report}");
}
