//! Image instructions: loads and stores of elements, samples, gathers; and buffer loads that convert, which read linear textures.

use super::memory::on;
use super::table::{Def, Form, Table, def};
use crate::device::memory::image::{Channel, Image, Sampler, Shape, Texel};
use crate::device::model::findings::FaultKind;
use crate::device::model::float::{f16_bits, f16_value};
use crate::device::ops::address::{self, Spot};
use crate::device::wave::Wave;
use crate::device::wave::inst::{Inst, Operand};

/// The image that an instruction names; without one the wave stops.
fn image(wave: &mut Wave<'_>, inst: &Inst, resource: Operand, words: usize) -> Option<Image> {
    let Operand::S(at) = resource else {
        return None;
    };
    let at = at as usize;
    let found = Image::of(&wave.s[at..at + words]);
    if found.is_none() {
        let message = format!("`{}` reads no texture or surface object", inst.text);
        wave.fault(inst, 0, FaultKind::Memory, message);
    }
    found
}

fn sampler(wave: &Wave<'_>, inst: &Inst) -> Option<Sampler> {
    match inst.src[1] {
        Operand::S(at) => Some(Sampler::of(&wave.s[at as usize..at as usize + 4])),
        _ => None,
    }
}

/// One of the address registers, of a lane.
fn argument(wave: &Wave<'_>, inst: &Inst, k: usize, lane: usize) -> u32 {
    let row = inst.rows.as_ref().and_then(|rows| rows.get(k));
    row.map_or(0, |row| wave.lane(Operand::V(*row), 0, lane))
}

/// The words that an element reads as; what it has not is 0, and the last one 1.
fn read(
    wave: &mut Wave<'_>,
    inst: &Inst,
    lane: usize,
    image: &Image,
    at: [u32; 3],
) -> Option<[u32; 4]> {
    let texel = image.texel;
    let spot = spot(wave, inst, lane, image, at)?;
    let one = if texel.is_float() { 1f32.to_bits() } else { 1 };
    let mut words = [0, 0, 0, one];
    for (k, word) in words.iter_mut().enumerate().take(texel.count as usize) {
        let part = address::further(spot, k as u32 * texel.bits / 8);
        *word = widened(texel, address::read(wave, inst, lane, part, texel.bits / 8));
    }
    Some(words)
}

/// A channel as it stands in a register.
fn widened(texel: Texel, bits: u32) -> u32 {
    let empty = 32 - texel.bits;
    let signed = (bits << empty) as i32 >> empty;
    let most = ((1u64 << (texel.bits - 1)) - 1) as f32;
    match (texel.channel, texel.normalized) {
        (Channel::Float, _) if texel.bits == 16 => f16_value(bits).to_bits(),
        (Channel::Float, _) | (Channel::Unsigned, false) => bits,
        (Channel::Signed, false) => signed as u32,
        (Channel::Unsigned, true) => (bits as f32 / (2.0 * most + 1.0)).to_bits(),
        (Channel::Signed, true) => (signed as f32 / most).max(-1.0).to_bits(),
    }
}

/// Where an element lies. Stops the wave where its memory was freed.
fn spot(
    wave: &mut Wave<'_>,
    inst: &Inst,
    lane: usize,
    image: &Image,
    at: [u32; 3],
) -> Option<Spot> {
    let (place, bytes) = (image.place(at), image.texel.bytes() as u64);
    let range = address::known_range(wave, place);
    if place < range.high && range.high - place >= bytes {
        return Some(Spot::Global(place));
    }
    let message = format!(
        "memory access fault: element ({}, {}, {}) of a texture or surface is not allocated",
        at[0], at[1], at[2]
    );
    wave.fault(inst, lane, FaultKind::Memory, message);
    None
}

