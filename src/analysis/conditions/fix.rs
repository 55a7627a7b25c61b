//! The edits that extend a condition about CUDA's macros so that AMD takes the branch that was meant.

use crate::analysis::conditions::truth::truth;
use crate::analysis::unit::Unit;
use crate::cpp::conditions::both_passes::{
    is_needed_in_both, spaces_among_others, spaces_of_macros,
};
use crate::cpp::conditions::cuda_macros::{CudaMacro, Family};
use crate::cpp::conditions::expression::{Expr, World};
use crate::cpp::conditions::groups::{Branch, groups};
use crate::cpp::definitions::redefines;
use crate::edit::Edit;

/// How a condition is extended.
pub(crate) enum Extension {
    /// One term at its end.
    Whole,
    /// A term beside each atom.
    Atoms,
}

/// The edits of one condition; none for a form of directive that has no room for a term.
pub(crate) fn edits(
    cx: &Unit<'_, '_>,
    branch: &Branch,
    on: bool,
    known: &CudaMacro,
    extension: &Extension,
) -> Vec<Edit> {
    let operands = branch.directive.operands();
    let keyword = branch.directive.tokens.start + 1;
    let name = cx.text(operands.start);
    // A term beside each question is for the device's pass.
    let is_whole = matches!(extension, Extension::Whole);
    let spaces = (on && is_whole && known.family == Family::Arch)
        .then(|| spaces_of_macros(cx.doc, branch))
        .flatten();
    let is_of_both_passes = match on {
        true => spaces.is_some() || is_needed_in_both(cx.doc, branch),
        // A function that AMD's headers have must go in both passes: they declare it in both.
        false => redefines(cx.doc, cx.table(), branch.body),
    };
    let hip = match known.family == Family::Arch && is_of_both_passes {
        true => "__HIPCC__",
        false => known.hip,
    };
    let new_keyword = |text: &'static str| Edit::replace(cx.range(keyword), text);
    let mut edits = match cx.doc.bytes(keyword) {
        b"ifdef" => vec![
            new_keyword("if"),
            Edit::replace(
                cx.range(operands.start),
                format!("defined({name}) || defined({hip})"),
            ),
        ],
        b"ifndef" => vec![
            new_keyword("if"),
            Edit::replace(
                cx.range(operands.start),
                format!("!defined({name}) && !defined({hip})"),
            ),
        ],
        b"if" | b"elif" => match extension {
            Extension::Whole => whole(cx, branch, on, hip),
            Extension::Atoms => beside_atoms(cx, branch),
        },
        _ => Vec::new(),
    };
    if !edits.is_empty() {
        let widened = spaces.unwrap_or_default().into_iter();
        edits.extend(widened.map(|at| Edit::insert(cx.range(at).start, "__host__ ")));
        if on && known.family == Family::Arch && !is_of_both_passes {
            edits.extend(spaces_behind(cx, branch));
        }
    }
    edits
}

/// The macros of a branch that say where functions run, once more behind its group: in both of clang's passes they say the same.
fn spaces_behind(cx: &Unit<'_, '_>, branch: &Branch) -> Option<Edit> {
    let doc = cx.doc;
    let groups = groups(doc);
    let group = groups.that_begins(doc, branch)?;
    let macros = spaces_among_others(doc, branch);
    let last = group.branches.last()?;
    let at = doc.token_at(last.body.end);
    let endif = doc.directives[doc.directive_of(at)?].range;
    let end = endif.start + doc.source.slice(endif).trim_ascii_end().len() as u32;
    let newline = doc.newline();
    let define = |(name, words): &(String, String)| {
        format!("#undef {name}{newline}#define {name} {words}{newline}")
    };
    let defines: String = macros.iter().map(define).collect();
    let text = format!("{newline}#ifdef __HIPCC__{newline}{defines}#endif");
    (!macros.is_empty()).then(|| Edit::insert(end, text))
}

/// `cond || defined(H)` or `cond && !defined(H)`, in parentheses where a reader needs them.
fn whole(cx: &Unit<'_, '_>, branch: &Branch, on: bool, hip: &str) -> Vec<Edit> {
    let operands = branch.directive.operands();
    let range = cx.doc.range(operands.start, operands.end - 1);
    let bare = match &branch.condition {
        Some(Expr::Or(_)) => on,
        Some(Expr::And(_)) => !on,
        _ => true,
    };
    let bare = bare || cx.doc.matching_bracket(operands.start) == Some(operands.end - 1);
    let term = if on {
        format!(" || defined({hip})")
    } else {
        format!(" && !defined({hip})")
    };
    if bare {
        return vec![Edit::insert(range.end, term)];
    }
    vec![
        Edit::insert(range.start, "("),
        Edit::insert(range.end, format!("){term}")),
    ]
}

