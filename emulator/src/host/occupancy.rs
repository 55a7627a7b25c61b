//! Occupancy: how many groups of a kernel a compute unit holds at a time.
//!
//! Registers, wave slots and LDS are those of LLVM's AMDGPU usage page and of the ISA documents of each family.

use std::ffi::c_void;

use crate::device::Family;

use super::error::{Code, Outcome};
use super::function::Function;
use super::module::function_of;
use super::raw::{self, Ptr};
use super::registry;
use super::runtime::runtime;

/// Threads that a group has at most, on all chips.
pub const MAX_THREADS: u32 = 1024;

/// What a compute unit has.
struct Unit {
    simds: u32,
    waves_of_simd: u32,
    /// Vector registers of a lane that the waves of a SIMD share.
    registers: u32,
    /// Registers are handed out in multiples of this.
    granule: u32,
}

impl Unit {
    fn of(family: Family) -> Unit {
        match family {
            Family::Cdna => Unit {
                simds: 4,
                waves_of_simd: 8,
                registers: 512,
                granule: 8,
            },
            Family::Rdna2 => Unit {
                simds: 2,
                waves_of_simd: 16,
                registers: 1024,
                granule: 8,
            },
            Family::Rdna3 => Unit {
                simds: 2,
                waves_of_simd: 16,
                registers: 1536,
                granule: 24,
            },
        }
    }
}

/// Threads that a compute unit holds at most.
pub fn threads_of_unit() -> u32 {
    let unit = Unit::of(runtime().chip.family);
    unit.simds * unit.waves_of_simd * runtime().chip.wavefront
}

/// Groups of a kernel that one compute unit holds at a time.
pub fn groups_of_unit(function: &Function, threads: u32, dynamic_lds: usize) -> u32 {
    let (kernel, chip) = (function.kernel(), runtime().chip);
    let unit = Unit::of(chip.family);
    let registers = kernel.vgprs.max(1).next_multiple_of(unit.granule);
    let waves_of_simd = (unit.registers / registers).clamp(1, unit.waves_of_simd);
    let waves_of_group = threads.div_ceil(kernel.wavefront.max(1)).max(1);
    let by_registers = waves_of_simd * unit.simds / waves_of_group;
    let lds = u64::from(kernel.lds) + dynamic_lds as u64;
    let by_lds = u64::from(chip.lds).checked_div(lds).unwrap_or(u64::MAX);
    by_registers.min(u32::try_from(by_lds).unwrap_or(u32::MAX))
}

/// Groups of a kernel that the whole device holds at a time, as a cooperative launch needs it.
pub fn groups_at_once(function: &Function, threads: u32, dynamic_lds: usize) -> u64 {
    u64::from(groups_of_unit(function, threads, dynamic_lds))
        * u64::from(runtime().chip.compute_units)
}

fn active(result: *mut i32, function: &Function, threads: i32, dynamic_lds: usize) -> Outcome {
    let threads = u32::try_from(threads)
        .ok()
        .filter(|&threads| threads > 0)
        .ok_or(Code::INVALID_VALUE)?;
    let groups = if threads > MAX_THREADS {
        0
    } else {
        groups_of_unit(function, threads, dynamic_lds)
    };
    raw::put(result, groups as i32)
}

/// The group size with the most waves on a compute unit, the largest of equals, and the groups that fill the device.
fn best(
    grid: *mut i32,
    block: *mut i32,
    function: &Function,
    dynamic_lds: usize,
    limit: i32,
) -> Outcome {
    let kernel = function.kernel();
    let most = if kernel.max_threads == 0 {
        MAX_THREADS
    } else {
        kernel.max_threads.min(MAX_THREADS)
    };
    let most = u32::try_from(limit)
        .ok()
        .filter(|&limit| limit > 0)
        .map_or(most, |limit| limit.min(most));
    let wave = kernel.wavefront.max(1);
    let sizes = (1..=most.div_ceil(wave)).map(|waves| (waves * wave).min(most));
    let size = sizes
        .max_by_key(|&size| (groups_of_unit(function, size, dynamic_lds) * size, size))
        .unwrap_or(most);
    raw::put(block, size as i32)?;
    raw::put(grid, groups_at_once(function, size, dynamic_lds) as i32)
}

export! {
    /// `hipOccupancyMaxActiveBlocksPerMultiprocessor`
    fn hipOccupancyMaxActiveBlocksPerMultiprocessor(groups: *mut i32, kernel: *const c_void, threads: i32, lds: usize) {
        active(groups, &*registry::function(kernel)?, threads, lds)
    }
    /// `hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags`
    fn hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        groups: *mut i32, kernel: *const c_void, threads: i32, lds: usize, _flags: u32,
    ) {
        active(groups, &*registry::function(kernel)?, threads, lds)
    }
    /// `hipModuleOccupancyMaxActiveBlocksPerMultiprocessor`
    fn hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(groups: *mut i32, function: Ptr, threads: i32, lds: usize) {
        active(groups, &*function_of(function)?, threads, lds)
    }
    /// `hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags`
    fn hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        groups: *mut i32, function: Ptr, threads: i32, lds: usize, _flags: u32,
    ) {
        active(groups, &*function_of(function)?, threads, lds)
    }
    /// `hipOccupancyMaxPotentialBlockSize`
    fn hipOccupancyMaxPotentialBlockSize(grid: *mut i32, block: *mut i32, kernel: *const c_void, lds: usize, limit: i32) {
        best(grid, block, &*registry::function(kernel)?, lds, limit)
    }
    /// `hipModuleOccupancyMaxPotentialBlockSize`
    fn hipModuleOccupancyMaxPotentialBlockSize(grid: *mut i32, block: *mut i32, function: Ptr, lds: usize, limit: i32) {
        best(grid, block, &*function_of(function)?, lds, limit)
    }
    /// `hipModuleOccupancyMaxPotentialBlockSizeWithFlags`
    fn hipModuleOccupancyMaxPotentialBlockSizeWithFlags(
        grid: *mut i32, block: *mut i32, function: Ptr, lds: usize, limit: i32, _flags: u32,
    ) {
        best(grid, block, &*function_of(function)?, lds, limit)
    }
}
