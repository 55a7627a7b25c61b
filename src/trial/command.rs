//! A command of a build as the units that it compiles: what says how a source is read stays, what says what is made of it goes.

use std::path::{Path, PathBuf};

use super::unit::{Language, Unit};
use crate::mapping::Choices;
use crate::nvcc::{Invocation, Kind, Modules, absolute};

/// Options whose argument may stand in the next word and stays with them.
const KEPT: &[&str] = &[
    "-I",
    "-D",
    "-U",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-cxx-isystem",
    "-include",
    "-imacros",
    "-isysroot",
    "--sysroot",
    "-iprefix",
    "-iwithprefix",
    "-Xclang",
    "-Xpreprocessor",
    "-Xarch_host",
    "-Xarch_device",
    "-target",
    "-mllvm",
];
/// Options whose argument stands in the next word and goes with them.
const DROPPED_WITH_NEXT: &[&str] = &[
    "-o",
    "-MF",
    "-MT",
    "-MQ",
    "-MJ",
    "-L",
    "-l",
    "-Xlinker",
    "-Xassembler",
    "-Xptxas",
    "--serialize-diagnostics",
    "-dumpbase",
    "-dumpdir",
    "-T",
    "-u",
    "-z",
    "--param",
];
/// Beginnings of options that say what is made, for which chip, or of what is warned.
const DROPPED: &[&str] = &[
    "-c",
    "-S",
    "-E",
    "-M",
    "-o",
    "-L",
    "-l",
    "-W",
    "-w",
    "-g",
    "-pipe",
    "-shared",
    "-static",
    "-rdynamic",
    "-pie",
    "-no-pie",
    "-s",
    "-v",
    "-save-temps",
    "--save-temps",
    "-flto",
    "-fsyntax-only",
    "-fcolor-diagnostics",
    "-fdiagnostics",
    "-fmax-errors",
    "-ferror-limit",
    "--offload-arch",
    "--offload-device-only",
    "--offload-host-only",
    "--amdgpu-target",
    "--cuda-device-only",
    "--cuda-host-only",
    "--cuda-gpu-arch",
    "--hip-link",
    "--genco",
    "-pedantic",
    "--rocm-path",
    "--hip-path",
    "--rocm-device-lib-path",
    "--hip-device-lib-path",
    "-parallel-jobs",
    "-fgpu-sanitize",
    "-fuse-ld",
];
/// What begins like one of those and says how a source is read.
const KEPT_AFTER_ALL: &[&str] = &["-Wno-", "-std", "-stdlib", "-DNDEBUG", "-municode"];

/// A program that compiles, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Program {
    /// It takes C++ for HIP.
    Hipcc,
    /// It takes the options of NVIDIA's compiler.
    Nvcc,
    /// Any other one with the options of gcc.
    Plain,
}

/// The units that a command compiles, its program first; none for what does not compile.
pub(super) fn units(words: &[String], folder: &Path) -> Vec<Unit> {
    let Some((program, at)) = program(words) else {
        return Vec::new();
    };
    let (name, arguments) = (&words[at], &words[at + 1..]);
    let reading = match program {
        Program::Nvcc => Reading::of_nvcc(arguments),
        _ => Reading::of_gcc(arguments, program),
    };
    let sources = reading.sources.iter();
    sources
        .map(|(source, language)| Unit {
            file: absolute(&folder.join(source)),
            folder: folder.to_path_buf(),
            options: reading.options.clone(),
            language: *language,
            program: Some(name.clone()),
        })
        .collect()
}

/// The compiler of a command and where it stands: launchers and settings of variables may come first.
fn program(words: &[String]) -> Option<(Program, usize)> {
    for (at, word) in words.iter().enumerate().take(6) {
        let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
        let name = name.strip_suffix(".exe").unwrap_or(name);
        let bare = name.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '-' | '.'));
        let is_launcher = matches!(
            bare,
            "ccache" | "sccache" | "distcc" | "env" | "time" | "nice"
        ) || word.contains('=') && !word.starts_with('-');
        match bare {
            "hipcc" => return Some((Program::Hipcc, at)),
            "nvcc" => return Some((Program::Nvcc, at)),
            "cc" | "c++" | "gcc" | "g++" | "clang" | "clang++" | "amdclang" | "amdclang++"
            | "icpx" | "mpicc" | "mpicxx" | "mpic++" | "mpiCC" | "CC" => {
                return Some((Program::Plain, at));
            }
            _ if bare.ends_with("-gcc") || bare.ends_with("-g++") => {
                return Some((Program::Plain, at));
            }
            _ if is_launcher => {}
            _ => return None,
        }
    }
    None
}

#[derive(Default)]
struct Reading {
    options: Vec<String>,
    sources: Vec<(PathBuf, Language)>,
}

