//! Build files for both vendors: what a fix makes for AMD stands under `if(USE_HIP)` beside the lines that go on building for NVIDIA.
//! CMake lists get an option of that name, which is off at first; Makefiles take `make USE_HIP=1`.

use crate::build::BuildFile;
use crate::build::dual::{of_cmake, of_make};
use crate::edit::{Applicability, EditSet, Fix};
use crate::text::BuildTool;

/// The edits of a build file with those for AMD beside what was there; `None` where the tool has no such choice.
pub(super) fn with_amd_edits(file: &BuildFile<'_>, edits: &EditSet) -> Option<EditSet> {
    let all = match file.tool {
        BuildTool::CMake => of_cmake(file, edits.as_slice()),
        BuildTool::Make => of_make(file, edits.as_slice()),
        _ => return None,
    };
    let fix = Fix::safe(all);
    Some(EditSet::resolve(&[(0, Some(&fix))], Applicability::Safe).edits)
}
