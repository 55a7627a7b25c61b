//! Lines of work: what a stream is inside. Tasks of one line run one after another, in the order they were given; tasks of several
//! lines run beside each other, except where a task waits for a ticket of another line (events, the legacy default stream).

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

type Job = Box<dyn FnOnce() + Send>;

struct Task {
    number: u64,
    waits: Vec<Ticket>,
    job: Job,
}

#[derive(Default)]
struct State {
    queue: VecDeque<Task>,
    /// Number of the last task that was given to the line.
    given: u64,
    /// Number of the last task that is done.
    done: u64,
    has_worker: bool,
}

/// An ordered line of tasks with a thread of its own, which starts with the first task that does not run at once.
#[derive(Default)]
pub struct Line {
    state: Mutex<State>,
    changed: Condvar,
}

/// A place in a line: everything up to the task with this number.
#[derive(Clone)]
pub struct Ticket {
    line: Arc<Line>,
    number: u64,
}

impl Ticket {
    /// Are the task and all in front of it done?
    pub fn is_done(&self) -> bool {
        self.line.lock().done >= self.number
    }

    /// Blocks until they are.
    pub fn wait(&self) {
        self.line.wait_until(self.number);
    }
}

impl Line {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait_until(&self, number: u64) {
        let mut state = self.lock();
        while state.done < number {
            state = self
                .changed
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// The ticket of the last task given so far.
    pub fn last(self: &Arc<Self>) -> Ticket {
        Ticket {
            line: self.clone(),
            number: self.lock().given,
        }
    }

    /// Puts a task at the end; it runs after what is in front of it and after `waits`.
    pub fn push(self: &Arc<Self>, waits: Vec<Ticket>, job: Job) -> Ticket {
        let mut state = self.lock();
        state.given += 1;
        let number = state.given;
        state.queue.push_back(Task { number, waits, job });
        if !state.has_worker {
            state.has_worker = true;
            let line = self.clone();
            std::thread::spawn(move || line.work());
        }
        drop(state);
        self.changed.notify_all();
        Ticket {
            line: self.clone(),
            number,
        }
    }

    /// Takes the next place in the line for work that the calling thread does itself: the place, to be given to `run_here`.
    pub fn reserve(self: &Arc<Self>) -> Ticket {
        let mut state = self.lock();
        state.given += 1;
        Ticket {
            line: self.clone(),
            number: state.given,
        }
    }

    /// Runs work on the calling thread in a place that `reserve` gave.
    pub fn run_here<R>(place: &Ticket, waits: Vec<Ticket>, work: impl FnOnce() -> R) -> R {
        place.line.wait_until(place.number - 1);
        waits.iter().for_each(Ticket::wait);
        let result = work();
        place.line.finish(place.number);
        result
    }

    fn finish(&self, number: u64) {
        self.lock().done = number;
        self.changed.notify_all();
    }

    fn next(&self) -> Task {
        let mut state = self.lock();
        loop {
            let is_next = state
                .queue
                .front()
                .is_some_and(|task| task.number == state.done + 1);
            if is_next && let Some(task) = state.queue.pop_front() {
                return task;
            }
            state = self
                .changed
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn work(&self) {
        loop {
            let task = self.next();
            task.waits.iter().for_each(Ticket::wait);
            (task.job)();
            self.finish(task.number);
        }
    }
}
