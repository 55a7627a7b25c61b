//! Building the programs of these tests, and what goes wrong with them.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use crate::common::rocm::text_of;
use crate::emulator::{CHIPS, Emulator};

/// One compiler at a time: each takes a gigabyte.
static COMPILER: Mutex<()> = Mutex::new(());

impl Emulator {
    /// Compiles and links for both widths of waves; the program.
    pub(crate) fn build(&self, folder: &Path, options: &[&str], files: &[&str]) -> PathBuf {
        let guard = COMPILER.lock().unwrap_or_else(PoisonError::into_inner);
        let built = Command::new(self.home.join("bin/hipcc"))
            .args(["-std=c++17", "-O2", "-g1"])
            .args(options)
            .args(files)
            .args(["-o", "program"])
            .current_dir(folder)
            .env("CASS_ROCM", &self.rocm)
            .env("HIP_EMULATOR_ARCHS", CHIPS.join(" "))
            .output()
            .expect("the compiler script runs");
        drop(guard);
        assert!(
            built.status.success(),
            "{files:?} do not build:\n{}",
            text_of(&built)
        );
        folder.join("program")
    }

    /// A folder such as `ROCM_PATH` names, and the search path on which its `hipcc` comes first: makefiles of projects ask for them.
    pub(crate) fn make(&self, folder: &Path, words: &[&str]) {
        let prefix = tempfile::tempdir().expect("a temporary folder can be made");
        for (name, to) in [
            ("bin", self.home.join("bin")),
            ("lib", self.home.join("lib")),
            ("include", self.rocm.join("usr/include")),
        ] {
            std::os::unix::fs::symlink(to, prefix.path().join(name)).expect("writable");
        }
        let others = std::env::var("PATH").unwrap_or_default();
        let guard = COMPILER.lock().unwrap_or_else(PoisonError::into_inner);
        let made = Command::new("make")
            .args(words)
            .current_dir(folder)
            .env("ROCM_PATH", prefix.path())
            .env("PATH", format!("{}/bin:{others}", prefix.path().display()))
            .env("CASS_ROCM", &self.rocm)
            .env("HIP_EMULATOR_ARCHS", CHIPS.join(" "))
            .output()
            .expect("make runs");
        drop(guard);
        assert!(made.status.success(), "{}", text_of(&made));
    }

    /// What goes wrong with a program at some width or in some order; nothing if all is well.
    pub(crate) fn failures(
        &self,
        program: &Path,
        arguments: &[&str],
        schedules: &[&str],
    ) -> Vec<String> {
        self.failures_on(&CHIPS, program, arguments, schedules)
    }

    /// The same on some chips.
    pub(crate) fn failures_on(
        &self,
        chips: &[&str],
        program: &Path,
        arguments: &[&str],
        schedules: &[&str],
    ) -> Vec<String> {
        let mut failures = Vec::new();
        for chip in chips {
            for schedule in schedules {
                let ran = self.run(program, arguments, chip, schedule);
                if !ran.status.success() {
                    let text = text_of(&ran);
                    failures.push(format!("{chip}, {schedule}: {}\n{text}", ran.status));
                }
            }
        }
        failures
    }
}
