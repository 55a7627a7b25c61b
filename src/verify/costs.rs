//! What kernels cost, as the emulator counted it: `docs/howto/costs.md` says what each figure means and where it comes from.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};

/// The variable that tells the emulator where to write.
pub(super) const VARIABLE: &str = "HIP_EMULATOR_COSTS";

/// One kernel over all its launches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cost {
    kernel: String,
    chip: String,
    wavefront: u64,
    launches: u64,
    groups: u64,
    waves: u64,
    threads: u64,
    registers: Registers,
    lds: Lds,
    scratch: u64,
    occupancy: Occupancy,
    executed: Executed,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Registers {
    vector: u64,
    accumulation: u64,
    scalar: u64,
    vector_spills: u64,
    scalar_spills: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Lds {
    fixed: u64,
    dynamic: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Occupancy {
    groups: u64,
    waves: u64,
    most: u64,
    limit: Limit,
}

/// What keeps more waves from a compute unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Limit {
    Slots,
    VectorRegisters,
    ScalarRegisters,
    Lds,
    GroupSize,
}

impl Limit {
    fn text(self) -> &'static str {
        match self {
            Self::Slots => "all that it has room for",
            Self::VectorRegisters => "vector registers keep more from it",
            Self::ScalarRegisters => "scalar registers keep more from it",
            Self::Lds => "LDS keeps more from it",
            Self::GroupSize => "no further group fits",
        }
    }
}

/// What waves did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Executed {
    instructions: u64,
    classes: BTreeMap<String, u64>,
    lanes_on: u64,
    lanes: u64,
    divergences: u64,
    barriers: u64,
    global_requests: u64,
    global_lines: u64,
    global_lines_packed: u64,
    line_bytes: u64,
    atomic_lanes: u64,
    atomics_met: u64,
    lds_groups: u64,
    lds_passes: u64,
}

/// Reads what the emulator wrote: a line for each kernel of each process. A program that launched nothing wrote nothing.
///
/// # Errors
/// When a file is there that an emulator of this version did not write.
pub fn read(path: &Path) -> Result<Vec<Cost>> {
    if !path.exists() {
        return Ok(Vec::new());
    }
    let text = std::fs::read_to_string(path)?;
    let cost = |line: &str| {
        serde_json::from_str(line).context(
            "the emulator counts otherwise than this program reads; build both from one checkout",
        )
    };
    text.lines().map(cost).collect()
}

/// `part` of `whole` as a percentage.
fn percent(part: u64, whole: u64) -> f64 {
    if whole == 0 {
        0.0
    } else {
        100.0 * part as f64 / whole as f64
    }
}

fn ratio(part: u64, whole: u64) -> f64 {
    part as f64 / whole.max(1) as f64
}

impl Cost {
    /// For people: figures, then notes.
    pub fn text(&self) -> String {
        let mut text = format!("{} on {}\n", self.name(), self.chip);
        for line in self.of_code().into_iter().chain(self.of_run()) {
            let _ = writeln!(text, "  {line}");
        }
        for note in self.notes() {
            let _ = writeln!(text, "  = note: {note}");
        }
        text
    }

    /// The kernel as its source has it; as it is where that cannot be told.
    fn name(&self) -> String {
        let symbol = cpp_demangle::Symbol::new(&self.kernel);
        let name = symbol.ok().and_then(|symbol| {
            symbol
                .demangle(&cpp_demangle::DemangleOptions::default())
                .ok()
        });
        name.unwrap_or_else(|| self.kernel.clone())
    }

