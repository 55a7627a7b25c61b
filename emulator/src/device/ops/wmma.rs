//! Matrix instructions of RDNA3: tiles of 16 × 16 with 16 products each. Where elements lie is as the instruction set's manual gives it;
//! lanes 16 to 31 (and above) repeat the sources of the first 16.

use super::matrix::{Element, dot, element};
use super::table::{Def, Form, Table, def};
use crate::device::model::float::{bf16_bits, bf16_value, f16_bits, f16_value};
use crate::device::wave::Wave;
use crate::device::wave::inst::{Inst, Operand, Ty};

/// Rows, columns and products.
const N: usize = 16;

/// What the results are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Output {
    Words,
    F16,
    BF16,
}

const KINDS: [(&str, Element, Output); 6] = [
    ("v_wmma_f32_16x16x16_f16", Element::F16, Output::Words),
    ("v_wmma_f32_16x16x16_bf16", Element::BF16, Output::Words),
    ("v_wmma_f16_16x16x16_f16", Element::F16, Output::F16),
    ("v_wmma_bf16_16x16x16_bf16", Element::BF16, Output::BF16),
    ("v_wmma_i32_16x16x16_iu8", Element::U8, Output::Words),
    ("v_wmma_i32_16x16x16_iu4", Element::U4, Output::Words),
];

/// The element type of source `k`: `neg_lo` makes whole numbers signed.
fn signed(of: Element, inst: &Inst, k: usize) -> Element {
    match (of, inst.neg >> k & 1 != 0) {
        (Element::U8, true) => Element::I8,
        (Element::U4, true) => Element::I4,
        (other, _) => other,
    }
}

/// One row or column.
fn line(wave: &Wave<'_>, inst: &Inst, k: usize, of: Element, lane: usize) -> Vec<u32> {
    (0..N)
        .map(|index| element(wave, inst.src[k], lane, index, of))
        .collect()
}

/// The bits of what a product is added to, as 32 bits.
fn accumulator(wave: &Wave<'_>, inst: &Inst, register: usize, lane: usize, output: Output) -> u32 {
    let word = match inst.src[2] {
        Operand::V(_) => wave.lane(inst.src[2], register, lane),
        other => wave.scalar(other),
    };
    let half = word >> (16 * u32::from(inst.op_sel >> 2 & 1)) & 0xffff;
    match output {
        Output::Words => word,
        Output::F16 => f16_value(half).to_bits(),
        Output::BF16 => bf16_value(half).to_bits(),
    }
}

fn multiply(wave: &mut Wave<'_>, inst: &Inst) {
    let (_, of, output) = KINDS[inst.param as usize];
    let (a, b) = (signed(of, inst, 0), signed(of, inst, 1));
    let groups = wave.lanes() / N;
    let rows: Vec<_> = (0..N).map(|i| line(wave, inst, 0, a, i)).collect();
    let columns: Vec<_> = (0..N).map(|j| line(wave, inst, 1, b, j)).collect();
    let mut results = Vec::with_capacity(N * N);
    for (i, row) in rows.iter().enumerate() {
        for (j, column) in columns.iter().enumerate() {
            let (register, lane) = (i / groups, i % groups * N + j);
            let sum = accumulator(wave, inst, register, lane, output);
            results.push((register, lane, dot(row, a, column, b, sum, false)));
        }
    }
    for (register, lane, bits) in results {
        let value = f32::from_bits(bits);
        match output {
            Output::Words => wave.set_lane(inst.dst, register, lane, bits),
            Output::F16 => set_half(wave, inst, register, lane, f16_bits(value)),
            Output::BF16 => set_half(wave, inst, register, lane, bf16_bits(value)),
        }
    }
}

/// Writes the half of a register that `op_sel` chooses.
fn set_half(wave: &mut Wave<'_>, inst: &Inst, register: usize, lane: usize, bits: u32) {
    let (old, shift) = (
        wave.lane(inst.dst, register, lane),
        16 * u32::from(inst.op_sel >> 2 & 1),
    );
    wave.set_lane(
        inst.dst,
        register,
        lane,
        old & !(0xffff << shift) | bits << shift,
    );
}

/// Adds the operations of this file.
pub(crate) fn fill(t: &mut Table) {
    for (index, (name, of, output)) in KINDS.into_iter().enumerate() {
        let types = match (of.is_whole(), output) {
            (true, _) => &[Ty::I32, Ty::I32, Ty::I32, Ty::I32],
            (false, Output::Words) => &[Ty::F32, Ty::F32, Ty::F32, Ty::F32],
            (false, _) => &[Ty::F16, Ty::F16, Ty::F16, Ty::F16],
        };
        let def = def(both!(multiply), Form::Plain, 1, types);
        t.add(
            name,
            Def {
                param: index as u32,
                packed: true,
                ..def
            },
        );
    }
}
