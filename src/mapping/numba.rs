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
    numba: OfNumba,
    lanes: BTreeMap<String, String>,
    missing: BTreeMap<String, String>,
    option: BTreeMap<String, NumbaOption>,
    member: BTreeMap<String, String>,
    idle: Idle,
    stays: Stays,
    pair: BTreeMap<String, [String; 2]>,
    kernel: BTreeMap<String, String>,
}

/// An option of `jit` that goes.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NumbaOption {
    /// What a kernel is without.
    pub loss: String,
    /// The option may stay where it is off.
    #[serde(default)]
    pub off: bool,
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
    /// The mask may be the only argument, or be left out.
    #[serde(default)]
    pub bare: bool,
    /// A width of 32 lanes comes behind the last argument.
    #[serde(default)]
    pub width: bool,
    /// The argument of a call that had none.
    #[serde(default)]
    pub given: String,
    /// The argument is denied.
    #[serde(default)]
    pub denied: bool,
    /// What stands for the call: `{call}` is the call by its new name, `{cuda}` the module. Nothing where it is the call alone.
    #[serde(default)]
    pub form: String,
}

/// What numba-cuda hands on from numba.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct OfNumba {
    names: BTreeSet<String>,
}

/// Members whose call, where it is a statement, goes.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Idle {
    members: BTreeSet<String>,
}

/// Modules that run without CUDA.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stays {
    modules: BTreeSet<String>,
}

/// A module that has a counterpart.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NumbaModule {
    /// The counterpart: `numba.hip.testing`, `numba.core.errors`.
    pub to: String,
    /// What it has of the module.
    pub names: BTreeSet<String>,
    /// What it has by another name.
    #[serde(default)]
    pub renamed: BTreeMap<String, String>,
    /// What another module has.
    #[serde(default)]
    pub other: Option<Box<NumbaModule>>,
    /// What no module has and an expression stands for.
    #[serde(default)]
    pub values: BTreeMap<String, String>,
}

/// Where a program for numba-hip has a name from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum NumbaHome {
    /// A module by its full name, and the name there.
    Module(&'static str, String),
    /// An expression.
    Value(&'static str),
    /// A function that is written into the file.
    Written(String),
}

impl NumbaHome {
    /// Whether it skips what it decorates: a test that asks for a tool that only NVIDIA has.
    pub(crate) fn skips(&self) -> bool {
        match self {
            Self::Module(module, name) => *module == "unittest" && name == "skip",
            Self::Value(value) => value.contains(".skip("),
            Self::Written(_) => false,
        }
    }
}

impl NumbaModule {
    /// Where a name of the module is to be had.
    pub(crate) fn home(&'static self, name: &str) -> Option<NumbaHome> {
        if self.names.contains(name) {
            return Some(NumbaHome::Module(&self.to, name.to_owned()));
        }
        if let Some(renamed) = self.renamed.get(name) {
            return Some(NumbaHome::Module(&self.to, renamed.clone()));
        }
        let value = self.values.get(name).map(|it| NumbaHome::Value(it));
        value.or_else(|| self.other.as_deref()?.home(name))
    }
}

/// What becomes of a name.
#[derive(Clone, Copy, Debug)]
pub(crate) enum NumbaName {
    /// It is there.
    Present,
    /// Another name is there.
    Renamed(&'static NumbaRename),
    /// An expression stands for it, `{cuda}` being the module: what it says is about 64 lanes on CDNA.
    Lanes(&'static str),
    /// The package numba has it.
    OfNumba,
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
        if let Some(expression) = self.lanes.get(name) {
            return NumbaName::Lanes(expression);
        }
        if self.numba.names.contains(name) {
            return NumbaName::OfNumba;
        }
        if let Some(advice) = self.helper.get(name) {
            return NumbaName::Helped(advice);
        }
        let advice = self.missing.get(name).map(String::as_str);
        NumbaName::Missing(advice.unwrap_or(
            "numba.hip has no such name: write it another way, or keep the part on the host",
        ))
    }

    /// The counterpart of a module of `numba.cuda`.
    pub(crate) fn module(&'static self, name: &str) -> Option<&'static NumbaModule> {
        self.module.get(name)
    }

    /// Whether a module below `numba.cuda`, by its name there, is Python alone: a program for numba-hip imports it as it did.
    pub(crate) fn stays(&self, module: &str) -> bool {
        let first = module.split('.').next().unwrap_or_default();
        self.stays.modules.contains(first)
    }

    /// What is to be said of an option of `jit` that goes.
    pub(crate) fn option(&'static self, name: &str) -> Option<&'static NumbaOption> {
        self.option.get(name)
    }

    /// What to do about a member of a kernel, a device or a test case that numba.hip lacks.
    pub(crate) fn member(&'static self, name: &str) -> Option<&'static str> {
        self.member.get(name).map(String::as_str)
    }

    /// Whether a call of a member has nothing to do on AMD, so that a statement of it goes.
    pub(crate) fn is_idle(&self, name: &str) -> bool {
        self.idle.members.contains(name)
    }

    /// The members that numba.hip lacks.
    pub(crate) fn members(&'static self) -> Vec<&'static str> {
        self.member.keys().map(String::as_str).collect()
    }

    /// The members of devices that are two members in numba.hip.
    pub(crate) fn pairs(&'static self) -> Vec<&'static str> {
        self.pair.keys().map(String::as_str).collect()
    }

    /// The two members that stand for one of a device.
    pub(crate) fn pair(&'static self, name: &str) -> Option<&'static [String; 2]> {
        self.pair.get(name)
    }

    /// What to do about a function that no kernel can call, by its full name or the last part of it.
    pub(crate) fn in_kernel(&'static self, name: &str) -> Option<&'static str> {
        let is_it = |full: &str| full == name || full.rsplit('.').next() == Some(name);
        let found = self.kernel.iter().find(|(full, _)| is_it(full));
        found.map(|(_, advice)| advice.as_str())
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
