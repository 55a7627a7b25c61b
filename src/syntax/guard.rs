//! Which parts of a file are compiled only for HIP, or never for HIP: code that already knows both vendors.

use super::backends::Backends;
use super::condition::{Assumption, CudaMacros, Truth, evaluate_with};
use super::macros::include_guard;
use super::vendor_macros::VendorMacros;
use super::{Directive, DirectiveKind, Token};
use crate::text::TextRange;

/// For whom a part of a file is compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vendor {
    /// Everyone, as far as the conditions tell.
    Any,
    /// Only HIP: `#ifdef USE_ROCM`.
    Hip,
    /// Never HIP: the `#else` of such a condition.
    NotHip,
}

/// The guarded ranges of a file, in order of their start; nested ranges follow their parent.
#[derive(Debug, Default)]
pub struct Guards {
    ranges: Vec<(TextRange, Vendor)>,
    /// For each range the one that it lies in.
    parents: Vec<Option<usize>>,
    /// Starts of the branches that every build for HIP compiles, whoever else does, in order.
    sure: Vec<u32>,
}

impl Guards {
    /// Finds the guarded ranges. `#if` groups whose `#endif` is missing run to the end of the file.
    pub(crate) fn new(
        source: &[u8],
        tokens: &[Token],
        directives: &[Directive],
        macros: &VendorMacros,
    ) -> Self {
        let backends = Backends::new(source, tokens, directives);
        let branch = |index| branch(source, tokens, directives, index, macros, &backends);
        let mut open: Vec<Group> = Vec::new();
        let mut guards = Self::default();
        let mut dead = Vec::new();
        for (index, directive) in directives.iter().enumerate() {
            match directive.kind {
                DirectiveKind::If | DirectiveKind::Ifdef | DirectiveKind::Ifndef => {
                    open.push(Group {
                        branches: vec![branch(index)],
                    });
                }
                DirectiveKind::Elif | DirectiveKind::Else => {
                    if let Some(group) = open.last_mut() {
                        group.close(directive.range.start);
                        group.branches.push(branch(index));
                    }
                }
                DirectiveKind::Endif => {
                    if let Some(mut group) = open.pop() {
                        group.close(directive.range.start);
                        group.finish(&mut guards, &mut dead);
                    }
                }
                _ => {}
            }
        }
        for mut group in open {
            group.close(source.len() as u32);
            group.finish(&mut guards, &mut dead);
        }
        guards.sort();
        guards.add_dead(&dead);
        guards.sure.sort_unstable();
        guards
    }

    /// Adds branches that nobody compiles: within code for one vendor they are not for HIP, elsewhere they say nothing.
    fn add_dead(&mut self, dead: &[TextRange]) {
        let is_guarded = |range: &&TextRange| self.vendor_at(range.start) != Vendor::Any;
        let guarded = dead.iter().filter(is_guarded);
        let found: Vec<_> = guarded.map(|range| (*range, Vendor::NotHip)).collect();
        if !found.is_empty() {
            self.ranges.extend(found);
            self.sort();
        }
    }

    fn sort(&mut self) {
        self.ranges
            .sort_by_key(|(range, _)| (range.start, std::cmp::Reverse(range.end)));
        self.parents = parents(&self.ranges);
    }

    /// Whether every build for HIP compiles the branch that starts at a byte, if it compiles what is around it.
    pub(crate) fn is_sure_on_hip(&self, branch: u32) -> bool {
        self.sure.binary_search(&branch).is_ok()
    }

    /// For whom the byte at `offset` is compiled; the innermost guard that says something decides.
    pub fn vendor_at(&self, offset: u32) -> Vendor {
        let started = self
            .ranges
            .partition_point(|(range, _)| range.start <= offset);
        let mut around = started.checked_sub(1);
        while let Some(at) = around {
            let (range, vendor) = self.ranges[at];
            if range.contains_offset(offset) {
                return vendor;
            }
            around = self.parents[at];
        }
        Vendor::Any
    }

    /// The guarded ranges, outermost first.
    pub fn iter(&self) -> impl Iterator<Item = &(TextRange, Vendor)> {
        self.ranges.iter()
    }

    /// Whether the file has guarded code.
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }
}

