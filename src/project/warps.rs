//! What the functions of a tree do with the lanes of a warp, themselves and through what they call.
//!
//! Each file says of its functions and macros what they do and whom they call; a pass over the calls of the tree carries that to the
//! callers and to the callees. Work and memory grow with the number of calls. A call means the function of its own file, or else
//! all of that name in the tree: templates and overloads count as one.

use std::ops::{BitOr, BitOrAssign, Range};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::cpp::conditions::assembly::branches_with_assembly;
use crate::cpp::lanes::{
    counts_by_wave, counts_lanes, is_exchange, is_matrix, is_wave_of_torch, is_wavefront,
    names_size, says_wavefront, speaks_of_lanes,
};
use crate::project::lost::{Lost, LostAssembly, Needing, class_of, has_alternative};
use crate::syntax::{Document, Space, TokenIndex, TokenKind, Vendor, flags};
use crate::text::number::integer;

/// What a function does with warps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct WarpUse {
    /// It exchanges values or votes between lanes.
    pub exchanges: bool,
    /// It counts by lanes: `warpSize`, `& 31`, names of warps.
    pub counts: bool,
    /// It uses matrix cores, which work on the whole wavefront.
    pub matrix: bool,
    /// It counts lanes by the size of the wave, as AMD's chips have it: `C10_WARP_SIZE`.
    pub wave: bool,
    /// It exchanges values, and counts by 32 lanes in so many words: `% 32`, a loop from 16.
    pub by_32: bool,
}

impl WarpUse {
    /// Whether the function depends on the size of a warp.
    pub(crate) fn depends_on_warp_size(self) -> bool {
        self.exchanges || self.counts || self.matrix
    }
}

impl BitOr for WarpUse {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self {
            exchanges: self.exchanges | other.exchanges,
            counts: self.counts | other.counts,
            matrix: self.matrix | other.matrix,
            wave: self.wave | other.wave,
            by_32: self.by_32 | other.by_32,
        }
    }
}

impl BitOrAssign for WarpUse {
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

/// What one function or macro does, and what it calls.
#[derive(Clone, Debug, Default)]
struct FunctionFacts {
    name: Box<[u8]>,
    /// The class that it is a member of.
    class: Option<Box<[u8]>>,
    does: WarpUse,
    calls: Vec<Box<[u8]>>,
    /// Those of the calls, by position, that something else stands for where a condition does not hold.
    optional: FxHashSet<usize>,
    /// It stands in a branch for chips of NVIDIA that holds assembly.
    is_left_out: bool,
    /// It runs on the host alone: what it does says something of the kernels that it launches, and nothing of its callers.
    is_host: bool,
    /// AMD has nothing in the place of its assembly.
    is_lost: bool,
}

impl FunctionFacts {
    fn needing<'f>(&'f self, path: &'f str) -> Needing<'f> {
        let sure = self.calls.iter().enumerate();
        let sure = sure.filter(|(at, _)| !self.optional.contains(at));
        Needing {
            path,
            name: &self.name,
            class: self.class.as_deref(),
            needs: sure.map(|(_, name)| &**name).collect(),
            is_lost: self.is_lost,
        }
    }
}

/// What one file says about warps.
#[derive(Clone, Debug, Default)]
pub(crate) struct WarpFacts {
    functions: Vec<FunctionFacts>,
    /// For AMD the file says that warps have 64 lanes.
    pub(crate) says_wavefront: bool,
}

impl WarpFacts {
    /// Collects the facts of a file: of functions that may run on the device, and of macros.
    pub(crate) fn new(doc: &Document<'_>) -> Self {
        let marks = Marks::new(doc);
        let left_out = branches_with_assembly(doc);
        let lost = LostAssembly::new(doc);
        let spelt = spelt_as_called(doc);
        let of_tokens = |name: TokenIndex, tokens: Range<TokenIndex>, does| FunctionFacts {
            is_left_out: left_out.contains(doc.tokens[name].start),
            is_lost: lost.takes(doc, name, tokens.clone()),
            ..of_tokens(doc, &spelt, name, tokens, does)
        };
        let mut facts = Self {
            says_wavefront: marks.says_wavefront,
            ..Self::default()
        };
        for function in doc.scopes().iter() {
            let Some(name) = function.name else { continue };
            let tokens = function.head.start..function.body.end;
            let does = marks.within(doc, name, tokens.clone());
            if function.space != Space::Host || does.exchanges {
                facts.functions.push(FunctionFacts {
                    class: class_of(doc, function).map(Box::from),
                    ..of_tokens(name, tokens, does)
                });
            } else if does.wave {
                facts.functions.push(FunctionFacts {
                    is_host: true,
                    ..of_tokens(
                        name,
                        tokens,
                        WarpUse {
                            wave: true,
                            ..WarpUse::default()
                        },
                    )
                });
            }
        }
        let constants = marks.constants(doc);
        facts.functions.extend(constants.map(|name| FunctionFacts {
            name: doc.bytes(name).into(),
            does: WarpUse {
                wave: true,
                ..WarpUse::default()
            },
            ..FunctionFacts::default()
        }));
        for (name, define) in doc.macros() {
            let tokens = name + 1..define.tokens.end;
            let does = marks.within(doc, name, tokens.clone());
            let found = of_tokens(name, tokens, does);
            if found.does != WarpUse::default() || !found.calls.is_empty() || found.is_lost {
                facts.functions.push(found);
            }
        }
        facts
    }

