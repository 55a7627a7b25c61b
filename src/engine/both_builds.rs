//! Build files for both vendors: what a fix makes for AMD stands under `if(USE_HIP)` beside the lines that go on building for NVIDIA.
//! CMake lists get an option of that name, which is off at first; Makefiles take `make USE_HIP=1`.

use crate::cpp::both_builds::{of_cmake, of_make};
use crate::cpp::build_file::tool;
use crate::edit::{Applicability, EditSet, Fix};
use crate::syntax::Document;
use crate::text::{BuildTool, Language};

/// The edits of a build file with those for AMD beside what was there; `None` for other files.
pub(super) fn with_amd_edits(document: &Document<'_>, edits: &EditSet) -> Option<EditSet> {
    let is_build = matches!(document.source.language, Language::Build(_));
    let all = match tool(document) {
        BuildTool::CMake if is_build => of_cmake(document, edits.as_slice()),
        BuildTool::Make if is_build => of_make(document, edits.as_slice()),
        _ => return None,
    };
    let fix = Fix::safe(all);
    Some(EditSet::resolve(&[(0, Some(&fix))], Applicability::Safe).edits)
}
