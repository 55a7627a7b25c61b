//! Texture and surface objects: words in device memory that kernels load and hand to image instructions ([`crate::device::Image`]).

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use crate::device::{Channel, Image, Kind, Outside, Sampler, Shape, Texel};

use super::array::{ARRAYS, Array, Channels};
use super::device::current;
use super::error::{Code, Outcome};
use super::memory;
use super::properties::has_images;
use super::raw::{self, Ptr};
use super::runtime::{give_up, runtime};

layout! {
    /// HIP's `hipTextureDesc`.
    pub struct TextureDescription {
        outside: [i32; 3],
        filter: i32,
        read_mode: i32,
        srgb: i32,
        border: [f32; 4],
        normalized: i32,
        anisotropy: u32,
        mip_filter: i32,
        mip_bias: f32,
        mip_least: f32,
        mip_most: f32,
    }
}

layout! {
    /// HIP's `HIP_TEXTURE_DESC`.
    pub struct DriverTexture {
        outside: [i32; 3],
        filter: i32,
        flags: u32,
        anisotropy: u32,
        mip_filter: i32,
        mip_bias: f32,
        mip_least: f32,
        mip_most: f32,
        border: [f32; 4],
        reserved: [i32; 12],
    }
}

layout! {
    /// HIP's `hipResourceDesc` and `HIP_RESOURCE_DESC`: the union's members begin with a pointer; what follows differs.
    pub struct Resource {
        kind: i32,
        pointer: usize,
        rest: [u8; 48],
    }
}

/// Bytes of `HIP_RESOURCE_DESC` that are read are fewer; of `hipResourceDesc` all.
const RESOURCE_BYTES: usize = 64;

/// What the functions that ask for it get back.
#[derive(Clone, Copy)]
struct Made {
    resource: [u8; RESOURCE_BYTES],
    texture: Option<TextureDescription>,
}

static MADE: Mutex<BTreeMap<usize, Made>> = Mutex::new(BTreeMap::new());

/// Words of a texture object: image, sampler (`HIP_TEXTURE_OBJECT_SIZE_DWORD`).
const WORDS: usize = 20;
const SAMPLER: usize = 12;
/// `hipArrayLayered` and `hipArrayCubemap`.
const LAYERED: u32 = 1;
const CUBEMAP: u32 = 4;

/// The fields of a resource behind its pointer.
struct Fields<'a>(&'a [u8]);

impl Fields<'_> {
    fn word(&self, at: usize) -> u32 {
        let bytes = self
            .0
            .get(at..at + 4)
            .and_then(|bytes| bytes.try_into().ok());
        bytes.map_or(0, u32::from_le_bytes)
    }

    fn long(&self, at: usize) -> usize {
        self.word(at) as usize | (self.word(at + 4) as usize) << 32
    }

    /// The elements, and where the fields behind them begin.
    fn channels(&self, driver: bool) -> Outcome<(Channels, usize)> {
        if driver {
            return Ok((Channels::of_format(self.word(0), self.word(4))?, 8));
        }
        let bits = [0, 4, 8, 12].map(|at| self.word(at) as i32);
        let kind = self.word(16) as i32;
        Ok((Channels { bits, kind }, 24))
    }
}

/// The element type of an image.
fn texel(channels: &Channels, normalized: bool) -> Outcome<Texel> {
    let count = channels.count() as u32;
    let even = channels
        .bits
        .iter()
        .all(|&bits| bits == 0 || bits == channels.bits[0]);
    let channel = match channels.kind {
        0 => Channel::Signed,
        1 => Channel::Unsigned,
        2 => Channel::Float,
        _ => return Err(Code::INVALID_VALUE),
    };
    let bits = channels.bits[0] as u32;
    let known = matches!(bits, 8 | 16 | 32) && !(bits == 8 && channel == Channel::Float);
    if !even || !matches!(count, 1 | 2 | 4) || !known {
        return Err(Code::INVALID_VALUE);
    }
    if normalized && channel != Channel::Float && bits == 32 {
        return Err(Code::INVALID_VALUE);
    }
    Ok(Texel {
        bits,
        count,
        channel,
        normalized: normalized && channel != Channel::Float,
    })
}

