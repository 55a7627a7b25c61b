//! Generators of random numbers with rocRAND's numbers.

pub(crate) mod xorwow;
