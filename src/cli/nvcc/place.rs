//! Where things are on this machine, by the environment.

use std::env;
use std::path::{Path, PathBuf};

use crate::emit;
use crate::nvcc::{self, Claim, MARK, Place, absolute};

/// Looks around. `program` is the name that the command was called by.
///
/// # Errors
/// When a variable of the environment says what cannot be; the message names it.
pub(super) fn find_program(program: &Path) -> Result<Place, String> {
    let toolkit = toolkit_of(program);
    let said = toolkit.as_deref().map(nvcc::settings).unwrap_or_default();
    let of = |variable: &str, key: &str| variable_of(variable).or_else(|| said.get(key).cloned());
    let rocm = variable_of("ROCM_PATH")
        .or_else(|| variable_of("HIP_PATH"))
        .or_else(|| said.get("rocm").cloned())
        .map_or_else(|| PathBuf::from("/opt/rocm"), PathBuf::from);
    let claim = match of("CASS_NVCC_VERSION", "cuda-version") {
        Some(text) => text
            .parse()
            .map_err(|error| format!("CASS_NVCC_VERSION: {error}"))?,
        None => Claim::default(),
    };
    let targets = of("CASS_NVCC_TARGET", "target").or_else(|| variable_of("HCC_AMDGPU_TARGET"));
    let targets = targets.unwrap_or_default();
    let is_on = |text: String| !matches!(text.as_str(), "0" | "no" | "off" | "false" | "none");
    Ok(Place {
        compiler: compiler(&rocm),
        cache: variable_of("CASS_NVCC_CACHE").map_or_else(default_cache, PathBuf::from),
        targets: targets
            .split([',', ';', ' '])
            .filter(|target| !target.is_empty())
            .map(str::to_owned)
            .collect(),
        modules: of("CASS_NVCC_MODULES", "modules").is_some_and(is_on),
        tells: variable_of("CASS_NVCC_WARNINGS").is_none_or(is_on),
        rocm,
        toolkit,
        claim,
    })
}

/// A variable of the environment that says something.
pub(in crate::cli) fn variable_of(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.is_empty())
}

/// AMD's clang: the one that the environment names, ROCm's, or what is in PATH.
pub(in crate::cli) fn compiler(rocm: &Path) -> Option<PathBuf> {
    let named = variable_of("CASS_NVCC_CLANG").map(PathBuf::from);
    let of_hip = variable_of("HIP_CLANG_PATH").map(|folder| Path::new(&folder).join("clang++"));
    let of_rocm = [
        "llvm/bin/clang++",
        "lib/llvm/bin/clang++",
        "bin/amdclang++",
        "bin/hipcc",
    ]
    .map(|path| rocm.join(path));
    let all = named.into_iter().chain(of_hip).chain(of_rocm);
    all.into_iter().find(|path| path.is_file()).or_else(|| {
        ["amdclang++", "hipcc"]
            .iter()
            .find_map(|name| in_path(name))
    })
}

/// A program in PATH.
pub(in crate::cli) fn in_path(name: &str) -> Option<PathBuf> {
    let folders = env::var_os("PATH")?;
    env::split_paths(&folders)
        .map(|folder| folder.join(name))
        .find(|path| path.is_file())
}

fn default_cache() -> PathBuf {
    // All users share the folder for temporary files.
    let of_user = || env::temp_dir().join(format!("cass-transpile{}", emit::user()));
    let base = cache_base().map(|base| base.join("cass-transpile"));
    base.unwrap_or_else(of_user).join("nvcc")
}

/// Where programs of this person keep what they can make again.
pub(in crate::cli) fn cache_base() -> Option<PathBuf> {
    let base = variable_of("XDG_CACHE_HOME").map(PathBuf::from);
    let home = || variable_of("HOME").map(|home| Path::new(&home).join(".cache"));
    let local = || variable_of("LOCALAPPDATA").map(PathBuf::from);
    base.or_else(home).or_else(local)
}

/// The toolkit folder around the command: `DIR/bin/nvcc`, where DIR has the mark of `--install`.
fn toolkit_of(program: &Path) -> Option<PathBuf> {
    let path = match program.components().count() {
        1 => in_path(program.to_str()?)?,
        _ => program.to_path_buf(),
    };
    let path = absolute(&path);
    // `/usr/local/bin/nvcc` may be a link to the toolkit's.
    let target = std::fs::read_link(&path)
        .ok()
        .map(|target| path.with_file_name("").join(target));
    let of = |path: &Path| path.parent()?.parent().map(Path::to_path_buf);
    [Some(path), target]
        .into_iter()
        .flatten()
        .filter_map(|path| of(&absolute(&path)))
        .find(|folder| folder.join(MARK).is_file())
}
