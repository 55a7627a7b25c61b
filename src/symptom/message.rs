//! What a compiler, a linker or CMake prints, as messages: how bad, where, what, by which includes and from which templates.

use std::sync::LazyLock;

use regex::{Captures, Regex};

/// How bad a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    /// The build goes on.
    Warning,
    /// It does not.
    Error,
    /// Nothing behind it was read.
    Fatal,
}

/// A line of a file, as the compiler names the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Site {
    /// Its path.
    pub(crate) file: String,
    /// Its line, from 1.
    pub(crate) line: u32,
    /// The column, from 1; 0 where none is said.
    pub(crate) column: u32,
}

/// A message with what belongs to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Message {
    /// How bad it is.
    pub(crate) level: Level,
    /// Where; none for those of a driver or linker.
    pub(crate) site: Option<Site>,
    /// What it says, with plain quotes.
    pub(crate) text: String,
    /// The includes by which its file came, the innermost first.
    pub(crate) included_by: Vec<Site>,
    /// Its notes: where a template was asked for, what the candidates are.
    pub(crate) notes: Vec<(Site, String)>,
}

impl Message {
    /// The name that it is about: what it puts into quotes first.
    pub(crate) fn name(&self) -> Option<&str> {
        let name = self.text.split('\'').nth(1)?;
        Some(name).filter(|name| !name.is_empty())
    }

    /// Where the macros are defined that its place expands, the innermost first.
    pub(crate) fn expanded(&self) -> impl Iterator<Item = &Site> {
        let notes = self.notes.iter();
        let of_macros = notes.filter(|(_, text)| text.contains("expanded from macro"));
        of_macros.map(|(site, _)| site)
    }

    /// The places that lead to it: its own, where templates were asked for, and the includes by which its file came.
    pub(crate) fn sites(&self) -> impl Iterator<Item = &Site> {
        let asked = self.notes.iter().filter(|(_, text)| {
            text.contains("requested here")
                || text.contains("required from")
                || text.contains("expanded from")
        });
        let asked = asked.map(|(site, _)| site);
        self.site.iter().chain(asked).chain(&self.included_by)
    }
}

/// `file:3:5: error: text`, `file:3: error: text`, `file(3,5): error C2065: text`; the text may be an error number before a colon.
static PLACED: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"^(.+?)(?::(\d+)(?::(\d+))?|\((\d+)(?:,(\d+))?\) ?): (fatal error|error|warning|note|remark)(?: [A-Z]+\d+)?: (.*)$",
    )
});
/// `In file included from a.h:3:` and, of gcc, the lines behind it: `                 from b.h:4,`.
static INCLUDED: LazyLock<Regex> =
    LazyLock::new(|| regex(r"^(In file included| {10,})\s*from (.+?):(\d+)(?::(\d+))?[:,]$"));
/// `clang++: error: text`, `ld.lld: error: text`, `hipcc: fatal error: text`.
static DRIVER: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"^(?:\S*?(?:clang|gcc|g\+\+|c\+\+|cc1plus|cc1|cc|hipcc|nvcc|ld|lld|collect2)[\w+.-]*: )?(fatal error|error|warning): (.*)$",
    )
});
/// `CMake Error at CMakeLists.txt:3 (find_package):`; what it says stands below, set in.
static CMAKE: LazyLock<Regex> =
    LazyLock::new(|| regex(r"^CMake (Error|Warning)(?: at (.+?):(\d+) .*| in .*)?:(.*)$"));
/// What linkers say of what nobody defines.
static UNDEFINED: LazyLock<Regex> = LazyLock::new(|| regex(r"undefined (reference to|symbol)"));
/// Colours.
static ESCAPE: LazyLock<Regex> = LazyLock::new(|| regex(r"\x1b\[[0-9;]*[mK]"));

fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a constant pattern that the tests use")
}

