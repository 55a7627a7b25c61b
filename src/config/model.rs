use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::diagnostic::Severity;
use crate::edit::Applicability;
use crate::engine::RuleChoice;
use crate::mapping::{LibraryVendor, chip};
use crate::options::CompatMode;
use crate::options::Dialect;
use crate::options::HipSupport;
use crate::options::LaunchStyle;
use crate::options::Minutes;
use crate::options::Options;
use crate::options::RuntimeHeader;
use crate::options::Vendors;
use crate::options::WarpMode;
use crate::options::Weights;
use crate::pipeline::Naming;

/// The settings of a project. Every key has the name of its flag; what is missing keeps its default.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
#[schemars(title = "cass.toml")]
pub struct Config {
    /// What the sources become.
    #[serde(skip_serializing_if = "is_default")]
    pub translate: TranslateTable,
    /// Which files take part.
    #[serde(skip_serializing_if = "is_default")]
    pub files: FilesTable,
    /// What `check` prints and fails on.
    #[serde(skip_serializing_if = "is_default")]
    pub check: CheckTable,
    /// What the estimate of a report assumes.
    #[serde(skip_serializing_if = "is_default")]
    pub estimate: EstimateTable,
    /// Which rules report.
    #[serde(skip_serializing_if = "is_default")]
    pub rules: RuleChoice,
    /// Other rules for some paths; later ones win.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub overrides: Vec<Override>,
}

/// What the sources become.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct TranslateTable {
    /// Who builds for AMD: hipcc or PyTorch's build.
    pub dialect: Option<Dialect>,
    /// Whom the result serves: AMD alone, or both vendors from one source.
    #[serde(alias = "build")]
    pub vendors: Option<Vendors>,
    /// How launches are written.
    pub launch: Option<LaunchStyle>,
    /// Target of cuBLAS.
    pub blas: Option<LibraryVendor>,
    /// Target of cuFFT.
    pub fft: Option<LibraryVendor>,
    /// Target of cuRAND.
    pub rand: Option<LibraryVendor>,
    /// Target of cuSPARSE.
    pub sparse: Option<LibraryVendor>,
    /// Target of cuSOLVER.
    pub solver: Option<LibraryVendor>,
    /// What a warp becomes.
    pub warp: Option<WarpMode>,
    /// How helper functions reach the output.
    pub compat: Option<CompatMode>,
    /// Which files get the runtime header.
    pub runtime_header: Option<RuntimeHeader>,
    /// Names of CUDA in string literals are renamed too.
    pub strings: Option<bool>,
    /// Casts, shifts and functions of the device give CUDA's results at the edges of their types too.
    pub strict_math: Option<bool>,
    /// Calls of `load_inline` that build for nobody are repaired where that is mechanical.
    pub repair: Option<bool>,
    /// Code in `#if 0` and under macros that the file does not define stays as it is.
    pub skip_inactive: Option<bool>,
    /// What becomes of code that a project builds for AMD already.
    pub hip_support: Option<HipSupport>,
    /// Translate HIP to CUDA.
    pub reverse: Option<bool>,
    /// ROCm release to convert for: `"6.4"`.
    pub rocm: Option<String>,
    /// Chips to convert for.
    pub target: Option<Vec<String>>,
    /// The least certain fix that is applied.
    pub fix_level: Option<Applicability>,
    /// How files are called.
    pub naming: Option<Naming>,
    /// Tables of your own, relative to this file.
    pub mappings: Option<Vec<PathBuf>>,
}

/// Which files take part. Globs are relative to this file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct FilesTable {
    /// Only files that match.
    pub include: Option<Vec<String>>,
    /// No files that match; those of the command line come on top.
    pub exclude: Option<Vec<String>>,
    /// Also files that `.gitignore` names.
    pub no_ignore: Option<bool>,
    /// Compilation database of the build, or its folder, relative to this file.
    pub compile_commands: Option<PathBuf>,
}

/// What `check` prints and fails on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct CheckTable {
    /// Lowest severity that makes the exit code 1.
    pub fail_on: Option<Severity>,
    /// Lowest severity that is printed.
    pub show: Option<Severity>,
    /// File of known findings, relative to this file.
    pub baseline: Option<PathBuf>,
}

