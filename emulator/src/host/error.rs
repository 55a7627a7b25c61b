//! HIP's error codes: their numbers (ROCm 6.4's header), names and the texts of `hipGetErrorString`.

use std::cell::Cell;
use std::ffi::{CStr, c_char};

use super::raw;

/// An error code of HIP that is not success.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code(pub i32);

/// What a function of HIP comes to.
pub type Outcome<T = ()> = Result<T, Code>;

/// Number, name, text.
type Row = (i32, &'static CStr, &'static CStr);

impl Code {
    /// `hipErrorInvalidValue`
    pub const INVALID_VALUE: Code = Code(1);
    /// `hipErrorOutOfMemory`
    pub const OUT_OF_MEMORY: Code = Code(2);
    /// `hipErrorInvalidConfiguration`
    pub const INVALID_CONFIGURATION: Code = Code(9);
    /// `hipErrorInvalidPitchValue`
    pub const INVALID_PITCH: Code = Code(12);
    /// `hipErrorInvalidSymbol`
    pub const INVALID_SYMBOL: Code = Code(13);
    /// `hipErrorInvalidMemcpyDirection`
    pub const INVALID_DIRECTION: Code = Code(21);
    /// `hipErrorInvalidDeviceFunction`
    pub const INVALID_DEVICE_FUNCTION: Code = Code(98);
    /// `hipErrorInvalidDevice`
    pub const INVALID_DEVICE: Code = Code(101);
    /// `hipErrorInvalidImage`
    pub const INVALID_IMAGE: Code = Code(200);
    /// `hipErrorInvalidContext`
    pub const INVALID_CONTEXT: Code = Code(201);
    /// `hipErrorNoBinaryForGpu`
    pub const NO_BINARY_FOR_GPU: Code = Code(209);
    /// `hipErrorUnsupportedLimit`
    pub const UNSUPPORTED_LIMIT: Code = Code(215);
    /// `hipErrorFileNotFound`
    pub const FILE_NOT_FOUND: Code = Code(301);
    /// `hipErrorInvalidHandle`
    pub const INVALID_HANDLE: Code = Code(400);
    /// `hipErrorIllegalState`
    pub const ILLEGAL_STATE: Code = Code(401);
    /// `hipErrorNotFound`
    pub const NOT_FOUND: Code = Code(500);
    /// `hipErrorNotReady`
    pub const NOT_READY: Code = Code(600);
    /// `hipErrorPeerAccessAlreadyEnabled`
    pub const PEER_ALREADY_ENABLED: Code = Code(704);
    /// `hipErrorPeerAccessNotEnabled`
    pub const PEER_NOT_ENABLED: Code = Code(705);
    /// `hipErrorHostMemoryAlreadyRegistered`
    pub const ALREADY_REGISTERED: Code = Code(712);
    /// `hipErrorHostMemoryNotRegistered`
    pub const NOT_REGISTERED: Code = Code(713);
    /// `hipErrorLaunchFailure`
    pub const LAUNCH_FAILURE: Code = Code(719);
    /// `hipErrorCooperativeLaunchTooLarge`
    pub const COOPERATIVE_TOO_LARGE: Code = Code(720);
    /// `hipErrorNotSupported`
    pub const NOT_SUPPORTED: Code = Code(801);
    /// `hipErrorStreamCaptureUnsupported`
    pub const CAPTURE_UNSUPPORTED: Code = Code(900);
    /// `hipErrorStreamCaptureUnmatched`
    pub const CAPTURE_UNMATCHED: Code = Code(903);
    /// `hipErrorStreamCaptureUnjoined`
    pub const CAPTURE_UNJOINED: Code = Code(904);
    /// `hipErrorStreamCaptureImplicit`
    pub const CAPTURE_IMPLICIT: Code = Code(906);
    /// `hipErrorGraphExecUpdateFailure`
    pub const GRAPH_UPDATE_FAILURE: Code = Code(910);
    /// `hipErrorUnknown`
    pub const UNKNOWN: Code = Code(999);
}

