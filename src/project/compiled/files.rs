//! What a database says of the files of a tree.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use rustc_hash::{FxHashMap, FxHashSet};

use super::command::Value;

/// Macros by name, with what they stand for; those that only some of several commands define stand for nothing certain.
pub(crate) type Macros = BTreeMap<String, Value>;

/// A file of the tree that is compiled, by its path in it.
#[derive(Clone, Debug, Default)]
pub struct CompiledFile {
    /// What its commands define.
    pub macros: Macros,
    /// Folders of the tree in which headers are looked for, in their order; the root is empty.
    pub folders: Vec<String>,
}

/// What a build compiles of a tree.
#[derive(Debug, Default)]
pub struct Compiled {
    pub(in crate::project) files: FxHashMap<String, CompiledFile>,
    /// The folders of all files.
    folders: Vec<String>,
    /// Macros that some command defines: what tells one build from another.
    pub(in crate::project) switches: FxHashSet<String>,
    /// Macros that some file of the tree or of the build's folder defines.
    pub(in crate::project) defined: FxHashSet<Box<[u8]>>,
    /// By file that is compiled or included by one that is, what all commands agree on.
    pub(in crate::project) reached: OnceLock<FxHashMap<String, Arc<Macros>>>,
}

impl Compiled {
    /// Puts together what commands say; of several for one file holds what they agree on. `defined` are the macros that files define.
    pub fn new(
        commands: impl IntoIterator<Item = (String, CompiledFile)>,
        defined: FxHashSet<Box<[u8]>>,
    ) -> Self {
        let mut compiled = Self {
            defined,
            ..Self::default()
        };
        let mut folders = FxHashSet::default();
        let mut files = BTreeMap::<String, Commands>::new();
        for (path, file) in commands {
            for folder in &file.folders {
                if folders.insert(folder.clone()) {
                    compiled.folders.push(folder.clone());
                }
            }
            files.entry(path).or_default().add(file);
        }
        for (path, commands) in files {
            let file = commands.agreed();
            compiled.switches.extend(file.macros.keys().cloned());
            compiled.files.insert(path, file);
        }
        compiled
    }

    /// Whether no command is about the tree.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// The folders in which the headers of a file are looked for; a header is looked for in those of all files.
    pub(crate) fn folders(&self, path: &str) -> &[String] {
        let file = self.files.get(path);
        file.map_or(&self.folders, |file| &file.folders)
    }
}

/// The commands of one file: a macro, its value, and how many of them give it that value, so that each command is looked at once.
#[derive(Default)]
struct Commands {
    count: usize,
    macros: BTreeMap<String, (Value, usize)>,
    folders: Vec<String>,
    known_folders: FxHashSet<String>,
}

impl Commands {
    fn add(&mut self, file: CompiledFile) {
        self.count += 1;
        for (name, value) in file.macros {
            let (known, times) = self.macros.entry(name).or_insert((value.clone(), 0));
            *times += usize::from(*known == value);
        }
        for folder in file.folders {
            if self.known_folders.insert(folder.clone()) {
                self.folders.push(folder);
            }
        }
    }

    /// What all of them say of the file.
    fn agreed(self) -> CompiledFile {
        let count = self.count;
        let macros = self.macros.into_iter();
        let macros = macros.map(|(name, (value, times))| match times == count {
            true => (name, value),
            false => (name, None),
        });
        CompiledFile {
            macros: macros.collect(),
            folders: self.folders,
        }
    }
}

/// What two commands agree on.
pub(in crate::project) fn agreed(one: &Macros, other: &Macros) -> Macros {
    let names = one.keys().chain(other.keys());
    let value = |name: &String| match (one.get(name), other.get(name)) {
        (Some(one), Some(other)) if one == other => one.clone(),
        _ => None,
    };
    names.map(|name| (name.clone(), value(name))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_commands_for_a_file_say_what_they_agree_on() {
        let file = |macros: &[(&str, &str)], folder: &str| {
            let pairs = macros.iter();
            let pairs = pairs.map(|(name, value)| ((*name).to_owned(), Some((*value).to_owned())));
            let file = CompiledFile {
                macros: pairs.collect(),
                folders: vec![folder.to_owned()],
            };
            ("a.cu".to_owned(), file)
        };
        let commands = [
            file(&[("A", "1"), ("B", "2"), ("C", "")], "one"),
            file(&[("A", "1"), ("B", "3")], "two"),
        ];
        let compiled = Compiled::new(commands, FxHashSet::default());
        let macros = &compiled.files["a.cu"].macros;
        let value = |name: &str| macros[name].as_deref();
        assert_eq!(
            [value("A"), value("B"), value("C")],
            [Some("1"), None, None]
        );
        assert_eq!(compiled.folders("a.cu"), ["one", "two"]);
        assert_eq!(compiled.folders("a.h"), ["one", "two"]);
    }
}
