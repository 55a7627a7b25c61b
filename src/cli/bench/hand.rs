//! The compiler and the emulator of this machine. Where one is missing, a line says how to get it, and what needs it is not tried.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::Result;

use crate::bench::{Found, Judge, Toolchain};
use crate::cli::args::BenchArgs;
use crate::cli::trial::place;
use crate::cli::verify::{emulator, over};
use crate::cli::{output, pairs};
use crate::verify::{Emulator, Judgement};

/// What is at hand, or why it is not.
pub(super) struct Hand {
    /// The compiler.
    pub(super) tools: Result<Toolchain, String>,
    emulator: Result<Emulator, String>,
    chips: Vec<String>,
}

/// Looks for both, and says what is missing. Who names a folder means it: there it is an error.
///
/// # Errors
/// When something that was named is not there, or the folder cannot be written.
pub(super) fn at_hand(args: &BenchArgs, work: &Path) -> Result<Hand> {
    let folder = args.emulate.as_deref();
    let emulator = match emulator(folder.unwrap_or(Path::new("")), None) {
        Err(error) if folder.is_some() => return Err(error),
        found => found.map_err(|error| format!("{error:#}")),
    };
    let compiler = place::rocm(args.rocm_path.as_deref())
        .and_then(|rocm| Ok((place::compiler(args.compiler.as_deref(), &rocm)?, rocm)));
    let tools = match compiler {
        Err(error) if args.rocm_path.is_some() || args.compiler.is_some() => return Err(error),
        Err(error) => Err(format!("{error:#}")),
        Ok((compiler, rocm)) => {
            let found = Found {
                device_libraries: pairs::device_libraries(&rocm),
                libraries: libraries(emulator.as_ref().ok(), &rocm, work)?,
                chips: args.target.clone(),
                search: std::env::var_os("PATH").unwrap_or_default(),
                compiler,
                rocm,
            };
            Ok(Toolchain::new(&found, &work.join("rocm")).map_err(anyhow::Error::msg)?)
        }
    };
    let hand = Hand {
        tools: told(tools, "no compiler", "compiled"),
        emulator: told(emulator, "no emulator", "run"),
        chips: args.target.clone(),
    };
    Ok(hand)
}

/// The folder of libraries to link with: the emulator's, else ROCm's.
fn libraries(emulator: Option<&Emulator>, rocm: &Path, work: &Path) -> Result<Option<PathBuf>> {
    if let Some(emulator) = emulator {
        crate::emit::folder(work)?;
        return Ok(Some(emulator.folder(work)?));
    }
    let own = rocm.join("lib");
    Ok(Some(own).filter(|folder| folder.join("libamdhip64.so").exists()))
}

/// Says once what is missing; rows say it in a word.
fn told<T>(found: Result<T, String>, word: &str, what: &str) -> Result<T, String> {
    found.map_err(|why| {
        output::note(&format!("note: nothing is {what}: {why}\n"));
        word.to_owned()
    })
}

impl Hand {
    /// How programs are run and compared.
    ///
    /// # Errors
    /// When what the command line says of comparisons cannot be read.
    pub(super) fn judge<'a>(
        &'a self,
        args: &BenchArgs,
        interrupted: &'a AtomicBool,
    ) -> Result<Result<Judge<'a>, String>> {
        regex::RegexSet::new(&args.tolerance.ignore)?;
        let judge = |emulator| Judge {
            emulator,
            chips: &self.chips,
            timeout: Duration::from_secs(u64::from(args.timeout)),
            judgement: over(Judgement::default(), &args.tolerance),
            preload: std::env::var_os("LD_PRELOAD").unwrap_or_default(),
            interrupted,
        };
        Ok(self.emulator.as_ref().map(judge).map_err(String::clone))
    }
}
