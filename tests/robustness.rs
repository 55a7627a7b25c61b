//! What happens when the world does not play along: full disks, closed pipes, odd names, odd trees, several runs at once.
//!
//! Folders are made unwritable by putting a file where a folder must go, because permission bits do not bind root; the disk is full
//! at 512 bytes by `ulimit -f` with the signal ignored, which gives the same error on write without a file system of its own.

#![cfg(unix)]

mod common;

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead as _, Read as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use common::{Done, GONE, SAFE, Tree};

fn program() -> PathBuf {
    assert_cmd::cargo::cargo_bin("cass-transpile")
}

/// Starts the program with its output in pipes.
fn start(tree: &Tree, arguments: &[&str]) -> Child {
    Command::new(program())
        .current_dir(tree.folder.path())
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts")
}

/// Runs a line of shell in which `$CASS` is the program.
fn shell(tree: &Tree, line: &str) -> Done {
    let mut command = assert_cmd::Command::new("sh");
    command
        .current_dir(tree.folder.path())
        .env("CASS", program())
        .args(["-c", line]);
    common::done(&mut command)
}

/// Every file and link below a folder with its bytes; the report and temporary files have to be asked for by name.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let (mut found, mut folders) = (BTreeMap::new(), vec![folder.to_path_buf()]);
    while let Some(here) = folders.pop() {
        for item in fs::read_dir(here).expect("a folder") {
            let path = item.expect("an item").path();
            let name = path
                .strip_prefix(folder)
                .expect("it lies below")
                .to_path_buf();
            if path.is_symlink() {
                found.insert(
                    name,
                    fs::read_link(&path)
                        .expect("a link")
                        .as_os_str()
                        .as_bytes()
                        .to_vec(),
                );
            } else if path.is_dir() {
                folders.push(path);
            } else if name != Path::new("cass-report.json") {
                found.insert(name, fs::read(&path).expect("readable"));
            }
        }
    }
    found
}

fn many(count: usize) -> Tree {
    let tree = Tree::new(&[]);
    for number in 0..count {
        tree.write(
            &format!("src/{}/k{number}.cu", number % 10),
            SAFE.repeat(20).as_bytes(),
        );
    }
    tree
}

#[test]
fn a_reader_that_goes_away_ends_the_program_quietly() {
    // 3,000 findings are some 600 KB, ten times what a pipe holds.
    let tree = Tree::new(&[("a.cu", &GONE.repeat(3000))]);
    let mut child = start(&tree, &["check", "a.cu"]);
    let mut first = String::new();
    std::io::BufReader::new(child.stdout.take().expect("a pipe"))
        .read_line(&mut first)
        .expect("a line");
    assert!(first.contains("CASS003"));
    let mut errors = String::new();
    child
        .stderr
        .take()
        .expect("a pipe")
        .read_to_string(&mut errors)
        .expect("text");
    assert_eq!(child.wait().expect("it ends").code(), Some(0), "{errors}");
    assert!(!errors.contains("panic"), "{errors}");
}

#[test]
fn closed_and_full_outputs_do_not_break_the_translation() {
    let tree = Tree::new(&[("src/a.cu", SAFE)]);
    for (number, line) in [">&-", "2>&-", ">&- 2>&- <&-"].iter().enumerate() {
        let done = shell(&tree, &format!("$CASS src out{number} {line}"));
        assert_eq!((done.code, done.err.as_str()), (0, ""), "{line}");
        assert!(tree.read(&format!("out{number}/a.cu")).contains("hipFree"));
    }
    let full = shell(&tree, "$CASS src full >/dev/full");
    assert_eq!(full.code, 2);
    assert!(
        tree.read("full/a.cu").contains("hipFree") && !full.err.contains("panic"),
        "{}",
        full.err
    );
}

