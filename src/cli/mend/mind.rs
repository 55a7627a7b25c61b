//! Who answers: a command, or a file with answers.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

use super::question::Question;
use crate::cli::args::MendArgs;
use crate::emit;
use crate::text::split_command;
use crate::trial::{Limits, Ran, fed};
use crate::verify::End;

/// Said of a question that nobody was there to answer.
const WAITS: &str = "no answer is given for it";

/// Who answers.
pub(super) enum Mind {
    /// The words of a command.
    Command(Vec<String>),
    /// Answers by unit.
    Answers(BTreeMap<String, Value>),
}

/// What comes of a question.
pub(super) enum Reply {
    /// The text of an answer.
    Answer(String),
    /// None, for this reason.
    None(String),
    /// None yet: the question itself.
    Waits(&'static str, Value),
}

impl Mind {
    /// As the command line says.
    ///
    /// # Errors
    /// When there is no command, or the answers cannot be read.
    pub(super) fn new(args: &MendArgs) -> Result<Self> {
        if let Some(file) = &args.answers {
            let text = std::fs::read_to_string(file);
            let text = text.with_context(|| format!("{}: cannot be read", file.display()))?;
            let answers = serde_json::from_str(&text);
            let answers = answers
                .with_context(|| format!("{}: is no object of answers by unit", file.display()))?;
            return Ok(Self::Answers(answers));
        }
        let words = split_command(args.command.as_deref().unwrap_or_default());
        if words.is_empty() {
            bail!("--with: names no command");
        }
        Ok(Self::Command(words))
    }

    /// What it says to a question about a unit.
    ///
    /// # Errors
    /// When a command cannot be started.
    pub(super) fn reply(
        &self,
        unit: &str,
        question: &Question,
        limits: Limits<'_>,
    ) -> Result<Reply> {
        let words = match self {
            Self::Command(words) => words,
            Self::Answers(answers) => {
                return Ok(match answers.get(unit) {
                    Some(answer) => Reply::Answer(answer.to_string()),
                    None => Reply::Waits(WAITS, serde_json::to_value(question)?),
                });
            }
        };
        let scratch = tempfile::tempdir()?;
        let file = scratch.path().join("question.json");
        emit::write(&file, &serde_json::to_vec(question)?, None)?;
        let ran = fed(words, Path::new("."), &[], Some(&file), limits);
        let ran = ran.map_err(anyhow::Error::msg)?;
        Ok(match ran.end {
            End::Exit(0) => Reply::Answer(ran.stdout),
            _ => Reply::None(format!("the command gives no answer: {}", ended(&ran))),
        })
    }
}

/// How a command ended, and what it said last.
pub(super) fn ended(ran: &Ran) -> String {
    let lines = ran.stderr.lines().chain(ran.stdout.lines());
    match lines.map(str::trim).rfind(|line| !line.is_empty()) {
        Some(last) => format!("{}: {last:.200}", ran.end.text()),
        None => ran.end.text(),
    }
}
