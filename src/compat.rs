//! The helper header `cass_hip_compat.hpp`: device functions that HIP lacks, taken from the snippets of `src/compat/`.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use rustc_hash::FxHashMap;

/// File name of the helper header, at the root of the output.
pub const HEADER_NAME: &str = "cass_hip_compat.hpp";

/// What the names of functions begin with that stand for CUDA's under `--strict-math` alone: HIP has functions of these names itself.
const STRICT: &str = "cass_strict_";

/// By name.
static HELPERS: &[Helper] = include!(concat!(env!("OUT_DIR"), "/helpers.rs"));

/// One snippet: a helper or a family of helpers.
#[derive(Debug)]
pub struct Helper {
    /// Name of the snippet.
    pub name: &'static str,
    /// Functions it defines.
    pub provides: &'static [&'static str],
    /// Snippets it builds on.
    pub requires: &'static [&'static str],
    /// Headers it includes.
    pub includes: &'static [&'static str],
    /// CUDA names it stands for.
    pub replaces: &'static [&'static str],
    /// CUDA names that it stands for where a person asks for CUDA's results at the edges of types, `--strict-math`.
    pub strict: &'static [&'static str],
    /// One sentence about it.
    pub summary: &'static str,
    /// What a person must look at where it is used; empty where that is nothing.
    pub limit: &'static str,
    /// The snippet, keys included.
    pub text: &'static str,
}

impl Helper {
    /// Whether the header has this snippet for NVIDIA as well, under the same names.
    pub(crate) fn is_for_both(&self) -> bool {
        self.text.contains("\n// nvidia:")
    }

    /// Whether `function` of this snippet takes the place of CUDA's `name` in a call of the same arguments, so that it is that function
    /// where the header is compiled for NVIDIA.
    pub(crate) fn is_alias_of(&self, function: &str, name: &str) -> bool {
        let bare = Some(name.trim_start_matches('_'));
        let is_called = |prefix: &str| function.strip_prefix(prefix) == bare;
        self.provides.contains(&function)
            && (self.replaces.contains(&name) && is_called("cass_")
                || self.strict.contains(&name) && is_called(STRICT))
    }
}

/// Snippets by the functions that they define; the last of several counts.
static BY_FUNCTION: LazyLock<FxHashMap<&'static str, &'static Helper>> =
    LazyLock::new(|| by(HELPERS.iter(), |helper| helper.provides));
/// Snippets by the CUDA names that they stand for; the first of several counts.
static BY_REPLACED: LazyLock<FxHashMap<&'static str, &'static Helper>> =
    LazyLock::new(|| by(HELPERS.iter().rev(), |helper| helper.replaces));

/// Functions that give CUDA's results at the edges of types, by the names of CUDA's.
static STRICT_FUNCTIONS: LazyLock<FxHashMap<&'static str, &'static str>> = LazyLock::new(|| {
    let pairs = HELPERS.iter().filter(|helper| !helper.strict.is_empty());
    let pairs = pairs.flat_map(|helper| {
        let functions = helper.provides.iter().copied();
        functions.flat_map(move |function| {
            let mut names = helper.strict.iter().copied();
            let name = names.find(|name| helper.is_alias_of(function, name));
            name.map(|name| (name, function))
        })
    });
    pairs.collect()
});
/// The names of CUDA's functions that have such a helper.
static STRICT_NAMES: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    let mut names: Vec<&str> = STRICT_FUNCTIONS.keys().copied().collect();
    names.sort_unstable();
    names
});

/// The names of CUDA's functions that have a helper with their results at the edges of types, sorted.
pub(crate) fn strict_names() -> &'static [&'static str] {
    &STRICT_NAMES
}

/// The function that gives CUDA's results at the edges of types where HIP's of the same name does not.
pub(crate) fn strict_function(name: &str) -> Option<&'static str> {
    STRICT_FUNCTIONS.get(name).copied()
}

fn by(
    helpers: impl Iterator<Item = &'static Helper>,
    names: fn(&Helper) -> &'static [&'static str],
) -> FxHashMap<&'static str, &'static Helper> {
    helpers
        .flat_map(|helper| names(helper).iter().map(move |name| (*name, helper)))
        .collect()
}

/// All snippets by name.
pub fn helpers() -> impl Iterator<Item = &'static Helper> {
    HELPERS.iter()
}