/// The element of whole coordinates; none outside of the image.
fn whole(wave: &Wave<'_>, inst: &Inst, lane: usize, image: &Image) -> Option<[u32; 3]> {
    let (directions, layered) = image.shape.coordinates();
    let extent = image.extent();
    let mut at = [0; 3];
    for (k, axis) in axes(directions, layered).enumerate() {
        at[axis] = argument(wave, inst, k, lane);
        if at[axis] >= extent[axis] {
            return None;
        }
    }
    Some(at)
}

/// The directions that the coordinates of an instruction stand for: layers are the third.
fn axes(directions: usize, layered: bool) -> impl Iterator<Item = usize> {
    (0..directions).chain(layered.then_some(2))
}

/// Writes those of four words that the instruction asks for, one register after another.
fn put(wave: &mut Wave<'_>, inst: &Inst, lane: usize, words: [u32; 4]) {
    let asked = (0..4).filter(|k| inst.param >> k & 1 != 0);
    for (register, k) in asked.enumerate() {
        wave.set_lane(inst.dst, register, lane, words[k]);
    }
}

fn load(wave: &mut Wave<'_>, inst: &Inst) {
    let Some(image) = image(wave, inst, inst.src[0], 8) else {
        return;
    };
    for lane in on(wave.exec()) {
        let words = match whole(wave, inst, lane, &image) {
            None => [0; 4],
            Some(at) => match read(wave, inst, lane, &image, at) {
                None => return,
                Some(words) => words,
            },
        };
        put(wave, inst, lane, words);
    }
}

fn store(wave: &mut Wave<'_>, inst: &Inst) {
    let Some(image) = image(wave, inst, inst.src[0], 8) else {
        return;
    };
    let texel = image.texel;
    for lane in on(wave.exec()) {
        let Some(at) = whole(wave, inst, lane, &image) else {
            continue;
        };
        let Some(spot) = spot(wave, inst, lane, &image, at) else {
            return;
        };
        let stored = (0..4).filter(|k| inst.param >> k & 1 != 0);
        for (register, k) in stored.enumerate().take(texel.count as usize) {
            let word = wave.lane(inst.dst, register, lane);
            let half = texel.channel == Channel::Float && texel.bits == 16;
            let bits = if half {
                f16_bits(f32::from_bits(word))
            } else {
                word
            };
            let part = address::further(spot, k * texel.bits / 8);
            address::write(wave, inst, lane, part, texel.bits / 8, bits);
        }
    }
}

/// A coordinate that reads an element: `buffer_load_format_xyzw`, for linear textures.
fn load_linear(wave: &mut Wave<'_>, inst: &Inst) {
    let Some(image) = image(wave, inst, inst.src[1], 4) else {
        return;
    };
    if image.shape != Shape::Linear || !inst.idxen || inst.offen || inst.offset != 0 {
        let message = format!("`{}` is not emulated for what it reads", inst.text);
        return wave.fault(inst, 0, FaultKind::Unsupported, message);
    }
    for lane in on(wave.exec()) {
        let index = wave.lane(inst.src[0], 0, lane);
        let words = if index < image.width {
            let Some(words) = read(wave, inst, lane, &image, [index, 0, 0]) else {
                return;
            };
            words
        } else {
            [0; 4]
        };
        for (k, word) in words.into_iter().enumerate().take(inst.param as usize) {
            wave.set_lane(inst.dst, k, lane, word);
        }
    }
}

type Taps = [[(Option<u32>, f32); 2]; 3];

/// What the coordinates of a lane read, by direction.
fn taps(wave: &Wave<'_>, inst: &Inst, lane: usize, image: &Image, sampler: &Sampler) -> Taps {
    let (directions, layered) = image.shape.coordinates();
    let extent = image.extent();
    let mut taps = [[(Some(0), 1.0), (None, 0.0)]; 3];
    for (k, axis) in axes(directions, layered).enumerate() {
        let at = f32::from_bits(argument(
            wave,
            inst,
            k + inst.offset1 as usize * directions,
            lane,
        ));
        taps[axis] = if k < directions {
            sampler.taps(axis, at, extent[axis])
        } else {
            let layer = at.round_ties_even().clamp(0.0, (extent[axis] - 1) as f32);
            [(Some(layer as u32), 1.0), (None, 0.0)]
        };
    }
    taps
}

