//! What somebody who includes a file comes to, in the order of a compiler.

/// What somebody who includes a file comes to first, in the order of a compiler.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Brought {
    /// A macro called like a function of C++'s library, before the runtime header.
    pub(crate) has_macro: bool,
    pub(crate) has_runtime: bool,
}

impl Brought {
    /// Adds what comes next.
    pub(super) fn go_on(&mut self, next: Self) {
        self.has_macro |= next.has_macro;
        self.has_runtime |= next.has_runtime;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_come_stays() {
        const NOTHING: Brought = Brought {
            has_macro: false,
            has_runtime: false,
        };
        const MACRO: Brought = Brought {
            has_macro: true,
            has_runtime: false,
        };
        const RUNTIME: Brought = Brought {
            has_macro: false,
            has_runtime: true,
        };
        for (parts, expected) in [
            (&[][..], (false, false)),
            (&[NOTHING, RUNTIME, NOTHING], (false, true)),
            (&[MACRO, RUNTIME], (true, true)),
            (&[MACRO, NOTHING], (true, false)),
        ] {
            let mut all = Brought::default();
            parts.iter().for_each(|next| all.go_on(*next));
            assert_eq!((all.has_macro, all.has_runtime), expected);
        }
    }
}
