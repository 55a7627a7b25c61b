//! `hipMemcpy…` and `hipMemset…`.

use std::ffi::c_void;

use super::array::{ARRAYS, Array};
use super::copy::{Copy, Direction, Extent, Fill, Place};
use super::error::{Code, Outcome};
use super::memory_api::Pitched;
use super::raw::{self, Ptr};
use super::registry;
use super::stream;
use super::work::Work;

/// Gives a copy to a stream. `wait`: the call comes back when it is done. Copies that stay on the device are ordered by their stream
/// alone, even those of `hipMemcpy`.
pub fn give(copy: Copy, direction: Direction, handle: Ptr, wait: bool) -> Outcome {
    copy.check(direction)?;
    let capturing = stream::find(handle)?.capture().is_some();
    let wait = if wait {
        !copy.is_on_device() || capturing
    } else {
        !capturing && copy.is_synchronous()
    };
    stream::give(handle, Work::Copy(copy), wait)
}

fn fill(fill: Fill, handle: Ptr, wait: bool) -> Outcome {
    fill.check()?;
    stream::give(handle, Work::Fill(fill), wait)
}

/// The null stream.
const NULL: Ptr = std::ptr::null_mut();

fn row(to: usize, from: usize, len: usize) -> Copy {
    Copy {
        to: Place::row(to),
        from: Place::row(from),
        extent: Extent::row(len),
    }
}

fn rows(
    to: usize,
    to_pitch: usize,
    from: usize,
    from_pitch: usize,
    width: usize,
    height: usize,
) -> Outcome<Copy> {
    if width > 0 && height > 0 && (to_pitch < width || from_pitch < width) {
        return Err(Code::INVALID_PITCH);
    }
    Ok(Copy {
        to: Place::rows(to, to_pitch),
        from: Place::rows(from, from_pitch),
        extent: Extent::rows(width, height),
    })
}

fn fill_row(to: usize, value: u32, element: usize, count: usize) -> Outcome<Fill> {
    let width = count.checked_mul(element).ok_or(Code::INVALID_VALUE)?;
    Ok(Fill {
        to: Place::row(to),
        value,
        element,
        extent: Extent::row(width),
    })
}

fn fill_rows(to: usize, pitch: usize, value: i32, width: usize, height: usize) -> Fill {
    Fill {
        to: Place::rows(to, pitch),
        value: value as u32 & 0xff,
        element: 1,
        extent: Extent::rows(width, height),
    }
}

fn fill_box(to: &Pitched, value: i32, extent: Extent) -> Fill {
    let place = Place {
        address: to.address,
        pitch: to.pitch,
        slice: to.pitch * to.height,
    };
    Fill {
        to: place,
        value: value as u32 & 0xff,
        element: 1,
        extent,
    }
}

layout! {
    /// HIP's `hipMemcpy3DParms`.
    pub struct Copy3d {
        from_array: Ptr,
        from_at: [usize; 3],
        from: Pitched,
        to_array: Ptr,
        to_at: [usize; 3],
        to: Pitched,
        extent: Extent,
        kind: u32,
    }
}

fn place_of(array: Option<&Array>, pitched: &Pitched, at: [usize; 3]) -> Place {
    let [x, y, z] = at;
    match array {
        Some(array) => array.place(x * array.channels.bytes(), y, z),
        None => {
            let slice = pitched.pitch * pitched.height;
            Place {
                address: pitched.address + x + y * pitched.pitch + z * slice,
                pitch: pitched.pitch,
                slice,
            }
        }
    }
}

fn optional_array(handle: Ptr) -> Outcome<Option<std::sync::Arc<Array>>> {
    if handle.is_null() {
        Ok(None)
    } else {
        ARRAYS.get(handle).map(Some)
    }
}

impl Copy3d {
    /// The copy; where an array takes part, widths are in its elements.
    pub fn copy(&self) -> Outcome<Copy> {
        let (from, to) = (
            optional_array(self.from_array)?,
            optional_array(self.to_array)?,
        );
        let element = from
            .as_ref()
            .or(to.as_ref())
            .map_or(1, |array| array.channels.bytes());
        let extent = Extent {
            width: self.extent.width * element,
            ..self.extent
        };
        Ok(Copy {
            to: place_of(to.as_deref(), &self.to, self.to_at),
            from: place_of(from.as_deref(), &self.from, self.from_at),
            extent,
        })
    }

