//! Runs a command to its end, or ends it: with a limit of time, of output, or when a person wants it.

use std::ffi::OsString;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use process_wrap::std::{ChildWrapper, CommandWrap};
use serde::{Deserialize, Serialize};

/// How often a running command is looked at.
const PERIOD: Duration = Duration::from_millis(10);

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum End {
    /// By itself, with this code.
    Exit(i32),
    /// By a signal.
    Signal(i32),
    /// It ran longer than it may and was ended.
    TimedOut,
    /// It wrote more than it may and was ended.
    TooMuchOutput,
    /// A person ended it.
    Interrupted,
}

impl End {
    /// For people.
    pub fn text(self) -> String {
        match self {
            Self::Exit(code) => format!("exit code {code}"),
            Self::Signal(number) => format!("signal {number}{}", signal_name(number)),
            Self::TimedOut => "out of time".to_owned(),
            Self::TooMuchOutput => "more output than allowed".to_owned(),
            Self::Interrupted => "interrupted".to_owned(),
        }
    }
}

fn signal_name(number: i32) -> &'static str {
    match number {
        4 => " (illegal instruction)",
        6 => " (abort)",
        8 => " (arithmetic error)",
        9 => " (killed)",
        11 => " (segmentation fault)",
        15 => " (terminated)",
        _ => "",
    }
}

/// What is to be run and within which limits.
#[derive(Debug)]
pub(crate) struct Task<'a> {
    /// Program and arguments; the program as a path is meant from `folder`.
    pub(crate) command: &'a [String],
    pub(crate) folder: &'a Path,
    pub(crate) environment: &'a [(OsString, OsString)],
    pub(crate) stdin: Option<&'a Path>,
    pub(crate) timeout: Duration,
    /// Most bytes on standard output and error together.
    pub(crate) most_output: u64,
    pub(crate) interrupted: &'a AtomicBool,
}

/// How a run went.
#[derive(Clone, Copy, Debug)]
pub struct Outcome {
    /// How it ended.
    pub end: End,
    /// Seconds from start to end.
    pub seconds: f64,
}

impl Task<'_> {
    /// Runs the command; what it prints goes straight into the two files, so that no amount of it fills memory and no child that
    /// is left behind can hold a pipe open.
    pub(crate) fn run(&self, stdout: &Path, stderr: &Path) -> Result<Outcome> {
        let program = self.program();
        let mut command = Command::new(&program);
        command
            .args(&self.command[1..])
            .current_dir(self.folder)
            .envs(self.environment.iter().map(|(key, value)| (key, value)));
        command.stdin(match self.stdin {
            Some(path) => Stdio::from(
                File::open(path).with_context(|| format!("{}: cannot be read", path.display()))?,
            ),
            None => Stdio::null(),
        });
        command.stdout(sink(stdout)?).stderr(sink(stderr)?);
        let mut command = CommandWrap::from(command);
        own_group(&mut command);
        let start = Instant::now();
        let child = command.spawn().with_context(|| {
            format!(
                "{}: cannot be started; is it built, and is its path meant from {}?",
                program.display(),
                self.folder.display()
            )
        })?;
        let end = self.watch(child, start, [stdout, stderr])?;
        let seconds = start.elapsed().as_secs_f64();
        Ok(Outcome { end, seconds })
    }

    fn program(&self) -> PathBuf {
        let program = Path::new(&self.command[0]);
        let is_path = program.components().count() > 1;
        if is_path && program.is_relative() {
            self.folder.join(program)
        } else {
            program.to_path_buf()
        }
    }

    fn watch(
        &self,
        mut child: Box<dyn ChildWrapper>,
        start: Instant,
        outputs: [&Path; 2],
    ) -> Result<End> {
        loop {
            if let Some(status) = child
                .try_wait()
                .context("the command cannot be waited for")?
            {
                return Ok(end_of(status));
            }
            let written = || -> u64 {
                let sizes = outputs.map(|path| path.metadata().map_or(0, |data| data.len()));
                sizes.iter().sum()
            };
            let end = if self.interrupted.load(Ordering::Relaxed) {
                End::Interrupted
            } else if start.elapsed() > self.timeout {
                End::TimedOut
            } else if written() > self.most_output {
                End::TooMuchOutput
            } else {
                std::thread::sleep(PERIOD);
                continue;
            };
            // With the whole group, so that nothing it started runs on.
            child.kill().context("the command cannot be ended")?;
            return Ok(end);
        }
    }
}

fn sink(path: &Path) -> Result<File> {
    // Opened for writing only: the file was made by us, in a folder of ours.
    let file = File::options().append(true).create(true).open(path);
    file.with_context(|| format!("{}: cannot be written", path.display()))
}

#[cfg(unix)]
fn own_group(command: &mut CommandWrap) {
    command.wrap(process_wrap::std::ProcessGroup::leader());
}

#[cfg(windows)]
fn own_group(command: &mut CommandWrap) {
    command.wrap(process_wrap::std::JobObject);
}

#[cfg(unix)]
fn end_of(status: ExitStatus) -> End {
    use std::os::unix::process::ExitStatusExt as _;
    match status.signal() {
        Some(signal) => End::Signal(signal),
        None => End::Exit(status.code().unwrap_or(-1)),
    }
}

#[cfg(not(unix))]
fn end_of(status: ExitStatus) -> End {
    End::Exit(status.code().unwrap_or(-1))
}
