//! Names of CUDA in code for both vendors, and names of HIP: how far a tree's own support for AMD goes.

use std::collections::BTreeMap;

use crate::mapping::ApiTable;
use crate::syntax::{Directive, DirectiveKind, Document, Vendor};

/// Uses of one name of CUDA under the same conditions, in code that is for no vendor alone.
#[derive(Clone, Debug)]
pub(crate) struct OpenName {
    /// The name.
    pub(crate) word: Box<[u8]>,
    /// Macros that have to be defined for the code to be compiled.
    pub(crate) macros: Vec<Box<[u8]>>,
    /// How many uses.
    pub(crate) uses: usize,
}

/// Whether a word is CUDA's, and none that HIP has as well.
pub(crate) fn is_foreign(table: &ApiTable, word: &[u8]) -> bool {
    let hit = table.get_or_pattern(word).or_else(|| table.header(word));
    hit.is_some_and(|hit| {
        let entry = hit.entry;
        !entry.is_unchanged() && !entry.context && entry.hip != Some(entry.cuda)
    })
}

/// The names of CUDA that a file uses for both vendors, those in the place of a macro's name apart.
pub(super) fn open_names(document: &Document<'_>, table: &ApiTable) -> Vec<OpenName> {
    let mut found = BTreeMap::<(&[u8], Vec<&[u8]>), usize>::new();
    for at in document.all_that(|word| is_foreign(table, word)) {
        let start = document.tokens[at].start;
        if document.vendor_at(start) != Vendor::Any || document.is_before(at, "define") {
            continue;
        }
        let key = (document.bytes(at), macros_around(document, start));
        *found.entry(key).or_default() += 1;
    }
    let owned = found.into_iter().map(|((word, macros), uses)| OpenName {
        word: word.into(),
        macros: macros.into_iter().map(Box::from).collect(),
        uses,
    });
    owned.collect()
}

/// How many names of HIP a file has in code that AMD compiles.
pub(super) fn names_of_hip(document: &Document<'_>, table: &ApiTable) -> usize {
    let names = document.all_that(|word| table.is_target(word));
    let for_amd = |at: &usize| document.vendor_at(document.tokens[*at].start) != Vendor::NotHip;
    names.into_iter().filter(for_amd).count()
}

/// The macros that the branches around a place ask to be defined.
fn macros_around<'s>(document: &Document<'s>, at: u32) -> Vec<&'s [u8]> {
    let directives = &document.directives;
    let mut macros = Vec::new();
    for branch in document.branches.around(at) {
        let behind = directives.partition_point(|it| it.range.end <= branch.start);
        if let Some(opener) = behind.checked_sub(1).map(|at| &directives[at]) {
            macros.extend(asked(document, opener));
        }
    }
    macros
}

/// The macros that a condition asks to be defined.
fn asked<'s>(document: &Document<'s>, directive: &Directive) -> Vec<&'s [u8]> {
    if directive.kind == DirectiveKind::Else || directive.kind.is_negative() {
        return Vec::new();
    }
    let names = directive.operands().filter(|&at| document.is_ident(at));
    let is_negated = |at: usize| (at.saturating_sub(3)..at).any(|it| document.is(it, "!"));
    let names = names.filter(|&at| !is_negated(at));
    names.map(|at| document.bytes(at)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::SourceFile;

    #[test]
    fn open_names_are_cudas_in_code_for_both_vendors() {
        for (text, expected) in [
            ("cudaFree(0); cudaFree(0);", "cudaFree 2"),
            ("#ifdef A\ncudaFree(0);\n#endif", "cudaFree A 1"),
            ("#ifndef A\ncudaFree(0);\n#endif", "cudaFree 1"),
            (
                "#if defined(A) && !defined(B)\ncudaFree(0);\n#endif",
                "cudaFree defined A 1",
            ),
            ("#ifdef A\n#else\ncudaFree(0);\n#endif", "cudaFree 1"),
            (
                "#ifdef __CUDACC__\ncudaFree(0);\n#endif",
                "cudaFree __CUDACC__ 1",
            ),
            ("#ifdef USE_ROCM\n#else\ncudaFree(0);\n#endif", ""),
            ("#define cudaFree hipFree", ""),
            ("hipFree(0); atomicAdd(p, 1); mine(0);", ""),
        ] {
            let source = SourceFile::new("a.cu", text.as_bytes().to_vec());
            let found = open_names(&Document::new(&source), &ApiTable::builtin());
            let text_of = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            let lines = found.iter().map(|name| {
                let mut words = vec![text_of(&name.word)];
                words.extend(name.macros.iter().map(|it| text_of(it)));
                words.push(name.uses.to_string());
                words.join(" ")
            });
            assert_eq!(lines.collect::<Vec<_>>().join("; "), expected, "{text}");
        }
    }

    #[test]
    fn names_of_hip_count_where_amd_compiles() {
        for (text, expected) in [
            ("hipFree(0); hipMalloc(0, 4);", 2),
            (
                "#ifdef USE_ROCM\nhipFree(0);\n#else\nhipFree(0);\n#endif",
                1,
            ),
            ("cudaFree(0);", 0),
        ] {
            let source = SourceFile::new("a.cu", text.as_bytes().to_vec());
            let found = names_of_hip(&Document::new(&source), &ApiTable::builtin());
            assert_eq!(found, expected, "{text}");
        }
    }
}