/// What the estimate of a report assumes: minutes of one person, from and to, `{ first = [30, 240], again = [3, 15] }`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct EstimateTable {
    /// Minutes for an error: its first place, and each further one.
    pub error: Option<Minutes>,
    /// Minutes for a warning that changes nothing.
    pub warning: Option<Minutes>,
    /// Minutes for a warning whose change translation makes.
    pub review: Option<Minutes>,
}

/// Other rules for some paths.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Override {
    /// Globs, relative to this file.
    pub paths: Vec<String>,
    /// Who builds these files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dialect: Option<Dialect>,
    /// Report only these.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub select: Vec<String>,
    /// Do not report these.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ignore: Vec<String>,
    /// Switch these off.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub off: Vec<String>,
    /// Report these as errors.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub error: Vec<String>,
    /// Report these as warnings.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warn: Vec<String>,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// The JSON schema of `cass.toml`.
pub fn schema() -> String {
    let schema = schemars::schema_for!(Config);
    serde_json::to_string_pretty(&schema).expect("schemas are plain data") + "\n"
}

impl Override {
    /// The rules without the paths.
    pub fn choice(&self) -> RuleChoice {
        RuleChoice {
            select: self.select.clone(),
            ignore: self.ignore.clone(),
            off: self.off.clone(),
            error: self.error.clone(),
            warn: self.warn.clone(),
        }
    }
}

impl Config {
    /// The settings with those of `over` on top: its values win, its excludes and its rules are added.
    #[must_use]
    pub fn with(self, over: Self) -> Self {
        Self {
            translate: self.translate.with(over.translate),
            files: self.files.with(over.files),
            check: CheckTable {
                fail_on: over.check.fail_on.or(self.check.fail_on),
                show: over.check.show.or(self.check.show),
                baseline: over.check.baseline.or(self.check.baseline),
            },
            estimate: self.estimate.with(over.estimate),
            rules: merged(self.rules, over.rules),
            overrides: [self.overrides, over.overrides].concat(),
        }
    }

    /// Every setting with the value that holds when nobody says anything.
    pub fn defaults() -> Self {
        Self {
            translate: TranslateTable::defaults(),
            files: FilesTable {
                include: Some(Vec::new()),
                exclude: Some(Vec::new()),
                no_ignore: Some(false),
                compile_commands: None,
            },
            check: CheckTable {
                fail_on: Some(Severity::Warning),
                show: Some(Severity::Warning),
                baseline: None,
            },
            estimate: EstimateTable::defaults(),
            ..Self::default()
        }
    }
}

fn merged(low: RuleChoice, high: RuleChoice) -> RuleChoice {
    RuleChoice {
        select: if high.select.is_empty() {
            low.select
        } else {
            high.select
        },
        ignore: [low.ignore, high.ignore].concat(),
        off: [low.off, high.off].concat(),
        error: [low.error, high.error].concat(),
        warn: [low.warn, high.warn].concat(),
    }
}

impl EstimateTable {
    fn with(self, over: Self) -> Self {
        Self {
            error: over.error.or(self.error),
            warning: over.warning.or(self.warning),
            review: over.review.or(self.review),
        }
    }

    fn defaults() -> Self {
        let weights = Weights::default();
        Self {
            error: Some(weights.error),
            warning: Some(weights.warning),
            review: Some(weights.review),
        }
    }

    /// The minutes; what is missing keeps its default.
    ///
    /// # Errors
    /// When a range ends before it begins.
    pub fn weights(&self) -> Result<Weights, String> {
        let mut weights = Weights::default();
        set(&mut weights.error, self.error);
        set(&mut weights.warning, self.warning);
        set(&mut weights.review, self.review);
        let kinds = [weights.error, weights.warning, weights.review];
        for [from, to] in kinds.iter().flat_map(|kind| [kind.first, kind.again]) {
            if from > to {
                return Err(format!(
                    "`[{from}, {to}]` in `estimate` ends before it begins; write `[{to}, {from}]`"
                ));
            }
        }
        Ok(weights)
    }
}

