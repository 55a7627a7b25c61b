//! Three-valued evaluation of `#if` conditions under an assumption about HIP: yes, no, or unknown.

use crate::text::number::integer;

/// Truth of a condition when only the vendor is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Truth {
    Yes,
    No,
    Unknown,
}

/// What is assumed while a condition is evaluated.
#[derive(Clone, Copy)]
pub(crate) struct Assumption {
    /// Macros of HIP and ROCm are defined.
    pub(crate) hip: bool,
    /// What is known of CUDA's own macros.
    pub(crate) cuda: CudaMacros,
}

/// How much is known of the macros of CUDA; each level holds those before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum CudaMacros {
    /// Nothing.
    Unknown,
    /// Those that say "CUDA compiler" (`__CUDACC__`, `USE_CUDA` …) are the opposite of HIP; those of a project that name CUDA it does not
    /// define.
    Compiler,
    /// HIP defines no version of CUDA and no `__CUDA_ARCH__`.
    Versions,
}

impl Truth {
    pub(crate) fn not(self) -> Self {
        match self {
            Self::Yes => Self::No,
            Self::No => Self::Yes,
            Self::Unknown => Self::Unknown,
        }
    }

    pub(crate) fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::No, _) | (_, Self::No) => Self::No,
            (Self::Yes, Self::Yes) => Self::Yes,
            _ => Self::Unknown,
        }
    }

    pub(crate) fn or(self, other: Self) -> Self {
        self.not().and(other.not()).not()
    }
}

/// Whether a macro's name says that the code is compiled by or for HIP: `HIP`, `ROCM`, their compounds and libraries as a word of the name.
pub(crate) fn is_hip_macro(name: &[u8]) -> bool {
    let words = || name.split(|&byte| byte == b'_');
    let vendor = words().any(|word| {
        matches!(
            word,
            b"HIP"
                | b"HIPCC"
                | b"ROCM"
                | b"HIPBLAS"
                | b"AMDGCN"
                | b"AMDGPU"
                | b"HCC"
                | b"AMD"
                | b"HIPSYCL"
                | b"HIPCL"
                | b"HIPSPARSE"
                | b"HIPSOLVER"
                | b"HIPRAND"
                | b"HIPFFT"
                | b"HIPCUB"
                | b"ROCBLAS"
                | b"ROCSPARSE"
                | b"ROCSOLVER"
                | b"ROCRAND"
                | b"ROCFFT"
                | b"ROCPRIM"
                | b"ROCTX"
                | b"ROCTRACER"
        )
    });
    vendor
        && !words().any(|word| {
            matches!(
                word,
                b"NVIDIA" | b"NVCC" | b"H" | b"HPP" | b"HEADER" | b"INCLUDED"
            )
        })
}

/// Whether a macro's name says that one of NVIDIA's products is there, which exists for no other vendor: `USE_NVIDIA_CUVS`,
/// `WITH_TENSORRT`, the include guard of NPP, a macro of nvJPEG's header. What it guards is for NVIDIA alone.
pub(crate) fn is_product_macro(name: &[u8]) -> bool {
    const PRODUCTS: &[&[u8]] = &[
        b"CUVS",
        b"RAFT",
        b"RMM",
        b"TENSORRT",
        b"OPTIX",
        b"CUTLASS",
        b"NVSHMEM",
        b"NVENC",
        b"NVDEC",
        b"NVCOMP",
        b"CUDSS",
        b"CUCO",
        b"NPPIDEFS",
        b"NVJPEGAPI",
    ];
    has_word(name, PRODUCTS) && !has_word(name, NEGATIONS)
}

/// Words of a macro's name that turn its meaning round.
const NEGATIONS: &[&[u8]] = &[b"NO", b"NOT", b"WITHOUT", b"DISABLE", b"DISABLED", b"SKIP"];

fn has_word(name: &[u8], list: &[&[u8]]) -> bool {
    let mut words = name.split(|&byte| byte == b'_');
    words.any(|word| list.contains(&word))
}