fn of_array(array: &Array, normalized: bool) -> Outcome<Image> {
    let extent = array.extent;
    if array.flags & CUBEMAP != 0 {
        give_up("textures and surfaces of cube maps are not emulated");
    }
    let shape = match (array.flags & LAYERED != 0, extent.height, extent.depth) {
        (true, 0, _) => Shape::Layers1,
        (true, ..) => Shape::Layers2,
        (false, _, 1..) => Shape::D3,
        (false, 1.., _) => Shape::D2,
        _ => Shape::D1,
    };
    Ok(Image {
        address: array.address as u64,
        shape,
        texel: texel(&array.channels, normalized)?,
        width: extent.width as u32,
        height: extent.height.max(1) as u32,
        depth: extent.depth.max(1) as u32,
        pitch: array.pitch() as u32,
    })
}

/// The image of a resource.
fn image(resource: &Resource, driver: bool, normalized: bool) -> Outcome<Image> {
    let fields = Fields(&resource.rest);
    match resource.kind {
        0 => return of_array(&*ARRAYS.get(resource.pointer as Ptr)?, normalized),
        1 => give_up("textures of mipmapped arrays are not emulated"),
        2 | 3 => {}
        _ => return Err(Code::INVALID_VALUE),
    }
    if resource.pointer == 0 {
        return Err(Code::INVALID_VALUE);
    }
    let (channels, at) = fields.channels(driver)?;
    let texel = texel(&channels, normalized)?;
    let pitched = resource.kind == 3;
    let (width, height, pitch) = if pitched {
        (fields.long(at), fields.long(at + 8), fields.long(at + 16))
    } else {
        (fields.long(at) / texel.bytes(), 1, 0)
    };
    let most = if pitched { 16384 } else { u32::MAX as usize };
    if width == 0 || height == 0 || width > most || height > most {
        return Err(Code::INVALID_VALUE);
    }
    Ok(Image {
        address: resource.pointer as u64,
        shape: if pitched { Shape::D2 } else { Shape::Linear },
        texel,
        width: width as u32,
        height: height as u32,
        depth: 1,
        pitch: pitch as u32,
    })
}

fn sampler(texture: &TextureDescription) -> Outcome<Sampler> {
    let mode = |number: i32| match number {
        0 => Ok(Outside::Wrap),
        1 => Ok(Outside::Clamp),
        2 => Ok(Outside::Mirror),
        3 => Ok(Outside::Border),
        _ => Err(Code::INVALID_VALUE),
    };
    let [x, y, z] = texture.outside;
    Ok(Sampler {
        outside: [mode(x)?, mode(y)?, mode(z)?],
        linear: texture.filter == 1,
        normalized: texture.normalized != 0,
    })
}

/// Refuses what would give wrong numbers, and what the chip cannot do.
fn check(image: &Image, sampler: &Sampler, texture: &TextureDescription) -> Outcome {
    if texture.srgb != 0 {
        give_up("textures in sRGB are not emulated");
    }
    let border = sampler.outside.contains(&Outside::Border);
    if border && texture.border.iter().any(|&channel| channel != 0.0) {
        give_up("textures with a border that is not zero are not emulated");
    }
    if sampler.linear && !image.texel.is_float() && image.shape != Shape::Linear {
        give_up("linear filtering of whole numbers is not emulated");
    }
    // As the documentation of hipCreateTextureObject says.
    if sampler.linear && image.shape == Shape::D3 && runtime().chip.name == "gfx90a" {
        return Err(Code::NOT_SUPPORTED);
    }
    Ok(())
}

/// Type and order of channels, as HSA numbers them: kernels shift byte coordinates of surfaces by them.
fn hsa(texel: Texel) -> [u32; 2] {
    let width = texel.bits.trailing_zeros() - 3;
    let kind = match (texel.channel, texel.normalized) {
        (Channel::Signed, true) => width,
        (Channel::Unsigned, true) => 2 + width,
        (Channel::Signed, false) => 8 + width,
        (Channel::Unsigned, false) => 11 + width,
        (Channel::Float, _) => 13 + width,
    };
    let order = match texel.count {
        1 => 1,
        2 => 3,
        _ => 8,
    };
    [kind, order]
}

