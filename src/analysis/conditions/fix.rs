//! The edits that extend a condition about CUDA's macros so that AMD takes the branch that was meant.

use crate::analysis::conditions::truth::truth;
use crate::analysis::unit::Unit;
use crate::cpp::conditions::expression::{CudaMacro, Expr, Family, World};
use crate::cpp::conditions::groups::Branch;
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
    // A function that AMD's headers have must go in both passes: they declare it in both.
    let hip = if !on && known.family == Family::Arch && redefines(cx.doc, cx.table(), branch.body) {
        "__HIPCC__"
    } else {
        known.hip
    };
    let new_keyword = |text: &'static str| Edit::replace(cx.range(keyword), text);
    match cx.doc.bytes(keyword) {
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
    }
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
    let bare = bare || cx.doc.partner(operands.start) == Some(operands.end - 1);
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
        if truth(cx, atom, World::Today) == Some(meant) {
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
