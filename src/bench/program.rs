//! A program, how it is built, how it is tested.

use std::collections::{BTreeMap, BTreeSet};

/// A program of a tree.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Program {
    /// What it is called: its folder or file, or what a task is called.
    pub(crate) name: String,
    /// What it is counted with.
    pub(crate) category: String,
    /// How it is built.
    pub(super) build: Recipe,
    /// The same program in HIP, as people wrote it.
    pub(super) twin: Option<Recipe>,
    /// What it is run with; the first that ends in time counts, unless all do.
    pub(super) tests: Vec<Test>,
    /// Every test counts.
    pub(super) needs_all: bool,
}

impl Program {
    /// Whether people wrote it in HIP as well.
    pub(crate) fn has_twin(&self) -> bool {
        self.twin.is_some()
    }
}

/// The folders and files of twins: a translator gets the tree without them, since a project that has both keeps each for its vendor. Of
/// folders that are twins by one above them it is that one.
pub(crate) fn twins(programs: &[Program]) -> BTreeSet<String> {
    let twins = programs
        .iter()
        .filter_map(|program| Some((&program.build, program.twin.as_ref()?)));
    let paths = |(build, twin): (&Recipe, &Recipe)| match (build, twin) {
        (Recipe::Make { folder, .. }, Recipe::Make { folder: twin, .. }) => {
            vec![parting(folder, twin)]
        }
        _ => twin.paths(),
    };
    twins.flat_map(paths).collect()
}

/// The second folder as far as the part in which it differs from the first.
fn parting(one: &str, other: &str) -> String {
    let pairs = one.split('/').zip(other.split('/'));
    let same = pairs.take_while(|(one, other)| one == other).count();
    let parts: Vec<&str> = other.split('/').take(same + 1).collect();
    parts.join("/")
}

/// How a program is built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Recipe {
    /// `make` in a folder.
    Make {
        /// From the root of the tree.
        folder: String,
        /// Its name there.
        makefile: String,
    },
    /// Sources that are compiled and linked at once.
    Sources {
        /// From the root of the tree.
        folder: String,
        /// Their names there.
        sources: Vec<String>,
        /// One of them defines `main`.
        has_main: bool,
    },
}

impl Recipe {
    /// Its folder, from the root of the tree.
    pub(super) fn folder(&self) -> &str {
        match self {
            Self::Make { folder, .. } | Self::Sources { folder, .. } => folder,
        }
    }

    /// Where it is found: its folder, or its source where that is one file.
    pub(super) fn path(&self) -> String {
        match self {
            Self::Sources {
                folder, sources, ..
            } if sources.len() == 1 => join(folder, &sources[0]),
            other => other.folder().to_owned(),
        }
    }

    /// The sources that are linked to it, from the root of the tree; none where only a build knows them.
    pub(super) fn sources(&self) -> Vec<String> {
        match self {
            Self::Make { .. } => Vec::new(),
            Self::Sources { .. } => self.paths(),
        }
    }

    /// What its program is called where no build says it: programs may share a folder.
    pub(super) fn output(&self) -> Option<String> {
        match self {
            Self::Make { .. } => None,
            Self::Sources { sources, .. } => Some(format!("{}.program", sources.first()?)),
        }
    }

    /// The folder or the files that are its own, from the root of the tree.
    fn paths(&self) -> Vec<String> {
        match self {
            Self::Make { folder, .. } => vec![folder.clone()],
            Self::Sources {
                folder, sources, ..
            } => sources.iter().map(|name| join(folder, name)).collect(),
        }
    }

    /// Why one of its files could not be translated.
    pub(super) fn trouble<'t>(&self, failed: &'t BTreeMap<String, String>) -> Option<&'t str> {
        let of_path = |path: String| {
            let of_name = failed.range(path.clone()..);
            let mut of_name = of_name.take_while(|(file, _)| file.starts_with(&path));
            let own = of_name.find(|(file, _)| **file == path || is_below(file, &path));
            own.map(|(_, why)| why.as_str())
        };
        self.paths().into_iter().find_map(of_path)
    }
}

/// A path from the root of the tree.
pub(super) fn join(folder: &str, name: &str) -> String {
    match folder {
        "" => name.to_owned(),
        _ => format!("{folder}/{name}"),
    }
}

/// Whether a file lies in a folder, or below it.
pub(super) fn is_below(file: &str, folder: &str) -> bool {
    folder.is_empty()
        || file
            .strip_prefix(folder)
            .is_some_and(|rest| rest.starts_with('/'))
}

/// What a program is run with.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Test {
    /// Program and arguments, or arguments alone; none where the build says it.
    pub(super) words: Option<Vec<String>>,
    /// What it reads.
    pub(super) stdin: Option<String>,
    /// What it should do.
    pub(super) expected: Option<Expected>,
}

/// What a program should do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Expected {
    /// Its exit code.
    pub(super) code: i32,
    /// What it printed, in one run or several.
    pub(super) outputs: Vec<String>,
}

impl Expected {
    /// A run that ended well.
    pub(super) fn text(text: &str) -> Self {
        Self {
            code: 0,
            outputs: vec![text.to_owned()],
        }
    }
}