/// Whether the name of a project's macro says that its compiler or backend is CUDA: `MY_ENABLE_CUDA`, `EIGEN_CUDACC`; not which chip or
/// version, which a project may give to both.
fn names_cuda(name: &[u8]) -> bool {
    const CUDA: &[&[u8]] = &[b"CUDA", b"CUDACC", b"NVCC"];
    const OTHER: &[&[u8]] = &[b"ARCH", b"VERSION", b"VER"];
    let is_projects = !name.starts_with(b"__") && !is_version_macro(name);
    is_projects && has_word(name, CUDA) && !has_word(name, OTHER) && !has_word(name, NEGATIONS)
}

/// Whether a macro says that the code is compiled for NVIDIA.
pub(super) fn is_cuda_macro(name: &[u8]) -> bool {
    const CUDA: &[&[u8]] = &[
        b"__CUDACC__",
        b"__NVCC__",
        b"USE_CUDA",
        b"WITH_CUDA",
        b"HAVE_CUDA",
        b"ENABLE_CUDA",
        b"GOOGLE_CUDA",
        b"__CUDA__",
    ];
    CUDA.contains(&name) || is_hip_on_nvidia(name)
}

/// Whether a macro says that HIP is a layer over CUDA.
fn is_hip_on_nvidia(name: &[u8]) -> bool {
    matches!(name, b"__HIP_PLATFORM_NVIDIA__" | b"__HIP_PLATFORM_NVCC__")
}

/// Whether a macro tells the version of CUDA or the generation of NVIDIA's chip.
fn is_version_macro(name: &[u8]) -> bool {
    matches!(
        name,
        b"CUDA_VERSION"
            | b"CUDART_VERSION"
            | b"__CUDACC_VER_MAJOR__"
            | b"__CUDACC_VER_MINOR__"
            | b"__CUDA_ARCH__"
    )
}

/// Whether a macro holds only in compilers for NVIDIA: the two that say PTX is written, and what Boost.Predef makes of nvcc's, which
/// is 0 under any other compiler.
fn is_for_nvidias_compilers(name: &[u8]) -> bool {
    const OF_BOOST: &[&[u8]] = &[b"BOOST_COMP_NVCC", b"BOOST_LANG_CUDA", b"BOOST_ARCH_PTX"];
    matches!(name, b"__PTX__" | b"__NVPTX__") || OF_BOOST.contains(&name)
}

/// Truth of `#ifdef name` under an assumption.
pub(crate) fn defined(name: &[u8], assume: Assumption) -> Truth {
    let known = |value: bool| if value { Truth::Yes } else { Truth::No };
    // Tells the passes of HIP apart, so its absence does not mean another vendor.
    let of_pass = name == b"__HIP_DEVICE_COMPILE__" || name.starts_with(b"__AMDGCN_");
    if of_pass && assume.hip {
        return Truth::Unknown;
    }
    // HIP's own headers define one platform or the other.
    if is_hip_on_nvidia(name) {
        return known(!assume.hip);
    }
    let has_no_value = assume.cuda == CudaMacros::Versions && is_version_macro(name);
    if is_hip_macro(name) {
        known(assume.hip)
    } else if is_cuda_macro(name) && assume.cuda >= CudaMacros::Compiler {
        known(!assume.hip)
    } else if assume.hip
        && (has_no_value
            || is_for_nvidias_compilers(name)
            || is_product_macro(name)
            || assume.cuda >= CudaMacros::Compiler && names_cuda(name))
    {
        Truth::No
    } else {
        Truth::Unknown
    }
}

/// Parentheses and `!` within each other that a condition is followed through. People write fewer than ten; each level takes a frame
/// of the stack, which a hostile file would fill.
const DEEPEST: usize = 256;

