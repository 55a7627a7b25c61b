//! What kernels cost, as far as it can be told without a card: a file of lines of JSON at the end of the program, one for each kernel,
//! where `HIP_EMULATOR_COSTS` names it. `docs/howto/costs.md` says what each figure means.

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::sync::{Mutex, Once, PoisonError};

use serde::Serialize;

use crate::device::{Class, Counts, Kernel, Report};

use super::launch::Launch;
use super::occupancy::{self, Occupancy};
use super::runtime::{complain, runtime, variable};

/// One kernel over all its launches.
#[derive(Clone, Debug, Serialize)]
struct Cost {
    kernel: String,
    chip: &'static str,
    wavefront: u32,
    launches: u64,
    groups: u64,
    waves: u64,
    /// Threads of the largest group that was launched.
    threads: u32,
    registers: Registers,
    lds: Lds,
    /// Bytes of scratch of one lane.
    scratch: u32,
    occupancy: Occupancy,
    executed: Executed,
}

#[derive(Clone, Copy, Debug, Serialize)]
struct Registers {
    vector: u32,
    accumulation: u32,
    scalar: u32,
    vector_spills: u32,
    scalar_spills: u32,
}

#[derive(Clone, Copy, Debug, Serialize)]
struct Lds {
    fixed: u32,
    /// Most that a launch asked for.
    dynamic: u32,
}

/// What waves did.
#[derive(Clone, Debug, Default, Serialize)]
struct Executed {
    instructions: u64,
    classes: BTreeMap<&'static str, u64>,
    lanes_on: u64,
    lanes: u64,
    divergences: u64,
    barriers: u64,
    global_requests: u64,
    global_lines: u64,
    global_lines_packed: u64,
    line_bytes: u32,
    atomic_lanes: u64,
    atomics_met: u64,
    lds_groups: u64,
    lds_passes: u64,
}

struct Entry {
    cost: Cost,
    counts: Counts,
}

static ENTRIES: Mutex<BTreeMap<String, Entry>> = Mutex::new(BTreeMap::new());

/// Whether the environment asks for costs.
pub fn are_wanted() -> bool {
    variable("HIP_EMULATOR_COSTS").is_some()
}

/// Adds what one launch did.
pub fn add(launch: &Launch, report: &Report) {
    let Some(counts) = &report.costs else { return };
    let mut entries = ENTRIES.lock().unwrap_or_else(PoisonError::into_inner);
    let entry = entries
        .entry(launch.function.name.clone())
        .or_insert_with(|| Entry {
            cost: Cost::new(launch.function.kernel()),
            counts: Counts::default(),
        });
    entry.counts += counts;
    entry.cost.add(launch, report);
}

impl Cost {
    fn new(kernel: &Kernel) -> Cost {
        Cost {
            kernel: kernel.name.clone(),
            chip: runtime().chip.name,
            wavefront: kernel.wavefront,
            launches: 0,
            groups: 0,
            waves: 0,
            threads: 0,
            registers: Registers {
                vector: kernel.vgprs,
                accumulation: kernel.agprs,
                scalar: kernel.sgprs,
                vector_spills: kernel.vgpr_spills,
                scalar_spills: kernel.sgpr_spills,
            },
            lds: Lds {
                fixed: kernel.lds,
                dynamic: 0,
            },
            scratch: kernel.scratch,
            occupancy: Occupancy::default(),
            executed: Executed::default(),
        }
    }

    fn add(&mut self, launch: &Launch, report: &Report) {
        self.launches += 1;
        self.groups += report.groups;
        self.waves += report.waves;
        let threads = launch.shape.block.count().unwrap_or(0) as u32;
        self.threads = self.threads.max(threads);
        self.lds.dynamic = self.lds.dynamic.max(launch.shape.lds as u32);
        // That of the largest group with the most LDS: the least of all launches.
        self.occupancy = occupancy::of(
            launch.function.kernel(),
            &runtime().chip,
            self.threads,
            self.lds.dynamic as usize,
        );
    }
}

impl Executed {
    fn new(counts: &Counts) -> Executed {
        let classes = Class::ALL
            .iter()
            .map(|class| (class.name(), counts.of(*class)));
        Executed {
            instructions: counts.instructions(),
            classes: classes.filter(|(_, count)| *count > 0).collect(),
            lanes_on: counts.lanes_on,
            lanes: counts.lanes,
            divergences: counts.divergences,
            barriers: counts.barriers,
            global_requests: counts.requests,
            global_lines: counts.lines,
            global_lines_packed: counts.lines_packed,
            line_bytes: runtime().chip.line,
            atomic_lanes: counts.atomic_lanes,
            atomics_met: counts.atomics_met,
            lds_groups: counts.lds_groups,
            lds_passes: counts.lds_passes,
        }
    }
}

/// Writes the file at the end of the program. Processes of one program add to the same file.
pub fn write() {
    static ONCE: Once = Once::new();
    let Some(path) = variable("HIP_EMULATOR_COSTS") else {
        return;
    };
    ONCE.call_once(|| {
        let lines = lines();
        let file = OpenOptions::new().create(true).append(true).open(&path);
        if let Err(error) = file.and_then(|mut file| file.write_all(lines.as_bytes())) {
            complain(&format!("HIP_EMULATOR_COSTS={path}: {error}"));
        }
    });
}

fn lines() -> String {
    let entries = ENTRIES.lock().unwrap_or_else(PoisonError::into_inner);
    let mut lines = String::new();
    for entry in entries.values() {
        let executed = Executed::new(&entry.counts);
        let cost = Cost {
            executed,
            ..entry.cost.clone()
        };
        lines += &serde_json::to_string(&cost).expect("names and numbers are JSON");
        lines.push('\n');
    }
    lines
}
