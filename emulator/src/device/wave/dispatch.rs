//! What a kernel finds when it starts: its arguments, the dispatch packet, the first registers.

use std::sync::Arc;

use crate::device::memory::{Kind, Memory};
use crate::device::model::chip::Family;
use crate::device::model::descriptor::Descriptor;
use crate::device::model::metadata::Kernel;
use crate::device::model::request::Launch;
use crate::device::wave::{PRIVATE_HIGH, SCRATCH_BASE, SHARED_HIGH, Wave};

/// Bytes of the dispatch packet, and of what `hidden_multigrid_sync_arg` points at.
const PACKET: usize = 64;
const GRID_SYNC: usize = 64;

/// Arguments and packet of a launch, in the table of memory while it runs.
pub(crate) struct Dispatch {
    words: Vec<u64>,
    memory: Arc<Memory>,
    packet: usize,
}

/// Addresses that hidden arguments hold.
#[derive(Clone, Copy)]
pub(crate) struct Hidden {
    pub(crate) hostcall: u64,
    pub(crate) heap: u64,
}

impl Dispatch {
    /// Lays out the arguments of a launch.
    pub(crate) fn new(
        launch: &Launch<'_>,
        kernel: &Kernel,
        kd: (u64, Descriptor),
        hidden: Hidden,
        memory: &Arc<Memory>,
    ) -> Dispatch {
        let segment = kernel.argument_bytes.next_multiple_of(64);
        let mut bytes = vec![0; segment + PACKET + GRID_SYNC];
        let explicit = launch.arguments.len().min(kernel.explicit_bytes());
        bytes[..explicit].copy_from_slice(&launch.arguments[..explicit]);
        let words = vec![0u64; bytes.len() / 8];
        let base = words.as_ptr() as u64;
        for argument in kernel
            .arguments
            .iter()
            .filter(|argument| !argument.is_explicit())
        {
            let value = hidden_value(
                &argument.kind,
                launch,
                hidden,
                base + (segment + PACKET) as u64,
            );
            let len = argument.size.min(8);
            bytes[argument.offset..argument.offset + len]
                .copy_from_slice(&value.to_le_bytes()[..len]);
        }
        packet(&mut bytes[segment..segment + PACKET], launch, kd, base);
        grid_sync(&mut bytes[segment + PACKET..], launch);
        let mut dispatch = Dispatch {
            words,
            memory: Arc::clone(memory),
            packet: segment,
        };
        for (word, chunk) in dispatch.words.iter_mut().zip(bytes.chunks_exact(8)) {
            *word = u64::from_le_bytes(chunk.try_into().expect("chunks of 8 bytes"));
        }
        memory.add(base, bytes.len() as u64, Kind::Runtime);
        dispatch
    }

    fn arguments(&self) -> u64 {
        self.words.as_ptr() as u64
    }

    fn argument_word(&self, index: usize) -> u32 {
        (self.words.get(index / 2).copied().unwrap_or(0) >> (32 * (index % 2))) as u32
    }
}

impl Drop for Dispatch {
    fn drop(&mut self) {
        self.memory.remove(self.arguments());
    }
}

fn hidden_value(kind: &str, launch: &Launch<'_>, hidden: Hidden, grid_sync: u64) -> u64 {
    let [grid, block] = [launch.grid, launch.block].map(|dims| dims.map(u64::from));
    match kind {
        "hidden_block_count_x" => grid[0],
        "hidden_block_count_y" => grid[1],
        "hidden_block_count_z" => grid[2],
        "hidden_group_size_x" => block[0],
        "hidden_group_size_y" => block[1],
        "hidden_group_size_z" => block[2],
        "hidden_grid_dims" => (0..3)
            .rev()
            .find(|&k| grid[k] * block[k] > 1)
            .map_or(1, |k| k as u64 + 1),
        "hidden_hostcall_buffer" => hidden.hostcall,
        "hidden_heap_v1" => hidden.heap,
        "hidden_multigrid_sync_arg" => grid_sync,
        "hidden_private_base" => PRIVATE_HIGH.into(),
        "hidden_shared_base" => SHARED_HIGH.into(),
        "hidden_dynamic_lds_size" => launch.dynamic_lds.into(),
        // Remainders of groups that are not full, global offsets, queues for launches from kernels: none.
        _ => 0,
    }
}

