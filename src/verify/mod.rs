//! Did the port compute the same? A command is run and what it did is written down (`record` for the original, `run` for the
//! port); two such records are compared by line, number, file and buffer. Nothing here knows CUDA or HIP sources: any command will do.

mod align;
pub mod compare;
pub mod costs;
mod digest;
mod emulate;
mod execute;
mod finding;
mod learn;
mod line;
mod machine;
mod manifest;
mod precision;
mod printed_number;
mod record;
mod snapshot;
mod source;
mod tolerance;
mod watch;

pub use emulate::Emulator;
pub(crate) use execute::Task;
pub use execute::{End, Outcome};
pub use finding::{Difference, Kind, Level};
pub(crate) use manifest::FILE_NAME;
pub use manifest::{Case, CaseTable, Judgement, Manifest, Side, Words, schema};
pub use record::{Head, Record, Role, begin};
pub(crate) use source::given;
pub use source::{Taken, take};
pub use tolerance::Tolerance;
