//! Edits of one file: what a fix wants to change, how sure it is, and how changes are applied.

mod apply;
mod chosen;
mod compose;
mod moves;
mod set;

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::text::TextRange;

pub use apply::apply;
pub(crate) use apply::apply_within;
pub use set::{EditSet, Resolution};

/// How sure a fix is. Ordered: a policy is one comparison.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Applicability {
    /// Shown to a person, never applied.
    Manual,
    /// Compiles, but may differ in meaning or speed: applied, and reported for review.
    Review,
    /// Same meaning on AMD as before.
    Safe,
}

/// Replaces a range of the original file; an empty range inserts, empty content deletes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edit {
    /// Bytes of the original file that go.
    pub range: TextRange,
    /// Bytes that come instead.
    pub content: Cow<'static, str>,
    /// What becomes of edits that other fixes have in the same code; `None` where this edit and those exclude each other.
    inner: Option<Box<Inner>>,
}

/// Code of the file that an edit takes out for good, and code that it carries elsewhere.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Inner {
    gone: Option<TextRange>,
    moved: Vec<Moved>,
}

/// Code of the file within the content of an edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moved {
    /// Where it starts in the content, which has its bytes as the file has them.
    pub at: u32,
    /// The bytes of the file.
    pub from: TextRange,
}

impl Edit {
    /// Replaces `range` by `content`.
    pub fn replace(range: TextRange, content: impl Into<Cow<'static, str>>) -> Self {
        Self {
            range,
            content: content.into(),
            inner: None,
        }
    }

    /// Says that the code in `code`, the whole range or a part of it, goes for good: other fixes may still change it, and what they do
    /// there goes with it or, where an edit of the same fix carries that code elsewhere, is done there.
    #[must_use]
    pub fn without(mut self, code: TextRange) -> Self {
        debug_assert!(self.range.contains(code), "what goes lies in the edit");
        self.inner.get_or_insert_default().gone = Some(code);
        self
    }

    /// Says that the content has, from byte `at` on, the code of the file in `from`: what other fixes do to that code is done there too.
    #[must_use]
    pub fn moving(mut self, at: usize, from: TextRange) -> Self {
        let at = at as u32;
        self.inner
            .get_or_insert_default()
            .moved
            .push(Moved { at, from });
        self
    }

    /// Ends the new lines with `newline`; code that the content carries has the file's own.
    pub(crate) fn end_lines(&mut self, newline: &str) {
        if !self.content.contains('\n') {
            return;
        }
        let ended = |text: &str| text.replace(newline, "\n").replace('\n', newline);
        let (mut content, mut copied) = (String::with_capacity(self.content.len()), 0);
        for moved in self.inner.iter_mut().flat_map(|inner| &mut inner.moved) {
            let (at, length) = (moved.at as usize, moved.from.len() as usize);
            content.push_str(&ended(&self.content[copied..at]));
            moved.at = content.len() as u32;
            content.push_str(&self.content[at..at + length]);
            copied = at + length;
        }
        content.push_str(&ended(&self.content[copied..]));
        self.content = content.into();
    }

    /// The code that goes for good, whatever other fixes wanted of it.
    pub(crate) fn deleted_range(&self) -> Option<TextRange> {
        self.inner.as_ref()?.gone
    }

    /// The code that the content carries, in the order of the content.
    pub fn moved(&self) -> &[Moved] {
        self.inner.as_ref().map_or(&[], |inner| &inner.moved)
    }

    /// Inserts `content` before the byte at `offset`.
    pub fn insert(offset: u32, content: impl Into<Cow<'static, str>>) -> Self {
        Self::replace(TextRange::at(offset), content)
    }

    /// Deletes `range`.
    pub fn delete(range: TextRange) -> Self {
        Self::replace(range, "")
    }
}

/// Edits that belong together: applied all or none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// The edits, in terms of the original file.
    pub edits: Vec<Edit>,
    /// How sure the fix is.
    pub applicability: Applicability,
}

impl Fix {
    /// A fix that keeps the program's meaning.
    pub fn safe(edits: Vec<Edit>) -> Self {
        Self {
            edits,
            applicability: Applicability::Safe,
        }
    }

    /// A fix that a person must look at.
    pub fn review(edits: Vec<Edit>) -> Self {
        Self {
            edits,
            applicability: Applicability::Review,
        }
    }

    /// A proposal that is only shown.
    pub fn manual(edits: Vec<Edit>) -> Self {
        Self {
            edits,
            applicability: Applicability::Manual,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_lines_end_as_the_file_does_and_carried_code_stays() {
        let mut edit =
            Edit::replace(TextRange::new(0, 9), "{\n  a\r\nb;\n}").moving(4, TextRange::new(2, 6));
        edit.end_lines("\r\n");
        assert_eq!(edit.content, "{\r\n  a\r\nb;\r\n}");
        assert_eq!(edit.moved()[0].at, 5);
    }
}