    /// Which way.
    pub fn direction(&self) -> Outcome<Direction> {
        Direction::of(self.kind)
    }
}

layout! {
    /// One side of a driver's copy.
    pub struct Side {
        x: usize,
        y: usize,
        z: usize,
        lod: usize,
        kind: u32,
        host: usize,
        device: usize,
        array: Ptr,
        pitch: usize,
        height: usize,
    }
}

layout! {
    /// One side of a driver's copy of two dimensions.
    pub struct Side2d {
        x: usize,
        y: usize,
        kind: u32,
        host: usize,
        device: usize,
        array: Ptr,
        pitch: usize,
    }
}

layout! {
    /// HIP's `HIP_MEMCPY3D`.
    pub struct DriverCopy3d {
        from: Side,
        to: Side,
        extent: Extent,
    }
}

layout! {
    /// HIP's `hip_Memcpy2D`.
    pub struct DriverCopy2d {
        from: Side2d,
        to: Side2d,
        width: usize,
        height: usize,
    }
}

/// `hipMemoryTypeHost`, `hipMemoryTypeArray`
const HOST: u32 = 1;
const ARRAY: u32 = 10;

impl Side {
    fn place(&self) -> Outcome<Place> {
        if self.kind == ARRAY {
            return Ok(ARRAYS.get(self.array)?.place(self.x, self.y, self.z));
        }
        let base = if self.kind == HOST {
            self.host
        } else {
            self.device
        };
        let slice = self.pitch * self.height;
        Ok(Place {
            address: base + self.x + self.y * self.pitch + self.z * slice,
            pitch: self.pitch,
            slice,
        })
    }
}

impl Side2d {
    fn side(&self) -> Side {
        let Side2d {
            x,
            y,
            kind,
            host,
            device,
            array,
            pitch,
        } = *self;
        Side {
            x,
            y,
            z: 0,
            lod: 0,
            kind,
            host,
            device,
            array,
            pitch,
            height: 0,
        }
    }
}

impl DriverCopy3d {
    fn copy(&self) -> Outcome<Copy> {
        Ok(Copy {
            to: self.to.place()?,
            from: self.from.place()?,
            extent: self.extent,
        })
    }
}

impl DriverCopy2d {
    fn copy(&self) -> Outcome<Copy> {
        let extent = Extent::rows(self.width, self.height);
        Ok(Copy {
            to: self.to.side().place()?,
            from: self.from.side().place()?,
            extent,
        })
    }
}

fn symbol(stand_in: *const c_void, offset: usize, len: usize) -> Outcome<usize> {
    let (address, size) = registry::variable(stand_in)?;
    match offset.checked_add(len) {
        Some(end) if end <= size => Ok(address + offset),
        _ => Err(Code::INVALID_VALUE),
    }
}

fn to_symbol(
    stand_in: *const c_void,
    from: usize,
    len: usize,
    offset: usize,
    kind: u32,
    stream: Ptr,
    wait: bool,
) -> Outcome {
    give(
        row(symbol(stand_in, offset, len)?, from, len),
        Direction::of(kind)?,
        stream,
        wait,
    )
}

fn from_symbol(
    to: usize,
    stand_in: *const c_void,
    len: usize,
    offset: usize,
    kind: u32,
    stream: Ptr,
    wait: bool,
) -> Outcome {
    give(
        row(to, symbol(stand_in, offset, len)?, len),
        Direction::of(kind)?,
        stream,
        wait,
    )
}

#[allow(
    clippy::too_many_arguments,
    reason = "the arguments of HIP's functions"
)]
fn into_array(
    array: Ptr,
    x: usize,
    y: usize,
    from: Place,
    extent: Extent,
    kind: u32,
    stream: Ptr,
    wait: bool,
) -> Outcome {
    let to = ARRAYS.get(array)?.place(x, y, 0);
    give(
        Copy { to, from, extent },
        Direction::of(kind)?,
        stream,
        wait,
    )
}

