use std::sync::{Arc, OnceLock};

use super::{LineCol, LineIndex, TextRange};

/// What a file is written in, decided from its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// C, C++, CUDA, HIP and what they include.
    CFamily,
    /// What says how those are compiled.
    Build(BuildTool),
    /// Python, which may build extensions, hold CUDA in strings, or write kernels itself.
    Python,
    /// A Jupyter notebook: Python in cells of a JSON file.
    Notebook,
    /// What the driver of CUDA loads at run time: PTX, cubins, fatbins, listings of machine code. It stays as it is.
    Module,
    /// A program that may call CUDA's libraries by their names in C. It stays as it is.
    Caller(Caller),
    /// Anything else: copied, never translated.
    Other,
}

/// A language whose programs call functions of C by their names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Caller {
    /// By cgo.
    Go,
    /// By `cdef extern`.
    Cython,
    /// By `bind(c)`, or CUDA Fortran.
    Fortran,
    /// By `extern "C"`.
    Rust,
    /// By `ccall`.
    Julia,
}

/// What a build file is written for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BuildTool {
    /// `Makefile`, `rules.mk`.
    Make,
    /// `CMakeLists.txt`, `FindX.cmake`.
    CMake,
    /// `build.sh`, `job.slurm`, `justfile`.
    Shell,
    /// `meson.build`, `BUILD.bazel`, `configure`, a `Dockerfile`, a workflow of a CI, `requirements.txt`: read, never changed.
    Other,
}

/// What CMake, configure or a program of Python fills in: `kernel.cu.in`, `config.h.in`, `kernel.cu.jinja`, `job.sbatch.j2`.
const FILLED_IN: &[&str] = &[
    "in", "jinja", "jinja2", "j2", "mako", "template", "tmpl", "tpl",
];

impl Language {
    /// Decides by extension; `path` uses `/`.
    pub fn of_path(path: &str) -> Self {
        const C_FAMILY: &[&str] = &[
            "cu", "cuh", "c", "cc", "cpp", "cxx", "c++", "h", "hh", "hpp", "hxx", "h++", "inl",
            "inc", "ipp", "tpp", "tcc", "txx", "cl", "hip", "impl", "def", "cuinc", "ixx", "cppm",
            "ccm", "cxxm", "c++m", "mpp",
        ];
        let name = path.rsplit('/').next().unwrap_or(path);
        let is_c_family = |name: &str| {
            let extension = name.rsplit_once('.').map(|(_, extension)| extension);
            extension.is_some_and(|it| C_FAMILY.contains(&it.to_ascii_lowercase().as_str()))
        };
        match name.rsplit_once('.') {
            _ if is_makefile(name) => BuildTool::of_path(path).map_or(Self::Other, Self::Build),
            Some((_, "py" | "pyi" | "pyw")) => Self::Python,
            _ if is_c_family(name) => Self::CFamily,
            Some((template, end)) if FILLED_IN.contains(&end) && is_c_family(template) => {
                Self::CFamily
            }
            Some((_, "ipynb")) => Self::Notebook,
            Some((_, "ptx" | "cubin" | "fatbin" | "sass")) => Self::Module,
            Some((_, "go")) => Self::Caller(Caller::Go),
            Some((_, "pyx" | "pxd" | "pxi")) => Self::Caller(Caller::Cython),
            Some((
                _,
                "f90" | "F90" | "f95" | "F95" | "f03" | "F03" | "f08" | "F08" | "cuf" | "CUF",
            )) => Self::Caller(Caller::Fortran),
            Some((_, "rs")) => Self::Caller(Caller::Rust),
            Some((_, "jl")) => Self::Caller(Caller::Julia),
            _ => BuildTool::of_path(path).map_or(Self::Other, Self::Build),
        }
    }

    /// The same where the text is at hand: `.def` is the end of lists of macros and of definitions of containers, `.inc` that of parts of
    /// C and of make, a script without an end says in its first line who reads it, and a file of YAML by its keys.
    pub(crate) fn of_file(path: &str, bytes: &[u8]) -> Self {
        match Self::of_path(path) {
            Self::CFamily if path.ends_with(".def") && defines_container(bytes) => {
                Self::Build(BuildTool::Other)
            }
            Self::CFamily if path.ends_with(".inc") && begins_as_make(bytes) => {
                Self::Build(BuildTool::Make)
            }
            Self::Other if may_be_script(path) => of_first_line(bytes),
            Self::Other if is_yaml(path) && YamlKind::of_text(bytes).is_some() => {
                Self::Build(BuildTool::Other)
            }
            by_path => by_path,
        }
    }

