//! Which braces stand around a token.

use super::TokenIndex;
use super::lexed::Lexed;

/// The braces of a file that match another, in order.
#[derive(Debug, Default)]
pub(super) struct Braces(Vec<Brace>);

#[derive(Clone, Copy, Debug)]
struct Brace {
    open: u32,
    close: u32,
    /// Index of the brace around this one.
    parent: Option<u32>,
}

impl Braces {
    pub(super) fn new(document: &Lexed<'_>) -> Self {
        let mut found: Vec<Brace> = Vec::new();
        let mut parent: Option<u32> = None;
        for (open, close) in pairs(document) {
            while let Some(around) = parent.map(|at| found[at as usize])
                && around.close < open
            {
                parent = around.parent;
            }
            let next = found.len() as u32;
            found.push(Brace {
                open,
                close,
                parent,
            });
            parent = Some(next);
        }
        Self(found)
    }

    /// The opening braces around a token, innermost first.
    pub(super) fn around(&self, index: TokenIndex) -> impl Iterator<Item = TokenIndex> {
        let index = index as u32;
        let before = self.0.partition_point(|brace| brace.open < index);
        let mut next = before.checked_sub(1).map(|at| self.0[at]);
        let chain = std::iter::from_fn(move || {
            let brace = next?;
            next = brace.parent.map(|at| self.0[at as usize]);
            Some(brace)
        });
        // Branches of an `#if` may close the same brace twice, so that braces need not nest.
        chain
            .filter(move |brace| index < brace.close)
            .map(|brace| brace.open as TokenIndex)
    }
}

fn pairs(document: &Lexed<'_>) -> impl Iterator<Item = (u32, u32)> {
    let braces = document.open_braces();
    braces.filter_map(|open| Some((open as u32, document.matching_bracket(open)? as u32)))
}

#[cfg(test)]
mod tests {
    use crate::syntax::Document;
    use crate::text::SourceFile;

    #[test]
    fn braces_around_a_token_come_innermost_first() {
        let source = SourceFile::new("a.cu", b"a{b{}c{d{e}}}f{g}".to_vec());
        let document = Document::new(&source);
        let around = |name: &str| {
            let index = document.all(name).next().expect("it is there");
            document.braces_around(index).collect::<Vec<_>>()
        };
        assert_eq!(around("a"), [0; 0]);
        assert_eq!(around("b"), [1]);
        assert_eq!(around("c"), [1]);
        assert_eq!(around("e"), [8, 6, 1]);
        assert_eq!(around("g"), [14]);
    }
}
