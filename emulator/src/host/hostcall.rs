//! What kernels ask of the host: text of `printf` and `assert`, and memory of `malloc` in device code.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use crate::device::{Host, Kind};

use super::{format, memory};

/// Service numbers of AMD's device libraries (`ockl` hostcall).
const PRINTF: u32 = 2;
const DEVICE_MEMORY: u32 = 3;

/// First word of a printf message: bit 0 begins a message, bit 1 ends it, bits 5-7 count its words, the number of the message follows.
const BEGIN: u64 = 1;
const END: u64 = 2;
const COUNT_SHIFT: u32 = 5;
const NUMBER_SHIFT: u32 = 8;

#[derive(Default)]
struct Messages {
    next: u64,
    open: HashMap<u64, Vec<u64>>,
}

/// Serves the calls of kernels.
#[derive(Default)]
pub struct Service {
    messages: Mutex<Messages>,
}

impl Service {
    /// One part of a message; the message is printed with its last part.
    fn message(&self, payload: &mut [u64; 8]) {
        let mut guard = self.messages.lock().unwrap_or_else(PoisonError::into_inner);
        let messages = &mut *guard;
        let mut head = payload[0];
        if head & BEGIN != 0 {
            messages.next += 1;
            messages.open.insert(messages.next, Vec::new());
            head = (head & 0xff & !BEGIN) | (messages.next << NUMBER_SHIFT);
        }
        let number = head >> NUMBER_SHIFT;
        let count = (head >> COUNT_SHIFT & 7) as usize;
        if let Some(words) = messages.open.get_mut(&number) {
            words.extend(&payload[1..1 + count]);
        }
        if head & END != 0
            && let Some(words) = messages.open.remove(&number)
        {
            print(&words);
        }
        payload[0] = head & !END;
        payload[1] = 0;
    }
}

impl Host for Service {
    fn hostcall(&self, service: u32, payload: &mut [u64; 8]) -> Result<(), String> {
        match service {
            PRINTF => self.message(payload),
            DEVICE_MEMORY if payload[0] == 0 => {
                payload[0] =
                    memory::allocate(payload[1] as usize, Kind::Device, 0, 0).unwrap_or(0) as u64;
            }
            // A kernel's `free` gives no answer; a wrong pointer is its own defect and frees nothing.
            DEVICE_MEMORY => drop(memory::free(payload[0] as usize)),
            other => {
                return Err(format!(
                    "the kernel asks for host service {other}, which is not emulated"
                ));
            }
        }
        Ok(())
    }
}

/// Prints a whole message: a word of flags (bit 0: to standard error), then the format and its arguments.
fn print(words: &[u64]) {
    let Some((flags, rest)) = words.split_first() else {
        return;
    };
    let bytes: Vec<u8> = rest.iter().flat_map(|word| word.to_le_bytes()).collect();
    let text = format::render(&bytes);
    let stream = if flags & 1 != 0 {
        c_stream::error()
    } else {
        c_stream::output()
    };
    c_stream::write(stream, &text);
}

/// Writes out what C's streams hold: the program's own `printf` and the kernels' share one buffer, in the order of their calls.
pub fn flush() {
    // SAFETY: a null stream means all of them.
    unsafe { libc::fflush(std::ptr::null_mut()) };
}

/// C's standard streams: text of kernels must come in order with the program's own.
mod c_stream {
    use libc::FILE;

    unsafe extern "C" {
        static stdout: *mut FILE;
        static stderr: *mut FILE;
    }

    pub(super) fn output() -> *mut FILE {
        // SAFETY: set by the C library before any code runs.
        unsafe { stdout }
    }

    pub(super) fn error() -> *mut FILE {
        // SAFETY: as above.
        unsafe { stderr }
    }

    pub(super) fn write(stream: *mut FILE, text: &[u8]) {
        // SAFETY: the stream is one of the two above, the bytes are ours.
        unsafe { libc::fwrite(text.as_ptr().cast(), 1, text.len(), stream) };
    }
}
