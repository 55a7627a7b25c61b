//! Whether a port compiles.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::tool::{Arguments, Tool, Use, first};
use crate::cli::mcp::program::Line;

pub(super) const TOOL: Tool = Tool::new::<Trial>(
    "try",
    "Whether the units of a port compile for AMD, and what stops them: by cause, with place in port and source and what the translation \
said of it. Needs clang and ROCm's headers, no GPU. To find units it configures CMake in a folder of its own or asks `make -n`; \
`units: includes` runs neither. Writes nothing into the port.",
);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Trial {
    /// Folder with a port; default: the folder of the server.
    port: Option<String>,
    /// Compilation database of the build, or its folder.
    compile_commands: Option<String>,
    /// How units are found: database, cmake, make, includes.
    units: Option<String>,
    /// Chips: gfx90a, MI300X, gfx1100.
    #[serde(default)]
    target: Vec<String>,
    /// Folder of ROCm, with its headers in `include`.
    rocm_path: Option<String>,
    /// Most causes that are listed (default 50).
    limit: Option<usize>,
}

#[derive(Deserialize, Serialize, JsonSchema)]
struct Tried {
    compiler: String,
    targets: Vec<String>,
    /// How the units were found, and what could not be found.
    found_by: String,
    notes: Vec<String>,
    /// Units that compile, fail, fail where the translation was silent, lack a header of others.
    totals: Value,
    /// Why units fail, those that stop most units first.
    causes: Vec<Value>,
    #[serde(default)]
    causes_not_listed: usize,
}

impl Arguments for Trial {
    type Answer = Tried;

    fn paths(&self) -> Vec<Use<'_>> {
        // Headers of ROCm lie outside of every project.
        let paths = [&self.port, &self.compile_commands];
        paths
            .into_iter()
            .flatten()
            .map(|path| Use::reads(path))
            .collect()
    }

    fn run(&self) -> Result<Tried, String> {
        let line =
            Line::of(&["try", "--output-format=json", "--quiet"]).for_machine(None, &self.target);
        let options = [
            ("--compile-commands", &self.compile_commands),
            ("--units", &self.units),
            ("--rocm-path", &self.rocm_path),
        ];
        let line = line.for_port(options, self.port.as_deref());
        let tried = line.json()?;
        let mut tried: Tried = serde_json::from_value(tried).map_err(|error| error.to_string())?;
        (tried.causes, tried.causes_not_listed) = first(tried.causes, self.limit);
        Ok(tried)
    }
}