impl FilesTable {
    fn with(self, over: Self) -> Self {
        let exclude = [
            self.exclude.unwrap_or_default(),
            over.exclude.unwrap_or_default(),
        ];
        Self {
            include: over.include.or(self.include),
            exclude: Some(exclude.concat()),
            no_ignore: over.no_ignore.or(self.no_ignore),
            compile_commands: over.compile_commands.or(self.compile_commands),
        }
    }
}

impl TranslateTable {
    fn with(self, over: Self) -> Self {
        Self {
            dialect: over.dialect.or(self.dialect),
            vendors: over.vendors.or(self.vendors),
            launch: over.launch.or(self.launch),
            blas: over.blas.or(self.blas),
            fft: over.fft.or(self.fft),
            rand: over.rand.or(self.rand),
            sparse: over.sparse.or(self.sparse),
            solver: over.solver.or(self.solver),
            warp: over.warp.or(self.warp),
            compat: over.compat.or(self.compat),
            rocm: over.rocm.or(self.rocm),
            target: over.target.or(self.target),
            runtime_header: over.runtime_header.or(self.runtime_header),
            strings: over.strings.or(self.strings),
            strict_math: over.strict_math.or(self.strict_math),
            repair: over.repair.or(self.repair),
            skip_inactive: over.skip_inactive.or(self.skip_inactive),
            hip_support: over.hip_support.or(self.hip_support),
            reverse: over.reverse.or(self.reverse),
            fix_level: over.fix_level.or(self.fix_level),
            naming: over.naming.or(self.naming),
            mappings: over.mappings.or(self.mappings),
        }
    }

    fn defaults() -> Self {
        let options = Options::default();
        Self {
            dialect: Some(options.dialect),
            vendors: Some(options.vendors),
            launch: Some(options.launch),
            blas: Some(options.choices.blas),
            fft: Some(options.choices.fft),
            rand: Some(options.choices.rand),
            sparse: Some(options.choices.sparse),
            solver: Some(options.choices.solver),
            warp: Some(options.warp),
            compat: Some(options.compat),
            rocm: Some(options.rocm.to_string()),
            target: Some(options.targets),
            runtime_header: Some(options.runtime_header),
            strings: Some(options.strings),
            strict_math: Some(options.strict_math),
            repair: Some(options.repair),
            skip_inactive: Some(options.skip_inactive),
            hip_support: Some(options.hip_support),
            reverse: Some(options.reverse),
            fix_level: Some(options.fix_level),
            naming: Some(Naming::default()),
            mappings: Some(Vec::new()),
        }
    }

    /// The options of a run; what is missing keeps its default.
    ///
    /// # Errors
    /// When a chip or the ROCm release is none that the tables know, or `fix-level` would apply what is only a proposal.
    pub fn options(&self) -> Result<Options, String> {
        let mut options = Options::default();
        set(&mut options.dialect, self.dialect);
        set(&mut options.vendors, self.vendors);
        set(&mut options.launch, self.launch);
        set(&mut options.choices.blas, self.blas);
        set(&mut options.choices.fft, self.fft);
        set(&mut options.choices.rand, self.rand);
        set(&mut options.choices.sparse, self.sparse);
        set(&mut options.choices.solver, self.solver);
        set(&mut options.warp, self.warp);
        set(&mut options.compat, self.compat);
        set(&mut options.runtime_header, self.runtime_header);
        set(&mut options.strings, self.strings);
        set(&mut options.strict_math, self.strict_math);
        set(&mut options.repair, self.repair);
        set(&mut options.skip_inactive, self.skip_inactive);
        set(&mut options.hip_support, self.hip_support);
        set(&mut options.reverse, self.reverse);
        set(&mut options.fix_level, self.fix_level);
        for target in self.target.iter().flatten() {
            options.targets.push(chip::target_id(target)?);
        }
        if let Some(rocm) = &self.rocm {
            options.rocm = chip::rocm_release(rocm)?;
        }
        if options.fix_level == Applicability::Manual {
            return Err(
                "`fix-level` is `safe` or `review`: proposals for a person are never applied"
                    .to_owned(),
            );
        }
        Ok(options)
    }
}

fn set<T>(target: &mut T, value: Option<T>) {
    if let Some(value) = value {
        *target = value;
    }
}
