//! A constructor, destructor or assignment for the host alone, of a class of which code for the device makes objects.
//!
//! ## Why on AMD
//! Where nobody wrote the call nvcc looks less closely: in functions for host and device it warns ("calling a `__host__` function from a
//! `__host__ __device__` function is not allowed"), and the destructor of a variable in shared memory, or of a base with a virtual one, it does
//! not ask for. clang refuses each: "reference to `__host__` function '~Shape' in `__global__` function", "no matching constructor for
//! initialization".
//!
//! ## Example
//! ```cuda
//! struct Shape {
//!   virtual ~Shape() {}
//!   __host__ __device__ virtual float area() const { return 0; }
//! };
//! struct Circle : Shape {
//!   __host__ __device__ Circle(float r) : r(r) {}
//!   __host__ __device__ float area() const override { return 3 * r * r; }
//!   float r;
//! };
//! __global__ void k(float *p) { Circle c(2); p[0] = c.area(); }
//! ```
//! becomes
//! ```hip
//! struct Shape {
//!   __host__ __device__ virtual ~Shape() {}
//! ```
//! That is done where the function does nothing but give members values, in the words that other members of the class have.
//!
//! ## When to ignore
//! When the function of the device that makes the object is a template or inline, and no kernel gets to it.
//!
//! ## Source
//! nvcc 12.4 (warning 20014-D, error 20011 where a kernel calls) and clang 19; each form compiled with both.

use std::collections::{BTreeMap, BTreeSet};

use crate::cpp::guarding::conditions;
use crate::cpp::made_on_device::{Class, Plain, classes, made_on_device};
use crate::cpp::space_macros::{SpaceMacros, worded};
use crate::cpp::spaces::{Head, Macros, heads, is_like_macro};
use crate::rules::prelude::*;

/// Gives such members to the device as well; reports those that do more.
pub static RULE: Rule = Rule {
    code: "CASS709",
    severity: Severity::Warning,
    fix: Some(Applicability::Safe),
    priority: 50,
    facts: &[],
    checks: &[Check::Source(check)],
};

/// What code for the device does with objects of a class.
#[derive(Default)]
struct Uses {
    /// Where the first is made, in this file.
    first: Option<TokenIndex>,
    /// With how many arguments they are made.
    arguments: BTreeSet<usize>,
    is_assigned: bool,
    /// They are parts of other objects: how those make them does not show.
    is_part: bool,
}

fn check(cx: &mut Context<'_, '_>) {
    let doc = cx.doc;
    let classes = classes(doc);
    let uses = uses(cx, &classes);
    if uses.is_empty() {
        return;
    }
    let own = SpaceMacros::new(worded(doc).iter());
    let tree = cx.project.names().spaces();
    let said = |word: &[u8]| own.said(word).or_else(|| tree.said(word));
    let is_meant = |word: &[u8]| word == b"operator" || uses.contains_key(word);
    let heads = heads(doc, &said, &is_meant);
    let mut findings = Vec::new();
    for (name, uses) in &uses {
        let class = OfClass {
            name: String::from_utf8_lossy(name).into_owned(),
            bodies: &classes[name],
            heads: &heads,
            said: &said,
        };
        if uses.first.is_some() || class.is_for_device(cx) {
            findings.extend(class.findings(cx, uses));
        }
    }
    findings.sort_by_key(|finding: &Finding| finding.range.start);
    findings.into_iter().for_each(|finding| cx.report(finding));
}

/// The classes of a file of which code for the device makes objects, in this file or another, with the classes that those are made of.
fn uses<'d>(
    cx: &Context<'d, '_>,
    classes: &BTreeMap<&'d [u8], Vec<Class<'d>>>,
) -> BTreeMap<&'d [u8], Uses> {
    let doc = cx.doc;
    let mut found = BTreeMap::<&[u8], Uses>::new();
    for made in made_on_device(doc, &|word| classes.contains_key(word)) {
        // A branch by the side that compiles may be the host's.
        let conditions = conditions(doc, doc.tokens[made.at].start);
        let may_be_hosts =
            |it: &String| it == "#" || it.contains("__CUDA_ARCH__") || it.contains("__HIP_DEVICE");
        if !is_read(cx, made.at) || conditions.iter().any(may_be_hosts) {
            continue;
        }
        let uses = found.entry(doc.bytes(made.at)).or_default();
        uses.first.get_or_insert(made.at);
        uses.arguments.extend(made.arguments);
        uses.is_assigned |= made.is_assigned;
    }
    for name in classes.keys() {
        if cx.project.names().made_on_device.contains(*name) {
            found.entry(name).or_default();
        }
    }
    let mut open: Vec<(&[u8], Option<TokenIndex>)> = found
        .iter()
        .map(|(name, uses)| (*name, uses.first))
        .collect();
    while let Some((name, first)) = open.pop() {
        let bodies = classes.get(name).into_iter().flatten();
        for part in bodies.flat_map(|class| &class.parts) {
            let is_new = !found.contains_key(part) && classes.contains_key(part);
            if is_new || found.contains_key(part) {
                let uses = found.entry(part).or_default();
                uses.is_part = true;
                uses.first = uses.first.or(first);
            }
            if is_new {
                open.push((part, first));
            }
        }
    }
    found
}

