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

/// The snippet that takes the place of an include, unless the tree has such a file or no helpers are wanted.
pub fn header_for(cx: &Unit<'_, '_>, include: &Include) -> Option<&'static Helper> {
    let path = cx.text_of(include.path).replace('\\', "/");
    let name = path.rsplit('/').next().unwrap_or(&path);
    let helper = compat::replacing(name)?;
    let is_in_tree = cx.project.resolve(&cx.doc.source.path, &path).is_some();
    let is_wanted = cx.options().compat != CompatMode::None;
    (is_wanted && !is_in_tree).then_some(helper)
}

/// `object.member(…)` as `helper(object, …)`.
pub fn through_helper(
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
