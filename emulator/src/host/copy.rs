//! Copies and fills of boxes of bytes: every `hipMemcpy…` and `hipMemset…` comes down to one of these.

use crate::device::Kind;

use super::error::{Code, Outcome};
use super::memory;
use super::raw;

/// A box in memory: rows of bytes, `pitch` apart, in slices, `slice` apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// First byte of the box.
    pub address: usize,
    /// Bytes from row to row.
    pub pitch: usize,
    /// Bytes from slice to slice.
    pub slice: usize,
}

/// Width in bytes, height in rows, depth in slices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Extent {
    /// Bytes, or elements where arrays take part.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Slices.
    pub depth: usize,
}

/// Which way a copy goes, as the program says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Neither side is the device's.
    HostToHost,
    /// To the device.
    HostToDevice,
    /// From the device.
    DeviceToHost,
    /// On the device.
    DeviceToDevice,
    /// As the pointers say.
    Any,
}

impl Direction {
    /// A `hipMemcpyKind`.
    pub fn of(kind: u32) -> Outcome<Direction> {
        Ok(match kind {
            0 => Direction::HostToHost,
            1 => Direction::HostToDevice,
            2 => Direction::DeviceToHost,
            3 | 1024 => Direction::DeviceToDevice,
            4 => Direction::Any,
            _ => return Err(Code::INVALID_DIRECTION),
        })
    }

    fn enters_device(self) -> bool {
        matches!(self, Direction::HostToDevice | Direction::DeviceToDevice)
    }

    fn leaves_device(self) -> bool {
        matches!(self, Direction::DeviceToHost | Direction::DeviceToDevice)
    }
}

/// One copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Copy {
    /// Where to.
    pub to: Place,
    /// Where from.
    pub from: Place,
    /// How much, in bytes.
    pub extent: Extent,
}

/// One fill with elements of 1, 2 or 4 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fill {
    /// Where to.
    pub to: Place,
    /// The value of each element.
    pub value: u32,
    /// Bytes of an element.
    pub element: usize,
    /// How much; the width in bytes.
    pub extent: Extent,
}

impl Extent {
    /// One row.
    pub fn row(width: usize) -> Extent {
        Extent {
            width,
            height: 1,
            depth: 1,
        }
    }

    /// Rows of one slice.
    pub fn rows(width: usize, height: usize) -> Extent {
        Extent {
            width,
            height,
            depth: 1,
        }
    }

    fn is_empty(&self) -> bool {
        self.width == 0 || self.height == 0 || self.depth == 0
    }
}

impl Place {
    /// One row.
    pub fn row(address: usize) -> Place {
        Place {
            address,
            pitch: 0,
            slice: 0,
        }
    }

    /// Rows of one slice.
    pub fn rows(address: usize, pitch: usize) -> Place {
        Place {
            address,
            pitch,
            slice: 0,
        }
    }

    fn at(&self, y: usize, z: usize) -> usize {
        self.address + y * self.pitch + z * self.slice
    }

    /// Bytes from the first to the last of a box.
    fn span(&self, extent: Extent) -> usize {
        (extent.depth - 1) * self.slice + (extent.height - 1) * self.pitch + extent.width
    }

    fn check(&self, extent: Extent, on_device: bool) -> Outcome {
        if self.address == 0 || (extent.height > 1 && self.pitch < extent.width) {
            return Err(Code::INVALID_VALUE);
        }
        if on_device && memory::range_of(self.address).is_none() {
            return Err(Code::INVALID_VALUE);
        }
        if memory::fits(self.address, self.span(extent)) {
            Ok(())
        } else {
            Err(Code::INVALID_VALUE)
        }
    }

    /// Does the box lie in memory of the host that HIP knows nothing of?
    fn is_pageable(&self) -> bool {
        memory::range_of(self.address).is_none()
    }
}

impl Copy {
    /// `hipErrorInvalidValue` where a side is null, is not what the direction says, or is shorter than the copy.
    pub fn check(&self, direction: Direction) -> Outcome {
        if self.extent.is_empty() {
            return Ok(());
        }
        self.to.check(self.extent, direction.enters_device())?;
        self.from.check(self.extent, direction.leaves_device())
    }

    /// Must an asynchronous copy be done before the call returns? So it is where pageable memory takes the result; from pageable
    /// memory CUDA and HIP read before they return (they stage it).
    pub fn is_synchronous(&self) -> bool {
        !self.extent.is_empty() && (self.to.is_pageable() || self.from.is_pageable())
    }

    /// Does the copy leave the host alone? Then even `hipMemcpy` need not be waited for.
    pub fn is_on_device(&self) -> bool {
        let kind = |place: &Place| memory::range_of(place.address).map(|(_, _, kind)| kind);
        let device = |place| matches!(kind(place), Some(Kind::Device | Kind::CodeObject));
        !self.extent.is_empty() && device(&self.to) && device(&self.from)
    }

    /// Copies.
    pub fn run(&self) {
        for z in 0..self.extent.depth {
            for y in 0..self.extent.height {
                raw::copy(self.to.at(y, z), self.from.at(y, z), self.extent.width);
            }
        }
    }
}

impl Fill {
    /// `hipErrorInvalidValue` where the range is not known to HIP or is shorter than the fill.
    pub fn check(&self) -> Outcome {
        if self.extent.is_empty() {
            Ok(())
        } else {
            self.to.check(self.extent, true)
        }
    }

    /// Fills.
    pub fn run(&self) {
        for z in 0..self.extent.depth {
            for y in 0..self.extent.height {
                raw::fill(
                    self.to.at(y, z),
                    self.value,
                    self.element,
                    self.extent.width / self.element,
                );
            }
        }
    }
}
