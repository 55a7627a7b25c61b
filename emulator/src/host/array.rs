//! Arrays: memory with a shape and an element type, which textures and surfaces read. They lie in rows here, without tiling.

use std::sync::Arc;

use crate::device::Kind;

use super::copy::{Extent, Place};
use super::device::current;
use super::error::{Code, Outcome};
use super::handles::Handles;
use super::memory;
use super::properties::has_images;
use super::raw::{self, Ptr};

/// HIP's `hipChannelFormatDesc`: bits of each channel, and what they are.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Channels {
    /// Bits of the four channels.
    pub bits: [i32; 4],
    /// 0 signed, 1 unsigned, 2 float.
    pub kind: i32,
}

layout! {
    /// HIP's `HIP_ARRAY3D_DESCRIPTOR`.
    pub struct Descriptor3d {
        width: usize,
        height: usize,
        depth: usize,
        format: u32,
        channels: u32,
        flags: u32,
    }
}

layout! {
    /// HIP's `HIP_ARRAY_DESCRIPTOR`.
    pub struct Descriptor {
        width: usize,
        height: usize,
        format: u32,
        channels: u32,
    }
}

/// An array.
pub struct Array {
    /// First byte.
    pub address: usize,
    /// Element type.
    pub channels: Channels,
    /// Elements in each direction; height and depth are 0 where there is no such direction.
    pub extent: Extent,
    /// Flags it was made with.
    pub flags: u32,
}

/// All arrays.
pub static ARRAYS: Handles<Array> = Handles::new();

/// Number in `hipArray_Format`, its channel.
const FORMATS: [(u32, i32, i32); 8] = [
    (0x01, 8, 1),
    (0x02, 16, 1),
    (0x03, 32, 1),
    (0x08, 8, 0),
    (0x09, 16, 0),
    (0x0a, 32, 0),
    (0x10, 16, 2),
    (0x20, 32, 2),
];

impl Channels {
    /// Bytes of an element.
    pub fn bytes(&self) -> usize {
        self.bits.iter().sum::<i32>() as usize / 8
    }

    /// How many channels.
    pub fn count(&self) -> usize {
        self.bits.iter().filter(|&&bits| bits > 0).count()
    }

    fn is_valid(&self) -> bool {
        let width = self.bits[0];
        matches!(width, 8 | 16 | 32)
            && self.bits.iter().all(|&bits| bits == 0 || bits == width)
            && (0..=2).contains(&self.kind)
    }

    /// From a driver's format.
    pub fn of_format(format: u32, count: u32) -> Outcome<Channels> {
        let (_, bits, kind) = FORMATS
            .iter()
            .find(|(number, ..)| *number == format)
            .ok_or(Code::INVALID_VALUE)?;
        let bit = |k: u32| if k < count { *bits } else { 0 };
        Ok(Channels {
            bits: [bit(0), bit(1), bit(2), bit(3)],
            kind: *kind,
        })
    }

    fn format(&self) -> u32 {
        let is = |(_, bits, kind): &&(u32, i32, i32)| *bits == self.bits[0] && *kind == self.kind;
        FORMATS.iter().find(is).map_or(0, |(number, ..)| *number)
    }
}

impl Array {
    /// Bytes from row to row.
    pub fn pitch(&self) -> usize {
        self.extent.width * self.channels.bytes()
    }

    /// The box that begins at an element, its first coordinate in bytes.
    pub fn place(&self, x_bytes: usize, y: usize, z: usize) -> Place {
        let (pitch, slice) = (self.pitch(), self.pitch() * self.extent.height.max(1));
        Place {
            address: self.address + x_bytes + y * pitch + z * slice,
            pitch,
            slice,
        }
    }
}

