//! Matrix instructions of CDNA. Where elements lie is as AMD's matrix instruction calculator gives it; EXEC plays no part.

use super::matrix::{Element, dot, element};
use super::table::{Def, Form, Table, def};
use crate::device::wave::Wave;
use crate::device::wave::inst::{Inst, Operand, Ty};

/// Lanes of a wave.
const WAVE: usize = 64;

/// A shape: `m` × `n` results of `k` products each, in `blocks` independent tiles.
#[derive(Clone, Copy)]
struct Shape {
    m: usize,
    n: usize,
    k: usize,
    blocks: usize,
    a: Element,
    b: Element,
}

const fn shape(m: usize, k: usize, blocks: usize, a: Element, b: Element) -> Shape {
    Shape {
        m,
        n: m,
        k,
        blocks,
        a,
        b,
    }
}

impl Shape {
    /// Elements of a source that each lane holds.
    fn per_lane(&self) -> usize {
        self.m * self.k * self.blocks / WAVE
    }

    /// Lane and place in the lane of an element of a source: `i` of its row or column, `k` of the sum.
    fn source(&self, i: usize, k: usize, block: usize) -> (usize, usize) {
        let per_lane = self.per_lane();
        (
            i + self.m * (block + self.blocks * (k / per_lane)),
            k % per_lane,
        )
    }

    /// Register and lane of a result.
    fn result(&self, i: usize, j: usize, block: usize) -> (usize, usize) {
        if self.m == 4 {
            return (i, j + 4 * block);
        }
        // Four rows stay together; a lane holds every (64 / n)th such group.
        let groups = WAVE / self.n;
        let (four, within) = (i / 4, i % 4);
        let per_block = self.m * self.n / WAVE;
        (
            block * per_block + four / groups * 4 + within,
            four % groups * self.n + j,
        )
    }
}

/// One row or column of a source.
fn line(
    wave: &Wave<'_>,
    operand: Operand,
    shape: &Shape,
    of: Element,
    i: usize,
    block: usize,
) -> Vec<u32> {
    let at = |k: usize| {
        let (lane, index) = shape.source(i, k, block);
        element(wave, operand, lane, index, of)
    };
    (0..shape.k).map(at).collect()
}

fn multiply(wave: &mut Wave<'_>, inst: &Inst) {
    let shape = SHAPES[inst.param as usize].1;
    let flush = wave.running.flush_matrices;
    let mut results = Vec::with_capacity(shape.m * shape.n * shape.blocks);
    for block in 0..shape.blocks {
        let columns: Vec<_> = (0..shape.n)
            .map(|j| line(wave, inst.src[1], &shape, shape.b, j, block))
            .collect();
        for i in 0..shape.m {
            let row = line(wave, inst.src[0], &shape, shape.a, i, block);
            for (j, column) in columns.iter().enumerate() {
                let (register, lane) = shape.result(i, j, block);
                let sum = accumulator(wave, inst.src[2], register, lane);
                results.push((
                    register,
                    lane,
                    dot(&row, shape.a, column, shape.b, sum, flush),
                ));
            }
        }
    }
    for (register, lane, bits) in results {
        wave.set_lane(inst.dst, register, lane, bits);
    }
}

/// What a product is added to; a constant stands for all of them.
fn accumulator(wave: &Wave<'_>, operand: Operand, register: usize, lane: usize) -> u32 {
    match operand {
        Operand::V(_) => wave.lane(operand, register, lane),
        other => wave.scalar(other),
    }
}

fn double(wave: &Wave<'_>, operand: Operand, index: usize, lane: usize) -> f64 {
    match operand {
        Operand::V(_) => {
            let [low, high] =
                [0, 1].map(|word| u64::from(wave.lane(operand, 2 * index + word, lane)));
            f64::from_bits(low | high << 32)
        }
        other => f64::from_bits(wave.scalar64(other)),
    }
}

