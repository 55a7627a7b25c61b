//! Which helper of the compatibility header stands for a function or a header, and calls of it.

use crate::analysis::unit::Unit;
use crate::compat::{self, Helper};
use crate::cpp::cooperative_groups::Object;
use crate::edit::Edit;
use crate::options::CompatMode;
use crate::syntax::{Call, Include};
use crate::text::TextRange;

/// The helper function that stands for a CUDA function: `cass_dp4a` for `__dp4a`. Constants that a snippet defines under CUDA's own
/// name come with the functions that take them.
pub(crate) fn function_for(name: &str) -> Option<&'static str> {
    let helper = compat::helpers()
        .find(|helper| helper.replaces.contains(&name) && !helper.provides.contains(&name))?;
    let bare = name.trim_start_matches('_');
    let called_alike = |function: &&str| function.strip_prefix("cass_") == Some(bare);
    helper.provides.iter().copied().find(called_alike)
}

/// The snippet that takes the place of an include, unless the tree has such a file where its build looks or no helpers are wanted.
pub(crate) fn header_for(cx: &Unit<'_, '_>, include: &Include) -> Option<&'static Helper> {
    let path = cx.text_of(include.path).replace('\\', "/");
    let name = path.rsplit('/').next().unwrap_or(&path);
    let helper = compat::replacing(name)?;
    let from = cx.doc.source.path.as_str();
    let found = cx.project.paths.resolve(from, &path);
    let is_in_tree = found.is_some_and(|found| !is_of_another_program(from, found));
    let is_wanted = cx.options().compat != CompatMode::None;
    (is_wanted && !is_in_tree).then_some(helper)
}

/// Whether a header lies in a folder that only another program's build looks into: neither above nor below the includer, and not in
/// one that is there for all, such as `common/inc`.
fn is_of_another_program(from: &str, header: &str) -> bool {
    const SHARED: [&str; 8] = [
        "common", "inc", "util", "shared", "lib", "helper", "third", "extern",
    ];
    let folder = |path: &str| -> Vec<String> {
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let parts = folder.split('/').filter(|part| !part.is_empty());
        parts.map(str::to_ascii_lowercase).collect()
    };
    let (from, header) = (folder(from), folder(header));
    let common = from.iter().zip(&header).take_while(|(a, b)| a == b).count();
    let own = &header[common..];
    let is_shared = |part: &String| SHARED.iter().any(|name| part.contains(name));
    common < from.len() && own.first().is_some_and(|part| !is_shared(part))
}

/// `object.member(…)` as `helper(object, …)`.
pub(crate) fn through_helper(
    cx: &Unit<'_, '_>,
    call: &Call,
    object: &Object,
    helper: &'static str,
) -> Vec<Edit> {
    let separator = if call.arguments.is_empty() { "" } else { ", " };
    let open = TextRange::new(cx.range(object.last).end, cx.range(call.open).end);
    vec![
        Edit::insert(cx.range(object.start).start, format!("{helper}(")),
        Edit::replace(open, separator),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_of_other_programs_are_not_searched() {
        let of_another = [
            ("sort/main.cu", "scan/helper_cuda.h"),
            ("src/sort/main.cu", "src/scan/common/helper_cuda.h"),
        ];
        let reached = [
            ("sort/main.cu", "sort/helper_cuda.h"),
            ("sort/main.cu", "helper_cuda.h"),
            ("main.cu", "scan/helper_cuda.h"),
            ("sort/main.cu", "Common/helper_cuda.h"),
            ("samples/0_a/x/main.cu", "samples/common/inc/helper_cuda.h"),
            ("src/main.cu", "third_party/cuda-samples/helper_cuda.h"),
        ];
        assert!(of_another.iter().all(|(a, b)| is_of_another_program(a, b)));
        assert!(!reached.iter().any(|(a, b)| is_of_another_program(a, b)));
    }
}
