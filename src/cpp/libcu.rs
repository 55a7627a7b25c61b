//! Names of libcu++, `cuda::` and `cuda::std::`: which of them the standard library or the helper header has on AMD.

use crate::cpp::arithmetic::Number;
use crate::cpp::names::is_qualified;
use crate::cpp::namespaces::around;
use crate::mapping::{ApiTable, name_lists};
use crate::syntax::{Document, TokenIndex};

/// What a file needs of libcu++, the most of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum LibcuUse {
    /// It names nothing of it.
    #[default]
    Nothing,
    /// What a trait says, a value or a type of anybody's: other files cannot tell whose trait it was.
    Values,
    /// What `std` has as well, for the device too: traits that may be handed on as types, objects of operators.
    Standard,
    /// Orders of memory alone, for atomics that other files have, or another library.
    Orders,
    /// Atomic objects and references, of which the helper header has its own: other files may share them.
    Atomics,
    /// What AMD has in libhipcxx alone, or not at all.
    More,
}

/// What stands for a name of libcu++ on AMD.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Counterpart {
    /// The last word of the name, from `cuda` on.
    pub(crate) last: TokenIndex,
    /// What is written in its place; nothing where another rule has its way with it.
    pub(crate) text: Option<String>,
    /// What it is a use of, less than [`LibcuUse::More`].
    pub(crate) of: LibcuUse,
    /// Whether it is that for halves as well, of which `std` gives 0 for limits, without a word.
    pub(crate) serves_halves: bool,
}

/// What [`libcu_use`] found out of a file: each name of it asks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct FileUse {
    /// Of names that are libcu++'s wherever they stand.
    sure: Need,
    /// Of `cuda::` within a namespace, which may be one in there.
    within: Need,
}

/// What names need: in a tree without halves, and in one that knows them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Need {
    most: LibcuUse,
    most_with_halves: LibcuUse,
}

/// What decides about names of libcu++ in a tree.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LibcuTree {
    /// A file of it has a header of halves.
    pub(crate) knows_halves: bool,
    /// It has a namespace `cuda` inside another one.
    pub(crate) has_own: bool,
}

impl FileUse {
    /// What the file needs in a tree.
    pub(crate) fn of(self, tree: LibcuTree) -> LibcuUse {
        let of = |need: Need| match tree.knows_halves {
            true => need.most_with_halves,
            false => need.most,
        };
        match tree.has_own {
            true => of(self.sure),
            false => of(self.sure).max(of(self.within)),
        }
    }

    /// The most that both need.
    pub(crate) fn max(self, other: Self) -> Self {
        Self {
            sure: self.sure.max(other.sure),
            within: self.within.max(other.within),
        }
    }
}

impl Need {
    const fn all(of: LibcuUse) -> Self {
        Self {
            most: of,
            most_with_halves: of,
        }
    }

    fn max(self, other: Self) -> Self {
        Self {
            most: self.most.max(other.most),
            most_with_halves: self.most_with_halves.max(other.most_with_halves),
        }
    }
}

/// Whether a header has the types of halves, so that limits of any type may be theirs.
pub(crate) fn has_halves(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let of_vendor =
        name.starts_with("cuda_") || name.starts_with("hip_") || name.starts_with("amd_hip_");
    of_vendor && (name.contains("fp16") || name.contains("bf16") || name.contains("bfloat16"))
}

/// What a file needs of libcu++.
pub(crate) fn libcu_use(doc: &Document<'_>, table: &ApiTable) -> FileUse {
    *doc.fact(|doc| {
        let all = doc.all("cuda").map(|cuda| use_at(doc, table, cuda));
        all.fold(FileUse::default(), FileUse::max)
    })
}

/// Whether `cuda::name` is libcu++'s in a tree that has a namespace `cuda` of its own: the library has the name, and the file its headers.
pub(crate) fn is_of_library(doc: &Document<'_>, table: &ApiTable, name: &[u8]) -> bool {
    let mut rows = table.namespaces_ending(name);
    rows.any(|it| it.entry.library == "libcudacxx")
        && doc.includes.iter().any(|it| {
            let path = doc.source.slice(it.path);
            it.angled && path.starts_with(b"cuda/")
        })
}

