//! The files of a tree and what their includes mean: what the indexes of a tree are made of.

use crate::project::file::{FileIndex, Files};
use crate::project::graph::{IncludeGraph, Number};
use crate::project::paths::Paths;

/// The files of a tree and what their includes mean.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tree<'p> {
    pub(super) files: &'p Files,
    pub(super) paths: &'p Paths,
    pub(super) graph: &'p IncludeGraph,
}

impl<'p> Tree<'p> {
    /// The path of a file.
    pub(super) fn path(self, file: Number) -> &'p String {
        &self.graph.paths()[file as usize]
    }

    /// What a file says, by its number.
    pub(super) fn file(self, file: Number) -> &'p FileIndex {
        &self.files[self.path(file)]
    }

    /// The files that include one.
    pub(super) fn includers(self, path: &str) -> impl Iterator<Item = &'p str> {
        let number = self.graph.number(path);
        let files = number.map_or(&[][..], |file| self.graph.includers(file));
        files.iter().map(move |file| self.path(*file).as_str())
    }
}
