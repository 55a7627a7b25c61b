//! Trees that want harm: a stranger's repository is checked and translated like any other, and nothing outside the output changes.

use std::fs;
use std::os::unix::fs::symlink;

use crate::common::{GONE, SAFE, Tree};
use crate::{files, shell, start};

#[test]
fn a_link_in_the_output_leads_nothing_out_of_it() {
    let tree = Tree::new(&[("victim/x.cu", "precious\n"), ("src/a.cu", SAFE)]);
    symlink("../victim", tree.path("src/sub")).expect("a link");
    assert_eq!(tree.run(&["src", "out", "--quiet"]).code, 0);
    fs::remove_file(tree.path("src/sub")).expect("it is a link");
    tree.write("src/sub/x.cu", SAFE.as_bytes());
    tree.write("src/sub/deep/plain.txt", b"bytes\n");
    let again = tree.run(&["src", "out", "--quiet"]);
    assert_eq!(tree.read("victim/x.cu"), "precious\n");
    assert!(!tree.path("victim/deep").exists());
    // Either it says so, or the link is a folder by now.
    let arrived = tree.path("out/sub/x.cu").exists() && !tree.path("out/sub").is_symlink();
    let said = again.code == 2
        && again
            .err
            .contains("out/sub: is a link where a folder should go");
    assert!(arrived || said, "{}: {}", again.code, again.err);
    fs::remove_file(tree.path("out/sub")).ok();
    assert_eq!(tree.run(&["src", "out", "--quiet"]).code, 0);
    assert!(tree.read("out/sub/x.cu").contains("hipFree"));
}

#[test]
fn a_link_to_a_device_is_replaced_and_not_written_into() {
    let tree = Tree::new(&[
        ("src/a.cu", SAFE),
        ("src/b.txt", "plain\n"),
        ("out/cass-report.json", "{}"),
    ]);
    let made = shell(
        &tree,
        "mkfifo pipe && ln -s ../pipe out/a.cu && ln -s ../pipe out/b.txt",
    );
    assert_eq!(made.code, 0);
    // Opening the pipe would wait for a reader for ever.
    let done = shell(&tree, "timeout 20 $CASS src out --force --quiet");
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(tree.read("out/a.cu").contains("hipFree"));
    assert_eq!(tree.read("out/b.txt"), "plain\n");
}

#[test]
fn names_that_differ_in_case_alone_do_not_become_one() {
    let tree = Tree::new(&[
        ("src/a.cu", "int a() { return cudaFree(0); }\n"),
        ("src/a.CU", "int b() { return cudaMalloc(0, 1); }\n"),
    ]);
    let done = tree.run(&["src", "out", "--naming", "hip"]);
    let all = crate::files(&tree.path("out"));
    let text: Vec<String> = all
        .values()
        .map(|bytes| String::from_utf8_lossy(bytes).into_owned())
        .collect();
    let text = text.concat();
    assert!(
        text.contains("hipFree") && text.contains("hipMalloc"),
        "{all:?}"
    );
    assert!(
        done.out.contains("a.cu is not renamed: a.hip is taken"),
        "{}",
        done.out
    );
}

#[test]
fn a_condition_that_nests_without_end_ends_no_run() {
    let deep = |open: &str, close: &str| {
        let (open, close) = (open.repeat(100_000), close.repeat(100_000));
        format!("int f() {{ return cudaFree(0); }}\n#if {open}__CUDACC__{close}\n#endif\n")
    };
    let tree = Tree::new(&[
        ("src/closed.h", &deep("(", ")")),
        ("src/open.h", &deep("(", "")),
        ("src/not.h", &deep("!", "")),
        ("src/not-open.h", &deep("!(", ")")),
        ("src/sum.h", &deep("1+", "")),
        ("src/call.h", &deep("f(1 == ", ")")),
        ("src/other.cu", SAFE),
    ]);
    let done = tree.run(&["src", "out", "--quiet"]);
    assert_eq!((done.code, done.err.as_str()), (0, ""));
    assert!(tree.read("out/closed.h").contains("hipFree"));
    assert!(tree.read("out/other.cu").contains("hipFree"));
}

/// A script that would be run leaves a file; this is its name.
const RUN: &str = "was-run";

