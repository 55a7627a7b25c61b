//! Conditional groups that ask for macros of CUDA: which branch AMD takes, which one the author meant, and the edit between them.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::analysis::conditions::fix::{edits, redefines};
use crate::analysis::conditions::obstacle::{holds_code, obstacle, value_of_macro};
use crate::cpp::conditions::expression::{
    Atom, AtomKind, CudaMacro, Expr, Family, World, cuda_macro,
};
use crate::diagnostic::{Finding, Severity};
use crate::edit::Fix;
use crate::rules::Context;
use crate::rules::Rule;

use crate::mapping::ApiTable;
use crate::syntax::{Directive, DirectiveKind, Document, TokenIndex};
use crate::text::{RangeSet, TextRange};

/// The groups of a file. One whose `#endif` is missing is not looked at: nobody knows where its branches end.
pub(crate) struct Groups {
    /// By their `#endif`: inner ones first.
    groups: Vec<Group>,
    /// By branch of the file: the group, and the place of the branch in it.
    places: FxHashMap<usize, (usize, usize)>,
}

/// One `#if` … `#endif` with its branches.
pub(crate) struct Group {
    pub(crate) branches: Vec<Branch>,
    family: Option<Family>,
    knows_hip: bool,
}

pub(crate) struct Branch {
    pub(crate) directive: Directive,
    /// Bytes between its directive and the next one of the group.
    pub(crate) body: TextRange,
    /// `None` for `#else`.
    pub(crate) condition: Option<Expr>,
}

/// What a condition is on AMD and what it was meant to be.
enum Verdict {
    /// The same.
    Same,
    /// AMD skips a branch that it was meant to take (`true`), or takes one that it was meant to skip, by the family of this macro.
    Turns(bool, &'static CudaMacro, Extension),
    /// It asks for one exact chip or version.
    Unclear(&'static CudaMacro),
}

/// How a condition is extended.
pub(crate) enum Extension {
    /// One term at its end.
    Whole,
    /// A term beside each atom.
    Atoms,
}

/// Reports the groups of a file whose leading condition is about a family of macros.
pub fn report(cx: &mut Context<'_, '_>, rule: &'static Rule, family: Family) {
    let doc = cx.doc;
    let asks = |directive: &Directive| {
        directive
            .operands()
            .any(|at| cuda_macro(doc.bytes(at)).is_some())
    };
    if !doc.directives.iter().any(asks) {
        return;
    }
    for group in groups(cx.doc).iter() {
        if group.family() == Some(family) && !group.knows_hip() {
            let findings = group.findings(cx, rule);
            findings.into_iter().for_each(|finding| cx.report(finding));
        }
    }
}

/// Whether the identifier stands in a branch of a condition about its own family: the finding about the branch speaks of it.
pub fn is_in_branch_about(cx: &Context<'_, '_>, index: TokenIndex, family: Family) -> bool {
    let at = cx.doc.tokens[index].start;
    let groups = groups(cx.doc);
    groups
        .around(cx.doc, at)
        .any(|(group, _)| group.family() == Some(family))
}

/// Whether a byte lies in a branch of a condition about CUDA that AMD does not take and that is left so: it was never meant, or could
/// not be compiled, and then the finding about the branch speaks of it.
pub fn is_left_out(cx: &Context<'_, '_>, at: u32) -> bool {
    let groups = groups(cx.doc);
    let mut around = groups.around(cx.doc, at);
    around.any(|(group, position)| {
        let start = group.branches[position].body.start;
        !group.knows_hip() && {
            let known = cx.left_out.borrow().get(&start).copied();
            known.unwrap_or_else(|| {
                let is_left_out = group.leaves_out(cx, position);
                cx.left_out.borrow_mut().insert(start, is_left_out);
                is_left_out
            })
        }
    })
}

/// The branches that conditions about CUDA keep from AMD in host code and in device code, as they were meant: what they define is not there.
pub fn not_meant(doc: &Document<'_>, table: &ApiTable) -> RangeSet {
    let groups = groups(doc);
    let about_cuda = |group: &&Group| group.family().is_some() && !group.knows_hip();
    let branches = groups
        .iter()
        .filter(about_cuda)
        .flat_map(|group| group.not_meant(doc, table));
    branches.collect()
}

/// The groups of a file, read once.
pub(crate) fn groups(doc: &Document<'_>) -> Rc<Groups> {
    doc.fact(Groups::new)
}

impl Groups {
    fn new(doc: &Document<'_>) -> Self {
        let (mut groups, mut places) = (Vec::new(), FxHashMap::default());
        for &whole in doc.branches.whole_groups() {
            let branches = &doc.branches.group(whole).branches;
            let at = groups.len();
            places.extend(
                branches
                    .iter()
                    .zip(0..)
                    .map(|(&branch, position)| (branch, (at, position))),
            );
            groups.push(Group::new(doc, branches));
        }
        Self { groups, places }
    }

    /// The groups, inner ones first.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Group> {
        self.groups.iter()
    }

    /// The branches whose conditions these tokens are in, each once, those of inner groups first.
    pub(crate) fn opened_by(
        &self,
        doc: &Document<'_>,
        tokens: impl Iterator<Item = TokenIndex>,
    ) -> Vec<&Branch> {
        let mut places: Vec<(usize, usize)> = tokens
            .filter_map(|at| {
                let before = doc.directives.partition_point(|it| it.tokens.start <= at);
                let directive = before.checked_sub(1)?;
                let end = doc.directives[directive].range.end;
                let branch = doc.branches.outwards(end).next()?;
                let opens = doc.branches.branch(branch).directive == directive;
                self.places.get(&branch).copied().filter(|_| opens)
            })
            .collect();
        places.sort_unstable();
        places.dedup();
        places
            .into_iter()
            .map(|(group, position)| &self.groups[group].branches[position])
            .collect()
    }

    /// The groups with a branch around a byte, innermost first, and which branch that is.
    pub(crate) fn around<'g>(
        &'g self,
        doc: &'g Document<'_>,
        at: u32,
    ) -> impl Iterator<Item = (&'g Group, usize)> {
        let places = doc
            .branches
            .outwards(at)
            .filter_map(|branch| self.places.get(&branch));
        places.map(|&(group, position)| (&self.groups[group], position))
    }
}

