//! Modifiers behind the operands.

use super::Context;
use super::text::{Text, number, numbers};
use crate::device::ops::table::Def;
use crate::device::wave::inst::{Dpp, Inst, Part, Sdwa, Segment, Unused};

/// Applies all modifiers; nothing where one is not known.
pub(crate) fn apply(inst: &mut Inst, text: &Text<'_>, def: &Def, context: Context) -> Option<()> {
    inst.offset = text
        .value("offset0")
        .or(text.value("offset"))
        .and_then(number)
        .unwrap_or(0) as i32;
    inst.offset1 = text.value("offset1").and_then(number).unwrap_or(0) as i32;
    inst.clamp = text.has("clamp");
    inst.offen = text.has("offen");
    inst.idxen = text.has("idxen");
    inst.to_lds = text.has("lds") || text.mnemonic.contains("_load_lds_");
    inst.omod = match (text.value("mul"), text.value("div")) {
        (Some("2"), _) => 1,
        (Some("4"), _) => 2,
        (_, Some("2")) => 3,
        _ => 0,
    };
    inst.segment = match text.mnemonic.split('_').next() {
        Some("global") => Segment::Global,
        Some("scratch") => Segment::Scratch,
        _ => Segment::Flat,
    };
    halves(inst, text, def);
    let blocks = ["cbsz", "abid", "blgp"]
        .iter()
        .any(|key| text.value(key).is_some());
    if text.mnemonic.starts_with("v_mfma") && (blocks || text.value("neg").is_some()) {
        return None;
    }
    if text.mnemonic.contains("_dpp") {
        inst.dpp = Some(Box::new(dpp(text, context)?));
    }
    if text.mnemonic.ends_with("_sdwa") {
        inst.sdwa = Some(Box::new(sdwa(text)?));
    }
    Some(())
}

/// The bits of a list such as `[0,1,1]`.
fn bits(list: &str) -> u8 {
    numbers(list)
        .iter()
        .enumerate()
        .fold(0, |bits, (k, one)| bits | (*one as u8 & 1) << k)
}

fn halves(inst: &mut Inst, text: &Text<'_>, def: &Def) {
    if let Some(list) = text.value("op_sel") {
        inst.op_sel = bits(list);
        let last = numbers(list).len().saturating_sub(1);
        let whole_list = last > 0 && !def.packed && !text.mnemonic.starts_with("v_permlane");
        if whole_list && last < 3 {
            // The last one is of the result, whatever the number of sources.
            let result = inst.op_sel >> last & 1;
            inst.op_sel = inst.op_sel & !(1 << last) | result << 3;
        }
    }
    if text.mnemonic.contains("_mix") {
        inst.op_sel_hi = 0;
    }
    if let Some(list) = text.value("op_sel_hi") {
        inst.op_sel_hi = bits(list);
    }
    inst.neg |= text.value("neg_lo").map_or(0, bits);
    inst.neg_hi = text.value("neg_hi").map_or(0, bits);
}

/// The lane that lane `l` reads; nothing where it leads out of the wave or row.
fn from(key: &str, list: &[i64], l: i32, lanes: i32) -> Option<i32> {
    let n = list.first().copied().unwrap_or(0) as i32;
    let (row, k) = (l & !15, l & 15);
    let inside = |lane: i32| (0..lanes).contains(&lane).then_some(lane);
    match key {
        "quad_perm" => Some((l & !3) + *list.get((l & 3) as usize)? as i32),
        "dpp8" => Some((l & !7) + *list.get((l & 7) as usize)? as i32),
        "row_shl" => (k + n < 16).then_some(l + n),
        "row_shr" => (k >= n).then_some(l - n),
        "row_ror" => Some(row + ((k - n) & 15)),
        "row_mirror" => Some(row + 15 - k),
        "row_half_mirror" => Some((l & !7) + 7 - (l & 7)),
        "row_newbcast" | "row_share" => Some(row + n),
        "row_xmask" => Some(row + (k ^ n)),
        "row_bcast" if n == 15 => inside(row - 1),
        "row_bcast" => (l >= 32).then_some(31),
        "wave_shl" => inside(l + n),
        "wave_shr" => inside(l - n),
        "wave_rol" => Some((l + n) % lanes),
        "wave_ror" => Some((l - n + lanes) % lanes),
        _ => None,
    }
}

const PATTERNS: [&str; 15] = [
    "quad_perm",
    "dpp8",
    "row_shl",
    "row_shr",
    "row_ror",
    "row_mirror",
    "row_half_mirror",
    "row_newbcast",
    "row_share",
    "row_xmask",
    "row_bcast",
    "wave_shl",
    "wave_shr",
    "wave_rol",
    "wave_ror",
];

fn dpp(text: &Text<'_>, context: Context) -> Option<Dpp> {
    let key_of = |word: &&str| word.split(':').next().unwrap_or(word).to_string();
    let pattern = text
        .modifiers
        .iter()
        .find(|word| PATTERNS.contains(&key_of(word).as_str()))?;
    let (key, list) = pattern.split_once(':').unwrap_or((pattern, ""));
    let list = numbers(list);
    let lanes = context.wavefront as i32;
    let mut table = [-1; 64];
    for l in 0..lanes {
        table[l as usize] = from(key, &list, l, lanes).map_or(-1, |lane| lane as i8);
    }
    let mask = |name: &str| text.value(name).and_then(number).unwrap_or(15);
    let (rows, banks) = (mask("row_mask"), mask("bank_mask"));
    let on = |l: i64| rows >> (l / 16) & 1 != 0 && banks >> (l % 16 / 4) & 1 != 0;
    Some(Dpp {
        from: table,
        lanes: (0..64).fold(0, |bits, l| bits | u64::from(on(l)) << l),
        bound_ctrl: text.value("bound_ctrl").is_some(),
        fetch_inactive: text.value("fi") == Some("1"),
    })
}

fn part(name: &str) -> Option<Part> {
    Some(match name {
        "BYTE_0" => Part::Byte(0),
        "BYTE_1" => Part::Byte(1),
        "BYTE_2" => Part::Byte(2),
        "BYTE_3" => Part::Byte(3),
        "WORD_0" => Part::Word(0),
        "WORD_1" => Part::Word(1),
        "DWORD" => Part::All,
        _ => return None,
    })
}

fn sdwa(text: &Text<'_>) -> Option<Sdwa> {
    let of = |key: &str| text.value(key).map_or(Some(Part::All), part);
    let unused = match text.value("dst_unused") {
        None | Some("UNUSED_PAD") => Unused::Pad,
        Some("UNUSED_SEXT") => Unused::Sext,
        Some("UNUSED_PRESERVE") => Unused::Preserve,
        Some(_) => return None,
    };
    Some(Sdwa {
        dst: of("dst_sel")?,
        unused,
        src: [of("src0_sel")?, of("src1_sel")?],
    })
}