#[test]
fn no_program_that_a_repository_names_is_started() {
    let tree = Tree::new(&[("mine/sub/evil/k.cu", SAFE)]);
    let touch = format!("touch {}", tree.path(RUN).display());
    // A repository without a work tree that a clone brings along as plain files.
    tree.write("mine/sub/evil/HEAD", b"ref: refs/heads/main\n");
    tree.write("mine/sub/evil/objects/.keep", b"");
    tree.write("mine/sub/evil/refs/.keep", b"");
    let config = format!(
        "[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n\tfsmonitor = \"{touch}; false\"\n"
    );
    tree.write("mine/sub/evil/config", config.as_bytes());
    tree.git(&["-C", "mine", "init", "-q"]);
    tree.git(&["-C", "mine", "add", "-A"]);
    tree.git(&["-C", "mine", "commit", "-qm", "one"]);
    tree.git(&["clone", "-q", "mine", "cloned"]);
    for path in ["cloned/sub/evil", "cloned/sub/evil/k.cu", "cloned"] {
        tree.run(&["check", path, "--changed"]);
        assert!(!tree.path(RUN).exists(), "{path}");
    }
    // An unpacked archive brings its own `.git/config`.
    tree.write("cloned/.gitattributes", b"*.cu filter=a=b diff=d\n");
    let more = format!(
        "[core]\n\tfsmonitor = {touch}\n\thooksPath = ../hooks\n\tpager = {touch}\n\
         [filter \"a=b\"]\n\tclean = {touch}\n\tprocess = {touch}\n\trequired = true\n\
         [diff \"d\"]\n\tcommand = {touch}\n\ttextconv = {touch}\n[diff]\n\texternal = {touch}\n"
    );
    let hook = format!("#!/bin/sh\n{touch}\n");
    tree.write("hooks/post-index-change", hook.as_bytes());
    shell(&tree, "chmod +x hooks/*; cat mine/.git/config > /dev/null");
    let old = tree.read("cloned/.git/config");
    tree.write("cloned/.git/config", format!("{old}{more}").as_bytes());
    // Same length, other time: git has to look into it.
    tree.write("cloned/sub/evil/k.cu", GONE.as_bytes());
    let done = tree.run(&["check", "cloned", "--changed"]);
    assert!(!tree.path(RUN).exists(), "{}", done.err);
    assert_eq!(done.code, 1, "{}", done.err);
}

#[test]
fn names_of_files_neither_move_the_cursor_nor_begin_lines() {
    let name = "a\u{1b}]0;x\u{7}\n::error::fake.cu";
    let tree = Tree::new(&[(&format!("src/{name}"), GONE), ("src/b.cu", SAFE)]);
    // It cannot be written either, so that its name is in a problem.
    tree.write(&format!("out/{name}/in the way"), b"");
    let config = "[\"\\n::set-output name=x::evil\"]\na = 1\n";
    tree.write("bad/cass.toml", config.as_bytes());
    tree.write("bad/a.cu", SAFE.as_bytes());
    let runs = [
        tree.run(&["src", "out", "--force"]),
        tree.run(&["check", "src"]),
        tree.run(&["check", "src", "--output-format", "concise"]),
        tree.run(&["check", "src", "--output-format", "junit"]),
        tree.run(&["check", "bad"]),
        tree.run(&["check", &format!("src/{name}x")]),
        tree.run(&["diff", "src", "out"]),
    ];
    for done in runs {
        // A patch has the bytes of its files, names are quoted in it.
        for text in [&done.out, &done.err] {
            assert!(!text.contains(['\u{1b}', '\u{7}', '\u{9b}']), "{text}");
            assert!(!text.lines().any(|line| line.starts_with("::")), "{text}");
        }
    }
}

