//! A variable of the device of a type with a constructor, or a `__shared__` one with an initialiser.
//!
//! ## Why on AMD
//! Shared memory is not initialised, so clang refuses what would have to be: an initialiser, `dim3`, whose constructor sets 1, classes of
//! the project that give their members values, and those of Eigen. nvcc warns of a class, "dynamic initialization is not supported for a function-scope static
//! `__shared__` variable", and runs no constructor.
//!
//! cuRAND's states have no constructor, those of hipRAND have one that gives values. So `__device__` variables of such a type cannot be made
//! either, nor `__constant__` and `__managed__` ones.
//!
//! ## Example
//! ```cuda
//! __shared__ dim3 offset;
//! __shared__ Complex row[32];
//! __device__ curandState states[1024];
//! ```
//! becomes
//! ```hip
//! __shared__ uint3 offset;   // assign offset.x, offset.y, offset.z
//! __shared__ __align__(alignof(Complex)) unsigned char row_bytes[sizeof(Complex[32])];
//! Complex (&row)[32] = reinterpret_cast<Complex (&)[32]>(row_bytes);
//! __device__ __align__(alignof(hiprandState)) unsigned char states_bytes[sizeof(hiprandState[1024])];
//! __device__ hiprandState (&states)[1024] = reinterpret_cast<hiprandState (&)[1024]>(states_bytes);
//! ```
//! The second and the third are written; as with nvcc, what is read before it is assigned is what stood there. An empty constructor of a union that is written
//! there, `Storage() {}`, becomes one for the device.
//!
//! ## When to ignore
//! Never.
//!
//! ## Source
//! clang 19: "initialization is not supported for __shared__ variables", "dynamic initialization is not supported for __device__,
//! __constant__, __shared__, and __managed__ variables"; rocRAND 6.4; nvcc 13.0, warning 20054-D, in whose PTX nothing is stored there.
//! The results compile with both.

use crate::cpp::calls::enclosing_parenthesis;
use crate::cpp::constructors::{MadeWithValues, is_given_by_hip, is_given_by_library, type_name};
use crate::cpp::namespaces::is_in_file;
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
    checks: &[
        Check::Idents(&["__shared__"], check),
        Check::Idents(
            &["__device__", "__constant__", "__managed__"],
            check_of_device,
        ),
    ],
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

/// `__device__ curandState states[64];` and `extern __device__ curandState states[64];` outside of functions and classes.
fn check_of_device(index: TokenIndex, cx: &mut Context<'_, '_>) {
    let doc = cx.doc;
    let is_before_type =
        |at: TokenIndex| is_space(doc, at) || doc.is(at, "static") || doc.is(at, "extern");
    let mut start = index;
    while let Some(before) = doc.prev(start).filter(|&at| is_before_type(at)) {
        start = before;
    }
    // The first word of the space speaks for the others.
    let is_first = !(start..index).any(|at| is_space(doc, at));
    let begins = doc
        .prev(start)
        .is_none_or(|at| matches!(doc.bytes(at), b"{" | b"}" | b";") || is_of_directive(doc, at));
    if is_of_directive(doc, index) || !is_first || !begins || !is_in_file(doc, index) {
        return;
    }
    let Some((first, name)) = type_and_name(doc, index, is_before_type) else {
        return;
    };
    let is_function = doc.next_is(name.of_variable, "(");
    if is_function || !is_given_by_hip_alone(cx, &name) {
        return;
    }
    let is_extern = (start..first).any(|at| doc.is(at, "extern"));
    let is_managed = (start..first).any(|at| doc.is(at, "__managed__"));
    match Variable::new(cx, start, first, name.of_variable) {
        _ if is_managed => report(
            cx,
            start,
            name.of_variable,
            "the class gives its objects values in HIP, which a managed variable cannot have",
            "allocate them by `cudaMallocManaged`, and give kernels the pointer",
        ),
        Some(variable) if is_extern => cx.report(variable.declaration()),
        Some(variable) => {
            let finding = variable.finding_of_device(cx, name.of_variable);
            cx.report(finding);
        }
        None => report(
            cx,
            start,
            name.of_variable,
            "the class gives its objects values in HIP, which a variable of the device cannot have",
            "declare `__align__(alignof(T)) unsigned char memory[sizeof(T)]`, and a reference to a T in it for each variable",
        ),
    }
}

