//! What a project puts in the place of CUDA's headers where a build has none: `typedef int cudaStream_t;` in the other branch of the
//! include. Such a name is CUDA's all the same, and changes with its uses.

use crate::cpp::conditions::groups::{Group, groups};
use crate::mapping::ApiTable;
use crate::syntax::{Document, Include};
use crate::text::{RangeSet, TextRange};

/// The branches of a file that stand in the place of one that includes a header of CUDA; none where a condition asks for HIP, whose
/// branches are told apart otherwise.
pub(super) fn branches(doc: &Document<'_>, table: &ApiTable) -> RangeSet {
    let of_cuda: Vec<u32> = cuda_includes(doc, table).collect();
    if of_cuda.is_empty() {
        return RangeSet::default();
    }
    let brings = |body: TextRange| {
        let first = of_cuda.partition_point(|&include| include < body.start);
        of_cuda
            .get(first)
            .is_some_and(|&include| include < body.end)
    };
    let groups = groups(doc);
    let (mut found, mut having) = (Vec::new(), Vec::new());
    for group in groups.iter().filter(|group| !group.knows_hip()) {
        let bodies = group.branches.iter().map(|branch| branch.body);
        let (with, without): (Vec<_>, Vec<_>) = bodies.partition(|body| brings(*body));
        if !with.is_empty() {
            found.extend(without);
            let name = asked(doc, group, "ifdef");
            having.extend(name.filter(|_| brings(group.branches[0].body)));
        }
    }
    // `#ifndef X` elsewhere in the file, where the header stands under `#ifdef X`.
    let lacks = |group: &&Group| {
        let name = asked(doc, group, "ifndef");
        name.is_some_and(|name| having.contains(&name))
    };
    let opposite = groups.iter().filter(lacks);
    found.extend(opposite.map(|group| group.branches[0].body));
    found.into_iter().collect()
}

/// Whether a file includes a header of CUDA anywhere.
pub(super) fn includes_cuda(doc: &Document<'_>, table: &ApiTable) -> bool {
    cuda_includes(doc, table).next().is_some()
}

/// Where the includes of CUDA's headers start, in order.
fn cuda_includes(doc: &Document<'_>, table: &ApiTable) -> impl Iterator<Item = u32> {
    let is_cudas = |include: &&Include| table.header(doc.source.slice(include.path)).is_some();
    let includes = doc.includes.iter().filter(is_cudas);
    includes.map(|include| include.directive.start)
}

/// The macro that a group asks for with this word alone.
fn asked<'d>(doc: &Document<'d>, group: &Group, word: &str) -> Option<&'d [u8]> {
    let directive = &group.branches[0].directive;
    let mut operands = directive.operands();
    let name = operands.next().filter(|_| operands.next().is_none())?;
    doc.is(directive.tokens.start + 1, word)
        .then(|| doc.bytes(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::SourceFile;

    #[test]
    fn branches_beside_an_include_of_cuda_stand_in_for_it() {
        let include = "#include <cuda_runtime.h>\n";
        for (text, expected) in [
            (format!("#ifdef G\n{include}#else\nint x;\n#endif\n"), true),
            (
                format!("#ifdef G\n{include}#else\n#ifdef H\nint x;\n#endif\n#endif\n"),
                true,
            ),
            (
                format!("#ifdef G\n{include}#endif\n#ifndef G\nint x;\n#endif\n"),
                true,
            ),
            (format!("#ifdef G\n{include}int x;\n#endif\n"), false),
            (
                format!("#ifdef G\n{include}#endif\n#ifndef H\nint x;\n#endif\n"),
                false,
            ),
            (
                format!("#ifndef G\n#define G\n{include}int x;\n#endif\n"),
                false,
            ),
            (
                format!("#ifdef __HIP__\nint x;\n#else\n{include}#endif\n"),
                false,
            ),
            ("#ifdef G\n#else\nint x;\n#endif\n".to_owned(), false),
        ] {
            let at = text.find("int x").expect("it is there") as u32;
            let source = SourceFile::new("a.h", text.clone().into_bytes());
            let doc = Document::new(&source);
            let found = branches(&doc, &ApiTable::builtin()).contains(at);
            assert_eq!(found, expected, "{text}");
        }
    }
}
