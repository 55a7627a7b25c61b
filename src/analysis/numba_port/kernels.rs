//! What kernels of Numba do that numba-hip does not: print, and stop for who looks for a mistake.

use std::borrow::Cow;

use rustc_hash::FxHashMap;

use super::uses::{Helped, Uses};
use super::written::removal;
use crate::edit::Edit;
use crate::mapping::{NumbaName, NumbaTable};
use crate::python::numba::function;
use crate::python::{Literal, Node, PyFile, Strings};
use crate::text::TextRange;

const STOP: &str = "numba-hip has no simulator and no debugger for kernels: nothing stops there";

/// The decorators of functions of whole arrays.
pub(super) const UFUNCS: [&str; 2] = ["vectorize", "guvectorize"];

/// The decorators of code that kernels take in the place of a function.
const OVERLOADS: [&str; 3] = ["overload", "overload_method", "overload_attribute"];

/// What is made for a target.
#[derive(Clone, Copy)]
enum Target {
    /// A function of whole arrays, by the name of its decorator.
    Ufunc(&'static str),
    /// Code for kernels in the place of a function.
    Overload,
}

impl<'t> Uses<'t> {
    /// Reads the kernels and their options.
    pub(super) fn kernels(&mut self, file: &'t PyFile<'t>) {
        for decorator in file.all(&["decorator"]) {
            if !self.is_jit(file, decorator) {
                continue;
            }
            let definition = decorator
                .parent()
                .and_then(|it| it.child_by_field_name("definition"));
            let calls = definition.map_or_else(Vec::new, |it| file.all_below(it, &["call"]));
            for call in calls.into_iter().filter(|it| file.side(*it).is_none()) {
                let (name, range) = (file.callee(call), file.range(call));
                match (name.as_deref(), NumbaTable::builtin().name("print")) {
                    (Some("print"), NumbaName::Missing(advice)) => {
                        self.block(range, "print", advice);
                    }
                    (Some("set_trace" | "breakpoint"), _) => self.loses(range, "pdb", STOP),
                    _ => self.called_in_kernel(file, call),
                }
            }
        }
    }

    /// `math.modf(x)`, which kernels of numba-hip cannot call.
    fn called_in_kernel(&mut self, file: &PyFile<'_>, call: Node<'_>) {
        let Some(function) = call.child_by_field_name("function") else {
            return;
        };
        let name = file.dotted(function);
        if let Some(advice) = NumbaTable::builtin().in_kernel(&name) {
            self.block(file.range(function), &name, advice);
        }
    }

    /// `device.compute_capability`, `kernel.inspect_sass()`: members that numba-hip lacks.
    pub(super) fn members(&mut self, file: &PyFile<'_>) {
        let table = NumbaTable::builtin();
        for node in file.attributes(&table.members()) {
            let Some(name) = node.child_by_field_name("attribute") else {
                continue;
            };
            let text = file.text(name);
            let is_theirs = !is_own_member(file, &text) && file.side(node).is_none();
            let Some(advice) = table.member(&text).filter(|_| is_theirs) else {
                continue;
            };
            match idle_statement(node).filter(|_| table.is_idle(&text)) {
                Some(statement) => {
                    let edits = vec![removal(file, statement)];
                    let message = format!("`{text}` is about a tool of NVIDIA's alone: it goes");
                    self.edit(file.range(name), edits, &message);
                }
                None => self.block(file.range(name), &text, advice),
            }
        }
    }