fn branch(doc: &Document<'_>, branch: usize) -> Branch {
    let branch = doc.branches.branch(branch);
    let directive = doc.directives[branch.directive].clone();
    let keyword = directive.tokens.start + 1;
    let condition = (directive.kind != DirectiveKind::Else && !directive.operands().is_empty())
        .then(|| Expr::parse(doc, doc.bytes(keyword), directive.operands()));
    Branch {
        directive,
        body: branch.body,
        condition,
    }
}

impl Group {
    fn new(doc: &Document<'_>, branches: &[usize]) -> Self {
        let branches: Vec<Branch> = branches.iter().map(|&at| branch(doc, at)).collect();
        let family = |branch: &Branch| {
            let atoms = branch.condition.as_ref()?.atoms();
            let families = atoms.iter().filter_map(|atom| Some(atom.about?.family));
            families.max()
        };
        let mut asked = branches
            .iter()
            .flat_map(|branch| branch.directive.operands());
        Self {
            family: branches.iter().find_map(family),
            knows_hip: asked.any(|at| crate::syntax::is_hip_macro(doc.bytes(at))),
            branches,
        }
    }

    /// The family of the first condition that asks for a macro of CUDA; of several, the one that changes most.
    pub(crate) fn family(&self) -> Option<Family> {
        self.family
    }

    /// Whether a condition names HIP or AMD already: then its author chose.
    pub(crate) fn knows_hip(&self) -> bool {
        self.knows_hip
    }

    fn not_meant(&self, doc: &Document<'_>, table: &ApiTable) -> Vec<TextRange> {
        let (mut found, mut is_taken) = (Vec::new(), false);
        for branch in &self.branches {
            let holds = |world| {
                let condition = branch.condition.as_ref();
                condition.map_or(Some(true), |condition| meant(doc, condition, world))
            };
            let (host, device) = (holds(World::Host), holds(World::Device));
            let is_out = device == Some(false)
                && (host == Some(false) || redefines(doc, table, branch.body));
            if is_taken || is_out {
                found.push(branch.body);
            }
            is_taken |= host == Some(true) && device == Some(true);
        }
        found
    }

