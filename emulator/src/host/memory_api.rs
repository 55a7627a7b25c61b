//! `hipMalloc` and its kin, `hipFree`, what a pointer is, managed memory, pools.

use std::ffi::c_void;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::device::Kind;

use super::copy::Extent;
use super::device::{current, is_device};
use super::error::{Code, Outcome};
use super::handles::Handles;
use super::memory;
use super::raw::{self, Ptr};
use super::stream;
use super::work::Work;

/// Rows of pitched memory begin at multiples of this.
pub const PITCH: usize = 256;
/// `hipHostMallocMapped` and the like: all known bits.
const HOST_FLAGS: u32 = 0x1f | 0x2000_0000 | 0x4000_0000 | 0x8000_0000;

layout! {
    /// HIP's `hipPitchedPtr`.
    pub struct Pitched {
        /// First byte.
        pub address: usize,
        /// Bytes from row to row.
        pub pitch: usize,
        /// Bytes of a row that count.
        pub width: usize,
        /// Rows of a slice.
        pub height: usize,
    }
}

layout! {
    /// HIP's `hipPointerAttribute_t`.
    pub struct PointerAttributes {
        kind: i32,
        device: i32,
        device_pointer: usize,
        host_pointer: usize,
        is_managed: i32,
        flags: u32,
    }
}

/// `hipMemoryType`: unregistered, host, device, managed.
const UNREGISTERED: i32 = 0;
const HOST: i32 = 1;
const DEVICE: i32 = 2;
const MANAGED: i32 = 3;

fn allocate(to: *mut usize, len: usize, kind: Kind, flags: u32) -> Outcome {
    if to.is_null() {
        return Err(Code::INVALID_VALUE);
    }
    if len == 0 {
        return raw::put(to, 0);
    }
    let result = memory::allocate(len, kind, flags, current());
    raw::put(to, *result.as_ref().unwrap_or(&0))?;
    result.map(drop)
}

fn allocate_host(to: *mut usize, len: usize, flags: u32) -> Outcome {
    if flags & !HOST_FLAGS != 0 {
        return Err(Code::INVALID_VALUE);
    }
    allocate(to, len, Kind::Host, flags)
}

/// Frees at once: what runs may still use the memory, so it is waited for, as the real runtime does.
fn free(address: usize) -> Outcome {
    if address == 0 {
        return Ok(());
    }
    stream::wait_for_all();
    memory::free(address).map(drop)
}

/// Frees in the order of a stream.
fn free_later(address: usize, handle: Ptr) -> Outcome {
    if memory::find(address).is_none_or(|block| block.base != address) {
        return Err(Code::INVALID_VALUE);
    }
    stream::give(handle, Work::Free(address), false)
}

/// Memory of a stream is there at once; while a graph is captured a node stands for it.
fn allocate_in_stream(to: *mut usize, len: usize, handle: Ptr) -> Outcome {
    allocate(to, len, Kind::Device, 0)?;
    if stream::find(handle)?.capture().is_some() {
        return stream::give(handle, Work::Allocated(raw::get(to)?), false);
    }
    Ok(())
}

fn pitched(to: *mut usize, pitch: *mut usize, width: usize, height: usize) -> Outcome {
    let row = width
        .checked_next_multiple_of(PITCH)
        .ok_or(Code::INVALID_VALUE)?;
    raw::put(pitch, row)?;
    allocate(
        to,
        row.checked_mul(height).ok_or(Code::INVALID_VALUE)?,
        Kind::Device,
        0,
    )
}

fn pitched_3d(to: *mut Pitched, extent: Extent) -> Outcome {
    let pitch = extent
        .width
        .checked_next_multiple_of(PITCH)
        .ok_or(Code::INVALID_VALUE)?;
    let size = pitch
        .checked_mul(extent.height)
        .and_then(|slice| slice.checked_mul(extent.depth))
        .ok_or(Code::INVALID_VALUE)?;
    let mut address = 0;
    allocate(&mut address, size, Kind::Device, 0)?;
    raw::put(
        to,
        Pitched {
            address,
            pitch,
            width: extent.width,
            height: extent.height,
        },
    )
}

fn attributes(address: usize) -> PointerAttributes {
    let Some(block) = memory::find(address) else {
        let is_variable = memory::range_of(address).is_some();
        let kind = if is_variable { DEVICE } else { UNREGISTERED };
        let (device, known) = if is_variable { (0, address) } else { (-2, 0) };
        return PointerAttributes {
            kind,
            device,
            device_pointer: known,
            host_pointer: known,
            is_managed: 0,
            flags: 0,
        };
    };
    let kind = match block.kind {
        Kind::Managed => MANAGED,
        Kind::Host => HOST,
        _ => DEVICE,
    };
    PointerAttributes {
        kind,
        device: block.device,
        device_pointer: address,
        host_pointer: if kind == DEVICE { 0 } else { address },
        is_managed: i32::from(kind == MANAGED),
        flags: block.flags,
    }
}

