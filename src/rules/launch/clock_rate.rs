//! A conversion of `clock64` ticks with the clock rate of the device.
//!
//! ## Why on AMD
//! `clock64` and `clock` count cycles of the shader clock, which changes with load; `clockRate` is the highest rate. On many chips the
//! counter runs at a fixed rate of its own. Times computed that way are wrong. `wall_clock64()` has the constant rate that
//! `hipDeviceAttributeWallClockRate` tells in kHz.
//!
//! ## Example
//! ```cuda
//! ms = ticks / (double)prop.clockRate;        // ticks from clock64()
//! ```
//! becomes by hand
//! ```hip
//! hipDeviceGetAttribute(&rate, hipDeviceAttributeWallClockRate, device);
//! ms = ticks / (double)rate;                  // ticks from wall_clock64()
//! ```
//!
//! ## When to ignore
//! When ticks are only compared with each other.
//!
//! ## Source
//! HIP C++ language extensions, timer functions.

use crate::rules::prelude::*;

/// Reports the clock rate in files whose kernels read the clock.
pub static RULE: Rule = Rule {
    code: "CASS113",
    severity: Severity::Warning,
    fix: None,
    priority: 50,
    facts: &[],
    checks: &[Check::Idents(&["clockRate", "cudaDevAttrClockRate"], check)],
};

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    let doc = cx.doc;
    let is_rate = !doc.is(index, "clockRate")
        || doc
            .prev(index)
            .is_some_and(|index| matches!(doc.bytes(index), b"." | b"->"));
    let clock = doc
        .all_of(&["clock64", "clock"])
        .into_iter()
        .find(|&index| {
            doc.next_is(index, "(") && crate::cpp::functions::is_device_only(doc, index)
        });
    let (Some(clock), true) = (clock, is_rate) else {
        return;
    };
    let finding = RULE
        .finding(cx.range(index), "`clock64()` does not run at this rate on AMD")
        .label(cx.range(clock), "read here")
        .help("read `wall_clock64()` in the kernel and divide by `hipDeviceAttributeWallClockRate` (kHz)");
    cx.report(finding);
}