impl Reading {
    fn of_gcc(arguments: &[String], program: Program) -> Self {
        let mut reading = Self::default();
        let mut language = None;
        let mut rest = arguments.iter();
        while let Some(word) = rest.next() {
            if let Some(named) = word.strip_prefix("-x") {
                let named = if named.is_empty() {
                    rest.next().map_or("", String::as_str)
                } else {
                    named
                };
                language = by_name(named);
            } else if DROPPED_WITH_NEXT.contains(&word.as_str()) {
                rest.next();
            } else if KEPT.contains(&word.as_str()) {
                reading.options.push(word.clone());
                reading.options.extend(rest.next().cloned());
            } else if word.starts_with('-') {
                reading.option(word);
            } else if let Some(found) = language.or_else(|| by_extension(word, program)) {
                reading.sources.push((PathBuf::from(word), found));
            }
        }
        reading
    }

    fn of_nvcc(arguments: &[String]) -> Self {
        let mut reading = Self::default();
        let read = Invocation::new(arguments.to_vec(), &Choices::default(), Modules(true));
        // What has no counterpart stops nvcc's stand-in; here the other options still tell how the source is read.
        let Ok(read) = read else {
            return Self::of_gcc(arguments, Program::Nvcc);
        };
        for word in &read.compile {
            reading.option(word);
        }
        for (option, path) in &read.includes {
            reading.options.extend([(*option).to_owned(), path.clone()]);
        }
        let language = |kind| match kind {
            Kind::Cuda => Language::Hip,
            Kind::C => Language::C,
            Kind::Cpp | Kind::Object => Language::Cpp,
        };
        let sources = read.sources();
        reading.sources = sources
            .map(|(path, kind)| (PathBuf::from(path), language(kind)))
            .collect();
        reading
    }

    /// Takes an option that has no argument in another word.
    fn option(&mut self, word: &str) {
        let begins = |list: &[&str]| list.iter().any(|start| word.starts_with(start));
        // `-march` and its like are the host's; joined arguments of what stays are never taken for what goes.
        let is_kept = begins(KEPT_AFTER_ALL) || !begins(DROPPED);
        if is_kept {
            self.options.push(word.to_owned());
        }
    }
}

fn by_name(language: &str) -> Option<Language> {
    match language {
        "hip" | "cuda" | "cu" => Some(Language::Hip),
        "c++" => Some(Language::Cpp),
        "c" => Some(Language::C),
        _ => None,
    }
}

/// What a source is by its name; none for objects and libraries.
fn by_extension(path: &str, program: Program) -> Option<Language> {
    match Path::new(path).extension()?.to_str()? {
        "cu" | "hip" => Some(Language::Hip),
        "c" => Some(Language::C),
        // hipcc compiles every C++ source with `-x hip`.
        "cc" | "cpp" | "cxx" | "c++" | "C" | "CPP" if program == Program::Hipcc => {
            Some(Language::Hip)
        }
        "cc" | "cpp" | "cxx" | "c++" | "C" | "CPP" => Some(Language::Cpp),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::split_command;

    fn read(line: &str) -> String {
        let found = units(&split_command(line), Path::new("/b"));
        let shown = found.iter().map(|unit| {
            format!(
                "{} {:?} {}",
                unit.file.display(),
                unit.language,
                unit.options.join(" ")
            )
        });
        shown.collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn what_says_how_a_source_is_read_stays() {
        let cases = [
            (
                "/opt/rocm/bin/hipcc -Iinc -I ../x -DA=1 -O2 --offload-arch=gfx906 -Wall -Wno-c++11-narrowing -std=c++14 -MD -MF x.d -c 'a b.cpp' -o x.o",
                "/b/a b.cpp Hip -Iinc -I ../x -DA=1 -O2 -Wno-c++11-narrowing -std=c++14",
            ),
            (
                "CC=x ccache g++ -march=native -fopenmp -c a.cc",
                "/b/a.cc Cpp -march=native -fopenmp",
            ),
            ("clang++-19 -x hip -c ../a.cpp", "/a.cpp Hip "),
            ("x86_64-linux-gnu-gcc -c a.c b.c", "/b/a.c C ; /b/b.c C "),
            (
                "nvcc -arch=sm_70 -Xcompiler -fPIC -Iinc -DB -c k.cu",
                "/b/k.cu Hip -fPIC -DB -I inc",
            ),
            ("hipcc a.o b.o -lhipblas -o prog", ""),
            ("echo g++ -c a.cc", ""),
            ("rm -f a.cc", ""),
            ("ar rcs lib.a a.o", ""),
        ];
        for (line, expected) in cases {
            assert_eq!(read(line), expected, "{line}");
        }
    }
}
