//! What one file defines and includes.

mod arity;
mod clashes;
mod definitions;
mod includes;
mod macros;
mod overloads;
mod own_types;
mod plain;
mod vectors;

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::compat;
use crate::cpp::blas_interface::uses_second_interface;
use crate::cpp::coined::{gives_own_meaning, is_by_form};
use crate::cpp::conditions::groups::not_meant;
use crate::cpp::constructors::MadeWithValues;
use crate::cpp::definitions::{enumerations, is_listed, opaque_tag};
use crate::cpp::functions::{declared_nowhere_else, declared_with};
use crate::cpp::libcu::{FileUse, libcu_use};
use crate::cpp::made_on_device::names_made_on_device;
use crate::cpp::names::{NPP, names_wmma};
use crate::cpp::namespaces::{self, Inner};
use crate::cpp::space_macros::{Worded, worded};
use crate::cpp::spaces::{Placed, placed};
use crate::cpp::std_names::{declares_global, is_std_name, opens_std};
use crate::cpp::template_parameters::classes_of_numbers;
use crate::cpp::texture_objects::ObjectNames;
use crate::cpp::void_members::VoidMembers;
use crate::mapping::{ApiTable, Kind, name_lists};
use crate::project::stand_ins;
use crate::project::textures::TextureNames;
use crate::project::vendors::VendorFacts;
use crate::project::warps::WarpFacts;
use crate::syntax::Document;
use crate::text::RangeSet;

pub(crate) use arity::{Arity, count};
pub(crate) use clashes::{first_clashing_macro, parameter_macro};
pub(super) use includes::becomes_runtime;
pub(crate) use includes::brings_runtime;
pub(crate) use overloads::Overload;
pub(crate) use plain::{
    defines_apart, may_hold_clashing_names, may_hold_std_constants, may_speak_of_hip, specialises,
};

use vectors::VectorNames;

/// The header that brings the words of kernels (HIP 6.4).
pub(super) const RUNTIME_HEADER: &str = "hip/hip_runtime.h";

/// Files by path.
pub(crate) type Files = FxHashMap<String, FileIndex>;