fn is_space(doc: &Document<'_>, at: TokenIndex) -> bool {
    ["__device__", "__constant__", "__managed__"]
        .iter()
        .any(|word| doc.is(at, word))
}

fn is_of_directive(doc: &Document<'_>, at: TokenIndex) -> bool {
    doc.tokens[at].has(flags::DIRECTIVE)
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

/// Of a `__shared__` in a function the first token of the type and the name of the first variable, if the type is a class that gives its
/// objects values.
fn object_of_class(cx: &Context<'_, '_>, index: TokenIndex) -> Option<(TokenIndex, TokenIndex)> {
    let doc = cx.doc;
    let begins = doc
        .prev(index)
        .is_some_and(|at| matches!(doc.bytes(at), b"{" | b"}" | b";"));
    let is_local = doc.scopes().around(index).next().is_some();
    let is_shared = |at: TokenIndex| doc.is(at, "__shared__") || doc.is(at, "static");
    let (first, name) = type_and_name(doc, index, is_shared).filter(|_| begins && is_local)?;
    let is_class = is_given_by_library(&name.of_type) || is_made_with_values(cx, &name);
    is_class.then_some((first, name.of_variable))
}

/// The names in a declaration.
struct Names {
    /// The type's, `Eigen::Matrix3f`.
    of_type: Vec<u8>,
    /// The last one of it, `Matrix3f`.
    of_class: TokenIndex,
    /// The first variable's.
    of_variable: TokenIndex,
}

/// The first token of the type and the names in a declaration that begins with words and attributes, `static __shared__ T name`.
fn type_and_name(
    doc: &Document<'_>,
    index: TokenIndex,
    is_word: impl Fn(TokenIndex) -> bool,
) -> Option<(TokenIndex, Names)> {
    let mut first = doc.next(index)?;
    while is_word(first) || is_attribute(doc.bytes(first)) {
        let behind = doc.next(first)?;
        first = match doc.is(behind, "(") {
            true => doc.next(doc.matching_bracket(behind)?)?,
            false => behind,
        };
    }
    let (of_type, class) = type_name(doc, first)?;
    let at = doc.next(class)?;
    let name = match doc.is(at, "<") {
        true => doc.next(doc.template_close(at)?)?,
        false => at,
    };
    let names = Names {
        of_type,
        of_class: class,
        of_variable: name,
    };
    doc.is_ident(name).then_some((first, names))
}

/// One variable of the device whose type is a class that gives its objects values.
struct Variable {
    /// From `__shared__` to the `;`.
    whole: TextRange,
    /// `__shared__` or `static __device__`: what stands in front of the type.
    words: String,
    /// The type.
    class_range: TextRange,
    /// The type as written.
    class: String,
    name: String,
    /// `[32][8]`, or nothing.
    bounds: String,
}

impl Variable {
    /// The variable that a declaration makes, if it is the only one.
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
        let last_of_class = doc.prev(name)?;
        doc.is(end, ";").then(|| Self {
            whole: doc.range(index, end),
            words: text(index, first),
            class_range: doc.range(first, last_of_class),
            class: text(first, name),
            name: cx.text(name).into_owned(),
            bounds: text(bounds, end),
        })
    }

    fn finding(&self, cx: &Context<'_, '_>) -> Finding {
        let Self { class, name, .. } = self;
        let message = format!(
            "`{class}` gives its objects values, which a `__shared__` variable cannot have: `{name}` becomes a reference to memory without any"
        );
        let edit = self.edit(self.memory_and_reference(cx, ""));
        let finding = RULE.finding(self.whole, message);
        finding.severity(Severity::Info).fix(Fix::safe(vec![edit]))
    }

    /// That of a variable outside of functions, which the host asks for by the name of its memory.
    fn finding_of_device(&self, cx: &Context<'_, '_>, declared: TokenIndex) -> Finding {
        let Self {
            class, name, words, ..
        } = self;
        let message = format!(
            "`{class}` gives its objects values in HIP, which a variable of the device cannot have: `{name}` becomes a reference to memory without any"
        );
        let edit = self.edit(self.memory_and_reference(cx, &format!("{words} ")));
        let doc = cx.doc;
        let of_symbols = doc
            .occurrences(name.as_bytes(), declared + 1..doc.tokens.len())
            .filter(|&at| is_symbol(doc, at))
            .map(|at| Edit::replace(doc.range(at, at), format!("{name}_bytes")));
        let mut edits = vec![edit];
        edits.extend(of_symbols);
        let finding = RULE.finding(self.whole, message);
        finding.severity(Severity::Info).fix(Fix::safe(edits))
    }

    /// That of a declaration `extern`, of a variable that is a reference where it is defined.
    fn declaration(&self) -> Finding {
        let Self {
            words,
            name,
            whole,
            class,
            ..
        } = self;
        let message = format!(
            "`{class}` gives its objects values in HIP, which a variable of the device cannot have: `{name}` is a reference where it is defined"
        );
        let edit = self.edit(format!("{words} {};", self.reference(name)));
        let finding = RULE.finding(*whole, message).severity(Severity::Info);
        finding.fix(Fix::safe(vec![edit]))
    }

    /// `unsigned char name_bytes[…]; T &name = …;`, the second with `words` in front.
    fn memory_and_reference(&self, cx: &Context<'_, '_>, words: &str) -> String {
        let Self {
            whole,
            name,
            bounds,
            ..
        } = self;
        let bytes = &cx.doc.source.bytes;
        let line = &bytes[line_start(bytes, whole.start) as usize..whole.start as usize];
        let indent: String = String::from_utf8_lossy(line)
            .chars()
            .take_while(|it| it.is_whitespace())
            .collect();
        let newline = cx.doc.newline();
        format!(
            "{} __align__(alignof({TYPE})) unsigned char {name}_bytes[sizeof({TYPE}{bounds})];{newline}{indent}{words}{} = reinterpret_cast<{}>({name}_bytes);",
            self.words,
            self.reference(name),
            self.reference(""),
        )
    }

    /// `T &name`, `T (&name)[32]`.
    fn reference(&self, name: &str) -> String {
        let bounds = &self.bounds;
        match bounds.is_empty() {
            true => format!("{TYPE} &{name}"),
            false => format!("{TYPE} (&{name}){bounds}"),
        }
    }

    /// The declaration replaced by a text that has the type, which other rules may rename, wherever [`TYPE`] stands.
    fn edit(&self, text: String) -> Edit {
        let mut parts = text.split(TYPE);
        let mut content = parts.next().unwrap_or_default().to_owned();
        let mut places = Vec::new();
        for part in parts {
            places.push(content.len());
            content += &self.class;
            content += part;
        }
        let edit = Edit::replace(self.whole, content).without(self.whole);
        places
            .into_iter()
            .fold(edit, |edit, at| edit.moving(at, self.class_range))
    }
}

