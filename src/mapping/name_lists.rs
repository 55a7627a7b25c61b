//! The table `mappings/names.toml`: names that single rules are about, where nothing but the names is to be known.

use std::ops::Deref;
use std::sync::LazyLock;

use serde::{Deserialize, Deserializer};

/// Lists of names.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NameLists {
    /// Device functions of textures and surfaces that need image instructions.
    pub(crate) image_instructions: Names,
    /// Types that CUDA declares by a tag and HIP as an alias, beside vectors.
    pub(crate) aliases: Names,
    /// Structures behind handles that are `void *` in HIP.
    pub(crate) handle_tags: Names,
    /// Types without a constructor whose counterparts have one that gives values.
    pub(crate) made_with_values: Names,
    /// Types of libraries whose constructors give values; all of a namespace by a `*`.
    pub(crate) made_with_values_everywhere: Names,
    /// What the names of NVIDIA's GPUs have in them.
    pub(crate) gpu_products: Names,
    /// Names of `std` that every file of HIP has, and that of CUDA has not.
    pub(crate) std_names: Names,
    /// Names of `cuda::std` that are usable for the device as names of `std`.
    pub(crate) libcu_std: Names,
    /// Headers `cuda/std/…` whose names `std` has, as far as they are usable.
    pub(crate) libcu_std_headers: Names,
    /// Headers `cuda/…` that have a counterpart in C++.
    pub(crate) libcu_headers: Names,
    /// Atomics of `cuda::` that the helper header has, behind `cass_`.
    pub(crate) libcu_atomics: Names,
    /// Functions of `cuda::` that give back what they are given.
    pub(crate) libcu_identities: Names,
    /// Functions of the standard library that device code cannot call.
    pub(crate) host_algorithms: Names,
    /// AMD's handles that are all `void *`.
    pub(crate) void_handles: Names,
    /// Types that HIP has no `__ldg` for.
    pub(crate) not_loaded_read_only: Names,
    /// What words of NVIDIA's in build files of other tools hold, in small letters.
    pub(crate) build_words: Names,
    /// How the names of packages begin that are CUDA's, in small letters.
    pub(crate) cuda_packages: Names,
    /// How the modules of clusters begin that are CUDA's, in small letters.
    pub(crate) cuda_modules: Names,
    /// How packages begin that are called after NVIDIA and need none of its GPUs.
    pub(crate) packages_for_any_gpu: Names,
    /// Commands of shells that compile nothing.
    pub(crate) plain_commands: Names,
    /// Variables that name the folder of the toolkit, or one of its folders.
    pub(crate) toolkit_folders: Names,
    /// CUDA's vector types.
    pub(crate) vectors: Names,
    /// Macros with a project's names that HIP's runtime header leaves defined.
    pub(crate) hip_macros: Names,
    /// Functions of the host of which nvcc only warns in functions for both sides.
    pub(crate) host_calls: Names,
    /// Libraries of NVIDIA's that nothing on AMD takes the place of, by parts of the names of their packages.
    pub(crate) lone_libraries: Names,
    /// Headers of NVIDIA's that load CUDA's functions into a table, by the last part of their path.
    pub(crate) function_loaders: Names,
    /// Functions of the C library on texts and bytes, which clang has as builtins.
    pub(crate) host_texts: Names,
    /// Functions of the host that clang has as builtins.
    pub(crate) host_builtins: Names,
    /// Functions of `<math.h>` that are of `float` where they are given that.
    host_overloads: Names,
    device_math: Vec<DeviceMath>,
    /// Headers of CUDA without a counterpart whose names are known by how they begin.
    pub(crate) lone_headers: Vec<LoneHeader>,
}

/// A header of CUDA that has no counterpart, and needs none where nothing of it is named.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LoneHeader {
    /// Its path.
    pub(crate) header: String,
    /// How all names begin that it declares.
    names: Names,
    /// The header of CUDA that it brings besides.
    pub(crate) brings: Option<String>,
}

impl LoneHeader {
    /// Whether a name is of the form of those that it declares: `cudaOccDeviceProp`, and not `cudaOccupancyMaxPotentialBlockSize`.
    pub(crate) fn declares(&self, name: &[u8]) -> bool {
        let fits = |start: &&str| {
            let rest = name.strip_prefix(start.as_bytes());
            rest.is_some_and(|rest| {
                let next = rest.first();
                start.ends_with('_')
                    || next.is_none_or(|next| next.is_ascii_uppercase() || *next == b'_')
            })
        };
        self.names.iter().any(fits)
    }
}

