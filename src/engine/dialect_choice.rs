//! The dialects that a person gives to paths.

use globset::GlobSet;

use crate::engine::RulePolicy;
use crate::options::Dialect;

/// The dialects that a configuration gives to some paths; later ones win.
#[derive(Clone, Debug, Default)]
pub struct DialectChoice {
    layers: Vec<(GlobSet, Dialect)>,
    /// What the globs of the same configuration look at.
    paths: RulePolicy,
}

impl DialectChoice {
    /// No choice yet; globs see the paths that those of `policy` see.
    pub(crate) fn for_policy(policy: &RulePolicy) -> Self {
        let (layers, paths) = (Vec::new(), policy.clone());
        Self { layers, paths }
    }

    /// Adds the dialect of the paths that match; it goes over those before it.
    pub fn add(&mut self, globs: GlobSet, dialect: Dialect) {
        self.layers.push((globs, dialect));
    }

    pub(super) fn of(&self, path: &str) -> Option<Dialect> {
        if self.layers.is_empty() {
            return None;
        }
        let path = self.paths.seen(path);
        let mut layers = self.layers.iter().rev();
        let found = layers.find(|(globs, _)| globs.is_match(&path));
        found.map(|(_, dialect)| *dialect)
    }
}
