//! Words that bring a project's own tables into a file that has nothing else of CUDA.

use super::entry::{ApiEntry, Kind};
use super::own_rule::OwnRule;

/// The words; nearly always none.
#[derive(Default)]
pub(super) struct OwnWords {
    words: Vec<&'static [u8]>,
}

impl OwnWords {
    /// The words of the entries of overlays, but for those that mean something only beside CUDA, and of rules.
    pub(super) fn new<'e>(
        entries: impl Iterator<Item = &'e ApiEntry>,
        rules: &[&'static OwnRule],
    ) -> Self {
        let alone = entries.filter(|entry| !entry.context);
        let names = alone.map(|entry| literal(entry.cuda, entry.kind));
        let mut words: Vec<&[u8]> = names.collect();
        words.extend(rules.iter().map(|rule| rule.first.as_bytes()));
        words.retain(|word| !word.is_empty() && !super::mentions_cuda(word));
        Self { words }
    }

    /// Whether a text has one of them.
    pub(super) fn stand_in(&self, bytes: &[u8]) -> bool {
        let stands = |word: &&[u8]| memchr::memmem::find(bytes, word).is_some();
        self.words.iter().any(stands)
    }
}

/// What stands in every text that the key of an entry means.
fn literal(key: &'static str, kind: Kind) -> &'static [u8] {
    let literal = match kind {
        Kind::Field => key.split_once('.').map_or(key, |(_, member)| member),
        Kind::Header | Kind::Pattern => key.split(['*', '?', '[', '{']).next().unwrap_or(key),
        _ => key,
    };
    literal.as_bytes()
}

#[cfg(test)]
mod tests {
    use crate::mapping::ApiTable;

    #[test]
    fn what_a_table_of_ones_own_names_concerns_it() {
        let text = "library = \"a\"\n[functions]\ngpuBlur = { hip = \"gpuBlurHip\" }\ngpuMaybe = { hip = \"x\", context = true }\n[fields]\n\"Job.device\" = { hip = \"hipDevice\" }\n[headers]\n\"gpu/*.h\" = { support = \"unsupported\", note = \"No.\" }\n[[rules]]\npattern = \"gpuRun($X)\"\nmessage = \"no\"\n";
        let plain = ApiTable::builtin();
        let table = ApiTable::builtin().overlay("a.toml", text, 0);
        let table = table.unwrap_or_else(|error| panic!("{error}"));
        for (code, concerned) in [
            ("gpuBlur(1);", true),
            ("gpuMaybe(1);", false),
            ("job->device = 1;", true),
            ("#include <gpu/a.h>", true),
            ("gpuRun(1);", true),
            ("gpuWalk(1);", false),
        ] {
            assert_eq!(table.may_occur_in(code.as_bytes()), concerned, "{code}");
            assert!(!plain.may_occur_in(code.as_bytes()), "{code}");
        }
    }
}
