//! Capturing a stream into a graph, and work that a stream does on memory (`hipStreamWriteValue32`).

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::error::{Code, Outcome};
use super::graph::{self, Capture, GRAPHS, Graph};
use super::raw::{self, Ptr};
use super::stream::{self, Stream};
use super::work::{Poll, Work};

static NUMBER: AtomicU64 = AtomicU64::new(0);
/// `hipStreamCaptureModeRelaxed`
const RELAXED: u32 = 2;
/// `hipStreamCaptureStatusActive`
const ACTIVE: u32 = 1;

fn begin(handle: Ptr, graph: Arc<Graph>, after: Vec<usize>, mode: u32) -> Outcome {
    if mode > RELAXED {
        return Err(Code::INVALID_VALUE);
    }
    let stream = stream::find(handle)?;
    if handle.is_null() {
        return Err(Code::CAPTURE_UNSUPPORTED);
    }
    if stream.capture().is_some() {
        return Err(Code::ILLEGAL_STATE);
    }
    let number = NUMBER.fetch_add(1, Ordering::Relaxed) + 1;
    let capture = Capture {
        graph,
        origin: handle as usize,
        mode,
        thread: std::thread::current().id(),
        number,
    };
    stream.set_capture(Some((Arc::new(capture), after)));
    graph::capture_began();
    Ok(())
}

/// Ends a capture; all streams that joined it are free again. Work of theirs that the first one does not wait for is an error.
fn end(handle: Ptr, to: *mut Ptr) -> Outcome {
    let stream = stream::find(handle)?;
    let (capture, after) = stream.capture().ok_or(Code::ILLEGAL_STATE)?;
    if capture.origin != handle as usize {
        return Err(Code::CAPTURE_UNMATCHED);
    }
    let joined = leave(&capture);
    graph::capture_ended();
    let ends: Vec<usize> = joined.into_iter().flatten().collect();
    if ends
        .into_iter()
        .any(|node| !reaches(&capture.graph, &after, node))
    {
        raw::put(to, std::ptr::null_mut())?;
        return Err(Code::CAPTURE_UNJOINED);
    }
    raw::put(to, GRAPHS.insert(capture.graph.clone()))
}

/// Takes all streams out of a capture; what each of them was about to go on from.
fn leave(capture: &Arc<Capture>) -> Vec<Vec<usize>> {
    let mut ends = Vec::new();
    for stream in stream::all() {
        if let Some((other, after)) = stream.capture()
            && Arc::ptr_eq(&other, capture)
        {
            ends.push(after);
            stream.set_capture(None);
        }
    }
    ends
}

/// Is a node among some nodes or in front of them?
fn reaches(graph: &Graph, from: &[usize], node: usize) -> bool {
    let nodes = graph.lock();
    let mut seen = vec![false; nodes.len()];
    let mut open = from.to_vec();
    while let Some(index) = open.pop() {
        if index == node {
            return true;
        }
        if !std::mem::replace(&mut seen[index], true) {
            open.extend(&nodes[index].after);
        }
    }
    false
}

fn status(stream: &Stream) -> u32 {
    if stream.capture().is_some() {
        ACTIVE
    } else {
        0
    }
}

fn info(handle: Ptr, state: *mut u32, number: *mut u64) -> Outcome {
    let stream = stream::find(handle)?;
    raw::put(state, status(&stream))?;
    if let Some((capture, _)) = stream.capture() {
        raw::put_if(number, capture.number);
    }
    Ok(())
}

fn write(handle: Ptr, address: usize, value: u64, size: usize) -> Outcome {
    if super::memory::range_of(address).is_none() {
        return Err(Code::INVALID_VALUE);
    }
    stream::give(handle, Work::Write(address, value, size), false)
}

fn poll(handle: Ptr, poll: Poll) -> Outcome {
    if super::memory::range_of(poll.address).is_none() || poll.condition > 3 {
        return Err(Code::INVALID_VALUE);
    }
    stream::give(handle, Work::Poll(poll), false)
}

export! {
    /// `hipStreamBeginCapture`
    fn hipStreamBeginCapture(stream: Ptr, mode: u32) { begin(stream, Arc::default(), Vec::new(), mode) }
    /// `hipStreamEndCapture`
    fn hipStreamEndCapture(stream: Ptr, graph: *mut Ptr) { end(stream, graph) }
    /// `hipStreamIsCapturing`
    fn hipStreamIsCapturing(stream: Ptr, to: *mut u32) { raw::put(to, status(&*stream::find(stream)?)) }
    /// `hipStreamGetCaptureInfo`
    fn hipStreamGetCaptureInfo(stream: Ptr, state: *mut u32, number: *mut u64) { info(stream, state, number) }
    /// `hipStreamGetCaptureInfo_v2`; the nodes are left where they are until the next call.
    fn hipStreamGetCaptureInfo_v2(
        stream: Ptr, state: *mut u32, number: *mut u64, graph: *mut Ptr, nodes: *mut *const Ptr, count: *mut usize,
    ) {
        info(stream, state, number)?;
        let Some((capture, after)) = stream::find(stream)?.capture() else { return Ok(()) };
        let handles: Vec<usize> = after.iter().map(|&index| capture.graph.handle(index) as usize).collect();
        raw::put_if(graph, GRAPHS.insert(capture.graph.clone()));
        raw::put_if(count, handles.len());
        raw::put_if(nodes, Box::leak(handles.into_boxed_slice()).as_ptr().cast());
        Ok(())
    }
    /// `hipThreadExchangeStreamCaptureMode`
    fn hipThreadExchangeStreamCaptureMode(mode: *mut u32) {
        let wanted = raw::get(mode)?;
        raw::put(mode, graph::exchange_mode(wanted))
    }
    /// `hipStreamWriteValue32`
    fn hipStreamWriteValue32(stream: Ptr, address: usize, value: u32, _flags: u32) { write(stream, address, u64::from(value), 4) }
    /// `hipStreamWriteValue64`
    fn hipStreamWriteValue64(stream: Ptr, address: usize, value: u64, _flags: u32) { write(stream, address, value, 8) }
    /// `hipStreamWaitValue32`
    fn hipStreamWaitValue32(stream: Ptr, address: usize, value: u32, condition: u32, mask: u32) {
        poll(stream, Poll { address, size: 4, value: u64::from(value), mask: u64::from(mask), condition })
    }
    /// `hipStreamWaitValue64`
    fn hipStreamWaitValue64(stream: Ptr, address: usize, value: u64, condition: u32, mask: u64) {
        poll(stream, Poll { address, size: 8, value, mask, condition })
    }
}
