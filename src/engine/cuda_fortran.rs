//! Words of CUDA Fortran: modules of NVIDIA's compilers, attributes of kernels and variables, launches, directives.

/// Whether a file has any: a quick look at its bytes.
pub(super) fn may_be(bytes: &[u8]) -> bool {
    let has = |text: &str| memchr::memmem::find(bytes, text.as_bytes()).is_some();
    [
        "<<<",
        "!$cuf",
        "!$CUF",
        "attributes",
        "ATTRIBUTES",
        "Attributes",
    ]
    .iter()
    .any(|text| has(text))
        || MODULES
            .iter()
            .any(|it| has(it) || has(&it.to_ascii_uppercase()))
}

/// Modules that NVIDIA's compilers bring.
const MODULES: &[&str] = &[
    "cudafor",
    "cublas",
    "cublas_v2",
    "cufft",
    "curand",
    "cusparse",
    "cusolverdn",
    "cutensorex",
];

/// Whether a word of a line is one of CUDA Fortran: `use cudafor`, `attributes(global)`, `call k<<<g, b>>>(a)`, `!$cuf kernel do`.
pub(super) fn is_mark(line: &[u8], from: usize, to: usize) -> bool {
    const ATTRIBUTES: &[&[u8]] = &[
        b"global",
        b"device",
        b"host",
        b"grid_global",
        b"managed",
        b"constant",
        b"shared",
        b"pinned",
        b"texture",
    ];
    let word = line[from..to].to_ascii_lowercase();
    let before = line[..from].trim_ascii().to_ascii_lowercase();
    let behind = line[to..].trim_ascii_start();
    let is_used = || before == b"use" || before.starts_with(b"use") && before.ends_with(b"::");
    match &word[..] {
        b"cuf" => before == b"!$",
        b"attributes" => behind.strip_prefix(b"(").is_some_and(|rest| {
            let mut parts = rest.split(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_');
            let first = parts.find(|it| !it.is_empty()).unwrap_or_default();
            let first = first.to_ascii_lowercase();
            ATTRIBUTES.contains(&&first[..])
        }),
        _ if MODULES.iter().any(|it| it.as_bytes() == word) => is_used(),
        _ => behind.starts_with(b"<<<"),
    }
}

/// A line of Fortran up to its comment; a directive for CUDA is written as one.
pub(super) fn without_comment(line: &[u8]) -> &[u8] {
    let start = line.trim_ascii_start();
    let is_directive = start.len() > 4 && start[..5].eq_ignore_ascii_case(b"!$cuf");
    let end = memchr::memchr(b'!', line).filter(|_| !is_directive);
    &line[..end.unwrap_or(line.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_cuda_fortran_are_told_from_others() {
        for (line, expected) in [
            ("  use cudafor", true),
            ("  USE, intrinsic :: CUDAFOR", true),
            ("  attributes( global ) subroutine k(a)", true),
            ("  real, device, allocatable :: a(:)", false),
            ("  call k<<<grid, block>>>(a)", true),
            ("!$cuf kernel do <<<*, *>>>", true),
            ("  ! use cudafor", false),
            ("  integer :: cufft", false),
            ("  call attributes(device_name)", false),
        ] {
            let code = without_comment(line.as_bytes());
            let is_word = |at: usize| {
                code.get(at)
                    .is_some_and(|it| it.is_ascii_alphanumeric() || *it == b'_')
            };
            let starts = (0..code.len()).filter(|&at| is_word(at) && (at == 0 || !is_word(at - 1)));
            let found = starts.into_iter().any(|from| {
                let to = (from..).find(|&at| !is_word(at)).unwrap_or(code.len());
                is_mark(code, from, to)
            });
            assert_eq!(found, expected, "{line}");
        }
    }
}