const ROWS: &[Row] = &[
    (0, c"hipSuccess", c"no error"),
    (1, c"hipErrorInvalidValue", c"invalid argument"),
    (2, c"hipErrorOutOfMemory", c"out of memory"),
    (3, c"hipErrorNotInitialized", c"initialization error"),
    (4, c"hipErrorDeinitialized", c"driver shutting down"),
    (5, c"hipErrorProfilerDisabled", c"profiler disabled while using external profiling tool"),
    (6, c"hipErrorProfilerNotInitialized", c"profiler is not initialized"),
    (7, c"hipErrorProfilerAlreadyStarted", c"profiler already started"),
    (8, c"hipErrorProfilerAlreadyStopped", c"profiler already stopped"),
    (9, c"hipErrorInvalidConfiguration", c"invalid configuration argument"),
    (12, c"hipErrorInvalidPitchValue", c"invalid pitch argument"),
    (13, c"hipErrorInvalidSymbol", c"invalid device symbol"),
    (17, c"hipErrorInvalidDevicePointer", c"invalid device pointer"),
    (21, c"hipErrorInvalidMemcpyDirection", c"invalid copy direction for memcpy"),
    (35, c"hipErrorInsufficientDriver", c"driver version is insufficient for runtime version"),
    (52, c"hipErrorMissingConfiguration", c"__global__ function call is not configured"),
    (53, c"hipErrorPriorLaunchFailure", c"unspecified launch failure in prior launch"),
    (98, c"hipErrorInvalidDeviceFunction", c"invalid device function"),
    (100, c"hipErrorNoDevice", c"no ROCm-capable device is detected"),
    (101, c"hipErrorInvalidDevice", c"invalid device ordinal"),
    (200, c"hipErrorInvalidImage", c"device kernel image is invalid"),
    (201, c"hipErrorInvalidContext", c"invalid device context"),
    (202, c"hipErrorContextAlreadyCurrent", c"context is already current context"),
    (205, c"hipErrorMapFailed", c"mapping of buffer object failed"),
    (206, c"hipErrorUnmapFailed", c"unmapping of buffer object failed"),
    (207, c"hipErrorArrayIsMapped", c"array is mapped"),
    (208, c"hipErrorAlreadyMapped", c"resource already mapped"),
    (209, c"hipErrorNoBinaryForGpu", c"no kernel image is available for execution on the device"),
    (210, c"hipErrorAlreadyAcquired", c"resource already acquired"),
    (211, c"hipErrorNotMapped", c"resource not mapped"),
    (212, c"hipErrorNotMappedAsArray", c"resource not mapped as array"),
    (213, c"hipErrorNotMappedAsPointer", c"resource not mapped as pointer"),
    (214, c"hipErrorECCNotCorrectable", c"uncorrectable ECC error encountered"),
    (215, c"hipErrorUnsupportedLimit", c"limit is not supported on this architecture"),
    (216, c"hipErrorContextAlreadyInUse", c"exclusive-thread device already in use by a different thread"),
    (217, c"hipErrorPeerAccessUnsupported", c"peer access is not supported between these two devices"),
    (218, c"hipErrorInvalidKernelFile", c"invalid kernel file"),
    (219, c"hipErrorInvalidGraphicsContext", c"invalid OpenGL or DirectX context"),
    (300, c"hipErrorInvalidSource", c"device kernel image is invalid"),
    (301, c"hipErrorFileNotFound", c"file not found"),
    (302, c"hipErrorSharedObjectSymbolNotFound", c"shared object symbol not found"),
    (303, c"hipErrorSharedObjectInitFailed", c"shared object initialization failed"),
    (304, c"hipErrorOperatingSystem", c"OS call failed or operation not supported on this OS"),
    (400, c"hipErrorInvalidHandle", c"invalid resource handle"),
    (401, c"hipErrorIllegalState", c"the operation cannot be performed in the present state"),
    (500, c"hipErrorNotFound", c"named symbol not found"),
    (600, c"hipErrorNotReady", c"device not ready"),
    (700, c"hipErrorIllegalAddress", c"an illegal memory access was encountered"),
    (701, c"hipErrorLaunchOutOfResources", c"too many resources requested for launch"),
    (702, c"hipErrorLaunchTimeOut", c"the launch timed out and was terminated"),
    (704, c"hipErrorPeerAccessAlreadyEnabled", c"peer access is already enabled"),
    (705, c"hipErrorPeerAccessNotEnabled", c"peer access has not been enabled"),
    (708, c"hipErrorSetOnActiveProcess", c"cannot set while device is active in this process"),
    (709, c"hipErrorContextIsDestroyed", c"context is destroyed"),
    (710, c"hipErrorAssert", c"device-side assert triggered"),
    (712, c"hipErrorHostMemoryAlreadyRegistered", c"part or all of the requested memory range is already mapped"),
    (713, c"hipErrorHostMemoryNotRegistered", c"pointer does not correspond to a registered memory region"),
    (719, c"hipErrorLaunchFailure", c"unspecified launch failure"),
    (720, c"hipErrorCooperativeLaunchTooLarge", c"too many blocks in cooperative launch"),
    (801, c"hipErrorNotSupported", c"operation not supported"),
    (900, c"hipErrorStreamCaptureUnsupported", c"operation not permitted when stream is capturing"),
    (901, c"hipErrorStreamCaptureInvalidated", c"operation failed due to a previous error during capture"),
    (902, c"hipErrorStreamCaptureMerge", c"operation would result in a merge of separate capture sequences"),
    (903, c"hipErrorStreamCaptureUnmatched", c"capture was not ended in the same stream as it began"),
    (904, c"hipErrorStreamCaptureUnjoined", c"capturing stream has unjoined work"),
    (905, c"hipErrorStreamCaptureIsolation", c"dependency created on uncaptured work in another stream"),
    (906, c"hipErrorStreamCaptureImplicit", c"operation would make the legacy stream depend on a capturing blocking stream"),
    (907, c"hipErrorCapturedEvent", c"operation not permitted on an event last recorded in a capturing stream"),
    (908, c"hipErrorStreamCaptureWrongThread", c"attempt to terminate a thread-local capture sequence from another thread"),
    (910, c"hipErrorGraphExecUpdateFailure", c"the graph update was not performed because it included changes which violated constraints specific to instantiated graph update"),
    (911, c"hipErrorInvalidChannelDescriptor", c"invalid channel descriptor"),
    (912, c"hipErrorInvalidTexture", c"invalid texture"),
    (999, c"hipErrorUnknown", c"unknown error"),
    (1052, c"hipErrorRuntimeMemory", c"runtime memory call returned error"),
    (1053, c"hipErrorRuntimeOther", c"runtime call other than memory returned error"),
];

