//! What one command of a build says of the file that it compiles.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

/// What a macro stands for on a command line; none where commands differ.
pub(crate) type Value = Option<String>;

/// A file that is compiled.
#[derive(Clone, Debug, Default)]
pub(crate) struct Command {
    /// The file, absolute.
    pub file: PathBuf,
    /// Macros that the command defines.
    pub macros: BTreeMap<String, Value>,
    /// Folders in which headers are looked for, absolute, in their order.
    pub folders: Vec<PathBuf>,
}

/// Options with a macro or a folder behind them, or in the next word; the first that fits counts.
const OPTIONS: &[(&str, Kind)] = &[
    ("-isystem", Kind::Folder),
    ("-iquote", Kind::Folder),
    ("-idirafter", Kind::Folder),
    ("--system-include", Kind::Folder),
    ("-system-include", Kind::Folder),
    ("--include-path", Kind::Folder),
    ("-include-path", Kind::Folder),
    ("--define-macro", Kind::Define),
    ("-define-macro", Kind::Define),
    ("--undefine-macro", Kind::Undefine),
    ("-undefine-macro", Kind::Undefine),
    ("-imsvc", Kind::Folder),
    ("-external:I", Kind::Folder),
    ("-I", Kind::Folder),
    ("-D", Kind::Define),
    ("-U", Kind::Undefine),
];
/// Options whose argument is for another program, or names a file.
const PASSED_ON: &[&str] = &[
    "-Xcompiler",
    "-Xlinker",
    "-Xptxas",
    "-Xclang",
    "-o",
    "-MF",
    "-MT",
    "-MQ",
];

#[derive(Clone, Copy)]
enum Kind {
    Folder,
    Define,
    Undefine,
}

impl Command {
    /// Reads the arguments of a compiler that runs in `directory`, the compiler's name first.
    pub(super) fn new(file: &str, directory: &Path, arguments: &[String]) -> Self {
        let mut command = Self {
            file: clean(&directory.join(file)),
            ..Self::default()
        };
        let of_microsoft = arguments.first().is_some_and(|name| is_microsofts(name));
        let mut rest = arguments.iter().skip(1);
        while let Some(argument) = rest.next() {
            if PASSED_ON.contains(&argument.as_str()) {
                rest.next();
                continue;
            }
            let argument = match argument.strip_prefix('/') {
                Some(option) if of_microsoft => format!("-{option}"),
                _ => argument.clone(),
            };
            let Some((kind, value)) = option(&argument) else {
                continue;
            };
            let value = match value {
                "" => rest.next().map_or("", String::as_str),
                value => value,
            };
            command.take(kind, value, directory);
        }
        command
    }

    fn take(&mut self, kind: Kind, value: &str, directory: &Path) {
        let (name, text) = value.split_once('=').unwrap_or((value, "1"));
        match kind {
            Kind::Folder => self.folders.push(clean(&directory.join(value))),
            // A function's text is nothing that a condition asks for.
            Kind::Define => match name.split_once('(') {
                Some((name, _)) => drop(self.macros.insert(name.to_owned(), None)),
                None => drop(self.macros.insert(name.to_owned(), Some(text.to_owned()))),
            },
            Kind::Undefine => drop(self.macros.remove(value)),
        }
    }
}

fn is_microsofts(program: &str) -> bool {
    let name = program.rsplit(['/', '\\']).next().unwrap_or(program);
    let name = name.to_ascii_lowercase();
    matches!(name.trim_end_matches(".exe"), "cl" | "clang-cl")
}

/// The kind of an option and what is written behind it, in the same word.
fn option(argument: &str) -> Option<(Kind, &str)> {
    OPTIONS.iter().find_map(|&(name, kind)| {
        let value = argument.strip_prefix(name)?;
        let is_long = name.len() > 2;
        let value = match value.strip_prefix('=') {
            Some(value) if is_long => value,
            _ => value,
        };
        Some((kind, value))
    })
}

/// A path without `.` and `..`, links not followed.
pub(crate) fn clean(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => drop(clean.pop()),
            other => clean.push(other),
        }
    }
    clean
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &[&str]) -> String {
        let arguments: Vec<String> = line.iter().map(|word| (*word).to_owned()).collect();
        let command = Command::new("a.cu", Path::new("/b"), &arguments);
        let macros = command.macros.iter();
        let macros =
            macros.map(|(name, value)| format!("{name}={}", value.as_deref().unwrap_or("?")));
        let folders = command
            .folders
            .iter()
            .map(|folder| folder.display().to_string());
        macros.chain(folders).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn macros_and_folders_are_read_as_compilers_do() {
        let cases: &[(&[&str], &str)] = &[
            (&["nvcc", "-DA", "-D", "B=2"], "A=1 B=2"),
            (&["g++", "-DA=1", "-UA", "-DB=", "-DF(x)=x"], "B= F=?"),
            (
                &["g++", "-Iinc", "-I", "../x", "-isystem/y", "-isystem=z"],
                "/b/inc /x /y /b/z",
            ),
            (
                &[
                    "nvcc",
                    "-Xcompiler",
                    "-DHOST",
                    "--define-macro=A=3",
                    "-o",
                    "-DX",
                ],
                "A=3",
            ),
            (
                &["C:\\x\\cl.exe", "/DA", "/I", "inc", "/nologo"],
                "A=1 /b/inc",
            ),
            (&["g++", "/Dir/a.cu"], ""),
        ];
        for (line, expected) in cases {
            assert_eq!(read(line), *expected, "{line:?}");
        }
    }
}
