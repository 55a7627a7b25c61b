//! Speed as ratios in one run: `cargo bench`, or `CASS_BENCH_TREE=path cargo bench` for a tree of your own.
//!
//! Prints the throughput of the stages over the C-family files of the tree, then whole runs of the binary beside `cp -r` and, if it is
//! on PATH, `hipify-perl`. Nothing here asserts a time: figures depend on the machine, ratios much less.

#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use cass_transpile::engine::Session;
use cass_transpile::engine::translate;
use cass_transpile::mapping::{ApiTable, mentions_cuda};
use cass_transpile::options::Options;
use cass_transpile::syntax::{Document, lex};
use cass_transpile::text::{Language, SourceFile};
use walkdir::WalkDir;

const ROUNDS: u32 = 3;

/// Parsing is slow enough that a few megabytes give a steady figure.
const PARSED_BYTES: usize = 4_000_000;

fn main() {
    let scratch = tempfile::tempdir().expect("the temporary folder is writable");
    let tree = std::env::var_os("CASS_BENCH_TREE")
        .map_or_else(|| generated(scratch.path()), PathBuf::from);
    let files = sources(&tree);
    let cuda: Vec<&SourceFile> = files
        .iter()
        .filter(|file| mentions_cuda(&file.bytes))
        .collect();
    println!(
        "{}: {} C-family files, {:.1} MB; {} with CUDA, {:.1} MB",
        tree.display(),
        files.len(),
        megabytes(files.iter()),
        cuda.len(),
        megabytes(cuda.iter().copied())
    );
    stages(&files, &cuda);
    whole_runs(&tree, scratch.path(), megabytes(cuda.iter().copied()));
}

fn stages(files: &[SourceFile], cuda: &[&SourceFile]) {
    let (all, size) = (megabytes(files.iter()), megabytes(cuda.iter().copied()));
    let session = Session::new(Options::default(), ApiTable::builtin());
    println!("one thread, best of {ROUNDS}:");
    report(
        "prefilter",
        all,
        best(|| {
            files
                .iter()
                .filter(|file| mentions_cuda(&file.bytes))
                .count()
        }),
    );
    report(
        "lex",
        size,
        best(|| {
            cuda.iter()
                .map(|file| lex(&file.bytes).count())
                .sum::<usize>()
        }),
    );
    report(
        "document",
        size,
        best(|| {
            cuda.iter()
                .map(|file| Document::new(file).tokens.len())
                .sum::<usize>()
        }),
    );
    let mut budget = PARSED_BYTES;
    let parsed: Vec<_> = cuda
        .iter()
        .take_while(|file| {
            let fits = budget > 0;
            budget = budget.saturating_sub(file.bytes.len());
            fits
        })
        .collect();
    let parsed_size = megabytes(parsed.iter().map(|file| **file));
    report(
        "parse",
        parsed_size,
        best(|| {
            parsed
                .iter()
                .map(|file| Document::new(file).tree().defects().len())
                .sum::<usize>()
        }),
    );
    report(
        "translate",
        size,
        best(|| {
            cuda.iter()
                .map(|file| translate(file, &session).findings.len())
                .sum::<usize>()
        }),
    );
    let start = best(ApiTable::builtin);
    println!("  tables at start   {:7.2} ms", start.as_secs_f64() * 1e3);
}

fn whole_runs(tree: &Path, scratch: &Path, cuda_megabytes: f64) {
    let out = scratch.join("out");
    let tool = env!("CARGO_BIN_EXE_cass-transpile");
    let plain = scratch.join("plain");
    copy_without_cuda(tree, &plain);
    let os = |text: &'static str| std::ffi::OsStr::new(text);
    let copied = timed(
        &out,
        &[os("cp"), os("-r"), tree.as_os_str(), out.as_os_str()],
    );
    let ours = timed(
        &out,
        &[os(tool), os("-q"), tree.as_os_str(), out.as_os_str()],
    );
    let plain_copied = timed(
        &out,
        &[os("cp"), os("-r"), plain.as_os_str(), out.as_os_str()],
    );
    let plain_ours = timed(
        &out,
        &[os(tool), os("-q"), plain.as_os_str(), out.as_os_str()],
    );
    let start = timed(&out, &[os(tool), os("--version")]);
    println!("whole runs, best of {ROUNDS}, all threads:");
    println!("  cp -r                    {:7.1} ms", millis(copied));
    println!(
        "  cass-transpile           {:7.1} ms = {:.1} x cp -r, {:.0} MB of CUDA a second",
        millis(ours),
        ratio(ours, copied),
        cuda_megabytes / ours.as_secs_f64()
    );
    println!("  without CUDA: cp -r      {:7.1} ms", millis(plain_copied));
    println!(
        "  without CUDA: ours       {:7.1} ms = {:.1} x cp -r",
        millis(plain_ours),
        ratio(plain_ours, plain_copied)
    );
    println!("  start-up (--version)     {:7.1} ms", millis(start));
    hipify_perl(tree);
}

