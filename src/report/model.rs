//! The report: what machines read and every format shows. Its JSON schema is published with `cass-transpile schema report`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use crate::diagnostic::{Group, Severity};
use crate::edit::Applicability;

/// The report of one run.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Report {
    /// Version of this format; grows when a field changes its meaning.
    pub schema_version: u32,
    /// Name and version of the tool.
    pub tool: Tool,
    /// What the run was told to do, as far as it decides the output.
    pub options: crate::options::Options,
    /// Whether the run wrote its result; a check and a dry run say what translation would do.
    pub wrote: bool,
    /// The support for AMD that the sources have already; what it covers was left as it is.
    pub hip_support: Vec<super::support::HipSupport>,
    /// Figures of the whole run.
    pub totals: Totals,
    /// How the findings stand to the baseline, when there is one; the figures of `totals` count known ones as well.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baseline: Option<Compared>,
    /// References by library, most first.
    pub libraries: Vec<LibraryStats>,
    /// What was chosen where nobody asked, and how to choose otherwise, a line each; for people.
    #[serde(skip)]
    pub chosen: Vec<String>,
    /// What a person should know of the run itself, a line each; for people.
    #[serde(skip)]
    pub remarks: Vec<String>,
    /// Linker flags for the ROCm libraries that the output uses.
    pub link: Vec<String>,
    /// Macros that the build has to define for AMD: code that knows both vendors chooses by them.
    pub defines: Vec<String>,
    /// The lowest ROCm release that has every name of the output, as far as the tables know, and the names that ask for it.
    pub rocm: Option<RocmNeed>,
    /// Files that mention CUDA or that failed, in the order of their paths; files that were only copied are counted, not listed.
    pub files: Vec<FileReport>,
    /// How the output stands, where an earlier run wrote into it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub port: Option<super::port::PortReport>,
    /// What of the source tree took no part, by reason.
    pub left_out: Vec<super::left_out::LeftOut>,
    /// Problems that belong to no file: unreadable folders, name collisions.
    pub problems: Vec<String>,
    /// Of what and when it is, for people.
    #[serde(skip)]
    pub run: Option<super::run::Run>,
    /// What an estimate assumes.
    #[serde(skip)]
    pub weights: crate::options::Weights,
}

/// Who wrote the report.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Tool {
    /// `cass-transpile`.
    pub name: &'static str,
    /// Its version.
    pub version: &'static str,
}

impl Default for Tool {
    fn default() -> Self {
        Self {
            name: "cass-transpile",
            version: env!("CARGO_PKG_VERSION"),
        }
    }
}

/// Counts of one file or of the run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Counts {
    /// Names and headers of HIP that the source has already.
    pub already: usize,
    /// Names of CUDA that the project's own support for AMD gives a meaning there, left alone.
    pub covered: usize,
    /// Uses of CUDA's names, headers and namespaces that converted with the same meaning; also arguments that the conversion of their
    /// call drops.
    pub safe: usize,
    /// Uses that converted or stay, with a warning that says at what to look.
    pub review: usize,
    /// Uses that did not convert: those with an error, shown or not.
    pub manual: usize,
    /// Findings that are about something else than a name: lane masks, inline assembly, conditionals.
    pub hazards: usize,
    /// Findings of severity error. A call and what its arguments lack are one.
    pub errors: usize,
    /// Findings of severity warning.
    pub warnings: usize,
    /// Names and headers of CUDA in code that is for one vendor, for older chips, or kept by `cass: off`, left alone.
    pub guarded: usize,
    /// Errors that are shown as information, because the project's own build for AMD has decided about such code.
    pub decided: usize,
    /// Errors that are shown as information, because the build compiles their code nowhere, or nothing loads their module on AMD.
    pub not_compiled: usize,
    /// Errors that are shown as information, because their code is for a newer release of a library than the chosen ROCm has.
    pub older_library: usize,
    /// Findings that comments suppressed.
    pub suppressed: usize,
    /// Errors and warnings of rules that were not selected.
    pub deselected: usize,
    /// Findings in files that the build for AMD does not read; one note a file says so.
    pub other_build: usize,
}

