//! Which rules a person wants to hear of, wants as errors, or wants not at all.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use globset::GlobSet;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::diagnostic::{Group, Severity};
use crate::rules::all;
use crate::text::nearest;

/// What a person said about rules in one place. Each word is a code (`CASS003`), a name (`unsupported-api`), a group (`warp`) or
/// `all`; the more precise word wins. Rules of a group that is off by default speak where `select`, `warn` or `error` names them, their
/// group or `all`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct RuleChoice {
    /// Report only these.
    pub select: Vec<String>,
    /// Do not report these; what converts still converts.
    pub ignore: Vec<String>,
    /// Switch these off: neither findings nor edits.
    pub off: Vec<String>,
    /// Report these as errors.
    pub error: Vec<String>,
    /// Report these as warnings.
    pub warn: Vec<String>,
}

/// What holds for the rules in one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RuleSettings {
    /// Codes of rules that do nothing.
    pub off: BTreeSet<&'static str>,
    /// Codes of rules whose findings are not shown.
    pub hidden: BTreeSet<&'static str>,
    /// Severities that a person set, by code.
    pub severities: BTreeMap<&'static str, Severity>,
}

/// The settings of a run: choices that hold everywhere, and choices for some paths.
#[derive(Clone, Debug)]
pub struct RulePolicy {
    layers: Vec<(Option<GlobSet>, RuleChoice)>,
    everywhere: RuleSettings,
    /// Put before a file's path before globs look at it: the way from the configuration file to the root of the run.
    prefix: String,
    /// Taken from the start of a file's path before globs look at it: the way from the root of the run to a configuration below it.
    folder: String,
}

impl Default for RulePolicy {
    fn default() -> Self {
        let mut policy = Self {
            layers: Vec::new(),
            everywhere: RuleSettings::default(),
            prefix: String::new(),
            folder: String::new(),
        };
        policy.everywhere = policy.settings_of(|_| true);
        policy
    }
}

impl RuleChoice {
    /// The codes of the rules that it asks for.
    fn asked(&self) -> impl Iterator<Item = &'static str> {
        let words = [&self.select, &self.warn, &self.error];
        let words = words.into_iter().flatten();
        words.flat_map(|word| codes(word).unwrap_or_default())
    }

    /// Whether nothing is chosen.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Whether every word names a rule, a group or `all`.
    ///
    /// # Errors
    /// When one does not; the message offers a similar one.
    pub fn validate(&self) -> Result<(), String> {
        let lists = [
            &self.select,
            &self.ignore,
            &self.off,
            &self.error,
            &self.warn,
        ];
        lists
            .into_iter()
            .flatten()
            .try_for_each(|word| codes(word).map(drop))
    }
}

impl RuleSettings {
    /// Adds what a later place says.
    fn apply(&mut self, choice: &RuleChoice) {
        if !choice.select.is_empty() {
            self.hidden = all().iter().map(|(rule, _)| rule.code).collect();
        }
        for width in [usize::MAX, 2, 1] {
            let of = |list: &[String]| codes_of_width(list, width);
            for code in of(&choice.select) {
                self.hidden.remove(code);
            }
            for (list, severity) in [
                (&choice.warn, Severity::Warning),
                (&choice.error, Severity::Error),
            ] {
                for code in of(list) {
                    self.severities.insert(code, severity);
                    self.hidden.remove(code);
                    self.off.remove(code);
                }
            }
            self.hidden.extend(of(&choice.ignore));
            self.off.extend(of(&choice.off));
        }
    }
}

impl RulePolicy {
    /// An empty policy whose globs see paths behind `prefix` (empty, or with `/` at its end).
    pub fn new(prefix: String) -> Self {
        Self {
            prefix,
            ..Self::default()
        }
    }

    /// An empty policy of a folder below the root of the run (with `/` at its end), whose globs see paths below it.
    pub fn below(folder: String) -> Self {
        Self {
            folder,
            ..Self::default()
        }
    }

    /// Adds a choice that goes over those before it, for the paths that match or for all.
    ///
    /// # Errors
    /// When a word names nothing.
    pub fn add(&mut self, globs: Option<GlobSet>, choice: RuleChoice) -> Result<(), String> {
        choice.validate()?;
        self.layers.push((globs, choice));
        self.everywhere = self.settings_of(|globs| globs.is_none());
        Ok(())
    }

    /// What holds for a file.
    pub fn of(&self, path: &str) -> Cow<'_, RuleSettings> {
        if self.layers.iter().all(|(globs, _)| globs.is_none()) {
            return Cow::Borrowed(&self.everywhere);
        }
        let path = self.seen(path);
        Cow::Owned(self.settings_of(|globs| globs.is_none_or(|globs| globs.is_match(&path))))
    }

    /// A path of the run as the globs of the configuration see it.
    pub(super) fn seen(&self, path: &str) -> String {
        let path = path.strip_prefix(&self.folder).unwrap_or(path);
        format!("{}{path}", self.prefix)
    }

    fn settings_of(&self, holds: impl Fn(Option<&GlobSet>) -> bool) -> RuleSettings {
        let mut settings = RuleSettings::default();
        let layers = self.layers.iter();
        let choices: Vec<&RuleChoice> = layers
            .filter(|(globs, _)| holds(globs.as_ref()))
            .map(|(_, choice)| choice)
            .collect();
        for choice in &choices {
            settings.apply(choice);
        }
        let asked: BTreeSet<&str> = choices.iter().flat_map(|choice| choice.asked()).collect();
        let rules = all().iter().map(|(rule, _)| rule);
        let of_default = rules.filter(|rule| rule.group.is_off_by_default());
        let codes = of_default.map(|rule| rule.code);
        settings
            .off
            .extend(codes.filter(|code| !asked.contains(code)));
        settings
    }
}

