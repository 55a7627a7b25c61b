//! Devices, contexts, limits and other things of the whole runtime. All devices are of the chip that the environment chose.

use std::cell::Cell;
use std::collections::HashSet;
use std::ffi::c_void;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use super::error::{Code, Outcome};
use super::function::Function;
use super::memory;
use super::module::function_of;
use super::raw::{self, Ptr};
use super::registry;
use super::runtime::runtime;
use super::stream;

/// Number of the first device.
pub const FIRST: i32 = 0;
/// `HIP_VERSION` of the runtime that is stood in for: 6.4.43484.
const VERSION: i32 = 60_443_484;
/// `hipLimit_t`: stack, printf buffer, heap of `malloc` in kernels.
const LIMITS: usize = 3;

thread_local! {
    static CURRENT: Cell<i32> = const { Cell::new(FIRST) };
    static CONTEXTS: Cell<usize> = const { Cell::new(0) };
}

static FLAGS: AtomicU32 = AtomicU32::new(0);
static LIMIT: [AtomicUsize; LIMITS] = [
    AtomicUsize::new(1024),
    AtomicUsize::new(4 << 20),
    AtomicUsize::new(8 << 20),
];
static PEERS: Mutex<Option<HashSet<(i32, i32)>>> = Mutex::new(None);

/// The device of the calling thread.
pub fn current() -> i32 {
    CURRENT.get()
}

/// `hipErrorInvalidDevice` for a number that no device has.
pub fn is_device(device: i32) -> Outcome {
    if (FIRST..runtime().devices).contains(&device) {
        Ok(())
    } else {
        Err(Code::INVALID_DEVICE)
    }
}

/// A context is a device here: its handle is the number and one.
fn context(device: i32) -> Ptr {
    (device as usize + 1) as Ptr
}

fn enable_peer(peer: i32, on: bool) -> Outcome {
    is_device(peer)?;
    let pair = (current(), peer);
    if pair.0 == pair.1 {
        return Err(Code::INVALID_DEVICE);
    }
    let mut peers = PEERS.lock().unwrap_or_else(PoisonError::into_inner);
    let peers = peers.get_or_insert_default();
    match (
        on,
        if on {
            peers.insert(pair)
        } else {
            peers.remove(&pair)
        },
    ) {
        (_, true) => Ok(()),
        (true, false) => Err(Code::PEER_ALREADY_ENABLED),
        (false, false) => Err(Code::PEER_NOT_ENABLED),
    }
}

fn limit(number: i32) -> Outcome<&'static AtomicUsize> {
    usize::try_from(number)
        .ok()
        .and_then(|number| LIMIT.get(number))
        .ok_or(Code::UNSUPPORTED_LIMIT)
}

layout! {
    /// HIP's `hipFuncAttributes`.
    pub struct FunctionAttributes {
        binary_version: i32,
        cache_mode: i32,
        constants: usize,
        scratch: usize,
        most_dynamic_lds: i32,
        most_threads: i32,
        registers: i32,
        carveout: i32,
        ptx_version: i32,
        lds: usize,
    }
}

fn attributes(function: &Function) -> FunctionAttributes {
    let kernel = function.kernel();
    let (major, minor) = runtime().chip.version();
    let version = major * 10 + minor;
    FunctionAttributes {
        binary_version: version,
        cache_mode: 0,
        constants: 0,
        scratch: kernel.scratch as usize,
        most_dynamic_lds: (runtime().chip.lds - kernel.lds) as i32,
        most_threads: kernel.max_threads as i32,
        registers: kernel.vgprs as i32,
        carveout: 0,
        ptx_version: version,
        lds: kernel.lds as usize,
    }
}

/// One attribute by its number in `hipFunction_attribute`.
fn attribute(function: &Function, number: i32) -> Outcome<i32> {
    let all = attributes(function);
    Ok(match number {
        0 => all.most_threads,
        1 => all.lds as i32,
        2 => all.constants as i32,
        3 => all.scratch as i32,
        4 => all.registers,
        5 => all.ptx_version,
        6 => all.binary_version,
        7 => all.cache_mode,
        8 => all.most_dynamic_lds,
        9 => all.carveout,
        _ => return Err(Code::INVALID_VALUE),
    })
}

/// `hipFuncAttributeMaxDynamicSharedMemorySize`
const MOST_DYNAMIC_LDS: i32 = 8;

fn set_attribute(kernel: *const c_void, number: i32, value: i32) -> Outcome {
    let function = registry::function(kernel)?;
    if number == MOST_DYNAMIC_LDS {
        return function.allow_dynamic_lds(value, runtime().chip.lds);
    }
    Ok(())
}

