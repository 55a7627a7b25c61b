//! What PyTorch's build for ROCm reads, what it renames there, and where it writes what it rewrites.

use crate::analysis::unit::Unit;
use crate::mapping::TorchTable;
use crate::syntax::{Include, TokenIndex};
use crate::text::TextRange;

/// How files end that it reads when a source includes them.
const READ: &[&str] = &["cu", "cuh", "c", "cc", "cpp", "h", "hpp"];

/// Whether it reads a file that a source includes.
pub(crate) fn reads(path: &str) -> bool {
    let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
    READ.contains(&extension)
}

/// The first name or header of a file that it renames, and that a build without it has to have in HIP.
pub(crate) fn first_renamed(unit: &Unit<'_, '_>) -> Option<TextRange> {
    let doc = unit.doc;
    let is_renamed =
        |at: &TokenIndex| doc.is_ident(*at) && TorchTable::builtin().renames(doc.bytes(*at));
    let name = (0..doc.tokens.len()).find(is_renamed);
    let has_counterpart = |include: &&Include| {
        let path = unit.text_of(include.path);
        let hit = unit.table().header(path.as_bytes());
        hit.is_some_and(|hit| hit.entry.hip.is_some())
    };
    let include = doc.includes.iter().find(has_counterpart);
    let ranges = [
        name.map(|at| unit.range(at)),
        include.map(|it| it.directive),
    ];
    ranges.into_iter().flatten().min_by_key(|range| range.start)
}

/// Whether it puts a file into a folder of another name: one above it is called after CUDA.
pub(crate) fn moves(path: &str) -> bool {
    let folders = path.rsplit_once('/').map_or("", |(folders, _)| folders);
    folders.contains("cuda") || folders.contains("CUDA")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_is_called_after_cuda_moves_what_lies_below() {
        assert!(moves("csrc/cuda/a.cu") && moves("CUDA/x/y.h"));
        assert!(!moves("csrc/cuda.cu") && !moves("a.cu"));
    }
}
