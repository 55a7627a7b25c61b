//! A word for rules on a command line: any is taken, for there are groups, old names and messages, and shells complete codes.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, Command, Error};

use crate::rules;

/// Takes every text; what it offers are the codes of rules with their names.
#[derive(Clone)]
pub(super) struct RuleWord;

impl TypedValueParser for RuleWord {
    type Value = String;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<String, Error> {
        StringValueParser::new().parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let rules = rules::all().iter();
        let offered = rules.map(|(rule, _)| PossibleValue::new(rule.code).help(rule.name));
        Some(Box::new(offered))
    }
}
