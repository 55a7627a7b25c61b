//! What a command line of nvcc asks for.

use std::path::Path;

use super::flags;
use super::words::{Word, list, words};
use crate::mapping::{Choices, chip};
use crate::text::standard::dialect;

/// What is made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// A program, or a shared library.
    #[default]
    Link,
    /// Objects.
    Compile,
    /// An object with the device code of several, linked.
    DeviceLink,
    /// An archive.
    Library,
    /// Preprocessed text.
    Preprocess,
    /// Dependencies of the sources, and no code.
    Dependencies,
    /// Code for the GPU alone, as hipModuleLoad reads it.
    Module,
}

/// What an input is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// CUDA C++.
    Cuda,
    /// C++ for the host.
    Cpp,
    /// C.
    C,
    /// An object, an archive, whatever the linker takes.
    Object,
}

/// What follows in the order of the command line: objects and libraries depend on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// An input.
    File(String, Kind),
    /// Words for the linker.
    Link(Vec<String>),
}

/// A command line, understood.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Invocation {
    /// What is made.
    pub mode: Mode,
    /// Inputs and libraries in order.
    pub items: Vec<Item>,
    /// `-o`.
    pub output: Option<String>,
    /// `-odir`.
    pub folder: Option<String>,
    /// Folders and files of headers: the option of clang and its argument, in order.
    pub includes: Vec<(&'static str, String)>,
    /// Options of compiling for clang.
    pub compile: Vec<String>,
    /// Options of linking for clang.
    pub link: Vec<String>,
    /// Options about dependency files, as clang takes them.
    pub dependencies: Vec<String>,
    /// `-MF`.
    pub dependency_file: Option<String>,
    /// Chips of AMD that the command line names.
    pub targets: Vec<String>,
    /// Virtual architectures of NVIDIA that it names: `80`.
    pub architectures: Vec<String>,
    /// Device code of several objects is linked.
    pub is_relocatable: bool,
    /// `-shared`.
    pub is_shared: bool,
    /// Commands are printed and not run.
    pub is_dry: bool,
    /// Commands are printed.
    pub is_verbose: bool,
    /// No warnings.
    pub is_quiet: bool,
    /// The program is run, with these arguments.
    pub run: Option<Vec<String>>,
    /// What a person should know of the options.
    pub warnings: Vec<String>,
    /// What is asked of nvcc itself.
    pub question: Option<Question>,
    /// Extension of the code for the GPU alone.
    pub module: &'static str,
}

/// What is asked of nvcc itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// `--version`.
    Version,
    /// `--help`.
    Help,
    /// `--list-gpu-arch`.
    Architectures,
    /// `--list-gpu-code`.
    Chips,
}

/// Whether `-ptx` and `-cubin` write AMD's code object in place of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Modules(pub bool);

impl Invocation {
    /// Reads a command line. Library names become those of the chosen families.
    ///
    /// # Errors
    /// When an option has no counterpart on AMD or an argument is missing: the message says which, and what to do.
    pub fn new(
        arguments: Vec<String>,
        choices: &Choices,
        modules: Modules,
    ) -> Result<Self, String> {
        let mut reading = Reading {
            all: Self::default(),
            language: None,
            choices,
            modules,
        };
        for word in words(arguments)? {
            match word {
                Word::File(path) => reading.file(path),
                Word::Unknown(option) => reading.unknown(option),
                Word::Option {
                    name,
                    spelling,
                    value,
                } => reading.option(&name, &spelling, value)?,
            }
        }
        Ok(reading.all)
    }

    /// The inputs that are compiled.
    pub fn sources(&self) -> impl Iterator<Item = (&str, Kind)> {
        self.items.iter().filter_map(|item| match item {
            Item::File(path, kind) if *kind != Kind::Object => Some((path.as_str(), *kind)),
            _ => None,
        })
    }
}

struct Reading<'c> {
    all: Invocation,
    /// `-x`.
    language: Option<Kind>,
    choices: &'c Choices,
    modules: Modules,
}

