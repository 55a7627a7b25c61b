//! Accesses to memory of the program. Every function here is unsafe: its caller has found the range in the table of memory, so that it
//! is allocated; races between lanes, as on the chip, are the program's own, hence words are read and written as atomic ones.

use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering};

macro_rules! access {
    ($(#[$doc:meta])* $read:ident, $write:ident, $ty:ty, $atomic:ty) => {
        $(#[$doc])*
        ///
        /// # Safety
        /// The bytes must be allocated.
        #[inline(always)]
        pub(crate) unsafe fn $read(address: u64) -> $ty {
            if address % align_of::<$ty>() as u64 == 0 {
                // SAFETY: allocated by the caller's word, and aligned.
                unsafe { <$atomic>::from_ptr(address as *mut $ty) }.load(Ordering::Relaxed)
            } else {
                // SAFETY: allocated by the caller's word.
                unsafe { (address as *const $ty).read_unaligned() }
            }
        }
        /// Writes what its counterpart reads.
        ///
        /// # Safety
        /// The bytes must be allocated.
        #[inline(always)]
        pub(crate) unsafe fn $write(address: u64, value: $ty) {
            if address % align_of::<$ty>() as u64 == 0 {
                // SAFETY: allocated by the caller's word, and aligned.
                unsafe { <$atomic>::from_ptr(address as *mut $ty) }.store(value, Ordering::Relaxed)
            } else {
                // SAFETY: allocated by the caller's word.
                unsafe { (address as *mut $ty).write_unaligned(value) }
            }
        }
    };
}

access!(
    /// Reads a byte.
    read8, write8, u8, AtomicU8
);
access!(
    /// Reads two bytes.
    read16, write16, u16, AtomicU16
);
access!(
    /// Reads four bytes.
    read32, write32, u32, AtomicU32
);
access!(
    /// Reads eight bytes as one: a look-back scan keeps a flag and a value in two words.
    read64, write64, u64, AtomicU64
);

/// Replaces a word by a function of it, as one step; gives what was there.
///
/// # Safety
/// The bytes must be allocated, and the address a multiple of 4.
pub(crate) unsafe fn update32(address: u64, f: impl Fn(u32) -> u32) -> u32 {
    // SAFETY: allocated and aligned by the caller's word.
    let word = unsafe { AtomicU32::from_ptr(address as *mut u32) };
    match word.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |old| Some(f(old))) {
        Ok(old) | Err(old) => old,
    }
}

/// Replaces two words by a function of them, as one step; gives what was there.
///
/// # Safety
/// The bytes must be allocated, and the address a multiple of 8.
pub(crate) unsafe fn update64(address: u64, f: impl Fn(u64) -> u64) -> u64 {
    // SAFETY: allocated and aligned by the caller's word.
    let word = unsafe { AtomicU64::from_ptr(address as *mut u64) };
    match word.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |old| Some(f(old))) {
        Ok(old) | Err(old) => old,
    }
}
