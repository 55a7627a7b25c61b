//! What a run of `try` found, with what the port's records say of each place.

use std::collections::BTreeMap;

use serde::Serialize;

use super::find::Place;
use crate::pipeline::slashed;
use crate::port::{Hash, Notes};
use crate::symptom;
use crate::trial::{Attempt, Cause, Compiler, Located, Unit, Units, Verdict, Way, causes};

/// Everything that is printed.
#[derive(Debug, Serialize)]
pub(super) struct Outcome {
    /// Version of this format; grows when a field changes its meaning.
    schema_version: u32,
    /// The compiler and its version.
    pub(super) compiler: String,
    pub(super) compiler_version: String,
    pub(super) rocm: Option<String>,
    pub(super) targets: Vec<String>,
    /// How the units were found.
    pub(super) found_by: String,
    /// What could not be found.
    pub(super) notes: Vec<String>,
    /// Sources with device code that no command compiles.
    pub(super) without_unit: Vec<String>,
    pub(super) totals: Totals,
    /// Why units fail, those that stop most units first.
    pub(super) causes: Vec<Told>,
    pub(super) units: Vec<Tried>,
}

/// Counts of units.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(super) struct Totals {
    pub(super) units: usize,
    pub(super) compile: usize,
    pub(super) fail: usize,
    /// A person ended the run before.
    pub(super) not_tried: usize,
    /// Units that fail at a place of which the translation said nothing.
    pub(super) silent: usize,
}

/// Units that fail for one reason.
#[derive(Debug, Serialize)]
pub(super) struct Told {
    /// What the compiler says.
    pub(super) message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) name: Option<String>,
    /// How many units it stops.
    pub(super) count: usize,
    pub(super) places: Vec<At>,
    /// What is known of such messages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) advice: Option<&'static str>,
}

/// A place where units stop.
#[derive(Debug, Serialize)]
pub(super) struct At {
    /// In the port; none where nothing of it is to blame.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) file: Option<String>,
    pub(super) line: u32,
    pub(super) column: u32,
    /// The line itself.
    pub(super) text: String,
    /// Where the compiler stopped in a header of others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) outside: Option<String>,
    /// The same place in the sources: file and line; no line where work by hand moved it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) source: Option<(String, Option<u32>)>,
    /// What the translation said of it.
    pub(super) findings: Vec<Said>,
    /// The translation kept records and said nothing.
    pub(super) silent: bool,
    pub(super) units: Vec<String>,
}

/// A finding of the translation.
#[derive(Debug, Serialize)]
pub(super) struct Said {
    pub(super) code: String,
    pub(super) severity: String,
    pub(super) message: String,
    pub(super) help: String,
}

/// One unit.
#[derive(Debug, Serialize)]
pub(super) struct Tried {
    pub(super) file: String,
    pub(super) result: &'static str,
    /// `host`, or the chip.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) pass: String,
    /// All errors of the pass that were read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) errors: Vec<String>,
}

impl Outcome {
    pub(super) fn new(
        port: &Place,
        compiler: &Compiler,
        units: &Units,
        attempts: &[Attempt],
        without_unit: Vec<String>,
    ) -> Self {
        let records = Records::new(port);
        let name = |unit: &Unit| slashed(unit.file.strip_prefix(&port.out).unwrap_or(&unit.file));
        let names: Vec<String> = units.units.iter().map(name).collect();
        let causes = causes(&units.units, attempts, &port.out);
        let causes: Vec<Told> = causes
            .into_iter()
            .map(|cause| records.told(cause, &names))
            .collect();
        let count = |verdict| {
            attempts
                .iter()
                .filter(|attempt| attempt.verdict == verdict)
                .count()
        };
        let places = causes.iter().flat_map(|cause| &cause.places);
        let totals = Totals {
            units: attempts.len(),
            compile: count(Verdict::Compiles),
            fail: count(Verdict::Fails),
            not_tried: count(Verdict::NotTried),
            silent: places.filter(|at| at.silent).map(|at| at.units.len()).sum(),
        };
        Self {
            schema_version: 1,
            compiler: compiler.program.display().to_string(),
            compiler_version: compiler.version.clone(),
            rocm: compiler
                .rocm
                .as_ref()
                .map(|rocm| rocm.display().to_string()),
            targets: compiler.targets.clone(),
            found_by: found_by(&units.way),
            notes: units.missing.clone(),
            without_unit,
            totals,
            causes,
            units: names
                .into_iter()
                .zip(attempts)
                .map(|(file, attempt)| tried(file, attempt))
                .collect(),
        }
    }
}

