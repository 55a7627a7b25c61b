//! Hardware registers, clocks and messages with an answer.

use super::table::{Form, Table, def};
use crate::device::model::findings::FaultKind;
use crate::device::wave::inst::{Inst, Ty};
use crate::device::wave::{FLAT_SCRATCH, PRIVATE_HIGH, SHARED_HIGH, Wave};

/// A register with the offset and width of the field, from `hwreg(NAME, OFFSET, WIDTH)`.
fn field(text: &str) -> Option<(&str, u32, u32)> {
    let inside = text.split_once("hwreg(")?.1.split_once(')')?.0;
    let mut parts = inside.split(',').map(str::trim);
    let name = parts.next()?;
    let offset = parts.next().map_or(Some(0), |x| x.parse().ok())?;
    let width: u32 = parts.next().map_or(Some(32), |x| x.parse().ok())?;
    Some((name, offset, width.clamp(1, 32)))
}

fn bits(width: u32) -> u32 {
    u32::MAX >> (32 - width)
}

fn unknown(wave: &mut Wave<'_>, inst: &Inst) {
    let message = format!("the hardware register of `{}` is not emulated", inst.text);
    wave.fault(inst, 0, FaultKind::Unsupported, message);
}

fn read(wave: &Wave<'_>, name: &str) -> Option<u32> {
    let slot = wave.group[0] ^ wave.group[1] << 4 ^ wave.group[2] << 8;
    Some(match name {
        "HW_REG_MODE" => wave.mode,
        "HW_REG_SH_MEM_BASES" => (SHARED_HIGH >> 16) << 16 | PRIVATE_HIGH >> 16,
        "HW_REG_SHADER_CYCLES" => wave.running.clock() as u32 & 0xf_ffff,
        "HW_REG_FLAT_SCR_LO" => wave.s[FLAT_SCRATCH],
        "HW_REG_FLAT_SCR_HI" => wave.s[FLAT_SCRATCH + 1],
        // Wave and SIMD in the low bits, a compute unit from bit 8 on: groups are spread over 64 of them.
        "HW_REG_HW_ID" | "HW_REG_HW_ID1" => wave.id & 15 | (slot & 15) << 8 | (slot >> 4 & 3) << 13,
        "HW_REG_XCC_ID" | "HW_REG_HW_ID2" | "HW_REG_TRAPSTS" | "HW_REG_STATUS" => 0,
        "HW_REG_LDS_ALLOC" => (wave.lds.len() as u32).div_ceil(512) << 12,
        _ => return None,
    })
}

fn get(wave: &mut Wave<'_>, inst: &Inst) {
    let found = field(&inst.text)
        .and_then(|(name, offset, width)| Some(read(wave, name)? >> offset & bits(width)));
    match found {
        Some(value) => wave.set_scalar(inst.dst, value),
        None => unknown(wave, inst),
    }
}

fn set(wave: &mut Wave<'_>, inst: &Inst) {
    let value = wave.scalar(inst.src[0]);
    let Some((name, offset, width)) = field(&inst.text) else {
        return unknown(wave, inst);
    };
    match name {
        "HW_REG_MODE" => {
            let mask = bits(width) << offset;
            set_mode(wave, inst, wave.mode & !mask | value << offset & mask);
        }
        "HW_REG_FLAT_SCR_LO" => wave.s[FLAT_SCRATCH] = value,
        "HW_REG_FLAT_SCR_HI" => wave.s[FLAT_SCRATCH + 1] = value,
        _ => unknown(wave, inst),
    }
}

/// Only rounding to nearest even is emulated.
fn set_mode(wave: &mut Wave<'_>, inst: &Inst, mode: u32) {
    if mode & 15 != 0 {
        let message = format!(
            "`{}` chooses another rounding than to nearest even, which is not emulated",
            inst.text
        );
        return wave.fault(inst, 0, FaultKind::Unsupported, message);
    }
    wave.set_mode(mode);
}

fn round_mode(wave: &mut Wave<'_>, inst: &Inst) {
    set_mode(wave, inst, wave.mode & !15 | inst.raw as u32 & 15);
}

fn denormal_mode(wave: &mut Wave<'_>, inst: &Inst) {
    set_mode(wave, inst, wave.mode & !0xf0 | (inst.raw as u32 & 15) << 4);
}

/// `s_sendmsg_rtn`: the time is all that programs ask for.
fn message_with_answer(wave: &mut Wave<'_>, inst: &Inst) {
    if inst.text.contains("GET_REALTIME") || inst.text.contains("GET_TMA") {
        let now = if inst.text.contains("REALTIME") {
            wave.running.clock()
        } else {
            0
        };
        return wave.set_scalar64(inst.dst, now);
    }
    let message = format!("the message of `{}` is not emulated", inst.text);
    wave.fault(inst, 0, FaultKind::Unsupported, message);
}

/// Adds the operations of this file.
pub(crate) fn fill(t: &mut Table) {
    t.add("s_getreg_b32", def(same!(get), Form::Text, 1, &[Ty::I32]));
    t.add(
        "s_setreg_b32|s_setreg_imm32_b32",
        def(same!(set), Form::Text, 0, &[Ty::I32]),
    );
    t.add("s_round_mode", def(same!(round_mode), Form::Text, 0, &[]));
    t.add(
        "s_denorm_mode",
        def(same!(denormal_mode), Form::Text, 0, &[]),
    );
    t.add(
        "s_sendmsg_rtn_b32|s_sendmsg_rtn_b64",
        def(same!(message_with_answer), Form::Text, 1, &[Ty::I64]),
    );
    scalar!(t, "s_memtime|s_memrealtime", 1, &[Ty::I64], |wave, inst| {
        let now = wave.running.clock();
        wave.set_scalar64(inst.dst, now);
    });
}
