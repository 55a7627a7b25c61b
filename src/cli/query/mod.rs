//! `query`: what the tables and the rules know of names.

mod answer;
mod find;
mod rules;
mod text;
mod word;

use anyhow::Result;
use clap::Args;

use self::answer::answer;
use self::find::{find, sides};
use self::text::text;
use self::word::{Unlisted, unlisted, word_text};
use super::args::AnswerArgs;
use super::mappings::TableArgs;
use super::{Exit, output};
use crate::engine::Session;
use crate::mapping::chip::rocm_release;
use crate::mapping::{ApiTable, Version};
use crate::options::Options;
use crate::text::nearest;

const EXAMPLES: &str = "\
Examples:
  cass-transpile query cudaMemcpyAsync       what it becomes
  cass-transpile query hipMemcpyAsync        where it comes from
  cass-transpile query cublasSgemm           all names that start so, when none is called so
  cass-transpile query 'cudaGraph*Node'      a glob over both sides
  cass-transpile query -- -lcudart nvcc      words of build files
  cass-transpile query shfl.sync.bfly cp.async %laneid    instructions and special registers of PTX, in a line of C++

Exit codes: 0 every name is known, 1 one is not, 2 usage or tool error.";

/// What the tables say of a name in one line; nothing where they do not know it.
pub(super) fn in_short(table: &ApiTable, name: &str) -> Option<String> {
    let hit = find(table, name)
        .into_iter()
        .find(|hit| sides(hit.entry).any(|side| side == name))?;
    let entry = hit.entry;
    let note = entry
        .note
        .map_or_else(String::new, |note| format!("; {note}"));
    if entry.cuda != name {
        let since = entry
            .rocm
            .since
            .map_or_else(String::new, |since| format!(", since ROCm {since}"));
        return Some(format!(
            "`{name}` is HIP's for `{}`{since}{note}",
            entry.cuda
        ));
    }
    Some(match entry.hip {
        Some(hip) if hip == name => format!("`{name}` is HIP's name as well{note}"),
        Some(hip) => format!("`{name}` becomes `{hip}`{note}"),
        None => format!("`{name}` has no counterpart{note}"),
    })
}

/// What `query NAME --output-format json` says of a name that the tables have as it is.
pub(super) fn known(name: &str, session: &Session) -> Vec<serde_json::Value> {
    let hits = find(&session.table, name).into_iter();
    let own = hits.filter(|hit| sides(hit.entry).any(|side| side == name));
    own.filter_map(|hit| serde_json::to_value(answer(hit, session)).ok())
        .collect()
}

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct QueryArgs {
    /// Names, prefixes or globs, of CUDA or of HIP; words of build files; instructions of PTX
    #[arg(required = true)]
    names: Vec<String>,
    #[command(flatten)]
    answer: AnswerArgs,
    /// ROCm release to answer for
    #[arg(long, value_name = "X.Y", default_value = "6.4", value_parser = rocm_release)]
    rocm: Version,
    #[command(flatten)]
    table: TableArgs,
}

/// Answers each name with what the tables know about it.
pub(super) fn run(args: &QueryArgs) -> Result<Exit> {
    let options = Options {
        rocm: args.rocm,
        ..Options::default()
    };
    let session = Session::new(options, args.table.table()?);
    let table = &session.table;
    let (mut answers, mut words, mut unknown) = (Vec::new(), Vec::new(), Vec::new());
    for name in &args.names {
        let hits = find(table, name);
        if hits.is_empty() {
            match unlisted(name, &session) {
                Unlisted::Example(example) => words.push(example),
                Unlisted::Known(why) => output::complain(&why),
                Unlisted::Unknown => unknown.push(name.as_str()),
            }
        }
        answers.extend(hits.into_iter().map(|hit| answer(hit, &session)));
    }
    if args.answer.is_json() {
        let answers = answers.iter().map(serde_json::to_value);
        let words = words.iter().map(serde_json::to_value);
        let all = answers.chain(words).collect::<Result<Vec<_>, _>>()?;
        output::print(&format!("{}\n", serde_json::to_string_pretty(&all)?))?;
    } else {
        let answers = answers.iter().map(|answer| text(answer, args.rocm));
        let texts: Vec<String> = answers.chain(words.iter().map(word_text)).collect();
        output::print(&texts.join("\n"))?;
    }
    for name in &unknown {
        let names = table.iter().flat_map(|hit| sides(hit.entry));
        let near = nearest(name, names);
        let hint = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
        output::complain(&format!(
            "no table knows `{name}`, as a name or as the start of one{hint}"
        ));
    }
    Ok(if unknown.is_empty() {
        Exit::Clean
    } else {
        Exit::Findings
    })
}
