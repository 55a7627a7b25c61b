//! Who watches a run is told how far it is.

/// A part of a run, in the order in which they come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Folders are read; how many files there are is not known yet.
    Listing,
    /// Files are read, to learn what the tree defines itself.
    Reading,
    /// Files are translated or checked.
    Translating,
    /// Units of a port are compiled.
    Compiling,
    /// Programs are built, run and compared.
    Running,
}

/// Is told how far a run is, by all of its threads.
pub trait Watcher: Sync {
    /// A stage begins: nothing of it is read yet. `files` is how many steps it will take, where that is known.
    fn begin(&self, stage: Stage, files: Option<usize>);

    /// One more file of the stage is done.
    fn step(&self);
}

/// Nobody watches.
impl Watcher for () {
    fn begin(&self, _: Stage, _: Option<usize>) {}

    fn step(&self) {}
}