/// Puts an object into device memory; its handle.
fn put(to: *mut Ptr, image: &Image, sampler: Option<&Sampler>, made: Made) -> Outcome {
    let mut words = [0u32; WORDS];
    words[..8].copy_from_slice(&image.words());
    words[8..10].copy_from_slice(&hsa(image.texel));
    words[10] = image.width;
    if let Some(sampler) = sampler {
        words[SAMPLER..SAMPLER + 4].copy_from_slice(&sampler.words());
    }
    let base = memory::allocate(4 * WORDS, Kind::Device, 0, current())?;
    raw::copy(base, words.as_ptr() as usize, 4 * WORDS);
    MADE.lock()
        .unwrap_or_else(PoisonError::into_inner)
        .insert(base, made);
    raw::put(to, base as Ptr)
}

fn create(
    to: *mut Ptr,
    resource: *const Resource,
    driver: bool,
    texture: Option<TextureDescription>,
    view: Ptr,
) -> Outcome {
    if !has_images() {
        return Err(Code::NOT_SUPPORTED);
    }
    if to.is_null() {
        return Err(Code::INVALID_VALUE);
    }
    if !view.is_null() {
        give_up("views of resources are not emulated");
    }
    let of = raw::get(resource)?;
    let image = image(
        &of,
        driver,
        texture.is_some_and(|texture| texture.read_mode == 1),
    )?;
    let sampler = texture.as_ref().map(sampler).transpose()?;
    if let (Some(sampler), Some(texture)) = (&sampler, &texture) {
        check(&image, sampler, texture)?;
    }
    let resource = raw::get(resource.cast())?;
    put(to, &image, sampler.as_ref(), Made { resource, texture })
}

fn destroy(object: Ptr) -> Outcome {
    if object.is_null() {
        return Ok(());
    }
    let removed = MADE
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .remove(&(object as usize));
    removed.ok_or(Code::INVALID_VALUE)?;
    super::stream::wait_for_all();
    memory::free(object as usize).map(drop)
}

fn made(object: Ptr) -> Outcome<Made> {
    let all = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    all.get(&(object as usize))
        .copied()
        .ok_or(Code::INVALID_VALUE)
}

/// A driver's description, in the runtime's terms: `HIP_TRSF_READ_AS_INTEGER`, `HIP_TRSF_NORMALIZED_COORDINATES`, `HIP_TRSF_SRGB`.
fn of_driver(driver: &DriverTexture) -> TextureDescription {
    TextureDescription {
        outside: driver.outside,
        filter: driver.filter,
        read_mode: i32::from(driver.flags & 1 == 0),
        srgb: i32::from(driver.flags & 16 != 0),
        border: driver.border,
        normalized: i32::from(driver.flags & 2 != 0),
        anisotropy: driver.anisotropy,
        mip_filter: driver.mip_filter,
        mip_bias: driver.mip_bias,
        mip_least: driver.mip_least,
        mip_most: driver.mip_most,
    }
}

export! {
    /// `hipCreateTextureObject`
    fn hipCreateTextureObject(to: *mut Ptr, resource: *const Resource, texture: *const TextureDescription, view: Ptr) {
        create(to, resource, false, Some(raw::get(texture)?), view)
    }
    /// `hipTexObjectCreate`
    fn hipTexObjectCreate(to: *mut Ptr, resource: *const Resource, texture: *const DriverTexture, view: Ptr) {
        create(to, resource, true, Some(of_driver(&raw::get(texture)?)), view)
    }
    /// `hipCreateSurfaceObject`
    fn hipCreateSurfaceObject(to: *mut Ptr, resource: *const Resource) {
        if raw::get(resource)?.kind != 0 {
            return Err(Code::INVALID_VALUE);
        }
        create(to, resource, false, None, std::ptr::null_mut())
    }
    /// `hipDestroyTextureObject`
    fn hipDestroyTextureObject(object: Ptr) { destroy(object) }
    /// `hipTexObjectDestroy`
    fn hipTexObjectDestroy(object: Ptr) { destroy(object) }
    /// `hipDestroySurfaceObject`
    fn hipDestroySurfaceObject(object: Ptr) { destroy(object) }
    /// `hipGetTextureObjectResourceDesc`
    fn hipGetTextureObjectResourceDesc(to: *mut [u8; RESOURCE_BYTES], object: Ptr) { raw::put(to, made(object)?.resource) }
    /// `hipGetTextureObjectTextureDesc`
    fn hipGetTextureObjectTextureDesc(to: *mut TextureDescription, object: Ptr) {
        raw::put(to, made(object)?.texture.ok_or(Code::INVALID_VALUE)?)
    }
}
