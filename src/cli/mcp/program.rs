//! Runs of this program: each call of a tool is one, and a run that breaks down ends nothing but itself.

use std::io::Write as _;
use std::process::{Command, Stdio};

use serde_json::Value;

/// A command line.
pub(super) struct Line {
    words: Vec<String>,
    input: Option<String>,
}

/// What a command printed.
pub(super) struct Printed {
    pub(super) out: String,
    pub(super) err: String,
    pub(super) code: i32,
}

impl Line {
    pub(super) fn of(words: &[&str]) -> Self {
        Self {
            words: words.iter().map(|word| (*word).to_owned()).collect(),
            input: None,
        }
    }

    /// With an option.
    pub(super) fn with(mut self, option: impl Into<String>) -> Self {
        self.words.push(option.into());
        self
    }

    /// With the release and the chips that an agent gave.
    pub(super) fn for_machine(self, rocm: Option<&str>, target: &[String]) -> Self {
        let line = match rocm {
            Some(rocm) => self.with(format!("--rocm={rocm}")),
            None => self,
        };
        match target.is_empty() {
            true => line,
            false => line.with(format!("--target={}", target.join(","))),
        }
    }

    /// With the options that an agent gave, and a port, the folder that the program runs in where it gave none.
    pub(super) fn for_port<const N: usize>(
        self,
        options: [(&str, &Option<String>); N],
        port: Option<&str>,
    ) -> Self {
        let given = options
            .into_iter()
            .filter_map(|(name, value)| Some(format!("{name}={}", value.as_deref()?)));
        let line = given.fold(self, Self::with);
        // What stands behind `--` are options of every unit, so that a name with a dash needs its folder.
        match port.unwrap_or(".") {
            path if path.starts_with('-') => line.with(format!("./{path}")),
            path => line.with(path),
        }
    }

    /// With words behind the options: none of them can be an option itself.
    pub(super) fn words<'a>(mut self, words: impl IntoIterator<Item = &'a str>) -> Self {
        self.words.push("--".to_owned());
        self.words.extend(words.into_iter().map(str::to_owned));
        self
    }

    /// With a text of this name for its standard input.
    pub(super) fn text(self, text: &str, name: Option<&str>) -> Self {
        let name = name.unwrap_or("kernel.cu");
        let mut line = self.with(format!("--stdin-filename={name}")).with("-");
        line.input = Some(text.to_owned());
        line
    }

    /// Runs it.
    ///
    /// # Errors
    /// When the program cannot be started.
    pub(super) fn run(self) -> Result<Printed, String> {
        let program = std::env::current_exe().map_err(|error| error.to_string())?;
        let stdin = match self.input {
            Some(_) => Stdio::piped(),
            None => Stdio::null(),
        };
        let mut command = Command::new(program);
        command.arg("--color=never").args(&self.words);
        command
            .stdin(stdin)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|error| error.to_string())?;
        // The program reads all of its input before it writes.
        if let (Some(mut stdin), Some(text)) = (child.stdin.take(), &self.input) {
            let _ = stdin.write_all(text.as_bytes());
        }
        let done = child
            .wait_with_output()
            .map_err(|error| error.to_string())?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Ok(Printed {
            out: text(&done.stdout),
            err: text(&done.stderr),
            code: done.status.code().unwrap_or(2),
        })
    }

    /// Runs it; where it was in trouble, what it complained of is the error.
    pub(super) fn printed(self) -> Result<Printed, String> {
        let done = self.run()?;
        match done.code {
            0 | 1 => Ok(done),
            _ => Err(done.err + &done.out),
        }
    }

    /// The JSON that it prints.
    pub(super) fn json(self) -> Result<Value, String> {
        let done = self.run()?;
        serde_json::from_str(&done.out).map_err(|_| done.err + &done.out)
    }
}
