//! What a build file shows of support for AMD that is there already.

use std::collections::BTreeSet;

use crate::project::alternatives::Alternatives;
use crate::syntax::is_hip_macro;
use crate::text::{BuildTool, build_tool};

/// What one build file says of HIP.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct BuildFacts {
    /// It names HIP or ROCm at all.
    pub(crate) names_hip: bool,
    /// Words that make a build for AMD, as a person would search for them: `enable_language(HIP)`, `hipcc`.
    pub(crate) signs: BTreeSet<String>,
    /// Options and macros that switch it on.
    pub(crate) options: BTreeSet<String>,
    /// It rewrites the sources with AMD's hipify before it compiles them.
    pub(crate) hipifies: bool,
    /// What its conditions say of the vendors; the sources by their paths from the root of the tree.
    pub(crate) alternatives: Alternatives,
}

impl BuildFacts {
    /// Reads a build file. Scripts say what some machine does, not how the project is built; `setup.py` belongs to PyTorch, which
    /// renames by itself.
    pub(crate) fn new(path: &str, bytes: &[u8]) -> Option<Self> {
        let is_script =
            path.ends_with(".py") || path.contains(".github/") || path.contains("docker");
        let mut facts = Self::default();
        let text = String::from_utf8_lossy(bytes);
        if is_config_header(path) {
            text.lines().for_each(|line| facts.add_config(line));
            return facts.names_hip.then_some(facts);
        }
        let tool = match build_tool(path) {
            Some(tool) if tool != BuildTool::Shell && !is_script => tool,
            _ => return None,
        };
        for line in text.lines() {
            let line = line.split('#').next().unwrap_or_default();
            if mentions(line) {
                facts.add_line(line, tool);
            }
        }
        if facts.names_hip {
            facts.alternatives = Alternatives::of(&text);
            if facts.alternatives.are_chosen {
                facts.sign("a branch for each vendor");
            }
            let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
            let names = std::mem::take(&mut facts.alternatives.of_nvidia).into_iter();
            facts.alternatives.of_nvidia = names.map(|name| joined(folder, &name)).collect();
        }
        facts.names_hip.then_some(facts)
    }

    fn add_line(&mut self, line: &str, tool: BuildTool) {
        let words = line.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '-');
        let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        let of_hip: Vec<&str> = words
            .iter()
            .copied()
            .filter(|word| is_hip_word(word))
            .collect();
        if of_hip.is_empty() {
            return;
        }
        self.names_hip = true;
        let lower = line.trim_start().to_ascii_lowercase();
        let command = lower.split('(').next().unwrap_or_default().trim();
        let first = words.get(1).copied().unwrap_or_default();
        match command {
            "enable_language" | "project" => self.sign(&format!("{command}(… HIP)")),
            "find_package" if is_hip_word(first) => self.sign(&format!("find_package({first})")),
            "hip_add_executable" | "hip_add_library" | "hip_include_directories" => {
                self.sign(command);
            }
            _ if has_any(&lower, &["ac_define(", "am_conditional("]) => {
                for word in words.iter().filter(|word| is_hip_macro(word.as_bytes())) {
                    self.sign(word);
                    self.options.insert((*word).to_owned());
                }
            }
            _ if command.ends_with("option") && is_hip_macro(first.as_bytes()) => {
                self.sign(&format!("option {first}"));
                self.options.insert(first.to_owned());
            }
            _ => {}
        }
        for word in of_hip {
            self.hipifies |= word.starts_with("hipify") && tool != BuildTool::Other;
            if matches!(
                word,
                "hipcc" | "hipify-perl" | "hipify-clang" | "hipify_perl" | "hipify"
            ) {
                self.sign(word);
            }
            let define = word.strip_prefix("-D").unwrap_or_default();
            if is_hip_macro(define.as_bytes()) && !define.starts_with("__HIP") {
                self.options.insert(define.to_owned());
            }
        }
    }

    /// `#undef WITH_HIP`, `#cmakedefine WITH_HIP`: what configuring may define.
    fn add_config(&mut self, line: &str) {
        let mut words = line.split_whitespace();
        let is_define = matches!(
            words.next(),
            Some("#undef" | "#cmakedefine" | "#cmakedefine01")
        );
        let name = words.next().filter(|_| is_define).unwrap_or_default();
        if is_hip_macro(name.as_bytes()) {
            self.names_hip = true;
            self.sign(name);
            self.options.insert(name.to_owned());
        }
    }

    fn sign(&mut self, sign: &str) {
        self.signs.insert(sign.to_owned());
    }
}

