//! Kernels as the program sees them, and their arguments.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::device::{CodeObject, Kernel};

use super::error::{Code, Outcome};
use super::raw::{self, Ptr};

/// A kernel of a loaded code object.
pub struct Function {
    /// The code.
    pub code: Arc<CodeObject>,
    /// Its mangled name.
    pub name: String,
    /// Bytes of dynamic LDS that `hipFuncSetAttribute` allows; the chip allows no more than its own limit anyway.
    pub dynamic_lds: AtomicU32,
}

/// Marks in the `extra` list of `hipModuleLaunchKernel`.
const EXTRA_BUFFER: usize = 1;
const EXTRA_SIZE: usize = 2;
const EXTRA_END: usize = 3;

impl Function {
    /// The kernel of a name, or `hipErrorNotFound`.
    pub fn new(code: Arc<CodeObject>, name: &str) -> Outcome<Function> {
        code.kernel(name).ok_or(Code::NOT_FOUND)?;
        Ok(Function {
            name: name.to_string(),
            code,
            dynamic_lds: AtomicU32::new(0),
        })
    }

    /// What its code object says about it.
    pub fn kernel(&self) -> &Kernel {
        self.code
            .kernel(&self.name)
            .expect("the name was looked up when the function was made")
    }

    /// Raises the limit of dynamic LDS; `hipErrorInvalidValue` beyond what the chip has.
    pub fn allow_dynamic_lds(&self, bytes: i32, most: u32) -> Outcome {
        let bytes = u32::try_from(bytes).map_err(|_| Code::INVALID_VALUE)?;
        if bytes + self.kernel().lds > most {
            return Err(Code::INVALID_VALUE);
        }
        self.dynamic_lds.store(bytes, Ordering::Relaxed);
        Ok(())
    }

    /// The argument segment from one pointer for each argument, as `hipLaunchKernel` gets them.
    pub fn pack(&self, arguments: *const Ptr) -> Outcome<Vec<u8>> {
        let kernel = self.kernel();
        let mut packed = vec![0_u8; kernel.explicit_bytes()];
        for (k, argument) in kernel.explicit().enumerate() {
            let from = raw::get(arguments.wrapping_add(k))? as usize;
            if from == 0 {
                return Err(Code::INVALID_VALUE);
            }
            let to = packed[argument.offset..].as_mut_ptr() as usize;
            raw::copy(to, from, argument.size);
        }
        Ok(packed)
    }

    /// The argument segment from `extra`: pairs of a mark and a pointer, the buffer and its size among them.
    pub fn unpack_extra(&self, extra: *const Ptr) -> Outcome<Vec<u8>> {
        let (mut buffer, mut size, mut at) = (0, 0, extra);
        loop {
            let mark = raw::get(at)? as usize;
            let value = at.wrapping_add(1);
            match mark {
                EXTRA_END => break,
                EXTRA_BUFFER => buffer = raw::get(value)? as usize,
                EXTRA_SIZE => size = raw::get(raw::get(value)? as *const usize)?,
                _ => return Err(Code::INVALID_VALUE),
            }
            at = at.wrapping_add(2);
        }
        raw::list(buffer as *const u8, size)
    }
}