/// Names and constants that one file defines, and the files it includes.
#[derive(Clone, Debug, Default)]
pub struct FileIndex {
    /// Names of CUDA that the file defines itself.
    pub(crate) names: FxHashSet<Box<[u8]>>,
    /// Functions of the names that it defines or declares in a namespace, and which.
    pub(crate) within: FxHashMap<Box<[u8]>, Box<[u8]>>,
    /// Functions of the names that take a type of the project's: outside of their namespace a call finds them by its arguments.
    pub(crate) found_by_type: FxHashSet<Box<[u8]>>,
    /// How many arguments those of the names take that are functions alone, as far as their parameters tell.
    pub(crate) arities: FxHashMap<Box<[u8]>, BTreeSet<Arity>>,
    /// Those of the names that are macros.
    pub(crate) macros: FxHashSet<Box<[u8]>>,
    /// Types of CUDA are among the names: the file needs none of its headers.
    pub(crate) makes_types: bool,
    /// Functions of CUDA's names that the file declares; the project's where the tree defines them.
    pub(crate) declared: FxHashSet<Box<[u8]>>,
    /// Functions of CUDA's names in a list of macros, `DECLARE(cuInit, (int flags));`, of a file without CUDA's headers.
    pub(crate) listed: FxHashSet<Box<[u8]>>,
    /// Functions of CUDA's names that macros make members of.
    pub(crate) members: FxHashSet<Box<[u8]>>,
    /// Macros with the positions of the arguments that they make members: `#define CHECK(table, call) (table)->call`.
    pub(crate) member_macros: FxHashMap<Box<[u8]>, Vec<usize>>,
    /// Variables of its classes, and those outside of all functions, that are called like a type of CUDA.
    pub(crate) variables: FxHashSet<Box<[u8]>>,
    /// Namespaces called like a library of CUDA that the file has inside another.
    pub(crate) inner_namespaces: Vec<Inner>,
    /// Names of CUDA's form that no table knows and the file defines or declares.
    pub(crate) coined: FxHashSet<Box<[u8]>>,
    /// Object-like macros and constants whose value is one number.
    pub(crate) constants: FxHashMap<Box<[u8]>, u64>,
    /// The text of other macros and constants that may be an expression of integers; empty where two definitions differ.
    pub(crate) expressions: FxHashMap<Box<[u8]>, Box<[u8]>>,
    /// Macros that stand for words alone, such as `__host__ __device__`.
    pub(crate) worded: Worded,
    /// The functions of which a declaration in the file says where they run.
    pub(crate) placed: Vec<Placed>,
    /// Its classes, and whether an object of each gets values where it is made without arguments.
    pub(crate) made_with_values: MadeWithValues,
    /// The types of variables of its functions for the device.
    pub(crate) made_on_device: FxHashSet<Box<[u8]>>,
    /// Members of its classes that point to anything.
    pub(crate) void_members: VoidMembers,
    /// Its enumerations.
    pub(crate) enumerations: FxHashSet<Box<[u8]>>,
    /// Class templates with a number among their parameters.
    pub(crate) of_numbers: FxHashSet<Box<[u8]>>,
    /// Macros that stand for several arguments: a comma stands in their text, outside brackets.
    pub(crate) lists: FxHashSet<Box<[u8]>>,
    /// Include paths as written.
    pub(crate) includes: Vec<String>,
    /// Those of the includes, by position, that are headers of CUDA with a counterpart on AMD; with `true` in angle brackets.
    pub(crate) covered: FxHashMap<usize, bool>,
    /// Those of the includes that stand inside a namespace, class or function.
    pub(crate) braced: Vec<String>,
    /// Paths that it includes for compilers other than nvcc.
    pub(crate) for_host: Vec<String>,
    /// Of `includes` those that no compiler reads but nvcc, and hipcc.
    pub(crate) for_device: Vec<String>,
    /// Those of the includes that stand in the place of a header of CUDA: `#else` and a stub of it.
    pub(crate) in_place: Vec<String>,
    /// The file says itself what names of CUDA are where a build has no header of CUDA.
    pub(crate) stands_in: bool,
    /// Include paths that every build for AMD reads: under no condition but the file's guard and those for HIP.
    pub(crate) sure_includes: Vec<String>,
    /// Conditions, each alone, under which it includes the runtime header or what becomes it.
    pub(crate) runtime_if: BTreeSet<String>,
    /// One of those is the runtime header, or becomes it.
    pub(crate) has_runtime: bool,
    /// It has code for the device in every build, so that it gets the runtime header if it lacks it.
    pub(crate) asks_for_runtime: bool,
    /// The same as a quoted path, which may be that of a file of the tree: `"cuda.h"`.
    pub(crate) quoted_runtime: Vec<String>,
    /// Its texture references.
    pub(crate) textures: TextureNames,
    /// The names in which it makes objects of textures and surfaces.
    pub(crate) objects: ObjectNames,
    /// How many of the includes stand in front of the first macro that is called like a function of C++'s library.
    pub(crate) includes_before_macro: Option<usize>,
    /// What its functions do with warps.
    pub(crate) warps: WarpFacts,
    /// Helpers that the file calls by the helper header, which an earlier run put in.
    pub(crate) helpers: BTreeSet<&'static str>,
    /// The shuffles of CUDA that it adds overloads to, for types of its own.
    pub(crate) shuffles: FxHashSet<Box<[u8]>>,
    /// The shuffles of CUDA that it defines for CUDA's types.
    pub(crate) replaced_shuffles: FxHashSet<Box<[u8]>>,
    /// It has words that helpers stand for, or assembly, so that it may come to include the helper header.
    pub(crate) may_call_helpers: bool,
    /// Size of a file without CUDA.
    pub(crate) plain_bytes: Option<u64>,
    /// Macros without a value that a file without CUDA defines.
    pub(crate) flags: FxHashSet<Box<[u8]>>,
    /// A file without CUDA names HIP.
    pub(crate) names_hip: bool,
    /// What it says of the two vendors.
    pub(crate) vendors: VendorFacts,
    /// Its definitions whose types are CUDA's.
    pub(crate) overloads: Vec<Overload>,
    /// It defines `main`.
    pub(crate) is_program: bool,
    /// What a file without CUDA says of CUDA's vector types.
    pub(crate) vectors: VectorNames,
    /// It says `using namespace std;`.
    pub(crate) opens_std: bool,
    /// Its global variables and types that are called like something of `std`.
    pub(crate) std_names: FxHashSet<Box<[u8]>>,
    /// What it needs of libcu++.
    pub(crate) libcu: FileUse,
    /// It says `nvcuda` or `wmma`, the namespaces of matrix units.
    pub(crate) names_wmma: bool,
    /// It names functions of cuBLAS of which hipBLAS has two interfaces.
    pub(crate) names_second_interface: bool,
    /// It has names of NPP.
    pub(crate) names_npp: bool,
    /// The headers without a counterpart of which it has names, by their places in the table.
    pub(crate) lone_headers: FxHashSet<usize>,
    /// Functions in all of whose declarations NPP's types stand.
    pub(crate) over_npp: FxHashSet<Box<[u8]>>,
}

