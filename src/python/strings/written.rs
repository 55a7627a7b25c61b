//! A literal as text: its pieces, and holes where fields and templates have them.

use super::{Strings, Text};
use crate::python::{Literal, Node, PyFile, template};
use crate::text::TextRange;
use crate::text::quoted::{Quoted, Style, Template};

impl<'t> Strings<'t> {
    pub(super) fn literal_text(&self, node: Node<'t>, template: Template) -> Text {
        let Some(literal) = Literal::new(self.file, node) else {
            return Text::default();
        };
        let mut quoted = Quoted::new();
        let holes = read(self.file, node, &literal, template, &mut quoted);
        let is_open = holes && !self.is_filled_with_numbers(node, &literal);
        Text {
            quoted,
            is_template: is_open || template != Template::None,
            is_file: false,
        }
    }

    /// Whether all that fills an f-string is numbers that the module says, `f"int SIZE = {SIZE};"` behind `SIZE = 256`: no code of CUDA comes
    /// by them.
    fn is_filled_with_numbers(&self, node: Node<'t>, literal: &Literal) -> bool {
        let is_number = |hole: Node<'t>| {
            let text = self.file.text(hole);
            let name = text.trim_matches(['{', '}']);
            let [only] = self.assignments(name) else {
                return false;
            };
            let value = only.child_by_field_name("right");
            let statement = only.parent().and_then(|it| it.parent());
            statement.is_some_and(|it| it.kind() == "module")
                && value.is_some_and(|it| it.kind() == "integer")
        };
        let fields = self.file.all_below(node, &["interpolation"]).into_iter();
        literal.prefix.contains('f')
            && node.function().is_none()
            && fields.into_iter().all(is_number)
    }
}

/// Reads a literal; whether it has holes.
fn read(
    file: &PyFile<'_>,
    node: Node<'_>,
    literal: &Literal,
    template: Template,
    out: &mut Quoted,
) -> bool {
    let mut style = Style::python(&literal.prefix, &literal.quote);
    let is_field = literal.prefix.contains('f') || literal.prefix.contains('t');
    style.template = if is_field { Template::Braces } else { template };
    let content = literal.content;
    let holes: Vec<TextRange> = match template {
        _ if is_field => {
            let fields = file.all_below(node, &["interpolation"]).into_iter();
            let own = fields.filter(|it| it.parent() == Some(node));
            own.map(|it| file.range(it)).collect()
        }
        Template::None => Vec::new(),
        _ => template::holes(&file.bytes()[content.as_usize()], content.start, template),
    };
    for hole in &holes {
        style.add_hole(
            *hole,
            String::from_utf8_lossy(&file.bytes()[hole.as_usize()]),
        );
    }
    let template = style.template;
    let raw = literal.prefix.contains('r');
    out.begin(style);
    let mut at = content.start;
    for hole in &holes {
        let piece = TextRange::new(at, hole.start);
        template::pieces(file.bytes(), piece, raw, template, out);
        out.hole(*hole);
        at = hole.end;
    }
    let rest = TextRange::new(at, content.end.max(at));
    template::pieces(file.bytes(), rest, raw, template, out);
    !holes.is_empty()
}
