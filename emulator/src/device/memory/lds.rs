//! LDS: the memory that the waves of a group share.

use crate::device::memory::shadow::Shadow;

/// The LDS of a group. A wave holds it while it runs; the waves of a group take turns on one thread.
#[derive(Default)]
pub(crate) struct Lds {
    bytes: Vec<u8>,
    /// Who touched what, with [`crate::device::Options::check`].
    pub(crate) shadow: Option<Box<Shadow>>,
}

impl Lds {
    /// LDS of so many bytes, filled with a byte.
    pub(crate) fn reset(&mut self, len: usize, fill: u8, check: bool) {
        self.bytes.clear();
        self.bytes.resize(len, fill);
        self.shadow = check.then(|| Box::new(Shadow::new(len)));
    }

    /// Bytes.
    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Four bytes; nothing where they are past the end.
    #[inline(always)]
    pub(crate) fn read32(&self, offset: u32) -> Option<u32> {
        let at = offset as usize;
        let bytes = self.bytes.get(at..at + 4)?;
        Some(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    /// Writes four bytes.
    #[inline(always)]
    pub(crate) fn write32(&mut self, offset: u32, value: u32) -> Option<()> {
        let at = offset as usize;
        self.bytes
            .get_mut(at..at + 4)?
            .copy_from_slice(&value.to_le_bytes());
        Some(())
    }

    /// One, two or four bytes.
    #[inline(always)]
    pub(crate) fn read(&self, offset: u32, bytes: u32) -> Option<u32> {
        let at = offset as usize;
        match bytes {
            1 => self.bytes.get(at).map(|b| u32::from(*b)),
            2 => self
                .bytes
                .get(at..at + 2)
                .map(|b| u32::from(b[0]) | u32::from(b[1]) << 8),
            _ => self.read32(offset),
        }
    }

    /// Writes one, two or four bytes.
    #[inline(always)]
    pub(crate) fn write(&mut self, offset: u32, bytes: u32, value: u32) -> Option<()> {
        let at = offset as usize;
        match bytes {
            1 => *self.bytes.get_mut(at)? = value as u8,
            2 => self
                .bytes
                .get_mut(at..at + 2)?
                .copy_from_slice(&(value as u16).to_le_bytes()),
            _ => return self.write32(offset, value),
        }
        Some(())
    }
}
