//! Vectors.

use super::enqueue;
use super::handle::Handle;
use super::number::{Complex, Number, Sum};
use super::place::{Scalar, Vector};
use crate::host::raw::{self, Ptr};

type C = Complex<f32>;
type Z = Complex<f64>;

fn later(_: &Handle) -> bool {
    false
}

/// The host waits for a result that it gets.
fn for_host(handle: &Handle) -> bool {
    !handle.on_device()
}

/// Functions of two vectors that give nothing back, under all their names: `|x, y|` is done when its turn comes.
macro_rules! pairs {
    ($([$($name:ident: $ty:ty),+] |$x:ident, $y:ident| $work:expr;)+) => {$($(
        /// `copy` (y = x) or `swap`.
        #[unsafe(no_mangle)]
        pub extern "C" fn $name(handle: Ptr, n: i32, x: *const $ty, incx: i32, y: *mut $ty, incy: i32) -> i32 {
            enqueue(handle, later, |_| {
                let ($x, $y) = (Vector::new(x, n, incx)?, Vector::new(y.cast_const(), n, incy)?);
                Ok(move || $work)
            })
        }
    )+)+};
}

pairs! {
    [hipblasScopy: f32, hipblasDcopy: f64, hipblasCcopy: C, hipblasZcopy: Z, hipblasCcopy_v2: C, hipblasZcopy_v2: Z]
        |x, y| write(&y, x.all());
    [hipblasSswap: f32, hipblasDswap: f64, hipblasCswap: C, hipblasZswap: Z, hipblasCswap_v2: C, hipblasZswap_v2: Z]
        |x, y| { let before = y.all(); write(&y, x.all()); write(&x, before) };
}

fn write<T: Number>(to: &Vector<T>, values: Vec<T::Sum>) {
    to.check();
    values
        .into_iter()
        .enumerate()
        .for_each(|(k, value)| to.set(k, value));
}

/// Scaled vectors.
macro_rules! scaled {
    ($($axpy:ident $scal:ident $ty:ty),+) => {$(
        /// `axpy`: y += alpha x
        #[unsafe(no_mangle)]
        pub extern "C" fn $axpy(handle: Ptr, n: i32, alpha: *const $ty, x: *const $ty, incx: i32, y: *mut $ty, incy: i32) -> i32 {
            enqueue(handle, later, |handle| {
                let alpha = Scalar::new(alpha, handle.on_device())?;
                let (x, y) = (Vector::new(x, n, incx)?, Vector::new(y.cast_const(), n, incy)?);
                Ok(move || {
                    let alpha = alpha.get();
                    let sums = x.all().into_iter().zip(y.all()).map(|(x, y)| alpha * x + y).collect();
                    write(&y, sums);
                })
            })
        }
        /// `scal`: x *= alpha
        #[unsafe(no_mangle)]
        pub extern "C" fn $scal(handle: Ptr, n: i32, alpha: *const $ty, x: *mut $ty, incx: i32) -> i32 {
            enqueue(handle, later, |handle| {
                let alpha = Scalar::new(alpha, handle.on_device())?;
                let x = Vector::new(x.cast_const(), n, incx)?;
                Ok(move || {
                    let alpha = alpha.get();
                    write(&x, x.all().into_iter().map(|x| alpha * x).collect());
                })
            })
        }
    )+};
}

scaled! {
    hipblasSaxpy hipblasSscal f32, hipblasDaxpy hipblasDscal f64, hipblasCaxpy hipblasCscal C, hipblasZaxpy hipblasZscal Z,
    hipblasCaxpy_v2 hipblasCscal_v2 C, hipblasZaxpy_v2 hipblasZscal_v2 Z
}

/// Inner products.
macro_rules! products {
    ($($name:ident $ty:ty, |$x:ident| $first:expr;)+) => {$(
        /// `dot`: the sum of products of elements.
        #[unsafe(no_mangle)]
        pub extern "C" fn $name(
            handle: Ptr, n: i32, x: *const $ty, incx: i32, y: *const $ty, incy: i32, result: *mut $ty,
        ) -> i32 {
            enqueue(handle, for_host, |_| {
                let (x, y, to) = (Vector::new(x, n, incx)?, Vector::new(y, n, incy)?, result as usize);
                Ok(move || {
                    let terms = x.all().into_iter().zip(y.all()).map(|($x, y)| $first * y);
                    let sum = terms.fold(<$ty as Number>::Sum::default(), |sum, term| sum + term);
                    raw::store(to, <$ty>::of(sum));
                })
            })
        }
    )+};
}

products! {
    hipblasSdot f32, |x| x;
    hipblasDdot f64, |x| x;
    hipblasCdotu C, |x| x;
    hipblasZdotu Z, |x| x;
    hipblasCdotc C, |x| x.conjugate();
    hipblasZdotc Z, |x| x.conjugate();
    hipblasCdotu_v2 C, |x| x;
    hipblasZdotu_v2 Z, |x| x;
    hipblasCdotc_v2 C, |x| x.conjugate();
    hipblasZdotc_v2 Z, |x| x.conjugate();
}

