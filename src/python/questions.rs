//! What scripts of a tree answer to others that ask for a vendor.

use rustc_hash::FxHashMap;

use super::side::Side;

/// What the scripts of a tree answer by a function or a variable of their own: who runs the program where it holds, by the script's name
/// and by that of the function or variable; nobody where scripts of one name disagree.
#[derive(Debug, Default)]
pub(crate) struct Questions(FxHashMap<(String, String), Option<Side>>);

impl Questions {
    /// Adds what a script answers.
    pub(crate) fn add(&mut self, path: &str, answers: Vec<(String, Side)>) {
        for (name, side) in answers {
            let known = self.0.entry((module(path).to_owned(), name));
            let known = known.or_insert(Some(side));
            if *known != Some(side) {
                *known = None;
            }
        }
    }

    /// Whether a script has a name by which another one asks for NVIDIA.
    pub(crate) fn may_be_asked_in(&self, bytes: &[u8]) -> bool {
        let mut known = self.0.iter();
        known.any(|((_, name), side)| {
            *side == Some(Side::Nvidia) && memchr::memmem::find(bytes, name.as_bytes()).is_some()
        })
    }

    /// Whether no script answers anything.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Who runs a program where what it imports from a module by a name holds.
    pub(super) fn side(&self, module: &str, name: &str) -> Option<Side> {
        let last = module.rsplit('.').next().unwrap_or(module);
        let known = self.0.get(&(last.to_owned(), name.to_owned()));
        known.copied().flatten()
    }
}

/// What a script is imported by last: `utils` of `kit/utils.py` and of `kit/utils/__init__.py`.
fn module(path: &str) -> &str {
    let path = path.strip_suffix(".py").unwrap_or(path);
    let path = path.strip_suffix("/__init__").unwrap_or(path);
    path.rsplit('/').next().unwrap_or(path)
}
