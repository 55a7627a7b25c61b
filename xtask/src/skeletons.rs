//! What new files begin as: each speaks of one made-up word, so that its fixtures hold before anything is filled in.

use clap::ValueEnum;

/// What a rule looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum About {
    /// C++: an identifier.
    Cpp,
    /// A CMake list: a word.
    Cmake,
    /// A Makefile: a word.
    Make,
    /// A shell script: a word.
    Shell,
    /// A program in Python: a call.
    Python,
}

impl About {
    /// What most rules of a group look at.
    pub fn of_group(group: &str) -> Self {
        match group {
            "build_files" => Self::Cmake,
            "python" => Self::Python,
            _ => Self::Cpp,
        }
    }

    /// The source of the rule.
    pub fn rule(self, code: &str) -> String {
        let (looks, check) = match self {
            Self::Cpp => ("Idents(&[\"before\"], check)", CPP),
            Self::Cmake | Self::Make | Self::Shell => ("BuildFile(check)", BUILD),
            Self::Python => ("Python(&[&[\"before\"]], check)", PYTHON),
        };
        let helper = match self {
            Self::Cmake | Self::Make | Self::Shell => "use crate::build::words::words;\n",
            _ => "",
        };
        let example = self.speaks().replace('\n', "\n//! ");
        RULE.replace("LANGUAGE", self.language())
            .replace("RESULT", self.result())
            .replace("BEFORE", &example)
            .replace("AFTER", &example.replace("before", "after"))
            .replace("HELPER", helper)
            .replace("CODE", code)
            .replace("LOOKS", looks)
            .replace("CHECK", &check.replace("TOOL", self.tool()))
    }

    /// The files of its fixtures: names and texts.
    pub fn fixtures(self) -> [(String, String); 2] {
        let (speaks, start) = (self.speaks(), self.start());
        let remark = match self {
            Self::Cpp => "//",
            _ => "#",
        };
        let fixture = |kind: &str, what: &str, text: &str| {
            let name = format!("{kind}-basic.{}", self.extension());
            (name, format!("{start}\n{remark} {what}\n{text}\n"))
        };
        [
            fixture("invalid", "The rule speaks here.", speaks),
            fixture(
                "valid",
                "The rule is silent here.",
                &speaks.replace("before", "other"),
            ),
        ]
    }

    /// The item of the catalogue.
    pub fn item(self, code: &str, name: &str) -> String {
        let file = match self {
            Self::Cpp => String::new(),
            _ => format!("file = \"item.{}\"\n", self.extension()),
        };
        let text = format!("{}{}", self.start(), self.speaks());
        ITEM.replace("CODE", code)
            .replace("NAME", name)
            .replace("FILE", &file)
            .replace("TEXT", &text)
    }

    fn extension(self) -> &'static str {
        match self {
            Self::Cpp => "cu",
            Self::Cmake => "cmake",
            Self::Make => "mk",
            Self::Shell => "sh",
            Self::Python => "py",
        }
    }

    /// The language of the example before.
    fn language(self) -> &'static str {
        match self {
            Self::Cpp => "cuda",
            Self::Cmake => "cmake",
            Self::Make => "make",
            Self::Shell => "sh",
            Self::Python => "python",
        }
    }

    /// The language of the example after.
    fn result(self) -> &'static str {
        match self {
            Self::Cpp => "hip",
            _ => self.language(),
        }
    }

    fn tool(self) -> &'static str {
        match self {
            Self::Make => "Make",
            Self::Shell => "Shell",
            _ => "CMake",
        }
    }

    /// What a file begins with that has to do with CUDA.
    fn start(self) -> &'static str {
        match self {
            Self::Cpp => "#include <cuda_runtime.h>\n",
            Self::Python => "import torch\n\n",
            _ => "# For CUDA.\n",
        }
    }

    /// Code that the rule speaks of.
    fn speaks(self) -> &'static str {
        match self {
            Self::Cpp => "void f() {\n  before();\n}",
            Self::Cmake => "set(MODE before)",
            Self::Make => "MODE = before",
            Self::Shell => "export MODE=before",
            Self::Python => "before()",
        }
    }
}

const RULE: &str = r#"//! One sentence that says what in CUDA code this is about.
//!
//! ## Why on AMD
//! What clang, HIP or the hardware does otherwise, with the words of the error message if there is one.
//!
//! ## Example
//! ```LANGUAGE
//! BEFORE
//! ```
//! becomes
//! ```RESULT
//! AFTER
//! ```
//!
//! ## When to ignore
//! When a person may leave it.
//!
//! ## Source
//! Document and release, or header.

HELPERuse crate::rules::prelude::*;

/// What it does, in one sentence.
pub static RULE: Rule = Rule {
    code: "CODE",
    severity: Severity::Warning,
    fix: None,
    priority: 50,
    // What is true of it whatever it finds, `Fact` lists it: does nvcc read what its fix writes, is it decided by a port …
    facts: &[],
    checks: &[Check::LOOKS],
};

CHECK"#;

const CPP: &str = r#"fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    let finding = RULE
        .finding(cx.range(index), "what is wrong here")
        .help("what to do about it");
    cx.report(finding);
}
"#;

const BUILD: &str = r#"fn check(cx: &mut BuildContext<'_, '_>) {
    if cx.doc.tool != BuildTool::TOOL {
        return;
    }
    let found: Vec<TokenIndex> = words(cx.doc)
        .filter(|&at| cx.doc.is(at, "before"))
        .collect();
    for index in found {
        let finding = RULE
            .finding(cx.range(index), "what is wrong here")
            .help("what to do about it");
        cx.report(finding);
    }
}
"#;

const PYTHON: &str = r#"fn check(cx: &mut PythonContext<'_, '_>) {
    let file = cx.file();
    for call in file.all(&["call"]) {
        let Some(called) = call.child_by_field_name("function") else {
            continue;
        };
        if file.dotted(called) == "before" {
            let finding = RULE
                .finding(file.range(called), "what is wrong here")
                .help("what to do about it");
            cx.report(finding);
        }
    }
}
"#;

const ITEM: &str = "
[[item]]
number = \"NAME\"
title = \"What it is\"
effect = \"W\"
answer = \"review\"
rules = [\"CODE\"]
FILEcode = '''
TEXT
'''
";

/// A helper snippet.
pub const HELPER: &str = "// name: NAME
// provides: NAME
// replaces: FUNCTION
// summary: What it computes, in one sentence.
// source: document that defines FUNCTION
__device__ inline unsigned NAME(unsigned value)
{
    return value;
}
";

/// A table of an API.
pub const TABLE: &str = r#"# TITLE -> what AMD has in its place.
library = "KEY"

[about]
title = "TITLE"
# The header and linker flags of its counterpart, where there is one: header = "hipx/hipx.h", link = ["-lhipx"].
prefixes = ["KEY"]
stems = ["KEY"]

[functions]
KEYCreate = { support = "unsupported", note = "What to do in its place, in one or two imperative sentences." }
"#;
