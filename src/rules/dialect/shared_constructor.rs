//! A `__shared__` variable of a type with a constructor, or with an initialiser.
//!
//! ## Why on AMD
//! Shared memory is not initialised, so clang refuses what would have to be: an initialiser, `dim3`, whose constructor sets 1, classes of
//! the project that give their members values, and those of Eigen. nvcc warns of a class, "dynamic initialization is not supported for a function-scope static
//! `__shared__` variable", and runs no constructor.
//!
//! ## Example
//! ```cuda
//! __shared__ dim3 offset;
//! __shared__ Complex row[32];
//! ```
//! becomes
//! ```hip
//! __shared__ uint3 offset;   // assign offset.x, offset.y, offset.z
//! __shared__ __align__(alignof(Complex)) unsigned char row_bytes[sizeof(Complex[32])];
//! Complex (&row)[32] = reinterpret_cast<Complex (&)[32]>(row_bytes);
//! ```
//! The second is written; as with nvcc, what is read before it is assigned is what stood there. An empty constructor of a union that is written
//! there, `Storage() {}`, becomes one for the device.
//!
//! ## When to ignore
//! Never.
//!
//! ## Source
//! clang 19: "initialization is not supported for __shared__ variables"; nvcc 13.0, warning 20054-D, in whose PTX nothing is stored there.

use crate::cpp::constructors::MadeWithValues;
use crate::rules::prelude::*;
use crate::text::keywords::{is_attribute, is_class_key};
use crate::text::line_start;

/// Reports the declaration.
pub static RULE: Rule = Rule {
    code: "CASS111",
    severity: Severity::Error,
    fix: Some(Applicability::Safe),
    priority: 50,
    facts: &[Fact::NvccReadsResult],
    checks: &[Check::Idents(&["__shared__"], check)],
};

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    let doc = cx.doc;
    if doc.tokens[index].has(flags::DIRECTIVE) {
        return;
    }
    let mut at = index;
    let mut words = Vec::new();
    while let Some(next) = doc.next(at) {
        match doc.bytes(next) {
            b";" => break,
            word if is_class_key(word) => return check_class(cx, index, next),
            // A type and a name stand in front, or it is no declaration.
            b"=" | b"{" if words.len() < 2 => return,
            b"=" | b"{" => {
                report(
                    cx,
                    index,
                    next,
                    "a `__shared__` variable cannot have an initializer",
                    "let one thread assign the value, followed by `__syncthreads()`",
                );
                return;
            }
            b"." | b"->" => return,
            b"(" if !is_attribute(doc.bytes(at)) => return,
            b"(" | b"[" | b"<" => at = doc.matching_bracket(next).unwrap_or(next),
            _ => at = next,
        }
        words.push(next);
        // A declaration of shared memory is never longer.
        if words.len() > 60 {
            return;
        }
    }
    let is_object = words.first().is_some_and(|&first| doc.is(first, "dim3"))
        && words.get(1).is_some_and(|&name| doc.is_ident(name));
    if is_object {
        report(
            cx,
            index,
            words[1],
            "`dim3` has a constructor in HIP, which a `__shared__` variable cannot have",
            "declare a `uint3` and assign its three members",
        );
    } else if let Some((first, name)) = object_of_class(cx, index) {
        match Variable::new(cx, index, first, name) {
            Some(variable) => {
                let finding = variable.finding(cx);
                cx.report(finding);
            }
            None => report(
                cx,
                index,
                name,
                "the class gives its objects values, which a `__shared__` variable cannot have",
                "declare `__align__(alignof(T)) unsigned char memory[sizeof(T)]`, and a reference to a T in it for each variable",
            ),
        }
    }
}

/// `__shared__ union Storage { A a; Storage() {} } storage;` in a function: nvcc runs no constructor, and does not ask whose it is.
fn check_class(cx: &mut Context<'_, '_>, index: TokenIndex, key: TokenIndex) {
    let doc = cx.doc;
    let name = doc.next(key).filter(|&name| doc.is_ident(name));
    let open = name
        .and_then(|name| doc.next(name))
        .filter(|&at| doc.is(at, "{"));
    let close = open.and_then(|open| doc.matching_bracket(open));
    let (Some(name), Some(open), Some(close)) = (name, open, close) else {
        return;
    };
    let is_local = doc.scopes().around(index).next().is_some();
    let empty: Vec<TokenIndex> = doc
        .occurrences(doc.bytes(name), open..close)
        .filter_map(|at| start_of_empty(doc, at))
        .filter(|_| is_local)
        .collect();
    for first in empty {
        let message = format!(
            "`{}` has a constructor or destructor for the host alone, which a `__shared__` variable cannot have",
            cx.text(name)
        );
        let edit = Edit::insert(doc.tokens[first].start, "__device__ ");
        let finding = RULE.finding(cx.range(first), message);
        cx.report(finding.severity(Severity::Info).fix(Fix::safe(vec![edit])));
    }
}