    /// The functions and macros that AMD compiles as far as assembly tells: each one's name, and what it calls.
    pub(crate) fn compiled(&self) -> impl Iterator<Item = (&[u8], impl Iterator<Item = &[u8]>)> {
        let compiled = self.functions.iter().filter(|it| !it.is_left_out);
        compiled.map(|it| (&*it.name, it.calls.iter().map(|callee| &**callee)))
    }
}

/// The tokens of a file that say something of warps, in order. Each different word is looked at once.
struct Marks {
    found: Vec<(TokenIndex, WarpUse)>,
    /// A number or word says, for AMD alone, that warps have 64 lanes.
    says_wavefront: bool,
}

impl Marks {
    fn new(doc: &Document<'_>) -> Self {
        let (mut found, mut is_64) = (Vec::new(), false);
        for (word, places) in doc.each_word() {
            let does = of_word(word);
            let (is_wavefront, is_torchs) = (is_wavefront(word), is_wave_of_torch(word));
            if does == WarpUse::default() && !is_wavefront {
                continue;
            }
            for at in places {
                let says_64 = is_wavefront && says_wavefront(doc, at);
                is_64 |= says_64;
                let wave = says_64 || is_torchs && counts_by_wave(doc, at);
                found.push((at, WarpUse { wave, ..does }));
            }
        }
        for (at, token) in doc.tokens.iter().enumerate() {
            let does = match token.kind {
                TokenKind::Number if may_count_lanes(doc.bytes(at)) => {
                    let says_64 = says_wavefront(doc, at);
                    is_64 |= says_64;
                    let counts = counts_lanes(doc, at);
                    WarpUse {
                        counts,
                        wave: says_64,
                        by_32: (counts || is_half_warp(doc, at))
                            && doc.vendor_at(token.start) != Vendor::NotHip,
                        ..WarpUse::default()
                    }
                }
                TokenKind::Str | TokenKind::RawStr => of_text(doc.bytes(at)),
                _ => continue,
            };
            if does != WarpUse::default() {
                found.push((at, does));
            }
        }
        found.sort_unstable_by_key(|(at, _)| *at);
        Self {
            found,
            says_wavefront: is_64,
        }
    }