/// One attribute by its number in `hipPointer_attribute`.
fn attribute(to: Ptr, number: u32, address: usize) -> Outcome {
    let all = attributes(address);
    if all.kind == UNREGISTERED {
        return Err(Code::INVALID_VALUE);
    }
    let block = memory::find(address);
    match number {
        1 => raw::put(to.cast(), current() as usize + 1),
        2 => raw::put(to.cast(), all.kind),
        3 => raw::put(to.cast(), all.device_pointer),
        4 => raw::put(to.cast(), all.host_pointer),
        8 => raw::put(to.cast(), all.is_managed),
        9 => raw::put(to.cast(), all.device),
        11 => raw::put(to.cast(), block.map_or(address, |block| block.base)),
        12 => raw::put(to.cast(), block.map_or(0, |block| block.len)),
        13 => raw::put(to.cast(), 1_i32),
        _ => Err(Code::NOT_SUPPORTED),
    }
}

/// `hipHostGetDevicePointer`: the same address serves both sides.
fn device_pointer(to: *mut usize, address: usize) -> Outcome {
    match memory::find(address) {
        Some(block) if block.kind != Kind::Device => raw::put(to, address),
        _ => Err(Code::INVALID_VALUE),
    }
}

fn check_managed(address: usize, len: usize) -> Outcome {
    if len == 0 || memory::range_of(address).is_none() || !memory::fits(address, len) {
        Err(Code::INVALID_VALUE)
    } else {
        Ok(())
    }
}

/// A pool. Memory of a pool is memory like any other; its attributes are kept for those who ask.
#[derive(Default)]
pub struct Pool {
    release_threshold: AtomicU64,
}

static POOLS: Handles<Pool> = Handles::new();
/// `hipMemPoolAttrReleaseThreshold`; 1 to 3 are switches of reuse, 5 to 8 figures of use.
const RELEASE_THRESHOLD: u32 = 4;

fn default_pool() -> Ptr {
    static POOL: std::sync::OnceLock<usize> = std::sync::OnceLock::new();
    *POOL.get_or_init(|| POOLS.insert(Arc::default()) as usize) as Ptr
}

fn pool_attribute(pool: &Pool, number: u32, to: Ptr) -> Outcome {
    match number {
        1..=3 => raw::put(to.cast(), 1_i32),
        RELEASE_THRESHOLD => raw::put(to.cast(), pool.release_threshold.load(Ordering::Relaxed)),
        5..=8 => raw::put(to.cast(), memory::used() as u64),
        _ => Err(Code::INVALID_VALUE),
    }
}

fn set_pool_attribute(pool: &Pool, number: u32, from: Ptr) -> Outcome {
    match number {
        RELEASE_THRESHOLD => pool
            .release_threshold
            .store(raw::get(from.cast())?, Ordering::Relaxed),
        1..=8 => {}
        _ => return Err(Code::INVALID_VALUE),
    }
    Ok(())
}

