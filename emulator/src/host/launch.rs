//! Launches of kernels.

use std::cell::RefCell;
use std::collections::HashSet;
use std::ffi::c_void;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::device::{self, Fault, FaultKind, Finding};

use super::costs;
use super::error::{Code, Outcome};
use super::event::EVENTS;
use super::function::Function;
use super::module::function_of;
use super::occupancy;
use super::raw::{self, Ptr};
use super::registry;
use super::runtime::{complain, give_up, runtime};
use super::stream;
use super::work::Work;

/// HIP's `dim3`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dim3 {
    /// First.
    pub x: u32,
    /// Second.
    pub y: u32,
    /// Third.
    pub z: u32,
}

impl Dim3 {
    /// From three numbers.
    pub fn new(x: u32, y: u32, z: u32) -> Dim3 {
        Dim3 { x, y, z }
    }

    fn array(self) -> [u32; 3] {
        [self.x, self.y, self.z]
    }

    /// The product, or nothing where it does not fit into 64 bits.
    pub fn count(self) -> Option<u64> {
        u64::from(self.x)
            .checked_mul(u64::from(self.y))?
            .checked_mul(u64::from(self.z))
    }
}

/// Groups, threads of a group, bytes of dynamic LDS.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shape {
    /// Groups.
    pub grid: Dim3,
    /// Threads.
    pub block: Dim3,
    /// Bytes.
    pub lds: usize,
}

/// One launch, its arguments packed.
#[derive(Clone)]
pub struct Launch {
    /// The kernel.
    pub function: Arc<Function>,
    /// How many threads.
    pub shape: Shape,
    /// The explicit arguments.
    pub arguments: Vec<u8>,
    /// Do groups wait for each other?
    pub cooperative: bool,
}

static LAUNCHES: AtomicU64 = AtomicU64::new(0);
static INSTRUCTIONS: AtomicU64 = AtomicU64::new(0);
static FINDINGS: AtomicU64 = AtomicU64::new(0);
/// What was printed already: a finding of a kernel that is launched a thousand times is printed once.
static TOLD: Mutex<Option<HashSet<String>>> = Mutex::new(None);

impl Launch {
    /// A launch that HIP would accept; else its error.
    pub fn new(
        function: Arc<Function>,
        shape: Shape,
        arguments: Vec<u8>,
        cooperative: bool,
    ) -> Outcome<Launch> {
        let launch = Launch {
            function,
            shape,
            arguments,
            cooperative,
        };
        launch.check()?;
        Ok(launch)
    }

    /// The limits of the chip, and those that the kernel was compiled for.
    fn check(&self) -> Outcome {
        let (kernel, chip) = (self.function.kernel(), runtime().chip);
        let (threads, groups) = (
            self.shape.block.count().unwrap_or(u64::MAX),
            self.shape.grid.count().unwrap_or(u64::MAX),
        );
        if threads == 0 || groups == 0 || threads > u64::from(occupancy::MAX_THREADS) {
            return Err(Code::INVALID_CONFIGURATION);
        }
        let fits = |blocks: u32, threads: u32| blocks.checked_mul(threads).is_some();
        let (grid, block) = (self.shape.grid, self.shape.block);
        if !(fits(grid.x, block.x) && fits(grid.y, block.y) && fits(grid.z, block.z)) {
            return Err(Code::INVALID_CONFIGURATION);
        }
        if self.shape.lds as u64 + u64::from(kernel.lds) > u64::from(chip.lds) {
            complain(&format!(
                "kernel {} asks for {} + {} bytes of LDS, {} has {}",
                kernel.name, kernel.lds, self.shape.lds, chip.name, chip.lds
            ));
            return Err(Code::INVALID_VALUE);
        }
        if kernel.max_threads != 0 && threads > u64::from(kernel.max_threads) {
            complain(&format!(
                "kernel {} was compiled for at most {} threads in a group (__launch_bounds__), {threads} are asked for",
                kernel.name, kernel.max_threads
            ));
            return Err(Code::LAUNCH_FAILURE);
        }
        if self.cooperative
            && groups > occupancy::groups_at_once(&self.function, threads as u32, self.shape.lds)
        {
            return Err(Code::COOPERATIVE_TOO_LARGE);
        }
        Ok(())
    }

