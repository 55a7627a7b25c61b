//! The floating-point types of 16 bits: `half` and bfloat16 of `cuda_fp16.h` and `cuda_bf16.h`, and their names in HIP.

/// Such a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ShortFloat {
    /// The kind of number.
    pub format: Format,
    /// How many numbers it holds: 1, or 2 for `half2` and the like.
    pub lanes: u8,
    /// The name in HIP alone.
    pub is_hips: bool,
}

/// The two formats of 16 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// 5 bits of exponent: IEEE 754.
    Half,
    /// 8 bits of exponent, as `float` has.
    Bfloat16,
}

/// The type of a name; `None` for every other name.
pub(crate) fn short_float(word: &[u8]) -> Option<ShortFloat> {
    let (single, lanes) = match word.strip_suffix(b"2") {
        Some(single) => (single, 2),
        None => (word, 1),
    };
    let (format, is_hips) = match single {
        b"half" | b"__half" => (Format::Half, false),
        b"nv_bfloat16" | b"__nv_bfloat16" => (Format::Bfloat16, false),
        b"__hip_bfloat16" => (Format::Bfloat16, true),
        _ => return None,
    };
    Some(ShortFloat {
        format,
        lanes,
        is_hips,
    })
}

/// Whether a name is that of a bfloat16 or of two.
pub(crate) fn is_bfloat16(word: &[u8]) -> bool {
    short_float(word).is_some_and(|ty| ty.format == Format::Bfloat16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_to_their_end() {
        use Format::{Bfloat16, Half};
        let cases = [
            ("half", Some((Half, 1, false))),
            ("__half2", Some((Half, 2, false))),
            ("nv_bfloat16", Some((Bfloat16, 1, false))),
            ("__nv_bfloat162", Some((Bfloat16, 2, false))),
            ("__hip_bfloat16", Some((Bfloat16, 1, true))),
            ("half22", None),
            ("half4", None),
            ("__nv_bfloat16_raw", None),
            ("bfloat16", None),
            ("", None),
        ];
        for (name, expected) in cases {
            let found = short_float(name.as_bytes());
            let found = found.map(|it| (it.format, it.lanes, it.is_hips));
            assert_eq!(found, expected, "{name}");
        }
    }
}
