//! Code that no build of the file as it stands compiles: `#if 0`, and branches under macros that nothing defines.

use rustc_hash::FxHashMap;

use super::condition::{Truth, evaluate_with, is_cuda_macro, is_hip_macro};
use super::{Directive, DirectiveKind, Document, TokenIndex};
use crate::text::TextRange;

/// What is known of macros in front of the first line of a file.
pub(crate) trait GivenMacros {
    /// The truth of its value, where the command that compiles the file defines it.
    fn given(&self, name: &[u8]) -> Option<Truth>;

    /// Whether it may be defined by something that is not seen here.
    fn may_be_given(&self, name: &[u8]) -> bool;
}

/// Nothing is defined but by the file itself.
pub(crate) struct NoMacros;

impl GivenMacros for NoMacros {
    fn given(&self, _: &[u8]) -> Option<Truth> {
        None
    }

    fn may_be_given(&self, _: &[u8]) -> bool {
        false
    }
}

/// The inactive ranges of a file, in order.
pub(crate) fn inactive_ranges(document: &Document<'_>, given: &dyn GivenMacros) -> Vec<TextRange> {
    let mut walk = Walk {
        document,
        given,
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

/// The branches under `#if 0`, in order.
pub(crate) fn never_compiled(document: &Document<'_>) -> Vec<TextRange> {
    let is_never = |directive: &Directive| {
        let mut operands = directive.operands().map(|at| document.bytes(at));
        directive.kind == DirectiveKind::If
            && operands.next() == Some(b"0")
            && operands.next().is_none()
    };
    let branches = document.branches.branches().iter();
    branches
        .filter(|branch| is_never(&document.directives[branch.directive]))
        .map(|branch| branch.body)
        .collect()
}

/// Whether the byte lies in a branch that is compiled only where `__CUDA_ARCH__` is defined: in NVIDIA's device pass.
pub(crate) fn is_only_for_nvidia_device(document: &Document<'_>, offset: u32) -> bool {
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

/// A macro as a condition sees it.
#[derive(Clone, Copy)]
struct Macro {
    /// Whether it is defined.
    defined: Truth,
    /// Truth of its value.
    value: Truth,
}

struct Walk<'d, 's> {
    document: &'d Document<'s>,
    given: &'d dyn GivenMacros,
    /// What the file defines and undefines.
    macros: FxHashMap<&'s [u8], Macro>,
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
        let (defined, value) = match directive.kind {
            DirectiveKind::Undef => (Truth::No, Truth::No),
            _ => (Truth::Yes, self.value(operands.collect())),
        };
        let before = self.macro_of(bytes);
        let merged = |new, old| if new == old { old } else { Truth::Unknown };
        let now = match here {
            Truth::Yes => Macro { defined, value },
            Truth::No => return,
            Truth::Unknown => Macro {
                defined: merged(defined, before.defined),
                value: merged(value, before.value),
            },
        };
        self.macros.insert(bytes, now);
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
                let known = self.macro_of(name);
                if is_value { known.value } else { known.defined }
            }),
        }
    }

    fn defined(&self, name: &[u8]) -> Truth {
        self.macro_of(name).defined
    }

    /// Names of the implementation and of vendors may come from anywhere; any other name must be defined by the file, or by what
    /// compiles it.
    fn macro_of(&self, name: &[u8]) -> Macro {
        if let Some(known) = self.macros.get(name) {
            return *known;
        }
        if let Some(value) = self.given.given(name) {
            let defined = Truth::Yes;
            return Macro { defined, value };
        }
        let foreign = name.starts_with(b"_")
            || is_hip_macro(name)
            || is_cuda_macro(name)
            || name.starts_with(b"CU")
            || name.ends_with(b"VERSION");
        let defined = match foreign || self.given.may_be_given(name) {
            true => Truth::Unknown,
            false => Truth::No,
        };
        Macro {
            defined,
            value: defined,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::SourceFile;

    #[test]
    fn never_compiled_is_what_stands_under_a_plain_zero() {
        let text =
            "#if 0\na\n#else\nb\n#endif\n#if X\nc\n#elif 0\nd\n#endif\n#if 0 || X\ne\n#endif\n";
        let source = SourceFile::new("a.cu", text.as_bytes().to_vec());
        let ranges = never_compiled(&Document::new(&source)).into_iter();
        let texts: Vec<_> = ranges.map(|it| source.text(it).trim().to_owned()).collect();
        assert_eq!(texts, ["a"]);
    }

    fn inactive(text: &str) -> Vec<String> {
        let source = SourceFile::new("a.cu", text.as_bytes().to_vec());
        let document = Document::new(&source);
        inactive_ranges(&document, &NoMacros)
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
        assert_eq!(
            inactive("#define X\n#undef X\n#ifdef X\na\n#else\nb\n#endif\n"),
            ["a"]
        );
    }

    #[test]
    fn what_one_build_defines_and_another_does_not_decides_nothing() {
        let text = "#ifdef _WIN32\n#define X\n#endif\n#ifdef X\na\n#else\nb\n#endif\n";
        assert!(inactive(text).is_empty());
    }

    #[test]
    fn commands_define_macros() {
        struct Given;
        impl GivenMacros for Given {
            fn given(&self, name: &[u8]) -> Option<Truth> {
                match name {
                    b"ON" => Some(Truth::Yes),
                    b"NIL" => Some(Truth::No),
                    _ => None,
                }
            }
            fn may_be_given(&self, name: &[u8]) -> bool {
                name == b"OPEN"
            }
        }
        let text = "#ifdef ON\na\n#else\nb\n#endif\n#if NIL\nc\n#endif\n#ifdef NIL\nd\n#endif\n#ifdef OPEN\ne\n#else\nf\n#endif\n#ifdef OFF\ng\n#endif\n";
        let source = SourceFile::new("a.cu", text.as_bytes().to_vec());
        let document = Document::new(&source);
        let found = inactive_ranges(&document, &Given).into_iter();
        let found: Vec<_> = found
            .map(|range| source.text(range).trim().to_owned())
            .collect();
        assert_eq!(found, ["b", "c", "g"]);
    }

    #[test]
    fn what_a_compiler_or_a_build_of_another_vendor_defines_stays() {
        assert!(inactive("#ifdef __CUDACC__\na\n#else\nb\n#endif\n").is_empty());
        assert!(inactive("#if CUDA_VERSION >= 11000\na\n#endif\n").is_empty());
        assert!(inactive("#ifdef _WIN32\n#define X\n#endif\n").is_empty());
    }
}
