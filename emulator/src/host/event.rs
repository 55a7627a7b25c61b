//! Events.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::error::{Code, Outcome};
use super::graph::Capture;
use super::handles::Handles;
use super::line::Ticket;
use super::raw::{self, Ptr};
use super::stream;
use super::work::Work;

/// `hipEventDisableTiming`
const DISABLE_TIMING: u32 = 2;
/// All flags that HIP knows: blocking sync, disable timing, interprocess, the kinds of releases.
const KNOWN_FLAGS: u32 = 0x7 | 0x2000_0000 | 0x4000_0000 | 0x8000_0000;

/// An event.
#[derive(Default)]
pub struct Event {
    flags: u32,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// The place in a stream that was recorded last.
    ticket: Option<Ticket>,
    time: Option<Instant>,
    /// The nodes that were recorded, where the stream was being captured.
    captured: Option<(Arc<Capture>, Vec<usize>)>,
}

/// All events.
pub static EVENTS: Handles<Event> = Handles::new();

impl Event {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes the time: the work that an event's record is.
    pub fn take_time(&self) {
        self.lock().time = Some(Instant::now());
    }

    /// Binds the event to a place in a stream.
    pub fn recorded_at(&self, ticket: Ticket) {
        let mut state = self.lock();
        state.ticket = Some(ticket);
        state.captured = None;
    }

    /// Binds the event to nodes of a capture.
    pub fn captured_at(&self, capture: Arc<Capture>, nodes: Vec<usize>) {
        self.lock().captured = Some((capture, nodes));
    }

    /// The capture and nodes that the event was recorded in last, if it was in one.
    pub fn capture(&self) -> Option<(Arc<Capture>, Vec<usize>)> {
        self.lock().captured.clone()
    }

    /// What a stream that waits for the event waits for.
    pub fn ticket(&self) -> Option<Ticket> {
        self.lock().ticket.clone()
    }

    /// Blocks until the event is reached.
    pub fn wait(&self) {
        if let Some(ticket) = self.ticket() {
            ticket.wait();
        }
    }

    fn is_reached(&self) -> bool {
        self.ticket().is_none_or(|ticket| ticket.is_done())
    }

    /// The time of an event that was recorded and reached.
    fn time(&self) -> Outcome<Instant> {
        if self.flags & DISABLE_TIMING != 0 || self.ticket().is_none() {
            return Err(Code::INVALID_HANDLE);
        }
        if !self.is_reached() {
            return Err(Code::NOT_READY);
        }
        self.lock().time.ok_or(Code::NOT_READY)
    }
}

fn create(event: *mut Ptr, flags: u32) -> Outcome {
    if flags & !KNOWN_FLAGS != 0 {
        return Err(Code::INVALID_VALUE);
    }
    raw::put(
        event,
        EVENTS.insert(Arc::new(Event {
            flags,
            ..Event::default()
        })),
    )
}

/// Milliseconds between two instants, negative where the second comes first.
fn milliseconds(from: Instant, to: Instant) -> f32 {
    let size = |duration: Duration| duration.as_secs_f32() * 1e3;
    to.checked_duration_since(from)
        .map_or_else(|| -size(from.duration_since(to)), size)
}

export! {
    /// `hipEventCreate`
    fn hipEventCreate(event: *mut Ptr) {
        create(event, 0)
    }
    /// `hipEventCreateWithFlags`
    fn hipEventCreateWithFlags(event: *mut Ptr, flags: u32) {
        create(event, flags)
    }
    /// `hipEventDestroy`
    fn hipEventDestroy(event: Ptr) {
        EVENTS.remove(event).map(drop)
    }
    /// `hipEventRecord`
    fn hipEventRecord(event: Ptr, stream: Ptr) {
        stream::record(stream, &EVENTS.get(event)?)
    }
    /// `hipEventRecordWithFlags`
    fn hipEventRecordWithFlags(event: Ptr, stream: Ptr, _flags: u32) {
        stream::record(stream, &EVENTS.get(event)?)
    }
    /// `hipEventQuery`
    fn hipEventQuery(event: Ptr) {
        if EVENTS.get(event)?.is_reached() { Ok(()) } else { Err(Code::NOT_READY) }
    }
    /// `hipEventSynchronize`
    fn hipEventSynchronize(event: Ptr) {
        EVENTS.get(event)?.wait();
        Ok(())
    }
    /// `hipEventElapsedTime`: time of the emulation, not of a card.
    fn hipEventElapsedTime(result: *mut f32, start: Ptr, stop: Ptr) {
        let (start, stop) = (EVENTS.get(start)?, EVENTS.get(stop)?);
        raw::put(result, milliseconds(start.time()?, stop.time()?))
    }
    /// `hipStreamWaitEvent`
    fn hipStreamWaitEvent(stream: Ptr, event: Ptr, _flags: u32) {
        stream::wait_event(stream, &EVENTS.get(event)?)
    }
}

/// The work that records an event.
pub fn record_work(event: &Arc<Event>) -> Work {
    Work::Record(event.clone())
}
