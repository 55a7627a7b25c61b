//! What to do with one place of the output. Nothing is read or written here.

use std::ops::Range;

use super::journal::{Before, Intent};
use super::merge::{self, Merged};
use super::{Content, Hash, Kind, Mark, Record};

/// How a file of the output stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum State {
    /// It is not there yet.
    New,
    /// It is what a translation makes of its source today.
    InSync,
    /// Nobody touched it, and the sources, the options or the tool moved.
    Behind,
    /// Somebody changed it; the translation is the same as then.
    Edited,
    /// Somebody changed it and the translation moved; both go together.
    Merged,
    /// Somebody has to choose.
    Conflict(Conflict),
    /// Somebody deleted it; it stays so.
    Deleted,
}

/// Why somebody has to choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Conflict {
    /// Both sides changed the same lines, and markers show them.
    Lines,
    /// Markers of an earlier run are still in the file.
    Unresolved,
    /// Both sides changed a file that has no lines: it holds zero bytes, is very large, or is a link.
    NoText,
    /// Both sides changed it, and the text that was written last is lost.
    NoBase,
    /// There is a file that this tool did not write.
    Foreign,
}

/// What to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Write {
    /// Nothing: what is there stays.
    Nothing,
    /// The translation.
    Theirs,
    /// Something else: a merge, or the port's own text at another place.
    Bytes(Kind, Vec<u8>),
}

/// What to do, and what to remember of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Decision {
    /// How the file stands.
    pub state: State,
    /// What to write.
    pub write: Write,
    /// What to remember; `None` of files that this tool did not write.
    pub record: Option<Record>,
    /// Work by hand in it, or its absence, is accepted.
    pub accepted: bool,
    /// Lines of the result that somebody has to choose between, counted from 1.
    pub conflicts: Vec<Range<usize>>,
}

/// What is remembered of one place.
#[derive(Clone, Debug, Default)]
pub(super) struct Known<'a> {
    /// What the last run that came to its end left there.
    pub(super) left: Option<&'a Record>,
    /// What runs after it were about to write that did not come to their end, the latest last: each may have come to write it or not.
    pub(super) intents: &'a [Intent],
}

impl<'a> Known<'a> {
    /// All records, the latest first.
    pub(super) fn records(&self) -> impl Iterator<Item = &'a Record> {
        let intents = self.intents.iter().rev().map(|intent| &intent.record);
        intents.chain(self.left)
    }

    /// Whether a file is the beginning of what a run wrote, as the disk had it when the power failed: file systems put off what is in a
    /// new file longer than its name, and write it by blocks.
    fn is_cut(&self, ours: &Content, text: &dyn Fn(Hash) -> Option<Vec<u8>>) -> bool {
        const BLOCK: usize = 4096;
        let Some(ours) = ours.text().filter(|ours| ours.len() % BLOCK == 0) else {
            return false;
        };
        // What has work by hand in it is on the disk before it gets its name.
        let mut written = self.records().filter(|record| record.found.is_none());
        written.any(|record| {
            let base = text(record.base.hash);
            base.is_some_and(|base| base.len() > ours.len() && base.starts_with(ours))
        })
    }

    /// The record that speaks of what is there. Whether a run that was killed, or found the disk full, came to write what it noted is
    /// told by the file: it is what was to be written, or what was there before. Where somebody has changed it since it is neither, and
    /// then that is taken for written of which the file lacks nothing. To merge once more what is in it already does no harm; to take
    /// for written what is not drops it for ever, as if a person had deleted it.
    pub(super) fn record(
        &self,
        ours: Option<&Content>,
        text: &dyn Fn(Hash) -> Option<Vec<u8>>,
    ) -> Option<&'a Record> {
        let now = ours.map(|ours| ours.mark);
        let mut open = self.intents;
        for (at, intent) in self.intents.iter().enumerate().rev() {
            if intent.record.is_left(now) {
                return Some(&intent.record);
            }
            if intent.before == Some(Before::of(now)) {
                open = &self.intents[..at];
            }
        }
        if self.left.is_some_and(|left| left.is_left(now)) {
            return self.left;
        }
        let intents = open.iter().map(|intent| &intent.record);
        let records: Vec<&Record> = self.left.into_iter().chain(intents).collect();
        let within = ours.and_then(|ours| latest_within(ours, &records, text));
        within.or(records.first().copied())
    }
}

