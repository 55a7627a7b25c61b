//! Element types of vectors and matrices, and what sums of them are made in.

use std::ops::{Add, Mul};

use crate::device::float::{f16_bits, f16_value};

/// A complex number as `hipComplex` and `hipDoubleComplex` lie in memory.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Complex<T> {
    /// Real part.
    pub re: T,
    /// Imaginary part.
    pub im: T,
}

impl Add for Complex<f64> {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        let (re, im) = (self.re + other.re, self.im + other.im);
        Complex { re, im }
    }
}

impl Mul for Complex<f64> {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        Complex {
            re: self.re * other.re - self.im * other.im,
            im: self.re * other.im + self.im * other.re,
        }
    }
}

/// What sums are made in.
pub(super) trait Sum:
    Copy + Default + PartialEq + Add<Output = Self> + Mul<Output = Self> + Send + Sync + 'static
{
    fn conjugate(self) -> Self;
    /// The sum of the sizes of its parts: what `amax` and `asum` compare and add.
    fn size(self) -> f64;
    /// The square of its distance from 0, in units of `unit`, so that large numbers do not overflow.
    fn square(self, unit: f64) -> f64;
}

impl Sum for f64 {
    fn conjugate(self) -> Self {
        self
    }
    fn size(self) -> f64 {
        self.abs()
    }
    fn square(self, unit: f64) -> f64 {
        (self / unit).powi(2)
    }
}

impl Sum for Complex<f64> {
    fn conjugate(self) -> Self {
        let im = -self.im;
        Complex { im, ..self }
    }
    fn size(self) -> f64 {
        self.re.abs() + self.im.abs()
    }
    fn square(self, unit: f64) -> f64 {
        (self.re / unit).powi(2) + (self.im / unit).powi(2)
    }
}

/// An element.
pub(super) trait Number: Copy + Default + Send + Sync + 'static {
    type Sum: Sum;
    /// The type of sizes: `f32` or `f64`.
    type Real: Number<Sum = f64>;
    fn wide(self) -> Self::Sum;
    fn of(sum: Self::Sum) -> Self;
}

macro_rules! number {
    ($ty:ty, $sum:ty, $real:ty, |$x:ident| $wide:expr, |$s:ident| $of:expr) => {
        impl Number for $ty {
            type Sum = $sum;
            type Real = $real;
            fn wide(self) -> $sum {
                let $x = self;
                $wide
            }
            fn of($s: $sum) -> $ty {
                $of
            }
        }
    };
}

number!(f32, f64, f32, |x| x.into(), |s| s as f32);
/// A number of 16 bits, by its bits.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Half(u16);

number!(Half, f64, f32, |x| f16_value(x.0.into()).into(), |s| Half(
    f16_bits(s as f32) as u16
));
number!(f64, f64, f64, |x| x, |s| s);
number!(
    Complex<f32>,
    Complex<f64>,
    f32,
    |x| Complex {
        re: x.re.into(),
        im: x.im.into()
    },
    |s| Complex {
        re: s.re as f32,
        im: s.im as f32
    }
);
number!(Complex<f64>, Complex<f64>, f64, |x| x, |s| s);