/// Each atom about a macro of CUDA gets the value that was meant, by a term beside it.
fn beside_atoms(cx: &Unit<'_, '_>, branch: &Branch) -> Vec<Edit> {
    let Some(condition) = &branch.condition else {
        return Vec::new();
    };
    let mut edits = Vec::new();
    for atom in condition.atoms() {
        let (Some(known), Some(meant)) = (atom.about, truth(cx, atom, World::Device)) else {
            continue;
        };
        if truth(cx, atom, World::AsWritten) == Some(meant) {
            continue;
        }
        let range = cx.doc.range(atom.tokens.start, atom.tokens.end - 1);
        let (operator, not) = if meant { ("||", "") } else { ("&&", "!") };
        let enclosed = cx.doc.is_before(atom.tokens.start, "(") && cx.doc.is(atom.tokens.end, ")");
        let term = format!(" {operator} {not}defined({})", known.hip);
        if enclosed {
            edits.push(Edit::insert(range.end, term));
        } else {
            edits.push(Edit::insert(range.start, "("));
            edits.push(Edit::insert(range.end, term + ")"));
        }
    }
    edits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpp::conditions::groups::groups;
    use crate::engine::probe::{applied, of_file};

    /// The text with its first condition extended, by the macro of CUDA that it names.
    fn extended(text: &str, on: bool, extension: &Extension) -> String {
        of_file(text, |cx| {
            let groups = groups(cx.doc);
            let group = groups.iter().last().expect("the outermost comes last");
            let branch = &group.branches[0];
            let about = |condition: &Expr| condition.atoms().iter().find_map(|atom| atom.about);
            let known = branch.condition.as_ref().and_then(about);
            let known = known.expect("it names a macro of CUDA");
            applied(cx, &edits(cx, branch, on, known, extension))
        })
    }

    #[test]
    fn one_term_extends_a_whole_condition() {
        for (text, on, expected) in [
            (
                "ifdef __CUDA_ARCH__",
                true,
                "if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)",
            ),
            (
                "ifndef __CUDACC__",
                false,
                "if !defined(__CUDACC__) && !defined(__HIPCC__)",
            ),
            (
                "  ifdef  __CUDACC__  // nvcc\r",
                true,
                "  if  defined(__CUDACC__) || defined(__HIPCC__)  // nvcc\r",
            ),
            (
                "if __CUDACC__ /* nvcc */",
                true,
                "if __CUDACC__ || defined(__HIPCC__) /* nvcc */",
            ),
            (
                "if A || __CUDACC__",
                true,
                "if A || __CUDACC__ || defined(__HIPCC__)",
            ),
            (
                "if A && __CUDACC__",
                true,
                "if (A && __CUDACC__) || defined(__HIPCC__)",
            ),
            (
                "if (A && __CUDACC__)",
                true,
                "if (A && __CUDACC__) || defined(__HIPCC__)",
            ),
            (
                "if (A) && (__CUDACC__)",
                true,
                "if ((A) && (__CUDACC__)) || defined(__HIPCC__)",
            ),
            (
                "if A && !__CUDACC__",
                false,
                "if A && !__CUDACC__ && !defined(__HIPCC__)",
            ),
            (
                "if A || !__CUDACC__",
                false,
                "if (A || !__CUDACC__) && !defined(__HIPCC__)",
            ),
            (
                "if CUDART_VERSION >= \\\n  9000",
                true,
                "if CUDART_VERSION >= \\\n  9000 || defined(__HIP_PLATFORM_AMD__)",
            ),
        ] {
            let whole = |line: &str| format!("#{line}\nint a;\n#endif\n");
            let found = extended(&whole(text), on, &Extension::Whole);
            assert_eq!(found, whole(expected), "{text}");
        }
    }

    #[test]
    fn a_term_stands_beside_each_atom_that_would_be_another_on_amd() {
        for (text, expected) in [
            (
                "if __CUDA_ARCH__ >= 700 && FAST",
                "if (__CUDA_ARCH__ >= 700 || defined(__HIP_DEVICE_COMPILE__)) && FAST",
            ),
            (
                "if FAST && (__CUDA_ARCH__ >= 700)",
                "if FAST && (__CUDA_ARCH__ >= 700 || defined(__HIP_DEVICE_COMPILE__))",
            ),
            (
                "if FAST && __CUDA_ARCH__ < 700",
                "if FAST && (__CUDA_ARCH__ < 700 && !defined(__HIP_DEVICE_COMPILE__))",
            ),
            // AMD's answer is the meant one already.
            (
                "if FAST && __CUDA_ARCH__ < 900",
                "if FAST && __CUDA_ARCH__ < 900",
            ),
            (
                "if FAST && __CUDA_ARCH__ == 700",
                "if FAST && __CUDA_ARCH__ == 700",
            ),
        ] {
            let whole = |line: &str| format!("#{line}\nint a;\n#endif\n");
            let found = extended(&whole(text), true, &Extension::Atoms);
            assert_eq!(found, whole(expected), "{text}");
        }
    }

    #[test]
    fn a_function_that_amd_declares_goes_in_both_passes() {
        let text = |condition: &str| {
            format!(
                "#{condition}\n__device__ double atomicAdd(double* a, double b) {{ return b; }}\n#endif\n"
            )
        };
        assert_eq!(
            extended(&text("if __CUDA_ARCH__ < 600"), false, &Extension::Whole),
            text("if __CUDA_ARCH__ < 600 && !defined(__HIPCC__)")
        );
    }

    #[test]
    fn a_form_without_room_for_a_term_stays() {
        let text = "#if X\n#elifdef __CUDACC__\nint a;\n#endif\n";
        of_file(text, |cx| {
            let groups = groups(cx.doc);
            let branch = &groups.iter().next().expect("there is one").branches[1];
            let known = crate::cpp::conditions::cuda_macros::cuda_macro(b"__CUDACC__")
                .expect("it is known");
            assert_eq!(edits(cx, branch, true, known, &Extension::Whole), []);
        });
    }
}
