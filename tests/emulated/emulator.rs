//! Building and running programs.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{LazyLock, Mutex, PoisonError};

use crate::common::rocm::{Compiler, root, text_of};

/// Wavefronts of 64 lanes, and of 32.
pub(crate) const CHIPS: [&str; 2] = ["gfx90a", "gfx1030"];
/// Orders of waves: each in turn, one far ahead of the others, random.
pub(crate) const SCHEDULES: [&str; 3] = ["round-robin", "ahead:7", "random:11"];
/// No program of the tests takes longer, on a machine that has much else to do; one that does waits for what never comes.
const SECONDS: &str = "300";

/// The emulator and the compiler that it needs.
pub(crate) struct Emulator {
    pub(crate) home: PathBuf,
    pub(crate) rocm: PathBuf,
}

/// Where the emulator is laid out: `HIP_EMULATOR`, or a build of this tree.
static HOME: LazyLock<PathBuf> = LazyLock::new(|| {
    if let Some(home) = std::env::var_os("HIP_EMULATOR") {
        return home.into();
    }
    let home = root().join("target/emulator");
    let built = Command::new("bash")
        .arg(root().join("emulator/tools/install.sh"))
        .arg(&home)
        .output()
        .expect("bash runs");
    assert!(built.status.success(), "{}", text_of(&built));
    home
});
/// One compiler at a time: each takes a gigabyte.
static COMPILER: Mutex<()> = Mutex::new(());

impl Emulator {
    /// The emulator of this tree, for tests that are ignored unless somebody asks for them.
    pub(crate) fn required() -> Emulator {
        Emulator {
            home: HOME.clone(),
            rocm: Compiler::required().rocm,
        }
    }

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

    /// Runs a program with arguments on a chip in an order of waves.
    pub(crate) fn run(
        &self,
        program: &Path,
        arguments: &[&str],
        chip: &str,
        schedule: &str,
    ) -> Output {
        self.command(program, arguments, chip, schedule)
            .output()
            .expect("a program that was just built runs")
    }

    /// What [`Self::run`] runs, for tests that set more.
    pub(crate) fn command(
        &self,
        program: &Path,
        arguments: &[&str],
        chip: &str,
        schedule: &str,
    ) -> Command {
        let mut command = Command::new("timeout");
        command
            .arg(SECONDS)
            .arg(program)
            .args(arguments)
            .current_dir(program.parent().expect("a program lies in a folder"))
            .env("LD_LIBRARY_PATH", self.home.join("lib"))
            .env("CASS_ROCM", &self.rocm)
            .env("HIP_EMULATOR_ARCH", chip)
            .env("HIP_EMULATOR_SCHEDULE", schedule);
        command
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
