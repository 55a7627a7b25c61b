//! What a device says about itself: `hipGetDeviceProperties` and `hipDeviceGetAttribute`.

use std::ffi::c_char;

use crate::device::Family;

use super::device::is_device;
use super::error::{Code, Outcome};
use super::occupancy::{self, MAX_THREADS};
use super::properties_layout::Properties;
use super::raw::{self, Ptr};
use super::runtime::runtime;

/// Clock rates in kHz, bus width in bits, bytes of the second-level cache, bit for images: what the cards' data sheets say.
struct Card {
    clock: i32,
    memory_clock: i32,
    bus: i32,
    l2: i32,
    has_images: bool,
}

fn card() -> Card {
    match runtime().chip.name {
        "gfx90a" => Card {
            clock: 1_700_000,
            memory_clock: 1_600_000,
            bus: 4096,
            l2: 8 << 20,
            has_images: true,
        },
        "gfx942" => Card {
            clock: 2_100_000,
            memory_clock: 1_300_000,
            bus: 8192,
            l2: 4 << 20,
            has_images: false,
        },
        "gfx1030" => Card {
            clock: 2_250_000,
            memory_clock: 1_000_000,
            bus: 256,
            l2: 4 << 20,
            has_images: true,
        },
        _ => Card {
            clock: 2_500_000,
            memory_clock: 1_249_000,
            bus: 384,
            l2: 6 << 20,
            has_images: true,
        },
    }
}

/// Rate of `wall_clock64` in kHz.
pub const WALL_CLOCK: i32 = 100_000;
/// Bits of `hipDeviceArch_t`: all that HIP has names for, but `hasWarpFunnelShift` … which AMD's runtime sets as well, apart from
/// dynamic parallelism (bit 16) and 3D grids' neighbours that no AMD chip has.
const ARCH: u32 = 0b0_1110_1111_1111_1111;
/// LDS and constants of the device; a launch has 64 KiB at most on all chips.
const CONSTANT_MEMORY: usize = i32::MAX as usize;
const ALIGNMENT: usize = 256;
const REGISTERS: i32 = 65536;
/// The largest textures in elements, by dimension.
const TEXTURE: i32 = 16384;
const TEXTURE_3D: i32 = 2048;

fn put_name<const N: usize>(field: &mut [u8; N], text: &str) {
    let length = text.len().min(N - 1);
    field[..length].copy_from_slice(&text.as_bytes()[..length]);
}

/// The emulated card. It says so in its name; programs that know cards by name see the chip's.
pub fn card_name() -> String {
    format!("{} (emulated)", runtime().chip.card)
}

/// The chip's name with its features, as programs compare it with what they were compiled for.
fn arch_name() -> String {
    let chip = runtime().chip;
    match chip.family {
        Family::Cdna => format!("{}:sramecc+:xnack-", chip.name),
        Family::Rdna2 | Family::Rdna3 => chip.name.to_string(),
    }
}

/// The properties of a device.
pub fn properties(device: i32) -> Properties {
    let mut all = Properties::zero();
    put_name(&mut all.name, &card_name());
    put_name(&mut all.gcn_arch_name, &arch_name());
    set_limits(&mut all);
    set_features(&mut all);
    set_clocks(&mut all);
    all.pci_bus_id = device + 1;
    all.uuid[0] = device as u8 + 1;
    all
}

fn set_limits(all: &mut Properties) {
    let chip = runtime().chip;
    let lds = chip.lds as usize;
    (all.major, all.minor) = chip.version();
    all.total_global_mem = runtime().total_memory;
    (
        all.shared_mem_per_block,
        all.shared_mem_per_block_optin,
        all.shared_mem_per_multiprocessor,
    ) = (lds, lds, lds);
    all.max_shared_memory_per_multi_processor = lds;
    (all.regs_per_block, all.regs_per_multiprocessor) = (REGISTERS, REGISTERS);
    all.warp_size = chip.wavefront as i32;
    all.max_threads_per_block = MAX_THREADS as i32;
    all.max_threads_dim = [MAX_THREADS as i32; 3];
    all.max_grid_size = [i32::MAX, 65536, 65536];
    all.multi_processor_count = chip.compute_units as i32;
    all.max_threads_per_multi_processor = occupancy::threads_of_unit() as i32;
    all.max_blocks_per_multi_processor = (occupancy::threads_of_unit() / chip.wavefront) as i32;
    (all.mem_pitch, all.total_const_mem) = (CONSTANT_MEMORY, CONSTANT_MEMORY);
    (
        all.texture_alignment,
        all.texture_pitch_alignment,
        all.surface_alignment,
    ) = (ALIGNMENT, ALIGNMENT, ALIGNMENT);
    if card().has_images {
        (all.max_texture_1d, all.max_texture_1d_linear) = (TEXTURE, i32::MAX);
        all.max_texture_2d = [TEXTURE; 2];
        all.max_texture_3d = [TEXTURE_3D; 3];
    }
}

fn set_features(all: &mut Properties) {
    for flag in [
        &mut all.device_overlap,
        &mut all.can_map_host_memory,
        &mut all.concurrent_kernels,
        &mut all.unified_addressing,
        &mut all.stream_priorities_supported,
        &mut all.managed_memory,
        &mut all.concurrent_managed_access,
        &mut all.cooperative_launch,
        &mut all.cooperative_multi_device_launch,
        &mut all.can_use_host_pointer_for_registered_mem,
        &mut all.host_register_supported,
        &mut all.memory_pools_supported,
        &mut all.is_large_bar,
    ] {
        *flag = 1;
    }
    all.async_engine_count = 2;
    all.arch = ARCH;
}