/// Whether a condition nests deeper than anybody follows.
pub(crate) fn is_too_deep<'t>(tokens: impl Iterator<Item = &'t [u8]>) -> bool {
    let (mut open, mut negated) = (0usize, 0usize);
    for token in tokens {
        match token {
            b"(" => open += 1,
            b")" => open = open.saturating_sub(1),
            b"!" => negated += 1,
            _ => negated = 0,
        }
        if open + negated > DEEPEST {
            return true;
        }
    }
    false
}

/// Truth of an `#if` expression when `known` says what a macro is: its value (`true`), or whether it is defined (`false`).
pub(super) fn evaluate_with(tokens: &[&[u8]], known: &dyn Fn(&[u8], bool) -> Truth) -> Truth {
    if is_too_deep(tokens.iter().copied()) {
        return Truth::Unknown;
    }
    let mut parser = Parser {
        tokens,
        at: 0,
        known,
    };
    let truth = parser.or();
    if parser.at == tokens.len() {
        truth
    } else {
        Truth::Unknown
    }
}

struct Parser<'t> {
    tokens: &'t [&'t [u8]],
    at: usize,
    known: &'t dyn Fn(&[u8], bool) -> Truth,
}

impl Parser<'_> {
    fn peek(&self) -> &[u8] {
        self.tokens.get(self.at).copied().unwrap_or(b"")
    }

    fn take_word(&mut self, text: &[u8]) -> bool {
        let hit = self.peek() == text && self.at < self.tokens.len();
        self.at += usize::from(hit);
        hit
    }

    fn or(&mut self) -> Truth {
        let mut truth = self.and();
        while self.take_word(b"||") {
            truth = truth.or(self.and());
        }
        truth
    }

    fn and(&mut self) -> Truth {
        let mut truth = self.unary();
        while self.take_word(b"&&") {
            truth = truth.and(self.unary());
        }
        truth
    }

    fn unary(&mut self) -> Truth {
        if self.take_word(b"!") {
            return self.unary().not();
        }
        let truth = self.primary();
        if !self.at_logical_end() {
            return self.comparison(truth);
        }
        truth
    }

    fn at_logical_end(&self) -> bool {
        matches!(self.peek(), b"" | b"&&" | b"||" | b")" | b"?")
    }

    /// A comparison with one number, or an arithmetic tail that is skipped. A macro that is not defined counts as 0, and one that
    /// says which vendor compiles is never defined as 0.
    fn comparison(&mut self, left: Truth) -> Truth {
        let start = self.at;
        let mut depth = 0;
        while self.at < self.tokens.len() && (depth > 0 || !self.at_logical_end()) {
            depth += i32::from(self.peek() == b"(") - i32::from(self.peek() == b")");
            self.at += 1;
        }
        let known = |value: bool| if value { Truth::Yes } else { Truth::No };
        match (&self.tokens[start..self.at], left) {
            ([operator, right], Truth::No) => integer(right)
                .and_then(|right| compare(0, operator, right))
                .map_or(Truth::Unknown, known),
            ([b"==", b"0"], Truth::Yes) => Truth::No,
            ([b"!=" | b">", b"0"], Truth::Yes) => Truth::Yes,
            ([b">" | b">=" | b"==", ..], Truth::No) => Truth::No,
            _ => Truth::Unknown,
        }
    }

    fn primary(&mut self) -> Truth {
        if self.take_word(b"(") {
            let truth = self.or();
            if !self.take_word(b")") {
                self.at = self.tokens.len() + 1;
            }
            return truth;
        }
        if self.take_word(b"defined") {
            let parenthesised = self.take_word(b"(");
            let truth = (self.known)(self.peek(), false);
            self.at += 1;
            if parenthesised {
                self.take_word(b")");
            }
            return truth;
        }
        let truth = match self.peek() {
            b"0" | b"false" => Truth::No,
            b"1" | b"true" => Truth::Yes,
            name => (self.known)(name, true),
        };
        self.at += 1;
        truth
    }
}

