//! Modules: code objects that the program loads itself, and what is in them.

use std::ffi::{c_char, c_void};
use std::sync::{Arc, Mutex, PoisonError};

use crate::device::CodeObject;

use super::error::{Code, Outcome};
use super::function::Function;
use super::handles::Handles;
use super::raw::{self, Ptr};
use super::{bundle, registry};

/// A module of the program.
pub struct Module {
    code: Arc<CodeObject>,
    functions: Mutex<Vec<(String, Ptr2)>>,
}

/// A handle that may be kept beside threads.
type Ptr2 = usize;

static MODULES: Handles<Module> = Handles::new();
static FUNCTIONS: Handles<Function> = Handles::new();

/// The kernel of a `hipFunction_t`; HIP takes the address of a kernel's stand-in there as well.
pub fn function_of(handle: Ptr) -> Outcome<Arc<Function>> {
    FUNCTIONS
        .get(handle)
        .or_else(|_| registry::function(handle))
        .map_err(|_| Code::INVALID_HANDLE)
}

/// The handle of a kernel.
pub fn handle_of(function: Arc<Function>) -> Ptr {
    FUNCTIONS.insert(function)
}

fn load(module: *mut Ptr, image: &[u8]) -> Outcome {
    let code = registry::load(image)?;
    raw::put(
        module,
        MODULES.insert(Arc::new(Module {
            code,
            functions: Mutex::default(),
        })),
    )
}

fn load_file(module: *mut Ptr, path: &str) -> Outcome {
    let image = std::fs::read(path).map_err(|_| Code::FILE_NOT_FOUND)?;
    load(module, &image)
}

/// The handle of a kernel of a module; asking twice gives the same one.
fn get_function(module: &Module, name: &str) -> Outcome<Ptr> {
    let mut functions = module
        .functions
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
    if let Some((_, handle)) = functions.iter().find(|(known, _)| known == name) {
        return Ok(*handle as Ptr);
    }
    let handle = handle_of(Arc::new(Function::new(module.code.clone(), name)?));
    functions.push((name.to_string(), handle as usize));
    Ok(handle)
}

export! {
    /// `hipModuleLoad`
    fn hipModuleLoad(module: *mut Ptr, path: *const c_char) {
        load_file(module, &raw::text(path)?)
    }
    /// `hipModuleLoadData`
    fn hipModuleLoadData(module: *mut Ptr, image: *const c_void) {
        load(module, bundle::image_at(image as usize)?)
    }
    /// `hipModuleLoadDataEx`: the options are those of a compiler of PTX, which HIP looks past too.
    fn hipModuleLoadDataEx(module: *mut Ptr, image: *const c_void, _count: u32, _options: Ptr, _values: Ptr) {
        load(module, bundle::image_at(image as usize)?)
    }
    /// `hipModuleUnload`
    fn hipModuleUnload(module: Ptr) {
        super::stream::wait_for_all();
        let module = MODULES.remove(module)?;
        for (_, handle) in module.functions.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
            FUNCTIONS.remove(handle as Ptr)?;
        }
        Ok(())
    }
    /// `hipModuleGetFunction`
    fn hipModuleGetFunction(function: *mut Ptr, module: Ptr, name: *const c_char) {
        raw::put(function, get_function(&*MODULES.get(module)?, &raw::text(name)?)?)
    }
    /// `hipModuleGetGlobal`
    fn hipModuleGetGlobal(address: *mut usize, size: *mut usize, module: Ptr, name: *const c_char) {
        let (found, length) = MODULES.get(module)?.code.symbol(&raw::text(name)?).ok_or(Code::NOT_FOUND)?;
        raw::put_if(address, found as usize);
        raw::put_if(size, length as usize);
        Ok(())
    }
    /// `hipGetFuncBySymbol`
    fn hipGetFuncBySymbol(function: *mut Ptr, stand_in: *const c_void) {
        raw::put(function, handle_of(registry::function(stand_in)?))
    }
}
