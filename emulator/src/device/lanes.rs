//! Reading operands and writing results for 32 lanes at a time, with AMD's modifiers: negation, absolute value, output multiplier and
//! clamp, data-parallel primitives, sub-dword addressing, halves of registers.
//!
//! Everything is `inline(always)` so that each operation becomes one loop, which the compiler vectorises.

use super::float::{f16_bits, f16_value};
use super::inst::{Inst, Operand, Part, Sdwa, Ty, Unused};
use super::wave::{EXEC, LANES, Row, Wave};

/// How an operand of a lane is held in registers, and what it is in computation.
pub(crate) trait Kind {
    /// Bits: `u32` or `u64`.
    type Bits: Copy + Default;
    /// Value that operations compute with.
    type Value: Copy;
    /// The type, for constants.
    const TY: Ty;
    /// All lanes of a half, before modifiers.
    fn read(wave: &Wave<'_>, inst: &Inst, k: usize, half: usize) -> [Self::Bits; LANES];
    /// All lanes of a half of an operand without modifiers.
    fn plain(wave: &Wave<'_>, operand: Operand, half: usize) -> [Self::Bits; LANES];
    /// Writes the lanes of a mask, without modifiers.
    fn store(
        wave: &mut Wave<'_>,
        operand: Operand,
        half: usize,
        mask: u32,
        bits: [Self::Bits; LANES],
    );
    /// Applies the modifiers of source `k`.
    fn modify(wave: &Wave<'_>, inst: &Inst, k: usize, bits: &mut [Self::Bits; LANES]);
    /// The value of bits.
    fn value(bits: Self::Bits) -> Self::Value;
    /// The bits of a value.
    fn bits(value: Self::Value) -> Self::Bits;
    /// Applies the modifiers of the result and writes the lanes that are on.
    fn write(wave: &mut Wave<'_>, inst: &Inst, half: usize, bits: [Self::Bits; LANES]);
}

/// The words of an operand for the lanes of a half.
#[inline(always)]
pub(crate) fn words(wave: &Wave<'_>, operand: Operand, word: usize, half: usize) -> Row {
    match operand {
        Operand::V(row) => wave.v[(row as usize + word) * wave.halves + half],
        Operand::Imm(bits) => [(bits >> (32 * word)) as u32; LANES],
        Operand::S(index) => [wave.s[index as usize + word]; LANES],
        other => {
            [if word == 0 {
                wave.scalar(other)
            } else {
                (wave.scalar64(other) >> 32) as u32
            }; LANES]
        }
    }
}

/// The words of source `k`, after a data-parallel primitive.
#[inline(always)]
fn source(wave: &Wave<'_>, inst: &Inst, k: usize, word: usize, half: usize) -> Row {
    if k == 0 && inst.dpp.is_some() {
        wave.moved[half][word]
    } else {
        words(wave, inst.src[k], word, half)
    }
}

/// `on` where the bit of the lane is set, else `off`. Written with masks, which become vector blends; a choice between elements does not.
#[inline(always)]
pub(crate) fn blend(mask: u32, lane: usize, on: u32, off: u32) -> u32 {
    let chosen = (mask >> lane & 1).wrapping_neg();
    off ^ ((on ^ off) & chosen)
}

/// Writes the lanes of `mask`.
#[inline(always)]
pub(crate) fn store(row: &mut Row, bits: &Row, mask: u32) {
    if mask == u32::MAX {
        *row = *bits;
    } else {
        for l in 0..LANES {
            row[l] = blend(mask, l, bits[l], row[l]);
        }
    }
}

/// Writes word `word` of the result for the lanes that are on.
#[inline(always)]
pub(crate) fn put(wave: &mut Wave<'_>, operand: Operand, word: usize, half: usize, bits: &Row) {
    let mask = wave.write[half];
    store_word(wave, operand, word, half, mask, bits);
}

/// Writes word `word` of an operand for the lanes of a mask.
#[inline(always)]
fn store_word(
    wave: &mut Wave<'_>,
    operand: Operand,
    word: usize,
    half: usize,
    mask: u32,
    bits: &Row,
) {
    if let Operand::V(row) = operand {
        store(
            &mut wave.v[(row as usize + word) * wave.halves + half],
            bits,
            mask,
        );
    }
}

/// Two words as one.
#[inline(always)]
fn joined(low: Row, high: Row) -> [u64; LANES] {
    let mut bits = [0; LANES];
    for l in 0..LANES {
        bits[l] = u64::from(low[l]) | u64::from(high[l]) << 32;
    }
    bits
}

/// One word as two.
#[inline(always)]
fn parted(bits: [u64; LANES]) -> (Row, Row) {
    let (mut low, mut high) = ([0; LANES], [0; LANES]);
    for l in 0..LANES {
        low[l] = bits[l] as u32;
        high[l] = (bits[l] >> 32) as u32;
    }
    (low, high)
}

/// Sets the lanes to be written, and moves the lanes of a data-parallel primitive.
#[inline(always)]
pub(crate) fn begin(wave: &mut Wave<'_>, inst: &Inst) {
    let exec = wave.exec();
    wave.write = [exec as u32, (exec >> 32) as u32];
    if inst.dpp.is_some() {
        move_lanes(wave, inst, exec);
    }
}

#[inline(never)]
fn move_lanes(wave: &mut Wave<'_>, inst: &Inst, exec: u64) {
    let Some(dpp) = &inst.dpp else { return };
    let mut write = exec & dpp.lanes;
    for lane in 0..wave.lanes() {
        let from = dpp.from[lane];
        let valid = from >= 0 && (dpp.fetch_inactive || exec >> from & 1 != 0);
        for word in 0..2 {
            let bits = if valid && has_word(wave, inst.src[0], word) {
                wave.lane(inst.src[0], word, from as usize)
            } else {
                0
            };
            wave.moved[lane / LANES][word][lane % LANES] = bits;
        }
        if !valid && !dpp.bound_ctrl {
            write &= !(1 << lane);
        }
    }
    wave.write = [write as u32, (write >> 32) as u32];
}

/// Whether a register of that number exists: the second word of a last register does not.
fn has_word(wave: &Wave<'_>, operand: Operand, word: usize) -> bool {
    match operand {
        Operand::V(row) => (row as usize + word + 1) * wave.halves <= wave.v.len(),
        _ => true,
    }
}

#[inline(never)]
fn select(bits: &mut Row, part: Part, sext: bool) {
    for x in bits.iter_mut() {
        *x = match (part, sext) {
            (Part::Byte(n), false) => *x >> (8 * n) & 0xff,
            (Part::Byte(n), true) => (*x >> (8 * n)) as i8 as u32,
            (Part::Word(n), false) => *x >> (16 * n) & 0xffff,
            (Part::Word(n), true) => (*x >> (16 * n)) as i16 as u32,
            (Part::All, _) => *x,
        };
    }
}

/// Modifiers of a source of up to 32 bits whose sign is the bit `sign`.
#[inline(never)]
fn modify_words(inst: &Inst, k: usize, bits: &mut Row, sign: u32, half_register: bool) {
    match &inst.sdwa {
        Some(sdwa) if k < 2 => select(bits, sdwa.src[k], inst.sext >> k & 1 != 0),
        _ if half_register && inst.op_sel >> k & 1 != 0 => bits.iter_mut().for_each(|x| *x >>= 16),
        _ => {}
    }
    if inst.abs >> k & 1 != 0 {
        bits.iter_mut().for_each(|x| *x &= !sign);
    }
    if inst.neg >> k & 1 != 0 {
        bits.iter_mut().for_each(|x| *x ^= sign);
    }
}

/// Puts bits into a part of what was there.
fn place(sdwa: Sdwa, old: u32, new: u32) -> u32 {
    let (shift, mask) = match sdwa.dst {
        Part::Byte(n) => (8 * u32::from(n), 0xff),
        Part::Word(n) => (16 * u32::from(n), 0xffff),
        Part::All => return new,
    };
    let part = (new & mask) << shift;
    match sdwa.unused {
        Unused::Pad => part,
        Unused::Preserve => old & !(mask << shift) | part,
        Unused::Sext => {
            let sign = if new & (mask + 1) >> 1 != 0 { !mask } else { 0 };
            (new & mask | sign) << shift
        }
    }
}

/// Puts a result of 16 or fewer bits where sub-dword addressing or `op_sel` says.
#[inline(never)]
fn place_words(wave: &Wave<'_>, inst: &Inst, half: usize, bits: &mut Row, half_register: bool) {
    let old = words(wave, inst.dst, 0, half);
    for (new, old) in bits.iter_mut().zip(old) {
        if let Some(sdwa) = &inst.sdwa {
            *new = place(**sdwa, old, *new);
        } else if half_register && inst.op_sel & 8 != 0 {
            *new = old & 0xffff | *new << 16;
        } else if half_register && inst.keep_high {
            *new = old & 0xffff_0000 | *new & 0xffff;
        }
    }
}

/// The output multiplier.
pub(crate) const OMOD: [f32; 4] = [1.0, 2.0, 4.0, 0.5];

fn clamp32(x: f32) -> f32 {
    // A NaN becomes 0, as DX10_CLAMP asks, which compilers set.
    if x > 0.0 { x.min(1.0) } else { 0.0 }
}

/// A denormal as zero.
#[inline(always)]
pub(crate) fn flushed(bits: u32) -> u32 {
    if bits & 0x7f80_0000 == 0 {
        bits & 0x8000_0000
    } else {
        bits
    }
}

#[inline(never)]
fn finish_f32(wave: &Wave<'_>, inst: &Inst, bits: &mut Row) {
    for x in bits.iter_mut() {
        let mut value = f32::from_bits(*x) * OMOD[inst.omod as usize];
        if inst.clamp {
            value = clamp32(value);
        }
        *x = if wave.flush {
            flushed(value.to_bits())
        } else {
            value.to_bits()
        };
    }
}

#[inline(never)]
fn finish_f16(inst: &Inst, bits: &mut Row) {
    for x in bits.iter_mut() {
        let value = f16_value(*x) * OMOD[inst.omod as usize];
        *x = f16_bits(if inst.clamp { clamp32(value) } else { value });
    }
}

macro_rules! kind32 {
    ($(#[$doc:meta])* $name:ident, $value:ty, $ty:ident, $sign:expr, |$bits:ident| $get:expr, |$x:ident| $put:expr, |$w:ident, $i:ident, $r:ident| $finish:expr) => {
        $(#[$doc])*
        pub(crate) struct $name;
        impl Kind for $name {
            type Bits = u32;
            type Value = $value;
            const TY: Ty = Ty::$ty;
            #[inline(always)]
            fn read(wave: &Wave<'_>, inst: &Inst, k: usize, half: usize) -> Row {
                source(wave, inst, k, 0, half)
            }
            #[inline(always)]
            fn plain(wave: &Wave<'_>, operand: Operand, half: usize) -> Row {
                words(wave, operand, 0, half)
            }
            #[inline(always)]
            fn store(wave: &mut Wave<'_>, operand: Operand, half: usize, mask: u32, bits: Row) {
                store_word(wave, operand, 0, half, mask, &bits);
            }
            #[inline(always)]
            fn modify(wave: &Wave<'_>, inst: &Inst, k: usize, bits: &mut Row) {
                if inst.in_mods {
                    modify_words(inst, k, bits, $sign, matches!(Ty::$ty, Ty::F16 | Ty::I16));
                }
                if matches!(Ty::$ty, Ty::F32) && wave.flush {
                    bits.iter_mut().for_each(|x| *x = flushed(*x));
                }
            }
            #[inline(always)]
            fn value($bits: u32) -> $value {
                $get
            }
            #[inline(always)]
            fn bits($x: $value) -> u32 {
                $put
            }
            #[inline(always)]
            fn write($w: &mut Wave<'_>, $i: &Inst, half: usize, bits: Row) {
                #[allow(unused_mut)]
                let mut $r = bits;
                if $i.out_mods || (matches!(Ty::$ty, Ty::F32) && $w.flush) {
                    $finish;
                    if $i.out_mods {
                        place_words($w, $i, half, &mut $r, matches!(Ty::$ty, Ty::F16 | Ty::I16));
                    }
                }
                put($w, $i.dst, 0, half, &$r);
            }
        }
    };
}

const SIGN: u32 = 0x8000_0000;

kind32!(
    /// 32 bits as an unsigned integer.
    U32, u32, I32, SIGN, |b| b, |x| x, |w, i, r| {}
);
kind32!(
    /// 32 bits as a signed integer.
    I32, i32, I32, SIGN, |b| b as i32, |x| x as u32, |w, i, r| {}
);
kind32!(
    /// 32-bit float.
    F32, f32, F32, SIGN, |b| f32::from_bits(b), |x| x.to_bits(), |w, i, r| finish_f32(w, i, &mut r)
);
kind32!(
    /// 16 bits as an unsigned integer.
    U16, u32, I16, 0x8000, |b| b & 0xffff, |x| x & 0xffff, |w, i, r| {}
);
kind32!(
    /// 16 bits as a signed integer.
    I16, i32, I16, 0x8000, |b| i32::from(b as i16), |x| x as u32 & 0xffff, |w, i, r| {}
);
kind32!(
    /// 16-bit float, computed with as a 32-bit one: sums and products round to the same.
    F16, f32, F16, 0x8000, |b| f16_value(b), |x| f16_bits(x), |w, i, r| finish_f16(i, &mut r)
);
kind32!(
    /// 16-bit float as its bits, for results that were rounded already.
    H16, u32, F16, 0x8000, |b| b & 0xffff, |x| x & 0xffff, |w, i, r| finish_f16(i, &mut r)
);
kind32!(
    /// The bits of a 32-bit float that negation and absolute value apply to.
    B32, u32, F32, SIGN, |b| b, |x| x, |w, i, r| finish_f32(w, i, &mut r)
);

macro_rules! kind64 {
    ($(#[$doc:meta])* $name:ident, $value:ty, $ty:ident, |$bits:ident| $get:expr, |$x:ident| $put:expr) => {
        $(#[$doc])*
        pub(crate) struct $name;
        impl Kind for $name {
            type Bits = u64;
            type Value = $value;
            const TY: Ty = Ty::$ty;
            #[inline(always)]
            fn read(wave: &Wave<'_>, inst: &Inst, k: usize, half: usize) -> [u64; LANES] {
                joined(source(wave, inst, k, 0, half), source(wave, inst, k, 1, half))
            }
            #[inline(always)]
            fn plain(wave: &Wave<'_>, operand: Operand, half: usize) -> [u64; LANES] {
                joined(words(wave, operand, 0, half), words(wave, operand, 1, half))
            }
            #[inline(always)]
            fn store(wave: &mut Wave<'_>, operand: Operand, half: usize, mask: u32, bits: [u64; LANES]) {
                let (low, high) = parted(bits);
                store_word(wave, operand, 0, half, mask, &low);
                store_word(wave, operand, 1, half, mask, &high);
            }
            #[inline(always)]
            fn modify(_wave: &Wave<'_>, inst: &Inst, k: usize, bits: &mut [u64; LANES]) {
                if inst.in_mods {
                    modify_64(inst, k, bits);
                }
            }
            #[inline(always)]
            fn value($bits: u64) -> $value {
                $get
            }
            #[inline(always)]
            fn bits($x: $value) -> u64 {
                $put
            }
            #[inline(always)]
            fn write(wave: &mut Wave<'_>, inst: &Inst, half: usize, mut bits: [u64; LANES]) {
                if inst.out_mods && matches!(Ty::$ty, Ty::F64) {
                    finish_f64(inst, &mut bits);
                }
                let mask = wave.write[half];
                Self::store(wave, inst.dst, half, mask, bits);
            }
        }
    };
}

#[inline(never)]
fn modify_64(inst: &Inst, k: usize, bits: &mut [u64; LANES]) {
    if inst.abs >> k & 1 != 0 {
        bits.iter_mut().for_each(|x| *x &= !(1 << 63));
    }
    if inst.neg >> k & 1 != 0 {
        bits.iter_mut().for_each(|x| *x ^= 1 << 63);
    }
}

#[inline(never)]
fn finish_f64(inst: &Inst, bits: &mut [u64; LANES]) {
    for x in bits.iter_mut() {
        let mut value = f64::from_bits(*x) * f64::from(OMOD[inst.omod as usize]);
        if inst.clamp {
            value = if value > 0.0 { value.min(1.0) } else { 0.0 };
        }
        *x = value.to_bits();
    }
}

kind64!(
    /// 64 bits as an unsigned integer.
    U64, u64, I64, |b| b, |x| x
);
kind64!(
    /// 64 bits as a signed integer.
    I64, i64, I64, |b| b as i64, |x| x as u64
);
kind64!(
    /// 64-bit float.
    F64, f64, F64, |b| f64::from_bits(b), |x| x.to_bits()
);

/// Source `k` of a half with its modifiers.
#[inline(always)]
pub(crate) fn fetch<K: Kind>(
    wave: &Wave<'_>,
    inst: &Inst,
    k: usize,
    half: usize,
) -> [K::Bits; LANES] {
    let mut bits = K::read(wave, inst, k, half);
    K::modify(wave, inst, k, &mut bits);
    bits
}

/// Whether operands are read and the result is written as they are.
#[inline(always)]
fn is_plain(wave: &Wave<'_>, inst: &Inst) -> bool {
    inst.plain && !wave.flush
}

/// Lanes of a half that are on.
#[inline(always)]
fn on(wave: &Wave<'_>, half: usize) -> u32 {
    wave.s[EXEC + half]
}

/// An operation with one source.
#[inline(always)]
pub(crate) fn map1<R: Kind, A: Kind>(
    wave: &mut Wave<'_>,
    inst: &Inst,
    f: impl Fn(A::Value) -> R::Value,
) {
    if !is_plain(wave, inst) {
        return modified::map1::<R, A>(wave, inst, f);
    }
    for half in 0..wave.halves {
        let a = A::plain(wave, inst.src[0], half);
        let mut r = [R::Bits::default(); LANES];
        for l in 0..LANES {
            r[l] = R::bits(f(A::value(a[l])));
        }
        R::store(wave, inst.dst, half, on(wave, half), r);
    }
}

/// An operation with two sources.
#[inline(always)]
pub(crate) fn map2<R: Kind, A: Kind, B: Kind>(
    wave: &mut Wave<'_>,
    inst: &Inst,
    f: impl Fn(A::Value, B::Value) -> R::Value,
) {
    if !is_plain(wave, inst) {
        return modified::map2::<R, A, B>(wave, inst, f);
    }
    for half in 0..wave.halves {
        let (a, b) = (
            A::plain(wave, inst.src[0], half),
            B::plain(wave, inst.src[1], half),
        );
        let mut r = [R::Bits::default(); LANES];
        for l in 0..LANES {
            r[l] = R::bits(f(A::value(a[l]), B::value(b[l])));
        }
        R::store(wave, inst.dst, half, on(wave, half), r);
    }
}

/// An operation with three sources.
#[inline(always)]
pub(crate) fn map3<R: Kind, A: Kind, B: Kind, C: Kind>(
    wave: &mut Wave<'_>,
    inst: &Inst,
    f: impl Fn(A::Value, B::Value, C::Value) -> R::Value,
) {
    if !is_plain(wave, inst) {
        return modified::map3::<R, A, B, C>(wave, inst, f);
    }
    for half in 0..wave.halves {
        let (a, b) = (
            A::plain(wave, inst.src[0], half),
            B::plain(wave, inst.src[1], half),
        );
        let c = C::plain(wave, inst.src[2], half);
        let mut r = [R::Bits::default(); LANES];
        for l in 0..LANES {
            r[l] = R::bits(f(A::value(a[l]), B::value(b[l]), C::value(c[l])));
        }
        R::store(wave, inst.dst, half, on(wave, half), r);
    }
}

/// A comparison: one bit a lane. Lanes that are off give 0.
#[inline(always)]
pub(crate) fn test2<A: Kind, B: Kind>(
    wave: &mut Wave<'_>,
    inst: &Inst,
    f: impl Fn(A::Value, B::Value) -> bool,
) -> u64 {
    if !is_plain(wave, inst) {
        return modified::test2::<A, B>(wave, inst, f);
    }
    let mut mask = 0;
    for half in 0..wave.halves {
        let (a, b) = (
            A::plain(wave, inst.src[0], half),
            B::plain(wave, inst.src[1], half),
        );
        let mut bits = 0;
        for l in 0..LANES {
            bits |= u32::from(f(A::value(a[l]), B::value(b[l]))) << l;
        }
        mask |= u64::from(bits & on(wave, half)) << (32 * half);
    }
    mask
}

/// The same operations where an operand or the result has modifiers. Not inlined: they would only make the plain ones slower.
mod modified {
    use super::{Inst, Kind, LANES, Wave, begin, fetch};

    #[inline(never)]
    pub(super) fn map1<R: Kind, A: Kind>(
        wave: &mut Wave<'_>,
        inst: &Inst,
        f: impl Fn(A::Value) -> R::Value,
    ) {
        begin(wave, inst);
        for half in 0..wave.halves {
            let a = fetch::<A>(wave, inst, 0, half).map(A::value);
            R::write(
                wave,
                inst,
                half,
                std::array::from_fn(|l: usize| R::bits(f(a[l]))),
            );
        }
    }

    #[inline(never)]
    pub(super) fn map2<R: Kind, A: Kind, B: Kind>(
        wave: &mut Wave<'_>,
        inst: &Inst,
        f: impl Fn(A::Value, B::Value) -> R::Value,
    ) {
        begin(wave, inst);
        for half in 0..wave.halves {
            let a = fetch::<A>(wave, inst, 0, half).map(A::value);
            let b = fetch::<B>(wave, inst, 1, half).map(B::value);
            R::write(
                wave,
                inst,
                half,
                std::array::from_fn(|l: usize| R::bits(f(a[l], b[l]))),
            );
        }
    }

    #[inline(never)]
    pub(super) fn map3<R: Kind, A: Kind, B: Kind, C: Kind>(
        wave: &mut Wave<'_>,
        inst: &Inst,
        f: impl Fn(A::Value, B::Value, C::Value) -> R::Value,
    ) {
        begin(wave, inst);
        for half in 0..wave.halves {
            let a = fetch::<A>(wave, inst, 0, half).map(A::value);
            let b = fetch::<B>(wave, inst, 1, half).map(B::value);
            let c = fetch::<C>(wave, inst, 2, half).map(C::value);
            R::write(
                wave,
                inst,
                half,
                std::array::from_fn(|l: usize| R::bits(f(a[l], b[l], c[l]))),
            );
        }
    }

    #[inline(never)]
    pub(super) fn test2<A: Kind, B: Kind>(
        wave: &mut Wave<'_>,
        inst: &Inst,
        f: impl Fn(A::Value, B::Value) -> bool,
    ) -> u64 {
        begin(wave, inst);
        let mut mask = 0;
        for half in 0..wave.halves {
            let a = fetch::<A>(wave, inst, 0, half).map(A::value);
            let b = fetch::<B>(wave, inst, 1, half).map(B::value);
            let bits = (0..LANES).fold(0, |bits, l| bits | u32::from(f(a[l], b[l])) << l);
            mask |= u64::from(bits & wave.write[half]) << (32 * half);
        }
        mask
    }
}
