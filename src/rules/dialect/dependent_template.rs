//! A member template of a dependent type that is called without the word `template`, or a member type without `typename`.
//!
//! ## Why on AMD
//! In `vec_cast<T, U>::cast<N>(x)` the compiler cannot know before `T` is known that `cast` is a template and `<` no comparison; the
//! language requires the keyword `template` there, in a type as well: `typename Traits<T>::template rebind<U>`. So it is in `x.matrix().block<3, 3>(0, 0)` where `T` is the type of `x`. nvcc guesses,
//! clang does not compile it. Behind the keyword a list of arguments has to follow, empty where all are deduced:
//! `Kernel<T>::template run(x)` is `Kernel<T>::template run<>(x)`. An object of a member type, `Traits::Scan(memory).sum(x)`, needs
//! `typename` in front, or clang takes it for a call; so does one of a class within a class of the template itself, `Pair::Sum()`.
//!
//! ## Example
//! ```cuda
//! template <class T, int N> __device__ void f(T *x) { Cast<T>::run<N>(x); }
//! ```
//! becomes
//! ```hip
//! template <class T, int N> __device__ void f(T *x) { Cast<T>::template run<N>(x); }
//! ```
//!
//! ## When to ignore
//! Never.
//!
//! ## Source
//! C++17 [temp.names]; clang 19: "reference to overloaded function could not be resolved", "reference to non-static member function must
//! be called", "missing 'typename' prior to dependent type name"; CWG 96: "a template argument list is expected after a name prefixed by the template keyword".

use std::ops::Range;

use crate::cpp::declarations::angle_open;
use crate::cpp::definitions::class_name;
use crate::cpp::template_parameters::is_parameter_around;
use crate::rules::prelude::*;
use crate::text::keywords::{is_class_key, is_keyword};

/// Inserts the words, or the list.
pub static RULE: Rule = Rule {
    code: "CASS115",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 50,
    facts: &[Fact::NvccReadsResult],
    checks: &[Check::Source(check)],
};

fn check(cx: &mut Context<'_, '_>) {
    let doc = cx.doc;
    for word in doc.all_that(|word| word == b"template") {
        if let Some(name) = without_list(doc, word) {
            report_list(cx, name);
        }
    }
    for word in doc.all_that(|word| word == b"typename") {
        templates_of_type(doc, word)
            .into_iter()
            .for_each(|name| report(cx, name));
    }
    for (start, name) in objects_of_nested_classes(doc) {
        report_type(cx, start, name);
    }
    for function in doc.scopes().iter() {
        if !doc.is(function.head.start, "template") {
            continue;
        }
        let mut parameters = parameters(doc, function.head.clone());
        add_constants(doc, function.body.clone(), &mut parameters);
        for at in function.body.clone() {
            let of_type = calls_member_template(doc, at) && is_dependent(doc, at, &parameters);
            if of_type || is_of_dependent_object(doc, at, function.head.start, &parameters) {
                report(cx, at);
            }
            if let Some(start) = lacks_typename(doc, at, &parameters) {
                report_type(cx, start, at);
            }
        }
    }
}

/// The member templates in a type behind `typename` that lack the word: `rebind` of `typename Traits<T>::rebind<U>`, and of
/// `typename T::rebind<U>` where `T` is a parameter. What follows there is no comparison.
fn templates_of_type(doc: &Document<'_>, typename: TokenIndex) -> Vec<TokenIndex> {
    let first = doc.next(typename);
    let is_type_parameter = |at| Some(at) == first && is_parameter_around(doc, doc.bytes(at), at);
    let mut found = Vec::new();
    let mut name = doc.next(typename);
    let mut depends = false;
    while let Some(at) = name.filter(|&at| doc.is_ident(at)) {
        let Some(open) = doc.next(at) else { break };
        let close = doc.template_close(open).filter(|_| doc.is(open, "<"));
        if depends && close.is_some() && !doc.is(at, "template") {
            found.push(at);
        }
        let last = close.unwrap_or(at);
        depends = close.is_some() || is_type_parameter(at);
        name = doc.next(last).filter(|&colons| doc.is(colons, "::"));
        name = name.and_then(|colons| doc.next(colons));
    }
    found
}

