//! Which names of CUDA's kind a tree gives a meaning of its own, taken together over all its files.

use std::collections::BTreeSet;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::cpp::constructors::MadeWithValues;
use crate::cpp::libcu::{FileUse, LibcuTree, has_halves};
use crate::cpp::namespaces::Inner;
use crate::cpp::space_macros::SpaceMacros;
use crate::cpp::texture_objects::ObjectNames;
use crate::cpp::void_members::VoidMembers;
use crate::mapping::name_lists;
use crate::project::apart::Apart;
use crate::project::file::FileIndex;
use crate::project::paths::file_name;
use crate::syntax::MacroSpaces;

type Names = FxHashSet<Box<[u8]>>;

/// Which names a tree gives a meaning of its own.
#[derive(Debug, Default)]
pub(crate) struct TreeNames {
    /// Constants, with the number that all files agree on which define them.
    constants: FxHashMap<Box<[u8]>, Option<u64>>,
    /// Classes, and whether each definition of theirs gives an object values where it is made without arguments.
    pub(crate) made_with_values: MadeWithValues,
    /// The types of variables of functions for the device.
    pub(crate) made_on_device: Names,
    /// Members of classes that point to anything.
    pub(crate) void_members: VoidMembers,
    /// The functions that are declared to run somewhere, and defined elsewhere.
    placed: Names,
    /// Functions that are called like one of the C library on texts, and declared to run somewhere.
    placed_texts: Names,
    declared: Names,
    macros: Names,
    coined: Names,
    members: Names,
    /// A file includes a header of NVIDIA's that loads CUDA's functions into a table.
    loads_functions: bool,
    variables: Names,
    shuffles: Names,
    replaced_shuffles: Names,
    of_numbers: Names,
    over_npp: Names,
    enumerations: Names,
    inner_namespaces: BTreeSet<Inner>,
    /// The names in which objects of textures and surfaces are made.
    pub(crate) objects: ObjectNames,
    /// Macros that stand for words of a declaration.
    spaces: SpaceMacros,
    by_space: Arc<MacroSpaces>,
    /// The most that a file of the tree needs of libcu++.
    pub(crate) libcu: FileUse,
    /// What decides about these names.
    pub(crate) libcu_tree: LibcuTree,
    /// Where functions of CUDA's names are the tree's.
    pub(crate) apart: Apart,
}

/// Whether a function is called like one of the C library on texts.
fn is_text(name: &[u8]) -> bool {
    let mut all = name_lists().host_texts.iter();
    all.any(|it| it.as_bytes() == name)
}

/// Whether an include path is that of a header of NVIDIA's that loads CUDA's functions into a table.
pub(super) fn loads_functions(path: &str) -> bool {
    name_lists().function_loaders.contains(&file_name(path))
}

