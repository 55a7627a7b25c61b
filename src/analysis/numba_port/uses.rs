//! What is found in a program for `numba.cuda`, until all of it is read.

use std::borrow::Cow;

use crate::edit::Edit;
use crate::python::numba::Helpers;
use crate::python::{Node, PyFile};
use crate::text::TextRange;

/// A change and what to say of it.
pub(crate) struct Change {
    pub(crate) range: TextRange,
    pub(crate) edits: Vec<Edit>,
    pub(crate) message: String,
}

/// A name that is in the way.
pub(crate) struct Hindrance {
    pub(crate) range: TextRange,
    pub(crate) name: String,
    pub(crate) advice: Cow<'static, str>,
}

/// A use of what functions written into the file stand for.
pub(super) struct Helped<'t> {
    pub(super) node: Node<'t>,
    pub(super) edit: Edit,
    pub(super) name: String,
    pub(super) advice: &'static str,
}

/// What a file does with the package.
#[derive(Default)]
pub(crate) struct Uses<'t> {
    /// How the file calls the module.
    pub(super) names: Vec<String>,
    /// What turns it into one for numba-hip.
    pub(super) changes: Vec<Change>,
    /// Its imports of the module.
    pub(super) imports: Vec<Node<'t>>,
    /// Imports of `numba` with its decorators of whole arrays: helpers stand behind one of them where nothing is imported of the module.
    pub(super) anchors: Vec<Node<'t>>,
    /// `import numba` alone.
    pub(super) package: Option<TextRange>,
    pub(super) helped: Vec<Helped<'t>>,
    pub(super) helpers: Helpers,
    /// What is in the way.
    pub(super) hindrances: Vec<Hindrance>,
    /// What is ported and does less than it did.
    pub(super) losses: Vec<Hindrance>,
    pub(super) file: Option<&'t PyFile<'t>>,
    /// Whether a module below `numba.cuda`, `tests.cudapy.usecases`, is a file of the tree that is ported where it stands.
    pub(super) is_own: Option<&'t dyn Fn(&str) -> bool>,
}

impl Uses<'_> {
    /// Adds a change, once for a place.
    pub(super) fn edit(&mut self, range: TextRange, edits: Vec<Edit>, message: &str) {
        if self.changes.iter().all(|known| known.range != range) {
            let message = message.to_owned();
            self.changes.push(Change {
                range,
                edits,
                message,
            });
        }
    }

    /// Adds what is ported and does less than it did.
    pub(super) fn loses(&mut self, range: TextRange, name: &str, advice: &'static str) {
        self.losses.push(Hindrance {
            range,
            name: name.to_owned(),
            advice: advice.into(),
        });
    }

    /// Adds a name that is in the way.
    pub(super) fn block(
        &mut self,
        range: TextRange,
        name: &str,
        advice: impl Into<Cow<'static, str>>,
    ) {
        self.hindrances.push(Hindrance {
            range,
            name: name.to_owned(),
            advice: advice.into(),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_changes_once() {
        let (mut uses, range) = (Uses::default(), TextRange::new(0, 1));
        for text in ["a", "b"] {
            uses.edit(range, vec![Edit::replace(range, text)], text);
        }
        let messages: Vec<&str> = uses.changes.iter().map(|it| it.message.as_str()).collect();
        assert_eq!(messages, ["a"]);
        uses.block(range, "name", "advice");
        assert_eq!(uses.hindrances.len(), 1);
    }
}