    /// `device.compute_capability`: members that are two in numba-hip, so that the device is named twice.
    pub(super) fn pairs(&mut self, file: &PyFile<'_>) {
        let table = NumbaTable::builtin();
        for node in file.attributes(&table.pairs()) {
            let field = |name| node.child_by_field_name(name);
            let (Some(object), Some(name)) = (field("object"), field("attribute")) else {
                continue;
            };
            let (text, range) = (file.text(name), file.range(name));
            let is_theirs = !is_own_member(file, &text) && file.side(node).is_none();
            let Some([first, second]) = table.pair(&text).filter(|_| is_theirs) else {
                continue;
            };
            let edits = if let Some((half, end)) = half_of(file, node) {
                let range = TextRange::new(range.start, end);
                vec![Edit::replace(range, [first, second][half].clone())]
            } else if can_be_named_twice(object) {
                let device = file.text(object).replace("numba.cuda.", "numba.hip.");
                vec![
                    Edit::insert(file.range(object).start, "("),
                    Edit::replace(range, format!("{first}, {device}.{second})")),
                ]
            } else {
                let advice = "give the device a name first: it is asked for two numbers";
                self.block(range, &text, advice);
                continue;
            };
            let message = format!(
                "`{text}` becomes the version of the instructions of AMD's chip, (9, 0) for gfx90a: no feature of NVIDIA's follows from it"
            );
            self.edit(range, edits, &message);
        }
    }

    /// `@vectorize(…, target="cuda")` and `partial(vectorize, target="cuda")`: numba-hip has the builders of functions of whole arrays, and
    /// registers no target for them. `@overload(f, target="cuda")` is of a target that kernels of numba-hip are none of.
    pub(super) fn targets(&mut self, file: &'t PyFile<'t>) {
        let mut known: FxHashMap<String, Target> = FxHashMap::default();
        known.extend(UFUNCS.map(|name| (name.to_owned(), Target::Ufunc(name))));
        known.extend(OVERLOADS.map(|name| (name.to_owned(), Target::Overload)));
        for import in file.all(&["aliased_import"]) {
            let field = |name| import.child_by_field_name(name).map(|it| file.text(it));
            let (name, alias) = (field("name"), field("alias"));
            let target = name.and_then(|name| known.get(&*name).copied());
            known.extend(alias.map(Cow::into_owned).zip(target));
        }
        for option in file.all(&["keyword_argument"]) {
            let field = |name| option.child_by_field_name(name);
            let is_target = field("name").is_some_and(|it| file.text(it) == "target");
            let value = field("value").filter(|_| is_target);
            let value = value.and_then(|it| Literal::new(file, it));
            let Some(value) = value.filter(|it| it.text == "cuda" && file.side(option).is_none())
            else {
                continue;
            };
            let edit = Edit::replace(value.content, "hip");
            let Some(call) = option.parent().and_then(Node::parent) else {
                continue;
            };
            match called(file, call).and_then(|it| known.get(&*it).copied()) {
                Some(Target::Ufunc(name)) => {
                    self.helpers.functions.extend(function(name));
                    let NumbaName::Helped(advice) = NumbaTable::builtin().name(name) else {
                        continue;
                    };
                    self.helped.push(Helped {
                        node: option,
                        edit,
                        name: name.to_owned(),
                        advice,
                    });
                }
                Some(Target::Overload) if !self.imports.is_empty() => {
                    let message = "the target of kernels is `hip` for numba-hip";
                    self.edit(file.range(option), vec![edit], message);
                }
                _ => {}
            }
        }
    }

    /// `@cuda.jit`, `@cuda.jit(debug=True)`, and `@jit` that is imported from the module.
    fn is_jit(&self, file: &PyFile<'_>, decorator: Node<'_>) -> bool {
        let called = decorator.named_child(0);
        called.is_some_and(|called| {
            let function = called.child_by_field_name("function").unwrap_or(called);
            self.names_jit(file, function)
        })
    }

    fn names_jit(&self, file: &PyFile<'_>, function: Node<'_>) -> bool {
        let text = file.dotted(function);
        match text.rsplit_once('.') {
            Some((module, "jit")) => self.names.iter().any(|it| it == module),
            _ => text == "jit" && self.names.is_empty(),
        }
    }