#[test]
fn folders_that_cannot_be_made_are_errors_of_their_files() {
    let tree = Tree::new(&[("src/a.cu", SAFE), ("src/sub/b.cu", SAFE), ("file", "")]);
    let below_a_file = tree.run(&["src", "file/out"]);
    assert_eq!(below_a_file.code, 2);
    assert!(
        below_a_file.err.contains("file/out"),
        "{}",
        below_a_file.err
    );
    // A file of the output's where a folder must go: only what belongs into it fails.
    tree.write("out/sub", b"");
    let blocked = tree.run(&["src", "out", "--force"]);
    assert_eq!(blocked.code, 2);
    assert!(blocked.err.contains("out/sub"), "{}", blocked.err);
    assert!(tree.read("out/a.cu").contains("hipFree"));
    // And a folder where a file must go.
    fs::create_dir_all(tree.path("other/a.cu")).expect("folders");
    let folder = tree.run(&["src", "other", "--force"]);
    assert!(
        folder.code == 2 && folder.err.contains("is a folder where a file should go"),
        "{}",
        folder.err
    );
    if Path::new("/proc/version").exists() {
        assert_eq!(tree.run(&["src", "/proc/cass-out"]).code, 2);
    }
}

#[test]
fn a_full_disk_leaves_whole_files_only() {
    let long = format!("{SAFE}// {}\n", "x".repeat(100_000));
    let tree = Tree::new(&[
        ("src/long.cu", &long),
        ("src/short.cu", SAFE),
        ("src/copied.txt", &"y".repeat(100_000)),
    ]);
    tree.write("out/cass-report.json", b"{}");
    tree.write("out/long.cu", b"earlier\n");
    let done = shell(
        &tree,
        "trap '' XFSZ; ulimit -f 1; exec $CASS src out --quiet",
    );
    assert_eq!(done.code, 2, "{}", done.err);
    let found = files(&tree.path("out"));
    let names: Vec<&str> = found.keys().filter_map(|name| name.to_str()).collect();
    assert_eq!(
        names,
        ["long.cu", "short.cu"],
        "no half-written and no temporary file"
    );
    assert_eq!(tree.read("out/long.cu"), "earlier\n");
    assert!(tree.read("out/short.cu").contains("hipFree"));
}

#[test]
fn an_interrupted_run_leaves_whole_files_and_can_be_finished() {
    let tree = many(700);
    assert_eq!(tree.run(&["src", "whole", "--quiet"]).code, 0);
    let mut child = start(&tree, &["src", "out", "--jobs", "2"]);
    let begun = Instant::now();
    while !tree.path("out").exists() && begun.elapsed() < Duration::from_secs(20) {
        std::thread::sleep(Duration::from_millis(2));
    }
    let sent = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .expect("there is a kill");
    assert!(sent.success());
    let status = child.wait().expect("it ends");
    let whole = files(&tree.path("whole"));
    let partial = files(&tree.path("out"));
    assert_eq!(
        status.code(),
        Some(130),
        "{} of {} files were written",
        partial.len(),
        whole.len()
    );
    assert!(partial.len() < whole.len(), "it was stopped before its end");
    for (name, bytes) in &partial {
        assert_eq!(whole.get(name), Some(bytes), "{}", name.display());
    }
    assert_eq!(tree.run(&["src", "out", "--quiet"]).code, 0);
    assert_eq!(files(&tree.path("out")), whole);
}