fn is_read(cx: &Context<'_, '_>, at: TokenIndex) -> bool {
    let start = cx.doc.tokens[at].start;
    cx.doc.vendor_at(start) == Vendor::Any && !cx.is_inactive(start) && !cx.is_not_meant(start)
}

/// A class, and the declarations of the file.
struct OfClass<'a, 'd> {
    name: String,
    bodies: &'a [Class<'d>],
    heads: &'a [Head],
    said: Macros<'a>,
}

impl OfClass<'_, '_> {
    /// Its own functions of one name and number of parameters.
    fn called(&self, key: &str) -> Vec<&Head> {
        let all = self.heads.iter().filter(|it| it.is_member);
        all.filter(|it| it.key == key).collect()
    }

    /// Its functions.
    fn members(&self) -> impl Iterator<Item = &Head> {
        let start = format!("{}::", self.name);
        let all = self.heads.iter().filter(|it| it.is_member);
        all.filter(move |it| it.key.starts_with(&start))
    }

    /// Whether a function of it says that it is for the device.
    fn is_for_device(&self, cx: &Context<'_, '_>) -> bool {
        self.members()
            .any(|it| it.says(cx.doc, self.said, "__device__"))
    }

    fn findings(&self, cx: &Context<'_, '_>, uses: &Uses) -> Vec<Finding> {
        let name = &self.name;
        let mut found = self.of(cx, uses, &format!("{name}::~{name} 0"), false);
        let mut counts = uses.arguments.clone();
        if uses.is_part {
            counts.insert(0);
        }
        for count in counts {
            let is_unsure = count == 0 && !uses.arguments.contains(&0);
            found.extend(self.of(cx, uses, &format!("{name}::{name} {count}"), is_unsure));
        }
        if uses.is_assigned {
            found.extend(self.of(cx, uses, &format!("{name}::operator= 1"), true));
        }
        found
    }

    /// What is said of the functions of one name and number of parameters; nothing of what does more, where it may not be called.
    fn of(&self, cx: &Context<'_, '_>, uses: &Uses, key: &str, is_unsure: bool) -> Vec<Finding> {
        let heads = self.called(key);
        let is_of_device = |it: &&Head| it.says(cx.doc, self.said, "__device__");
        let is_hidden = |it: &&Head| !is_read(cx, it.name) || may_say_more(cx, it, self.said);
        if heads.is_empty() || heads.iter().any(|it| is_of_device(it) || is_hidden(it)) {
            return Vec::new();
        }
        let plain = Plain {
            doc: cx.doc,
            bodies: self.bodies.iter().map(|it| it.body).collect(),
        };
        let bodies = heads.iter().filter(|it| it.has_body);
        let is_plain = bodies.clone().count() > 0 && bodies.clone().all(|it| plain.is(it));
        // Of a class that another file names it is not sure which one that is.
        if !is_plain && (is_unsure || uses.first.is_none()) {
            return Vec::new();
        }
        let finding = |head: &&Head| self.finding(cx, uses, head, is_plain);
        heads.iter().map(finding).collect()
    }

    fn finding(&self, cx: &Context<'_, '_>, uses: &Uses, head: &Head, is_plain: bool) -> Finding {
        let doc = cx.doc;
        let tilde = if doc.is_before(head.name, "~") {
            "~"
        } else {
            ""
        };
        let called = match doc.is(head.name, "operator") {
            true => "operator=".to_owned(),
            false => format!("{tilde}{}", self.name),
        };
        let place = match uses.first {
            Some(at) => format!("in line {}", doc.source.line_col(doc.tokens[at].start).line),
            None => "in another file".to_owned(),
        };
        let message =
            format!("`{called}` is for the host alone, and code for the device {place} needs it");
        let finding = RULE.finding(cx.range(head.name), message);
        if !is_plain {
            return finding.help(
                "write `__host__ __device__` in front of it, and let it call only what is for the device as well",
            );
        }
        let words = match head.words.is_empty() && head.macros.is_empty() {
            true => self.words(cx),
            false => "__device__".to_owned(),
        };
        let start = doc.tokens[head.start].start;
        let edit = Edit::insert(start, format!("{words} "));
        finding.severity(Severity::Info).fix(Fix::safe(vec![edit]))
    }

    /// The words by which other functions of the class are for both sides: the project's macro, where they have one.
    fn words(&self, cx: &Context<'_, '_>) -> String {
        let both = |it: &&Head| {
            let says = |space: &str| it.says(cx.doc, self.said, space);
            it.words.is_empty() && it.macros.len() == 1 && says("__device__") && says("__host__")
        };
        let found = self.members().find(both);
        found.map_or_else(
            || "__host__ __device__".to_owned(),
            |it| cx.text(it.macros[0]).into_owned(),
        )
    }
}

/// Whether a declaration is `constexpr`, which clang takes for both sides, or has a macro in front that may name one.
fn may_say_more(cx: &Context<'_, '_>, head: &Head, said: Macros<'_>) -> bool {
    (head.start..head.name).any(|at| {
        let word = cx.doc.bytes(at);
        let is_macro = cx.project.names().is_macro(word) || is_like_macro(word);
        let is_own = word == cx.doc.bytes(head.name) || word == b"operator";
        cx.doc.is_ident(at) && said(word).is_none() && is_macro && !is_own
    })
}