#[test]
fn a_configuration_of_a_tree_writes_and_reads_nothing_of_others() {
    let precious = "export A=1\n";
    let tree = Tree::new(&[
        ("victim", precious),
        ("src/a.cu", GONE),
        ("src/known.txt", precious),
    ]);
    let with = |config: &str| {
        tree.write("src/cass.toml", config.as_bytes());
        shell(&tree, "timeout 20 $CASS check src --update-baseline")
    };
    let absolute = format!(
        "[check]\nbaseline = \"{}\"\n",
        tree.path("victim").display()
    );
    symlink("../victim", tree.path("src/link.json")).expect("a link");
    symlink("..", tree.path("src/up")).expect("a link");
    symlink("../new", tree.path("src/dangling.json")).expect("a link");
    for config in [
        "[check]\nbaseline = \"../victim\"\n",
        "[check]\nbaseline = \"../new\"\n",
        "[check]\nbaseline = \"up/victim\"\n",
        "[check]\nbaseline = \"link.json\"\n",
        "[check]\nbaseline = \"dangling.json\"\n",
        "[check]\nbaseline = \"known.txt\"\n",
        "[check]\nbaseline = \"/dev/zero\"\n",
        "[check]\nbaseline = \"/dev/stdin\"\n",
        "[translate]\nmappings = [\"/dev/zero\"]\n",
        &absolute,
    ] {
        let done = with(config);
        assert_eq!(done.code, 2, "{config}: {}", done.err);
    }
    assert_eq!(tree.read("victim"), precious);
    assert_eq!(tree.read("src/known.txt"), precious);
    assert!(!tree.path("new").exists());
    let many = "[[overrides]]\npaths = [\"a\"]\n".repeat(100_000);
    assert!(with(&many).err.contains("100000 overrides"));
    assert_eq!(with("[check]\nbaseline = \"sub/known.json\"\n").code, 0);
    assert_eq!(with("[check]\nbaseline = \"sub/known.json\"\n").code, 0);
    // Who names a file on the command line means it, if it is one.
    tree.write("src/cass.toml", b"");
    let named = |path: &str| tree.run(&["check", "src", "--update-baseline", "--baseline", path]);
    assert_eq!(named("victim").code, 2);
    assert_eq!(tree.read("victim"), precious);
    assert_eq!(named("outside.json").code, 0);
}

#[test]
fn a_configuration_that_a_stranger_left_above_is_not_taken() {
    let tree = Tree::new(&[
        ("cass.toml", "[rules]\noff = [\"all\"]\n"),
        ("src/a.cu", GONE),
    ]);
    let given = shell(&tree, "[ $(id -u) = 0 ] && chown 12345 cass.toml");
    if given.code != 0 {
        // Only root can give a file away.
        return;
    }
    let done = tree.run(&["check", "src"]);
    assert_eq!(done.code, 2);
    assert!(done.err.contains("belongs to another user"), "{}", done.err);
    assert_eq!(tree.run(&["check", "src", "--isolated"]).code, 1);
    assert_eq!(tree.run(&["check", "src", "--config", "cass.toml"]).code, 0);
    shell(&tree, "chown 12345 src");
    assert_eq!(
        tree.run(&["check", "src"]).code,
        0,
        "it is the tree's owner's"
    );
}

#[test]
fn a_stub_with_the_name_of_a_cuda_header_silences_nothing() {
    let app = "#include <cuda_runtime.h>\nvoid f(void **p) { cudaMalloc(p, 4); cudaFree(*p); }\n";
    let stub =
        "inline int cudaMalloc(void **p, unsigned long n) { return 0; }\n#define cudaFree(x) 0\n";
    let tree = Tree::new(&[
        ("src/app/x.cu", app),
        ("src/tests/stubs/cuda_runtime.h", stub),
        // Who includes it by its path means it.
        (
            "src/tests/t.cu",
            "#include \"stubs/cuda_runtime.h\"\nvoid g(void *p) { cudaFree(p); }\n",
        ),
    ]);
    assert_eq!(tree.run(&["src", "out", "--quiet"]).code, 0);
    let out = tree.read("out/app/x.cu");
    assert!(out.contains("hipMalloc(p, 4); hipFree(*p);"), "{out}");
    assert!(tree.read("out/tests/t.cu").contains("cudaFree(p)"));
}

/// Names of files that are read without being listed, each in a tree that has something to say to it.
const UNLISTED: &[&str] = &[
    "src/.gitignore",
    "src/.ignore",
    "src/.git/info/exclude",
    "src/sub/.gitignore",
    "src/cass_hip_compat.hpp",
    "out/.cass/manifest.json",
    "out/.cass/base.pack",
    "out/.cass/journal-abcdef",
    ".gitignore",
];