    /// Whether it is C, C++, CUDA or HIP.
    pub(crate) fn is_cpp(self) -> bool {
        self == Self::CFamily
    }

    /// What a build file is written for; `None` for other languages.
    pub(crate) fn build_tool(self) -> Option<BuildTool> {
        match self {
            Self::Build(tool) => Some(tool),
            _ => None,
        }
    }
}

/// Whether a path is that of a file of C, C++, CUDA or HIP.
pub(crate) fn is_cpp(path: &str) -> bool {
    Language::of_path(path).is_cpp()
}

/// What the build file with this path is written for; `None` for other files.
pub(crate) fn build_tool(path: &str) -> Option<BuildTool> {
    Language::of_path(path).build_tool()
}

/// How much of a file whose name does not say what it is has to be read to know it, in bytes: a script of two tells so, `#!`. `None` where
/// its name says all.
pub(crate) fn start_to_read(path: &str) -> Option<usize> {
    match may_be_script(path) {
        true => Some(2),
        false => is_yaml(path).then_some(YamlKind::HEAD),
    }
}

/// Whether the start of a file whose name does not say what it is says that it is read.
pub(crate) fn is_read_by_start(path: &str, start: &[u8]) -> bool {
    match may_be_script(path) {
        true => start == b"#!",
        false => YamlKind::of_text(start).is_some(),
    }
}

/// Whether only the first line of a file says what it is: it has no end to its name, `tools/launch`.
fn may_be_script(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    !name.contains('.')
}

fn is_yaml(path: &str) -> bool {
    path.ends_with(".yml") || path.ends_with(".yaml")
}

/// What a file of YAML with any name says what to install or to run for, by the keys that begin its lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum YamlKind {
    /// An environment of conda's: `channels:` and `dependencies:`.
    Environment,
    /// A manifest of Kubernetes, `apiVersion:` and `kind:`, or values for one.
    Manifest,
    /// An action of GitHub's that is made of steps: `runs:` and `using: composite`.
    Action,
    /// A task of a cluster: an `image:` and the `command:` or `run:` in it.
    Task,
}

impl YamlKind {
    /// The keys of such a file stand at its head, in bytes.
    const HEAD: usize = 4096;

    /// What the head of a file says that it is.
    pub(crate) fn of_text(bytes: &[u8]) -> Option<Self> {
        let head = &bytes[..bytes.len().min(Self::HEAD)];
        let lines = || head.split(|byte| *byte == b'\n');
        let has = |key: &str| lines().any(|line| line.starts_with(key.as_bytes()));
        let says = |word: &str| memchr::memmem::find(head, word.as_bytes()).is_some();
        let is_environment =
            has("dependencies:") && (has("channels:") || says("- pip:") || says("- python"));
        let is_task = has("image:") && (has("command:") || has("run:"));
        match () {
            () if is_environment => Some(Self::Environment),
            () if has("apiVersion:") && has("kind:") || says("runtimeClassName:") => {
                Some(Self::Manifest)
            }
            () if has("runs:") && says("using:") => Some(Self::Action),
            () if is_task => Some(Self::Task),
            () => None,
        }
    }
}

/// What reads a script by its first line, `#!/usr/bin/env python3`, `#!/bin/sh -e`.
fn of_first_line(bytes: &[u8]) -> Language {
    /// The kernel of Linux reads no further.
    const LONGEST: usize = 256;
    let start = &bytes[..bytes.len().min(LONGEST)];
    let line = start.split(|byte| *byte == b'\n').next();
    let line = line
        .and_then(|it| it.strip_prefix(b"#!"))
        .unwrap_or_default();
    let line = String::from_utf8_lossy(line);
    let mut words = line.split_whitespace();
    let mut program = words.next().map_or("", last_part);
    if program == "env" {
        // `env -S python3 -u`, `env NAME=value sh`
        let is_program = |it: &&str| !it.starts_with('-') && !it.contains('=');
        program = words.find(is_program).map_or("", last_part);
    }
    match program.trim_end_matches(|it: char| it.is_ascii_digit() || it == '.') {
        "python" | "pypy" => Language::Python,
        "sh" | "bash" | "dash" | "zsh" | "ksh" => Language::Build(BuildTool::Shell),
        _ => Language::Other,
    }
}

