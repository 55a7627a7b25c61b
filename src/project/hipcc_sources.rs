//! Sources for the compiler of the host that read headers of AMD's which hipcc alone takes: on AMD they are sources of HIP.

use crate::project::includes::is_for_host;
use crate::project::index::ProjectIndex;

/// Headers, and folders of such, whose counterparts in ROCm up to 6.4 g++ does not take.
const FOR_HIPCC: &[&str] = &["cuda_bf16.h", "cuda_fp8.h", "cub/", "thrust/"];

/// Whether the counterpart of a header, as an include writes it, is for hipcc alone.
pub(crate) fn is_for_hipcc(include: &str) -> bool {
    FOR_HIPCC.iter().any(|it| include.starts_with(it))
}

/// Whether a header, as an include writes it, is one of SYCL's: no compiler for HIP has them.
pub(crate) fn is_of_sycl(include: &str) -> bool {
    matches!(include, "sycl/sycl.hpp" | "CL/sycl.hpp") || include.starts_with("dpct/")
}

impl ProjectIndex {
    /// Whether the CMake list that enables CUDA for a file gives it to hipcc once it is translated for AMD.
    pub(crate) fn becomes_hipcc_source(&self, path: &str) -> bool {
        is_for_host(path)
            && !self.is_torch(path)
            && !self.is_for_sycl(path)
            && self.builds.lists.enables_cuda_for(path)
            && self.reads_hipcc_header(path)
    }

    /// Such sources below a folder, as paths from it, in order. The folder ends with `/` where it is not the root.
    pub(crate) fn hipcc_sources_below(&self, folder: &str) -> Vec<&str> {
        let below = self.graph().paths().iter();
        let below = below.filter(|path| self.becomes_hipcc_source(path));
        let mut found: Vec<&str> = below.filter_map(|path| path.strip_prefix(folder)).collect();
        found.sort_unstable();
        found
    }

    fn is_for_sycl(&self, path: &str) -> bool {
        let file = self.files.get(path);
        file.is_some_and(|it| it.includes.iter().any(|include| is_of_sycl(include)))
    }

    fn reads_hipcc_header(&self, path: &str) -> bool {
        self.reaches(path, "headers for hipcc", |path, file| {
            let includes = file.includes.iter().filter(|it| is_for_hipcc(it));
            let mut read = includes.filter(|it| !file.for_device.contains(it));
            read.any(|it| self.paths.resolve(path, it).is_none())
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::project::builds::{BuildIndex, BuildList, Builds};
    use crate::project::probe::tree;

    #[test]
    fn host_sources_that_read_rocthrust_are_for_hipcc() {
        let thrust = "#include <thrust/sort.h>\n";
        let project = tree(&[
            ("lib/data.h", thrust),
            ("lib/src/a.cpp", "#include \"../data.h\"\n"),
            ("lib/src/b.cpp", "#include <vector>\n"),
            (
                "lib/src/s.cpp",
                "#include <sycl/sycl.hpp>\n#include <thrust/sort.h>\n",
            ),
            ("lib/src/k.cu", thrust),
            ("other/c.cpp", thrust),
            (
                "lib/d.cpp",
                "#ifdef __CUDACC__\n#include <thrust/sort.h>\n#endif\n",
            ),
        ]);
        let lists = ["lib", "other"].map(|folder| BuildList {
            path: format!("{folder}/CMakeLists.txt"),
            enables_cuda: folder == "lib",
            serves_amd: false,
            ..BuildList::default()
        });
        let project = project.with_builds(BuildIndex {
            lists: Builds::new(&lists),
            ..BuildIndex::default()
        });
        assert_eq!(project.hipcc_sources_below("lib/"), ["src/a.cpp"]);
        assert_eq!(project.hipcc_sources_below(""), ["lib/src/a.cpp"]);
        assert!(!project.becomes_hipcc_source("other/c.cpp"));
    }
}
