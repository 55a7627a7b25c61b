//! Runs that come to no end, and outputs whose memory is damaged or was never there.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use crate::common::{SAFE, Tree};

/// Every file below a folder with its bytes.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for item in walkdir::WalkDir::new(folder).into_iter().flatten() {
        if !item.path().is_dir() {
            let name = item.path().strip_prefix(folder).expect("below");
            found.insert(
                name.to_path_buf(),
                std::fs::read(item.path()).expect("readable"),
            );
        }
    }
    found
}

/// The files without the report, which tells of runs and not of the port.
fn port(tree: &Tree, name: &str) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = files(&tree.path(name));
    found.remove(Path::new("cass-report.json"));
    found
}

fn source(number: usize, version: usize) -> String {
    let pad: String = (0..200)
        .map(|line| format!("// line {line} of {number}\n"))
        .collect();
    format!("{pad}int f{number}(void *p) {{ return cudaFree(p); }} // version {version}\n{pad}")
}

fn write_sources(tree: &Tree, version: usize) {
    for number in 0..60 {
        let name = format!("src/s{}/f{number}.cu", number % 7);
        tree.write(&name, source(number, version).as_bytes());
    }
}

/// Starts a run, kills it after some time, and says whether it was still under way.
fn kill_after(tree: &Tree, time: Duration) -> bool {
    let program = tree.command().get_program().to_owned();
    let mut child = std::process::Command::new(program)
        .current_dir(tree.folder.path())
        .args(["src", "out", "-j", "2"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    std::thread::sleep(time);
    let is_running = child.try_wait().expect("it is ours").is_none();
    let _ = child.kill();
    child.wait().expect("it ends");
    is_running
}

#[test]
fn a_run_that_is_killed_is_taken_up_by_the_next_one() {
    let tree = Tree::new(&[]);
    let mut version = 0;
    write_sources(&tree, version);
    let mut in_the_middle = 0;
    // The times spread over a run, however fast the machine is: each is a little later than the last.
    for step in 0..40 {
        version += 1;
        write_sources(&tree, version);
        let running = kill_after(&tree, Duration::from_micros(step * 1500));
        in_the_middle += usize::from(running && tree.path("out").exists());
        for (name, bytes) in port(&tree, "out") {
            let text = String::from_utf8_lossy(&bytes);
            let is_whole = name.starts_with(".cass")
                || name.to_string_lossy().contains(".cass-")
                || text.matches("// line 199 of").count() == 2;
            assert!(is_whole, "{} is cut", name.display());
        }
        if step % 4 == 3 {
            let done = tree.run(&["src", "out"]);
            assert_eq!(done.code, 0, "{}{}", done.out, done.err);
            for word in [
                "changed by hand",
                "merged with",
                "in conflict",
                "deleted by hand",
            ] {
                assert!(!done.out.contains(word), "{}", done.out);
            }
        }
    }
    assert!(
        in_the_middle > 5,
        "{in_the_middle} runs were killed while they wrote"
    );
    assert_eq!(tree.run(&["src", "out"]).code, 0);
    tree.run(&["src", "fresh"]);
    let (mut out, fresh) = (port(&tree, "out"), port(&tree, "fresh"));
    // Temporary files of runs that were killed are nobody's.
    out.retain(|name, _| {
        !name
            .file_name()
            .is_some_and(|name| name.to_string_lossy().starts_with(".cass-"))
    });
    assert_eq!(
        out.keys().collect::<Vec<_>>(),
        fresh.keys().collect::<Vec<_>>()
    );
    assert!(
        out == fresh,
        "the port is another than an undisturbed run makes"
    );
}

#[test]
fn what_could_not_be_written_is_written_by_the_next_run() {
    let tree = Tree::new(&[("src/a.cu", SAFE)]);
    assert_eq!(tree.run(&["src", "out"]).code, 0);
    tree.write("src/new/b.cu", SAFE.as_bytes());
    tree.write("out/new", b"in the way\n");
    let failed = tree.run(&["src", "out"]);
    assert_eq!(failed.code, 2, "{}", failed.err);
    std::fs::remove_file(tree.path("out/new")).expect("it is there");
    let done = tree.run(&["src", "out"]);
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    assert!(tree.read("out/new/b.cu").contains("hipFree"));
}

#[test]
fn work_by_hand_survives_runs_that_are_killed() {
    let tree = Tree::new(&[]);
    write_sources(&tree, 0);
    tree.run(&["src", "out"]);
    let name = "out/s3/f3.cu";
    tree.write(name, format!("// mine\n{}", tree.read(name)).as_bytes());
    for step in 0..20 {
        write_sources(&tree, step + 1);
        kill_after(&tree, Duration::from_micros(step as u64 * 3000));
        assert!(
            tree.read(name).starts_with("// mine\n"),
            "lost at step {step}"
        );
    }
    let done = tree.run(&["src", "out"]);
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    let text = tree.read(name);
    assert!(
        text.starts_with("// mine\n") && text.contains("// version 20"),
        "{text}"
    );
}

#[test]
fn threads_do_not_show() {
    let tree = Tree::new(&[]);
    write_sources(&tree, 0);
    tree.run(&["src", "one", "-j", "1"]);
    tree.run(&["src", "many", "-j", "8"]);
    assert!(port(&tree, "one") == port(&tree, "many"));
}

#[test]
fn a_port_without_manifest_is_not_overwritten() {
    let tree = Tree::new(&[("src/a.cu", SAFE), ("src/b.cu", SAFE), ("src/c.cu", SAFE)]);
    tree.run(&["src", "out"]);
    std::fs::remove_dir_all(tree.path("out/.cass")).expect("it is there");
    tree.write("out/a.cu", b"// mine\n");
    std::fs::remove_file(tree.path("out/c.cu")).expect("it is there");
    let done = tree.run(&["src", "out"]);
    assert_eq!(done.code, 1, "{}", done.err);
    assert!(
        done.err.contains("out: was made without a manifest"),
        "{}",
        done.err
    );
    assert!(
        done.err.contains("cass-transpile accept src out"),
        "{}",
        done.err
    );
    assert_eq!(tree.read("out/a.cu"), "// mine\n");
    assert!(tree.read("out/c.cu").contains("hipFree"));
}

#[test]
fn a_damaged_manifest_loses_nothing() {
    let tree = Tree::new(&[("src/a.cu", SAFE), ("src/b.cu", SAFE)]);
    tree.run(&["src", "out"]);
    tree.write("out/a.cu", b"// mine\n");
    let manifest = tree.read("out/.cass/manifest.json");
    let half = &manifest[..manifest.len() / 2];
    tree.write("out/.cass/manifest.json", half.as_bytes());
    let done = tree.run(&["src", "out"]);
    assert_eq!(done.code, 1, "{}", done.err);
    assert!(
        done.err.contains("manifest.json: is damaged"),
        "{}",
        done.err
    );
    assert_eq!(tree.read("out/a.cu"), "// mine\n");
    assert_eq!(tree.read("out/.cass/manifest.damaged.json"), half);
    let later = manifest.replace("\"format\": 1", "\"format\": 99");
    tree.write("out/.cass/manifest.json", later.as_bytes());
    let refused = tree.run(&["src", "out"]);
    assert_eq!(refused.code, 2);
    assert!(
        refused.err.contains("newer than this one"),
        "{}",
        refused.err
    );
}

#[test]
fn without_its_texts_a_port_is_not_merged_and_not_lost() {
    let tree = Tree::new(&[("src/a.cu", SAFE), ("src/b.cu", SAFE)]);
    tree.run(&["src", "out"]);
    tree.write("out/a.cu", b"// mine\n");
    tree.write("out/.cass/base.pack", b"cass-base 1\nnonsense");
    let moved = SAFE.replace("int f", "int g");
    tree.write("src/a.cu", moved.as_bytes());
    tree.write("src/b.cu", moved.as_bytes());
    let done = tree.run(&["src", "out"]);
    assert_eq!(done.code, 1, "{}", done.err);
    assert_eq!(tree.read("out/a.cu"), "// mine\n");
    assert!(tree.read("out/b.cu").contains("int g"));
}

#[test]
fn a_manifest_that_leads_out_removes_nothing() {
    let tree = Tree::new(&[("src/a.cu", SAFE), ("victim.cu", "precious\n")]);
    tree.run(&["src", "out"]);
    let manifest = tree.read("out/.cass/manifest.json");
    let hash = manifest
        .split("\"hash\":\"")
        .nth(1)
        .expect("a hash")
        .get(..64)
        .expect("whole");
    let victim = format!(
        "\"../victim.cu\": {{\"source\":\"gone.cu\",\"source_hash\":\"{hash}\",\"kind\":\"file\",\"hash\":\"{hash}\"}},\n  \"a.cu\""
    );
    tree.write(
        "out/.cass/manifest.json",
        manifest.replacen("\"a.cu\"", &victim, 1).as_bytes(),
    );
    assert_eq!(tree.run(&["src", "out", "--prune"]).code, 0);
    assert_eq!(tree.read("victim.cu"), "precious\n");
}

#[cfg(unix)]
#[test]
fn a_memory_that_is_a_link_is_not_written_through() {
    let tree = Tree::new(&[("src/a.cu", SAFE), ("elsewhere/manifest.json", "{}")]);
    std::fs::create_dir(tree.path("out")).expect("a folder");
    std::os::unix::fs::symlink("../elsewhere", tree.path("out/.cass")).expect("a link");
    let done = tree.run(&["src", "out"]);
    assert_eq!(done.code, 2, "{}", done.out);
    assert_eq!(tree.read("elsewhere/manifest.json"), "{}");
    assert_eq!(files(&tree.path("elsewhere")).len(), 1);
}
