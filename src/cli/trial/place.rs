//! Where a compiler for HIP and ROCm's headers are on this machine.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use crate::cli::nvcc::{compiler_of, in_path, variable};

/// clang has HIP's device side in order, and ROCm's headers compile, from here on.
const OLDEST_CLANG: u32 = 15;
/// Later than any that there is.
const NEWEST_CLANG: u32 = 40;
/// How one gets a compiler.
const HINT: &str = "install ROCm, or a clang of 15 or later (Debian, Ubuntu: `apt-get install clang`) and name it with --compiler";
/// How one gets headers.
const HEADERS: &str = "install ROCm or its headers alone (Debian, Ubuntu: `apt-get install libamdhip64-dev`, then those of the libraries in use), and name the folder that holds `include/hip` with --rocm-path";

/// ROCm's folder.
///
/// # Errors
/// When there is none; the message says how to get one.
pub(in crate::cli) fn rocm(named: Option<&Path>) -> Result<PathBuf> {
    if let Some(named) = named {
        let Some(found) = with_headers(named) else {
            bail!(
                "{}: has no include/hip/hip_runtime.h; {HEADERS}",
                named.display()
            );
        };
        return Ok(found);
    }
    let named = ["ROCM_PATH", "HIP_PATH"]
        .into_iter()
        .filter_map(variable)
        .map(PathBuf::from);
    let usual = ["/opt/rocm", "/usr"].into_iter().map(PathBuf::from);
    match named.chain(usual).find_map(|folder| with_headers(&folder)) {
        Some(found) => Ok(found),
        None => bail!("HIP's headers are not here: {HEADERS}"),
    }
}

/// The folder above `include/hip`: packages that are unpacked somewhere have a `usr` before it.
fn with_headers(folder: &Path) -> Option<PathBuf> {
    let candidates = [folder.to_path_buf(), folder.join("usr")];
    let mut found = candidates.into_iter();
    let found = found.find(|folder| folder.join("include/hip/hip_runtime.h").is_file())?;
    std::path::absolute(found).ok()
}

/// The compiler.
///
/// # Errors
/// When there is none; the message says how to get one.
pub(in crate::cli) fn compiler(named: Option<&Path>, rocm: &Path) -> Result<PathBuf> {
    if let Some(named) = named {
        let is_path = named.components().count() > 1 || named.is_file();
        let found = match is_path {
            true => std::path::absolute(named)
                .ok()
                .filter(|path| path.is_file()),
            false => named.to_str().and_then(in_path),
        };
        return match found {
            Some(found) => Ok(found),
            None => bail!("{}: is no program; {HINT}", named.display()),
        };
    }
    let versions = (OLDEST_CLANG..NEWEST_CLANG).rev();
    let numbered = versions.map(|version| format!("clang++-{version}"));
    let mut names = ["clang++".to_owned()].into_iter().chain(numbered);
    match compiler_of(rocm).or_else(|| names.find_map(|name| in_path(&name))) {
        Some(found) => Ok(found),
        None => bail!("no hipcc and no clang++ are here: {HINT}"),
    }
}

/// The programs of a build, as its commands call them.
pub(super) fn program(name: &str) -> Option<PathBuf> {
    let path = Path::new(name);
    match path.components().count() {
        1 => in_path(name),
        _ => Some(path.to_path_buf()).filter(|path| path.is_file()),
    }
}

/// A folder for what is kept, of a name.
pub(in crate::cli) fn cache(name: &str) -> PathBuf {
    let named = variable("CASS_TRY_CACHE").map(PathBuf::from);
    let whole = || env::temp_dir().join("cass-transpile");
    let base = named.or_else(|| {
        crate::cli::nvcc::cache_base().map(|base| base.join("cass-transpile").join("try"))
    });
    base.unwrap_or_else(whole).join(name)
}
