//! Marks and ranges for AMD's tools (`libroctx64.so`, roctx.h of ROCm 6.4): nobody looks at them here, and what they return is as there.

use std::cell::Cell;
use std::ffi::c_char;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

thread_local! {
    /// Ranges that a thread has begun and not ended.
    static DEPTH: Cell<i32> = const { Cell::new(0) };
}

/// Ranges that were started by number.
static STARTED: AtomicU64 = AtomicU64::new(0);

/// `roctx_version_major`
#[unsafe(no_mangle)]
pub extern "C" fn roctx_version_major() -> u32 {
    4
}

/// `roctx_version_minor`
#[unsafe(no_mangle)]
pub extern "C" fn roctx_version_minor() -> u32 {
    1
}

/// `roctxMarkA`
#[unsafe(no_mangle)]
pub extern "C" fn roctxMarkA(_message: *const c_char) {}

/// `roctxRangePushA`: the level of the range that begins, from 0.
#[unsafe(no_mangle)]
pub extern "C" fn roctxRangePushA(_message: *const c_char) -> i32 {
    DEPTH.with(|depth| depth.replace(depth.get() + 1))
}

/// `roctxRangePop`: the level of the range that ends; -1 where none has begun.
#[unsafe(no_mangle)]
pub extern "C" fn roctxRangePop() -> i32 {
    DEPTH.with(|depth| {
        let level = depth.get() - 1;
        depth.set(level.max(0));
        level.max(-1)
    })
}

/// `roctxRangeStartA`: its number, from 1.
#[unsafe(no_mangle)]
pub extern "C" fn roctxRangeStartA(_message: *const c_char) -> u64 {
    STARTED.fetch_add(1, Relaxed) + 1
}

/// `roctxRangeStop`
#[unsafe(no_mangle)]
pub extern "C" fn roctxRangeStop(_range: u64) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_say_how_deep_they_are() {
        let none = std::ptr::null();
        assert_eq!([roctxRangePushA(none), roctxRangePushA(none)], [0, 1]);
        assert_eq!(
            [roctxRangePop(), roctxRangePop(), roctxRangePop()],
            [1, 0, -1]
        );
        assert_eq!(roctxRangePushA(none), 0);
        assert!(roctxRangeStartA(none) < roctxRangeStartA(none));
    }
}