/// The latest of some records, the earliest first, whose change to the first is in a text as a whole. The first of those whose texts are
/// kept: what a run replaces goes from the pack once it has written everything. Markers that stand in the file were written.
fn latest_within<'a>(
    ours: &Content,
    records: &[&'a Record],
    text: &dyn Fn(Hash) -> Option<Vec<u8>>,
) -> Option<&'a Record> {
    let ours = ours.text()?;
    let with_text = |record: &&'a Record| Some((*record, text(record.base.hash)?));
    let mut kept = records.iter().filter_map(with_text);
    let (first, base) = kept.next()?;
    let is_within = |record: &Record, theirs: &[u8]| {
        if record.conflict && merge::has_markers(ours) {
            return true;
        }
        let merged = merge::merge(&base, ours, theirs);
        merged.is_some_and(|merged| merged.conflicts.is_empty() && merged.bytes == ours)
    };
    let within = kept
        .filter(|(record, theirs)| is_within(record, theirs))
        .last();
    Some(within.map_or(first, |(record, _)| record))
}

/// What is known of one place, and what it is to become.
pub(super) struct Case<'a> {
    /// What is remembered of it.
    pub(super) known: Known<'a>,
    /// The text of a hash, where it is kept.
    pub(super) text: &'a dyn Fn(Hash) -> Option<Vec<u8>>,
    /// What is there.
    pub(super) ours: Option<&'a Content>,
    /// What a translation makes of the source today.
    pub(super) theirs: &'a Content,
    /// What to remember when that is written.
    pub(super) fresh: Record,
    /// All runs came to their end, as far as is known.
    pub(super) was_ended: bool,
    /// A run that came to its end left it there: what is missing then was deleted. One that was killed may not have come to write it.
    pub(super) was_there: bool,
    /// A person said that everything is to be written anew.
    pub(super) force: bool,
}

impl Case<'_> {
    pub(super) fn decide(self) -> Decision {
        let now = self.ours.map(|ours| ours.mark);
        let is_same = now == Some(self.theirs.mark);
        let Some(record) = self.record() else {
            return match self.ours {
                None => self.done(State::New, Write::Theirs),
                Some(_) if is_same => self.done(State::InSync, Write::Nothing),
                Some(_) if self.force => self.done(State::Behind, Write::Theirs),
                Some(_) => self.conflict(Conflict::Foreign, None),
            };
        };
        match self.ours {
            _ if is_same => self.done(State::InSync, Write::Nothing),
            Some(ours) if !self.was_ended && self.known.is_cut(ours, self.text) => {
                self.done(State::New, Write::Theirs)
            }
            None if self.force || !self.was_there => self.done(State::New, Write::Theirs),
            None => {
                let accepted = record.accepts(None);
                self.kept(State::Deleted, accepted, None)
            }
            Some(ours) if ours.mark == record.base || self.force => {
                self.done(State::Behind, Write::Theirs)
            }
            Some(ours) => self.by_hand(record, ours),
        }
    }

    /// The record that speaks of what is there.
    fn record(&self) -> Option<&Record> {
        self.known.record(self.ours, self.text)
    }

    /// The file has been changed by hand.
    fn by_hand(&self, record: &Record, ours: &Content) -> Decision {
        let accepted = record.accepts(Some(ours.mark));
        if record.conflict && ours.text().is_some_and(merge::has_markers) {
            return self.conflict(Conflict::Unresolved, Some((record, ours)));
        }
        let base = (self.text)(record.base.hash);
        if record.base == self.theirs.mark {
            let differs = base.as_ref().is_none_or(|base| differs_in_text(base, ours));
            let state = if differs {
                State::Edited
            } else {
                State::InSync
            };
            return self.kept(state, accepted, Some(ours.mark));
        }
        let merged = match (&base, ours.text(), self.theirs.text()) {
            (Some(base), Some(ours), Some(theirs)) => merge::merge(base, ours, theirs),
            (None, Some(_), Some(_)) => {
                return self.conflict(Conflict::NoBase, Some((record, ours)));
            }
            _ => None,
        };
        match merged {
            Some(merged) => self.merged(record, ours, merged, accepted),
            None => self.conflict(Conflict::NoText, Some((record, ours))),
        }
    }

    fn merged(&self, record: &Record, ours: &Content, merged: Merged, accepted: bool) -> Decision {
        // As of lines: what only one side changed is taken.
        let kind = if ours.mark.kind == record.base.kind {
            self.theirs.mark.kind
        } else {
            ours.mark.kind
        };
        let hash = Hash::of(&merged.bytes);
        let now = Mark { kind, hash };
        let is_clean = merged.conflicts.is_empty();
        let state = match is_clean {
            // What was changed by hand was changed by the sources in the same way.
            true if now == self.theirs.mark => State::Behind,
            true => State::Merged,
            false => State::Conflict(Conflict::Lines),
        };
        let write = if now == ours.mark {
            Write::Nothing
        } else {
            Write::Bytes(kind, merged.bytes)
        };
        let mut decision = self.kept(state, accepted && is_clean, Some(now));
        decision.write = write;
        decision.conflicts = merged.conflicts;
        if let Some(record) = &mut decision.record {
            record.conflict = !is_clean;
        }
        decision
    }

    /// The file becomes what the translation is.
    fn done(&self, state: State, write: Write) -> Decision {
        Decision {
            state,
            write,
            record: Some(self.fresh.clone()),
            accepted: false,
            conflicts: Vec::new(),
        }
    }

    /// The file differs from the translation, and nobody has to choose.
    fn kept(&self, state: State, accepted: bool, now: Option<Mark>) -> Decision {
        let mut decision = self.done(state, Write::Nothing);
        decision.accepted = accepted;
        if let Some(record) = &mut decision.record {
            record.found = now.filter(|now| *now != record.base);
            record.accepted = accepted;
        }
        decision
    }

    /// Nothing is written, and what was known stays known, so that every run says so until somebody has chosen.
    fn conflict(&self, conflict: Conflict, known: Option<(&Record, &Content)>) -> Decision {
        let mut decision = self.done(State::Conflict(conflict), Write::Nothing);
        decision.record = known.map(|(record, ours)| Record {
            found: Some(ours.mark),
            accepted: false,
            ..record.clone()
        });
        decision
    }
}

