//! Trees of masked documents, parsed when somebody asks: parsing takes ten times as long as everything else together.

use std::cell::RefCell;

use tree_sitter::{Node, Parser, Tree};

use super::lexed::Lexed;
use super::{LaunchSite, mask};
use crate::text::TextRange;

/// The tree of a file. Offsets are those of the source.
pub struct SyntaxTree {
    /// The text that was parsed: as long as the source, with the same line ends.
    pub masked: Vec<u8>,
    tree: Tree,
}

impl SyntaxTree {
    pub(super) fn new(document: &Lexed<'_>, launches: &[LaunchSite]) -> Self {
        let masked = mask::mask(document, launches);
        let tree = parse(&masked, &[]);
        Self { masked, tree }
    }

    /// The root of the file.
    pub fn root(&self) -> Node<'_> {
        self.tree.root_node()
    }

    /// Places where the grammar found an error or missed something, in order.
    pub fn defects(&self) -> Vec<TextRange> {
        let mut found = Vec::new();
        collect_defects(self.root(), &mut found);
        found
    }
}

thread_local! {
    static PARSER: RefCell<Parser> = RefCell::new({
        let mut parser = Parser::new();
        parser.set_language(&tree_sitter_cpp::LANGUAGE.into()).expect("the grammar is built for this library version");
        parser
    });
}

fn parse(text: &[u8], ranges: &[TextRange]) -> Tree {
    PARSER.with_borrow_mut(|parser| {
        let point = |offset: u32| {
            let before = &text[..offset as usize];
            let row = memchr::memchr_iter(b'\n', before).count();
            tree_sitter::Point::new(
                row,
                before.len() - memchr::memrchr(b'\n', before).map_or(0, |at| at + 1),
            )
        };
        let range = |range: &TextRange| tree_sitter::Range {
            start_byte: range.start as usize,
            end_byte: range.end as usize,
            start_point: point(range.start),
            end_point: point(range.end),
        };
        let ranges: Vec<_> = ranges.iter().map(range).collect();
        parser
            .set_included_ranges(&ranges)
            .expect("one range is in order");
        parser
            .parse(text, None)
            .expect("a language is set and nothing cancels")
    })
}

fn collect_defects(root: Node<'_>, found: &mut Vec<TextRange>) {
    let mut cursor = root.walk();
    loop {
        let node = cursor.node();
        if node.is_error() || node.is_missing() {
            found.push(TextRange::new(
                node.start_byte() as u32,
                node.end_byte() as u32,
            ));
        }
        if node.has_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::syntax::Document;
    use crate::text::SourceFile;

    #[test]
    fn cuda_parses_without_defects_and_without_moving() {
        let source = SourceFile::new(
            "a.cu",
            b"template <int N> __global__ void __launch_bounds__(64, 2)\nk(float *__restrict__ p) {}\nvoid f() { ns::k<3> << <dim3(1, 2), 64\n, 0>> >(q); (*kp)<<<1, 2>>>(); }\n".to_vec(),
        );
        let document = Document::new(&source);
        let tree = document.tree();
        assert_eq!(tree.masked.len(), source.bytes.len());
        assert_eq!(tree.defects(), []);
        let newlines = |text: &[u8]| memchr::memchr_iter(b'\n', text).collect::<Vec<_>>();
        assert_eq!(newlines(&tree.masked), newlines(&source.bytes));
    }
}
