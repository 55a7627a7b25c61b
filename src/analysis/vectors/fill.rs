//! Which values of a list become which part of what it fills, as C++ has it where braces are left out (`[dcl.init.aggr]`).

use std::ops::Range;

use super::place::Place;
use super::shape::Shape;
use crate::cpp::arithmetic::{Number, value};
use crate::cpp::definitions::declares;
use crate::syntax::{Document, TokenIndex, split_arguments};

/// A vector in a list, as HIP does not take it.
#[derive(Debug)]
pub(crate) struct VectorValue {
    /// The word that names the vector's type.
    pub(crate) ty: TokenIndex,
    /// Where the list opens, if the vector has one of its own.
    pub(crate) open: Option<TokenIndex>,
    /// Braces alone would be those of an array or a structure around it, whose own were left out.
    pub(crate) needs_name: bool,
    /// Its elements, in tokens.
    pub(crate) elements: Vec<Range<TokenIndex>>,
}

/// The vectors of a list that lack braces, elements or their name.
pub(super) fn vectors(doc: &Document<'_>, open: TokenIndex, place: &Place) -> Vec<VectorValue> {
    let mut fill = Fill {
        doc,
        found: Vec::new(),
        elided: 0,
    };
    // Where the count is lost, what was found before it holds all the same.
    fill.list(open, &place.shape, place.is_direct);
    fill.found
}

struct Fill<'d, 's> {
    doc: &'d Document<'s>,
    found: Vec<VectorValue>,
    /// Arrays and structures around a value whose braces were left out.
    elided: usize,
}

type Values<'v> = &'v [Range<TokenIndex>];

impl Fill<'_, '_> {
    /// A list with braces of its own.
    fn list(&mut self, open: TokenIndex, shape: &Shape, is_direct: bool) -> Option<()> {
        let around = std::mem::take(&mut self.elided);
        let done = self.inside(open, shape, is_direct);
        self.elided = around;
        done
    }

    fn inside(&mut self, open: TokenIndex, shape: &Shape, is_direct: bool) -> Option<()> {
        let close = self.doc.matching_bracket(open)?;
        let values = list_values(self.doc, open + 1..close);
        if values.iter().any(Range::is_empty) {
            return None;
        }
        match shape {
            Shape::Vector(ty, width) => self.vector(open, (*ty, *width), values, is_direct),
            Shape::Array(inner, _) => {
                self.parts(std::iter::repeat(&**inner), &values)?;
            }
            Shape::Record(members) if self.doc.is(open + 1, ".") => {
                self.designated(&members.shapes, &values);
            }
            Shape::Record(members) => {
                self.parts(members.shapes.iter().map(|it| &it.1), &values)?;
            }
            Shape::List(inner) => {
                for value in values.iter().filter(|it| is_list(self.doc, it)) {
                    self.list(value.start, inner, false);
                }
            }
            Shape::Each(parts) => {
                for (value, part) in values.iter().zip(&parts.shapes) {
                    if is_list(self.doc, value) {
                        self.list(value.start, &part.1, false);
                    }
                }
            }
            Shape::Pointer(_) | Shape::Other => {}
        }
        Some(())
    }

    /// `{.a = {1}}`
    fn designated(&mut self, members: &[(TokenIndex, Shape)], values: Values<'_>) {
        for value in values {
            let name = self.doc.bytes(value.start + 1);
            let equals = value.start + 2;
            let member = members.iter().find(|it| self.doc.bytes(it.0) == name);
            let list = equals + usize::from(self.doc.is(equals, "="));
            if let Some((_, shape)) = member.filter(|_| is_list(self.doc, &(list..value.end))) {
                self.list(list, shape, list == equals);
            }
        }
    }

    /// The next value of a list, or the values that fill one part without braces; what is left behind them.
    fn value<'v>(&mut self, shape: &Shape, values: Values<'v>) -> Option<Values<'v>> {
        let Some((first, rest)) = values.split_first() else {
            return Some(values);
        };
        if is_list(self.doc, first) {
            self.list(first.start, shape, false);
            return Some(rest);
        }
        let is_number = is_number(self.doc, first);
        match shape {
            Shape::Vector(ty, width) if is_number => {
                let mine = &values[..(*width).min(values.len())];
                if !mine.iter().all(|it| self.is_number(it)) {
                    return None;
                }
                self.found.push(VectorValue {
                    ty: *ty,
                    open: None,
                    needs_name: self.elided > 0,
                    elements: mine.to_vec(),
                });
                Some(&values[mine.len()..])
            }
            // A value that may be the whole of it is.
            Shape::Record(members) if is_number => {
                self.without_braces(members.shapes.iter().map(|it| &it.1), values)
            }
            Shape::Array(inner, size) => {
                self.without_braces(std::iter::repeat_n(&**inner, (*size)?), values)
            }
            _ => Some(rest),
        }
    }

    /// The values that fill the parts of an array or a structure whose braces were left out; what is left behind them.
    fn without_braces<'v, 'p>(
        &mut self,
        parts: impl Iterator<Item = &'p Shape>,
        values: Values<'v>,
    ) -> Option<Values<'v>> {
        self.elided += 1;
        let rest = self.parts(parts, values);
        self.elided -= 1;
        rest
    }

    /// Parts filled one after the other, until the values end. A part that takes no value (`float2 v[0]`) loses the count: of such parts
    /// there may be any number.
    fn parts<'v, 'p>(
        &mut self,
        parts: impl Iterator<Item = &'p Shape>,
        values: Values<'v>,
    ) -> Option<Values<'v>> {
        let mut rest = values;
        for part in parts {
            if rest.is_empty() {
                break;
            }
            let left = self.value(part, rest)?;
            if left.len() == rest.len() {
                return None;
            }
            rest = left;
        }
        Some(rest)
    }

    /// A vector with braces: HIP takes all elements, and of a single one its name with it.
    fn vector(
        &mut self,
        open: TokenIndex,
        (ty, width): (TokenIndex, usize),
        elements: Vec<Range<TokenIndex>>,
        is_direct: bool,
    ) {
        let is_nested = |it: &Range<TokenIndex>| self.doc.is(it.start, "{");
        let is_named = |it: &Range<TokenIndex>| self.doc.is(it.start, ".");
        let is_copy = elements.len() == 1 && !is_number(self.doc, &elements[0]);
        let is_whole = if width == 1 {
            is_direct
        } else {
            elements.len() >= width || is_copy
        };
        let is_whole = is_whole && !elements.iter().any(is_named);
        let fits = (1..=width).contains(&elements.len());
        if fits && !is_whole && !elements.iter().any(is_nested) {
            self.found.push(VectorValue {
                ty,
                open: Some(open),
                needs_name: false,
                elements,
            });
        }
    }

    fn is_number(&self, value: &Range<TokenIndex>) -> bool {
        is_number(self.doc, value)
    }
}

