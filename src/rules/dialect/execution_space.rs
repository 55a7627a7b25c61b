//! Two declarations of one function that name different execution spaces.
//!
//! ## Why on AMD
//! nvcc takes the spaces together ("redeclared without `__device__`, hence treated as a `__host__ __device__` function"). To clang they are
//! part of the function: a definition with other words is another function. It says "no function template matches function template
//! specialization", "out-of-line definition does not match any declaration", "`__device__` function cannot overload `__host__ __device__`
//! function"; a plain function compiles, and is missing when the program is linked.
//!
//! ## Example
//! ```cuda
//! template <int N> __host__ __device__ void step(int &i) { i += N; }
//! template <> __device__ void step<0>(int &i) { i += threadIdx.x; }
//! struct S { __host__ __device__ int f() const; int a; };
//! int S::f() const { return a; }
//! ```
//! becomes
//! ```hip
//! template <int N> __host__ __device__ void step(int &i) { i += N; }
//! template <> __host__ __device__ void step<0>(int &i) { i += threadIdx.x; }
//! struct S { __host__ __device__ int f() const; int a; };
//! __host__ __device__ int S::f() const { return a; }
//! ```
//! A function that one declaration gives to the device and the other to nobody in particular becomes one for the device: nvcc lets no host
//! code call it either.
//!
//! ## When to ignore
//! Never. Macros of the project are read where all their definitions say the same words, or none; declarations whose words may stand in another
//! macro are not compared. Of other files those are read that the file includes or that include it.
//!
//! ## Source
//! nvcc 12.4 and 13.0 (warnings 20037-D to 20040-D) and clang 19, each combination compiled with both; CUDA C++ Programming Guide, "Execution Space
//! Specifiers".

use std::collections::BTreeMap;
use std::ops::Deref;

use rustc_hash::FxHashSet;

use crate::cpp::space_macros::{Said, SpaceMacros, WORDS, worded};
use crate::cpp::spaces::{Form, Head, Macros, Placed, heads, is_like_macro};
use crate::rules::prelude::*;

/// Writes the same words in front of each declaration.
pub static RULE: Rule = Rule {
    code: "CASS658",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 50,
    facts: &[Fact::NvccReadsResult],
    checks: &[Check::Source(check)],
};

/// A file, and what its macros say.
struct Reader<'a, 'd, 'u> {
    cx: &'a Context<'d, 'u>,
    said: Macros<'a>,
}

impl<'d, 'u> Deref for Reader<'_, 'd, 'u> {
    type Target = Context<'d, 'u>;

    fn deref(&self) -> &Self::Target {
        self.cx
    }
}

fn check(cx: &mut Context<'_, '_>) {
    let around = cx.project.placed_around(&cx.doc.source.path);
    let names: FxHashSet<&[u8]> = around
        .values()
        .flatten()
        .map(|(_, placed)| &*placed.name)
        .collect();
    let own = SpaceMacros::new(worded(cx.doc).iter());
    let tree = cx.project.names().spaces();
    let said = |word: &[u8]| own.said(word).or_else(|| tree.said(word));
    let mut all = heads(cx.doc, &said, &|word| names.contains(word));
    if all.is_empty() {
        return;
    }
    let reader = Reader { cx, said: &said };
    all.retain(|head| is_compared(&reader, head));
    let mut groups = BTreeMap::<&str, Vec<&Head>>::new();
    for head in &all {
        groups.entry(&head.key).or_default().push(head);
    }
    let mut findings: Vec<Finding> = groups
        .into_values()
        .filter(|group| group.len() > 1)
        .flat_map(|group| one_function_each(group))
        .flat_map(|same| of_one_function(&reader, &same))
        .collect();
    let elsewhere = all.iter().filter_map(|head| {
        let others = around.get(&*head.key)?;
        of_other_file(&reader, head, &all, others)
    });
    findings.extend(elsewhere);
    findings.sort_by_key(|finding| finding.range.start);
    findings.into_iter().for_each(|finding| cx.report(finding));
}

