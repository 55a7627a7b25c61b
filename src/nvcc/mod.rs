//! A drop-in nvcc: takes nvcc's command line and gives AMD objects and programs from CUDA sources as they are.
//!
//! The unit and the project's headers that it includes are translated, the results lie in a cache by their content, and clang sees
//! them at the paths of the originals through a virtual file system overlay. What is here says what to do; commands are run and
//! messages printed by [`crate::cli`].
//!
//! | module | what it holds |
//! |---|---|
//! | `words` | a command line as options with arguments |
//! | `invocation` | what it asks for |
//! | `flags` | options for clang, by `mappings/build.toml` |
//! | `closure` | the files of a unit |
//! | `unit` | their translation, with line numbers kept |
//! | `cache` | translations by content |
//! | `plan` | the commands |
//! | `pytorch` | PyTorch's headers, and for whom they were built |
//! | `device_link` | objects whose device code is linked |
//! | `identity` | what it says of itself |
//! | `toolkit` | the folder that stands for a CUDA toolkit |

mod cache;
mod closure;
mod device_link;
mod flags;
mod identity;
mod invocation;
mod lines;
mod place;
mod plan;
mod pytorch;
mod toolkit;
mod unit;
mod words;

pub(crate) use cache::Cache;
pub use cache::{Record, Told};
pub(crate) use closure::Search;
pub use closure::{Files, absolute};
pub(crate) use closure::{Include, closure, includes};
pub(crate) use device_link::{keep_device_code, needs_device_link};
pub use identity::{Claim, chips, help, probe};
pub(crate) use identity::{architectures, identification, is_identification};
pub use invocation::{Invocation, Item, Kind, Mode, Modules, Question};
pub use place::{Place, Said};
pub(crate) use plan::View;
pub use plan::{Plan, Step, Tools};
pub(crate) use pytorch::{built, unfit};
pub(crate) use toolkit::{MARK, is_toolkit};
pub use toolkit::{Toolkit, install, settings};
pub use unit::{Unit, translate};
