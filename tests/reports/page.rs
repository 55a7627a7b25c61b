//! The page that a lead can send round: what it says of the project, the run and the problems.

use std::path::Path;

use tempfile::TempDir;

use crate::written::{SOURCE, cass, stdout};

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
