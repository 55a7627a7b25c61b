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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpp::conditions::groups::groups;
    use crate::engine::probe::of_tree;
    use crate::options::Options;

    /// The value of the last condition of the first file on AMD as it stands, and as it was meant on the host and on the device.
    fn worths(files: &[(&str, &str)]) -> [Option<bool>; 3] {
        of_tree(files, Options::default(), |cx| {
            let groups = groups(cx.doc);
            let group = groups.iter().last().expect("there is one");
            let condition = group.branches[0].condition.as_ref();
            let condition = condition.expect("it is no `#else`");
            [World::AsWritten, World::Host, World::Device]
                .map(|world| constant(cx, condition, world))
        })
    }

    #[test]
    fn a_condition_has_a_worth_in_each_world() {
        const YES: Option<bool> = Some(true);
        const NO: Option<bool> = Some(false);
        for (text, expected) in [
            ("#ifdef __CUDA_ARCH__", [NO, NO, YES]),
            ("#ifndef __CUDACC__", [YES, NO, NO]),
            ("#if __CUDA_ARCH__ >= 700", [NO, NO, YES]),
            ("#if __CUDA_ARCH__ >= 900", [NO, NO, NO]),
            (
                "#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600",
                [YES, YES, YES],
            ),
            (
                "#if CUDART_VERSION >= 11000 && CUDART_VERSION < 13000",
                [NO, YES, YES],
            ),
            ("#if FAST && __CUDACC__", [NO, None, None]),
            ("#if FAST || __CUDACC__", [None, YES, YES]),
            ("#if 0 && __CUDACC__", [NO, NO, NO]),
            ("#if __CUDA_ARCH__ == 700", [NO, None, None]),
            ("#define MIN 700\n#if __CUDA_ARCH__ >= MIN", [NO, NO, YES]),
            ("#if __CUDA_ARCH__ >= UNKNOWN", [None, None, None]),
        ] {
            let text = format!("{text} // why\nint a;\n#endif\n");
            assert_eq!(worths(&[("a.cu", &text)]), expected, "{text}");
        }
    }

    #[test]
    fn numbers_of_the_tree_count() {
        let text = "#include \"min.h\"\n#if __CUDA_ARCH__ >= MIN\n#endif\n";
        let with = |header| worths(&[("a.cu", text), ("min.h", header)])[2];
        assert_eq!(with("#define MIN (7 * 100)\n"), Some(true));
        assert_eq!(with("#define MIN 900\n"), Some(false));
        assert_eq!(with("#define MAX 900\n"), None);
    }
}
