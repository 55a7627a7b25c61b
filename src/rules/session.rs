use clap::ValueEnum;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{ProjectIndex, Rule, RulePolicy, Trigger, all};
use crate::compat;
use crate::edit::Applicability;
use crate::mapping::{ApiTable, Choices, Support, Version};
use crate::syntax::{Document, inactive_ranges};
use crate::text::{Language, TextRange, WordMap};

/// How launches are written.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, ValueEnum,
)]
#[serde(rename_all = "lowercase")]
pub enum LaunchStyle {
    /// `kernel<<<grid, block>>>(…)`, as clang reads it.
    #[default]
    Keep,
    /// `hipLaunchKernelGGL(kernel, grid, block, 0, 0, …)`.
    Ggl,
}

/// Which files get the runtime header.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, ValueEnum,
)]
#[serde(rename_all = "lowercase")]
pub enum RuntimeHeader {
    /// Those that use the runtime and include nothing that brings it.
    #[default]
    Needed,
    /// Also every `.cu` file, as nvcc includes it into all of them.
    Always,
}

/// What a warp becomes.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, ValueEnum,
)]
#[serde(rename_all = "lowercase")]
pub enum WarpMode {
    /// Groups of 32 lanes keep the program's meaning on wave64 and wave32 alike.
    #[default]
    Logical32,
    /// The hardware's wavefront; every place that assumes 32 is reported.
    Native,
}

/// How helper functions reach the output.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, ValueEnum,
)]
#[serde(rename_all = "lowercase")]
pub enum CompatMode {
    /// One header beside the output.
    #[default]
    Header,
    /// Written into each file that uses them.
    Inline,
    /// Not at all: what needs one is a finding.
    None,
}

/// What a person chose; everything that decides what a file becomes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// How launches are written.
    pub launch: LaunchStyle,
    /// Library families.
    pub choices: Choices,
    /// Which files get the runtime header.
    pub runtime_header: RuntimeHeader,
    /// Names of CUDA in string literals are renamed too.
    pub strings: bool,
    /// Code in `#if 0` and under macros that the file does not define stays as it is.
    pub skip_inactive: bool,
    /// From HIP to CUDA.
    pub reverse: bool,
    /// What a warp becomes.
    pub warp: WarpMode,
    /// How helpers reach the output.
    pub compat: CompatMode,
    /// ROCm release to convert for.
    #[schemars(with = "String")]
    #[serde(with = "version_text")]
    pub rocm: Version,
    /// Chips to convert for, `gfx90a`; empty means all.
    pub targets: Vec<String>,
    /// The least sure fix that conversion applies.
    pub fix_level: Applicability,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            launch: LaunchStyle::Keep,
            choices: Choices::default(),
            runtime_header: RuntimeHeader::default(),
            strings: false,
            skip_inactive: false,
            reverse: false,
            warp: WarpMode::default(),
            compat: CompatMode::default(),
            rocm: Version::new(6, 4),
            targets: Vec::new(),
            fix_level: Applicability::Review,
        }
    }
}

/// Everything that is the same for all files of a run.
pub struct Session {
    /// What a person chose.
    pub options: Options,
    /// The tables, overlays included.
    pub table: ApiTable,
    /// What the tree itself defines.
    pub project: ProjectIndex,
    /// Which rules run.
    pub rules: RulePolicy,
    pub(super) wake: Wake,
}

impl Session {
    /// Whether a file has to be read at all, or is copied.
    pub fn reads(&self, path: &str, bytes: &[u8]) -> bool {
        let every_cu = self.options.runtime_header == RuntimeHeader::Always;
        let concerns = match Language::of_path(path) {
            Language::Build(_) => !self.options.reverse && super::build_words::concerns(bytes),
            _ => self.table.concerns(bytes),
        };
        concerns || self.project.has_renames() || (every_cu && path.ends_with(".cu"))
    }

    /// The size of a file of the tree that is known to have nothing to read.
    pub fn passes_over(&self, path: &str) -> Option<u64> {
        let bytes = self.project.plain_bytes(path)?;
        (!self.reads(path, &[])).then_some(bytes)
    }

    /// The parts of a file that a person asked to leave alone.
    pub(super) fn inactive(&self, document: &Document<'_>) -> Vec<TextRange> {
        if self.options.skip_inactive {
            inactive_ranges(document)
        } else {
            Vec::new()
        }
    }

