//! Functions with names of CUDA that a project has in a namespace of its own: outside of it the name is CUDA's.

use crate::cpp::names::is_qualified;
use crate::cpp::namespaces;
use crate::project::definers::Apart;
use crate::project::index::ProjectIndex;
use crate::syntax::{Document, TokenIndex};

impl ProjectIndex {
    #[expect(
        clippy::iter_over_hash_type,
        reason = "sets come of it, whatever the order"
    )]
    fn apart(&self) -> &Apart {
        self.apart.get_or_init(|| {
            let mut apart = Apart::default();
            for file in self.files.values() {
                for (name, namespace) in &file.within {
                    let namespaces = apart.entry(name.clone()).or_default();
                    namespaces.insert(namespace.clone());
                }
            }
            for file in self.files.values() {
                let elsewhere = file.names.iter().chain(&file.declared);
                for name in elsewhere.filter(|name| !file.within.contains_key(*name)) {
                    apart.remove(name);
                }
            }
            apart
        })
    }

    /// Whether a name that the project has in a namespace alone means CUDA's function: `::cudaFree`, or `cudaFree` outside of the
    /// namespace, in a file that opens it by no `using`. `alone` is the namespace that a file which is no part of a tree has it in.
    pub(crate) fn is_outside(
        &self,
        doc: &Document<'_>,
        at: TokenIndex,
        alone: Option<&[u8]>,
    ) -> bool {
        let known = self.apart().get(doc.bytes(at));
        if known.is_none() && alone.is_none() {
            return false;
        }
        if doc.prev_is(at, "::") {
            return !is_qualified(doc, at);
        }
        let has = |name: &[u8]| {
            alone == Some(name) || known.is_some_and(|all| all.iter().any(|it| **it == *name))
        };
        let opens = |using: TokenIndex| {
            let names = using + 1..doc.tokens.len();
            let mut names = names.take_while(|&name| !doc.is(name, ";"));
            names.any(|name| has(doc.bytes(name)) || doc.bytes(name) == doc.bytes(at))
        };
        !namespaces::around(doc, at).into_iter().any(has) && !doc.all("using").any(opens)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::probe::tree;
    use crate::text::SourceFile;

    #[test]
    fn a_name_of_a_namespace_is_cudas_outside_of_it() {
        let own = "namespace app::cuda { inline int cudaFree(void *p) { return 0; } }\n";
        // Whether `cudaFree` at the mark means CUDA's.
        let cases = [
            (own, "void f(void *p) { @cudaFree(p); }", true),
            (own, "void f(void *p) { return ::@cudaFree(p); }", true),
            (own, "void f(void *p) { app::cuda::@cudaFree(p); }", false),
            (
                own,
                "namespace app { namespace cuda { void f(void *p) { @cudaFree(p); } } }",
                false,
            ),
            (
                own,
                "namespace app { namespace cuda { void f(void *p) { ::@cudaFree(p); } } }",
                true,
            ),
            (
                own,
                "namespace app { void f(void *p) { @cudaFree(p); } }",
                true,
            ),
            (
                own,
                "using namespace app::cuda;\nvoid f(void *p) { @cudaFree(p); }",
                false,
            ),
            (
                own,
                "using app::cuda::cudaFree;\nvoid f(void *p) { @cudaFree(p); }",
                false,
            ),
            (
                "inline int cudaFree(void *p) { return 0; }\n",
                "void f(void *p) { ::@cudaFree(p); }",
                false,
            ),
            (
                "#define cudaFree free\n",
                "void f(void *p) { @cudaFree(p); }",
                false,
            ),
        ];
        for (header, text, expected) in cases {
            let mark = text.find('@').expect("it is marked") as u32;
            let text = text.replace('@', "");
            let project = tree(&[("a.h", header), ("b.cu", &text)]);
            let source = SourceFile::new("b.cu", text.clone().into_bytes());
            let doc = Document::new(&source);
            assert_eq!(
                project.is_outside(&doc, doc.token_at(mark), None),
                expected,
                "{text}"
            );
        }
    }
}