fn reset() -> Outcome {
    stream::wait_for_all();
    Ok(())
}

fn get_context(to: *mut Ptr, device: i32) -> Outcome {
    is_device(device)?;
    raw::put(to, context(device))
}

fn set_device(device: i32) -> Outcome {
    is_device(device)?;
    CURRENT.set(device);
    Ok(())
}

fn set_context(handle: Ptr) -> Outcome {
    if handle.is_null() {
        Ok(())
    } else {
        set_device((handle as usize - 1) as i32).map_err(|_| Code::INVALID_CONTEXT)
    }
}

export! {
    /// `hipInit`
    fn hipInit(flags: u32) {
        if flags == 0 { Ok(()) } else { Err(Code::INVALID_VALUE) }
    }
    /// `hipGetDeviceCount`
    fn hipGetDeviceCount(count: *mut i32) {
        raw::put(count, runtime().devices)
    }
    /// `hipGetDevice`
    fn hipGetDevice(device: *mut i32) {
        raw::put(device, current())
    }
    /// `hipSetDevice`
    fn hipSetDevice(device: i32) {
        set_device(device)
    }
    /// `hipSetValidDevices`
    fn hipSetValidDevices(devices: *const i32, count: i32) {
        raw::list(devices, usize::try_from(count).unwrap_or(0))?.into_iter().try_for_each(is_device)
    }
    /// `hipDeviceGet`
    fn hipDeviceGet(device: *mut i32, number: i32) {
        is_device(number)?;
        raw::put(device, number)
    }
    /// `hipDeviceReset`
    fn hipDeviceReset() {
        reset()
    }
    /// `hipRuntimeGetVersion`
    fn hipRuntimeGetVersion(version: *mut i32) {
        raw::put(version, VERSION)
    }
    /// `hipDriverGetVersion`
    fn hipDriverGetVersion(version: *mut i32) {
        raw::put(version, VERSION)
    }
    /// `hipSetDeviceFlags`
    fn hipSetDeviceFlags(flags: u32) {
        FLAGS.store(flags, Ordering::Relaxed);
        Ok(())
    }
    /// `hipGetDeviceFlags`
    fn hipGetDeviceFlags(flags: *mut u32) {
        raw::put(flags, FLAGS.load(Ordering::Relaxed))
    }
    /// `hipDeviceGetLimit`
    fn hipDeviceGetLimit(value: *mut usize, number: i32) {
        raw::put(value, limit(number)?.load(Ordering::Relaxed))
    }
    /// `hipDeviceSetLimit`
    fn hipDeviceSetLimit(number: i32, value: usize) {
        limit(number)?.store(value, Ordering::Relaxed);
        Ok(())
    }
    /// `hipDeviceCanAccessPeer`
    fn hipDeviceCanAccessPeer(can: *mut i32, device: i32, peer: i32) {
        is_device(device)?;
        is_device(peer)?;
        raw::put(can, i32::from(device != peer))
    }
    /// `hipDeviceEnablePeerAccess`
    fn hipDeviceEnablePeerAccess(peer: i32, flags: u32) {
        if flags != 0 { Err(Code::INVALID_VALUE) } else { enable_peer(peer, true) }
    }
    /// `hipDeviceDisablePeerAccess`
    fn hipDeviceDisablePeerAccess(peer: i32) {
        enable_peer(peer, false)
    }
    /// `hipDeviceGetP2PAttribute`
    fn hipDeviceGetP2PAttribute(value: *mut i32, number: i32, device: i32, peer: i32) {
        is_device(device)?;
        is_device(peer)?;
        raw::put(value, i32::from(number != 0 && device != peer))
    }
    /// `hipCtxEnablePeerAccess`
    fn hipCtxEnablePeerAccess(peer: Ptr, _flags: u32) {
        enable_peer(peer as i32 - 1, true)
    }
    /// `hipCtxDisablePeerAccess`
    fn hipCtxDisablePeerAccess(peer: Ptr) {
        enable_peer(peer as i32 - 1, false)
    }
    /// `hipCtxCreate`
    fn hipCtxCreate(to: *mut Ptr, _flags: u32, device: i32) {
        set_device(device)?;
        get_context(to, device)
    }
    /// `hipCtxDestroy`
    fn hipCtxDestroy(handle: Ptr) {
        if handle.is_null() { Err(Code::INVALID_VALUE) } else { Ok(()) }
    }
    /// `hipCtxGetCurrent`
    fn hipCtxGetCurrent(to: *mut Ptr) {
        get_context(to, current())
    }
    /// `hipCtxSetCurrent`
    fn hipCtxSetCurrent(handle: Ptr) {
        set_context(handle)
    }
    /// `hipCtxPushCurrent`
    fn hipCtxPushCurrent(handle: Ptr) {
        CONTEXTS.set(context(current()) as usize);
        set_context(handle)
    }
    /// `hipCtxPopCurrent`
    fn hipCtxPopCurrent(to: *mut Ptr) {
        raw::put_if(to, context(current()));
        set_context(CONTEXTS.replace(0) as Ptr)
    }
    /// `hipCtxGetDevice`
    fn hipCtxGetDevice(device: *mut i32) {
        raw::put(device, current())
    }
    /// `hipCtxGetApiVersion`
    fn hipCtxGetApiVersion(_context: Ptr, version: *mut i32) {
        raw::put(version, 4)
    }
    /// `hipCtxGetFlags`
    fn hipCtxGetFlags(flags: *mut u32) {
        raw::put(flags, FLAGS.load(Ordering::Relaxed))
    }
    /// `hipDevicePrimaryCtxRetain`
    fn hipDevicePrimaryCtxRetain(to: *mut Ptr, device: i32) {
        get_context(to, device)
    }
    /// `hipDevicePrimaryCtxRelease`
    fn hipDevicePrimaryCtxRelease(device: i32) {
        is_device(device)
    }
    /// `hipDevicePrimaryCtxReset`
    fn hipDevicePrimaryCtxReset(device: i32) {
        is_device(device)?;
        reset()
    }
    /// `hipDevicePrimaryCtxSetFlags`
    fn hipDevicePrimaryCtxSetFlags(device: i32, _flags: u32) {
        is_device(device)
    }
    /// `hipDevicePrimaryCtxGetState`
    fn hipDevicePrimaryCtxGetState(device: i32, flags: *mut u32, active: *mut i32) {
        is_device(device)?;
        raw::put_if(flags, FLAGS.load(Ordering::Relaxed));
        raw::put_if(active, 1);
        Ok(())
    }
    /// Caches are not modelled: a preference is taken and has no effect, as on AMD's chips.
    fn hipDeviceSetCacheConfig(_config: i32) { Ok(()) }
    /// As above.
    fn hipDeviceGetCacheConfig(config: *mut i32) { raw::put(config, 0) }
    /// As above.
    fn hipCtxSetCacheConfig(_config: i32) { Ok(()) }
    /// As above.
    fn hipCtxGetCacheConfig(config: *mut i32) { raw::put(config, 0) }
    /// Banks of LDS have one width.
    fn hipDeviceSetSharedMemConfig(_config: i32) { Ok(()) }
    /// As above.
    fn hipDeviceGetSharedMemConfig(config: *mut i32) { raw::put(config, 1) }
    /// As above.
    fn hipCtxSetSharedMemConfig(_config: i32) { Ok(()) }
    /// As above.
    fn hipCtxGetSharedMemConfig(config: *mut i32) { raw::put(config, 1) }
    /// As above.
    fn hipFuncSetSharedMemConfig(kernel: *const c_void, _config: i32) { registry::function(kernel).map(drop) }
    /// Caches are not modelled.
    fn hipFuncSetCacheConfig(kernel: *const c_void, _config: i32) { registry::function(kernel).map(drop) }
    /// `hipFuncSetAttribute`
    fn hipFuncSetAttribute(kernel: *const c_void, number: i32, value: i32) {
        set_attribute(kernel, number, value)
    }
    /// `hipFuncGetAttributes`
    fn hipFuncGetAttributes(to: *mut FunctionAttributes, kernel: *const c_void) {
        raw::put(to, attributes(&*registry::function(kernel)?))
    }
    /// `hipFuncGetAttribute`
    fn hipFuncGetAttribute(to: *mut i32, number: i32, function: Ptr) {
        raw::put(to, attribute(&*function_of(function)?, number)?)
    }
    /// A profiler that listens to this runtime does not exist.
    fn hipProfilerStart() { Ok(()) }
    /// As above.
    fn hipProfilerStop() { Ok(()) }
    /// `hipMemGetInfo`
    fn hipMemGetInfo(free: *mut usize, total: *mut usize) {
        raw::put_if(free, runtime().total_memory.saturating_sub(memory::used()));
        raw::put_if(total, runtime().total_memory);
        Ok(())
    }
}

/// The name of a kernel by its stand-in, for messages.
#[unsafe(no_mangle)]
pub extern "C" fn hipKernelNameRefByPtr(
    kernel: *const c_void,
    _stream: Ptr,
) -> *const std::ffi::c_char {
    let name = registry::function(kernel)
        .map(|function| function.name.clone())
        .unwrap_or_default();
    std::ffi::CString::new(name).unwrap_or_default().into_raw()
}
