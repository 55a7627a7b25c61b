//! Fixes whose result nvcc reads as it read the source.

use crate::compat;
use crate::diagnostic::Finding;
use crate::edit::Edit;
use crate::rules::{Fact, find};
use crate::syntax::Document;

/// Whether nvcc reads the result of a fix as it read the source.
pub(in crate::engine) fn is_neutral(document: &Document<'_>, finding: &Finding) -> bool {
    let Some((rule, _)) = find(finding.code) else {
        return false;
    };
    let edits = || finding.fix.iter().flat_map(|fix| &fix.edits);
    if rule.has(Fact::NvccReadsResult) {
        return true;
    }
    // Lines of the preprocessor that ask for AMD themselves.
    let is_guard = |edit: &Edit| {
        edit.content.trim_start().starts_with('#') && !edit.content.contains("include")
    };
    if edits().next().is_some() && edits().all(is_guard) {
        return true;
    }
    // A helper of the same arguments is CUDA's own function in the header's branch for NVIDIA, or has a body of its own there.
    let is_helper = |edit: &Edit| {
        let name = document.source.text(edit.range);
        compat::find(&edit.content)
            .is_some_and(|helper| helper.is_for_both() || helper.is_alias_of(&edit.content, &name))
    };
    // A cast of what is handed over, in a call that keeps its name.
    let is_cast = |edit: &Edit| edit.range.is_empty() && is_plain(&edit.content);
    // The function that takes a pointer to anything is none of CUDA's templates either.
    let are_types = |edit: &Edit| {
        let text = document.source.text(edit.range);
        edit.content.is_empty() && text.starts_with('<') && text.ends_with('>')
    };
    // What PyTorch's name means for NVIDIA.
    let is_size =
        |edit: &Edit| edit.content == "32" && document.source.text(edit.range) == "C10_WARP_SIZE";
    edits().all(|edit| {
        is_helper(edit)
            || rule.has(Fact::PutsNames) && (is_cast(edit) || are_types(edit))
            || is_width(edit)
            || is_size(edit)
    })
}

/// `, 32`: the width that CUDA takes by itself.
fn is_width(edit: &Edit) -> bool {
    edit.range.is_empty() && edit.content == ", 32"
}

/// Whether inserted text has no word of AMD's.
fn is_plain(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    !["hip", "roc", "amd", "cass_"]
        .iter()
        .any(|word| lower.contains(word))
}