/// Whether a declaration is code for both vendors, and its words are all in sight.
fn is_compared(cx: &Reader<'_, '_, '_>, head: &Head) -> bool {
    let start = cx.range(head.name).start;
    let may_name_a_space = |at: TokenIndex| {
        let word = cx.doc.bytes(at);
        cx.doc.is_ident(at)
            && (cx.said)(word).is_none()
            && (cx.project.names().is_macro(word) || is_like_macro(word))
    };
    cx.doc.vendor_at(start) == Vendor::Any
        && !cx.is_inactive(start)
        && !cx.is_not_meant(start)
        && !(head.start..head.name).any(may_name_a_space)
}

/// The declarations of each function among those of one name and number of parameters, as far as they can be told apart.
fn one_function_each(group: Vec<&Head>) -> Vec<Vec<&Head>> {
    let is_special = |head: &&Head| matches!(head.form, Form::Specialisation | Form::Instantiation);
    let (special, plain): (Vec<&Head>, Vec<&Head>) = group.into_iter().partition(is_special);
    let is_primary = |head: &&&Head| head.is_member || head.form == Form::Template;
    if !special.is_empty() {
        let primaries: Vec<&Head> = plain.iter().filter(is_primary).copied().collect();
        // Which of several templates is meant, the types of the parameters alone do not tell.
        let is_one = primaries
            .windows(2)
            .all(|pair| pair[0].types == pair[1].types);
        let all = primaries.iter().chain(&special).copied().collect();
        return if is_one && !primaries.is_empty() {
            vec![all]
        } else {
            Vec::new()
        };
    }
    let mut functions = BTreeMap::<(&str, bool), Vec<&Head>>::new();
    // A declaration and a definition may spell a type in two ways; two declarations are two functions.
    let bodies = plain.iter().filter(|head| head.has_body).count();
    let is_pair = plain.len() == 2 && bodies == 1 && plain.iter().all(|head| head.is_member);
    for head in plain {
        let types = if is_pair { "" } else { &*head.types };
        let is_template = !head.is_member && head.form == Form::Template;
        functions
            .entry((types, is_template))
            .or_default()
            .push(head);
    }
    // Two bodies are two functions, whatever tells them apart.
    let is_one =
        |same: &Vec<&Head>| same.len() > 1 && same.iter().filter(|head| head.has_body).count() < 2;
    functions.into_values().filter(is_one).collect()
}

/// What the declarations of one function lack.
fn of_one_function(cx: &Reader<'_, '_, '_>, same: &[&Head]) -> Vec<Finding> {
    let branches = &cx.doc.branches;
    let places: Vec<u32> = same.iter().map(|head| cx.range(head.name).start).collect();
    let is_read_together = |pair: &[u32]| {
        branches.dominates(pair[0], pair[1])
            || branches.dominates(pair[1], pair[0])
            || conditions(cx.doc, pair[0]) == conditions(cx.doc, pair[1])
    };
    if !places.windows(2).all(is_read_together) {
        return Vec::new();
    }
    let wanted = together(cx, same);
    let lacks =
        |head: &&&Head| words(cx, head) != wanted && wanted.iter().any(|word| *word != "__host__");
    let lacking = same.iter().filter(lacks);
    lacking
        .map(|head| finding(cx, head, same, &wanted))
        .collect()
}

/// The conditions around a place, the innermost first; a branch behind `#elif` or `#else` is like no other.
fn conditions<'d>(doc: &'d Document<'_>, at: u32) -> Vec<(&'d [u8], Option<usize>)> {
    let tree = &doc.branches;
    let condition = |branch: usize| {
        let place = tree.branch(branch);
        let directive = &doc.directives[place.directive];
        let is_first = tree.group(place.group).branches.first() == Some(&branch);
        let text = doc.source.slice(directive.range);
        (text, (!is_first).then_some(branch))
    };
    tree.outwards(at).map(condition).collect()
}

