//! Which files of a tree define a name.

use rustc_hash::FxHashMap;

use crate::project::file::FileIndex;
use crate::project::graph::Number;

/// By name, the files that define it.
pub(crate) type ByName = FxHashMap<Box<[u8]>, Vec<Number>>;

/// By name, what each file that defines it says that it is worth.
pub(crate) type Worth<T> = FxHashMap<Box<[u8]>, Vec<(T, Number)>>;

/// Which files of a tree define a name.
#[derive(Debug, Default)]
pub(crate) struct Definers {
    /// Names of CUDA that are the project's.
    pub(crate) names: ByName,
    pub(crate) lists: ByName,
    pub(crate) constants: Worth<u64>,
    pub(crate) expressions: Worth<Box<[u8]>>,
    pub(crate) say_wavefront: Vec<Number>,
}

impl Definers {
    pub(crate) fn add_name(&mut self, name: &[u8], file: Number) {
        let files = self.names.entry(name.into()).or_default();
        if files.last() != Some(&file) {
            files.push(file);
        }
    }

    #[expect(
        clippy::iter_over_hash_type,
        reason = "what a name holds depends on the order of files alone"
    )]
    pub(crate) fn add(&mut self, file: &FileIndex, number: Number) {
        for name in &file.lists {
            self.lists.entry(name.clone()).or_default().push(number);
        }
        for (name, value) in &file.constants {
            let known = self.constants.entry(name.clone()).or_default();
            known.push((*value, number));
        }
        for (name, text) in &file.expressions {
            let known = self.expressions.entry(name.clone()).or_default();
            known.push((text.clone(), number));
        }
        self.say_wavefront
            .extend(file.warps.says_wavefront.then_some(number));
    }
}
