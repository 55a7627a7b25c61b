//! What kernels cost: `docs/howto/costs.md` says what each figure means and where it comes from.

mod advice;
mod cost;
mod ptxas;
mod text;

pub(crate) use advice::{Advice, advice};
pub(super) use cost::VARIABLE;
pub use cost::{Cost, read};
pub(crate) use cost::{Line, lines};
pub(crate) use ptxas::{Ptxas, compiled};
pub use text::text;
