//! The hostcall buffer, through which kernels ask the host for printf, device malloc and more: the layout and protocol of AMD's device
//! libraries (`ockl/src/hostcall_impl.cl`). A stack of free packets, a stack of ready ones, each a tagged index.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::device::memory::{Kind, Memory};
use crate::device::model::options::Host;

/// Packets, a power of two.
const PACKETS: usize = 128;
/// Words of 64 bits of a packet's header: next, lanes, service and control.
const HEADER: usize = 3;
/// Words of a packet's payload: 8 for each of 64 lanes.
const PAYLOAD: usize = 512;
/// Indices in the buffer's own words.
const READY_STACK: usize = 4;
/// Word of the signal that holds the address of its mailbox, and the word that serves as one.
const MAILBOX_POINTER: usize = 2;
const MAILBOX: usize = 16;

/// The buffer.
pub(crate) struct Hostcall {
    words: Box<[AtomicU64]>,
    headers: Box<[AtomicU64]>,
    payloads: Box<[AtomicU64]>,
    signal: Box<[AtomicU64]>,
    memory: Arc<Memory>,
    serving: Mutex<()>,
}

fn zeros(len: usize) -> Box<[AtomicU64]> {
    (0..len).map(|_| AtomicU64::new(0)).collect()
}

fn address(words: &[AtomicU64]) -> u64 {
    words.as_ptr() as u64
}

impl Hostcall {
    /// A buffer with all packets free.
    pub(crate) fn new(memory: &Arc<Memory>) -> Hostcall {
        let buffer = Hostcall {
            words: zeros(8),
            headers: zeros(HEADER * PACKETS),
            payloads: zeros(PAYLOAD * PACKETS),
            signal: zeros(32),
            memory: Arc::clone(memory),
            serving: Mutex::new(()),
        };
        for part in buffer.parts() {
            memory.add(address(part), 8 * part.len() as u64, Kind::Runtime);
        }
        // An index of 0 ends a stack, so that tags begin at 1 and packet 0 is told from the end by its tag.
        for k in 0..PACKETS - 1 {
            buffer.headers[HEADER * k].store((k + 1 + PACKETS) as u64, Ordering::Relaxed);
        }
        let values = [
            address(&buffer.headers),
            address(&buffer.payloads),
            address(&buffer.signal),
            PACKETS as u64,
        ];
        for (word, value) in buffer.words.iter().zip(values) {
            word.store(value, Ordering::Relaxed);
        }
        // A signal without a mailbox sends no message, and the kernel would wait for ever (`amd_signal_t` of HSA).
        buffer.signal[MAILBOX_POINTER].store(address(&buffer.signal[MAILBOX..]), Ordering::Relaxed);
        buffer.words[3].store(PACKETS as u64, Ordering::Relaxed);
        buffer.words[5].store(PACKETS as u64 - 1, Ordering::Relaxed);
        buffer
    }

    fn parts(&self) -> [&[AtomicU64]; 4] {
        [&self.words, &self.headers, &self.payloads, &self.signal]
    }

    /// Address for the hidden argument.
    pub(crate) fn address(&self) -> u64 {
        address(&self.words)
    }

    /// Serves all packets that are ready, in the order in which they came.
    pub(crate) fn serve(&self, host: &dyn Host) -> Result<(), String> {
        let _one_at_a_time = self.serving.lock().unwrap_or_else(PoisonError::into_inner);
        let mut next = self.words[READY_STACK].swap(0, Ordering::AcqRel);
        let mut packets = Vec::new();
        while next != 0 {
            let packet = next as usize % PACKETS;
            packets.push(packet);
            next = self.headers[HEADER * packet].load(Ordering::Acquire);
        }
        packets
            .into_iter()
            .rev()
            .try_for_each(|packet| self.answer(packet, host))
    }

    fn answer(&self, packet: usize, host: &dyn Host) -> Result<(), String> {
        let header = &self.headers[HEADER * packet..][..HEADER];
        let (lanes, service) = (
            header[1].load(Ordering::Acquire),
            header[2].load(Ordering::Acquire) as u32,
        );
        for lane in (0..64).filter(|lane| lanes >> lane & 1 != 0) {
            let words = &self.payloads[PAYLOAD * packet + 8 * lane..][..8];
            let mut payload: [u64; 8] = std::array::from_fn(|k| words[k].load(Ordering::Relaxed));
            host.hostcall(service, &mut payload)?;
            for (word, value) in words.iter().zip(payload) {
                word.store(value, Ordering::Relaxed);
            }
        }
        // The lowest bit of the control word, the upper half of the third one, is cleared when the answer is there.
        header[2].fetch_and(!(1 << 32), Ordering::Release);
        Ok(())
    }
}

impl Drop for Hostcall {
    fn drop(&mut self) {
        for part in self.parts() {
            self.memory.remove(address(part));
        }
    }
}
