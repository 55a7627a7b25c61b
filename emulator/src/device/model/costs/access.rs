//! How many bytes of memory each lane of an instruction touches, by its name.

/// What one lane touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Access {
    /// Bytes in one piece.
    pub(crate) bytes: u8,
    /// Pieces with offsets of their own, and what these count; none for one piece with one offset in bytes.
    pub(crate) pair: Option<u8>,
    /// It reads and writes as one step.
    pub(crate) is_atomic: bool,
}

/// Names of sizes within a mnemonic, the longer ones first.
const SIZES: [(&str, u8); 24] = [
    ("dwordx4", 16),
    ("dwordx3", 12),
    ("dwordx2", 8),
    ("dword", 4),
    ("ubyte", 1),
    ("sbyte", 1),
    ("byte", 1),
    ("ushort", 2),
    ("sshort", 2),
    ("short", 2),
    ("b128", 16),
    ("b96", 12),
    ("b64", 8),
    ("u64", 8),
    ("i64", 8),
    ("f64", 8),
    ("b32", 4),
    ("b16", 2),
    ("u16", 2),
    ("i16", 2),
    ("b8", 1),
    ("u8", 1),
    ("i8", 1),
    ("d16", 2),
];

impl Access {
    /// What a lane of an instruction touches, from its mnemonic; nothing where it is no access of memory.
    pub(crate) fn of(mnemonic: &str) -> Option<Access> {
        let (space, operation) = mnemonic.split_once('_')?;
        match space {
            "global" | "flat" | "buffer" | "scratch" => vector_memory(operation),
            "ds" => lds(operation),
            _ => None,
        }
    }
}

fn plain(bytes: u8) -> Option<Access> {
    Some(Access {
        bytes,
        pair: None,
        is_atomic: false,
    })
}

/// Atomics name no size where it is four bytes, and `_x2` where it is eight, before gfx11.
fn atomic(operation: &str) -> Option<Access> {
    let is_wide = ["_x2", "u64", "i64", "b64", "f64"]
        .iter()
        .any(|mark| operation.contains(mark));
    Some(Access {
        is_atomic: true,
        ..plain(if is_wide { 8 } else { 4 })?
    })
}

fn vector_memory(operation: &str) -> Option<Access> {
    if operation.starts_with("atomic_") {
        return atomic(operation);
    }
    let is_access = operation.starts_with("load_") || operation.starts_with("store_");
    if is_access {
        plain(size(operation)?)
    } else {
        None
    }
}

fn lds(operation: &str) -> Option<Access> {
    let (verb, _) = operation.split_once('_').unwrap_or((operation, ""));
    let others = [
        "swizzle", "permute", "bpermute", "nop", "append", "consume", "gws", "ordered",
    ];
    if others.contains(&verb) {
        return None;
    }
    let is_transfer = ["read", "load", "write", "store"]
        .iter()
        .any(|name| verb.starts_with(name));
    if !is_transfer {
        return atomic(operation);
    }
    let bytes = size(operation)?;
    let by_64 = operation.contains("st64_") || operation.contains("_stride64_");
    let is_pair = by_64 || verb.ends_with('2') || operation.contains("_2addr_");
    Some(Access {
        pair: is_pair.then_some(if by_64 { 64 } else { 1 }),
        ..plain(bytes)?
    })
}

fn size(operation: &str) -> Option<u8> {
    // `d16` alone stands for two bytes, beside another size for the half of the register.
    let found = SIZES.iter().find(|(name, _)| operation.contains(name));
    found.map(|(_, bytes)| *bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_of_a_lane_stand_in_the_name() {
        for (mnemonic, bytes, pair, is_atomic) in [
            ("global_load_dword", 4, None, false),
            ("global_load_dwordx4", 16, None, false),
            ("global_load_b96", 12, None, false),
            ("global_load_ubyte_d16_hi", 1, None, false),
            ("global_load_short_d16", 2, None, false),
            ("global_load_d16_hi_b16", 2, None, false),
            ("flat_store_short", 2, None, false),
            ("buffer_store_dword", 4, None, false),
            ("global_atomic_add", 4, None, true),
            ("global_atomic_add_x2", 8, None, true),
            ("global_atomic_add_f64", 8, None, true),
            ("global_atomic_cmpswap_b64", 8, None, true),
            ("ds_read_b128", 16, None, false),
            ("ds_read_u16_d16", 2, None, false),
            ("ds_read2_b64", 8, Some(1), false),
            ("ds_read2st64_b32", 4, Some(64), false),
            ("ds_load_2addr_b32", 4, Some(1), false),
            ("ds_store_2addr_stride64_b64", 8, Some(64), false),
            ("ds_add_u32", 4, None, true),
            ("ds_add_rtn_u64", 8, None, true),
        ] {
            let expected = Some(Access {
                bytes,
                pair,
                is_atomic,
            });
            assert_eq!(Access::of(mnemonic), expected, "{mnemonic}");
        }
        for mnemonic in [
            "ds_bpermute_b32",
            "v_mov_b32_e32",
            "buffer_wbl2",
            "global_wb",
            "s_nop",
        ] {
            assert_eq!(Access::of(mnemonic), None, "{mnemonic}");
        }
    }
}