/// The codes that a word names: a code, a name, a group or `all`.
///
/// # Errors
/// When it names nothing; the message offers a similar word.
pub fn codes(word: &str) -> Result<Vec<&'static str>, String> {
    let word = word.trim();
    let is = |name: &str| name.eq_ignore_ascii_case(word);
    let is_group = |group: Group| is(group.name()) || former(word).contains(&group);
    let found: Vec<&'static str> = all()
        .iter()
        .filter(|(rule, _)| {
            is("all") || is(rule.code) || is(rule.name) || is_group(rule.group) || rule.was(word)
        })
        .map(|(rule, _)| rule.code)
        .collect();
    // A group may have no rules yet and is a good word all the same.
    if found.is_empty() && !Group::ALL.iter().any(|group| is_group(*group)) {
        return Err(unknown(word));
    }
    Ok(found)
}

/// The groups that an older name of a group stood for: configurations that have it go on working.
fn former(word: &str) -> &'static [Group] {
    match word.to_ascii_lowercase().as_str() {
        "build" => &[Group::BuildFiles, Group::Conditions, Group::Errors],
        "style" => &[Group::Comments],
        _ => &[],
    }
}

/// `all` is wide, a group narrower, a rule the narrowest: the codes of the words of one width.
fn codes_of_width(list: &[String], width: usize) -> Vec<&'static str> {
    let of = |word: &String| {
        if word.trim().eq_ignore_ascii_case("all") {
            usize::MAX
        } else if crate::rules::find(word.trim()).is_some() {
            1
        } else {
            2
        }
    };
    list.iter()
        .filter(|word| of(word) == width)
        .flat_map(|word| codes(word).unwrap_or_default())
        .collect()
}

fn unknown(word: &str) -> String {
    let names = all()
        .iter()
        .flat_map(|(rule, _)| [rule.code, rule.name])
        .chain(Group::ALL.iter().map(|group| group.name()))
        .chain(["all"]);
    let hint = nearest(word, names).map_or_else(
        || "`cass-transpile rules` lists them".to_owned(),
        |near| format!("did you mean `{near}`?"),
    );
    format!("`{word}` is no rule and no group of rules; {hint}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    fn settings(choice: RuleChoice) -> RuleSettings {
        let mut policy = RulePolicy::default();
        policy.add(None, choice).expect("words are known");
        policy.of("a.cu").into_owned()
    }

    #[test]
    fn the_more_precise_word_wins() {
        let found = settings(RuleChoice {
            ignore: list(&["api"]),
            error: list(&["CASS003"]),
            ..RuleChoice::default()
        });
        assert!(found.hidden.contains("CASS001") && !found.hidden.contains("CASS003"));
        let found = settings(RuleChoice {
            error: list(&["api"]),
            off: list(&["unsupported-api"]),
            ..RuleChoice::default()
        });
        assert!(found.off.contains("CASS003") && !found.off.contains("CASS002"));
    }

    #[test]
    fn words_of_older_releases_choose_what_took_over() {
        for word in ["CASS683", "triton-hopper-feature", "cass680"] {
            assert_eq!(codes(word).expect("it was a rule"), ["CASS680"], "{word}");
        }
        let found = settings(RuleChoice {
            ignore: list(&["python"]),
            error: list(&["CASS686"]),
            ..RuleChoice::default()
        });
        assert!(
            !found.hidden.contains("CASS680"),
            "a code is narrower than a group"
        );
    }

    #[test]
    fn what_fails_on_nvidia_too_speaks_where_it_is_asked_for() {
        let is_off = |choice| settings(choice).off.contains("CASS662");
        assert!(is_off(RuleChoice::default()));
        assert!(RulePolicy::default().of("a.py").off.contains("CASS662"));
        for word in ["all", "either-vendor", "CASS662", "load-inline-call"] {
            let asked = RuleChoice {
                warn: list(&[word]),
                ..RuleChoice::default()
            };
            assert!(!is_off(asked), "{word}");
        }
        let chosen = RuleChoice {
            select: list(&["either-vendor"]),
            off: list(&["CASS662"]),
            ..RuleChoice::default()
        };
        assert!(is_off(chosen), "a person switched it off");
    }

    #[test]
    fn select_hides_everything_else() {
        let found = settings(RuleChoice {
            select: list(&["Api"]),
            ignore: list(&["cass002"]),
            ..RuleChoice::default()
        });
        let shown: Vec<&str> = all()
            .iter()
            .map(|(rule, _)| rule.code)
            .filter(|code| !found.hidden.contains(code))
            .collect();
        assert!(shown.contains(&"CASS001") && !shown.contains(&"CASS002"));
        assert!(shown.iter().all(|code| code.starts_with("CASS0")));
    }

    #[test]
    fn paths_have_their_own_choices() {
        let globs = globset::GlobSetBuilder::new()
            .add(globset::Glob::new("vendor/**").expect("a glob"))
            .build()
            .expect("a set");
        let mut policy = RulePolicy::new("vendor/".to_owned());
        let choice = RuleChoice {
            off: list(&["all"]),
            ..RuleChoice::default()
        };
        policy.add(Some(globs), choice).expect("known");
        assert!(policy.of("x.cu").off.contains("CASS001"));
        policy.prefix = String::new();
        assert!(!policy.of("x.cu").off.contains("CASS001"));
        assert!(policy.of("vendor/x.cu").off.contains("CASS001"));
    }

    #[test]
    fn unknown_words_get_a_proposal() {
        let message = codes("unsuported-api").expect_err("misspelt");
        assert!(
            message.contains("did you mean `unsupported-api`"),
            "{message}"
        );
    }
}
