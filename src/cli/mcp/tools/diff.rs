//! The translation as a patch.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::tool::{Arguments, Tool, Use};
use crate::cli::mcp::program::Line;

pub(super) const TOOL: Tool = Tool::new::<Diff>(
    "diff",
    "The translation as a unified diff; with `output`, how that folder differs from what a run would write.",
);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Diff {
    /// File or folder; default: the folder of the server.
    path: Option<String>,
    /// Source to use in place of files.
    text: Option<String>,
    /// What `text` is called: kernel.cu, CMakeLists.txt, Makefile.
    filename: Option<String>,
    /// Folder that holds a port.
    output: Option<String>,
    /// ROCm release to translate for: 6.4, 7.0.
    rocm: Option<String>,
    /// Chips: gfx90a, MI300X, gfx1100.
    #[serde(default)]
    target: Vec<String>,
}

#[derive(Serialize, JsonSchema)]
struct Patch {
    /// The unified diff; empty where nothing differs.
    patch: String,
    /// What the program said beside it.
    remarks: String,
}

impl Arguments for Diff {
    type Answer = Patch;

    fn paths(&self) -> Vec<Use<'_>> {
        let paths = [&self.path, &self.output].into_iter().flatten();
        paths.map(|path| Use::reads(path)).collect()
    }

    fn run(&self) -> Result<Patch, String> {
        let line = Line::of(&["diff"]).for_machine(self.rocm.as_deref(), &self.target);
        let line = match &self.text {
            Some(text) => line.text(text, self.filename.as_deref()),
            None => {
                let path = self.path.as_deref().unwrap_or(".");
                line.words([path].into_iter().chain(self.output.as_deref()))
            }
        };
        let done = line.printed()?;
        Ok(Patch {
            patch: done.out,
            remarks: done.err.trim().to_owned(),
        })
    }
}
