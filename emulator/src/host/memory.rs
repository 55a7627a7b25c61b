//! Memory of all kinds. A device pointer is a pointer of this process; the table of the device knows every range that was allocated.
//!
//! Every allocation has a gap in front and behind that belongs to nobody, so that an access past an end is a fault of the kernel and
//! never lands in a neighbour. Small ones come from the allocator, large ones from the system, which gives pages as they are touched.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::device::Kind;

use super::error::{Code, Outcome};
use super::raw;
use super::runtime::runtime;

/// Alignment of what HIP allocates; the program may rely on 256 bytes.
const ALIGN: usize = 4096;
/// Bytes that belong to nobody on both sides of an allocation.
const GAP: usize = 4096;
/// Below this the gap is smaller, so that programs with many small allocations fit.
const SMALL: usize = 65536;
const SMALL_ALIGN: usize = 256;

/// What the host side knows of an allocation beyond the device's table.
#[derive(Clone, Copy, Debug)]
pub struct Block {
    /// First byte.
    pub base: usize,
    /// Bytes that were asked for.
    pub len: usize,
    /// Flags it was made with (`hipHostMallocPortable` and so on).
    pub flags: u32,
    /// The kind.
    pub kind: Kind,
    /// Number of the device it belongs to.
    pub device: i32,
    /// The program's own memory (`hipHostRegister`), which is not freed here.
    registered: bool,
}

static BLOCKS: Mutex<BTreeMap<usize, Block>> = Mutex::new(BTreeMap::new());
static USED: AtomicUsize = AtomicUsize::new(0);

fn shape(len: usize) -> Option<(Layout, usize)> {
    let (align, gap) = if len < SMALL {
        (SMALL_ALIGN, SMALL_ALIGN)
    } else {
        (ALIGN, GAP)
    };
    let whole = len.checked_add(2 * gap)?.checked_next_multiple_of(align)?;
    Some((Layout::from_size_align(whole, align).ok()?, gap))
}

/// Bytes of device memory in use.
pub fn used() -> usize {
    USED.load(Ordering::Relaxed)
}

/// Allocates; the memory is zero, or filled with the byte of `HIP_EMULATOR_FILL`, since a program may rely on neither.
pub fn allocate(len: usize, kind: Kind, flags: u32, device: i32) -> Outcome<usize> {
    if used().saturating_add(len) > runtime().total_memory {
        return Err(Code::OUT_OF_MEMORY);
    }
    let (layout, gap) = shape(len).ok_or(Code::OUT_OF_MEMORY)?;
    // SAFETY: the layout is not empty, it holds two gaps.
    let start = unsafe { alloc_zeroed(layout) } as usize;
    if start == 0 {
        return Err(Code::OUT_OF_MEMORY);
    }
    let base = start + gap;
    if let (Some(byte), Kind::Device) = (runtime().fill, kind) {
        raw::fill(base, u32::from(byte), 1, len);
    }
    enter(Block {
        base,
        len,
        flags,
        kind,
        device,
        registered: false,
    });
    USED.fetch_add(len, Ordering::Relaxed);
    Ok(base)
}

fn enter(block: Block) {
    BLOCKS
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .insert(block.base, block);
    runtime()
        .memory
        .add(block.base as u64, block.len as u64, block.kind);
}

/// Frees what `allocate` gave; only its first byte will do.
pub fn free(base: usize) -> Outcome<Block> {
    let mut blocks = BLOCKS.lock().unwrap_or_else(PoisonError::into_inner);
    let block = blocks
        .get(&base)
        .copied()
        .filter(|block| !block.registered)
        .ok_or(Code::INVALID_VALUE)?;
    blocks.remove(&base);
    runtime().memory.remove(base as u64);
    USED.fetch_sub(block.len, Ordering::Relaxed);
    let (layout, gap) = shape(block.len).ok_or(Code::INVALID_VALUE)?;
    // SAFETY: allocated above with the same layout, and taken from the table just now.
    unsafe { dealloc((base - gap) as *mut u8, layout) };
    Ok(block)
}

/// Makes memory of the program known to the device (`hipHostRegister`).
pub fn register(base: usize, len: usize, flags: u32) -> Outcome {
    if base == 0 || len == 0 {
        return Err(Code::INVALID_VALUE);
    }
    if find(base).is_some() {
        return Err(Code::ALREADY_REGISTERED);
    }
    enter(Block {
        base,
        len,
        flags,
        kind: Kind::Host,
        device: 0,
        registered: true,
    });
    Ok(())
}

/// Forgets what `register` made known.
pub fn unregister(base: usize) -> Outcome {
    let mut blocks = BLOCKS.lock().unwrap_or_else(PoisonError::into_inner);
    match blocks.get(&base) {
        Some(block) if block.registered => {
            blocks.remove(&base);
            runtime().memory.remove(base as u64);
            Ok(())
        }
        _ => Err(Code::NOT_REGISTERED),
    }
}

/// The allocation that holds an address. An address of a code object's variable is none.
pub fn find(address: usize) -> Option<Block> {
    let blocks = BLOCKS.lock().unwrap_or_else(PoisonError::into_inner);
    let (_, block) = blocks.range(..=address).next_back()?;
    (address < block.base + block.len.max(1)).then_some(*block)
}

/// The range of known memory of any kind (allocations, variables of code objects) that holds an address: its base, end and kind.
pub fn range_of(address: usize) -> Option<(usize, usize, Kind)> {
    let found = runtime().memory.find(address as u64)?;
    Some((found.base as usize, found.end() as usize, found.kind))
}

/// May `len` bytes from an address on be touched, as far as HIP knows? Memory that it does not know is the program's own.
pub fn fits(address: usize, len: usize) -> bool {
    range_of(address).is_none_or(|(_, end, _)| len <= end - address)
}