/// hipify-perl on the three largest CUDA files, warnings off, against ours on the same three.
fn hipify_perl(tree: &Path) {
    if Command::new("hipify-perl")
        .arg("--help")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_err()
    {
        println!("  hipify-perl is not on PATH: no comparison");
        return;
    }
    let mut files = sources(tree);
    files.retain(|file| mentions_cuda(&file.bytes) && file.path.ends_with(".cu"));
    files.sort_by_key(|file| std::cmp::Reverse(file.bytes.len()));
    let paths: Vec<PathBuf> = files
        .iter()
        .take(3)
        .map(|file| tree.join(&file.path))
        .collect();
    let size = files
        .iter()
        .take(3)
        .map(|file| file.bytes.len())
        .sum::<usize>() as f64
        / 1e6;
    let time = |program: &str, arguments: &[&str]| {
        let begin = Instant::now();
        for path in &paths {
            let _ = Command::new(program)
                .args(arguments)
                .arg(path)
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .status();
        }
        begin.elapsed()
    };
    let theirs = time("hipify-perl", &["-quiet-warnings"]);
    let ours = time(env!("CARGO_BIN_EXE_cass-transpile"), &["-q", "-o", "-"]);
    println!(
        "  three largest .cu files ({size:.2} MB): hipify-perl -quiet-warnings {:.0} ms, ours {:.0} ms = {:.0} times as fast",
        millis(theirs),
        millis(ours),
        ratio(theirs, ours)
    );
}

fn best<T>(work: impl Fn() -> T) -> Duration {
    let time = || {
        let begin = Instant::now();
        std::hint::black_box(work());
        begin.elapsed()
    };
    (0..ROUNDS).map(|_| time()).min().expect("there are rounds")
}

/// Best time of a command that writes to a folder which is fresh each time.
fn timed(out: &Path, arguments: &[&std::ffi::OsStr]) -> Duration {
    let run = || {
        let _ = std::fs::remove_dir_all(out);
        let begin = Instant::now();
        let status = Command::new(arguments[0])
            .args(&arguments[1..])
            .stdout(Stdio::null())
            .status()
            .expect("the program starts");
        assert!(status.success(), "{arguments:?} failed");
        begin.elapsed()
    };
    (0..ROUNDS).map(|_| run()).min().expect("there are rounds")
}

fn report(stage: &str, megabytes: f64, time: Duration) {
    println!("  {stage:<16} {:8.0} MB/s", megabytes / time.as_secs_f64());
}

fn megabytes<'f>(files: impl Iterator<Item = &'f SourceFile>) -> f64 {
    files.map(|file| file.bytes.len()).sum::<usize>() as f64 / 1e6
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn ratio(a: Duration, b: Duration) -> f64 {
    a.as_secs_f64() / b.as_secs_f64()
}

/// The C-family files of a tree, by path.
fn sources(tree: &Path) -> Vec<SourceFile> {
    let mut paths: Vec<PathBuf> = WalkDir::new(tree)
        .into_iter()
        .flatten()
        .map(|item| item.into_path())
        .filter(|path| path.is_file())
        .collect();
    paths.sort();
    let name = |path: &Path| {
        path.strip_prefix(tree)
            .expect("the walk stays in the tree")
            .to_string_lossy()
            .replace('\\', "/")
    };
    let c_family = paths
        .into_iter()
        .filter(|path| Language::of_path(&name(path)) == Language::CFamily);
    c_family
        .map(|path| {
            SourceFile::new(
                name(&path),
                std::fs::read(&path).expect("the tree is readable"),
            )
        })
        .collect()
}

/// The corpus of the repository, forty times over: about the shape of a real tree.
fn generated(scratch: &Path) -> PathBuf {
    let tree = scratch.join("tree");
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/corpus");
    for copy in 0..40 {
        for file in WalkDir::new(&corpus)
            .into_iter()
            .flatten()
            .filter(|item| item.path().is_file())
        {
            let target = tree.join(copy.to_string()).join(
                file.path()
                    .strip_prefix(&corpus)
                    .expect("the walk stays in the corpus"),
            );
            std::fs::create_dir_all(target.parent().expect("files have folders"))
                .expect("the temporary folder is writable");
            std::fs::copy(file.path(), target).expect("the temporary folder is writable");
        }
    }
    tree
}

/// The files of a tree that do not mention CUDA.
fn copy_without_cuda(tree: &Path, target: &Path) {
    std::fs::create_dir_all(target).expect("the temporary folder is writable");
    for file in WalkDir::new(tree)
        .into_iter()
        .flatten()
        .filter(|item| item.path().is_file())
    {
        let bytes = std::fs::read(file.path()).expect("the tree is readable");
        if !mentions_cuda(&bytes) {
            let path = target.join(
                file.path()
                    .strip_prefix(tree)
                    .expect("the walk stays in the tree"),
            );
            std::fs::create_dir_all(path.parent().expect("files have folders"))
                .expect("the temporary folder is writable");
            std::fs::write(path, bytes).expect("the temporary folder is writable");
        }
    }
}