thread_local! {
    static LAST: Cell<i32> = const { Cell::new(0) };
}

/// The number that a function gives back; an error becomes the thread's last one. Success leaves the last error alone, and so does
/// `hipErrorNotReady`, which is an answer and no failure.
pub fn record(outcome: Outcome) -> i32 {
    match outcome {
        Ok(()) => 0,
        Err(Code::NOT_READY) => Code::NOT_READY.0,
        Err(code) => {
            LAST.set(code.0);
            code.0
        }
    }
}

fn row(code: i32) -> &'static Row {
    let at = ROWS.binary_search_by_key(&code, |row| row.0);
    let unknown = ROWS.iter().position(|row| row.0 == Code::UNKNOWN.0);
    &ROWS[at.ok().or(unknown).unwrap_or_default()]
}

/// `hipGetLastError`: the last error of this thread, which is forgotten with it.
#[unsafe(no_mangle)]
pub extern "C" fn hipGetLastError() -> i32 {
    LAST.replace(0)
}

/// `hipExtGetLastError`: as `hipGetLastError`.
#[unsafe(no_mangle)]
pub extern "C" fn hipExtGetLastError() -> i32 {
    LAST.replace(0)
}

/// `hipPeekAtLastError`: the last error of this thread, which stays.
#[unsafe(no_mangle)]
pub extern "C" fn hipPeekAtLastError() -> i32 {
    LAST.get()
}

/// `hipGetErrorName`
#[unsafe(no_mangle)]
pub extern "C" fn hipGetErrorName(code: i32) -> *const c_char {
    row(code).1.as_ptr()
}

/// `hipGetErrorString`
#[unsafe(no_mangle)]
pub extern "C" fn hipGetErrorString(code: i32) -> *const c_char {
    row(code).2.as_ptr()
}

export! {
    /// `hipDrvGetErrorName`
    fn hipDrvGetErrorName(code: i32, name: *mut *const c_char) {
        raw::put(name, row(code).1.as_ptr())
    }
    /// `hipDrvGetErrorString`
    fn hipDrvGetErrorString(code: i32, text: *mut *const c_char) {
        raw::put(text, row(code).2.as_ptr())
    }
}
