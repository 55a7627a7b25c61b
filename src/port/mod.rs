//! A port that stays in sync: what this tool wrote into a folder, what people did to it since, and what a new translation makes of both.
//!
//! The folder `.cass` of an output holds `manifest.json`, a line for each file, and `base.pack`, the text of each as it was written
//! last: the base of a three-way merge. A run first marks the folder, writes each record into a journal before it writes the file, and
//! replaces manifest and texts at its end; a run that was killed leaves a journal, which the next one reads. The journal says what was
//! to be written and what was there before; which of the two a file is, the file itself tells (`Known::record`).

mod content;
mod decide;
mod held;
mod journal;
mod manifest;
mod memory;
mod merge;
mod name;
mod noted;
mod now;
mod pack;
mod regions;
mod renames;
mod source;

pub use content::{Content, Hash, Kind, Mark};
pub(crate) use decide::Decision;
pub use decide::{Conflict, State, Write};
pub use manifest::{Manifest, Record};
pub use memory::{Gone, Memory, Port, Source};
pub use merge::Merged;
pub(crate) use name::{key_of, path_of};
pub(crate) use noted::{FileNotes, Noted, Notes};
pub use renames::Candidate;
