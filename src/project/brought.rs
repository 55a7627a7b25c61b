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
