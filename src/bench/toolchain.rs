//! The compiler for builds, under the name `hipcc`, and the folders that they ask for.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::emit;

/// `hipcc` for a machine that has clang and AMD's headers.
const SCRIPT: &str = include_str!("hipcc.sh");

/// What is on this machine.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    /// hipcc or clang++.
    pub(crate) compiler: PathBuf,
    /// ROCm's folder.
    pub(crate) rocm: PathBuf,
    /// AMD's device libraries, where they are not in their usual place.
    pub(crate) device_libraries: Option<PathBuf>,
    /// A folder with libraries of HIP's runtime to link with.
    pub(crate) libraries: Option<PathBuf>,
    /// Chips, one of each width of waves.
    pub(crate) chips: Vec<String>,
    /// Where programs are looked for.
    pub(crate) search: OsString,
}

/// The compiler as builds call it.
#[derive(Clone, Debug)]
pub(crate) struct Toolchain {
    hipcc: PathBuf,
    /// ROCm's folder of headers.
    include: PathBuf,
    environment: Vec<(OsString, OsString)>,
    can_link: bool,
}

impl Toolchain {
    /// Lays out `bin`, `lib` and `include` in a folder, as builds expect them below `ROCM_PATH`.
    ///
    /// # Errors
    /// When that folder cannot be written.
    pub(crate) fn new(found: &Found, folder: &Path) -> Result<Self, String> {
        let hipcc = folder.join("bin/hipcc");
        let is_hipcc = found
            .compiler
            .file_name()
            .is_some_and(|name| name.to_string_lossy().contains("hipcc"));
        match is_hipcc {
            true => emit::link(&found.compiler, &hipcc),
            false => emit::write(&hipcc, SCRIPT.as_bytes(), executable()),
        }
        .map_err(|error| format!("{error:#}"))?;
        let include = Some(found.rocm.join("include"));
        for (name, to) in [("include", &include), ("lib", &found.libraries)] {
            if let Some(to) = to {
                emit::link(to, &folder.join(name)).map_err(|error| format!("{error:#}"))?;
            }
        }
        Ok(Self {
            environment: environment(found, folder),
            include: found.rocm.join("include"),
            can_link: found.libraries.is_some(),
            hipcc,
        })
    }

    /// What builds find in their environment.
    pub(super) fn environment(&self) -> &[(OsString, OsString)] {
        &self.environment
    }

    /// The headers that are ROCm's.
    pub(super) fn include(&self) -> &Path {
        &self.include
    }

    /// `hipcc`.
    pub(super) fn hipcc(&self) -> String {
        self.hipcc.display().to_string()
    }

    /// Whether there is a runtime to link with.
    pub(super) fn can_link(&self) -> bool {
        self.can_link
    }
}

fn environment(found: &Found, folder: &Path) -> Vec<(OsString, OsString)> {
    let mut path = folder.join("bin").into_os_string();
    path.push(":");
    path.push(&found.search);
    let flags = found
        .chips
        .iter()
        .map(|chip| format!("--offload-arch={chip}"));
    let flags: Vec<String> = flags.collect();
    let mut all: Vec<(&str, OsString)> = vec![
        ("PATH", path),
        ("ROCM_PATH", folder.into()),
        ("HIP_PATH", folder.into()),
        ("HIPCC_ROCM", found.rocm.clone().into()),
        ("HIP_EMULATOR_ARCHS", found.chips.join(" ").into()),
        ("HIP_EMULATOR_CLANG", found.compiler.clone().into()),
        // ROCm's own hipcc reads these.
        ("HIPCC_COMPILE_FLAGS_APPEND", flags.join(" ").into()),
        // Messages are searched for words.
        ("LC_ALL", "C".into()),
    ];
    let libraries = found
        .libraries
        .clone()
        .unwrap_or_else(|| folder.join("lib"));
    all.push(("HIPCC_LIB", libraries.into()));
    if let Some(folder) = &found.device_libraries {
        all.push(("HIPCC_DEVICE_LIB", folder.clone().into()));
    }
    let owned = |(name, value): (&str, OsString)| (OsString::from(name), value);
    all.into_iter().map(owned).collect()
}

#[cfg(unix)]
fn executable() -> Option<std::fs::Permissions> {
    use std::os::unix::fs::PermissionsExt as _;
    Some(std::fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn executable() -> Option<std::fs::Permissions> {
    None
}