/// The name of a program by its path.
fn last_part(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Whether a text defines a container of Apptainer's: its head says what it starts from.
fn defines_container(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(2000)];
    let mut lines = head.split(|byte| *byte == b'\n');
    let key = b"bootstrap:";
    lines.any(|line| line.len() > key.len() && line[..key.len()].eq_ignore_ascii_case(key))
}

/// Whether the first line of a text that is no comment is one of make's: `NVCC := nvcc`, `ifeq ($(GPU),1)`.
fn begins_as_make(bytes: &[u8]) -> bool {
    const OF_C: &[&[u8]] = &[
        b"include", b"define", b"if", b"pragma", b"undef", b"error", b"line",
    ];
    let is_comment = |line: &&[u8]| {
        let rest = line.strip_prefix(b"#").map(<[u8]>::trim_ascii_start);
        rest.is_some_and(|rest| !OF_C.iter().any(|word| rest.starts_with(word)))
    };
    let lines = bytes.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    let mut code = lines.filter(|line| !line.is_empty() && !is_comment(line));
    code.next().is_some_and(is_line_of_make)
}

fn is_line_of_make(line: &[u8]) -> bool {
    const CONDITIONS: &[&[u8]] = &[b"ifeq (", b"ifneq (", b"ifdef ", b"ifndef ", b"include "];
    let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || b"_-.".contains(byte);
    let name = line.iter().take_while(is_part).count();
    let sign = line[name..].trim_ascii_start();
    let assigns = [&b":="[..], b"?=", b"+=", b"="]
        .iter()
        .any(|it| sign.starts_with(it));
    let is_assignment = name > 0 && assigns && !sign.starts_with(b"==") && !line.ends_with(b";");
    is_assignment || CONDITIONS.iter().any(|word| line.starts_with(word))
}

/// The folder of what CMake's module for CUDA is made of.
pub(crate) const FIND_CUDA: &str = "FindCUDA/";

impl BuildTool {
    fn of_path(path: &str) -> Option<Self> {
        let name = path.rsplit('/').next().unwrap_or(path);
        // What an editor, `patch` or this program keeps beside a file that it changes: nobody builds with it.
        const KEPT: &[&str] = &[".cuda-orig", ".orig", ".rej", ".bak", ".old", ".save", "~"];
        // What an image leaves out, `Dockerfile.dockerignore`.
        if name.ends_with(".dockerignore") {
            return None;
        }
        if KEPT.iter().any(|suffix| name.ends_with(suffix)) || name.contains(".cuda-orig.") {
            return None;
        }
        let name = match name.rsplit_once('.') {
            Some((template, end)) if FILLED_IN.contains(&end) => template,
            _ => name,
        };
        // Libtool's own, which every project that uses it carries: they ask how each compiler there is wants its options.
        const OF_LIBTOOL: &[&str] = &[
            "libtool.m4",
            "ltmain.sh",
            "ltoptions.m4",
            "ltsugar.m4",
            "ltversion.m4",
            "lt~obsolete.m4",
        ];
        if OF_LIBTOOL.contains(&name) {
            return None;
        }
        let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
        let stem = name.split('.').next().unwrap_or(name);
        match extension {
            // Copies of CMake's own module for CUDA, which nobody asks for once the language is HIP.
            "cmake" if name.ends_with("FindCUDA.cmake") || path.contains(FIND_CUDA) => {
                Some(Self::Other)
            }
            "cmake" => Some(Self::CMake),
            "mk" | "mak" | "make" | "gmk" => Some(Self::Make),
            // Jobs of a cluster are scripts of a shell.
            "sh" | "bash" | "zsh" | "ksh" | "slurm" | "sbatch" | "pbs" | "lsf" => Some(Self::Shell),
            "just" => Some(Self::Shell),
            _ if matches!(name, "justfile" | "Justfile" | ".justfile") => Some(Self::Shell),
            _ if name == "CMakeLists.txt" => Some(Self::CMake),
            _ if is_makefile(name) => Some(Self::Make),
            _ => is_other(path, name, stem, extension).then_some(Self::Other),
        }
    }
}

