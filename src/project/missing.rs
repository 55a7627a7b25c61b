//! Functions that AMD's build calls and that only branches for NVIDIA's assembly define.

use rustc_hash::FxHashSet;

use crate::project::warps::WarpFacts;

/// What code for the device calls and nothing that AMD compiles defines. Names of libraries are among them.
#[derive(Debug)]
pub(crate) struct Missing(FxHashSet<Box<[u8]>>);

impl Missing {
    /// Goes through the functions and macros of some files.
    pub(crate) fn new<'f>(files: impl Iterator<Item = &'f WarpFacts>) -> Self {
        let (mut defined, mut called) = (FxHashSet::default(), FxHashSet::default());
        for (name, calls) in files.flat_map(WarpFacts::compiled) {
            defined.insert(name);
            called.extend(calls);
        }
        called.retain(|name| !defined.contains(name));
        Self(called.into_iter().map(Box::from).collect())
    }

    /// Whether the name is called and not defined.
    pub(crate) fn contains(&self, name: &[u8]) -> bool {
        self.0.contains(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::Document;
    use crate::text::SourceFile;

    #[test]
    fn what_only_assembly_defines_is_missing_where_other_code_calls_it() {
        let facts = |text: &str| {
            let source = SourceFile::new("a.cuh", text.as_bytes().to_vec());
            WarpFacts::new(&Document::new(&source))
        };
        let of_assembly =
            "#if __CUDA_ARCH__ >= 800\n__device__ void f() { asm(\"nop;\"); g(); }\n#endif\n";
        let caller = "__device__ void h() { f(); }\n";
        let cases: &[(&[&str], &str, bool)] = &[
            (&[of_assembly, caller], "f", true),
            (&[of_assembly], "f", false),
            (&[of_assembly, caller], "g", false),
            (
                &[of_assembly, caller, "__device__ void f() {}\n"],
                "f",
                false,
            ),
            (
                &["__device__ void f() { asm(\"nop;\"); }\n", caller],
                "f",
                false,
            ),
            (&[of_assembly, "#define H f()\n"], "f", true),
        ];
        for (files, name, expected) in cases {
            let facts: Vec<WarpFacts> = files.iter().map(|text| facts(text)).collect();
            let missing = Missing::new(facts.iter());
            assert_eq!(missing.contains(name.as_bytes()), *expected, "{files:?}");
        }
    }
}
