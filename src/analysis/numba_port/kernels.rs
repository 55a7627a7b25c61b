//! What kernels of Numba do that numba-hip does not: print, and stop for who looks for a mistake.

use super::uses::Uses;
use crate::mapping::{NumbaName, NumbaTable};
use crate::python::{Literal, Node, PyFile};

const DEBUG: &str = "numba-hip has no debugger for kernels: what `debug=True` checks there, such as exceptions, is not checked";
const UFUNC: &str = "numba-hip makes no functions of whole arrays: write a kernel with `@cuda.jit` and a loop over the grid, or use CuPy";
const STOP: &str = "numba-hip has no simulator and no debugger for kernels: nothing stops there";

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

    /// `@vectorize(…, target="cuda")`: numba-hip registers no target for functions of whole arrays.
    pub(super) fn ufuncs(&mut self, file: &'t PyFile<'t>) {
        for option in file.all(&["keyword_argument"]) {
            let field = |name| option.child_by_field_name(name);
            let is_target = field("name").is_some_and(|it| file.text(it) == "target");
            let value = field("value").filter(|_| is_target);
            let value = value.and_then(|it| Literal::new(file, it));
            let call = option.parent().and_then(Node::parent);
            let callee = call.and_then(|it| file.callee(it));
            if let (Some(callee @ ("vectorize" | "guvectorize")), Some("cuda")) =
                (callee.as_deref(), value.as_ref().map(|it| it.text.as_str()))
                && file.side(option).is_none()
            {
                self.block(file.range(option), callee, UFUNC);
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