fn set_clocks(all: &mut Properties) {
    let card = card();
    (all.clock_rate, all.memory_clock_rate) = (card.clock, card.memory_clock);
    (all.memory_bus_width, all.l2_cache_size) = (card.bus, card.l2);
    all.clock_instruction_rate = WALL_CLOCK;
}

/// An attribute by its number in `hipDeviceAttribute_t`; what the properties hold is taken from there.
fn attribute(number: i32, device: i32) -> Outcome<i32> {
    let all = properties(device);
    let small = |value: usize| i32::try_from(value).unwrap_or(i32::MAX);
    Ok(match number {
        0 => all.ecc_enabled,
        2 => all.async_engine_count,
        3 => all.can_map_host_memory,
        4 => all.can_use_host_pointer_for_registered_mem,
        5 => all.clock_rate,
        8 => all.concurrent_kernels,
        9 => all.concurrent_managed_access,
        10 => all.cooperative_launch,
        11 => all.cooperative_multi_device_launch,
        12 => all.device_overlap,
        19 => all.l2_cache_size,
        23 => all.major,
        24 => all.managed_memory,
        25 => all.max_blocks_per_multi_processor,
        26..=28 | 55 | 56 => all.max_threads_per_block,
        29..=31 => all.max_grid_size[(number - 29) as usize],
        39 => all.max_texture_1d,
        41 => all.max_texture_1d_linear,
        43 | 44 => all.max_texture_2d[(number - 43) as usize],
        49..=51 => all.max_texture_3d[(number - 49) as usize],
        57 => all.max_threads_per_multi_processor,
        58 => small(all.mem_pitch),
        59 => all.memory_bus_width,
        60 => all.memory_clock_rate,
        61 => all.minor,
        63 | 10015 => all.multi_processor_count,
        67 => all.pci_bus_id,
        71 => all.regs_per_block,
        72 => all.regs_per_multiprocessor,
        74 => small(all.shared_mem_per_block),
        75 => small(all.shared_mem_per_block_optin),
        76 | 10002 => small(all.shared_mem_per_multiprocessor),
        78 => all.stream_priorities_supported,
        79 => small(all.surface_alignment),
        81 => small(all.texture_alignment),
        82 => small(all.texture_pitch_alignment),
        83 => small(all.total_const_mem),
        84 => small(all.total_global_mem),
        85 => all.unified_addressing,
        87 => all.warp_size,
        88 => all.memory_pools_supported,
        90 => all.host_register_supported,
        10000 | 10017 => WALL_CLOCK,
        10011 => all.is_large_bar,
        10013 | 10016 => 1,
        10014 => i32::from(card().has_images),
        // The others that HIP declares are features which no AMD chip has.
        0..=91 | 10000..=10017 => 0,
        _ => return Err(Code::INVALID_VALUE),
    })
}

/// Does the chip have textures?
pub fn has_images() -> bool {
    card().has_images
}

/// Picks the device that comes nearest to what is asked for: all are alike, so it is the first.
fn choose(device: *mut i32, wanted: Ptr) -> Outcome {
    if wanted.is_null() {
        return Err(Code::INVALID_VALUE);
    }
    raw::put(device, 0)
}

export! {
    /// `hipGetDeviceProperties` of ROCm 6 and later
    fn hipGetDevicePropertiesR0600(to: *mut Properties, device: i32) {
        is_device(device)?;
        raw::put(to, properties(device))
    }
    /// `hipDeviceGetAttribute`
    fn hipDeviceGetAttribute(to: *mut i32, number: i32, device: i32) {
        is_device(device)?;
        raw::put(to, attribute(number, device)?)
    }
    /// `hipChooseDevice` of ROCm 6 and later
    fn hipChooseDeviceR0600(device: *mut i32, wanted: Ptr) {
        choose(device, wanted)
    }
    /// `hipDeviceGetName`
    fn hipDeviceGetName(name: *mut c_char, room: i32, device: i32) {
        is_device(device)?;
        raw::put_text(name, usize::try_from(room).unwrap_or(0), &card_name())
    }
    /// `hipDeviceTotalMem`
    fn hipDeviceTotalMem(bytes: *mut usize, device: i32) {
        is_device(device)?;
        raw::put(bytes, runtime().total_memory)
    }
    /// `hipDeviceComputeCapability`
    fn hipDeviceComputeCapability(major: *mut i32, minor: *mut i32, device: i32) {
        is_device(device)?;
        let version = runtime().chip.version();
        raw::put(major, version.0)?;
        raw::put(minor, version.1)
    }
    /// `hipDeviceGetUuid`
    fn hipDeviceGetUuid(to: *mut [u8; 16], device: i32) {
        is_device(device)?;
        raw::put(to, properties(device).uuid)
    }
    /// `hipDeviceGetPCIBusId`
    fn hipDeviceGetPCIBusId(to: *mut c_char, room: i32, device: i32) {
        is_device(device)?;
        raw::put_text(to, usize::try_from(room).unwrap_or(0), &format!("0000:{:02x}:00.0", device + 1))
    }
    /// `hipDeviceGetByPCIBusId`
    fn hipDeviceGetByPCIBusId(device: *mut i32, name: *const c_char) {
        let name = raw::text(name)?;
        let bus = name.split(':').nth(1).and_then(|bus| i32::from_str_radix(bus, 16).ok()).ok_or(Code::INVALID_VALUE)?;
        is_device(bus - 1)?;
        raw::put(device, bus - 1)
    }
}
