//! LLVM's disassembler, through the C interface of the libLLVM that clang itself uses. Found at run time, so that the emulator builds and
//! loads where there is none.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr::null_mut;
use std::sync::{Mutex, PoisonError};

use libloading::{Library, Symbol};

use crate::device::model::load_error::LoadError;

/// Names of libLLVM, the newest first: what is older than 16 does not know gfx942.
const NAMES: [&str; 12] = [
    "libLLVM.so.21.1",
    "libLLVM.so.20.1",
    "libLLVM.so.19.1",
    "libLLVM-19.so.1",
    "libLLVM-19.so",
    "libLLVM.so.18.1",
    "libLLVM-18.so.1",
    "libLLVM-18.so",
    "libLLVM-17.so.1",
    "libLLVM-17.so",
    "libLLVM.so",
    "/opt/rocm/llvm/lib/libLLVM.so",
];

/// The variable that names another libLLVM.
const VARIABLE: &str = "HIP_EMULATOR_LLVM";

type Create = unsafe extern "C" fn(
    *const c_char,
    *const c_char,
    *const c_char,
    *mut c_void,
    c_int,
    *mut c_void,
    *mut c_void,
) -> *mut c_void;
type Disassemble =
    unsafe extern "C" fn(*mut c_void, *mut u8, u64, u64, *mut c_char, usize) -> usize;
type Dispose = unsafe extern "C" fn(*mut c_void);

/// A disassembler for one chip and size of waves.
pub(crate) struct Disassembler {
    context: *mut c_void,
    disassemble: Disassemble,
    dispose: Dispose,
    /// Keeps the functions above where they are.
    _library: Library,
}

// SAFETY: LLVM's disassemblers have no state of the thread; one is used by one thread at a time, as its use asks for `&mut`.
unsafe impl Send for Disassembler {}

fn library() -> Result<Library, LoadError> {
    let chosen = std::env::var(VARIABLE).ok();
    let names: Vec<&str> = chosen.as_deref().into_iter().chain(NAMES).collect();
    for name in &names {
        // SAFETY: libLLVM's initialisers do nothing but register its parts.
        if let Ok(library) = unsafe { Library::new(name) } {
            return Ok(library);
        }
    }
    Err(LoadError(format!(
        "no libLLVM was found, which reads the instructions (tried {}); install LLVM 17 or newer, on Debian the package libllvm19, or name \
         the library in {VARIABLE}",
        names.join(", ")
    )))
}

/// Registers LLVM's parts for AMD, of which it keeps a list: two threads that add the first one together make it a circle, and who looks
/// a chip up in it walks on for ever.
fn initialise(library: &Library) -> Result<(), libloading::Error> {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _held = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    for part in ["TargetInfo", "Target", "TargetMC", "Disassembler"] {
        let name = format!("LLVMInitializeAMDGPU{part}");
        // SAFETY: the name and type are those of LLVM's C interface.
        let initialise: Symbol<'_, unsafe extern "C" fn()> =
            unsafe { library.get(name.as_bytes()) }?;
        // SAFETY: may be called any number of times, by one thread at a time.
        unsafe { initialise() };
    }
    Ok(())
}

impl Disassembler {
    /// A disassembler for a chip such as `gfx1030` with waves of 32 or 64 lanes.
    pub(crate) fn new(chip: &str, wavefront: u32) -> Result<Disassembler, LoadError> {
        let library = library()?;
        let missing = |error: libloading::Error| {
            LoadError(format!("libLLVM has not what is needed: {error}"))
        };
        initialise(&library).map_err(missing)?;
        // SAFETY: the names and types are those of LLVM's C interface, llvm-c/Disassembler.h.
        let create =
            *unsafe { library.get::<Create>(b"LLVMCreateDisasmCPUFeatures") }.map_err(missing)?;
        // SAFETY: as above.
        let disassemble =
            *unsafe { library.get::<Disassemble>(b"LLVMDisasmInstruction") }.map_err(missing)?;
        // SAFETY: as above.
        let dispose = *unsafe { library.get::<Dispose>(b"LLVMDisasmDispose") }.map_err(missing)?;
        let mut features = match (chip.starts_with("gfx9"), wavefront) {
            (true, _) => String::new(),
            (false, 32) => "+wavefrontsize32,-wavefrontsize64".to_string(),
            (false, _) => "-wavefrontsize32,+wavefrontsize64".to_string(),
        };
        // LLVM 23 reads halves of registers by default (`v2.l`), where LLVM 19 reads the register: same bytes, same meaning.
        if chip.starts_with("gfx11") || chip.starts_with("gfx12") {
            features.push_str(",-real-true16");
        }
        let [triple, chip_name, features] = ["amdgcn-amd-amdhsa", chip, features.as_str()]
            .map(|text| CString::new(text).unwrap_or_default());
        // SAFETY: three strings that end with 0, and no callbacks.
        let context = unsafe {
            create(
                triple.as_ptr(),
                chip_name.as_ptr(),
                features.as_ptr(),
                null_mut(),
                0,
                null_mut(),
                null_mut(),
            )
        };
        if context.is_null() {
            return Err(LoadError(format!(
                "libLLVM cannot disassemble for {chip}; a newer one may"
            )));
        }
        Ok(Disassembler {
            context,
            disassemble,
            dispose,
            _library: library,
        })
    }

    /// The first instruction of `bytes` and its length in bytes; nothing where it is none.
    pub(crate) fn one(&mut self, bytes: &[u8]) -> Option<(usize, String)> {
        let mut copy = bytes.to_vec();
        let mut text = [0 as c_char; 512];
        // SAFETY: the lengths are those of the buffers; the context is that of this object.
        let len = unsafe {
            (self.disassemble)(
                self.context,
                copy.as_mut_ptr(),
                copy.len() as u64,
                0,
                text.as_mut_ptr(),
                text.len(),
            )
        };
        // SAFETY: LLVM ends the text with 0 within the buffer.
        let text = unsafe { CStr::from_ptr(text.as_ptr()) };
        (len > 0).then(|| (len, bare_literals(text.to_string_lossy().trim())))
    }
}

/// A line without the words that newer releases, such as LLVM 23, write around literals whose value would fit in the instruction: `lit(0xffffffff)`.
fn bare_literals(line: &str) -> String {
    let mut line = line.replace('\t', " ");
    for word in ["lit(", "lit64("] {
        while let Some(at) = line.find(word) {
            let behind = at + word.len();
            let end = line[behind..]
                .find(')')
                .map_or(line.len(), |end| behind + end);
            let number = line[behind..end].to_string();
            line.replace_range(at..line.len().min(end + 1), &number);
        }
    }
    line
}

impl Drop for Disassembler {
    fn drop(&mut self) {
        // SAFETY: made by `create`, and not used after.
        unsafe { (self.dispose)(self.context) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_of_newer_releases_read_like_those_of_older_ones() {
        let line = "v_fma_f64 v[0:1], -lit64(0x3ff), neg(lit(0xffffffff)), s2 clamp";
        assert_eq!(
            bare_literals(line),
            "v_fma_f64 v[0:1], -0x3ff, neg(0xffffffff), s2 clamp"
        );
        assert_eq!(bare_literals("s_mov_b32\ts0, 1"), "s_mov_b32 s0, 1");
    }
}
