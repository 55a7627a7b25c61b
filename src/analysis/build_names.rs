//! What a name or header of CUDA in the text of a build file is on AMD, where no code around it tells more.

use crate::analysis::build_unit::BuildUnit;
use crate::analysis::header_target::header_target;
use crate::edit::Applicability;
use crate::mapping::{ApiEntry, Support};

/// What AMD has in the place of a name.
#[derive(Clone, Debug)]
pub(crate) struct Counterpart {
    /// What to write; `None` where there is nothing.
    pub(crate) target: Option<String>,
    /// It means the same.
    pub(crate) is_full: bool,
    /// What the tables say of it.
    pub(crate) note: &'static str,
}

impl Counterpart {
    fn new(unit: &BuildUnit<'_, '_>, entry: &ApiEntry, target: Option<String>) -> Self {
        Self {
            target,
            is_full: entry.support_under(&unit.options.choices) == Support::Full,
            note: entry.note.unwrap_or_default(),
        }
    }

    /// How sure one is of writing it.
    pub(crate) fn applicability(&self) -> Applicability {
        match self.is_full {
            true => Applicability::Safe,
            false => Applicability::Review,
        }
    }

    /// That of one of CUDA's headers; `None` for any other file, one that the tree has under that name, and one that stays.
    pub(crate) fn of_header(unit: &BuildUnit<'_, '_>, path: &str) -> Option<Self> {
        let entry = unit.table.header(path.as_bytes())?.entry;
        let target = header_target(unit.options, entry);
        let is_own = || {
            let resolved = unit.project.paths.resolve(&unit.doc.source.path, path);
            resolved.is_some()
        };
        if target == Some(path) || is_own() {
            return None;
        }
        let target = target.filter(|target| !target.is_empty());
        Some(Self::new(unit, entry, target.map(str::to_owned)))
    }

    /// That of a function, type or constant of CUDA; `None` for any other word, and one that stays.
    pub(crate) fn of_name(unit: &BuildUnit<'_, '_>, word: &str) -> Option<Self> {
        let entry = unit.table.get(word.as_bytes())?.entry;
        if !entry.tells_by_itself() {
            return None;
        }
        let options = unit.options;
        let target = entry.target(&options.choices, options.rocm, None);
        let target = target.map(|target| target.name.to_owned());
        // The namespace of libhipcxx is called `cuda`.
        (target.as_deref() != Some(word)).then(|| Self::new(unit, entry, target))
    }
}
