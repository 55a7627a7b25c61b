//! Streams: lines of work with the rules of the legacy default stream, and the entry through which all work goes.

use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

use super::device;
use super::error::{Code, Outcome};
use super::event::{Event, record_work};
use super::graph::{self, Capture};
use super::handles::Handles;
use super::line::{Line, Ticket};
use super::raw::{self, Ptr};
use super::runtime::runtime;
use super::work::{Callback, HostFunction, Work};

/// `hipStreamNonBlocking`
const NON_BLOCKING: u32 = 1;
/// Handles that mean a stream without one having been made: null, the legacy stream, the stream of the thread.
const LEGACY: usize = 1;
const PER_THREAD: usize = 2;

/// A stream.
pub struct Stream {
    line: Arc<Line>,
    flags: u32,
    priority: i32,
    /// The device that it belongs to.
    pub device: i32,
    is_null: bool,
    /// Tickets that its next task waits for.
    waits: Mutex<Vec<Ticket>>,
    /// Where its work goes while it is captured, and what the next node depends on.
    capturing: Mutex<Option<(Arc<Capture>, Vec<usize>)>>,
}

static STREAMS: Handles<Stream> = Handles::new();
/// The null stream. All devices share it: their work has no order that a program may rely on, so more order does no harm.
static NULL: LazyLock<Arc<Stream>> = LazyLock::new(|| Arc::new(Stream::new(0, 0, true)));
/// Held while a task gets its place, so that the tickets it waits for are those of before.
static ORDER: Mutex<()> = Mutex::new(());

thread_local! {
    static OF_THREAD: Arc<Stream> = {
        let stream = Arc::new(Stream::new(0, 0, false));
        STREAMS.insert(stream.clone());
        stream
    };
}

