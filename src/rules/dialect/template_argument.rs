//! A class template with a number among its parameters, handed over for a template of types alone.
//!
//! ## Why on AMD
//! nvcc fits `template <class T, class Less = int, int N = 4> struct store` to a parameter `template <class...> class S`, since the number
//! comes behind two types. clang compares the parameters one by one: "template template argument has different template parameters than its
//! corresponding template template parameter". It takes the class where the parameter lists as many types as it is given, since those
//! behind them have defaults.
//!
//! ## Example
//! ```cuda
//! template <class T, class Less = int, int N = 4> struct store { T all[N]; };
//! template <template <class...> class S, class T> struct holder { S<T> inner; };
//! holder<store, float> one;
//! ```
//! becomes
//! ```hip
//! template <class T, class Less = int, int N = 4> struct store { T all[N]; };
//! template <template <class> class S, class T> struct holder { S<T> inner; };
//! holder<store, float> one;
//! ```
//!
//! ## When to ignore
//! Never.
//!
//! ## Source
//! clang 19 and the front ends of nvcc 12.4 and 13.0, each form compiled with both.

use std::ops::Range;

use rustc_hash::FxHashSet;

use crate::cpp::calls::template_arguments;
use crate::cpp::declarations::end_of_template;
use crate::cpp::template_parameters::{classes_of_numbers, head_of_template};
use crate::rules::prelude::*;
use crate::text::keywords::is_class_key;

/// Lists the types that the parameter is given.
pub static RULE: Rule = Rule {
    code: "CASS694",
    severity: Severity::Warning,
    fix: Some(Applicability::Safe),
    priority: 50,
    facts: &[Fact::NvccReadsResult],
    checks: &[Check::Source(check)],
};

fn check(cx: &mut Context<'_, '_>) {
    let templates = cx.doc.all("template");
    let found: Vec<Finding> = templates
        .filter_map(|template| finding(cx, template))
        .collect();
    found.into_iter().for_each(|finding| cx.report(finding));
}

/// The class templates of the file with a number among their parameters.
struct OfNumbers(FxHashSet<Box<[u8]>>);

/// A parameter that takes any number of types: `template <class...> class S`.
struct Taker {
    /// What stands between its own angle brackets.
    list: Range<TokenIndex>,
    name: TokenIndex,
    /// Which parameter of the template around it is it.
    place: usize,
}

fn finding(cx: &Context<'_, '_>, template: TokenIndex) -> Option<Finding> {
    let doc = cx.doc;
    let (parameters, close) = head_of_template(doc, template)?;
    let mut all = parameters.iter().enumerate();
    let taker = all.find_map(|(place, parameter)| taker(doc, parameter, place))?;
    let start = doc.tokens[taker.list.start].start;
    if doc.vendor_at(start) != Vendor::Any || cx.is_inactive(start) || cx.is_not_meant(start) {
        return None;
    }
    let owner = doc.next(close + 1).filter(|_| {
        let key = doc.bytes(close + 1);
        is_class_key(key) || key == b"using"
    })?;
    let until = end_of_template(doc, close);
    let mut handed = doc
        .occurrences(doc.bytes(owner), until..doc.tokens.len())
        .filter_map(|at| class_given(doc, at, taker.place));
    let own = doc.fact(|doc| OfNumbers(classes_of_numbers(doc)));
    let takes_a_number =
        |class: &[u8]| own.0.contains(class) || cx.project.names().takes_a_number(class);
    let class = handed.find(|&class| takes_a_number(doc.bytes(class)))?;
    let message = format!(
        "`{}` has a number among its parameters: to clang it is no template of types, which `{}` is",
        cx.text(class),
        cx.text(taker.name)
    );
    let finding = RULE.finding(doc.range(taker.list.start, taker.list.end - 1), message);
    Some(match types_given(doc, &taker, close..until) {
        Some(count) => {
            let word = cx.text(taker.list.start);
            let types = vec![word; count].join(", ");
            let range = doc.range(taker.list.start, taker.list.end - 1);
            finding
                .severity(Severity::Info)
                .fix(Fix::safe(vec![Edit::replace(range, types)]))
        }
        None => finding.help("write out what the class takes, or give it to clang by an alias template that takes types alone"),
    })
}

fn taker(doc: &Document<'_>, parameter: &Range<TokenIndex>, place: usize) -> Option<Taker> {
    let template = parameter.start;
    if !doc.is(template, "template") {
        return None;
    }
    let (own, close) = head_of_template(doc, template)?;
    let [list] = &own[..] else { return None };
    let takes_types = names_type(doc, list.start) && is_dot(doc, list.start + 1);
    let name = close + 2;
    let is_named = names_type(doc, close + 1) && parameter.contains(&name) && doc.is_ident(name);
    (takes_types && is_named).then(|| Taker {
        list: list.clone(),
        name,
        place,
    })
}

/// Whether a token is one of the three dots of a pack: arguments of templates have no others.
fn is_dot(doc: &Document<'_>, at: TokenIndex) -> bool {
    doc.is(at, ".")
}

fn names_type(doc: &Document<'_>, at: TokenIndex) -> bool {
    matches!(doc.bytes(at), b"class" | b"typename")
}

/// The class template that a use of the template around hands over: the last name of `own::store`.
fn class_given(doc: &Document<'_>, at: TokenIndex, place: usize) -> Option<TokenIndex> {
    let (arguments, _) = template_arguments(doc, at)?;
    let last = arguments.get(place)?.end.checked_sub(1)?;
    doc.is_ident(last).then_some(last)
}

/// How many types the parameter is given wherever it is used; none where the uses differ, or it is handed on.
fn types_given(doc: &Document<'_>, taker: &Taker, within: Range<TokenIndex>) -> Option<usize> {
    let count = |at: TokenIndex| {
        let (arguments, close) = template_arguments(doc, at)?;
        let has_pack = (at..close).any(|at| is_dot(doc, at));
        (!has_pack).then_some(arguments.len())
    };
    let mut counts = doc.occurrences(doc.bytes(taker.name), within).map(count);
    let first = counts.next()??;
    counts.all(|other| other == Some(first)).then_some(first)
}