#[test]
fn two_runs_at_once_write_the_same_output() {
    let tree = many(150);
    assert_eq!(tree.run(&["src", "alone", "--quiet"]).code, 0);
    tree.write("out/cass-report.json", b"{}");
    let runs: Vec<Child> = (0..3)
        .map(|_| start(&tree, &["src", "out", "--quiet"]))
        .collect();
    for run in runs {
        let output = run.wait_with_output().expect("it ends");
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
    assert_eq!(files(&tree.path("out")), files(&tree.path("alone")));
    serde_json::from_str::<serde_json::Value>(&tree.read("out/cass-report.json"))
        .expect("a whole report");
}

#[test]
fn names_are_bytes() {
    let tree = Tree::new(&[("src/keep", "")]);
    let names: [&[u8]; 6] = [
        b"with blank.cu",
        b"new\nline.cu",
        b"\xff\xfe.cu",
        b"\xff\xfd.cu",
        "日本.cu".as_bytes(),
        b"quote'\"\\.cu",
    ];
    let place = |root: &str, name: &[u8]| tree.path(root).join(OsStr::from_bytes(name));
    for name in names {
        fs::write(place("src", name), SAFE).expect("the file system takes it");
    }
    fs::write(
        tree.path("src").join(OsStr::from_bytes(b"\xff.txt")),
        "text",
    )
    .expect("writable");
    for (naming, extension) in [("keep", ".cu"), ("hip", ".hip")] {
        assert_eq!(tree.run(&["src", naming, "--naming", naming]).code, 0);
        for name in names {
            let stem = &name[..name.len() - 3];
            let bytes = fs::read(place(naming, &[stem, extension.as_bytes()].concat()))
                .expect("it is there");
            assert!(String::from_utf8_lossy(&bytes).contains("hipFree"));
        }
        assert_eq!(files(&tree.path(naming)).len(), names.len() + 2);
    }
}

// `tests/large.sh` does the same with 100,000 files and 100 MB, which takes a release build.
#[test]
fn a_tree_of_many_files_and_a_large_file_are_translated_as_a_whole() {
    let tree = Tree::new(&[]);
    for number in 0..2000 {
        tree.write(&format!("src/{}/f{number}.h", number % 40), b"int plain;\n");
    }
    // Two megabytes in one file, with one line that is half of it.
    let calls = SAFE.repeat(30_000);
    let large = format!("{calls}const char *s = \"{}\";\n", "x".repeat(2_000_000));
    tree.write("src/large.cu", large.as_bytes());
    assert_eq!(tree.run(&["src", "out", "--quiet"]).code, 0);
    assert_eq!(files(&tree.path("out")).len(), 2001);
    let text = tree.read("out/large.cu");
    assert_eq!(text.matches("hipFree").count(), 30_000);
    assert!(!text.contains("cuda"));
}

#[test]
fn deep_folders_work_and_those_that_are_too_deep_are_reported() {
    let tree = Tree::new(&[("src/a.cu", SAFE)]);
    // 3,500 bytes below SRC, of the 4,096 that a path may have.
    let deep = vec!["d".repeat(49); 70].join("/");
    tree.write(
        &format!("src/{deep}/k.cu"),
        b"__device__ int f(int *p) { return __reduce_add_sync(~0u, *p); }\n",
    );
    assert_eq!(tree.run(&["src", "out"]).code, 0);
    let text = tree.read(&format!("out/{deep}/k.cu"));
    assert!(
        text.contains(&format!("\"{}cass_hip_compat.hpp\"", "../".repeat(70))),
        "{text}"
    );
    let far = format!("{}/out", vec!["e".repeat(200); 4].join("/"));
    let done = tree.run(&["src", &far]);
    assert_eq!(done.code, 2);
    assert!(done.err.contains("cannot be written"), "{}", done.err);
    assert!(tree.read(&format!("{far}/a.cu")).contains("hipFree"));
}

#[test]
fn a_file_that_goes_away_fails_alone() {
    use cass_transpile::mapping::ApiTable;
    use cass_transpile::pipeline::{Filter, Interrupted, Naming, Plan, Processed, run, walk};
    use cass_transpile::rules::{Options, Session};
    let tree = Tree::new(&[("src/a.cu", SAFE), ("src/b.cu", SAFE)]);
    let (entries, _) = walk(&tree.path("src"), &Filter::default()).expect("it is there");
    let plan = Plan::new(entries, Naming::Keep);
    let session = Session::new(Options::default(), ApiTable::builtin());
    fs::remove_file(tree.path("src/a.cu")).expect("it was there");
    let failed = run(
        &plan.files,
        &session,
        &Interrupted::new(false),
        |_, processed| matches!(processed, Processed::Failed { .. }),
    );
    assert_eq!(failed, [true, false]);
}

#[test]
fn what_is_no_file_is_passed_over_and_what_is_too_large_fails_alone() {
    let tree = Tree::new(&[("src/a.cu", SAFE)]);
    let made = Command::new("mkfifo")
        .arg(tree.path("src/pipe.cu"))
        .status()
        .expect("there is a mkfifo");
    assert!(made.success());
    // Sparse: it takes no room.
    let large = fs::File::create(tree.path("src/large.cu")).expect("writable");
    large
        .set_len(5 << 30)
        .expect("the file system has sparse files");
    let done = tree.run(&["check", "src", "--output-format", "json-lines"]);
    assert_eq!(done.code, 2);
    assert!(
        done.err.contains("large.cu: 4 GiB or larger"),
        "{}",
        done.err
    );
    // Nor does a program that reads the lines take silence for success.
    let line: serde_json::Value = serde_json::from_str(&done.out).expect("one line");
    assert_eq!(line["path"], "src/large.cu");
    assert!(
        line["problem"]
            .as_str()
            .is_some_and(|text| text.contains("4 GiB")),
        "{line}"
    );
}

#[test]
fn output_folders_are_chosen_with_care() {
    let tree = Tree::new(&[("src/a.cu", SAFE), ("full/other", "mine")]);
    let same = tree.run(&["src", "src"]);
    assert!(
        same.code == 2 && same.err.contains("--in-place"),
        "{}",
        same.err
    );
    let dotted = tree.run(&["src", "src/../src/."]);
    assert_eq!(dotted.code, 2, "{}", dotted.err);
    let full = tree.run(&["src", "full"]);
    assert!(
        full.code == 2 && full.err.contains("--force"),
        "{}",
        full.err
    );
    assert_eq!(tree.run(&["src", "full", "--force"]).code, 0);
    assert_eq!(tree.read("full/other"), "mine");
    // The output within the source is not source.
    for _ in 0..2 {
        assert_eq!(tree.run(&["src", "src/out"]).code, 0);
    }
    assert!(tree.path("src/out/a.cu").is_file() && !tree.path("src/out/out").exists());
    assert_eq!(tree.run(&["src", "src/out", "--dry-run"]).code, 0);
    assert_eq!(tree.read("src/a.cu"), SAFE);
}

#[test]
fn links_stay_links() {
    let tree = Tree::new(&[("src/real.cu", SAFE), ("outside.cu", SAFE)]);
    let link = |to: &str, name: &str| symlink(to, tree.path(name)).expect("links are allowed");
    link("real.cu", "src/inside.cu");
    link("../outside.cu", "src/outside.cu");
    link("nowhere.cu", "src/dangling.cu");
    link(".", "src/loop");
    for _ in 0..2 {
        let done = tree.run(&["src", "out"]);
        assert_eq!(done.code, 0, "{}", done.err);
    }
    let found = files(&tree.path("out"));
    for (name, to) in [
        ("inside.cu", "real.cu"),
        ("outside.cu", "../outside.cu"),
        ("dangling.cu", "nowhere.cu"),
        ("loop", "."),
    ] {
        assert_eq!(
            found.get(Path::new(name)).map(Vec::as_slice),
            Some(to.as_bytes()),
            "{name}"
        );
    }
    assert_eq!(tree.read("outside.cu"), SAFE);
    // In place, a link is not replaced by a file and what lies outside is not touched.
    assert_eq!(tree.run(&["--in-place", "src"]).code, 0);
    assert!(tree.path("src/outside.cu").is_symlink() && tree.path("src/inside.cu").is_symlink());
    assert_eq!(tree.read("outside.cu"), SAFE);
}

#[test]
fn modes_are_kept_and_a_second_run_touches_nothing() {
    let tree = Tree::new(&[
        ("src/tool.cu", SAFE),
        ("src/run.sh", "#!/bin/sh\n"),
        ("src/plain.cu", SAFE),
    ]);
    let set = |name: &str, mode| {
        fs::set_permissions(tree.path(name), fs::Permissions::from_mode(mode)).expect("ours")
    };
    set("src/tool.cu", 0o755);
    set("src/run.sh", 0o750);
    set("src/plain.cu", 0o640);
    let metadata = |name: &str| fs::metadata(tree.path(name)).expect("it is there");
    assert_eq!(tree.run(&["src", "out"]).code, 0);
    let modes =
        ["out/tool.cu", "out/run.sh", "out/plain.cu"].map(|name| metadata(name).mode() & 0o777);
    assert_eq!(modes, [0o755, 0o750, 0o640]);
    let identity = |name: &str| {
        (
            metadata(name).ino(),
            metadata(name).mtime_nsec(),
            metadata(name).mtime(),
        )
    };
    let names = [
        "out/tool.cu",
        "out/run.sh",
        "out/plain.cu",
        "out/cass-report.json",
    ];
    let before = names.map(identity);
    assert_eq!(tree.run(&["src", "out"]).code, 0);
    assert_eq!(names.map(identity), before);
}

#[test]
fn in_place_keeps_what_was_there_on_request() {
    let tree = Tree::new(&[("src/a.cu", SAFE), ("src/plain.h", "int x;\n")]);
    assert_eq!(tree.run(&["--in-place", "--backup", "src"]).code, 0);
    assert_eq!(tree.read("src/a.cu.cuda-orig"), SAFE);
    assert!(tree.read("src/a.cu").contains("hipFree"));
    assert!(!tree.path("src/plain.h.cuda-orig").exists());
    let again = files(&tree.path("src"));
    assert_eq!(tree.run(&["--in-place", "--backup", "src"]).code, 0);
    assert_eq!(
        files(&tree.path("src")),
        again,
        "the second run changes nothing, the backup included"
    );
}

#[test]
fn a_dry_run_writes_nothing() {
    let tree = Tree::new(&[("src/a.cu", SAFE)]);
    for arguments in [
        &["src", "out", "--dry-run"][..],
        &["--in-place", "src", "--dry-run", "--backup=.old"],
    ] {
        let done = tree.run(arguments);
        assert_eq!(done.code, 0, "{}", done.err);
        assert!(done.out.contains("would be translated"), "{}", done.out);
    }
    assert_eq!(files(tree.folder.path()).len(), 1);
    assert_eq!(tree.read("src/a.cu"), SAFE);
}

#[test]
fn standard_input_and_output_carry_bytes() {
    let tree = Tree::new(&[]);
    let source = [SAFE.replace('\n', "\r\n").as_bytes(), b"// \xff\xfe end"].concat();
    let output = tree
        .command()
        .args(["-", "-o", "-", "--stdin-filename", "x.cu"])
        .write_stdin(source.clone())
        .output()
        .expect("it runs");
    assert_eq!(output.status.code(), Some(0));
    let expected: Vec<u8> = String::from_utf8_lossy(
        b"#include <hip/hip_runtime.h>\r\nint f(void *p) { return hipFree(p); }\r\n",
    )
    .bytes()
    .chain(*b"// \xff\xfe end")
    .collect();
    assert_eq!(output.stdout, expected);
    // A name that is no source passes through.
    let output = tree
        .command()
        .args(["-", "--stdin-filename", "x.txt"])
        .write_stdin(source.clone())
        .output()
        .expect("it runs");
    assert_eq!(output.stdout, source);
}

#[test]
fn ignored_and_excluded_files_take_no_part() {
    let tree = Tree::new(&[
        ("src/.gitignore", "build/\n"),
        ("src/build/gen.cu", SAFE),
        ("src/third_party/x.cu", SAFE),
        ("src/a.cu", SAFE),
        ("src/a.txt", ""),
        ("src/.hidden/h.cu", SAFE),
        ("src/.git/config", ""),
    ]);
    let run = |out: &str, more: &[&str]| {
        assert_eq!(tree.run(&[&["src", out], more].concat()).code, 0);
        let names = files(&tree.path(out)).into_keys();
        names
            .map(|name| name.display().to_string())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        run("o1", &[]),
        [
            ".gitignore",
            ".hidden/h.cu",
            "a.cu",
            "a.txt",
            "third_party/x.cu"
        ]
    );
    assert_eq!(
        run(
            "o2",
            &[
                "--no-ignore",
                "--exclude",
                "third_party",
                "--exclude",
                "*.txt"
            ]
        ),
        [".gitignore", ".hidden/h.cu", "a.cu", "build/gen.cu"]
    );
    assert_eq!(
        run("o3", &["--include", "*.cu", "--exclude", ".hidden/**"]),
        ["a.cu", "third_party/x.cu"]
    );
    assert_eq!(tree.run(&["src", "o4", "--include", "[bad"]).code, 2);
}

#[test]
fn renamed_files_are_included_by_their_new_names() {
    let tree = Tree::new(&[
        ("src/a.cu", "#include \"b.cu\"\nint a;\n"),
        (
            "src/b.cu",
            "#include \"a.cu\"\n#include \"sub/c.cu\"\nint b;\n",
        ),
        ("src/sub/c.cu", "#include \"../a.cu\"\n#include \"c.cu\"\n"),
        ("src/main.cpp", "#include \"sub/c.cu\"\n"),
        ("src/clash.cu", "int old;\n"),
        ("src/clash.hip", "int new_;\n"),
    ]);
    let done = tree.run(&["src", "out", "--naming", "hip"]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert_eq!(tree.read("out/a.hip"), "#include \"b.hip\"\nint a;\n");
    assert_eq!(
        tree.read("out/b.hip"),
        "#include \"a.hip\"\n#include \"sub/c.hip\"\nint b;\n"
    );
    assert_eq!(
        tree.read("out/sub/c.hip"),
        "#include \"../a.hip\"\n#include \"c.hip\"\n"
    );
    assert_eq!(tree.read("out/main.cpp"), "#include \"sub/c.hip\"\n");
    assert_eq!(
        (tree.read("out/clash.cu"), tree.read("out/clash.hip")),
        ("int old;\n".to_owned(), "int new_;\n".to_owned())
    );
    assert!(done.out.contains("clash.cu keeps its name"), "{}", done.out);
}

#[test]
fn threads_do_not_change_a_byte() {
    let tree = Tree::new(&[]);
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/corpus");
    let corpus = corpus.to_str().expect("UTF-8");
    for (jobs, out) in [("1", "one"), ("8", "eight")] {
        assert_eq!(tree.run(&[corpus, out, "--jobs", jobs, "--quiet"]).code, 0);
    }
    assert_eq!(files(&tree.path("one")), files(&tree.path("eight")));
    assert_eq!(
        tree.read("one/cass-report.json"),
        tree.read("eight/cass-report.json")
    );
    let check = |jobs| {
        tree.run(&["check", corpus, "--jobs", jobs, "--output-format", "json"])
            .out
    };
    assert_eq!(check("1"), check("8"));
}

#[test]
fn helpers_of_files_translated_earlier_stay_in_the_header() {
    let one = "__device__ int f(int *p) { return __reduce_add_sync(~0u, *p); }\n";
    let two = "__device__ int g(int *p) { return __reduce_max_sync(~0u, *p); }\n";
    let tree = Tree::new(&[("src/one.cu", one), ("src/two.cu", two)]);
    assert_eq!(tree.run(&["--in-place", "src/one.cu"]).code, 0);
    assert_eq!(tree.run(&["--in-place", "src/two.cu"]).code, 0);
    let header = tree.read("src/cass_hip_compat.hpp");
    assert!(
        header.contains("cass_reduce_add_sync(") && header.contains("cass_reduce_max_sync("),
        "{header}"
    );
}