    /// `cuda.jit(debug=True)`: options that numba-hip has not go.
    pub(super) fn options(&mut self, strings: &Strings<'_>) {
        let file = strings.file();
        for &call in strings.calls("jit") {
            let is_kernel = call
                .child_by_field_name("function")
                .is_some_and(|it| self.names_jit(file, it) && file.side(call).is_none());
            let arguments = call.child_by_field_name("arguments").filter(|_| is_kernel);
            let options = arguments.into_iter().flat_map(Node::named_children);
            let all: Vec<Node<'_>> = options.filter(|it| it.kind() != "comment").collect();
            let mut is_first = true;
            for (number, option) in all.iter().enumerate() {
                let place = match (is_first, number.checked_sub(1).and_then(|it| all.get(it))) {
                    (false, Some(before)) => before.end_byte()..option.end_byte(),
                    _ => option.start_byte()..end_of_first(file, *option, all.get(number + 1)),
                };
                // Comments beside an option stay.
                let place = match file.bytes()[place.clone()].contains(&b'#') {
                    true => option.start_byte()..end_of_first(file, *option, None),
                    false => place,
                };
                let place = TextRange::new(place.start as u32, place.end as u32);
                is_first &= self.option(file, *option, place);
            }
        }
    }

    /// Whether an argument goes, by deletion of a place.
    fn option(&mut self, file: &PyFile<'_>, option: Node<'_>, place: TextRange) -> bool {
        let field = |name| option.child_by_field_name(name).map(|it| file.text(it));
        let (Some(name), Some(value)) = (field("name"), field("value")) else {
            return false;
        };
        let is_off = matches!(&*value, "False" | "None");
        let known = NumbaTable::builtin().option(&name);
        let Some(known) = known.filter(|it| !(is_off && it.off)) else {
            return false;
        };
        let message = match is_off {
            true => format!("numba-hip has no option `{name}`: it goes"),
            false => format!(
                "numba-hip has no option `{name}`: it goes, and {}",
                known.loss
            ),
        };
        let edit = Edit::delete(place);
        self.edit(file.range(option), vec![edit], &message);
        true
    }
}

/// The statement that a call of a member is, `self.skip_if_lto("why")`.
fn idle_statement(member: Node<'_>) -> Option<Node<'_>> {
    let call = member.parent().filter(|it| it.kind() == "call")?;
    let is_callee = call.child_by_field_name("function") == Some(member);
    call.parent()
        .filter(|it| is_callee && it.kind() == "expression_statement")
}

/// Whether a file has a member of its own of that name: `def compute_capability(self)`, `self.compute_capability = …`.
fn is_own_member(file: &PyFile<'_>, name: &str) -> bool {
    let is_there = |text: String| memchr::memmem::find(file.bytes(), text.as_bytes()).is_some();
    is_there(format!("def {name}(")) || is_there(format!(".{name} = "))
}

/// Which half of a pair is taken, `pair[0]` or `pair[1]`, and where that ends.
fn half_of(file: &PyFile<'_>, pair: Node<'_>) -> Option<(usize, u32)> {
    let taken = pair
        .parent()
        .filter(|it| it.kind() == "subscript" && it.child_by_field_name("value") == Some(pair))?;
    let half = match &*file.text(taken.child_by_field_name("subscript")?) {
        "0" => 0,
        "1" => 1,
        _ => return None,
    };
    Some((half, file.range(taken).end))
}

/// Whether an expression names the same thing the second time: `device`, `gpus[0]`, `cuda.current_context().device`.
fn can_be_named_twice(node: Node<'_>) -> bool {
    let inner = match node.kind() {
        "identifier" => return true,
        "attribute" => node.child_by_field_name("object"),
        "subscript" => node.child_by_field_name("value"),
        "call" => {
            let arguments = node.child_by_field_name("arguments");
            let has_none = arguments.is_some_and(|it| it.named_children().count() == 0);
            node.child_by_field_name("function").filter(|_| has_none)
        }
        _ => None,
    };
    inner.is_some_and(can_be_named_twice)
}

/// Where an argument ends that goes and has none in front of it that stays: at the next one, or behind its own comma.
fn end_of_first(file: &PyFile<'_>, argument: Node<'_>, next: Option<&Node<'_>>) -> usize {
    let end = argument.end_byte();
    let behind = &file.bytes()[end..];
    let blanks = behind.len() - behind.trim_ascii_start().len();
    match next {
        Some(next) => next.start_byte(),
        None if behind.get(blanks) == Some(&b',') => end + blanks + 1,
        None => end,
    }
}

/// The name of the function that a call calls, or that its `partial` will call.
fn called<'s>(file: &PyFile<'s>, call: Node<'_>) -> Option<Cow<'s, str>> {
    let callee = file.callee(call)?;
    if callee != "partial" {
        return Some(callee);
    }
    let first = file.argument(call, 0, "func")?;
    Some(file.text(first.child_by_field_name("attribute").unwrap_or(first)))
}

#[cfg(test)]
mod tests {
    use super::super::tests::outcome;

    #[test]
    fn options_and_members_that_numba_hip_has_not_are_seen() {
        for (source, expected) in [
            (
                "@cuda.jit(debug=True, opt=False)",
                "cuda>hip as cuda | debug=True, >",
            ),
            (
                "k = cuda.jit(f, max_registers=n)",
                "cuda>hip as cuda | , max_registers=n>",
            ),
            (
                "k = cuda.jit(lineinfo=True)(f)",
                "cuda>hip as cuda | lineinfo=True>",
            ),
            (
                "cuda.jit(debug=False, lto=False,)(f)",
                "cuda>hip as cuda | , lto=False>",
            ),
            ("other.jit(debug=True)(f)", "cuda>hip as cuda"),
            (
                "cuda.jit(f, debug=True, lineinfo=True)",
                "cuda>hip as cuda | , debug=True> | , lineinfo=True>",
            ),
            (
                "cuda.jit(f, # f\n  debug=True,\n)",
                "cuda>hip as cuda | debug=True,>",
            ),
            (
                "cuda.jit(debug=True, # slow\n  opt=False)(f)",
                "cuda>hip as cuda | debug=True,>",
            ),
            (
                "cuda.jit(debug=True, lto=False,)(f)",
                "cuda>hip as cuda | debug=True, > | lto=False,>",
            ),
            (
                "d.compute_capability >= (7, 0)",
                "cuda>hip as cuda | >( | compute_capability>COMPUTE_CAPABILITY_MAJOR, d.COMPUTE_CAPABILITY_MINOR)",
            ),
            (
                "cuda.current_context().device.compute_capability[0]",
                "cuda>hip as cuda | compute_capability[0]>COMPUTE_CAPABILITY_MAJOR",
            ),
            (
                "f(x).compute_capability[1]",
                "cuda>hip as cuda | compute_capability[1]>COMPUTE_CAPABILITY_MINOR",
            ),
            ("f(x).compute_capability", "in the way: compute_capability"),
            (
                "cuda.syncwarp()",
                "cuda>hip as cuda | syncwarp>threadfence_block",
            ),
            (
                "cuda.syncwarp(mask)",
                "cuda>hip as cuda | syncwarp>threadfence_block | mask>",
            ),
            (
                "class A:\n  def inspect_sass(self): return self.inspect_sass",
                "cuda>hip as cuda",
            ),
            (
                "class A:\n  def setUp(self):\n    super().setUp()\n    self.skip_if_lto('why')",
                "cuda>hip as cuda |     self.skip_if_lto('why')>",
            ),
            (
                "def setUp(self):\n  self.skip_if_lto('why')",
                "cuda>hip as cuda | self.skip_if_lto('why')>pass",
            ),
            ("x = self.skip_if_lto", "in the way: skip_if_lto"),
            (
                "cuda.detect()",
                "cuda>hip as cuda | > | cuda.detect>cass_detect",
            ),
            ("math.modf(1)", "cuda>hip as cuda"),
            (
                "@cuda.jit\ndef k(x): x[0] = math.modf(1)[0]",
                "in the way: math.modf",
            ),
            ("@cuda.jit\ndef k(x): x[0] = modf(1)[0]", "in the way: modf"),
        ] {
            let tail = if source.starts_with("@cuda.jit(") {
                "\ndef k(): pass"
            } else {
                ""
            };
            let source = format!("from numba import cuda\n{source}{tail}");
            assert_eq!(outcome(&source), expected, "{source}");
        }
    }
}