fn compare(left: u64, operator: &[u8], right: u64) -> Option<bool> {
    Some(match operator {
        b"==" => left == right,
        b"!=" => left != right,
        b"<" => left < right,
        b"<=" => left <= right,
        b">" => left > right,
        b">=" => left >= right,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on_hip(text: &str) -> Truth {
        let tokens: Vec<&[u8]> = text.split(' ').map(str::as_bytes).collect();
        let assume = Assumption {
            hip: true,
            cuda: CudaMacros::Compiler,
        };
        evaluate_with(&tokens, &|name, _| defined(name, assume))
    }

    #[test]
    fn vendors_decide_and_other_macros_do_not() {
        assert_eq!(on_hip("defined ( USE_ROCM )"), Truth::Yes);
        assert_eq!(on_hip("! defined ( __HIP_PLATFORM_AMD__ ) && X"), Truth::No);
        assert_eq!(on_hip("defined ( X ) || __HIPCC__"), Truth::Yes);
        assert_eq!(on_hip("__CUDA_ARCH__ >= 700"), Truth::Unknown);
        assert_eq!(
            on_hip("defined ( __CUDACC__ ) && __CUDACC_VER_MAJOR__ >= 11"),
            Truth::No
        );
        assert_eq!(on_hip("BOOST_COMP_NVCC"), Truth::No);
        assert_eq!(on_hip("! BOOST_LANG_CUDA || X"), Truth::Yes);
        assert_eq!(
            on_hip("BOOST_COMP_NVCC >= BOOST_VERSION_NUMBER ( 9 , 0 , 0 )"),
            Truth::No
        );
        assert_eq!(on_hip("( X + 1 ) > 2 && 0"), Truth::No);
        assert_eq!(on_hip("defined ( MY_CUDA )"), Truth::No);
        assert_eq!(on_hip("MY_CUDA_ARCH >= 700"), Truth::Unknown);
        assert_eq!(on_hip("defined ("), Truth::Unknown);
    }

    #[test]
    fn what_nests_too_deep_is_unknown() {
        let nested = |open: &str, close: &str, depth: usize| {
            on_hip(&(open.repeat(depth) + "__HIPCC__" + &close.repeat(depth)))
        };
        assert_eq!(nested("( ", " )", DEEPEST), Truth::Yes);
        assert_eq!(nested("! ", "", DEEPEST), Truth::Yes);
        for depth in [DEEPEST + 1, 100_000] {
            assert_eq!(nested("( ", " )", depth), Truth::Unknown);
            assert_eq!(nested("( ", "", depth), Truth::Unknown);
            assert_eq!(nested("! ", "", depth), Truth::Unknown);
            assert_eq!(nested("! ( ", " )", depth), Truth::Unknown);
        }
        let wide = vec!["! defined ( X )"; 1000].join(" && ") + " && __CUDACC__";
        assert_eq!(on_hip(&wide), Truth::No);
    }

    #[test]
    fn the_host_pass_of_hip_is_still_hip() {
        assert_eq!(on_hip("defined ( __HIP_DEVICE_COMPILE__ )"), Truth::Unknown);
        assert_eq!(on_hip("! __HIP_DEVICE_COMPILE__ || X"), Truth::Unknown);
    }

    #[test]
    fn products_of_nvidia_are_never_there_on_hip() {
        assert_eq!(on_hip("defined USE_NVIDIA_CUVS"), Truth::No);
        assert_eq!(on_hip("WITH_TENSORRT"), Truth::No);
        assert_eq!(on_hip("! defined ( NO_TENSORRT )"), Truth::Unknown);
        assert_eq!(on_hip("defined ( USE_NVIDIA_GPU )"), Truth::Unknown);
    }

    #[test]
    fn header_guards_are_not_vendor_macros() {
        assert!(!is_hip_macro(b"MY_HIP_UTIL_H"));
        assert!(!is_hip_macro(b"SHIP_IT"));
        assert!(is_hip_macro(b"AMREX_USE_HIP"));
    }
}
