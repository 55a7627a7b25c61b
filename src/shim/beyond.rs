//! What translation does that no macro can: assembly, members, whole statements.

use crate::diagnostic::{Judged, Severity};
use crate::mapping::{ApiTable, ArgEdit, Form, Verb};
use crate::syntax::{Document, TokenIndex};

/// Whether a finding of a translation speaks of something that the sources would have to change for: an error, or a change that was
/// made by other means than names. `is_done` says that macros, helpers and forwarding headers do the same.
pub(crate) fn is_beyond(judged: &Judged, is_done: bool) -> bool {
    let is_needed = judged.severity() == Severity::Error
        || judged.is_applied() && judged.fix().is_some_and(|fix| !fix.edits.is_empty());
    is_needed && judged.is_shown() && !is_done
}

/// The calls that one macro cannot serve: those with a number of arguments that has a target of its own, and those of functions that
/// get macros with parameters in which an argument has a comma of its own: `f(kernel<float, 1>)` has two
/// arguments for the preprocessor.
pub(crate) fn split_calls(document: &Document<'_>, table: &ApiTable) -> Vec<TokenIndex> {
    let names = (0..document.tokens.len()).filter(|&at| document.is_ident(at));
    names
        .filter(|&at| {
            let Some(hit) = table.get(document.bytes(at)) else {
                return false;
            };
            let entry = hit.entry;
            if entry.args.is_empty() && entry.forms.is_empty() {
                return false;
            }
            document.call(at).is_some_and(|call| {
                let arity = call.arguments.len();
                let differs = |form: &Form<'_>| {
                    let inserts = |edit: &ArgEdit<'_>| matches!(edit.verb, Verb::Insert(_));
                    usize::from(form.arity) == arity
                        && (form.hip.is_some_and(|hip| Some(hip) != entry.hip)
                            || !form.args.iter().all(inserts))
                };
                if entry.forms.iter().any(differs) {
                    return true;
                }
                if entry.args.is_empty() {
                    return false;
                }
                let inner = call.arguments.iter().flat_map(Clone::clone);
                let mut depth = 0_i32;
                inner.into_iter().any(|token| {
                    match document.bytes(token) {
                        b"(" => depth += 1,
                        b")" => depth -= 1,
                        _ => {}
                    }
                    depth == 0 && document.is(token, ",")
                })
            })
        })
        .collect()
}
