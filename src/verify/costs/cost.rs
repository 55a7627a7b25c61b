//! What a kernel cost, as the emulator counted it.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};

/// The variable that tells the emulator where to write.
pub(in crate::verify) const VARIABLE: &str = "HIP_EMULATOR_COSTS";

/// One kernel over all its launches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cost {
    pub(super) kernel: String,
    pub(super) chip: String,
    pub(super) wavefront: u64,
    pub(super) launches: u64,
    pub(super) groups: u64,
    pub(super) waves: u64,
    pub(super) threads: u64,
    pub(super) registers: Registers,
    pub(super) lds: Lds,
    pub(super) scratch: u64,
    pub(super) occupancy: Occupancy,
    pub(super) executed: Executed,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Registers {
    pub(super) vector: u64,
    pub(super) accumulation: u64,
    pub(super) scalar: u64,
    pub(super) vector_spills: u64,
    pub(super) scalar_spills: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Lds {
    pub(super) fixed: u64,
    pub(super) dynamic: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Occupancy {
    pub(super) groups: u64,
    pub(super) waves: u64,
    pub(super) most: u64,
    pub(super) limit: Limit,
}

/// What keeps more waves from a compute unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Limit {
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
pub(super) struct Executed {
    pub(super) instructions: u64,
    pub(super) classes: BTreeMap<String, u64>,
    pub(super) lanes_on: u64,
    pub(super) lanes: u64,
    pub(super) divergences: u64,
    pub(super) barriers: u64,
    pub(super) global_requests: u64,
    pub(super) global_lines: u64,
    pub(super) global_lines_packed: u64,
    pub(super) line_bytes: u64,
    pub(super) atomic_lanes: u64,
    pub(super) atomics_met: u64,
    pub(super) lds_groups: u64,
    pub(super) lds_passes: u64,
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

/// What a kernel cost in a case: a line of `--costs=FILE`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Line {
    /// The case.
    pub(crate) case: String,
    /// The kernel.
    #[serde(flatten)]
    pub(crate) cost: Cost,
}

/// What `--costs=FILE` wrote.
///
/// # Errors
/// When a line is of another kind.
pub(crate) fn lines(text: &str) -> Result<Vec<Line>> {
    let line = |(line, number): (&str, usize)| {
        serde_json::from_str(line).with_context(|| {
            format!("line {number}: is none that `verify run --costs=FILE` writes")
        })
    };
    text.lines().zip(1..).map(line).collect()
}

/// `part` of `whole` as a percentage.
pub(super) fn percent(part: u64, whole: u64) -> f64 {
    if whole == 0 {
        0.0
    } else {
        100.0 * part as f64 / whole as f64
    }
}

/// A mangled name as a source has it; the name itself where that cannot be told.
pub(super) fn readable(symbol: &str) -> String {
    let parsed = cpp_demangle::Symbol::new(symbol);
    let options = cpp_demangle::DemangleOptions::default();
    let name = parsed
        .ok()
        .and_then(|parsed| parsed.demangle(&options).ok());
    name.unwrap_or_else(|| symbol.to_owned())
}

pub(super) fn ratio(part: u64, whole: u64) -> f64 {
    part as f64 / whole.max(1) as f64
}

impl Cost {
    /// The kernel as its source has it; as it is where that cannot be told.
    pub(crate) fn name(&self) -> String {
        readable(&self.kernel)
    }

    /// The kernel as the linker knows it.
    pub(crate) fn symbol(&self) -> &str {
        &self.kernel
    }

    /// The chip, and the lanes of its waves.
    pub(crate) fn side(&self) -> String {
        format!("{}, waves of {}", self.chip, self.wavefront)
    }

    /// The lanes of its waves.
    pub(crate) fn lanes(&self) -> u64 {
        self.wavefront
    }

    /// Registers, what was spilled, and memory: three cells of a table.
    pub(crate) fn cells(&self) -> [String; 3] {
        let Registers {
            vector,
            scalar,
            vector_spills,
            scalar_spills,
            ..
        } = self.registers;
        let Lds { fixed, dynamic } = self.lds;
        [
            format!("{vector} vector, {scalar} scalar"),
            format!("{vector_spills} vector, {scalar_spills} scalar"),
            format!("{fixed} + {dynamic} LDS, {} scratch", self.scratch),
        ]
    }

    /// The figures as lines: what the code object says, then what the run did.
    pub(crate) fn figures(&self) -> Vec<String> {
        self.of_code().into_iter().chain(self.of_run()).collect()
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
}