fn use_at(doc: &Document<'_>, table: &ApiTable, cuda: TokenIndex) -> FileUse {
    let need = need_at(doc, cuda);
    let is_known = || {
        let name = doc.next(cuda).and_then(|colons| doc.next(colons));
        name.is_some_and(|name| is_of_library(doc, table, doc.bytes(name)))
    };
    let is_within = !doc.prev_is(cuda, "::") && !around(doc, cuda).is_empty() && !is_known();
    match is_within {
        true => FileUse {
            within: need,
            ..FileUse::default()
        },
        false => FileUse {
            sure: need,
            ..FileUse::default()
        },
    }
}

fn need_at(doc: &Document<'_>, cuda: TokenIndex) -> Need {
    if doc.prev_is(cuda, "namespace") {
        return Need::all(LibcuUse::More);
    }
    if !doc.next_is(cuda, "::") || is_qualified(doc, cuda) {
        return Need::all(LibcuUse::Nothing);
    }
    match counterpart(doc, cuda) {
        Some(found) if !found.serves_halves => Need {
            most: found.of,
            most_with_halves: LibcuUse::More,
        },
        Some(found) => Need::all(found.of),
        None => Need::all(LibcuUse::More),
    }
}

/// What stands for the name of libcu++ that begins with a `cuda`.
pub(crate) fn counterpart(doc: &Document<'_>, cuda: TokenIndex) -> Option<Counterpart> {
    let first = doc.next(doc.next(cuda)?)?;
    let is_of_std = doc.is(first, "std") && doc.next_is(first, "::");
    let last = match is_of_std {
        true => doc.next(doc.next(first)?)?,
        false => first,
    };
    let name = doc.source.text(doc.range(last, last));
    let name = &*name;
    let counterpart = |text: Option<String>, of: LibcuUse| {
        let text = text.filter(|_| doc.is_ident(last));
        Some(Counterpart {
            last,
            text,
            of,
            serves_halves: true,
        })
    };
    let lists = name_lists();
    if name.starts_with("memory_order") {
        return counterpart(Some(format!("std::{name}")), LibcuUse::Orders);
    }
    if lists.libcu_atomics.contains(&name) && (!is_of_std || !name.starts_with("thread")) {
        return counterpart(Some(format!("cass_{name}")), LibcuUse::Atomics);
    }
    if !is_of_std {
        let goes = lists.libcu_identities.contains(&name);
        return goes.then_some(Counterpart {
            last,
            text: None,
            of: LibcuUse::Standard,
            serves_halves: true,
        });
    }
    if name == "numeric_limits" {
        let mut found = counterpart(Some(format!("std::{name}")), LibcuUse::Values)?;
        found.serves_halves = is_of_builtin(doc, last);
        return Some(found);
    }
    let is_known = lists.libcu_std.contains(&name);
    let of = match says_value(doc, last, name) {
        true => LibcuUse::Values,
        false => LibcuUse::Standard,
    };
    is_known
        .then(|| counterpart(Some(format!("std::{name}")), of))
        .flatten()
}

/// Whether a trait is asked for what it says, in place: `is_same_v<T, int>`, `is_same<T, int>::value`.
fn says_value(doc: &Document<'_>, last: TokenIndex, name: &str) -> bool {
    let is_asked = || {
        let open = doc.next(last).filter(|&at| doc.is(at, "<"))?;
        Some(doc.next_is(doc.template_close(open)?, "::"))
    };
    name.ends_with("_v") || name.ends_with("_t") || is_asked() == Some(true)
}

/// Whether a template is given a type of numbers that C++ has itself.
fn is_of_builtin(doc: &Document<'_>, template: TokenIndex) -> bool {
    let open = doc.next(template).filter(|&at| doc.is(at, "<"));
    let words = open.and_then(|open| {
        let close = doc.template_close(open)?;
        Some(
            (open + 1..close)
                .map(|at| doc.bytes(at))
                .collect::<Vec<_>>(),
        )
    });
    words.is_some_and(|words| Number::of_words(&words).is_some())
}