    /// What the tokens of a range do that are of the same text stream as the name of their function or macro.
    fn within(&self, doc: &Document<'_>, name: TokenIndex, tokens: Range<TokenIndex>) -> WarpUse {
        let before = |end: TokenIndex| self.found.partition_point(|(at, _)| *at < end);
        let marks = &self.found[before(tokens.start)..before(tokens.end)];
        let of_stream = marks.iter().filter(|(at, _)| is_beside(doc, name, *at));
        let does = of_stream.fold(WarpUse::default(), |all, (_, does)| all | *does);
        WarpUse {
            // 32 is a number as any other where nothing is exchanged.
            by_32: does.by_32 && does.exchanges,
            ..does
        }
    }

    /// The names of constants outside of functions that are the size of the wave.
    fn constants<'a>(&'a self, doc: &'a Document<'_>) -> impl Iterator<Item = TokenIndex> + 'a {
        let waves = self
            .found
            .iter()
            .filter(|(_, does)| does.wave)
            .map(|(at, _)| *at);
        let outside = waves.filter(|&at| {
            !doc.tokens[at].has(flags::DIRECTIVE) && doc.scopes().enclosing(at).is_none()
        });
        outside.filter_map(|at| initialized_name(doc, at))
    }
}

/// Whether a number is one of those that [`says_wavefront`], [`counts_lanes`] and [`is_half_warp`] look for: dense code has a number in
/// every tenth token.
fn may_count_lanes(number: &[u8]) -> bool {
    matches!(integer(number), Some(5 | 16 | 31 | 32 | 64))
}

/// Whether a token is another one than that of the name, and in a directive as that is.
fn is_beside(doc: &Document<'_>, name: TokenIndex, at: TokenIndex) -> bool {
    let in_directive = |at: TokenIndex| doc.tokens[at].has(flags::DIRECTIVE);
    at != name && in_directive(at) == in_directive(name)
}

/// The name that a declaration gives the value at `at`: `constexpr int kLanes = C10_WARP_SIZE;`.
fn initialized_name(doc: &Document<'_>, at: TokenIndex) -> Option<TokenIndex> {
    let before = std::iter::successors(doc.prev(at), |&at| doc.prev(at));
    let mut before = before.take_while(|&at| !doc.is(at, ";") && !doc.is(at, "}"));
    let equals = before.find(|&at| doc.is(at, "=") || doc.is(at, "{"))?;
    doc.prev(equals).filter(|&name| doc.is_ident(name))
}

/// `for (int o = 16; …`: the first distance of a tree over 32 lanes.
fn is_half_warp(doc: &Document<'_>, at: TokenIndex) -> bool {
    integer(doc.bytes(at)) == Some(16) && doc.is_before(at, "=") && doc.next_is(at, ";")
}

fn of_tokens(
    doc: &Document<'_>,
    spelt: &[bool],
    name: TokenIndex,
    tokens: Range<TokenIndex>,
    does: WarpUse,
) -> FunctionFacts {
    let start = tokens.start;
    let called = tokens.filter(|&at| is_beside(doc, name, at) && (spelt[at] || is_called(doc, at)));
    let (mut places, mut calls) = (FxHashMap::default(), Vec::<Box<[u8]>>::new());
    let mut optional = FxHashSet::default();
    for at in called {
        let is_optional = has_alternative(doc, at, start);
        let next = calls.len();
        let place = *places.entry(doc.bytes(at)).or_insert(next);
        if place == next {
            calls.push(doc.bytes(at).into());
            optional.extend(is_optional.then_some(place));
        } else if !is_optional {
            optional.remove(&place);
        }
    }
    FunctionFacts {
        name: doc.bytes(name).into(),
        does,
        calls,
        optional,
        ..FunctionFacts::default()
    }
}

fn of_word(word: &[u8]) -> WarpUse {
    WarpUse {
        exchanges: is_exchange(word),
        counts: speaks_of_lanes(word),
        matrix: is_matrix(word),
        ..WarpUse::default()
    }
}

/// What a string does, which may be inline assembly.
fn of_text(text: &[u8]) -> WarpUse {
    let holds = |part: &str| memchr::memmem::find(text, part.as_bytes()).is_some();
    WarpUse {
        exchanges: holds("shfl.") || holds("vote.") || holds("match.") || holds("redux."),
        counts: holds("%laneid") || holds("%lanemask") || holds("%warpid"),
        ..WarpUse::default()
    }
}