/// The snippet that is called so or defines this function.
pub fn find(name: &str) -> Option<&'static Helper> {
    let called = HELPERS.binary_search_by(|helper| helper.name.cmp(name));
    BY_FUNCTION
        .get(name)
        .copied()
        .or_else(|| called.ok().map(|at| &HELPERS[at]))
}

/// The first snippet that stands for this CUDA name.
pub(crate) fn replacing(name: &str) -> Option<&'static Helper> {
    BY_REPLACED.get(name).copied()
}

/// The helper header with what `used` names and what that builds on.
pub fn header(used: &BTreeSet<&'static str>) -> String {
    format!(
        "// Helper functions for code that cass-transpile {} translated from CUDA to HIP. Generated: holds what the code uses.\n// SPDX-License-Identifier: MIT\n#pragma once\n\n{}",
        env!("CARGO_PKG_VERSION"),
        snippets(used)
    )
}

/// The snippets that `used` names, in an order in which each comes behind what it builds on; each guards itself.
pub fn snippets(used: &BTreeSet<&'static str>) -> String {
    let mut needed = Vec::new();
    used.iter()
        .filter_map(|name| find(name))
        .for_each(|helper| add(helper, &mut needed));
    // By name, so that the text does not depend on which of them are named and which only built on.
    needed.sort_unstable_by_key(|helper| helper.name);
    let mut ordered = Vec::new();
    needed
        .into_iter()
        .for_each(|helper| add(helper, &mut ordered));
    let mut text = includes(&ordered);
    for helper in ordered {
        let guard = guard(helper);
        text.push_str(&format!(
            "\n#ifndef {guard}\n#define {guard}\n{}\n#endif\n",
            helper.for_both()
        ));
    }
    text
}

/// The headers of the snippets, for either vendor.
fn includes(ordered: &[&Helper]) -> String {
    let wanted: BTreeSet<&str> = ordered
        .iter()
        .flat_map(|helper| helper.includes.iter().copied())
        .filter(|path| *path != "hip/hip_runtime.h")
        .collect();
    let lines = |paths: &[&str]| -> String {
        paths
            .iter()
            .map(|path| {
                let lacking = LACKING_IN_C.iter().find(|it| it.header == *path);
                let declared = lacking.map_or_else(String::new, |it| it.lines().join("\n") + "\n");
                format!("{declared}#include <{path}>\n")
            })
            .collect()
    };
    let (amd, both): (Vec<&str>, Vec<&str>) = wanted.iter().partition(|path| path.contains('/'));
    let nvidia: Vec<&str> = amd.iter().filter_map(|path| for_nvidia(path)).collect();
    format!(
        "{AMD}\n#define CASS_FOR_AMD\n#include <hip/hip_runtime.h>\n{}#else\n#include <cuda_runtime.h>\n{}#endif\n{}",
        lines(&amd),
        lines(&nvidia),
        lines(&both)
    )
}

/// A type that a header of ROCm 6.4 lacks in C: the macro that says it is there, why, and its declaration. Each was tried with gcc 12 and
/// clang 19.
pub(crate) struct LackingInC {
    /// The header.
    pub(crate) header: &'static str,
    /// The macro.
    pub(crate) mark: &'static str,
    why: &'static str,
    declaration: &'static str,
}

const HALF: &str = "typedef struct { unsigned short x; } __half;";

/// All of them, for sources that include such a header and for the helper header, which may come first.
pub(crate) const LACKING_IN_C: &[LackingInC] = &[
    LackingInC {
        header: "hiprand/hiprand.h",
        mark: "CASS_HALF_IN_C",
        why: "hiprand/hiprand.h names it",
        declaration: HALF,
    },
    LackingInC {
        header: "rocrand/rocrand.h",
        mark: "CASS_HALF_IN_C",
        why: "rocrand/rocrand.h names it",
        declaration: HALF,
    },
    LackingInC {
        header: "miopen/miopen.h",
        mark: "CASS_MIOPEN_IN_C",
        why: "miopen/miopen.h names it without `struct`",
        declaration: "typedef struct miopenTensorArgument_t miopenTensorArgument_t;",
    },
];

impl LackingInC {
    /// The declaration, on lines of its own for C alone.
    pub(crate) fn lines(&self) -> [String; 4] {
        let LackingInC { mark, why, .. } = self;
        [
            format!("#if !defined(__cplusplus) && !defined({mark})"),
            format!("#define {mark} /* {why} */"),
            self.declaration.to_owned(),
            "#endif".to_owned(),
        ]
    }
}