    /// A session without a project: every file stands for itself.
    pub fn new(options: Options, table: ApiTable) -> Self {
        Self {
            wake: Wake::new(&table),
            options,
            table,
            project: ProjectIndex::default(),
            rules: RulePolicy::default(),
        }
    }

    /// Whether a rule does everything for this identifier, so that its entry in the tables does not tell what becomes of it.
    pub fn owns(&self, name: &[u8]) -> bool {
        let rules = self.wake.idents.get(name);
        rules.is_some_and(|rules| rules.iter().any(|(_, owned)| *owned))
    }
}

/// Rules that know nothing but the tables, and so work in either direction.
const BOTH_WAYS: &[&str] = &[
    "rename-api",
    "review-api",
    "unsupported-api",
    "rename-namespace",
    "rewrite-include",
    "renamed-include",
];

/// Which rules each trigger wakes, worked out once.
pub(super) struct Wake {
    pub(super) idents: WordMap<Vec<(&'static Rule, bool)>>,
    pub(super) api: Vec<&'static Rule>,
    pub(super) launch: Vec<&'static Rule>,
    pub(super) include: Vec<&'static Rule>,
    pub(super) directive: Vec<&'static Rule>,
    pub(super) file: Vec<&'static Rule>,
    pub(super) build_file: Vec<&'static Rule>,
}

impl Wake {
    fn new(table: &ApiTable) -> Self {
        let mut wake = Self {
            idents: WordMap::default(),
            api: Vec::new(),
            launch: Vec::new(),
            include: Vec::new(),
            directive: Vec::new(),
            file: Vec::new(),
            build_file: Vec::new(),
        };
        let mut helper_rules = Vec::new();
        // Back from HIP only names change: what the other rules know is about CUDA.
        let works = |rule: &Rule| !table.is_reversed() || BOTH_WAYS.contains(&rule.name);
        for &(rule, _) in all().iter().filter(|(rule, _)| works(rule)) {
            for trigger in rule.triggers {
                match trigger {
                    Trigger::Idents(words) => wake.add(words, rule, false),
                    Trigger::Owned(words) => wake.add(words, rule, true),
                    Trigger::Api => wake.api.push(rule),
                    Trigger::Helper => helper_rules.push(rule),
                    Trigger::Launch => wake.launch.push(rule),
                    Trigger::Include => wake.include.push(rule),
                    Trigger::Directive => wake.directive.push(rule),
                    Trigger::File => wake.file.push(rule),
                    Trigger::BuildFile => wake.build_file.push(rule),
                }
            }
        }
        for rule in helper_rules {
            wake.add_helpers(rule, table);
        }
        wake
    }

    /// The CUDA functions that a helper stands for. They are owned by `rule` unless HIP has the function itself; another rule that
    /// owns a name comes first, and the functions of a warp belong to the rules that know what a warp is to become.
    fn add_helpers(&mut self, rule: &'static Rule, table: &ApiTable) {
        let names = compat::helpers().flat_map(|helper| helper.replaces.iter().copied());
        let of_warp =
            |name: &str| name.ends_with("_sync") || matches!(name, "__activemask" | "__syncwarp");
        for name in names.filter(|name| is_identifier(name) && !of_warp(name)) {
            let has_owner = self
                .idents
                .get(name.as_bytes())
                .is_some_and(|rules| rules.iter().any(|(_, owns)| *owns));
            let hip_lacks_it = table
                .get(name.as_bytes())
                .is_none_or(|hit| hit.entry.support != Support::Full);
            if !has_owner && hip_lacks_it {
                self.add(&[name], rule, true);
            }
        }
    }

    fn add(&mut self, words: &[&'static str], rule: &'static Rule, owned: bool) {
        for word in words {
            self.idents.or_default(word.as_bytes()).push((rule, owned));
        }
    }
}

fn is_identifier(name: &str) -> bool {
    !name.is_empty()
        && name
            .bytes()
            .all(|byte| byte == b'_' || byte.is_ascii_alphanumeric())
}

/// Versions as text in configuration files.
mod version_text {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    use crate::mapping::Version;

    pub(super) fn serialize<S: Serializer>(
        version: &Version,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_str(version)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Version, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(D::Error::custom)
    }
}