impl FileIndex {
    /// Collects what a file defines. Definitions and includes that are guarded for one vendor do not count, nor definitions in branches that
    /// were never meant for GPUs of today. `is_off` tells where a comment keeps texture references as they are.
    pub fn new(document: &Document<'_>, table: &ApiTable, is_off: &dyn Fn(u32) -> bool) -> Self {
        let mut index = Self {
            textures: TextureNames::new(document, is_off),
            objects: ObjectNames::new(document),
            warps: WarpFacts::new(document),
            helpers: called_helpers(&document.source.bytes),
            vendors: VendorFacts::new(document, table),
            libcu: libcu_use(document, table),
            enumerations: enumerations(document).map(Box::from).collect(),
            names_wmma: names_wmma(document),
            names_second_interface: uses_second_interface(document),
            is_program: document.has_word(|word| word == b"main"),
            opens_std: opens_std(document),
            ..Self::default()
        };
        let out = Out {
            not_meant: not_meant(document, table),
            in_place: stand_ins::branches(document, table),
            includes_cuda: stand_ins::includes_cuda(document, table),
        };
        index.inner_namespaces = namespaces::inner(document);
        index.coined = namespaces::Extended::new(document).0;
        index.worded = worded(document);
        index.made_with_values = MadeWithValues::new(document);
        index.made_on_device = names_made_on_device(document);
        index.void_members = VoidMembers::new(document);
        index.of_numbers = classes_of_numbers(document);
        index.placed = placed(document, &index.worded, &|at| out.contains(at));
        index.add_macros(document, table, &out);
        index.add_includes(document, table, &out);
        index.add_sure_includes(document, table);
        let mut opaque = Vec::new();
        let mut over_npp = FxHashSet::default();
        for (word, mut places) in document.each_word() {
            let hit = table.get_or_pattern(word);
            index.may_call_helpers |= may_become_helper(word, document);
            if hit.is_some_and(|hit| hit.entry.library == NPP) {
                index.names_npp = true;
                over_npp.extend(places.clone().filter_map(|at| declared_with(document, at)));
            }
            if is_by_form(word) || hit.is_some() {
                let rows = name_lists().lone_headers.iter().enumerate();
                let named = rows.filter(|(_, it)| it.declares(word));
                index.lone_headers.extend(named.map(|(row, _)| row));
            }
            if is_std_name(word) && places.clone().any(|at| declares_global(document, at)) {
                index.std_names.insert(word.into());
            }
            let is_function = hit.is_some_and(|hit| hit.entry.kind == Kind::Function);
            for at in places.clone() {
                if is_function && own_types::adds_overload(document, table, at) {
                    // A shuffle takes other arguments on AMD, in its definition as well.
                    if !word.starts_with(b"__shfl") {
                        continue;
                    }
                    index.shuffles.insert(word.into());
                } else if is_function
                    && !out.contains(document.tokens[at].start)
                    && own_types::replaces_shuffle(document, table, at)
                {
                    index.replaced_shuffles.insert(word.into());
                }
                index.add_definition(document, hit, at, &out);
                if is_function
                    && index.within.contains_key(word)
                    && own_types::takes_own_type(document, table, at)
                {
                    index.found_by_type.insert(word.into());
                }
            }
            if hit.is_some()
                && !out.includes_cuda
                && let Some(tag) = places.clone().find_map(|at| opaque_tag(document, at))
            {
                opaque.extend([word, document.bytes(tag)]);
            }
            if is_function && !out.includes_cuda && places.clone().any(|at| is_listed(document, at))
            {
                index.listed.insert(word.into());
            }
            if hit.is_none() && is_by_form(word) && places.any(|at| gives_own_meaning(document, at))
            {
                index.coined.insert(word.into());
            }
        }
        index.over_npp = declared_nowhere_else(document, &over_npp);
        index.add_stood_in(document, table);
        index.overloads = overloads::overloads(document, table);
        // Who says what CUDA's types are made of needs no header of CUDA: the pointers beside them are the project's as well.
        if index.makes_types {
            index.names.extend(opaque.into_iter().map(Box::from));
        }
        index
    }
}