    /// What the code object says.
    fn of_code(&self) -> Vec<String> {
        let Registers {
            vector,
            accumulation,
            scalar,
            vector_spills,
            scalar_spills,
        } = self.registers;
        let accumulation = match accumulation {
            0 => String::new(),
            count => format!(" ({count} of them for accumulation)"),
        };
        let Occupancy {
            waves, most, limit, ..
        } = self.occupancy;
        vec![
            format!(
                "launches: {}, {} groups of at most {} threads, {} waves of {} lanes",
                self.launches, self.groups, self.threads, self.waves, self.wavefront
            ),
            format!(
                "registers: {vector} vector{accumulation}, {scalar} scalar; spilled: {vector_spills} vector, {scalar_spills} scalar"
            ),
            format!(
                "memory: {} + {} bytes of LDS, {} bytes of scratch a lane",
                self.lds.fixed, self.lds.dynamic, self.scratch
            ),
            format!(
                "occupancy: {waves} of {most} waves of a compute unit: {}",
                limit.text()
            ),
        ]
    }

    /// What its waves did.
    fn of_run(&self) -> Vec<String> {
        let run = &self.executed;
        let classes: Vec<String> = run
            .classes
            .iter()
            .map(|(class, count)| format!("{class} {count}"))
            .collect();
        let mut lines = vec![
            format!(
                "instructions of waves: {} = {}",
                run.instructions,
                classes.join(" + ")
            ),
            format!(
                "lanes at work: {:.1} %; divergences: {}; barriers: {}",
                percent(run.lanes_on, run.lanes),
                run.divergences,
                run.barriers
            ),
        ];
        if run.global_requests > 0 {
            lines.push(format!(
                "global memory: {} requests of {:.1} lines of {} bytes, {:.1} if their bytes lay together",
                run.global_requests,
                ratio(run.global_lines, run.global_requests),
                run.line_bytes,
                ratio(run.global_lines_packed, run.global_requests)
            ));
        }
        if run.lds_groups > 0 {
            lines.push(format!(
                "LDS: {} groups of lanes in {} passes, {} by conflicts of banks",
                run.lds_groups,
                run.lds_passes,
                run.lds_passes.saturating_sub(run.lds_groups)
            ));
        }
        if run.atomic_lanes > 0 {
            lines.push(format!(
                "atomics: {} of lanes, {} at an address of another lane",
                run.atomic_lanes, run.atomics_met
            ));
        }
        lines
    }

    /// What a person would look at first, with the figures that say so.
    fn notes(&self) -> Vec<String> {
        let run = &self.executed;
        let mut notes = Vec::new();
        if self.threads < self.wavefront {
            notes.push(format!(
                "a group of {} threads leaves {} of {} lanes of its wave empty: larger groups, or several tiles in one",
                self.threads,
                self.wavefront - self.threads,
                self.wavefront
            ));
        } else if percent(run.lanes_on, run.lanes) < 60.0 {
            notes.push(format!(
                "{:.1} % of the lanes are at work: branches that lanes of one wave take differently, or work for 32 lanes on waves of {}",
                percent(run.lanes_on, run.lanes),
                self.wavefront
            ));
        }
        if self.registers.vector_spills > 0 {
            notes.push(format!(
                "{} vector registers go through scratch: fewer values at a time, or a smaller second argument of `__launch_bounds__`",
                self.registers.vector_spills
            ));
        }
        if run.lds_passes >= 2 * run.lds_groups.max(1) {
            notes.push(format!(
                "LDS takes {:.1} passes where one would do: a row of one more element puts neighbours into other banks",
                ratio(run.lds_passes, run.lds_groups)
            ));
        }
        if run.global_lines >= 2 * run.global_lines_packed.max(1) {
            notes.push(format!(
                "{:.1} times the lines that the bytes need: neighbouring lanes should touch neighbouring elements",
                ratio(run.global_lines, run.global_lines_packed)
            ));
        }
        if 4 * self.occupancy.waves <= self.occupancy.most {
            notes.push(format!(
                "{} of {} waves: little is there to hide the latency of memory",
                self.occupancy.waves, self.occupancy.most
            ));
        }
        if 2 * run.atomics_met > run.atomic_lanes {
            notes.push(
                "most atomics meet others of their wave at one address: add up within the wave first"
                    .to_owned(),
            );
        }
        notes
    }
}