/// Stands for the type in a text; no source has it.
const TYPE: char = '\0';

/// Whether a name is the argument of a function of the runtime that asks for a variable of the device: `cudaMemcpyToSymbol(name, …)`.
fn is_symbol(doc: &Document<'_>, name: TokenIndex) -> bool {
    let before = doc.prev(name);
    let open = before.and_then(|at| match doc.bytes(at) {
        b"(" => Some(at),
        // `cudaGetSymbolAddress((void **)&address, name)`.
        b"," => enclosing_parenthesis(doc, at),
        _ => None,
    });
    let function = open.and_then(|at| doc.prev(at));
    function.is_some_and(|at| {
        let word = doc.bytes(at);
        word.starts_with(b"cuda") && word.windows(6).any(|it| it == b"Symbol")
    })
}

/// Whether an object of a class gets values where it is made without arguments.
fn is_made_with_values(cx: &Context<'_, '_>, names: &Names) -> bool {
    let class = cx.doc.bytes(names.of_class);
    let own = cx.doc.fact(MadeWithValues::new).of(class);
    let tree = || cx.project.names().made_with_values.of(class);
    is_given_by_hip(&names.of_type) || own.or_else(tree) == Some(true)
}

/// Whether it gets values in HIP alone.
fn is_given_by_hip_alone(cx: &Context<'_, '_>, names: &Names) -> bool {
    let class = cx.doc.bytes(names.of_class);
    let own = cx.doc.fact(MadeWithValues::new).of_in_hip_alone(class);
    let tree = || cx.project.names().made_with_values.of_in_hip_alone(class);
    is_given_by_hip(&names.of_type) || own.or_else(tree) == Some(true)
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
