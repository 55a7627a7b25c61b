//! The `#if` groups of a file, and the branches that conditions about CUDA keep from AMD.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::cpp::conditions::cuda_macros::Family;
use crate::cpp::conditions::expression::{Atom, Expr, World};
use crate::cpp::definitions::redefines;
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

/// The branches that conditions about CUDA keep from AMD in host code and in device code, as they were meant: what they define is not there.
pub(crate) fn not_meant(doc: &Document<'_>, table: &ApiTable) -> RangeSet {
    let groups = groups(doc);
    let about_cuda = |group: &&Group| group.family().is_some() && !group.knows_hip();
    let branches = groups
        .iter()
        .filter(about_cuda)
        .flat_map(|group| group.not_meant(doc, table));
    let emulated = groups.iter().flat_map(|group| {
        let branches = group.branches.iter();
        branches
            .filter(|branch| is_for_emulation(doc, branch))
            .map(|branch| branch.body)
    });
    branches.chain(emulated).collect()
}

/// The branches that conditions about `__CUDA_ARCH__` keep from AMD in all passes, both as the text stands and as it was meant: nobody has
/// to port what they hold.
pub(crate) fn never_reached(doc: &Document<'_>) -> Vec<TextRange> {
    let groups = groups(doc);
    let about_chips = |group: &&Group| group.family() == Some(Family::Arch) && !group.knows_hip();
    let groups = groups.iter().filter(about_chips);
    groups.flat_map(|group| group.never_reached(doc)).collect()
}

/// Whether a branch is for CUDA's emulation of a device on the host, which went with CUDA 3.1: nothing defines its macro.
fn is_for_emulation(doc: &Document<'_>, branch: &Branch) -> bool {
    let directive = &branch.directive;
    let is_mark = |&at: &TokenIndex| !matches!(doc.bytes(at), b"(" | b")" | b"defined");
    let mut words = directive.operands().filter(is_mark);
    let asks = words
        .next()
        .is_some_and(|at| doc.is(at, "__DEVICE_EMULATION__"));
    asks && words.next().is_none() && !doc.is(directive.tokens.start + 1, "ifndef")
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

    /// The group that a branch is the first of.
    pub(crate) fn that_begins<'g>(
        &'g self,
        doc: &'g Document<'_>,
        branch: &Branch,
    ) -> Option<&'g Group> {
        let mut around = self.around(doc, branch.body.start);
        let begins = |group: &Group| group.branches[0].directive.range == branch.directive.range;
        around.find_map(|(group, _)| begins(group).then_some(group))
    }

    /// The branches whose conditions these tokens are in, each once, those of inner groups first.
    pub(crate) fn opened_by(
        &self,
        doc: &Document<'_>,
        tokens: impl Iterator<Item = TokenIndex>,
    ) -> Vec<&Branch> {
        let mut places: Vec<(usize, usize)> = tokens
            .filter_map(|at| {
                let directive = doc.directive_of(at)?;
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

    fn never_reached(&self, doc: &Document<'_>) -> Vec<TextRange> {
        let (mut found, mut is_taken) = (Vec::new(), false);
        for branch in &self.branches {
            let holds = |world| match &branch.condition {
                Some(condition) => meant(doc, condition, world),
                None => Some(branch.directive.kind == DirectiveKind::Else),
            };
            let always = |value| {
                let worlds = [World::AsWritten, World::Host, World::Device];
                worlds.into_iter().all(|world| holds(world) == Some(value))
            };
            if is_taken || always(false) {
                found.push(branch.body);
            }
            is_taken |= always(true);
        }
        found
    }
}

/// The same from the macros of CUDA alone.
pub(crate) fn meant(doc: &Document<'_>, condition: &Expr, world: World) -> Option<bool> {
    let truth = |atom: &Atom| atom.truth_with(doc, &|_| None, world);
    let truths: Vec<Option<bool>> = condition.atoms().into_iter().map(truth).collect();
    constant_of(&outcomes(condition, &truths))
}

/// Atoms of a condition of which all combinations are tried: 1,024 of ten.
pub(crate) const MOST_ATOMS: usize = 10;

/// The values of a condition over all combinations of its open atoms, in a fixed order. Of too many atoms both values are possible, as far
/// as anybody knows, or the one that does not depend on them.
pub(crate) fn outcomes(condition: &Expr, truths: &[Option<bool>]) -> Vec<bool> {
    let with = |bits: u32| {
        let value =
            |(at, truth): (usize, &Option<bool>)| truth.unwrap_or_else(|| bits >> at & 1 == 1);
        condition.value(&mut truths.iter().enumerate().map(value))
    };
    match truths.len() {
        ..=MOST_ATOMS => (0..1 << truths.len()).map(with).collect(),
        _ if truths.contains(&None) => vec![false, true],
        _ => vec![with(0)],
    }
}

pub(crate) fn constant_of(values: &[bool]) -> Option<bool> {
    values
        .iter()
        .all(|&value| value == values[0])
        .then(|| values[0])
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
    fn what_no_pass_for_amd_reads_is_never_reached() {
        for (text, expected) in [
            (
                "#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800\na\n#else\nb\n#endif\n",
                &["a"][..],
            ),
            (
                "#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700\na\n#else\nb\n#endif\n",
                &["b"],
            ),
            ("#if __CUDA_ARCH__ < 800\na\n#else\nb\n#endif\n", &[]),
            ("#if __CUDA_ARCH__ >= 800\na\n#else\nb\n#endif\n", &[]),
            ("#ifdef __CUDA_ARCH__\na\n#else\nb\n#endif\n", &[]),
            (
                "#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800 && !defined(__HIP__)\na\n#endif\n",
                &[],
            ),
            (
                "#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800 && X\na\n#endif\n",
                &["a"],
            ),
        ] {
            let source = SourceFile::new("a.cu", text.as_bytes().to_vec());
            let found = never_reached(&Document::new(&source)).into_iter();
            let found: Vec<String> = found.map(|it| source.text(it).trim().to_owned()).collect();
            assert_eq!(found, expected, "{text}");
        }
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
    #[test]
    fn a_condition_depends_on_its_last_atom_however_many_there_are() {
        for open in [1, 6, 7, 11, 40] {
            let names: Vec<String> = (0..open).map(|at| format!("defined(A{at})")).collect();
            let text = format!("#if {} || __CUDACC__\n#endif\n", names.join(" && "));
            let source = SourceFile::new("a.cu", text.into_bytes());
            let doc = Document::new(&source);
            let found = groups(&doc);
            let group = found.iter().next().expect("there is one");
            let condition = group.branches[0].condition.as_ref();
            let condition = condition.expect("it has one");
            let mut truths = vec![None; condition.atoms().len()];
            *truths.last_mut().expect("CUDA's") = Some(false);
            assert_eq!(constant_of(&outcomes(condition, &truths)), None, "{open}");
        }
    }
}
