//! How much work the reading of a file takes, for tests: tokens that somebody looked at. A count does not depend on the machine.

use std::cell::Cell;

thread_local! {
    static TOKENS: Cell<u64> = const { Cell::new(0) };
}

/// Counts a token that is looked at.
pub(crate) fn look() {
    TOKENS.with(|tokens| tokens.set(tokens.get() + 1));
}

/// The tokens that are looked at while something runs on this thread.
pub(crate) fn looks(run: impl FnOnce()) -> u64 {
    let before = TOKENS.with(Cell::get);
    run();
    TOKENS.with(Cell::get) - before
}
