//! Which files of a tree define a name.

use rustc_hash::FxHashMap;

use crate::project::file::FileIndex;
use crate::project::graph::Number;
use crate::project::vendors::FOR_AMD;
use crate::syntax::is_hip_macro;

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
    /// Macros that make members of what begins an argument, with its position.
    pub(crate) member_macros: Worth<usize>,
    pub(crate) constants: Worth<u64>,
    pub(crate) expressions: Worth<Box<[u8]>>,
    pub(crate) say_wavefront: Vec<Number>,
    /// Macros that are called after HIP and that a file sets itself where AMD compiles it.
    pub(crate) set_for_amd: ByName,
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
        for (name, positions) in &file.member_macros {
            let known = self.member_macros.entry(name.clone()).or_default();
            known.extend(positions.iter().map(|position| (*position, number)));
        }
        for (name, value) in &file.constants {
            let known = self.constants.entry(name.clone()).or_default();
            known.push((*value, number));
        }
        for (name, text) in &file.expressions {
            let known = self.expressions.entry(name.clone()).or_default();
            known.push((text.clone(), number));
        }
        for name in set_for_amd(file) {
            let files = self.set_for_amd.entry(name.clone()).or_default();
            files.push(number);
        }
        self.say_wavefront
            .extend(file.warps.says_wavefront.then_some(number));
    }
}

/// The macros called after HIP that a file sets under a condition for AMD; of a file without CUDA, whose conditions were not read, those
/// that it defines without a value. `#ifndef USE_HIP` in front of `#define USE_HIP 0` leaves it to the build.
fn set_for_amd(file: &FileIndex) -> impl Iterator<Item = &Box<[u8]>> {
    let defined = file.vendors.defined.iter();
    let guarded = defined.filter(|(_, whom)| *whom & FOR_AMD != 0);
    let names = guarded.map(|(name, _)| name).chain(&file.flags);
    names.filter(|name| is_hip_macro(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mapping::ApiTable;
    use crate::project::probe::index;

    #[test]
    fn each_name_has_the_files_that_define_it() {
        let table = ApiTable::builtin();
        let mut definers = Definers::default();
        let texts = [
            "#define TILE 16\n#define SUM (TILE + X)\n#define PAIR a, b\n#define CALL(t, f) t->f\n",
            "#define TILE 32\nconstexpr int WIDTH = 2 * TILE;\n",
            "#ifdef __HIP_PLATFORM_AMD__\n#define WARP_SIZE 64\n#endif\n// #define TILE 8\n",
        ];
        for (text, number) in texts.iter().zip(0..) {
            definers.add(&index("a.h", text, &table), number);
        }
        let key = |name: &str| Box::from(name.as_bytes());
        assert_eq!(definers.constants[&key("TILE")], [(16, 0), (32, 1)]);
        assert_eq!(definers.lists[&key("PAIR")], [0]);
        assert_eq!(definers.member_macros[&key("CALL")], [(1, 0)]);
        assert_eq!(definers.expressions[&key("SUM")], [(key("(TILE + X)"), 0)]);
        assert_eq!(definers.expressions[&key("WIDTH")], [(key("2 * TILE"), 1)]);
        assert_eq!(definers.say_wavefront, [2]);
        assert_eq!(definers.names.len(), 0, "names come one by one");
    }

    #[test]
    fn a_file_stands_once_for_a_name() {
        let mut definers = Definers::default();
        for file in [1, 1, 3] {
            definers.add_name(b"cudaFree", file);
        }
        assert_eq!(definers.names[&b"cudaFree"[..]], [1, 3]);
    }
}
