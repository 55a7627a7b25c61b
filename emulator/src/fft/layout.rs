//! Where the elements of a batch lie.

/// One side of a plan: lengths that the memory has room for, the step between elements and between members of the batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    embed: Vec<usize>,
    stride: usize,
    distance: usize,
}

impl Layout {
    /// As the program says (hipfftPlanMany: `inembed`, `istride`, `idist`); the first length does not count.
    pub(super) fn new(embed: Vec<usize>, stride: usize, distance: usize) -> Layout {
        Layout {
            embed,
            stride,
            distance,
        }
    }

    /// Without gaps.
    pub(super) fn packed(lens: &[usize]) -> Layout {
        Layout::new(lens.to_vec(), 1, lens.iter().product())
    }

    /// Real numbers that a transform in place turns into complex ones: rows have room for these.
    pub(super) fn padded(lens: &[usize]) -> Layout {
        let mut embed = lens.to_vec();
        if let Some(last) = embed.last_mut() {
            *last = 2 * (*last / 2 + 1);
        }
        Layout::packed(&embed)
    }

    /// The places of a member's elements, the last direction fastest.
    pub(super) fn places(&self, lens: &[usize], member: usize) -> Vec<usize> {
        let count = lens.iter().product();
        let place = |flat: usize| {
            let mut rest = flat;
            let mut step = 1;
            let mut at = 0;
            for (len, room) in lens.iter().zip(&self.embed).rev() {
                at += rest % len * step;
                rest /= len;
                step *= room;
            }
            member * self.distance + at * self.stride
        };
        (0..count).map(place).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_follow_room_stride_and_distance() {
        let packed = Layout::packed(&[2, 3]);
        assert_eq!(packed.places(&[2, 3], 1), [6, 7, 8, 9, 10, 11]);
        let padded = Layout::padded(&[2, 3]);
        assert_eq!(padded.places(&[2, 3], 1), [8, 9, 10, 12, 13, 14]);
        let own = Layout::new(vec![9, 4], 2, 1);
        assert_eq!(own.places(&[2, 3], 1), [1, 3, 5, 9, 11, 13]);
    }
}