/// Mathematical functions that nvcc has for the host as well, and HIP for the device alone.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct DeviceMath {
    names: Names,
    /// How many arguments they take.
    arguments: usize,
}

impl NameLists {
    /// How many arguments a mathematical function takes that HIP has for the device alone; `None` of any other name.
    pub(crate) fn device_math_arguments(&self, name: &[u8]) -> Option<usize> {
        let mut rows = self.device_math.iter();
        let row = rows.find(|row| row.names.iter().any(|it| it.as_bytes() == name));
        row.map(|row| row.arguments)
    }
}

/// The names of all mathematical functions that HIP has for the device alone.
pub(crate) fn device_math_names() -> &'static [&'static str] {
    static NAMES: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
        let rows = name_lists().device_math.iter();
        rows.flat_map(|row| row.names.iter().copied()).collect()
    });
    &NAMES
}

/// Functions of `<math.h>` whose overload for `float` gives a `float`.
pub(crate) fn host_overloads() -> &'static [&'static str] {
    &name_lists().host_overloads
}

/// Names, for as long as the program runs.
#[derive(Debug)]
pub(crate) struct Names(Vec<&'static str>);

impl Deref for Names {
    type Target = [&'static str];

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl<'de> Deserialize<'de> for Names {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let names = Vec::<String>::deserialize(deserializer)?;
        // The table is read once and kept, and rules name what they look at by texts that last.
        let kept = names
            .into_iter()
            .map(|name| -> &'static str { name.leak() });
        Ok(Self(kept.collect()))
    }
}

/// The lists that are compiled in.
pub(crate) fn name_lists() -> &'static NameLists {
    static TABLE: LazyLock<NameLists> = LazyLock::new(|| {
        toml::from_str(include_str!("../../mappings/names.toml"))
            .expect("the compiled-in lists of names are valid, a test reads them")
    });
    &TABLE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_list_is_empty_or_says_a_name_twice() {
        let lists = name_lists();
        for list in [
            &lists.image_instructions,
            &lists.aliases,
            &lists.gpu_products,
            &lists.host_algorithms,
            &lists.libcu_std,
            &lists.libcu_std_headers,
            &lists.libcu_headers,
            &lists.libcu_atomics,
            &lists.libcu_identities,
            &lists.void_handles,
            &lists.not_loaded_read_only,
            &lists.build_words,
            &lists.cuda_packages,
            &lists.cuda_modules,
            &lists.packages_for_any_gpu,
            &lists.toolkit_folders,
            &lists.vectors,
            &lists.hip_macros,
            &lists.host_builtins,
            &lists.host_calls,
            &lists.host_texts,
            &lists.lone_libraries,
            &lists.handle_tags,
            &lists.made_with_values,
            &lists.made_with_values_everywhere,
        ] {
            let names: std::collections::BTreeSet<&str> = list.iter().copied().collect();
            assert!(!names.is_empty() && names.len() == list.len(), "{list:?}");
        }
        let math = device_math_names();
        let names: std::collections::BTreeSet<&str> = math.iter().copied().collect();
        assert!(!names.is_empty() && names.len() == math.len(), "{math:?}");
    }

    #[test]
    fn names_of_a_lone_header_are_told_by_how_they_begin() {
        let all = &name_lists().lone_headers;
        let of = |name: &str| {
            let mut found = all.iter().filter(|it| it.declares(name.as_bytes()));
            found.next().map(|it| it.header.as_str())
        };
        for (name, expected) in [
            ("cudaOccDeviceProp", Some("cuda_occupancy.h")),
            ("CUDA_OCC_SUCCESS", Some("cuda_occupancy.h")),
            ("cudaOccupancyMaxPotentialBlockSize", None),
            ("cublasXtSgemm", Some("cublasXt.h")),
            ("cublasXt", Some("cublasXt.h")),
            ("cublasSgemm", None),
            ("nvmlInit_v2", Some("nvml.h")),
            ("PFN_cuGetProcAddress", Some("cudaTypedefs.h")),
        ] {
            assert_eq!(of(name), expected, "{name}");
        }
        assert!(all.is_sorted_by(|one, next| one.header < next.header));
    }

    #[test]
    fn each_function_of_the_device_has_a_helper() {
        for name in device_math_names() {
            assert!(
                crate::compat::find(&format!("cass_{name}")).is_some(),
                "{name}"
            );
        }
    }
}
