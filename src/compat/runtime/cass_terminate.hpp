// name: cass_terminate
// provides: cass_terminate
// replaces: std::terminate
// includes: exception
// summary: Ends the program on the host, and the kernel with an error on the device.
// source: C++17 std::terminate; nvcc 12.4 compiles a call of it in code for host and device, and ends the thread there
// nvidia: same
[[noreturn]] __host__ __device__ inline void cass_terminate()
{
#if defined(__HIP_DEVICE_COMPILE__)
    __builtin_trap();
#elif defined(__CUDA_ARCH__)
    __trap();
    __builtin_unreachable();
#else
    std::terminate();
#endif
}