/// The names between the brackets of `template <class T, int N>`; not those of a default, `class P = at::DefaultPtrTraits`.
fn parameters<'s>(doc: &Document<'s>, head: Range<TokenIndex>) -> Vec<&'s [u8]> {
    let mut depth = 0i32;
    let mut is_default = false;
    let mut words = Vec::new();
    for at in head.skip(1) {
        match doc.bytes(at) {
            b"<" => depth += 1,
            b">" => depth -= 1,
            b"=" => is_default |= depth == 1,
            b"," => is_default &= depth > 1,
            word if is_keyword(word) => {}
            word if doc.is_ident(at) && depth == 1 && !is_default => words.push(word),
            _ => {}
        }
        if depth <= 0 {
            break;
        }
    }
    words
}

/// Adds the constants of a function that follow from its parameters: `constexpr int rows = N / 2;`.
fn add_constants<'s>(doc: &Document<'s>, body: Range<TokenIndex>, parameters: &mut Vec<&'s [u8]>) {
    let end = body.end;
    for at in body.filter(|&at| doc.is(at, "constexpr")) {
        // Longer ones are tables.
        let words = at + 1..end.min(at + 100);
        let Some(equals) = words
            .clone()
            .find(|&it| matches!(doc.bytes(it), b"=" | b";" | b"("))
        else {
            continue;
        };
        let mut value = (equals..words.end).take_while(|&it| !doc.is(it, ";"));
        let follows = value.any(|it| parameters.contains(&doc.bytes(it)));
        if doc.is(equals, "=") && doc.is_ident(equals - 1) && follows {
            parameters.push(doc.bytes(equals - 1));
        }
    }
}

/// `>::name<…>(`
fn calls_member_template(doc: &Document<'_>, at: TokenIndex) -> bool {
    doc.is_ident(at)
        && doc.prev_is(at, "::")
        && doc.prev(at).is_some_and(|colons| doc.prev_is(colons, ">"))
        && doc.next_is(at, "<")
        && doc
            .call(at)
            .is_some_and(|call| call.template_arguments.is_some())
}

