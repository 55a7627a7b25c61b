//! Translates CUDA C++ to HIP for AMD GPUs and reports what needs a person.
//!
//! ```
//! use cass_transpile::{Severity, Translator};
//!
//! let translator = Translator::with_settings("[translate]\nrocm = \"7.0\"")?;
//! let done = translator.translate("k.cu", "#include <cuda_runtime.h>\nint main() { return cudaDeviceReset(); }\n")?;
//! assert_eq!(
//!     String::from_utf8_lossy(&done.output),
//!     "#include <hip/hip_runtime.h>\nint main() { return hipDeviceReset(); }\n"
//! );
//! assert!(done.findings.iter().all(|finding| finding.severity == Severity::Info));
//! # Ok::<(), cass_transpile::Error>(())
//! ```
//!
//! # What other programs can rely on
//!
//! [`Translator`], what it takes and gives ([`Translation`], [`Finding`], [`Place`], [`Severity`], [`Error`]), and the pages of
//! [`rules`] that findings link to. They follow semantic versioning: within 0.x a new minor release may change them, a patch release
//! does not; structures get fields and nothing else. They read and write no file and print nothing. Everything else that is public is
//! shared by the packages of this workspace; it stands in no documentation and may change in any release. Trees of files are the work
//! of the program: its options, exit codes, codes of rules and JSON schemas are as stable as `.github/CHANGELOG.md` says.
//!
//! # How it is made
//!
//! One computation with four endings (convert, check, diff, report); bytes in, bytes out; one rule, one file; data apart from the
//! engine. The modules, each of which may use those above it:
//!
//! | module | what it holds |
//! |---|---|
//! | `text` | offsets, ranges, lines, source files |
//! | `edit` | edits, fixes, how sure they are, how they are applied |
//! | `mapping` | what a CUDA name becomes: the tables of `mappings/` and overlays |
//! | `diagnostic` | findings |
//! | `compat` | the helper header |
//! | `syntax` | tokens, directives, guards, launches, scopes, trees |
//! | `ptx` | inline PTX as C++: instructions, types, the table of `mappings/ptx.toml` |
//! | `python` | Python files: strings, lists, whom a branch is for |
//! | `options` | what a person chose |
//! | `build` | what the words of a build file tell: CMake, make, shells, images, presets |
//! | `cpp` | what the tokens of one file tell: declarations, types, values, names, conditions |
//! | `project` | what the tree tells: files, includes, its own names, who brings the runtime header |
//! | `analysis` | what a unit (file, tree, tables, options) means: renames, lane masks, verdicts about conditions |
//! | `rules` | the rules: one file each, by group |
//! | `engine` | decides: sessions, dispatch, one file's translation, leftovers, policy, suppressions |
//! | `symptom` | what compilers, linkers and programs say of a port, with cause and cure |
//! | `survey` | the tables held against installed headers |
//! | `pipeline` | trees of files: walking, planning, running in parallel |
//! | `port` | outputs that stay in sync: manifest, merge, journal |
//! | `report` | outcomes to bytes |
//! | `config` | `cass.toml` |
//! | `shim` | headers of `#define cudaX hipX` |
//! | `lsp` | the editor server |
//! | `pairs` | records of sources and results with the level of proof that they reached |
//! | `translator` | what other programs use, at the root of the crate |
//! | `verify` | whether a port computes the same as its original, by running both |
//! | `trial` | whether the units of a port compile, and why not |
//! | `bench` | how many programs come through a translation whole |
//! | `nvcc` | a drop-in nvcc that makes AMD objects from CUDA sources |
//! | `emit` | the only writer of source files |
//! | `cli` | the command line |
//!
//! Without the feature `cli` (`default-features = false`) `Translator` and what it needs remain, without the rooms that write files, run
//! programs or talk to a person. That compiles for WebAssembly.

#![cfg_attr(test, allow(clippy::unwrap_used, reason = "a test may fail"))]
#![cfg_attr(
    not(feature = "cli"),
    allow(dead_code, unused_imports, reason = "each room serves the program too")
)]

#[doc(hidden)]
pub mod analysis;
#[cfg(feature = "cli")]
pub(crate) mod bench;
#[doc(hidden)]
pub mod build;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
#[doc(hidden)]
pub mod compat;
#[doc(hidden)]
pub mod config;
#[doc(hidden)]
pub mod cpp;
#[doc(hidden)]
pub mod diagnostic;
#[doc(hidden)]
pub mod edit;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod emit;
#[doc(hidden)]
pub mod engine;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod lsp;
#[doc(hidden)]
pub mod mapping;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod nvcc;
#[doc(hidden)]
pub mod options;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod pairs;
#[doc(hidden)]
pub mod pipeline;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod port;
#[doc(hidden)]
pub mod project;
#[doc(hidden)]
pub mod ptx;
#[doc(hidden)]
pub mod python;
#[doc(hidden)]
pub mod report;
pub mod rules;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod shim;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod survey;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod symptom;
#[doc(hidden)]
pub mod syntax;
#[doc(hidden)]
pub mod text;
mod translator;
#[cfg(feature = "cli")]
pub(crate) mod trial;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod verify;

pub use diagnostic::Severity;
pub use translator::{Error, Finding, Place, Translation, Translator};