#[test]
fn what_is_read_without_being_listed_is_a_regular_file_of_some_size() {
    let shuffle = "__global__ void k(int *p) { p[0] = __shfl_sync(0xffffffff, p[1], 0); }\n";
    for name in UNLISTED {
        // A large file of the sources is copied and costs what it costs; one of the memory is not to be read.
        let size = if name.contains(".cass") { "4G" } else { "3M" };
        let large = format!("truncate -s {size}");
        for made in ["ln -s /dev/zero", "mkfifo", large.as_str()] {
            let tree = Tree::new(&[("src/a.cu", SAFE), ("src/sub/b.cu", shuffle)]);
            assert_eq!(tree.run(&["src", "out", "--quiet"]).code, 0);
            fs::create_dir_all(tree.path(name).parent().expect("a folder")).expect("writable");
            fs::remove_file(tree.path(name)).ok();
            let what = format!("{made} {name}");
            assert_eq!(shell(&tree, &what).code, 0, "{what}");
            // Enough for the tables and either tree, and not for what has no end.
            let limited = "ulimit -v 2000000; timeout 30 $CASS";
            let run = shell(&tree, &format!("{limited} src out --quiet"));
            let check = shell(&tree, &format!("{limited} check src"));
            let ends = |code| (0..=2).contains(&code);
            assert!(
                ends(run.code) && ends(check.code),
                "{what}: {} {}",
                run.code,
                check.code
            );
            let is_named =
                run.err.contains(name) || run.err.contains(name.trim_start_matches("src/"));
            // The sources' own header is listed, and a file of the memory that begins as none of ours holds nothing.
            let is_regular = name.contains(".cass/") && !name.ends_with(".json") && made == large;
            let is_said = is_named || name.ends_with(".hpp") || is_regular;
            assert!(is_said, "{what}: {}", run.err);
            if name.contains(".cass") {
                assert!(tree.read("out/a.cu").contains("hipFree"), "{what}");
            }
        }
    }
}

#[test]
fn below_an_ignore_file_that_cannot_be_read_the_others_hold() {
    let tree = Tree::new(&[
        ("src/.gitignore", "*.log\n"),
        ("src/a.cu", SAFE),
        ("src/a.log", ""),
        ("src/sub/b.cu", SAFE),
        ("src/sub/b.log", ""),
        ("src/sub/.ignore", "c.cu\n"),
        ("src/sub/c.cu", SAFE),
        ("src/sub/deep/.gitignore", "d.cu\n"),
        ("src/sub/deep/d.cu", SAFE),
        ("src/other/.gitignore", "e.cu\n"),
        ("src/other/e.cu", SAFE),
    ]);
    tree.git(&["-C", "src", "init", "-q"]);
    symlink("/dev/zero", tree.path("src/sub/.gitignore")).expect("a link");
    let done = tree.run(&["src", "out", "--quiet"]);
    assert_eq!(done.code, 2);
    assert!(
        done.err
            .contains("src/sub/.gitignore: is not read: it is no regular file"),
        "{}",
        done.err
    );
    let names: Vec<String> = files(&tree.path("out"))
        .keys()
        .map(|path| path.display().to_string())
        .collect();
    // What `sub/.gitignore` might have taken out is there, by its kind also below; `.ignore` and the others hold.
    let expected = [
        ".gitignore",
        "a.cu",
        "other/.gitignore",
        "sub/.gitignore",
        "sub/.ignore",
        "sub/b.cu",
        "sub/b.log",
        "sub/deep/.gitignore",
        "sub/deep/d.cu",
    ];
    assert_eq!(names, expected);
}

#[test]
fn a_folder_of_the_output_that_is_swapped_for_a_link_while_a_run_goes_on_leads_nothing_out_of_it() {
    let tree = Tree::new(&[]);
    fs::create_dir(tree.path("outside")).expect("writable");
    for number in 0..400 {
        tree.write(&format!("src/sub/k{number}.cu"), SAFE.repeat(20).as_bytes());
    }
    let mut run = start(&tree, &["src", "out", "--quiet"]);
    let sub = tree.path("out/sub");
    let mut is_running = || run.try_wait().expect("ours").is_none();
    while !sub.is_dir() && is_running() {
        std::thread::yield_now();
    }
    fs::rename(&sub, tree.path("out/moved")).expect("it is there");
    symlink("../outside", &sub).expect("a link");
    run.wait().expect("it ends");
    let outside: Vec<_> = files(&tree.path("outside")).into_keys().collect();
    assert!(outside.is_empty(), "{outside:?}");
}
