//! Images: what texture and surface objects describe, in the words that kernels load and hand to image instructions.
//!
//! Where device libraries look into the words (extents, the kind, the sampler's filter) they lie as on gfx9; format, address and pitch
//! are the emulator's own, since only its instructions read them. Rows are not tiled.

/// Kinds of images, with their numbers in a descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Linear memory, read by whole numbers.
    Linear = 0,
    /// One direction.
    D1 = 8,
    /// Two directions.
    D2 = 9,
    /// Three directions.
    D3 = 10,
    /// Layers of one direction.
    Layers1 = 12,
    /// Layers of two directions.
    Layers2 = 13,
}

impl Shape {
    const ALL: [Shape; 6] = [
        Shape::Linear,
        Shape::D1,
        Shape::D2,
        Shape::D3,
        Shape::Layers1,
        Shape::Layers2,
    ];

    /// Directions, and whether a layer comes after them.
    pub(crate) fn coordinates(self) -> (usize, bool) {
        match self {
            Shape::Linear | Shape::D1 => (1, false),
            Shape::D2 => (2, false),
            Shape::D3 => (3, false),
            Shape::Layers1 => (1, true),
            Shape::Layers2 => (2, true),
        }
    }
}

/// What the channels of an element are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    /// Whole numbers with a sign.
    Signed = 0,
    /// Whole numbers.
    Unsigned = 1,
    /// Floats.
    Float = 2,
}

/// An element of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Texel {
    /// Bits of a channel: 8, 16 or 32.
    pub bits: u32,
    /// Channels: 1, 2 or 4.
    pub count: u32,
    /// What they are.
    pub channel: Channel,
    /// Whole numbers read as -1…1 or 0…1.
    pub normalized: bool,
}

impl Texel {
    /// Bytes of an element.
    pub fn bytes(self) -> usize {
        (self.bits * self.count / 8) as usize
    }

    /// Reads as floats, which can be filtered.
    pub fn is_float(self) -> bool {
        self.normalized || self.channel == Channel::Float
    }

    fn code(self) -> u32 {
        let width = self.bits.trailing_zeros() - 3;
        width | (self.channel as u32) << 2 | (self.count - 1) << 4 | u32::from(self.normalized) << 6
    }

    fn of_code(code: u32) -> Option<Texel> {
        Some(Texel {
            bits: 8 << (code & 3),
            count: (code >> 4 & 3) + 1,
            channel: match code >> 2 & 3 {
                0 => Channel::Signed,
                1 => Channel::Unsigned,
                2 => Channel::Float,
                _ => return None,
            },
            normalized: code >> 6 & 1 != 0,
        })
    }
}

/// An image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Image {
    /// Its first byte.
    pub address: u64,
    /// Its kind.
    pub shape: Shape,
    /// Its elements.
    pub texel: Texel,
    /// Elements of a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Slices, or layers.
    pub depth: u32,
    /// Bytes from row to row.
    pub pitch: u32,
}

/// Tells the emulator's descriptors from other words.
const TAG: u32 = 0x00ca_5500;
const TAG_BITS: u32 = 0x00ff_ff00;

impl Image {
    /// The eight words of its descriptor; the first four serve buffer loads from linear memory.
    pub fn words(&self) -> [u32; 8] {
        let size = match self.shape {
            Shape::Linear => self.width,
            _ => (self.width - 1) & 0x3fff | ((self.height - 1) & 0x3fff) << 14,
        };
        [
            self.address as u32,
            (self.address >> 32) as u32 & 0xffff | self.texel.code() << 16,
            size,
            (self.shape as u32) << 28 | TAG,
            (self.depth - 1) & 0x1fff,
            self.pitch,
            0,
            0,
        ]
    }

    /// The image of a descriptor's first words; nothing where they are not of this emulator.
    pub(crate) fn of(words: &[u32]) -> Option<Image> {
        if words[3] & TAG_BITS != TAG {
            return None;
        }
        let shape = Shape::ALL
            .into_iter()
            .find(|shape| *shape as u32 == words[3] >> 28)?;
        let linear = shape == Shape::Linear;
        let word = |k: usize| words.get(k).copied().unwrap_or(0);
        Some(Image {
            address: u64::from(words[0]) | u64::from(words[1] & 0xffff) << 32,
            shape,
            texel: Texel::of_code(words[1] >> 16)?,
            width: if linear {
                words[2]
            } else {
                (words[2] & 0x3fff) + 1
            },
            height: if linear {
                1
            } else {
                (words[2] >> 14 & 0x3fff) + 1
            },
            depth: (word(4) & 0x1fff) + 1,
            pitch: word(5),
        })
    }

    /// Elements in each direction.
    pub(crate) fn extent(&self) -> [u32; 3] {
        [self.width, self.height, self.depth]
    }

    /// The address of an element inside of the image.
    pub(crate) fn place(&self, at: [u32; 3]) -> u64 {
        let [x, y, z] = at.map(u64::from);
        let row = u64::from(self.height) * z + y;
        self.address + row * u64::from(self.pitch) + x * self.texel.bytes() as u64
    }
}

/// What lies outside of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outside {
    /// The image again.
    Wrap = 0,
    /// The image again, each time the other way round.
    Mirror = 1,
    /// Its last element.
    Clamp = 2,
    /// Zeros.
    Border = 6,
}

