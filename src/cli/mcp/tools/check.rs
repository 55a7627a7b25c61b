//! What does not port.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::tool::{Arguments, Tool, Use, first};
use crate::cli::mcp::program::Line;

pub(super) const TOOL: Tool = Tool::new::<Check>(
    "check",
    "Lists what in CUDA sources or build files does not port to AMD, with place and advice, and whether the translation mends it \
(`fixable`). Writes nothing.",
);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Check {
    /// Files and folders, relative to the folder of the server; default: all of it.
    #[serde(default)]
    paths: Vec<String>,
    /// Source to use in place of files.
    text: Option<String>,
    /// What `text` is called: kernel.cu, CMakeLists.txt, Makefile.
    filename: Option<String>,
    /// ROCm release to answer for: 6.4, 7.0.
    rocm: Option<String>,
    /// Chips: gfx90a, MI300X, gfx1100.
    #[serde(default)]
    target: Vec<String>,
    /// Most findings that are listed (default 50); all are counted.
    limit: Option<usize>,
}

#[derive(Serialize, JsonSchema)]
struct Checked {
    /// Figures of files and references.
    totals: Value,
    /// Libraries to link with.
    link: Vec<String>,
    /// Macros that the build has to define.
    defines: Vec<String>,
    findings: Vec<Found>,
    findings_not_listed: usize,
    /// What could not be read.
    problems: String,
}

/// One finding.
#[derive(Deserialize, Serialize, JsonSchema)]
struct Found {
    #[serde(default)]
    path: String,
    line: u32,
    /// 1-based, in bytes.
    column: u32,
    /// `error` does not compile or work on AMD, `warning` compiles and may compute something else.
    severity: String,
    code: String,
    rule: String,
    message: String,
    #[serde(default)]
    help: String,
    /// Whether the translation mends it.
    #[serde(default)]
    fixable: bool,
    #[serde(default)]
    source_line: String,
}

/// What is used of the report.
#[derive(Deserialize)]
struct Report {
    totals: Value,
    #[serde(default)]
    link: Vec<String>,
    #[serde(default)]
    defines: Vec<String>,
    files: Vec<FileOfReport>,
}

#[derive(Deserialize)]
struct FileOfReport {
    path: String,
    #[serde(default)]
    findings: Vec<Found>,
}

impl Arguments for Check {
    type Answer = Checked;

    fn paths(&self) -> Vec<Use<'_>> {
        self.paths.iter().map(|path| Use::reads(path)).collect()
    }

    fn run(&self) -> Result<Checked, String> {
        let line = Line::of(&["check", "--output-format=json", "--quiet"]);
        let line = line.for_machine(self.rocm.as_deref(), &self.target);
        let line = match &self.text {
            Some(text) => line.text(text, self.filename.as_deref()),
            None => line.words(self.paths.iter().map(String::as_str)),
        };
        let done = line.run()?;
        let report: Report = serde_json::from_str(&done.out).map_err(|_| done.err.clone())?;
        let of_file = |file: FileOfReport| {
            let path = file.path;
            let findings = file.findings.into_iter();
            findings.map(move |found| Found {
                path: path.clone(),
                ..found
            })
        };
        let findings = report.files.into_iter().flat_map(of_file).collect();
        let (findings, findings_not_listed) = first(findings, self.limit);
        Ok(Checked {
            totals: report.totals,
            link: report.link,
            defines: report.defines,
            findings,
            findings_not_listed,
            problems: done.err.trim().to_owned(),
        })
    }
}
