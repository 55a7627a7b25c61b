//! What somebody who includes a file comes to, in the order of a compiler.

/// What somebody who includes a file comes to first, in the order of a compiler.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Brought {
    /// A macro called like a function of C++'s library, before the runtime header.
    pub(crate) has_macro: bool,
    pub(crate) has_runtime: bool,
    /// The runtime header, for a compiler of the host: not behind `#ifdef __CUDACC__`.
    pub(crate) has_runtime_on_host: bool,
    /// CUDA's vector types in a header that neither has them nor comes to them before.
    pub(crate) lacks_vectors: bool,
    /// What brings these types: the runtime header, or one that is given it.
    pub(crate) has_vectors: bool,
}

impl Brought {
    /// What the runtime header itself brings.
    pub(super) const RUNTIME: Self = Self {
        has_macro: false,
        has_runtime: true,
        has_runtime_on_host: true,
        lacks_vectors: false,
        has_vectors: true,
    };

    /// Adds what comes next.
    pub(super) fn go_on(&mut self, next: Self) {
        self.lacks_vectors |= !self.has_vectors && next.lacks_vectors;
        self.has_vectors |= next.has_vectors;
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
            lacks_vectors: false,
            has_vectors: false,
        };
        const MACRO: Brought = Brought {
            has_macro: true,
            ..NOTHING
        };
        const USER: Brought = Brought {
            lacks_vectors: true,
            ..NOTHING
        };
        const RUNTIME: Brought = Brought::RUNTIME;
        for (parts, expected) in [
            (&[][..], (false, false, false)),
            (&[NOTHING, RUNTIME, NOTHING], (false, true, false)),
            (&[MACRO, RUNTIME], (true, true, false)),
            (&[MACRO, NOTHING], (true, false, false)),
            (&[USER, RUNTIME], (false, true, true)),
            (&[RUNTIME, USER], (false, true, false)),
        ] {
            let mut all = Brought::default();
            parts.iter().for_each(|next| all.go_on(*next));
            let found = (all.has_macro, all.has_runtime, all.lacks_vectors);
            assert_eq!(found, expected);
        }
    }
}
