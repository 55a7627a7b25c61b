//! Entries of the tables, decoded when somebody first asks for them: a run needs some hundreds of many thousands.

use std::sync::{LazyLock, OnceLock};

use super::entry::{ApiEntry, Kind};
use super::origin::Origin;

/// Kind and length of each entry.
static INDEX: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/tables.index"));
/// The entries; each begins with its name.
static ENTRIES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/tables.entries"));
/// The names that entries become.
static TARGETS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/tables.targets"));

/// What is known of an entry without decoding it, and the entry once it was.
pub(super) struct LazyEntry {
    pub(super) name: &'static str,
    pub(super) kind: Kind,
    pub(super) origin: Origin,
    /// Where it begins in [`ENTRIES`].
    start: u32,
    entry: OnceLock<Box<ApiEntry>>,
}

/// The entries that are compiled in, in the order of the tables. All tables of a process share them, so each is decoded once.
pub(super) fn builtin() -> &'static [LazyEntry] {
    static BUILTIN: LazyLock<Vec<LazyEntry>> = LazyLock::new(located);
    &BUILTIN
}

/// The names and headers that the compiled-in entries become: [`ApiEntry::results`] of all, known without decoding one.
pub(super) fn builtin_targets() -> Vec<&'static str> {
    postcard::from_bytes(TARGETS).expect("the build script wrote it")
}

/// Where each entry lies, and what it is called.
fn located() -> Vec<LazyEntry> {
    let index: Vec<(Kind, u32)> = postcard::from_bytes(INDEX).expect("the build script wrote it");
    let mut start = 0;
    let lazy = |(kind, len)| {
        let packed = &ENTRIES[start as usize..];
        let entry = LazyEntry {
            name: postcard::from_bytes(packed).expect("the build script wrote it"),
            kind,
            origin: Origin::Builtin,
            start,
            entry: OnceLock::new(),
        };
        start += len;
        entry
    };
    index.into_iter().map(lazy).collect()
}

impl LazyEntry {
    /// The entry.
    pub(super) fn entry(&self) -> &ApiEntry {
        let packed = || &ENTRIES[self.start as usize..];
        self.entry.get_or_init(|| {
            Box::new(postcard::from_bytes(packed()).expect("the build script wrote it"))
        })
    }
}

impl From<(ApiEntry, Origin)> for LazyEntry {
    fn from((entry, origin): (ApiEntry, Origin)) -> Self {
        Self {
            name: entry.cuda,
            kind: entry.kind,
            origin,
            start: 0,
            entry: OnceLock::from(Box::new(entry)),
        }
    }
}
