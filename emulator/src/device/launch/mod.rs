//! Launches.

mod count;
mod grid;
mod group;
mod progress;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Instant;

use crate::device::decode::decode;
use crate::device::launch::grid::work;
use crate::device::memory::Kind;
use crate::device::memory::Memory;
use crate::device::memory::hostcall::Hostcall;
use crate::device::model::chip::Chip;
use crate::device::model::chip::Family;
use crate::device::model::costs::Counts;
use crate::device::model::descriptor::Descriptor;
use crate::device::model::findings::{Fault, FaultKind, Finding};
use crate::device::model::load_error::LoadError;
use crate::device::model::metadata::Kernel;
use crate::device::model::options::{Host, Options, Schedule};
use crate::device::model::request::Launch;
use crate::device::ops::global::moves_16_bytes;
use crate::device::wave::code_object::CodeObject;
use crate::device::wave::dispatch::{Dispatch, Hidden};
use crate::device::wave::running::{GridBarrier, Progress, Running};

/// What a launch did.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Instructions that waves executed, all lanes of one counted once.
    pub instructions: u64,
    /// Groups.
    pub groups: u64,
    /// Waves.
    pub waves: u64,
    /// What was found.
    pub findings: Vec<Finding>,
    /// What its waves did, with [`Options::costs`].
    pub costs: Option<Counts>,
}

/// The most threads of a group, on all chips.
const MAX_THREADS: u64 = 1024;
/// Bytes of the heap of device malloc that the runtime provides; further ones come through hostcalls.
const HEAP: usize = 4 << 20;
/// Groups below which one thread executes all: starting another costs about as much as they do.
const FEW_GROUPS: u64 = 4;

/// One GPU.
pub struct Device {
    chip: Chip,
    memory: Arc<Memory>,
    host: Arc<dyn Host>,
    options: Options,
    hostcall: Hostcall,
    heap: OnceLock<Vec<u64>>,
    started: Instant,
}

impl Device {
    /// A device of a chip over a table of memory. Fails where no libLLVM is found, naming the names that were tried.
    pub fn new(
        chip: Chip,
        memory: Arc<Memory>,
        host: Arc<dyn Host>,
        options: Options,
    ) -> Result<Device, LoadError> {
        crate::device::model::llvm::Disassembler::new(chip.name, chip.wavefront)?;
        let hostcall = Hostcall::new(&memory);
        Ok(Device {
            chip,
            memory,
            host,
            options,
            hostcall,
            heap: OnceLock::new(),
            started: Instant::now(),
        })
    }

    /// The chip.
    pub fn chip(&self) -> &Chip {
        &self.chip
    }

    /// The table of memory.
    pub fn memory(&self) -> &Arc<Memory> {
        &self.memory
    }

    /// The choices.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Loads a code object: one ELF image for this chip.
    pub fn load(&self, image: &[u8]) -> Result<CodeObject, LoadError> {
        CodeObject::load(image, self.chip, &self.memory, decode)
    }

    /// Executes a kernel to its end.
    pub fn run(&self, object: &CodeObject, launch: &Launch<'_>) -> Result<Report, Fault> {
        let running = self.prepare(object, launch)?;
        let groups = count(launch.grid);
        let threads = if self.options.threads == 0 {
            threads_of(self.options.schedule)
        } else {
            self.options.threads as u64
        };
        let threads = if groups <= FEW_GROUPS && self.options.threads == 0 {
            1
        } else {
            threads.min(groups)
        };
        std::thread::scope(|scope| {
            for thread in 1..threads {
                let running = &running;
                scope.spawn(move || work(running, thread, threads));
            }
            work(&running, 0, threads);
        });
        self.finish(running, launch)
    }

    fn heap(&self) -> u64 {
        let words = self.heap.get_or_init(|| {
            let words = vec![0u64; HEAP / 8];
            self.memory
                .add(words.as_ptr() as u64, HEAP as u64, Kind::Runtime);
            words
        });
        words.as_ptr() as u64
    }

