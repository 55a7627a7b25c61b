//! The kernel descriptor: 64 bytes at the symbol `NAME.kd`, laid out as LLVM's AMDGPU usage page says ("Kernel Descriptor").

/// What a kernel's descriptor says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Descriptor {
    /// Bytes of static LDS.
    pub(crate) lds: u32,
    /// Bytes of scratch of one lane.
    pub(crate) scratch: u32,
    /// Offset of the first instruction from the descriptor itself.
    pub(crate) entry: i64,
    /// COMPUTE_PGM_RSRC3: on gfx90a where accumulation registers begin.
    pub(crate) rsrc3: u32,
    /// COMPUTE_PGM_RSRC1: registers, float modes.
    pub(crate) rsrc1: u32,
    /// COMPUTE_PGM_RSRC2: which system registers are set up.
    pub(crate) rsrc2: u32,
    /// Which user registers are set up, and the wavefront size.
    pub(crate) properties: u16,
    /// Number and offset of arguments that are loaded into user registers before the start.
    pub(crate) preload: u16,
}

/// Bit of `properties`: the kernel was compiled for waves of 32 lanes.
const WAVEFRONT_SIZE32: u16 = 1 << 10;

impl Descriptor {
    /// Reads the 64 bytes of a descriptor; nothing where there are fewer.
    pub(crate) fn parse(bytes: &[u8]) -> Option<Descriptor> {
        let word = |at: usize| Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
        let entry = i64::from_le_bytes(bytes.get(16..24)?.try_into().ok()?);
        let last = word(56)?;
        Some(Descriptor {
            lds: word(0)?,
            scratch: word(4)?,
            entry,
            rsrc3: word(44)?,
            rsrc1: word(48)?,
            rsrc2: word(52)?,
            properties: last as u16,
            preload: (last >> 16) as u16,
        })
    }

    /// Lanes of a wave.
    pub(crate) fn wavefront(&self) -> u32 {
        if self.properties & WAVEFRONT_SIZE32 != 0 {
            32
        } else {
            64
        }
    }
}