/// Figures of the run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Totals {
    /// Files of the source tree.
    pub files: usize,
    /// Files with a reference to CUDA or HIP, a finding or an edit; one that only has the word in a comment is none.
    pub cuda_files: usize,
    /// Files that changed.
    pub translated: usize,
    /// Files that went to the output as they are.
    pub copied: usize,
    /// Files that could not be read or translated; what could be read was copied.
    pub failed: usize,
    /// Bytes of source read.
    pub bytes: u64,
    /// Lines that differ between source and output.
    pub lines_changed: usize,
    /// Bytes that edits removed or added.
    pub bytes_changed: u64,
    /// Sums over the files.
    pub counts: Counts,
    /// Share of the references that are in HIP: `(already + covered + safe + review) / (already + covered + safe + review + manual)`, in percent, rounded
    /// down to a tenth, so that 100 means all. Absent when there is no reference.
    pub portability: Option<f64>,
    /// Files with CUDA that need no hand: they could be read, and no finding in them or in a file that they include is an error.
    pub ready_files: usize,
    /// Sources for the host's compiler that come to HIP's headers.
    #[serde(skip)]
    pub host_files: usize,
}

/// References of one library.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LibraryStats {
    /// Key of the library's table.
    pub key: String,
    /// What NVIDIA calls it.
    pub title: String,
    /// Converted with the same meaning.
    pub safe: usize,
    /// Converted, to be reviewed.
    pub review: usize,
    /// Not converted.
    pub manual: usize,
}

/// Which ROCm release the output needs.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RocmNeed {
    /// The release, `6.2`: the first that has every name, in the spelling that `--rocm` chooses for it.
    pub version: String,
    /// Up to five names that came with it.
    pub because: Vec<String>,
}

/// What happened to a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    /// Nothing to translate: the same bytes.
    #[default]
    Copied,
    /// Mentions CUDA and needs no change.
    Unchanged,
    /// Changed.
    Translated,
    /// Could not be read or translated.
    Failed,
}

/// One file.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct FileReport {
    /// Path relative to the source's root.
    pub path: String,
    /// Path relative to the output's root, where it differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    /// What happened.
    pub action: Action,
    /// Why, when it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// Its counts.
    pub counts: Counts,
    /// Sources that come to the file by their includes: an error in it stops each of them.
    #[serde(skip_serializing_if = "is_zero")]
    pub reached_by: usize,
    /// A file that it includes has an error.
    #[serde(skip)]
    pub includes_error: bool,
    /// It has an error of a rule that was not selected.
    #[serde(skip)]
    pub has_deselected_error: bool,
    /// PyTorch's build renames names of CUDA that stay in it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub renamed_by_pytorch: bool,
    /// Lines that changed.
    pub lines_changed: usize,
    /// Bytes that edits removed or added.
    pub bytes_changed: u64,
    /// Headers of ROCm that the output includes in place of CUDA's.
    pub headers: Vec<String>,
    /// HIP's runtime header comes to the file, by its own include or by a header of the tree.
    #[serde(skip)]
    pub reaches_runtime: bool,
    /// Findings at or above the level that was asked for, by position.
    pub findings: Vec<FindingReport>,
    /// References by library: safe, review, manual.
    #[serde(skip)]
    pub by_library: BTreeMap<&'static str, [usize; 3]>,
    /// ROCm release by name of the output.
    #[serde(skip)]
    pub rocm: BTreeMap<crate::mapping::Version, std::collections::BTreeSet<String>>,
    /// Its path relative to the root of the repository, for formats whose readers want that; empty when it is `path`.
    #[serde(skip)]
    pub repository_path: String,
    /// Whether it was read as source for a word in it.
    #[serde(skip)]
    pub mentions_cuda: bool,
    /// Whether it has a reference, a finding or an edit.
    #[serde(skip)]
    pub is_cuda: bool,
    /// Size of the source in bytes.
    #[serde(skip)]
    pub bytes: u64,
    /// Which findings are shown and which fail, by the settings that hold for the file.
    #[serde(skip)]
    pub levels: Levels,
    /// Macros by which it chooses its code for AMD.
    #[serde(skip)]
    pub switches: std::collections::BTreeSet<String>,
}

/// Which findings of a file are shown and which make a check fail.
#[derive(Clone, Copy, Debug)]
pub struct Levels {
    /// Lowest severity that is shown.
    pub show: Severity,
    /// Lowest severity that fails.
    pub fail: Severity,
}

impl Default for Levels {
    fn default() -> Self {
        Self {
            show: Severity::Warning,
            fail: Severity::Warning,
        }
    }
}

