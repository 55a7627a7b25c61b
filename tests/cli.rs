//! The program as people call it: arguments in, files, text and exit codes out.

use std::fs;
use std::path::PathBuf;

use assert_cmd::Command;

/// A call that has no counterpart on AMD: an error of CASS003.
const GONE: &str = "void f(int t, int o) { cudaDeviceFlushGPUDirectRDMAWrites(t, o); }\n";
/// A file that converts safely.
const SAFE: &str = "#include <cuda_runtime.h>\nint f(void *p) { return cudaFree(p); }\n";

struct Tree {
    folder: tempfile::TempDir,
}

struct Done {
    code: i32,
    out: String,
    err: String,
}

impl Tree {
    fn new(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let tree = Self { folder };
        for (name, text) in files {
            tree.write(name, text.as_bytes());
        }
        tree
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("it has a folder")).expect("folders");
        fs::write(path, bytes).expect("writable");
    }

    fn read(&self, name: &str) -> String {
        let bytes = fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        String::from_utf8_lossy(&bytes).into_owned()
    }

    fn command(&self) -> Command {
        let mut command = Command::cargo_bin("cass-transpile").expect("it is built");
        command.current_dir(self.folder.path());
        // A cass.toml above the temporary folder must not decide what the tests see; there is none on a sane machine.
        command.env_remove("GIT_DIR").env_remove("GIT_INDEX_FILE");
        command
    }

    fn run(&self, arguments: &[&str]) -> Done {
        done(self.command().args(arguments))
    }

    fn git(&self, arguments: &[&str]) {
        let output = std::process::Command::new("git")
            .current_dir(self.folder.path())
            .args([
                "-c",
                "user.name=t",
                "-c",
                "user.email=t@example.org",
                "-c",
                "init.defaultBranch=main",
            ])
            .args(arguments)
            .output()
            .expect("git is installed");
        assert!(
            output.status.success(),
            "git {arguments:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
}

fn done(command: &mut Command) -> Done {
    let output = command.output().expect("it starts");
    Done {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

#[test]
fn exit_codes_say_clean_findings_or_trouble() {
    let tree = Tree::new(&[("safe.cu", SAFE), ("gone.cu", GONE)]);
    assert_eq!(tree.run(&["check", "safe.cu"]).code, 0);
    let found = tree.run(&["check", "gone.cu"]);
    assert_eq!(found.code, 1);
    assert!(
        found.out.contains("gone.cu:1:24: error[CASS003]"),
        "{}",
        found.out
    );
    assert_eq!(tree.run(&["check", "--exit-zero", "gone.cu"]).code, 0);
    assert_eq!(tree.run(&["check", "missing.cu"]).code, 2);
    assert_eq!(tree.run(&["check", "--no-such-flag", "gone.cu"]).code, 2);
    assert_eq!(tree.run(&[".", "out"]).code, 0);
}

#[test]
fn rules_are_selected_ignored_and_weighed() {
    let tree = Tree::new(&[("gone.cu", GONE)]);
    assert_eq!(
        tree.run(&["check", "--select", "warp,launch", "gone.cu"])
            .code,
        0
    );
    assert_eq!(
        tree.run(&["check", "--select", "CASS003", "gone.cu"]).code,
        1
    );
    assert_eq!(
        tree.run(&["check", "--ignore", "unsupported-api", "gone.cu"])
            .code,
        0
    );
    assert_eq!(
        tree.run(&["check", "--warn", "api", "--fail-on", "error", "gone.cu"])
            .code,
        0
    );
    assert!(
        tree.run(&["check", "--warn", "api", "gone.cu"])
            .out
            .contains("warning[CASS003]")
    );
    let unknown = tree.run(&["check", "--select", "CASS03", "gone.cu"]);
    assert_eq!(unknown.code, 2);
    assert!(
        unknown.err.contains("did you mean `CASS003`?"),
        "{}",
        unknown.err
    );
}

#[test]
fn what_is_off_is_not_edited_and_what_is_ignored_is() {
    let tree = Tree::new(&[("src/a.cu", SAFE)]);
    tree.run(&["src", "ignored", "--ignore", "all"]);
    assert!(tree.read("ignored/a.cu").contains("hipFree"));
    tree.run(&["src", "off", "--off", "rename-api"]);
    assert!(tree.read("off/a.cu").contains("cudaFree"));
    // The name that stays is reported by the second reading, so nothing is left in silence.
    assert!(
        tree.run(&["check", "src", "--off", "rename-api"])
            .out
            .contains("CASS005")
    );
}

#[test]
fn suppressions_are_added_where_the_findings_are() {
    let text = format!(
        "{}#define M(t, o) \\\n  cudaDeviceFlushGPUDirectRDMAWrites(t, o)\n",
        GONE.replace('\n', "\r\n")
    );
    let tree = Tree::new(&[("a.cu", &text), ("safe.cu", SAFE)]);
    let added = tree.run(&["check", ".", "--add-suppressions", "known since 2024"]);
    assert_eq!(
        (added.code, added.out.lines().next()),
        (
            0,
            Some("suppressed 2 findings in 1 files; look at the changes before you commit them")
        )
    );
    let comment = "// cass: ignore-next-line[CASS003] known since 2024";
    assert_eq!(
        tree.read("a.cu"),
        format!(
            "{comment}\r\n{}{comment}\n#define M(t, o) \\\n  cudaDeviceFlushGPUDirectRDMAWrites(t, o)\n",
            GONE.replace('\n', "\r\n")
        )
    );
    assert_eq!(tree.read("safe.cu"), SAFE);
    let clean = tree.run(&["check", "."]);
    assert_eq!(clean.code, 0, "{}", clean.out);
}

#[test]
fn the_nearest_configuration_holds_and_the_command_line_wins() {
    let tree = Tree::new(&[
        (
            "cass.toml",
            "[rules]\nignore = [\"CASS003\"]\n[files]\nexclude = [\"src/old\"]\n[translate]\nnaming = \"hip\"\n",
        ),
        ("src/gone.cu", GONE),
        ("src/old/gone.cu", GONE),
        ("other/cass.toml", ""),
        ("other/gone.cu", GONE),
    ]);
    assert_eq!(tree.run(&["check", "src"]).code, 0);
    assert_eq!(tree.run(&["check", "other"]).code, 1);
    assert_eq!(tree.run(&["check", "src", "--isolated"]).code, 1);
    assert_eq!(tree.run(&["check", "src", "--error", "CASS003"]).code, 1);
    assert_eq!(
        tree.run(&["check", "other", "--config", "cass.toml"]).code,
        0
    );
    tree.run(&["src", "out"]);
    assert!(tree.path("out/gone.hip").is_file() && !tree.path("out/old").exists());
}

#[test]
fn overrides_hold_for_their_paths_from_wherever_the_run_starts() {
    let tree = Tree::new(&[
        (
            "cass.toml",
            "[[overrides]]\npaths = [\"lib/vendor/**\"]\nignore = [\"api\"]\n",
        ),
        ("lib/vendor/gone.cu", GONE),
        ("lib/own.cu", GONE),
    ]);
    for root in [".", "lib"] {
        let out = tree.run(&["check", root]).out;
        assert!(out.contains("own.cu:1") && !out.contains("vendor"), "{out}");
    }
    assert_eq!(tree.run(&["check", "lib/vendor"]).code, 0);
    assert_eq!(tree.run(&["check", "lib/vendor/gone.cu"]).code, 0);
}

#[test]
fn mistakes_in_the_configuration_are_explained() {
    let tree = Tree::new(&[("cass.toml", "[rules]\nignor = []\n"), ("a.cu", SAFE)]);
    let wrong = tree.run(&["check", "a.cu"]);
    assert_eq!(wrong.code, 2);
    assert!(
        wrong
            .err
            .contains("cass.toml:2:1: unknown key `ignor`; did you mean `ignore`?"),
        "{}",
        wrong.err
    );
}

#[test]
fn the_settings_can_be_seen_and_are_a_configuration_themselves() {
    let tree = Tree::new(&[
        ("cass.toml", "[translate]\nwarp = \"native\"\n"),
        ("a.cu", SAFE),
    ]);
    let shown = tree.run(&[
        "check",
        "a.cu",
        "--show-config",
        "--rocm",
        "7.0",
        "--error",
        "warp",
    ]);
    assert_eq!(shown.code, 0);
    for line in [
        "warp = \"native\"",
        "rocm = \"7.0\"",
        "launch = \"keep\"",
        "fail-on = \"warning\"",
        "error = [\"warp\"]",
    ] {
        assert!(shown.out.contains(line), "{line} is not in {}", shown.out);
    }
    tree.write("again/cass.toml", shown.out.as_bytes());
    tree.write("again/a.cu", SAFE.as_bytes());
    assert_eq!(tree.run(&["check", "again"]).code, 0);
}

#[test]
fn schemas_are_json() {
    let tree = Tree::new(&[]);
    for of in ["config", "report"] {
        let schema = tree.run(&["schema", of]);
        let value: serde_json::Value = serde_json::from_str(&schema.out).expect("JSON");
        assert!(value["properties"].is_object(), "{of}");
    }
}
