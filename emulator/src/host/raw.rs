//! The one place where the host side touches memory of the program: pointers that it hands to HIP's functions are read and written here.
//!
//! HIP's contract is that of C: a pointer that is not null is valid for what the function documents. Nobody can check that for memory
//! that the program got from elsewhere than HIP, so every function here relies on it, as the real runtime does.

use std::ffi::{CStr, c_char, c_void};

use super::error::{Code, Outcome};

/// An untyped pointer of the C interface.
pub type Ptr = *mut c_void;

/// Writes a result through a pointer of the program; null is `hipErrorInvalidValue`.
pub fn put<T>(to: *mut T, value: T) -> Outcome {
    if to.is_null() {
        return Err(Code::INVALID_VALUE);
    }
    // SAFETY: not null, and the program promises room for a T there; it need not be aligned.
    unsafe { to.write_unaligned(value) };
    Ok(())
}

/// Writes a result that the program may not want: null is fine.
pub fn put_if<T>(to: *mut T, value: T) {
    if !to.is_null() {
        // SAFETY: as in `put`.
        unsafe { to.write_unaligned(value) };
    }
}

/// Reads a value that the program passes by pointer; null is `hipErrorInvalidValue`.
pub fn get<T: Copy>(from: *const T) -> Outcome<T> {
    if from.is_null() {
        return Err(Code::INVALID_VALUE);
    }
    // SAFETY: not null, and the program promises a T there; it need not be aligned.
    Ok(unsafe { from.read_unaligned() })
}

/// Reads `count` values; null is fine where there are none.
pub fn list<T: Copy>(from: *const T, count: usize) -> Outcome<Vec<T>> {
    if count == 0 {
        return Ok(Vec::new());
    }
    (0..count).map(|k| get(from.wrapping_add(k))).collect()
}

/// A C string of the program.
pub fn text(from: *const c_char) -> Outcome<String> {
    if from.is_null() {
        return Err(Code::INVALID_VALUE);
    }
    // SAFETY: not null, and the program promises a string that ends in a zero byte.
    Ok(unsafe { CStr::from_ptr(from) }
        .to_string_lossy()
        .into_owned())
}

/// Writes a string with its zero byte into a buffer of `room` bytes, cut where it does not fit.
pub fn put_text(to: *mut c_char, room: usize, text: &str) -> Outcome {
    if to.is_null() || room == 0 {
        return Err(Code::INVALID_VALUE);
    }
    let length = text.len().min(room - 1);
    copy(to as usize, text.as_ptr() as usize, length);
    put(to.wrapping_add(length), 0)
}

/// The bytes of `length` from an address on, which must stay as they are for the program's life (an image that is linked into it).
pub fn bytes(from: usize, length: usize) -> &'static [u8] {
    // SAFETY: callers pass images of code whose length their own headers tell, inside of the program or of a leaked copy.
    unsafe { std::slice::from_raw_parts(from as *const u8, length) }
}

/// Reads a value at an address that was found in the table of memory, or that the program gave for its own.
pub fn load<T: Copy>(from: usize) -> T {
    // SAFETY: allocated by the caller's word; it need not be aligned. T is a plain number.
    unsafe { (from as *const T).read_unaligned() }
}

/// Writes what [`load`] reads.
pub fn store<T: Copy>(to: usize, value: T) {
    // SAFETY: allocated by the caller's word; it need not be aligned.
    unsafe { (to as *mut T).write_unaligned(value) };
}

/// Copies bytes; the ranges may overlap.
pub fn copy(to: usize, from: usize, length: usize) {
    // SAFETY: callers have checked the sides that HIP allocated; the program answers for its own memory.
    unsafe { std::ptr::copy(from as *const u8, to as *mut u8, length) };
}

/// Fills `count` elements of 1, 2 or 4 bytes with a value.
pub fn fill(to: usize, value: u32, element: usize, count: usize) {
    // SAFETY: callers have checked that the range lies in an allocation.
    unsafe {
        match element {
            1 => std::ptr::write_bytes(to as *mut u8, value as u8, count),
            2 => (0..count).for_each(|k| (to as *mut u16).add(k).write_unaligned(value as u16)),
            _ => (0..count).for_each(|k| (to as *mut u32).add(k).write_unaligned(value)),
        }
    }
}
