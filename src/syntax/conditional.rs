//! Conditional groups as a tree of branches: which `#if` branches a byte lies in.

use super::{Directive, DirectiveKind};
use crate::text::TextRange;

/// The `#if` groups of a file and their branches.
#[derive(Debug, Default)]
pub struct Conditionals {
    /// By start.
    branches: Vec<Branch>,
    /// By first directive.
    groups: Vec<Group>,
    /// Groups from `#if` to `#endif`, by their `#endif`.
    whole: Vec<usize>,
    /// Where another branch begins to hold, in order: the innermost from there on.
    turns: Vec<(u32, Option<usize>)>,
}

/// What stands between two directives of a group.
#[derive(Debug)]
pub struct Branch {
    /// The `#if`, `#elif` or `#else` in front of it: its place among the directives of the file.
    pub directive: usize,
    /// Bytes between that directive and the next one of the group, or the end of the file where that is missing.
    pub body: TextRange,
    /// Its group.
    pub group: usize,
    /// The branch around its group.
    pub parent: Option<usize>,
}

/// One `#if` and what belongs to it.
#[derive(Debug, Default)]
pub struct Group {
    /// Its branches, in order.
    pub branches: Vec<usize>,
}

impl Conditionals {
    /// Reads the groups off the directives of a file of `len` bytes. An `#else` without `#if` opens a group that is not whole.
    pub(super) fn new(directives: &[Directive], len: u32) -> Self {
        let (mut tree, mut open) = (Self::default(), Vec::<usize>::new());
        for (at, directive) in directives.iter().enumerate() {
            use DirectiveKind::{Elif, Else, Endif, If, Ifdef, Ifndef};
            let opens = matches!(directive.kind, If | Ifdef | Ifndef);
            let turns = matches!(directive.kind, Elif | Else);
            let ends = directive.kind == Endif;
            let group = open.last().map(|&branch| tree.branches[branch].group);
            if turns || ends {
                tree.close(open.pop(), directive.range.start);
            }
            if let Some(group) = group.filter(|_| ends) {
                let first = tree.branches[tree.groups[group].branches[0]].directive;
                let is_whole = matches!(directives[first].kind, If | Ifdef | Ifndef);
                tree.whole.extend(is_whole.then_some(group));
            }
            if opens || turns {
                let group = group.filter(|_| turns).unwrap_or_else(|| {
                    tree.groups.push(Group::default());
                    tree.groups.len() - 1
                });
                let body = TextRange::at(directive.range.end);
                let parent = open.last().copied();
                tree.groups[group].branches.push(tree.branches.len());
                tree.turns.push((body.start, Some(tree.branches.len())));
                open.push(tree.branches.len());
                tree.branches.push(Branch {
                    directive: at,
                    body,
                    group,
                    parent,
                });
            }
        }
        while let Some(branch) = open.pop() {
            tree.close(Some(branch), len);
        }
        tree
    }

    fn close(&mut self, branch: Option<usize>, end: u32) {
        let Some(branch) = branch else { return };
        let Branch { body, parent, .. } = &mut self.branches[branch];
        *body = TextRange::new(body.start, end.max(body.start));
        self.turns.push((body.end, *parent));
    }

    /// All branches, by start.
    pub(crate) fn branches(&self) -> &[Branch] {
        &self.branches
    }

    /// A branch by its place among all.
    pub fn branch(&self, index: usize) -> &Branch {
        &self.branches[index]
    }

    /// A group by its place among all.
    pub fn group(&self, index: usize) -> &Group {
        &self.groups[index]
    }

    /// The groups that start with an `#if` and end with an `#endif`, by that: inner ones first.
    pub(crate) fn whole_groups(&self) -> &[usize] {
        &self.whole
    }

    /// The branches around a byte, innermost first.
    pub(crate) fn outwards(&self, offset: u32) -> impl Iterator<Item = usize> + '_ {
        let before = self.turns.partition_point(|turn| turn.0 <= offset);
        let innermost = before.checked_sub(1).and_then(|last| self.turns[last].1);
        std::iter::successors(innermost, |&branch| self.branches[branch].parent)
    }

    /// The bytes of the branches around a byte, outermost first.
    pub(crate) fn around(&self, offset: u32) -> impl Iterator<Item = TextRange> + '_ {
        let mut branches: Vec<usize> = self.outwards(offset).collect();
        branches.reverse();
        branches
            .into_iter()
            .map(|branch| self.branches[branch].body)
    }

    /// Whether everyone who sees `later` has seen `earlier`: each branch around `earlier` is around `later` too.
    pub(crate) fn dominates(&self, earlier: u32, later: u32) -> bool {
        let mut branches = self.outwards(earlier);
        earlier <= later && branches.all(|branch| self.branches[branch].body.contains_offset(later))
    }
}

#[cfg(test)]
mod tests {
    use crate::syntax::Document;
    use crate::text::SourceFile;

    /// The lines of the directives of the branches around each line, outermost first; 1 is the first line.
    fn around(text: &str) -> Vec<Vec<u32>> {
        let source = SourceFile::new("a.cu", text.as_bytes().to_vec());
        let document = Document::new(&source);
        let line = |at: u32| source.line_col(at).line;
        let starts = text.split_inclusive('\n').scan(0, |start, line| {
            let at = *start;
            *start += line.len() as u32;
            Some(at)
        });
        let tree = &document.branches;
        let directive = |branch: usize| {
            line(
                document.directives[tree.branch(branch).directive]
                    .range
                    .start,
            )
        };
        let lines = |at: u32| tree.outwards(at).map(directive).collect::<Vec<_>>();
        starts
            .map(|at| {
                let mut lines = lines(at);
                lines.reverse();
                lines
            })
            .collect()
    }

    #[test]
    fn lines_lie_in_the_branches_around_them() {
        type Case = (&'static str, &'static [&'static [u32]]);
        let cases: [Case; 7] = [
            ("a\n", &[&[]]),
            ("#if A\na\n#endif\nb\n", &[&[], &[1], &[], &[]]),
            (
                "#if A\na\n#elif B\nb\n#else\nc\n#endif\n",
                &[&[], &[1], &[], &[3], &[], &[5], &[]],
            ),
            (
                "#if A\n#ifdef B\nb\n#endif\na\n#endif\n",
                &[&[], &[1], &[1, 2], &[1], &[1], &[]],
            ),
            // What is not closed runs to the end.
            ("#if A\n#if B\nb\n", &[&[], &[1], &[1, 2]]),
            // Whose `#if` is missing, nobody knows; it is a branch all the same.
            ("#else\na\n#endif\nb\n", &[&[], &[1], &[], &[]]),
            ("#endif\na\n", &[&[], &[]]),
        ];
        for (text, wanted) in cases {
            assert_eq!(around(text), wanted, "{text}");
        }
    }

    #[test]
    fn whole_groups_come_inner_ones_first() {
        let text = "#if A\n#if B\n#else\n#endif\n#endif\n#else\n#endif\n#if C\n";
        let source = SourceFile::new("a.cu", text.as_bytes().to_vec());
        let tree = Document::new(&source).branches;
        let sizes = tree
            .whole_groups()
            .iter()
            .map(|&group| tree.group(group).branches.len());
        assert_eq!(sizes.collect::<Vec<_>>(), [2, 1]);
    }
}
