//! Texts that are made of others: operators, methods of strings, functions.

use tree_sitter::Node;

use super::{MOST, Strings, Text};
use crate::python::Literal;
use crate::text::quoted::Template;

impl<'t> Strings<'t> {
    /// `a + b`, `a % values`, `a * n`.
    pub(super) fn operator(&self, node: Node<'t>, template: Template, depth: usize) -> Vec<Text> {
        let sides = (
            node.child_by_field_name("left"),
            node.child_by_field_name("right"),
            node.child_by_field_name("operator"),
        );
        let (Some(left), Some(right), Some(operator)) = sides else {
            return Vec::new();
        };
        match &*self.file.text(operator) {
            "+" => self.joined(&[left, right], template, depth),
            "%" => self.texts_of(left, Template::Percent, depth),
            _ => Vec::new(),
        }
    }

    /// Methods of strings, functions of the standard library that give text back, and functions of the file.
    pub(super) fn called(&self, call: Node<'t>, template: Template, depth: usize) -> Vec<Text> {
        let (Some(function), Some(name)) =
            (call.child_by_field_name("function"), self.file.callee(call))
        else {
            return Vec::new();
        };
        let arguments = call
            .child_by_field_name("arguments")
            .map_or_else(Vec::new, |it| self.file.elements(it));
        let receiver = function.child_by_field_name("object");
        let with = |node: Option<Node<'t>>, template| {
            node.map_or_else(Vec::new, |it| self.texts_of(it, template, depth))
        };
        match (&*name, receiver) {
            ("strip" | "lstrip" | "rstrip" | "encode" | "decode" | "expandtabs", Some(text)) => {
                // `str.encode(source)`: the method of the class is handed its object.
                let of_class = matches!(&*self.file.text(text), "str" | "bytes");
                let object = arguments.first().copied().filter(|_| of_class);
                with(object.or(Some(text)), template)
            }
            ("format" | "format_map", Some(text)) => with(Some(text), Template::Braces),
            ("replace" | "substitute" | "safe_substitute" | "render", Some(text)) => {
                templates(with(Some(text), template))
            }
            ("join", Some(glue)) => self.join(glue, &arguments, template, depth),
            (
                "dedent" | "cleandoc" | "str" | "bytes" | "Template" | "from_string" | "fspath",
                _,
            ) => with(arguments.first().copied(), template),
            ("read" | "read_text" | "read_bytes", Some(_)) => vec![Text {
                is_file: true,
                ..Text::default()
            }],
            _ if depth > 0 => self.returned_by(&name, depth - 1),
            _ => Vec::new(),
        }
    }

    /// `"\n".join([a, b])`.
    fn join(
        &self,
        glue: Node<'t>,
        arguments: &[Node<'t>],
        template: Template,
        depth: usize,
    ) -> Vec<Text> {
        let Some(list) = arguments
            .first()
            .filter(|it| matches!(it.kind(), "list" | "tuple"))
        else {
            return arguments
                .first()
                .map_or_else(Vec::new, |it| self.texts_of(*it, template, depth));
        };
        let glue = Literal::new(self.file, glue).map_or_else(String::new, |it| it.text);
        let mut text = Text::default();
        for (number, part) in self.file.elements(*list).into_iter().enumerate() {
            if number > 0 && !glue.is_empty() {
                text.quoted.joint(glue.as_bytes(), part.start_byte() as u32);
            }
            let of_part = self
                .texts_of(part, template, depth)
                .into_iter()
                .find(|it| !it.quoted.is_empty());
            text = text.then(&of_part.unwrap_or_else(|| Text::unknown(self.file.range(part))));
        }
        vec![text]
    }

    /// Texts one behind the other; a part that is not known is a hole between literals.
    pub(super) fn joined(&self, parts: &[Node<'t>], template: Template, depth: usize) -> Vec<Text> {
        let mut all = vec![Text::default()];
        for part in parts {
            let mut texts = self.texts_of(*part, template, depth);
            texts.retain(|text| !text.quoted.is_empty());
            if texts.is_empty() {
                texts.push(Text::unknown(self.file.range(*part)));
            }
            let pairs = all
                .iter()
                .flat_map(|before| texts.iter().map(move |text| before.then(text)));
            all = pairs.take(MOST).collect();
        }
        all.retain(|text| !text.quoted.is_empty());
        all
    }
}

fn templates(mut texts: Vec<Text>) -> Vec<Text> {
    texts.iter_mut().for_each(|text| text.is_template = true);
    texts
}
