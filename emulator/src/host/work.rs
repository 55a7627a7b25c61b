//! Units of work: what a stream runs and what a node of a graph holds.

use std::sync::Arc;

use super::copy::{Copy, Fill};
use super::event::Event;
use super::graph::Plan;
use super::launch::Launch;
use super::memory;
use super::raw::Ptr;

/// A function of the program that a stream calls (`hipLaunchHostFunc`).
pub type HostFunction = extern "C" fn(Ptr);
/// A callback of a stream (`hipStreamAddCallback`): the stream, the status, the program's data.
pub type Callback = extern "C" fn(Ptr, i32, Ptr);

/// One unit of work.
#[derive(Clone)]
pub enum Work {
    /// A kernel.
    Kernel(Arc<Launch>),
    /// A copy.
    Copy(Copy),
    /// A fill.
    Fill(Fill),
    /// A function of the program, and its argument.
    Host(HostFunction, usize),
    /// Work of a library.
    Call(Arc<dyn Fn() + Send + Sync>),
    /// A callback, its stream and its argument.
    Callback(Callback, usize, usize),
    /// Takes the time of an event.
    Record(Arc<Event>),
    /// Waits for an event (in a graph; streams wait by tickets).
    Wait(Arc<Event>),
    /// A graph inside of a graph.
    Child(Arc<Plan>),
    /// Memory that a graph's node allocated when the node was made.
    Allocated(usize),
    /// Frees memory.
    Free(usize),
    /// Writes 4 or 8 bytes (`hipStreamWriteValue32`).
    Write(usize, u64, usize),
    /// Waits until a condition on 4 or 8 bytes holds.
    Poll(Poll),
    /// Nothing.
    Empty,
}

/// A condition on memory (`hipStreamWaitValue32`).
#[derive(Clone, Copy)]
pub struct Poll {
    /// Where.
    pub address: usize,
    /// Bytes.
    pub size: usize,
    /// The value to compare with.
    pub value: u64,
    /// The bits that count.
    pub mask: u64,
    /// 0 at least (cyclic), 1 equal, 2 and, 3 nor.
    pub condition: u32,
}

impl Poll {
    fn holds(&self) -> bool {
        let mut bytes = [0_u8; 8];
        super::raw::copy(bytes.as_mut_ptr() as usize, self.address, self.size);
        let now = u64::from_le_bytes(bytes) & self.mask;
        match self.condition {
            0 if self.size == 4 => (now as u32).wrapping_sub(self.value as u32) as i32 >= 0,
            0 => now.wrapping_sub(self.value) as i64 >= 0,
            1 => now == self.value,
            2 => now & self.value != 0,
            _ => !(now | self.value) != 0,
        }
    }
}

impl Work {
    /// Does the work. A kernel that fails ends the process, as a fault on the device does with AMD's runtime.
    pub fn run(&self) {
        match self {
            Work::Kernel(launch) => launch.run(),
            Work::Copy(copy) => copy.run(),
            Work::Fill(fill) => fill.run(),
            Work::Host(function, data) => function(*data as Ptr),
            Work::Call(work) => work(),
            Work::Callback(function, stream, data) => function(*stream as Ptr, 0, *data as Ptr),
            Work::Record(event) => event.take_time(),
            Work::Wait(event) => event.wait(),
            Work::Child(plan) => plan.run(),
            Work::Free(address) => drop(memory::free(*address)),
            Work::Write(address, value, size) => {
                super::raw::copy(*address, value.to_le_bytes().as_ptr() as usize, *size);
            }
            Work::Poll(poll) => {
                while !poll.holds() {
                    std::thread::sleep(std::time::Duration::from_micros(50));
                }
            }
            Work::Allocated(_) | Work::Empty => {}
        }
    }
}
