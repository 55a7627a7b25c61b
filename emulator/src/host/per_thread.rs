//! The functions of programs that were compiled with one default stream for each thread (`HIP_API_PER_THREAD_DEFAULT_STREAM`): the null
//! stream means the stream of the calling thread.

use std::ffi::c_void;

use super::copy::Extent;
use super::copy_api::*;
use super::launch::{Dim3, hipLaunchCooperativeKernel, hipLaunchKernel};
use super::memory_api::Pitched;
use super::raw::Ptr;
use super::work::{Callback, HostFunction};
use super::{capture::*, event::*, graph_api::hipGraphLaunch, stream::*};

/// `hipStreamPerThread`
const PER_THREAD: Ptr = 2 as Ptr;

fn own(stream: Ptr) -> Ptr {
    if stream.is_null() { PER_THREAD } else { stream }
}

/// Waits for the thread's stream where the work before was taken.
fn wait(code: i32) -> i32 {
    if code == 0 {
        hipStreamSynchronize(PER_THREAD)
    } else {
        code
    }
}

/// `_spt` functions that hand all arguments on, the stream replaced, or that wait after the asynchronous one.
macro_rules! per_thread {
    ($($name:ident($($argument:ident: $type:ty),*) = $call:expr;)+) => {$(
        /// The function of that name without `_spt`, on the thread's stream.
        #[unsafe(no_mangle)]
        #[allow(clippy::too_many_arguments, reason = "HIP's interface")]
        pub extern "C" fn $name($($argument: $type),*) -> i32 {
            $call
        }
    )+};
}

per_thread! {
    hipMemcpy_spt(to: usize, from: usize, len: usize, kind: u32) = wait(hipMemcpyAsync(to, from, len, kind, PER_THREAD));
    hipMemcpyAsync_spt(to: usize, from: usize, len: usize, kind: u32, stream: Ptr) = hipMemcpyAsync(to, from, len, kind, own(stream));
    hipMemcpy2D_spt(to: usize, tp: usize, from: usize, fp: usize, width: usize, height: usize, kind: u32) =
        wait(hipMemcpy2DAsync(to, tp, from, fp, width, height, kind, PER_THREAD));
    hipMemcpy2DAsync_spt(to: usize, tp: usize, from: usize, fp: usize, width: usize, height: usize, kind: u32, stream: Ptr) =
        hipMemcpy2DAsync(to, tp, from, fp, width, height, kind, own(stream));
    hipMemcpy3D_spt(parameters: *const Copy3d) = wait(hipMemcpy3DAsync(parameters, PER_THREAD));
    hipMemcpy3DAsync_spt(parameters: *const Copy3d, stream: Ptr) = hipMemcpy3DAsync(parameters, own(stream));
    hipMemcpyToSymbol_spt(to: *const c_void, from: usize, len: usize, offset: usize, kind: u32) =
        wait(hipMemcpyToSymbolAsync(to, from, len, offset, kind, PER_THREAD));
    hipMemcpyToSymbolAsync_spt(to: *const c_void, from: usize, len: usize, offset: usize, kind: u32, stream: Ptr) =
        hipMemcpyToSymbolAsync(to, from, len, offset, kind, own(stream));
    hipMemcpyFromSymbol_spt(to: usize, from: *const c_void, len: usize, offset: usize, kind: u32) =
        wait(hipMemcpyFromSymbolAsync(to, from, len, offset, kind, PER_THREAD));
    hipMemcpyFromSymbolAsync_spt(to: usize, from: *const c_void, len: usize, offset: usize, kind: u32, stream: Ptr) =
        hipMemcpyFromSymbolAsync(to, from, len, offset, kind, own(stream));
    hipMemset_spt(to: usize, value: i32, len: usize) = wait(hipMemsetAsync(to, value, len, PER_THREAD));
    hipMemsetAsync_spt(to: usize, value: i32, len: usize, stream: Ptr) = hipMemsetAsync(to, value, len, own(stream));
    hipMemset2D_spt(to: usize, pitch: usize, value: i32, width: usize, height: usize) =
        wait(hipMemset2DAsync(to, pitch, value, width, height, PER_THREAD));
    hipMemset2DAsync_spt(to: usize, pitch: usize, value: i32, width: usize, height: usize, stream: Ptr) =
        hipMemset2DAsync(to, pitch, value, width, height, own(stream));
    hipMemset3D_spt(to: Pitched, value: i32, extent: Extent) = wait(hipMemset3DAsync(to, value, extent, PER_THREAD));
    hipMemset3DAsync_spt(to: Pitched, value: i32, extent: Extent, stream: Ptr) = hipMemset3DAsync(to, value, extent, own(stream));
    hipLaunchKernel_spt(kernel: *const c_void, grid: Dim3, block: Dim3, arguments: *const Ptr, lds: usize, stream: Ptr) =
        hipLaunchKernel(kernel, grid, block, arguments, lds, own(stream));
    hipLaunchCooperativeKernel_spt(kernel: *const c_void, grid: Dim3, block: Dim3, arguments: *const Ptr, lds: u32, stream: Ptr) =
        hipLaunchCooperativeKernel(kernel, grid, block, arguments, lds, own(stream));
    hipLaunchHostFunc_spt(stream: Ptr, function: Option<HostFunction>, data: Ptr) = hipLaunchHostFunc(own(stream), function, data);
    hipStreamAddCallback_spt(stream: Ptr, function: Option<Callback>, data: Ptr, flags: u32) =
        hipStreamAddCallback(own(stream), function, data, flags);
    hipStreamSynchronize_spt(stream: Ptr) = hipStreamSynchronize(own(stream));
    hipStreamQuery_spt(stream: Ptr) = hipStreamQuery(own(stream));
    hipStreamGetFlags_spt(stream: Ptr, flags: *mut u32) = hipStreamGetFlags(own(stream), flags);
    hipStreamGetPriority_spt(stream: Ptr, priority: *mut i32) = hipStreamGetPriority(own(stream), priority);
    hipStreamWaitEvent_spt(stream: Ptr, event: Ptr, flags: u32) = hipStreamWaitEvent(own(stream), event, flags);
    hipStreamBeginCapture_spt(stream: Ptr, mode: u32) = hipStreamBeginCapture(own(stream), mode);
    hipStreamEndCapture_spt(stream: Ptr, graph: *mut Ptr) = hipStreamEndCapture(own(stream), graph);
    hipStreamIsCapturing_spt(stream: Ptr, to: *mut u32) = hipStreamIsCapturing(own(stream), to);
    hipStreamGetCaptureInfo_spt(stream: Ptr, state: *mut u32, number: *mut u64) = hipStreamGetCaptureInfo(own(stream), state, number);
    hipEventRecord_spt(event: Ptr, stream: Ptr) = if stream.is_null() { hipEventRecord(event, PER_THREAD) } else { hipEventRecord(event, stream) };
    hipGraphLaunch_spt(plan: Ptr, stream: Ptr) = hipGraphLaunch(plan, own(stream));
}