/// The header of the standard library that has what a header of libcu++ has, as far as [`counterpart`] knows it.
pub(crate) fn standard_header(path: &str) -> Option<&'static str> {
    let rest = path.strip_prefix("cuda/")?;
    let (name, list) = match rest.strip_prefix("std/") {
        Some(name) => (name, &name_lists().libcu_std_headers),
        None => (rest, &name_lists().libcu_headers),
    };
    list.iter().copied().find(|it| *it == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::SourceFile;

    #[test]
    fn names_are_those_of_std_of_the_helper_header_or_of_neither() {
        for (text, expected) in [
            ("at::cuda::f()", LibcuUse::Nothing),
            ("thrust::cuda::par", LibcuUse::Nothing),
            ("cuda::std::plus<int>()", LibcuUse::Standard),
            ("::cuda::std::is_same_v<T, U>", LibcuUse::Values),
            ("cuda::std::is_same<T, U>::value", LibcuUse::Values),
            ("f(cuda::std::is_same<T, U>{})", LibcuUse::Standard),
            (
                "cuda::std::numeric_limits<unsigned int>::max()",
                LibcuUse::Values,
            ),
            ("cuda::std::tuple<int>", LibcuUse::More),
            ("cuda::proclaim_return_type<int>(f)", LibcuUse::Standard),
            (
                "cuda::atomic_ref<int, cuda::thread_scope_device>",
                LibcuUse::Atomics,
            ),
            ("cuda::std::atomic<int>", LibcuUse::Atomics),
            ("x.load(cuda::memory_order_relaxed)", LibcuUse::Orders),
            ("cuda::std::plus<int>(); cuda::barrier<>", LibcuUse::More),
            ("using namespace cuda;", LibcuUse::More),
            ("namespace cuda { void f(); }", LibcuUse::More),
            ("namespace s = cuda::std;", LibcuUse::More),
        ] {
            let source = SourceFile::new("a.cu", text.as_bytes().to_vec());
            let found = libcu_use(&Document::new(&source), &ApiTable::builtin());
            assert_eq!(found.of(LibcuTree::default()), expected, "{text}");
        }
    }

    #[test]
    fn halves_and_namespaces_of_its_own_decide_about_a_tree() {
        let of = |text: &str, tree: LibcuTree| {
            let source = SourceFile::new("a.cu", text.as_bytes().to_vec());
            libcu_use(&Document::new(&source), &ApiTable::builtin()).of(tree)
        };
        let plain = LibcuTree::default();
        let halves = LibcuTree {
            knows_halves: true,
            ..plain
        };
        let own = LibcuTree {
            has_own: true,
            ..plain
        };
        let limits = "cuda::std::numeric_limits<T>::max()";
        assert_eq!(of(limits, plain), LibcuUse::Values);
        assert_eq!(of(limits, halves), LibcuUse::More);
        assert!(has_halves("cuda_fp16.h") && has_halves("hip/hip_bf16.h"));
        assert!(!has_halves("limits"));
        let inner = "namespace mine { void g() { cuda::f(); } }";
        assert_eq!(of(inner, plain), LibcuUse::More);
        assert_eq!(of(inner, own), LibcuUse::Nothing);
        assert_eq!(of("void g() { cuda::f(); }", own), LibcuUse::More);
        let known = "namespace mine { cuda::latch l; }";
        assert_eq!(of(known, own), LibcuUse::Nothing);
        let with_header = format!("#include <cuda/latch>\n{known}");
        assert_eq!(of(&with_header, own), LibcuUse::More);
    }

    #[test]
    fn names_become_those_of_std_or_of_the_helper_header() {
        for (text, expected) in [
            ("cuda::std::plus", Some("std::plus")),
            (
                "cuda::memory_order_acquire",
                Some("std::memory_order_acquire"),
            ),
            ("cuda::std::atomic_ref", Some("cass_atomic_ref")),
            ("cuda::thread_scope_block", Some("cass_thread_scope_block")),
            ("cuda::proclaim_return_type", None),
        ] {
            let source = SourceFile::new("a.cu", text.as_bytes().to_vec());
            let found = counterpart(&Document::new(&source), 0).and_then(|it| it.text);
            assert_eq!(found.as_deref(), expected, "{text}");
        }
        assert_eq!(standard_header("cuda/std/type_traits"), Some("type_traits"));
        assert_eq!(standard_header("cuda/atomic"), Some("atomic"));
        assert_eq!(standard_header("cuda/std/tuple"), None);
    }
}
