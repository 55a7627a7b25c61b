//! hiprtc: kernels that are compiled while the program runs, by the clang of this machine (`rtc_compile`). The library goes by the name
//! of `libhiprtc.so` too (`tools/install.sh`).

use std::ffi::{CStr, c_char};
use std::sync::{Arc, Mutex, PoisonError};

use super::handles::Handles;
use super::raw::{self, Ptr};
use super::rtc_compile::{Compiled, compile};

/// A result of hiprtc that is not success.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failure(i32);

impl Failure {
    const CREATION: Failure = Failure(2);
    const INVALID_INPUT: Failure = Failure(3);
    const INVALID_PROGRAM: Failure = Failure(4);
    const COMPILATION: Failure = Failure(6);
    const TOO_LATE: Failure = Failure(8);
    const TOO_EARLY: Failure = Failure(9);
    const NOT_VALID: Failure = Failure(10);
}

type Outcome<T = ()> = Result<T, Failure>;

/// A program.
#[derive(Default)]
pub struct Program {
    /// Its text.
    pub source: String,
    /// Name that messages give it.
    pub name: String,
    /// Names and texts of headers that it may include.
    pub headers: Vec<(String, String)>,
    /// Expressions that stand for kernels and variables.
    pub expressions: Vec<String>,
    compiled: Option<Compiled>,
}

static PROGRAMS: Handles<Mutex<Program>> = Handles::new();

fn with<R>(handle: Ptr, work: impl FnOnce(&mut Program) -> Outcome<R>) -> Outcome<R> {
    let program = PROGRAMS.get(handle).map_err(|_| Failure::INVALID_PROGRAM)?;
    let mut program = program.lock().unwrap_or_else(PoisonError::into_inner);
    work(&mut program)
}

fn with_compiled<R>(handle: Ptr, work: impl FnOnce(&Compiled) -> Outcome<R>) -> Outcome<R> {
    with(handle, |program| {
        work(program.compiled.as_ref().ok_or(Failure::INVALID_PROGRAM)?)
    })
}

fn text(from: *const c_char) -> Outcome<String> {
    raw::text(from).map_err(|_| Failure::INVALID_INPUT)
}

fn texts(list: *const *const c_char, count: i32) -> Outcome<Vec<String>> {
    let count = usize::try_from(count).map_err(|_| Failure::INVALID_INPUT)?;
    let list = raw::list(list, count).map_err(|_| Failure::INVALID_INPUT)?;
    list.into_iter().map(text).collect()
}

fn put<T>(to: *mut T, value: T) -> Outcome {
    raw::put(to, value).map_err(|_| Failure::INVALID_INPUT)
}

/// Copies bytes to where the program has room for as many as it was told.
fn give(to: *mut c_char, bytes: &[u8]) -> Outcome {
    if to.is_null() {
        return Err(Failure::INVALID_INPUT);
    }
    raw::copy(to as usize, bytes.as_ptr() as usize, bytes.len());
    Ok(())
}

functions! {
    /// `hiprtcVersion`
    fn hiprtcVersion(major: *mut i32, minor: *mut i32) {
        put(major, 9)?;
        put(minor, 0)
    }
    /// `hiprtcCreateProgram`
    fn hiprtcCreateProgram(
        to: *mut Ptr, source: *const c_char, name: *const c_char, count: i32, headers: *const *const c_char,
        names: *const *const c_char,
    ) {
        let headers = texts(names, count)?.into_iter().zip(texts(headers, count)?).collect();
        let name = if name.is_null() { "default_program".to_string() } else { text(name)? };
        let program = Program { source: text(source)?, name, headers, ..Program::default() };
        raw::put(to, PROGRAMS.insert(Arc::new(Mutex::new(program)))).map_err(|_| Failure::CREATION)
    }
    /// `hiprtcDestroyProgram`
    fn hiprtcDestroyProgram(program: *mut Ptr) {
        let handle = raw::get(program).map_err(|_| Failure::INVALID_INPUT)?;
        PROGRAMS.remove(handle).map(drop).map_err(|_| Failure::INVALID_PROGRAM)?;
        put(program, std::ptr::null_mut())
    }
    /// `hiprtcAddNameExpression`
    fn hiprtcAddNameExpression(program: Ptr, expression: *const c_char) {
        let expression = text(expression)?;
        with(program, |program| match program.compiled {
            Some(_) => Err(Failure::TOO_LATE),
            None => { program.expressions.push(expression); Ok(()) }
        })
    }
    /// `hiprtcCompileProgram`
    fn hiprtcCompileProgram(program: Ptr, count: i32, options: *const *const c_char) {
        let options = texts(options, count)?;
        with(program, |program| {
            let compiled = compile(program, &options);
            let is_there = !compiled.code.is_empty();
            program.compiled = Some(compiled);
            if is_there { Ok(()) } else { Err(Failure::COMPILATION) }
        })
    }
    /// `hiprtcGetLoweredName`
    fn hiprtcGetLoweredName(program: Ptr, expression: *const c_char, to: *mut *const c_char) {
        let expression = text(expression)?;
        let lowered = with(program, |program| {
            let compiled = program.compiled.as_ref().ok_or(Failure::TOO_EARLY)?;
            let at = program.expressions.iter().position(|other| *other == expression);
            let name = at.and_then(|at| compiled.lowered.get(at)).ok_or(Failure::NOT_VALID)?;
            Ok(name.as_ptr())
        })?;
        put(to, lowered)
    }
    /// `hiprtcGetProgramLogSize`
    fn hiprtcGetProgramLogSize(program: Ptr, to: *mut usize) {
        put(to, with_compiled(program, |compiled| Ok(compiled.log.as_bytes_with_nul().len()))?)
    }
    /// `hiprtcGetProgramLog`
    fn hiprtcGetProgramLog(program: Ptr, to: *mut c_char) {
        with_compiled(program, |compiled| give(to, compiled.log.as_bytes_with_nul()))
    }
    /// `hiprtcGetCodeSize`
    fn hiprtcGetCodeSize(program: Ptr, to: *mut usize) {
        put(to, with_compiled(program, |compiled| Ok(compiled.code.len()))?)
    }
    /// `hiprtcGetCode`
    fn hiprtcGetCode(program: Ptr, to: *mut c_char) { with_compiled(program, |compiled| give(to, &compiled.code)) }
}

/// `hiprtcGetErrorString`
#[unsafe(no_mangle)]
pub extern "C" fn hiprtcGetErrorString(result: i32) -> *const c_char {
    let names: [&CStr; 12] = [
        c"HIPRTC_SUCCESS",
        c"HIPRTC_ERROR_OUT_OF_MEMORY",
        c"HIPRTC_ERROR_PROGRAM_CREATION_FAILURE",
        c"HIPRTC_ERROR_INVALID_INPUT",
        c"HIPRTC_ERROR_INVALID_PROGRAM",
        c"HIPRTC_ERROR_INVALID_OPTION",
        c"HIPRTC_ERROR_COMPILATION",
        c"HIPRTC_ERROR_BUILTIN_OPERATION_FAILURE",
        c"HIPRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION",
        c"HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION",
        c"HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID",
        c"HIPRTC_ERROR_INTERNAL_ERROR",
    ];
    let name = usize::try_from(result).ok().and_then(|k| names.get(k));
    name.copied().unwrap_or(c"HIPRTC_ERROR_LINKING").as_ptr()
}
