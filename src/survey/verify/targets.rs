//! What an entry promises: each target with its releases and edits.

use crate::mapping::{ApiEntry, ArgEdit, Kind};

pub(super) struct Checked<'e> {
    pub(super) name: &'e str,
    pub(super) rocm: crate::mapping::Span,
    pub(super) args: &'e [ArgEdit<'static>],
    /// The number of arguments that this target is for; `None` for any.
    pub(super) arity: Option<usize>,
}

pub(super) fn targets(entry: &ApiEntry) -> Vec<Checked<'_>> {
    if matches!(
        entry.kind,
        Kind::Header | Kind::Field | Kind::Pattern | Kind::Namespace
    ) {
        return Vec::new();
    }
    let of = |name, rocm, args, arity| Checked {
        name,
        rocm,
        args,
        arity,
    };
    let default = entry
        .hip
        .map(|name| of(name, entry.rocm, &entry.args[..], None));
    let roc = entry
        .roc
        .as_ref()
        .map(|roc| of(roc.name, roc.rocm, &roc.args[..], None));
    let forms = entry.forms.iter().filter_map(|form| {
        let name = form.hip.or(entry.hip)?;
        let kept = name == entry.cuda;
        (!kept).then(|| {
            of(
                name,
                form.rocm.unwrap_or(entry.rocm),
                &form.args[..],
                Some(usize::from(form.arity)),
            )
        })
    });
    default.into_iter().chain(roc).chain(forms).collect()
}