/// Whether a file is one of make's by its name, whatever follows or comes before: `Makefile.hip`, `Makefile.inc`, `makefile_gpu`, `make.inc`,
/// `Make.Linux_CUDA`, `docker.Makefile`. A program, a page or data that is called `make` is none.
fn is_makefile(name: &str) -> bool {
    const OTHERS: &[&str] = &[
        "bash", "bat", "c", "cc", "cmd", "cpp", "csh", "csv", "cu", "cuh", "cxx", "el", "exe",
        "go", "h", "hpp", "html", "ipynb", "java", "jl", "js", "json", "log", "lua", "m", "md",
        "out", "pdf", "pl", "png", "ps1", "py", "r", "rb", "rs", "rst", "sh", "svg", "tex", "toml",
        "ts", "txt", "xml", "yaml", "yml",
    ];
    let starts = ["Makefile", "makefile", "GNUmakefile"];
    if name.ends_with(".Makefile") || name.ends_with(".makefile") {
        return true;
    }
    let rest = starts.iter().find_map(|start| name.strip_prefix(start));
    let part = name.strip_prefix("make.").or(name.strip_prefix("Make."));
    let extension = part.map(|part| part.rsplit('.').next().unwrap_or(part).to_ascii_lowercase());
    rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_alphanumeric()))
        || extension.is_some_and(|it| !OTHERS.contains(&it.as_str()))
}

/// Whether a file says how something is built or installed, in a language that this program does not write.
fn is_other(path: &str, name: &str, stem: &str, extension: &str) -> bool {
    const NAMES: &[&str] = &[
        "meson.build",
        "meson_options.txt",
        "meson.options",
        "BUILD",
        "BUCK",
        "WORKSPACE",
        "configure.ac",
        "configure",
        "SConstruct",
        "SConscript",
        "xmake.lua",
        "pyproject.toml",
        "pixi.toml",
        "meta.yaml",
        "recipe.yaml",
        "conda_build_config.yaml",
        "wscript",
        "devcontainer.json",
        ".devcontainer.json",
        ".gitmodules",
    ];
    const EXTENSIONS: &[&str] = &[
        "m4",
        "bzl",
        "bazel",
        "vcxproj",
        "bat",
        "cmd",
        "ps1",
        "dockerfile",
        "ninja",
        "nix",
        "pro",
        "pri",
    ];
    let is_yaml = matches!(extension, "yml" | "yaml");
    let starts = |starts: &[&str]| starts.iter().any(|start| stem.starts_with(start));
    NAMES.contains(&name)
        || EXTENSIONS.contains(&extension.to_ascii_lowercase().as_str())
        || name.ends_with("Presets.json")
        || starts(&["Dockerfile", "Containerfile", "Singularity", "Apptainer"])
        || is_yaml && starts(&["docker-compose", "compose", "environment"])
        || is_job(path)
        || extension == "txt" && is_list_of_requirements(path, stem)
}

/// `requirements-gpu.txt`, `dev_requirements.txt`, `requirements/cuda.txt`.
fn is_list_of_requirements(path: &str, stem: &str) -> bool {
    stem.contains("requirements") || is_below(path, "requirements/")
}

/// Whether a file says by its name what a service of CI runs.
fn is_job(path: &str) -> bool {
    const NAMES: &[&str] = &[
        ".travis.yml",
        ".cirrus.yml",
        ".drone.yml",
        "appveyor.yml",
        ".appveyor.yml",
        "bitbucket-pipelines.yml",
        "Jenkinsfile",
    ];
    const FOLDERS: &[&str] = &[
        ".github/workflows/",
        ".circleci/",
        ".azure/",
        ".azure-pipelines/",
        ".buildkite/",
        ".gitlab/",
        ".lightning/workflows/",
        ".semaphore/",
        ".woodpecker/",
    ];
    let name = path.rsplit('/').next().unwrap_or(path);
    let is_yaml = name.ends_with(".yml") || name.ends_with(".yaml");
    let is_named = name.contains(".gitlab-ci.") || name.starts_with("azure-pipelines");
    NAMES.contains(&name) || is_yaml && (is_named || FOLDERS.iter().any(|it| is_below(path, it)))
}

