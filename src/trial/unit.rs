//! A unit of a port: a source with all that its compiler is told.

use std::path::PathBuf;

use rustc_hash::FxHashSet;

/// What a unit is compiled as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Language {
    /// With device code.
    Hip,
    /// C++ for the host alone.
    Cpp,
    /// C.
    C,
}

/// A source and how it is compiled.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Unit {
    /// The source, absolute.
    pub(crate) file: PathBuf,
    /// The folder that the compiler runs in, absolute.
    pub(crate) folder: PathBuf,
    /// What the compiler is told, without the source and without what is made of it.
    pub(crate) options: Vec<String>,
    /// What it is compiled as.
    pub(crate) language: Language,
    /// The program that the build has for it, as the build calls it; none where nobody knows the build.
    pub(crate) program: Option<String>,
}

/// How units were found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// In a compilation database.
    Database(PathBuf),
    /// CMake configured the port and wrote one.
    CMake,
    /// `make -n` printed the commands of some Makefiles.
    Make(usize),
    /// Every source with device code, with the include folders that its includes need.
    Includes,
}

/// The units of a port.
#[derive(Clone, Debug)]
pub(crate) struct Units {
    /// How they were found.
    pub(crate) way: Way,
    /// In the order of their files.
    pub(crate) units: Vec<Unit>,
    /// What could not be found, each a line.
    pub(crate) missing: Vec<String>,
}

impl Units {
    /// The units in order, each once.
    pub(crate) fn new(way: Way, mut units: Vec<Unit>, missing: Vec<String>) -> Self {
        let mut seen = FxHashSet::default();
        units.retain(|unit| seen.insert(unit.clone()));
        units.sort_by(|one, other| (&one.file, &one.options).cmp(&(&other.file, &other.options)));
        Self {
            way,
            units,
            missing,
        }
    }
}
