//! The names of the tree that one file sees: its own, and those of what it includes, directly or not.

use std::borrow::Cow;
use std::cell::OnceCell;

use rustc_hash::FxHashMap;

use crate::mapping::ApiTable;
use crate::project::file::FileIndex;
use crate::project::graph::Number;
use crate::project::index::ProjectIndex;
use crate::syntax::Document;

/// By name, the files that define it.
type ByName = FxHashMap<Box<[u8]>, Vec<Number>>;

/// Which files of a tree define a name.
#[derive(Debug, Default)]
pub(crate) struct Definers {
    names: ByName,
    lists: ByName,
    constants: FxHashMap<Box<[u8]>, Vec<(u64, Number)>>,
    say_64: Vec<Number>,
}

/// Names visible in one file. Nothing is gathered: each question follows the includes back from the files that define the name.
#[derive(Clone, Debug)]
pub(crate) struct OwnNames<'p> {
    project: &'p ProjectIndex,
    path: String,
    own: Cow<'p, FileIndex>,
    /// The files that its includes mean.
    ways: OnceCell<Vec<Number>>,
}

impl ProjectIndex {
    /// Names that are visible in a file.
    pub(crate) fn visible<'p>(&'p self, document: &Document<'_>, table: &ApiTable) -> OwnNames<'p> {
        let path = document.source.path.clone();
        let own = match self.files.get(&path) {
            Some(own) => Cow::Borrowed(own),
            None => Cow::Owned(FileIndex::new(document, table, &|_| false)),
        };
        OwnNames {
            project: self,
            path,
            own,
            ways: OnceCell::new(),
        }
    }

    fn definers(&self) -> &Definers {
        self.definers.get_or_init(|| {
            let mut definers = Definers::default();
            for (path, number) in self.graph().paths().iter().zip(0..) {
                let file = &self.files[path];
                definers.add(file, number);
                // Functions that a file declares and the tree defines: definition, declaration and all uses keep their name.
                for name in file.declared.iter().filter(|name| self.declares(name)) {
                    definers.add_name(name, number);
                }
            }
            definers
        })
    }
}

impl Definers {
    fn add_name(&mut self, name: &[u8], file: Number) {
        let files = self.names.entry(name.into()).or_default();
        if files.last() != Some(&file) {
            files.push(file);
        }
    }

    fn add(&mut self, file: &FileIndex, number: Number) {
        file.names
            .iter()
            .for_each(|name| add(&mut self.names, name));
        file.lists
            .iter()
            .for_each(|name| add(&mut self.lists, name));
        for (name, value) in &file.constants {
            let known = self.constants.entry(name.clone()).or_default();
            known.push((*value, number));
        }
        self.say_64.extend(file.warps.says_64.then_some(number));
    }
}

impl OwnNames<'_> {
    /// Whether the name is defined by the tree.
    pub(crate) fn contains(&self, name: &[u8]) -> bool {
        let declares = || self.own.declared.contains(name) && self.project.declares(name);
        self.own.names.contains(name)
            || declares()
            || self.sees(self.definers_of(|all| &all.names, name))
    }

    /// Whether a macro of the tree stands for several arguments.
    pub(crate) fn is_list(&self, name: &[u8]) -> bool {
        self.own.lists.contains(name) || self.sees(self.definers_of(|all| &all.lists, name))
    }

    /// The number that a macro or constant stands for: that of the file itself, else the one that all files it includes agree on.
    pub(crate) fn constant(&self, name: &[u8]) -> Option<u64> {
        if let Some(value) = self.own.constants.get(name) {
            return Some(*value);
        }
        let known = self.project.definers().constants.get(name)?;
        let mut values: Vec<u64> = known.iter().map(|(value, _)| *value).collect();
        values.sort_unstable();
        values.dedup();
        let files = |wanted: u64| {
            let of_value = known.iter().filter(move |(value, _)| *value == wanted);
            of_value.map(|(_, file)| *file).collect::<Vec<_>>()
        };
        let mut seen = values.into_iter().filter(|value| self.sees(&files(*value)));
        let value = seen.next()?;
        seen.next().is_none().then_some(value)
    }

    /// For AMD the file, or one that it includes, says that warps have 64 lanes.
    pub(crate) fn says_64(&self) -> bool {
        self.own.warps.says_64 || self.sees(&self.project.definers().say_64)
    }

    fn definers_of(&self, map: fn(&Definers) -> &ByName, name: &[u8]) -> &[Number] {
        let files = map(self.project.definers()).get(name);
        files.map_or(&[][..], Vec::as_slice)
    }

    /// Whether the file comes to one of some files by its includes.
    fn sees(&self, files: &[Number]) -> bool {
        if files.is_empty() {
            return false;
        }
        let ways = self.ways.get_or_init(|| {
            let meanings = self.project.meanings(&self.path, &self.own);
            meanings.into_iter().filter_map(|it| it.file()).collect()
        });
        if ways.is_empty() || ways.iter().any(|way| files.contains(way)) {
            return !ways.is_empty();
        }
        let key: Vec<String> = files.iter().map(Number::to_string).collect();
        let graph = self.project.graph();
        let reach = graph.that_reach(&key.join(","), || files.to_vec());
        ways.iter().any(|way| reach.contains(way))
    }
}
