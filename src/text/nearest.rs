use strsim::osa_distance;

/// The candidate that a misspelt word most likely means; `None` when nothing is near.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_ascii_lowercase();
    // A third of the letters wrong is a slip of the keyboard; more is another word.
    let limit = (word.chars().count() / 3).max(1);
    let near = candidates
        .into_iter()
        .map(|candidate| {
            (
                osa_distance(&word, &candidate.to_ascii_lowercase()),
                candidate,
            )
        })
        .filter(|(distance, _)| *distance <= limit);
    near.min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
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
}