/// The element at one end of each direction; zeros where it lies outside.
fn tap(
    wave: &mut Wave<'_>,
    inst: &Inst,
    lane: usize,
    image: &Image,
    at: [Option<u32>; 3],
) -> Option<[u32; 4]> {
    match at {
        [Some(x), Some(y), Some(z)] => read(wave, inst, lane, image, [x, y, z]),
        _ => Some([0; 4]),
    }
}

/// The mean of the neighbours by their weights.
fn mixed(
    wave: &mut Wave<'_>,
    inst: &Inst,
    lane: usize,
    image: &Image,
    taps: &Taps,
) -> Option<[u32; 4]> {
    let mut sums = [0f32; 4];
    for corner in 0..8 {
        let of: [_; 3] = std::array::from_fn(|k| taps[k][corner >> k & 1]);
        let weight: f32 = of.iter().map(|(_, weight)| weight).product();
        if weight == 0.0 {
            continue;
        }
        let words = tap(wave, inst, lane, image, of.map(|(at, _)| at))?;
        for (sum, word) in sums.iter_mut().zip(words) {
            *sum += weight * f32::from_bits(word);
        }
    }
    Some(sums.map(f32::to_bits))
}

fn sample(wave: &mut Wave<'_>, inst: &Inst) {
    let Some(image) = image(wave, inst, inst.src[0], 8) else {
        return;
    };
    let Some(sampler) = sampler(wave, inst) else {
        return;
    };
    for lane in on(wave.exec()) {
        let taps = taps(wave, inst, lane, &image, &sampler);
        let words = if sampler.linear {
            mixed(wave, inst, lane, &image, &taps)
        } else {
            tap(wave, inst, lane, &image, taps.map(|ends| ends[0].0))
        };
        let Some(words) = words else { return };
        put(wave, inst, lane, words);
    }
}

/// One channel of the four neighbours, as linear filtering would mix them.
fn gather(wave: &mut Wave<'_>, inst: &Inst) {
    let Some(image) = image(wave, inst, inst.src[0], 8) else {
        return;
    };
    let Some(sampler) = sampler(wave, inst) else {
        return;
    };
    let sampler = Sampler {
        linear: true,
        ..sampler
    };
    let channel = inst.param.trailing_zeros() as usize & 3;
    for lane in on(wave.exec()) {
        let [x, y, z] = taps(wave, inst, lane, &image, &sampler);
        for (k, (right, low)) in [(0, 1), (1, 1), (1, 0), (0, 0)].into_iter().enumerate() {
            let at = [x[right].0, y[low].0, z[0].0];
            let Some(words) = tap(wave, inst, lane, &image, at) else {
                return;
            };
            wave.set_lane(inst.dst, k, lane, words[channel]);
        }
    }
}

/// Adds the operations of this file.
pub(crate) fn fill(t: &mut Table) {
    t.add("image_load", def(same!(load), Form::Image, 1, &[]));
    t.add("image_store", def(same!(store), Form::Image, 0, &[]));
    // Nothing has smaller levels here, so the level that is asked for does not matter.
    let samples = "image_sample|image_sample_lz|image_sample_l";
    t.add(samples, def(same!(sample), Form::Image, 1, &[]));
    let derivatives = def(same!(sample), Form::Image, 1, &[]);
    t.add(
        "image_sample_d",
        Def {
            param: 2,
            ..derivatives
        },
    );
    let gathers = "image_gather4|image_gather4_lz|image_gather4_l";
    t.add(gathers, def(same!(gather), Form::Image, 1, &[]));
    for (words, name) in ["x", "xy", "xyz", "xyzw"].into_iter().enumerate() {
        t.add(
            &format!("buffer_load_format_{name}"),
            Def {
                param: words as u32 + 1,
                ..def(same!(load_linear), Form::Buffer, 1, &[])
            },
        );
    }
}
