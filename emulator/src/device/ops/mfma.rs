//! Matrix instructions of CDNA.

use super::table::Table;

/// Adds the operations of this file.
pub(crate) fn fill(_t: &mut Table) {}
