//! How far a run is, for a person at a terminal; nothing elsewhere.

use std::io::IsTerminal as _;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::output;
use crate::pipeline::{Stage, Watcher};

/// A run that ends before shows nothing: a line that comes and goes at once only disturbs.
const PATIENCE: Duration = Duration::from_millis(200);
/// How often the line moves although no file is done: one may be large.
const TICK: Duration = Duration::from_millis(250);

/// A line on standard error that goes when the run ends.
pub(super) struct Progress {
    bar: ProgressBar,
    begun: Instant,
    /// Set when the line is shown, and from the start where nobody looks.
    settled: OnceLock<()>,
}

impl Progress {
    /// A line that waits to be shown; none with `--quiet` and where standard error is no terminal.
    pub(super) fn new() -> Self {
        let settled = OnceLock::new();
        if output::is_quiet() || !std::io::stderr().is_terminal() {
            settled.get_or_init(|| ());
        }
        Self {
            bar: ProgressBar::hidden(),
            begun: Instant::now(),
            settled,
        }
    }

    fn show_when_late(&self) {
        if self.settled.get().is_some() || self.begun.elapsed() < PATIENCE {
            return;
        }
        self.settled.get_or_init(|| {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
            self.bar.enable_steady_tick(TICK);
            output::set_progress_line(Some(self.bar.clone()));
        });
    }
}

impl Watcher for Progress {
    fn begin(&self, stage: Stage, files: Option<usize>) {
        let template = match stage {
            Stage::Listing => "{spinner} {pos} files found {elapsed}",
            Stage::Reading => "{bar:40} {pos}/{len} files read {elapsed}",
            Stage::Translating => "{bar:40} {pos}/{len} files {elapsed}",
            Stage::Compiling => "{bar:40} {pos}/{len} units compiled {elapsed}",
            Stage::Running => "{bar:40} {pos}/{len} programs {elapsed}",
        };
        // The templates are right; a wrong one would not be worth the end of a run.
        if let Ok(style) = ProgressStyle::with_template(template) {
            self.bar.set_style(style);
        }
        self.bar.set_position(0);
        match files {
            Some(files) => self.bar.set_length(files as u64),
            None => self.bar.unset_length(),
        }
        self.show_when_late();
    }

    fn step(&self) {
        self.bar.inc(1);
        self.show_when_late();
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        output::set_progress_line(None);
        self.bar.finish_and_clear();
    }
}
