//! Which parts of a file are compiled only for HIP, or never for HIP: code that already knows both vendors.

use super::condition::{Assumption, Truth, defined, evaluate};
use super::{Directive, DirectiveKind, Token};
use crate::text::TextRange;

/// For whom a part of a file is compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vendor {
    /// Everyone, as far as the conditions tell.
    Any,
    /// Only HIP: `#ifdef USE_ROCM`.
    Hip,
    /// Never HIP: the `#else` of such a condition.
    NotHip,
}

/// The guarded ranges of a file, in order of their start; nested ranges follow their parent.
#[derive(Debug, Default)]
pub struct Guards {
    ranges: Vec<(TextRange, Vendor)>,
}

impl Guards {
    /// Finds the guarded ranges. `#if` groups whose `#endif` is missing run to the end of the file.
    pub(crate) fn new(source: &[u8], tokens: &[Token], directives: &[Directive]) -> Self {
        let mut open: Vec<Group> = Vec::new();
        let mut ranges = Vec::new();
        for (index, directive) in directives.iter().enumerate() {
            match directive.kind {
                DirectiveKind::If | DirectiveKind::Ifdef | DirectiveKind::Ifndef => {
                    open.push(Group {
                        branches: vec![branch(source, tokens, directives, index)],
                    });
                }
                DirectiveKind::Elif | DirectiveKind::Else => {
                    if let Some(group) = open.last_mut() {
                        group.close(directive.range.start);
                        group
                            .branches
                            .push(branch(source, tokens, directives, index));
                    }
                }
                DirectiveKind::Endif => {
                    if let Some(mut group) = open.pop() {
                        group.close(directive.range.start);
                        group.finish(&mut ranges);
                    }
                }
                _ => {}
            }
        }
        for mut group in open {
            group.close(source.len() as u32);
            group.finish(&mut ranges);
        }
        ranges.sort_by_key(|(range, _)| (range.start, std::cmp::Reverse(range.end)));
        Self { ranges }
    }

    /// For whom the byte at `offset` is compiled; the innermost guard that says something decides.
    pub fn vendor_at(&self, offset: u32) -> Vendor {
        let end = self
            .ranges
            .partition_point(|(range, _)| range.start <= offset);
        let holds = |entry: &&(TextRange, Vendor)| entry.0.contains_offset(offset);
        self.ranges[..end]
            .iter()
            .find(holds)
            .map_or(Vendor::Any, |(_, vendor)| *vendor)
    }

    /// The guarded ranges, outermost first.
    pub fn iter(&self) -> impl Iterator<Item = &(TextRange, Vendor)> {
        self.ranges.iter()
    }

    /// Whether the file has guarded code.
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }
}

/// Condition of a branch: its truth for HIP and for others, when CUDA macros are unknown and when they are the opposite of HIP.
struct Branch {
    range: TextRange,
    /// Indexed by `cuda_is_known`: (on HIP, elsewhere).
    truths: [(Truth, Truth); 2],
}

struct Group {
    branches: Vec<Branch>,
}

impl Group {
    fn close(&mut self, offset: u32) {
        if let Some(last) = self.branches.last_mut() {
            last.range.end = offset.max(last.range.start);
        }
    }

    /// Works out the vendor of each branch. CUDA macros count only beside a branch that names HIP: alone they mean "device code".
    fn finish(self, ranges: &mut Vec<(TextRange, Vendor)>) {
        let names_hip = self.vendors(0).contains(&Vendor::Hip);
        let vendors = self.vendors(usize::from(names_hip));
        let guarded = self
            .branches
            .iter()
            .zip(vendors)
            .filter(|(_, vendor)| *vendor != Vendor::Any);
        ranges.extend(guarded.map(|(branch, vendor)| (branch.range, vendor)));
    }

    fn vendors(&self, known: usize) -> Vec<Vendor> {
        let mut earlier = (Truth::No, Truth::No);
        let vendor_of = |branch: &Branch| {
            let truth = branch.truths[known];
            let active = (truth.0.and(earlier.0.not()), truth.1.and(earlier.1.not()));
            earlier = (earlier.0.or(truth.0), earlier.1.or(truth.1));
            match active {
                (Truth::No, Truth::No) => Vendor::Any,
                (Truth::No, _) => Vendor::NotHip,
                (_, Truth::No) => Vendor::Hip,
                _ => Vendor::Any,
            }
        };
        self.branches.iter().map(vendor_of).collect()
    }
}

fn branch(source: &[u8], tokens: &[Token], directives: &[Directive], index: usize) -> Branch {
    let directive = &directives[index];
    let texts: Vec<&[u8]> = directive
        .operands()
        .map(|at| &source[tokens[at].range().as_usize()])
        .collect();
    let truth = |hip, cuda_is_known| {
        let assume = Assumption { hip, cuda_is_known };
        match directive.kind {
            DirectiveKind::Else => Truth::Yes,
            DirectiveKind::Ifdef => texts
                .first()
                .map_or(Truth::Unknown, |name| defined(name, assume)),
            DirectiveKind::Ifndef
                if is_include_guard(source, tokens, directives, index, &texts) =>
            {
                Truth::Unknown
            }
            DirectiveKind::Ifndef => texts
                .first()
                .map_or(Truth::Unknown, |name| defined(name, assume).not()),
            _ => evaluate(&texts, assume),
        }
    };
    let range = TextRange::new(directive.range.end, directive.range.end);
    Branch {
        range,
        truths: [
            (truth(true, false), truth(false, false)),
            (truth(true, true), truth(false, true)),
        ],
    }
}

/// `#ifndef X` directly followed by `#define X`: the name says nothing about the vendor.
fn is_include_guard(
    source: &[u8],
    tokens: &[Token],
    directives: &[Directive],
    index: usize,
    texts: &[&[u8]],
) -> bool {
    directives.get(index + 1).is_some_and(|next| {
        let name = next
            .operands()
            .next()
            .map(|at| &source[tokens[at].range().as_usize()]);
        next.kind == DirectiveKind::Define
            && next.tokens.start == directives[index].tokens.end
            && name == texts.first().copied()
    })
}
