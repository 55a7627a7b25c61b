//! The table `mappings/modules.toml`: packages of Python that have no backend for AMD.

use std::sync::LazyLock;

use regex::bytes::Regex;
use serde::Deserialize;

/// Packages of Python that have no backend for AMD.
pub(crate) struct ModuleTable {
    /// The first row about a module counts.
    pub(crate) modules: Vec<NvidiaModule>,
    texts: Vec<String>,
    mentioned: Regex,
}

/// A module without a backend for AMD.
#[derive(Clone, Debug)]
pub(crate) struct NvidiaModule {
    /// What it is imported as, `cuda.bindings`.
    pub(crate) name: String,
    /// What is said of it, and of others that are told with it.
    pub(crate) row: ModuleRow,
}

/// What is true of some modules.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ModuleRow {
    names: Vec<String>,
    #[serde(default)]
    found_by: Vec<String>,
    /// What files, classes and options of its own are called after, in a program that has others for other GPUs.
    #[serde(default)]
    pub(crate) called: Vec<String>,
    /// Whether a package for AMD is imported by the same name.
    #[serde(default)]
    pub(crate) on_amd: bool,
    /// Whether somebody may have built it for AMD.
    #[serde(default)]
    pub(crate) built: bool,
    /// Whether other packages of NVIDIA's take their streams and contexts from it.
    #[serde(default)]
    pub(crate) serves: bool,
    /// What is the matter.
    pub(crate) message: String,
    /// What to do.
    pub(crate) help: String,
}

/// The file as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    module: Vec<ModuleRow>,
}

impl ModuleTable {
    /// The table that is compiled in.
    pub(crate) fn builtin() -> &'static Self {
        static TABLE: LazyLock<ModuleTable> = LazyLock::new(|| {
            let File { module } = toml::from_str(include_str!("../../mappings/modules.toml"))
                .expect("the compiled-in table of modules is valid, a test reads it");
            ModuleTable::new(module)
        });
        &TABLE
    }

    fn new(rows: Vec<ModuleRow>) -> Self {
        let texts: Vec<String> = rows.iter().flat_map(ModuleRow::texts).collect();
        let escaped: Vec<String> = texts.iter().map(|text| regex::escape(text)).collect();
        let modules = rows.into_iter().flat_map(ModuleRow::modules);
        Self {
            modules: modules.collect(),
            texts,
            mentioned: Regex::new(&escaped.join("|")).expect("escaped words are an expression"),
        }
    }

    /// The texts of which one stands in every script that imports one of the modules.
    pub(crate) fn texts() -> &'static [&'static str] {
        static TEXTS: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
            let texts = ModuleTable::builtin().texts.iter();
            texts.map(String::as_str).collect()
        });
        &TEXTS
    }

    /// Whether one of these texts stands in a script.
    pub(crate) fn is_mentioned(&self, script: &[u8]) -> bool {
        self.mentioned.is_match(script)
    }

    /// The module that is imported by a name, or the one it lies below.
    pub(crate) fn get(&self, name: &str) -> Option<&NvidiaModule> {
        let is_within = |module: &&NvidiaModule| {
            let rest = name.strip_prefix(&*module.name);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        self.modules.iter().find(is_within)
    }
}

impl ModuleRow {
    fn texts(&self) -> Vec<String> {
        match self.found_by.as_slice() {
            [] => self.names.clone(),
            texts => texts.to_vec(),
        }
    }

    fn modules(self) -> impl Iterator<Item = NvidiaModule> {
        let names = self.names.clone().into_iter();
        names.map(move |name| NvidiaModule {
            name,
            row: self.clone(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_import_is_found_by_a_text() {
        let table = ModuleTable::builtin();
        for NvidiaModule { name, row } in &table.modules {
            for import in [
                format!("import {name}.part\n"),
                format!("from {name} import part\n"),
            ] {
                assert!(table.is_mentioned(import.as_bytes()), "{import}");
            }
            assert!(!row.message.is_empty() && !row.help.is_empty(), "{row:?}");
        }
        assert!(!table.is_mentioned(b"import torch.backends.cudnn as cudnn, numpy\n"));
    }

    #[test]
    fn a_module_is_found_with_those_below_it() {
        let name = |of: &str| {
            let module = ModuleTable::builtin().get(of);
            module.map(|it| it.name.as_str())
        };
        for (of, expected) in [
            ("cutlass.cute.nvgpu", Some("cutlass")),
            ("cutlass_library", None),
            ("nvidia.dali.fn", Some("nvidia.dali")),
            ("nvidia.nccl", Some("nvidia")),
            ("flash_attn_3", Some("flash_attn_3")),
            ("flash_attn", None),
            ("cuda", None),
        ] {
            assert_eq!(name(of), expected, "{of}");
        }
    }
}
