use std::process::ExitCode;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Nothing at or above the threshold.
    Clean,
    /// Findings at or above the threshold, or a difference.
    Findings,
    /// Usage or tool error, or a file that could not be read or written.
    Trouble,
    /// Interrupted from the keyboard.
    Interrupted,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Clean => 0,
            Exit::Findings => 1,
            Exit::Trouble => 2,
            Exit::Interrupted => 130,
        })
    }
}