/// For each range the innermost earlier one that it lies in; ranges are in order of their start.
fn parents(ranges: &[(TextRange, Vendor)]) -> Vec<Option<usize>> {
    let mut open: Vec<usize> = Vec::new();
    let mut parents = Vec::with_capacity(ranges.len());
    for (index, (range, _)) in ranges.iter().enumerate() {
        while open
            .last()
            .is_some_and(|outer| ranges[*outer].0.end <= range.start)
        {
            open.pop();
        }
        parents.push(open.last().copied());
        open.push(index);
    }
    parents
}

/// Condition of a branch: its truth for HIP and for others, by what is known of CUDA's macros.
struct Branch {
    range: TextRange,
    /// Indexed by [`CudaMacros`]: (on HIP, elsewhere).
    truths: [(Truth, Truth); 3],
}

struct Group {
    branches: Vec<Branch>,
}

impl Group {
    fn close(&mut self, offset: u32) {
        if let Some(last) = self.branches.last_mut() {
            last.range.end = offset.max(last.range.start);
        }
    }

    /// Works out the vendor of each branch. CUDA macros count only beside a branch that names HIP: alone they mean "device code".
    fn finish(self, guards: &mut Guards, dead: &mut Vec<TextRange>) {
        let mut known = self.active(CudaMacros::Unknown);
        if known.iter().any(|truth| vendor(*truth) == Vendor::Hip) {
            let by_name = std::mem::replace(&mut known, self.active(CudaMacros::Compiler));
            // `#if defined(__CUDACC__) && defined(__HIP_PLATFORM_AMD__)` is written for AMD, where PyTorch's build renames the first.
            for (truth, by_name) in known.iter_mut().zip(by_name) {
                if *truth == (Truth::No, Truth::No) && vendor(by_name) == Vendor::Hip {
                    *truth = by_name;
                }
            }
            // `#if CUDA_VERSION >= 12080 … #elif defined(__HIPCC__)`: without a version HIP never takes the first.
            let by_version = self.active(CudaMacros::Versions);
            for (truth, by_version) in known.iter_mut().zip(by_version) {
                if vendor(by_version) == Vendor::NotHip {
                    *truth = by_version;
                }
            }
        }
        for (branch, truth) in self.branches.iter().zip(known) {
            if vendor(truth) != Vendor::Any {
                guards.ranges.push((branch.range, vendor(truth)));
            }
            if truth == (Truth::No, Truth::No) {
                dead.push(branch.range);
            }
            if truth.0 == Truth::Yes {
                guards.sure.push(branch.range.start);
            }
        }
    }

    /// Whether each branch is compiled: on HIP, elsewhere.
    fn active(&self, known: CudaMacros) -> Vec<(Truth, Truth)> {
        let mut earlier = (Truth::No, Truth::No);
        let active_of = |branch: &Branch| {
            let truth = branch.truths[known as usize];
            let active = (truth.0.and(earlier.0.not()), truth.1.and(earlier.1.not()));
            earlier = (earlier.0.or(truth.0), earlier.1.or(truth.1));
            active
        };
        self.branches.iter().map(active_of).collect()
    }
}

fn vendor(active: (Truth, Truth)) -> Vendor {
    match active {
        (Truth::No, Truth::No) => Vendor::Any,
        (Truth::No, _) => Vendor::NotHip,
        (_, Truth::No) => Vendor::Hip,
        _ => Vendor::Any,
    }
}

/// Whether a macro guards a helper that an earlier run wrote into the file.
fn is_of_helper(operands: &[&[u8]]) -> bool {
    let first = operands.first();
    first.is_some_and(|name| name.starts_with(b"CASS_HELPER_"))
}

fn branch(
    source: &[u8],
    tokens: &[Token],
    directives: &[Directive],
    index: usize,
    macros: &VendorMacros,
    backends: &Backends<'_>,
) -> Branch {
    let directive = &directives[index];
    let texts: Vec<&[u8]> = directive
        .operands()
        .map(|at| &source[tokens[at].range().as_usize()])
        .collect();
    let is_guard = directive.kind == DirectiveKind::Ifndef
        && include_guard(source, tokens, directives, index).is_some();
    let is_negated = is_elifndef(source, tokens, directive);
    let of_backend = backends.of(&texts);
    let truth = |hip, cuda| {
        if let Some(amd) = of_backend {
            return match amd == hip {
                true => Truth::Yes,
                false => Truth::No,
            };
        }
        let assume = Assumption { hip, cuda };
        let defined =
            |name: Option<&&[u8]>| name.map_or(Truth::Unknown, |name| macros.defined(name, assume));
        let evaluate = || evaluate_with(&texts, &|name, _| macros.defined(name, assume));
        match directive.kind {
            DirectiveKind::Else => Truth::Yes,
            DirectiveKind::Ifdef => defined(texts.first()),
            DirectiveKind::Ifndef if is_of_helper(&texts) => match hip {
                true => Truth::Yes,
                false => Truth::No,
            },
            DirectiveKind::Ifndef if is_guard => Truth::Unknown,
            DirectiveKind::Ifndef => defined(texts.first()).not(),
            DirectiveKind::Elif if is_negated => evaluate().not(),
            _ => evaluate(),
        }
    };
    let range = TextRange::new(directive.range.end, directive.range.end);
    Branch {
        range,
        truths: [
            CudaMacros::Unknown,
            CudaMacros::Compiler,
            CudaMacros::Versions,
        ]
        .map(|cuda| (truth(true, cuda), truth(false, cuda))),
    }
}

