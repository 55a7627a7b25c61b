use super::TextRange;

/// Bytes of a file: ranges that may overlap when they are put in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct RangeSet {
    /// In order and apart.
    ranges: Vec<TextRange>,
}

impl RangeSet {
    /// Whether the byte at `offset` is in the set.
    pub(crate) fn contains(&self, offset: u32) -> bool {
        let behind = self.ranges.partition_point(|range| range.start <= offset);
        behind > 0 && self.ranges[behind - 1].contains_offset(offset)
    }
}

impl FromIterator<TextRange> for RangeSet {
    fn from_iter<I: IntoIterator<Item = TextRange>>(ranges: I) -> Self {
        let mut all: Vec<TextRange> = ranges.into_iter().collect();
        all.sort_unstable_by_key(|range| range.start);
        let mut ranges = Vec::<TextRange>::new();
        for range in all {
            match ranges.last_mut().filter(|last| range.start <= last.end) {
                Some(last) => *last = TextRange::new(last.start, last.end.max(range.end)),
                None => ranges.push(range),
            }
        }
        Self { ranges }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_in_the_set_if_a_range_has_them() {
        let ranges = [(8, 9), (0, 2), (4, 6), (5, 7), (1, 2), (3, 3)];
        let all = || {
            ranges
                .map(|(start, end)| TextRange::new(start, end))
                .into_iter()
        };
        let set: RangeSet = all().collect();
        for offset in 0..12 {
            let wanted = all().any(|range| range.contains_offset(offset));
            assert_eq!(set.contains(offset), wanted, "{offset}");
        }
    }
}
