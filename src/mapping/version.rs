use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A release of CUDA or ROCm: major and minor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Version {
    /// `6` of 6.4.
    pub major: u16,
    /// `4` of 6.4.
    pub minor: u16,
}

/// From which release (included) to which (excluded) something exists; an open end is not known or not reached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Span {
    /// First release that has it.
    pub since: Option<Version>,
    /// First release that no longer has it.
    pub until: Option<Version>,
}

impl Version {
    /// `major.minor`.
    pub const fn new(major: u16, minor: u16) -> Self {
        Self { major, minor }
    }
}

impl Span {
    /// Whether `version` lies in the span.
    pub fn contains(self, version: Version) -> bool {
        self.since.is_none_or(|since| since <= version)
            && self.until.is_none_or(|until| version < until)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

impl FromStr for Version {
    type Err = String;

    /// Reads `6`, `6.4` or `6.4.1`; the patch level is dropped.
    fn from_str(text: &str) -> Result<Self, String> {
        let mut parts = text.split('.').map(str::parse::<u16>);
        let bad = || format!("`{text}` is not a version: write it like 6.4");
        let major = parts.next().and_then(Result::ok).ok_or_else(bad)?;
        let minor = parts.next().unwrap_or(Ok(0)).map_err(|_| bad())?;
        let patch_is_fine =
            parts.next().is_none_or(|patch| patch.is_ok()) && parts.next().is_none();
        if patch_is_fine {
            Ok(Self { major, minor })
        } else {
            Err(bad())
        }
    }
}

impl FromStr for Span {
    type Err = String;

    /// Reads `5.2`, `5.2..7.0` or `..7.0`.
    fn from_str(text: &str) -> Result<Self, String> {
        let (since, until) = text.split_once("..").unwrap_or((text, ""));
        let part = |text: &str| {
            if text.is_empty() {
                Ok(None)
            } else {
                text.parse().map(Some)
            }
        };
        Ok(Self {
            since: part(since)?,
            until: part(until)?,
        })
    }
}