/// The packet that a queue of the chip would hold (HSA's `hsa_kernel_dispatch_packet_t`).
fn packet(bytes: &mut [u8], launch: &Launch<'_>, (address, kd): (u64, Descriptor), arguments: u64) {
    let mut put = |at: usize, value: &[u8]| bytes[at..at + value.len()].copy_from_slice(value);
    put(0, &2u16.to_le_bytes());
    put(2, &3u16.to_le_bytes());
    for k in 0..3 {
        put(4 + 2 * k, &(launch.block[k] as u16).to_le_bytes());
        put(
            12 + 4 * k,
            &(launch.grid[k].wrapping_mul(launch.block[k])).to_le_bytes(),
        );
    }
    put(24, &kd.scratch.to_le_bytes());
    put(28, &(kd.lds + launch.dynamic_lds).to_le_bytes());
    put(32, &address.to_le_bytes());
    put(40, &arguments.to_le_bytes());
}

/// What cooperative groups read: number of grids, threads, groups (`ockl/src/cg.cl`).
fn grid_sync(bytes: &mut [u8], launch: &Launch<'_>) {
    let count = |dims: [u32; 3]| dims.iter().map(|n| u64::from(*n)).product::<u64>();
    let (groups, threads) = (count(launch.grid), count(launch.block));
    bytes[12..16].copy_from_slice(&1u32.to_le_bytes());
    bytes[24..32].copy_from_slice(&(groups * threads).to_le_bytes());
    bytes[40..44].copy_from_slice(&(groups as u32).to_le_bytes());
}

/// Bits of the descriptor's properties, in the order in which their registers come, with the registers each takes.
const USER_REGISTERS: [(u16, usize); 7] = [
    (1 << 0, 4),
    (1 << 1, 2),
    (1 << 2, 2),
    (1 << 3, 2),
    (1 << 4, 2),
    (1 << 5, 2),
    (1 << 6, 1),
];

/// Sets up scalar registers as the descriptor asks; gives the word of the first instruction.
pub(crate) fn scalars(
    wave: &mut Wave<'_>,
    dispatch: &Dispatch,
    kd: &Descriptor,
    entry: u32,
    scratch: u32,
) -> u32 {
    let arguments = dispatch.arguments();
    let packet = arguments + dispatch.packet as u64;
    let values = [
        SCRATCH_BASE,
        packet,
        packet,
        arguments,
        0,
        0,
        scratch.into(),
    ];
    let mut next = 0;
    for ((bit, registers), value) in USER_REGISTERS.into_iter().zip(values) {
        if kd.properties & bit == 0 {
            continue;
        }
        wave.set_pair(next, value);
        if registers == 4 {
            // No end of the buffer, as the runtime sets it for scratch.
            wave.set_pair(next + 2, 0x00ea_4000_ffff_ffff);
        }
        next += registers;
    }
    let (count, offset) = (usize::from(kd.preload & 0x7f), usize::from(kd.preload >> 7));
    for k in 0..count {
        wave.s[next + k] = dispatch.argument_word(offset + k);
    }
    let mut next = (kd.rsrc2 >> 1 & 31) as usize;
    for (bit, value) in [
        (7, wave.group[0]),
        (8, wave.group[1]),
        (9, wave.group[2]),
        (10, 0),
        (0, 0),
    ] {
        if kd.rsrc2 >> bit & 1 != 0 {
            wave.s[next] = value;
            next += 1;
        }
    }
    // Code for chips that do not load arguments ahead stands in the first 256 bytes.
    if count > 0 { entry + 64 } else { entry }
}

/// Sets up the indices of the threads of a wave, and which lanes exist.
pub(crate) fn vectors(wave: &mut Wave<'_>, kd: &Descriptor, block: [u32; 3], family: Family) {
    let threads = block.iter().product::<u32>();
    wave.full = 0;
    for lane in 0..wave.lanes() {
        let thread = wave.id * wave.lanes() as u32 + lane as u32;
        if thread >= threads {
            break;
        }
        wave.full |= 1 << lane;
        let index = thread_index(thread, block);
        let at = |row: usize| crate::device::wave::inst::Operand::V(row as u16);
        if family == Family::Rdna2 {
            let axes = (kd.rsrc2 >> 11 & 3) as usize + 1;
            for (k, at_axis) in index.into_iter().enumerate().take(axes) {
                wave.set_lane(at(k), 0, lane, at_axis);
            }
        } else {
            wave.set_lane(at(0), 0, lane, index[0] | index[1] << 10 | index[2] << 20);
        }
    }
    wave.set_exec(wave.full);
}

/// The index of a thread in x, y, z.
pub(crate) fn thread_index(thread: u32, block: [u32; 3]) -> [u32; 3] {
    [
        thread % block[0],
        thread / block[0] % block[1],
        thread / block[0] / block[1],
    ]
}
