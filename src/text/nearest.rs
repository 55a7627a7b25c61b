use strsim::osa_distance;

/// The candidate that a misspelt word most likely means; `None` when nothing is near.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_ascii_lowercase();
    // A third of the letters wrong is a slip of the keyboard; more is another word.
    let limit = (word.chars().count() / 3).max(1);
    let letters = Letters::of(&word);
    let (mut found, mut below) = (None, limit + 1);
    for candidate in candidates {
        if letters.least_distance(candidate) >= below {
            continue;
        }
        let distance = osa_distance(&word, &candidate.to_ascii_lowercase());
        if distance < below {
            (found, below) = (Some(candidate), distance);
        }
    }
    found
}

/// How often a word has each letter. To compare these is some fifty times cheaper than to measure a distance, and few candidates pass.
struct Letters {
    counts: [i16; 256],
    len: usize,
    is_ascii: bool,
}

impl Letters {
    fn of(word: &str) -> Self {
        let mut counts = [0; 256];
        word.bytes().for_each(|byte| counts[usize::from(byte)] += 1);
        Self {
            counts,
            len: word.len(),
            is_ascii: word.is_ascii(),
        }
    }

    /// What the distance of a candidate is at least: each edit takes away one letter too many, adds one that lacks, or both.
    fn least_distance(&self, candidate: &str) -> usize {
        // In other text an edit changes several bytes.
        if !self.is_ascii || !candidate.is_ascii() {
            return 0;
        }
        let mut counts = self.counts;
        let is_extra = |byte: &u8| {
            let count = &mut counts[usize::from(byte.to_ascii_lowercase())];
            *count -= 1;
            *count < 0
        };
        let extra = candidate
            .as_bytes()
            .iter()
            .copied()
            .filter(is_extra)
            .count();
        extra.max(self.len + extra - candidate.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_near_and_other_words_are_not() {
        let words = ["launch", "warp", "rocm", "fix-level"];
        assert_eq!(nearest("lanuch", words), Some("launch"));
        assert_eq!(nearest("Warps", words), Some("warp"));
        assert_eq!(nearest("fix_level", words), Some("fix-level"));
        assert_eq!(nearest("colour", words), None);
    }

    #[test]
    fn of_several_that_are_near_the_nearest_and_first_is_meant() {
        assert_eq!(
            nearest("abcdef", ["abcxyf", "abcdxf", "abcdef2"]),
            Some("abcdxf")
        );
        assert_eq!(nearest("gr\u{fc}n", ["grun", "gr\u{fc}m"]), Some("grun"));
    }

    #[test]
    fn letters_never_promise_more_than_the_distance() {
        let words = [
            "cudaMalloc",
            "cudaMallocHost",
            "cudaFree",
            "laocMcudal",
            "",
            "a",
            "aaaa",
        ];
        for one in words {
            for other in words {
                let least = Letters::of(&one.to_ascii_lowercase()).least_distance(other);
                let distance = osa_distance(&one.to_ascii_lowercase(), &other.to_ascii_lowercase());
                assert!(least <= distance, "{one} {other}: {least} > {distance}");
            }
        }
    }
}