    /// Executes the kernel; a fault ends the process.
    pub fn run(&self) {
        let launch = device::Launch {
            kernel: &self.function.name,
            grid: self.shape.grid.array(),
            block: self.shape.block.array(),
            dynamic_lds: self.shape.lds as u32,
            arguments: &self.arguments,
            cooperative: self.cooperative,
        };
        LAUNCHES.fetch_add(1, Ordering::Relaxed);
        match runtime().device.run(&self.function.code, &launch) {
            Ok(report) => {
                INSTRUCTIONS.fetch_add(report.instructions, Ordering::Relaxed);
                costs::add(self, &report);
                tell(&report.findings);
            }
            Err(fault) => end(&fault),
        }
    }
}

fn tell(findings: &[Finding]) {
    for finding in findings {
        FINDINGS.fetch_add(finding.count, Ordering::Relaxed);
        let mut told = TOLD.lock().unwrap_or_else(PoisonError::into_inner);
        let key = format!(
            "{:?} {} {}",
            finding.kind, finding.place.kernel, finding.place.function
        );
        if told.get_or_insert_default().insert(key) {
            complain(&finding.to_string());
        }
    }
}

/// Ends the process as AMD's runtime does after a fault on the device: by SIGABRT, with a message. What the emulator itself cannot do
/// is another exit code (97), so that nobody takes it for a defect of the program.
fn end(fault: &Fault) -> ! {
    tell(&fault.findings);
    match fault.kind {
        FaultKind::Unsupported | FaultKind::Host => give_up(&format!("not emulated: {fault}")),
        FaultKind::BadLaunch
        | FaultKind::Memory
        | FaultKind::Trap
        | FaultKind::Deadlock
        | FaultKind::Endless => {
            super::hostcall::flush();
            complain(&format!("{:?} fault: {fault}", fault.kind));
            std::process::abort()
        }
    }
}

/// A line of figures at the end of the program, where `HIP_EMULATOR_SUMMARY` asks for it.
pub fn summary() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    if std::env::var_os("HIP_EMULATOR_SUMMARY").is_none() {
        return;
    }
    ONCE.call_once(|| {
        let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        complain(&format!(
            "{}: {} kernel launches, {} wave instructions, {} findings",
            runtime().chip.name,
            count(&LAUNCHES),
            count(&INSTRUCTIONS),
            count(&FINDINGS)
        ));
    });
}

thread_local! {
    static CONFIGURATIONS: RefCell<Vec<(Shape, usize)>> = const { RefCell::new(Vec::new()) };
}

fn launch_stand_in(
    stand_in: *const c_void,
    shape: Shape,
    arguments: *const Ptr,
    stream: Ptr,
    cooperative: bool,
) -> Outcome {
    let function = registry::function(stand_in)?;
    launch_packed(
        &function,
        shape,
        function.pack(arguments)?,
        stream,
        cooperative,
    )
}

fn launch_packed(
    function: &Arc<Function>,
    shape: Shape,
    arguments: Vec<u8>,
    stream: Ptr,
    cooperative: bool,
) -> Outcome {
    let launch = Launch::new(function.clone(), shape, arguments, cooperative)?;
    stream::give(stream, Work::Kernel(Arc::new(launch)), false)
}

/// A launch by `hipModuleLaunchKernel` and its kin: arguments by pointers or as a block.
fn launch_module(
    function: Ptr,
    shape: Shape,
    stream: Ptr,
    arguments: *const Ptr,
    extra: *const Ptr,
    cooperative: bool,
) -> Outcome {
    let function = function_of(function)?;
    let packed = match (arguments.is_null(), extra.is_null()) {
        (false, false) => return Err(Code::INVALID_VALUE),
        (true, false) => function.unpack_extra(extra)?,
        (_, true) => function.pack(arguments)?,
    };
    launch_packed(&function, shape, packed, stream, cooperative)
}

/// Runs a launch between two events, which may be null.
fn between_events(start: Ptr, stop: Ptr, stream: Ptr, launch: impl FnOnce() -> Outcome) -> Outcome {
    let record = |event: Ptr| {
        if event.is_null() {
            Ok(())
        } else {
            stream::record(stream, &EVENTS.get(event)?)
        }
    };
    record(start)?;
    launch()?;
    record(stop)
}

layout! {
    /// HIP's parameters of one launch of several.
    pub struct LaunchParams {
        function: *const c_void,
        grid: Dim3,
        block: Dim3,
        arguments: *const Ptr,
        lds: usize,
        stream: Ptr,
    }
}

fn launch_several(list: *const LaunchParams, count: i32, cooperative: bool) -> Outcome {
    for one in raw::list(
        list,
        usize::try_from(count).map_err(|_| Code::INVALID_VALUE)?,
    )? {
        let shape = Shape {
            grid: one.grid,
            block: one.block,
            lds: one.lds,
        };
        launch_stand_in(one.function, shape, one.arguments, one.stream, cooperative)?;
    }
    Ok(())
}

