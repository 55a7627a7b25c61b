//! The units of a port with CMake lists: CMake configures it in a folder of its own and writes a compilation database.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use rustc_hash::FxHashMap;

use super::compiler::Compiler;
use super::database::{NAME, by_database};
use super::program::{Limits, run};
use super::unit::{Units, Way};
use crate::symptom::{Level, messages};

/// Projects fetch others while they configure.
const TIMEOUT: Duration = Duration::from_secs(600);

/// Configures a port in `build` and reads what it would compile.
///
/// # Errors
/// When CMake is not there or stops; the message says at what.
pub(crate) fn by_cmake(
    out: &Path,
    build: &Path,
    compiler: &Compiler,
    interrupted: &AtomicBool,
) -> Result<Units, String> {
    let mut words = vec![
        "cmake".to_owned(),
        "-S".to_owned(),
        out.display().to_string(),
        "-B".to_owned(),
        build.display().to_string(),
        "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON".to_owned(),
    ];
    words.extend(compiler.for_cmake());
    let limits = Limits {
        timeout: TIMEOUT,
        interrupted,
    };
    let ran = run(&words, out, &[], limits).map_err(|_| "there is no cmake here".to_owned())?;
    let database = build.join(NAME);
    let errors = messages(&ran.stderr)
        .into_iter()
        .filter(|message| message.level >= Level::Error);
    let first = errors.map(|message| match message.site {
        Some(site) => format!("{}:{}: {}", site.file, site.line, message.text),
        None => message.text,
    });
    let first = first.into_iter().next();
    if first.is_some() || !database.is_file() {
        let why = first.unwrap_or_else(|| ran.end.text());
        return Err(format!("cmake: {why}"));
    }
    let found = by_database(&database, out, &FxHashMap::default())?;
    Ok(Units::new(Way::CMake, found.units, found.missing))
}
