//! The file itself: clang's JSON format, as CMake, Meson, Ninja, Bear and compiledb write it.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::command::Command;
use crate::text::{expanded, split_command};

/// How one gets such a file.
pub(crate) const HINT: &str =
    "CMake writes one with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, `bear -- make` for a Makefile";

/// A command of a build as it is written, response files in their places.
#[derive(Debug)]
pub(crate) struct Written {
    /// The file that it compiles, as it is called from the folder.
    pub(crate) file: String,
    /// Where it runs.
    pub(crate) folder: PathBuf,
    /// Its words, the program first.
    pub(crate) words: Vec<String>,
}

/// The commands of a build.
#[derive(Debug)]
pub(crate) struct Database {
    /// By file, as the build calls them; a file may be compiled several times.
    pub commands: Vec<Command>,
}

#[derive(Deserialize)]
struct Item {
    #[serde(default)]
    directory: String,
    file: String,
    command: Option<String>,
    arguments: Option<Vec<String>>,
}

impl Database {
    /// Reads the text of a database. Relative folders in it are relative to `folder`; `read` gives the text of a response file.
    ///
    /// # Errors
    /// When the text is no compilation database, or is one without commands; the message says what is wrong with it.
    pub(crate) fn parse(
        text: &str,
        folder: &Path,
        read: &dyn Fn(&Path) -> Result<String, String>,
    ) -> Result<Self, String> {
        let written = Self::written(text, folder, read)?.into_iter();
        let commands = written.map(|one| Command::new(&one.file, &one.folder, &one.words));
        Ok(Self {
            commands: commands.collect(),
        })
    }

    /// The commands as they are written.
    ///
    /// # Errors
    /// As [`Self::parse`].
    pub(crate) fn written(
        text: &str,
        folder: &Path,
        read: &dyn Fn(&Path) -> Result<String, String>,
    ) -> Result<Vec<Written>, String> {
        let text = text.trim_start_matches('\u{feff}');
        let items: Vec<Item> = serde_json::from_str(text)
            .map_err(|error| format!("is no compilation database ({error}); {HINT}"))?;
        if items.is_empty() {
            return Err(format!("holds no commands; build it whole first. {HINT}"));
        }
        let commands = items.into_iter().map(|item| item.written(folder, read));
        commands.collect()
    }
}

impl Item {
    fn written(
        self,
        folder: &Path,
        read: &dyn Fn(&Path) -> Result<String, String>,
    ) -> Result<Written, String> {
        let words = match (self.arguments, self.command) {
            (Some(arguments), _) => arguments,
            (None, Some(command)) => split_command(&command),
            (None, None) => {
                return Err(format!(
                    "is no compilation database: `{}` has neither `command` nor `arguments`; {HINT}",
                    self.file
                ));
            }
        };
        let folder = folder.join(&self.directory);
        // A response file that a cleaned build took away costs what it says, nothing else.
        let text = |file: &str| Ok(read(&folder.join(file)).unwrap_or_default());
        let words = expanded(words, &text)?;
        Ok(Written {
            file: self.file,
            folder,
            words,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Vec<String>, String> {
        let read = |_: &Path| Ok("-DR".to_owned());
        let database = Database::parse(text, Path::new("/b"), &read)?;
        let shown = database.commands.into_iter().map(|command| {
            let macros: Vec<String> = command.macros.keys().cloned().collect();
            format!("{} {}", command.file.display(), macros.join(" "))
        });
        Ok(shown.collect())
    }

    #[test]
    fn both_ways_to_write_a_command_are_read() {
        let text = "\u{feff}[{\"directory\": \"/s\", \"command\": \"nvcc -DA '-DB=1 2' -c a.cu\", \"file\": \"a.cu\"},
            {\"directory\": \"sub\", \"arguments\": [\"nvcc\", \"-D\", \"C\", \"--options-file\", \"x.rsp\"], \"file\": \"../b.cu\", \"output\": \"b.o\"}]";
        assert_eq!(parse(text).unwrap(), ["/s/a.cu A B", "/b/b.cu C R"]);
    }

    #[test]
    fn what_is_no_database_is_refused_with_the_remedy() {
        let cases = [
            ("", "is no compilation database"),
            ("{}", "is no compilation database"),
            ("[]", "holds no commands"),
            ("[{\"file\": \"a.cu\"}]", "`a.cu` has neither"),
            ("[{\"command\": \"nvcc a.cu\"}]", "missing field `file`"),
        ];
        for (text, expected) in cases {
            let message = parse(text).unwrap_err();
            assert!(message.contains(expected), "{message}");
            assert!(
                message.contains("CMAKE_EXPORT_COMPILE_COMMANDS"),
                "{message}"
            );
        }
    }
}
