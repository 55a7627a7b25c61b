//! Mends of a port whose rightness the compiler proves: what it says of an error names one edit, and with that edit the error is gone.
//!
//! | module | what it holds |
//! |---|---|
//! | `diagnosis` | what clang says of an error, with the range and the edit that it names |
//! | `proposal` | the edits that an error may be mended by |
//! | `headers` | the headers that declare a name |
//! | `text` | a file whose mended lines are told from those written by hand |
//! | `overlay` | files as they would be, for the compiler alone |
//! | `prove` | the edits of a unit that the compiler proves |

mod diagnosis;
mod headers;
mod overlay;
mod proposal;
mod prove;
mod text;

pub(super) use overlay::Overlay;
pub(crate) use prove::{Mended, Mender};
pub(crate) use text::MendedText;