/// True where the code is compiled for AMD: by hipcc, by clang as HIP, or by a host compiler with the macros of such a build.
const AMD: &str = "#if defined(__HIP_PLATFORM_AMD__) || defined(USE_ROCM) || defined(__HIP__) && !defined(__CUDACC__)";

/// CUDA's header for one of HIP.
fn for_nvidia(path: &str) -> Option<&'static str> {
    const PAIRS: &[(&str, &str)] = &[
        ("hip/hip_bf16.h", "cuda_bf16.h"),
        ("hip/hip_cooperative_groups.h", "cooperative_groups.h"),
        ("hip/hip_fp16.h", "cuda_fp16.h"),
        ("miopen/miopen.h", "cudnn.h"),
        ("roctracer/roctx.h", "nvtx3/nvToolsExt.h"),
    ];
    let found = PAIRS.iter().find(|(hip, _)| *hip == path);
    found.map(|(_, cuda)| *cuda)
}

/// The snippets that an earlier helper header holds: files translated then still call them.
pub fn held(header: &[u8]) -> BTreeSet<&'static str> {
    let text = String::from_utf8_lossy(header);
    let guards: BTreeSet<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("#define "))
        .collect();
    helpers()
        .filter(|helper| guards.contains(guard(helper).as_str()))
        .map(|helper| helper.name)
        .collect()
}

/// Whether a file of the helper header's name is one.
pub(crate) fn is_header(text: &[u8]) -> bool {
    memchr::memmem::find(text, b"CASS_HELPER_").is_some()
}

fn guard(helper: &Helper) -> String {
    format!("CASS_HELPER_{}", helper.name.to_uppercase())
}

/// The include path of the helper header as seen from a file of the output; both are paths from its root.
pub(crate) fn include_path(path: &str, header: &str) -> String {
    let folders = |path: &str| -> Vec<String> {
        let all = path.rsplit_once('/').map_or("", |(folders, _)| folders);
        all.split('/')
            .filter(|it| !it.is_empty())
            .map(str::to_owned)
            .collect()
    };
    let (from, to) = (folders(path), folders(header));
    let shared = from
        .iter()
        .zip(&to)
        .take_while(|(one, other)| one == other)
        .count();
    let down: String = to[shared..]
        .iter()
        .map(|folder| format!("{folder}/"))
        .collect();
    format!("{}{down}{HEADER_NAME}", "../".repeat(from.len() - shared))
}

fn add(helper: &'static Helper, ordered: &mut Vec<&'static Helper>) {
    if ordered.iter().any(|known| known.name == helper.name) {
        return;
    }
    helper
        .requires
        .iter()
        .filter_map(|name| find(name))
        .filter(|required| required.name != helper.name)
        .for_each(|required| add(required, ordered));
    if !ordered.iter().any(|known| known.name == helper.name) {
        ordered.push(helper);
    }
}

impl Helper {
    /// The snippet with what NVIDIA's compiler reads in its place, if that is something else.
    fn for_both(&self) -> String {
        let (text, nvidia) = self
            .text
            .split_once("\n// nvidia:\n")
            .unwrap_or((self.text, ""));
        let (amd, nvidia) = (body(text), nvidia.trim_end());
        if text.contains("\n// nvidia: same\n") {
            return amd;
        }
        let aliases = self.aliases();
        let mut other = vec![nvidia.to_owned()];
        other.extend(
            aliases
                .iter()
                .map(|(function, name)| format!("#define {function} {name}")),
        );
        other.retain(|part| !part.is_empty());
        match other.is_empty() {
            true => format!("#ifdef CASS_FOR_AMD\n{amd}\n#endif"),
            false => format!(
                "#ifdef CASS_FOR_AMD\n{amd}\n#else\n{}\n#endif",
                other.join("\n")
            ),
        }
    }

    /// The functions of the snippet that are functions of CUDA under another name, each with that.
    fn aliases(&self) -> Vec<(&'static str, &'static str)> {
        let name_of = |function: &&'static str| {
            let mut names = self.replaces.iter().chain(self.strict).copied();
            names.find(|name| self.is_alias_of(function, name))
        };
        let pairs = self.provides.iter().copied();
        pairs
            .filter_map(|function| Some((function, name_of(&function)?)))
            .collect()
    }
}

