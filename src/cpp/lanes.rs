//! Words that say what code does with the lanes of a warp.

use rustc_hash::FxHashSet;

use crate::cpp::declarations::declared;
use crate::cpp::names::name_words;
use crate::syntax::{Call, Document, Space, TokenIndex, TokenKind, Vendor, flags};
use crate::text::number::integer;

/// Whether a function or type of that name exchanges values or votes between lanes.
pub(crate) fn is_exchange(word: &[u8]) -> bool {
    word.starts_with(b"__shfl")
        || word.starts_with(b"__ballot")
        || word.starts_with(b"__match_")
        || (word.starts_with(b"__reduce_") && word.ends_with(b"_sync"))
        || matches!(
            word,
            b"__any_sync"
                | b"__all_sync"
                | b"__any"
                | b"__all"
                | b"__activemask"
                | b"tiled_partition"
                | b"thread_block_tile"
                | b"coalesced_threads"
                | b"WarpReduce"
                | b"WarpScan"
                | b"WarpExchange"
                | b"WarpMergeSort"
        )
}

/// Whether the first argument of a call, or parameter of a definition, is a mask of lanes that the file has for AMD as well: a constant,
/// variable or macro that is defined in code for AMD, or something of a type that is. Who chooses the mask has chosen the lanes.
pub(crate) fn has_mask_for_amd(doc: &Document<'_>, call: &Call) -> bool {
    let Some(mask) = call.arguments.first().filter(|mask| !mask.is_empty()) else {
        return false;
    };
    let given = doc.fact(GivenForAmd::new);
    let is_given = |word: &[u8]| given.0.contains(word);
    let is_of_given = |at: TokenIndex| {
        declared(doc, at).is_some_and(|found| found.words.iter().any(|word| is_given(word)))
    };
    match mask.len() {
        _ if given.0.is_empty() => false,
        1 => is_given(doc.bytes(mask.start)) || is_of_given(mask.start),
        // `const warp_mask_t mask`
        _ => {
            mask.clone().all(|at| doc.is_ident(at))
                && mask.clone().any(|at| is_given(doc.bytes(at)))
        }
    }
}

/// The names that are given a value, or stand for a type, in code for AMD alone.
struct GivenForAmd(FxHashSet<Box<[u8]>>);

impl GivenForAmd {
    fn new(doc: &Document<'_>) -> Self {
        let mut names = FxHashSet::default();
        for (range, _) in doc
            .guards
            .iter()
            .filter(|(_, vendor)| *vendor == Vendor::Hip)
        {
            let first = doc.tokens.partition_point(|it| it.start < range.start);
            let inside =
                (first..doc.tokens.len()).take_while(|&at| doc.tokens[at].start < range.end);
            let is_given = |at: &TokenIndex| {
                let has_value = doc.next_is(*at, "=") || doc.next_is(*at, "{");
                doc.is_ident(*at) && (has_value || doc.is_before(*at, "define"))
            };
            names.extend(inside.filter(is_given).map(|at| Box::from(doc.bytes(at))));
        }
        Self(names)
    }
}

/// Whether a name is one of matrix cores, which work on whole wavefronts.
pub(crate) fn is_matrix(word: &[u8]) -> bool {
    matches!(
        word,
        b"wmma" | b"nvcuda" | b"rocwmma" | b"mma_sync" | b"load_matrix_sync"
    )
}

/// Whether a word holds a part in letters of either case. Every identifier is asked; few have the first letter.
fn holds(word: &[u8], part: &[u8]) -> bool {
    let (first, upper) = (part[0], part[0].to_ascii_uppercase());
    let mut starts = memchr::memchr2_iter(first, upper, word);
    starts.any(|at| {
        let found = word.get(at..at + part.len());
        found.is_some_and(|found| found.eq_ignore_ascii_case(part))
    })
}

/// Whether a name speaks of warps or lanes: `WARP_SIZE`, `lane_id`, `warpReduce`.
pub(crate) fn speaks_of_lanes(word: &[u8]) -> bool {
    word.len() < 64 && (holds(word, b"warp") || names_lane(word) || holds(word, b"wavefront"))
}

/// Whether a name speaks of lanes: `laneId`, `nlanes`, `warplane`, and no `plane`, `planet` or `miscellaneous`.
pub(crate) fn names_lane(name: &[u8]) -> bool {
    if !holds(name, b"lane") {
        return false;
    }
    let lower = name.to_ascii_lowercase();
    memchr::memmem::find_iter(&lower, b"lane").any(|at| {
        let before = &lower[..at];
        let is_plane = before.ends_with(b"p") && !before.ends_with(b"warp");
        !is_plane && !before.ends_with(b"cel")
    })
}

