//! Outputs that are closed, full or cannot be written.

use std::fs;
use std::io::Read as _;
use std::path::Path;

use crate::common::{GONE, SAFE, Tree};
use crate::{files, shell, start};

#[test]
fn a_reader_that_goes_away_ends_the_program_quietly() {
    // Some 600 KB, ten times what a pipe holds, of findings and of changes.
    let tree = Tree::new(&[("a.cu", &format!("{GONE}{SAFE}").repeat(3000))]);
    for arguments in [
        &["check", "a.cu"][..],
        &["check", "a.cu", "--output-format", "sarif"],
        &["diff", "a.cu"],
        &["a.cu", "-o", "-", "--quiet"],
        &["mappings", "list"],
        &["rules", "--output-format", "json"],
    ] {
        let mut child = start(&tree, arguments);
        let mut first = [0];
        let mut out = child.stdout.take().expect("a pipe");
        out.read_exact(&mut first).expect("it prints something");
        drop(out);
        let mut errors = String::new();
        let mut stderr = child.stderr.take().expect("a pipe");
        stderr.read_to_string(&mut errors).expect("text");
        let code = child.wait().expect("it ends").code();
        assert_eq!(code, Some(0), "{arguments:?}: {errors}");
        let is_quiet = !errors.contains("panic") && !errors.contains("Broken pipe");
        assert!(is_quiet, "{arguments:?}: {errors}");
    }
    let reported = shell(&tree, "$CASS check a.cu --report json=r.json | head -c 1");
    assert_eq!(reported.code, 0);
    assert!(
        tree.read("r.json").contains("CASS003"),
        "the report was lost"
    );
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
fn findings_that_nobody_could_read_are_no_success() {
    let tree = Tree::new(&[("safe.cu", SAFE), ("gone.cu", GONE)]);
    for arguments in [
        "check gone.cu",
        "diff safe.cu",
        "safe.cu -o -",
        "explain CASS003",
    ] {
        let done = shell(&tree, &format!("$CASS {arguments} >/dev/full"));
        assert_eq!(done.code, 2, "{arguments}: {}", done.err);
        assert!(
            done.err.contains("No space left"),
            "{arguments}: {}",
            done.err
        );
        let closed = shell(&tree, &format!("$CASS {arguments} >&- 2>&-"));
        assert!(closed.code < 2, "{arguments}: {}", closed.code);
    }
}

/// Root may read and write everywhere, so the program runs as nobody there, from a copy that nobody can reach.
const NOBODY: &str = "chmod 755 .; if [ $(id -u) = 0 ]; then as='setpriv --reuid 65534 --regid 65534 --clear-groups'; fi; exec $as ./cass";

#[test]
fn what_cannot_be_read_is_no_success() {
    let tree = Tree::new(&[("src/a.cu", SAFE), ("src/sub/b.cu", SAFE), ("o/x", "")]);
    fs::copy(crate::program(), tree.path("cass")).expect("there is room");
    shell(&tree, "chmod 777 o; chmod 0 src/sub");
    let commands = [
        "src o/out",
        "check src",
        "check src --output-format concise",
        "check src --baseline o/known.json --update-baseline",
        "diff src",
    ];
    let runs = commands.map(|arguments| shell(&tree, &format!("{NOBODY} {arguments}")));
    shell(&tree, "chmod 755 src/sub");
    for (arguments, done) in commands.iter().zip(runs) {
        assert_eq!(done.code, 2, "{arguments}: {}", done.err);
        assert!(
            done.err.contains("cass-transpile: src/sub"),
            "{arguments}: {}",
            done.err
        );
    }
    assert!(
        tree.read("o/out/a.cu").contains("hipFree"),
        "the others are done all the same"
    );
    assert!(!tree.path("o/known.json").exists());
}

#[test]
fn a_read_only_output_is_left_as_it_is() {
    let tree = Tree::new(&[("src/a.cu", SAFE), ("src/sub/b.cu", SAFE)]);
    assert_eq!(tree.run(&["src", "out"]).code, 0);
    tree.write("src/sub/b.cu", format!("{SAFE}// more\n").as_bytes());
    fs::copy(crate::program(), tree.path("cass")).expect("there is room");
    let before = files(tree.folder.path());
    assert_eq!(
        shell(&tree, "chmod a-w src src/sub out out/sub out/.cass").code,
        0
    );
    let tree_run = shell(&tree, &format!("{NOBODY} src out"));
    let in_place = shell(&tree, &format!("{NOBODY} --in-place src"));
    let elsewhere = shell(&tree, &format!("{NOBODY} src/a.cu -o out/new.cu"));
    assert_eq!(
        shell(&tree, "chmod u+w src src/sub out out/sub out/.cass").code,
        0
    );
    for (done, name) in [
        (tree_run, "out/.cass"),
        (in_place, "src/sub/b.cu"),
        (elsewhere, "out/new.cu"),
    ] {
        assert_eq!(done.code, 2, "{name}: {}", done.err);
        let says = done.err.contains(&format!("{name}: cannot be written"));
        assert!(says, "{name}: {}", done.err);
    }
    assert_eq!(files(tree.folder.path()), before, "nothing was written");
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
        ("src/long.cu", "// earlier\n"),
        ("src/copied.txt", "earlier\n"),
    ]);
    assert_eq!(tree.run(&["src", "out"]).code, 0);
    tree.write("src/long.cu", long.as_bytes());
    tree.write("src/short.cu", SAFE.as_bytes());
    tree.write("src/copied.txt", "y".repeat(100_000).as_bytes());
    let done = shell(&tree, "ulimit -f 20; exec $CASS src out --quiet");
    assert_eq!(done.code, 2, "{}", done.err);
    let found = files(&tree.path("out"));
    let names: Vec<&str> = found.keys().filter_map(|name| name.to_str()).collect();
    assert_eq!(
        names,
        ["copied.txt", "long.cu", "short.cu"],
        "no half-written and no temporary file"
    );
    assert_eq!(tree.read("out/long.cu"), "// earlier\n");
    assert!(tree.read("out/short.cu").contains("hipFree"));
}