    fn prepare<'a>(
        &'a self,
        object: &'a CodeObject,
        launch: &'a Launch<'_>,
    ) -> Result<Running<'a>, Fault> {
        let kernel = object
            .kernel(launch.kernel)
            .ok_or_else(|| bad(format!("no kernel {}", launch.kernel)))?;
        let kd = object
            .descriptor(launch.kernel)
            .ok_or_else(|| bad(format!("no descriptor of {}", launch.kernel)))?;
        check(launch, kernel, &kd.1, &self.chip)?;
        let (address, descriptor) = kd;
        let wavefront = if self.chip.family == Family::Cdna {
            64
        } else {
            descriptor.wavefront()
        };
        let program = object
            .program(wavefront)
            .map_err(|error| bad(error.to_string()))?;
        let entry = address.wrapping_add_signed(descriptor.entry);
        let entry = program
            .word(entry)
            .ok_or_else(|| bad(format!("{} begins outside of the code", launch.kernel)))?;
        let needs_heap = kernel
            .arguments
            .iter()
            .any(|argument| argument.kind == "hidden_heap_v1");
        let hidden = Hidden {
            hostcall: self.hostcall.address(),
            heap: if needs_heap { self.heap() } else { 0 },
        };
        let dynamic_stack = if kernel.dynamic_stack {
            self.options.dynamic_stack
        } else {
            0
        };
        Ok(Running {
            object,
            program,
            memory: &self.memory,
            host: &*self.host,
            hostcall: &self.hostcall,
            dispatch: Dispatch::new(launch, kernel, kd, hidden, &self.memory),
            descriptor,
            kernel: &kernel.name,
            family: self.chip.family,
            // As AMD documents for Instinct MI200; MI300 keeps them.
            flush_matrices: self.chip.name == "gfx90a",
            entry,
            grid: launch.grid,
            block: launch.block,
            waves: count(launch.block).div_ceil(wavefront.into()) as u32,
            halves: wavefront as usize / 32,
            rows: rows(
                &descriptor,
                self.chip.family,
                wavefront,
                object.accumulators(),
            ),
            lds: descriptor.lds + launch.dynamic_lds,
            scratch: (descriptor.scratch + dynamic_stack).next_multiple_of(16),
            check: self.options.check,
            poison: self.options.poison,
            limit: self.options.limit,
            schedule: self.options.schedule,
            cooperative: launch.cooperative,
            grid_barrier: GridBarrier::new(count(launch.grid)),
            progress: Progress::default(),
            patience: self.options.patience,
            started: self.started,
            findings: Mutex::new(BTreeMap::new()),
            next: AtomicU64::new(0),
            instructions: AtomicU64::new(0),
            costs: self.options.costs.then(Mutex::default),
            line: self.chip.line.into(),
            stop: AtomicBool::new(false),
            fault: Mutex::new(None),
        })
    }

    fn finish(&self, running: Running<'_>, launch: &Launch<'_>) -> Result<Report, Fault> {
        let findings = running
            .findings
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        let findings: Vec<Finding> = findings.into_values().collect();
        if let Some(fault) = running
            .fault
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner)
        {
            return Err(Fault { findings, ..*fault });
        }
        let groups = count(launch.grid);
        let instructions = running.instructions.load(Ordering::Relaxed);
        Ok(Report {
            instructions,
            groups,
            waves: groups * u64::from(running.waves),
            findings,
            costs: running
                .costs
                .map(|costs| costs.into_inner().unwrap_or_else(PoisonError::into_inner)),
        })
    }
}

impl Drop for Device {
    fn drop(&mut self) {
        if let Some(words) = self.heap.get() {
            self.memory.remove(words.as_ptr() as u64);
        }
    }
}

/// Threads that execute where nobody says how many: all cores, but one where a seed chooses the order, which must come again with it.
fn threads_of(schedule: Schedule) -> u64 {
    if schedule == Schedule::RoundRobin && moves_16_bytes() {
        std::thread::available_parallelism().map_or(1, |n| n.get() as u64)
    } else {
        1
    }
}

fn count(dims: [u32; 3]) -> u64 {
    dims.iter().map(|n| u64::from(*n)).product()
}

fn bad(message: String) -> Fault {
    Fault {
        kind: FaultKind::BadLaunch,
        message,
        place: None,
        findings: Vec::new(),
    }
}

/// Refuses what the chip would.
fn check(launch: &Launch<'_>, kernel: &Kernel, kd: &Descriptor, chip: &Chip) -> Result<(), Fault> {
    let (threads, name) = (count(launch.block), launch.kernel);
    let lds = u64::from(kd.lds) + u64::from(launch.dynamic_lds);
    if count(launch.grid) == 0 || threads == 0 {
        return Err(bad(format!("{name}: an empty grid or block")));
    }
    if threads > MAX_THREADS {
        return Err(bad(format!(
            "{name}: {threads} threads of a block, at most {MAX_THREADS} are possible"
        )));
    }
    if kernel.max_threads != 0 && threads > kernel.max_threads.into() {
        return Err(bad(format!(
            "{name}: {threads} threads of a block, but it was compiled for {}",
            kernel.max_threads
        )));
    }
    if lds > chip.lds.into() {
        return Err(bad(format!(
            "{name}: {lds} bytes of LDS, {} has {}",
            chip.name, chip.lds
        )));
    }
    Ok(())
}

/// Vector registers of a wave, those for accumulation included.
fn rows(kd: &Descriptor, family: Family, wavefront: u32, accumulators: u16) -> usize {
    let granules = (kd.rsrc1 & 63) as usize + 1;
    if family != Family::Cdna {
        return granules * if wavefront == 32 { 8 } else { 4 };
    }
    let first = ((kd.rsrc3 & 63) as usize + 1) * 4;
    let own = (granules * 8).saturating_sub(first);
    if own == 0 {
        first
    } else {
        usize::from(accumulators) + own
    }
}