/// `f(`, `f<`.
fn is_called(doc: &Document<'_>, at: TokenIndex) -> bool {
    let is_bracket = |next: TokenIndex| doc.is(next, "(") || doc.is(next, "<");
    doc.is_ident(at) && doc.next(at).is_some_and(is_bracket)
}

/// For each token, whether its spelling alone makes it one that may be called: a name in capitals may be a macro, and that of the size of
/// a warp a constant. Each different word is looked at once.
fn spelt_as_called(doc: &Document<'_>) -> Vec<bool> {
    let is_spelt = |word: &[u8]| !word.iter().any(u8::is_ascii_lowercase) || names_size(word);
    let mut spelt = vec![false; doc.tokens.len()];
    for (_, places) in doc.each_word().filter(|(word, _)| is_spelt(word)) {
        places.for_each(|at| spelt[at] = true);
    }
    spelt
}

/// What is known of the functions of a tree.
#[derive(Debug, Default)]
pub(crate) struct Warps {
    nodes: FxHashMap<Box<[u8]>, usize>,
    own: FxHashMap<(Box<str>, Box<[u8]>), usize>,
    /// What a function does, itself and through what it calls.
    down: Vec<WarpUse>,
    /// What those do that reach it, and it itself.
    around: Vec<WarpUse>,
    lost: Lost,
}

impl Warps {
    /// Works out what the functions of some files do.
    pub(crate) fn new<'f>(files: impl Iterator<Item = (&'f str, &'f WarpFacts)> + Clone) -> Self {
        let functions = files.clone().flat_map(|(path, facts)| {
            let functions = facts.functions.iter();
            functions.map(move |function| function.needing(path))
        });
        let mut warps = Self {
            lost: Lost::new(functions),
            ..Self::default()
        };
        let mut functions = Vec::new();
        for (path, facts) in files {
            for function in &facts.functions {
                let by_name = warps.node(&function.name);
                let next = warps.down.len();
                let key = (Box::from(path), function.name.clone());
                let node = *warps.own.entry(key).or_insert(next);
                if node == next {
                    warps.down.push(WarpUse::default());
                }
                warps.down[node] |= function.does;
                functions.push((path, function, node, by_name));
            }
        }
        // From caller to callee; whoever is asked for by name alone stands for all of that name.
        let (mut calls, mut launches) = (Vec::new(), Vec::new());
        for (path, function, node, by_name) in functions {
            calls.push((by_name, node));
            let called = if function.is_host {
                &mut launches
            } else {
                &mut calls
            };
            for callee in &function.calls {
                let own = warps.own.get(&(Box::from(path), callee.clone())).copied();
                let met = own.or_else(|| warps.nodes.get(callee).copied());
                called.extend(met.filter(|&met| met != node).map(|met| (node, met)));
            }
        }
        let backwards = calls.iter().map(|&(caller, callee)| (callee, caller));
        propagate(&mut warps.down, backwards);
        warps.around.clone_from(&warps.down);
        propagate(&mut warps.around, calls.iter().chain(&launches).copied());
        warps
    }

    fn node(&mut self, name: &[u8]) -> usize {
        let next = self.down.len();
        let node = *self.nodes.entry(name.into()).or_insert(next);
        if node == next {
            self.down.push(WarpUse::default());
        }
        node
    }

    fn find(&self, path: &str, name: &[u8]) -> Option<usize> {
        let own = self.own.get(&(Box::from(path), Box::from(name)));
        own.or_else(|| self.nodes.get(name)).copied()
    }

    /// What a function does that a file means by a name, itself and through what it calls; `None` for functions that the tree does
    /// not define.
    pub(crate) fn of(&self, path: &str, name: &[u8]) -> Option<WarpUse> {
        self.find(path, name).map(|node| self.down[node])
    }

    /// The same, and what those do that call it.
    pub(crate) fn around(&self, path: &str, name: &[u8]) -> WarpUse {
        let node = self.find(path, name);
        node.map_or_else(WarpUse::default, |node| self.around[node])
    }

    /// Whether AMD is left without the function that a file means by a name.
    pub(crate) fn is_lost(&self, path: &str, name: &[u8]) -> bool {
        self.lost.contains(path, name)
    }

    /// Whether anything of the tree exchanges values between lanes or counts by them.
    pub(crate) fn any_depends_on_warp_size(&self) -> bool {
        self.down.iter().any(|does| does.depends_on_warp_size())
    }
}

