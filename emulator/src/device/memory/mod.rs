//! The table of memory that kernels may touch. Device pointers are pointers of this process.

pub(crate) mod hostcall;
pub(crate) mod image;
pub(crate) mod lds;
pub(crate) mod scratch;
pub(crate) mod shadow;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{PoisonError, RwLock};

/// What an allocation is, for messages and for `hipPointerGetAttributes`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `hipMalloc` and its kin.
    Device,
    /// Pinned or registered memory of the host.
    Host,
    /// `hipMallocManaged` and managed variables.
    Managed,
    /// Segments of a code object: its text, constants and variables.
    CodeObject,
    /// Arguments, packets and buffers of the runtime.
    Runtime,
}

/// One range of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allocation {
    /// Address of the first byte.
    pub base: u64,
    /// Length in bytes.
    pub len: u64,
    /// What it is.
    pub kind: Kind,
}

impl Allocation {
    /// Address after the last byte.
    pub fn end(&self) -> u64 {
        self.base + self.len
    }
}

/// All memory that kernels may touch. Shared by the host side, which fills it in, and all devices.
#[derive(Debug, Default)]
pub struct Memory {
    table: RwLock<BTreeMap<u64, Allocation>>,
    /// Grows with each change, so that a range looked up before is known to be stale.
    epoch: AtomicU64,
}

impl Memory {
    /// An empty table.
    pub fn new() -> Memory {
        Memory::default()
    }

    /// Allows kernels to touch `len` bytes from `base`, which stay valid until [`Memory::remove`]. Replaces an entry of that base.
    pub fn add(&self, base: u64, len: u64, kind: Kind) {
        self.table
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(base, Allocation { base, len, kind });
        self.epoch.fetch_add(1, Ordering::Release);
    }

    /// Forgets the allocation that begins at `base` and gives it back.
    pub fn remove(&self, base: u64) -> Option<Allocation> {
        let gone = self
            .table
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .remove(&base);
        self.epoch.fetch_add(1, Ordering::Release);
        gone
    }

    /// The allocation that holds the byte at `address`.
    pub fn find(&self, address: u64) -> Option<Allocation> {
        let table = self.table.read().unwrap_or_else(PoisonError::into_inner);
        let (_, found) = table.range(..=address).next_back()?;
        (address < found.end()).then_some(*found)
    }

    /// A sentence on what lies around an address that belongs to none.
    pub fn around(&self, address: u64) -> String {
        let table = self.table.read().unwrap_or_else(PoisonError::into_inner);
        let before = table.range(..=address).next_back().map(|(_, a)| {
            format!(
                "{} bytes after the end of {} bytes of {:?} memory",
                address.saturating_sub(a.end()),
                a.len,
                a.kind
            )
        });
        let after = table.range(address..).next().map(|(_, a)| {
            format!(
                "{} bytes before {} bytes of {:?} memory",
                a.base - address,
                a.len,
                a.kind
            )
        });
        let near: Vec<String> = [before, after].into_iter().flatten().collect();
        if near.is_empty() {
            "nothing is allocated".to_string()
        } else {
            near.join(", ")
        }
    }

    /// A number that changes with every change of the table.
    pub(crate) fn epoch(&self) -> u64 {
        self.epoch.load(Ordering::Acquire)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_past_the_end_belongs_to_nothing() {
        let memory = Memory::new();
        memory.add(0x1000, 0x10, Kind::Device);
        assert_eq!(memory.find(0x100f).map(|a| a.base), Some(0x1000));
        assert_eq!(memory.find(0x1010), None);
        assert!(
            memory
                .around(0x1010)
                .contains("0 bytes after the end of 16 bytes")
        );
        memory.remove(0x1000);
        assert_eq!(memory.find(0x1000), None);
    }
}
