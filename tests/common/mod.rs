//! Small trees and the program run on them.

// Each test program uses a part of this.
#![allow(dead_code)]

pub(crate) mod fixture;
pub(crate) mod rocm;

use std::fs;
use std::path::PathBuf;

use assert_cmd::Command;

/// A call that has no counterpart on AMD: an error of CASS003.
pub(crate) const GONE: &str =
    "void f(int t, int o) { cudaDeviceFlushGPUDirectRDMAWrites(t, o); }\n";
/// A file that converts safely.
pub(crate) const SAFE: &str = "#include <cuda_runtime.h>\nint f(void *p) { return cudaFree(p); }\n";

pub(crate) struct Tree {
    pub(crate) folder: tempfile::TempDir,
}

pub(crate) struct Done {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Tree {
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let tree = Self { folder };
        for (name, text) in files {
            tree.write(name, text.as_bytes());
        }
        tree
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, bytes: &[u8]) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("it has a folder")).expect("folders");
        fs::write(path, bytes).expect("writable");
    }

    pub(crate) fn read(&self, name: &str) -> String {
        let bytes = fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        String::from_utf8_lossy(&bytes).into_owned()
    }

    pub(crate) fn command(&self) -> Command {
        let mut command = Command::cargo_bin("cass-transpile").expect("it is built");
        command.current_dir(self.folder.path());
        // A cass.toml above the temporary folder must not decide what the tests see; there is none on a sane machine.
        command.env_remove("GIT_DIR").env_remove("GIT_INDEX_FILE");
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Done {
        done(self.command().args(arguments))
    }

    pub(crate) fn git(&self, arguments: &[&str]) {
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

pub(crate) fn done(command: &mut Command) -> Done {
    let output = command.output().expect("it starts");
    Done {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}