/// Whether a name is that of a warp's size: `WARP_SIZE`, `kWarpSize`, `GPU_WARP_THREADS`, `warpsize`, `WARP`, `LANES`; its words say it,
/// so that `waveform_width` is none.
pub(crate) fn names_size(word: &[u8]) -> bool {
    const LANES: [&[u8]; 5] = [b"lanes", b"klanes", b"nlanes", b"num_lanes", b"numlanes"];
    const WARPS: [&[u8]; 4] = [b"warp", b"kwarp", b"wave", b"wavefront"];
    const UNITS: [&str; 3] = ["wavefront", "warp", "wave"];
    const SIZES: [&str; 6] = ["size", "sz", "thread", "threads", "lanes", "width"];
    let is_one_of = |names: &[&[u8]]| names.iter().any(|name| word.eq_ignore_ascii_case(name));
    if !holds(word, b"warp") && !holds(word, b"wave") {
        return is_one_of(&LANES);
    }
    if is_one_of(&WARPS) {
        return true;
    }
    let words: Vec<String> = name_words(word).collect();
    let has = |known: &[&str]| words.iter().any(|word| known.contains(&word.as_str()));
    let joins = |word: &String| {
        let rest = UNITS.iter().find_map(|unit| word.strip_prefix(unit));
        rest.is_some_and(|rest| SIZES.contains(&rest))
    };
    has(&UNITS) && has(&SIZES) || words.iter().any(joins)
}

/// Whether the token counts by the lanes of a warp of CUDA: `& 31`, `% 32`, `/ 32`, `>> 5`.
pub(crate) fn counts_lanes(doc: &Document<'_>, at: TokenIndex) -> bool {
    let operator = || doc.prev(at).map_or(&b""[..], |before| doc.bytes(before));
    doc.tokens[at].kind == TokenKind::Number
        && matches!(
            (integer(doc.bytes(at)), operator()),
            (Some(31), b"&") | (Some(32), b"%" | b"/") | (Some(5), b">")
        )
}

/// Whether a word is the width of the wavefront, as HIP and clang spell it.
pub(crate) fn is_wavefront(word: &[u8]) -> bool {
    matches!(
        word,
        b"warpSize"
            | b"__AMDGCN_WAVEFRONT_SIZE"
            | b"__AMDGCN_WAVEFRONT_SIZE__"
            | b"__builtin_amdgcn_wavefrontsize"
    )
}

/// Whether a word is the size of a warp by PyTorch's headers, which on AMD is that of the wave.
pub(crate) fn is_wave_of_torch(word: &[u8]) -> bool {
    word.starts_with(b"C10_WARP_SIZE") || word == b"warp_size"
}

/// Whether `C10_WARP_SIZE` stands in a constant of the host: PyTorch for ROCm has a function there, which is none.
pub(crate) fn is_host_constant(doc: &Document<'_>, at: TokenIndex) -> bool {
    let mut around = doc.scopes().around(at).peekable();
    let is_host = around.peek().is_some() && around.all(|it| it.space == Space::Host);
    let before = std::iter::successors(doc.prev(at), |&it| doc.prev(it));
    let mut before = before.take_while(|&it| !matches!(doc.bytes(it), b";" | b"{" | b"}"));
    is_host && doc.is(at, "C10_WARP_SIZE") && before.any(|it| doc.is(it, "constexpr"))
}

/// Whether a file says `C10_WARP_SIZE` in constants of the host alone, beside shuffles that count 32 lanes: it means 32.
pub(crate) fn is_host_constant_of_32(doc: &Document<'_>, at: TokenIndex) -> bool {
    let counts_wave = |word: &[u8]| is_wavefront(word) || word == b"warp_size";
    let shuffles = |word: &[u8]| {
        let rest = word
            .strip_prefix(b"__")
            .or_else(|| word.strip_prefix(b"cass_"));
        rest.is_some_and(|rest| rest.starts_with(b"shfl_") && rest.ends_with(b"sync"))
    };
    is_host_constant(doc, at)
        && doc.all("C10_WARP_SIZE").all(|it| is_host_constant(doc, it))
        && doc.has_word(shuffles)
        && !doc.has_word(counts_wave)
}