impl Stream {
    fn new(flags: u32, priority: i32, is_null: bool) -> Stream {
        Stream {
            line: Arc::default(),
            flags,
            priority,
            device: device::current(),
            is_null,
            waits: Mutex::default(),
            capturing: Mutex::default(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<(Arc<Capture>, Vec<usize>)>> {
        self.capturing
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// The capture that is on, and what its next node depends on.
    pub fn capture(&self) -> Option<(Arc<Capture>, Vec<usize>)> {
        self.lock().clone()
    }

    /// Begins, changes or ends a capture.
    pub fn set_capture(&self, capture: Option<(Arc<Capture>, Vec<usize>)>) {
        *self.lock() = capture;
    }

    fn is_blocking(&self) -> bool {
        self.flags & NON_BLOCKING == 0
    }

    /// What the next task waits for: events, and the legacy stream's rule, by which the null stream and the blocking ones take turns.
    fn take_waits(&self) -> Vec<Ticket> {
        let mut waits =
            std::mem::take(&mut *self.waits.lock().unwrap_or_else(PoisonError::into_inner));
        if self.is_null {
            waits.extend(
                STREAMS
                    .all()
                    .iter()
                    .filter(|other| other.is_blocking())
                    .map(|other| other.line.last()),
            );
        } else if self.is_blocking() {
            waits.push(NULL.line.last());
        }
        waits.retain(|ticket| !ticket.is_done());
        waits
    }

    fn push(&self, work: Work) -> Ticket {
        let _order = ORDER.lock().unwrap_or_else(PoisonError::into_inner);
        let waits = self.take_waits();
        self.line.push(waits, Box::new(move || work.run()))
    }

    /// Runs work in its turn on the calling thread and comes back when it is done.
    fn run_now(&self, work: &Work) {
        let order = ORDER.lock().unwrap_or_else(PoisonError::into_inner);
        let waits = self.take_waits();
        let place = self.line.reserve();
        drop(order);
        Line::run_here(&place, waits, || work.run());
    }

    /// Waits for all that was given to the stream, and for what it waits for.
    pub fn synchronize(&self) {
        self.run_now(&Work::Empty);
    }

    fn is_idle(&self) -> bool {
        self.line.last().is_done()
    }
}

/// The stream of a handle.
pub fn find(handle: Ptr) -> Outcome<Arc<Stream>> {
    match handle as usize {
        0 | LEGACY => Ok(NULL.clone()),
        PER_THREAD => Ok(OF_THREAD.with(Arc::clone)),
        _ => STREAMS.get(handle),
    }
}

/// Gives work to a stream: into the graph where it is captured, else to its line. `wait` comes back when it is done, which no
/// capture allows.
pub fn give(handle: Ptr, work: Work, wait: bool) -> Outcome {
    let stream = find(handle)?;
    if let Some((capture, after)) = stream.capture() {
        if wait {
            return Err(Code::CAPTURE_UNSUPPORTED);
        }
        let node = capture.graph.add(work, after);
        stream.set_capture(Some((capture, vec![node])));
        return Ok(());
    }
    if stream.is_null && graph::is_legacy_forbidden() {
        return Err(Code::CAPTURE_IMPLICIT);
    }
    if wait || runtime().blocking {
        stream.run_now(&work);
    } else {
        stream.push(work);
    }
    Ok(())
}

/// Records an event behind all that was given to a stream so far.
pub fn record(handle: Ptr, event: &Arc<Event>) -> Outcome {
    let stream = find(handle)?;
    if let Some((capture, after)) = stream.capture() {
        event.captured_at(capture, after);
        return Ok(());
    }
    let ticket = stream.push(record_work(event));
    event.recorded_at(ticket);
    Ok(())
}

/// Makes what is given to a stream from now on wait for an event. One that was never recorded is waited for by nobody.
pub fn wait_event(handle: Ptr, event: &Arc<Event>) -> Outcome {
    let stream = find(handle)?;
    if let Some((capture, nodes)) = event.capture() {
        return graph::join(&stream, &capture, nodes);
    }
    if let Some((capture, after)) = stream.capture() {
        let node = capture.graph.add(Work::Wait(event.clone()), after);
        stream.set_capture(Some((capture, vec![node])));
    } else if let Some(ticket) = event.ticket() {
        stream
            .waits
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(ticket);
    }
    Ok(())
}

/// All streams, the null stream first.
pub fn all() -> Vec<Arc<Stream>> {
    let mut streams = STREAMS.all();
    streams.insert(0, NULL.clone());
    streams
}

/// `hipDeviceSynchronize`
pub fn wait_for_all() {
    all().iter().for_each(|stream| stream.line.last().wait());
}

fn create(result: *mut Ptr, flags: u32, priority: i32) -> Outcome {
    if flags & !NON_BLOCKING != 0 {
        return Err(Code::INVALID_VALUE);
    }
    raw::put(
        result,
        STREAMS.insert(Arc::new(Stream::new(flags, priority.clamp(-1, 1), false))),
    )
}

fn destroy(handle: Ptr) -> Outcome {
    if handle as usize <= PER_THREAD {
        return Err(Code::INVALID_HANDLE);
    }
    // The work that it was given goes on.
    let stream = STREAMS.get(handle)?;
    stream.line.last().wait();
    STREAMS.remove(handle).map(drop)
}

export! {
    /// `hipStreamCreate`
    fn hipStreamCreate(stream: *mut Ptr) {
        create(stream, 0, 0)
    }
    /// `hipStreamCreateWithFlags`
    fn hipStreamCreateWithFlags(stream: *mut Ptr, flags: u32) {
        create(stream, flags, 0)
    }
    /// `hipStreamCreateWithPriority`
    fn hipStreamCreateWithPriority(stream: *mut Ptr, flags: u32, priority: i32) {
        create(stream, flags, priority)
    }
    /// `hipExtStreamCreateWithCUMask`: the mask chooses compute units, which are all alike here.
    fn hipExtStreamCreateWithCUMask(stream: *mut Ptr, _count: u32, _mask: *const u32) {
        create(stream, NON_BLOCKING, 0)
    }
    /// `hipStreamDestroy`
    fn hipStreamDestroy(stream: Ptr) {
        destroy(stream)
    }
    /// `hipStreamSynchronize`
    fn hipStreamSynchronize(stream: Ptr) {
        let stream = find(stream)?;
        if stream.capture().is_some() {
            return Err(Code::CAPTURE_UNSUPPORTED);
        }
        stream.synchronize();
        Ok(())
    }
    /// `hipStreamQuery`
    fn hipStreamQuery(stream: Ptr) {
        let stream = find(stream)?;
        if stream.capture().is_some() {
            return Err(Code::CAPTURE_UNSUPPORTED);
        }
        if stream.is_idle() { Ok(()) } else { Err(Code::NOT_READY) }
    }
    /// `hipStreamGetFlags`
    fn hipStreamGetFlags(stream: Ptr, flags: *mut u32) {
        raw::put(flags, find(stream)?.flags)
    }
    /// `hipStreamGetPriority`
    fn hipStreamGetPriority(stream: Ptr, priority: *mut i32) {
        raw::put(priority, find(stream)?.priority)
    }
    /// `hipStreamGetDevice`
    fn hipStreamGetDevice(stream: Ptr, device: *mut i32) {
        raw::put(device, find(stream)?.device)
    }
    /// `hipDeviceGetStreamPriorityRange`
    fn hipDeviceGetStreamPriorityRange(least: *mut i32, greatest: *mut i32) {
        raw::put_if(least, 1);
        raw::put_if(greatest, -1);
        Ok(())
    }
    /// `hipDeviceSynchronize`
    fn hipDeviceSynchronize() {
        if graph::is_legacy_forbidden() {
            return Err(Code::CAPTURE_UNSUPPORTED);
        }
        wait_for_all();
        Ok(())
    }
    /// `hipCtxSynchronize`
    fn hipCtxSynchronize() {
        wait_for_all();
        Ok(())
    }
    /// `hipLaunchHostFunc`
    fn hipLaunchHostFunc(stream: Ptr, function: Option<HostFunction>, data: Ptr) {
        give(stream, Work::Host(function.ok_or(Code::INVALID_VALUE)?, data as usize), false)
    }
    /// `hipStreamAddCallback`
    fn hipStreamAddCallback(stream: Ptr, function: Option<Callback>, data: Ptr, _flags: u32) {
        let work = Work::Callback(function.ok_or(Code::INVALID_VALUE)?, stream as usize, data as usize);
        give(stream, work, false)
    }
    /// `hipStreamAttachMemAsync`: managed memory is everybody's here.
    fn hipStreamAttachMemAsync(stream: Ptr, _memory: Ptr, _length: usize, _flags: u32) {
        find(stream).map(drop)
    }
}

/// `hipGetStreamDeviceId`: -1 for what is no stream.
#[unsafe(no_mangle)]
pub extern "C" fn hipGetStreamDeviceId(stream: Ptr) -> i32 {
    find(stream).map_or(-1, |stream| stream.device)
}