/// Whether a file is for a service of CI, which runs it on machines of its own: a job, or a script that lies beside it.
pub(crate) fn is_of_ci(path: &str) -> bool {
    const FOLDERS: &[&str] = &[
        ".azure-pipelines/",
        ".buildkite/",
        ".ci/",
        ".circleci/",
        ".github/",
        ".gitlab/",
    ];
    is_job(path) || FOLDERS.iter().any(|it| is_below(path, it))
}

/// Whether a file lies below a folder, wherever that is.
fn is_below(path: &str, folder: &str) -> bool {
    path.starts_with(folder) || path.contains(&format!("/{folder}"))
}

/// One input file: its path relative to the tree's root, and its bytes, whatever their encoding.
#[derive(Debug)]
pub struct SourceFile {
    /// Path relative to the root of the run, with `/` between its parts.
    pub path: String,
    /// The file as it was read.
    pub bytes: Vec<u8>,
    /// What it is written in.
    pub language: Language,
    /// It stands in the strings of a file that is written for HIP already, so that it is HIP as well.
    pub in_hip: bool,
    /// Words that the program around it puts others in the place of before anybody compiles it.
    pub replaced: Arc<[String]>,
    /// Headers that who compiles it includes in front.
    pub included_before: &'static [&'static str],
    lines: OnceLock<LineIndex>,
}

impl SourceFile {
    /// A source file; the language follows from the name.
    pub fn new(path: impl Into<String>, bytes: Vec<u8>) -> Self {
        let path = path.into();
        let language = Language::of_file(&path, &bytes);
        Self {
            path,
            bytes,
            language,
            in_hip: false,
            replaced: Arc::default(),
            included_before: &[],
            lines: OnceLock::new(),
        }
    }

    /// A file that C++ includes, whatever its name says.
    pub(crate) fn included(path: impl Into<String>, bytes: Vec<u8>) -> Self {
        Self {
            language: Language::CFamily,
            ..Self::new(path, bytes)
        }
    }

    /// The same file with other bytes: what it became, or a piece of it.
    #[must_use]
    pub(crate) fn with_bytes(&self, bytes: Vec<u8>) -> Self {
        Self {
            path: self.path.clone(),
            bytes,
            language: self.language,
            in_hip: self.in_hip,
            replaced: Arc::clone(&self.replaced),
            included_before: self.included_before,
            lines: OnceLock::new(),
        }
    }

    /// The bytes of a range.
    #[inline]
    pub fn slice(&self, range: TextRange) -> &[u8] {
        &self.bytes[range.as_usize()]
    }

    /// Whether a text occurs anywhere: a quick answer before a look at tokens.
    pub(crate) fn mentions(&self, text: &str) -> bool {
        memchr::memmem::find(&self.bytes, text.as_bytes()).is_some()
    }

