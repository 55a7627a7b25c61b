//! What a condition that asks for macros of CUDA is on AMD, and what it was meant to be.

use crate::analysis::conditions::blocker::{blocker, value_of_macro};
use crate::analysis::conditions::fix::Extension;
use crate::analysis::conditions::truth::{constant, truth, truths};
use crate::analysis::conditions::version_macro::value_on_amd;
use crate::analysis::unit::Unit;
use crate::cpp::conditions::cuda_macros::{CudaMacro, Family};
use crate::cpp::conditions::expression::{Atom, AtomKind, Expr, World};
use crate::cpp::conditions::groups::{Branch, Group, MOST_ATOMS, constant_of, groups, outcomes};
use crate::syntax::TokenIndex;

/// What a condition is on AMD and what it was meant to be.
pub(super) enum Verdict {
    /// The same.
    Same,
    /// AMD skips a branch that it was meant to take, or takes one that it was meant to skip.
    Flip {
        /// Whether the branch was meant to be taken.
        on: bool,
        /// The macro whose family decides.
        known: &'static CudaMacro,
        extension: Extension,
    },
    /// It asks for one exact chip or version.
    Unclear(&'static CudaMacro),
}

/// Whether the identifier stands in a branch of a condition about its own family: the finding about the branch speaks of it.
pub(crate) fn is_in_branch_about(cx: &Unit<'_, '_>, index: TokenIndex, family: Family) -> bool {
    let at = cx.doc.tokens[index].start;
    let groups = groups(cx.doc);
    groups
        .around(cx.doc, at)
        .any(|(group, _)| group.family() == Some(family))
}

/// Whether a macro that only nvcc has stands as a number in a branch for nvcc which AMD is left without on that account: the finding about
/// the branch says so. In the text of a macro it keeps nothing from AMD.
pub(crate) fn is_in_branch_for_nvcc(cx: &Unit<'_, '_>, index: TokenIndex) -> bool {
    let groups = groups(cx.doc);
    let mut around = groups.around(cx.doc, cx.doc.tokens[index].start);
    around.any(|(group, position)| {
        group.family() == Some(Family::Compiler)
            && !group.knows_hip()
            && value_of_macro(cx, group.branches[position].body).is_some()
    })
}

/// Whether a byte lies in a branch of a condition about CUDA that AMD does not take and that is left so: it was never meant, or could
/// not be compiled, and then the finding about the branch speaks of it.
pub(crate) fn is_left_out(cx: &Unit<'_, '_>, at: u32) -> bool {
    let groups = groups(cx.doc);
    let mut around = groups.around(cx.doc, at);
    around.any(|(group, position)| {
        let start = group.branches[position].body.start;
        !group.knows_hip() && {
            let known = cx.left_out.borrow().get(&start).copied();
            known.unwrap_or_else(|| {
                let is_left_out = leaves_out(group, cx, position);
                cx.left_out.borrow_mut().insert(start, is_left_out);
                is_left_out
            })
        }
    })
}

/// What a condition is and was meant to be.
pub(super) fn verdict(cx: &Unit<'_, '_>, condition: &Expr) -> Verdict {
    let atoms = condition.atoms();
    let families = |family: Family| {
        atoms
            .iter()
            .filter_map(|atom| atom.about)
            .find(|known| known.family == family)
    };
    let Some(known) = families(Family::Arch)
        .or_else(|| families(Family::Version))
        .or_else(|| families(Family::Compiler))
    else {
        return Verdict::Same;
    };
    let worlds = [World::AsWritten, World::Host, World::Device];
    let truths = worlds.map(|world| weighed(cx, condition, world));
    if atoms.len() > MOST_ATOMS && truths.iter().any(|of| *of != truths[0]) {
        return Verdict::Unclear(known);
    }
    let [today, host, device] = truths.map(|of| outcomes(condition, &of));
    if today == host && today == device {
        return Verdict::Same;
    }
    let is_exact = |atom: &&Atom| {
        atom.about.is_some()
            && truth(cx, atom, World::Device).is_none()
            && truth(cx, atom, World::AsWritten).is_some()
    };
    let (fixed_host, fixed_device) = (constant_of(&host), constant_of(&device));
    if fixed_device.is_none() && atoms.iter().any(is_exact) {
        return Verdict::Unclear(known);
    }
    let on = device.iter().zip(&today).any(|(&meant, &is)| meant && !is);
    let only_device = known.family == Family::Arch && today == host;
    let whole = fixed_device == Some(on)
        && (only_device || (fixed_host == Some(on) && known.family != Family::Arch));
    let extension = if whole {
        Extension::Whole
    } else {
        Extension::Atoms
    };
    Verdict::Flip {
        on,
        known,
        extension,
    }
}

/// The truth of each atom of a condition. Beside a comparison of the same macro with `<` or `>` that decides, the version that another atom
/// asks for is another one: `MAJOR < 9 || (MAJOR == 9 && MINOR < 2)`.
fn weighed(cx: &Unit<'_, '_>, condition: &Expr, world: World) -> Vec<Option<bool>> {
    let atoms = condition.atoms();
    let mut all = truths(cx, condition, world);
    let operator = |atom: &Atom| match atom.kind {
        AtomKind::Compare(at) => cx.doc.bytes(at),
        _ => b"",
    };
    let is_version = |atom: &Atom| atom.about.is_some_and(|it| it.family == Family::Version);
    let decided: Vec<_> = atoms
        .iter()
        .zip(&all)
        .filter(|(atom, truth)| truth.is_some() && is_version(atom) && operator(atom) != b"==")
        .filter_map(|(atom, _)| atom.about.map(|it| it.name))
        .collect();
    for (atom, truth) in atoms.iter().zip(&mut all) {
        let is_exact = truth.is_none() && is_version(atom) && operator(atom) == b"==";
        if is_exact && atom.about.is_some_and(|it| decided.contains(&it.name)) {
            *truth = Some(false);
        }
    }
    all
}

/// Whether a condition only asks whether this is device code, whatever the chip.
pub(super) fn is_split(condition: &Expr) -> bool {
    condition
        .atoms()
        .iter()
        .filter(|atom| atom.about.is_some())
        .all(|atom| !matches!(atom.kind, AtomKind::Compare(_)))
}

/// Whether AMD skips a branch, and still does when the findings about the group have been dealt with.
fn leaves_out(group: &Group, cx: &Unit<'_, '_>, position: usize) -> bool {
    let branch = &group.branches[position];
    if group.branches[..position].iter().any(|it| is_taken(cx, it)) {
        return true;
    }
    let Some(condition) = &branch.condition else {
        return false;
    };
    if value_on_amd(cx, &branch.directive) == Some(false) {
        return true;
    }
    let asks_for_cuda = condition.atoms().iter().any(|atom| atom.about.is_some());
    if !asks_for_cuda || constant(cx, condition, World::AsWritten) != Some(false) {
        return false;
    }
    match verdict(cx, condition) {
        Verdict::Same | Verdict::Unclear(_) => true,
        Verdict::Flip { known, .. } => {
            let split = known.family == Family::Compiler || is_split(condition);
            !split && blocker(cx, branch.body).is_some()
        }
    }
}

/// Whether AMD takes a branch about a version, in host code and device code, once the finding about it has been dealt with: what stands
/// behind it is not compiled.
fn is_taken(cx: &Unit<'_, '_>, branch: &Branch) -> bool {
    let Some(condition) = &branch.condition else {
        return false;
    };
    match verdict(cx, condition) {
        Verdict::Flip {
            on: true,
            known,
            extension: Extension::Whole,
        } => {
            let is_version = known.family == Family::Version && !is_split(condition);
            is_version && blocker(cx, branch.body).is_none()
        }
        _ => value_on_amd(cx, &branch.directive) == Some(true),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpp::conditions::groups::groups;
    use crate::engine::probe::{first, of_file};

    /// What is said of the first condition of a text: `+` for a branch that AMD should take, `-` for one that it should not, with what of
    /// the condition changes; `?` where that is for a person to say.
    fn said(condition: &str) -> String {
        of_file(&format!("#if {condition}\nint a;\n#endif\n"), |cx| {
            let groups = groups(cx.doc);
            let group = groups.iter().next().expect("there is a group");
            let condition = group.branches[0].condition.as_ref();
            match verdict(cx, condition.expect("it has a condition")) {
                Verdict::Same => "same".to_owned(),
                Verdict::Unclear(known) => format!("? {}", known.name),
                Verdict::Flip {
                    on,
                    known,
                    extension,
                } => {
                    let whole = matches!(extension, Extension::Whole);
                    let (sign, part) = (
                        if on { '+' } else { '-' },
                        if whole { "all" } else { "part" },
                    );
                    format!("{sign} {part} {}", known.name)
                }
            }
        })
    }

    #[test]
    fn conditions_are_weighed_as_written_and_as_meant() {
        for (condition, expected) in [
            ("defined(__CUDACC__)", "+ all __CUDACC__"),
            ("!defined(__CUDACC__)", "- all __CUDACC__"),
            ("defined(__CUDA_ARCH__)", "+ all __CUDA_ARCH__"),
            ("__CUDA_ARCH__ >= 700", "+ all __CUDA_ARCH__"),
            ("__CUDA_ARCH__ >= 900", "same"),
            ("__CUDA_ARCH__ == 700", "? __CUDA_ARCH__"),
            ("CUDART_VERSION < 9000", "- all CUDART_VERSION"),
            (
                "__CUDACC_VER_MAJOR__ < 9 || (__CUDACC_VER_MAJOR__ == 9 && __CUDACC_VER_MINOR__ < 2)",
                "- all __CUDACC_VER_MAJOR__",
            ),
            ("CUDA_VERSION == 9000", "? CUDA_VERSION"),
            ("defined(MINE)", "same"),
            ("defined(MINE) && defined(__CUDACC__)", "+ part __CUDACC__"),
        ] {
            assert_eq!(said(condition), expected, "{condition}");
        }
    }

    #[test]
    fn what_amd_skips_for_good_is_left_out() {
        for (text, expected) in [
            ("#ifdef __CUDA_ARCH__\nint x;\n#endif\n", false),
            ("#if __CUDA_ARCH__ >= 700\nint x;\n#endif\n", false),
            ("#if __CUDA_ARCH__ >= 900\nint x;\n#endif\n", true),
            ("#if __CUDA_ARCH__ >= 900\n#else\nint x;\n#endif\n", false),
            (
                "#if __CUDA_ARCH__ >= 900\n#if MINE\nint x;\n#endif\n#endif\n",
                true,
            ),
            ("#if __CUDA_ARCH__ == 700\nint x;\n#endif\n", true),
            (
                "#if __CUDA_ARCH__ >= 700\nint x; asm(\"wgmma.fence.sync.aligned;\");\n#endif\n",
                true,
            ),
            // Old code behind what AMD takes.
            ("#if CUDNN_VERSION >= 5000\n#else\nint x;\n#endif\n", true),
            ("#if CUDNN_VERSION >= 9500\n#else\nint x;\n#endif\n", false),
            (
                "#define MIN(a) (CUDNN_VERSION >= (a))\n#if MIN(5000)\n#else\nint x;\n#endif\n",
                true,
            ),
            ("#if MINE\nint x;\n#endif\n", false),
            ("int x;\n", false),
        ] {
            let is_out = of_file(text, |cx| is_left_out(cx, cx.range(first(cx, "x")).start));
            assert_eq!(is_out, expected, "{text}");
        }
    }

    #[test]
    fn a_name_stands_in_a_branch_about_its_family() {
        for (text, expected) in [
            ("#if __CUDA_ARCH__ > 1\nint x;\n#endif\n", true),
            (
                "#if __CUDA_ARCH__ > 1\n#else\n#if MINE\nint x;\n#endif\n#endif\n",
                true,
            ),
            ("#if CUDART_VERSION > 1\nint x;\n#endif\n", false),
            ("int x;\n", false),
        ] {
            let is_in = of_file(text, |cx| {
                is_in_branch_about(cx, first(cx, "x"), Family::Arch)
            });
            assert_eq!(is_in, expected, "{text}");
        }
    }
}