fn make(to: *mut Ptr, channels: Channels, extent: Extent, flags: u32) -> Outcome {
    if !has_images() {
        return Err(Code::NOT_SUPPORTED);
    }
    if to.is_null() || !channels.is_valid() || extent.width == 0 {
        return Err(Code::INVALID_VALUE);
    }
    let count = extent
        .width
        .checked_mul(extent.height.max(1))
        .and_then(|count| count.checked_mul(extent.depth.max(1)));
    let bytes = count
        .and_then(|count| count.checked_mul(channels.bytes()))
        .ok_or(Code::INVALID_VALUE)?;
    let address = memory::allocate(bytes, Kind::Device, flags, current())?;
    raw::put(
        to,
        ARRAYS.insert(Arc::new(Array {
            address,
            channels,
            extent,
            flags,
        })),
    )
}

fn free(handle: Ptr) -> Outcome {
    if handle.is_null() {
        return Ok(());
    }
    super::stream::wait_for_all();
    memory::free(ARRAYS.remove(handle)?.address).map(drop)
}

fn descriptor(array: &Array) -> Descriptor3d {
    Descriptor3d {
        width: array.extent.width,
        height: array.extent.height,
        depth: array.extent.depth,
        format: array.channels.format(),
        channels: array.channels.count() as u32,
        flags: array.flags,
    }
}

export! {
    /// `hipMallocArray`
    fn hipMallocArray(to: *mut Ptr, channels: *const Channels, width: usize, height: usize, flags: u32) {
        make(to, raw::get(channels)?, Extent { width, height, depth: 0 }, flags)
    }
    /// `hipMalloc3DArray`
    fn hipMalloc3DArray(to: *mut Ptr, channels: *const Channels, extent: Extent, flags: u32) {
        make(to, raw::get(channels)?, extent, flags)
    }
    /// `hipArrayCreate`
    fn hipArrayCreate(to: *mut Ptr, wanted: *const Descriptor) {
        let wanted = raw::get(wanted)?;
        let extent = Extent { width: wanted.width, height: wanted.height, depth: 0 };
        make(to, Channels::of_format(wanted.format, wanted.channels)?, extent, 0)
    }
    /// `hipArray3DCreate`
    fn hipArray3DCreate(to: *mut Ptr, wanted: *const Descriptor3d) {
        let wanted = raw::get(wanted)?;
        let extent = Extent { width: wanted.width, height: wanted.height, depth: wanted.depth };
        make(to, Channels::of_format(wanted.format, wanted.channels)?, extent, wanted.flags)
    }
    /// `hipFreeArray`
    fn hipFreeArray(array: Ptr) { free(array) }
    /// `hipArrayDestroy`
    fn hipArrayDestroy(array: Ptr) { free(array) }
    /// `hipArrayGetInfo`
    fn hipArrayGetInfo(channels: *mut Channels, extent: *mut Extent, flags: *mut u32, array: Ptr) {
        let array = ARRAYS.get(array)?;
        raw::put_if(channels, array.channels);
        raw::put_if(extent, array.extent);
        raw::put_if(flags, array.flags);
        Ok(())
    }
    /// `hipGetChannelDesc`
    fn hipGetChannelDesc(to: *mut Channels, array: Ptr) { raw::put(to, ARRAYS.get(array)?.channels) }
    /// `hipArrayGetDescriptor`
    fn hipArrayGetDescriptor(to: *mut Descriptor, array: Ptr) {
        let all = descriptor(&*ARRAYS.get(array)?);
        raw::put(to, Descriptor { width: all.width, height: all.height, format: all.format, channels: all.channels })
    }
    /// `hipArray3DGetDescriptor`
    fn hipArray3DGetDescriptor(to: *mut Descriptor3d, array: Ptr) { raw::put(to, descriptor(&*ARRAYS.get(array)?)) }
}

/// `hipCreateChannelDesc`
#[unsafe(no_mangle)]
pub extern "C" fn hipCreateChannelDesc(x: i32, y: i32, z: i32, w: i32, kind: i32) -> Channels {
    Channels {
        bits: [x, y, z, w],
        kind,
    }
}