#[allow(
    clippy::too_many_arguments,
    reason = "the arguments of HIP's functions"
)]
fn out_of_array(
    to: Place,
    array: Ptr,
    x: usize,
    y: usize,
    extent: Extent,
    kind: u32,
    stream: Ptr,
    wait: bool,
) -> Outcome {
    let from = ARRAYS.get(array)?.place(x, y, 0);
    give(
        Copy { to, from, extent },
        Direction::of(kind)?,
        stream,
        wait,
    )
}

/// The extent of a copy of `len` bytes into an array's rows, as the old one-dimensional functions take it.
fn whole_rows(array: Ptr, len: usize) -> Outcome<(Extent, usize)> {
    let pitch = ARRAYS.get(array)?.pitch();
    let extent = if len <= pitch {
        Extent::row(len)
    } else {
        Extent::rows(pitch, len / pitch)
    };
    Ok((extent, pitch))
}

export! {
    /// `hipMemcpy`
    fn hipMemcpy(to: usize, from: usize, len: usize, kind: u32) { give(row(to, from, len), Direction::of(kind)?, NULL, true) }
    /// `hipMemcpyWithStream`
    fn hipMemcpyWithStream(to: usize, from: usize, len: usize, kind: u32, stream: Ptr) {
        give(row(to, from, len), Direction::of(kind)?, stream, true)
    }
    /// `hipMemcpyAsync`
    fn hipMemcpyAsync(to: usize, from: usize, len: usize, kind: u32, stream: Ptr) {
        give(row(to, from, len), Direction::of(kind)?, stream, false)
    }
    /// `hipMemcpyHtoD`
    fn hipMemcpyHtoD(to: usize, from: usize, len: usize) { give(row(to, from, len), Direction::HostToDevice, NULL, true) }
    /// `hipMemcpyDtoH`
    fn hipMemcpyDtoH(to: usize, from: usize, len: usize) { give(row(to, from, len), Direction::DeviceToHost, NULL, true) }
    /// `hipMemcpyDtoD`
    fn hipMemcpyDtoD(to: usize, from: usize, len: usize) { give(row(to, from, len), Direction::DeviceToDevice, NULL, true) }
    /// `hipMemcpyHtoDAsync`
    fn hipMemcpyHtoDAsync(to: usize, from: usize, len: usize, stream: Ptr) {
        give(row(to, from, len), Direction::HostToDevice, stream, false)
    }
    /// `hipMemcpyDtoHAsync`
    fn hipMemcpyDtoHAsync(to: usize, from: usize, len: usize, stream: Ptr) {
        give(row(to, from, len), Direction::DeviceToHost, stream, false)
    }
    /// `hipMemcpyDtoDAsync`
    fn hipMemcpyDtoDAsync(to: usize, from: usize, len: usize, stream: Ptr) {
        give(row(to, from, len), Direction::DeviceToDevice, stream, false)
    }
    /// `hipMemcpyPeer`
    fn hipMemcpyPeer(to: usize, _to_device: i32, from: usize, _from_device: i32, len: usize) {
        give(row(to, from, len), Direction::DeviceToDevice, NULL, true)
    }
    /// `hipMemcpyPeerAsync`
    fn hipMemcpyPeerAsync(to: usize, _to_device: i32, from: usize, _from_device: i32, len: usize, stream: Ptr) {
        give(row(to, from, len), Direction::DeviceToDevice, stream, false)
    }
    /// `hipMemcpy2D`
    fn hipMemcpy2D(to: usize, to_pitch: usize, from: usize, from_pitch: usize, width: usize, height: usize, kind: u32) {
        give(rows(to, to_pitch, from, from_pitch, width, height)?, Direction::of(kind)?, NULL, true)
    }
    /// `hipMemcpy2DAsync`
    fn hipMemcpy2DAsync(
        to: usize, to_pitch: usize, from: usize, from_pitch: usize, width: usize, height: usize, kind: u32, stream: Ptr,
    ) {
        give(rows(to, to_pitch, from, from_pitch, width, height)?, Direction::of(kind)?, stream, false)
    }
    /// `hipMemcpy3D`
    fn hipMemcpy3D(parameters: *const Copy3d) {
        let parameters = raw::get(parameters)?;
        give(parameters.copy()?, parameters.direction()?, NULL, true)
    }
    /// `hipMemcpy3DAsync`
    fn hipMemcpy3DAsync(parameters: *const Copy3d, stream: Ptr) {
        let parameters = raw::get(parameters)?;
        give(parameters.copy()?, parameters.direction()?, stream, false)
    }
    /// `hipMemcpyParam2D`
    fn hipMemcpyParam2D(parameters: *const DriverCopy2d) { give(raw::get(parameters)?.copy()?, Direction::Any, NULL, true) }
    /// `hipDrvMemcpy2DUnaligned`
    fn hipDrvMemcpy2DUnaligned(parameters: *const DriverCopy2d) { give(raw::get(parameters)?.copy()?, Direction::Any, NULL, true) }
    /// `hipMemcpyParam2DAsync`
    fn hipMemcpyParam2DAsync(parameters: *const DriverCopy2d, stream: Ptr) {
        give(raw::get(parameters)?.copy()?, Direction::Any, stream, false)
    }
    /// `hipDrvMemcpy3D`
    fn hipDrvMemcpy3D(parameters: *const DriverCopy3d) { give(raw::get(parameters)?.copy()?, Direction::Any, NULL, true) }
    /// `hipDrvMemcpy3DAsync`
    fn hipDrvMemcpy3DAsync(parameters: *const DriverCopy3d, stream: Ptr) {
        give(raw::get(parameters)?.copy()?, Direction::Any, stream, false)
    }
    /// `hipMemcpyToSymbol`
    fn hipMemcpyToSymbol(to: *const c_void, from: usize, len: usize, offset: usize, kind: u32) {
        to_symbol(to, from, len, offset, kind, NULL, true)
    }
    /// `hipMemcpyToSymbolAsync`
    fn hipMemcpyToSymbolAsync(to: *const c_void, from: usize, len: usize, offset: usize, kind: u32, stream: Ptr) {
        to_symbol(to, from, len, offset, kind, stream, false)
    }
    /// `hipMemcpyFromSymbol`
    fn hipMemcpyFromSymbol(to: usize, from: *const c_void, len: usize, offset: usize, kind: u32) {
        from_symbol(to, from, len, offset, kind, NULL, true)
    }
    /// `hipMemcpyFromSymbolAsync`
    fn hipMemcpyFromSymbolAsync(to: usize, from: *const c_void, len: usize, offset: usize, kind: u32, stream: Ptr) {
        from_symbol(to, from, len, offset, kind, stream, false)
    }
    /// `hipGetSymbolAddress`
    fn hipGetSymbolAddress(to: *mut usize, stand_in: *const c_void) { raw::put(to, registry::variable(stand_in)?.0) }
    /// `hipGetSymbolSize`
    fn hipGetSymbolSize(to: *mut usize, stand_in: *const c_void) { raw::put(to, registry::variable(stand_in)?.1) }
    /// `hipMemcpyToArray`
    fn hipMemcpyToArray(array: Ptr, x: usize, y: usize, from: usize, len: usize, kind: u32) {
        let (extent, pitch) = whole_rows(array, len)?;
        into_array(array, x, y, Place::rows(from, pitch), extent, kind, NULL, true)
    }
    /// `hipMemcpyFromArray`
    fn hipMemcpyFromArray(to: usize, array: Ptr, x: usize, y: usize, len: usize, kind: u32) {
        let (extent, pitch) = whole_rows(array, len)?;
        out_of_array(Place::rows(to, pitch), array, x, y, extent, kind, NULL, true)
    }
    /// `hipMemcpyHtoA`
    fn hipMemcpyHtoA(array: Ptr, x: usize, from: usize, len: usize) {
        into_array(array, x, 0, Place::row(from), Extent::row(len), 1, NULL, true)
    }
    /// `hipMemcpyAtoH`
    fn hipMemcpyAtoH(to: usize, array: Ptr, x: usize, len: usize) {
        out_of_array(Place::row(to), array, x, 0, Extent::row(len), 2, NULL, true)
    }
    /// `hipMemcpy2DToArray`
    fn hipMemcpy2DToArray(array: Ptr, x: usize, y: usize, from: usize, pitch: usize, width: usize, height: usize, kind: u32) {
        into_array(array, x, y, Place::rows(from, pitch), Extent::rows(width, height), kind, NULL, true)
    }
    /// `hipMemcpy2DToArrayAsync`
    fn hipMemcpy2DToArrayAsync(
        array: Ptr, x: usize, y: usize, from: usize, pitch: usize, width: usize, height: usize, kind: u32, stream: Ptr,
    ) {
        into_array(array, x, y, Place::rows(from, pitch), Extent::rows(width, height), kind, stream, false)
    }
    /// `hipMemcpy2DFromArray`
    fn hipMemcpy2DFromArray(to: usize, pitch: usize, array: Ptr, x: usize, y: usize, width: usize, height: usize, kind: u32) {
        out_of_array(Place::rows(to, pitch), array, x, y, Extent::rows(width, height), kind, NULL, true)
    }
    /// `hipMemcpy2DFromArrayAsync`
    fn hipMemcpy2DFromArrayAsync(
        to: usize, pitch: usize, array: Ptr, x: usize, y: usize, width: usize, height: usize, kind: u32, stream: Ptr,
    ) {
        out_of_array(Place::rows(to, pitch), array, x, y, Extent::rows(width, height), kind, stream, false)
    }
    /// `hipMemset`
    fn hipMemset(to: usize, value: i32, len: usize) { fill(fill_row(to, value as u32 & 0xff, 1, len)?, NULL, true) }
    /// `hipMemsetAsync`
    fn hipMemsetAsync(to: usize, value: i32, len: usize, stream: Ptr) {
        fill(fill_row(to, value as u32 & 0xff, 1, len)?, stream, false)
    }
    /// `hipMemsetD8`
    fn hipMemsetD8(to: usize, value: u8, count: usize) { fill(fill_row(to, u32::from(value), 1, count)?, NULL, true) }
    /// `hipMemsetD8Async`
    fn hipMemsetD8Async(to: usize, value: u8, count: usize, stream: Ptr) {
        fill(fill_row(to, u32::from(value), 1, count)?, stream, false)
    }
    /// `hipMemsetD16`
    fn hipMemsetD16(to: usize, value: u16, count: usize) { fill(fill_row(to, u32::from(value), 2, count)?, NULL, true) }
    /// `hipMemsetD16Async`
    fn hipMemsetD16Async(to: usize, value: u16, count: usize, stream: Ptr) {
        fill(fill_row(to, u32::from(value), 2, count)?, stream, false)
    }
    /// `hipMemsetD32`
    fn hipMemsetD32(to: usize, value: u32, count: usize) { fill(fill_row(to, value, 4, count)?, NULL, true) }
    /// `hipMemsetD32Async`
    fn hipMemsetD32Async(to: usize, value: u32, count: usize, stream: Ptr) { fill(fill_row(to, value, 4, count)?, stream, false) }
    /// `hipMemset2D`
    fn hipMemset2D(to: usize, pitch: usize, value: i32, width: usize, height: usize) {
        fill(fill_rows(to, pitch, value, width, height), NULL, true)
    }
    /// `hipMemset2DAsync`
    fn hipMemset2DAsync(to: usize, pitch: usize, value: i32, width: usize, height: usize, stream: Ptr) {
        fill(fill_rows(to, pitch, value, width, height), stream, false)
    }
    /// `hipMemset3D`
    fn hipMemset3D(to: Pitched, value: i32, extent: Extent) { fill(fill_box(&to, value, extent), NULL, true) }
    /// `hipMemset3DAsync`
    fn hipMemset3DAsync(to: Pitched, value: i32, extent: Extent, stream: Ptr) { fill(fill_box(&to, value, extent), stream, false) }
}