impl Reading<'_> {
    fn file(&mut self, path: String) {
        let kind = self.language.unwrap_or_else(|| kind_of(&path));
        let item = match flags::library_file(&path, self.choices) {
            Some(link) if kind == Kind::Object && !Path::new(&path).exists() => Item::Link(link),
            _ => Item::File(path, kind),
        };
        self.all.items.push(item);
    }

    /// Options of the host compiler reach both steps, as with `-forward-unknown-to-host-compiler`.
    fn unknown(&mut self, option: String) {
        if option.starts_with("-Wl,") {
            return self.all.items.push(Item::Link(vec![option]));
        }
        if flags::is_for_both(&option) {
            self.all.link.push(option.clone());
        }
        self.all.compile.extend(flags::of_host(option));
    }

    fn option(&mut self, name: &str, spelling: &str, value: String) -> Result<(), String> {
        if self.mode(name)? || self.switch(name, &value) || self.files(name, &value) {
            return Ok(());
        }
        match name {
            "compiler-options" => list(&value, true)
                .into_iter()
                .for_each(|word| self.unknown(word)),
            "linker-options" => {
                let words = list(&value, true).into_iter();
                let words = words.flat_map(|word| ["-Xlinker".to_owned(), word]);
                self.all.items.push(Item::Link(words.collect()));
            }
            "library" => {
                for library in list(&value, false) {
                    let (link, advice) = flags::library(&library, self.choices);
                    self.all.warnings.extend(advice);
                    self.all.items.push(Item::Link(link));
                }
            }
            "gpu-architecture" | "gpu-code" | "generate-code" => self.architecture(&value),
            "std" => self.all.compile.push(format!("-std={}", standard(&value))),
            "optimize" => self.all.compile.push(format!("-O{value}")),
            "machine" => {}
            _ => {
                let (words, review) = flags::of_table(name, spelling, &value)?;
                self.all.compile.extend(words);
                self.all.warnings.extend(review);
            }
        }
        Ok(())
    }

    /// What is made; whether the option is one of those.
    fn mode(&mut self, name: &str) -> Result<bool, String> {
        let mode = match name {
            "compile" | "device-c" | "device-w" => Mode::Compile,
            "device-link" => Mode::DeviceLink,
            "link" => Mode::Link,
            "lib" => Mode::Library,
            "preprocess" => Mode::Preprocess,
            "generate-dependencies" | "generate-nonsystem-dependencies" => Mode::Dependencies,
            "optix-ir" | "ltoir" => return Err(flags::no_module(name)),
            "ptx" | "cubin" if !self.modules.0 => return Err(flags::no_module(name)),
            "ptx" => self.module("ptx"),
            "cubin" => self.module("cubin"),
            "fatbin" => self.module("fatbin"),
            _ => return Ok(false),
        };
        self.all.is_relocatable |= name == "device-c";
        if mode == Mode::Dependencies {
            let short = if name == "generate-dependencies" {
                "-M"
            } else {
                "-MM"
            };
            self.all.dependencies.push(short.to_owned());
        }
        // `-E -M` and `-c -M`: dependencies win, whatever else is asked for.
        if self.all.mode != Mode::Dependencies {
            self.all.mode = mode;
        }
        Ok(true)
    }

    fn module(&mut self, name: &'static str) -> Mode {
        self.all.module = name;
        self.all.warnings.push(flags::module_warning(name));
        Mode::Module
    }

    /// What is on or off, and questions; whether the option is one of those.
    fn switch(&mut self, name: &str, value: &str) -> bool {
        let all = &mut self.all;
        match name {
            "version" => all.question = Some(Question::Version),
            "help" => all.question = Some(Question::Help),
            "list-gpu-arch" => all.question = Some(Question::Architectures),
            "list-gpu-code" => all.question = Some(Question::Chips),
            "dryrun" => all.is_dry = true,
            "verbose" => all.is_verbose = true,
            "run" => drop(all.run.get_or_insert_default()),
            "run-args" => all.run.get_or_insert_default().extend(list(value, true)),
            "shared" => all.is_shared = true,
            "relocatable-device-code" => all.is_relocatable = value == "true",
            "disable-warnings" => {
                all.is_quiet = true;
                all.compile.push("-w".to_owned());
            }
            "debug" => all.compile.push("-g".to_owned()),
            "profile" => {
                all.compile.push("-pg".to_owned());
                all.link.push("-pg".to_owned());
            }
            // Temporary files belong to nobody here: nothing to keep, nothing to clean.
            "keep" | "keep-dir" | "clean-targets" | "objdir-as-tempdir" => {}
            _ => return false,
        }
        true
    }

    /// Files and folders; whether the option is one of those.
    fn files(&mut self, name: &str, value: &str) -> bool {
        let all = &mut self.all;
        match name {
            "output-file" => all.output = Some(value.to_owned()),
            "output-directory" => all.folder = Some(value.to_owned()),
            "dependency-output" => all.dependency_file = Some(value.to_owned()),
            "dependency-target-name" => {
                all.dependencies
                    .extend(["-MT".to_owned(), value.to_owned()]);
            }
            "generate-dependency-targets" => all.dependencies.push("-MP".to_owned()),
            "generate-dependencies-with-compile" => all.dependencies.push("-MD".to_owned()),
            "generate-nonsystem-dependencies-with-compile" => {
                all.dependencies.push("-MMD".to_owned());
            }
            "include-path" => all
                .includes
                .extend(list(value, false).into_iter().map(|path| ("-I", path))),
            "system-include" => all.includes.extend(
                list(value, false)
                    .into_iter()
                    .map(|path| ("-isystem", path)),
            ),
            "pre-include" => all.includes.push(("-include", value.to_owned())),
            "define-macro" => all.compile.push(format!("-D{value}")),
            "undefine-macro" => all.compile.push(format!("-U{value}")),
            "library-path" => {
                let folders = list(value, false)
                    .into_iter()
                    .map(|path| format!("-L{path}"));
                all.link.extend(folders);
            }
            "x" => {
                self.language = match value {
                    "cu" => Some(Kind::Cuda),
                    "c++" => Some(Kind::Cpp),
                    "c" => Some(Kind::C),
                    _ => None,
                }
            }
            _ => return false,
        }
        true
    }

    /// `sm_80` and `arch=compute_80,code=sm_80` say nothing to AMD; `gfx90a` does.
    fn architecture(&mut self, value: &str) {
        let words = value
            .split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | ':' | '+' | '-')));
        for word in words {
            let number = |prefix| word.strip_prefix(prefix).map(str::to_owned);
            if chip::target_id(word).is_ok() {
                self.all.targets.push(word.to_owned());
            }
            let virtual_one = number("compute_").or_else(|| number("sm_"));
            self.all
                .architectures
                .extend(virtual_one.filter(|number| !number.is_empty()));
        }
        self.all.architectures.dedup();
    }
}

/// What a file is, by its name.
fn kind_of(path: &str) -> Kind {
    match Path::new(path)
        .extension()
        .and_then(|extension| extension.to_str())
    {
        Some("cu" | "hip") => Kind::Cuda,
        Some("cc" | "cpp" | "cxx" | "c++" | "C" | "CPP") => Kind::Cpp,
        Some("c") => Kind::C,
        _ => Kind::Object,
    }
}

/// The standard that a unit is compiled by: HIP's headers need C++11 and rocPRIM, behind Thrust and CUB, C++14. What a unit includes is not
/// known here, and almost nothing of C++11 means something else in C++14.
fn standard(asked: &str) -> String {
    match dialect(asked) {
        Some((dialect, year)) if year < 14 => format!("{dialect}14"),
        _ => asked.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn older_standards_become_what_thrust_takes() {
        for (asked, expected) in [
            ("c++03", "c++14"),
            ("gnu++11", "gnu++14"),
            ("c++14", "c++14"),
            ("c++20", "c++20"),
            ("c11", "c11"),
        ] {
            assert_eq!(standard(asked), expected, "{asked}");
        }
    }
}