/// A log, read.
#[derive(Debug, Default)]
pub(crate) struct Log {
    /// Errors and warnings in their order.
    pub(crate) messages: Vec<Message>,
    /// Lines that belong to none, as programs print them when they run; those that are set in are excerpts of sources.
    pub(crate) others: Vec<String>,
}

/// The errors and warnings of a log, in its order.
pub(crate) fn messages(log: &str) -> Vec<Message> {
    read_log(log).messages
}

/// A log with the lines that are no messages.
pub(crate) fn read_log(log: &str) -> Log {
    let mut reading = Reading::default();
    for line in log.lines() {
        let line = ESCAPE.replace_all(line.trim_end(), "");
        // Compilers quote with either kind.
        reading.line(&line.replace(['‘', '’', '`'], "'"));
    }
    Log {
        messages: reading.found,
        others: reading.others,
    }
}

#[derive(Default)]
struct Reading {
    found: Vec<Message>,
    /// The includes that were printed last, the innermost first.
    stack: Vec<Site>,
    /// The stack belongs to the next message.
    is_stack_new: bool,
    /// What CMake says stands in the lines below.
    wants_text: bool,
    others: Vec<String>,
}

impl Reading {
    fn line(&mut self, line: &str) {
        if self.wants_text && line.starts_with("  ") {
            self.wants_text = false;
            if let Some(last) = self.found.last_mut() {
                line.trim().clone_into(&mut last.text);
            }
        } else if let Some(found) = INCLUDED.captures(line) {
            self.include(&found);
        } else if let Some(found) = PLACED.captures(line) {
            self.placed(&found);
        } else if let Some(found) = CMAKE.captures(line) {
            let site = site(&found, 2, &[3], &[]);
            let text = found[4].trim().to_owned();
            self.wants_text = text.is_empty();
            let level = if &found[1] == "Error" {
                Level::Error
            } else {
                Level::Warning
            };
            self.add(level, site, text);
        } else if let Some(found) = DRIVER.captures(line) {
            if let Some(level) = level(&found[1]) {
                self.add(level, None, found[2].to_owned());
            }
        } else if UNDEFINED.is_match(line) {
            self.add(Level::Error, None, line.trim().to_owned());
        } else if !line.starts_with(char::is_whitespace) && !line.is_empty() {
            self.others.push(line.to_owned());
        }
    }

    /// clang prints the outermost include first, each on a line that begins alike; gcc the innermost, the others set in.
    fn include(&mut self, found: &Captures<'_>) {
        let is_first = found[1].starts_with("In");
        let Some(site) = site(found, 2, &[3], &[4]) else {
            return;
        };
        if !self.is_stack_new {
            self.stack.clear();
        }
        self.is_stack_new = true;
        match is_first {
            true => self.stack.insert(0, site),
            false => self.stack.push(site),
        }
    }

    fn placed(&mut self, found: &Captures<'_>) {
        let Some(site) = site(found, 1, &[2, 4], &[3, 5]) else {
            return;
        };
        let text = found[7].to_owned();
        match level(&found[6]) {
            Some(level) => self.add(level, Some(site), text),
            None => {
                if let Some(last) = self.found.last_mut() {
                    last.notes.push((site, text));
                }
            }
        }
    }

    fn add(&mut self, level: Level, site: Option<Site>, text: String) {
        // The includes are not printed again for a second message in the same file.
        let last = self.found.last().and_then(|last| last.site.as_ref());
        let is_same = |last: &Site| site.as_ref().is_some_and(|site| site.file == last.file);
        if !self.is_stack_new && !last.is_some_and(is_same) {
            self.stack.clear();
        }
        self.is_stack_new = false;
        self.wants_text &= text.is_empty();
        let included_by = match site {
            Some(_) => self.stack.clone(),
            None => Vec::new(),
        };
        self.found.push(Message {
            level,
            site,
            text,
            included_by,
            notes: Vec::new(),
        });
    }
}