/// 64-bit floats: `param` is the number of blocks, 1 of 16 × 16 or 4 of 4 × 4; four products each.
fn multiply_f64(wave: &mut Wave<'_>, inst: &Inst) {
    let blocks = inst.param as usize;
    let n = if blocks == 1 { 16 } else { 4 };
    let mut results = Vec::with_capacity(n * n * blocks);
    for block in 0..blocks {
        for i in 0..n {
            for j in 0..n {
                let at = |row: usize, k: usize| row + n * (block + blocks * k);
                let (register, lane) = if blocks == 1 {
                    (i / 4, i % 4 * 16 + j)
                } else {
                    (0, at(j, i))
                };
                let mut sum = double(wave, inst.src[2], register, lane);
                for k in 0..4 {
                    sum = double(wave, inst.src[0], 0, at(i, k))
                        .mul_add(double(wave, inst.src[1], 0, at(j, k)), sum);
                }
                results.push((register, lane, sum.to_bits()));
            }
        }
    }
    for (register, lane, bits) in results {
        wave.set_lane(inst.dst, 2 * register, lane, bits as u32);
        wave.set_lane(inst.dst, 2 * register + 1, lane, (bits >> 32) as u32);
    }
}

/// Names of gfx90a and of gfx942, without `v_mfma_`.
const SHAPES: [(&str, Shape); 37] = {
    use Element::*;
    [
        (
            "f32_32x32x1f32|f32_32x32x1_2b_f32",
            shape(32, 1, 2, F32, F32),
        ),
        (
            "f32_16x16x1f32|f32_16x16x1_4b_f32",
            shape(16, 1, 4, F32, F32),
        ),
        ("f32_4x4x1f32|f32_4x4x1_16b_f32", shape(4, 1, 16, F32, F32)),
        ("f32_32x32x2f32|f32_32x32x2_f32", shape(32, 2, 1, F32, F32)),
        ("f32_16x16x4f32|f32_16x16x4_f32", shape(16, 4, 1, F32, F32)),
        (
            "f32_32x32x4f16|f32_32x32x4_2b_f16",
            shape(32, 4, 2, F16, F16),
        ),
        (
            "f32_16x16x4f16|f32_16x16x4_4b_f16",
            shape(16, 4, 4, F16, F16),
        ),
        ("f32_4x4x4f16|f32_4x4x4_16b_f16", shape(4, 4, 16, F16, F16)),
        ("f32_32x32x8f16|f32_32x32x8_f16", shape(32, 8, 1, F16, F16)),
        (
            "f32_16x16x16f16|f32_16x16x16_f16",
            shape(16, 16, 1, F16, F16),
        ),
        ("f32_32x32x2bf16", shape(32, 2, 2, BF16, BF16)),
        ("f32_16x16x2bf16", shape(16, 2, 4, BF16, BF16)),
        ("f32_4x4x2bf16", shape(4, 2, 16, BF16, BF16)),
        ("f32_32x32x4bf16", shape(32, 4, 1, BF16, BF16)),
        ("f32_16x16x8bf16", shape(16, 8, 1, BF16, BF16)),
        (
            "f32_32x32x4bf16_1k|f32_32x32x4_2b_bf16",
            shape(32, 4, 2, BF16, BF16),
        ),
        (
            "f32_16x16x4bf16_1k|f32_16x16x4_4b_bf16",
            shape(16, 4, 4, BF16, BF16),
        ),
        (
            "f32_4x4x4bf16_1k|f32_4x4x4_16b_bf16",
            shape(4, 4, 16, BF16, BF16),
        ),
        (
            "f32_32x32x8bf16_1k|f32_32x32x8_bf16",
            shape(32, 8, 1, BF16, BF16),
        ),
        (
            "f32_16x16x16bf16_1k|f32_16x16x16_bf16",
            shape(16, 16, 1, BF16, BF16),
        ),
        ("i32_32x32x4i8|i32_32x32x4_2b_i8", shape(32, 4, 2, I8, I8)),
        ("i32_16x16x4i8|i32_16x16x4_4b_i8", shape(16, 4, 4, I8, I8)),
        ("i32_4x4x4i8|i32_4x4x4_16b_i8", shape(4, 4, 16, I8, I8)),
        ("i32_32x32x8i8|i32_32x32x8_i8", shape(32, 8, 1, I8, I8)),
        ("i32_16x16x16i8|i32_16x16x16_i8", shape(16, 16, 1, I8, I8)),
        ("i32_32x32x16_i8", shape(32, 16, 1, I8, I8)),
        ("i32_16x16x32_i8", shape(16, 32, 1, I8, I8)),
        ("f32_32x32x4_xf32", shape(32, 4, 1, X32, X32)),
        ("f32_16x16x8_xf32", shape(16, 8, 1, X32, X32)),
        ("f32_32x32x16_fp8_fp8", shape(32, 16, 1, F8, F8)),
        ("f32_32x32x16_fp8_bf8", shape(32, 16, 1, F8, BF8)),
        ("f32_32x32x16_bf8_fp8", shape(32, 16, 1, BF8, F8)),
        ("f32_32x32x16_bf8_bf8", shape(32, 16, 1, BF8, BF8)),
        ("f32_16x16x32_fp8_fp8", shape(16, 32, 1, F8, F8)),
        ("f32_16x16x32_fp8_bf8", shape(16, 32, 1, F8, BF8)),
        ("f32_16x16x32_bf8_fp8", shape(16, 32, 1, BF8, F8)),
        ("f32_16x16x32_bf8_bf8", shape(16, 32, 1, BF8, BF8)),
    ]
};