    /// The text of a range, invalid UTF-8 replaced: for messages, never for output.
    pub fn text(&self, range: TextRange) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(self.slice(range))
    }

    /// The line index, built on first use.
    pub fn lines(&self) -> &LineIndex {
        self.lines.get_or_init(|| LineIndex::new(&self.bytes))
    }

    /// Line and column of an offset.
    pub fn line_col(&self, offset: u32) -> LineCol {
        self.lines().line_col(offset)
    }

    /// The bytes of a 1-based line without its line end.
    pub fn line(&self, line: u32) -> &[u8] {
        let start = self
            .lines()
            .line_start(line)
            .unwrap_or(self.bytes.len() as u32) as usize;
        let end = self
            .lines()
            .line_start(line.saturating_add(1))
            .map_or(self.bytes.len(), |next| next as usize - 1);
        let text = &self.bytes[start..end.max(start)];
        text.strip_suffix(b"\r").unwrap_or(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_without_an_end_says_who_reads_it() {
        let shell = Language::Build(BuildTool::Shell);
        for (path, text, expected) in [
            ("bin/run", "#!/usr/bin/env python3\n", Language::Python),
            ("bin/run", "#!/usr/bin/python3.11 -u\n", Language::Python),
            ("bin/run", "#!/usr/bin/env -S python -u\n", Language::Python),
            ("bin/run", "#!/bin/sh", shell),
            ("bin/run", "#! /usr/bin/env bash\r\n", shell),
            ("bin/run", "#!/usr/bin/perl\n", Language::Other),
            ("bin/run", "# python\n", Language::Other),
            ("bin/run", "", Language::Other),
            ("bin/run.pl", "#!/bin/sh\n", Language::Other),
            ("a.b/run", "#!/bin/sh\n", shell),
        ] {
            assert_eq!(Language::of_file(path, text.as_bytes()), expected, "{text}");
        }
    }

    #[test]
    fn a_template_is_what_it_becomes() {
        for name in [
            "lib.cu.in",
            "config.h.in",
            "a/b.hpp.in",
            "gemm.cu.jinja",
            "a/k.cuh.j2",
            "k.cpp.tmpl",
        ] {
            assert_eq!(Language::of_path(name), Language::CFamily, "{name}");
        }
        let make = Language::Build(BuildTool::Make);
        for name in [
            "Makefile.in",
            "a/Makefile.hip",
            "Makefile.inc",
            "makefile_gpu",
            "make.inc",
            "setup/Make.Linux_CUDA",
            "arch.make",
        ] {
            assert_eq!(Language::of_path(name), make, "{name}");
        }
        assert_eq!(Language::of_path("Makefile.orig"), Language::Other);
        assert_eq!(Language::of_path("makefiles.h"), Language::CFamily);
        assert_eq!(Language::of_path("make.cpp"), Language::CFamily);
        for name in [
            "notes.in",
            "page.html.jinja",
            "conf.yml.j2",
            "k.tmpl",
            "make.m",
            "make.inc.orig",
        ] {
            assert_eq!(Language::of_path(name), Language::Other, "{name}");
        }
    }

    #[test]
    fn a_part_of_make_is_told_from_one_of_c_by_its_text() {
        let of = |text: &str| Language::of_file("common.inc", text.as_bytes());
        let make = Language::Build(BuildTool::Make);
        for text in [
            "# flags\n\nNVCC ?= nvcc\n",
            "ifeq ($(GPU),1)\nendif\n",
            "#CUDA\r\nFLAGS+=-O2\r\n",
        ] {
            assert_eq!(of(text), make, "{text}");
        }
        for text in [
            "#include \"a.h\"\nA = 1\n",
            "x = 3;\n",
            "{1, 2},\n",
            "// a\nA = B\n",
            "",
        ] {
            assert_eq!(of(text), Language::CFamily, "{text}");
        }
    }

    #[test]
    fn a_definition_of_a_container_is_told_from_a_list_of_macros_by_its_text() {
        let of = |text: &str| Language::of_file("app.def", text.as_bytes());
        let container =
            "# An image\nBootstrap: docker\nFrom: nvidia/cuda:12.4.1-devel-ubuntu22.04\n";
        assert_eq!(of(container), Language::Build(BuildTool::Other));
        assert_eq!(of("OP(add)\nOP(bootstrap:)\n"), Language::CFamily);
        let shell = Language::Build(BuildTool::Shell);
        for name in ["job.slurm", "a/run.sbatch", "justfile"] {
            assert_eq!(Language::of_path(name), shell, "{name}");
        }
        let other = Language::Build(BuildTool::Other);
        for name in [
            "Singularity.gpu",
            "app.pro",
            "default.nix",
            "wscript",
            ".devcontainer/devcontainer.json",
            "backend.Dockerfile",
            "docker/dev-requirements.txt",
            "requirements/cuda.txt",
            ".azure/gpu-tests.yml",
            "ci/azure-pipelines-gpu.yaml",
            "ci/jobs.gitlab-ci.yml",
        ] {
            assert_eq!(Language::of_path(name), other, "{name}");
        }
        for name in [
            "m4/libtool.m4",
            "build-aux/ltmain.sh",
            "notes.txt",
            "azure.yml",
        ] {
            assert_eq!(Language::of_path(name), Language::Other, "{name}");
        }
    }
}
