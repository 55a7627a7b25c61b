//! What a CUDA name becomes: the tables of `mappings/`, compiled in, and the user's overlays on top. Knows no syntax.

mod build_table;
pub mod chip;
mod chip_table;
mod choice;
mod entry;
mod form;
mod import;
mod json_schema;
pub mod library;
mod origin;
mod overlay;
mod pattern;
mod prefilter;
mod reverse;
mod schema;
mod slot;
mod table;
mod target;
mod validate;
mod version;

pub use build_table::{BuildLibrary, BuildTable, BuildWord, NvccOption};
pub use chip_table::{Chip, Matrix};
pub use choice::{Choices, Vendor as LibraryVendor};
pub use entry::{ApiEntry, ArgEdit, Entry, Form, Kind, Older, RocTarget, Support, Unless, Verb};
pub use form::{is_intrinsic_by_form, library_by_form};
pub use import::{Imported, import_custom_map};
pub use json_schema::json_schema;
pub use origin::Origin;
pub use overlay::OverlayError;
pub use prefilter::{mentions_cuda, stems};
pub use schema::{RawArg, RawEntry, RawTable};
pub use table::{ApiTable, Hit};
pub use target::Target;
pub use validate::{Problem, validate};
pub use version::{Span, Version};