/// How an image is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sampler {
    /// What lies outside, by direction.
    pub outside: [Outside; 3],
    /// Neighbours are mixed.
    pub linear: bool,
    /// Coordinates count images, not elements.
    pub normalized: bool,
}

impl Sampler {
    /// The four words of its descriptor.
    pub fn words(&self) -> [u32; 4] {
        let [x, y, z] = self.outside.map(|outside| outside as u32);
        let unnormalized = u32::from(!self.normalized) << 15;
        [
            x | y << 3 | z << 6 | unnormalized,
            0,
            u32::from(self.linear) << 20,
            0,
        ]
    }

    /// The sampler of a descriptor.
    pub(crate) fn of(words: &[u32]) -> Sampler {
        let outside = |shift: u32| match words[0] >> shift & 7 {
            0 => Outside::Wrap,
            1 => Outside::Mirror,
            2 => Outside::Clamp,
            _ => Outside::Border,
        };
        Sampler {
            outside: [outside(0), outside(3), outside(6)],
            linear: words[2] >> 20 & 1 != 0,
            normalized: words[0] >> 15 & 1 == 0,
        }
    }

    /// The elements of one direction that a coordinate reads, each with its weight; an element outside of all is none.
    pub(crate) fn taps(
        &self,
        direction: usize,
        coordinate: f32,
        size: u32,
    ) -> [(Option<u32>, f32); 2] {
        // Only coordinates that count images repeat.
        let outside = match self.outside[direction] {
            Outside::Wrap | Outside::Mirror if !self.normalized => Outside::Clamp,
            other => other,
        };
        let at = if self.normalized {
            coordinate * size as f32
        } else {
            coordinate
        };
        let inside = |k: i64| resolve(outside, k, size.into());
        // Coordinates are rounded to 1/256 first. AMD's device libraries count on it where they look for the nearest element: they give
        // the quotient of whole numbers, which may lie a little below.
        if !self.linear {
            let fixed = (at * 256.0).round() as i64;
            return [(inside(fixed >> 8), 1.0), (None, 0.0)];
        }
        // So eight bits say how far a point is from one element to the next, as in CUDA.
        let fixed = ((at - 0.5) * 256.0).round() as i64;
        let share = (fixed & 255) as f32 / 256.0;
        let first = fixed >> 8;
        [
            (inside(first), 1.0 - share),
            (inside(first.saturating_add(1)), share),
        ]
    }
}

/// The element that stands for one that may lie outside.
fn resolve(outside: Outside, k: i64, size: i64) -> Option<u32> {
    let inside = match outside {
        Outside::Wrap => k.rem_euclid(size),
        Outside::Mirror => {
            let twice = k.rem_euclid(2 * size);
            twice.min(2 * size - 1 - twice)
        }
        Outside::Clamp => k.clamp(0, size - 1),
        Outside::Border => return (0..size).contains(&k).then_some(k as u32),
    };
    Some(inside as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXEL: Texel = Texel {
        bits: 16,
        count: 4,
        channel: Channel::Float,
        normalized: false,
    };

    #[test]
    fn descriptors_come_back_as_they_were() {
        for shape in Shape::ALL {
            let image = Image {
                address: 0x7f12_3456_7800,
                shape,
                texel: TEXEL,
                width: 12345,
                height: if shape == Shape::Linear { 1 } else { 16384 },
                depth: if shape == Shape::Linear { 1 } else { 77 },
                pitch: 98760,
            };
            assert_eq!(Image::of(&image.words()), Some(image));
        }
        assert_eq!(Image::of(&[1, 2, 3, 4, 5, 6, 7, 8]), None);
        let sampler = Sampler {
            outside: [Outside::Mirror, Outside::Border, Outside::Wrap],
            linear: true,
            normalized: false,
        };
        assert_eq!(Sampler::of(&sampler.words()), sampler);
    }

    #[test]
    fn elements_outside_are_found_by_their_mode() {
        let around = |outside| [-5, -1, 0, 3, 4, 7, 8].map(|k| resolve(outside, k, 4));
        let some = |all: [u32; 7]| all.map(Some);
        assert_eq!(around(Outside::Wrap), some([3, 3, 0, 3, 0, 3, 0]));
        assert_eq!(around(Outside::Mirror), some([3, 0, 0, 3, 3, 0, 0]));
        assert_eq!(around(Outside::Clamp), some([0, 0, 0, 3, 3, 3, 3]));
        let border = [None, None, Some(0), Some(3), None, None, None];
        assert_eq!(around(Outside::Border), border);
    }

    #[test]
    fn shares_have_eight_bits() {
        let sampler = Sampler {
            outside: [Outside::Clamp; 3],
            linear: true,
            normalized: false,
        };
        let taps = |at| sampler.taps(0, at, 8);
        assert_eq!(taps(2.5), [(Some(2), 1.0), (Some(3), 0.0)]);
        assert_eq!(taps(3.0), [(Some(2), 0.5), (Some(3), 0.5)]);
        assert_eq!(taps(2.5 + 0.6 / 256.0)[1], (Some(3), 1.0 / 256.0));
        assert_eq!(taps(-9.0)[0].0, Some(0));
    }
}
