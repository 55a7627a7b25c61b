//! Texts one behind the other: operands of `+`, neighbouring literals, parts of a list.

use super::{MOST, Strings, Text, Way};
use crate::python::{Literal, Node};
use crate::text::{TextRange, is_of_word};

/// Texts that grow part by part. Kept are the parts and who follows whom, so that a text is copied once, when all is known, and not with
/// each part.
#[derive(Default)]
struct Sequences {
    parts: Vec<Text>,
    /// What ends in a part: the part, the step before it, and whether a literal is in the whole.
    steps: Vec<(usize, Option<usize>, bool)>,
    /// The steps that texts end in; none for the text that is still empty.
    ends: Vec<Option<usize>>,
    /// A part is read from a file.
    has_file: bool,
    /// A part is not known.
    has_unknown: bool,
}

impl Sequences {
    fn new() -> Self {
        let ends = vec![None];
        Self {
            ends,
            ..Self::default()
        }
    }

    fn has_literal(&self, end: Option<usize>) -> bool {
        end.is_some_and(|step| self.steps[step].2)
    }

    /// Puts one of these texts behind each; where no literal is among them, an expression that only the program knows.
    fn push(&mut self, mut texts: Vec<Text>, range: TextRange) {
        texts.retain(|text| !text.quoted.is_empty());
        if texts.is_empty() {
            texts.push(Text::unknown(range));
        }
        let first = self.parts.len();
        let literal: Vec<bool> = texts.iter().map(|it| !it.quoted.is_empty()).collect();
        self.parts.extend(texts);
        let mut ends = Vec::new();
        let pairs = std::mem::take(&mut self.ends);
        for before in pairs {
            for (number, is_literal) in literal.iter().enumerate().take(MOST - ends.len()) {
                let has_literal = *is_literal || self.has_literal(before);
                self.steps.push((first + number, before, has_literal));
                ends.push(Some(self.steps.len() - 1));
            }
        }
        self.ends = ends;
    }

    /// What was put together so far as one expression of the file: if no literal is in it, only the program knows it.
    fn close(&mut self, range: TextRange) {
        let mut ends = std::mem::take(&mut self.ends);
        ends.retain(|end| self.has_literal(*end));
        self.ends = ends;
        if self.ends.is_empty() {
            *self = Self {
                has_file: self.has_file,
                has_unknown: self.has_unknown,
                ..Self::new()
            };
            self.push(Vec::new(), range);
        }
    }

    /// The texts that have a literal.
    fn texts(&self) -> Vec<Text> {
        let ends = self.ends.iter().filter(|end| self.has_literal(**end));
        ends.map(|end| {
            let steps = std::iter::successors(*end, |step| self.steps[*step].1);
            let parts: Vec<usize> = steps.map(|step| self.steps[step].0).collect();
            let mut text = Text::default();
            let mut is_line = false;
            for part in parts.into_iter().rev() {
                let part = &self.parts[part];
                let goes_on = part.quoted.text().first().is_some_and(|it| is_of_word(*it));
                if is_line
                    && goes_on
                    && let Some(at) = part.quoted.origins().next()
                {
                    text.quoted.joint(b"\n", at.start);
                }
                // An expression that begins a line is taken for whole lines: `code += declarations` between two literals.
                is_line = part.quoted.is_empty() && text.quoted.text().ends_with(b"\n");
                text.append(part);
            }
            text
        })
        .collect()
    }
}

impl<'t> Strings<'t> {
    /// `a + b + c`: a loop over the operands, for they nest as deep as they are many.
    pub(super) fn sum(&self, node: Node<'t>, way: Way) -> Vec<Text> {
        let left = |it: &Node<'t>| {
            let operator = it.child_by_field_name("operator");
            let is_sum = it.kind() == "binary_operator"
                && operator.is_some_and(|it| self.file.text(it) == "+");
            it.child_by_field_name("left").filter(|_| is_sum)
        };
        let sums: Vec<Node<'t>> = std::iter::successors(Some(node), left).collect();
        let mut all = Sequences::new();
        for (number, it) in sums.iter().rev().enumerate() {
            if number == 0 {
                self.add_part(&mut all, *it, way);
            } else if let Some(right) = it.child_by_field_name("right") {
                if number > 1 {
                    all.close(self.file.range(sums[sums.len() - number]));
                }
                self.add_part(&mut all, right, way);
            }
        }
        self.written_out(&all)
    }

    /// Texts one behind the other; a part that is not known is a hole between literals.
    pub(super) fn joined(&self, parts: &[Node<'t>], way: Way) -> Vec<Text> {
        let mut all = Sequences::new();
        for part in parts {
            self.add_part(&mut all, *part, way);
        }
        self.written_out(&all)
    }

    fn add_part(&self, all: &mut Sequences, part: Node<'t>, way: Way) {
        let texts = self.texts_of(part, way);
        all.has_file |= texts.iter().any(|it| it.is_file);
        all.has_unknown |= texts.is_empty();
        all.push(texts, self.file.range(part));
    }

    /// The texts, unless they are so long that nobody reads them.
    fn written_out(&self, all: &Sequences) -> Vec<Text> {
        let bytes = all.parts.iter().map(|it| it.quoted.text().len()).sum();
        if self.is_spent(bytes) {
            return Vec::new();
        }
        let texts = all.texts();
        // Nothing of it is written here: what the program reads is translated as a file of its own.
        let is_file = all.has_file && !all.has_unknown;
        match is_file && texts.iter().all(|it| it.quoted.is_empty()) {
            true => vec![Text::of_file()],
            false => texts,
        }
    }

    /// `"\n".join([a, b])`.
    pub(super) fn join(&self, glue: Node<'t>, arguments: &[Node<'t>], way: Way) -> Vec<Text> {
        let Some(first) = arguments.first() else {
            return Vec::new();
        };
        if !matches!(first.kind(), "list" | "tuple") {
            return self.texts_of(*first, way);
        }
        let glue = Literal::new(self.file, glue).map_or_else(String::new, |it| it.text);
        let mut text = Text::default();
        for (number, part) in self.file.elements(*first).into_iter().enumerate() {
            if number > 0 && !glue.is_empty() {
                text.quoted.joint(glue.as_bytes(), part.start_byte() as u32);
            }
            let texts = self.texts_of(part, way).into_iter();
            let of_part = texts.into_iter().find(|it| !it.quoted.is_empty());
            text.append(&of_part.unwrap_or_else(|| Text::unknown(self.file.range(part))));
        }
        if self.is_spent(text.quoted.text().len()) {
            return Vec::new();
        }
        vec![text]
    }
}
