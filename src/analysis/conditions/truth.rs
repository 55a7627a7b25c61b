//! What a condition is worth in a world: on AMD as the text stands, and as it was meant.

use crate::analysis::unit::Unit;
use crate::cpp::conditions::expression::{Atom, Expr, World};
use crate::cpp::conditions::groups::{constant_of, outcomes};

/// The constant value of a condition in a world, whatever else it depends on.
pub(crate) fn constant(cx: &Unit<'_, '_>, condition: &Expr, world: World) -> Option<bool> {
    constant_of(&outcomes(condition, &truths(cx, condition, world)))
}

/// The truth of an atom in a world, with the numbers of the tree.
pub(super) fn truth(cx: &Unit<'_, '_>, atom: &Atom, world: World) -> Option<bool> {
    atom.truth_with(cx.doc, &|name| cx.constant(name), world)
}

/// The truth of each atom of a condition.
pub(super) fn truths(cx: &Unit<'_, '_>, condition: &Expr, world: World) -> Vec<Option<bool>> {
    let atoms = condition.atoms();
    atoms.iter().map(|atom| truth(cx, atom, world)).collect()
}
