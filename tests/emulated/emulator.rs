//! The emulator, and programs that run on it.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

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

impl Emulator {
    /// The emulator of this tree, for tests that are ignored unless somebody asks for them.
    pub(crate) fn required() -> Emulator {
        Emulator {
            home: HOME.clone(),
            rocm: Compiler::required().rocm,
        }
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
}
