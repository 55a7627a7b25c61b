//! Operations of lanes as loops over the lanes of a half.

use super::{Kind, begin};
use crate::device::wave::inst::Inst;
use crate::device::wave::{EXEC, LANES, Wave};

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
