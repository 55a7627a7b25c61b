//! Of what and when a report is: what a person wants to read at its top. Formats for programs leave it out, so that the same sources
//! and options give the same bytes.

/// The project, the commit, the day and the command of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Run {
    /// What the project is called: the folder of its repository, and the part of it that was read.
    pub project: String,
    /// The file or folder that was read, as a shell would take it.
    pub source: String,
    /// The commit of the sources, where they lie in a repository.
    pub commit: Option<Commit>,
    /// When: seconds since 1970 in UTC.
    pub seconds: u64,
    /// The command line, as a shell would take it.
    pub command: String,
}

/// A commit and whether the files are still its.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commit {
    /// The first characters of its hash, as many as name it alone.
    pub id: String,
    /// Whether tracked files differ from it.
    pub is_changed: bool,
}

impl Run {
    /// The day and the minute: `2026-11-22 11:45 UTC`.
    pub fn date(&self) -> String {
        let (days, rest) = (self.seconds / 86_400, self.seconds % 86_400);
        let (year, month, day) = civil(days);
        let (hour, minute) = (rest / 3600, rest / 60 % 60);
        format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02} UTC")
    }
}

impl Commit {
    /// The commit in words: `ba1b78d, with changes that are not committed`.
    pub fn words(&self) -> String {
        let changes = if self.is_changed {
            ", with changes that are not committed"
        } else {
            ""
        };
        format!("{}{changes}", self.id)
    }
}

/// Year, month and day of a day since 1970-01-01, in the Gregorian calendar (Howard Hinnant's `civil_from_days`, for days from 1970 on).
fn civil(days: u64) -> (u64, u64, u64) {
    // Years that begin in March: the leap day is their last.
    let shifted = days + 719_468;
    let (era, of_era) = (shifted / 146_097, shifted % 146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 {
        (month + 3, 0)
    } else {
        (month - 9, 1)
    };
    (year + era * 400 + next, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_days_of_the_calendar() {
        let date = |seconds| {
            Run {
                seconds,
                ..Run::default()
            }
            .date()
        };
        // `date -u -d @SECONDS`.
        assert_eq!(date(0), "1970-01-01 00:00 UTC");
        assert_eq!(date(951_782_399), "2000-02-28 23:59 UTC");
        assert_eq!(date(951_782_400), "2000-02-29 00:00 UTC");
        assert_eq!(date(1_709_251_199), "2024-02-29 23:59 UTC");
        assert_eq!(date(1_767_225_600), "2026-01-01 00:00 UTC");
        assert_eq!(date(4_107_542_400), "2100-03-01 00:00 UTC");
    }
}