/// A path that a list writes, from the root of the tree; its own folder may stand in front as a variable.
fn joined(folder: &str, name: &str) -> String {
    const HERE: &str = "${CMAKE_CURRENT_SOURCE_DIR}/";
    let name = name.strip_prefix(HERE).unwrap_or(name);
    let name = name.trim_start_matches("./");
    match folder {
        "" => name.to_owned(),
        folder => format!("{folder}/{name}"),
    }
}

fn has_any(line: &str, words: &[&str]) -> bool {
    words.iter().any(|word| line.contains(word))
}

/// A header that configuring fills in.
pub(crate) fn is_config_header(path: &str) -> bool {
    [".h.in", ".hpp.in", ".H.in"]
        .iter()
        .any(|end| path.ends_with(end))
}

fn mentions(line: &str) -> bool {
    let has = |stem: &str| memchr::memmem::find(line.as_bytes(), stem.as_bytes()).is_some();
    has("HIP")
        || has("AMDGPU")
        || has("hip")
        || has("ROCM")
        || has("rocm")
        || has("ROCm")
        || has("Hip")
        || has("roc")
}

/// `HIP`, `hipcc`, `-DUSE_HIP`, `hip`, `ROCM`; not `ship`.
fn is_hip_word(word: &str) -> bool {
    const WORDS: &[&str] = &["amdgpu", "hip", "hipcc", "rocm", "hipify"];
    let lower = word.to_ascii_lowercase();
    let mut parts = lower.split(['_', '-']);
    is_hip_macro(word.trim_start_matches("-D").as_bytes())
        || parts.any(|part| WORDS.contains(&part))
        || [
            "hipblas",
            "hiprand",
            "hipsparse",
            "hipfft",
            "hipsolver",
            "hipcub",
            "rocblas",
            "rocsparse",
            "rocsolver",
            "rocrand",
            "rocfft",
            "rocprim",
            "rocthrust",
        ]
        .contains(&&*lower)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signs(path: &str, text: &str) -> String {
        let facts = BuildFacts::new(path, text.as_bytes()).unwrap_or_default();
        let signs: Vec<String> = facts.signs.into_iter().chain(facts.options).collect();
        signs.join(", ")
    }

    #[test]
    fn each_way_to_build_for_amd_is_seen() {
        let cases = [
            (
                "CMakeLists.txt",
                "enable_language(HIP)",
                "enable_language(… HIP)",
            ),
            (
                "CMakeLists.txt",
                "project(a LANGUAGES CXX HIP)",
                "project(… HIP)",
            ),
            (
                "CMakeLists.txt",
                "  find_package(hip REQUIRED)",
                "find_package(hip)",
            ),
            (
                "thrust.cmake",
                "find_package(rocthrust REQUIRED CONFIG)",
                "find_package(rocthrust)",
            ),
            ("CMakeLists.txt", "find_package(process REQUIRED)", ""),
            ("a.cmake", "hip_add_library(a a.cu)", "hip_add_library"),
            (
                "CMakeLists.txt",
                "option(A_USE_HIP \"use HIP\" OFF)",
                "option A_USE_HIP, A_USE_HIP",
            ),
            (
                "CMakeLists.txt",
                "option(A_WITH_AMDGPU \"\" OFF)",
                "option A_WITH_AMDGPU, A_WITH_AMDGPU",
            ),
            (
                "CMakeLists.txt",
                "if(A_BACKEND STREQUAL \"cuda\")\n  find_package(CUDAToolkit)\nelseif(A_BACKEND STREQUAL \"rocm\")\nendif()",
                "a branch for each vendor",
            ),
            ("Makefile", "CXX = hipcc -DUSE_HIP", "hipcc, USE_HIP"),
            ("Makefile", "\thipify-perl $< > $@", "hipify-perl"),
            ("CMakeLists.txt", "# enable_language(HIP)", ""),
            ("CMakeLists.txt", "message(\"ships with CUDA\")", ""),
            (
                "a/config.h.in",
                "#undef A_WITH_HIP",
                "A_WITH_HIP, A_WITH_HIP",
            ),
            (
                "config/rocm.m4",
                "AS_IF([a], [AC_DEFINE([HAVE_ROCM], 1, [ROCm])])",
                "HAVE_ROCM, HAVE_ROCM",
            ),
            ("setup.py", "hipify()", ""),
            ("build.sh", "hipcc a.cpp", ""),
        ];
        for (path, text, expected) in cases {
            assert_eq!(signs(path, text), expected, "{text}");
        }
    }
}
