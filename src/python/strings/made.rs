//! Texts that are made of others: operators, methods of strings, functions.

use super::{Strings, Text, Way};
use crate::python::Node;
use crate::text::quoted::Template;

impl<'t> Strings<'t> {
    /// `a + b`, `a % values`, `a * n`.
    pub(super) fn operator(&self, node: Node<'t>, way: Way) -> Vec<Text> {
        let field = |name| node.child_by_field_name(name);
        let (Some(left), Some(operator)) = (field("left"), field("operator")) else {
            return Vec::new();
        };
        match &*self.file.text(operator) {
            "+" => self.sum(node, way),
            "%" => self.texts_of(left, way.within(Template::Percent)),
            _ => Vec::new(),
        }
    }

    /// Methods of strings, functions of the standard library that give text back, and functions of the file.
    pub(super) fn called(&self, call: Node<'t>, way: Way) -> Vec<Text> {
        let (Some(function), Some(name)) =
            (call.child_by_field_name("function"), self.file.callee(call))
        else {
            return Vec::new();
        };
        let arguments = call
            .child_by_field_name("arguments")
            .map_or_else(Vec::new, |it| self.file.elements(it));
        let receiver = function.child_by_field_name("object");
        let with =
            |node: Option<Node<'t>>, way| node.map_or_else(Vec::new, |it| self.texts_of(it, way));
        match (&*name, receiver) {
            ("strip" | "lstrip" | "rstrip" | "encode" | "decode" | "expandtabs", Some(text)) => {
                // `str.encode(source)`: the method of the class is handed its object.
                let of_class = matches!(&*self.file.text(text), "str" | "bytes");
                let object = arguments.first().copied().filter(|_| of_class);
                with(object.or(Some(text)), way)
            }
            ("format" | "format_map", Some(text)) => with(Some(text), way.within(Template::Braces)),
            ("replace" | "substitute" | "safe_substitute" | "render", Some(text)) => {
                templates(with(Some(text), way))
            }
            ("join", Some(glue)) => self.join(glue, &arguments, way),
            (
                "dedent" | "cleandoc" | "str" | "bytes" | "Template" | "from_string" | "fspath",
                _,
            ) => with(arguments.first().copied(), way),
            ("read" | "read_text" | "read_bytes", Some(_)) => vec![Text::of_file()],
            _ => way
                .behind_name()
                .map_or_else(Vec::new, |way| self.returned_by(&name, way)),
        }
    }
}

fn templates(mut texts: Vec<Text>) -> Vec<Text> {
    texts.iter_mut().for_each(|text| text.is_template = true);
    texts
}
