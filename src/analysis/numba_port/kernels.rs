//! What kernels of Numba do that numba-hip does not: print, and stop for who looks for a mistake.

use std::borrow::Cow;

use rustc_hash::FxHashMap;

use super::uses::{Helped, Uses};
use crate::edit::Edit;
use crate::mapping::{NumbaName, NumbaTable};
use crate::python::{Literal, Node, PyFile};

const DEBUG: &str = "numba-hip has no debugger for kernels: what `debug=True` checks there, such as exceptions, is not checked";
const STOP: &str = "numba-hip has no simulator and no debugger for kernels: nothing stops there";

/// The decorators of functions of whole arrays.
const UFUNCS: [&str; 2] = ["vectorize", "guvectorize"];

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
            self.options(file, decorator);
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
                    _ => {}
                }
            }
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
                    self.helpers.ufuncs = true;
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
        let Some(called) = decorator.named_child(0) else {
            return false;
        };
        let function = called.child_by_field_name("function").unwrap_or(called);
        let text = file.dotted(function);
        match text.rsplit_once('.') {
            Some((module, "jit")) => self.names.iter().any(|it| it == module),
            _ => text == "jit" && self.names.is_empty(),
        }
    }

    fn options(&mut self, file: &PyFile<'_>, decorator: Node<'_>) {
        for option in file.all_below(decorator, &["keyword_argument"]) {
            let field = |name| option.child_by_field_name(name).map(|it| file.text(it));
            if field("name").as_deref() == Some("debug")
                && field("value").as_deref() != Some("False")
            {
                self.loses(file.range(option), "debug", DEBUG);
            }
        }
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
