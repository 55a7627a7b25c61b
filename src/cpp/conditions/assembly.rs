//! Branches for some of NVIDIA's chips or versions that hold inline assembly: AMD seldom takes them.

use crate::cpp::conditions::groups::groups;
use crate::syntax::Document;
use crate::text::RangeSet;

/// Keywords that open inline assembly.
pub(crate) const KEYWORDS: &[&str] = &["asm", "__asm__", "__asm"];

/// The branches whose condition asks for a macro of CUDA, and for none of HIP, around the assembly of a file.
pub(crate) fn branches_with_assembly(doc: &Document<'_>) -> RangeSet {
    let assembly = doc.all_of(KEYWORDS);
    if assembly.is_empty() {
        return RangeSet::default();
    }
    let groups = groups(doc);
    let around = assembly
        .iter()
        .flat_map(|&at| groups.around(doc, doc.tokens[at].start));
    let about_cuda = around.filter(|(group, position)| {
        group.family().is_some()
            && !group.knows_hip()
            && group.branches[*position].condition.is_some()
    });
    about_cuda
        .map(|(group, position)| group.branches[position].body)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::SourceFile;

    #[test]
    fn branches_about_cuda_hold_assembly_others_do_not_count() {
        let cases = [
            ("#if __CUDA_ARCH__ >= 800\nX asm\n#endif", true),
            ("#if __CUDA_ARCH__ >= 800\nX\n#endif\nasm", false),
            ("#if __CUDA_ARCH__ >= 800\nasm\n#else\nX asm\n#endif", false),
            (
                "#if CUDA_VERSION >= 11000\n#if Y\n__asm__\n#endif\nX\n#endif",
                true,
            ),
            ("#ifdef FAST\nX asm\n#endif", false),
            (
                "#if defined(__CUDA_ARCH__) && !defined(USE_HIP)\nX asm\n#endif",
                false,
            ),
        ];
        for (text, expected) in cases {
            let source = SourceFile::new("a.cu", format!("{text}\n").into_bytes());
            let at = text.find('X').expect("it is marked") as u32;
            let branches = branches_with_assembly(&Document::new(&source));
            assert_eq!(branches.contains(at), expected, "{text}");
        }
    }
}
