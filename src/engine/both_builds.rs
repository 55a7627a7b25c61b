//! Build files for both vendors: what a fix makes for AMD stands under `if(USE_HIP)` beside the lines that go on building for NVIDIA.
//! CMake lists get an option of that name, which is off at first; Makefiles take `make USE_HIP=1`.

use crate::cpp::both_builds::{of_cmake, of_make};
use crate::cpp::build_file::tool;
use crate::diagnostic::{Finding, Severity};
use crate::edit::{Applicability, EditSet, Fix};
use crate::engine::session::FileSession;
use crate::options::BuildMode;
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

/// Leaves scripts as they are: whoever calls them builds for NVIDIA, and a script for AMD is another.
pub(super) fn leave_scripts(
    document: &Document<'_>,
    session: &FileSession<'_>,
    findings: &mut [Finding],
) {
    let is_script = document.source.language == Language::Build(BuildTool::Shell);
    if session.options.build != BuildMode::Dual || !is_script {
        return;
    }
    for finding in findings.iter_mut().filter(|finding| finding.fix.is_some()) {
        finding.fix = None;
        finding.severity = finding.severity.max(Severity::Warning);
        finding.help = "the script goes on building for NVIDIA: beside it, one for AMD configures with -DUSE_HIP=ON or calls make USE_HIP=1".into();
    }
}