/// The first token of an empty constructor or destructor, `Storage() {}`, that says nothing of where it runs.
fn start_of_empty(doc: &Document<'_>, name: TokenIndex) -> Option<TokenIndex> {
    let is_empty = ["(", ")", "{", "}"]
        .iter()
        .zip(name + 1..)
        .all(|(sign, at)| doc.is(at, sign));
    let tilde = doc.prev(name).filter(|&at| doc.is(at, "~"));
    let mut first = tilde.unwrap_or(name);
    while doc.is_before(first, "inline") || doc.is_before(first, "explicit") {
        first -= 1;
    }
    let starts = doc
        .prev(first)
        .is_some_and(|at| matches!(doc.bytes(at), b";" | b"{" | b"}" | b":"));
    (is_empty && starts).then_some(first)
}

/// Libraries whose classes have constructors that a program does not see.
const CONSTRUCTED: &[&str] = &["Eigen"];

/// Of a `__shared__` in a function the first token of the type and the name of the first variable, if the type is a class that gives its
/// objects values.
fn object_of_class(cx: &Context<'_, '_>, index: TokenIndex) -> Option<(TokenIndex, TokenIndex)> {
    let doc = cx.doc;
    let begins = doc
        .prev(index)
        .is_some_and(|at| matches!(doc.bytes(at), b"{" | b"}" | b";"));
    let is_local = doc.scopes().around(index).next().is_some();
    let is_shared = |at: TokenIndex| doc.is(at, "__shared__") || doc.is(at, "static");
    let mut first = doc.next(index).filter(|_| begins && is_local)?;
    while is_shared(first) || is_attribute(doc.bytes(first)) {
        let behind = doc.next(first)?;
        first = match doc.is(behind, "(") {
            true => doc.next(doc.matching_bracket(behind)?)?,
            false => behind,
        };
    }
    let (mut class, mut at) = (first, doc.next(first)?);
    while doc.is(at, "::") {
        class = doc.next(at)?;
        at = doc.next(class)?;
    }
    let name = match doc.is(at, "<") {
        true => doc.next(doc.template_close(at)?)?,
        false => at,
    };
    let is_of_library = class != first && CONSTRUCTED.iter().any(|it| doc.is(first, it));
    let is_class = doc.is_ident(class) && (is_of_library || is_made_with_values(cx, class));
    let is_it = is_class && doc.is_ident(name);
    is_it.then_some((first, name))
}

/// One `__shared__` variable of a function whose type is a class that gives its objects values.
struct Variable {
    /// From `__shared__` to the `;`.
    whole: TextRange,
    /// `__shared__` and what else stands in front of the type.
    words: String,
    /// The type as written.
    class: String,
    name: String,
    /// `[32][8]`, or nothing.
    bounds: String,
}

impl Variable {
    /// The variable that a `__shared__` declares, if it is the only one.
    fn new(
        cx: &Context<'_, '_>,
        index: TokenIndex,
        first: TokenIndex,
        name: TokenIndex,
    ) -> Option<Self> {
        let doc = cx.doc;
        let bounds = doc.next(name)?;
        let mut end = bounds;
        while doc.is(end, "[") && !doc.next_is(end, "]") {
            end = doc.next(doc.matching_bracket(end)?)?;
        }
        let text = |from: TokenIndex, to: TokenIndex| {
            let range = TextRange::new(doc.tokens[from].start, doc.tokens[to].start);
            doc.source.text(range).trim().to_owned()
        };
        doc.is(end, ";").then(|| Self {
            whole: doc.range(index, end),
            words: text(index, first),
            class: text(first, name),
            name: cx.text(name).into_owned(),
            bounds: text(bounds, end),
        })
    }

    fn finding(&self, cx: &Context<'_, '_>) -> Finding {
        let Self {
            whole,
            words,
            class,
            name,
            bounds,
        } = self;
        let message = format!(
            "`{class}` gives its objects values, which a `__shared__` variable cannot have: `{name}` becomes a reference to memory without any"
        );
        let reference = |name: &str| match bounds.is_empty() {
            true => format!("{class} &{name}"),
            false => format!("{class} (&{name}){bounds}"),
        };
        let bytes = &cx.doc.source.bytes;
        let line = &bytes[line_start(bytes, whole.start) as usize..whole.start as usize];
        let indent: String = String::from_utf8_lossy(line)
            .chars()
            .take_while(|it| it.is_whitespace())
            .collect();
        let newline = cx.doc.newline();
        let text = format!(
            "{words} __align__(alignof({class})) unsigned char {name}_bytes[sizeof({class}{bounds})];{newline}{indent}{} = reinterpret_cast<{}>({name}_bytes);",
            reference(name),
            reference(""),
        );
        let finding = RULE.finding(*whole, message).severity(Severity::Info);
        finding.fix(Fix::safe(vec![Edit::replace(*whole, text)]))
    }
}

/// Whether an object of a class gets values where it is made without arguments.
fn is_made_with_values(cx: &Context<'_, '_>, class: TokenIndex) -> bool {
    let class = cx.doc.bytes(class);
    let own = cx.doc.fact(MadeWithValues::new).of(class);
    let tree = || cx.project.names().made_with_values.of(class);
    own.or_else(tree) == Some(true)
}

fn report(
    cx: &mut Context<'_, '_>,
    first: TokenIndex,
    last: TokenIndex,
    message: &'static str,
    help: &'static str,
) {
    let range = cx.doc.range(first, last);
    cx.report(RULE.finding(range, message).help(help));
}