/// How bad a word says it is; notes and remarks belong to others.
fn level(word: &str) -> Option<Level> {
    match word {
        "fatal error" => Some(Level::Fatal),
        "error" => Some(Level::Error),
        "warning" => Some(Level::Warning),
        _ => None,
    }
}

/// The place in some groups of a match: of each kind the first that is there.
fn site(found: &Captures<'_>, file: usize, lines: &[usize], columns: &[usize]) -> Option<Site> {
    let text = |groups: &[usize]| groups.iter().find_map(|group| found.get(*group));
    let number = |groups: &[usize]| text(groups).and_then(|number| number.as_str().parse().ok());
    Some(Site {
        file: found.get(file)?.as_str().to_owned(),
        line: number(lines)?,
        column: number(columns).unwrap_or(0),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(log: &str) -> Vec<String> {
        let place = |site: &Site| format!("{}:{}:{}", site.file, site.line, site.column);
        let one = |message: Message| {
            let site = message.site.as_ref().map(place).unwrap_or_default();
            let by: Vec<String> = message.included_by.iter().map(place).collect();
            format!(
                "{:?} {site} {} <{}> {}",
                message.level,
                message.text,
                by.join(" "),
                message.notes.len()
            )
        };
        messages(log).into_iter().map(one).collect()
    }

    #[test]
    fn clang_gcc_msvc_cmake_and_linkers_are_read() {
        let log = "In file included from m.cu:1:\nIn file included from ./a.h:2:\n./b.h:3:5: error: no 'x'\n  3 | x\n    | ^\n\
            ./b.h:9:1: error: no 'y'\nm.cu:7:2: note: in instantiation of 'f' requested here\nm.cu:4:1: fatal error: 'q.h' file not found\n\
            2 errors generated when compiling for gfx90a.\n\
            In file included from b.h:1,\n                 from m.cpp:3:\nq.h:5: warning: \u{2018}z\u{2019} unused\n\
            C:\\x y\\k.cu(12): error: a\nk.cu(3,4): error C2065: b\nclang++: error: unknown argument: '-q'\nld.lld: error: undefined symbol: f\n\
            /usr/bin/ld: a.o: undefined reference to `g'\nCMake Error at CMakeLists.txt:3 (find_package):\n  By not providing it\n  more\n\
            \u{1b}[1ma.cu:1:2: \u{1b}[0;31merror: \u{1b}[0mred";
        let expected = [
            "Error ./b.h:3:5 no 'x' <./a.h:2:0 m.cu:1:0> 0",
            "Error ./b.h:9:1 no 'y' <./a.h:2:0 m.cu:1:0> 1",
            "Fatal m.cu:4:1 'q.h' file not found <> 0",
            "Warning q.h:5:0 'z' unused <b.h:1:0 m.cpp:3:0> 0",
            "Error C:\\x y\\k.cu:12:0 a <> 0",
            "Error k.cu:3:4 b <> 0",
            "Error  unknown argument: '-q' <> 0",
            "Error  undefined symbol: f <> 0",
            "Error  /usr/bin/ld: a.o: undefined reference to 'g' <> 0",
            "Error CMakeLists.txt:3:0 By not providing it <> 0",
            "Error a.cu:1:2 red <> 0",
        ];
        assert_eq!(shown(log), expected);
    }

    #[test]
    fn a_message_leads_to_the_template_that_was_asked_for() {
        let log = "/opt/rocm/x.h:1:1: error: static assertion failed\nport/k.cu:9:3: note: in instantiation of template class 'T' requested here\n\
            port/k.cu:1:1: note: candidate function";
        let message = &messages(log)[0];
        let files: Vec<&str> = message.sites().map(|site| &*site.file).collect();
        assert_eq!(files, ["/opt/rocm/x.h", "port/k.cu"]);
        assert_eq!(message.name(), None);
    }

    #[test]
    fn what_is_no_message_is_none() {
        assert!(
            messages("make: Nothing to be done for 'all'.\n3 errors generated.\n[ 50%] Building\n")
                .is_empty()
        );
    }
}
