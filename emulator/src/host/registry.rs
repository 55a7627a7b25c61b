//! What the program registers before `main`: fat binaries, kernels and variables, by the addresses of their stand-ins on the host.

use std::collections::HashMap;
use std::ffi::{c_char, c_void};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use crate::device::{CodeObject, Kind};

use super::error::{Code, Outcome};
use super::function::Function;
use super::raw::{self, Ptr};
use super::runtime::{complain, runtime};
use super::{bundle, device, memory};

/// A fat binary of the program. Its code is loaded when it is first needed: most programs register code that they never run.
#[derive(Default)]
pub struct FatBinary {
    image: usize,
    managed: Mutex<Vec<(String, usize)>>,
    code: OnceLock<Outcome<Arc<CodeObject>>>,
}

#[derive(Clone)]
struct Variable {
    binary: Arc<FatBinary>,
    name: String,
    size: usize,
    /// Managed variables have memory of their own.
    managed: Option<usize>,
}

#[derive(Default)]
struct Registry {
    binaries: Vec<Arc<FatBinary>>,
    kernels: HashMap<usize, (Arc<FatBinary>, String)>,
    functions: HashMap<usize, Arc<Function>>,
    variables: HashMap<usize, Variable>,
}

static REGISTRY: Mutex<Option<Registry>> = Mutex::new(None);

