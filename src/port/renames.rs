//! Files that the sources call otherwise today: work by hand on the old name belongs to the new one.

use std::collections::{BTreeMap, BTreeSet};

use super::Hash;
use super::decide::shared_lines;

/// Share of lines that two files must have in common to be one under two names; git's default.
const ENOUGH: usize = 50;
/// Pairs that are compared; beyond it only files of the same name are.
const MOST_PAIRS: usize = 20_000;

/// One side of a rename: a file that is gone, or one that is new.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Its key in the output.
    pub key: String,
    /// Path of its source.
    pub source: String,
    /// Hash of its source.
    pub hash: Hash,
    /// Its lines, where it has any.
    pub text: Option<Vec<u8>>,
}

/// The old key of each new file that is one of those that are gone: by the source's path, by its bytes, by its lines.
pub(super) fn pair(gone: &[Candidate], new: &[Candidate]) -> BTreeMap<String, String> {
    let mut pairs = BTreeMap::new();
    let mut taken = BTreeSet::new();
    let same_path = |old: &Candidate, new: &Candidate| old.source == new.source;
    let same_bytes = |old: &Candidate, new: &Candidate| old.hash == new.hash;
    for is_same in [
        &same_path as &dyn Fn(&Candidate, &Candidate) -> bool,
        &same_bytes,
    ] {
        for new in new {
            if pairs.contains_key(&new.key) {
                continue;
            }
            let fits = |old: &&Candidate| !taken.contains(&old.key) && is_same(old, new);
            let mut found = gone.iter().filter(fits);
            // Of several with the same bytes the one that kept its name.
            let named = found.clone().find(|old| name(&old.key) == name(&new.key));
            if let Some(old) = named.or_else(|| found.next()) {
                taken.insert(old.key.clone());
                pairs.insert(new.key.clone(), old.key.clone());
            }
        }
    }
    let old: Vec<_> = gone
        .iter()
        .filter(|old| !taken.contains(&old.key))
        .collect();
    let new: Vec<_> = new
        .iter()
        .filter(|new| !pairs.contains_key(&new.key))
        .collect();
    by_lines(&old, &new, &mut pairs);
    pairs
}

/// Adds pairs of files that have most lines in common, the most alike first.
fn by_lines(gone: &[&Candidate], new: &[&Candidate], pairs: &mut BTreeMap<String, String>) {
    let is_many = gone.len() * new.len() > MOST_PAIRS;
    let mut alike = Vec::new();
    for old in gone {
        for new in new {
            let may_be = end(&old.source) == end(&new.source)
                && (!is_many || name(&old.key) == name(&new.key));
            let share = if may_be { share(old, new) } else { 0 };
            if share >= ENOUGH {
                alike.push((std::cmp::Reverse(share), &old.key, &new.key));
            }
        }
    }
    alike.sort();
    let mut taken = BTreeSet::new();
    for (_, old, new) in alike {
        if !pairs.contains_key(new) && taken.insert(old) {
            pairs.insert(new.clone(), old.clone());
        }
    }
}

fn share(old: &Candidate, new: &Candidate) -> usize {
    let (Some(old), Some(new)) = (&old.text, &new.text) else {
        return 0;
    };
    let count = |text: &[u8]| shared_lines(text, text);
    shared_lines(old, new) * 100 / count(old).max(count(new)).max(1)
}

fn name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn end(path: &str) -> &str {
    name(path).rsplit_once('.').map_or("", |(_, end)| end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> Candidate {
        Candidate {
            key: path.to_owned(),
            source: path.to_owned(),
            hash: Hash::of(text.as_bytes()),
            text: Some(text.as_bytes().to_vec()),
        }
    }

    fn pairs(gone: &[Candidate], new: &[Candidate]) -> Vec<(String, String)> {
        pair(gone, new).into_iter().collect()
    }

    #[test]
    fn names_bytes_and_lines_are_recognised_in_this_order() {
        let mut moved = file("a.hip", "other\n");
        moved.source = "a.cu".to_owned();
        let gone = [
            file("a.cu", "x\n"),
            file("b.cu", "b\n"),
            file("c.cu", "1\n2\n3\n4\n"),
        ];
        let new = [
            moved,
            file("lib/b.cu", "b\n"),
            file("d.cu", "1\n2\n3\nfour\n"),
        ];
        let text = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        let expected = [
            text("a.hip", "a.cu"),
            text("d.cu", "c.cu"),
            text("lib/b.cu", "b.cu"),
        ];
        assert_eq!(pairs(&gone, &new), expected);
    }

    #[test]
    fn files_that_share_little_are_two() {
        let (gone, new) = (file("a.cu", "1\n2\n3\n4\n"), file("b.cu", "1\nx\ny\nz\n"));
        assert_eq!(pairs(&[gone], &[new]), []);
        let (gone, new) = (file("a.cu", "1\n2\n"), file("a.py", "1\n2\n3\n"));
        assert_eq!(pairs(&[gone], &[new]), []);
    }
}