/// Adds the operations of this file.
pub(crate) fn fill(t: &mut Table) {
    const TYPES: &[Ty] = &[Ty::F32, Ty::F32, Ty::F32, Ty::F32];
    const WIDE: &[Ty] = &[Ty::F64, Ty::F64, Ty::F64, Ty::F64];
    for (index, (names, shape)) in SHAPES.into_iter().enumerate() {
        let types = if shape.a.is_whole() {
            &[Ty::I32, Ty::I32, Ty::I32, Ty::I32]
        } else {
            TYPES
        };
        for name in names.split('|') {
            let def = def(both!(multiply), Form::Plain, 1, types);
            t.add(
                &format!("v_mfma_{name}"),
                Def {
                    param: index as u32,
                    ..def
                },
            );
        }
    }
    let wide = def(both!(multiply_f64), Form::Plain, 1, WIDE);
    t.add(
        "v_mfma_f64_16x16x4f64|v_mfma_f64_16x16x4_f64",
        Def { param: 1, ..wide },
    );
    t.add(
        "v_mfma_f64_4x4x4f64|v_mfma_f64_4x4x4_4b_f64",
        Def { param: 4, ..wide },
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_result_and_element_has_a_place_of_its_own() {
        for (name, shape) in SHAPES {
            let blocks = 0..shape.blocks;
            let mut results: Vec<_> = blocks
                .clone()
                .flat_map(|b| {
                    (0..shape.m).flat_map(move |i| (0..shape.n).map(move |j| shape.result(i, j, b)))
                })
                .collect();
            let mut sources: Vec<_> = blocks
                .flat_map(|b| {
                    (0..shape.m).flat_map(move |i| (0..shape.k).map(move |k| shape.source(i, k, b)))
                })
                .collect();
            for places in [&mut results, &mut sources] {
                let count = places.len();
                places.sort_unstable();
                places.dedup();
                assert_eq!(places.len(), count, "{name}");
            }
            assert!(
                results.iter().all(|(_, lane)| *lane < WAVE)
                    && sources.iter().all(|(lane, _)| *lane < WAVE),
                "{name}"
            );
        }
    }
}
