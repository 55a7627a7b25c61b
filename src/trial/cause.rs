//! Why units fail: those whose first error says the same have one cause.

use std::collections::BTreeMap;
use std::path::Path;

use super::attempt::{Attempt, Verdict};
use super::unit::Unit;
use crate::nvcc::absolute;
use crate::pipeline::slashed;
use crate::symptom::{Message, Site};

/// A place in the port that an error leads to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Located {
    /// The file, from the root of the port.
    pub(crate) file: String,
    /// Its line, from 1.
    pub(crate) line: u32,
    /// Its column, from 1; 0 where none is said.
    pub(crate) column: u32,
    /// The line of a file outside of the port where the compiler stopped, if it is not this one.
    pub(crate) outside: Option<String>,
    /// Where the macros are defined in the port that the place expands, with their lines: the code at fault may be theirs.
    pub(crate) expanded: Vec<(String, u32)>,
    /// The includes of the port by which its file came, with their lines, the innermost first.
    pub(crate) included_by: Vec<(String, u32)>,
}

/// Units that fail for one reason.
#[derive(Clone, Debug)]
pub(crate) struct Cause {
    /// What the compiler says.
    pub(crate) text: String,
    /// The name that it is about.
    pub(crate) name: Option<String>,
    /// Its places with the units that stop there, most units first; a unit that stops nowhere in the port has no place.
    pub(crate) places: Vec<(Option<Located>, Vec<usize>)>,
}

impl Cause {
    /// How many units it stops.
    pub(crate) fn count(&self) -> usize {
        self.places.iter().map(|(_, units)| units.len()).sum()
    }
}

/// The causes of all failures, those that stop most units first. Units are told by their numbers.
pub(crate) fn causes(units: &[Unit], attempts: &[Attempt], out: &Path) -> Vec<Cause> {
    let mut found = BTreeMap::<String, BTreeMap<Option<Located>, Vec<usize>>>::new();
    let mut names = BTreeMap::new();
    for (at, (unit, attempt)) in units.iter().zip(attempts).enumerate() {
        let (Verdict::Fails, Some(first)) = (attempt.verdict, attempt.errors.first()) else {
            continue;
        };
        names.insert(first.text.clone(), first.name().map(str::to_owned));
        let place = located(first, unit, out);
        let places = found.entry(first.text.clone()).or_default();
        places.entry(place).or_default().push(at);
    }
    let cause = |(text, places): (String, BTreeMap<_, Vec<usize>>)| {
        let mut places: Vec<_> = places.into_iter().collect();
        // The order of the places holds among those with as many units.
        places.sort_by_key(|(_, units)| std::cmp::Reverse(units.len()));
        Cause {
            name: names.get(&text).cloned().flatten(),
            text,
            places,
        }
    };
    let mut causes: Vec<Cause> = found.into_iter().map(cause).collect();
    causes.sort_by_key(|cause| std::cmp::Reverse(cause.count()));
    causes
}

/// The first place in the port that a message leads to.
fn located(message: &Message, unit: &Unit, out: &Path) -> Option<Located> {
    let of_port = |site: &Site| {
        let path = absolute(&unit.folder.join(&site.file));
        path.strip_prefix(out).ok().map(slashed)
    };
    let own = message.site.as_ref()?;
    let line_of_port = |site: &Site| Some((of_port(site)?, site.line));
    let expanded: Vec<_> = message.expanded().filter_map(line_of_port).collect();
    let included_by = message.included_by.iter();
    let included_by: Vec<_> = included_by.filter_map(line_of_port).collect();
    message.sites().find_map(|site| {
        Some(Located {
            file: of_port(site)?,
            line: site.line,
            column: site.column,
            outside: (site != own).then(|| format!("{}:{}", own.file, own.line)),
            expanded: expanded.clone(),
            included_by: included_by.clone(),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::symptom::messages;
    use crate::trial::unit::Language;
    use std::path::PathBuf;

    #[test]
    fn a_place_names_its_macros_and_includes() {
        let unit = Unit {
            file: PathBuf::from("/p/a.cu"),
            folder: PathBuf::from("/p"),
            options: Vec::new(),
            language: Language::Hip,
            program: None,
        };
        let log = "a.cu:9:5: error: invalid output constraint '=l' in asm\nmath.h:3:65: note: expanded from macro 'SUB'\n\
            /opt/r.h:4:1: note: expanded from macro 'OTHER'\n";
        let place = located(&messages(log)[0], &unit, Path::new("/p")).expect("it is of the port");
        assert_eq!((&*place.file, place.line), ("a.cu", 9));
        assert_eq!(place.expanded, [("math.h".to_owned(), 3)]);
        let log = "In file included from a.cu:2:\ncuda.h:9:5: error: no 'x'\n";
        let place = located(&messages(log)[0], &unit, Path::new("/p")).expect("it is of the port");
        assert_eq!(place.included_by, [("a.cu".to_owned(), 2)]);
    }

    #[test]
    fn units_with_the_same_first_error_have_one_cause() {
        let unit = |name: &str| Unit {
            file: PathBuf::from("/p").join(name),
            folder: PathBuf::from("/p/b"),
            options: Vec::new(),
            language: Language::Hip,
            program: None,
        };
        let units = ["a.cu", "b.cu", "c.cu", "d.cu"].map(unit);
        let attempt = |log: &str| Attempt {
            verdict: if log.is_empty() {
                Verdict::Compiles
            } else {
                Verdict::Fails
            },
            pass: "host".to_owned(),
            errors: messages(log),
        };
        let attempts = [
            "../a.cu:1:1: error: no 'y'\n",
            "In file included from ../b.cu:1:\n../x.h:3:1: error: no 'x'\n../x.h:4:1: error: other\n",
            "",
            "/opt/r.h:9:1: error: no 'x'\n../d.cu:7:1: note: in instantiation of 'q' requested here\n",
        ]
        .map(attempt);
        let causes = causes(&units, &attempts, Path::new("/p"));
        let shown: Vec<(String, usize, usize)> = causes
            .iter()
            .map(|cause| (cause.text.clone(), cause.count(), cause.places.len()))
            .collect();
        assert_eq!(
            shown,
            [("no 'x'".to_owned(), 2, 2), ("no 'y'".to_owned(), 1, 1)]
        );
        let place = causes[0].places[0].0.clone().unwrap();
        assert!(place.expanded.is_empty());
        assert_eq!(
            (&*place.file, place.line, place.outside.as_deref()),
            ("d.cu", 7, Some("/opt/r.h:9"))
        );
    }
}
