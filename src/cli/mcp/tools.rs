//! The tools that are offered: what each takes, and the command line that does it.

use serde_json::{Map, Value, json};

use super::roots::Roots;

/// A tool: a command of this program with arguments by name.
pub(super) struct Tool {
    pub(super) name: &'static str,
    pub(super) description: &'static str,
    pub(super) parameters: &'static [Parameter],
    /// Whether it writes files.
    pub(super) writes: bool,
}

/// An argument of a tool.
pub(super) struct Parameter {
    pub(super) name: &'static str,
    pub(super) kind: Kind,
    pub(super) is_required: bool,
    pub(super) description: &'static str,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    Texts,
    /// Files or folders that are read.
    Paths,
    /// One that is read.
    Path,
    /// One that is written to.
    Output,
    Number,
    Truth,
}

const fn needed(name: &'static str, kind: Kind, description: &'static str) -> Parameter {
    Parameter {
        name,
        kind,
        is_required: true,
        description,
    }
}

const fn may(name: &'static str, kind: Kind, description: &'static str) -> Parameter {
    Parameter {
        is_required: false,
        ..needed(name, kind, description)
    }
}

const ROCM: Parameter = may("rocm", Kind::Text, "ROCm release to answer for: 6.4, 7.0");
const TARGET: Parameter = may("target", Kind::Texts, "Chips: gfx90a, MI300X, gfx1100");
const PATHS: Parameter = may(
    "paths",
    Kind::Paths,
    "Files and folders, relative to the folder of the server; default: all of it",
);
const TEXT: Parameter = may("text", Kind::Text, "Source to use in place of files");
const NAME: Parameter = may(
    "filename",
    Kind::Text,
    "What `text` is called: kernel.cu, CMakeLists.txt, Makefile",
);
const LIMIT: Parameter = may(
    "limit",
    Kind::Number,
    "Most findings that are listed (default 50); all are counted",
);

pub(super) const TOOLS: &[Tool] = &[
    Tool {
        name: "query",
        description: "What names of CUDA become in HIP, or where names of HIP come from: target, arguments that change, header, library \
to link, releases, advice. Takes prefixes and globs (cudaGraph*), and words of build files (-lcudart, nvcc).",
        parameters: &[
            needed("names", Kind::Texts, "Names, prefixes or globs"),
            ROCM,
        ],
        writes: false,
    },
    Tool {
        name: "explain",
        description: "What a rule (CASS003, warp-shuffle, a group such as warp) means on AMD and what to do; or the cause and remedy of a \
message of hipcc, clang, a linker or a running program.",
        parameters: &[needed(
            "about",
            Kind::Texts,
            "Codes, names or groups of rules, or messages",
        )],
        writes: false,
    },
    Tool {
        name: "check",
        description: "Lists what in CUDA sources or build files does not port to AMD, with place, advice and fix. Writes nothing.",
        parameters: &[PATHS, TEXT, NAME, ROCM, TARGET, LIMIT],
        writes: false,
    },
    Tool {
        name: "translate",
        description: "Translates CUDA to HIP. With `text`: returns the result and what a person has to look at. With `source` and \
`output`: translates a tree or file into a folder, merging with work done there by hand; `dry_run` only says what would happen.",
        parameters: &[
            TEXT,
            NAME,
            may("source", Kind::Path, "File or folder to translate"),
            may("output", Kind::Output, "Folder for the result"),
            may("dry_run", Kind::Truth, "Write nothing"),
            ROCM,
            TARGET,
        ],
        writes: true,
    },
    Tool {
        name: "diff",
        description: "The translation as a unified diff; with `output`, how that folder differs from what a run would write.",
        parameters: &[
            may(
                "path",
                Kind::Path,
                "File or folder; default: the folder of the server",
            ),
            TEXT,
            NAME,
            may("output", Kind::Path, "Folder that holds a port"),
            ROCM,
            TARGET,
        ],
        writes: false,
    },
    Tool {
        name: "verify",
        description: "Compares two records of `cass-transpile verify record` and `verify run`: whether the port computed the same as the \
original. Runs no program.",
        parameters: &[
            needed("original", Kind::Path, "Record of the original"),
            needed("port", Kind::Path, "Record of the port"),
        ],
        writes: false,
    },
];

impl Tool {
    /// Why a path of a call is not to be used; `None` where all are.
    pub(super) fn refused_path(&self, given: &Map<String, Value>, roots: &Roots) -> Option<String> {
        let paths = self.parameters.iter().flat_map(|one| {
            let value = given.get(one.name).filter(|_| one.kind.is_path());
            let several = value.and_then(Value::as_array).into_iter().flatten();
            let all = value.into_iter().chain(several);
            all.filter_map(Value::as_str)
                .map(|path| (path, one.kind == Kind::Output))
        });
        // Without paths the folder of the server is read.
        paths
            .into_iter()
            .find_map(|(path, writes)| roots.refusal(path, writes))
    }

    /// The tool as `tools/list` has it.
    pub(super) fn listed(&self) -> Value {
        let properties = self
            .parameters
            .iter()
            .map(|one| (one.name.to_owned(), one.schema()));
        let required: Vec<&str> = self
            .parameters
            .iter()
            .filter(|one| one.is_required)
            .map(|one| one.name)
            .collect();
        json!({
            "name": self.name,
            "description": self.description,
            "inputSchema": {
                "type": "object",
                "properties": properties.collect::<Map<_, _>>(),
                "required": required,
                "additionalProperties": false,
            },
            "annotations": { "readOnlyHint": !self.writes, "destructiveHint": false, "openWorldHint": false },
        })
    }
}

impl Kind {
    fn is_path(self) -> bool {
        matches!(self, Self::Path | Self::Paths | Self::Output)
    }
}

impl Parameter {
    fn schema(&self) -> Value {
        let mut schema = match self.kind {
            Kind::Text | Kind::Path | Kind::Output => json!({ "type": "string" }),
            Kind::Texts | Kind::Paths => json!({ "type": "array", "items": { "type": "string" } }),
            Kind::Number => json!({ "type": "integer", "minimum": 0 }),
            Kind::Truth => json!({ "type": "boolean" }),
        };
        schema["description"] = Value::from(self.description);
        schema
    }

    /// Whether a value is of the kind that the schema promises.
    pub(super) fn takes(&self, value: &Value) -> bool {
        match self.kind {
            Kind::Text | Kind::Path | Kind::Output => value.is_string(),
            Kind::Texts | Kind::Paths => value
                .as_array()
                .is_some_and(|list| list.iter().all(Value::is_string)),
            Kind::Number => value.is_u64(),
            Kind::Truth => value.is_boolean(),
        }
    }
}
