//! Two sets of edits as one.

use super::{Edit, EditSet, apply};
use crate::text::TextRange;

/// What an edit takes of the source and makes in the result.
#[derive(Clone, Copy)]
struct Part {
    source: TextRange,
    result: TextRange,
}

impl EditSet {
    /// The edits that do to `source` what these do and what `next` then does to the result. None where what comes of it is no text.
    ///
    /// Edits of both sets that touch each other become one; all others stay as they are.
    pub(crate) fn then(&self, next: &Self, source: &[u8]) -> Option<Self> {
        let result = apply(source, self);
        let mut first = self.iter().zip(self.ranges()).peekable();
        let mut made = Vec::new();
        let mut later = next.iter().peekable();
        while let Some(edit) = later.next() {
            let mut whole = edit.range;
            let (mut befores, mut group) = (Vec::new(), vec![edit]);
            loop {
                if let Some((alone, (source, result))) =
                    first.next_if(|(_, (_, result))| result.start <= whole.end)
                {
                    if result.end < whole.start {
                        made.push(alone.clone());
                        continue;
                    }
                    whole = whole.cover(result);
                    befores.push(Part { source, result });
                } else if let Some(edit) = later.next_if(|edit| edit.range.start <= whole.end) {
                    whole = whole.cover(edit.range);
                    group.push(edit);
                } else {
                    break;
                }
            }
            let content = changed(&result, whole, &group)?;
            made.push(Edit::replace(self.origin(whole, &befores), content));
        }
        made.extend(first.map(|(edit, _)| edit.clone()));
        Some(Self::sorted(made))
    }

    /// The bytes of the source that a range of the result came from; `inside` are the edits within it, and none other touches it.
    fn origin(&self, range: TextRange, inside: &[Part]) -> TextRange {
        let start = match inside.first() {
            Some(part) if part.result.start == range.start => part.source.start,
            _ => self.unmap_offset(range.start),
        };
        let end = match inside.last() {
            Some(part) => part.source.end + (range.end - part.result.end),
            None => start + range.len(),
        };
        TextRange::new(start, end)
    }
}

/// A range of the result as the edits in it change it.
fn changed(result: &[u8], range: TextRange, edits: &[&Edit]) -> Option<String> {
    let (mut text, mut copied) = (Vec::new(), range.start as usize);
    for edit in edits {
        text.extend_from_slice(&result[copied..edit.range.start as usize]);
        text.extend_from_slice(edit.content.as_bytes());
        copied = edit.range.end as usize;
    }
    text.extend_from_slice(&result[copied..range.end as usize]);
    String::from_utf8(text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::{Applicability, Fix};

    /// Edits by start, end and content.
    fn set(edits: &[(u32, u32, &'static str)]) -> EditSet {
        let edit = |&(start, end, text)| Edit::replace(TextRange::new(start, end), text);
        let fixes: Vec<Fix> = edits.iter().map(|it| Fix::safe(vec![edit(it)])).collect();
        let list: Vec<_> = fixes.iter().map(|fix| (0, Some(fix))).collect();
        EditSet::resolve(&list, Applicability::Safe).edits
    }

    #[test]
    fn two_sets_do_what_one_after_the_other_does() {
        type List<'l> = &'l [(u32, u32, &'static str)];
        let cases: [(List<'_>, List<'_>, usize); 9] = [
            (&[(1, 2, "xyz")], &[(6, 7, "")], 2),
            (&[(6, 7, "")], &[(0, 1, "long")], 2),
            (&[(1, 2, "xyz"), (5, 5, "in")], &[(2, 8, "-")], 1),
            (&[(3, 3, "in")], &[(3, 3, "a"), (5, 5, "b")], 1),
            (&[(2, 4, "")], &[(2, 2, "new")], 1),
            (&[(2, 4, "")], &[(0, 2, "new"), (3, 4, "")], 2),
            (&[(0, 1, "x"), (9, 10, "y")], &[(4, 5, "z")], 3),
            (&[(0, 0, "head")], &[(0, 0, "more")], 1),
            (&[(9, 10, "")], &[(9, 9, "tail")], 1),
        ];
        let source = b"0123456789";
        for (first, second, edits) in cases {
            let (first, second) = (set(first), set(second));
            let both = first.then(&second, source).expect("it is text");
            let expected = apply(&apply(source, &first), &second);
            assert_eq!(apply(source, &both), expected, "{first:?} {second:?}");
            assert_eq!(both.len(), edits, "{both:?}");
        }
    }
}