    fn findings(&self, cx: &Context<'_, '_>, rule: &'static Rule) -> Vec<Finding> {
        let mut findings = Vec::new();
        for (position, branch) in self.branches.iter().enumerate() {
            let Some(condition) = &branch.condition else {
                break;
            };
            match verdict(cx, condition) {
                Verdict::Same => findings.extend(self.vanishes(cx, rule, position)),
                Verdict::Unclear(known) => findings.push(self.unclear(cx, rule, branch, known)),
                Verdict::Turns(on, known, extension) => {
                    let wanted = if on {
                        Some(position)
                    } else {
                        self.next_meant(cx, position)
                    };
                    let split = known.family == Family::Compiler || is_split(condition);
                    let obstacle = wanted.and_then(|at| match split {
                        true => value_of_macro(cx, self.branches[at].body),
                        false => obstacle(cx, self.branches[at].body),
                    });
                    if let Some(obstacle) = obstacle {
                        findings.push(self.left(cx, rule, position, known, &obstacle));
                        continue;
                    }
                    findings.push(self.extended(cx, rule, position, on, known, &extension, split));
                    if on && matches!(extension, Extension::Whole) {
                        break;
                    }
                }
            }
        }
        findings
    }

    /// Whether AMD skips a branch, and still does when the findings about the group have been dealt with.
    fn leaves_out(&self, cx: &Context<'_, '_>, position: usize) -> bool {
        let branch = &self.branches[position];
        let Some(condition) = &branch.condition else {
            return false;
        };
        let asks_for_cuda = condition.atoms().iter().any(|atom| atom.about.is_some());
        if !asks_for_cuda || constant(cx, condition, World::Today) != Some(false) {
            return false;
        }
        match verdict(cx, condition) {
            Verdict::Same | Verdict::Unclear(_) => true,
            Verdict::Turns(_, known, _) => {
                let split = known.family == Family::Compiler || is_split(condition);
                !split && obstacle(cx, branch.body).is_some()
            }
        }
    }

