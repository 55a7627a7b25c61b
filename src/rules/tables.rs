//! Which rule applies a row of the tables.

use super::{Rule, api, library};
use crate::mapping::{ApiEntry, Kind, Support};

/// The rule that does what an entry says, or tells that nothing can be done.
pub(crate) fn rule_of(entry: &ApiEntry) -> &'static Rule {
    match (entry.kind, entry.support) {
        (Kind::Header, _) => &api::rewrite_include::RULE,
        (Kind::Field, _) => &api::rename_field::RULE,
        (Kind::Namespace, _) => &api::rename_namespace::RULE,
        (_, support) => rule_of_support(support),
    }
}

/// The rule for names that are so well supported.
pub(crate) fn rule_of_support(support: Support) -> &'static Rule {
    match support {
        Support::Full => &api::rename_api::RULE,
        Support::Review => &api::review_api::RULE,
        Support::Unsupported => &api::unsupported_api::RULE,
    }
}

/// The rule that writes a helper in a function's place.
pub(crate) fn rule_of_helpers() -> &'static Rule {
    &library::helper_function::RULE
}
