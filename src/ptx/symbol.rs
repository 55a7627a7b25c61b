//! What the names of a module stand for.

use std::collections::BTreeMap;

use super::types::Type;

/// The names of a module with what they stand for.
pub type Symbols = BTreeMap<String, Symbol>;

/// A variable, parameter or function.
#[derive(Clone, Debug)]
pub struct Symbol {
    /// Its name in C++.
    pub(super) name: String,
    /// Where it lies.
    pub(super) space: Space,
    /// It is one value of this type; `None` for arrays, functions and parameters of bytes.
    pub(super) scalar: Option<Type>,
    /// Its name alone is its address.
    pub(super) is_address: bool,
}

impl Symbol {
    /// Its address as an expression.
    pub(super) fn address(&self) -> String {
        match self.is_address {
            true => self.name.clone(),
            false => format!("&{}", self.name),
        }
    }

    /// Name and type of one value.
    pub(super) fn scalar(&self) -> Option<(&str, Type)> {
        self.scalar.map(|ty| (self.name.as_str(), ty))
    }
}

/// Where a symbol lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Space {
    /// LDS.
    Shared,
    /// Anywhere that an ordinary pointer points at.
    Generic,
}
