//! The helpers that files call, by the headers that have them.

use std::collections::{BTreeMap, BTreeSet};

/// The helpers that files call, by the header that has them.
#[derive(Clone, Debug, Default)]
pub(crate) struct CalledHelpers(BTreeMap<String, BTreeSet<&'static str>>);

impl CalledHelpers {
    /// What one file calls, whose header is `header`.
    pub(crate) fn of(header: &str, helpers: impl IntoIterator<Item = &'static str>) -> Self {
        let helpers: BTreeSet<_> = helpers.into_iter().collect();
        let is_any = !helpers.is_empty();
        Self(
            is_any
                .then(|| (header.to_owned(), helpers))
                .into_iter()
                .collect(),
        )
    }

    /// Adds what others call.
    pub(crate) fn add(&mut self, others: Self) {
        for (header, helpers) in others.0 {
            self.0.entry(header).or_default().extend(helpers);
        }
    }

    /// Adds to each header what somebody knows of it.
    pub(crate) fn add_known(&mut self, known: impl Fn(&str) -> BTreeSet<&'static str>) {
        for (header, helpers) in &mut self.0 {
            helpers.extend(known(header));
        }
    }

    /// The headers by their paths, and what each has to hold.
    pub(crate) fn headers(&self) -> impl Iterator<Item = (&str, &BTreeSet<&'static str>)> {
        self.0
            .iter()
            .map(|(path, helpers)| (path.as_str(), helpers))
    }

    /// How many helpers there are.
    pub(crate) fn count(&self) -> usize {
        self.0.values().flatten().collect::<BTreeSet<_>>().len()
    }
}

/// Where the headers of a tree lie.
#[derive(Clone, Debug, Default)]
pub(super) struct HelperHeaders {
    pub(super) of_tree: String,
    /// Those of packages that the header of the tree would not go into, by the package's folder.
    pub(super) of_packages: BTreeMap<String, String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn helpers_are_gathered_by_their_header() {
        let mut called = CalledHelpers::of("a/x.hpp", ["one"]);
        called.add(CalledHelpers::of("b/x.hpp", ["one", "two"]));
        called.add(CalledHelpers::of("a/x.hpp", []));
        called.add_known(|header| BTreeSet::from_iter((header == "a/x.hpp").then_some("three")));
        let held: Vec<_> = called
            .headers()
            .map(|(path, held)| (path, held.len()))
            .collect();
        assert_eq!(held, [("a/x.hpp", 2), ("b/x.hpp", 2)]);
        assert_eq!(called.count(), 3);
        assert_eq!(CalledHelpers::of("a/x.hpp", []).count(), 0);
    }
}
