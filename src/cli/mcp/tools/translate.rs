//! The translation.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::tool::{Arguments, Tool, Use};
use crate::cli::mcp::program::Line;

pub(super) const TOOL: Tool = Tool::new::<Translate>(
    "translate",
    "Translates CUDA to HIP. With `text`: returns the result, helpers included, and what a person has to look at. With `source` and \
`output`: translates a tree or file into a folder, merging with work done there by hand; `dry_run` only says what would happen.",
)
.writing();

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Translate {
    /// Source to use in place of files.
    text: Option<String>,
    /// What `text` is called: kernel.cu, CMakeLists.txt, Makefile.
    filename: Option<String>,
    /// File or folder to translate.
    source: Option<String>,
    /// Folder for the result.
    output: Option<String>,
    /// Write nothing.
    #[serde(default)]
    dry_run: bool,
    /// ROCm release to translate for: 6.4, 7.0.
    rocm: Option<String>,
    /// Chips: gfx90a, MI300X, gfx1100.
    #[serde(default)]
    target: Vec<String>,
}

#[derive(Serialize, JsonSchema)]
struct Translated {
    /// The translation of `text`.
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<String>,
    /// Findings and summary, as a person reads them.
    findings: String,
}

impl Arguments for Translate {
    type Answer = Translated;

    fn paths(&self) -> Vec<Use<'_>> {
        let source = self.source.as_deref().map(Use::reads);
        let output = self.output.as_deref().map(Use::writes);
        source.into_iter().chain(output).collect()
    }

    fn run(&self) -> Result<Translated, String> {
        let line = Line::of(&[]).for_machine(self.rocm.as_deref(), &self.target);
        match (&self.text, &self.source, &self.output) {
            (Some(text), None, None) => {
                let done = line.text(text, self.filename.as_deref()).run()?;
                match done.code {
                    0 => Ok(Translated {
                        output: Some(done.out),
                        findings: done.err,
                    }),
                    _ => Err(done.err),
                }
            }
            (None, Some(_), None) if !self.dry_run => {
                Err("say with `output` where the result goes".to_owned())
            }
            (None, Some(source), output) => {
                let line = match self.dry_run {
                    true => line.with("--dry-run"),
                    false => line,
                };
                let words = [Some(source), output.as_ref()].into_iter().flatten();
                let done = line.words(words.map(String::as_str)).printed()?;
                Ok(Translated {
                    output: None,
                    findings: done.out + &done.err,
                })
            }
            _ => Err("give either `text`, or `source` and `output`".to_owned()),
        }
    }
}
