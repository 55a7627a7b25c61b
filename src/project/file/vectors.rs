//! CUDA's vector types in a file that is without CUDA otherwise: nvcc knows them from the runtime header, which it puts in front of a
//! `.cu` file.

use rustc_hash::FxHashSet;

use crate::cpp::names::is_members_name;
use crate::mapping::name_lists;
use crate::syntax::{Document, TokenIndex, flags};
use crate::text::SourceFile;
use crate::text::keywords::is_class_key;

/// What a file without CUDA says of names that CUDA has for vectors and for the size of a grid.
#[derive(Clone, Debug, Default)]
pub(crate) struct VectorNames {
    /// Those that it uses, in code that every build for AMD compiles.
    pub(crate) used: FxHashSet<Box<[u8]>>,
    /// Those that it gives a meaning of its own.
    pub(crate) own: FxHashSet<Box<[u8]>>,
}

impl VectorNames {
    /// Reads the file as a document only where it may have one.
    pub(super) fn of_plain(bytes: &[u8]) -> Self {
        let mut found = Self::default();
        if !may_name(bytes) {
            return found;
        }
        let source = SourceFile::new("a.h", bytes.to_vec());
        let document = Document::new(&source);
        for at in document.all_that(is_vector) {
            let name = Box::from(document.bytes(at));
            if is_given(&document, at) {
                found.own.insert(name);
            } else if document.is_sure_on_hip(document.tokens[at].start)
                && !is_members_name(&document, at)
                && !document.is_before(at, "::")
            {
                found.used.insert(name);
            }
        }
        found
    }
}

/// Whether a word is one of CUDA's: `float4`, `dim3`.
fn is_vector(word: &[u8]) -> bool {
    let word = std::str::from_utf8(word).ok();
    word.is_some_and(|word| word == "dim3" || name_lists().vectors.contains(&word))
}

/// Whether a word of a vector type stands in some bytes, a comment or a text included.
fn may_name(bytes: &[u8]) -> bool {
    /// `ulonglong`
    const LONGEST: usize = 9;
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    memchr::memchr3_iter(b'2', b'3', b'4', bytes).any(|at| {
        let ends = bytes.get(at + 1).is_none_or(|byte| !is_part(byte));
        let near = &bytes[at.saturating_sub(LONGEST + 1)..at];
        let start = near.iter().rposition(|byte| !is_part(byte));
        let start = at - near.len() + start.map_or(0, |it| it + 1);
        ends && is_vector(&bytes[start..=at])
    })
}

/// Whether the file itself says what a name means: `struct float4`, `typedef double f[3]; … float3;`, `using float2 = …`, `#define int2`.
fn is_given(document: &Document<'_>, at: TokenIndex) -> bool {
    let is_tag = document
        .prev(at)
        .is_some_and(|before| is_class_key(document.bytes(before)));
    let is_alias = document.next_is(at, "=") || document.next_is(at, ";");
    let is_macro = document.tokens[at].has(flags::DIRECTIVE);
    is_tag || is_alias || is_macro
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_are_used_or_given_a_meaning() {
        let names = |text: &str| {
            let found = VectorNames::of_plain(text.as_bytes());
            let list = |names: &FxHashSet<Box<[u8]>>| {
                let names = names
                    .iter()
                    .map(|it| String::from_utf8_lossy(it).into_owned());
                let mut names: Vec<String> = names.collect();
                names.sort();
                names.join(" ")
            };
            (list(&found.used), list(&found.own))
        };
        for (text, used, own) in [
            ("template <> struct A<float4> {};\n", "float4", ""),
            ("struct L { dim3 grid, block; };\n", "dim3", ""),
            ("// a float4\nint a;\n", "", ""),
            (
                "struct float4 { float x; };\nfloat4 f();\n",
                "float4",
                "float4",
            ),
            ("typedef struct { int x; } int2;\n", "", "int2"),
            ("using uint3 = glm::uvec3;\n", "", "uint3"),
            ("#define double2 vec\n", "", "double2"),
            ("vec::float3 f();\n", "", ""),
            ("#ifdef __CUDACC__\nfloat4 f();\n#endif\n", "", ""),
            ("int point4, a2;\n", "", ""),
        ] {
            assert_eq!(names(text), (used.to_owned(), own.to_owned()), "{text}");
        }
    }
}
