//! Copies of NVIDIA's libraries among what a project took from others: CUB below `3rdparty/`, CUTLASS as a submodule, wherever that is. Nobody
//! ports them: AMD has a library in the place of each, or none.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use crate::project::taken::is_for_taken;

/// The folder of a library's headers, and two of them that tell it from a folder that is only called so.
const LIBRARIES: &[(&str, [&str; 2])] = &[
    ("cub", ["util_type.cuh", "util_ptx.cuh"]),
    ("thrust", ["version.h", "device_vector.h"]),
    ("cutlass", ["cutlass.h", "numeric_types.h"]),
    ("cute", ["tensor.hpp", "layout.hpp"]),
    (NVTX, ["nvToolsExt.h", "nvToolsExtCudaRt.h"]),
    (HEADERS, ["cudnn_frontend.h", "cudnn_frontend_version.h"]),
];

/// The headers of NVTX, which no project has for its own.
const NVTX: &str = "nvtx3";

/// The folder of headers that are included without it.
const HEADERS: &str = "include";

/// How repositories are called that hold nothing else: `cub-1.8.0`, `cccl`.
const REPOSITORIES: &[&str] = &[
    "cub",
    "thrust",
    "cutlass",
    "cute",
    "cccl",
    "cudnn-frontend",
    "cudnn_frontend",
];

/// The copies of a tree.
#[derive(Clone, Debug, Default)]
pub(crate) struct Copies {
    /// The folder of each, with that from which its headers are included; both with `/` at their ends.
    folders: BTreeSet<(String, String)>,
}

impl Copies {
    /// Finds them among the paths of a tree by their last part.
    pub(super) fn new(by_name: &FxHashMap<String, Vec<String>>) -> Self {
        let mut found = Self::default();
        let called = |name: &str| by_name.get(name).into_iter().flatten();
        for (library, [first, second]) in LIBRARIES {
            for path in called(first) {
                let folder = &path[..path.len() - first.len()];
                let parent = folder
                    .strip_suffix('/')
                    .and_then(|it| it.strip_suffix(library));
                let parent = parent.filter(|it| it.ends_with('/'));
                let parent = parent.map(|it| if *library == HEADERS { folder } else { it });
                let root = root(folder, library).or((*library == NVTX).then_some(folder));
                if let Some((parent, root)) = parent.zip(root)
                    && called(second).any(|it| it.strip_prefix(folder) == Some(*second))
                {
                    found.folders.insert((root.to_owned(), parent.to_owned()));
                }
            }
        }
        found
    }

    /// Whether a file is part of one.
    pub(crate) fn hold(&self, path: &str) -> bool {
        self.folders.iter().any(|(root, _)| path.starts_with(root))
    }

    /// How a header of one is included where the library is installed: `cub/cub.cuh` of `3rdparty/cub/cub.cuh`.
    pub(crate) fn installed<'p>(&self, path: &'p str) -> Option<&'p str> {
        let around = self
            .folders
            .iter()
            .filter(|(root, _)| path.starts_with(root));
        around
            .map(|(_, parent)| path.strip_prefix(parent.as_str()))
            .find_map(|it| it)
    }
}

/// The folder of the whole copy around its folder of headers: the repository, if nothing else is in it.
fn root<'p>(headers: &'p str, library: &str) -> Option<&'p str> {
    let mut is_taken = false;
    for (at, _) in headers.match_indices('/') {
        let name = headers[..at].rsplit('/').next()?.to_ascii_lowercase();
        let is_repository = |library: &&str| {
            let version = name.strip_prefix(library);
            version.is_some_and(|it| !it.starts_with(|first: char| first.is_alphabetic()))
        };
        // What is called after a release, `cub-1.8.0`, was unpacked there, wherever that is.
        let is_of_release = || name.ends_with(|last: char| last.is_ascii_digit());
        // A whole repository below another folder, `csrc/cutlass/include/cutlass/`: at the root it may be the project itself.
        let is_within = || {
            let inside = headers[at + 1..].strip_prefix("include/");
            let inside = inside.unwrap_or(&headers[at + 1..]);
            headers[..at].contains('/') && inside.strip_suffix('/') == Some(library)
        };
        if REPOSITORIES.iter().any(is_repository) && (is_taken || is_of_release() || is_within()) {
            return Some(&headers[..=at]);
        }
        is_taken |= is_for_taken(&name);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_are_told_by_their_place_and_their_headers() {
        let mut project = FxHashMap::<String, Vec<String>>::default();
        for path in [
            "src/3rdparty/cub/util_type.cuh",
            "src/3rdparty/cub/util_ptx.cuh",
            "external/nvidia/cutlass-3.5/include/cutlass/cutlass.h",
            "external/nvidia/cutlass-3.5/include/cutlass/numeric_types.h",
            "external/nvidia/cutlass-3.5/examples/a.cu",
            "include/thrust/version.h",
            "include/thrust/device_vector.h",
            "deps/cube/cub/util_type.cuh",
            "deps/cccl/cub/cub/util_type.cuh",
            "deps/cccl/cub/cub/util_ptx.cuh",
            "kit/csrc/cutlass/include/cutlass/cutlass.h",
            "kit/csrc/cutlass/include/cutlass/numeric_types.h",
            "kit/cutlass/cutlass.h",
            "kit/cutlass/numeric_types.h",
            "deps/cccl/thrust/thrust/version.h",
            "deps/cccl/thrust/thrust/device_vector.h",
            "deps/cub.cuh",
            "thrust-1.9.3/thrust/version.h",
            "thrust-1.9.3/thrust/device_vector.h",
            "cub/cub/util_type.cuh",
            "cub/cub/util_ptx.cuh",
            "nvtx/c/include/nvtx3/nvToolsExt.h",
            "nvtx/c/include/nvtx3/nvToolsExtCudaRt.h",
            "external/cudnn-frontend/include/cudnn_frontend.h",
            "external/cudnn-frontend/include/cudnn_frontend_version.h",
        ] {
            let (_, name) = path.rsplit_once('/').expect("a path");
            let called = project.entry(name.to_owned()).or_default();
            called.push(path.to_owned());
        }
        let copies = Copies::new(&project);
        for (path, installed) in [
            ("src/3rdparty/cub/cub.cuh", Some("cub/cub.cuh")),
            ("src/3rdparty/cub/warp/a.cuh", Some("cub/warp/a.cuh")),
            (
                "external/nvidia/cutlass-3.5/include/cutlass/cutlass.h",
                Some("cutlass/cutlass.h"),
            ),
            ("deps/cccl/cub/cub/a.cuh", Some("cub/a.cuh")),
            ("deps/cccl/thrust/thrust/a.h", Some("thrust/a.h")),
            ("kit/csrc/cutlass/include/cutlass/a.h", Some("cutlass/a.h")),
            (
                "external/cudnn-frontend/include/cudnn_frontend/node.h",
                Some("cudnn_frontend/node.h"),
            ),
            ("thrust-1.9.3/thrust/a.h", Some("thrust/a.h")),
            ("nvtx/c/include/nvtx3/a.h", Some("nvtx3/a.h")),
            // The project itself.
            ("cub/cub/a.cuh", None),
            ("src/3rdparty/other.h", None),
            ("kit/cutlass/a.h", None),
            ("include/thrust/version.h", None),
            ("deps/cube/cub/cub.cuh", None),
        ] {
            assert_eq!(copies.installed(path), installed, "{path}");
            assert_eq!(copies.hold(path), installed.is_some(), "{path}");
        }
        assert!(copies.hold("external/nvidia/cutlass-3.5/examples/a.cu"));
    }
}
