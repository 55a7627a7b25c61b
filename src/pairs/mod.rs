//! Pairs of CUDA and HIP for research and for training translators: one record per translation unit or kernel, with the level of
//! proof that it reached and no higher.

mod card;
mod compile;
mod dedup;
mod level;
mod licence;
mod record;
mod split;

pub use card::card;
pub use compile::{Compiler, Tools, Unit};
pub(crate) use dedup::hash;
pub use dedup::key;
pub use level::{Level, Proof};
pub use licence::Licence;
pub(crate) use licence::{of_folders, of_text};
pub(crate) use record::has_main;
pub use record::{Draft, Origin, Pair, kernels, unit};
pub use split::{Split, split};