/// Whether the word at `at`, of [`is_wave_of_torch`], is PyTorch's: `C10_WARP_SIZE`, `at::cuda::warp_size()`.
pub(crate) fn counts_by_wave(doc: &Document<'_>, at: TokenIndex) -> bool {
    let of_cuda = |colons: TokenIndex| doc.is_before(colons, "cuda");
    doc.vendor_at(doc.tokens[at].start) != Vendor::NotHip
        && !is_host_constant_of_32(doc, at)
        && (doc.bytes(at) != b"warp_size"
            || doc.next_is(at, "(")
                && doc
                    .prev(at)
                    .is_some_and(|it| doc.is(it, "::") && of_cuda(it)))
}

/// Whether the token at `at` says, for AMD alone, that warps have 64 lanes or as many as the wavefront: such a file counts with the
/// wavefront there.
pub(crate) fn says_wavefront(doc: &Document<'_>, at: TokenIndex) -> bool {
    let is_wavefront = doc.is_ident(at) && is_wavefront(doc.bytes(at));
    let is_number = doc.tokens[at].kind == TokenKind::Number;
    let is_width = is_wavefront || is_number && integer(doc.bytes(at)) == Some(64);
    if !is_width || doc.vendor_at(doc.tokens[at].start) != Vendor::Hip {
        return false;
    }
    // A macro of AMD's branch, whatever its name: `#define WARPS (1024 / warpSize)`.
    if is_wavefront && doc.tokens[at].has(flags::MACRO_BODY) {
        return true;
    }
    let before = |back: usize| at.checked_sub(back).filter(|&at| doc.is_ident(at));
    let is_value = (1..=3)
        .filter_map(before)
        .any(|at| names_size(doc.bytes(at)));
    let function = || {
        doc.scopes()
            .enclosing(at)
            .and_then(|function| function.name)
    };
    is_value
        || doc.is_before(at, "return") && function().is_some_and(|name| names_size(doc.bytes(name)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::SourceFile;

    #[test]
    fn names_of_sizes_are_told_from_names_of_lanes() {
        for (name, of_lanes, of_size) in [
            ("WARP_SIZE", true, true),
            ("kWarpSize", true, true),
            ("GPU_WARP_THREADS", true, true),
            ("WARP", true, true),
            ("lane_id", true, false),
            ("warpReduce", true, false),
            ("WAVEFRONT", true, true),
            ("threadsPerWarp", true, true),
            ("kWarpsize", true, true),
            ("warp_sz", true, true),
            ("warped_size", true, false),
            ("waveform_width", false, false),
            ("size", false, false),
            ("threads", false, false),
        ] {
            assert_eq!(speaks_of_lanes(name.as_bytes()), of_lanes, "{name}");
            assert_eq!(names_size(name.as_bytes()), of_size, "{name}");
        }
    }

    #[test]
    fn planes_are_no_lanes() {
        for (name, expected) in [
            ("lane", true),
            ("laneId", true),
            ("LANES", true),
            ("nlanes", true),
            ("warplane", true),
            ("plane", false),
            ("nPlanes", false),
            ("planet", false),
            ("miscellaneous", false),
            ("plane_lane", true),
            ("", false),
        ] {
            assert_eq!(names_lane(name.as_bytes()), expected, "{name}");
        }
    }

    #[test]
    fn exchanges_are_told_from_barriers() {
        for (name, expected) in [
            ("__shfl_down_sync", true),
            ("__ballot_sync", true),
            ("__reduce_add_sync", true),
            ("__reduce_max", false),
            ("WarpScan", true),
            ("__syncwarp", false),
            ("BlockReduce", false),
        ] {
            assert_eq!(is_exchange(name.as_bytes()), expected, "{name}");
        }
        assert!(is_matrix(b"mma_sync") && !is_matrix(b"mma"));
    }

    #[test]
    fn lanes_are_counted_by_32_alone() {
        for (text, expected) in [
            ("t & 31", true),
            ("t & 0x1f", true),
            ("t % 32", true),
            ("t / 32u", true),
            ("t >> 5", true),
            ("t & 63", false),
            ("t + 32", false),
            ("t % 64", false),
            ("32 % t", false),
        ] {
            let source = SourceFile::new("a.cu", text.as_bytes().to_vec());
            let doc = Document::new(&source);
            let found = (0..doc.tokens.len()).any(|at| counts_lanes(&doc, at));
            assert_eq!(found, expected, "{text}");
        }
    }
}