/// What is written first of all files is one file of the run: it cannot grow, and no file is written without it.
#[test]
fn what_stops_many_files_is_said_once() {
    let text = "x".repeat(900);
    let sources: Vec<(String, String)> = (0..60)
        .map(|number| {
            (
                format!("src/{number}.cu"),
                format!("{SAFE}// {number}{text}\n"),
            )
        })
        .collect();
    let tree = Tree::new(&[]);
    for (path, text) in &sources {
        tree.write(path, text.as_bytes());
    }
    let done = shell(&tree, "ulimit -f 2; exec $CASS src out --quiet -j 1");
    assert_eq!(done.code, 2, "{}", done.err);
    let lines: Vec<&str> = done
        .err
        .lines()
        .filter(|it| it.contains("journal"))
        .collect();
    assert_eq!(lines.len(), 1, "{}", done.err);
    assert!(lines[0].contains("out/.cass/journal-"), "{}", lines[0]);
    assert!(
        lines[0].contains("check the space on the disk"),
        "{}",
        lines[0]
    );
    assert!(lines[0].ends_with(" files)"), "{}", lines[0]);
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
    // So does a file of that name.
    tree.write("x.txt", &source);
    let output = tree.command().args(["x.txt", "-o", "-"]).output();
    assert_eq!(output.expect("it runs").stdout, source);
}

#[test]
fn what_lends_the_owners_rights_does_not_go_along() {
    let tree = Tree::new(&[
        ("src/a.cu", SAFE),
        ("src/tool.sh", "true\n"),
        ("src/plain.txt", "x\n"),
    ]);
    let made = shell(
        &tree,
        "chmod 4755 src/a.cu src/tool.sh && chmod 2644 src/plain.txt",
    );
    assert_eq!(made.code, 0);
    let modes = |folder: &str| {
        let line = format!("stat -c %a {folder}/a.cu {folder}/tool.sh {folder}/plain.txt");
        shell(&tree, &line).out
    };
    for _ in 0..2 {
        assert_eq!(tree.run(&["src", "out", "--quiet"]).code, 0);
        assert_eq!(modes("out"), "755\n755\n644\n");
    }
    assert_eq!(modes("src"), "4755\n4755\n2644\n");
}

#[test]
fn what_has_no_end_is_not_read_into_memory() {
    let tree = Tree::new(&[("record.json", "{}\n")]);
    let limited = |line: &str| shell(&tree, &format!("ulimit -v 3000000; timeout 60 {line}"));
    let compared = limited("$CASS verify compare record.json /dev/zero");
    assert!(
        compared.code == 2 && compared.err.contains("is no record"),
        "{}",
        compared.err
    );
    let compared = limited("$CASS verify compare /dev/zero record.json");
    assert!(
        compared.code == 2 && compared.err.contains("is no record"),
        "{}",
        compared.err
    );
    let translated = limited("$CASS - < /dev/zero");
    assert!(
        translated.code == 2 && translated.err.contains("is larger than"),
        "{}",
        translated.err
    );
    // A line without end is one bad record, and those behind it come out.
    let good = r#"{"code": "int f(void *p) { return cudaFree(p); }"}"#;
    let lines = format!(
        "(head -c 200000000 /dev/zero; echo; echo '{good}') | (ulimit -v 2000000; timeout 60 $CASS jsonl --field code)"
    );
    let filtered = shell(&tree, &lines);
    let lines: Vec<&str> = filtered.out.lines().collect();
    assert_eq!(lines.len(), 2, "{}", filtered.err);
    assert!(lines[0].contains("longer than 64 MiB"), "{}", lines[0]);
    assert!(lines[1].contains("hipFree"), "{}", lines[1]);
}
