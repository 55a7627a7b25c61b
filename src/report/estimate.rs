//! How long a port may take: minutes for what has to be learnt once, and minutes for each further place. The numbers are assumptions,
//! said beside the result; a project that knows better writes its own into `cass.toml`.

use super::model::Report;
use super::problems::{Problem, problems};
use crate::diagnostic::Severity;
use crate::options::Minutes;

/// One line of the estimate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Share {
    /// What is counted.
    pub(super) what: &'static str,
    /// What is assumed of it.
    pub(super) minutes: Minutes,
    /// Different problems.
    pub(super) problems: usize,
    /// Places of all of them.
    pub(super) places: usize,
}

impl Share {
    /// From and to, in minutes.
    pub(super) fn range(&self) -> [u64; 2] {
        let further = (self.places - self.problems) as u64;
        let sum = |at: usize| {
            self.problems as u64 * u64::from(self.minutes.first[at])
                + further * u64::from(self.minutes.again[at])
        };
        [sum(0), sum(1)]
    }
}

/// The kinds of problems that a report has, and what they may take.
pub(super) fn shares(report: &Report) -> Vec<Share> {
    let weights = &report.weights;
    let mut shares = [
        ("to change by hand", weights.error),
        ("to look at", weights.warning),
        ("changed by the translation, to be read", weights.review),
    ]
    .map(|(what, minutes)| Share {
        what,
        minutes,
        problems: 0,
        places: 0,
    })
    .to_vec();
    for problem in problems(report) {
        let share = &mut shares[kind(&problem)];
        share.problems += 1;
        share.places += problem.places;
    }
    shares.retain(|share| share.problems > 0);
    shares
}

/// Place of a problem's kind among the shares.
fn kind(problem: &Problem<'_>) -> usize {
    match problem.finding.severity {
        Severity::Error => 0,
        _ if problem.applied < problem.places => 1,
        _ => 2,
    }
}

/// From and to of all shares, in minutes.
pub(super) fn total(shares: &[Share]) -> [u64; 2] {
    let ranges = shares.iter().map(Share::range);
    ranges.fold([0, 0], |sum, range| [sum[0] + range[0], sum[1] + range[1]])
}

/// A range as people say it: minutes below two hours, hours below two days, else days of eight hours; both ends rounded up.
pub(super) fn words([from, to]: [u64; 2]) -> String {
    let (unit, minutes) = match to {
        0..=120 => ("minute", 1),
        121..=960 => ("hour", 60),
        _ => ("day", 480),
    };
    let (from, to) = (from.div_ceil(minutes), to.div_ceil(minutes));
    let unit = super::plural::plural(to as usize, unit);
    if from == to {
        return format!("{to} {unit}");
    }
    format!("{from} to {to} {unit}")
}

/// What the numbers rest on, and what they leave out.
pub(super) const ASSUMPTIONS: &str = "One person who knows CUDA and reads HIP for the first time; a day has eight hours. A problem is understood once, its further places \
     are changed after the same pattern. Nobody has measured these minutes: solve two problems, and write your own numbers into \
     `[estimate]` of `cass.toml`. Not in it: building, tests, performance, and what no text shows. A library without a counterpart counts \
     as any other error, and may be weeks.";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn further_places_take_less_than_first_ones() {
        let share = |problems, places| Share {
            what: "",
            minutes: Minutes {
                first: [30, 240],
                again: [2, 10],
            },
            problems,
            places,
        };
        assert_eq!(share(1, 474).range(), [30 + 473 * 2, 240 + 473 * 10]);
        assert_eq!(share(3, 3).range(), [90, 720]);
    }

    #[test]
    fn ranges_are_said_in_the_unit_of_their_end() {
        assert_eq!(words([5, 30]), "5 to 30 minutes");
        assert_eq!(words([30, 240]), "1 to 4 hours");
        assert_eq!(words([90, 961]), "1 to 3 days");
        assert_eq!(words([481, 900]), "9 to 15 hours");
        assert_eq!(words([60, 60]), "60 minutes");
    }
}
