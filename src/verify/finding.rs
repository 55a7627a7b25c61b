//! What a comparison can find, and what to do about it.

use schemars::JsonSchema;
use serde::Serialize;

/// How much a difference matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// The comparison fails all the same without it; it is said for people.
    Warning,
    /// The comparison fails.
    Error,
}

/// One thing that was found.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Difference {
    /// What it is.
    pub kind: Kind,
    /// How much it matters.
    pub level: Level,
    /// Where: `stdout`, a file, `buffers`, `kernels`, `run`.
    pub place: String,
    /// Line of the port's output, from 1; 0 where there is none.
    pub line: u64,
    /// One sentence without a full stop.
    pub message: String,
    /// What the original has.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub want: String,
    /// What the port has.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub got: String,
}

macro_rules! kinds {
    ($($name:ident, $code:literal, $word:literal, $level:ident, $help:literal;)*) => {
        /// The kinds of differences.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, JsonSchema)]
        pub enum Kind {
            $(#[doc = $help] $name,)*
        }

        impl Kind {
            /// All kinds, in the order of their codes.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// `VERIFY001`.
            pub fn code(self) -> &'static str {
                match self { $(Self::$name => $code),* }
            }

            /// `number-differs`.
            pub fn name(self) -> &'static str {
                match self { $(Self::$name => $word),* }
            }

            /// How much it matters, unless the place says otherwise.
            pub fn level(self) -> Level {
                match self { $(Self::$name => Level::$level),* }
            }

            /// What it means and what to do.
            pub fn help(self) -> &'static str {
                match self { $(Self::$name => $help),* }
            }
        }
    };
}

kinds! {
    ExitCode, "VERIFY001", "exit-code", Error,
        "the port ends in another way than the original; its standard error is in the report";
    TimedOut, "VERIFY002", "timed-out", Error,
        "the command ran longer than it may and was ended; raise `timeout`, or look for a wait that no other wavefront ends";
    NumberDiffers, "VERIFY003", "number-differs", Error,
        "outside of the tolerance; build both without contraction (nvcc -fmad=false, hipcc -ffp-contract=off) to see whether products that are fused otherwise make the difference; if the original is as far from the exact value, raise `rel`, `abs` or `ulp` for this case";
    LineDiffers, "VERIFY004", "line-differs", Error,
        "words differ; lines that name the machine or the build can be left out with `ignore`";
    LineMissing, "VERIFY005", "line-missing", Error,
        "the original prints it in every run, the port does not";
    LineExtra, "VERIFY006", "line-extra", Error,
        "the port prints it, no run of the original did";
    OrderDiffers, "VERIFY007", "order-differs", Error,
        "the same lines in another order; where no order is promised (printf of kernels), set `unordered = true`";
    FileMissing, "VERIFY008", "file-missing", Error,
        "the original writes the file, the port did not";
    FileExtra, "VERIFY009", "file-extra", Warning,
        "the port writes a file that the original does not";
    FileDiffers, "VERIFY010", "file-differs", Error,
        "the bytes differ by more than the tolerance; `number-type` says how they are read";
    BufferDiffers, "VERIFY011", "buffer-differs", Error,
        "what the device copied back differs: the kernels before this copy compute something else; where only last bits do, products may be fused otherwise: nvcc -fmad=false and hipcc -ffp-contract=off leave all apart";
    CopiesDiffer, "VERIFY012", "copies-differ", Warning,
        "the port copies back other amounts than the original, so buffers cannot be compared one by one from here on";
    CaseMissing, "VERIFY013", "case-missing", Error,
        "only one of the two records has the case; record it, or run it";
    InputDiffers, "VERIFY014", "input-differs", Error,
        "the two programs did not read the same input: nothing can be said of the results";
    NothingCompared, "VERIFY020", "nothing-compared", Error,
        "neither output nor files nor buffers were left to compare: let the program print a checksum, write its result, or use --buffers";
    ConstantOutput, "VERIFY021", "constant-output", Warning,
        "all numbers of the original are the same or none is finite: a program that computes nothing could print them too; choose inputs that tell";
    CopiedOutput, "VERIFY022", "copied-output", Error,
        "the port prints timings of the original, digit for digit: its output was copied from the record, not computed";
    ToleranceTooWide, "VERIFY023", "tolerance-too-wide", Error,
        "wrong results would pass as well: make the tolerance smaller, or `abs` smaller than the numbers";
    NoLaunch, "VERIFY024", "no-launch", Error,
        "the original launches kernels and the port does not: its numbers come from somewhere else";
    LaunchFailed, "VERIFY025", "launch-failed", Error,
        "a launch returned an error and the program went on; check for errors after launches";
    WorkSkipped, "VERIFY026", "work-skipped", Error,
        "the port does less of the same work than the original";
    KernelMissing, "VERIFY027", "kernel-missing", Warning,
        "the original launches a kernel of this name, the port does not; a library or a renamed kernel may have taken its place";
    Fallback, "VERIFY028", "fallback", Error,
        "the port says that it computes without the GPU, and the original does not say so";
    InputsCached, "VERIFY029", "inputs-cached", Error,
        "the result does not depend on the input any more: it was kept from an earlier run";
    StaleFile, "VERIFY030", "stale-file", Error,
        "the file was there before and the port did not write it: remove it before the run";
    Unsynchronised, "VERIFY031", "timing-unsynchronised", Warning,
        "a clock was read around a launch that nothing waited for: the time is that of the launch; call hipDeviceSynchronize before the clock";
    Unwaited, "VERIFY032", "copy-unwaited", Warning,
        "the program never waited for an asynchronous copy back: it may have used the bytes before they were there";
    PrecisionLowered, "VERIFY033", "precision-lowered", Error,
        "the numbers fit a smaller type than the original's: look for half precision, TF32 or -ffast-math in the port";
    NotWatched, "VERIFY034", "not-watched", Warning,
        "guards that need the device say nothing here: run both sides with --buffers; programs that are linked statically, or set other LD_PRELOAD, are not seen";
}

impl Serialize for Kind {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl Difference {
    pub(super) fn new(kind: Kind, place: &str, message: impl Into<String>) -> Self {
        Self {
            kind,
            level: kind.level(),
            place: place.to_owned(),
            line: 0,
            message: message.into(),
            want: String::new(),
            got: String::new(),
        }
    }

    pub(super) fn at(mut self, line: u64) -> Self {
        self.line = line;
        self
    }

    pub(super) fn sides(mut self, want: &str, got: &str) -> Self {
        self.want = shortened(want);
        self.got = shortened(got);
        self
    }

    pub(super) fn warning(mut self) -> Self {
        self.level = Level::Warning;
        self
    }
}

fn shortened(text: &str) -> String {
    text.chars().take(400).collect()
}