/// The words that a declaration has, in the order in which they are written.
fn words<'a>(cx: &Reader<'_, '_, '_>, head: &Head) -> Vec<&'a str> {
    let said = head.macros.iter();
    let said = said.filter_map(|&at| (cx.said)(cx.doc.bytes(at)));
    let said: Vec<&str> = said.flat_map(Said::spaces).collect();
    let has = |word: &&str| said.contains(word) || head.words.iter().any(|&at| cx.doc.is(at, word));
    ["__global__", "__host__", "__device__"]
        .into_iter()
        .filter(has)
        .collect()
}

/// The words that nvcc reads of all of them together; none where they cannot go together.
fn together(cx: &Reader<'_, '_, '_>, same: &[&Head]) -> Vec<&'static str> {
    let mut all: Vec<&str> = same.iter().flat_map(|head| words(cx, head)).collect();
    let is_special = same
        .iter()
        .any(|head| matches!(head.form, Form::Specialisation | Form::Instantiation));
    let is_of_host = |head: &&&Head| {
        !matches!(head.form, Form::Specialisation | Form::Instantiation)
            && head.words.is_empty()
            && head.macros.is_empty()
    };
    // A template of the host stays one, also where a specialisation of it is for the device.
    if is_special && !all.contains(&"__global__") && same.iter().any(|head| is_of_host(&head)) {
        all.push("__host__");
    }
    let has = |word: &&str| all.contains(word);
    let wanted: Vec<&str> = ["__global__", "__host__", "__device__"]
        .into_iter()
        .filter(has)
        .collect();
    match wanted[..] {
        ["__global__", _, ..] => Vec::new(),
        _ => wanted,
    }
}

fn finding(cx: &Reader<'_, '_, '_>, head: &Head, same: &[&Head], wanted: &[&str]) -> Finding {
    let other = same
        .iter()
        .find(|other| words(cx, other) != words(cx, head));
    let other = other.map_or(head, |other| other);
    let line = cx.doc.source.line_col(cx.range(other.name).start).line;
    let message = format!(
        "to clang this is not the `{}` of line {line}: it is not `{}`",
        cx.text(head.name),
        wanted.join(" ")
    );
    let edit = edit(cx, head, wanted, model(cx, head, same, wanted));
    mended(cx, head, message, edit)
}

/// What a declaration lacks of what one in another file says, which alone is the same function's.
fn of_other_file(
    cx: &Reader<'_, '_, '_>,
    head: &Head,
    all: &[Head],
    others: &[(&str, &Placed)],
) -> Option<Finding> {
    let is_template = !head.is_member && head.form == Form::Template;
    let is_plain = matches!(head.form, Form::Plain | Form::Template);
    let is_same = |it: &&Head| it.key == head.key && it.has_body != head.has_body;
    if !is_plain || all.iter().any(|it| is_same(&it)) {
        return None;
    }
    // Within a class a definition may name a type without what it stands in, `Vector` for `math::Vector`.
    let is_same_types = |types: &str| match head.is_member {
        true => unqualified(types) == unqualified(&head.types),
        false => types == head.types,
    };
    let fits = |it: &&(&str, &Placed)| {
        let placed = it.1;
        is_same_types(&placed.types)
            && placed.is_template == is_template
            && placed.has_body != head.has_body
    };
    let mut said = others.iter().filter(fits).map(|(path, placed)| {
        let spaces = spaces_of(cx, placed)?;
        Some((*path, spaces, &placed.words))
    });
    let (path, spaces, model) = said.next()??;
    if !said.all(|other| other.is_some_and(|other| other.1 == spaces)) {
        return None;
    }
    let own = words(cx, head);
    let wanted = WORDS.iter().copied();
    let wanted: Vec<&str> = wanted
        .filter(|word| own.contains(word) || spaces.contains(word))
        .collect();
    let is_of_device = wanted.contains(&"__device__") && !wanted.contains(&"__global__");
    if wanted == own || !is_of_device {
        return None;
    }
    let message = format!(
        "to clang this is not the `{}` that {path} declares: it is not `{}`",
        cx.text(head.name),
        wanted.join(" ")
    );
    let names_space = |word: &[u8]| {
        WORDS.iter().any(|it| it.as_bytes() == word)
            || (cx.said)(word).is_some_and(|said| !said.names_none())
    };
    let model = (spaces == wanted).then(|| {
        let all = model.iter().filter(|word| names_space(word));
        let all: Vec<_> = all.map(|word| String::from_utf8_lossy(word)).collect();
        all.join(" ")
    });
    Some(mended(cx, head, message, edit(cx, head, &wanted, model)))
}

/// The words of some types, without the names of what they stand in.
fn unqualified(types: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for word in types.split_whitespace() {
        match word {
            "::" => drop(found.pop()),
            _ => found.push(word),
        }
    }
    found
}

/// The words that a declaration of another file says; none where one of its macros is not known.
fn spaces_of(cx: &Reader<'_, '_, '_>, placed: &Placed) -> Option<Vec<&'static str>> {
    let mut found = Vec::new();
    for word in &placed.words {
        match WORDS.iter().find(|it| it.as_bytes() == &**word) {
            Some(literal) => found.push(*literal),
            None => found.extend((cx.said)(word)?.spaces()),
        }
    }
    let said = WORDS.iter().copied();
    Some(said.filter(|word| found.contains(word)).collect())
}

fn mended(cx: &Reader<'_, '_, '_>, head: &Head, message: String, edit: Option<Edit>) -> Finding {
    let finding = RULE.finding(cx.range(head.name), message);
    match edit {
        Some(edit) => finding.fix(Fix::safe(vec![edit])),
        None => finding
            .severity(Severity::Warning)
            .help("write the same words in front of each declaration"),
    }
}

/// The words and macros of a declaration that says all that is wanted, rather one that says nothing else by a macro. What inlines one
/// declaration of a function inlines the function; a specialisation does not follow its template, and a template may be `inline` in front
/// of any of its declarations.
fn model(cx: &Reader<'_, '_, '_>, head: &Head, same: &[&Head], wanted: &[&str]) -> Option<String> {
    if same.iter().all(|other| other.macros.is_empty()) {
        return Some(wanted.join(" "));
    }
    let is_function = |it: &Head| !matches!(it.form, Form::Specialisation | Form::Instantiation);
    let is_free_template = head.form == Form::Template && !head.is_member;
    let may_inline = |other: &Head| is_free_template || is_function(head) && is_function(other);
    let says_all = || same.iter().filter(|other| words(cx, other) == wanted);
    let is_whole = |other: &&&Head| {
        let mut macros = other.macros.iter();
        macros.all(|&at| says_spaces_alone(cx, at))
    };
    let model = says_all()
        .find(is_whole)
        .or_else(|| says_all().find(|other| may_inline(other)))?;
    let mut all = [&*model.words, &*model.macros].concat();
    all.sort_unstable();
    let text: Vec<_> = all.iter().map(|&at| cx.text(at)).collect();
    Some(text.join(" "))
}

fn says_spaces_alone(cx: &Reader<'_, '_, '_>, at: TokenIndex) -> bool {
    (cx.said)(cx.doc.bytes(at)).is_some_and(|said| !said.says_more)
}

/// The edit that gives a declaration the words that it lacks: the words themselves where it has such, else those of another declaration,
/// whose macros a compiler for the host alone takes as well.
fn edit(
    cx: &Reader<'_, '_, '_>,
    head: &Head,
    wanted: &[&str],
    model: Option<String>,
) -> Option<Edit> {
    let own = words(cx, head);
    let lacking: Vec<&str> = wanted
        .iter()
        .copied()
        .filter(|it| !own.contains(it))
        .collect();
    if let Some(&first) = head.words.first() {
        return Some(match lacking[..] {
            ["__device__"] => Edit::insert(cx.range(first).end, " __device__"),
            _ => Edit::insert(cx.range(first).start, format!("{} ", lacking.join(" "))),
        });
    }
    let text = model?;
    Some(match head.macros[..] {
        [only] if says_spaces_alone(cx, only) => Edit::replace(cx.range(only), text),
        _ => Edit::insert(cx.range(head.start).start, text + " "),
    })
}
