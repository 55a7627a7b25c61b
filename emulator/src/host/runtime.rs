//! What all functions share: the chip that the environment chose, the table of memory, the device.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use crate::device::{Chip, Device, Memory, Options, Schedule};

use super::hostcall::Service;

/// The chip that runs where `HIP_EMULATOR_ARCH` names none.
const DEFAULT_ARCH: &str = "gfx90a";
/// Memory of the device at most; real ones have 16 to 192 GB, but a program that asks for all of it must find it here too.
const MOST_MEMORY: usize = 16 << 30;

/// The process-wide state that does not change.
pub struct Runtime {
    /// The chip.
    pub chip: Chip,
    /// All memory that kernels may touch.
    pub memory: Arc<Memory>,
    /// What executes kernels.
    pub device: Device,
    /// Number of devices that the program sees (`HIP_EMULATOR_DEVICES`, one if unset).
    pub devices: i32,
    /// Bytes of memory that the device says it has.
    pub total_memory: usize,
    /// `HIP_EMULATOR_FILL`: the byte that new device memory holds.
    pub fill: Option<u8>,
    /// `HIP_LAUNCH_BLOCKING`: each operation is waited for, as in the real runtime.
    pub blocking: bool,
}

/// The state, made at the first call.
pub fn runtime() -> &'static Runtime {
    static STATE: OnceLock<Runtime> = OnceLock::new();
    STATE.get_or_init(Runtime::from_environment)
}

/// Ends the process with a message: the emulator itself cannot go on, and a wrong number must not come of it.
pub fn give_up(message: &str) -> ! {
    super::hostcall::flush();
    complain(message);
    std::process::exit(97)
}

/// A message of the emulator on standard error.
pub fn complain(message: &str) {
    use std::io::Write as _;
    // A closed standard error is nobody's loss.
    let _ = writeln!(std::io::stderr(), "hip-emulator: {message}");
}

pub(super) fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// A number of the environment; one that is no number ends the process, since another run than the one asked for would be a lie.
fn number<T: std::str::FromStr>(name: &str) -> Option<T> {
    let value = variable(name)?;
    match value.parse() {
        Ok(number) => Some(number),
        Err(_) => give_up(&format!("{name}={value} is not a number in its range")),
    }
}

fn chip() -> Chip {
    let name = variable("HIP_EMULATOR_ARCH").unwrap_or_else(|| DEFAULT_ARCH.to_string());
    Chip::named(&name).unwrap_or_else(|| {
        let known: Vec<&str> = Chip::ALL.iter().map(|chip| chip.name).collect();
        give_up(&format!(
            "HIP_EMULATOR_ARCH={name}: no such chip; there are {}",
            known.join(", ")
        ))
    })
}

/// `HIP_EMULATOR_SCHEDULE`: `round-robin`, `ahead`, `ahead:SEED`, `random` or `random:SEED`.
fn schedule() -> Schedule {
    let Some(text) = variable("HIP_EMULATOR_SCHEDULE") else {
        return Schedule::default();
    };
    let (name, seed) = text.split_once(':').unwrap_or((&text, "0"));
    match (name, seed.parse()) {
        ("round-robin", Ok(_)) => Schedule::RoundRobin,
        ("ahead", Ok(seed)) => Schedule::Ahead(seed),
        ("random", Ok(seed)) => Schedule::Random(seed),
        _ => give_up(&format!(
            "HIP_EMULATOR_SCHEDULE={text}: it is round-robin, ahead:SEED or random:SEED"
        )),
    }
}

fn options() -> Options {
    Options {
        schedule: schedule(),
        threads: number("HIP_EMULATOR_THREADS").unwrap_or(0),
        check: number::<u8>("HIP_EMULATOR_CHECK").unwrap_or(0) != 0,
        costs: super::costs::are_wanted(),
        limit: number("HIP_EMULATOR_LIMIT"),
        patience: match number("HIP_EMULATOR_PATIENCE").unwrap_or(10) {
            0 => None,
            seconds => Some(Duration::from_secs(seconds)),
        },
        poison: number("HIP_EMULATOR_POISON"),
        ..Options::default()
    }
}

fn half_of_the_machine() -> usize {
    let pages = |name| {
        // SAFETY: sysconf reads nothing of ours.
        usize::try_from(unsafe { libc::sysconf(name) }).unwrap_or(0)
    };
    pages(libc::_SC_PHYS_PAGES) * pages(libc::_SC_PAGESIZE) / 2
}

impl Runtime {
    fn from_environment() -> Runtime {
        let memory = Arc::new(Memory::new());
        let chip = chip();
        let device = Device::new(
            chip,
            memory.clone(),
            Arc::new(Service::default()),
            options(),
        );
        Runtime {
            device: device.unwrap_or_else(|error| give_up(&error.to_string())),
            chip,
            memory,
            devices: number("HIP_EMULATOR_DEVICES").unwrap_or(1).max(1),
            total_memory: MOST_MEMORY.min(half_of_the_machine()),
            fill: number("HIP_EMULATOR_FILL"),
            blocking: number::<u8>("HIP_LAUNCH_BLOCKING").unwrap_or(0) != 0,
        }
    }
}