/// Where `Pair::Sum()` begins, and its last name: objects of a class within the class `Pair` of the class template around, which clang takes
/// for calls.
fn objects_of_nested_classes(doc: &Document<'_>) -> Vec<(TokenIndex, TokenIndex)> {
    let class = |key: TokenIndex| {
        let name = doc.next(key).filter(|&it| doc.is_ident(it))?;
        let brace = doc.next(name).filter(|&it| doc.is(it, "{"))?;
        Some((name, brace..doc.matching_bracket(brace)?))
    };
    let classes: Vec<_> = doc
        .all_that(is_class_key)
        .into_iter()
        .filter_map(class)
        .collect();
    let mut found = Vec::new();
    for (pair, body) in &classes {
        let around = doc.braces_around(*pair).next();
        let Some(template) = around.filter(|&brace| is_of_template(doc, brace)) else {
            continue;
        };
        let end = doc.matching_bracket(template).unwrap_or(template);
        let is_within = |(name, _): &&(TokenIndex, Range<TokenIndex>)| body.contains(name);
        for (sum, _) in classes.iter().filter(is_within) {
            let named = doc.occurrences(doc.bytes(*sum), template..end);
            let owners = named.filter_map(|at| Some((owner_of_object(doc, at)?, at)));
            found.extend(owners.filter(|(owner, _)| doc.bytes(*owner) == doc.bytes(*pair)));
        }
    }
    for (sum, _) in &classes {
        let around = doc.braces_around(*sum).next();
        let template = around.filter(|&brace| is_of_template(doc, brace));
        let Some(class) = template.and_then(|brace| class_name(doc, brace)) else {
            continue;
        };
        let named = doc.occurrences(doc.bytes(*sum), 0..doc.tokens.len());
        let of_class = named.filter_map(|at| Some((class_of_object(doc, at, class)?, at)));
        found.extend(of_class);
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Where `Estimator<T>::Sum()` begins, an object of a class within the class template `Estimator`, whose arguments depend on a parameter.
fn class_of_object(doc: &Document<'_>, at: TokenIndex, class: &[u8]) -> Option<TokenIndex> {
    let close = doc.prev(at).and_then(|colons| doc.prev(colons))?;
    let is_built = doc.next_is(at, "(") && doc.prev_is(at, "::") && doc.is(close, ">");
    let open = angle_open(doc, close).filter(|_| is_built)?;
    let owner = doc.prev(open).filter(|&it| doc.bytes(it) == class)?;
    let before = doc.prev(owner)?;
    // A statement that begins so declares, and what is qualified begins further in front.
    let is_value = matches!(doc.bytes(before), b"(" | b"," | b"=" | b"return");
    let mut arguments = (open + 1..close).filter(|&it| doc.is_ident(it));
    let depends = arguments.any(|it| is_parameter_around(doc, doc.bytes(it), it));
    (is_value && depends).then_some(owner)
}

/// Whether a brace opens the body of a class template.
fn is_of_template(doc: &Document<'_>, brace: TokenIndex) -> bool {
    if class_name(doc, brace).is_none() {
        return false;
    }
    let mut before = std::iter::successors(doc.prev(brace), |it| doc.prev(*it));
    before
        .find(|&it| matches!(doc.bytes(it), b";" | b"{" | b"}" | b"template"))
        .is_some_and(|it| doc.is(it, "template"))
}

/// The `Traits` of `Traits::Scan(memory).sum(x)`, where something is done with the object.
fn owner_of_object(doc: &Document<'_>, at: TokenIndex) -> Option<TokenIndex> {
    let is_built = doc.is_ident(at) && doc.prev_is(at, "::") && doc.next_is(at, "(");
    let owner = doc.prev(doc.prev(at).filter(|_| is_built)?)?;
    let before = doc.prev(owner)?;
    let is_bare = !matches!(
        doc.bytes(before),
        b"::" | b"typename" | b"." | b"->" | b"template"
    );
    let is_used = || {
        let close = doc.matching_bracket(doc.next(at)?)?;
        let begins = matches!(
            doc.bytes(before),
            b";" | b"{" | b"}" | b")" | b":" | b"else"
        );
        Some(!begins || doc.next_is(close, "."))
    };
    (is_bare && is_used()?).then_some(owner)
}

/// Where `Traits::Scan(memory).sum(x)` begins: an object of a type that the file elsewhere says is one. At the start of a statement the
/// word would make a declaration of `Traits::Scan(x);`, so something has to be done with the object.
fn lacks_typename(doc: &Document<'_>, at: TokenIndex, parameters: &[&[u8]]) -> Option<TokenIndex> {
    let owner = owner_of_object(doc, at)?;
    (parameters.contains(&doc.bytes(owner)) && is_type(doc, at)).then_some(owner)
}

/// Whether the file says elsewhere that a member is a type: `using Scan = …`, `typename Traits::Scan`.
fn is_type(doc: &Document<'_>, name: TokenIndex) -> bool {
    let says = |at: TokenIndex| {
        let owner = || doc.prev(doc.prev(at).filter(|&it| doc.is(it, "::"))?);
        let is_alias = doc.is_before(at, "using") && doc.next_is(at, "=");
        is_alias || owner().is_some_and(|owner| doc.is_before(owner, "typename"))
    };
    doc.occurrences(doc.bytes(name), 0..doc.tokens.len())
        .any(says)
}

/// Whether the template arguments in front of the `::` name a parameter of the function.
fn is_dependent(doc: &Document<'_>, at: TokenIndex, parameters: &[&[u8]]) -> bool {
    let close = doc.prev(at).and_then(|colons| doc.prev(colons));
    close.is_some_and(|close| names_parameter(doc, close, parameters))
}

/// Whether the template arguments that end with a `>` name a parameter.
fn names_parameter(doc: &Document<'_>, close: TokenIndex, parameters: &[&[u8]]) -> bool {
    let (mut index, mut depth) = (close, 0i32);
    // No argument list in real code is longer.
    for _ in 0..100 {
        match doc.bytes(index) {
            b">" => depth += 1,
            b"<" => depth -= 1,
            word if parameters.contains(&word) => return true,
            b";" | b"{" | b"}" => return false,
            _ => {}
        }
        match doc.prev(index) {
            Some(before) if depth > 0 => index = before,
            _ => return false,
        }
    }
    false
}

/// Whether a member template is called of an object whose type is a parameter of the function: `x.matrix().block<3, 3>(0, 0)`.
fn is_of_dependent_object(
    doc: &Document<'_>,
    at: TokenIndex,
    from: TokenIndex,
    parameters: &[&[u8]],
) -> bool {
    let is_member = doc.prev_is(at, ".") || doc.prev_is(at, "->");
    let is_call = is_member && doc.is_ident(at) && doc.next_is(at, "<");
    let has_arguments = || {
        doc.call(at)
            .is_some_and(|call| call.template_arguments.is_some())
    };
    let object = || object_of(doc, at).map(|it| doc.bytes(it));
    is_call && has_arguments() && object().is_some_and(|it| declares(doc, from..at, it, parameters))
}

/// `x` of `x.matrix().block`: the name that a chain of members without arguments begins with.
fn object_of(doc: &Document<'_>, member: TokenIndex) -> Option<TokenIndex> {
    let mut at = member;
    while doc.prev_is(at, ".") || doc.prev_is(at, "->") {
        let mut before = doc.prev(doc.prev(at)?)?;
        if doc.is(before, ")") {
            before = doc.prev(before).filter(|it| doc.is(*it, "("))?;
            before = doc.prev(before)?;
        }
        at = Some(before).filter(|it| doc.is_ident(*it))?;
    }
    (!doc.prev_is(at, "::")).then_some(at)
}

/// Whether the type of a name is a parameter of the template, or has one among its arguments: `T x(…)`, `const Tile<T>& x`.
fn declares(
    doc: &Document<'_>,
    within: Range<TokenIndex>,
    name: &[u8],
    parameters: &[&[u8]],
) -> bool {
    let is_object = |at: TokenIndex| doc.next_is(at, ".") || doc.next_is(at, "->");
    let mut names = within.filter(|it| doc.bytes(*it) == name);
    names.any(|at| {
        let marks = |it: &TokenIndex| matches!(doc.bytes(*it), b"&" | b"*" | b"const");
        let mut before = std::iter::successors(doc.prev(at), |it| doc.prev(*it));
        let of_type = before.find(|it| !marks(it));
        of_type.is_some_and(|it| match doc.bytes(it) {
            // In `a > x.f<T>()` the bracket compares.
            b">" => !is_object(at) && names_parameter(doc, it, parameters),
            word => parameters.contains(&word) && !doc.prev_is(it, "::"),
        })
    })
}

/// The name in `::template name(`: a member that the keyword calls a template, without arguments.
fn without_list(doc: &Document<'_>, word: TokenIndex) -> Option<TokenIndex> {
    let is_of_member = ["::", ".", "->"].iter().any(|it| doc.prev_is(word, it));
    // `call.template operator()<N>()` has its list behind the brackets.
    let is_name = |it: &TokenIndex| doc.is_ident(*it) && !doc.is(*it, "operator");
    let name = doc.next(word).filter(is_name)?;
    (is_of_member && doc.next_is(name, "(")).then_some(name)
}

fn report_list(cx: &mut Context<'_, '_>, name: TokenIndex) {
    let message = format!(
        "a template argument list is expected after `template {}`",
        cx.text(name)
    );
    let range = cx.range(name);
    let finding = RULE
        .finding(range, message)
        .fix(Fix::safe(vec![Edit::insert(range.end, "<>")]));
    cx.report(finding);
}

fn report_type(cx: &mut Context<'_, '_>, start: TokenIndex, at: TokenIndex) {
    let message = format!(
        "missing `typename` prior to the dependent type name `{}`",
        cx.text(at)
    );
    let range = cx.doc.range(start, at);
    let finding = RULE
        .finding(range, message)
        .fix(Fix::safe(vec![Edit::insert(range.start, "typename ")]));
    cx.report(finding);
}

fn report(cx: &mut Context<'_, '_>, at: TokenIndex) {
    let message = format!(
        "`{}` is a dependent template name: clang requires the `template` keyword",
        cx.text(at)
    );
    let start = cx.range(at).start;
    let finding = RULE
        .finding(cx.range(at), message)
        .fix(Fix::safe(vec![Edit::insert(start, "template ")]));
    cx.report(finding);
}
