//! A type of the project's that is made from `__half` and from `__half2`.
//!
//! ## Why on AMD
//! A number turns into `__half` on both sides. HIP's `__half2` can be made from a vector of clang's besides, and a number turns into
//! that as well, so that "call to constructor is ambiguous" where CUDA has one way: `pair one(1.f)`.
//!
//! ## Example
//! ```cuda
//! struct pair {
//!   __half2 value;
//!   __device__ pair(const __half2 &both) : value(both) {}
//!   __device__ pair(const __half &one) : value(one, one) {}
//! };
//! ```
//! becomes
//! ```hip
//! struct pair {
//!   __half2 value;
//!   __device__ pair(const __half2 &both) : value(both) {}
//!   __device__ pair(const __half &one) : value(one, one) {}
//!   __device__ pair(float number) : pair(__half(number)) {} /* HIP makes __half2 from a number as well */
//! };
//! ```
//!
//! ## When to ignore
//! When nobody makes the type from a number; the constructor does no harm. A `double` goes through `float` then.
//!
//! ## Source
//! `hip/amd_detail/amd_hip_fp16.h` of ROCm 6.4: `__half2(decltype(__half2_raw::data))`, a vector of clang's.

use std::ops::Range;

use crate::cpp::definitions::class_name;
use crate::rules::prelude::*;
use crate::text::line_start;

/// Adds the constructor from a number.
pub static RULE: Rule = Rule {
    code: "CASS657",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 45,
    facts: &[Fact::NvccReadsResult],
    checks: &[Check::Idents(&["__half2", "half2"], check)],
};

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    let doc = cx.doc;
    let Some(pair) = Constructor::of_parameter(doc, index) else {
        return;
    };
    let others = pair.others(doc);
    let takes = |names: &[&[u8]]| others.iter().find(|it| names.contains(&it.takes));
    let Some(one) = takes(&[b"__half", b"half"]) else {
        return;
    };
    if takes(NUMBERS).is_some() || others.iter().any(|it| it.is_template) {
        return;
    }
    let name = String::from_utf8_lossy(pair.class).into_owned();
    let message = format!(
        "a number makes `{name}` by its constructors from `__half` and from `__half2`: the call is ambiguous"
    );
    let finding = RULE.finding(cx.range(pair.name), message);
    cx.report(match one.end(doc) {
        Some(end) => finding.fix(Fix::safe(vec![added(cx, one, end, &name)])),
        None => finding
            .severity(Severity::Warning)
            .help("declare a constructor from `float` that makes a `__half` of it"),
    });
}

/// Types of numbers: a constructor from one of them is found first.
const NUMBERS: &[&[u8]] = &[b"float", b"double", b"int"];

/// The constructor from a number, on a line behind another one and with its words.
fn added(cx: &Context<'_, '_>, one: &Constructor<'_>, end: TokenIndex, name: &str) -> Edit {
    let doc = cx.doc;
    let words: Vec<_> = (one.first..one.name).map(|at| cx.text(at)).collect();
    let words: String = words.iter().map(|word| format!("{word} ")).collect();
    let bytes = &doc.source.bytes;
    let start = doc.tokens[one.first].start;
    let line = line_start(bytes, start);
    let indent = cx.text_of(TextRange::new(line, start)).into_owned();
    let indent = match indent.trim().is_empty() {
        true => indent,
        false => String::new(),
    };
    let newline = doc.newline();
    Edit::insert(
        doc.tokens[end].end(),
        format!(
            "{newline}{indent}{words}{name}(float number) : {name}(__half(number)) {{}} /* HIP makes __half2 from a number as well */"
        ),
    )
}

/// A constructor of a class with one parameter.
struct Constructor<'d> {
    class: &'d [u8],
    /// The first of its words.
    first: TokenIndex,
    name: TokenIndex,
    /// Its parameter with the brackets.
    parameters: Range<TokenIndex>,
    /// The type of the parameter, a reference or not.
    takes: &'d [u8],
    is_template: bool,
}

impl<'d> Constructor<'d> {
    /// The constructor whose parameter's type stands at `index`.
    fn of_parameter(doc: &'d Document<'_>, index: TokenIndex) -> Option<Self> {
        let before = doc.prev(index)?;
        let open = match doc.bytes(before) {
            b"const" => doc.prev(before)?,
            _ => before,
        };
        Self::at(doc, doc.prev(open).filter(|_| doc.is(open, "("))?)
    }

    /// The constructor of that name, within the braces of its class.
    fn at(doc: &'d Document<'_>, name: TokenIndex) -> Option<Self> {
        let class = class_name(doc, doc.braces_around(name).next()?)?;
        let open = doc.next(name).filter(|&open| doc.is(open, "("))?;
        let close = doc.matching_bracket(open)?;
        if doc.bytes(name) != class {
            return None;
        }
        let words = (open + 1..close).filter(|&at| !doc.is(at, "const"));
        let mut words = words.map(|at| doc.bytes(at));
        let takes = words.next()?;
        let has_one = words.clone().all(|word| word != b",") && words.count() <= 2;
        let first = first_word(doc, name);
        has_one.then(|| Self {
            class,
            first,
            name,
            parameters: open..close + 1,
            takes,
            is_template: doc.prev_is(first, ">"),
        })
    }

    /// The other constructors of the class with one parameter.
    fn others(&self, doc: &'d Document<'_>) -> Vec<Self> {
        let around = doc.braces_around(self.name).next();
        let close = around.and_then(|open| doc.matching_bracket(open));
        let Some((open, close)) = around.zip(close) else {
            return Vec::new();
        };
        let names = doc.occurrences(self.class, open..close);
        let names = names.filter(|&at| at != self.name && doc.braces_around(at).next() == around);
        names.filter_map(|at| Self::at(doc, at)).collect()
    }

    /// The last token of its definition, where that stands in the class.
    fn end(&self, doc: &Document<'_>) -> Option<TokenIndex> {
        let function = doc.scopes().within(self.first..self.parameters.end + 1);
        let mut function = function.filter(|it| it.head.contains(&self.name));
        function.next().map(|it| it.body.end - 1)
    }
}

/// The first of the words in front of a constructor's name: `__device__ inline X(`.
fn first_word(doc: &Document<'_>, name: TokenIndex) -> TokenIndex {
    let mut first = name;
    while let Some(before) = doc.prev(first).filter(|&at| doc.is_ident(at)) {
        first = before;
    }
    first
}