/// Whether a word of CUDA may make a file call helpers: they stand for it, or what it begins is read by them.
fn may_become_helper(word: &[u8], document: &Document<'_>) -> bool {
    const BEGINS: &[&[u8]] = &[b"asm", b"__asm__", b"__asm", b"cooperative_groups", b"wmma"];
    // HIP has these, but for pairs of short floats.
    const OF_PAIRS: &[&[u8]] = &[b"atomicAdd", b"atomicCAS"];
    let is_short = |word: &[u8]| {
        const PARTS: [&[u8]; 3] = [b"half", b"Half", b"float16"];
        let says = |part: &&[u8]| memchr::memmem::find(word, part).is_some();
        PARTS.iter().any(says)
    };
    if OF_PAIRS.contains(&word) {
        return document.has_word(is_short);
    }
    let name = std::str::from_utf8(word);
    BEGINS.contains(&word) || name.is_ok_and(|name| compat::replacing(name).is_some())
}

/// What of a file does not say what CUDA's names mean.
struct Out {
    /// Branches that conditions about CUDA keep from AMD.
    not_meant: RangeSet,
    /// Branches in the place of a header of CUDA.
    in_place: RangeSet,
    /// A header of CUDA is included somewhere.
    includes_cuda: bool,
}

impl Out {
    fn contains(&self, at: u32) -> bool {
        self.not_meant.contains(at) || self.in_place.contains(at)
    }
}

/// The helpers that a file which includes the helper header names.
fn called_helpers(bytes: &[u8]) -> BTreeSet<&'static str> {
    if memchr::memmem::find(bytes, compat::HEADER_NAME.as_bytes()).is_none() {
        return BTreeSet::new();
    }
    let word = |at: usize| {
        let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
        let end = at + bytes[at..].iter().take_while(is_part).count();
        std::str::from_utf8(&bytes[at..end]).ok()
    };
    memchr::memmem::find_iter(bytes, "cass_")
        .filter_map(word)
        .filter_map(compat::find)
        .map(|helper| helper.name)
        .collect()
}

/// What a text says, for the tests of these modules.
#[cfg(test)]
mod probe {
    use super::FileIndex;
    use crate::mapping::ApiTable;

    pub(super) fn index(text: &str) -> FileIndex {
        crate::project::probe::index("a.h", text, &ApiTable::builtin())
    }
}