/// The snippet without the keys that only the tool reads; its summary stays.
fn body(text: &str) -> String {
    let is_key = |line: &&str| {
        [
            "name", "replaces", "strict", "provides", "requires", "includes", "limit", "source",
            "nvidia",
        ]
        .iter()
        .any(|key| line.starts_with(&format!("// {key}:")))
    };
    let lines: Vec<String> = text
        .lines()
        .skip_while(|line| line.is_empty())
        .filter(|line| !is_key(line))
        .map(|line| line.replacen("// summary: ", "// ", 1))
        .collect();
    lines.join("\n").trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn naming_what_is_built_on_as_well_changes_nothing() {
        for helper in helpers().filter(|helper| !helper.requires.is_empty()) {
            let alone = BTreeSet::from([helper.name]);
            let mut with = alone.clone();
            with.extend(helper.requires);
            assert_eq!(snippets(&alone), snippets(&with), "{}", helper.name);
        }
    }

    /// Programs have macros of one capital letter, `I` of `<complex.h>` among them, and the header comes behind them.
    #[test]
    fn no_name_of_the_header_is_one_letter() {
        let is_short = |word: &str| {
            let rest = word.strip_prefix(|letter: char| letter.is_ascii_uppercase());
            rest.is_some_and(|rest| rest.len() < 2 && rest.chars().all(|it| it.is_ascii_digit()))
        };
        let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        for helper in helpers() {
            let (mut parameters, mut goes_on) = (Vec::new(), false);
            let code: String = helper
                .text
                .split("/*")
                .enumerate()
                .map(|(at, part)| match at {
                    0 => part,
                    _ => part.split_once("*/").map_or("", |(_, code)| code),
                })
                .collect();
            for line in code
                .lines()
                .filter(|line| !line.trim_start().starts_with("//"))
            {
                if !goes_on {
                    let define = line
                        .trim_start()
                        .strip_prefix("#define")
                        .unwrap_or_default();
                    let list = define.split_once('(').map_or("", |(_, list)| list);
                    parameters = list
                        .split(')')
                        .next()
                        .map_or(Vec::new(), |list| list.split(',').map(str::trim).collect());
                }
                goes_on = line.ends_with('\\');
                let code = line.split("//").next().unwrap_or_default();
                let code = code
                    .split('"')
                    .step_by(2)
                    .flat_map(|part| part.split('\'').step_by(2));
                let words = code.flat_map(|part| part.split(|letter| !is_part(letter)));
                for word in words.filter(|word| is_short(word)) {
                    assert!(parameters.contains(&word), "{}: {line}", helper.name);
                }
            }
        }
    }

    /// `Size`, `Status` and `Value` are macros of some programs.
    #[test]
    fn parameters_of_templates_have_names_of_ours() {
        for helper in helpers() {
            let lists = helper.text.split("template <").skip(1);
            for list in lists.filter_map(|text| text.split(['>', '(']).next()) {
                for parameter in list.split(',').filter(|it| !it.contains("template <")) {
                    let declared = parameter.split('=').next().unwrap_or_default();
                    let name = declared
                        .split([' ', '.', '<'])
                        .rfind(|word| !word.is_empty());
                    let is_ours = |name: &str| {
                        name.starts_with("Cass") || ["typename", "class", "bool"].contains(&name)
                    };
                    assert!(name.is_none_or(is_ours), "{}: {parameter}", helper.name);
                }
            }
        }
    }

    #[test]
    fn what_rules_call_is_there_for_nvidia_too() {
        let required: BTreeSet<&str> = helpers()
            .flat_map(|helper| helper.requires.iter().copied())
            .collect();
        // Texture references went with CUDA 12, which present releases of PyTorch are built with; PTX in a string stays what it is where
        // both vendors read the file.
        let one_way = ["cass_texture", "cass_module_text"];
        let called = helpers()
            .filter(|helper| !required.contains(helper.name) && !one_way.contains(&helper.name));
        for helper in called {
            let (_, nvidia) = helper.text.split_once("\n// nvidia:\n").unwrap_or_default();
            let is_same = helper.text.contains("\n// nvidia: same\n");
            let aliases = helper.aliases();
            let is_there = |function: &str| {
                is_same
                    || nvidia.contains(function)
                    || aliases.iter().any(|(alias, _)| *alias == function)
            };
            let mut functions = helper.provides.iter().filter(|it| it.starts_with("cass_"));
            assert!(functions.all(|it| is_there(it)), "{}", helper.name);
        }
    }
}
