//! The table `mappings/numba.toml`: what numba.hip has of numba.cuda.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use serde::Deserialize;

/// What becomes of the names of `numba.cuda`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NumbaTable {
    release: String,
    present: BTreeSet<String>,
    rename: BTreeMap<String, NumbaRename>,
    helper: BTreeMap<String, String>,
    module: BTreeMap<String, NumbaModule>,
    missing: BTreeMap<String, String>,
}

/// A name that another one takes the place of.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NumbaRename {
    /// The name in numba.hip.
    pub to: String,
    /// The first argument, a mask, goes.
    #[serde(default)]
    pub mask: bool,
    /// A width of 32 lanes comes behind the last argument.
    #[serde(default)]
    pub width: bool,
    /// What differs all the same.
    #[serde(default)]
    pub note: String,
}

/// A module that has another name in numba.hip.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NumbaModule {
    /// Its name there.
    pub to: String,
    /// What it has.
    pub names: BTreeSet<String>,
}

/// What becomes of a name.
#[derive(Clone, Copy, Debug)]
pub(crate) enum NumbaName {
    /// It is there.
    Present,
    /// Another name is there.
    Renamed(&'static NumbaRename),
    /// Functions written into the file stand for it; what to do where they cannot be.
    Helped(&'static str),
    /// It is not there; what to do.
    Missing(&'static str),
}

impl NumbaTable {
    /// The table that is compiled in.
    pub(crate) fn builtin() -> &'static Self {
        static TABLE: LazyLock<NumbaTable> = LazyLock::new(|| {
            toml::from_str(include_str!("../../mappings/numba.toml"))
                .expect("the compiled-in table of Numba is valid, a test reads it")
        });
        &TABLE
    }

    /// What becomes of a name of `numba.cuda`.
    pub(crate) fn name(&'static self, name: &str) -> NumbaName {
        if self.present.contains(name) {
            return NumbaName::Present;
        }
        if let Some(rename) = self.rename.get(name) {
            return NumbaName::Renamed(rename);
        }
        if let Some(advice) = self.helper.get(name) {
            return NumbaName::Helped(advice);
        }
        let advice = self.missing.get(name).map(String::as_str);
        NumbaName::Missing(advice.unwrap_or(
            "numba.hip has no such name: write it another way, or keep the part on the host",
        ))
    }

    /// A module of `numba.cuda` that has another name in numba.hip.
    pub(crate) fn module(&'static self, name: &str) -> Option<&'static NumbaModule> {
        self.module.get(name)
    }

    /// The release of numba-hip that the table is about.
    pub(crate) fn release(&self) -> &str {
        &self.release
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_one_fate() {
        let table = NumbaTable::builtin();
        let twice: Vec<&String> = table
            .present
            .iter()
            .filter(|name| table.rename.contains_key(*name) || table.missing.contains_key(*name))
            .chain(
                table
                    .rename
                    .keys()
                    .chain(table.helper.keys())
                    .filter(|name| table.missing.contains_key(*name)),
            )
            .chain(
                table
                    .helper
                    .keys()
                    .filter(|name| table.present.contains(*name)),
            )
            .collect();
        assert!(twice.is_empty(), "{twice:?}");
        assert!(table.present.len() > 100 && table.present.contains("grid"));
    }
}
