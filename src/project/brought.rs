//! What somebody who includes a file comes to, in the order of a compiler.

/// What somebody who includes a file comes to first, in the order of a compiler.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Brought {
    /// A macro called like a function of C++'s library, before the runtime header.
    pub(crate) has_macro: bool,
    pub(crate) has_runtime: bool,
    /// The runtime header, for a compiler of the host: not behind `#ifdef __CUDACC__`.
    pub(crate) has_runtime_on_host: bool,
}

impl Brought {
    /// What the runtime header itself brings.
    pub(super) const RUNTIME: Self = Self {
        has_macro: false,
        has_runtime: true,
        has_runtime_on_host: true,
    };

    /// Adds what comes next.
    pub(super) fn go_on(&mut self, next: Self) {
        self.has_macro |= next.has_macro;
        self.has_runtime |= next.has_runtime;
        self.has_runtime_on_host |= next.has_runtime_on_host;
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
            has_runtime_on_host: false,
        };
        const MACRO: Brought = Brought {
            has_macro: true,
            has_runtime: false,
            has_runtime_on_host: false,
        };
        const RUNTIME: Brought = Brought {
            has_macro: false,
            has_runtime: true,
            has_runtime_on_host: true,
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