fn found_by(way: &Way) -> String {
    match way {
        Way::Database(file) => format!("compilation database {}", file.display()),
        Way::CMake => "CMake".to_owned(),
        Way::Make(1) => "make -n".to_owned(),
        Way::Make(folders) => format!("make -n in {folders} folders"),
        Way::Includes => "sources with device code, include folders from their includes".to_owned(),
    }
}

fn tried(file: String, attempt: &Attempt) -> Tried {
    let error = |message: &symptom::Message| match &message.site {
        Some(site) => format!(
            "{}:{}:{}: {}",
            site.file, site.line, site.column, message.text
        ),
        None => message.text.clone(),
    };
    Tried {
        file,
        result: match attempt.verdict {
            Verdict::Compiles => "compiles",
            Verdict::Fails => "fails",
            Verdict::NotTried => "not-tried",
        },
        pass: attempt.pass.clone(),
        errors: attempt.errors.iter().map(error).collect(),
    }
}

/// What the port remembers of its translation.
struct Records<'a> {
    port: &'a Place,
    notes: Notes,
}

impl<'a> Records<'a> {
    fn new(port: &'a Place) -> Self {
        Self {
            port,
            notes: Notes::read(&port.out),
        }
    }

    fn told(&self, cause: Cause, names: &[String]) -> Told {
        let advice = symptom::matching(&cause.text)
            .first()
            .map(|symptom| symptom.remedy.as_str());
        let count = cause.count();
        let place = |(place, units): (Option<Located>, Vec<usize>)| {
            let units: BTreeMap<&str, ()> = units
                .into_iter()
                .map(|at| (names[at].as_str(), ()))
                .collect();
            self.at(place, units.into_keys().map(str::to_owned).collect())
        };
        Told {
            places: cause.places.into_iter().map(place).collect(),
            name: cause.name,
            message: cause.text,
            count,
            advice,
        }
    }

    fn at(&self, place: Option<Located>, units: Vec<String>) -> At {
        let mut at = At {
            file: None,
            line: 0,
            column: 0,
            text: String::new(),
            outside: None,
            source: None,
            findings: Vec::new(),
            silent: self.knows_anything(),
            units,
        };
        let Some(place) = place else {
            return at;
        };
        let bytes = std::fs::read(self.port.out.join(&place.file)).unwrap_or_default();
        let line = bytes
            .split(|byte| *byte == b'\n')
            .nth(place.line.saturating_sub(1) as usize);
        at.text = String::from_utf8_lossy(line.unwrap_or_default().trim_ascii()).into_owned();
        at.source = self.source(&place, &bytes);
        at.findings = self.said(&place, &bytes);
        at.silent = self.knows_anything() && at.findings.is_empty();
        (at.line, at.column, at.outside) = (place.line, place.column, place.outside);
        at.file = Some(place.file);
        at
    }

    /// Whether there are records of a translation: without them nobody knows what it said.
    fn knows_anything(&self) -> bool {
        !self.port.known.files.is_empty() || !self.notes.is_empty()
    }

    fn source(&self, place: &Located, now: &[u8]) -> Option<(String, Option<u32>)> {
        let record = self.port.known.files.get(&place.file)?;
        let is_untouched = Hash::of(now) == record.base.hash;
        let notes = self.notes.of(&place.file);
        let line = notes.map_or(place.line, |notes| notes.source_line(place.line));
        (!record.source.is_empty()).then(|| (record.source.clone(), is_untouched.then_some(line)))
    }

    fn said(&self, place: &Located, now: &[u8]) -> Vec<Said> {
        let notes = self.notes.of(&place.file);
        let open = notes.map(|notes| notes.open(now)).unwrap_or_default();
        let here = open.into_iter().filter(|(line, noted)| {
            (*line..=line.saturating_add(noted.more_lines)).contains(&place.line)
        });
        here.map(|(_, noted)| Said {
            code: noted.code.clone(),
            severity: noted.severity.clone(),
            message: noted.message.clone(),
            help: noted.help.clone(),
        })
        .collect()
    }
}
