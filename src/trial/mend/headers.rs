//! The headers that declare a name, and what the tables call it on AMD.

use std::collections::BTreeMap;

use crate::mapping::{ApiTable, Kind, Support, library};

/// Names of the standard library, each line with its header for C++. CUDA's headers bring those of C to every `.cu` file.
const STANDARD: &[(&str, &str)] = &[
    ("assert", "cassert"),
    (
        "FLT_MAX FLT_MIN FLT_EPSILON DBL_MAX DBL_MIN DBL_EPSILON",
        "cfloat",
    ),
    (
        "INT_MAX INT_MIN UINT_MAX LONG_MAX LONG_MIN LLONG_MAX LLONG_MIN ULLONG_MAX CHAR_BIT SHRT_MAX USHRT_MAX",
        "climits",
    ),
    (
        "int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t intptr_t uintptr_t",
        "cstdint",
    ),
    (
        "printf fprintf sprintf snprintf fopen fclose fread fwrite fflush puts perror stdout stderr FILE",
        "cstdio",
    ),
    (
        "malloc calloc realloc free exit abort atoi atof atol strtol strtoul strtod rand srand getenv qsort EXIT_FAILURE EXIT_SUCCESS RAND_MAX",
        "cstdlib",
    ),
    (
        "memset memcpy memcmp memmove strlen strcmp strncmp strcpy strncpy strcat strchr strrchr strstr strdup strtok",
        "cstring",
    ),
    ("time clock clock_t time_t CLOCKS_PER_SEC", "ctime"),
    (
        "std::max std::min std::sort std::swap std::fill std::copy std::transform std::for_each std::reverse",
        "algorithm",
    ),
    (
        "cuda::atomic cuda::atomic_ref cuda::atomic_thread_fence cuda::memory_order cuda::memory_order_relaxed cuda::memory_order_acquire cuda::memory_order_release cuda::memory_order_acq_rel cuda::memory_order_seq_cst cuda::thread_scope cuda::thread_scope_block cuda::thread_scope_device cuda::thread_scope_system cuda::thread_scope_thread",
        "cuda/atomic",
    ),
    ("std::array", "array"),
    (
        "std::function std::bind std::plus std::less std::greater",
        "functional",
    ),
    ("std::cout std::cerr std::endl", "iostream"),
    ("std::numeric_limits", "limits"),
    ("std::map std::multimap", "map"),
    (
        "std::unique_ptr std::shared_ptr std::make_unique std::make_shared",
        "memory",
    ),
    ("std::accumulate std::iota std::inner_product", "numeric"),
    ("std::set", "set"),
    (
        "std::stringstream std::ostringstream std::istringstream",
        "sstream",
    ),
    (
        "std::runtime_error std::invalid_argument std::logic_error",
        "stdexcept",
    ),
    ("std::string std::to_string", "string"),
    (
        "std::enable_if_t std::is_same std::is_same_v std::conditional_t",
        "type_traits",
    ),
    ("std::unordered_map", "unordered_map"),
    ("std::pair std::make_pair std::move std::forward", "utility"),
    ("std::vector", "vector"),
];

/// What is known of names.
#[derive(Debug)]
pub(crate) struct Names {
    /// The name on AMD by that of CUDA, where nothing else changes with it.
    renamed: BTreeMap<&'static str, &'static str>,
    /// The header that declares a name.
    headers: BTreeMap<&'static str, &'static str>,
}

impl Names {
    /// What the tables and this file know.
    pub(crate) fn new() -> Self {
        let table = ApiTable::builtin();
        let (mut renamed, mut headers) = (BTreeMap::new(), BTreeMap::new());
        for hit in table.iter() {
            let entry = hit.entry;
            let Some(hip) = entry.hip else { continue };
            let is_name = !matches!(
                entry.kind,
                Kind::Header | Kind::Field | Kind::Pattern | Kind::Namespace
            );
            let is_word = |name: &str| {
                !name.is_empty()
                    && name
                        .bytes()
                        .all(|it| it.is_ascii_alphanumeric() || it == b'_')
            };
            if !is_name || !is_word(hip) {
                continue;
            }
            let header = entry
                .include
                .or_else(|| library::find(entry.library).map(|library| library.header));
            if let Some(header) = header.filter(|header| !header.is_empty()) {
                headers.entry(hip).or_insert(header);
            }
            let is_plain = entry.support == Support::Full
                && entry.args.is_empty()
                && entry.forms.is_empty()
                && entry.unless.is_empty();
            if is_plain && hip != entry.cuda && is_word(entry.cuda) {
                renamed.insert(entry.cuda, hip);
            }
        }
        for (names, header) in STANDARD {
            headers.extend(names.split(' ').map(|name| (name, *header)));
        }
        Self { renamed, headers }
    }

    /// What a name of CUDA is called on AMD, if that is all that changes.
    pub(super) fn renamed(&self, name: &str) -> Option<&'static str> {
        self.renamed.get(name).copied()
    }

    /// The header that declares a name.
    pub(super) fn header(&self, name: &str) -> Option<&'static str> {
        self.headers.get(name).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_counterparts_and_headers() {
        let names = Names::new();
        assert_eq!(names.renamed("cudaStream_t"), Some("hipStream_t"));
        // Its arguments change as well, or its meaning.
        assert_eq!(names.renamed("cudaMallocHost"), None);
        assert_eq!(names.renamed("printf"), None);
        assert_eq!(names.header("hipblasHandle_t"), Some("hipblas/hipblas.h"));
        assert_eq!(names.header("std::max"), Some("algorithm"));
        assert_eq!(names.header("own"), None);
    }
}