impl TreeNames {
    /// Takes the names of some files together. What a file says that stands in for CUDA's headers are CUDA's names.
    pub(super) fn new<'f>(
        files: impl Iterator<Item = (&'f String, &'f FileIndex)> + Clone,
        is_stand_in: impl Fn(&str) -> bool,
    ) -> Self {
        let spaces = SpaceMacros::new(files.clone().flat_map(|(_, file)| &file.worded));
        let mut all = Self {
            apart: Apart::new(files.clone().map(|(_, file)| file)),
            by_space: Arc::new(spaces.by_space()),
            spaces,
            ..Self::default()
        };
        for (path, file) in files {
            if !is_stand_in(path) {
                all.declared.extend(file.names.iter().cloned());
            }
            all.libcu = all.libcu.max(file.libcu);
            all.libcu_tree.knows_halves |= file.includes.iter().any(|it| has_halves(it));
            all.enumerations.extend(file.enumerations.iter().cloned());
            all.add_constants(file);
            all.made_with_values.extend(&file.made_with_values);
            all.void_members.extend(&file.void_members);
            all.made_on_device
                .extend(file.made_on_device.iter().cloned());
            let open = file.placed.iter().filter(|it| !it.has_body);
            all.placed.extend(open.map(|it| it.name.clone()));
            let texts = file.placed.iter().filter(|it| is_text(&it.name));
            all.placed_texts.extend(texts.map(|it| it.name.clone()));
            all.macros.extend(file.macros.iter().cloned());
            all.coined.extend(file.coined.iter().cloned());
            all.members.extend(file.members.iter().cloned());
            all.loads_functions |= file.includes.iter().any(|it| loads_functions(it));
            all.variables.extend(file.variables.iter().cloned());
            all.shuffles.extend(file.shuffles.iter().cloned());
            all.replaced_shuffles
                .extend(file.replaced_shuffles.iter().cloned());
            all.of_numbers.extend(file.of_numbers.iter().cloned());
            all.over_npp.extend(file.over_npp.iter().cloned());
            all.objects.add(&file.objects);
            let is_own = |it: &Inner| &*it.name == b"cuda" && !it.is_alias;
            all.libcu_tree.has_own |= file.inner_namespaces.iter().any(is_own);
            all.inner_namespaces
                .extend(file.inner_namespaces.iter().cloned());
        }
        all
    }

    #[expect(
        clippy::iter_over_hash_type,
        reason = "each name of a file stands for itself"
    )]
    fn add_constants(&mut self, file: &FileIndex) {
        for (name, value) in &file.constants {
            let agreed = self.constants.entry(name.clone()).or_insert(Some(*value));
            *agreed = agreed.filter(|agreed| agreed == value);
        }
    }

    /// The number that all files of the tree which define a constant agree on: sources that are included by others see what those
    /// included before.
    pub(crate) fn constant(&self, name: &[u8]) -> Option<u64> {
        self.constants.get(name).copied().flatten()
    }

    /// Whether any file of the tree declares the name: a header may rely on what its includers include before it. Asked of names
    /// that only a pattern knows, since those are likelier the project's.
    pub(crate) fn declares(&self, name: &[u8]) -> bool {
        self.declared.contains(name)
    }

    /// Whether a text has the name of a function that a file of the tree declares to run somewhere, behind its class or namespace as in a
    /// definition: `View::size(`.
    pub(crate) fn defines_placed(&self, bytes: &[u8]) -> bool {
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        let mut signs = memchr::memmem::find_iter(bytes, b"::");
        signs.any(|sign| {
            let name = &bytes[sign + 2..];
            let name = name.strip_prefix(b"~").unwrap_or(name);
            let length = name.iter().take_while(|byte| is_part(byte)).count();
            self.placed.contains(&name[..length])
        })
    }

    /// Whether a file of the tree has a version for the device of a function of the C library on texts: `__device__ int strcmp(`.
    pub(crate) fn places_text(&self, name: &[u8]) -> bool {
        self.placed_texts.contains(name)
    }

    /// Whether any file of the tree defines the name as a macro.
    pub(crate) fn is_macro(&self, name: &[u8]) -> bool {
        self.macros.contains(name)
    }

    /// The macros that stand for words of a declaration, such as `__host__ __device__`.
    pub(crate) fn spaces(&self) -> &SpaceMacros {
        &self.spaces
    }

    /// These macros by the space that they name.
    pub(crate) fn by_space(&self) -> &Arc<MacroSpaces> {
        &self.by_space
    }

    /// Whether any file of the tree defines or declares a name of CUDA's form that no table knows.
    pub(crate) fn gives_own_meaning(&self, name: &[u8]) -> bool {
        self.coined.contains(name)
    }

    /// Whether a file defines an enumeration of that name.
    pub(crate) fn is_enumeration(&self, name: &[u8]) -> bool {
        self.enumerations.contains(name)
    }

    /// Whether a file adds an overload for types of its own to a shuffle of CUDA, which no file defines for CUDA's types.
    pub(crate) fn adds_shuffle(&self, name: &[u8]) -> bool {
        self.shuffles.contains(name) && !self.replaced_shuffles.contains(name)
    }

    /// Whether a class template of any file has a number among its parameters.
    pub(crate) fn takes_a_number(&self, class: &[u8]) -> bool {
        self.of_numbers.contains(class)
    }

    /// The functions in whose declarations types of NPP stand.
    pub(crate) fn over_npp(&self) -> &FxHashSet<Box<[u8]>> {
        &self.over_npp
    }

    /// Namespaces called like a library of CUDA that files of the tree have inside others.
    pub(crate) fn inner_namespaces(&self) -> &BTreeSet<Inner> {
        &self.inner_namespaces
    }

    /// Whether a class of any file, or a file outside of its functions, has a variable that is called like this type of CUDA.
    pub(crate) fn has_variable(&self, name: &[u8]) -> bool {
        self.variables.contains(name)
    }

    /// Whether a macro of any file makes a member of a class with the name of CUDA's function.
    pub(crate) fn makes_member(&self, name: &[u8]) -> bool {
        self.members.contains(name)
    }

    /// Whether the tree has CUDA's functions from a table that a header of NVIDIA's loads.
    pub(super) fn loads_functions(&self) -> bool {
        self.loads_functions
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mapping::ApiTable;
    use crate::project::probe::index;

    fn names(files: &[(&str, &str)]) -> TreeNames {
        let table = ApiTable::builtin();
        let index = |&(path, text): &(&str, &str)| (path.to_owned(), index(path, text, &table));
        let files: Vec<(String, FileIndex)> = files.iter().map(index).collect();
        let files = files.iter().map(|(path, file)| (path, file));
        TreeNames::new(files, |path| path == "stub.h")
    }

    #[test]
    fn a_constant_is_known_where_all_files_agree() {
        for (other, expected) in [
            ("", Some(32)),
            ("#define N 32\n", Some(32)),
            ("#define N 64\n", None),
        ] {
            let files = [("a.h", "#define N 32\n"), ("b.h", other)];
            assert_eq!(names(&files).constant(b"N"), expected, "{other}");
        }
        assert_eq!(names(&[]).constant(b"N"), None);
    }

    #[test]
    fn names_of_any_file_are_the_trees_but_for_stand_ins() {
        let all = names(&[
            ("a.h", "#define cudaFree(p) free(p)\nvoid cudaFancy(int);\n"),
            ("b.h", "int cudaMalloc(int) { return 0; }\n"),
            ("stub.h", "int cudaMemcpy(int) { return 0; }\n"),
        ]);
        assert!(all.declares(b"cudaFree") && all.declares(b"cudaMalloc"));
        assert!(!all.declares(b"cudaMemcpy"), "it is CUDA's");
        assert!(all.is_macro(b"cudaFree") && !all.is_macro(b"cudaMalloc"));
        assert!(all.gives_own_meaning(b"cudaFancy") && !all.gives_own_meaning(b"cudaFree"));
    }

    #[test]
    fn functions_on_texts_are_placed_where_the_tree_has_them_for_the_device() {
        for (text, expected) in [
            (
                "__device__ int strcmp(const char *a, const char *b);\n",
                true,
            ),
            ("int strcmp(const char *a, const char *b);\n", false),
            (
                "__device__ int compare(const char *a) { return strcmp(a, a); }\n",
                false,
            ),
        ] {
            let all = names(&[("a.h", text)]);
            assert_eq!(all.places_text(b"strcmp"), expected, "{text}");
        }
    }
}