/// Carries what is known of each node along the edges until nothing changes. Each node is met at most once for each of the five facts.
fn propagate(known: &mut [WarpUse], edges: impl Iterator<Item = (usize, usize)>) {
    let mut next: Vec<Vec<usize>> = vec![Vec::new(); known.len()];
    edges.for_each(|(from, to)| next[from].push(to));
    let mut queue: Vec<usize> = (0..known.len())
        .filter(|&node| known[node] != WarpUse::default())
        .collect();
    while let Some(node) = queue.pop() {
        for &to in &next[node] {
            let merged = known[to] | known[node];
            if merged != known[to] {
                known[to] = merged;
                queue.push(to);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::SourceFile;

    fn facts(text: &str) -> WarpFacts {
        let source = SourceFile::new("a.cu", text.as_bytes().to_vec());
        WarpFacts::new(&Document::new(&source))
    }

    #[test]
    fn an_exchange_is_carried_through_wrappers_of_other_files() {
        let files = [
            (
                "warp.cuh",
                facts(
                    "template <int W> __device__ int get(int v) { return __shfl_sync(~0u, v, 0, W); }",
                ),
            ),
            (
                "use.cuh",
                facts("#define LEAD(v) get<32>(v)\n__device__ int lead(int v) { return LEAD(v); }"),
            ),
            (
                "k.cu",
                facts(
                    "__global__ void k(int *p) { *p = lead(*p); }\n__global__ void plain(int *p) { *p = 1; }",
                ),
            ),
        ];
        let warps = Warps::new(files.iter().map(|(path, facts)| (*path, facts)));
        assert!(warps.of("k.cu", b"k").unwrap().exchanges);
        assert!(!warps.of("k.cu", b"plain").unwrap().depends_on_warp_size());
        assert!(warps.of("k.cu", b"printf").is_none());
    }

    #[test]
    fn a_helper_of_a_kernel_with_matrix_cores_is_around_them() {
        let text = "__device__ int tile() { return threadIdx.x / warpSize; }\n\
                    __global__ void k() { nvcuda::wmma::mma_sync(); tile(); }\n\
                    __device__ int other() { return warpSize; }";
        let facts = facts(text);
        let warps = Warps::new([("a.cu", &facts)].into_iter());
        assert!(!warps.of("a.cu", b"tile").unwrap().matrix);
        assert!(warps.around("a.cu", b"tile").matrix);
        assert!(!warps.around("a.cu", b"other").matrix);
    }

    #[test]
    fn a_name_means_the_function_of_its_own_file_first() {
        let files = [
            (
                "a.cu",
                facts("__device__ int f(int v) { return __shfl(v, 0); }"),
            ),
            (
                "b.cu",
                facts(
                    "__device__ int f(int v) { return v; }\n__global__ void k(int *p) { *p = f(1); }",
                ),
            ),
            ("c.cu", facts("__global__ void k(int *p) { *p = f(1); }")),
        ];
        let warps = Warps::new(files.iter().map(|(path, facts)| (*path, facts)));
        assert!(!warps.of("b.cu", b"k").unwrap().exchanges);
        assert!(warps.of("c.cu", b"k").unwrap().exchanges);
    }

    #[test]
    fn a_tree_for_both_vendors_says_wavefront() {
        let of_macro = "#ifdef USE_ROCM\n#define WARP_SIZE 64\n#else\n#define WARP_SIZE 32\n#endif";
        let of_function = "__device__ int warp_size() {\n#ifdef USE_ROCM\nreturn 64;\n#else\nreturn 32;\n#endif\n}";
        assert!(facts(of_macro).says_wavefront && facts(of_function).says_wavefront);
        for value in ["warpSize", "(1024 / warpSize)", "__AMDGCN_WAVEFRONT_SIZE"] {
            let of_wavefront = format!("#ifdef USE_ROCM\n#define PARTS {value}\n#endif");
            assert!(facts(&of_wavefront).says_wavefront, "{value}");
        }
        assert!(!facts("#define LANES warpSize").says_wavefront);
        assert!(!facts("#ifdef USE_ROCM\nvoid f() { g(warpSize); }\n#endif").says_wavefront);
        assert!(!facts("#define WARP_SIZE 64").says_wavefront);
        assert!(!facts("#ifdef USE_ROCM\n#define TILE 64\n#endif").says_wavefront);
    }

    const PTX: &str = "asm(\"wgmma.fence.sync.aligned;\");";

    fn lost(files: &[(&str, &str)], path: &str, name: &str) -> bool {
        let facts = files.iter().map(|(path, text)| (*path, facts(text)));
        let facts: Vec<(&str, WarpFacts)> = facts.collect();
        let warps = Warps::new(facts.iter().map(|(path, facts)| (*path, facts)));
        warps.is_lost(path, name.as_bytes())
    }

    #[test]
    fn a_function_is_lost_whose_ptx_is_all_it_has() {
        for (text, expected) in [
            ("__device__ void f() { PTX }", true),
            ("__device__ void f() { asm(\"bar.sync 0;\"); }", false),
            ("__device__ void f() { asm(\"s_nop 0\"); }", false),
            (
                "__device__ void f() {\n#if __CUDA_ARCH__ >= 300\nPTX\n#endif\n}",
                true,
            ),
            (
                "__device__ void f() {\n#if __CUDA_ARCH__ >= 300\nPTX\n#else\ng();\n#endif\n}",
                false,
            ),
            (
                "__device__ int f() {\n#if __CUDA_ARCH__ >= 300\nPTX return 1;\n#endif\nreturn 2; }",
                false,
            ),
            (
                "#if __CUDA_ARCH__ >= 300\n__device__ void f() { }\n__device__ void g() { PTX }\n#endif",
                true,
            ),
            (
                "#ifdef __CUDA_ARCH__\n__device__ void f() { }\n__device__ void g() { PTX }\n#endif",
                false,
            ),
            (
                "#if __CUDA_ARCH__ >= 300\n__device__ void f() { PTX }\n#else\n__device__ void f() { }\n#endif",
                false,
            ),
            ("#define f() PTX", true),
        ] {
            let text = format!("{}\n", text.replace("PTX", PTX));
            assert_eq!(lost(&[("a.cu", &text)], "a.cu", "f"), expected, "{text}");
        }
    }

    #[test]
    fn who_needs_what_is_lost_is_lost() {
        let header = format!("__device__ void f() {{ {PTX} }}\n");
        for (text, expected) in [
            ("__device__ void h() { f(); }", true),
            (
                "__device__ void g() { f(); }\n__device__ void h() { g(); }",
                true,
            ),
            ("__device__ void h() { x(); }", false),
            (
                "__device__ void h() {\n#if __CUDA_ARCH__ >= 300\nf();\n#else\nx();\n#endif\n}",
                false,
            ),
            (
                "__device__ void f() { }\n__device__ void h() { f(); }",
                false,
            ),
            ("struct h { __device__ void g() { f(); } };", true),
            ("__device__ void h(int n) { if (n) h(n - 1); }", false),
        ] {
            let text = format!("{text}\n");
            let found = lost(&[("f.h", &header), ("a.cu", &text)], "b.cu", "h");
            assert_eq!(found, expected, "{text}");
        }
    }
}
