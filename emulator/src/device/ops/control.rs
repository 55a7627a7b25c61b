//! Branches, calls, barriers, the end of a program, and what only matters to the timing of a chip.

use std::sync::atomic::{Ordering, fence};

use super::table::{Form, Table, def};
use crate::device::model::findings::{FaultKind, FindingKind};
use crate::device::wave::inst::{Inst, Operand, Ty};
use crate::device::wave::{M0, State, Wave};

macro_rules! branch {
    ($t:expr, $names:literal, |$w:ident| $e:expr) => {{
        fn body(wave: &mut Wave<'_>, inst: &Inst) {
            let $w = &*wave;
            if $e {
                wave.pc = inst.target;
            }
        }
        $t.add($names, def(same!(body), Form::Branch, 0, &[]));
    }};
}

/// Adds the operations of this file.
pub(crate) fn fill(t: &mut Table) {
    branches(t);
    calls(t);
    waiting(t);
    indexing(t);
    t.add(TIMING, def(same!(nothing), Form::Bare, 0, &[]));
    t.add(FENCES, def(same!(memory_fence), Form::Bare, 0, &[]));
}

fn branches(t: &mut Table) {
    branch!(t, "s_branch", |_w| true);
    branch!(t, "s_cbranch_scc0", |w| !w.scc);
    branch!(t, "s_cbranch_scc1", |w| w.scc);
    branch!(t, "s_cbranch_vccz", |w| w.vcc() == 0);
    branch!(t, "s_cbranch_vccnz", |w| w.vcc() != 0);
    branch!(t, "s_cbranch_execz", |w| w.exec() == 0);
    branch!(t, "s_cbranch_execnz", |w| w.exec() != 0);
    branch!(t, "s_cbranch_cdbgsys|s_cbranch_cdbguser", |_w| false);
}

fn calls(t: &mut Table) {
    scalar!(t, "s_getpc_b64", 1, &[Ty::I64], |wave, inst| {
        let next = wave.running.program.address(wave.pc);
        wave.set_scalar64(inst.dst, next);
    });
    scalar!(t, "s_setpc_b64", 0, &[Ty::I64], |wave, inst| {
        let to = wave.scalar64(inst.src[0]);
        jump(wave, inst, to);
    });
    scalar!(t, "s_swappc_b64", 1, &[Ty::I64, Ty::I64], |wave, inst| {
        let (to, next) = (
            wave.scalar64(inst.src[0]),
            wave.running.program.address(wave.pc),
        );
        wave.set_scalar64(inst.dst, next);
        jump(wave, inst, to);
    });
    scalar!(t, "s_call_b64", 1, &[Ty::I64, Ty::I32], |wave, inst| {
        let next = wave.running.program.address(wave.pc);
        wave.set_scalar64(inst.dst, next);
        wave.pc = inst.target;
    });
}

/// Goes on at an address of the program.
fn jump(wave: &mut Wave<'_>, inst: &Inst, to: u64) {
    match wave.running.program.word(to) {
        Some(word) => wave.pc = word,
        None => wave.fault(
            inst,
            0,
            FaultKind::Memory,
            format!("a jump to {to:#x}, which is no code of this code object"),
        ),
    }
}

fn waiting(t: &mut Table) {
    t.add("s_barrier", def(same!(barrier), Form::Bare, 0, &[]));
    t.add("s_sleep", def(same!(sleep), Form::Bare, 0, &[]));
    t.add(
        "s_endpgm|s_endpgm_saved",
        def(same!(end), Form::Bare, 0, &[]),
    );
    t.add("s_trap", def(same!(trap), Form::Bare, 0, &[]));
    t.add("s_sendmsg", def(same!(message), Form::Bare, 0, &[]));
    t.add("s_sendmsghalt", def(same!(message), Form::Bare, 0, &[]));
    t.add(
        "ds_gws_barrier",
        def(same!(grid_barrier), Form::Bare, 0, &[]),
    );
    t.add("ds_gws_init", def(same!(nothing), Form::Bare, 0, &[]));
}

fn barrier(wave: &mut Wave<'_>, inst: &Inst) {
    wave.state = State::Barrier;
    wave.barriers += 1;
    if wave.running.check && wave.exec() != wave.full {
        let (on, all) = (wave.exec().count_ones(), wave.full.count_ones());
        let lane = wave.exec().trailing_zeros().min(63) as usize;
        wave.find(
            inst,
            lane,
            FindingKind::DivergentBarrier,
            format!("{on} of {all} lanes of the wave reach the barrier"),
        );
    }
}

fn grid_barrier(wave: &mut Wave<'_>, _inst: &Inst) {
    wave.state = State::GridBarrier(wave.running.grid_barrier.arrive());
}