/// `#elifndef X` of C++23; `#elifdef X` reads as `#elif X` does here, where only the name counts.
fn is_elifndef(source: &[u8], tokens: &[Token], directive: &Directive) -> bool {
    let name = tokens.get(directive.tokens.start + 1);
    name.is_some_and(|name| source[name.range().as_usize()] == *b"elifndef")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::Document;
    use crate::text::SourceFile;

    /// What each of the marks `A` to `D`, alone on its line, is compiled for: `h` HIP, `n` not HIP, `-` anyone.
    fn vendors(text: &str) -> String {
        let text = text.replace('@', "\n");
        let source = SourceFile::new("a.cu", text.clone().into_bytes());
        let document = Document::new(&source);
        let mut found = String::new();
        for mark in ["\nA", "\nB", "\nC", "\nD"] {
            let Some(at) = text.find(mark) else { break };
            found.push(match document.vendor_at(at as u32 + 1) {
                Vendor::Hip => 'h',
                Vendor::NotHip => 'n',
                Vendor::Any => '-',
            });
        }
        found
    }

    #[test]
    fn each_shape_of_guard_is_understood() {
        let shapes = [
            ("#ifdef USE_ROCM@A@#else@B@#endif@C", "hn-"),
            ("#ifndef USE_ROCM@A@#else@B@#endif", "nh"),
            ("#if defined(USE_ROCM)@A@#else@B@#endif", "hn"),
            ("#if defined USE_ROCM@A@#else@B@#endif", "hn"),
            ("#if !defined(__HIP_PLATFORM_AMD__)@A@#endif@B", "n-"),
            ("#if !(defined(USE_ROCM))@A@#else@B@#endif", "nh"),
            (
                "# if defined(__HIPCC__) || \\@ defined(USE_ROCM)@A@# else@B@# endif",
                "hn",
            ),
            (
                "#if defined(__HIPCC__) && defined(X)@A@#else@B@#endif",
                "h-",
            ),
            (
                "#if defined(X) || !defined(USE_ROCM)@A@#else@B@#endif",
                "-h",
            ),
            (
                "#if !defined(USE_ROCM) && CUDA_VERSION >= 12000@A@#else@B@#endif",
                "n-",
            ),
            (
                "#if defined(MY_CUDA)@A@#elif defined(MY_HIP)@B@#else@C@#endif",
                "nhn",
            ),
            (
                "#if defined(EIGEN_CUDACC)@A@#elif defined(EIGEN_HIPCC)@B@#endif",
                "nh",
            ),
            ("#if defined(MY_CUDA)@A@#else@B@#endif", "--"),
            ("#if defined(MY_NO_CUDA)@A@#elif MY_HIP@B@#endif", "-h"),
            (
                "#if defined(MY_CUDA) || defined(MY_HIP)@A@#else@B@#endif",
                "-n",
            ),
            (
                "#if (X == 0)@vk();@#elif (X == 1)@A@cudaFree(p);@#elif (X == 2)@B@hipFree(p);@#endif@#if X == 2@C@#endif@D",
                "nhh-",
            ),
            ("#if X == 1@A@cudaFree(p);@#else@B@hipFree(p);@#endif", "--"),
            ("#if USE_ROCM@A@#else@B@#endif", "hn"),
            ("#if USE_ROCM == 1@A@#endif", "h"),
            ("#if USE_ROCM == 0@A@#else@B@#endif", "nh"),
            ("#if USE_ROCM != 0@A@#else@B@#endif", "hn"),
            ("#if HIP_VERSION >= 60000000@A@#else@B@#endif", "h-"),
            ("#if HIP_VERSION < 60000000@A@#else@B@#endif", "-h"),
            (
                "#if defined(HIP_VERSION) && HIP_VERSION >= 50200000@A@#endif",
                "h",
            ),
            (
                "#if defined(__CUDACC__)@A@#elif defined(__HIPCC__)@B@#else@C@#endif",
                "nh-",
            ),
            (
                "#if defined(__HIPCC__)@A@#elif defined(__CUDACC__)@B@#else@C@#endif",
                "hn-",
            ),
            ("#ifdef USE_CUDA@A@#elif defined(USE_HIP)@B@#endif", "nh"),
            (
                "#if CUDA_VERSION >= 12080@A@#elif __HIPCC__@B@#else@C@#endif",
                "nhn",
            ),
            (
                "#if __CUDA_ARCH__ >= 700@A@#elif defined(__HIP_PLATFORM_AMD__)@B@#endif",
                "nh",
            ),
            (
                "#if CUDA_VERSION < 9000@A@#elif defined(USE_ROCM)@B@#endif",
                "-h",
            ),
            ("#if CUDA_VERSION >= 12080@A@#else@B@#endif", "--"),
            ("#if defined(__PTX__)@A@#else@B@#endif", "n-"),
            (
                "#if defined(__CUDACC__) && defined(USE_ROCM)@A@#else@B@#endif",
                "h-",
            ),
            ("#ifdef USE_CUDA@A@#else@B@#endif", "--"),
            ("#ifdef __CUDACC__@A@#endif", "-"),
            ("#ifdef __CUDA_ARCH__@A@#else@B@#endif", "--"),
            ("#ifdef __HIP_DEVICE_COMPILE__@A@#else@B@#endif", "h-"),
            ("#ifdef __AMDGCN_WAVEFRONT_SIZE@A@#else@B@#endif", "h-"),
            (
                "#ifdef USE_ROCM@#if X@A@#endif@#else@#if Y@B@#else@C@#endif@#endif@D",
                "hnn-",
            ),
            ("#if X@#ifdef USE_ROCM@A@#else@B@#endif@C@#endif", "hn-"),
            ("#if X@A@#elifdef USE_ROCM@B@#else@C@#endif", "-hn"),
            ("#if X@A@#elifndef USE_ROCM@B@#else@C@#endif", "-nh"),
            (
                "#ifdef USE_HIP@A@#ifdef __HIP_PLATFORM_NVCC__@B@#else@C@#endif@D@#endif",
                "hnhh",
            ),
            (
                "#ifdef USE_HIP@A@#ifdef __HIP_PLATFORM_NVCC__@#if X@B@#endif@#endif@C@#endif@D",
                "hnh-",
            ),
            (
                "#ifndef USE_HIP@A@#ifdef __HIP_PLATFORM_AMD__@B@#endif@C@#endif",
                "nhn",
            ),
            (
                "#ifdef USE_HIP@#if defined(__HIP_PLATFORM_NVCC__) && 0@A@#endif@#if 0@B@#else@C@#endif@#endif@#if 0@D@#endif",
                "nnh-",
            ),
            ("#ifndef USE_ROCM@A", "n"),
            ("#endif@#else@A@#ifdef USE_ROCM@B@#endif", "-h"),
            ("#ifndef MY_HIP_H@#define MY_HIP_H@A@#endif", "-"),
            ("#ifndef USE_HIP@#define USE_HIP@A@#endif", "-"),
            (
                "#ifndef CASS_HELPER_X@#define CASS_HELPER_X@A@#endif@B",
                "h-",
            ),
            ("#if 0@A@#else@B@#endif", "--"),
            ("#if (@A@#endif", "-"),
            ("// #ifdef USE_ROCM@A@/*@#ifdef USE_ROCM@*/@B", "--"),
            ("const char *s = R\"(@#ifdef USE_ROCM@)\";@A", "-"),
        ];
        for (text, expected) in shapes {
            assert_eq!(vendors(&format!("int cuda;@{text}@")), expected, "{text}");
        }
    }

    #[test]
    fn carriage_returns_change_nothing() {
        assert_eq!(
            vendors("x@#ifdef USE_ROCM\r@A\r@#else\r@B\r@#endif\r@C\r@"),
            "hn-"
        );
    }
}
