//! What the waves of a launch did, counted: instructions by class, lanes at work, lines of memory, banks of LDS.
//!
//! `docs/howto/costs.md` says by which rule each number comes about. No time follows from them.

mod access;
pub(crate) mod lds;

use std::ops::AddAssign;

pub(crate) use access::Access;

/// Where an instruction is executed. Each counts once for a wave.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// Arithmetic and moves of vector registers; two that are issued together are one.
    Vector,
    /// Matrix instructions.
    Matrix,
    /// Arithmetic and moves of scalar registers.
    Scalar,
    /// Loads into scalar registers.
    ScalarLoad,
    /// Loads, stores and atomics of global memory.
    Global,
    /// Loads and stores of the lanes' own memory: stacks and spilled registers.
    Scratch,
    /// Reads and samples of images.
    Image,
    /// Reads, writes and atomics of LDS.
    Lds,
    /// Exchanges between lanes by the hardware of LDS, which touch none of it.
    Exchange,
    /// Jumps and calls, taken or not.
    Branch,
    /// Waits, barriers, hints, ends.
    Wait,
}

impl Class {
    /// All, in the order in which [`Counts::classes`] has them.
    pub const ALL: [Class; 11] = [
        Class::Vector,
        Class::Matrix,
        Class::Scalar,
        Class::ScalarLoad,
        Class::Global,
        Class::Scratch,
        Class::Image,
        Class::Lds,
        Class::Exchange,
        Class::Branch,
        Class::Wait,
    ];

    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Class::Vector => "vector",
            Class::Matrix => "matrix",
            Class::Scalar => "scalar",
            Class::ScalarLoad => "scalar-load",
            Class::Global => "global",
            Class::Scratch => "scratch",
            Class::Image => "image",
            Class::Lds => "lds",
            Class::Exchange => "exchange",
            Class::Branch => "branch",
            Class::Wait => "wait",
        }
    }

    /// The class of an instruction as LLVM prints it. Where an address decides, the class is that of most: see `launch/count.rs`.
    pub(crate) fn of(text: &str) -> Class {
        let begins = |list: &[&str]| list.iter().any(|prefix| text.starts_with(prefix));
        if begins(&["v_mfma_", "v_smfmac_", "v_wmma_", "v_swmmac_"]) {
            Class::Matrix
        } else if begins(&["v_"]) {
            Class::Vector
        } else if begins(&["global_", "flat_", "buffer_", "tbuffer_"]) {
            Class::Global
        } else if begins(&["scratch_"]) {
            Class::Scratch
        } else if begins(&["image_"]) {
            Class::Image
        } else if begins(&["ds_swizzle", "ds_permute", "ds_bpermute"]) {
            Class::Exchange
        } else if begins(&["ds_"]) {
            Class::Lds
        } else if begins(&["s_load_", "s_buffer_load_", "s_scratch_load_"]) {
            Class::ScalarLoad
        } else if begins(&["s_branch", "s_cbranch", "s_setpc", "s_swappc", "s_call"]) {
            Class::Branch
        } else if begins(&WAITS) {
            Class::Wait
        } else {
            Class::Scalar
        }
    }

    /// Whether each lane that is on has a part in it.
    pub(crate) fn is_of_lanes(self) -> bool {
        !matches!(
            self,
            Class::Scalar | Class::ScalarLoad | Class::Branch | Class::Wait
        )
    }
}

/// What computes nothing.
const WAITS: [&str; 16] = [
    "s_wait",
    "s_barrier",
    "s_nop",
    "s_sleep",
    "s_endpgm",
    "s_delay_alu",
    "s_clause",
    "s_inst_prefetch",
    "s_set_inst_prefetch",
    "s_setprio",
    "s_sethalt",
    "s_sendmsg",
    "s_icache_inv",
    "s_dcache",
    "s_trap",
    "s_code_end",
];

/// Counts of one launch or of several.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Instructions of waves in the order of [`Class::ALL`].
    pub classes: [u64; Class::ALL.len()],
    /// Lanes that were on, over all instructions in which lanes take part.
    pub lanes_on: u64,
    /// Lanes of the waves over the same instructions.
    pub lanes: u64,
    /// Instructions that left some of the lanes on that were, and turned others off.
    pub divergences: u64,
    /// Barriers, each counted once for a wave.
    pub barriers: u64,
    /// Instructions of global memory with at least one lane on and addresses of its lanes.
    pub requests: u64,
    /// Cache lines that the lanes of each touch.
    pub lines: u64,
    /// Lines that would do if the bytes of each lay one behind another.
    pub lines_packed: u64,
    /// Lanes of atomics of global memory and of LDS.
    pub atomic_lanes: u64,
    /// Those that find another lane of the same instruction at their address.
    pub atomics_met: u64,
    /// Groups of lanes that LDS serves at once, of all of its instructions.
    pub lds_groups: u64,
    /// Passes that these take: one, and one more for each further word in the fullest bank.
    pub lds_passes: u64,
}

impl Counts {
    /// Instructions of a class.
    pub fn of(&self, class: Class) -> u64 {
        self.classes[class as usize]
    }

    /// All instructions.
    pub fn instructions(&self) -> u64 {
        self.classes.iter().sum()
    }
}

impl AddAssign<&Counts> for Counts {
    fn add_assign(&mut self, other: &Counts) {
        for (to, from) in self.classes.iter_mut().zip(other.classes) {
            *to += from;
        }
        self.lanes_on += other.lanes_on;
        self.lanes += other.lanes;
        self.divergences += other.divergences;
        self.barriers += other.barriers;
        self.requests += other.requests;
        self.lines += other.lines;
        self.lines_packed += other.lines_packed;
        self.atomic_lanes += other.atomic_lanes;
        self.atomics_met += other.atomics_met;
        self.lds_groups += other.lds_groups;
        self.lds_passes += other.lds_passes;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_read_from_the_mnemonic() {
        for (text, class) in [
            ("v_add_f32_e32 v0, v1, v2", Class::Vector),
            (
                "v_dual_mov_b32 v0, 0 :: v_dual_mov_b32 v1, 0",
                Class::Vector,
            ),
            (
                "v_mfma_f32_32x32x8f16 a[0:15], v[0:1], v[2:3], 0",
                Class::Matrix,
            ),
            (
                "v_wmma_f32_16x16x16_f16 v[0:7], v[8:15], v[16:23], v[0:7]",
                Class::Matrix,
            ),
            ("s_load_dwordx2 s[0:1], s[4:5], 0x0", Class::ScalarLoad),
            ("s_waitcnt vmcnt(0)", Class::Wait),
            ("s_barrier", Class::Wait),
            ("s_cbranch_execz 12", Class::Branch),
            ("s_and_saveexec_b64 s[0:1], vcc", Class::Scalar),
            ("global_load_dword v0, v[0:1], off", Class::Global),
            ("scratch_store_dword off, v0, s0", Class::Scratch),
            ("ds_bpermute_b32 v0, v1, v2", Class::Exchange),
            ("ds_read_b32 v0, v1", Class::Lds),
        ] {
            assert_eq!(Class::of(text), class, "{text}");
        }
    }
}
