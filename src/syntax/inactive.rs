//! Code that no build of the file as it stands compiles: `#if 0`, and branches under macros that nothing in it defines.

use rustc_hash::FxHashMap;

use super::condition::{Truth, evaluate_with, is_cuda_macro, is_hip_macro};
use super::{Directive, DirectiveKind, Document, TokenIndex};
use crate::text::TextRange;

/// The inactive ranges of a file, in order.
pub fn inactive_ranges(document: &Document<'_>) -> Vec<TextRange> {
    let mut walk = Walk {
        document,
        macros: FxHashMap::default(),
        groups: Vec::new(),
        ranges: Vec::new(),
    };
    for directive in &document.directives {
        walk.step(directive);
    }
    let end = document.source.bytes.len() as u32;
    while let Some(group) = walk.groups.pop() {
        walk.close(&group, end);
    }
    walk.ranges.sort_unstable();
    walk.ranges
}

/// Whether the byte lies in a branch that is compiled only where `__CUDA_ARCH__` is defined: in NVIDIA's device pass.
pub fn is_only_for_nvidia_device(document: &Document<'_>, offset: u32) -> bool {
    let undefined = |name: &[u8], is_value: bool| {
        if name == b"__CUDA_ARCH__" && !is_value {
            Truth::No
        } else {
            Truth::Unknown
        }
    };
    document.branches.outwards(offset).any(|branch| {
        let branch = document.branches.branch(branch);
        let directive = &document.directives[branch.directive];
        matches!(directive.kind, DirectiveKind::If | DirectiveKind::Elif) && {
            let texts: Vec<&[u8]> = directive.operands().map(|at| document.bytes(at)).collect();
            evaluate_with(&texts, &undefined) == Truth::No
        }
    })
}

struct Group {
    /// Whether an earlier branch of the group is compiled.
    earlier: Truth,
    /// Whether the open branch is compiled.
    open: Truth,
    /// Where the open branch starts.
    start: u32,
}

struct Walk<'d, 's> {
    document: &'d Document<'s>,
    /// What the file defines: truth of the value, for object-like macros.
    macros: FxHashMap<&'s [u8], Truth>,
    groups: Vec<Group>,
    ranges: Vec<TextRange>,
}

impl<'s> Walk<'_, 's> {
    fn step(&mut self, directive: &Directive) {
        match directive.kind {
            DirectiveKind::If | DirectiveKind::Ifdef | DirectiveKind::Ifndef => {
                let open = self.condition(directive);
                self.groups.push(Group {
                    earlier: Truth::No,
                    open,
                    start: directive.range.end,
                });
            }
            DirectiveKind::Elif | DirectiveKind::Else => {
                let condition = self.condition(directive);
                if let Some(mut group) = self.groups.pop() {
                    self.close(&group, directive.range.start);
                    group.earlier = group.earlier.or(group.open);
                    group.open = condition.and(group.earlier.not());
                    group.start = directive.range.end;
                    self.groups.push(group);
                }
            }
            DirectiveKind::Endif => {
                if let Some(group) = self.groups.pop() {
                    self.close(&group, directive.range.start);
                }
            }
            DirectiveKind::Define | DirectiveKind::Undef => self.define(directive),
            _ => {}
        }
    }

    fn close(&mut self, group: &Group, end: u32) {
        if group.open == Truth::No {
            self.ranges
                .push(TextRange::new(group.start, end.max(group.start)));
        }
    }

    /// Whether the current position is compiled.
    fn here(&self) -> Truth {
        self.groups
            .iter()
            .fold(Truth::Yes, |truth, group| truth.and(group.open))
    }

    fn define(&mut self, directive: &Directive) {
        let (here, mut operands) = (self.here(), directive.operands());
        let Some(name) = operands.next() else { return };
        let bytes = self.document.bytes(name);
        let value = match directive.kind {
            _ if here == Truth::Unknown => Truth::Unknown,
            DirectiveKind::Undef => Truth::No,
            _ => self.value(operands.collect()),
        };
        if here != Truth::No {
            self.macros.insert(bytes, value);
        }
    }

    /// Truth of a macro's body as a condition; anything but one number is not followed.
    fn value(&self, body: Vec<TokenIndex>) -> Truth {
        match body[..] {
            [one] => match self.document.bytes(one) {
                b"0" => Truth::No,
                text if text[0].is_ascii_digit() => Truth::Yes,
                _ => Truth::Unknown,
            },
            _ => Truth::Unknown,
        }
    }

    fn condition(&self, directive: &Directive) -> Truth {
        let texts: Vec<&[u8]> = directive
            .operands()
            .map(|at| self.document.bytes(at))
            .collect();
        let named = || {
            texts
                .first()
                .map_or(Truth::Unknown, |name| self.defined(name))
        };
        match directive.kind {
            DirectiveKind::Else => Truth::Yes,
            DirectiveKind::Ifdef => named(),
            DirectiveKind::Ifndef => named().not(),
            _ => evaluate_with(&texts, &|name, is_value| {
                if is_value {
                    self.macros
                        .get(name)
                        .copied()
                        .unwrap_or_else(|| self.defined(name))
                } else {
                    self.defined(name)
                }
            }),
        }
    }

    /// Names of the implementation and of vendors may come from anywhere; any other name must be defined in the file.
    fn defined(&self, name: &[u8]) -> Truth {
        let foreign = name.starts_with(b"_")
            || is_hip_macro(name)
            || is_cuda_macro(name)
            || name.starts_with(b"CU")
            || name.ends_with(b"VERSION");
        match self.macros.get(name) {
            Some(Truth::Unknown) if foreign => Truth::Unknown,
            Some(_) => Truth::Yes,
            None if foreign => Truth::Unknown,
            None => Truth::No,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::SourceFile;

    fn inactive(text: &str) -> Vec<String> {
        let source = SourceFile::new("a.cu", text.as_bytes().to_vec());
        let document = Document::new(&source);
        inactive_ranges(&document)
            .into_iter()
            .map(|range| source.text(range).trim().to_owned())
            .collect()
    }

    #[test]
    fn branches_that_nothing_turns_on() {
        assert_eq!(inactive("#if 0\na\n#else\nb\n#endif\n"), ["a"]);
        assert_eq!(
            inactive("#ifdef X\na\n#elif defined Y\nb\n#else\nc\n#endif\n"),
            ["a", "b"]
        );
        assert_eq!(
            inactive("#ifndef X\na\n#elif !defined(Y)\nb\n#else\nc\n#endif"),
            ["b", "c"]
        );
        assert_eq!(
            inactive("#define X\n#ifdef X\na\n#else\nb\n#endif\n"),
            ["b"]
        );
        assert_eq!(inactive("#define X 0\n#if X\na\n#else\nb\n#endif\n"), ["a"]);
    }

    #[test]
    fn what_a_compiler_or_a_build_of_another_vendor_defines_stays() {
        assert!(inactive("#ifdef __CUDACC__\na\n#else\nb\n#endif\n").is_empty());
        assert!(inactive("#if CUDA_VERSION >= 11000\na\n#endif\n").is_empty());
        assert!(inactive("#ifdef _WIN32\n#define X\n#endif\n").is_empty());
    }
}
