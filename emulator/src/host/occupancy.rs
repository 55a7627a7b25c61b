//! Occupancy: how many groups of a kernel a compute unit holds at a time.
//!
//! Registers, wave slots and LDS are those of LLVM's AMDGPU usage page and of the ISA documents of each family.

use std::ffi::c_void;

use serde::Serialize;

use crate::device::{Chip, Family, Kernel};

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
    /// Scalar registers that the waves of a SIMD share, handed out in multiples of 16; none where each wave has its own.
    scalars: Option<u32>,
}

impl Unit {
    fn of(family: Family) -> Unit {
        match family {
            Family::Cdna => Unit {
                simds: 4,
                waves_of_simd: 8,
                registers: 512,
                granule: 8,
                scalars: Some(800),
            },
            Family::Rdna2 => Unit {
                simds: 2,
                waves_of_simd: 16,
                registers: 1024,
                granule: 16,
                scalars: None,
            },
            Family::Rdna3 => Unit {
                simds: 2,
                waves_of_simd: 16,
                registers: 1536,
                granule: 24,
                scalars: None,
            },
        }
    }

    /// Waves of a SIMD that have room for their vector registers. On RDNA those of 64 lanes take twice the room, in steps of half.
    fn waves_by_vector_registers(&self, kernel: &Kernel) -> u32 {
        let is_wide_on_rdna = self.scalars.is_none() && kernel.wavefront == 64;
        let share = if is_wide_on_rdna { 2 } else { 1 };
        let registers = kernel.vgprs.max(1).next_multiple_of(self.granule / share);
        (self.registers / share / registers).clamp(1, self.waves_of_simd)
    }

    /// Waves of a SIMD that have room for their scalar registers.
    fn waves_by_scalar_registers(&self, kernel: &Kernel) -> u32 {
        self.scalars.map_or(self.waves_of_simd, |all| {
            (all / kernel.sgprs.max(1).next_multiple_of(16)).clamp(1, self.waves_of_simd)
        })
    }
}

/// Threads that a compute unit holds at most.
pub fn threads_of_unit() -> u32 {
    let unit = Unit::of(runtime().chip.family);
    unit.simds * unit.waves_of_simd * runtime().chip.wavefront
}

/// What keeps more waves from a compute unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Limit {
    /// It holds as many as it has room for at most.
    #[default]
    Slots,
    /// Vector registers.
    VectorRegisters,
    /// Scalar registers.
    ScalarRegisters,
    /// LDS of the groups.
    Lds,
    /// Groups do not divide what is left.
    GroupSize,
}

/// How many waves of a kernel a compute unit holds at a time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Occupancy {
    /// Groups.
    pub groups: u32,
    /// Waves.
    pub waves: u32,
    /// Waves that it holds at most.
    pub most: u32,
    /// What keeps more from it.
    pub limit: Limit,
}

/// The occupancy of a kernel in groups of so many threads.
pub fn of(kernel: &Kernel, chip: &Chip, threads: u32, dynamic_lds: usize) -> Occupancy {
    let unit = Unit::of(chip.family);
    let most = unit.simds * unit.waves_of_simd;
    let waves_of_group = threads.div_ceil(kernel.wavefront.max(1)).max(1);
    let by_vectors = unit.waves_by_vector_registers(kernel);
    let by_scalars = unit.waves_by_scalar_registers(kernel);
    let by_registers = by_vectors.min(by_scalars) * unit.simds / waves_of_group;
    let lds = u64::from(kernel.lds) + dynamic_lds as u64;
    let by_lds = u64::from(chip.lds).checked_div(lds).unwrap_or(u64::MAX);
    let by_lds = u32::try_from(by_lds).unwrap_or(u32::MAX);
    let groups = by_registers.min(by_lds);
    let limit = if groups * waves_of_group == most {
        Limit::Slots
    } else if by_lds < by_registers {
        Limit::Lds
    } else if by_vectors < unit.waves_of_simd && by_vectors <= by_scalars {
        Limit::VectorRegisters
    } else if by_scalars < unit.waves_of_simd {
        Limit::ScalarRegisters
    } else {
        Limit::GroupSize
    };
    Occupancy {
        groups,
        waves: groups * waves_of_group,
        most,
        limit,
    }
}

/// Groups of a kernel that one compute unit holds at a time.
pub fn groups_of_unit(function: &Function, threads: u32, dynamic_lds: usize) -> u32 {
    of(function.kernel(), &runtime().chip, threads, dynamic_lds).groups
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

#[cfg(test)]
mod tests {
    use super::*;

    fn kernel(wavefront: u32, vgprs: u32, sgprs: u32, lds: u32) -> Kernel {
        Kernel {
            name: "k".to_owned(),
            symbol: "k.kd".to_owned(),
            argument_bytes: 0,
            wavefront,
            lds,
            scratch: 0,
            vgprs,
            sgprs,
            agprs: 0,
            vgpr_spills: 0,
            sgpr_spills: 0,
            max_threads: 1024,
            dynamic_stack: false,
            arguments: Vec::new(),
        }
    }

    fn waves(chip: &str, kernel: &Kernel, threads: u32) -> (u32, Limit) {
        let chip = Chip::named(chip).unwrap();
        let found = of(kernel, &chip, threads, 0);
        (found.waves, found.limit)
    }

    #[test]
    fn what_limits_the_waves_of_a_compute_unit_is_named() {
        // 4 SIMDs of 8 waves; 512 vector registers in steps of 8, 800 scalar registers in steps of 16.
        assert_eq!(
            waves("gfx90a", &kernel(64, 64, 32, 0), 256),
            (32, Limit::Slots)
        );
        assert_eq!(
            waves("gfx90a", &kernel(64, 65, 32, 0), 256),
            (28, Limit::VectorRegisters)
        );
        assert_eq!(
            waves("gfx90a", &kernel(64, 256, 32, 0), 256),
            (8, Limit::VectorRegisters)
        );
        assert_eq!(
            waves("gfx90a", &kernel(64, 32, 106, 0), 64),
            (28, Limit::ScalarRegisters)
        );
        assert_eq!(
            waves("gfx90a", &kernel(64, 32, 32, 20_000), 256),
            (12, Limit::Lds)
        );
        assert_eq!(
            waves("gfx90a", &kernel(64, 32, 32, 0), 320),
            (30, Limit::GroupSize)
        );
        // 2 SIMDs of 16 waves; 1024 registers in steps of 16, 1536 in steps of 24.
        assert_eq!(
            waves("gfx1030", &kernel(32, 72, 106, 0), 256),
            (24, Limit::VectorRegisters)
        );
        assert_eq!(
            waves("gfx1030", &kernel(64, 72, 106, 0), 64),
            (14, Limit::VectorRegisters)
        );
        assert_eq!(
            waves("gfx1100", &kernel(32, 97, 106, 0), 32),
            (24, Limit::VectorRegisters)
        );
    }
}