export! {
    /// What `<<<…>>>` comes to, first half.
    fn __hipPushCallConfiguration(grid: Dim3, block: Dim3, lds: usize, stream: Ptr) {
        CONFIGURATIONS.with_borrow_mut(|stack| stack.push((Shape { grid, block, lds }, stream as usize)));
        Ok(())
    }
    /// Second half, in the stand-in of the kernel.
    fn __hipPopCallConfiguration(grid: *mut Dim3, block: *mut Dim3, lds: *mut usize, stream: *mut Ptr) {
        let (shape, handle) = CONFIGURATIONS.with_borrow_mut(Vec::pop).ok_or(Code::INVALID_CONFIGURATION)?;
        raw::put(grid, shape.grid)?;
        raw::put(block, shape.block)?;
        raw::put(lds, shape.lds)?;
        raw::put(stream, handle as Ptr)
    }
    /// `hipLaunchKernel`
    fn hipLaunchKernel(kernel: *const c_void, grid: Dim3, block: Dim3, arguments: *const Ptr, lds: usize, stream: Ptr) {
        launch_stand_in(kernel, Shape { grid, block, lds }, arguments, stream, false)
    }
    /// `hipLaunchCooperativeKernel`
    fn hipLaunchCooperativeKernel(kernel: *const c_void, grid: Dim3, block: Dim3, arguments: *const Ptr, lds: u32, stream: Ptr) {
        launch_stand_in(kernel, Shape { grid, block, lds: lds as usize }, arguments, stream, true)
    }
    /// `hipLaunchCooperativeKernelMultiDevice`
    fn hipLaunchCooperativeKernelMultiDevice(list: *const LaunchParams, count: i32, _flags: u32) {
        launch_several(list, count, true)
    }
    /// `hipExtLaunchMultiKernelMultiDevice`
    fn hipExtLaunchMultiKernelMultiDevice(list: *const LaunchParams, count: i32, _flags: u32) {
        launch_several(list, count, false)
    }
    /// `hipExtLaunchKernel`
    fn hipExtLaunchKernel(
        kernel: *const c_void, grid: Dim3, block: Dim3, arguments: *const Ptr, lds: usize, stream: Ptr, start: Ptr, stop: Ptr,
        _flags: i32,
    ) {
        between_events(start, stop, stream, || launch_stand_in(kernel, Shape { grid, block, lds }, arguments, stream, false))
    }
    /// `hipModuleLaunchKernel`
    fn hipModuleLaunchKernel(
        function: Ptr, grid_x: u32, grid_y: u32, grid_z: u32, block_x: u32, block_y: u32, block_z: u32, lds: u32, stream: Ptr,
        arguments: *const Ptr, extra: *const Ptr,
    ) {
        let (grid, block) = (Dim3::new(grid_x, grid_y, grid_z), Dim3::new(block_x, block_y, block_z));
        launch_module(function, Shape { grid, block, lds: lds as usize }, stream, arguments, extra, false)
    }
    /// `hipModuleLaunchCooperativeKernel`
    fn hipModuleLaunchCooperativeKernel(
        function: Ptr, grid_x: u32, grid_y: u32, grid_z: u32, block_x: u32, block_y: u32, block_z: u32, lds: u32, stream: Ptr,
        arguments: *const Ptr,
    ) {
        let (grid, block) = (Dim3::new(grid_x, grid_y, grid_z), Dim3::new(block_x, block_y, block_z));
        launch_module(function, Shape { grid, block, lds: lds as usize }, stream, arguments, std::ptr::null(), true)
    }
    /// `hipExtModuleLaunchKernel`: counts threads instead of groups.
    fn hipExtModuleLaunchKernel(
        function: Ptr, x: u32, y: u32, z: u32, block_x: u32, block_y: u32, block_z: u32, lds: usize, stream: Ptr,
        arguments: *const Ptr, extra: *const Ptr, start: Ptr, stop: Ptr, _flags: u32,
    ) {
        let divide = |threads: u32, block: u32| threads.checked_div(block).filter(|_| threads.is_multiple_of(block)).ok_or(Code::INVALID_VALUE);
        let grid = Dim3::new(divide(x, block_x)?, divide(y, block_y)?, divide(z, block_z)?);
        let shape = Shape { grid, block: Dim3::new(block_x, block_y, block_z), lds };
        between_events(start, stop, stream, || launch_module(function, shape, stream, arguments, extra, false))
    }
}