/// One number of a vector.
macro_rules! sizes {
    ($($name:ident $ty:ty => $result:ty, |$x:ident| $value:expr;)+) => {$(
        /// A size of a vector: `nrm2`, `asum`, or the place from 1 on of its largest or smallest element.
        #[unsafe(no_mangle)]
        pub extern "C" fn $name(handle: Ptr, n: i32, x: *const $ty, incx: i32, result: *mut $result) -> i32 {
            enqueue(handle, for_host, |_| {
                let (x, to) = (Vector::new(x, n, incx)?, result as usize);
                Ok(move || {
                    let $x = x.all();
                    let value: $result = $value;
                    raw::store(to, value);
                })
            })
        }
    )+};
}

/// The length of a vector, without overflow on the way.
fn norm<S: Sum>(x: &[S]) -> f64 {
    let most = x.iter().map(|x| x.size()).fold(0.0, f64::max);
    if most == 0.0 || !most.is_finite() {
        return most;
    }
    // A power of two: dividing by it rounds nothing.
    let unit = most.log2().floor().exp2();
    let squares = x.iter().map(|x| x.square(unit)).sum::<f64>();
    unit * squares.sqrt()
}

fn sum<S: Sum>(x: &[S]) -> f64 {
    x.iter().map(|x| x.size()).sum()
}

/// The first of the elements that no other one beats; 0 where there is none.
fn first<S: Sum>(x: &[S], beats: fn(f64, f64) -> bool) -> i32 {
    let better = |best: usize, k: usize| {
        if beats(x[k].size(), x[best].size()) {
            k
        } else {
            best
        }
    };
    (0..x.len()).reduce(better).map_or(0, |k| k as i32 + 1)
}

sizes! {
    hipblasSnrm2 f32 => f32, |x| norm(&x) as f32;
    hipblasDnrm2 f64 => f64, |x| norm(&x);
    hipblasScnrm2 C => f32, |x| norm(&x) as f32;
    hipblasDznrm2 Z => f64, |x| norm(&x);
    hipblasScnrm2_v2 C => f32, |x| norm(&x) as f32;
    hipblasDznrm2_v2 Z => f64, |x| norm(&x);
    hipblasSasum f32 => f32, |x| sum(&x) as f32;
    hipblasDasum f64 => f64, |x| sum(&x);
    hipblasScasum C => f32, |x| sum(&x) as f32;
    hipblasDzasum Z => f64, |x| sum(&x);
    hipblasIsamax f32 => i32, |x| first(&x, |a, b| a > b);
    hipblasIdamax f64 => i32, |x| first(&x, |a, b| a > b);
    hipblasIcamax C => i32, |x| first(&x, |a, b| a > b);
    hipblasIzamax Z => i32, |x| first(&x, |a, b| a > b);
    hipblasIsamin f32 => i32, |x| first(&x, |a, b| a < b);
    hipblasIdamin f64 => i32, |x| first(&x, |a, b| a < b);
    hipblasIcamin C => i32, |x| first(&x, |a, b| a < b);
    hipblasIzamin Z => i32, |x| first(&x, |a, b| a < b);
}

/// Rotations of planes.
macro_rules! rotations {
    ($($name:ident $ty:ty),+) => {$(
        /// `rot`: (x, y) = (c x + s y, c y - s x)
        #[unsafe(no_mangle)]
        pub extern "C" fn $name(
            handle: Ptr, n: i32, x: *mut $ty, incx: i32, y: *mut $ty, incy: i32, c: *const $ty, s: *const $ty,
        ) -> i32 {
            enqueue(handle, later, |handle| {
                let [c, s] = Scalar::pair(handle, [c, s])?;
                let (x, y) = (Vector::new(x.cast_const(), n, incx)?, Vector::new(y.cast_const(), n, incy)?);
                Ok(move || {
                    let (c, s, a, b) = (c.get(), s.get(), x.all(), y.all());
                    write(&x, a.iter().zip(&b).map(|(x, y)| c * x + s * y).collect());
                    write(&y, a.iter().zip(&b).map(|(x, y)| c * y - s * x).collect());
                })
            })
        }
    )+};
}

rotations! { hipblasSrot f32, hipblasDrot f64 }

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_equal_elements_counts_from_one() {
        assert_eq!(first(&[1.0, -3.0, 3.0, 0.5], |a, b| a > b), 2);
        assert_eq!(first(&[1.0, -3.0, 0.5, -0.5], |a, b| a < b), 3);
        assert_eq!(first::<f64>(&[], |a, b| a > b), 0);
    }

    #[test]
    fn lengths_of_large_vectors_do_not_overflow() {
        assert!((norm(&[3e200, -4e200]) / 5e200 - 1.0).abs() < 1e-15);
        assert_eq!(norm(&[Complex { re: 3.0, im: 4.0 }]), 5.0);
        assert_eq!(norm::<f64>(&[]), 0.0);
    }
}
