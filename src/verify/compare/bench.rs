//! One place under comparison, and the result for one case.

use schemars::JsonSchema;
use serde::Serialize;

use super::compared::Compared;
use super::numbers::Numbers;
use crate::verify::finding::{Difference, Kind};
use crate::verify::manifest::Judgement;

/// Differences that are kept by place; more are counted.
const MOST: usize = 20;

/// The result for one case.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CaseResult {
    /// The name of the case.
    pub name: String,
    /// Whether it computes the same.
    pub same: bool,
    /// What was found.
    pub differences: Vec<Difference>,
    /// What was compared, by place.
    pub compared: Vec<Compared>,
    /// Median seconds of the original and of the port; not compared.
    pub seconds: [f64; 2],
    /// Kernel launches of the original and of the port, where they were counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub launches: Option<[u64; 2]>,
    /// Hashes of what was compared: cases of one group with the same output have the same.
    #[serde(skip)]
    pub(super) signatures: [u64; 2],
    #[serde(skip)]
    pub(super) group: String,
    #[serde(skip)]
    pub(super) has_failed: bool,
}

/// One place under comparison.
pub(in crate::verify) struct Bench<'a> {
    pub(super) place: String,
    pub(super) judgement: &'a Judgement,
    /// How often the original ran.
    pub(super) runs: u32,
    pub(super) compared: Compared,
    pub(super) differences: Vec<Difference>,
    pub(super) numbers: Numbers,
}

impl<'a> Bench<'a> {
    pub(super) fn new(place: &str, judgement: &'a Judgement, runs: u32) -> Self {
        Self {
            place: place.to_owned(),
            judgement,
            runs,
            compared: Compared {
                place: place.to_owned(),
                ..Compared::default()
            },
            differences: Vec::new(),
            numbers: Numbers::default(),
        }
    }

    pub(super) fn found(&mut self, difference: Difference) {
        if self.differences.len() < MOST {
            self.differences.push(difference);
        } else {
            self.compared.more += 1;
        }
    }

    pub(super) fn left_out(&mut self, reason: &str) {
        *self.compared.left_out.entry(reason.to_owned()).or_default() += 1;
    }
}

impl CaseResult {
    pub(super) fn missing(name: &str, side: &str) -> Self {
        let message = format!("{side} has no case `{name}`");
        Self {
            name: name.to_owned(),
            same: false,
            differences: vec![Difference::new(Kind::CaseMissing, "run", message)],
            compared: Vec::new(),
            seconds: [0.0; 2],
            launches: None,
            signatures: [0; 2],
            group: String::new(),
            has_failed: true,
        }
    }
}