export! {
    /// `hipMalloc`
    fn hipMalloc(to: *mut usize, len: usize) { allocate(to, len, Kind::Device, 0) }
    /// `hipExtMallocWithFlags`
    fn hipExtMallocWithFlags(to: *mut usize, len: usize, flags: u32) { allocate(to, len, Kind::Device, flags) }
    /// `hipMallocManaged`
    fn hipMallocManaged(to: *mut usize, len: usize, flags: u32) {
        if len == 0 || !(1..=2).contains(&flags) { Err(Code::INVALID_VALUE) } else { allocate(to, len, Kind::Managed, flags) }
    }
    /// `hipHostMalloc`
    fn hipHostMalloc(to: *mut usize, len: usize, flags: u32) { allocate_host(to, len, flags) }
    /// `hipHostAlloc`
    fn hipHostAlloc(to: *mut usize, len: usize, flags: u32) { allocate_host(to, len, flags) }
    /// `hipMallocHost`
    fn hipMallocHost(to: *mut usize, len: usize) { allocate_host(to, len, 0) }
    /// `hipMemAllocHost`
    fn hipMemAllocHost(to: *mut usize, len: usize) { allocate_host(to, len, 0) }
    /// `hipMallocPitch`
    fn hipMallocPitch(to: *mut usize, pitch: *mut usize, width: usize, height: usize) { pitched(to, pitch, width, height) }
    /// `hipMemAllocPitch`
    fn hipMemAllocPitch(to: *mut usize, pitch: *mut usize, width: usize, height: usize, _element: u32) {
        pitched(to, pitch, width, height)
    }
    /// `hipMalloc3D`
    fn hipMalloc3D(to: *mut Pitched, extent: Extent) { pitched_3d(to, extent) }
    /// `hipMallocAsync`
    fn hipMallocAsync(to: *mut usize, len: usize, stream: Ptr) { allocate_in_stream(to, len, stream) }
    /// `hipMallocFromPoolAsync`
    fn hipMallocFromPoolAsync(to: *mut usize, len: usize, pool: Ptr, stream: Ptr) {
        POOLS.get(pool)?;
        allocate_in_stream(to, len, stream)
    }
    /// `hipFree`
    fn hipFree(address: usize) { free(address) }
    /// `hipFreeAsync`
    fn hipFreeAsync(address: usize, stream: Ptr) { free_later(address, stream) }
    /// `hipHostFree`
    fn hipHostFree(address: usize) { free(address) }
    /// `hipFreeHost`
    fn hipFreeHost(address: usize) { free(address) }
    /// `hipHostRegister`
    fn hipHostRegister(address: usize, len: usize, flags: u32) { memory::register(address, len, flags) }
    /// `hipHostUnregister`
    fn hipHostUnregister(address: usize) {
        stream::wait_for_all();
        memory::unregister(address)
    }
    /// `hipHostGetDevicePointer`
    fn hipHostGetDevicePointer(to: *mut usize, address: usize, _flags: u32) { device_pointer(to, address) }
    /// `hipHostGetFlags`
    fn hipHostGetFlags(flags: *mut u32, address: usize) {
        let block = memory::find(address).filter(|block| block.kind == Kind::Host).ok_or(Code::INVALID_VALUE)?;
        raw::put(flags, block.flags)
    }
    /// `hipPointerGetAttributes`
    fn hipPointerGetAttributes(to: *mut PointerAttributes, address: usize) {
        if address == 0 { Err(Code::INVALID_VALUE) } else { raw::put(to, attributes(address)) }
    }
    /// `hipPointerGetAttribute`
    fn hipPointerGetAttribute(to: Ptr, number: u32, address: usize) { attribute(to, number, address) }
    /// `hipDrvPointerGetAttributes`
    fn hipDrvPointerGetAttributes(count: u32, numbers: *const u32, to: *const Ptr, address: usize) {
        let numbers = raw::list(numbers, count as usize)?;
        let to = raw::list(to, count as usize)?;
        numbers.into_iter().zip(to).try_for_each(|(number, to)| attribute(to, number, address))
    }
    /// `hipMemGetAddressRange`
    fn hipMemGetAddressRange(base: *mut usize, len: *mut usize, address: usize) {
        let block = memory::find(address).ok_or(Code::NOT_FOUND)?;
        raw::put_if(base, block.base);
        raw::put_if(len, block.len);
        Ok(())
    }
    /// `hipMemPtrGetInfo`
    fn hipMemPtrGetInfo(address: usize, len: *mut usize) {
        raw::put(len, memory::find(address).ok_or(Code::INVALID_VALUE)?.len)
    }
    /// Managed memory is at both sides at once: nothing moves.
    fn hipMemPrefetchAsync(address: usize, len: usize, _device: i32, stream: Ptr) {
        check_managed(address, len)?;
        stream::find(stream).map(drop)
    }
    /// As above.
    fn hipMemAdvise(address: usize, len: usize, _advice: u32, _device: i32) { check_managed(address, len) }
    /// `hipDeviceGetDefaultMemPool`
    fn hipDeviceGetDefaultMemPool(pool: *mut Ptr, device: i32) {
        is_device(device)?;
        raw::put(pool, default_pool())
    }
    /// `hipDeviceGetMemPool`
    fn hipDeviceGetMemPool(pool: *mut Ptr, device: i32) {
        is_device(device)?;
        raw::put(pool, default_pool())
    }
    /// `hipDeviceSetMemPool`
    fn hipDeviceSetMemPool(device: i32, pool: Ptr) {
        is_device(device)?;
        POOLS.get(pool).map(drop)
    }
    /// `hipMemPoolCreate`
    fn hipMemPoolCreate(pool: *mut Ptr, _properties: *const c_void) { raw::put(pool, POOLS.insert(Arc::default())) }
    /// `hipMemPoolDestroy`
    fn hipMemPoolDestroy(pool: Ptr) { POOLS.remove(pool).map(drop) }
    /// `hipMemPoolTrimTo`: freed memory is given back at once.
    fn hipMemPoolTrimTo(pool: Ptr, _keep: usize) { POOLS.get(pool).map(drop) }
    /// `hipMemPoolSetAccess`: every device reaches everything.
    fn hipMemPoolSetAccess(pool: Ptr, _list: *const c_void, _count: usize) { POOLS.get(pool).map(drop) }
    /// `hipMemPoolGetAccess`: read and write.
    fn hipMemPoolGetAccess(flags: *mut u32, pool: Ptr, _location: *const c_void) {
        POOLS.get(pool)?;
        raw::put(flags, 3)
    }
    /// `hipMemPoolGetAttribute`
    fn hipMemPoolGetAttribute(pool: Ptr, number: u32, to: Ptr) { pool_attribute(&*POOLS.get(pool)?, number, to) }
    /// `hipMemPoolSetAttribute`
    fn hipMemPoolSetAttribute(pool: Ptr, number: u32, from: Ptr) { set_pool_attribute(&*POOLS.get(pool)?, number, from) }
}