/// Whether a file differs in more than the kind of its line ends, which an editor or git chooses for the whole of it.
fn differs_in_text(base: &[u8], ours: &Content) -> bool {
    let is_same = |text: &[u8]| *merge::ended_as(text, base) == *text;
    !ours.text().is_some_and(is_same)
}

/// Lines that two texts have in common: enough to say which of two texts a third one was made from.
pub(super) fn shared_lines(a: &[u8], b: &[u8]) -> usize {
    let lines = |text| -> std::collections::BTreeSet<&[u8]> {
        <[u8]>::split(text, |&byte| byte == b'\n').collect()
    };
    let (a, b) = (lines(a), lines(b));
    a.intersection(&b).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(text: &str) -> Content {
        Content::new(Kind::File, text.as_bytes().to_vec())
    }

    /// What becomes of a file: base, what is there, what a translation is today.
    fn decide(
        base: Option<&str>,
        ours: Option<&Content>,
        theirs: &Content,
        more: fn(&mut Record),
    ) -> Decision {
        let known = base.map(|base| {
            let mut record = Record::new("a.cu".to_owned(), Hash::of(b"s"), file(base).mark);
            more(&mut record);
            record
        });
        Case {
            known: Known {
                left: known.as_ref(),
                intents: &[],
            },
            text: &|_| base.map(|base| base.as_bytes().to_vec()),
            ours,
            theirs,
            fresh: Record::new("a.cu".to_owned(), Hash::of(b"t"), theirs.mark),
            was_ended: true,
            was_there: true,
            force: false,
        }
        .decide()
    }

    fn state(base: Option<&str>, ours: Option<&str>, theirs: &str) -> (State, Write) {
        let ours = ours.map(file);
        let decision = decide(base, ours.as_ref(), &file(theirs), |_| {});
        (decision.state, decision.write)
    }

    #[test]
    fn what_nobody_touched_is_written() {
        assert_eq!(state(None, None, "t"), (State::New, Write::Theirs));
        assert_eq!(state(None, Some("t"), "t"), (State::InSync, Write::Nothing));
        assert_eq!(
            state(Some("b"), Some("b"), "b"),
            (State::InSync, Write::Nothing)
        );
        assert_eq!(
            state(Some("b"), Some("b"), "t"),
            (State::Behind, Write::Theirs)
        );
    }

    #[test]
    fn what_a_killed_run_did_not_come_to_write_was_not_deleted() {
        let record = Record::new("a.cu".to_owned(), Hash::of(b"s"), file("t").mark);
        let decision = Case {
            known: Known {
                left: None,
                intents: &[Intent {
                    record: record.clone(),
                    before: Some(Before::Nothing),
                }],
            },
            text: &|_| None,
            ours: None,
            theirs: &file("t"),
            fresh: record.clone(),
            was_ended: false,
            was_there: false,
            force: false,
        }
        .decide();
        assert_eq!(
            (decision.state, decision.write),
            (State::New, Write::Theirs)
        );
    }

    /// The base of the record that is chosen between a run that came to its end and one that was killed, both of which wrote a text.
    fn chosen(left: &str, noted: &str, before: Option<&str>, ours: &str) -> Hash {
        let record = |text: &str| Record::new("a.cu".to_owned(), Hash::of(b"s"), file(text).mark);
        let (left, noted) = (record(left), record(noted));
        let intents = [Intent {
            record: noted.clone(),
            before: before.map(|text| Before::Found(file(text).mark)),
        }];
        let known = Known {
            left: Some(&left),
            intents: &intents,
        };
        let texts = ["1\n2\n3\n4\n5\n", "0\n1\n2\n3\n4\n5\n"];
        let text = |hash| {
            let mut texts = texts.iter().map(|text| text.as_bytes());
            texts
                .find(|text| Hash::of(text) == hash)
                .map(<[u8]>::to_vec)
        };
        let record = known.record(Some(&file(ours)), &text);
        record.expect("there are two").base.hash
    }

    #[test]
    fn a_note_counts_when_the_file_has_what_it_speaks_of() {
        let (old, new) = ("1\n2\n3\n4\n5\n", "0\n1\n2\n3\n4\n5\n");
        let [of_old, of_new] = [old, new].map(|text| Hash::of(text.as_bytes()));
        let edited = "1\n2\n3\n4\nfive\n";
        // As it was when it was noted, and as a person changed it then or later, or put it back.
        assert_eq!(chosen(old, new, Some(edited), edited), of_old);
        assert_eq!(
            chosen(old, new, Some(edited), "1\n2\n3\nfour\nfive\n"),
            of_old
        );
        assert_eq!(chosen(old, new, None, edited), of_old);
        assert_eq!(chosen(old, new, Some(old), old), of_old);
        // As it was to be, and changed since.
        assert_eq!(chosen(old, new, Some(edited), new), of_new);
        assert_eq!(
            chosen(old, new, Some(edited), "0\n1\n2\n3\n4\nfive\n"),
            of_new
        );
        assert_eq!(chosen(old, new, None, "0\n1\n2\n3\n4\nfive\n"), of_new);
        // Lines that a run took away.
        assert_eq!(
            chosen(
                new,
                old,
                Some("0\n1\n2\n3\n4\nfive\n"),
                "0\n1\n2\n3\nfour\nfive\n"
            ),
            of_new
        );
        assert_eq!(chosen(new, old, None, edited), of_old);
    }

    #[test]
    fn what_somebody_did_stays() {
        assert_eq!(
            state(Some("b"), Some("o"), "b"),
            (State::Edited, Write::Nothing)
        );
        assert_eq!(
            state(Some("b"), None, "t"),
            (State::Deleted, Write::Nothing)
        );
        let foreign = State::Conflict(Conflict::Foreign);
        assert_eq!(state(None, Some("o"), "t"), (foreign, Write::Nothing));
        let zero = State::Conflict(Conflict::NoText);
        assert_eq!(state(Some("b"), Some("\0o"), "t"), (zero, Write::Nothing));
    }

    #[test]
    fn both_sides_go_together() {
        let base = "a\nb\nc\nd\n";
        let merged = Write::Bytes(Kind::File, b"A\nb\nc\nD\n".to_vec());
        assert_eq!(
            state(Some(base), Some("A\nb\nc\nd\n"), "a\nb\nc\nD\n"),
            (State::Merged, merged)
        );
        let (state, write) = state(Some("a\n"), Some("x\n"), "y\n");
        assert_eq!(state, State::Conflict(Conflict::Lines));
        assert!(matches!(write, Write::Bytes(_, bytes) if merge::has_markers(&bytes)));
    }

    #[test]
    fn permissions_are_merged_as_lines_are() {
        let (base, mut ours) = ("a\nb\nc\nd\n", file("A\nb\nc\nd\n"));
        ours.mark.kind = Kind::Executable;
        let by_hand = decide(Some(base), Some(&ours), &file("a\nb\nc\nD\n"), |_| {});
        assert!(matches!(by_hand.write, Write::Bytes(Kind::Executable, _)));
        let mut theirs = file("a\nb\nc\nD\n");
        theirs.mark.kind = Kind::Executable;
        let upstream = decide(Some(base), Some(&file("A\nb\nc\nd\n")), &theirs, |_| {});
        assert!(matches!(upstream.write, Write::Bytes(Kind::Executable, _)));
    }

    #[test]
    fn markers_that_are_still_there_are_not_merged_again() {
        let ours = file("<<<<<<< by hand\nx\n=======\ny\n>>>>>>> new translation\n");
        let decision = decide(Some("a\n"), Some(&ours), &file("z\n"), |record| {
            record.conflict = true
        });
        assert_eq!(decision.state, State::Conflict(Conflict::Unresolved));
        assert_eq!(decision.write, Write::Nothing);
        assert!(decision.record.is_some_and(|record| record.conflict));
    }

    #[test]
    fn accepted_work_stays_accepted_when_it_is_merged() {
        let decision = decide(
            Some("a\nb\nc\nd\n"),
            Some(&file("A\nb\nc\nd\n")),
            &file("a\nb\nc\nD\n"),
            |record| {
                record.accepted = true;
                record.found = Some(file("A\nb\nc\nd\n").mark);
            },
        );
        let record = decision.record.expect("it is ours");
        assert!(decision.accepted && record.accepts(Some(file("A\nb\nc\nD\n").mark)));
    }
}
