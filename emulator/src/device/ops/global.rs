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

/// Whether this host moves 16 bytes as one, as chips do: scans of values of more than seven bytes rely on it. Where it does not, one
/// thread executes all groups.
pub(crate) fn moves_16_bytes() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::arch::is_x86_feature_detected!("avx");
    #[cfg(not(target_arch = "x86_64"))]
    return false;
}

/// Reads 16 bytes. At a multiple of 16 they are read as one where [`moves_16_bytes`].
///
/// # Safety
/// The bytes must be allocated.
#[inline(always)]
unsafe fn read128(address: u64) -> [u64; 2] {
    #[cfg(target_arch = "x86_64")]
    if address.is_multiple_of(16) {
        let both: std::arch::x86_64::__m128i;
        // SAFETY: allocated by the caller's word, and aligned. Processors with AVX read them as one (Intel's manual, volume 3,
        // 9.1.1; AMD's, volume 2, 7.3.2).
        unsafe {
            std::arch::asm!("movdqa {}, [{}]", out(xmm_reg) both, in(reg) address, options(nostack, preserves_flags, readonly));
            return std::mem::transmute::<std::arch::x86_64::__m128i, [u64; 2]>(both);
        }
    }
    // SAFETY: allocated by the caller's word.
    unsafe { [read64(address), read64(address + 8)] }
}

/// Writes what [`read128`] reads.
///
/// # Safety
/// The bytes must be allocated.
#[inline(always)]
unsafe fn write128(address: u64, value: [u64; 2]) {
    #[cfg(target_arch = "x86_64")]
    if address.is_multiple_of(16) {
        // SAFETY: as in `read128`.
        unsafe {
            let both = std::mem::transmute::<[u64; 2], std::arch::x86_64::__m128i>(value);
            std::arch::asm!("movdqa [{}], {}", in(reg) address, in(xmm_reg) both, options(nostack, preserves_flags));
            return;
        }
    }
    // SAFETY: allocated by the caller's word.
    unsafe {
        write64(address, value[0]);
        write64(address + 8, value[1]);
    }
}

/// Reads up to four words in as few parts as the chip does: it never shows a half of an aligned access.
///
/// # Safety
/// The bytes must be allocated.
#[inline(always)]
pub(crate) unsafe fn read_words<const N: usize>(address: u64) -> [u32; N] {
    let mut words = [0; N];
    // SAFETY: allocated by the caller's word, in all arms.
    unsafe {
        if N == 4 {
            let both = read128(address);
            for word in 0..N {
                words[word] = (both[word / 2] >> (32 * (word % 2))) as u32;
            }
            return words;
        }
        for pair in 0..N / 2 {
            let both = read64(address + 8 * pair as u64);
            (words[2 * pair], words[2 * pair + 1]) = (both as u32, (both >> 32) as u32);
        }
        if N % 2 == 1 {
            words[N - 1] = read32(address + 4 * (N as u64 - 1));
        }
    }
    words
}

/// Writes what [`read_words`] reads.
///
/// # Safety
/// The bytes must be allocated.
#[inline(always)]
pub(crate) unsafe fn write_words<const N: usize>(address: u64, words: [u32; N]) {
    let both = |at: usize| u64::from(words[at]) | u64::from(words[at + 1]) << 32;
    // SAFETY: allocated by the caller's word, in all arms.
    unsafe {
        if N == 4 {
            return write128(address, [both(0), both(2)]);
        }
        for pair in 0..N / 2 {
            write64(address + 8 * pair as u64, both(2 * pair));
        }
        if N % 2 == 1 {
            write32(address + 4 * (N as u64 - 1), words[N - 1]);
        }
    }
}

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

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    /// Aligned to 16 bytes.
    #[repr(align(16))]
    struct Aligned([u32; 8]);

    #[test]
    fn words_come_back_at_any_alignment() {
        let memory = Aligned([0; 8]);
        let address = memory.0.as_ptr() as u64;
        for offset in [0, 4, 8, 12] {
            let words = [1, 2, 3, offset as u32];
            // SAFETY: 12 + 16 bytes are inside.
            let back = unsafe {
                write_words::<4>(address + offset, words);
                read_words::<4>(address + offset)
            };
            assert_eq!(back, words);
        }
    }

    /// A value of twelve bytes and its flag are one access in scans that look back.
    #[test]
    fn sixteen_bytes_are_never_seen_half_written() {
        if !moves_16_bytes() {
            return;
        }
        let memory = Aligned([0; 8]);
        let (address, done) = (memory.0.as_ptr() as u64, AtomicBool::new(false));
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for k in 0..200_000 {
                    // SAFETY: 16 bytes are inside.
                    unsafe { write_words::<4>(address, [k; 4]) };
                }
                done.store(true, Ordering::Release);
            });
            while !done.load(Ordering::Acquire) {
                // SAFETY: as above.
                let seen = unsafe { read_words::<4>(address) };
                assert_eq!(seen, [seen[0]; 4]);
            }
        });
    }
}
