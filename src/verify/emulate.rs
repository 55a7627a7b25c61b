//! The emulated GPU: HIP's runtime library of `emulator/` in place of ROCm's, for programs that are not changed.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

/// What the library is called where it was built, and where it is installed.
const BUILT: &str = "libhip_emulator.so";
const LIBRARY: &str = "libamdhip64.so";
/// The releases of its soname.
const SONAMES: &[&str] = &["libamdhip64.so.5", "libamdhip64.so.6", "libamdhip64.so.7"];
/// It has functions of hipBLAS and hiprtc as well.
const LIBRARIES: &[&str] = &[
    "libhipblas.so",
    "libhipblas.so.2",
    "libhipblas.so.3",
    "libhiprtc.so",
    "libhiprtc.so.6",
    "libhiprtc.so.7",
];

/// An emulator on this machine.
#[derive(Clone, Debug)]
pub struct Emulator {
    library: PathBuf,
    chip: Option<String>,
    search_path: OsString,
}

impl Emulator {
    /// Finds the library in the first of these folders that has it. The search path that the environment has already is kept
    /// behind it.
    ///
    /// # Errors
    /// When none has it.
    pub fn find(folders: &[PathBuf], chip: Option<String>, search_path: OsString) -> Result<Self> {
        let names = || [BUILT, LIBRARY].into_iter().chain(SONAMES.iter().copied());
        let candidates = folders
            .iter()
            .flat_map(|folder| names().map(move |name| folder.join(name)));
        let Some(library) = candidates.into_iter().find(|path| path.is_file()) else {
            let shown: Vec<String> = folders.iter().map(|f| f.display().to_string()).collect();
            bail!(
                "no emulator in {}; build it with `cargo build --release -p hip-emulator`, or name its folder with --emulate=DIR",
                shown.join(", ")
            );
        };
        let library = library
            .canonicalize()
            .with_context(|| format!("{}: cannot be read", library.display()))?;
        Ok(Self {
            library,
            chip,
            search_path,
        })
    }

    /// The same for another chip.
    pub(crate) fn on(&self, chip: &str) -> Self {
        Self {
            chip: Some(chip.to_owned()),
            ..self.clone()
        }
    }

    /// The library, to be loaded before all others: also where a program carries a search path of its own.
    pub(super) fn library(&self) -> &Path {
        &self.library
    }

    /// What a program has to find in its environment; links to the library under all its names go into `scratch`.
    ///
    /// # Errors
    /// When the links cannot be made.
    pub(super) fn environment(&self, scratch: &Path) -> Result<Vec<(OsString, OsString)>> {
        let mut path = self.folder(scratch)?.into_os_string();
        if !self.search_path.is_empty() {
            path.push(":");
            path.push(&self.search_path);
        }
        let mut environment = vec![(OsString::from("LD_LIBRARY_PATH"), path)];
        if let Some(chip) = &self.chip {
            environment.push((OsString::from("HIP_EMULATOR_ARCH"), OsString::from(chip)));
        }
        Ok(environment)
    }

    /// A folder in `scratch` that has the library under all its names, for programs and for linkers.
    ///
    /// # Errors
    /// When the links cannot be made.
    pub(crate) fn folder(&self, scratch: &Path) -> Result<PathBuf> {
        let folder = scratch.join("emulator");
        if !folder.exists() {
            std::fs::create_dir(&folder)?;
            for name in [&LIBRARY].into_iter().chain(SONAMES).chain(LIBRARIES) {
                link(&self.library, &folder.join(name))?;
            }
        }
        Ok(folder)
    }
}

#[cfg(unix)]
fn link(library: &Path, name: &Path) -> Result<()> {
    std::os::unix::fs::symlink(library, name)
        .with_context(|| format!("{}: cannot be made", name.display()))
}

#[cfg(not(unix))]
fn link(_: &Path, _: &Path) -> Result<()> {
    bail!("the emulator runs on Linux only")
}