/// One finding.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FindingReport {
    /// Code of the rule, `CASS003`.
    pub code: &'static str,
    /// Name of the rule, `unsupported-api`.
    pub rule: &'static str,
    /// Group of the rule.
    pub group: Group,
    /// How much it matters.
    pub severity: Severity,
    /// What is the matter.
    pub message: String,
    /// What to do.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub help: String,
    /// 1-based line of its first byte.
    pub line: u32,
    /// 1-based column of its first byte, in bytes.
    pub column: u32,
    /// 1-based line of its last byte.
    pub end_line: u32,
    /// 1-based column behind its last byte, in bytes.
    pub end_column: u32,
    /// Byte offset of its start and end.
    pub range: crate::text::TextRange,
    /// Its place in the file as a person looks for it: `12:3`, in a notebook `cell 2:3:1`.
    #[serde(skip)]
    pub place: String,
    /// The columns in other units than bytes.
    #[serde(skip)]
    pub columns: Columns,
    /// What the finding is known by when lines above it come and go: the same rule on the same text of the same file, and which of
    /// them it is.
    pub fingerprint: String,
    /// What it was known by under the codes of the rules whose place its rule took.
    #[serde(skip)]
    pub former: Vec<String>,
    /// How it stands to the baseline, when there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baseline: Option<BaselineState>,
    /// Library of the API it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub library: Option<&'static str>,
    /// Name of the API it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub api: Option<&'static str>,
    /// How sure its fix is, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix: Option<Applicability>,
    /// Edits of the fix, in terms of the source.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub edits: Vec<EditReport>,
    /// Whether translation makes the change of its fix.
    pub fixable: bool,
    /// Whether this run made it: never where nothing was written.
    pub applied: bool,
    /// Why something was decided otherwise than the rule says: `serves-amd`, `below-fix-level`, `another-fix` and others.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<&'static str>,
    /// Chips it holds for; empty means all.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub targets: Vec<&'static str>,
    /// Other places it is about.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<LabelReport>,
    /// The source line of its start, without line end; what is not UTF-8 is replaced; cut after 400 characters.
    pub source_line: String,
    /// Its lines with what is marked in them, for terminals.
    #[serde(skip)]
    pub excerpt: super::excerpt::Excerpt,
    /// The same line of the output, when it differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_line: Option<String>,
}

/// One edit of a fix.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct EditReport {
    /// Bytes of the source that go.
    pub range: crate::text::TextRange,
    /// Text that comes instead.
    pub content: String,
    /// 1-based line and column of the range's start.
    pub start: (u32, u32),
    /// 1-based line and column behind the range's end.
    pub end: (u32, u32),
    /// The columns in other units than bytes.
    #[serde(skip)]
    pub columns: Columns,
}

/// Another place of a finding.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct LabelReport {
    /// 1-based line.
    pub line: u32,
    /// 1-based column in bytes.
    pub column: u32,
    /// The column in other units than bytes.
    #[serde(skip)]
    pub columns: Columns,
    /// What is to be seen there.
    pub message: String,
}

/// The columns of a start and an end, counted from 1 in the units that other programs count in. What is not UTF-8 counts as the
/// replacement characters it becomes when a program reads the file as text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Columns {
    /// In code points.
    pub chars: (u32, u32),
    /// In UTF-16 code units.
    pub utf16: (u32, u32),
}

/// How a finding stands to the baseline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum BaselineState {
    /// Not in the baseline.
    New,
    /// In the baseline.
    Unchanged,
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

impl FileReport {
    /// The path that continuous integration knows the file by.
    pub fn place(&self) -> &str {
        if self.repository_path.is_empty() {
            &self.path
        } else {
            &self.repository_path
        }
    }

    /// Whether it has an error, of a rule that was selected or of another.
    pub(crate) fn has_error(&self) -> bool {
        self.counts.errors > 0 || self.has_deselected_error
    }
}

impl Report {
    /// Leaves out findings that are not to be shown; the counts stay.
    pub(crate) fn retain_shown(&mut self) {
        for file in &mut self.files {
            let least = file.levels.show;
            file.findings.retain(|finding| finding.severity >= least);
        }
    }

    /// All findings with their files, in order.
    pub fn findings(&self) -> impl Iterator<Item = (&FileReport, &FindingReport)> {
        self.files
            .iter()
            .flat_map(|file| file.findings.iter().map(move |finding| (file, finding)))
    }
}

/// How a report stands to a baseline.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Compared {
    /// Findings of the report that are known.
    pub known: usize,
    /// Findings of the baseline, in files of the report, that are no more.
    pub gone: usize,
}