struct Locked(MutexGuard<'static, Option<Registry>>);

impl Locked {
    fn get(&mut self) -> &mut Registry {
        self.0.get_or_insert_default()
    }
}

fn registry() -> Locked {
    Locked(REGISTRY.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Loads an image for the emulated chip.
pub fn load(image: &[u8]) -> Outcome<Arc<CodeObject>> {
    let code = bundle::code_for_chip(image)?;
    runtime().device.load(&code).map(Arc::new).map_err(|error| {
        complain(&format!("a code object cannot be loaded: {error}"));
        Code::INVALID_IMAGE
    })
}

impl FatBinary {
    fn code(&self) -> Outcome<Arc<CodeObject>> {
        self.code.get_or_init(|| self.load()).clone()
    }

    fn load(&self) -> Outcome<Arc<CodeObject>> {
        let code = load(bundle::image_at(self.image)?)?;
        for (name, memory) in self
            .managed
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .iter()
        {
            // The device's variable of that name is a pointer to the memory.
            if let Some((address, _)) = code.symbol(name) {
                raw::put(address as usize as *mut usize, *memory)?;
            }
        }
        Ok(code)
    }
}

/// The kernel that a stand-in on the host (`&kernel`) means.
pub fn function(stand_in: *const c_void) -> Outcome<Arc<Function>> {
    let mut locked = registry();
    let known = locked.get();
    if let Some(function) = known.functions.get(&(stand_in as usize)) {
        return Ok(function.clone());
    }
    let (binary, name) = known
        .kernels
        .get(&(stand_in as usize))
        .cloned()
        .ok_or(Code::INVALID_DEVICE_FUNCTION)?;
    let function =
        Arc::new(Function::new(binary.code()?, &name).map_err(|_| Code::INVALID_DEVICE_FUNCTION)?);
    known.functions.insert(stand_in as usize, function.clone());
    Ok(function)
}

/// Address and size of the variable that a stand-in on the host means.
pub fn variable(stand_in: *const c_void) -> Outcome<(usize, usize)> {
    let variable = registry()
        .get()
        .variables
        .get(&(stand_in as usize))
        .cloned()
        .ok_or(Code::INVALID_SYMBOL)?;
    if let Some(memory) = variable.managed {
        return Ok((memory, variable.size));
    }
    let code = variable.binary.code()?;
    let (address, size) = code.symbol(&variable.name).ok_or(Code::INVALID_SYMBOL)?;
    Ok((address as usize, (size as usize).max(variable.size)))
}

/// The wrapper that clang puts around an image: magic, version, the image, a reserved word.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Wrapper {
    magic: u32,
    version: u32,
    image: usize,
    reserved: usize,
}

/// `HIPF`
const MAGIC: u32 = 0x4849_5046;

/// Takes a fat binary in; the handle is that of the registered object. A wrapper that is none ends the process, as in the real runtime.
#[unsafe(no_mangle)]
pub extern "C" fn __hipRegisterFatBinary(wrapper: *const Wrapper) -> *mut Ptr {
    let Ok(wrapper) = raw::get(wrapper) else {
        super::runtime::give_up("__hipRegisterFatBinary: no fat binary was given");
    };
    if wrapper.magic != MAGIC {
        super::runtime::give_up("__hipRegisterFatBinary: this is no fat binary of HIP");
    }
    let binary = Arc::new(FatBinary {
        image: wrapper.image,
        ..FatBinary::default()
    });
    let handle = Arc::as_ptr(&binary) as *mut Ptr;
    registry().get().binaries.push(binary);
    handle
}

/// At the end of the program, once for each binary: waits for what still runs, so that no text of a kernel is lost.
#[unsafe(no_mangle)]
pub extern "C" fn __hipUnregisterFatBinary(_binary: *mut Ptr) {
    super::stream::wait_for_all();
    super::hostcall::flush();
    super::launch::summary();
    super::costs::write();
}

fn binary(handle: *mut Ptr) -> Arc<FatBinary> {
    let mut locked = registry();
    let found = locked
        .get()
        .binaries
        .iter()
        .find(|binary| Arc::as_ptr(binary) as *mut Ptr == handle)
        .cloned();
    found.unwrap_or_else(|| {
        super::runtime::give_up("a kernel or variable is registered for an unknown fat binary")
    })
}

fn name_of(name: *const c_char) -> String {
    raw::text(name).unwrap_or_else(|_| {
        super::runtime::give_up("a kernel or variable is registered without a name")
    })
}

/// Takes a kernel in.
#[unsafe(no_mangle)]
pub extern "C" fn __hipRegisterFunction(
    handle: *mut Ptr,
    stand_in: *const c_void,
    _function: *const c_char,
    name: *const c_char,
) {
    let entry = (binary(handle), name_of(name));
    registry().get().kernels.insert(stand_in as usize, entry);
}

/// Takes a variable in.
#[unsafe(no_mangle)]
pub extern "C" fn __hipRegisterVar(
    handle: *mut Ptr,
    stand_in: *const c_void,
    _host_name: *const c_char,
    name: *const c_char,
    _external: i32,
    size: usize,
    _constant: i32,
    _global: i32,
) {
    let variable = Variable {
        binary: binary(handle),
        name: name_of(name),
        size,
        managed: None,
    };
    registry()
        .get()
        .variables
        .insert(stand_in as usize, variable);
}

/// Takes a managed variable in: it gets memory of both sides with its initial value, and the host's pointer to it is set.
#[unsafe(no_mangle)]
pub extern "C" fn __hipRegisterManagedVar(
    handle: *mut Ptr,
    pointer: *mut usize,
    initial: *const c_void,
    name: *const c_char,
    size: usize,
    _align: u32,
) {
    let (binary, name) = (binary(handle), name_of(name));
    let memory = memory::allocate(size, Kind::Managed, 0, device::FIRST).unwrap_or_else(|_| {
        super::runtime::give_up(&format!("no memory for the managed variable {name}"))
    });
    raw::copy(memory, initial as usize, size);
    raw::put_if(pointer, memory);
    binary
        .managed
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .push((name.clone(), memory));
    let variable = Variable {
        binary,
        name,
        size,
        managed: Some(memory),
    };
    let mut locked = registry();
    locked
        .get()
        .variables
        .insert(pointer as usize, variable.clone());
    locked.get().variables.insert(memory, variable);
}

/// Texture references were taken out of HIP's kernels long ago; the functions that bind them say so.
#[unsafe(no_mangle)]
pub extern "C" fn __hipRegisterTexture() {}

/// As `__hipRegisterTexture`.
#[unsafe(no_mangle)]
pub extern "C" fn __hipRegisterSurface() {}
