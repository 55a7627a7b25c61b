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
//! Never. Declarations in other files, and those whose words stand in a macro, are not compared.
//!
//! ## Source
//! nvcc 12.4 and 13.0 (warnings 20037-D to 20040-D) and clang 19, each combination compiled with both; CUDA C++ Programming Guide, "Execution Space
//! Specifiers".

use std::collections::BTreeMap;

use crate::cpp::spaces::{Form, Head, heads};
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

fn check(cx: &mut Context<'_, '_>) {
    if cx.doc.all("__device__").next().is_none() {
        return;
    }
    let mut all = heads(cx.doc);
    all.retain(|head| is_compared(cx, head));
    let mut groups = BTreeMap::<&str, Vec<&Head>>::new();
    for head in &all {
        groups.entry(&head.key).or_default().push(head);
    }
    let mut findings: Vec<Finding> = groups
        .into_values()
        .filter(|group| group.len() > 1)
        .flat_map(|group| one_function_each(group))
        .flat_map(|same| of_one_function(cx, &same))
        .collect();
    findings.sort_by_key(|finding| finding.range.start);
    findings.into_iter().for_each(|finding| cx.report(finding));
}

/// Whether a declaration is code for both vendors, and its words are all in sight.
fn is_compared(cx: &Context<'_, '_>, head: &Head) -> bool {
    let start = cx.range(head.name).start;
    let may_name_a_space = |at: TokenIndex| {
        let word = cx.doc.bytes(at);
        cx.doc.is_ident(at)
            && (cx.project.names().is_macro(word)
                || word.len() > 1 && !word.iter().any(u8::is_ascii_lowercase) && word[0] != b'_')
            || word == b"constexpr"
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
fn of_one_function(cx: &Context<'_, '_>, same: &[&Head]) -> Vec<Finding> {
    let branches = &cx.doc.branches;
    let places: Vec<u32> = same.iter().map(|head| cx.range(head.name).start).collect();
    let is_read_together =
        |pair: &[u32]| branches.dominates(pair[0], pair[1]) || branches.dominates(pair[1], pair[0]);
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

/// The words that a declaration has, in the order in which they are written.
fn words<'a>(cx: &Context<'_, '_>, head: &Head) -> Vec<&'a str> {
    let has = |word: &&str| head.words.iter().any(|&at| cx.doc.is(at, word));
    ["__global__", "__host__", "__device__"]
        .into_iter()
        .filter(has)
        .collect()
}

/// The words that nvcc reads of all of them together; none where they cannot go together.
fn together(cx: &Context<'_, '_>, same: &[&Head]) -> Vec<&'static str> {
    let mut all: Vec<&str> = same.iter().flat_map(|head| words(cx, head)).collect();
    let is_special = same
        .iter()
        .any(|head| matches!(head.form, Form::Specialisation | Form::Instantiation));
    let is_of_host = |head: &&&Head| {
        !matches!(head.form, Form::Specialisation | Form::Instantiation) && head.words.is_empty()
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

fn finding(cx: &Context<'_, '_>, head: &Head, same: &[&Head], wanted: &[&str]) -> Finding {
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
    let lacking = |word: &&&str| !words(cx, head).contains(*word);
    let lacking: Vec<&str> = wanted.iter().filter(lacking).copied().collect();
    let edit = match head.words.first() {
        Some(&first) if lacking == ["__device__"] => {
            Edit::insert(cx.range(first).end, " __device__")
        }
        Some(&first) => Edit::insert(cx.range(first).start, format!("{} ", lacking.join(" "))),
        None => Edit::insert(cx.range(head.start).start, format!("{} ", wanted.join(" "))),
    };
    RULE.finding(cx.range(head.name), message)
        .fix(Fix::safe(vec![edit]))
}
