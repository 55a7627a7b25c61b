//! Functions with names of CUDA that a project has in a namespace of its own, or with parameters of its own: a call outside of it, or with
//! another number of arguments, is CUDA's.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use crate::cpp::arithmetic::value;
use crate::cpp::names::is_qualified;
use crate::cpp::namespaces;
use crate::project::file::{Arity, FileIndex, count};
use crate::syntax::{Document, TokenIndex};

/// By name, where its definitions and declarations stand and what they take.
#[derive(Debug, Default)]
pub(crate) struct Apart(FxHashMap<Box<[u8]>, Reach>);

/// Where a name of CUDA means the project's function.
#[derive(Debug, Default)]
struct Reach {
    /// The namespaces that have all definitions and declarations of it; none where one stands outside of all.
    namespaces: BTreeSet<Box<[u8]>>,
    /// How many arguments they take; none where that is not known of each.
    arities: BTreeSet<Arity>,
    /// Some take a type of the project's, by which a call outside of their namespace finds them.
    is_found_by_type: bool,
}

impl Apart {
    /// From what some files define and declare.
    #[expect(
        clippy::iter_over_hash_type,
        reason = "sets come of it, whatever the order"
    )]
    pub(super) fn new<'f>(files: impl Iterator<Item = &'f FileIndex> + Clone) -> Self {
        let mut apart = FxHashMap::<Box<[u8]>, Reach>::default();
        for file in files.clone() {
            for (name, namespace) in &file.within {
                let reach = apart.entry(name.clone()).or_default();
                reach.namespaces.insert(namespace.clone());
            }
            for (name, arities) in &file.arities {
                let reach = apart.entry(name.clone()).or_default();
                reach.arities.extend(arities);
            }
            for name in &file.found_by_type {
                apart.entry(name.clone()).or_default().is_found_by_type = true;
            }
        }
        for file in files {
            for name in file.names.iter().chain(&file.declared) {
                let Some(reach) = apart.get_mut(name) else {
                    continue;
                };
                if !file.within.contains_key(name) {
                    reach.namespaces.clear();
                }
                if !file.arities.contains_key(name) {
                    reach.arities.clear();
                }
            }
        }
        Self(apart)
    }

    /// Whether the tree has the name in a namespace of that name, and nowhere outside of all.
    pub(crate) fn is_in(&self, name: &[u8], namespace: &[u8]) -> bool {
        let reach = self.0.get(name);
        reach.is_some_and(|reach| reach.namespaces.contains(namespace))
    }

    /// Whether a name that the project has for a function of its own means CUDA's: by the place, or by a number of arguments that none
    /// of the project's takes. `alone` is the file itself where it is no part of a tree.
    pub(crate) fn is_outside(
        &self,
        doc: &Document<'_>,
        at: TokenIndex,
        alone: Option<&FileIndex>,
    ) -> bool {
        let word = doc.bytes(at);
        let known = self.0.get(word);
        let namespaces = || {
            let here = alone.and_then(|file| file.within.get(word));
            let all = known.into_iter().flat_map(|reach| &reach.namespaces);
            all.chain(here)
        };
        let arities = || {
            let here = alone.and_then(|file| file.arities.get(word));
            let all = known.into_iter().flat_map(|reach| &reach.arities);
            all.chain(here.into_iter().flatten())
        };
        let is_of_none = |count| arities().all(|arity| !arity.admits(count));
        let is_found_by_type = known.is_some_and(|reach| reach.is_found_by_type)
            || alone.is_some_and(|file| file.found_by_type.contains(word));
        is_apart(doc, at, namespaces) && !(is_found_by_type && may_take_own_type(doc, at))
            || arities().next().is_some() && count(doc, at).is_some_and(is_of_none)
    }
}

/// Whether a name that the project has in some namespaces alone stands outside of them: `::cudaFree`, or `cudaFree` in a file that opens
/// them by no `using`.
fn is_apart<'n, I: Iterator<Item = &'n Box<[u8]>>>(
    doc: &Document<'_>,
    at: TokenIndex,
    namespaces: impl Fn() -> I,
) -> bool {
    if namespaces().next().is_none() {
        return false;
    }
    if doc.prev_is(at, "::") {
        return !is_qualified(doc, at);
    }
    let has = |name: &[u8]| namespaces().any(|it| **it == *name);
    let opens = |using: TokenIndex| {
        let names = using + 1..doc.tokens.len();
        let mut names = names.take_while(|&name| !doc.is(name, ";"));
        names.any(|name| has(doc.bytes(name)) || doc.bytes(name) == doc.bytes(at))
    };
    !namespaces::scopes_around(doc, at).into_iter().any(has) && !doc.all("using").any(opens)
}

/// Whether an unqualified call has an argument that may be of any type, and none that is known to be a number.
fn may_take_own_type(doc: &Document<'_>, at: TokenIndex) -> bool {
    let Some(call) = doc.call(at).filter(|_| !doc.prev_is(at, "::")) else {
        return false;
    };
    let mut arguments = call.arguments.iter();
    !arguments.any(|argument| value(doc, argument.clone()).is_some())
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
            // Declared in a header, defined elsewhere.
            (
                "namespace app { int cudaFree(void *p); }\n",
                "namespace app { int cudaFree(void *p) { return ::@cudaFree(p); } }",
                true,
            ),
            (
                "namespace app { int cudaFree(void *p); }\n",
                "namespace app { int cudaFree(void *p) { return 0; } void f() { @cudaFree(0); } }",
                false,
            ),
            // What a type of the project's finds.
            (
                "namespace app { struct V {}; int cudaFree(const V &v); }\n",
                "template <class T> void f(T &p) { @cudaFree(p); }",
                false,
            ),
            (
                "namespace app { struct V {}; int cudaFree(const V &v); }\n",
                "template <class T> void f(T &p) { ::@cudaFree(p); }",
                true,
            ),
            (
                "namespace app { struct V {}; int cudaFree(const V &v); }\n",
                "void f(int n) { @cudaFree(n); }",
                true,
            ),
            // A member of a class that points to the function.
            (
                "struct Api { int (*cudaFree)(void *p); };\n",
                "void f(Api &api, void *p) { @cudaFree(p); }",
                true,
            ),
            (
                "struct Api { PFN_cudaFree cudaFree = nullptr; void f(); };\n",
                "void Api::f() { @cudaFree = find(); }",
                false,
            ),
            (
                "struct Api { PFN_cudaFree cudaFree; void f() { } };\n",
                "struct Other { void f() { @cudaFree(0); } };",
                true,
            ),
            // An overload at file scope takes its own number of arguments.
            (
                "inline int cudaFree(void *p, int n = 0) { return 0; }\n",
                "void f(void *p) { ::@cudaFree(p, 1, 2); }",
                true,
            ),
            (
                "inline int cudaFree(void *p, int n = 0) { return 0; }\n",
                "void f(void *p) { @cudaFree(p); }",
                false,
            ),
            (
                "inline int cudaFree(void *p, int n) { return 0; }\n",
                "void f(void *p) { set(@cudaFree); }",
                false,
            ),
            (
                "inline int cudaFree(void *p, int n) { return 0; }\n#define cudaFree free\n",
                "void f(void *p) { @cudaFree(p); }",
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
                project
                    .names()
                    .apart
                    .is_outside(&doc, doc.token_at(mark), None),
                expected,
                "{text}"
            );
        }
    }
}