/// The values of a list; a comma behind the last one is none.
pub(crate) fn list_values(doc: &Document<'_>, inside: Range<TokenIndex>) -> Vec<Range<TokenIndex>> {
    let mut values = split_arguments(doc, inside);
    values.pop_if(|last| last.start == last.end);
    values
}

fn is_list(doc: &Document<'_>, value: &Range<TokenIndex>) -> bool {
    doc.is(value.start, "{") && doc.matching_bracket(value.start) == Some(value.end - 1)
}

/// Whether a value is certainly a number: a literal, a variable that is declared so, arithmetic, the call of a function of the file.
pub(super) fn is_number(doc: &Document<'_>, tokens: &Range<TokenIndex>) -> bool {
    value(doc, tokens.clone()).is_some() || returns_number(doc, tokens)
}

fn returns_number(doc: &Document<'_>, tokens: &Range<TokenIndex>) -> bool {
    let name = tokens.start;
    let open = name + 1;
    let is_call = doc.is_ident(name)
        && doc.is(open, "(")
        && doc.matching_bracket(open) == Some(tokens.end - 1);
    if !is_call {
        return false;
    }
    let known = doc.noted("declared functions", doc.bytes(name), |at| {
        declares(doc, at)
    });
    known.first().is_some_and(|&declared| {
        let words = (declared.saturating_sub(3)..declared).rev();
        let words = words.take_while(|&at| doc.is_ident(at) && !doc.bytes(at).starts_with(b"__"));
        let words: Vec<&[u8]> = words.map(|at| doc.bytes(at)).collect();
        Number::of_words(&words).is_some()
    })
}

#[cfg(test)]
mod tests {
    use crate::analysis::vectors::probe::assert_found;

    #[test]
    fn numbers_fill_one_member_after_the_other() {
        const P: &str = "struct P { float2 a; const float b; int3 c; };";
        assert_found(
            P,
            &[
                ("P p = {1, 2, 3};", &["bare float2 1 2"]),
                (
                    "P p{1.f, 2.f, 3.f, 4, 5, 6};",
                    &["bare float2 1.f 2.f", "bare int3 4 5 6"],
                ),
                ("P p = {1};", &["bare float2 1"]),
                ("P p[2] = {{1, 2}, {v, 3}};", &["bare float2 1 2"]),
                ("P p[2] = {1, 2, 3};", &["named float2 1 2"]),
                ("P p = {{1, 2}, 3, 4, 5, 6};", &["bare int3 4 5 6"]),
                ("P p = {{1}, 3};", &["float2 1"]),
                ("P p = {.c = {1}};", &["int3 1"]),
                ("P p = {.c = {.y = 1, .z = 2}};", &["int3 .y = 1 .z = 2"]),
                ("P p[1] = {{{1,},},};", &["float2 1"]),
                (
                    "void f(P *p) { p->c = {1}; p[1].a = {2}; }",
                    &["int3 1", "float2 2"],
                ),
                ("P f() { return {1, 2}; }", &["bare float2 1 2"]),
                ("P p = {v, 3};", &[]),
                ("P p = {.a = v};", &[]),
                ("P p;", &[]),
                ("P *p = {0};", &[]),
            ],
        );
    }

    #[test]
    fn parts_that_take_no_value_and_sizes_beyond_the_values_end_the_count() {
        assert_found(
            "struct Z { float2 a[0]; }; struct L { float2 a[1000000000000]; float2 b; };",
            &[
                ("Z z[2] = {1, 2};", &[]),
                (
                    "struct S { Z z[1000000000000]; float2 b; } s = {1, 2};",
                    &[],
                ),
                ("L l = {1, 2};", &["named float2 1 2"]),
                ("L l[1000000000000] = {1, 2};", &["named float2 1 2"]),
                ("L l = {};", &[]),
            ],
        );
    }
}
