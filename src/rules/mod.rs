//! The rules: one file each, in the folder of its group. The build lists groups and rules by their folders and files
//! (`src/build_script/rules.rs`).
//!
//! A rule file holds, from top to bottom: its documentation as a `//!` comment (`explain` prints it), a `RULE`, a check function and
//! its helpers. See any file of `src/rules/*/` for the shape.

mod check;
pub mod context;
pub mod event;
mod registry;
mod rule;
mod tables;

pub mod api;
pub mod atomics;
pub mod build_files;
pub mod comments;
pub mod conditions;
pub mod cooperative_groups;
pub mod dialect;
pub mod either_vendor;
pub mod errors;
pub mod extensions;
pub mod launch;
pub mod library;
pub mod memory;
pub mod ptx;
pub mod python;
pub mod textures;
pub mod warp;

pub use check::{Check, Texts};
pub use context::{BuildContext, Context, PythonContext};
pub use event::{Event, MadeModule, ModuleKind, Named, WarpLack};
pub(crate) use registry::notice;
pub use registry::{Registered, all, find, page, site};
pub(crate) use registry::{codes_with, own_site};
pub use rule::{Fact, Rule};
pub(crate) use tables::{rule_of, rule_of_helpers, rule_of_support};

/// What every rule file imports.
pub mod prelude {
    pub(crate) use super::rule_of_support;
    pub use super::{BuildContext, Check, Context, Event, Fact, ModuleKind, PythonContext, Rule};
    pub use crate::build::BuildFile;
    pub use crate::diagnostic::{ApiUse, Finding, Severity};
    pub use crate::edit::{Applicability, Edit, Fix};
    pub use crate::mapping::{ApiEntry, Hit, Kind, Support, Version};
    pub use crate::syntax::{
        Call, Directive, DirectiveKind, Document, Include, LaunchSite, TokenIndex, TokenKind,
        Vendor, flags,
    };
    pub use crate::text::{BuildTool, TextRange};
}