    /// The branch that is meant when the one at `position` is not: the next whose condition may hold.
    fn next_meant(&self, cx: &Context<'_, '_>, position: usize) -> Option<usize> {
        (position + 1..self.branches.len()).find(|&at| {
            self.branches[at]
                .condition
                .as_ref()
                .is_none_or(|condition| constant(cx, condition, World::Device) != Some(false))
        })
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one verdict")]
    fn extended(
        &self,
        cx: &Context<'_, '_>,
        rule: &'static Rule,
        position: usize,
        on: bool,
        known: &CudaMacro,
        extension: &Extension,
        split: bool,
    ) -> Finding {
        let branch = &self.branches[position];
        let edits = edits(cx, branch, on, known, extension);
        let effect = if on { "skips" } else { "takes" };
        let pass = if known.family == Family::Arch {
            "in device code "
        } else {
            ""
        };
        let message = format!(
            "`{}` is undefined on AMD, so that {pass}AMD {effect} this branch",
            known.name
        );
        let finding = rule.finding(branch.directive.range, message);
        if split {
            return finding
                .severity(Severity::Info)
                .help("the condition now counts AMD in")
                .fix(Fix::safe(edits));
        }
        let help = format!(
            "AMD now {} this branch; check that the code compiled there suits your GPUs",
            if on { "takes" } else { "skips" }
        );
        finding.help(help).fix(Fix::review(edits))
    }

    /// A condition that is not extended because AMD cannot compile what the meant branch holds.
    fn left(
        &self,
        cx: &Context<'_, '_>,
        rule: &'static Rule,
        position: usize,
        known: &CudaMacro,
        obstacle: &str,
    ) -> Finding {
        let taken = self.taken_today(cx);
        let what = taken.map_or_else(
            || "nothing in its place".to_owned(),
            |at| format!("the branch of line {}", self.line(cx, at)),
        );
        let message = format!(
            "`{}` is undefined on AMD, which compiles {what}; the branch that was meant holds `{obstacle}`",
            known.name
        );
        let empty = taken.is_none() && self.is_in_function(cx, position);
        rule.finding(self.branches[position].directive.range, message)
            .severity(if empty {
                Severity::Error
            } else {
                Severity::Warning
            })
            .help(format!(
                "check that AMD may do without that branch, or write one for `defined({})`",
                known.hip
            ))
    }

    fn unclear(
        &self,
        cx: &Context<'_, '_>,
        rule: &'static Rule,
        branch: &Branch,
        known: &CudaMacro,
    ) -> Finding {
        let what = self.taken_today(cx).map_or_else(
            || "none of the branches".to_owned(),
            |at| format!("the branch of line {}", self.line(cx, at)),
        );
        let message = format!(
            "this asks for one exact `{}`, which is undefined on AMD: AMD takes {what}",
            known.name
        );
        rule.finding(branch.directive.range, message).help(format!(
            "choose the branch for AMD with `defined({})`",
            known.hip
        ))
    }

    /// A condition about a newer chip than AMD's GPUs resemble, without an alternative: the code is gone in silence.
    fn vanishes(
        &self,
        cx: &Context<'_, '_>,
        rule: &'static Rule,
        position: usize,
    ) -> Option<Finding> {
        let branch = &self.branches[position];
        let condition = branch.condition.as_ref()?;
        let newer = condition.atoms().iter().any(|atom| {
            atom.about.is_some_and(|known| known.family == Family::Arch)
                && matches!(atom.kind, AtomKind::Compare(_))
                && atom.truth(cx, World::Device) == Some(false)
        });
        let gone = newer
            && self.branches.len() == 1
            && constant(cx, condition, World::Device) == Some(false)
            && constant(cx, condition, World::Host) == Some(false)
            && self.is_in_function(cx, position)
            && holds_code(cx, branch.body);
        gone.then(|| {
            rule.finding(
                branch.directive.range,
                "this code is for newer NVIDIA GPUs only: on AMD nothing is compiled in its place",
            )
            .help(
                "write the same work for AMD in an `#else`, or make sure that AMD never comes here",
            )
        })
    }

    /// The branch that AMD compiles in device code as the text stands, if that is certain.
    fn taken_today(&self, cx: &Context<'_, '_>) -> Option<usize> {
        let holds = |branch: &Branch| {
            branch
                .condition
                .as_ref()
                .is_none_or(|condition| constant(cx, condition, World::Today) != Some(false))
        };
        self.branches
            .iter()
            .position(holds)
            .filter(|&at| holds_code(cx, self.branches[at].body))
    }

    fn line(&self, cx: &Context<'_, '_>, position: usize) -> u32 {
        let start = self.branches[position].directive.range.start;
        cx.doc.source.line_col(start).line
    }

    fn is_in_function(&self, cx: &Context<'_, '_>, position: usize) -> bool {
        let next = cx.doc.token_at(self.branches[position].body.start);
        cx.doc.scopes().enclosing(next).is_some_and(|function| {
            cx.doc.tokens[function.body.start].start < self.branches[position].directive.range.start
        })
    }
}

/// The constant value of a condition in a world, whatever else it depends on.
pub(crate) fn constant(cx: &Context<'_, '_>, condition: &Expr, world: World) -> Option<bool> {
    constant_of(&outcomes(condition, &truths(cx, condition, world)))
}

/// The same from the macros of CUDA alone.
fn meant(doc: &Document<'_>, condition: &Expr, world: World) -> Option<bool> {
    let truth = |atom: &Atom| atom.truth_with(doc, &|_| None, world);
    let truths: Vec<Option<bool>> = condition.atoms().into_iter().map(truth).collect();
    constant_of(&outcomes(condition, &truths))
}

fn truths(cx: &Context<'_, '_>, condition: &Expr, world: World) -> Vec<Option<bool>> {
    let atoms = condition.atoms();
    atoms.iter().map(|atom| atom.truth(cx, world)).collect()
}

/// The values of a condition over all combinations of its open atoms, in a fixed order. Six open atoms give 64 combinations.
fn outcomes(condition: &Expr, truths: &[Option<bool>]) -> Vec<bool> {
    let combinations = 1u32 << truths.len().min(6);
    (0..combinations)
        .map(|bits| {
            let value = |(at, truth): (usize, &Option<bool>)| truth.unwrap_or(bits >> at & 1 == 1);
            condition.value(&mut truths.iter().enumerate().map(value))
        })
        .collect()
}

fn verdict(cx: &Context<'_, '_>, condition: &Expr) -> Verdict {
    let atoms = condition.atoms();
    let families = |family: Family| {
        atoms
            .iter()
            .filter_map(|atom| atom.about)
            .find(|known| known.family == family)
    };
    let Some(known) = families(Family::Arch)
        .or_else(|| families(Family::Version))
        .or_else(|| families(Family::Compiler))
    else {
        return Verdict::Same;
    };
    let of = |world| outcomes(condition, &truths(cx, condition, world));
    let (today, host, device) = (of(World::Today), of(World::Host), of(World::Device));
    if atoms.len() > 6 || (today == host && today == device) {
        return Verdict::Same;
    }
    let is_exact = |atom: &&Atom| {
        atom.about.is_some()
            && atom.truth(cx, World::Device).is_none()
            && atom.truth(cx, World::Today).is_some()
    };
    let (fixed_host, fixed_device) = (constant_of(&host), constant_of(&device));
    if fixed_device.is_none() && atoms.iter().any(is_exact) {
        return Verdict::Unclear(known);
    }
    let on = device.iter().zip(&today).any(|(&meant, &is)| meant && !is);
    let only_device = known.family == Family::Arch && today == host;
    let whole = fixed_device == Some(on)
        && (only_device || (fixed_host == Some(on) && known.family != Family::Arch));
    let extension = if whole {
        Extension::Whole
    } else {
        Extension::Atoms
    };
    Verdict::Turns(on, known, extension)
}

fn constant_of(values: &[bool]) -> Option<bool> {
    values
        .iter()
        .all(|&value| value == values[0])
        .then(|| values[0])
}

/// Whether a condition only asks whether this is device code, whatever the chip.
fn is_split(condition: &Expr) -> bool {
    condition
        .atoms()
        .iter()
        .filter(|atom| atom.about.is_some())
        .all(|atom| !matches!(atom.kind, AtomKind::Compare(_)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::SourceFile;

    const TEXT: &str =
        "#if A\n#ifdef __CUDA_ARCH__\nint a;\n#else\nint b;\n#endif\n#endif\n#if X\n#define A\n";

    fn with<T>(look: impl FnOnce(&Document<'_>) -> T) -> T {
        let source = SourceFile::new("a.cu", TEXT.as_bytes().to_vec());
        look(&Document::new(&source))
    }

    #[test]
    fn groups_are_read_once() {
        with(|doc| assert!(Rc::ptr_eq(&groups(doc), &groups(doc))));
    }

    #[test]
    fn a_byte_lies_in_the_groups_around_it() {
        with(|doc| {
            let groups = groups(doc);
            assert_eq!(groups.iter().count(), 2, "the last one lacks its end");
            let at = TEXT.find("int b").expect("it is there") as u32;
            let around = groups
                .around(doc, at)
                .map(|(group, position)| (group.family(), position));
            assert_eq!(
                around.collect::<Vec<_>>(),
                [(Some(Family::Arch), 1), (None, 0)]
            );
        });
    }

    #[test]
    fn branches_are_found_by_what_their_conditions_name() {
        with(|doc| {
            let groups = groups(doc);
            let branches = groups.opened_by(doc, doc.all("A"));
            let starts: Vec<u32> = branches
                .iter()
                .map(|branch| branch.directive.range.start)
                .collect();
            assert_eq!(starts, [0], "the definition of A is no condition");
        });
    }
}
