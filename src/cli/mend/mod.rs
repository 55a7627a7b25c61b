//! `mend`: a command is asked about each unit of a port that does not compile, and what it answers is kept when it is proved.

mod desk;
mod lost;
mod mind;
mod question;

use anyhow::{Result, bail};
use serde_json::json;

use super::args::MendArgs;
use super::trial::{Ready, place, tell};
use super::{Exit, input};
use crate::port::Port;
use crate::text::split_command;
use crate::trial::Answer;
use desk::Desk;
use mind::Mind;
use question::Question;

/// Asks about all units that fail.
pub(super) fn run(args: &MendArgs) -> Result<Exit> {
    let mind = Mind::new(args)?;
    let proof = args.prove.as_deref().map(split_command);
    if proof.as_ref().is_some_and(Vec::is_empty) {
        bail!("--prove: names no command");
    }
    // Which files a unit reads is asked of what is kept, so that something has to be.
    let scratch = tempfile::tempdir()?;
    let answers = match args.units.no_cache {
        true => scratch.path().join("answers"),
        false => place::cache("answers"),
    };
    let ready = Ready::new(&args.units, Some(answers))?;
    let records = Port::open(&ready.port.out);
    if records.known.files.is_empty() && !args.by_hand {
        bail!(
            "{}: has no records of a translation in .cass, by which a line written by hand is told: nobody is asked; translate into it, `cass-transpile accept SRC OUT`, or say --by-hand",
            ready.port.out.display()
        );
    }
    let mut desk = Desk::new(args, &ready, &records, mind)?;
    for at in 0..ready.units.units.len() {
        if input::was_interrupted() {
            break;
        }
        desk.ask(at)?;
    }
    if let Some(words) = proof {
        desk.prove(&words)?;
    }
    let outcome = desk.finish()?;
    tell(&args.units, &outcome)
}

/// The JSON schema of questions and answers.
pub(super) fn schema() -> String {
    let settings = schemars::generate::SchemaSettings::draft2020_12();
    let question = settings.clone().for_serialize().into_generator();
    let answer = settings.into_generator();
    let both = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "description": "`question` is what the command of `mend --with` reads from standard input, `answer` what it prints.",
        "type": "object",
        "properties": {
            "question": question.into_root_schema_for::<Question>(),
            "answer": answer.into_root_schema_for::<Answer>(),
        },
    });
    serde_json::to_string_pretty(&both).expect("a schema is plain data") + "\n"
}