fn sleep(wave: &mut Wave<'_>, _inst: &Inst) {
    wave.state = State::Yield;
}

fn end(wave: &mut Wave<'_>, _inst: &Inst) {
    wave.state = State::Done;
}

fn trap(wave: &mut Wave<'_>, inst: &Inst) {
    // Messages of a failed assert are on their way already: they wait for an answer before the trap.
    let lane = wave.exec().trailing_zeros().min(63) as usize;
    wave.fault(
        inst,
        lane,
        FaultKind::Trap,
        "the kernel stopped itself with a trap (assert, abort or __builtin_trap)".to_string(),
    );
}

/// A message to the host: packets of the hostcall buffer are ready.
fn message(wave: &mut Wave<'_>, inst: &Inst) {
    wave.changed = true;
    if let Err(error) = wave.running.hostcall.serve(wave.running.host) {
        wave.fault(inst, 0, FaultKind::Host, error);
    }
    if wave.state == State::Ready {
        wave.state = State::Yield;
    }
}

/// gfx9's mode in which M0 moves the registers of vector operations.
fn indexing(t: &mut Table) {
    t.add("s_set_gpr_idx_on", def(same!(index_on), Form::Text, 0, &[]));
    t.add(
        "s_set_gpr_idx_off",
        def(same!(index_off), Form::Bare, 0, &[]),
    );
    t.add(
        "s_set_gpr_idx_mode",
        def(same!(index_mode), Form::Text, 0, &[]),
    );
    t.add(
        "s_set_gpr_idx_idx",
        def(same!(index_index), Form::Plain, 0, &[Ty::I32]),
    );
}

/// The operands that a mode names.
fn indexed_operands(text: &str) -> u8 {
    ["SRC0", "SRC1", "SRC2", "DST"]
        .iter()
        .enumerate()
        .fold(0, |bits, (k, name)| {
            bits | u8::from(text.contains(name)) << k
        })
}

fn index_on(wave: &mut Wave<'_>, inst: &Inst) {
    wave.indexed = indexed_operands(&inst.text);
    let index = wave.scalar(inst.src[0]);
    wave.s[M0] = wave.s[M0] & !0xf0ff | index & 0xff | u32::from(wave.indexed) << 12;
}

fn index_off(wave: &mut Wave<'_>, _inst: &Inst) {
    wave.indexed = 0;
}

fn index_mode(wave: &mut Wave<'_>, inst: &Inst) {
    wave.indexed = indexed_operands(&inst.text);
}

fn index_index(wave: &mut Wave<'_>, inst: &Inst) {
    let index = wave.scalar(inst.src[0]);
    wave.s[M0] = wave.s[M0] & !0xff | index & 0xff;
}

/// An instruction with the registers that M0 moves.
pub(crate) fn with_index(wave: &Wave<'_>, inst: &Inst) -> Inst {
    let by = (wave.s[M0] & 0xff) as u16;
    let moved = |operand: Operand, bit: u8| match operand {
        Operand::V(row) if wave.indexed >> bit & 1 != 0 => Operand::V(row + by),
        other => other,
    };
    let mut copy = inst.clone();
    for k in 0..3 {
        copy.src[k] = moved(inst.src[k], k as u8);
    }
    copy.dst = moved(inst.dst, 3);
    copy
}

fn nothing(_wave: &mut Wave<'_>, _inst: &Inst) {}

/// Caches are written back or thrown away: what other threads of the host wrote becomes visible.
fn memory_fence(_wave: &mut Wave<'_>, _inst: &Inst) {
    fence(Ordering::SeqCst);
}

/// Every result is there before the next instruction, so that waits are over at once.
const TIMING: &str = "s_nop|s_waitcnt|s_waitcnt_vscnt|s_waitcnt_vmcnt|s_waitcnt_lgkmcnt|s_waitcnt_expcnt|s_waitcnt_depctr|s_wait_idle|\
    s_clause|s_inst_prefetch|s_set_inst_prefetch_distance|s_setprio|s_ttracedata|s_ttracedata_imm|s_incperflevel|s_decperflevel|\
    s_wakeup|s_delay_alu|s_version|s_code_end|s_icache_inv|ds_nop|s_setkill|s_dcache_inv|s_dcache_inv_vol|s_gl1_inv";

const FENCES: &str = "s_dcache_wb|s_dcache_wb_vol|buffer_wbinvl1|buffer_wbinvl1_vol|buffer_gl0_inv|buffer_gl1_inv|\
    buffer_wbl2|buffer_invl2|buffer_inv|global_wb|global_inv";
